"""Leaving a table properly, so that it can go on: the seat gives its decryption key away, and nothing else.

For: tables of three or more, after the opening. Never: the master seed (all that the seat ever did would follow from
it), a leave from a table of two, or one in a closing.

Theory of operation: a leave is a contribution of kind "leave" with the body {"x": 32 bytes}. It stands in the place of
the next body that the seat owes, so all peers agree on the round from which it counts. From that round on the seat owes
nothing: whoever has `x` computes its shares, its shuffle passes and flip values are left out, its looks are not made,
and its decisions are what silence counts as. The keys are additive, so no card has to be sealed anew; what the seat
knew is still known to it alone, and no card is known to fewer than before but to those who left. Several seats may
leave in one and the same round, since none of them knows of the others; whoever remains, if it is one, has no game any
more: it is given up.
"""

from __future__ import annotations

from . import codec, group
from .ceremony import Body
from .deck import Deck
from .errors import Refused
from .secrets import Secrets

LEAVE = "leave"
FEWEST = 3
"""Seats of which one may leave: two can only give the game up."""
_SETTLED = frozenset({"commit", "keys", "closing"})
"""Kinds of steps that everybody has to take part in, or the table has no keys, or no end."""


class Departures:
    """Judges leaves, and tells the deck."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def possible(self, kind: str) -> bool:
        """Whether a seat may leave in a step of this kind, as the table is now."""
        return kind not in _SETTLED and len(self._deck.serving) >= FEWEST

    def make(self, secrets: Secrets) -> Body:
        """The body of a leave."""
        return {"x": group.scalar_bytes(secrets.x)}

    def check(self, seat: int, body: object) -> None:
        """Whether the key is the seat's. Errors: Malformed, Refused."""
        if group.base(self.key(body)) != self._deck.keys[seat]:
            raise Refused("leave: not the key of this seat")

    def accept(self, seat: int, body: object) -> None:
        """The seat has left. `check` came before."""
        self._deck.depart(seat, self.key(body))

    @staticmethod
    def key(body: object) -> int:
        """The secret key in a leave. Errors: Malformed, Refused."""
        return group.scalar(codec.fields(body, "leave", x=bytes)["x"], "leave: x")
