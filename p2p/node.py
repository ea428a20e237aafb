"""One player's end of one table: from an open door to a sealed file. Does IO: links, threads, the profile.

For: the client, which sees it as a `TableFeed`. Never: a stranger at a table, or an exception because of what a peer
sent.

Theory of operation: `host` and `join` open a door for links, form a contract in the lobby, hand everything to a
`Player` until the table is over, seal the file, check it as anybody could, and stay a moment so that the others can do
the same. Whatever ends it, also a signal, the others hear a bye. Every link lives in `_converse`, whoever made it; its
messages go to the reception (door and lobby) until there is a contract, then to the player.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import trio

from engines.menus import Choice, Menu, Seat
from engines.registry import BadTable, options
from engines.run import Run
from protocol import codec, messages, transcript
from protocol.errors import Misuse, ProtocolError
from protocol.identity import fingerprint

from . import feed
from .acquaint import acquaint
from .addresses import Address
from .audit import Report, audit
from .door import Code, Door, Rejected
from .errors import CannotWrite, ProfileDamaged, UserError
from .forethought import Forethought
from .history import remember_file
from .journal import Log
from .link import Link, LinkClosed
from .lobby import Formed, Plan, begin, read_begin
from .outbox import RETRY_WRITE
from .player import Player
from .reception import Reception
from .rediscovery import stay_findable
from .status import Phase, Status
from .store import Profile
from .threads import all_cores
from .transport import ANYWHERE, serve

LINGER = 5.0
"""Seconds that a finished peer stays for the others to finish too."""

log = logging.getLogger("p2pgame.node")
Announce = Callable[["Node", int], Awaitable[None]]


class Node:
    """A player at one table. To be used once: `host` or `join`, which return when the table is over. `findable`: while
    the table runs, tell the network where this seat is, and ask it where lost ones are."""

    def __init__(self, profile: Profile, name: str, *, findable: bool = False) -> None:
        self.profile = profile
        self.name = name
        self.names: list[str] = []
        self.status = Status()
        self.report: Report | None = None
        self.ended = trio.Event()
        """Set when this node's life is over."""
        self.own_bots: set[bytes] = set()
        """Identities of bots that came along with this node's player."""
        self.bring_bots: Callable[[int], None] = lambda most: None
        """Called with how many bots of the player's are to take free seats, if this table is open and the player's."""
        self._mailbox = feed.Mailbox()
        self.updates = self._mailbox.updates
        self.reception = Reception(profile, name, self.status, self._mailbox.tell)
        self._forethought = Forethought()
        self._player: Player | None = None
        self._ready = trio.Event()
        self._leaving = False
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
    def outlived(self) -> bool:
        """This seat has left properly, and others play on."""
        table = self._player.table if self._player else None
        return table is not None and table.seat in table.leavers and not table.deserted

    @property
    def door(self) -> Door | None:
        """Of a private table, for its host."""
        return self.reception.door

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
        else:
            self.reception.chat(text)

    def abandon(self) -> None:
        """See TableFeed."""
        if self._player and not self._player.over.is_set():
            self._player.abandon()

    def leave(self) -> None:
        """See TableFeed."""
        if self._ready.is_set():
            self._running().leave()
        else:  # a table that is formed already is left as soon as that can be said
            self._leaving = True
            self.reception.scope.cancel()

    def give_up(self) -> None:
        """Say that nothing more comes from this seat. See attendance.py for what that is worth."""
        if self._player and not self._player.over.is_set():
            self._player.mesh.broadcast(messages.make("leave"))

    def seat_bots(self, most: int) -> None:
        """See TableFeed."""
        if not self.reception.formed.is_set():
            self.bring_bots(most)

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
            self.reception.open(plan, door, private=private, welcome=welcome)
            nursery.start_soon(self._forethought.prepare, self.reception)
            task_status.started(door)
            async with trio.open_nursery() as beside:
                beside.start_soon(self.reception.follow_addresses, door)
                beside.start_soon(self.reception.hurry)
                if announce:
                    beside.start_soon(announce, self, door)
                await self.reception.formed.wait()
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
            nursery.start_soon(self._forethought.prepare, self.reception)
            places, converse = [addresses, *others], self._converse
            await self.reception.enter(nursery, places, door, code=code, expected=expected, converse=converse)
            await self.reception.formed.wait()

        await self._live(gather, port, hosts)

    async def resume(self, table: bytes, *, port: int = 0, hosts: Sequence[str] = ANYWHERE) -> None:
        """Go on with an interrupted table (its 32-byte id) and play it to its end. Errors: UserError."""
        kept = await trio.to_thread.run_sync(self.profile.peers, table)
        try:
            formed = read_begin(messages.parse(codec.decode(kept))[1], self.profile.identity.public)
            options(formed.contract.game, len(formed.contract.seats), formed.contract.options)
        except (ProtocolError, BadTable) as error:
            raise ProfileDamaged(path=f"of table {table.hex()[:16]}", why=str(error)) from error
        self._resumed = formed

        async def gather(nursery: trio.Nursery, door: int) -> None:
            contract = formed.contract
            self.status.game, self.status.table = contract.game, contract.label
            self.status.players, self.status.taken = len(contract.seats), list(contract.names)
            self.reception.formed.set()

        await self._live(gather, port, hosts)

    async def _live(
        self, gather: Callable[[trio.Nursery, int], Awaitable[None]], port: int, hosts: Sequence[str]
    ) -> None:
        """The whole life of a node; every task, link and file of it ends here."""
        with ExitStack() as self._files:
            async with trio.open_nursery() as life:
                with trio.CancelScope(shield=True):  # or a shelter whose owner is stopped by then is closed by nobody
                    nursery = await life.start(_sheltered)
                try:
                    answer = partial(serve, self.profile.identity, self._converse, port=port, hosts=hosts)
                    self._port = door = await nursery.start(answer)
                    with self.reception.scope:
                        await gather(nursery, door)
                    self._failure = self.reception.failure
                    formed = self._resumed or self.reception.contract
                    if formed and not self._failure:
                        await self._play(nursery, formed)
                except UserError as error:
                    self._failure = error
                finally:
                    with trio.CancelScope(shield=True):  # links have limits of their own for this
                        await self._farewell()
                    nursery.cancel_scope.cancel()
        self.ended.set()
        self._mailbox.close()
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
            self.reception.note(line)
        tell = self._mailbox.tell
        pool = None if self._resumed else self._forethought.pool
        me = self.profile.identity
        self._player = player = Player(formed, me, seed, journal, nursery, status, tell, before=before, pool=pool)
        await player.replay()
        for link in self.reception.links():
            if not link.closed:  # who is gone by now is called, like anybody who is lost
                self._attach(link)
        self._ready.set()
        if self._leaving:
            player.leave()
        if self._findable:
            nursery.start_soon(stay_findable, self.reception.announcement(self._port), player.mesh)
        await player.run(nursery, self._converse)
        await self._conclude(player)

    def _open_log(self, formed: Formed) -> tuple[bytes, Log, list[bytes] | None]:
        """Seed and log of a new table, or of one that goes on, and then the contributions that are in it."""
        table = formed.contract.table
        if not self._resumed:
            seed, journal = self.profile.begin(table, self._forethought.seed)
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
        path = await self._seal(table.contract.table, data)
        status.transcript = str(path)
        self.report = report = await trio.to_thread.run_sync(audit, data, all_cores())
        await trio.to_thread.run_sync(remember_file, self.profile.path, path, report.verdict)
        status.hash, status.verified = report.hash, report.exit_code == 0
        if status.verified:
            try:
                await trio.to_thread.run_sync(self._exclude, player)
            except CannotWrite as error:
                self.reception.note(str(error))
        self._lap("audit")
        if not status.fault or (player.table.over_early and not player.gives_up):
            player.mesh.broadcast(messages.make("done", hash=bytes.fromhex(report.hash)))
            with trio.move_on_after(LINGER):
                await player.others_done()
            other = [self.names[seat] for seat, hash_ in player.done_with.items() if hash_.hex() != report.hash]
            if other and not status.fault:
                status.fault = f"{', '.join(other)} sealed another transcript than this one"
        status.phase = Phase.STOPPED if status.fault else Phase.FINISHED
        self._mailbox.tell(feed.Fault(status.fault) if status.fault else feed.Finished())

    async def _seal(self, table: bytes, data: bytes) -> Path:
        """Write the record, as soon as that can be done."""
        while True:
            try:
                path = await trio.to_thread.run_sync(self.profile.seal, table, data)
            except CannotWrite as error:
                self.status.trouble = str(error)
                self._mailbox.tell(feed.Changed())
                await trio.sleep(RETRY_WRITE)
            else:
                self.status.trouble = ""
                return path

    def _exclude(self, player: Player) -> None:
        """Keep whom the rules exclude from this game from now on."""
        seats, contract = player.table.game.banned_after, player.table.contract
        keys = [contract.seats[seat].key for seat in seats if seat != player.table.seat]
        if keys:
            self.profile.bans.keep(contract.game, keys)

    async def _farewell(self) -> None:
        links = list(self._player.mesh.links.values()) if self._player else self.reception.links()
        async with trio.open_nursery() as nursery:
            for link in links:
                nursery.start_soon(link.aclose)

    # -- links -----------------------------------------------------------------------------------------------------

    async def _converse(self, link: Link) -> None:
        """The life of one link, whoever made it."""
        try:
            first = await self.reception.admit(link)
            while True:
                if self.reception.formed.is_set():
                    await self._attach_when_ready(link)
                message, first = first, None
                if message is None:
                    with trio.move_on_after(self.reception.patience(link)):
                        message = await link.receive()
                if not self.reception.formed.is_set():
                    self.reception.receive(link, message)
                elif message is not None:
                    await self._attach_when_ready(link)
                    self._running().message(link, *messages.parse(message))
        except LinkClosed as closed:
            self._gone(link, closed.reason)
        except Rejected as rejected:
            self._gone(link, rejected.why)
            link.send(messages.make("refused", why=rejected.why))
            await link.aclose()
        except (ProtocolError, BadTable) as error:
            log.warning("link to %s: %s", link.where, error)
            self._gone(link, str(error))
            await link.aclose(str(error))
        finally:
            self._seated.discard(link)

    async def _attach_when_ready(self, link: Link) -> None:
        await self._ready.wait()
        self._attach(link)

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
        else:
            self.reception.gone(link, reason)

    # -- small things ----------------------------------------------------------------------------------------------

    def _lap(self, what: str) -> None:
        now = trio.current_time()
        self.status.seconds[what] = round(now - self._since, 3)
        self._since = now


async def _sheltered(*, task_status: trio.TaskStatus[trio.Nursery]) -> None:
    """A nursery for whatever has to live on for a moment when the program is interrupted, until it is cancelled."""
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as nursery:
            task_status.started(nursery)
            await trio.sleep_forever()
