"""Finding tables on the local network, and being found. Does IO: by mdns, and probes.

For: the lobby. Never: a table offered that does not answer, trust in a name or a text, or a game stopped because the
network does not carry multicast: then `problem` says so, and joining by address still works.

Theory of operation. `advertise` registers the table under its random instance name, and again whenever its text or the
machine's addresses have changed, and every REFRESH seconds: an answer that was queued before a change can go out after
it, and would otherwise stay in others' caches.

`browse` makes a new zeroconf browser every REFRESH seconds (one falls silent after 14). What its callbacks report
waits for its turn; then a task follows that instance, so many at once:

    resolve  ->  probe  ->  shown  ->  after PROBE seconds, or when it was updated: resolve again
       |           | twice in vain
       +-----------+-- forgotten, until the next browser reports it again; at once when withdrawn

A host that dies withdraws nothing, and its records live for over an hour: the probes notice within seconds. Who
announces thousands of tables that are none makes the others wait, but shuts nobody out: turns come in order, and when
too many wait, one of them by chance goes.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import trio
from zeroconf import DNSQuestionType, ServiceInfo, ServiceStateChange

from protocol import limits
from protocol.errors import Malformed

from .announcement import SERVICE, Announcement, read, write_text
from .mdns import Station, Unavailable
from .transport import STAGGER, probe

LOOK = 3.0
"""Seconds between looks at the interfaces."""
REFRESH = 10.0
PROBE = 2.0
ANSWER = 1.0
"""Seconds that a probe may take. Two in a row decide that a table is gone."""
RESOLVE = 3.0

log = logging.getLogger("p2pgame.discovery")


@asynccontextmanager
async def _beside(task: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Run `task` as long as the body. What the body raises comes out as it is, not in a group."""
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(task)
        try:
            yield
        except Exception as error:  # noqa: BLE001 - raised again below
            failure = error
        nursery.cancel_scope.cancel()
    if failure:
        raise failure


class Advertisement:
    """A table that is being announced. `problem`: why nobody can hear it, or empty."""

    def __init__(self, table: Announcement, only: Sequence[str] | None) -> None:
        self.table = table
        self._station = Station(only)
        self._wake = trio.Event()

    @property
    def problem(self) -> str:
        """Why the network cannot be told, in words, or empty."""
        return self._station.problem

    def update(self, **changes: Any) -> None:
        """Change fields of the announcement, e.g. `seats_taken=3`. Sent as soon as possible, the latest wins.

        Errors: Misuse, as `advertise`.
        """
        table = replace(self.table, **changes)
        write_text(table)
        self.table = table
        self._wake.set()

    async def run(self) -> None:
        """Keep the network informed, until cancelled."""
        shown: object = None
        due = 0.0
        try:
            while True:
                self._wake = trio.Event()
                if await self._station.adapt():
                    shown = None
                addresses = [address for i in self._station.interfaces for address in i.ipv4 + i.ipv6]
                if self._station.zeroconf and ((self.table, addresses) != shown or trio.current_time() >= due):
                    announced = (self.table, addresses)
                    try:
                        await self._station.publish(_info(*announced))
                        shown, due = announced, trio.current_time() + REFRESH
                    except Unavailable as error:
                        log.warning("not announced: %s", error)
                with trio.move_on_after(LOOK):
                    await self._wake.wait()
        finally:
            await self._station.close()


def _info(table: Announcement, addresses: Sequence[str]) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{table.instance}.{SERVICE}",
        port=table.port,
        properties=write_text(table),
        server=f"{table.instance}.local.",
        parsed_addresses=list(addresses),
    )


@asynccontextmanager
async def advertise(table: Announcement, only: Sequence[str] | None = None) -> AsyncIterator[Advertisement]:
    """Announce a table until the block is left, then withdraw it. `only`: as for `interfaces.look`.

    Errors: Misuse for an announcement that nobody would accept.
    """
    write_text(table)
    advertisement = Advertisement(table, only)
    async with _beside(advertisement.run):
        yield advertisement


class _Followed:
    """The task that follows one instance: to be woken, or ended."""

    def __init__(self) -> None:
        self.wake = trio.Event()
        self.scope = trio.CancelScope()


