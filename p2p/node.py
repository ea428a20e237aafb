"""One player's end of one table: from an open door to a sealed file. Does IO: links, threads, the profile.

For: the client, which sees it as a `TableFeed`. Never: a stranger at a table, or an exception because of what a peer
sent.

Theory of operation: `host` and `join` open a door for links, form a contract in the lobby, hand everything to a
`Player` until the table is over, seal the file, check it as anybody could, and stay a moment so that the others can do
the same. Every link lives in `_converse`, whoever made it; past the door of a private table its messages go to the
lobby until there is a contract, then to the player.
"""

from __future__ import annotations

import logging
import math
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import trio

from engines.menus import Choice, Menu, Seat
from engines.registry import BadTable
from engines.run import Run
from protocol import codec, messages, transcript
from protocol.errors import Misuse, ProtocolError, Refused
from protocol.identity import fingerprint

from . import entry, feed
from .acquaint import acquaint
from .addresses import Address, show_address
from .announcement import SALT_BYTES, Announcement
from .audit import Report, audit
from .door import Code, Door, Rejected, new_code
from .errors import NetworkError, ProfileDamaged, TableGone, UserError
from .interfaces import own_addresses
from .journal import Log
from .link import Link, LinkClosed
from .lobby import Formed, Host, Plan, Visitor, begin, read_begin
from .player import Player
from .rediscovery import stay_findable
from .status import Phase, Status
from .store import Profile
from .threads import all_cores
from .transport import ANYWHERE, dial, serve

LINGER = 5.0
"""Seconds that a finished peer stays for the others to finish too."""
LOOK = 3.0
"""Seconds between looks at the machine's own addresses, while others may need them to join."""

log = logging.getLogger("p2pgame.node")
Announce = Callable[["Node", int], Awaitable[None]]


