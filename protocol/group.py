"""The group: the prime-order subgroup of edwards25519, and the one gate through which foreign points come in.

For: everything that touches a curve point; no other file knows the library. Never: a foreign point past the gate, an
exception of the library to the outside, or a result that is left undefined.

Theory of operation. A `Point` is 32 bytes that are known to encode an element of the subgroup: a generator, the result
of an operation here, or a foreign value that `point` let in. `point` refuses what is not canonical, not on the curve,
of small order (the identity is) or outside the subgroup; without it a card can be tracked through every honest shuffle
by adding a point of order two to it (CVE-2025-69277 was such a hole in PyNaCl before 1.6.2; `self_test` looks for it).
libsodium's multiplication makes the very same test on the point that it multiplies, which is a third of its price. So a
foreign point that is going to be multiplied anyway may stay a `Claim` until then: a sum multiplies it, and lets nothing
through that `point` would refuse.

libsodium raises when a product is the identity; here 0·P, P·0 and P − P are the identity like any other value, because
valid proofs can contain them. Scalars are ints mod q, on the wire 32 bytes little-endian below q.

H_0, H_1 … and M_0, M_1 … are points whose logarithms nobody knows: Elligator 2 with the cofactor
cleared (`from_uniform`) of hash32("p2pgame points", version, "H" or "M", index).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NewType

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import CryptoError

from . import hashing, limits
from .errors import Malformed, Misuse, Refused
from .spread import Spread, inline, pieces

Claim = NewType("Claim", bytes)
"""32 bytes that somebody says are a point."""
Point = NewType("Point", bytes)

Q = hashing.Q
SIZE = 32
"""Bytes of a point, and of a scalar."""
G = Point(bytes.fromhex("58" + 31 * "66"))
"""The base point (RFC 8032 section 5.1)."""
IDENTITY = Point(b"\x01" + bytes(31))
ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
"""A point of order eight; its multiples are all the points of small order."""


class UnsafeLibrary(RuntimeError):
    """The installed libsodium lets through curve points that it must refuse. PyNaCl 1.6.2 or later is needed."""


def add(p: Point, q: Point) -> Point:
    """P + Q. Errors: Misuse, if one of them never was a point."""
    if p == IDENTITY:
        return q
    try:
        return Point(crypto_core_ed25519_add(p, q))
    except (CryptoError, TypeError) as error:
        raise Misuse("not a point of the group") from error


def sub(p: Point, q: Point) -> Point:
    """P − Q. Errors: Misuse, likewise."""
    try:
        return Point(crypto_core_ed25519_sub(p, q))
    except (CryptoError, TypeError) as error:
        raise Misuse("not a point of the group") from error


def base(k: int) -> Point:
    """k·G, several times faster than by `mul`."""
    k %= Q
    return Point(crypto_scalarmult_ed25519_base_noclamp(k.to_bytes(SIZE, "little"))) if k else IDENTITY


def mul(k: int, p: Point) -> Point:
    """k·P. Errors: Misuse, if P never was a point of the group."""
    if p == G:
        return base(k)
    k %= Q
    if not k or p == IDENTITY:
        return IDENTITY
    try:
        return Point(crypto_scalarmult_ed25519_noclamp(k.to_bytes(SIZE, "little"), p))
    except (CryptoError, TypeError) as error:
        raise Misuse("not a point of the group") from error


def total(points: Iterable[Point]) -> Point:
    """ΣP_i; the identity, if there are none."""
    out = IDENTITY
    for p in points:
        out = add(out, p)
    return out


Term = tuple[int, Claim | Point, str]
"""k·P as a part of a sum. A foreign point that has not passed the gate yet has a name, under which it is refused."""


def own(scalars: Sequence[int], points: Sequence[Point]) -> list[Term]:
    """The terms k_i·P_i; a point that comes more than once is multiplied once. Errors: ValueError, if the lists differ
    in length."""
    merged: dict[Point, int] = {}
    for k, p in zip(scalars, points, strict=True):
        merged[p] = merged.get(p, 0) + k
    return [(k, p, "") for p, k in merged.items()]


def foreign(
    scalars: Sequence[int], claims: Sequence[Claim | Point], what: str, numbers: Sequence[int] | None = None
) -> list[Term]:
    """The terms k_i·P_i over foreign points, which pass the gate by being multiplied. They are named by `what` and a
    number, by default that of the place in the list. Errors: ValueError, as `own`."""
    names = range(len(claims)) if numbers is None else numbers
    return [(k, p, f"{what} {number}") for k, p, number in zip(scalars, claims, names, strict=True)]


def sums(rows: Sequence[Sequence[Term]], spread: Spread = inline) -> list[Point]:
    """The sum of each row. Errors: Refused, as `points`, for the first foreign point in order that is none."""
    parts = [(row, piece) for row, terms in enumerate(rows) for piece in pieces(terms)]
    found = [IDENTITY] * len(rows)
    for (row, _), part in zip(parts, spread(lambda part: total(map(_product, part[1])), parts), strict=True):
        found[row] = add(found[row], part)
    return found


def _product(term: Term) -> Point:
    k, p, name = term
    if not name:
        return mul(k, Point(p))
    k %= Q
    if not k:
        point(p, name)
        return IDENTITY
    try:
        return Point(crypto_scalarmult_ed25519_noclamp(k.to_bytes(SIZE, "little"), p))
    except CryptoError as error:
        raise Refused(f"{name}: not a point of the group") from error


def dot(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Σ k_i·P_i. Errors: ValueError, as `own`."""
    return sums([own(scalars, points)])[0]


