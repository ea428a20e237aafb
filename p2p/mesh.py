"""The links of one table, by seat. Does IO, through links.

For: the node. Never: a link to somebody without a seat, or trust in who relays what: contributions carry their own
signatures.

Theory of operation: identity keys of the contract say which seat a link belongs to. A seat without a link is called,
again and again with a growing pause, until the table ends; the one with the lower number waits a moment before it
calls, so that the other usually comes first. Of two links between the same two seats the one whose caller has the
smaller key stays, and of two by the same caller the newer one, since the older is half-open at best: both sides agree
on that. Any connected graph of links is enough, since the node passes on what is new to it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import trio

from protocol import limits
from protocol.identity import Identity

from .addresses import Address
from .errors import NetworkError
from .link import Link, LinkClosed
from .lobby import Formed
from .transport import dial

PAUSE_FIRST, PAUSE_MOST = 0.1, 2.0
"""Seconds between two calls to a seat that does not answer."""
COURTESY = 2.0
"""Seconds that the seat with the lower number leaves the calling to the other."""

log = logging.getLogger("p2pgame.mesh")


class Mesh:
    """Who is connected. `changed` is called whenever that changes."""

    def __init__(self, formed: Formed, identity: Identity, nursery: trio.Nursery, changed: Callable[[], None]) -> None:
        self.seat = formed.seat
        self.links: dict[int, Link] = {}
        now = trio.current_time()
        self.lost_at = {seat: now for seat in range(len(formed.addresses)) if seat != formed.seat}
        self.heard_at = dict(self.lost_at)
        """When a seat without a link was last heard."""
        self.met: set[int] = set()
        """Seats that have been connected at some time."""
        self.closed: set[int] = set()
        """Seats whose program was ended, as it said itself."""
        self._hints: dict[int, list[Address]] = {}
        self._keys = [one.key for one in formed.contract.seats]
        self._addresses = formed.addresses
        self._identity = identity
        self._nursery = nursery
        self._changed = changed
        self._gone: set[int] = set()
        self._ended: dict[int, trio.Event] = {}
        self._joined: dict[int, trio.Event] = {}

    def seat_of(self, link: Link) -> int | None:
        """The seat of whoever is at the other end."""
        return self._keys.index(link.peer) if link.peer in self._keys else None

    def key(self, seat: int) -> bytes:
        """A seat's identity key."""
        return self._keys[seat]

    def lost(self, seconds: float) -> list[int]:
        """Seats that have been without a link for so long, or longer, and have not left."""
        now = trio.current_time()
        return [seat for seat, since in self.lost_at.items() if now - since >= seconds and seat not in self._gone]

    def hint(self, seat: int, addresses: Sequence[Address]) -> None:
        """Somebody says that this seat can be reached there. Anybody can say so: of too many a few are tried each time,
        by chance, and those that the seat gave itself always."""
        self._hints[seat] = list(addresses)

    def _where(self, seat: int) -> list[Address]:
        hints, known = self._hints.get(seat, []), self._addresses[seat]
        chosen = secrets.SystemRandom().sample(hints, min(limits.HINTS, len(hints)))
        return list(dict.fromkeys([*known[: limits.ADDRESSES - len(chosen)], *chosen]))

    def attach(self, link: Link) -> bool:
        """A seat is connected by this link from now on; False if the link that it has is to stay."""
        seat = self._keys.index(link.peer)
        old = self.links.get(seat)
        if old is not None and old is not link and not old.closed:
            if self._caller(old) < self._caller(link):
                return False
            self._nursery.start_soon(old.aclose, "another link takes its place")
        self.links[seat] = link
        self.met.add(seat)
        self.closed.discard(seat)
        self.lost_at.pop(seat, None)
        self._joined.setdefault(seat, trio.Event()).set()
        self._changed()
        return True

    def _caller(self, link: Link) -> bytes:
        return self._identity.public if link.dialled else link.peer

    def detach(self, link: Link) -> None:
        """This link has ended."""
        for seat, current in list(self.links.items()):
            if current is link:
                del self.links[seat]
                if link.closed and link.closed.going:
                    self.closed.add(seat)
                self._joined[seat] = trio.Event()
                self.lost_at[seat], self.heard_at[seat] = trio.current_time(), link.heard
                self._ended.setdefault(seat, trio.Event()).set()
                self._changed()

    def forget(self, seat: int) -> None:
        """This seat has left: it is not called any more, nor missed."""
        self._gone.add(seat)

    def send(self, link: Link, message: dict[str, Any]) -> None:
        """To one peer, if it is still there: what it misses it asks for when it comes back."""
        try:
            link.send(message)
        except LinkClosed as closed:
            log.debug("not sent to %s: %s", link.where, closed.reason)

    def broadcast(self, message: dict[str, Any], but: Link | None = None) -> None:
        """To everybody who is connected."""
        for link in list(self.links.values()):
            if link is not but:
                self.send(link, message)

    async def keep(self, seat: int, converse: Callable[[Link], Awaitable[None]]) -> None:
        """Be connected to a seat for as long as the table lives; `converse` is each new link's life."""
        pause = PAUSE_FIRST
        while seat not in self._gone:
            if seat in self.links:
                self._ended[seat] = trio.Event()
                await self._ended[seat].wait()
                pause = PAUSE_FIRST
            if seat > self.seat and pause == PAUSE_FIRST:
                with trio.move_on_after(COURTESY):
                    await self._joined.setdefault(seat, trio.Event()).wait()
            if seat in self.links:
                continue
            since = trio.current_time()
            try:
                link = await dial(
                    self._nursery, self._where(seat), self._identity, expected=self._keys[seat], seconds=4.0
                )
            except NetworkError as error:
                log.debug("seat %d: %s", seat, error)
            else:
                await converse(link)
                if trio.current_time() - since >= PAUSE_MOST:  # else who hangs up at once is called without a pause
                    pause = PAUSE_FIRST
                    continue
            await trio.sleep(pause * (0.5 + secrets.randbelow(1000) / 1000))
            pause = min(2 * pause, PAUSE_MOST)
