"""The time before there is a contract: who comes to the door, who waits in the lobby, and how a guest gets that far.
Does IO, through links.

For: the node, which lets every link go through here until the table begins. Never: a stranger who is listened to for
ever, a seat told to somebody who has none, or an exception because of what a peer sent.

Theory of operation: on the host's side `open` makes the lobby, and the door of a private table; on a guest's side
`enter` calls the host, goes through its door, and asks for a seat. From then on each message goes to the lobby
(lobby.py), which says when the contract is complete: then `formed` is set. What ends it before is in `failure`.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import trio

from protocol import limits, messages
from protocol.contract import told_apart
from protocol.errors import Misuse, Refused
from protocol.identity import fingerprint

from . import entry, feed, talk
from .addresses import Address, show_to_others
from .announcement import SALT_BYTES, Announcement
from .door import SHUT, Code, Door, new_code
from .errors import BadCompanyThere, NetworkError, TableGone, UserError
from .interfaces import own_addresses
from .link import Link
from .lobby import BadCompany, Formed, Guest, Host, Plan, Visitor
from .offers import in_brief
from .status import Status
from .store import Profile
from .transport import dial

LOOK = 3.0
"""Seconds between looks at the machine's own addresses, while others may need them to join."""
ANSWER = 20.0
"""Seconds in which a guest has to answer what is asked when the table is full. Its program does, not its person."""


def own(port: int) -> list[Address]:
    """Where others may reach this machine at a port."""
    return [(address, port) for address in own_addresses()]


