"""One zeroconf instance that follows the network interfaces. Does IO: multicast DNS, in threads of its own.

For: discovery. Never: a call into zeroconf that trio cannot cancel (but opening and closing, which are short), a
callback that waits for trio (closing would wait for the callback), or a word on standard error.

Theory of operation. A `Station` owns at most one `Zeroconf`, with its own thread and event loop, and at most one
browser on it. `adapt`, called every few seconds, lists the interfaces, and those whose addresses can be bound by now
(IPv6 takes a second to settle, and one address that cannot be bound fails them all): new and lost ones are updated in
place; one that was replaced (same address, other index) needs a new Zeroconf. Construction and closing happen in worker
threads, where no event loop runs that zeroconf could adopt; its coroutines run by `call`.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

import trio
from zeroconf import DNSQuestionType, IPVersion, ServiceBrowser, ServiceInfo, Zeroconf

from .interfaces import Interface, look

CALL = 5.0
"""Seconds after which a call into zeroconf is given up: it may have been closed meanwhile."""

_NOWHERE = "no network interface is up"

log = logging.getLogger("p2pgame.discovery")
# What zeroconf has to say goes where our own log goes, and nowhere else.
logging.getLogger("zeroconf").parent = logging.getLogger("p2pgame")

T = TypeVar("T")
Choice = list[str | int]


class Unavailable(Exception):
    """There is no zeroconf to call just now, or the call did not work. `str(error)`: why."""


def _note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    log.warning("in zeroconf's loop: %s", context.get("message"), exc_info=context.get("exception"))


def _open(choice: Choice) -> Zeroconf:
    kinds = set(map(type, choice))
    version = IPVersion.All if len(kinds) > 1 else IPVersion.V4Only if kinds == {str} else IPVersion.V6Only
    zeroconf = Zeroconf(interfaces=choice, ip_version=version)
    if zeroconf.loop:
        zeroconf.loop.call_soon_threadsafe(zeroconf.loop.set_exception_handler, _note)
    return zeroconf


def _can_bind(address: str, index: int, bad: list[str]) -> bool:
    """Whether it can; if not, `bad` gets the reason. zeroconf would leave its sockets open."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0, 0, index) if ":" in address else (address, 0))
        except OSError as error:
            bad.append(f"{address} cannot be used: {error.strerror}")
            return False
    return True


