"""Arithmetic on all cores. Does IO: threads.

For: the audit, and a seat that shuffles: `Threads()` is a `protocol.spread.Spread`. Never: a thread that waits for
another one to begin, or results and errors in another order than that of the items.

Theory of operation: whoever spreads work does it itself, from the front; idle threads of the pool help by taking items
from the same queue. When the queue is empty, those that have not begun to help are told not to, and only items that are
already under way are waited for. So work may spread further work, on the same threads, without standing still. Threads
pay because libsodium's calls are made without the interpreter's lock.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

MOST = 8
"""Threads that a process uses; what Python does in between leaves no work for more."""


def cores() -> int:
    """How many cores this process may use, as far as the system tells."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class Threads:
    """See above. `workers`: how many threads take part, the caller's included; by default one a core."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = max(1, min(cores(), MOST) if workers is None else workers)
        self._pool = ThreadPoolExecutor(self.workers - 1, "arithmetic") if self.workers > 1 else None

    def __call__(self, work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
        """The results in the order of the items. Errors: that of the first item whose work fails."""
        if self._pool is None or len(items) < 2:
            return [work(item) for item in items]
        queue = deque(enumerate(items))
        found: dict[int, R] = {}
        failed: dict[int, Exception] = {}

        def take() -> None:
            while True:
                try:
                    index, item = queue.popleft()
                except IndexError:
                    return
                try:
                    found[index] = work(item)
                except Exception as error:  # noqa: BLE001 - it is raised below, where the caller is
                    failed[index] = error

        helpers = [self._pool.submit(take) for _ in range(min(self.workers, len(items)) - 1)]
        take()
        for helper in helpers:
            if not helper.cancel():
                helper.result()
        if failed:
            raise failed[min(failed)]
        return [found[index] for index in range(len(items))]


@cache
def all_cores() -> Threads:
    """The threads of this process, made when they are first wanted."""
    return Threads()
