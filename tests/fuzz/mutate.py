"""Changes to bytes: small ones anywhere, and ones that keep a message a message.

Both kinds matter: a decoder for msgpack refuses nearly everything that was changed at random, and one that is only ever
given well-formed values is not tried at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from protocol import codec
from protocol.errors import Misuse, ProtocolError

NUMBERS = [
    0,
    1,
    2,
    7,
    8,
    9,
    31,
    32,
    33,
    127,
    128,
    255,
    256,
    65535,
    65536,
    2**31,
    2**32 - 1,
    2**63,
    2**64 - 1,
    -1,
    -(2**63),
]
HEADS = [
    b"\xc1",
    b"\xdc\x20\x00",
    b"\xdd\xff\xff\xff\xff",
    b"\xde\x1f\xff",
    b"\xc6\x00\x03\xff\xff",
    b"\x9f",
    b"\x8f",
    b"\xa0",
]
LEAVES: list[Any] = [
    None,
    True,
    False,
    b"",
    b"\0" * 32,
    b"\xff" * 32,
    b"\1" + b"\0" * 31,
    "",
    "t",
    "ask",
    [],
    {},
    [0],
    [[]],
]


def _flip(rng: random.Random, data: bytearray, other: bytes) -> None:
    at = rng.randrange(len(data))
    data[at] ^= 1 << rng.randrange(8)


def _set(rng: random.Random, data: bytearray, other: bytes) -> None:
    data[rng.randrange(len(data))] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])


def _insert(rng: random.Random, data: bytearray, other: bytes) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.choice([rng.randbytes(rng.randrange(1, 9)), rng.choice(HEADS), bytes(rng.randrange(1, 40))])


def _delete(rng: random.Random, data: bytearray, other: bytes) -> None:
    at = rng.randrange(len(data))
    del data[at : at + rng.choice([1, 2, 4, 32, 1 + rng.randrange(len(data))])]


def _double(rng: random.Random, data: bytearray, other: bytes) -> None:
    at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    data[at:at] = data[at:end][:4096] * rng.choice([1, 1, 2, 30])


def _splice(rng: random.Random, data: bytearray, other: bytes) -> None:
    at = rng.randrange(len(data))
    start = rng.randrange(len(other) + 1)
    data[at : at + rng.randrange(1, 40)] = other[start : start + rng.randrange(1, 200)]


def _length(rng: random.Random, data: bytearray, other: bytes) -> None:
    size = rng.choice([1, 2, 4, 8])
    at = rng.randrange(len(data))
    data[at : at + size] = (rng.choice(NUMBERS) % 256**size).to_bytes(size, "big")


STEPS: list[Callable[[random.Random, bytearray, bytes], None]] = [
    _flip,
    _set,
    _insert,
    _delete,
    _double,
    _splice,
    _length,
]


def _other(rng: random.Random, value: Any) -> Any:
    """Something else in the place of this."""
    made: list[Any] = [rng.choice(LEAVES), rng.choice(NUMBERS), rng.randbytes(rng.choice([1, 31, 32, 33, 64])), [value]]
    if isinstance(value, dict) and value:
        gone = rng.choice(sorted(value))
        made += [{key: one for key, one in value.items() if key != gone}, {**value, "x" * rng.randrange(3): 0}] * 2
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        made += [value[:at] + value[at + 1 :], [*value, value[at]], value[::-1], value * 3]
    if isinstance(value, bytes) and value:
        at = rng.randrange(len(value))
        flipped = value[:at] + bytes([value[at] ^ (1 << rng.randrange(8))]) + value[at + 1 :]
        made += [flipped, flipped, value[:-1], value + b"\0", value[32:], value * 2]
    if isinstance(value, int) and not isinstance(value, bool):
        made += [value + 1, value - 1, -value, value * 256]
    if isinstance(value, str):
        made += [value + "\0", value.encode(), "ä" * 33, "x" * 4097, value[1:]]
    return rng.choice(made)


def _within(rng: random.Random, value: Any) -> Any:
    """The value with something else in one place."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        return {**value, key: _within(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], _within(rng, value[at]), *value[at + 1 :]]
    return _other(rng, value)


def _message(rng: random.Random, data: bytes) -> bytes | None:
    """A value at the end of the data, or in one piece behind a length of two bytes, changed as a value."""
    for skip in (0, 1, 2):
        try:
            value = codec.decode(data[skip:])
            return data[:skip] + codec.encode(_within(rng, value))
        except (ProtocolError, Misuse):
            continue
    for skip in (1, 2):
        pieces, rest = [], data[skip:]
        while rest:
            end = 2 + int.from_bytes(rest[:2], "big")
            pieces.append(rest[2:end])
            rest = rest[end:]
        if not pieces:
            continue
        at = rng.randrange(len(pieces))
        try:
            pieces[at] = codec.encode(_within(rng, codec.decode(pieces[at])))
        except (ProtocolError, Misuse):
            continue
        if rng.random() < 0.2:
            pieces.insert(rng.randrange(len(pieces) + 1), rng.choice(pieces))
        return data[:skip] + b"".join(len(piece).to_bytes(2, "big") + piece for piece in pieces if len(piece) < 65536)
    return None


def mutated(rng: random.Random, data: bytes, others: Sequence[bytes], most: int = 65536) -> bytes:
    """The data with some changes, no longer than `most`."""
    if rng.random() < 0.6 and (made := _message(rng, data)) is not None:
        data = made
        if rng.random() < 0.7:
            return data[:most]
    changed = bytearray(data or b"\0")
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        rng.choice(STEPS)(rng, changed, rng.choice(others) if others else b"")
        changed = changed or bytearray(b"\0")
    return bytes(changed[:most])
