"""The table of Amnesia: the cards there are, what lies where, what is open to whom now, and why something is not.

For: the rules, which change it, and screens, clients and bots, which read it. Never: the face of a card, but for its
place in the data below; all cards are handles here, so that the whole table is public.

Theory of operation: a plain dataclass. The methods that begin with `no_` answer with the rule that forbids something,
in words that can be shown to the player, or with "" when nothing forbids it. A cell is one slot of a player's cards:
1 and 2 above, 3 and 4 below, later cards from 5 on; numbers are never given twice in a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .menus import Card, Face, Seat
from .requests import Result

DJ, JOKER = "7", "Joker"
SCIENTIST, THIEF, DETECTIVE, FISHERMAN = SPECIALS = ("Scientist", "Thief", "Detective", "Fisherman")
POWERS = frozenset((DJ, *SPECIALS))
COPIES: dict[Face, int] = {**{str(n): 4 for n in range(1, 11)}, **dict.fromkeys(SPECIALS, 4), JOKER: 2}
"""The published deck has 58 cards; how they are divided is inferred, and can be changed here alone."""
DECK = tuple(face for face, copies in COPIES.items() for _ in range(copies))
MOST_SNAPPED = max(COPIES.values()) - 1
"""No more cards than these can match the top of the discard pile, which is one of them itself."""
MOST_HANDLES = 4096
"""A table can make only so many cards, shuffled ones included: no deck of the protocol holds more."""
TURN_HANDLES = 256
"""More than one turn can make: two powers that mix a player's cards, and new draw piles."""
DEALT = (1, 2, 3, 4)
BOTTOM = (3, 4)
"""The slots that everybody may look at before the first draw."""

TURN_UP, FIRST_LOOK, START, HOLDING, POWER = "turn up", "first look", "start", "holding", "power"
LAST_CHANCE, REVEAL, FORFEIT = "last chance", "reveal", "forfeit"


def worth(face: Face) -> int:
    """The points on a card."""
    if face in SPECIALS:
        return 11
    return 0 if face == JOKER else int(face)


def called_points(total: int) -> int:
    """What a call is worth with cards of that total; they are not added besides."""
    if total <= 5:
        return -10
    if total == 6:
        return 0
    return 10 if total <= 10 else 20


