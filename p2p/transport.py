"""Links to other machines: answering calls and making them. Does IO: sockets, on IPv4 and IPv6.

For: the mesh. Never: trust in an address (identity decides), a stranger's bytes that end anything but their own
connection, an unlimited wait, or a word on standard error.

Theory of operation. `serve` accepts connections, as many as the caps allow; each goes through the handshake of
protocol/handshake.py under one time limit: hellos in the clear, TLS, challenge, proof, verdict. What comes out is a
`Link`, which runs beside the handler for as long as that takes. Whatever goes wrong before is noted in the log, and the
connection dropped. `dial` tries all addresses of a peer side by side, with staggered starts and a time limit each; the
first that proves to be the expected identity wins, the others are closed. `probe` does TCP and hellos only: a cheap
proof that somebody is there who speaks the protocol.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import trio

from protocol import handshake, limits
from protocol.errors import ProtocolError
from protocol.identity import Identity

from .addresses import Address, show_address
from .certificate import server_context
from .errors import CannotListen, CannotReach, NetworkError, NotWelcome, PortInUse, VersionMismatch, WrongPeer
from .greet import answer, call, greet
from .link import Frames, Link, LinkClosed

ANYWHERE = ("0.0.0.0", "::")
LOOPBACK = ("127.0.0.1", "::1")

CONNECT = 10.0
"""Seconds for one address, from the first packet to the verdict. At 20 % loss TCP alone can take most of it."""
HANDSHAKE = 10.0
"""Seconds that a caller has to prove who it is."""
STAGGER = 0.1
"""Seconds between the starts at two addresses: some twenty times what a link takes in a quiet network."""
PROBE = 1.5
"""Seconds for a probe, if nobody says otherwise."""
CHANCES = 8
"""Ports that are tried where any will do: one that is free on the first host can be taken on the second."""

log = logging.getLogger("p2pgame.transport")

Handler = Callable[[Link], Awaitable[object]]


async def _listen(port: int, hosts: Sequence[str]) -> list[trio.SocketListener]:
    """One listener a host, all on one port; hosts of an address family that this machine lacks are left out."""
    listeners: list[trio.SocketListener] = []
    try:
        for host in hosts:
            try:
                listeners += await trio.open_tcp_listeners(port, host=host)
            except OSError as error:
                lacking = isinstance(error, socket.gaierror) or error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
                if not lacking or (host == hosts[-1] and not listeners):
                    raise
                log.info("not listening on %s: %s", host, error)
            port = listeners[0].socket.getsockname()[1] if listeners else port
    except BaseException:  # cancelled, too: nothing is left open, and the error goes on
        for listener in listeners:
            listener.socket.close()
        raise
    return listeners


async def listen(port: int, hosts: Sequence[str]) -> list[trio.SocketListener]:
    """As `_listen`; port 0 is any that is free on all hosts. Errors: PortInUse, CannotListen."""
    chances = CHANCES if port == 0 else 1
    while True:
        try:
            return await _listen(port, hosts)
        except OSError as error:
            chances -= 1
            if error.errno != errno.EADDRINUSE:
                raise CannotListen(port=port, why=error.strerror or error) from error
            if not chances:
                raise PortInUse(port=port) from error


class _Server:
    """One task a connection."""

    def __init__(self, identity: Identity, handler: Handler) -> None:
        self._identity = identity
        self._handler = handler
        self._context = server_context(identity)
        self._callers: Counter[str] = Counter()

    async def attend(self, stream: trio.SocketStream) -> None:
        try:
            peer = stream.socket.getpeername()
        except OSError:
            log.debug("a caller was gone before it was looked at")
            await trio.aclose_forcefully(stream)
            return
        host = peer[0]
        if self._callers.total() >= limits.LINKS or self._callers[host] >= limits.LINKS_PER_ADDRESS:
            log.warning("too many connections, %s is turned away", host)
            await trio.aclose_forcefully(stream)
            return
        self._callers[host] += 1
        try:
            link = await self._admit(stream, show_address(peer[:2]))
            if link:
                await self._converse(link)
        finally:
            self._callers -= Counter((host,))  # forgets an address with its last connection

    async def _admit(self, stream: trio.SocketStream, where: str) -> Link | None:
        link = None
        try:
            with trio.fail_after(HANDSHAKE):
                link = await answer(stream, self._identity, self._context, where)
        except (ProtocolError, LinkClosed, NetworkError, trio.BrokenResourceError, trio.TooSlowError) as error:
            log.debug("caller from %s: %s", where, str(error) or type(error).__name__)
        finally:
            if not link:
                await trio.aclose_forcefully(stream)
        return link

    async def _converse(self, link: Link) -> None:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(link.run)
                await self._handler(link)
                await link.aclose()
        except* LinkClosed as closed:
            log.debug("link from %s: %s", link.where, closed.exceptions[0])


async def serve(
    identity: Identity,
    handler: Handler,
    *,
    port: int = 0,
    hosts: Sequence[str] = ANYWHERE,
    task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer calls until cancelled: `handler(link)` for every peer that proved who it is; its end closes the link.

    To be started with `await nursery.start(…)`, which gives the port. `port` 0: any. A handler may let LinkClosed pass;
    any other exception of it is a bug and comes out here. Errors: PortInUse, CannotListen.
    """
    server = _Server(identity, handler)
    listeners = await listen(port, hosts)
    task_status.started(listeners[0].socket.getsockname()[1])
    await trio.serve_listeners(server.attend, listeners)


