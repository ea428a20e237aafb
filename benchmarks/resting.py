"""What a peer costs that has nothing to do: an open lobby, and a table at which people think. Linux."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic, sleep

from . import toy
from .measure import Row
from .table import Process, table

PART = "At rest, per peer"
SECONDS, CPU, RSS = 10.0, 1.0, 80.0


def spent(processes: list[Process]) -> list[tuple[float, float]]:
    """Per cent of a core, and megabytes, of each."""
    for one in processes:
        one.tell("usage")
    before, began = [one.until("usage")["cpu"] for one in processes], monotonic()
    sleep(SECONDS)
    for one in processes:
        one.tell("usage")
    after, passed = [one.until("usage") for one in processes], monotonic() - began
    return [((now["cpu"] - then) / passed * 100, now["rss"] / 1e6) for then, now in zip(before, after, strict=True)]


def rows() -> Iterator[Row]:
    """A lobby of one, a table of four."""
    with table(toy.NAME, 4, joined=0, options={"cards": 54}) as processes:
        ((cpu, rss),) = spent(processes)
    yield Row(PART, "lobby: processor", cpu, "%", limit=CPU)
    yield Row(PART, "lobby: memory", rss, "MB", limit=RSS)
    with table(toy.NAME, 4, options={"cards": 54}) as processes:
        for one in processes:
            one.until("playing")
        sleep(1)
        found = spent(processes)
    yield Row(PART, "table of four: processor", max(cpu for cpu, _ in found), "%", limit=CPU)
    yield Row(PART, "table of four: memory", max(rss for _, rss in found), "MB", limit=RSS)
