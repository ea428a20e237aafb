"""How fast the rules alone are: whole games a second with a trusted dealer and random players."""

from __future__ import annotations

from collections.abc import Iterator
from time import thread_time

from engines import registry
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import Dealer

from . import toy
from .measure import Row

PART = "Rules alone, one thread"
SECONDS = 2.0


def play(game: str, seats: int, number: int) -> None:
    """One game of random players."""
    rules = registry.create(game, seats, {})
    bots = [Random(seat, Chance(bytes([number % 256, seat]) * 16)) for seat in range(seats)]
    dealer = Dealer(rules, number.to_bytes(32, "big"))
    dealer.play(lambda seat, menu: bots[seat].choose(rules, menu, dealer.run.look(seat)))


def rows() -> Iterator[Row]:
    """Every game, fewest and most players."""
    for game in registry.GAMES:
        for seats in sorted(set(registry.seat_range(game))) if game != toy.NAME else ():
            number, began = 0, thread_time()
            while (passed := thread_time() - began) < SECONDS:
                play(game, seats, number)
                number += 1
            yield Row(PART, f"{game}, {seats} players", number / passed, "/s")
