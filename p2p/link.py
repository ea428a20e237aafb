"""A link: one authenticated connection to one peer. Does IO, on a stream that it is given.

For: the mesh, which sends and receives messages (maps that codec can encode). Never: a second writer on the stream, a
stream used again after a cancelled send (that spoils TLS for good), a queue without an end, or an exception from what a
peer sent: whatever happens, the link ends, with a reason.

Theory of operation. `run` is the link's life: a reader and a writer task over one stream, and the stream is closed when
it returns. Until then

    on the wire        nothing (0 bytes)   heartbeat, whenever nothing else was sent for HEARTBEAT seconds
                       a map               a message
                       a text              bye: the peer leaves, with its reason in words

The reader passes messages on through a short channel; while it is full the peer has to wait. Silence of SILENCE seconds
means that the peer is gone: that finds cut cables, frozen programs and black holes alike. `send` only queues, so it
neither waits nor can be cancelled; a queue that outgrows its cap means a peer that does not keep up, and ends the link.
When writing fails, the reader goes on to the end of what has arrived: a bye may be there, or a last message. After our
own bye it waits a moment for the peer to close first, or what is still unread here would make TCP drop the bye.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import Any

import trio

from protocol import codec, framing, limits
from protocol.errors import Malformed, Misuse
from protocol.handshake import clip

HEARTBEAT = 1.0
SILENCE = 4.0
GRACE = 1.0
"""Seconds that closing may take, twice: to write what is queued, and to close the stream."""

_HERE = "closed here"
_BYE = "left"

log = logging.getLogger("p2pgame.link")


class LinkClosed(Exception):
    """The link has ended. `reason`: why, in words (a peer's words are among them). `left`: the peer said bye."""

    def __init__(self, reason: str, left: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.left = left

    @property
    def going(self) -> bool:
        """The peer's program has ended: it said bye, and had nothing to complain about."""
        return self.left and self.reason == _BYE


class Frames:
    """Whole frames over a stream of bytes."""

    def __init__(self, stream: trio.abc.Stream, limit: int = limits.FRAME_BYTES) -> None:
        self.stream = stream
        self.heard = trio.current_time()
        """When the other side was last heard."""
        self._framer = framing.Framer(limit)
        self._ready: deque[bytes] = deque()

    async def receive(self, silence: float = float("inf")) -> bytes:
        """The next payload. Errors: LinkClosed (gone, or nothing at all for `silence` seconds), Malformed."""
        while not self._ready:
            with trio.move_on_after(silence) as waiting:
                try:
                    data = await self.stream.receive_some()
                except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                    raise LinkClosed("connection lost") from error
            if waiting.cancelled_caught:
                raise LinkClosed(f"silent for {silence:g} s")
            if not data:
                raise LinkClosed("connection closed without a bye")
            self.heard = trio.current_time()
            self._ready += self._framer.receive(data)
        return self._ready.popleft()

    async def send(self, *payloads: bytes) -> None:
        """Write payloads. Errors: LinkClosed. After a cancelled call the stream is of no use."""
        try:
            await self.stream.send_all(b"".join(framing.frame(payload) for payload in payloads))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise LinkClosed("connection lost") from error

    def widen(self) -> None:
        """The other side has proven who it is: from now on it may send frames of any allowed size."""
        self._framer.limit = limits.FRAME_BYTES

    @property
    def idle(self) -> bool:
        """Whether everything that was received has been taken."""
        return not self._ready and not self._framer.pending


class Link:
    """One peer. `peer`: its identity key; `where`: its address, for people; `dialled`: whether we called it;
    `binding`: SHA-256 of the server's certificate, the same on both sides and on no other link."""

    def __init__(self, frames: Frames, peer: bytes, *, where: str = "", dialled: bool = True, binding: bytes = b""):
        self.peer = peer
        self.where = where
        self.dialled = dialled
        self.binding = binding
        self._frames = frames
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._bye: str | None = None
        self._ended: tuple[str, bool] | None = None
        self._wake = trio.Event()
        self._scope = trio.CancelScope()
        self._finished = trio.Event()
        self._put, self._get = trio.open_memory_channel[dict[str, Any]](limits.LINK_INBOX)

    @property
    def heard(self) -> float:
        """When the peer was last heard."""
        return self._frames.heard

    @property
    def closed(self) -> LinkClosed | None:
        """Why the link has ended, or None while it lives."""
        return LinkClosed(*self._ended) if self._ended else None

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message. Errors: LinkClosed (also when the peer reads too slowly); Misuse (not a map, too large)."""
        if not isinstance(message, dict):
            raise Misuse("a message is a map")
        payload = codec.encode(message)
        if len(payload) > limits.FRAME_BYTES:
            raise Misuse(f"a message of {len(payload)} bytes")
        self._check_open()
        if self._queued + len(payload) > limits.LINK_QUEUE_BYTES:
            self._end("the peer reads too slowly")
            self._check_open()
        self._queue.append(payload)
        self._queued += len(payload)
        self._wake.set()

    async def receive(self) -> dict[str, Any]:
        """The next message. Errors: LinkClosed, after everything that came before has been taken."""
        try:
            return await self._get.receive()
        except trio.EndOfChannel:
            raise self.closed or LinkClosed(_HERE) from None

    async def aclose(self, words: str = "") -> None:
        """Say bye, with a reason in words if there is one, after what is queued; then close. 3 GRACE at most."""
        if self._bye is None:
            self._bye = clip(words)
            self._wake.set()
        with trio.move_on_after(3 * GRACE):
            await self._finished.wait()
        self._end(_HERE)

    async def abort(self) -> None:
        """Close at once, without a bye. For a link that was never run."""
        self._end(_HERE)
        await trio.aclose_forcefully(self._frames.stream)

    async def run(self) -> None:
        """Live until the link ends. To be started once, in a nursery that outlives the link."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read)
                    nursery.start_soon(self._write)
        finally:
            self._end(_HERE)
            with trio.move_on_after(GRACE, shield=True):
                await self._frames.stream.aclose()
            self._finished.set()

    def _check_open(self) -> None:
        if self.closed:
            raise self.closed
        if self._bye is not None:
            raise LinkClosed(_HERE)

    def _end(self, reason: str, left: bool = False) -> None:
        # The first reason is the true one; what fails afterwards fails because of it.
        if not self._ended:
            self._ended = (reason if left or self._bye is None else _HERE, left)
            log.debug("link to %s: %s", self.where, self._ended[0])
        self._put.close()
        self._scope.cancel()

    async def _read(self) -> None:
        try:
            while True:
                payload = await self._frames.receive(SILENCE)
                if not payload:
                    continue
                value = codec.decode(payload)
                if isinstance(value, str):
                    self._end(f"{_BYE}: {clip(value)}" if value else _BYE, left=True)
                    return
                if not isinstance(value, dict):
                    raise Malformed("neither a message nor a bye")
                await self._put.send(value)
        except LinkClosed as closed:
            self._end(closed.reason)
        except Malformed as error:
            self._end(f"sent what is no message: {error}")

    async def _write(self) -> None:
        try:
            while self._bye is None:
                with trio.move_on_after(HEARTBEAT):
                    await self._wake.wait()
                self._wake = trio.Event()
                batch = list(self._queue)
                self._queue.clear()
                await self._frames.send(*batch or [b""])
                self._queued -= sum(map(len, batch))
            await self._frames.send(*self._queue, codec.encode(self._bye))
            await trio.sleep(GRACE)
            self._end(_HERE)
        except LinkClosed as closed:
            log.debug("link to %s: writing: %s", self.where, closed.reason)
