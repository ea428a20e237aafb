"""What a move costs at the start of a long game and at its end: nothing may grow with the length of the game.

A table of the bare game (toy.py) for two, in memory: thousands of decisions after the deal. The time of a move is the
processor time of one seat to take in the other's decision, check it, and let the rules go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import thread_time

from engines.requests import Ask
from protocol.errors import ProtocolError
from tests.p2p.ring import Ring

from . import toy
from .measure import Row

PART = "A move, early and late in a game of 6000"
TURNS, PARTS, LIMIT = 6000, 6, 1.15


class Timed(Ring):
    """Keeps the times that seat 0 needs for each decision of seat 1."""

    def __init__(self) -> None:
        super().__init__(toy.NAME, 2, seed=1, fifo=True, options={"cards": 18, "turns": TURNS})
        self.times: list[float] = []
        self._spent = 0.0

    def step(self) -> bool:
        asks = self.tables[0].run is not None and isinstance(self.tables[0].run.pending, Ask)
        theirs = (asks and self.tables[0].session.waiting_for() == (1,)) or self._spent > 0
        mine = bool(self.letters) and self.letters[0].to == 0
        place, began = self.tables[0].session.place, thread_time()
        if theirs and mine and self.letters[0].kind in ("item", "job"):
            return self._timed(place, began)
        return super().step()

    def _timed(self, place: tuple[int, int], began: float) -> bool:
        letter, table = self.letters.pop(0), self.tables[0]
        try:
            if letter.kind == "item":
                table.receive(letter.content)
            else:
                table.done(letter.content.id, letter.content.run())
        except ProtocolError as error:
            raise SystemExit(f"a bot's move was refused: {error}") from error
        self._spent += thread_time() - began
        if table.session.place != place:
            self.times.append(self._spent)
            self._spent = 0.0
        self.pump(0)
        return True


def rows() -> Iterator[Row]:
    """The median of each part of the game, and the last beside the first."""
    ring = Timed()
    ring.play()
    size = len(ring.times) // PARTS
    parts = [median(ring.times[at * size : (at + 1) * size]) * 1e6 for at in range(PARTS)]
    for number, took in enumerate(parts):
        name = f"moves {2 * number * size} to {2 * (number + 1) * size}"
        yield Row(PART, name, took, "µs", limit=LIMIT * parts[0] if number else None)
