"""Who is at a running table, as one seat sees it: who has a link with it, who is heard through others only, who is
lost, and who has given the game up in mere words. Does IO: looks at the clock.

For: the player, which shows it, and ends the table when the game is given up. Never: a seat taken at its word that
could have signed a leave.

Theory of operation: what a seat signs rests on all rounds before. So if it rests on something that we have said since
the last change for the worse of our links, and that seat has no link with us, others pass on what it says.

`leave` as a message is not signed: whoever says it to one seat alone and plays on must not drive that one out of a game
that the others play on. It ends the table only if its sender could do no other thing: before the first card, or with
two left; or if all others that still serve say it, so that nobody is there to play with. Otherwise an honest seat signs
a leave (protocol/leaving.py), and one that does not is lost like any other: waited for, or abandoned by all together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import trio

from protocol.contribution import Contribution
from protocol.leaving import FEWEST

from .mesh import Mesh
from .status import Presence, SeatStatus
from .table import Table

FIRST_LINKS = 3.0
"""Seconds until a seat that was never connected counts as lost."""
_OPENING = ("commit", "keys")
"""Kinds of steps in which nobody can sign a leave."""


class Attendance:
    """As `seats` shows it, which is kept up to date here."""

    def __init__(self, table: Table, mesh: Mesh, seats: Sequence[SeatStatus]) -> None:
        self._table = table
        self._mesh = mesh
        self._seats = seats
        self._began = trio.current_time()
        self._linked: set[int] = set()
        self._said: tuple[int, int] | None = None
        self._heard: set[int] = set()
        self._gave_up: set[int] = set()

    def look(self) -> None:
        """Bring all seats up to date."""
        links = set(self._mesh.links)
        if self._linked - links:  # what others passed on may have come over that one
            self._said = None
            self._heard.clear()
        self._linked = links
        for seat, one in enumerate(self._seats):
            if seat == self._mesh.seat:
                one.presence = Presence.YOU
            elif seat in self._table.leavers:
                one.presence = Presence.LEFT
            elif one.presence is not Presence.LEFT:
                # At the beginning links are still being made, and nobody is lost yet.
                one.gone = seat in self._gave_up
                one.unmet, one.closed = seat not in self._mesh.met, seat in self._mesh.closed
                one.relayed = seat in self._heard and seat not in links
                since = self._began + FIRST_LINKS if one.unmet else self._mesh.lost_at.get(seat, math.inf)
                now = trio.current_time()
                one.presence = Presence.HERE if now < since else Presence.LOST
                one.silent = int(now - self._mesh.heard_at[seat]) if now >= since else 0

    def said(self, place: tuple[int, int]) -> None:
        """We have signed something for this place."""
        self._said = self._said or place

    def chained(self, items: Iterable[Contribution]) -> None:
        """A round is complete."""
        if self._said is not None:
            self._heard.update(item.seat for item in items if item.place > self._said)

    def gives_up(self, seat: int) -> None:
        """That seat says so."""
        self._gave_up.add(seat)

    def given_up(self) -> int | None:
        """The seat whose word ends the table, if there is one. To be asked again when the table has changed: for the
        one who has said it somebody else may have left already."""
        table = self._table
        alone = set(table.deck.serving) - table.leavers - {self._mesh.seat} <= self._gave_up
        for seat in sorted(self._gave_up - table.leavers):
            signed = any(item.seat == seat and item.kind not in _OPENING for item in table.session.since(0))
            if alone or not signed or len(table.deck.serving) < FEWEST:
                return seat
        return None
