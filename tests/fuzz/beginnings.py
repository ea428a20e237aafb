"""Real bytes for each harness of targets.py to begin with.

For: the fuzzers. Never: bytes that no honest program would make.
"""

from __future__ import annotations

from typing import Any

from engines import registry
from p2p import announcement
from protocol import codec, framing, handshake, messages, transcript

from .real import CERTIFICATE, FOE, GUEST, HOST, NONCE, joined, moments, recorded, ring


def spoken() -> list[dict[str, Any]]:
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


def all_values() -> list[bytes]:
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
    return [*map(codec.encode, some), *map(codec.encode, spoken()), recorded()[0].data]


def all_pieces(maximum: int = 2000) -> list[dict[str, Any]]:
    """What the foe has said, first of each kind."""
    kinds: dict[tuple[str, int], dict[str, Any]] = {}
    for one in recorded():
        if one.seat == FOE and len(one.data) < maximum:
            kinds.setdefault((one.kind, one.round), {"kind": one.kind, "body": one.body})
    return list(kinds.values())


def all_hellos() -> list[bytes]:
    proof = handshake.prove(handshake.challenge(NONCE), GUEST, CERTIFICATE)
    return [
        b"\0" + handshake.hello("p2pgame 1"),
        b"\0" + codec.encode({"protocol": "p2pgame", "version": 9, "more": [1]}),
        b"\1" + handshake.challenge(NONCE),
        b"\2" + proof,
        b"\3" + handshake.verdict("no"),
    ]


def all_contracts() -> list[bytes]:
    games = [{"game": game, "options": registry.options(game, 2, {})} for game in registry.GAMES]
    return [b"\0" + ring().contract.data, b"\1" + codec.encode({}), *(b"\1" + codec.encode(one) for one in games)]


def all_files() -> list[bytes]:
    whole = ring().tables[0].file()
    short = framing.records(whole).payloads
    header, opening = short[0], list(short[1:7])
    seeds, last = short[-1], [transcript.item(recorded()[0].data)]
    evidence = [transcript.fault(recorded()[1].data), transcript.fork(recorded()[0].data, recorded()[1].data)]
    end = [b"\3" + joined([seeds]), b"\3" + joined(evidence[:1]), b"\3" + joined(evidence[1:])]
    made = [bytes([3 + at]) + joined([codec.encode(piece)]) for piece in all_pieces() for at in range(len(moments()))]
    return [
        b"\0" + transcript.write([header, *opening]),
        b"\1" + joined([header, *opening]),
        b"\2" + joined([*last, *evidence]),
        b"\2" + joined([*opening, seeds]),
        *end,
        *made[::7],
    ]


def all_sessions() -> list[bytes]:
    made = [
        bytes([at, 1]) + joined([codec.encode(piece)])
        for at in range(len(moments()))
        for piece in all_pieces()
        if recorded()[moments()[at]].kind == piece["kind"]
    ]
    odd: list[dict[str, Any]] = [
        {"seat": FOE, "seed": ring().masters[FOE]},
        {"body": {"act": 0, "picks": [0, 1]}},
        {"step": 9, "prev": b""},
    ]
    made += [bytes([at, 1]) + joined([codec.encode(one) for one in odd]) for at in range(len(moments()))]
    return [*made, *(bytes([at, 0]) + recorded()[moments()[at]].data for at in range(len(moments())))]


def all_texts() -> list[bytes]:
    one = announcement.Announcement("Attic", "maamut", 1, 3, False, "ABCD-EFGH-IJKL-MNOP", bytes(16), 4000)
    return [b"\x7f" + announcement.write_text(one), b"\x01" + announcement.write_text(one), b"\0p2p-0123456789ab"]


def all_wires() -> list[bytes]:
    said = [codec.encode(one) for one in spoken()]
    return [
        b"\xff" + b"".join(map(framing.frame, said)),
        b"\x01" + framing.frame(b"") * 3 + framing.frame(codec.encode("bye")),
        b"\x09" + framing.frame(codec.encode({})) * 40,
    ]


def all_lobbies() -> list[bytes]:
    said = {one["t"]: one for one in spoken()}
    guest = [said["seats"], said["draw"], said["contract"], said["begin"]]
    host = [said["join"], {**said["fresh"], "attempt": 1}, said["sign"]]
    packed = [joined([codec.encode(one) for one in talk]) for talk in (host, guest, [*said.values()])]
    return [bytes([side]) + talk for side in (0, 1) for talk in packed]
