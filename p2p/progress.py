"""How far each peer of a table is, and what it lacks: comparing, asking, sending over the mesh. Does IO:
looks at the clock.

For: the player, which hands over what peers say of themselves. Never: a contribution that is not on our disk yet sent
to anybody, a contribution of ours before each other seat has told what it has of ours (after a restart), or a peer
named: what proves a fork is the session's to see.

Theory of operation: every few seconds each peer says how many rounds it has, their hash, and whose contributions to the
open one. Whoever has more sends what is missing, so a lost message, a lost link and a late comer are one case. Two
histories of one length that differ are asked for, ever further back, until two contributions of one seat for one place
meet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import trio

from protocol import limits, messages

from . import ending
from .link import Link
from .mesh import Mesh
from .parting import Parting
from .table import Table

CLAIM = 20.0
"""Seconds in which a seat sends something of what it says that it has. Then it is not waited for any longer."""
BACK = 16
"""Rounds by which a comparison of histories goes further back each time."""


class Progress:
    """One seat's side. `unsent`: contributions that are not written yet, or never will be sent; `untold`: after a
    restart, the seats that have not told us yet what they have of ours. It is emptied here."""

    def __init__(self, table: Table, mesh: Mesh, parting: Parting, unsent: Collection[bytes], untold: set[int]) -> None:
        self._table = table
        self._mesh = mesh
        self._parting = parting
        self._unsent = unsent
        self._untold = untold
        self.have_mine: set[int] = set()
        """Seats that have told that our contribution to the open round has reached them; or when we have left, our
        leave."""
        self.clock: Callable[[], float] = trio.current_time
        self._ahead: Link | None = None
        self._compared = 0
        self._claims: dict[int, tuple[float, int]] = {}
        """Since when a seat that we wait for has more than we, and how much we had then."""

    def mine(self) -> dict[str, Any]:
        """How far this seat is."""
        session = self._table.session
        return messages.make("have", rounds=len(session.chain), prev=session.prev, got=list(session.got()))

    def compare(self, link: Link, content: dict[str, Any]) -> None:
        """A peer says how far it is."""
        rounds, table, teller = content["rounds"], self._table, self._mesh.seat_of(link)
        session, mine = table.session, self._mesh.seat
        self._heard_from(link, content)
        if table.silent:
            self.send_since(link, rounds)
            return
        behind, same = rounds < len(session.chain), rounds == len(session.chain)
        if same and content["prev"] != session.prev:
            self._mesh.send(link, self._want())
        elif teller is not None and not behind and (mine in table.deck.left or (mine in content["got"] and same)):
            self.have_mine.add(teller)
        if not behind and not same:
            self._ahead = link
            return
        self.send_since(link, rounds, content["got"] if same else ())
        for seat, seed in table.seeds.items() if table.closed else ():
            self._mesh.send(link, messages.make("seed", seat=seat, seed=seed))

    def astray(self) -> None:
        """Somebody has another history than ours."""
        self._mesh.broadcast(self._want())

    def _want(self) -> dict[str, Any]:
        self._compared += 1
        return messages.make("want", rounds=max(0, len(self._table.session.chain) - BACK * self._compared))

    def chained(self) -> None:
        """One more round is complete. Whoever is ahead by many sends them in portions."""
        if self._mesh.seat not in self._table.deck.left:
            self.have_mine.clear()
        if self._ahead and len(self._table.session.chain) % BACK == 0:
            self._mesh.send(self._ahead, self.mine())

    def departed(self, seat: int) -> None:
        """A seat has left properly: nothing that it may tell is waited for. If it is ours, who has its leave is to be
        told anew."""
        if seat == self._mesh.seat:
            self.have_mine.clear()
        self._told(seat)

    def _heard_from(self, link: Link, content: dict[str, Any]) -> None:
        """A seat that comes back signs nothing before each other has told how far it is, and we are as far: among what
        they have may be something that we signed and that an old backup of our log lacks."""
        seat, session, now = self._mesh.seat_of(link), self._table.session, self.clock()
        if seat is None or seat not in self._untold:
            return
        here, there = len(session.chain), content["rounds"]
        if there < here or (there == here and all(one in session.got() for one in content["got"])):
            self._told(seat)
            return
        since, then = self._claims.get(seat, (now, here))
        if then != here:
            since = now
        self._claims[seat] = since, here
        if now - since >= CLAIM:
            self._told(seat)

    def _told(self, seat: int) -> None:
        """It has, or never will."""
        if seat in self._untold:
            self._untold.discard(seat)
            if not self._untold:
                self._table.speak()

    def send_since(self, link: Link, rounds: int, got: Sequence[object] = ()) -> None:
        """What a peer with so many rounds misses; after an early end only what it needs to come to the same end."""
        size, table, session = 0, self._table, self._table.session
        # What of theirs came early may be all that is left of what they had signed, if their log is from a backup.
        theirs = [item for item in session.early if item.seat == self._mesh.seat_of(link)]
        lacking = [*session.since(max(0, rounds)), *theirs]
        for item in ending.told(table, rounds) if table.silent else lacking:
            if item.data in self._unsent or (item.place == session.place and item.seat in got):
                continue
            self._mesh.send(link, messages.make("item", data=item.data))
            size += len(item.data)
            if size > limits.CATCH_UP_BYTES:
                return  # the rest is asked for again
        self.send_parting(link)

    def send_parting(self, link: Link) -> None:
        """Who wants to abandon the table, or that it is."""
        said = self._parting.again()
        if said is not None:
            self._mesh.send(link, said)