def sift(
    scalars: Sequence[int], claims: Sequence[Claim | Point], what: str, numbers: Sequence[int] | None = None
) -> Point:
    """Σ k_i·P_i over foreign points. Errors: as `foreign` and `sums`."""
    return sums([foreign(scalars, claims, what, numbers)])[0]


def scalar_bytes(k: int) -> bytes:
    """32 bytes, little-endian, of k mod q."""
    return (k % Q).to_bytes(SIZE, "little")


def packed(scalars: Iterable[int]) -> bytes:
    """Scalars in one piece of bytes."""
    return b"".join(map(scalar_bytes, scalars))


def sized(value: object, size: int, what: str) -> bytes:
    """`value`, if it is so many bytes. Errors: Malformed, naming `what`."""
    if not isinstance(value, bytes):
        raise Malformed(f"{what}: not bytes")
    if len(value) != size:
        raise Malformed(f"{what}: {len(value)} bytes where {size} are due")
    return value


def split(value: bytes) -> list[bytes]:
    """The 32-byte pieces of a value whose length is known to be a multiple of it."""
    return [value[at : at + SIZE] for at in range(0, len(value), SIZE)]


def point(value: object, what: str) -> Point:
    """The gate. Errors: Malformed (not 32 bytes) or Refused (not in the group, or the identity), naming `what`."""
    data = sized(value, SIZE, what)
    if not crypto_core_ed25519_is_valid_point(data):
        raise Refused(f"{what}: not a point of the group")
    return Point(data)


def points(value: object, count: int, what: str) -> list[Point]:
    """Exactly `count` foreign points in one piece of 32·count bytes. Errors: as `point`, with the index."""
    return [point(one, f"{what} {index}") for index, one in enumerate(split(sized(value, SIZE * count, what)))]


def scalar(value: object, what: str) -> int:
    """A foreign scalar. Errors: Malformed (not 32 bytes) or Refused (not below q), naming `what`."""
    k = int.from_bytes(sized(value, SIZE, what), "little")
    if k >= Q:
        raise Refused(f"{what}: not below the group order")
    return k


def scalars(value: object, count: int, what: str) -> list[int]:
    """Exactly `count` foreign scalars in one piece of 32·count bytes. Errors: as `scalar`, with the index."""
    return [scalar(one, f"{what} {index}") for index, one in enumerate(split(sized(value, SIZE * count, what)))]


def claims(value: object, count: int, what: str) -> list[Claim]:
    """Exactly `count` foreign points that have not passed the gate yet. Errors: Malformed."""
    return [Claim(one) for one in split(sized(value, SIZE * count, what))]


def checked(value: bytes) -> list[Point]:
    """The points in bytes that `points` or a sum already let in, without the price of a second look."""
    return [Point(one) for one in split(value)]


def _generator(family: str, index: int) -> Point:
    found = crypto_core_ed25519_from_uniform(hashing.hash32("p2pgame points", hashing.PROTOCOL, family, index))
    if found == IDENTITY:
        raise Misuse("a generator that is the identity")
    return Point(found)


@cache
def h(i: int) -> Point:
    """H_i, of which commitments are made. Errors: Misuse."""
    if not 0 <= i <= limits.MAX_CARDS:
        raise Misuse(f"no generator H_{i}")
    return _generator("H", i)


@cache
def m(j: int) -> Point:
    """M_j, which stands for the j-th card ever created at a table. Errors: Misuse."""
    if not 0 <= j < limits.MAX_DECK:
        raise Misuse(f"no generator M_{j}")
    return _generator("M", j)


def _multiplies(p: bytes) -> bool:
    try:
        crypto_scalarmult_ed25519_noclamp(scalar_bytes(Q // 3), p)
    except CryptoError:
        return False
    return True


def self_test() -> None:
    """Look whether the gate holds: to be called before the first table. Errors: UnsafeLibrary.

    It must let G in, and refuse each of the seven points T of small order, G + T for each, the identity, and the
    identity's other encoding (no other element of the subgroup has one); and so must the multiplication.
    """
    try:
        torsion = [ORDER_8]
        for _ in range(6):
            torsion.append(crypto_core_ed25519_add(torsion[-1], ORDER_8))
        bad = [IDENTITY, (2**255 - 18).to_bytes(SIZE, "little"), *torsion]
        bad += [crypto_core_ed25519_add(G, t) for t in torsion]
        good = crypto_core_ed25519_is_valid_point(G) and base(1) == G and mul(Q + 1, m(0)) == m(0)
        refused = not any(crypto_core_ed25519_is_valid_point(one) or _multiplies(one) for one in bad)
        if len(set(torsion)) == 7 and good and refused:
            return
    except (CryptoError, TypeError, Misuse) as error:
        raise UnsafeLibrary("the curve functions of libsodium do not work") from error
    raise UnsafeLibrary("libsodium lets through points that it must refuse; PyNaCl 1.6.2 or later is needed")
