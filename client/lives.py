"""How one comes to sit at a table: by hosting it, by joining it, by going on with it; and the bots that come along.

For: the commands and the lobby, which start a node and then live one of these lives with it. Never: the network or the
game itself; the node has them.

Theory of operation: a life is a coroutine that takes a fresh node and returns when its table is over. Bots for empty
seats are peers like any other: each has a profile and a port of its own and joins by loopback. They play on when their
player has left; if the program ends meanwhile, they leave before.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import trio

from engines import registry
from engines.bots import Bot
from engines.chance import Chance
from engines.menus import Choice, Look, Menu
from engines.requests import Game, Tell
from p2p import history
from p2p.acquaint import bot_name
from p2p.announce import announce
from p2p.announcement import Announcement
from p2p.door import Code
from p2p.errors import NetworkError, ProfileLocked, TableFull, TableGone
from p2p.feed import TableFeed
from p2p.find import DEFAULT_PORT, find
from p2p.lobby import Plan
from p2p.node import Node
from p2p.status import Status
from p2p.store import Profile
from p2p.transport import ANYWHERE, listen

from .play import play_auto
from .render.base import renderer
from .report import out
from .screens.lobby_wait import join_commands
from .text import clean, clean_name, clean_names

NAME_BYTES = 64
PATIENCE = 4.0
"""Seconds in which a node ends when its player has: it takes its leave faster."""
Life = Callable[[Node], Awaitable[None]]


class Seated:
    """A bot for whatever seat and game the feed turns out to be. `seed`: None for choices that nobody can foresee;
    `aloud`: print what happens."""

    def __init__(self, feed: TableFeed, seed: int | None, *, aloud: bool = False) -> None:
        self._feed = feed
        self._aloud = aloud
        self._seed = seed
        self._bot: Bot | None = None

    def _player(self) -> Bot:
        if self._bot is None:
            seat = self._feed.seat or 0
            chosen = hashlib.blake2b(f"{self._seed}/{seat}".encode(), digest_size=32).digest()
            chance = Chance(secrets.token_bytes(32) if self._seed is None else chosen)
            self._bot = registry.bot(self._feed.status.game, seat, chance)
        return self._bot

    def notice(self, event: Tell) -> None:
        """See Bot."""
        self._player().notice(event)
        if self._aloud:
            names = clean_names(self._feed.names)
            words, run = renderer(self._feed.status.game), self._feed.run
            line = words.describe(event, names)
            # How it ended is told when all is checked.
            ending = words.result_text(run.result, names) if run is not None and run.result is not None else ""
            if line and line != ending:
                out(clean(line))

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """See Bot."""
        return self._player().choose(game, menu, look)


@dataclass(frozen=True)
class Hosting:
    """Open that table. `welcome`: who needs no code at a private one, and will look for it at `port`, or anywhere if
    that is taken meanwhile; `tell`: how others join, in words, once it is open."""

    plan: Plan
    bots: int = 0
    private: bool = False
    port: int | None = None
    welcome: tuple[bytes, ...] = ()
    seed: int | None = None
    tell: Callable[[str], None] | None = None

    async def __call__(self, node: Node) -> None:
        """The life."""
        node.status.hosting = True
        async with trio.open_nursery() as nursery:
            door = await self._open(nursery, node)
            if self.tell:
                for line in _how_to_join(clean_name(self.plan.label), node.status):
                    self.tell(line)
            bots = _Bots(node, nursery, door, self.seed)
            node.bring_bots = bots.bring
            bots.bring(self.bots)

    async def _open(self, nursery: trio.Nursery, node: Node) -> int:
        """At the port wished for, or at the usual one if it is free, or anywhere."""
        start = partial(node.host, self.plan, announce=announce, private=self.private, welcome=self.welcome)
        wanted = DEFAULT_PORT if self.port is None else self.port
        port = await if_free(wanted) if self.port is None or self.welcome else wanted
        return int(await nursery.start(partial(start, port=port)))


async def if_free(port: int) -> int:
    """That port, or 0 (any) if it is taken. A node cannot try twice."""
    try:
        listeners = await listen(port, ANYWHERE)
    except NetworkError:
        return 0
    for listener in listeners:
        listener.socket.close()
    return port


def joining(where: str | None, code: Code | None = None) -> Life:
    """Find a table as after `p2pgame join`, and take a seat."""

    async def life(node: Node) -> None:
        place = await find(where, code)
        await node.join(place.addresses, code=place.code, others=place.others)

    return life


def joining_heard(table: Announcement, code: Code | None = None) -> Life:
    """Take a seat at a table that was heard of, and at no other that may answer there."""

    async def life(node: Node) -> None:
        addresses = [(address, table.port) for address in table.addresses]
        await node.join(addresses, code=code, expected=table.host)

    return life


def resuming(table: bytes) -> Life:
    """Go on with the table of that id."""

    async def life(node: Node) -> None:
        async with trio.open_nursery() as nursery:
            for path in sorted((node.profile.path / "bots").glob("*")):
                nursery.start_soon(_resume_bot, node, path, table)
            await node.resume(table)

    return life


async def _resume_bot(host: Node, path: Path, table: bytes) -> None:
    """A bot of this profile's that sits at that table comes back with its host."""
    begun = await trio.to_thread.run_sync(history.unfinished, path)
    if table.hex() not in [past.table for past in begun]:
        return
    profile = await trio.to_thread.run_sync(Profile.open, path)
    try:
        host.own_bots.add(profile.identity.public)
        node = Node(profile, path.name, findable=True)
        await _beside(host, node, None, partial(node.resume, table))
    finally:
        profile.close()