async def _connect(family: int, sockaddr: tuple[Any, ...]) -> trio.SocketStream:
    sock = trio.socket.socket(family, socket.SOCK_STREAM)
    try:
        await sock.connect(sockaddr)
    except BaseException:  # cancelled, too: nothing is left open, and the error goes on
        sock.close()
        raise
    return trio.SocketStream(sock)


class _Dial:
    """The attempts of one `dial`, and what came of them."""

    def __init__(self, identity: Identity, expected: bytes | str | None, patience: float) -> None:
        self._identity = identity
        self._expected = expected
        self._patience = patience
        self.failures: list[NetworkError] = []
        self.link: Link | None = None

    async def run(self, addresses: Sequence[Address]) -> None:
        async with trio.open_nursery() as nursery:
            for number, address in enumerate(addresses):
                nursery.start_soon(self._resolve, nursery, address, number * STAGGER)

    async def _resolve(self, nursery: trio.Nursery, address: Address, delay: float) -> None:
        await trio.sleep(delay)
        where = show_address(address)
        try:
            with trio.fail_after(self._patience):
                found = await trio.socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError, trio.TooSlowError) as error:
            self.failures.append(CannotReach(where=where, why=_reason(error, self._patience)))
            return
        for number, (family, _, _, _, sockaddr) in enumerate(found[: limits.ADDRESSES]):
            nursery.start_soon(self._attempt, nursery, family, sockaddr, where, number * STAGGER)

    async def _attempt(
        self, nursery: trio.Nursery, family: int, sockaddr: tuple[Any, ...], where: str, delay: float
    ) -> None:
        await trio.sleep(delay)
        stream, link = None, None
        try:
            with trio.fail_after(self._patience):
                stream = await _connect(family, sockaddr)
                link = await call(stream, self._identity, self._expected, where)
        except NetworkError as error:
            self.failures.append(error)
        except (OSError, ProtocolError, LinkClosed, trio.BrokenResourceError, trio.TooSlowError) as error:
            self.failures.append(CannotReach(where=where, why=_reason(error, self._patience)))
        finally:
            if stream and (self.link or not link):
                await trio.aclose_forcefully(stream)
        if link and not self.link:
            self.link = link
            nursery.cancel_scope.cancel()


def _reason(error: BaseException, seconds: float) -> str:
    """Why there is no link, in words."""
    match error:
        case trio.TooSlowError():
            return f"no answer within {seconds:g} s"
        case trio.BrokenResourceError():
            return "the connection broke off"
        case ProtocolError():
            return f"something else answers there ({error})"
        case OSError(errno=int(code)) if code > 0:
            return os.strerror(code)
        case OSError(strerror=str(words)):
            return words
    return str(error)


async def dial(
    nursery: trio.Nursery,
    addresses: Sequence[Address],
    identity: Identity,
    *,
    expected: bytes | str | None = None,
    seconds: float = CONNECT,
) -> Link:
    """Call a peer at all its addresses; the link lives in `nursery`. `expected`: its identity key, or
    the fingerprint (a hint from the lobby), or None for anybody. `seconds`: time for each address.

    Errors: VersionMismatch, WrongPeer, NotWelcome, CannotReach, whichever tells most.
    """
    attempts = _Dial(identity, expected, seconds)
    try:
        await attempts.run(addresses[: limits.ADDRESSES])
    except BaseException:  # cancelled, too: nothing is left open, and the error goes on
        if attempts.link:  # cancelled just after one had won
            await attempts.link.abort()
        raise
    if attempts.link:
        nursery.start_soon(attempts.link.run)
        return attempts.link
    for kind in (VersionMismatch, NotWelcome, WrongPeer):
        for failure in attempts.failures:
            if isinstance(failure, kind):
                raise failure
    where = ", ".join(map(show_address, addresses)) or "no address"
    reasons = dict.fromkeys(str(failure.values["why"]) for failure in attempts.failures)
    raise CannotReach(where=where, why="; ".join(reasons) or "no address is known")


async def probe(address: Address, seconds: float = PROBE) -> handshake.Hello | None:
    """The hello of whoever speaks the protocol there (perhaps another version), or None. `address`: numeric."""
    stream = None
    try:
        with trio.fail_after(seconds):
            stream = await trio.open_tcp_stream(*address)
            return await greet(Frames(stream, limits.HANDSHAKE_BYTES))
    except (OSError, ProtocolError, LinkClosed, trio.TooSlowError) as error:
        log.debug("probe of %s: %s", show_address(address), _reason(error, seconds))
        return None
    finally:
        if stream:
            await trio.aclose_forcefully(stream)
