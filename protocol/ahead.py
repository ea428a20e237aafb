"""A body that is made before it is known whether it will be wanted.

For: the session, while it checks the round before its own. Never: a body that is sent from here; whoever made it asks
for it when the round on which it rests stands in the chain, or never.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .ceremony import Body
from .effects import Outcome

Use = Callable[[Body | None], None]


@dataclass
class Ahead:
    """My body for the round that will rest on `prev`. It may be made before it is asked for, or the other way round."""

    prev: bytes
    _made: bool = False
    _body: Body | None = None
    _use: Use | None = None

    def made(self, outcome: Outcome) -> None:
        """The job has ended: with a body, or with nothing, if none could be made of what is still being checked."""
        self._made, self._body = True, outcome if isinstance(outcome, dict) else None
        if self._use:
            self._use(self._body)

    def then(self, use: Use) -> None:
        """Give it to `use`, now or as soon as it is made."""
        self._use = use
        if self._made:
            use(self._body)
