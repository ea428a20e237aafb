"""Discovery on loopback, with real multicast DNS: found, updated, withdrawn, dead, garbage, no network.

Other programs on this machine may be announcing tables meanwhile: only those of ANA count.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from zeroconf import ServiceInfo, Zeroconf

from p2p import discovery, mdns
from p2p.addresses import Address
from p2p.announcement import SERVICE, Announcement, new_instance, write_text
from p2p.discovery import Browser, advertise, browse
from p2p.interfaces import Interface
from p2p.link import Link
from p2p.mdns import Station, Unavailable
from p2p.transport import LOOPBACK, dial, probe, serve
from protocol.errors import Misuse
from protocol.identity import Identity, fingerprint

pytestmark = pytest.mark.trio

HERE = ("127.0.0.1",)
ANA = Identity.generate()
BETO = Identity.generate()


@pytest.fixture(autouse=True)
def no_thread_is_left() -> object:
    """Fails a test after which a thread of zeroconf is still there."""
    yield
    assert [thread.name for thread in threading.enumerate() if "zeroconf" in thread.name.lower()] == []


async def nobody(link: Link) -> None:
    await link.receive()


@asynccontextmanager
async def server(port: int = 0) -> AsyncIterator[tuple[trio.Nursery, int]]:
    async with trio.open_nursery() as nursery:
        yield nursery, await nursery.start(partial(serve, ANA, nobody, port=port, hosts=LOOPBACK))
        nursery.cancel_scope.cancel()


def table(port: int, name: str = "Living room") -> Announcement:
    return Announcement(name, "fungi", 1, 4, False, fingerprint(ANA.public), bytes(16), port)


def ours(tables: dict[str, Announcement]) -> set[tuple[str, int]]:
    """ANA's tables, as (name, seats taken)."""
    host = fingerprint(ANA.public)
    return {(shown.table_name, shown.seats_taken) for shown in tables.values() if shown.host == host}


async def until(lobby: Browser, fits: Callable[[set[tuple[str, int]]], bool]) -> None:
    """Wait until the lobby shows of ANA's tables what fits."""
    with trio.fail_after(30):
        async for tables in lobby:
            if fits(ours(tables)):
                return


async def test_two_tables_of_one_program_are_found_updated_and_withdrawn(capfd: pytest.CaptureFixture[str]) -> None:
    async with server() as (nursery, port), browse(HERE) as lobby:
        async with advertise(table(port), HERE) as one, advertise(table(port, "Kitchen"), HERE):
            await until(lobby, lambda shown: shown == {("Living room", 1), ("Kitchen", 1)})
            one.update(seats_taken=2)
            one.update(seats_taken=3)
            await until(lobby, lambda shown: ("Living room", 3) in shown)
            found = lobby.tables[one.table.instance]
            assert (found.addresses, found.host, one.problem, lobby.problem) == (HERE, fingerprint(ANA.public), "", "")
            with pytest.raises(Misuse):
                one.update(seats_taken=9)
            link = await dial(nursery, [(address, found.port) for address in found.addresses], BETO)
            assert link.peer == ANA.public
            await link.aclose()
            async with browse(HERE) as late:
                await until(late, lambda shown: len(shown) == 2)
        await until(lobby, lambda shown: not shown)  # because they were withdrawn: a probe would still be answered
    assert capfd.readouterr() == ("", "")


async def test_table_that_does_not_answer_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    async with server() as (_, port):
        pass
    answers, twice = list[object](), trio.Event()

    async def watched(address: Address, seconds: float) -> object:
        answer = await probe(address, seconds)
        if address[1] == port:  # other programs on this machine may have tables, too
            answers.append(answer)
            if len(answers) == 2:
                twice.set()
        return answer

    monkeypatch.setattr(discovery, "probe", watched)
    async with browse(HERE) as lobby, advertise(table(port), HERE):
        with trio.fail_after(30):
            await twice.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert not ours(lobby.tables)
    assert answers == [None, None]


async def test_table_comes_back_when_it_answers_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "PROBE", 0.1)
    monkeypatch.setattr(discovery, "REFRESH", 0.5)
    life = trio.CancelScope()

    async def mortal(task_status: trio.TaskStatus[int]) -> None:
        with life:
            await serve(ANA, nobody, hosts=LOOPBACK, task_status=task_status)

    async with browse(HERE) as lobby, trio.open_nursery() as nursery:
        port = await nursery.start(mortal)
        async with advertise(table(port), HERE):
            await until(lobby, bool)
            life.cancel()
            await until(lobby, lambda shown: not shown)
            async with server(port):
                await until(lobby, bool)