class Node:
    """A player at one table. To be used once: `host` or `join`, which return when the table is over. `findable`: while
    the table runs, tell the network where this seat is, and ask it where lost ones are."""

    def __init__(self, profile: Profile, name: str, *, findable: bool = False) -> None:
        self.profile = profile
        self.name = name
        self.salt = secrets.token_bytes(SALT_BYTES)
        """For the table's announcement."""
        self.door: Door | None = None
        """Of a private table, for its host."""
        self.names: list[str] = []
        self.status = Status()
        self.report: Report | None = None
        self.lobby_changed = trio.Event()
        """Set, and replaced, whenever the lobby's seats change."""
        self._put, self.updates = trio.open_memory_channel[feed.Update](math.inf)
        self._lobby: Host | Visitor | None = None
        self._to_host: Link | None = None
        self._player: Player | None = None
        self._ready = trio.Event()
        self._formed = trio.Event()
        self._lobby_scope = trio.CancelScope()
        self._resumed: Formed | None = None
        self._findable = findable
        self._port = 0
        self._seated: set[Link] = set()
        self._files = ExitStack()
        self._failure: UserError | None = None
        self._since = trio.current_time()

    # -- TableFeed -------------------------------------------------------------------------------------------------

    @property
    def run(self) -> Run | None:
        """See TableFeed."""
        return self._player.table.run if self._player else None

    @property
    def seat(self) -> Seat | None:
        """See TableFeed."""
        return self._player.table.seat if self._player else None

    @property
    def menu(self) -> Menu | None:
        """See TableFeed."""
        return self._player.table.menu if self._player and not self._player.over.is_set() else None

    @property
    def decided(self) -> dict[Seat, Choice]:
        """See TableFeed."""
        return self._player.table.decided if self._player else {}

    @property
    def formed(self) -> Formed | None:
        """The contract and where its seats can be reached, once it is signed."""
        return self._player.formed if self._player else None

    @property
    def port(self) -> int:
        """Where this node is reached; 0 before it listens."""
        return self._port

    def choose(self, choice: Choice) -> None:
        """See TableFeed."""
        if self._player and self.menu:
            self._player.choose(choice)
        else:
            log.info("a choice that came too late")

    def chat(self, text: str) -> None:
        """See TableFeed."""
        if self._player:
            self._player.chat(text)

    def leave(self) -> None:
        """See TableFeed."""
        if self._player:
            self._player.leave()
        else:
            self._lobby_scope.cancel()

    # -- from an open door to a sealed file ------------------------------------------------------------------------

    async def host(
        self,
        plan: Plan,
        *,
        port: int = 0,
        hosts: Sequence[str] = ANYWHERE,
        announce: Announce | None = None,
        private: bool = False,
        welcome: Iterable[bytes] = (),
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Open a table and play it to its end. `announce(node, port)` runs beside the lobby until the table is full.
        `private`: only who knows `door.code` can join; `welcome`: and these identities.

        Errors: UserError (port in use, …).
        """

        async def gather(nursery: trio.Nursery, door: int) -> None:
            if private:
                self.door = Door(new_code(self.salt), self.profile.identity.public, self._note)
                self.door.welcome(welcome)
                self.status.code = str(self.door.code)
            self._lobby = Host(plan, self.profile.identity, self.name, [])
            self.status.hosting = True
            self._show_own(self._lobby, self._own(door))
            task_status.started(door)
            async with trio.open_nursery() as beside:
                beside.start_soon(self._follow_own, self._lobby, door)
                if announce:
                    beside.start_soon(announce, self, door)
                await self._formed.wait()
                beside.cancel_scope.cancel()

        await self._live(gather, port, hosts)

    async def join(
        self,
        addresses: Sequence[Address],
        *,
        code: Code | None = None,
        others: Sequence[Sequence[Address]] = (),
        expected: bytes | str | None = None,
        port: int = 0,
        hosts: Sequence[str] = ANYWHERE,
    ) -> None:
        """Take a seat at the table behind these addresses and play it to its end. `code`: of a private table;
        `others`: where else the table may be that it belongs to; `expected`: the host's key or its fingerprint.

        Errors: UserError."""

        async def gather(nursery: trio.Nursery, door: int) -> None:
            places = [addresses, *others]
            while (link := await self._enter(nursery, places.pop(0), expected, code, last=not places)) is None:
                pass
            visitor = Visitor(self.profile.identity, self.name, self._own(door), self.profile.has_seen)
            self._lobby, self.status.code = visitor, str(code or "")
            nursery.start_soon(self._converse, link)
            visitor.greet(link)
            await self._formed.wait()

        await self._live(gather, port, hosts)

    async def resume(self, table: bytes, *, port: int = 0, hosts: Sequence[str] = ANYWHERE) -> None:
        """Go on with an interrupted table (its 32-byte id) and play it to its end. Errors: UserError."""
        kept = await trio.to_thread.run_sync(self.profile.peers, table)
        try:
            formed = read_begin(messages.parse(codec.decode(kept))[1], self.profile.identity.public)
        except ProtocolError as error:
            raise ProfileDamaged(path=f"of table {table.hex()[:16]}", why=str(error)) from error
        self._resumed = formed

        async def gather(nursery: trio.Nursery, door: int) -> None:
            contract = formed.contract
            self.status.game, self.status.table = contract.game, contract.label
            self.status.players, self.status.taken = len(contract.seats), list(contract.names)
            self._formed.set()

        await self._live(gather, port, hosts)

    async def _live(
        self, gather: Callable[[trio.Nursery, int], Awaitable[None]], port: int, hosts: Sequence[str]
    ) -> None:
        """The whole life of a node; every task, link and file of it ends here."""
        with ExitStack() as self._files:
            async with trio.open_nursery() as nursery:
                try:
                    answer = partial(serve, self.profile.identity, self._converse, port=port, hosts=hosts)
                    self._port = door = await nursery.start(answer)
                    with self._lobby_scope:
                        await gather(nursery, door)
                    formed = self._lobby.formed if self._lobby else self._resumed
                    if formed and not self._failure:
                        await self._play(nursery, formed)
                except UserError as error:
                    self._failure = error
                await self._farewell()
                nursery.cancel_scope.cancel()
        self._put.close()
        if self._failure:
            raise self._failure

    async def _play(self, nursery: trio.Nursery, formed: Formed) -> None:
        status, contract = self.status, formed.contract
        self._lap("forming")
        seed, journal, before = await trio.to_thread.run_sync(self._open_log, formed)
        self._files.callback(journal.close)
        self.names = list(contract.names)
        status.table_id = fingerprint(contract.table)
        status.fingerprints = [fingerprint(one.key) for one in contract.seats]
        for line in await trio.to_thread.run_sync(acquaint, self.profile, contract, formed.seat):
            self._note(line)
        player = Player(formed, self.profile.identity, seed, journal, nursery, status, self._update, before=before)
        self._player = player
        await player.replay()
        for link in self._lobby_links():
            self._attach(link)
        self._ready.set()
        if self._findable:
            nursery.start_soon(stay_findable, self._announcement(), player.mesh)
        await player.run(nursery, self._converse)
        await self._conclude(player)

    def _open_log(self, formed: Formed) -> tuple[bytes, Log, list[bytes] | None]:
        """Seed and log of a new table, or of one that goes on, and then the contributions that are in it."""
        table = formed.contract.table
        if not self._resumed:
            seed, journal = self.profile.begin(table)
            journal.append(transcript.header(formed.contract, formed.signatures))
            self.profile.keep_peers(table, codec.encode(begin(formed)))
            return seed, journal, None
        seed, journal, records = self.profile.resume(table)
        return seed, journal, transcript.items(records)

    async def _conclude(self, player: Player) -> None:
        """Seal what there is, check it, and let the others finish."""
        table, status = player.table, self.status
        self._lap("play")
        data = table.file()
        path = await trio.to_thread.run_sync(self.profile.seal, table.contract.table, data)
        status.transcript = str(path)
        self.report = report = await trio.to_thread.run_sync(audit, data, all_cores())
        status.hash, status.verified = report.hash, report.exit_code == 0
        self._lap("audit")
        if not status.fault:
            player.mesh.broadcast(messages.make("done", hash=bytes.fromhex(report.hash)))
            with trio.move_on_after(LINGER):
                await player.others_done()
            other = [self.names[seat] for seat, hash_ in player.done_with.items() if hash_.hex() != report.hash]
            if other:
                status.fault = f"{', '.join(other)} sealed another transcript than this one"
        status.phase = Phase.STOPPED if status.fault else Phase.FINISHED
        self._update(feed.Fault(status.fault) if status.fault else feed.Finished())

    async def _farewell(self) -> None:
        links = list(self._player.mesh.links.values()) if self._player else self._lobby_links()
        async with trio.open_nursery() as nursery:
            for link in links:
                nursery.start_soon(link.aclose)

    # -- links -----------------------------------------------------------------------------------------------------

    async def _converse(self, link: Link) -> None:
        """The life of one link, whoever made it."""
        try:
            await self._admit(link)
            while True:
                if self._formed.is_set():
                    await self._ready.wait()
                    self._attach(link)
                message = None
                with trio.move_on_after(self._patience(link)):
                    message = await link.receive()
                if self._formed.is_set():
                    await self._ready.wait()
                    self._attach(link)
                    if message is not None:
                        self._running().message(link, *messages.parse(message))
                elif message is None:
                    raise Refused("you have not asked for a seat")
                elif self._lobby:
                    self._in_lobby(self._lobby, link, *messages.parse(message))
                else:
                    raise Refused("no table is open here")
        except LinkClosed as closed:
            self._gone(link, closed.reason)
        except Rejected as rejected:
            link.send(messages.make("refused", why=rejected.why))
            await link.aclose()
        except (ProtocolError, BadTable) as error:
            log.warning("link to %s: %s", link.where, error)
            self._gone(link, str(error))
            await link.aclose(str(error))
        finally:
            self._seated.discard(link)

    async def _admit(self, link: Link) -> None:
        """Past the door of a private table, if this is one. Errors: Rejected, LinkClosed, ProtocolError."""
        if self.door is None or self._formed.is_set() or self.door.open_to(link.peer):
            return
        try:
            with trio.fail_after(entry.PATIENCE):
                await entry.admit(self.door, link)
        except trio.TooSlowError as error:
            raise Refused("you have not shown the code") from error

    def _patience(self, link: Link) -> float:
        """Seconds in which something has to come over a link: a stranger is not listened to for ever."""
        known = self._formed.is_set() or link in self._lobby_links()
        return math.inf if known else entry.PATIENCE

    def _attach(self, link: Link) -> None:
        """This link belongs to a seat of the running table, from now on. Errors: Refused."""
        if link not in self._seated:
            self._running().attach(link)
            self._seated.add(link)

    def _running(self) -> Player:
        if self._player is None:
            raise Misuse("there is no table yet")
        return self._player

    def _gone(self, link: Link, reason: str) -> None:
        if self._player:
            self._player.mesh.detach(link)
        elif isinstance(self._lobby, Host):
            self._lobby.gone(link)
            self._lobby_news()
        elif link is self._to_host and not self._formed.is_set():
            self._failure = self._failure or TableGone(where=link.where, why=reason)
            self._lobby_scope.cancel()

    # -- the lobby -------------------------------------------------------------------------------------------------

    def _own(self, port: int) -> list[Address]:
        return [(address, port) for address in own_addresses()]

    def _show_own(self, lobby: Host, own: list[Address]) -> None:
        """Where others can join."""
        lobby.addresses, self.status.addresses = own, [show_address(one) for one in own]
        if not own:
            self._note("No network interface is up: nobody else can join before one is.")
        self._lobby_news()

    async def _follow_own(self, lobby: Host, door: int) -> None:
        while True:
            await trio.sleep(LOOK)
            own = await trio.to_thread.run_sync(self._own, door)
            if own != lobby.addresses:
                self._show_own(lobby, own)

    async def _enter(
        self,
        nursery: trio.Nursery,
        addresses: Sequence[Address],
        expected: bytes | str | None,
        code: Code | None,
        *,
        last: bool,
    ) -> Link | None:
        """A link to the host, past its door if there is a code; None if that fails and this is not the last place."""
        try:
            link = self._to_host = await dial(nursery, addresses, self.profile.identity, expected=expected)
            if code:
                await entry.enter(link, code, self.profile.identity.public)
        except NetworkError:
            if last:
                raise
            if self._to_host:
                nursery.start_soon(self._to_host.aclose)
            return None
        return link

    def _in_lobby(self, lobby: Host | Visitor, link: Link, kind: str, content: dict[str, Any]) -> None:
        if kind == "refused" and link is self._to_host:
            self._failure = entry.refusal(content["why"], link.where)
            self._lobby_scope.cancel()
            return
        lobby.receive(link, kind, content)
        self._lobby_news()

    def _announcement(self) -> Announcement:
        """How a seat of the running table tells the network where it is."""
        status, public = self.status, self.profile.identity.public
        return Announcement(
            table_name=status.table,
            game=status.game,
            seats_taken=status.players,
            seats=status.players,
            private=bool(status.code),
            host=fingerprint(public),
            salt=self.salt,
            port=self._port,
        )

    def _lobby_links(self) -> list[Link]:
        if isinstance(self._lobby, Host):
            return [guest.line for guest in self._lobby.guests if isinstance(guest.line, Link)]
        return [self._to_host] if self._to_host else []

    def _lobby_news(self) -> None:
        if self._lobby is None:
            return
        if self._lobby.plan:
            plan = self._lobby.plan
            self.status.game, self.status.table, self.status.players = plan.game, plan.label, plan.players
            self.status.taken = list(self._lobby.names)
        self.lobby_changed.set()
        self.lobby_changed = trio.Event()
        if self._lobby.formed:
            self._formed.set()
        self._update(feed.Changed())

    # -- small things ----------------------------------------------------------------------------------------------

    def _note(self, line: str) -> None:
        self.status.notes.append(line)
        self._update(feed.Changed())

    def _update(self, update: feed.Update) -> None:
        self._put.send_nowait(update)

    def _lap(self, what: str) -> None:
        now = trio.current_time()
        self.status.seconds[what] = round(now - self._since, 3)
        self._since = now
