"""What is fuzzed: one harness for each place where foreign bytes come in.

For: `python -m tests.fuzz`, and its bounded version in the suite. Never: an assertion that an honest peer could break.

Theory of operation. A harness takes any bytes, and raises for nothing but a bug: what a decoder may say is a value, a
`ProtocolError`, or (for records and files) a tail that is named. Each also asserts what has to hold of a value that
came out: it is encoded as it was read, and no honest seat is ever named.

Random bytes do not get past a signature, a tag or a canonical encoding. Where those stand in the way, the first byte of
the input says who makes them: 0, they are in the input; else the harness puts the rest of the input into a frame, a
record or a signed contribution, as somebody with a seat at the table could.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import trio
from trio.testing import MockClock, memory_stream_pair

from engines import registry
from p2p import announcement, lobby
from p2p.audit import audit as judge
from p2p.door import Rejected
from p2p.link import Frames, Link, LinkClosed
from p2p.table import Table
from protocol import codec, contract, contribution, framing, handshake, limits, messages, shuffle, transcript
from protocol.effects import Job
from protocol.errors import ProtocolError

from . import beginnings
from .real import (
    CERTIFICATE,
    FOE,
    GUEST,
    HOST,
    NONCE,
    attempt,
    cut,
    joined,
    moments,
    recorded,
    ring,
    signed,
    table,
    unpacked,
)


@dataclass(frozen=True)
class Target:
    """One harness. `rounds`: inputs that are tried in the suite; `room`: bytes of memory that one of them may take;
    `most`: their greatest length."""

    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    rounds: int = 400
    room: int = 4_000_000
    most: int = 65536


@contextmanager
def remembering() -> Iterator[None]:
    """A shuffle's proof is checked once for the same bytes at the same place, since many inputs share theirs."""
    held: set[object] = set()
    check = shuffle.check

    def once(context: Any, joint: Any, cards: Any, body: Any, **more: Any) -> None:
        key = (context, joint, tuple(cards), codec.encode(body) if isinstance(body, dict) else b"")
        if key not in held:
            check(context, joint, cards, body, **more)
            held.add(key)

    shuffle.check = once
    try:
        yield
    finally:
        shuffle.check = check


def frames(data: bytes) -> None:
    """A stream in pieces; the first byte is their size."""
    size, stream = 1 + (data[0] if data else 0), data[1:]
    for limit in (limits.HANDSHAKE_BYTES, limits.FRAME_BYTES):
        framer, out = framing.Framer(limit), list[bytes]()
        try:
            for at in range(0, len(stream), size):
                out += framer.receive(stream[at : at + size])
                assert framer.pending < 4 + limit
        except ProtocolError:
            continue
        assert b"".join(map(framing.frame, out)) == stream[: len(stream) - framer.pending]


def records(data: bytes) -> None:
    """A file of records."""
    found = framing.records(data[1:] if data[:1] == b"\0" else transcript.write(cut(data[1:])) + data[-9:])
    assert isinstance(found.tail, framing.Tail)
    whole = transcript.write(found.payloads)
    assert len(whole) == found.sound
    again = framing.records(whole)
    assert (again.payloads, again.tail) == (found.payloads, framing.Tail.WHOLE)


def values(data: bytes) -> None:
    """Canonical msgpack."""
    value = codec.decode(data)
    assert codec.encode(value) == data
    assert codec.repack(value) == data


def message(data: bytes) -> None:
    """A message over a link, and what is looked into next."""
    kind, content = messages.parse(codec.decode(data))
    assert codec.encode({"t": kind, **content}) == data
    for reader, field in ((messages.name, "name"), (messages.addresses, "addresses")):
        if field in content:
            with suppress(ProtocolError):
                reader(content[field])


def hello(data: bytes) -> None:
    """The first frames, one or another."""
    kind, rest = (data[0] % 4 if data else 0), data[1:]
    if kind == 0:
        found = handshake.read_hello(rest)
        assert len(handshake.objection(found, "x")) < 1000
        handshake.hello("x", handshake.objection(found, "x"))
    elif kind == 1:
        handshake.prove(rest, GUEST, CERTIFICATE)
    elif kind == 2:
        assert handshake.check_proof(rest, NONCE, CERTIFICATE) == GUEST.public
    else:
        handshake.read_verdict(rest)


