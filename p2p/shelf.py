"""A few files for whoever comes by: HTTP, as little of it as a browser, curl and pip need. Does IO: sockets, files.

For: `p2pgame share`. Never: a path that the caller chooses, anything but GET, a connection without an end, more of them
than the caps allow, or a caller's bytes in an answer.

Theory of operation: the shelf is fixed beforehand, a name leads to an item or to nothing; no file is looked up by what
was asked for. One request a connection: the head within HEAD_SECONDS and HEAD_BYTES, the answer within a time that
follows from its size, then the connection is closed. What depends on the address by which the caller reached us (the
page has it in its commands) is made for that address, which is the socket's and not what the caller says it is.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import trio

from .addresses import Address
from .transport import ANYWHERE, listen

DEFAULT_PORT = 24817
"""Where the program is shared if nobody says otherwise: the port beside that of tables."""
HEAD_BYTES = 8192
HEAD_SECONDS = 5.0
CALLERS = 64
"""Connections at once. A page, and an installation that takes one file after the other, have one or two each."""
CALLERS_PER_ADDRESS = 12
SLOWEST = 20_000
"""Bytes a second; whoever takes less for long does not get the whole file."""
PATIENCE = 15.0
_CHUNK = 65536

log = logging.getLogger("p2pgame.shelf")

Taken = Callable[[str, str], object]
"""Told, for every item that was taken whole: the address of who took it, and its name."""


@dataclass(frozen=True, slots=True)
class Item:
    """`kind`: its media type. `content`: the bytes, the file that has them, or what makes them for one of our
    addresses."""

    kind: str
    content: bytes | Path | Callable[[Address], bytes]


class Refusal(Exception):
    """An answer that is not the item. `args[0]`: status and reason."""


Shelf = Mapping[str, Item]


async def serve(
    shelf: Shelf,
    taken: Taken,
    *,
    port: int = 0,
    hosts: Sequence[str] = ANYWHERE,
    task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer until cancelled; starts with the port. Errors: PortInUse, CannotListen."""
    listeners = await listen(port, hosts)
    server = _Server(shelf, taken)
    started = partial(task_status.started, listeners[0].socket.getsockname()[1])
    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_listeners, server.attend, listeners)
        started()


class _Server:
    """One task a connection."""

    def __init__(self, shelf: Shelf, taken: Taken) -> None:
        self._shelf = shelf
        self._taken = taken
        self._callers: Counter[str] = Counter()

    async def attend(self, stream: trio.SocketStream) -> None:
        try:
            caller, here = str(stream.socket.getpeername()[0]), stream.socket.getsockname()
        except OSError:
            await trio.aclose_forcefully(stream)
            return
        if self._callers.total() >= CALLERS or self._callers[caller] >= CALLERS_PER_ADDRESS:
            log.warning("too many connections, %s is turned away", caller)
            await trio.aclose_forcefully(stream)
            return
        self._callers[caller] += 1
        try:
            await self._answer(stream, caller, (str(here[0]), int(here[1])))
        except (trio.BrokenResourceError, OSError) as error:
            log.debug("caller %s: %s", caller, error)
        finally:
            self._callers -= Counter((caller,))
            await trio.aclose_forcefully(stream)

    async def _answer(self, stream: trio.SocketStream, caller: str, here: Address) -> None:
        """One request, one answer."""
        name, item = "", None
        try:
            with trio.move_on_after(HEAD_SECONDS) as waiting:
                name = requested(await _head(stream))
            if waiting.cancelled_caught:
                raise Refusal("408 Request Timeout")
            item = self._shelf.get(name)
            if item is None:
                raise Refusal("404 Not Found")
        except Refusal as refusal:
            words = str(refusal)
            log.debug("caller %s: %s", caller, words)
            with trio.move_on_after(PATIENCE):
                await stream.send_all(_lead(words, "text/plain", len(words) + 1) + words.encode() + b"\n")
                await _finish(stream)
            return
        content = item.content
        size = content.stat().st_size if isinstance(content, Path) else 0
        with trio.move_on_after(PATIENCE + size / SLOWEST):
            if isinstance(content, Path):
                await _send_file(stream, item.kind, content, size)
            else:
                data = content if isinstance(content, bytes) else content(here)
                await stream.send_all(_lead("200 OK", item.kind, len(data)) + data)
            await _finish(stream)
            self._taken(caller, name)


async def _head(stream: trio.SocketStream) -> bytes:
    """The request up to the empty line. Errors: Refusal."""
    head = b""
    while b"\r\n\r\n" not in head and b"\n\n" not in head:
        data = await stream.receive_some(HEAD_BYTES)
        if not data:
            raise Refusal("400 Bad Request")
        head += data
        if len(head) > HEAD_BYTES:
            raise Refusal("431 Request Header Fields Too Large")
    return head


def requested(head: bytes) -> str:
    """The name of the item that a request asks for. Errors: Refusal."""
    words = head.split(b"\n", 1)[0].rstrip(b"\r").split(b" ")
    if len(words) != 3 or not words[2].startswith(b"HTTP/1.") or not words[1].startswith(b"/"):
        raise Refusal("400 Bad Request")
    if words[0] != b"GET":
        raise Refusal("405 Method Not Allowed")
    return unquote(words[1][1:].split(b"?", 1)[0].decode("latin-1"))


def _lead(status: str, kind: str, size: int) -> bytes:
    lines = [
        f"HTTP/1.1 {status}",
        f"Content-Type: {kind}",
        f"Content-Length: {size}",
        "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'none'",
        "X-Content-Type-Options: nosniff",
        *(["Allow: GET"] if status.startswith("405") else []),
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii")


async def _send_file(stream: trio.SocketStream, kind: str, path: Path, size: int) -> None:
    """A file as long as it was when it was asked for; if it has shrunk, the connection breaks and the caller sees."""
    async with await trio.open_file(path, "rb") as file:
        await stream.send_all(_lead("200 OK", kind, size))
        while size and (data := await file.read(min(size, _CHUNK))):
            await stream.send_all(data)
            size -= len(data)
    if size:
        raise trio.BrokenResourceError("the file has shrunk")


async def _finish(stream: trio.SocketStream) -> None:
    """Say that this was all, and wait until the other side has hung up: whoever closes first, with unread bytes, takes
    back what it has sent."""
    await stream.send_eof()
    received = 0
    with trio.move_on_after(HEAD_SECONDS):
        while received < HEAD_BYTES and (data := await stream.receive_some(_CHUNK)):
            received += len(data)
