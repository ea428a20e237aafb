"""Lost peers are looked for, wherever the network says that they are, and nobody else is believed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engines import registry
from p2p import mesh as mesh_module
from p2p import rediscovery
from p2p.addresses import Address
from p2p.announcement import Announcement
from p2p.errors import WrongPeer
from p2p.link import Frames, Link
from p2p.lobby import Formed
from p2p.mesh import Mesh
from p2p.rediscovery import AFTER, stay_findable
from p2p.transport import LOOPBACK, dial, serve
from protocol import limits
from protocol.contract import SeatEntry, draft
from protocol.identity import Identity, fingerprint

pytestmark = pytest.mark.trio

KEYS = [Identity(bytes([number]) * 32) for number in (1, 2, 3)]
KNOWN: list[list[Address]] = [[(f"10.0.0.{seat}", 4000)] for seat in range(3)]


def mesh(nursery: trio.Nursery, addresses: list[list[Address]] = KNOWN) -> Mesh:
    entries = [SeatEntry(f"P{seat}", key.public, bytes(32)) for seat, key in enumerate(KEYS)]
    contract = draft("maamut", registry.options("maamut", 3, {}), entries, "Attic")
    signatures = [contract.sign(key) for key in KEYS]
    return Mesh(Formed(contract, signatures, addresses, 0), KEYS[0], nursery, lambda: None)


def announced(key: Identity, *hosts: str, port: int = 5000) -> Announcement:
    return Announcement("Attic", "maamut", 3, 3, False, fingerprint(key.public), bytes(16), port, addresses=hosts)


class Network:
    """What there is to be heard, and who has asked."""

    def __init__(self) -> None:
        self.tables: dict[str, Announcement] = {}
        self.asking = 0
        self.asked = 0
        self.announced: list[Announcement] = []

    @asynccontextmanager
    async def browse(self) -> AsyncIterator[Network]:
        self.asking += 1
        self.asked += 1
        yield self
        self.asking -= 1

    @asynccontextmanager
    async def advertise(self, table: Announcement) -> AsyncIterator[None]:
        self.announced.append(table)
        yield


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    made = Network()
    monkeypatch.setattr(rediscovery, "browse", made.browse)
    monkeypatch.setattr(rediscovery, "advertise", made.advertise)
    return made


def link(seat: int) -> Link:
    left, _ = trio.testing.memory_stream_pair()
    return Link(Frames(left), KEYS[seat].public)


async def test_asks_only_while_somebody_is_lost(network: Network, autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        table = mesh(nursery)
        nursery.start_soon(stay_findable, announced(KEYS[0]), table)
        one, two = link(1), link(2)
        for each in (one, two):
            table.attach(each)
        await trio.sleep(100)
        assert network.asked == 0
        table.detach(one)
        await trio.sleep(AFTER - 0.5)
        assert network.asked == 0
        network.tables = {"a": announced(KEYS[1], "10.0.0.77"), "b": announced(KEYS[2], "10.0.0.66")}
        await trio.sleep(3)
        assert (network.asked, network.asking) == (1, 1)
        assert table._where(1) == [("10.0.0.1", 4000), ("10.0.0.77", 5000)]
        assert table._where(2) == KNOWN[2]
        table.attach(link(1))
        await trio.sleep(2)
        assert (network.asked, network.asking) == (1, 0)
        assert len(network.announced) == 1
        nursery.cancel_scope.cancel()


async def test_a_seat_that_never_came_is_lost_too(network: Network, autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        table = mesh(nursery)
        assert table.lost(AFTER) == []
        await trio.sleep(AFTER)
        assert table.lost(AFTER) == [1, 2]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("before", [True, False])
async def test_nobody_looks_for_a_seat_that_has_left(network: Network, autojump_clock: MockClock, before: bool) -> None:
    """Its program may end before or after the others have taken its leave in."""
    async with trio.open_nursery() as nursery:
        table, one = mesh(nursery), link(1)
        nursery.start_soon(stay_findable, announced(KEYS[0]), table)
        for each in (one, link(2)):
            table.attach(each)
        for step in (table.detach, lambda _: table.forget(1))[:: 1 if before else -1]:
            step(one)
        await trio.sleep(100)
        assert network.asked == 0
        nursery.cancel_scope.cancel()


async def test_of_many_claims_a_few_are_tried_and_the_known_addresses_always() -> None:
    async with trio.open_nursery() as nursery:
        many: list[Address] = [(f"10.1.0.{number}", 4000) for number in range(100)]
        table = mesh(nursery, [KNOWN[0], many[: limits.ADDRESSES], KNOWN[2]])
        table.hint(1, many)
        table.hint(2, many)
        tried = set[Any]()
        for _ in range(200):
            where = table._where(2)
            assert where[0] == KNOWN[2][0]
            assert len(where) == 1 + limits.HINTS
            tried |= set(where)
            assert len(table._where(1)) <= limits.ADDRESSES
            assert len(set(table._where(1)) & set(many[: limits.ADDRESSES - limits.HINTS])) >= 8
        assert len(tried) == 101  # nobody can crowd an address out for ever


async def test_who_hangs_up_at_once_is_called_with_pauses(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    calls = 0

    async def dialled(*_: Any, **__: Any) -> Link:
        await trio.sleep(0.01)
        return link(1)

    async def converse(_: Link) -> None:
        nonlocal calls
        calls += 1

    monkeypatch.setattr(mesh_module, "dial", dialled)
    monkeypatch.setattr(mesh_module, "COURTESY", 0.0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mesh(nursery).keep, 1, converse)
        await trio.sleep(60)
        nursery.cancel_scope.cancel()
    assert 20 < calls < 100


async def test_two_nodes_find_each_other_by_hint_and_a_false_one_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mesh of a real table, whose addresses of the contract lead nowhere."""
    met, turned_away = trio.Event(), trio.Event()
    eve = Identity.generate()

    async def attend(one: Link) -> None:
        await one.receive()

    async def dialled(*arguments: Any, **wishes: Any) -> Link:
        try:
            return await dial(*arguments, **wishes)
        except WrongPeer:
            turned_away.set()
            raise

    monkeypatch.setattr(mesh_module, "dial", dialled)
    monkeypatch.setattr(mesh_module, "COURTESY", 0.0)
    async with trio.open_nursery() as nursery:

        async def converse(one: Link) -> None:
            assert one.peer == KEYS[1].public
            table.attach(one)
            met.set()
            await trio.sleep_forever()

        true = await nursery.start(lambda task_status: serve(KEYS[1], attend, hosts=LOOPBACK, task_status=task_status))
        false = await nursery.start(lambda task_status: serve(eve, attend, hosts=LOOPBACK, task_status=task_status))
        table = mesh(nursery, [[], [("127.0.0.1", 9)], []])
        nursery.start_soon(table.keep, 1, converse)
        table.hint(1, [("127.0.0.1", false)])
        with trio.fail_after(30):
            await turned_away.wait()
            assert not met.is_set()
            table.hint(1, [("127.0.0.1", false), ("127.0.0.1", true)])
            await met.wait()
        assert list(table.links) == [1]
        nursery.cancel_scope.cancel()
