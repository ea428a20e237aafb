"""A game that a test drives step by step, and the sentences that its tests name.

For: the positions of each game. Never: a rule; what is not asked is done by a dealer, as it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TypeVar

from engines.dealer import Dealer
from engines.menus import Card, Choice, Face, Menu, Seat
from engines.requests import Ask, Tell
from engines.run import Run

Test = TypeVar("Test", bound=Callable[..., None])


class Sentences:
    """What the tests of a game rest on, as in `@of("Setup 1", "Ruling 4")`: sentences of the rulebook by section and
    number, rulings, rows of the table of what is hidden, worked examples. `sections`: how many of each there are."""

    def __init__(self, sections: Mapping[str, int]) -> None:
        self._all = {f"{section} {i + 1}" for section, count in sections.items() for i in range(count)}
        self._named: set[str] = set()

    def __call__(self, *names: str) -> Callable[[Test], Test]:
        """The test below rests on these."""
        self._named.update(names)
        return lambda test: test

    def compare(self, *modules: str) -> None:
        """Each has to be named by a test of these modules, and nothing else."""
        for module in modules:
            import_module(f"tests.engines.{module}")
        assert self._named == self._all


class Driven:
    """A game in progress. `events`: what the dealer's game has told."""

    def __init__(self, dealer: Dealer, events: list[Tell]) -> None:
        self.dealer = dealer
        self.events = events
        self.run: Run = dealer.run
        self.settle()

    def settle(self) -> None:
        """Deal, draw, open and look until somebody is asked."""
        while not self.run.finished and not isinstance(self.run.pending, Ask):
            self.dealer.step(self.nobody)

    @staticmethod
    def nobody(seat: Seat, menu: Menu) -> Choice:
        """Not to be called."""
        raise AssertionError(f"seat {seat} is asked {menu}")

    def answer(self, choices: Mapping[Seat, Choice]) -> None:
        """These choices, silence of all others asked, and on to the next question."""
        self.run.answer({seat: choices.get(seat, menu.lapse) for seat, menu in self.menus.items()})
        self.settle()

    def lapse(self) -> None:
        """Everybody asked is silent."""
        self.answer({})

    @property
    def menus(self) -> Mapping[Seat, Menu]:
        """What is asked now, and whom."""
        assert isinstance(self.run.pending, Ask), "nothing is asked"
        return self.run.pending.menus

    @property
    def menu(self) -> Menu:
        """What the one who is asked is asked."""
        (menu,) = self.menus.values()
        return menu

    def faces(self, cards: Sequence[Card]) -> list[Face]:
        """What these are, as the dealer knows."""
        return [self.dealer.truth[card] for card in cards]


class ByNumber(Driven):
    """A game in which players are called by their seats."""

    @property
    def asked(self) -> list[Seat]:
        """Who is asked now."""
        return sorted(self.menus) if isinstance(self.run.pending, Ask) else []

    def told(self, kind: str) -> list[Tell]:
        """The events of one kind so far."""
        return [event for event in self.events if event.kind == kind]