class Station:
    """`interfaces`: those in use. `zeroconf`: None while there is none. `problem`: why not, in words, or empty."""

    def __init__(self, only: Sequence[str] | None) -> None:
        """To be made in trio. `only`: as for `interfaces.look`."""
        self._only = only
        self._token = trio.lowlevel.current_trio_token()
        self._browser: ServiceBrowser | None = None
        self._published: ServiceInfo | None = None
        self._choice: Choice = []
        self.interfaces: tuple[Interface, ...] = ()
        self.zeroconf: Zeroconf | None = None
        self.problem = _NOWHERE

    def soon(self, function: Callable[[], object]) -> None:
        """Run something in trio, from any thread; nothing, if trio has ended. It must not raise."""
        try:
            self._token.run_sync_soon(function)
        except trio.RunFinishedError:
            log.debug("a late callback, dropped")

    async def call(self, make: Callable[[Zeroconf], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine in zeroconf's loop; cancelled with us. Errors: Unavailable."""
        if not self.zeroconf or not self.zeroconf.loop:
            raise Unavailable(self.problem or "not open")
        done = trio.Event()
        coroutine = make(self.zeroconf)
        try:
            future = asyncio.run_coroutine_threadsafe(coroutine, self.zeroconf.loop)
        except RuntimeError as error:
            coroutine.close()
            raise Unavailable(str(error)) from error
        future.add_done_callback(lambda _: self.soon(done.set))
        try:
            with trio.fail_after(CALL):
                await done.wait()
            return future.result()
        except Exception as error:  # whatever zeroconf raises, it must not end a game
            raise Unavailable(str(error) or type(error).__name__) from error
        finally:
            future.cancel()

    async def adapt(self) -> bool:
        """Follow the interfaces. True if something has changed: then it is time to ask and to announce again."""
        interfaces = await trio.to_thread.run_sync(look, self._only)
        bad: list[str] = []
        ipv4: Choice = [one for i in interfaces for one in i.ipv4 if _can_bind(one, 0, bad)]
        ipv6: Choice = [  # nothing is multicast on ::1
            i.index
            for i in interfaces
            if i.ipv6 and not i.loopback and all(_can_bind(one, i.index, bad) for one in i.ipv6)
        ]
        if (interfaces, ipv4 + ipv6) == (self.interfaces, self._choice):
            return False
        self._choice = ipv4 + ipv6
        index = {address: i.index for i in self.interfaces for address in i.ipv4 + i.ipv6}
        replaced = any(index.get(address, i.index) != i.index for i in interfaces for address in i.ipv4 + i.ipv6)
        if self.zeroconf and not replaced and ipv4:
            try:
                await self.call(lambda zeroconf: zeroconf.async_update_interfaces(ipv4 + ipv6, IPVersion.All))
            except Unavailable as error:
                log.warning("interfaces not updated: %s", error)
            else:
                self.interfaces = interfaces
                return True
        await self.close()
        if not self._choice:
            self._complain(bad[0] if bad else _NOWHERE)
        # One address that cannot be bound fails the whole list: then rather one family than none.
        for choice in (ipv4 + ipv6, ipv4, ipv6):
            if choice and not self.zeroconf:
                await self._create(choice)
        self.interfaces = interfaces if self.zeroconf else ()
        return True

    def _complain(self, problem: str) -> None:
        if problem != self.problem:  # it is tried again every few seconds
            log.warning("discovery: %s", problem)
        self.problem = problem

    async def _create(self, choice: Choice) -> None:
        try:
            self.zeroconf = await trio.to_thread.run_sync(_open, choice)
            self.problem = ""
        except (OSError, RuntimeError) as error:
            self._complain(f"{choice}: {error}")

    async def ask(self, service: str, handler: Callable[..., None]) -> None:
        """A new browser in place of the last; it asks at once, and reports everything known as added.

        `handler(zeroconf, service_type, name, state_change)` is called in a thread.
        """
        zeroconf, old = self.zeroconf, self._browser
        if not zeroconf:
            return

        def renew() -> ServiceBrowser:
            new = ServiceBrowser(zeroconf, service, handlers=[handler], question_type=DNSQuestionType.QM)
            if old:
                old.cancel()
            return new

        self._browser = await trio.to_thread.run_sync(renew)

    async def publish(self, info: ServiceInfo) -> None:
        """Announce a service, or its new records, or the same ones again. Errors: Unavailable."""
        self._published = info
        await self.call(partial(_publish, info))

    async def close(self) -> None:
        """Withdraw everything and close. Takes a third of a second, whatever is cancelled."""
        zeroconf, browser, info = self.zeroconf, self._browser, self._published
        self.zeroconf, self._browser, self._published, self.interfaces = None, None, None, ()
        if not zeroconf:
            return

        def end() -> None:
            if browser:
                browser.cancel()
            try:
                if info and zeroconf.loop:
                    asyncio.run_coroutine_threadsafe(_withdraw(info, zeroconf), zeroconf.loop).result(CALL)
            except Exception:  # whatever zeroconf raises, it has to be closed
                log.warning("not withdrawn", exc_info=True)
            finally:
                zeroconf.close()

        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(end)


async def _publish(info: ServiceInfo, zeroconf: Zeroconf) -> None:
    if zeroconf.registry.async_get_info_name(info.key):
        sending = await zeroconf.async_update_service(info)
    else:  # the random name needs no probing for uniqueness, which would take a second
        sending = await zeroconf.async_register_service(info, cooperating_responders=True)
    await sending


async def _withdraw(info: ServiceInfo, zeroconf: Zeroconf) -> None:
    await zeroconf.async_unregister_all_services()
    # An answer that was queued before may have gone out between these goodbyes, and receivers drop the later ones as
    # doubles of the first. One more, with other bytes, has the last word.
    zeroconf.async_send(zeroconf.generate_service_broadcast(info, 0, broadcast_addresses=False))
