"""The known answers checked by a reading of the documents that shares no code with the package.

Curve arithmetic on plain integers, BLAKE2b by the documented layout, the equations as they stand in the papers; only
the points H_i and M_j are taken from their file, since Elligator 2 is the library's.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Pair = tuple[int, int]
ZERO: Pair = (0, 1)


def plus(one: Pair, other: Pair) -> Pair:
    (x1, y1), (x2, y2) = one, other
    k = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P,
    )


def times(k: int, point: Pair) -> Pair:
    out = ZERO
    for bit in bin(k % ORDER)[2:]:
        out = plus(out, out)
        if bit == "1":
            out = plus(out, point)
    return out


def minus(one: Pair, other: Pair) -> Pair:
    return plus(one, (-other[0] % P, other[1]))


def sums(points: Sequence[Pair]) -> Pair:
    return reduce(plus, points, ZERO)


def weighed(scalars: Sequence[int], points: Sequence[Pair]) -> Pair:
    return sums([times(k, point) for k, point in zip(scalars, points, strict=True)])


def point(data: bytes) -> Pair:
    """RFC 8032 section 5.1.3."""
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert x * x % P == square
    return (P - x if x % 2 != sign else x), y


def packed(pair: Pair) -> bytes:
    return (pair[1] | (pair[0] & 1) << 255).to_bytes(32, "little")


def cut(data: bytes) -> list[bytes]:
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def points(data: bytes) -> list[Pair]:
    return [point(one) for one in cut(data)]


def numbers(data: bytes) -> list[int]:
    return [int.from_bytes(one, "little") for one in cut(data)]


def field(value: bytes | int | str, tag: bytes = b"") -> bytes:
    if isinstance(value, int):
        tag, content = b"i", value.to_bytes(8, "big")
    elif isinstance(value, str):
        tag, content = tag or b"s", value.encode()
    else:
        tag, content = b"b", value
    return tag + len(content).to_bytes(4, "big") + content


class Told:
    """A transcript, as hashing.py describes it."""

    def __init__(self, given: dict[str, Any], what: str) -> None:
        where = given["context"]
        start = [1, where["table"], where["prev"], where["step"], where["round"], where["seat"], what]
        self.said = b"".join(map(field, start))

    def absorb(self, label: str, *values: bytes | int | Pair) -> None:
        plain = [packed(value) if isinstance(value, tuple) else value for value in values]
        self.said += field(label, b"l") + field(len(plain)) + b"".join(map(field, plain))

    def challenges(self, label: str, count: int) -> list[int]:
        self.said += field(label, b"c") + field(count)
        found = [hashlib.blake2b(self.said + field(k), person=b"p2pgame proof").digest() for k in range(count)]
        return [int.from_bytes(one, "little") % ORDER for one in found]


def read(name: str) -> dict[str, Any]:
    def bytes_of(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bytes_of(one) for key, one in value.items()}
        if isinstance(value, list):
            return [bytes_of(one) for one in value]
        return bytes.fromhex(value) if isinstance(value, str) and value != "test" and value != "open" else value

    found: dict[str, Any] = bytes_of(json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8")))
    return found


GENERATORS = read("generators")
G = point(GENERATORS["G"])
H = [point(one) for one in GENERATORS["H_0 to H_4"]]
M = [point(one) for one in GENERATORS["M_0 to M_4"]]


def test_logs() -> None:
    given = read("schnorr")
    key = Told(given, "key")
    key.absorb("seeds", *given["seeds"])
    key.absorb("anchor", given["keys"]["anchor"])
    several = ([point(one) for one in given["bases"]], [point(one) for one in given["values"]])
    cases: list[tuple[Told, list[Pair], list[Pair], bytes]] = [
        (key, [G], [point(given["keys"]["key"])], given["keys"]["proof"]),
        (Told(given, "test"), *several, given["proof of several"]),
    ]
    for t, bases, values, proof in cases:
        e, *responses = numbers(proof)
        t.absorb("bases", *bases)
        t.absorb("values", *values)
        everything = zip(responses, bases, values, strict=True)
        t.absorb("commitments", *(minus(times(z, base), times(e, value)) for z, base, value in everything))
        assert t.challenges("e", 1) == [e]


def test_shares() -> None:
    given = read("shares")
    bases, shares = [point(one) for one in given["bases"]], [point(one) for one in given["shares"]]
    key = point(read("secrets")["X"])
    e, z = numbers(given["proof"])
    t = Told(given, "open")
    t.absorb("statement", G, key, len(bases))
    t.absorb("bases", *bases)
    t.absorb("shares", *shares)
    weights = t.challenges("weights", len(bases))
    base, share = weighed(weights, bases), weighed(weights, shares)
    t.absorb("commitments", minus(times(z, G), times(e, key)), minus(times(z, base), times(e, share)))
    assert t.challenges("e", 1) == [e]


def test_promise() -> None:
    given = read("promise")
    (c1, c2), d, s = points(given["card"]), point(given["D"]), point(given["S"])
    choices = [minus(c2, M[j]) for j in given["allowed"]]
    scalars = numbers(given["proof"])
    e, z = scalars[:3], scalars[3:]
    t = Told(given, "promise")
    t.absorb("card", 0, c1, c2)
    t.absorb("allowed", *given["allowed"])
    t.absorb("statement", c1, d, s)
    t.absorb("choices", *choices)
    announced: list[Pair] = []
    for ej, zj, choice in zip(e, z, choices, strict=True):
        announced += [minus(times(zj, c1), times(ej, d)), minus(times(zj, choice), times(ej, s))]
    t.absorb("commitments", *announced)
    assert t.challenges("e", 1) == [sum(e) % ORDER]
    # And it is true: the card opens to the face 3, which is among the allowed ones.
    (b,), (x,) = numbers(given["b"]), numbers(given["x of the joint key"])
    assert (times(b, c1), minus(c2, times(x, c1))) == (d, M[given["face"]])


@pytest.mark.parametrize("which", ["body", "body with the second batch of a pool"])
def test_shuffle(which: str) -> None:
    given = read("shuffle")
    body, joint = given[which], point(given["joint"])
    proof, halves, new_halves = body["proof"], points(given["cards"]), points(body["cards"])
    a, b, a_new, b_new = halves[::2], halves[1::2], new_halves[::2], new_halves[1::2]
    n, known = len(a), proof["known"]
    (c, d), (c_d, c_delta, c_a), masked = map(points, (proof["commitments"], known["points"], proof["masked"]))
    *f, z = numbers(proof["responses"])
    phi, gamma, (blind, other) = map(numbers, (known["f"], known["g"], known["z"]))

    t = Told(given, "shuffle")
    t.absorb("input", n, G, joint)
    t.absorb("generators", *H[:n])
    t.absorb("cards", *halves)
    t.absorb("pool", body["salt"], body["first"])
    t.absorb("output", *new_halves)
    t.absorb("places", proof["places"])
    t.absorb("commitments", c, d)
    t.absorb("masked", *masked)
    weights = t.challenges("t", n)
    t.absorb("responses", *cut(proof["responses"]))
    (factor,), (x,) = t.challenges("lambda", 1), t.challenges("x", 1)
    t.absorb("announcements", c_d, c_delta, c_a)
    (e,) = t.challenges("e", 1)

    for old, new, mask, key in ((a, a_new, masked[0], G), (b, b_new, masked[1], joint)):
        assert plus(weighed(f, [new[place] for place in proof["places"]]), mask) == plus(
            weighed(weights, old), times(z, key)
        )
    # Three cards are one row, and equations need not be joined to hold.
    assert plus(times(e, plus(plus(times(factor, c), d), weighed(f, H[:n]))), c_d) == plus(
        times(blind, G), weighed(phi, H[:n])
    )
    assert plus(times(e, c_a), c_delta) == plus(times(other, G), weighed(gamma, H[:n]))
    value = e
    for i in range(n):
        value = value * (phi[i] - e * x) + e**i * gamma[i]
    assert value % ORDER == e ** (n + 1) * math.prod(factor * i + weights[i] - x for i in range(n)) % ORDER

    # And it is what it says: at place τ(i) is card σ(i) with factor r'_i more, so at place i is card π(i).
    if which != "body":
        return
    for at, place, factor in zip(proof["places"], given["secret order"], given["factors"], strict=True):
        (r,) = numbers(factor)
        assert a_new[at] == plus(a[place], times(r, G))
        assert b_new[at] == plus(b[place], times(r, joint))
        assert given["order"][at] == place


@pytest.mark.parametrize("name", ["schnorr", "shares", "promise", "shuffle"])
def test_the_vectors_are_in_place(name: str) -> None:
    assert read(name)["context"]["step"] == 5
