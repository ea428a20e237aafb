"""Whole nodes in one process, over real sockets on loopback, and strangers who call them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import trio

from engines import registry
from p2p.addresses import Address
from p2p.door import Code
from p2p.link import Link, LinkClosed
from p2p.lobby import Plan
from p2p.node import Node
from p2p.status import Phase
from p2p.store import Profile
from p2p.transport import LOOPBACK, dial
from protocol import codec, messages
from protocol.identity import Identity

PATIENCE = 30.0


def plan(players: int = 2, label: str = "Living room", game: str = "maamut") -> Plan:
    """A table, of the smallest game."""
    return Plan(game, players, registry.options(game, players, {}), label)


class Room:
    """Nodes that are started one by one; nobody plays their seats, so a table that has begun stays as it is."""

    def __init__(self, home: Path, nursery: trio.Nursery) -> None:
        self._home = home
        self._nursery = nursery
        self.profiles: dict[str, Profile] = {}
        self.doors: dict[str, Address] = {}
        self.failed: dict[str, Exception] = {}
        self._ended: defaultdict[str, trio.Event] = defaultdict(trio.Event)
        self._scopes: dict[str, trio.CancelScope] = {}

    def node(self, name: str) -> Node:
        """A node with a profile of its own."""
        if name not in self.profiles:
            self.profiles[name] = Profile.open(self._home / name)
        return Node(self.profiles[name], name)

    async def host(self, name: str = "Ana", players: int = 2, *, private: bool = False, game: str = "maamut") -> Node:
        """A node with an open table."""
        node = self.node(name)
        start = partial(self._life, name, node.host, plan(players, game=game), private=private, hosts=LOOPBACK)
        self.doors[name] = ("127.0.0.1", await self._nursery.start(start))
        return node

    def join(self, name: str, where: Address, code: Code | None = None, others: Sequence[Address] = ()) -> Node:
        """A node that takes a seat there, or if the code is wrong there, at one of the others."""
        node = self.node(name)
        more = [[other] for other in others]
        live = partial(self._life, name, node.join, [where], code=code, others=more, hosts=LOOPBACK)
        self._nursery.start_soon(live)
        return node

    async def _life(self, name: str, live: Callable[..., Any], *arguments: Any, **wishes: Any) -> None:
        if self._ended[name].is_set():  # it has come back
            self._ended[name] = trio.Event()
        with trio.CancelScope() as self._scopes[name]:
            try:
                await live(*arguments, **wishes)
            except Exception as error:  # noqa: BLE001 - for the test to look at
                self.failed[name] = error
        self._ended[name].set()

    async def ended(self, name: str) -> None:
        """Wait for the end of a node."""
        await self._ended[name].wait()

    async def stop(self, name: str) -> None:
        """A node's program is killed."""
        self._scopes[name].cancel()
        await self._ended[name].wait()

    def resume(self, name: str, table: bytes) -> Node:
        """And comes back, to where the host is: nodes in here listen on loopback only."""
        node = self.node(name)
        kept = codec.decode(node.profile.peers(table))
        kept["addresses"][0] = [list(address) for address in self.doors.values()][:1]
        node.profile.keep_peers(table, codec.encode(kept))
        self._nursery.start_soon(partial(self._life, name, node.resume, table, hosts=LOOPBACK))
        return node

    async def failure(self, name: str) -> Exception:
        """Wait for the end of a node that cannot go on; why."""
        await self._ended[name].wait()
        return self.failed[name]

    async def call(self, where: Address, identity: Identity | None = None) -> Link:
        """A stranger's link."""
        return await dial(self._nursery, [where], identity or Identity.generate())


@asynccontextmanager
async def room(home: Path) -> AsyncIterator[Room]:
    """A place for nodes; all end with it."""
    async with trio.open_nursery() as nursery:
        made = Room(home, nursery)
        try:
            with trio.fail_after(PATIENCE):
                yield made
        finally:
            nursery.cancel_scope.cancel()
    for profile in made.profiles.values():
        profile.close()


async def until(node: Node, fits: Callable[[Node], bool]) -> None:
    """Wait for something about a node."""
    while not fits(node):
        await node.updates.receive()


async def playing(*nodes: Node) -> None:
    """Until all have cards, and somebody is asked."""
    for node in nodes:
        await until(node, lambda one: one.status.phase is Phase.PLAYING)


async def heard(link: Link) -> tuple[list[tuple[str, dict[str, Any]]], str]:
    """Everything that comes over a link until it ends, and how it ends."""
    found = []
    try:
        while True:
            found.append(messages.parse(await link.receive()))
    except LinkClosed as closed:
        return found, closed.reason
