"""The table of Fungi: what lies where, and why something cannot be done there.

For: the rules, which change it, and screens and bots, which read it. Never: a face of its own; all cards are handles,
so that the whole table is public. Methods that need faces are given a look and judge as far as it sees.

Theory of operation: a plain dataclass. The methods that begin with `no_` answer with the rule that forbids something,
in words that can be shown to the player, or with "" when nothing forbids it. With a look that does not see every card
they forbid only what is impossible whatever the hidden cards are: that is how everybody can know what is out of the
question, and how a player is told exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .fungi_cards import BASKET, DISH, FLY, KINDS, MOON, NIGHT_KINDS, PAN, SALE, is_night, kind_of
from .menus import Card, Face, Hidden, Look, Seat

FOREST = 8
"""Spaces of the forest."""
AT_THE_SHOES = 2
"""Spaces from which a card costs nothing."""
LIMIT, FLY_LIMIT, PER_BASKET = 8, 4, 2
DECAY = 4
"""Cards that the decay pile holds."""


@dataclass(frozen=True)
class Dish:
    """What was cooked, closed for good. `cards`: the pan first, then what is in it."""

    kind: str
    cards: tuple[Card, ...]
    mushrooms: int
    flavour: int


def _two() -> list[list[Card]]:
    return [[], []]


@dataclass
class Table:
    """All of it is public. Lists by seat, unless said otherwise; hands are oldest card first, piles top card first."""

    rules: str = "rulebook"
    reminder: str = "shown"
    """Whether screens show the part of the other hand that was taken face up; see OPTIONS in fungi.py."""
    hands: list[list[Card]] = field(default_factory=_two)
    sticks: list[int] = field(default_factory=lambda: [0, 0])
    pans: list[list[Card]] = field(default_factory=_two)
    """Empty ones in the displays; the others are part of a dish."""
    baskets: list[list[Card]] = field(default_factory=_two)
    flies: list[list[Card]] = field(default_factory=_two)
    dishes: list[list[Dish]] = field(default_factory=lambda: [[], []])
    forest: list[Card] = field(default_factory=list)
    """Not by seat: the card nearest to the shoes first, always without a gap."""
    decay: list[Card] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    nights: list[Card] = field(default_factory=list)
    """The pile of night cards."""
    discards: list[Card] = field(default_factory=list)
    backs: frozenset[Card] = frozenset()
    """All cards that have the back of a night card, wherever they are."""
    secret: frozenset[Card] = frozenset()
    """Starting cards that were not shown: as long as they are in a hand, only their owner knows them."""
    start: Seat = 0
    active: Seat = 0
    turn: int = 0
    """0 until the starting hands are ready."""

    # -- what can be read off it -----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """The last card of the forest is gone (ruling 11)."""
        return self.turn > 0 and not self.forest and not self.pile

    def limit(self, seat: Seat) -> int:
        """How many cards the hand may hold (ruling 4)."""
        return (FLY_LIMIT if self.flies[seat] else LIMIT) + PER_BASKET * len(self.baskets[seat])

    def cost(self, card: Card) -> int:
        """Sticks that a card of the forest costs (ruling 3)."""
        return max(0, self.forest.index(card) + 1 - AT_THE_SHOES)

    def points(self, seat: Seat) -> int:
        """Flavour of all dishes."""
        return sum(dish.flavour for dish in self.dishes[seat])

    def cooked(self, seat: Seat) -> int:
        """Mushrooms in all dishes."""
        return sum(dish.mushrooms for dish in self.dishes[seat])

    def seen(self, cards: Iterable[Card], look: Look) -> list[Face]:
        """The faces that can be seen of these."""
        faces = []
        for card in cards:
            try:
                faces.append(look(card))
            except Hidden:
                continue
        return faces

    # -- what is forbidden -----------------------------------------------------------------------------------------

    def no_take(self, look: Look, seat: Seat, card: Card) -> str:
        """Why a seat cannot take that card of the forest (rulings 3 and 4)."""
        cost = self.cost(card)
        if cost > self.sticks[seat]:
            return f"each space beyond the first {AT_THE_SHOES} costs a stick, and there are not enough"
        face = look(card)
        if face in (BASKET, FLY) or (face == MOON and not self.nights):
            return ""
        if len(self.hands[seat]) < self.limit(seat):
            return ""
        return f"the hand is full: it holds {self.limit(seat)} cards, and nothing is discarded to make room"

    def no_decay(self, look: Look, seat: Seat) -> str:
        """Why a seat cannot take the decay pile (ruling 6)."""
        if not self.decay:
            return "the decay pile is empty"
        faces = [look(card) for card in self.decay]
        nights = min(faces.count(MOON), len(self.nights))
        rest = sum(face not in (BASKET, MOON, FLY) for face in faces)
        more = PER_BASKET * faces.count(BASKET)
        held, room = len(self.hands[seat]) + nights, self.limit(seat) + more
        if FLY in faces and self.rules == "rulebook":
            small = FLY_LIMIT + PER_BASKET * len(self.baskets[seat]) + more
            fits = held <= room and min(held, small) + rest <= small
            room = small if held <= room else room
        else:
            fits = held + rest <= room
        return "" if fits else f"all of the decay pile or nothing, and it is too much: the hand may hold {room} then"

    def no_dish(self, look: Look, seat: Seat, kind: str = "") -> str:
        """Why a seat cannot cook that kind, or any (ruling 7)."""
        if not self.pans[seat] and self.no_pan(look, seat):
            return "cooking takes an empty pan in the display, or one from the hand"
        if self._most(look, seat, kind) < DISH:
            return f"cooking takes {DISH} mushrooms of one kind, a night card counting as two"
        return ""

    def no_sale(self, look: Look, seat: Seat, kind: str = "") -> str:
        """Why a seat cannot sell that kind, or any (ruling 8)."""
        if self._most(look, seat, kind) < SALE:
            return f"selling takes {SALE} mushrooms of one kind, or a night card"
        return ""

    def no_pan(self, look: Look, seat: Seat) -> str:
        """Why a seat cannot put down a pan."""
        for card in self.hands[seat]:
            if card not in self.backs:
                try:
                    if look(card) == PAN:
                        return ""
                except Hidden:
                    return ""
        return "there is no pan in the hand"

    def _most(self, look: Look, seat: Seat, kind: str) -> int:
        """How many mushrooms of that kind, or of the most frequent one, the hand can have at most."""
        found = dict.fromkeys(KINDS, 0)
        hidden, dark = 0, False
        for card in self.hands[seat]:
            try:
                face = look(card)
            except Hidden:
                if card in self.backs:
                    dark = True  # there is one night card of a kind
                else:
                    hidden += 1
                continue
            if name := kind_of(face):
                found[name] += 2 if is_night(face) else 1
        if dark:
            for name in NIGHT_KINDS:
                found[name] += 2
        return hidden + (found[kind] if kind else max(found.values()))
