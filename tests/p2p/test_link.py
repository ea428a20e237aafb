"""Links over streams in memory, with a clock that jumps: heartbeats, silence, byes, slow readers, garbage."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MemoryReceiveStream, MemorySendStream, MockClock, memory_stream_pair

from p2p.link import GRACE, HEARTBEAT, SILENCE, Frames, Link, LinkClosed
from protocol import codec, limits
from protocol.errors import Misuse
from protocol.framing import frame

pytestmark = pytest.mark.trio

Stream = trio.StapledStream[MemorySendStream, MemoryReceiveStream]


@asynccontextmanager
async def pair() -> AsyncIterator[tuple[Link, Link]]:
    """Two ends of one link, both running."""
    left, right = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        a, b = Link(Frames(left), b"b" * 32, where="b"), Link(Frames(right), b"a" * 32, where="a")
        nursery.start_soon(a.run)
        nursery.start_soon(b.run)
        yield a, b
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def against_bytes() -> AsyncIterator[tuple[Link, Stream]]:
    """A running link, and the bare stream at its other end."""
    left, right = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        link = Link(Frames(left), b"p" * 32)
        nursery.start_soon(link.run)
        yield link, right
        nursery.cancel_scope.cancel()


async def test_messages_come_in_order_both_ways(autojump_clock: MockClock) -> None:
    async with pair() as (a, b):
        for number in range(100):
            a.send({"n": number})
            b.send({"m": number})
        assert [await b.receive() for _ in range(100)] == [{"n": number} for number in range(100)]
        assert [await a.receive() for _ in range(100)] == [{"m": number} for number in range(100)]


async def test_idle_link_lives(autojump_clock: MockClock) -> None:
    async with pair() as (a, b):
        await trio.sleep(1000)
        assert a.closed is None
        a.send({"still": "here"})
        assert await b.receive() == {"still": "here"}


async def test_bye_tells_leaving_from_losing(autojump_clock: MockClock) -> None:
    async with pair() as (a, b):
        a.send({"last": 1})
        start = trio.current_time()
        await a.aclose("good night")
        assert trio.current_time() == start
        assert await b.receive() == {"last": 1}
        with pytest.raises(LinkClosed, match="left: good night") as caught:
            await b.receive()
        assert caught.value.left
        with pytest.raises(LinkClosed, match="closed here"):
            await a.receive()
        for link in (a, b):
            with pytest.raises(LinkClosed):
                link.send({})


async def test_both_say_bye_at_once(autojump_clock: MockClock) -> None:
    async with pair() as (a, b), trio.open_nursery() as nursery:
        nursery.start_soon(a.aclose)
        nursery.start_soon(b.aclose)
    assert a.closed
    assert b.closed


async def test_lost_connection_is_not_a_bye(autojump_clock: MockClock) -> None:
    async with against_bytes() as (link, stream):
        await stream.aclose()
        with pytest.raises(LinkClosed, match="without a bye") as caught:
            await link.receive()
        assert not caught.value.left


async def test_silent_peer_is_noticed_within_four_seconds(autojump_clock: MockClock) -> None:
    async with against_bytes() as (link, _):
        start = trio.current_time()
        with pytest.raises(LinkClosed, match="silent for 4 s"):
            await link.receive()
        assert trio.current_time() - start == SILENCE == 4


async def test_heartbeat_every_second_and_any_byte_counts_as_life(autojump_clock: MockClock) -> None:
    async with against_bytes() as (link, stream):
        for byte in frame(codec.encode({"slow": "message"})):
            await trio.sleep(3)
            await stream.send_all(bytes([byte]))
        assert await link.receive() == {"slow": "message"}
        seconds = trio.current_time()
        beats = await stream.receive_some()
        assert beats == bytes(4) * round(seconds / HEARTBEAT)


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        (limits.FRAME_BYTES + 1).to_bytes(4, "big"),
        frame(b"\xc1"),
        frame(codec.encode(7)),
        frame(codec.encode([])),
        frame(codec.encode(None)),
        frame(codec.encode({}) + b"x"),
    ],
)
async def test_what_is_no_message_ends_the_link_with_a_reason(data: bytes, autojump_clock: MockClock) -> None:
    async with against_bytes() as (link, stream):
        await stream.send_all(frame(codec.encode({"before": 1})) + frame(b""))
        assert await link.receive() == {"before": 1}
        await stream.send_all(data)
        with pytest.raises(LinkClosed, match="sent what is no message"):
            await link.receive()


async def test_oversized_frame_is_refused_before_its_payload_comes(autojump_clock: MockClock) -> None:
    async with against_bytes() as (link, stream):
        await stream.send_all(b"\x7f")
        await stream.send_all(b"\xff\xff\xff")
        start = trio.current_time()
        with pytest.raises(LinkClosed, match="no message"):
            await link.receive()
        assert trio.current_time() == start


async def test_slow_reader_is_dropped_at_the_cap(autojump_clock: MockClock) -> None:
    left, right = memory_stream_pair()

    async def stuck() -> None:
        await trio.sleep_forever()

    left.send_stream.send_all_hook = stuck
    async with trio.open_nursery() as nursery:
        link = Link(Frames(left), b"p" * 32)
        nursery.start_soon(link.run)
        big = {"x": bytes(200_000)}
        for _ in range(limits.LINK_QUEUE_BYTES // len(codec.encode(big))):
            link.send(big)
            await right.send_all(frame(b""))
            await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(LinkClosed, match="reads too slowly"):
            link.send(big)
        with pytest.raises(LinkClosed, match="too slowly"):
            await link.receive()


async def test_slow_application_stalls_the_peer_but_is_not_taken_for_dead(autojump_clock: MockClock) -> None:
    async with pair() as (a, b):
        for number in range(limits.LINK_INBOX * 3):
            a.send({"n": number})
        await trio.sleep(60)
        assert [(await b.receive())["n"] for _ in range(limits.LINK_INBOX * 3)] == list(range(limits.LINK_INBOX * 3))
        assert a.closed is None


async def test_close_does_not_wait_for_a_peer_that_hangs(autojump_clock: MockClock) -> None:
    left, right = memory_stream_pair()
    left.send_stream.send_all_hook = trio.sleep_forever
    async with trio.open_nursery() as nursery:
        link = Link(Frames(left), b"p" * 32)
        nursery.start_soon(link.run)
        await trio.testing.wait_all_tasks_blocked()
        link.send({"never": "arrives"})
        await right.send_all(frame(b""))
        start = trio.current_time()
        await link.aclose()
        assert trio.current_time() - start <= 3 * GRACE


async def test_cancelled_link_is_closed_and_not_reused(autojump_clock: MockClock) -> None:
    left, right = memory_stream_pair()
    link = Link(Frames(left), b"p" * 32)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    with pytest.raises(LinkClosed):
        link.send({})
    with pytest.raises(trio.ClosedResourceError):
        await left.send_all(b"x")
    assert await right.receive_some() == b""


async def test_last_messages_and_bye_are_read_though_writing_fails(autojump_clock: MockClock) -> None:
    async with against_bytes() as (link, stream):
        for number in range(limits.LINK_INBOX * 2):
            await stream.send_all(frame(codec.encode({"n": number})))
        await stream.send_all(frame(codec.encode("done")))
        await stream.aclose()  # so our heartbeats break
        await trio.sleep(10)
        assert [(await link.receive())["n"] for _ in range(limits.LINK_INBOX * 2)] == list(range(limits.LINK_INBOX * 2))
        with pytest.raises(LinkClosed) as caught:
            await link.receive()
        assert caught.value.left


async def test_only_maps_of_a_frames_size_are_messages() -> None:
    link = Link(Frames(memory_stream_pair()[0]), b"p" * 32)
    for bad in ("text", None, [1], {"x": bytes(limits.FRAME_BYTES)}, {"x": 1.5}):
        with pytest.raises(Misuse):
            link.send(bad)  # type: ignore[arg-type]
