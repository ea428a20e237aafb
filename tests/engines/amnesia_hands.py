"""Hands of Amnesia that start with cards of the test's own, and that are driven by words.

For: the tests of the rules and of the bot. Never: a shortcut past the rules; what is put in place is the outcome of a
deal, and everything after it is the game as it is played.

Seats are called by letters in playing order: A is the dealer's right-hand neighbour, the last letter is the dealer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engines.amnesia import OPTIONS, Rules
from engines.amnesia_table import DECK
from engines.dealer import Dealer
from engines.menus import Act, Card, Choice, Face, Part, Seat, Some
from engines.requests import Ask, Script, Tell
from tests.engines.driven import Driven, Sentences

of = Sentences(
    {
        "Setup": 4,
        "Objective": 1,
        "Rules": 13,
        "Special": 15,
        "Values": 3,
        "End": 3,
        "Forfeit": 2,
        "Hidden": 9,
        "Ruling": 13,
        "Example": 10,
    }
)
PLAIN = ("1", "2", "3", "4")
DEFAULTS: dict[str, Any] = {key: spec.default for key, spec in OPTIONS.items()}


class Position(Rules):
    """A game whose first deal is given. `late`: the second round begins, after a first in which nothing happened."""

    def __init__(self, cards: Mapping[str, Sequence[Face]], late: bool, under: int, options: Mapping[str, Any]) -> None:
        super().__init__(len(cards), {**DEFAULTS, **options})
        self.given = cards
        self.late = late
        self.under = under

    def first_dealer(self) -> Script[None]:
        """The last letter, at the highest seat."""
        self.table.dealer = self.seats - 1
        yield from ()

    def deal(self) -> Script[None]:
        """The first time with the cards that are wanted."""
        yield from super().deal()
        t = self.table
        if t.hand > 1:
            return
        cards = sorted(t.cards())
        for letter, seat in zip("ABCDEF", self.order(t.dealer), strict=False):
            t.cells[seat] = {i + 1: cards.pop(0) for i in range(len(self.given[letter]))}
            t.next_slot[seat] = max(5, len(t.cells[seat]) + 1)
            t.free[seat] = [slot for slot in t.free[seat] if slot in t.cells[seat]]
        t.pile = cards

    def rounds(self) -> Script[None]:
        """With `late`, everybody has had a turn."""
        t = self.table
        if self.late and t.hand == 1:
            t.round, t.snapping, t.turns = 1, True, [1] * self.seats
            # The cards above the pile that the test wants under the first discard.
            (top,) = t.discards
            t.discards, t.pile = [*t.pile[: self.under], top], t.pile[self.under :]
            for card in t.discards[:-1]:
                self.faces[card] = self.secret[card]
        yield from super().rounds()

    secret: Mapping[Card, Face]
    """The dealer's knowledge, for the discards that are put in place."""


class Stacked(Dealer):
    """A dealer whose first shuffle gives the faces that are wanted first; later ones are as ever."""

    def __init__(self, game: Position, wanted: Sequence[Face], events: list[Tell]) -> None:
        left = list(DECK)
        for face in wanted:
            left.remove(face)
        self.orders = [[*wanted, *left]]
        super().__init__(game, bytes(32), events.append)
        game.secret = self.truth

    def arrange(self, faces: Sequence[Face]) -> list[Face]:
        """The wanted order once."""
        return self.orders.pop(0) if self.orders else super().arrange(faces)


