"""The shelf gives what lies on it, and nothing else, to nobody for ever."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p import shelf
from p2p.addresses import Address
from p2p.errors import PortInUse
from p2p.shelf import Item, Refusal, requested, serve

BIG = 3 * 65536 + 7
Answer = tuple[str, dict[str, str], bytes]


class Shop:
    """A running shelf."""

    def __init__(self, port: int, taken: list[tuple[str, str]]) -> None:
        self.port = port
        self.taken = taken

    async def call(self) -> trio.SocketStream:
        return await trio.open_tcp_stream("127.0.0.1", self.port)

    async def raw(self, request: bytes) -> bytes:
        """All that is answered to some bytes."""
        async with await self.call() as stream:
            await stream.send_all(request)
            return await rest(stream)

    async def ask(self, target: str, method: str = "GET") -> Answer:
        return parse(await self.raw(f"{method} {target} HTTP/1.1\r\nHost: evil.example\r\n\r\n".encode()))


async def rest(stream: trio.SocketStream) -> bytes:
    data = b""
    with trio.fail_after(30):
        try:
            async for chunk in stream:
                data += chunk
        except trio.BrokenResourceError:
            pass
    return data


def parse(data: bytes) -> Answer:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("ascii").split("\r\n")
    return first, dict(line.split(": ", 1) for line in lines), body


@asynccontextmanager
async def shop(folder: Path) -> AsyncIterator[Shop]:
    (folder / "wheel-1.0+local.whl").write_bytes(b"w" * BIG)
    (folder / "secret").write_text("secret")

    def page(here: Address) -> bytes:
        return f"called at {here[0]}:{here[1]}".encode()

    goods = {
        "": Item("text/html; charset=utf-8", page),
        "list.txt": Item("text/plain", b"a list"),
        "wheel-1.0+local.whl": Item("application/octet-stream", folder / "wheel-1.0+local.whl"),
    }
    taken: list[tuple[str, str]] = []
    async with trio.open_nursery() as nursery:
        add: Callable[[str, str], object] = lambda who, name: taken.append((who, name))  # noqa: E731
        port = await nursery.start(partial(serve, goods, add, hosts=["127.0.0.1"]))
        yield Shop(port, taken)
        nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_what_lies_there(tmp_path: Path) -> None:
    async with shop(tmp_path) as one:
        status, fields, body = await one.ask("/")
        assert status == "HTTP/1.1 200 OK"
        assert body == f"called at 127.0.0.1:{one.port}".encode()
        assert fields["Content-Type"] == "text/html; charset=utf-8"
        assert fields["Connection"] == "close"
        assert (await one.ask("/list.txt?x=y"))[2] == b"a list"
        for name in ("/wheel-1.0+local.whl", "/wheel-1.0%2Blocal.whl"):
            status, fields, body = await one.ask(name)
            assert fields["Content-Length"] == str(BIG)
            assert body == b"w" * BIG
        with trio.fail_after(30):
            while len(one.taken) < 4:  # it waits until we have hung up
                await trio.lowlevel.checkpoint()
        assert one.taken == [("127.0.0.1", name) for name in ("", "list.txt", *["wheel-1.0+local.whl"] * 2)]


@pytest.mark.parametrize(
    "target",
    [
        "/secret",
        "/../secret",
        "/%2e%2e/secret",
        "/./list.txt",
        "//list.txt",
        "/list.txt/",
        "/list.txt%00",
        "/%ff",
        "/etc/passwd",
        "/..\\secret",
        "/wheel-1.0 local.whl",
        "list.txt",
        "http://127.0.0.1/list.txt",
        "*",
    ],
)
@pytest.mark.trio
async def test_nothing_else(tmp_path: Path, target: str) -> None:
    async with shop(tmp_path) as one:
        status, _, body = await one.ask(target)
        assert status.split()[1] in ("400", "404")
        assert b"secret" not in body
        assert not one.taken


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "CONNECT", "get"])
@pytest.mark.trio
async def test_only_get(tmp_path: Path, method: str) -> None:
    async with shop(tmp_path) as one:
        status, fields, _ = await one.ask("/list.txt", method)
        assert status.startswith("HTTP/1.1 405")
        assert fields["Allow"] == "GET"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", ""),
        (b"GET / HTTP/1.0\n\n", ""),
        (b"\r\n\r\n", "400"),
        (b"GET /\r\n\r\n", "400"),
        (b"GET / HTTP/2\r\n\r\n", "400"),
        (b"GET / SPDY/1.1\r\n\r\n", "400"),
        (b"GET  / HTTP/1.1\r\n\r\n", "400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", "400"),
        (b"\xff" * 100 + b"\r\n\r\n", "400"),
    ],
)
def test_heads(head: bytes, status: str) -> None:
    if not status:
        assert requested(head) == ""
        return
    with pytest.raises(Refusal, match=status):
        requested(head)


@pytest.mark.trio
async def test_heads_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "HEAD_SECONDS", 0.2)
    async with shop(tmp_path) as one:
        assert b" 431 " in await one.raw(b"GET /" + b"a" * 2 * shelf.HEAD_BYTES)
        assert b" 408 " in await one.raw(b"GET / HTTP/1.1\r\nX: ")
        async with await one.call() as stream:
            await stream.send_all(b"GET")
            await stream.send_eof()
            assert b" 400 " in await rest(stream)


@pytest.mark.trio
async def test_one_request_a_connection(tmp_path: Path) -> None:
    async with shop(tmp_path) as one:
        data = await one.raw(b"GET /list.txt HTTP/1.1\r\n\r\nGET /list.txt HTTP/1.1\r\n\r\n")
        assert data.count(b"HTTP/1.1 200") == 1


@pytest.mark.trio
async def test_too_many_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "CALLERS_PER_ADDRESS", 3)
    async with shop(tmp_path) as one:
        held = [await one.call() for _ in range(3)]
        assert await one.raw(b"GET / HTTP/1.1\r\n\r\n") == b""
        for stream in held:
            await stream.aclose()
        with trio.fail_after(30):
            while not (data := await one.raw(b"GET / HTTP/1.1\r\n\r\n")):  # until that has been noticed
                pass
        assert parse(data)[0].endswith("200 OK")


@pytest.mark.trio
async def test_who_does_not_read_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "PATIENCE", 0.2)
    monkeypatch.setattr(shelf, "SLOWEST", 10**12)
    left, finish = trio.Event(), shelf._Server._answer

    async def answer(*arguments: Any) -> None:
        await finish(*arguments)
        left.set()

    monkeypatch.setattr(shelf._Server, "_answer", answer)
    async with shop(tmp_path) as one:
        (tmp_path / "wheel-1.0+local.whl").write_bytes(b"w" * 20_000_000)
        async with await one.call() as stream:
            await stream.send_all(b"GET /wheel-1.0+local.whl HTTP/1.1\r\n\r\n")
            with trio.fail_after(30):
                await left.wait()
            assert len(await rest(stream)) < 20_000_000
        assert not one.taken


@pytest.mark.trio
async def test_a_file_that_is_gone(tmp_path: Path) -> None:
    async with shop(tmp_path) as one:
        (tmp_path / "wheel-1.0+local.whl").unlink()
        assert await one.raw(b"GET /wheel-1.0+local.whl HTTP/1.1\r\n\r\n") == b""
        assert (await one.ask("/list.txt"))[2] == b"a list"


@pytest.mark.trio
async def test_a_port_in_use(tmp_path: Path) -> None:
    async with shop(tmp_path) as one:
        with pytest.raises(PortInUse):
            await serve({}, lambda who, name: None, port=one.port, hosts=["127.0.0.1"])
