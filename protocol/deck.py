"""The public state of all sealed cards of one table, and the frame of what its seats do together.

For: every peer at the table and whoever audits it; all have the same `Deck` after the same rounds. Never: a secret, a
face that is not public, or a card that is used again after it went into another shuffle.

Theory of operation. A card is known by its *handle*: 0, 1, 2 … in the order in which cards come into being over the
table's whole life, be it as a fresh card or out of a shuffle. Fresh cards are the points M_j, j = 0, 1, 2 … over the
table's whole life too, so that no two decks of a table share a face; they lie face up. A shuffle makes new handles and
retires the old ones, unless they are to stay. For each private look the deck keeps what everybody saw of it, D = b·C1
and S = Σ x_s·D: from them the viewer, who knows b, can prove something about the card later.

The ceremonies are in opening.py (seeds, keys, flips) and dealing.py (cards). Each is a `Joint`: it reads the deck when
it is made, lives for one step, and changes the deck only in `accept`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self

from . import elgamal, group, limits
from .ceremony import Body, Context
from .elgamal import Ciphertext
from .errors import Misuse, Refused
from .group import IDENTITY, Point
from .secrets import Secrets
from .spread import Spread, each, inline


@dataclass(frozen=True, slots=True)
class Look:
    """What a finished private look left in public. `source` and `index` are what the viewer's blind is bound to."""

    source: bytes
    index: int
    blinded: Point
    total: Point


class Deck:
    """All cards of one table. Errors of every method: Misuse, for what only a bug of ours can ask."""

    def __init__(self, table: bytes, seats: int, spread: Spread = inline) -> None:
        if not 1 <= seats <= limits.MAX_SEATS:
            raise Misuse(f"no table of {seats} seats")
        self.table = table
        self.seats = seats
        self.spread = spread
        self.commitments: tuple[bytes, ...] = ()
        self.keys: tuple[Point, ...] = ()
        self.joint = IDENTITY
        self.heads: tuple[bytes, ...] = ()
        """Each seat's last uncovered flip value; its anchor at first."""
        self.serving = tuple(range(seats))
        """The seats that answer for the deck, ascending. The key of one that left properly is public instead."""
        self.left: dict[int, int] = {}
        """The secret keys of the seats that left properly."""
        self.flips = 0
        """Number of flips so far, and so of the next one."""
        self.opened: dict[int, int] = {}
        """Handle to j, for every card whose face is public by itself: opened, or fresh."""
        self._cards: list[Ciphertext] = []
        self._retired: set[int] = set()
        self._looks: dict[tuple[int, int], Look] = {}
        self._faces: dict[Point, int] = {}

    def depart(self, seat: int, x: int) -> None:
        """A seat has left properly and given its secret key away."""
        self.left = {**self.left, seat: x}
        self.serving = tuple(one for one in self.serving if one != seat)

    def left_shares(self, base: Point) -> list[Point]:
        """What all who left would have answered for this point, in one piece; empty if nobody did."""
        return [group.mul(sum(self.left.values()) % group.Q, base)] if self.left else []

    def install(self, keys: Sequence[Point], anchors: Sequence[bytes]) -> None:
        """Take the keys and flip anchors, in seat order. Errors: Refused, if the keys add up to nothing."""
        joint = group.total(keys)
        if joint == IDENTITY:
            raise Refused("keys: they cancel each other")
        self.keys, self.heads, self.joint = tuple(keys), tuple(anchors), joint

    def fresh(self, count: int) -> range:
        """Handles of `count` new cards, face up: `opened` tells the j of each, which no card had before."""
        if not self.keys:
            raise Misuse("no cards before there are keys")
        first = len(self._faces)
        if count < 1 or first + count > limits.MAX_DECK:
            raise Misuse(f"no {count} more cards: a table has {limits.MAX_DECK}")
        handles = self.append([elgamal.fresh(j, self.joint) for j in range(first, first + count)])
        for j, handle in enumerate(handles, first):
            self._faces[group.m(j)] = j
            self.opened[handle] = j
        return handles

    @property
    def faces(self) -> range:
        """The j of every card ever created."""
        return range(len(self._faces))

    def append(self, cards: Iterable[Ciphertext]) -> range:
        """New handles for sealed cards."""
        first = len(self._cards)
        self._cards.extend(cards)
        return range(first, len(self._cards))

    def retire(self, handles: Iterable[int]) -> None:
        """Nothing can be done with these any more, except for reading them when all is over."""
        self._retired.update(handles)

    def live(self, handle: int) -> bool:
        """Whether there is such a card."""
        return 0 <= handle < len(self._cards) and handle not in self._retired

    def cards(self, handles: Sequence[int]) -> list[Ciphertext]:
        """The sealed cards of 1 to MAX_CARDS distinct live handles. Errors: Misuse."""
        if not 1 <= len(handles) <= limits.MAX_CARDS or len(set(handles)) != len(handles):
            raise Misuse(f"1 to {limits.MAX_CARDS} distinct cards are needed")
        for handle in handles:
            if not self.live(handle):
                raise Misuse(f"there is no card {handle} (any more)")
        return [self._cards[handle] for handle in handles]

    def find(self, handle: int, shares: Iterable[Point]) -> int:
        """The j of a card, from everybody's share of C1. Errors: Misuse; Refused (no such face), see `elgamal.find`."""
        return elgamal.find(elgamal.unmask(self._card(handle).c2, shares), self._faces)

    def reveal(self, handles: Iterable[int], xs: Sequence[int]) -> dict[int, int]:
        """Handle to j with full knowledge, live or not: `xs` are the secret keys of all seats. Errors: as `find`."""
        x, asked = sum(xs), list(handles)
        shares = each(self.spread, lambda handle: group.mul(x, self._card(handle).c1), asked)
        return {handle: self.find(handle, [share]) for handle, share in zip(asked, shares, strict=True)}

    def note(self, seat: int, handle: int, look: Look) -> None:
        """Remember a private look. A later one by the same seat takes its place."""
        self._looks[handle, seat] = look

    def look(self, seat: int, handle: int) -> Look:
        """What that seat's last look at that card left in public. Errors: Misuse, if it never looked."""
        if (handle, seat) not in self._looks:
            raise Misuse(f"seat {seat} never viewed card {handle}")
        return self._looks[handle, seat]

    def viewed(self, secrets: Secrets, handle: int) -> int:
        """The j that this seat saw when it last viewed the card, live or not. Errors: as `find`."""
        look = self.look(secrets.seat, handle)
        b = secrets.blind(look.source, look.index)
        return self.find(handle, [group.mul(pow(b, -1, group.Q), look.total)])

    def _card(self, handle: int) -> Ciphertext:
        if not 0 <= handle < len(self._cards):
            raise Misuse(f"there never was a card {handle}")
        return self._cards[handle]


