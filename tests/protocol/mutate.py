"""Every wrong version of a body that is worth trying, with a name for it.

A shape says of each field what its 32-byte pieces are: "point", "scalar" or "hash"; or that it is a "salt" of 16 bytes,
an "index", a number, or an "order", a byte for each place. A nested map has its own shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import pytest
from nacl.bindings import crypto_core_ed25519_add

from protocol import group
from protocol.ceremony import Body
from protocol.errors import Malformed, Refused

Shape = Mapping[str, "str | Shape"]

SHAPES: dict[str, Shape] = {
    "keys": {"key": "point", "anchor": "hash", "proof": "scalar"},
    "flip": {"value": "hash"},
    "shuffle": {
        "cards": "point",
        "proof": {
            "places": "order",
            "commitments": "point",
            "masked": "point",
            "responses": "scalar",
            "known": {"points": "point", "f": "scalar", "g": "scalar", "z": "scalar"},
        },
        "salt": "salt",
        "first": "index",
    },
    "view 0": {"blinded": "point", "blind": "scalar", "shares": "point", "proof": "scalar"},
    "view 1": {"shares": "point", "proof": "scalar"},
    "open": {"shares": "point", "proof": "scalar"},
    "promise": {"proofs": "scalar"},
}

TORSION = [group.ORDER_8]
while len(TORSION) < 7:
    TORSION.append(crypto_core_ed25519_add(TORSION[-1], group.ORDER_8))
ORDER_2 = TORSION[3]
NON_CANONICAL = (2**255 - 19 + 3).to_bytes(32, "little")


def pieces(kind: str, piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Wrong versions of one 32-byte piece."""
    for at in (0, 31):
        yield f"byte {at} flipped", bytes(byte ^ (1 if index == at else 0) for index, byte in enumerate(piece))
    yield "all zero", bytes(32)
    yield "all ones", b"\xff" * 32
    if kind == "point":
        yield "another point", bytes(group.m(77))
        yield "the base point", bytes(group.G)
        yield "negated", bytes(group.sub(group.IDENTITY, group.Point(piece)))
        yield "the identity", bytes(group.IDENTITY)
        yield "of order two", ORDER_2
        yield "of order eight", group.ORDER_8
        yield "torsion of order two added", crypto_core_ed25519_add(piece, ORDER_2)
        yield "torsion of order eight added", crypto_core_ed25519_add(piece, group.ORDER_8)
        yield "not canonical", NON_CANONICAL
    if kind == "scalar":
        k = int.from_bytes(piece, "little")
        yield "one more", group.scalar_bytes(k + 1)
        yield "negated", group.scalar_bytes(-k)
        yield "the order added", (k + group.Q).to_bytes(32, "little")
        yield "the order", group.Q.to_bytes(32, "little")


def indices(value: int) -> Iterator[tuple[str, object]]:
    """Wrong versions of a number."""
    for wrong in (value + 1, value ^ 1, -1, 2**32, 2**63, 2**64 - 1, None, True, 1.0, bytes(4), str(value), [value]):
        if wrong != value or type(wrong) is not int:
            yield f"a {type(wrong).__name__}", wrong


def values(kind: str, value: Any) -> Iterator[tuple[str, object]]:
    """Wrong versions of one field: of its first, a middle and its last piece, of its length, of its type."""
    if kind == "index":
        yield from indices(value)
        return
    if kind == "order":
        yield "two places changed", value[1:2] + value[:1] + value[2:]
        yield "a place twice", value[1:2] + value[1:]
        yield "a place that is not there", bytes([len(value)]) + value[1:]
    count = max(1, len(value) // 32)
    for at in sorted({0, count // 2, count - 1}):
        head, piece, tail = value[: 32 * at], value[32 * at : 32 * at + 32], value[32 * at + 32 :]
        for name, wrong in pieces(kind, piece):
            if wrong != piece:
                yield f"piece {at} {name}", head + wrong + tail
    for at in range(min(count - 1, 3)):
        one, other = value[32 * at : 32 * at + 32], value[32 * at + 32 : 32 * at + 64]
        if one != other:
            yield f"pieces {at} and {at + 1} swapped", value[: 32 * at] + other + one + value[32 * at + 64 :]
    yield "one piece too many", value + value[-32:]
    yield "one piece too few", value[:-32]
    yield "one byte too many", value + b"\0"
    yield "one byte too few", value[:-1]
    yield "doubled", value + value
    yield "empty", b""
    for wrong_type in (None, True, 0, 2**64 - 1, 1.5, value.hex(), [value], {"": value}, (value,)):
        yield f"a {type(wrong_type).__name__}", wrong_type


def bodies(shape: Shape, body: Body) -> Iterator[tuple[str, object]]:
    """Wrong versions of a whole body, each wrong in one place."""
    others: list[object] = [None, [], b"", 7, "map", [body], {}]
    for wrong in others:
        yield f"{wrong!r:.10} in its place", wrong
    yield "a field more", {**body, "more": b""}
    for key, kind in shape.items():
        yield f"{key} missing", {name: value for name, value in body.items() if name != key}
        renamed = {("renamed" if name == key else name): value for name, value in body.items()}
        yield f"{key} renamed", renamed
        inner: Iterator[tuple[str, Any]] = (
            values(kind, body[key]) if isinstance(kind, str) else bodies(kind, cast(Body, body[key]))
        )
        for name, wrong in inner:
            yield f"{key}: {name}", {**body, key: wrong}


def refused(check: Callable[[], object], what: str) -> None:
    """The check refuses, with Malformed or Refused and nothing else."""
    try:
        check()
    except (Malformed, Refused) as error:
        assert str(error)  # noqa: PT017 (any other error is to come out as it is)
    else:
        pytest.fail(f"let through: {what}")