async def test_garbage_in_the_network_is_not_shown_and_harmless(capfd: pytest.CaptureFixture[str]) -> None:
    def shout() -> Zeroconf:
        zeroconf = Zeroconf(interfaces=list(HERE))
        assert zeroconf.loop
        texts = [b"", b"\xff", bytes(200), b"\x05t=\xff\xfe\xfd" * 20, write_text(table(1))[:-3]]
        names = [new_instance() for _ in texts] + ["Ana's table", "p2p-nothex"]
        for name, text in zip(names, [*texts, write_text(table(1)), write_text(table(1))], strict=True):
            info = ServiceInfo(
                SERVICE,
                f"{name}.{SERVICE}",
                9,
                properties=text,
                server=f"{new_instance()}.local.",
                addresses=[bytes(4)],
            )
            announcing = zeroconf.async_register_service(info, cooperating_responders=True)
            asyncio.run_coroutine_threadsafe(announcing, zeroconf.loop).result()
        return zeroconf

    async with server() as (_, port), browse(HERE) as lobby:
        zeroconf = await trio.to_thread.run_sync(shout)
        async with advertise(table(port), HERE):
            await until(lobby, lambda shown: shown == {("Living room", 1)})
        await trio.to_thread.run_sync(zeroconf.close)
    assert capfd.readouterr() == ("", "")


async def test_no_network_is_a_problem_and_no_error() -> None:
    nowhere = ["203.0.113.1"]
    async with browse(nowhere) as lobby, advertise(table(1), nowhere) as announced:
        await trio.testing.wait_all_tasks_blocked()
        assert ours(lobby.tables) == set()
        assert "no network" in lobby.problem
        assert "no network" in announced.problem


async def test_errors_of_the_body_come_out_as_they_are() -> None:
    with pytest.raises(KeyError):
        async with browse(HERE):
            raise KeyError
    with pytest.raises(KeyError):
        async with advertise(table(1), HERE):
            raise KeyError
    with pytest.raises(Misuse):
        async with advertise(table(0), HERE):
            pytest.fail("announced")


async def test_cancelled_at_any_moment_everything_is_closed() -> None:
    for delay in (0, 0.003, 0.01, 0.05):
        with trio.move_on_after(delay):
            async with browse(HERE), advertise(table(1), HERE):
                await trio.sleep_forever()


LO = Interface("lo", 1, HERE, ())
MORE = Interface("lo", 1, ("127.0.0.1", "127.0.0.2"), ())
REPLACED = Interface("lo", 7, HERE, ())


async def test_station_follows_the_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    present: list[Interface] = [LO]
    monkeypatch.setattr(mdns, "look", lambda only: tuple(present))
    station = Station(None)
    assert await station.adapt()
    first = station.zeroconf
    assert first
    assert not await station.adapt()
    present[:] = [MORE]
    assert await station.adapt()
    assert station.zeroconf is first
    present[:] = [REPLACED]
    assert await station.adapt()
    assert station.zeroconf is not first
    present.clear()
    assert await station.adapt()
    assert station.zeroconf is None
    assert "no network" in station.problem
    present[:] = [Interface("gone", 9, ("203.0.113.1",), ())]  # cannot be bound
    assert await station.adapt()
    assert station.zeroconf is None
    assert "203.0.113.1" in station.problem
    await station.close()
    await station.close()


async def test_an_address_that_can_be_bound_only_later_is_used_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """As an IPv6 address in its first second. Nothing is left open, and there is nothing to complain of."""
    settled = False
    monkeypatch.setattr(mdns, "look", lambda only: (LO, Interface("eth9", 9, ("127.0.0.3",), ())))
    can_bind = mdns._can_bind
    monkeypatch.setattr(
        mdns, "_can_bind", lambda one, index, bad: can_bind(one if settled or one in HERE else "192.0.2.77", index, bad)
    )
    station = Station(None)
    assert await station.adapt()
    first, before = station.zeroconf, list(station._choice)
    assert not await station.adapt()
    settled = True
    assert await station.adapt()
    assert (station.zeroconf, before, station._choice) == (first, ["127.0.0.1"], ["127.0.0.1", "127.0.0.3"])
    assert station.problem == ""
    await station.close()


async def test_call_into_a_closed_station_is_unavailable_and_a_late_callback_nothing() -> None:
    station = Station(HERE)

    async def nothing() -> None: ...

    with pytest.raises(Unavailable, match="no network"):
        await station.call(lambda _: nothing())
    await station.adapt()
    zeroconf = station.zeroconf
    assert zeroconf
    await station.call(lambda _: nothing())
    await station.close()
    station.zeroconf = zeroconf
    with pytest.raises(Unavailable, match="closed"):
        await station.call(lambda _: nothing())
    other: list[Station] = []

    async def make() -> None:
        other.append(Station(HERE))

    await trio.to_thread.run_sync(trio.run, make)
    other[0].soon(lambda: None)