@dataclass
class Table:
    """All of it is public. `pile` is top card first, `discards` top card last."""

    forfeit: str
    limit: int
    """A total above it loses and ends the game."""
    reaction: int
    """Seconds that people have to react to a discard; clients keep this time, the rules know no clock."""
    totals: list[int]
    cells: list[dict[int, Card]]
    """Per seat: slot to card, in the order of the slots."""
    next_slot: list[int]
    turns: list[int]
    """Per seat: turns begun in this hand."""
    free: list[list[int]]
    """Per seat: slots of the first look that are not used up yet."""
    pile: list[Card] = field(default_factory=list)
    discards: list[Card] = field(default_factory=list)
    hand: int = 0
    """Deals so far."""
    round: int = 0
    dealer: Seat = 0
    active: Seat = 0
    phase: str = TURN_UP
    lead: Seat | None = None
    """Whom the others wait for in this Ask."""
    held: Card | None = None
    """What the active seat has drawn or taken and not yet placed."""
    taken: bool = False
    """The top of the discard pile was taken, and nothing was discarded since."""
    committed: bool = False
    """The held card was drawn to be discarded."""
    caller: Seat | None = None
    snapping: bool = False
    """The dealer's first turn of the hand is over."""
    discarder: Seat = 0
    clock: int = 0
    """Goes up when there is something new to react to: a client starts its reaction time again."""
    power: tuple[Seat, Face] | None = None
    """Who decides on which power now."""
    owed: tuple[Seat, Face] | None = None
    """Who passed on which power, while it can be demanded."""
    looking: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    """Who looks at which cards just now; it ends with that seat's next answer."""
    exposed: list[Card] = field(default_factory=list)
    """Cards that a wrong snap has just shown to all; screens turn them down again at the same time."""
    marked: set[Card] = field(default_factory=set)
    """Cards that came openly from the discard pile and still lie where they were put."""
    revealed: tuple[tuple[Face, ...], ...] = ()
    """Per seat: the cards at the end of the last hand."""
    points: list[tuple[int, ...]] = field(default_factory=list)
    """Per hand and seat."""
    made: int = 0
    """Handles made so far; a table can make only so many."""
    result: Result | None = None
    losers: tuple[Seat, ...] = ()
    judged: Seat | None = None
    """The loser whose forfeit is voted on."""
    unfulfilled: tuple[Seat, ...] = ()
    """Losers of whom the others say that they did not do the forfeit."""

    @property
    def top(self) -> Card | None:
        """What was discarded last."""
        return self.discards[-1] if self.discards else None

    def own(self, seat: Seat) -> tuple[Card, ...]:
        """A player's cards in the order of their slots."""
        return tuple(self.cells[seat].values())

    def slot(self, seat: Seat, card: Card) -> int | None:
        """Where among that player's cards it lies; None if it does not."""
        return next((slot for slot, own in self.cells[seat].items() if own == card), None)

    def slots(self, seat: Seat, cards: Iterable[Card]) -> tuple[int, ...]:
        """Where these cards of that player lie."""
        return tuple(slot for slot, own in self.cells[seat].items() if own in set(cards))

    def cards(self) -> Iterator[Card]:
        """Every card, each once."""
        for cell in self.cells:
            yield from cell.values()
        yield from self.pile
        yield from self.discards
        if self.held is not None:
            yield self.held

    # -- for clients -----------------------------------------------------------------------------------------------

    def passes_alone(self, seat: Seat) -> bool:
        """Whether the client of a seat that says nothing passes for it, when the lead has chosen and there was time to
        react. Who looks at a card is waited for."""
        return self.phase not in (FIRST_LOOK, FORFEIT) and seat != self.lead and seat not in self.looking

    def can_react(self, seat: Seat) -> bool:
        """Whether there is something to react to: if not, a client need not wait for its reaction time to pass."""
        snap = self.snapping and not self.taken and bool(self.cells[seat]) and not self.holds(seat)
        return bool(self.exposed) or snap or (self.owed is not None and not self.no_demand(seat))

    # -- what is open to whom --------------------------------------------------------------------------------------

    def holds(self, seat: Seat) -> bool:
        """Whether that player has a drawn or taken card in hand."""
        return self.held is not None and seat == self.active

    def no_card(self) -> str:
        """Why nobody can be given a card (ruling 10)."""
        if self.pile or len(self.discards) > 1:
            return ""
        return "the draw pile is empty, and there is nothing under the last discard to shuffle"

    def no_fine(self) -> str:
        """Why nothing improper can be done: it has to be paid for."""
        return "there is no card left for the penalty" if self.no_card() else ""

    def no_take(self, seat: Seat) -> str:
        """Why the top of the discard pile cannot be taken (ruling 4). There is one whenever a turn begins."""
        return "" if self.cells[seat] else "a taken card must be exchanged, and there is no card to exchange it with"

    def no_exchange(self, seat: Seat) -> str:
        """Why the held card cannot be exchanged, but for one drawn to be discarded (ruling 4)."""
        return "" if self.cells[seat] else "there is no card to exchange it with"

    def no_snap(self, seat: Seat) -> str:
        """Why no card can be snapped, be it out of season (ruling 8)."""
        if not self.cells[seat]:
            return "there is no card left to snap"
        if self.snap_improper(seat):
            return self.no_fine()
        return "the last discard was taken; snapping is open again with the next" if self.taken else ""

    def snap_improper(self, seat: Seat) -> bool:
        """In the first round, or with a card in hand (ruling 9)."""
        return not self.snapping or self.holds(seat)

    def no_demand(self, seat: Seat) -> str:
        """Why that player cannot demand a power, due or not (ruling 6)."""
        if self.owed is None:
            return self.no_fine()
        if self.owed[0] == seat:
            return "a power is demanded by the others"
        return self.no_target(*self.owed)

    def no_target(self, seat: Seat, face: Face) -> str:
        """Why that player's power is void now (ruling 6)."""
        if face == FISHERMAN:
            return self.no_card()
        if face in (SCIENTIST, THIEF) and not self.cells[seat]:
            return "its owner has no cards"
        if face == SCIENTIST or any(self.cells[other] for other in range(len(self.cells)) if other != seat):
            return ""
        return "no other player has cards"
