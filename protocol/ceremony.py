"""The one interface of everything that the seats do together with cards and chance.

For: the session, which runs rounds and signs, and knows nothing of cards. Never: a message, a clock, a signature.

Theory of operation: a ceremony has a fixed number of rounds. In each round some seats owe one body, a map that codec
can encode. `make` and `check` are pure: they read what earlier rounds left behind, change nothing and may run in any
thread; `accept` takes the checked bodies of a whole round, in seat order, on the session's own thread. A ceremony is
over when every round was accepted. The same `make` serves a live seat and the audit that re-derives its bytes
afterwards, but for a ceremony that is `Salted`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .secrets import Secrets

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Context:
    """What every proof is bound to: 32-byte table id, running hash of all earlier rounds, step, round, proving seat."""

    table: bytes
    prev: bytes
    step: int
    round: int
    seat: int


class Ceremony(Protocol):
    """One request's worth of joint work."""

    @property
    def kind(self) -> str:
        """The word that stands in each contribution: "commit", "keys", "flip", "shuffle", "view", "open", "promise"."""

    @property
    def rounds(self) -> int:
        """How many rounds there are, at least one."""

    def owes(self, round: int) -> tuple[int, ...]:
        """The seats that contribute to this round, ascending."""

    def make(self, context: Context, secrets: Secrets) -> Body:
        """The body that `context.seat` owes in `context.round`; earlier rounds are accepted. Deterministic, but for the
        salts of a pool."""

    def check(self, context: Context, body: object) -> None:
        """Check another seat's body. Errors: Malformed or Refused with the named reason, nothing else."""

    def accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        """Take in the checked bodies of a round, by seat. `prev`: running hash before this round."""

    def snapshot(self) -> Ceremony:
        """A copy whose `make` and `check` go on reading what is there now, whatever is accepted later."""


class Salted:
    """A ceremony whose bodies name salts that a seat may choose, and that is worth making ahead: a shuffle.

    The audit derives such a body again with the salts that it names. And a seat has nothing better to do while it
    checks the round before its own than to make its body from what is not checked yet; whoever runs the ceremony sends
    it after the verdict, if that is good.
    """

    def again(self, context: Context, secrets: Secrets, body: Body) -> Body:
        """As `make`, with the salts of this body, which was checked."""
        raise NotImplementedError  # each kind has its own

    def foresee(self, context: Context, secrets: Secrets, bodies: Mapping[int, Body]) -> Body:
        """What `context.seat` will owe in `context.round`, if the round before it is accepted with these bodies, that
        nobody has checked. Errors: Malformed, Refused, Misuse."""
        raise NotImplementedError  # each kind has its own
