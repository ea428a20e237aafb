"""Too much of everything, from one who means it: the others go on, and what it can fill has a lid.

In one process; what is counted are things and bytes, not seconds.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf

from p2p import discovery, feed
from p2p.announcement import SERVICE, Announcement, write_text
from p2p.discovery import Browser
from p2p.mdns import Station
from protocol import limits, messages

from .nodes import Room, playing, room

pytestmark = pytest.mark.trio

BOGUS = 2000
ATTIC = "p2p-" + "7" * 12
CALLERS = 300
LINES = 5_000
MEGABYTE = 1_000_000


@contextmanager
def lid(room: int) -> Iterator[None]:
    """At no moment does the block take more memory than that."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < room
    finally:
        tracemalloc.stop()


# -- announcements -----------------------------------------------------------------------------------------------------


class Crowd(Station):
    """A network on which somebody announces tables as fast as one can ask, others every time. Only what is called
    `Attic`, announced once and last, has a table behind it."""

    def __init__(self) -> None:
        super().__init__(None)
        self.rounds = 0
        self.at_once = 0
        self.most = 0

    async def adapt(self) -> bool:
        return False

    async def ask(self, service: str, handler: Callable[..., None]) -> None:
        names = [f"p2p-{self.rounds:06x}{number:06x}" for number in range(BOGUS)]
        if not self.rounds:
            names.append(ATTIC)
        self.rounds += 1
        for name in names:
            handler(
                zeroconf=None, service_type=SERVICE, name=f"{name}.{SERVICE}", state_change=ServiceStateChange.Added
            )

    async def call(self, make: Callable[[Zeroconf], Any]) -> Any:
        """Look somebody up: what it says is a table's, but nobody answers there."""
        request: Any = make
        info: ServiceInfo = request.func.__self__
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await trio.lowlevel.checkpoint()
        self.at_once -= 1
        name = "Attic" if info.name.startswith(ATTIC) else "Trap"
        table = Announcement(name, "maamut", 1, 3, False, "ABCD-EFGH-IJKL-MNOP", bytes(16), 4000)
        info.text, info.port = write_text(table), table.port
        info.addresses = [bytes([10, 0, 0, 1])]
        return True


async def test_two_thousand_tables_that_are_none(monkeypatch: pytest.MonkeyPatch, autojump_clock: object) -> None:
    """And two thousand others whenever one asks: the lobby follows so many at once and no more, remembers so many and
    no more, and offers the one that there is."""
    browser = Browser(None)
    crowd = browser._station = Crowd()

    async def alive(table: Announcement) -> bool:
        assert len(browser._followed) <= limits.TABLES_SHOWN
        assert len(browser._waiting) <= limits.TABLES_WAITING
        await trio.sleep(2 * discovery.ANSWER if table.table_name == "Trap" else 0.01)
        return table.table_name == "Attic"

    monkeypatch.setattr(browser, "_alive", alive)
    # So that it is not the one by chance that goes; see the test below.
    monkeypatch.setattr("secrets.choice", lambda waiting: waiting[-1])
    with lid(20 * MEGABYTE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(browser.run)
            async for tables in browser:
                if tables:
                    break
            nursery.cancel_scope.cancel()
    assert {table.table_name for table in tables.values()} == {"Attic"}
    assert crowd.rounds > 1
    assert crowd.most <= limits.TABLES_SHOWN


async def test_too_many_wait_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of them goes is left to chance, so that neither the first nor the last is shut out."""
    monkeypatch.setattr(limits, "TABLES_WAITING", 10)
    stayed = 0
    for _ in range(200):
        browser = Browser(None)
        for number in range(20):
            browser._deliver(f"p2p-{number:012x}", ServiceStateChange.Added)
        assert len(browser._waiting) == 10
        stayed += "p2p-000000000000" in browser._waiting
    assert 20 < stayed < 180  # it stays in some 39 of 100


# -- connections -------------------------------------------------------------------------------------------------------


async def two(here: Room) -> tuple[Any, Any]:
    host = await here.host()
    guest = here.join("Beto", here.doors["Ana"])
    await playing(host, guest)
    return host, guest


async def hears(node: Any, text: str) -> None:
    """Wait until this line has come."""
    while (update := await node.updates.receive()) != feed.Chat(0, text):
        assert not isinstance(update, feed.Fault | feed.Finished)


async def test_three_hundred_callers_who_say_nothing(tmp_path: Path) -> None:
    """Most are turned away at once, none costs the table anything, and those who sit there go on talking."""
    async with room(tmp_path) as here:
        host, guest = await two(here)
        streams: list[trio.SocketStream] = []
        with lid(40 * MEGABYTE), ExitStack() as sockets:
            for number in range(CALLERS):
                streams.append(await trio.open_tcp_stream(*here.doors["Ana"]))
                sockets.callback(streams[-1].socket.close)
                if number % 100 == 0:  # few enough to be shown even within one second
                    host.chat(f"line {number}")
                    await hears(guest, f"line {number}")
            ended, enough = 0, trio.Event()

            async def listen(stream: trio.SocketStream) -> None:
                nonlocal ended
                try:
                    data = await stream.receive_some()
                except trio.BrokenResourceError:
                    data = b""
                ended += data == b""
                if ended == CALLERS - limits.LINKS_PER_ADDRESS:
                    enough.set()

            async with trio.open_nursery() as nursery:
                for stream in streams:
                    nursery.start_soon(listen, stream)
                await enough.wait()
                host.chat("still here")
                await hears(guest, "still here")
                nursery.cancel_scope.cancel()
        assert not here.failed


# -- chat --------------------------------------------------------------------------------------------------------------


async def test_somebody_at_the_table_who_does_not_stop_talking(tmp_path: Path) -> None:
    """A few lines a second are shown, the rest is dropped; the others are heard, and nothing piles up."""
    async with room(tmp_path) as here:
        host, guest = await two(here)
        (link,) = guest._player.mesh.links.values()
        shown, last = 0, trio.Event()

        async def watch() -> None:
            nonlocal shown
            async for update in host.updates:
                shown += isinstance(update, feed.Chat)
                if 1 in host._player.done_with:
                    last.set()

        with lid(40 * MEGABYTE):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watch)
                began = trio.current_time()
                for _ in range(LINES):
                    await trio.lowlevel.checkpoint()
                    link.send(messages.make("chat", text="x" * 100))
                host.chat("enough")
                await hears(guest, "enough")
                link.send(messages.make("done", hash=b""))  # a sign that all before it has been taken
                await last.wait()
                seconds = trio.current_time() - began
                nursery.cancel_scope.cancel()
        assert 0 < shown <= 1 + limits.CHAT_LINES * (2 + seconds)
        assert not here.failed
        assert host.run is not None
        assert link.closed is None