class Reception:
    """One node's door and lobby. To be used once. `update`: called with news for whoever watches."""

    def __init__(self, profile: Profile, name: str, status: Status, update: Callable[[feed.Update], None]) -> None:
        self.door: Door | None = None
        """Of a private table, for its host."""
        self.changed = trio.Event()
        """Set, and replaced, whenever the lobby's seats change."""
        self.formed = trio.Event()
        """Set when there is a contract."""
        self.scope = trio.CancelScope()
        """To be waited in; cancelled when nothing will come of this lobby."""
        self.failure: UserError | None = None
        self._profile = profile
        self._name = name
        self._status = status
        self._update = update
        self._salt = secrets.token_bytes(SALT_BYTES)
        self._lobby: Host | Visitor | None = None
        self._to_host: Link | None = None
        self._ear = talk.Ear()

    @property
    def contract(self) -> Formed | None:
        """What came of it."""
        return self._lobby.formed if self._lobby else None

    @property
    def plan(self) -> Plan | None:
        """What is going to be played, as soon as that is known."""
        return self._lobby.plan if self._lobby else None

    @property
    def keys(self) -> list[bytes]:
        """Identities of those who have a seat."""
        return self._lobby.keys if self._lobby else []

    @property
    def first(self) -> bool:
        """Whether this will be seat 0."""
        return isinstance(self._lobby, Host)

    def announcement(self, port: int) -> Announcement:
        """How this table, or its running seat here, is told of in the network."""
        status = self._status
        return Announcement(
            table_name=status.table,
            game=status.game,
            seats_taken=status.players if self.formed.is_set() else len(status.taken),
            seats=status.players,
            private=bool(status.code),
            host=fingerprint(self._profile.identity.public),
            salt=self._salt,
            port=port,
            options=in_brief(status.game, status.options),
            table=status.table_id,
        )

    def note(self, line: str) -> None:
        """Tell the person a line."""
        self._status.notes.append(line)
        self._update(feed.Changed())

    # -- the host's side -------------------------------------------------------------------------------------------

    def open(self, plan: Plan, port: int, *, private: bool, welcome: Iterable[bytes]) -> None:
        """A table with one seat taken. `private`: only who knows `door.code` can join; `welcome`: and these."""
        if private:
            self.door = Door(new_code(self._salt), self._profile.identity.public, self._tried)
            expected = tuple(welcome)
            self.door.welcome(expected)
            self._status.code, self._status.kept = str(self.door.code), bool(expected)
        self._lobby = Host(plan, self._profile.identity, self._name, [], barred=self._profile.bans.at)
        self._status.hosting = True
        self._show(self._lobby, own(port))

    def _tried(self, line: str) -> None:
        """Somebody at the door did not know the code."""
        if self.door and self.door.shut:
            self._status.shut = SHUT
        self.note(line)

    async def follow_addresses(self, port: int) -> None:
        """Show where others can join, as this machine comes to other networks, until cancelled."""
        while True:
            await trio.sleep(LOOK)
            now = await trio.to_thread.run_sync(own, port)
            if isinstance(self._lobby, Host) and now != self._lobby.addresses:
                self._show(self._lobby, now)

    async def hurry(self) -> None:
        """Let guests go that do not answer, until cancelled."""
        lobby = self._lobby
        if not isinstance(lobby, Host):
            raise Misuse("only a host asks")
        async with trio.open_nursery() as nursery:
            while True:
                asked = lobby.asked
                with trio.move_on_after(ANSWER if asked else math.inf) as patience:
                    while lobby.asked == asked:
                        await self.changed.wait()
                late = patience.cancelled_caught and lobby.asked == asked  # the last answer may come at that moment
                for guest in lobby.owing if late else ():
                    self._let_go(lobby, guest, nursery)

    def _let_go(self, lobby: Host, guest: Guest, nursery: trio.Nursery) -> None:
        silent = f"program has not answered for {ANSWER:g} s"
        lobby.gone(guest.line)
        if isinstance(guest.line, Link):
            nursery.start_soon(guest.line.aclose, f"your {silent}")
        self.note(f"{guest.name}'s {silent}: the seat is free again")
        self._news()

    def _show(self, lobby: Host, addresses: list[Address]) -> None:
        lobby.addresses, self._status.addresses = addresses, show_to_others(addresses)
        if not addresses:
            self.note("No network interface is up: nobody else can join before one is.")
        self._news()

    # -- the guest's side ------------------------------------------------------------------------------------------

    async def enter(
        self,
        nursery: trio.Nursery,
        places: Sequence[Sequence[Address]],
        port: int,
        *,
        code: Code | None,
        expected: bytes | str | None,
        converse: Callable[[Link], Any],
    ) -> None:
        """Ask for a seat at the first of these places whose door knows the code; `converse` is the link's life. Errors:
        NetworkError, of the last of them."""
        *others, last = places
        for place in others:
            try:
                link = await self._call(nursery, place, code, expected)
                break
            except NetworkError:
                if self._to_host:
                    nursery.start_soon(self._to_host.aclose)
        else:
            link = await self._call(nursery, last, code, expected)
        me, bans = self._profile.identity, self._profile.bans
        visitor = Visitor(me, self._name, own(port), self._profile.has_seen, barred=bans.at)
        self._lobby, self._status.code = visitor, str(code or "")
        nursery.start_soon(converse, link)
        visitor.greet(link)

    async def _call(
        self, nursery: trio.Nursery, place: Sequence[Address], code: Code | None, expected: bytes | str | None
    ) -> Link:
        link = self._to_host = await dial(nursery, place, self._profile.identity, expected=expected)
        if code:
            await entry.enter(link, code, self._profile.identity.public)
        return link

    # -- links -----------------------------------------------------------------------------------------------------

    def links(self) -> list[Link]:
        """Those who wait together."""
        if isinstance(self._lobby, Host):
            return [guest.line for guest in self._lobby.guests if isinstance(guest.line, Link)]
        return [self._to_host] if self._to_host else []

    def patience(self, link: Link) -> float:
        """Seconds in which something has to come over a link: a stranger is not listened to for ever."""
        return math.inf if self.formed.is_set() or link in self.links() else entry.PATIENCE

    async def admit(self, link: Link) -> dict[str, Any] | None:
        """Past the door of a private table, if this is one; the first message, if it has come by then. Errors:
        Rejected, LinkClosed, ProtocolError."""
        if self.door is None or self.formed.is_set():
            return None
        try:
            with trio.fail_after(entry.PATIENCE):
                return await entry.admit(self.door, link)
        except trio.TooSlowError as error:
            raise Refused("you have not shown the code") from error

    def receive(self, link: Link, message: dict[str, Any] | None) -> None:
        """What came over a link, or None if it took too long. Errors: Rejected, ProtocolError, BadTable, LinkClosed."""
        if message is None:
            raise Refused("you have not asked for a seat")
        kind, content = messages.parse(message)
        if self._lobby is None:
            raise Refused("no table is open here")
        if kind == "refused" and link is self._to_host:
            self._give_up(entry.refusal(content["why"], link.where))
            return
        if kind == "chat" and not self._ear.hears(link, limits.MAX_SEATS if link is self._to_host else 1):
            return  # all guests are heard over the one link to their host
        try:
            self._lobby.receive(link, kind, content)
        except BadCompany as company:
            self._give_up(BadCompanyThere(where=f"at {link.where}", who=str(company)))
        self._news()

    def chat(self, text: str) -> None:
        """Say a line to those who wait together."""
        line = talk.cut(text)
        if self._lobby and line and not self.formed.is_set():
            self._lobby.say(line)
            self._news()

    def gone(self, link: Link, reason: str) -> None:
        """A link has ended."""
        if isinstance(self._lobby, Host):
            self._lobby.gone(link)
            self._news()
        elif link is self._to_host and not self.formed.is_set():
            closed = link.closed is not None and link.closed.going
            self._give_up(TableGone(where=link.where, why="its host has closed it" if closed else reason))

    def _give_up(self, failure: UserError) -> None:
        self.failure = self.failure or failure
        self.scope.cancel()

    def _news(self) -> None:
        if self._lobby and self._lobby.plan:
            plan, status = self._lobby.plan, self._status
            status.game, status.table, status.players = plan.game, plan.label, plan.players
            status.taken, status.options = list(told_apart(self._lobby.names)), dict(plan.options)
            status.titles = [self._profile.bans.title(key) for key in self._lobby.keys]
        while self._lobby and self._lobby.said:
            self._update(feed.Chat(*self._lobby.said.pop(0)))
        self.changed.set()
        self.changed = trio.Event()
        if self.contract:
            self.formed.set()
        self._update(feed.Changed())
