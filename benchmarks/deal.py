"""How long people wait for their cards: from the signed contract to the first question, for every game.

`wall` is among real processes on this machine, which share its cores: from the first that has the contract to the last
that asks. `path` is the length of the critical path with each peer on a core of its own, or on two (clock.py):
computation only, every piece timed by its processor time and started as soon as what it needs is there. The floor of
the wall is the operations of all peers over the cores of this machine; the path has none. What seats work out before
there is a contract (p2p/forethought.py) is in neither. The reference is LibTMCG 1.4.0, a whole deal of 52 or 84 cards,
three for each hand, wall, on two cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines import registry
from p2p.threads import cores
from protocol import group

from . import toy
from .clock import Clock
from .measure import Row, counting, floor
from .table import deal

PART = "From the contract to the first question"
LIBTMCG = {(54, 2): 980.0, (54, 4): 2940.0, (84, 2): 2180.0, (84, 4): 6150.0}
"""Of 52 cards, beside our 54."""
WALL, PATH, LONGEST = 8, 10, 300.0
"""So many times as fast as the reference, in wall time and on the critical path; and milliseconds for every game."""
TIMES = 5


def one(game: str, seats: int, options: dict[str, Any], name: str, reference: float | None) -> Iterator[Row]:
    """A table of one kind."""
    clock = Clock(game, seats, options=options)
    with counting() as counts:
        clock.run()
    least = floor(counts) / cores()
    wall = min(deal(game, seats, options) for _ in range(TIMES))
    limit = reference / WALL if reference else None
    yield Row(PART, f"{name}: wall", wall * 1e3, "ms", least * 1e3, reference, limit, f"{cores()} cores for all")
    limit = reference / PATH if reference else LONGEST
    for each, words in ((1, "a core for each"), (2, "two cores for each")):
        path = min(Clock(game, seats, options=options, cores=each).run() for _ in range(3))
        yield Row(PART, f"{name}: path", path * 1e3, "ms", None, reference, limit, words)


def rows() -> Iterator[Row]:
    """All games at up to four players, and bare deals of the sizes of the reference."""
    group.self_test()
    for (cards, seats), reference in LIBTMCG.items():
        options = {"cards": cards, "turns": 1}
        yield from one(toy.NAME, seats, options, f"{cards} cards, {seats} players", reference)
    for game in registry.GAMES:
        low, high = registry.seat_range(game)
        if game != toy.NAME:
            for seats in sorted({low, min(high, 4)}):
                yield from one(game, seats, {}, f"{game}, {seats} players", None)
