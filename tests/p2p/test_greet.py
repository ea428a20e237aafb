"""Handshakes over real TLS in memory: who gets a link, and who does not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from p2p.certificate import client_context, server_context
from p2p.errors import NotWelcome, VersionMismatch, WrongPeer
from p2p.greet import answer, call
from p2p.link import Frames, Link, LinkClosed
from protocol import codec, handshake, limits
from protocol.errors import Malformed, ProtocolError, Refused
from protocol.framing import frame
from protocol.hashing import PROTOCOL
from protocol.identity import Identity, fingerprint

pytestmark = pytest.mark.trio

ANA = Identity(bytes(range(32)))
BETO = Identity(bytes(32))
CARO = Identity(b"c" * 32)

Outcome = Link | Exception


async def outcome(run: Callable[[], Awaitable[Link]], close: trio.abc.Stream) -> Outcome:
    """What comes of one side; a failing one hangs up, as transport does."""
    try:
        with trio.fail_after(30):
            return await run()
    except Exception as error:  # noqa: BLE001 - the tests look at it
        await trio.aclose_forcefully(close)
        return error


async def meet(dialler: Identity, server: Identity, expected: bytes | str | None = None) -> tuple[Outcome, Outcome]:
    """Both sides' outcomes: the dialler's, the server's."""
    near, far = memory_stream_pair()
    results: dict[str, Outcome] = {}

    async def dial() -> None:
        results["dialler"] = await outcome(partial(call, near, dialler, expected, "there"), near)

    async def serve() -> None:
        results["server"] = await outcome(partial(answer, far, server, server_context(server), "here"), far)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(dial)
        nursery.start_soon(serve)
    return results["dialler"], results["server"]


async def test_both_know_each_other_and_the_channel() -> None:
    near, far = await meet(BETO, ANA, ANA.public)
    assert isinstance(near, Link)
    assert isinstance(far, Link)
    assert (near.peer, far.peer) == (ANA.public, BETO.public)
    assert (near.dialled, far.dialled) == (True, False)
    assert near.binding == far.binding
    assert len(near.binding) == 32


async def test_link_carries_large_messages_after_the_handshake(autojump_clock: MockClock) -> None:
    near, far = await meet(BETO, ANA)
    assert isinstance(near, Link)
    assert isinstance(far, Link)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.run)
        nursery.start_soon(far.run)
        near.send({"x": bytes(250_000)})
        far.send({"y": bytes(250_000)})
        assert await far.receive() == {"x": bytes(250_000)}
        assert await near.receive() == {"y": bytes(250_000)}
        await near.aclose()
        with pytest.raises(LinkClosed, match="left"):
            await far.receive()


async def test_wrong_identity_is_refused_before_anything_is_said() -> None:
    for expected in (CARO.public, fingerprint(CARO.public), b"", ""):
        near, far = await meet(BETO, ANA, expected)
        assert isinstance(near, WrongPeer)
        assert fingerprint(ANA.public) in str(near)
        assert isinstance(far, LinkClosed | trio.BrokenResourceError)
    near, _ = await meet(BETO, ANA, fingerprint(ANA.public))
    assert isinstance(near, Link)


async def test_oneself_is_nobody_to_link_to() -> None:
    near, _ = await meet(ANA, ANA)
    assert isinstance(near, WrongPeer)
    assert "itself" in str(near)


async def relay(far: trio.abc.Stream, near: trio.abc.Stream, own: Identity) -> None:
    """A man in the middle: server to the dialler, with a certificate of his own; client to the server."""
    for stream, other in ((near, far), (far, near)):  # hellos, in the clear
        await other.send_all(await stream.receive_some())
    victim = trio.SSLStream(near, server_context(own), server_side=True)
    target = trio.SSLStream(far, client_context())

    async def pump(source: trio.abc.Stream, sink: trio.abc.Stream) -> None:
        try:
            while data := await source.receive_some():
                await sink.send_all(data)
            await sink.aclose()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass

    async with trio.open_nursery() as nursery:
        nursery.start_soon(victim.do_handshake)
        nursery.start_soon(target.do_handshake)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pump, victim, target)
        nursery.start_soon(pump, target, victim)


