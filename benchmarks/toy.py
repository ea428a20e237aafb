"""A game that is nothing but a deal and turns, for figures that no rulebook comes between.

A deck of so many cards, shuffled by all, three cards for each to look at; then the seats decide in turn, about nothing,
as often as the option says. `register` makes it a game of the registry, in this process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from engines import registry
from engines.menus import Act, Card
from engines.requests import Game, OptionSpec, Result, Script, ask, deck, over, shuffle, view

NAME = "deal"
TITLE = "A deal"
SEATS = (2, 6)
OPTIONS = {
    "cards": OptionSpec(54, "cards in the deck", low=18, high=256),
    "turns": OptionSpec(100, "decisions after the deal", low=1, high=100_000),
}


def check(seats: int, options: dict[str, int]) -> str:
    """Any."""
    return ""


@dataclass
class Desk:
    """Who has which cards."""

    hands: list[list[Card]] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)


class Rules(Game):
    """See above."""

    table: Desk

    def play(self) -> Script[None]:
        """Deal, and turns."""
        self.table = table = Desk()
        table.pile = yield from deck(str(number) for number in range(self.options["cards"]))
        table.pile = yield from shuffle(table.pile)
        table.hands = [[table.pile.pop() for _ in range(3)] for _ in range(self.seats)]
        yield from view(dict(enumerate(table.hands)))
        for turn in range(self.options["turns"]):
            yield from ask(turn % self.seats, Act("on"), Act("stay"), lapse=("on",))
        yield from over(Result(tuple(range(self.seats)), (0,) * self.seats, "enough"))

    def cards(self) -> Iterator[Card]:
        """All of them."""
        yield from (card for hand in self.table.hands for card in hand)
        yield from self.table.pile


def register() -> None:
    """From now on there is such a game."""
    sys.modules[f"engines.{NAME}"] = sys.modules[__name__]
    if NAME not in registry.GAMES:
        setattr(registry, "GAMES", (*registry.GAMES, NAME))  # noqa: B010 - its type says that there are four
