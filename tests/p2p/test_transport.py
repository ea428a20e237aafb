"""Real sockets on loopback, IPv4 and IPv6: calls, strangers, ports, probes, many addresses."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from p2p import transport
from p2p.addresses import Address
from p2p.errors import CannotListen, CannotReach, PortInUse, VersionMismatch, WrongPeer
from p2p.link import Frames, Link, LinkClosed
from p2p.transport import LOOPBACK, dial, listen, probe, serve
from protocol import codec, handshake, limits
from protocol.framing import frame
from protocol.hashing import PROTOCOL
from protocol.identity import Identity

pytestmark = pytest.mark.trio

ANA = Identity(bytes(range(32)))
BETO = Identity(bytes(32))
CARO = Identity(b"c" * 32)


async def echo(link: Link) -> None:
    while True:
        link.send(await link.receive() | {"from": link.peer})


@asynccontextmanager
async def server(
    identity: Identity = ANA, handler: transport.Handler = echo, hosts: Sequence[str] = LOOPBACK
) -> AsyncIterator[tuple[trio.Nursery, int]]:
    """A running server; its nursery and its port."""
    async with trio.open_nursery() as nursery:
        port = await nursery.start(partial(serve, identity, handler, hosts=hosts))
        yield nursery, port
        nursery.cancel_scope.cancel()


async def closed_port() -> int:
    """A port of loopback at which nobody listens."""
    (listener,) = await listen(0, LOOPBACK[:1])
    port: int = listener.socket.getsockname()[1]
    await listener.aclose()
    return port


@pytest.mark.parametrize("host", [*LOOPBACK, "localhost"])
async def test_call_and_answer(host: str) -> None:
    async with server() as (nursery, port):
        link = await dial(nursery, [(host, port)], BETO, expected=ANA.public)
        assert link.peer == ANA.public
        link.send({"x": 1})
        assert await link.receive() == {"x": 1, "from": BETO.public}
        await link.aclose()


async def test_server_learns_of_a_bye_and_closes_when_the_handler_ends() -> None:
    heard: list[LinkClosed] = []

    async def once(link: Link) -> None:
        link.send(await link.receive())
        try:
            await link.receive()
        except LinkClosed as closed:
            heard.append(closed)

    async with server(handler=once) as (nursery, port):
        link = await dial(nursery, [("127.0.0.1", port)], BETO)
        link.send({})
        await link.receive()
        await link.aclose("enough")
        other = await dial(nursery, [("127.0.0.1", port)], CARO)
        other.send({"1": 1})
        other.send({"2": 2})
        assert await other.receive() == {"1": 1}
        with pytest.raises(LinkClosed) as caught:
            await other.receive()
        assert caught.value.left
    assert [(closed.reason, closed.left) for closed in heard] == [("left: enough", True)]


async def test_message_on_the_heels_of_the_verdict() -> None:
    async def eager(link: Link) -> None:
        link.send({"x": bytes(250_000)})
        await link.receive()

    async with server(handler=eager) as (nursery, port):
        for _ in range(10):
            link = await dial(nursery, [("127.0.0.1", port)], BETO)
            assert await link.receive() == {"x": bytes(250_000)}
            await link.aclose()


async def test_errors_of_a_handler_are_bugs_and_come_out() -> None:
    async def broken(link: Link) -> None:
        raise ZeroDivisionError

    with pytest.RaisesGroup(pytest.RaisesExc(ZeroDivisionError), flatten_subgroups=True):
        async with server(handler=broken) as (nursery, port):
            await dial(nursery, [("127.0.0.1", port)], BETO)
            await trio.sleep_forever()


async def test_first_address_that_is_the_expected_peer_wins() -> None:
    nobody = await closed_port()
    async with server(CARO) as (_, wrong), server(ANA) as (nursery, right):
        addresses: list[Address] = [
            ("127.0.0.1", nobody),
            ("127.0.0.1", wrong),
            ("no address at all", 1),
            ("::1", wrong),
            ("::1", right),
            ("127.0.0.1", right),
        ]
        link = await dial(nursery, addresses, BETO, expected=ANA.public)
        assert (link.peer, link.where) == (ANA.public, f"[::1]:{right}")
        await link.aclose()


async def test_address_that_never_answers_does_not_hold_up_the_others() -> None:
    (mute,) = await listen(0, LOOPBACK[:1])
    async with server() as (nursery, port):
        with trio.fail_after(30):
            silent: Address = ("127.0.0.1", mute.socket.getsockname()[1])
            link = await dial(nursery, [silent, ("::1", port)], BETO, seconds=1000)
        await link.aclose()
    await mute.aclose()


async def test_why_nobody_was_reached() -> None:
    nobody = await closed_port()
    (mute,) = await listen(0, LOOPBACK[:1])
    async with server(CARO) as (nursery, port):
        with pytest.raises(CannotReach, match="no address is known"):
            await dial(nursery, [], BETO)
        with pytest.raises(CannotReach, match="refused"):
            await dial(nursery, [("127.0.0.1", nobody), ("::1", nobody)], BETO)
        with pytest.raises(CannotReach, match=r"no answer within 0\.1 s"):
            await dial(nursery, [("127.0.0.1", mute.socket.getsockname()[1])], BETO, seconds=0.1)
        with pytest.raises(WrongPeer) as caught:
            await dial(nursery, [("127.0.0.1", port), ("127.0.0.1", nobody)], BETO, expected=ANA.public)
        assert caught.value.exit_code == 3
    await mute.aclose()


async def pretend(data: bytes, stream: trio.SocketStream) -> None:
    await stream.receive_some()
    await stream.send_all(data)
    await stream.aclose()


async def test_dialling_and_probing_something_else() -> None:
    other = frame(codec.encode({"protocol": "p2pgame", "version": PROTOCOL + 1}))
    for data, kind in ((b"HTTP/1.1 400 Bad Request\r\n", CannotReach), (other, VersionMismatch), (b"", CannotReach)):
        async with trio.open_nursery() as nursery:
            listeners = await listen(0, LOOPBACK[:1])
            nursery.start_soon(trio.serve_listeners, partial(pretend, data), listeners)
            address = ("127.0.0.1", listeners[0].socket.getsockname()[1])
            with pytest.raises(kind):
                await dial(nursery, [address], BETO)
            answer = await probe(address, 30)
            assert answer is None if kind is CannotReach else answer == handshake.Hello(PROTOCOL + 1, "")
            nursery.cancel_scope.cancel()


async def test_probe() -> None:
    async with server() as (_, port):
        for host in LOOPBACK:
            answer = await probe((host, port), 30)
            assert answer
            assert answer.understood
    assert await probe(("127.0.0.1", await closed_port())) is None
    (mute,) = await listen(0, LOOPBACK[:1])
    assert await probe(("127.0.0.1", mute.socket.getsockname()[1]), 0.05) is None
    await mute.aclose()


STRANGERS = [
    b"",
    b"\0" * 4,
    b"\xff" * 100,
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    frame(b"\x81"),
    frame(handshake.hello("0")),
    frame(handshake.hello("0")) + b"more",
    frame(handshake.hello("0"))[:9],
    frame(codec.encode({"protocol": "p2pgame", "version": PROTOCOL + 1})),
]


async def test_strangers_never_end_the_server_nor_write_to_standard_error(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "HANDSHAKE", 1000.0)  # they are dropped for what they say, not for taking long
    async with server() as (nursery, port):
        for data in STRANGERS:
            for reset in (False, True):
                stream = await trio.open_tcp_stream("127.0.0.1", port)
                await stream.send_all(data)
                if not reset:
                    await stream.send_eof()
                    with trio.fail_after(30):
                        while await stream.receive_some():
                            pass
                await trio.aclose_forcefully(stream)
        for junk in (b"junk" * 50, b""):  # in place of TLS
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            frames = Frames(stream)
            await frames.send(handshake.hello("0"))
            await frames.receive()
            await stream.send_all(junk)
            await stream.aclose()
        link = await dial(nursery, [("127.0.0.1", port)], BETO)
        link.send({"still": "there"})
        await link.receive()
        await link.aclose()
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


async def test_stranger_who_says_nothing_is_dropped_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "HANDSHAKE", 0.1)
    async with server() as (_, port):
        for begun in (b"", frame(handshake.hello("0"))):
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            await stream.send_all(begun)
            with trio.fail_after(30):
                while await stream.receive_some():
                    pass
            await stream.aclose()


async def test_one_address_cannot_take_all_connections(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(limits, "LINKS_PER_ADDRESS", 3)
    async with server() as (nursery, port):
        crowd = [await trio.open_tcp_stream("127.0.0.1", port) for _ in range(3)]
        with caplog.at_level(logging.WARNING), trio.fail_after(30), pytest.raises(CannotReach):
            await dial(nursery, [("127.0.0.1", port)], BETO)
        assert "turned away" in caplog.text
        link = await dial(nursery, [("::1", port)], BETO)
        await link.aclose()
        for stream in crowd:
            await stream.aclose()
        with trio.fail_after(30):
            while not await probe(("127.0.0.1", port)):
                pass


async def test_ports() -> None:
    async with server() as (_, port):
        with pytest.raises(PortInUse, match=str(port)) as caught:
            await listen(port, LOOPBACK)
        assert caught.value.exit_code == 3
        with pytest.raises(PortInUse):
            await listen(port, LOOPBACK[1:])
    listeners = await listen(port, LOOPBACK)
    assert {listener.socket.getsockname()[1] for listener in listeners} == {port}
    for listener in listeners:
        await listener.aclose()
    with pytest.raises(CannotListen, match="assign"):
        await listen(0, ["192.0.2.77"])


async def test_missing_address_family_is_no_error() -> None:
    listeners = await listen(0, ["127.0.0.1", "2001:db8::77"])
    assert len(listeners) == 1
    await listeners[0].aclose()


async def test_cancelled_dial_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.link.SILENCE", 1000.0)  # a forgotten one would not end by itself
    live: list[Link] = []

    async def remember(link: Link) -> None:
        live.append(link)
        try:
            await link.receive()
        finally:
            live.remove(link)

    async with server(handler=remember) as (nursery, port):
        for step in range(12):
            with trio.move_on_after(step * 0.0005):
                link = await dial(nursery, [("127.0.0.1", port), ("::1", port)], BETO)
                await link.aclose()
        with trio.fail_after(30):
            while live:
                await probe(("127.0.0.1", port))


async def test_two_servers_and_many_links_at_once() -> None:
    async with server() as (nursery, port):
        received = []

        async def one(number: int) -> None:
            identity = Identity(bytes([number]) * 32)
            link = await dial(nursery, [("127.0.0.1", port), ("::1", port)], identity, expected=ANA.public)
            link.send({"n": number})
            received.append(await link.receive() == {"n": number, "from": identity.public})
            await link.aclose()

        async with trio.open_nursery() as callers:
            for number in range(1, 8):
                callers.start_soon(one, number)
    assert received == [True] * 7