class Hand(Driven):
    """A hand in progress: `hand.do(A="draw", B=("snap", 1))`. Numbers are slots, letters are players."""

    def __init__(
        self,
        cards: Mapping[str, Sequence[Face]] | int = 3,
        *,
        top: Face = "10",
        pile: Sequence[Face] = (),
        under: Sequence[Face] = (),
        late: bool = False,
        **options: Any,
    ) -> None:
        if isinstance(cards, int):
            cards = {letter: PLAIN if letter < "E" else ("5", "6", "8", "9") for letter in "ABCDEF"[:cards]}
        self.game = Position(cards, late, len(under), options)
        self.table = self.game.table
        events: list[Tell] = []
        dealt = [face for hand in cards.values() for face in hand]
        self.seats = dict(zip("ABCDEF", self.game.order(self.game.seats - 1), strict=False))
        self.letters = {seat: letter for letter, seat in self.seats.items()}
        super().__init__(Stacked(self.game, [*dealt, top, *under, *pile], events), events)
        if late:
            self.do()
            self.do()

    # -- what is asked ---------------------------------------------------------------------------------------------

    @property
    def asked(self) -> str:
        """Who is asked now."""
        return "".join(sorted(self.letters[seat] for seat in self.menus))

    @property
    def lead(self) -> str:
        """Whom the others wait for, and what for."""
        assert isinstance(self.run.pending, Ask)
        lead = self.run.pending.lead
        assert lead == self.table.lead
        return f"{'-' if lead is None else self.letters[lead]} {self.table.phase}"

    def act(self, letter: str, verb: str) -> Act:
        """An act of that player's menu."""
        return next(act for act in self.menus[self.seats[letter]].acts if act.verb == verb)

    def can(self, letter: str) -> set[str]:
        """What that player can properly do."""
        return {a.verb for a in self.menus[self.seats[letter]].acts if not a.improper and not a.why_not}

    def against_the_rules(self, letter: str) -> set[str]:
        """What that player can do, and pays for."""
        return {a.verb for a in self.menus[self.seats[letter]].acts if a.improper and not a.why_not}

    def why_not(self, letter: str, verb: str) -> str:
        """Why that player cannot do that at all, or ""."""
        return self.act(letter, verb).why_not

    # -- what is answered ------------------------------------------------------------------------------------------

    def choice(self, letter: str, words: Any) -> Choice:
        """A choice in words."""
        verb, *values = words if isinstance(words, tuple) else (words,)
        menu = self.menus[self.seats[letter]]
        index = next(i for i, act in enumerate(menu.acts) if act.verb == verb)
        parts = list(menu.acts[index].parts)
        if parts and isinstance(parts[0], Some):
            values = [tuple(values)]
        owner, picks = letter, []
        for part, value in zip(parts, values, strict=True):
            if part.name == "player":
                owner = value
                picks.append(part.of.index(self.seats[value]))
            else:
                picks.append(self.pick(part, owner, value))
        return Choice(index, tuple(picks))

    def pick(self, part: Part, owner: str, slots: Any) -> Any:
        """Cards by their slots."""
        cells = self.table.cells[self.seats[owner]]
        if isinstance(slots, tuple):
            return tuple(part.of.index(cells[slot]) for slot in slots)
        return part.of.index(cells[slots])

    def do(self, **words: Any) -> None:
        """Those who are named choose this, all others asked are silent; then on to the next question."""
        choices: dict[Seat, Choice] = {}
        for letter, chosen in words.items():
            seat = self.seats[letter]
            choices[seat] = self.choice(letter, chosen)
            why = self.menus[seat].judge(self.run.look(seat), choices[seat])
            assert not why, f"{chosen} is not possible for {letter}: {why}"
        self.answer(choices)

    def turn(self, draw: Any = "draw", place: Any = "discard") -> None:
        """A whole turn of whose turn it is; powers are passed."""
        letter = self.lead[0]
        self.do(**{letter: draw})
        self.do(**{letter: place})
        if self.table.phase == "power":
            self.do()

    # -- what is there ---------------------------------------------------------------------------------------------

    def cells(self, letter: str) -> dict[int, Face]:
        """That player's cards as the dealer knows them."""
        return {slot: self.dealer.truth[card] for slot, card in self.table.cells[self.seats[letter]].items()}

    @property
    def discards(self) -> list[Face]:
        """Bottom to top."""
        return self.faces(self.table.discards)

    def sees(self, letter: str) -> set[tuple[str, int]]:
        """The slots whose face that player's screen may show, public ones excepted."""
        known = self.run.known[self.seats[letter]]
        return {(self.letters[s], slot) for s, slot, card in self.places() if card in known}

    def public(self) -> set[tuple[str, int]]:
        """The slots whose face all can see."""
        return {(self.letters[s], slot) for s, slot, card in self.places() if card in self.game.faces}

    def places(self) -> Iterator[tuple[Seat, int, Card]]:
        """All players' cards."""
        for seat, cells in enumerate(self.table.cells):
            for slot, card in cells.items():
                yield seat, slot, card

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The events of one kind so far, seats as letters, without handles."""
        return [
            {
                key: self.letters[value] if key in ("seat", "player", "owner") else value
                for key, value in event.data.items()
                if not isinstance(value, Card)
                and key not in ("before", "after")
                and not (key == "cards" and event.kind == "looked")
            }
            for event in self.events
            if event.kind == kind
        ]
