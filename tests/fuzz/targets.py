"""What is fuzzed: one harness for each place where foreign bytes come in, and real bytes to begin with.

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
from functools import cache
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
from protocol.contribution import Contribution
from protocol.effects import Job
from protocol.errors import ProtocolError
from protocol.identity import Identity
from protocol.secrets import Secrets
from tests.cheats.cheat import shortly
from tests.p2p.ring import Ring

FOE = 1
"""The seat whose identity the fuzzer has. Nobody else may ever be named."""
HOST, GUEST = Identity(b"h" * 32), Identity(b"g" * 32)
NONCE, CERTIFICATE = b"n" * 32, b"certificate"


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


# -- the real thing ----------------------------------------------------------------------------------------------------


@cache
def ring() -> Ring:
    """A short whole game."""
    made = Ring("maamut", 2, seed=77, fifo=True)
    made.decide = shortly
    made.play()
    assert made.complete == {0, 1}
    return made


@cache
def recorded() -> tuple[Contribution, ...]:
    """What was signed in it."""
    return tuple(ring().tables[0].session.since(0))


@cache
def moments() -> tuple[int, ...]:
    """How many contributions stand before the first of each kind, and round, that is due of the foe."""
    found: dict[tuple[str, int], int] = {}
    for at, item in enumerate(recorded()):
        if item.seat == FOE:
            first = next(i for i, other in enumerate(recorded()) if other.place == item.place)
            found.setdefault((item.kind, item.round), first if at else 0)
    return tuple(found.values())


def attempt(job: Job) -> Any:
    """Do a job as a peer does."""
    try:
        return job.run()
    except ProtocolError as error:
        return error


def table(moment: int) -> Table:
    """The table as seat 0 has it in this moment."""
    secrets = Secrets(ring().masters[0], ring().contract.table, 0)
    made = Table(ring().contract, ring().signatures, seat=0, identity=ring().identities[0], secrets=secrets, mute=True)
    for item in recorded()[: moments()[moment % len(moments())]]:
        made.receive(item.data, item)
        for effect in made.take():
            if isinstance(effect, Job):
                made.done(effect.id, None)
    return made


def unpacked(data: bytes) -> Any:
    """The value in some bytes, or None."""
    with suppress(ProtocolError):
        return codec.decode(data)
    return None


def signed(value: Any, place: tuple[int, int], kind: str, prev: bytes) -> bytes:
    """A contribution of the foe, made of the fields in a value; what it lacks is as it is due."""
    given = value if isinstance(value, dict) else {}
    fields: dict[str, Any] = {
        "table": ring().contract.table,
        "step": place[0],
        "round": place[1],
        "seat": FOE,
        "kind": kind,
        "body": {},
        "prev": prev,
        **given,
    }
    fields.pop("sig", None)
    context = "closing" if fields["kind"] == contribution.CLOSING else "contribution"
    with suppress(RuntimeError):  # it cannot travel: too deep or too large
        return codec.encode({**fields, "sig": ring().identities[FOE].sign(context, codec.encode(fields))})
    return b""


def cut(data: bytes) -> list[bytes]:
    """Pieces of some bytes, each behind its length in two bytes, or as many as there are."""
    pieces = []
    while data:
        end = 2 + int.from_bytes(data[:2], "big")
        pieces.append(data[2:end])
        data = data[end:]
    return pieces


def joined(pieces: list[bytes]) -> bytes:
    """The other way round."""
    return b"".join(len(piece).to_bytes(2, "big") + piece for piece in pieces)


# -- harnesses ---------------------------------------------------------------------------------------------------------


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


# -- where it begins ---------------------------------------------------------------------------------------------------


def _said() -> list[dict[str, Any]]:
    example: dict[type, Any] = {int: 7, bytes: b"x" * 32, str: "x", list: [], dict: {}, bool: True}
    entries = [{"name": "Ana", "key": HOST.public}, {"name": "Bea", "key": GUEST.public}]
    options = registry.options("maamut", 2, {})
    return [
        *({"t": kind, **{key: example[of] for key, of in shape.items()}} for kind, shape in messages.SHAPES.items()),
        {"t": "join", "name": "Bea", "addresses": [["10.0.0.2", 4000], ["fe80::1%eth0", 1]]},
        {"t": "have", "rounds": 3, "prev": bytes(32), "got": [0, 1]},
        {"t": "seats", "label": "x", "game": "maamut", "options": options, "players": 2, "seats": entries},
        {"t": "item", "data": recorded()[0].data},
        {"t": "contract"},
    ]


def _values() -> list[bytes]:
    some: list[Any] = [
        None,
        True,
        -5,
        2**64 - 1,
        b"x" * 300,
        "ä" * 40,
        [[], {}, [1, [2, [3]]]],
        {"a": {"b": [b"", ""]}, "c": 0},
    ]
    return [*map(codec.encode, some), *map(codec.encode, _said()), recorded()[0].data]


def _pieces(maximum: int = 2000) -> list[dict[str, Any]]:
    """What the foe has said, first of each kind."""
    kinds: dict[tuple[str, int], dict[str, Any]] = {}
    for one in recorded():
        if one.seat == FOE and len(one.data) < maximum:
            kinds.setdefault((one.kind, one.round), {"kind": one.kind, "body": one.body})
    return list(kinds.values())


def _hellos() -> list[bytes]:
    proof = handshake.prove(handshake.challenge(NONCE), GUEST, CERTIFICATE)
    return [
        b"\0" + handshake.hello("p2pgame 1"),
        b"\0" + codec.encode({"protocol": "p2pgame", "version": 9, "more": [1]}),
        b"\1" + handshake.challenge(NONCE),
        b"\2" + proof,
        b"\3" + handshake.verdict("no"),
    ]


def _contracts() -> list[bytes]:
    games = [{"game": game, "options": registry.options(game, 2, {})} for game in registry.GAMES]
    return [b"\0" + ring().contract.data, b"\1" + codec.encode({}), *(b"\1" + codec.encode(one) for one in games)]


def _files() -> list[bytes]:
    whole = ring().tables[0].file()
    short = framing.records(whole).payloads
    header, opening = short[0], list(short[1:7])
    seeds, last = short[-1], [transcript.item(recorded()[0].data)]
    evidence = [transcript.fault(recorded()[1].data), transcript.fork(recorded()[0].data, recorded()[1].data)]
    end = [b"\3" + joined([seeds]), b"\3" + joined(evidence[:1]), b"\3" + joined(evidence[1:])]
    made = [bytes([3 + at]) + joined([codec.encode(piece)]) for piece in _pieces() for at in range(len(moments()))]
    return [
        b"\0" + transcript.write([header, *opening]),
        b"\1" + joined([header, *opening]),
        b"\2" + joined([*last, *evidence]),
        b"\2" + joined([*opening, seeds]),
        *end,
        *made[::7],
    ]


def _sessions() -> list[bytes]:
    made = [
        bytes([at, 1]) + joined([codec.encode(piece)])
        for at in range(len(moments()))
        for piece in _pieces()
        if recorded()[moments()[at]].kind == piece["kind"]
    ]
    odd: list[dict[str, Any]] = [
        {"seat": FOE, "seed": ring().masters[FOE]},
        {"body": {"act": 0, "picks": [0, 1]}},
        {"step": 9, "prev": b""},
    ]
    made += [bytes([at, 1]) + joined([codec.encode(one) for one in odd]) for at in range(len(moments()))]
    return [*made, *(bytes([at, 0]) + recorded()[moments()[at]].data for at in range(len(moments())))]


def _texts() -> list[bytes]:
    one = announcement.Announcement("Attic", "maamut", 1, 3, False, "ABCD-EFGH-IJKL-MNOP", bytes(16), 4000)
    return [b"\x7f" + announcement.write_text(one), b"\x01" + announcement.write_text(one), b"\0p2p-0123456789ab"]


def _wires() -> list[bytes]:
    said = [codec.encode(one) for one in _said()]
    return [
        b"\xff" + b"".join(map(framing.frame, said)),
        b"\x01" + framing.frame(b"") * 3 + framing.frame(codec.encode("bye")),
        b"\x09" + framing.frame(codec.encode({})) * 40,
    ]


def _lobbies() -> list[bytes]:
    said = {one["t"]: one for one in _said()}
    guest = [said["seats"], said["draw"], said["contract"], said["begin"]]
    host = [said["join"], {**said["fresh"], "attempt": 1}, said["sign"]]
    packed = [joined([codec.encode(one) for one in talk]) for talk in (host, guest, [*said.values()])]
    return [bytes([side]) + talk for side in (0, 1) for talk in packed]


TARGETS: dict[str, Target] = {
    "frames": Target(frames, _wires, rounds=150, most=4096),
    "records": Target(records, lambda: [b"\0" + transcript.write([b"a", b""]), b"\1" + joined([b"x", b"yy"])]),
    "values": Target(values, _values),
    "messages": Target(message, lambda: [codec.encode(one) for one in _said()]),
    "hellos": Target(hello, _hellos),
    "contracts": Target(agreement, _contracts, rounds=80),
    "contributions": Target(
        item, lambda: [b"\0" + recorded()[1].data, *(b"\1" + codec.encode(one) for one in _pieces())], rounds=200
    ),
    "transcripts": Target(reading, _files, rounds=100, room=16_000_000),
    "audit": Target(judging, _files, rounds=25, room=64_000_000),
    "sessions": Target(session, _sessions, rounds=50, room=64_000_000),
    "text records": Target(text, _texts),
    "links": Target(wire, _wires, rounds=60),
    "lobbies": Target(waiting, _lobbies, rounds=300),
}
