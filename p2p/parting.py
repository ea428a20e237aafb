"""Abandoning a table while a seat is lost: what this seat has signed, what it has heard, and when it is enough.

For: the player, which sends what comes of it. Never: IO; a signature without this player's wish, or while nobody is
lost.

Theory of operation: whoever wishes it signs for the chain as it stands, and again whenever that changes; signatures are
passed on like contributions. When all have signed whom this seat does not count as lost, the table ends here, and that
is told with the signatures (`final`). A final word of somebody who has signed it ends the table for whoever hears it:
nothing can go on without that seat (ending.py has the limits). Of the last two whoever leaves says that alone, so
that the record tells who has ended the game. A seat that came back signs nothing before the others
have told what they have of its own (progress.py), but for this: those who are lost are not waited for. When the lost
come back before that, the wish is over.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from protocol import abandon, messages
from protocol.abandon import Abandoned
from protocol.identity import Identity
from protocol.leaving import FEWEST

from . import ending
from .table import Table


class Parting:
    """One seat's side. `lost`: the seats that cannot be reached now; `tell`: sends a message to everybody; `untold`:
    seats that have not told yet what they have of ours."""

    def __init__(
        self,
        table: Table,
        identity: Identity,
        lost: Callable[[], list[int]],
        tell: Callable[[dict[str, Any]], None],
        untold: Set[int] = frozenset(),
    ) -> None:
        self.wished = False
        self._table = table
        self._identity = identity
        self._lost = lost
        self._tell = tell
        self._untold = untold
        self._votes = abandon.Votes(table.contract)
        self._finals: dict[int, Abandoned] = {}
        """The last that each seat has told as final."""

    @property
    def possible(self) -> bool:
        """Whether there is somebody to wait for, and a table that can be abandoned."""
        table = self._table
        return bool(self._lost()) and not (table.closed or table.over_early)

    @property
    def wishing(self) -> set[int]:
        """The other seats that have signed for the chain as it stands."""
        session = self._table.session
        return set(self._votes.at(len(session.chain), session.prev).seats) - {self._table.seat}

    def hear(self, teller: int, content: dict[str, Any]) -> bool:
        """What a seat has told; whether it has signatures that are new. Errors: ProtocolError, the fault of that
        link."""
        given = abandon.check(self._table.contract, content["rounds"], content["prev"], content["signatures"])
        if content["final"]:
            self._finals[teller] = given
        return self._votes.add(given)

    def give_up(self) -> dict[str, Any] | None:
        """With two left, whoever goes ends the game, and says so with a signature: what is to be told. None before
        there is a deck, or if what the other one has may be more."""
        table, seat = self._table, self._table.seat
        if table.run is None or table.over_early or table.closed or self._untold or seat is None:
            return None
        if len(table.deck.serving) >= FEWEST:
            return None
        here = len(table.session.chain), table.session.prev
        self._votes.sign(self._identity, seat, *here)
        table.abandon(self._votes.at(*here))
        return message(self._votes.at(*here), final=True)

    def look(self) -> bool:
        """Sign, if that is wished and due; whether the table has just ended here by what is signed."""
        table = self._table
        if table.closed or table.over_early:
            return False
        session, lost, seat = table.session, self._lost(), table.seat
        for teller, final in self._finals.items():
            if ending.ends_at(table, final, teller, lost):
                table.abandon(final)
                return True
        self.wished = self.wished and bool(lost)
        here = len(session.chain), session.prev
        said = self._votes.at(*here)
        if self.wished and seat is not None and seat not in said.seats and self._untold <= set(lost):
            self._votes.sign(self._identity, seat, *here)
            said = self._votes.at(*here)
            self._tell(message(said))
        if seat in said.seats and lost and set(table.deck.serving) - set(lost) <= set(said.seats):
            table.abandon(said)
            return True
        return False

    @property
    def expected(self) -> bool:
        """A final word is here for a point to which the chain may come yet: what came before is being checked."""
        session = self._table.session
        return session.busy and any(final.rounds > len(session.chain) for final in self._finals.values())

    def again(self) -> dict[str, Any] | None:
        """What is to be told to somebody who is connected now: the end, or what is signed so far."""
        table, session = self._table, self._table.session
        if table.abandoned:
            return message(table.abandoned, final=True)
        said = self._votes.at(len(session.chain), session.prev)
        return message(said) if said.seats else None


def message(given: Abandoned, *, final: bool = False) -> dict[str, Any]:
    """As it travels."""
    return messages.make(
        "abandon", rounds=given.rounds, prev=given.prev, signatures=list(given.signatures), final=final
    )
