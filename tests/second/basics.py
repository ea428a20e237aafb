"""What the second verifier computes with: sections 2 to 6, and records, of docs/protocol.md."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache, reduce
from typing import Any, NamedTuple

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from nacl import bindings as sodium

Q = 2**252 + 27742317777372353535851937790883648493
G, ZERO = bytes.fromhex("58" + "66" * 31), b"\x01" + bytes(31)
Body = dict[str, Any]
Points = Sequence[bytes]
Field = bytes | str | int


class Unsound(Exception):
    """The file is not the record of a whole, honest game; `str(error)` says why."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise Unsound(why)


# 2. Canonical encoding


def plain(value: Any, level: int = 0) -> Any:
    need(level <= 8 and (value is None or isinstance(value, bool | int | bytes | str | list | dict)), "no such value")
    if isinstance(value, dict):
        need(len(value) <= 8192 and all(isinstance(key, str) for key in value), "not a map that may be sent")
        return {plain(key, level + 1): plain(value[key], level + 1) for key in sorted(value, key=str.encode)}
    if isinstance(value, list):
        need(len(value) <= 8192, "a list too long")
        return [plain(one, level + 1) for one in value]
    need(not isinstance(value, str) or len(value.encode()) <= 4096, "a text too long")
    return value


def encode(value: Any) -> bytes:
    return bytes(msgpack.packb(plain(value)))


def decode(data: bytes) -> Any:
    try:
        value = msgpack.unpackb(data)
    except (ValueError, TypeError) as error:
        raise Unsound("not msgpack") from error
    need(len(data) <= 262144 and encode(value) == data, "not the canonical encoding")
    return value


def shape(given: Any, /, **kinds: type | int) -> Body:
    """A map with these keys, each of that type; a number is that many bytes."""
    need(isinstance(given, dict) and given.keys() == kinds.keys(), "other fields than due")
    for key, kind in kinds.items():
        one, size = given[key], kind if isinstance(kind, int) else None
        need(type(one) is (kind if size is None else bytes), f"{key} is of another kind than due")
        need(size is None or len(one) == size, f"{key} is longer or shorter than due")
    return dict(given)


# 3. Hashing


def field(value: Field, tag: str = "") -> bytes:
    if isinstance(value, int):
        tag, content = "i", value.to_bytes(8, "big")
    else:
        tag, content = (tag or "s", value.encode()) if isinstance(value, str) else ("b", value)
    return tag.encode() + len(content).to_bytes(4, "big") + content


def fields(values: Sequence[Field]) -> bytes:
    return b"".join(field(value) for value in values)


def digest(use: str, *values: Field, size: int = 64, key: bytes = b"") -> bytes:
    return hashlib.blake2b(fields(values), digest_size=size, key=key, person=use.encode()).digest()


def scalar(wide: bytes) -> int:
    return int.from_bytes(wide, "little") % Q


# 4. The group


def mul(k: int, point: bytes) -> bytes:
    zero = not k % Q or point == ZERO
    return ZERO if zero else sodium.crypto_scalarmult_ed25519_noclamp((k % Q).to_bytes(32, "little"), point)


def add(*points: bytes) -> bytes:
    return reduce(sodium.crypto_core_ed25519_add, points, ZERO)


def sub(one: bytes, other: bytes) -> bytes:
    return sodium.crypto_core_ed25519_sub(one, other)


def dot(scalars: Sequence[int], points: Points) -> bytes:
    return add(*(mul(k, point) for k, point in zip(scalars, points, strict=True)))


@cache
def generator(family: str, index: int) -> bytes:
    return sodium.crypto_core_ed25519_from_uniform(digest("p2pgame points", 1, family, index, size=32))


def cut(data: bytes) -> list[bytes]:
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def gate(data: bytes) -> list[bytes]:
    need(all(map(sodium.crypto_core_ed25519_is_valid_point, cut(data))), "a point that the gate refuses")
    return cut(data)


def numbers(data: bytes) -> list[int]:
    found = [int.from_bytes(one, "little") for one in cut(data)]
    need(all(one < Q for one in found), "a scalar that is not below q")
    return found


def packed(*scalars: int) -> bytes:
    return b"".join((one % Q).to_bytes(32, "little") for one in scalars)


def commitment(n: int) -> tuple[int, int]:
    """13. Rows of a list of n scalars, and scalars in a row."""
    rows = 1
    while 5 * rows * (rows + 1) < n:
        rows += 1
    return rows, (n + rows - 1) // rows


# 5. Transcripts


class Place(NamedTuple):
    table: bytes
    prev: bytes
    step: int
    round: int
    seat: int


class Said:
    def __init__(self, at: Place, what: str) -> None:
        self.hash = hashlib.blake2b(fields((1, *at, what)), person=b"p2pgame proof")

    def absorb(self, label: str, *values: bytes | int) -> None:
        self.hash.update(field(label, "l") + field(len(values)) + fields(values))

    def challenges(self, label: str, count: int) -> list[int]:
        self.hash.update(field(label, "c") + field(count))
        copies = [self.hash.copy() for _ in range(count)]
        for number, one in enumerate(copies):
            one.update(field(number))
        return [scalar(one.digest()) for one in copies]


# 6. Signatures


def signed(key: bytes, context: str, data: bytes, signature: bytes) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(*gate(key)).verify(signature, f"p2pgame/1 {context}\0".encode() + data)
    except InvalidSignature as error:
        raise Unsound(f"a signature of a {context} does not hold") from error


# 16. Files


def split(data: bytes) -> tuple[list[Any], int]:
    """The records, and where the last begins."""
    found, at, before = list[Any](), 0, 0
    while at < len(data):
        length, before = data[at : at + 4], at
        end = at + 24 + int.from_bytes(length, "big")
        payload = data[at + 24 : end]
        check = hashlib.blake2b(length, digest_size=4, person=b"p2pgame length").digest()
        tag = hashlib.blake2b(length + payload, digest_size=16, person=b"p2pgame record").digest()
        need(end <= len(data) and data[at : at + 24] == length + check + tag, "a record that is not whole")
        found.append(decode(payload))
        at = end
    need(len(found) > 1, "no records")
    return found, before