class Browser:
    """The live tables, by instance. Iterating gives them all at once, and again after every change (for one reader)."""

    def __init__(self, only: Sequence[str] | None) -> None:
        self._station = Station(only)
        self._tables: dict[str, Announcement] = {}
        self._changed = trio.Event()
        self._followed: dict[str, _Followed] = {}
        self._waiting: dict[str, None] = {}
        self._turn = trio.Event()
        self._changed.set()

    @property
    def tables(self) -> dict[str, Announcement]:
        """The tables that answered their last probe."""
        return dict(self._tables)

    @property
    def problem(self) -> str:
        """Why nothing can be heard, in words, or empty."""
        return self._station.problem

    def __aiter__(self) -> Browser:
        return self

    async def __anext__(self) -> dict[str, Announcement]:
        await self._changed.wait()
        self._changed = trio.Event()
        return self.tables

    async def run(self) -> None:
        """Keep `tables` up to date, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._ask)
            while True:
                self._turn = trio.Event()
                while self._waiting and len(self._followed) < limits.TABLES_SHOWN:
                    instance = next(iter(self._waiting))
                    del self._waiting[instance]
                    self._followed[instance] = _Followed()
                    nursery.start_soon(self._follow, instance, self._followed[instance])
                await self._turn.wait()

    async def _ask(self) -> None:
        due = trio.current_time()
        try:
            while True:
                if await self._station.adapt() or trio.current_time() >= due:
                    await self._station.ask(SERVICE, self._heard)
                    due = trio.current_time() + REFRESH
                await trio.sleep(min(LOOK, max(0.0, due - trio.current_time())))
        finally:
            await self._station.close()

    def _heard(self, *, name: str, state_change: ServiceStateChange, **_: object) -> None:
        # In zeroconf's thread: nothing may wait here, and nothing may be raised.
        self._station.soon(partial(self._deliver, name.removesuffix(f".{SERVICE}"), state_change))

    def _deliver(self, instance: str, change: ServiceStateChange) -> None:
        followed = self._followed.get(instance)
        if change is ServiceStateChange.Removed:
            self._waiting.pop(instance, None)
            if followed:
                followed.scope.cancel()
        elif followed:
            followed.wake.set()
        else:
            self._waiting.setdefault(instance)
            if len(self._waiting) > limits.TABLES_WAITING:
                del self._waiting[secrets.choice(tuple(self._waiting))]
            self._turn.set()

    async def _follow(self, instance: str, followed: _Followed) -> None:
        table = None
        try:
            with followed.scope:
                while True:
                    followed.wake = trio.Event()
                    table = await self._resolve(instance) or table
                    if not table or not await self._alive(table):
                        break
                    if self._tables.get(instance) != table:
                        self._tables[instance] = table
                        self._changed.set()
                    with trio.move_on_after(PROBE):
                        await followed.wake.wait()
        finally:
            del self._followed[instance]
            self._turn.set()
            if self._tables.pop(instance, None):
                self._changed.set()

    async def _resolve(self, instance: str) -> Announcement | None:
        info = ServiceInfo(SERVICE, f"{instance}.{SERVICE}")
        request = partial(info.async_request, timeout=1000 * RESOLVE, question_type=DNSQuestionType.QM)
        loopback = all(interface.loopback for interface in self._station.interfaces)
        try:
            if not await self._station.call(request):
                return None
            return read(instance, info.text, info.port, info.parsed_scoped_addresses(), loopback=loopback)
        except (Unavailable, Malformed) as error:
            log.debug("instance %r: %s", instance, error)
            return None

    async def _alive(self, table: Announcement) -> bool:
        for _ in range(2):
            async with trio.open_nursery() as nursery:
                answers: list[bool] = []
                for number, host in enumerate(table.addresses):
                    nursery.start_soon(self._try, nursery, host, table.port, number * STAGGER, answers)
            if answers:
                return True
        return False

    async def _try(self, nursery: trio.Nursery, host: str, port: int, delay: float, answers: list[bool]) -> None:
        await trio.sleep(delay)
        if await probe((host, port), ANSWER):
            answers.append(True)
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def browse(only: Sequence[str] | None = None) -> AsyncIterator[Browser]:
    """Look for tables until the block is left. `only`: as for `interfaces.look`."""
    browser = Browser(only)
    async with _beside(browser.run):
        yield browser
