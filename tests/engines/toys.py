"""A toy game that asks for everything a game can ask for, and broken copies of it that the suite must catch.

For: tests of the core and canaries of the conformance suite. Never: an example to copy; see docs for that.

Theory of operation: three cards each; in turn a seat plays a card that is not lower than the last one, passes, or
shouts (an improper act that costs a point); whoever has played most wins. `Toy.aside` is called before each turn and
does nothing; a canary does what no game may do there. `Toy.peek` is the truth about all cards, which no game has: the
suite hands it to games that have a place for it, so that a leak can be played at all.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.menus import Act, Card, Face, Look, One, Seat, Some
from engines.requests import (
    Game,
    Request,
    Result,
    Script,
    ask,
    ask_all,
    deck,
    flip,
    forget,
    menu,
    over,
    promise,
    reveal,
    shuffle,
    tell,
    view,
)


@dataclass
class Desk:
    """The public table of the toy."""

    pile: list[Card] = field(default_factory=list)
    hands: list[list[Card]] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    active: Seat = 0
    note: Any = None


class Toy(Game):
    """The toy itself: passes every check."""

    table: Desk
    TURNS = 9

    def __init__(self, seats: int = 3, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(seats, options or {})
        self.table = Desk(hands=[[] for _ in range(seats)], scores=[0] * seats)
        self.peek: Mapping[Card, Face] | None = None

    def cards(self) -> Iterator[Card]:
        t = self.table
        yield from (card for hand in t.hands for card in hand)
        yield from t.pile
        yield from t.played

    def play(self) -> Script[None]:
        t = self.table
        chance = yield from flip()
        t.active = chance.below(self.seats)
        t.pile = yield from deck("1234567891234567")
        t.pile = yield from shuffle(t.pile)
        for hand in t.hands:
            hand += [t.pile.pop() for _ in range(3)]
        yield from view(dict(enumerate(t.hands)))
        yield from promise(0, t.hands[0], {"0"})
        for _ in range(self.TURNS):
            yield from self.aside(t.active)
            yield from self.turn(t.active)
            t.active = (t.active + 1) % self.seats
        gone = t.hands[0]
        yield from forget(0, gone)
        yield from reveal(gone)
        best = max(t.scores)
        yield from over(Result(tuple(s for s, n in enumerate(t.scores) if n == best), tuple(t.scores), "most"))
        yield from ask_all(
            {seat: menu(Act("well played"), Act("nothing"), lapse=("nothing",)) for seat in range(self.seats)}
        )
        yield from tell("over")

    def aside(self, seat: Seat) -> Script[None]:
        """A place for canaries."""
        yield from ()

    def fits(self, look: Look, card: Card) -> str:
        last = self.face(self.table.played[-1]) if self.table.played else "0"
        return "" if look(card) >= last else f"lower than {last}"

    def lapse(self) -> tuple[Any, ...]:
        return ("pass",)

    def turn(self, seat: Seat) -> Script[None]:
        t = self.table
        hand = tuple(t.hands[seat])
        a = yield from ask(
            seat,
            Act("play", (One("card", hand, self.fits),), shows=("card",)),
            Act("swap", (Some("cards", hand, 1, 2),), why_not="" if len(t.pile) > 1 else "the pile is nearly empty"),
            Act("pass"),
            Act("shout", improper=True),
            lapse=self.lapse(),
        )
        if a.verb == "play":
            t.hands[seat].remove(a.card)
            t.played.append(a.card)
            t.scores[seat] += 1
            yield from tell("played", seat=seat, value=self.face(a.card))
        elif a.verb == "swap":
            t.pile = yield from shuffle([*t.pile, *a.cards])
            fresh = [t.pile.pop() for _ in a.cards]
            t.hands[seat] = [card for card in hand if card not in a.cards] + fresh
            yield from view({seat: fresh})
        elif a.verb == "shout":
            t.scores[seat] -= 1
            yield from tell("shouted", seat=seat)

    # -- what canaries use -----------------------------------------------------------------------------------------

    def high(self, seat: Seat) -> bool:
        """Whether the first card of another seat is high: something that nobody may know."""
        hand = self.table.hands[(seat + 1) % self.seats]
        return bool(hand and self.peek and self.peek[hand[0]] > "4")


class LeakingEvent(Toy):
    """Says aloud what nobody may know."""

    def aside(self, seat: Seat) -> Script[None]:
        yield from tell("hint", high=self.high(seat))


class LeakingState(Toy):
    """Puts it on the table."""

    def aside(self, seat: Seat) -> Script[None]:
        self.table.note = self.high(seat)
        yield from ()


class LeakingPace(Toy):
    """Takes another turn of the dice when a hidden card is high."""

    def aside(self, seat: Seat) -> Script[None]:
        if self.high(seat):
            yield from flip()


class LeakingReason(Toy):
    """Gives a reason that depends on another's hidden card."""

    def fits(self, look: Look, card: Card) -> str:
        return super().fits(look, card) + (" and your neighbour is strong" if self.high(self.table.active) else "")


class HiddenLapse(Toy):
    """Lets silence count as something that hidden faces may forbid."""

    def lapse(self) -> tuple[Any, ...]:
        return ("play", 0) if self.table.hands[self.table.active] else ("pass",)


class ShameLapse(Toy):
    """Lets silence count as something improper."""

    def lapse(self) -> tuple[Any, ...]:
        return ("shout",)


class Endless(Toy):
    """Never ends if nobody plays."""

    def aside(self, seat: Seat) -> Script[None]:
        while len(self.table.played) < 2:
            yield from self.turn(seat)


class LosesCard(Toy):
    """A card falls under the table."""

    def aside(self, seat: Seat) -> Script[None]:
        if len(self.table.played) == 2:
            self.table.pile.pop()
        yield from ()


class DoublesCard(Toy):
    """A card lies in two places."""

    def aside(self, seat: Seat) -> Script[None]:
        self.table.played += self.table.pile[:1] * (len(self.table.played) == 1)
        yield from ()


class HashOrder(Toy):
    """Depends on Python's hash of texts, which differs from process to process."""

    def aside(self, seat: Seat) -> Script[None]:
        self.table.note = list({f"word {i}" for i in range(9)})
        yield from ()


class Scripted(Game):
    """A game whose rules are one function."""

    def __init__(self, script: Callable[[Scripted], Generator[Request, Any, None]], seats: int = 2) -> None:
        super().__init__(seats, {})
        self.table = Desk()
        self.script = script

    def play(self) -> Script[None]:
        yield from self.script(self)

    def cards(self) -> Iterator[Card]:
        yield from self.table.pile