def agreement(data: bytes) -> None:
    """A contract, and the table that it is about."""
    content = data[1:]
    if data[:1] != b"\0":
        given = unpacked(content)
        entries = [{"name": f"P{i}", "key": one.public, "fresh": bytes(32)} for i, one in enumerate((HOST, GUEST))]
        fields: dict[str, Any] = {"protocol": 1, "game": "maamut", "options": {}, "seats": entries, "label": "x"}
        with suppress(RuntimeError):
            content = codec.encode({**fields, **(given if isinstance(given, dict) else {})})
    made = contract.parse(content)
    assert contract.draft(made.game, made.options, made.seats, made.label) == made
    if {seat.key for seat in made.seats} == {HOST.public, GUEST.public}:
        who = {one.public: one for one in (HOST, GUEST)}
        signatures = [made.sign(who[seat.key]) for seat in made.seats]
        with suppress(registry.BadTable):
            Table(made, signatures).take()
        assert judge(transcript.write([transcript.header(made, signatures)])).exit_code in (1, 2)
    made.check_signatures([b""])


def item(data: bytes) -> None:
    """A contribution."""
    content = data[1:] if data[:1] == b"\0" else signed(unpacked(data[1:]), (0, 0), "commit", bytes(32))
    made = contribution.parse(ring().contract, content)
    assert made.data == content
    assert made.seat == FOE or content in {one.data for one in recorded()}


def file(data: bytes) -> bytes:
    """A transcript: as it is, of any records, of changed ones, or with something signed at the end of a real one."""
    kind, rest = (data[0] if data else 0), data[1:]
    if kind == 0:
        return rest
    if kind == 1:
        return transcript.write(cut(rest))
    header = transcript.header(ring().contract, ring().signatures)
    if kind == 2:
        return transcript.write([header, *cut(rest)])
    at = moments()[kind % len(moments())]
    due = recorded()[at]
    items = [transcript.item(one.data) for one in recorded()[:at]]
    kept: list[bytes] = []
    for piece in cut(rest):
        value = unpacked(piece)
        if isinstance(value, dict) and len(value) == 1 and not value.keys() & {"body", "kind", "step", "round", "prev"}:
            kept.append(piece)  # a record of its own
        else:
            kept.append(transcript.item(signed(value, due.place, due.kind, due.prev)))
    return transcript.write([header, *items, *kept])


def reading(data: bytes) -> None:
    """A file, as far as it can be read."""
    whole = file(data)
    found = transcript.read(whole)
    assert len(found.identity) == 32
    assert found.problem or found.items or found.fault or found.fork or found.seeds or found.contract


def judging(data: bytes) -> None:
    """A file, judged."""
    report = judge(file(data))
    assert report.exit_code in (0, 1, 2)
    assert report.exit_code == 0 or report.findings or report.ending
    assert {found.seat for found in report.findings} <= {None, FOE}, report.findings


def session(data: bytes) -> None:
    """What comes to a running table: the first byte says in which moment, the second whose hand has made it."""
    here = table(data[0] if data else 0)
    raw = data[1:2] == b"\0"
    for piece in [data[2:]] if raw else cut(data[2:])[:8]:
        value = unpacked(piece)
        if isinstance(value, dict) and value.keys() == {"seat", "seed"}:
            with suppress(ProtocolError):
                here.receive_seed(value["seat"] if type(value["seat"]) is int else 0, value["seed"])
            continue
        place, prev, kind = here.session.place, here.session.prev, here.ceremony.kind
        with suppress(ProtocolError):
            here.receive(piece if raw else signed(value, place, kind, prev))
        for _ in range(100):
            jobs = [effect for effect in here.take() if isinstance(effect, Job)]
            for job in jobs:
                here.done(job.id, attempt(job))
            if not jobs:
                break
    assert here.ended is None or here.ended.seat in (None, FOE), here.ended
    assert here.session.waiting_for() is not None
    here.file()