@pytest.mark.parametrize("expected", [None, "the relay"])
async def test_relay_with_its_own_certificate_is_refused(expected: str | None, autojump_clock: MockClock) -> None:
    # The dialler does not know whom to expect, or was even talked into expecting the relay: the server finds out.
    near, near_relay = memory_stream_pair()
    far_relay, far = memory_stream_pair()
    results: list[Outcome] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(relay, far_relay, near_relay, CARO)

        async def serve() -> None:
            results.append(await outcome(partial(answer, far, ANA, server_context(ANA), "here"), far))

        nursery.start_soon(serve)
        dialled = await outcome(partial(call, near, BETO, CARO.public if expected else None, "there"), near)
    assert isinstance(results[0], Refused)
    assert "relay" in str(results[0])
    assert isinstance(dialled, NotWelcome)


async def test_relay_is_noticed_by_a_dialler_that_knows_whom_it_expects(autojump_clock: MockClock) -> None:
    near, near_relay = memory_stream_pair()
    far_relay, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(relay, far_relay, near_relay, CARO)
        nursery.start_soon(outcome, partial(answer, far, ANA, server_context(ANA), "here"), far)
        dialled = await outcome(partial(call, near, BETO, ANA.public, "there"), near)
    assert isinstance(dialled, WrongPeer)


async def test_proof_taken_from_another_link_is_refused() -> None:
    near, far = memory_stream_pair()

    async def replay() -> None:
        frames = Frames(near)
        await frames.send(handshake.hello("0"))
        await frames.receive()
        tls = trio.SSLStream(near, client_context())
        await tls.do_handshake()
        frames = Frames(tls)
        await frames.receive()
        await frames.send(handshake.prove(handshake.challenge(bytes(32)), BETO, tls.getpeercert(binary_form=True)))
        with pytest.raises(Refused):
            handshake.read_verdict(await frames.receive())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(replay)
        result = await outcome(partial(answer, far, ANA, server_context(ANA), ""), far)
    assert isinstance(result, Refused)


async def other_version(stream: trio.abc.Stream, *, first: bool) -> handshake.Hello:
    """A program of the next version says hello; what it hears."""
    frames = Frames(stream)
    theirs = codec.encode({"protocol": "p2pgame", "version": PROTOCOL + 1, "program": "9.9", "news": True})
    if first:
        await frames.send(theirs)
    heard = handshake.read_hello(await frames.receive())
    if not first:
        await frames.send(theirs)
    return heard


async def test_other_version_calls_and_is_answered_with_both_versions_in_words() -> None:
    near, far = memory_stream_pair()
    heard: list[handshake.Hello] = []

    async def caller() -> None:
        heard.append(await other_version(near, first=True))
        assert await near.receive_some() == b""

    async with trio.open_nursery() as nursery:
        nursery.start_soon(caller)
        result = await outcome(partial(answer, far, ANA, server_context(ANA), ""), far)
    assert isinstance(result, VersionMismatch)
    assert f"protocol {PROTOCOL} " in heard[0].words
    assert f"{PROTOCOL + 1} (program 9.9)" in heard[0].words


async def test_other_version_is_called() -> None:
    near, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: other_version(far, first=False))
        result = await outcome(partial(call, near, BETO, None, "there"), near)
    assert isinstance(result, VersionMismatch)
    assert (result.values["ours"], result.values["theirs"]) == (PROTOCOL, PROTOCOL + 1)


HELLO = frame(handshake.hello("0"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS without a hello before it
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        (limits.HANDSHAKE_BYTES + 1).to_bytes(4, "big"),
        frame(b""),
        frame(b"\x80"),
        HELLO + b"x",
        HELLO[:-1],
    ],
)
async def test_stranger_who_says_something_else_gets_no_link(data: bytes) -> None:
    for server in (True, False):
        near, far = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(near.send_all, data)
            await trio.testing.wait_all_tasks_blocked()
            await near.send_stream.aclose()
            side = partial(answer, far, ANA, server_context(ANA), "") if server else partial(call, far, ANA, None, "")
            result = await outcome(side, far)
        assert isinstance(result, ProtocolError | LinkClosed)


async def test_garbage_in_place_of_tls_gets_no_link() -> None:
    near, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:

        async def garbage() -> None:
            frames = Frames(near)
            await frames.send(handshake.hello("0"))
            await frames.receive()
            await near.send_all(b"garbage" * 100)

        nursery.start_soon(garbage)
        result = await outcome(partial(answer, far, ANA, server_context(ANA), ""), far)
    assert isinstance(result, trio.BrokenResourceError)


async def test_bytes_smuggled_in_before_tls_are_refused() -> None:
    near, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.send_all, HELLO + frame(b"\x80"))
        result = await outcome(partial(answer, far, ANA, server_context(ANA), ""), far)
    assert isinstance(result, Malformed)