class Joint:
    """A ceremony's bookkeeping: its rounds come in order, each from the seats that owe it. See `ceremony.Ceremony`.

    A subclass gives `kind`, `_make`, `_check` and `_accept`, and `owes` where not every seat owes every round.
    """

    kind = ""

    def __init__(self, deck: Deck, rounds: int = 1) -> None:
        self._deck = deck
        self._rounds = rounds
        self._done = 0

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self._rounds

    @property
    def over(self) -> bool:
        """Whether every round was accepted."""
        return self._done == self.rounds

    def owes(self, round: int) -> tuple[int, ...]:
        """The seats that contribute to this round, ascending."""
        return self._deck.serving if 0 <= round < self.rounds else ()

    def make(self, context: Context, secrets: Secrets) -> Body:
        """The body that `context.seat` owes. Errors: Misuse (not this seat's, round's or table's turn)."""
        self._place(context)
        ours = (secrets.table, secrets.seat) == (context.table, context.seat)
        if not ours or context.seat not in self.owes(context.round):
            raise Misuse(f"{self.kind}: seat {context.seat} cannot make this")
        return self._make(context, secrets)

    def check(self, context: Context, body: object) -> None:
        """Check a seat's body. Errors: Malformed or Refused (a peer's fault), Misuse (another table, another round)."""
        self._place(context)
        if context.seat not in self.owes(context.round):
            raise Refused(f"{self.kind}: seat {context.seat} owes nothing in this round")
        self._check(context, body)

    def accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        """Take in the checked bodies of a round. Errors: Misuse (another round, other seats); Refused (see each)."""
        if self.over or round != self._done or tuple(sorted(bodies)) != self.owes(round):
            raise Misuse(f"{self.kind}: these are not the bodies of round {self._done}")
        self._accept(round, {seat: bodies[seat] for seat in self.owes(round)}, prev)
        self._done += 1

    def snapshot(self) -> Self:
        """A copy whose `make` and `check` go on reading what is there now: what they read of a ceremony and its deck is
        replaced when something is accepted, or only grows, and is never changed in place."""
        one = copy(self)
        one._deck = copy(self._deck)
        return one

    def _place(self, context: Context) -> None:
        if context.table != self._deck.table or self.over or context.round != self._done:
            raise Misuse(f"{self.kind}: round {self._done} is due")

    def _finished(self) -> None:
        if not self.over:
            raise Misuse(f"{self.kind}: not over yet")

    def _make(self, context: Context, secrets: Secrets) -> Body:
        raise NotImplementedError  # each kind has its own

    def _check(self, context: Context, body: object) -> None:
        raise NotImplementedError  # each kind has its own

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        raise NotImplementedError  # each kind has its own
