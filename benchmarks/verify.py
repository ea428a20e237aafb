"""How long the audit of a finished game takes, beside the operations that it cannot do without.

Each game is played by its bots, in this process, and its file judged: in one thread (processor time), and in as many as
there are cores (wall). The floor is a run of the same operations and nothing else, signatures among them, in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter, thread_time

from engines import registry
from p2p.audit import SOUND, audit
from p2p.threads import Threads, cores
from tests.p2p.ring import Ring

from . import toy
from .measure import Row, bare, best, counting

PART = "verify: the audit of a finished game"
LIMIT = 1.2
LONG = {"amnesia"}
"""Games of thousands of contributions: their fewest players only."""


def played(game: str, seats: int) -> bytes:
    """The file of a game among bots."""
    ring = Ring(game, seats, seed=4, fifo=True)
    ring.play()
    return ring.tables[0].file()


def pairwise(work: Callable[[], object], other: Callable[[], object], times: int) -> tuple[float, float]:
    """Processor seconds of the fastest run of each, one after the other in turn."""
    runs = [(best(work, 1, thread_time), best(other, 1, thread_time)) for _ in range(times)]
    return min(one for one, _ in runs), min(two for _, two in runs)


def rows() -> Iterator[Row]:
    """All games."""
    threads = Threads()
    for game in registry.GAMES:
        low, high = registry.seat_range(game)
        for seats in () if game == toy.NAME else (low,) if game in LONG else sorted({low, min(high, 4)}):
            data = played(game, seats)
            with counting() as counts:
                report = audit(data)
            if report.verdict != SOUND:
                raise SystemExit(f"a game of bots does not hold: {report.findings}")
            name, times = f"{game}, {seats} players, {report.signatures} items", 2 if game in LONG else 7
            took, least = pairwise(partial(audit, data), bare(counts), times)
            yield Row(PART, f"{name}: one thread", took * 1e3, "ms", least * 1e3, limit=LIMIT * least * 1e3)
            wall = best(partial(audit, data, threads), times, perf_counter) * 1e3
            yield Row(PART, f"{name}: {threads.workers} threads", wall, "ms", least / cores() * 1e3, note="wall")