def _how_to_join(label: str, status: Status) -> Iterator[str]:
    """For whoever reads what a bot's program prints."""
    first, *others = join_commands(status)
    yield f"table {label} is open; others join with: {first}"
    if status.code:
        yield from (f"or with: {command}" for command in others)


def _bot_profile(host: Node, number: int) -> Profile:
    """Its profile. In the place of a bot that is excluded from the game, or busy, comes one that is not."""
    for place in count(number + 1, host.status.players):
        try:
            profile = Profile.open(host.profile.path / "bots" / str(place))
        except ProfileLocked:  # that one still plays at a table that its player has left
            continue
        if not host.profile.bans.at(host.status.game, profile.identity.public):
            return profile
        profile.close()
    raise AssertionError("numbers do not end")


class _Bots:
    """A host's bots at a table that is open: never more than there are seats."""

    def __init__(self, host: Node, nursery: trio.Nursery, door: int, seed: int | None) -> None:
        self._host = host
        self._nursery = nursery
        self._door = door
        self._seed = seed
        self._keys: dict[int, bytes] = {}
        """Per bot that has not gone, its identity as soon as it is known."""

    def bring(self, most: int) -> None:
        """Up to so many more, as far as seats are free."""
        seated = self._host.reception.keys
        coming = sum(key not in seated for key in self._keys.values())
        for _ in range(min(most, self._host.status.players - len(seated) - coming)):
            number = next(one for one in count() if one not in self._keys)
            self._keys[number] = b""
            self._nursery.start_soon(self._guest, number)

    async def _guest(self, number: int) -> None:
        """A bot at a seat of its own."""
        host = self._host
        profile = await trio.to_thread.run_sync(_bot_profile, host, number)
        try:
            node = Node(profile, bot_name(int(profile.path.name), host.name))
            self._keys[number] = key = profile.identity.public
            host.own_bots.add(key)
            if host.door:  # it needs no code, and comes in even if that is worth nothing any more
                host.door.welcome([key])

            async def join() -> None:
                # The host, who knows that, has closed it; or somebody else was faster.
                with suppress(TableGone, TableFull):
                    await node.join([("127.0.0.1", self._door)])

            await _beside(host, node, self._seed, join)
        finally:
            del self._keys[number]
            profile.close()


async def _beside(host: Node, node: Node, seed: int | None, live: Callable[[], Awaitable[None]]) -> None:
    """The life of a bot, beside that of its host. If it is cancelled while the bot plays on alone, the bot leaves: with
    a signature, or if there is no occasion for that in time, in words."""
    shelter = trio.CancelScope(shield=True)

    async def stay() -> None:
        try:
            await trio.sleep_forever()
        finally:
            if host.outlived:
                node.leave()
                with trio.move_on_after(PATIENCE, shield=True):
                    await node.ended.wait()
                node.give_up()
            shelter.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(stay)
        with shelter:
            async with trio.open_nursery() as table:
                table.start_soon(play_auto, node, Seated(node, seed))
                await live()
        nursery.cancel_scope.cancel()
