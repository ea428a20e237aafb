"""A table among real processes, for the benchmarks: see peer.py."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

PATIENCE = 60.0


class Process:
    """One seat."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "benchmarks.peer", *map(str, arguments)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._heard: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._heard.put(json.loads(line))

    def tell(self, line: str) -> None:
        """A line for it."""
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def until(self, event: str) -> dict[str, Any]:
        """The next event of that name; others before it are dropped."""
        while (found := self._heard.get(timeout=PATIENCE))["event"] != event:
            pass
        return found

    def next(self) -> dict[str, Any]:
        """The next event."""
        return self._heard.get(timeout=PATIENCE)

    def end(self) -> None:
        """Close its input, and it ends."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()


@contextmanager
def table(
    game: str, seats: int, *, joined: int | None = None, options: Mapping[str, Any] | None = None
) -> Iterator[list[Process]]:
    """The host, and so many others (by default all)."""
    chosen = json.dumps(dict(options or {}))
    processes = [Process("host", game, seats, 0, chosen)]
    try:
        port = processes[0].until("door")["port"]
        processes += [Process("join", game, seats, port, "{}") for _ in range(seats - 1 if joined is None else joined)]
        yield processes
    finally:
        for process in processes:
            process.end()


def deal(game: str, seats: int, options: Mapping[str, Any] | None = None) -> float:
    """Seconds from the contract to the first question: from the first seat that has it, to the last that asks."""
    with table(game, seats, options=options) as processes:
        found = [process.until("playing") for process in processes]
        return float(max(one["at"] for one in found) - min(one["formed"] for one in found))
