"""How long the audit of a finished game takes, beside the operations that it cannot do without.

Each game is played by its bots, in this process, and its file judged: in one thread (processor time), and in as many as
there are cores (wall). The operations of the floor include the signatures.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter, thread_time

from engines import registry
from p2p.audit import SOUND, audit
from p2p.threads import Threads, cores
from tests.p2p.ring import Ring

from . import toy
from .measure import Row, best, counting, floor

PART = "verify: the audit of a finished game"
LIMIT = 1.2
LONG = {"amnesia"}
"""Games of thousands of contributions: their fewest players only."""


def played(game: str, seats: int) -> bytes:
    """The file of a game among bots."""
    ring = Ring(game, seats, seed=4, fifo=True)
    ring.play()
    return ring.tables[0].file()


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
            least, name = floor(counts) * 1e3, f"{game}, {seats} players, {report.signatures} items"
            took = best(partial(audit, data), 1 if game in LONG else 3, thread_time) * 1e3
            yield Row(PART, f"{name}: one thread", took, "ms", least, limit=LIMIT * least)
            wall = best(partial(audit, data, threads), 1 if game in LONG else 3, perf_counter) * 1e3
            yield Row(PART, f"{name}: {threads.workers} threads", wall, "ms", least / cores(), note="wall")
