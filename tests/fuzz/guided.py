"""A small coverage-guided fuzzer, for where there is no atheris, and for the suite: the same seed, the same inputs.

Theory of operation: `sys.settrace` notes the lines of our own floors that an input reaches; one that reaches a new line
is kept, and changed further. Each input may take `CPU` seconds, and as much memory as its target says, as tracemalloc
sees it.
"""

from __future__ import annotations

import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from protocol.errors import ProtocolError

from .mutate import mutated
from .targets import Target

CPU = 10.0
"""Seconds of CPU that one input may take: a thousand times what the slowest takes, so a busy machine is no failure."""
FLOORS = tuple(str(Path(__file__).parents[2] / floor) for floor in ("protocol", "p2p", "engines"))


class Found(Exception):
    """An input that does what none may; in hexadecimal, so that it can be tried again."""


def bounded(target: Target, data: bytes) -> None:
    """One input. Errors: Found."""
    tracemalloc.reset_peak()
    before, began = tracemalloc.get_traced_memory()[0], time.process_time()
    try:
        target.run(data)
    except ProtocolError as error:
        if not str(error):
            raise Found(f"an error without words for {data.hex()}") from error
    except Exception as error:  # whatever it is, it is a find
        raise Found(f"{type(error).__name__}: {error} for {data.hex()}") from error
    if tracemalloc.get_traced_memory()[1] - before > target.room:
        raise Found(f"{tracemalloc.get_traced_memory()[1] - before} bytes of memory for {data.hex()}")
    if time.process_time() - began > CPU:
        raise Found(f"{time.process_time() - began:.1f} s for {data.hex()}")


class Coverage:
    """The lines that have been reached."""

    def __init__(self) -> None:
        self.lines: set[tuple[str, int]] = set()

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        name = frame.f_code.co_filename
        return self._line if name.startswith(FLOORS) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def watch(self, target: Target, data: bytes) -> int:
        """One input; how many lines it was the first to reach. Errors: Found."""
        before, others = len(self.lines), sys.gettrace()
        sys.settrace(self._enter)
        try:
            bounded(target, data)
        finally:
            sys.settrace(others)
        return len(self.lines) - before


def fuzz(target: Target, *, seed: int, rounds: int = 0, until: float = 0.0) -> tuple[int, int, int]:
    """Try inputs, so many or until that monotonic time: how many, lines reached, inputs kept. Errors: Found."""
    rng, coverage, corpus, tried = random.Random(seed), Coverage(), target.seeds(), 0
    started = not tracemalloc.is_tracing()
    if started:
        tracemalloc.start()
    try:
        for data in [b"", *corpus]:
            coverage.watch(target, data)
        while tried < rounds or time.monotonic() < until:
            # What was found last leads on more often than what has been there from the beginning.
            at = max(rng.randrange(len(corpus)), rng.randrange(len(corpus)))
            data = mutated(rng, corpus[at], corpus, target.most)
            tried += 1
            if coverage.watch(target, data):
                corpus.append(data)
    finally:
        if started:
            tracemalloc.stop()
    return tried, len(coverage.lines), len(corpus)
