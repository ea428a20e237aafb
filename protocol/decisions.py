"""The ceremony of an Ask: what people decide, as opaque bodies that the rules judge.

For: the table, which gives the judge. Never: a body of its own making; a decision is a person's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .ceremony import Body, Context
from .errors import Malformed, Misuse, Refused
from .secrets import Secrets

ASK = "ask"


class Decisions:
    """The ceremony of an Ask: each seat asked says one thing, in one round. `judge(seat, body)` -> "" or why not."""

    kind = ASK
    rounds = 1

    def __init__(self, seats: Iterable[int], judge: Callable[[int, Body], str]) -> None:
        self._seats = tuple(sorted(seats))
        self._judge = judge
        self.result: dict[int, Body] = {}

    def owes(self, round: int) -> tuple[int, ...]:
        """The seats asked."""
        return self._seats

    def make(self, context: Context, secrets: Secrets) -> Body:
        """Errors: Misuse; a decision is a person's, it comes through `Session.decide`."""
        raise Misuse("a decision cannot be derived")

    def check(self, context: Context, body: object) -> None:
        """The rules' verdict. Errors: Malformed, Refused."""
        if not isinstance(body, dict):
            raise Malformed("a decision that is no map")
        why = self._judge(context.seat, body)
        if why:
            raise Refused(why)

    def accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        """Keep the decisions."""
        self.result = dict(bodies)

    def snapshot(self) -> Decisions:
        """Itself: the rules can only judge what is asked now."""
        return self