def text(data: bytes) -> None:
    """A text record of mDNS; the first byte chooses what else is announced."""
    kind = data[0] if data else 0
    instance = "p2p-0123456789ab" if kind % 8 else data[1:20].decode("latin-1")
    port = 4000 if kind // 8 % 4 else kind * 300
    where = ["10.0.0.1", "fe80::1%eth0", "::", "x", "127.0.0.1", data[1:40].decode("latin-1")]
    found = announcement.read(instance, data[1:], port, where, loopback=bool(kind & 64))
    assert len(found.table_name.encode()) <= limits.NAME_BYTES
    assert 1 <= found.seats <= limits.MAX_SEATS
    assert announcement.read(instance, announcement.write_text(found), port, found.addresses, loopback=True) == found


def wire(data: bytes) -> None:
    """A link's bytes; the first one is the size of the pieces."""
    size, stream = 1 + 4 * (data[0] if data else 0), data[1:]

    async def talk() -> None:
        left, right = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            link = Link(Frames(left), b"p" * 32)
            nursery.start_soon(link.run)

            async def feed() -> None:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    for at in range(0, len(stream), size):
                        await right.send_all(stream[at : at + size])
                    await right.send_stream.aclose()

            nursery.start_soon(feed)
            with suppress(LinkClosed):
                while True:
                    assert isinstance(await link.receive(), dict)
            assert link.closed
            assert link.closed.reason
            nursery.cancel_scope.cancel()

    trio.run(talk, clock=MockClock(autojump_threshold=0))


class Wire:
    """A line that notes what is sent."""

    def __init__(self, peer: bytes) -> None:
        self.peer = peer
        self.sent: list[dict[str, Any]] = []

    def send(self, words: dict[str, Any]) -> None:
        codec.encode(words)
        self.sent.append(words)


def waiting(data: bytes) -> None:
    """Messages in a lobby, at the host's side (the first byte is even) or at a guest's."""
    seen = hashlib.blake2b(data).digest()[:1]  # now and then a table that was seen before
    options = registry.options("maamut", 2, {})
    if not data or data[0] % 2 == 0:
        line: Any = Wire(GUEST.public)
        side: Any = lobby.Host(lobby.Plan("maamut", 2, options, "x"), HOST, "Ana", [])
    else:
        line, side = Wire(HOST.public), lobby.Visitor(GUEST, "Bea", [], lambda table: table[:1] == seen)
        side.greet(line)
    for piece in cut(data[1:])[:16]:
        value = unpacked(piece)
        if isinstance(value, dict) and value.get("t") == "contract" and "contract" not in value and line.sent:
            fresh = next((one["fresh"] for one in reversed(line.sent) if one["t"] == "fresh"), bytes(32))
            seats = [contract.SeatEntry("Ana", HOST.public, bytes(32)), contract.SeatEntry("Bea", GUEST.public, fresh)]
            value["contract"] = contract.draft("maamut", options, seats, "x").data
        try:
            side.receive(line, *messages.parse(value))
        except (ProtocolError, registry.BadTable, Rejected):
            side = side if isinstance(side, lobby.Host) else None
        if side is None:
            return


TARGETS: dict[str, Target] = {
    "frames": Target(frames, beginnings.all_wires, rounds=150, most=4096),
    "records": Target(records, lambda: [b"\0" + transcript.write([b"a", b""]), b"\1" + joined([b"x", b"yy"])]),
    "values": Target(values, beginnings.all_values),
    "messages": Target(message, lambda: [codec.encode(one) for one in beginnings.spoken()]),
    "hellos": Target(hello, beginnings.all_hellos),
    "contracts": Target(agreement, beginnings.all_contracts, rounds=80),
    "contributions": Target(
        item,
        lambda: [b"\0" + recorded()[1].data, *(b"\1" + codec.encode(one) for one in beginnings.all_pieces())],
        rounds=200,
    ),
    "transcripts": Target(reading, beginnings.all_files, rounds=100, room=16_000_000),
    "audit": Target(judging, beginnings.all_files, rounds=25, room=64_000_000),
    "sessions": Target(session, beginnings.all_sessions, rounds=50, room=64_000_000),
    "text records": Target(text, beginnings.all_texts),
    "links": Target(wire, beginnings.all_wires, rounds=60),
    "lobbies": Target(waiting, beginnings.all_lobbies, rounds=300),
}
