"""A second verifier of finished games, written from docs/protocol.md; numbers in brackets are that document's sections.

For: showing that the document is enough. Never: an import from protocol/ or p2p/; the rules of the games come from
engines/. It answers for whole games with all seeds, and for games without promises; anything else is `Unsound`.

`python -m tests.second.verifier FILE` prints the identity of a sound file, or why it is not.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from nacl import bindings as sodium

from engines import menus, registry, requests
from engines.run import IllegalDecision, Run

Q = 2**252 + 27742317777372353535851937790883648493
G, ZERO = bytes.fromhex("58" + "66" * 31), b"\x01" + bytes(31)
FLIPS = 1024
Body = dict[str, Any]
Pair = tuple[bytes, bytes]


class Unsound(Exception):
    """The file is not the record of a whole, honest game; `str(error)` says why."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise Unsound(why)


# [2] canonical encoding


def _plain(value: Any, level: int = 0) -> Any:
    need(level <= 8, "nested too deep")
    if isinstance(value, dict):
        need(len(value) <= 8192 and all(isinstance(key, str) for key in value), "not a map that may be sent")
        return {_plain(key, level + 1): _plain(value[key], level + 1) for key in sorted(value, key=str.encode)}
    if isinstance(value, list):
        need(len(value) <= 8192, "a list too long")
        return [_plain(one, level + 1) for one in value]
    need(value is None or isinstance(value, bool | int | bytes | str), "a kind of value that may not be sent")
    need(not isinstance(value, str) or len(value.encode()) <= 4096, "a text too long")
    return value


def encode(value: Any) -> bytes:
    return bytes(msgpack.packb(_plain(value)))


def decode(data: bytes) -> Any:
    try:
        value = msgpack.unpackb(data, strict_map_key=False)
    except (ValueError, TypeError) as error:
        raise Unsound("not msgpack") from error
    need(len(data) <= 262144 and encode(value) == data, "not the canonical encoding")
    return value


def shape(value: Any, what: str, **kinds: type | int) -> Body:
    """A map with these keys, each of that type, or bytes of that number."""
    need(isinstance(value, dict) and value.keys() == kinds.keys(), f"{what}: other fields than due")
    for key, kind in kinds.items():
        right = type(value[key]) is (bytes if isinstance(kind, int) else kind)
        need(right and (not isinstance(kind, int) or len(value[key]) == kind), f"{what}: {key} of another kind or size")
    return dict(value)


# [3] hashing, [5] transcripts


def field(value: bytes | str | int, tag: str = "") -> bytes:
    if isinstance(value, int):
        tag, content = "i", value.to_bytes(8, "big")
    elif isinstance(value, str):
        tag, content = tag or "s", value.encode()
    else:
        tag, content = "b", value
    return tag.encode() + len(content).to_bytes(4, "big") + content


def digest(use: str, *fields: bytes | str | int, size: int = 64, key: bytes = b"") -> bytes:
    return hashlib.blake2b(b"".join(map(field, fields)), digest_size=size, key=key, person=use.encode()).digest()


def scalar(wide: bytes) -> int:
    return int.from_bytes(wide, "little") % Q


class Place(NamedTuple):
    table: bytes
    prev: bytes
    step: int
    round: int
    seat: int


class Said:
    def __init__(self, at: Place, what: str) -> None:
        self.hash = hashlib.blake2b(b"".join(map(field, (1, *at, what))), person=b"p2pgame proof")

    def absorb(self, label: str, *values: bytes | int) -> None:
        self.hash.update(field(label, "l") + field(len(values)) + b"".join(map(field, values)))

    def challenges(self, label: str, count: int) -> list[int]:
        self.hash.update(field(label, "c") + field(count))
        copies = [self.hash.copy() for _ in range(count)]
        for number, one in enumerate(copies):
            one.update(field(number))
        return [scalar(one.digest()) for one in copies]

    def challenge(self) -> int:
        return self.challenges("e", 1)[0]


# [4] the group


def mul(k: int, point: bytes) -> bytes:
    if not k % Q or point == ZERO:
        return ZERO
    return sodium.crypto_scalarmult_ed25519_noclamp((k % Q).to_bytes(32, "little"), point)


def add(*points: bytes) -> bytes:
    return reduce(sodium.crypto_core_ed25519_add, points, ZERO)


def sub(one: bytes, other: bytes) -> bytes:
    return sodium.crypto_core_ed25519_sub(one, other)


def dot(scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
    return add(*map(mul, scalars, points))


@cache
def generator(family: str, index: int) -> bytes:
    return sodium.crypto_core_ed25519_from_uniform(digest("p2pgame points", 1, family, index, size=32))


def cut(data: bytes) -> list[bytes]:
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def gate(data: bytes) -> list[bytes]:
    """Foreign points in one piece."""
    need(all(map(sodium.crypto_core_ed25519_is_valid_point, cut(data))), "a point that the gate refuses")
    return cut(data)


def numbers(data: bytes) -> list[int]:
    """Foreign scalars in one piece."""
    found = [int.from_bytes(one, "little") for one in cut(data)]
    need(all(one < Q for one in found), "a scalar that is not below q")
    return found


def packed(*scalars: int) -> bytes:
    return b"".join((one % Q).to_bytes(32, "little") for one in scalars)


def flat(cards: Sequence[Pair]) -> list[bytes]:
    return [half for card in cards for half in card]


def signed(key: bytes, context: str, data: bytes, signature: bytes) -> None:  # [6]
    try:
        Ed25519PublicKey.from_public_bytes(gate(key)[0]).verify(signature, f"p2pgame/1 {context}\0".encode() + data)
    except InvalidSignature as error:
        raise Unsound(f"a signature of a {context} does not hold") from error


class Seat:
    """[9] what grows from a master seed."""

    def __init__(self, m: bytes, table: bytes, seat: int) -> None:
        self.m = m
        self.commitment = digest("p2pgame seed", table, seat, m, size=32)
        self.x = self.secret("key", table, seat) or 1
        self.chain = [digest("p2pgame secret", "chain", table, seat, size=32, key=m)]
        for i in range(FLIPS):
            self.chain.append(digest("p2pgame chain", table, seat, i, self.chain[i], size=32))

    def secret(self, *fields: bytes | str | int) -> int:
        return scalar(digest("p2pgame secret", *fields, key=self.m))

    def nonce(self, state: bytes, label: str, i: int) -> int:
        return scalar(digest("p2pgame nonce", label, i, state, key=self.m))

    def order(self, source: bytes, n: int) -> list[int]:
        seed = digest("p2pgame secret", "order", source, key=self.m)
        blocks = (digest("p2pgame stream", seed, k) for k in range(2**32))
        words = (int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(0, 64, 4))
        items = list(range(n))
        for i in range(n - 1, 0, -1):
            j = next(word for word in words if word < 2**32 - 2**32 % (i + 1)) % (i + 1)
            items[i], items[j] = items[j], items[i]
        return items


# [10] the proofs that games without promises need


def make_logs(t: Said, me: Seat, bases: Sequence[bytes], values: Sequence[bytes], logs: Sequence[int]) -> bytes:
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    state = t.hash.digest()
    w = [me.nonce(state, "log", i) for i in range(len(bases))]
    t.absorb("commitments", *map(mul, w, bases))
    e = t.challenge()
    return packed(e, *(one + e * x for one, x in zip(w, logs, strict=True)))


def check_logs(t: Said, bases: Sequence[bytes], values: Sequence[bytes], proof: bytes) -> None:
    e, *z = numbers(proof)
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    t.absorb("commitments", *(sub(mul(k, b), mul(e, v)) for k, b, v in zip(z, bases, values, strict=True)))
    need(t.challenge() == e, "a proof of logarithms does not hold")


def _batch(t: Said, key: bytes, bases: Sequence[bytes], shares: Sequence[bytes]) -> Pair:
    t.absorb("statement", G, key, len(bases))
    t.absorb("bases", *bases)
    t.absorb("shares", *shares)
    weights = t.challenges("weights", len(bases))
    return dot(weights, bases), dot(weights, shares)


def make_shares(t: Said, me: Seat, bases: Sequence[bytes]) -> Body:
    shares = [mul(me.x, base) for base in bases]
    base, _ = _batch(t, mul(me.x, G), bases, shares)
    w = me.nonce(t.hash.digest(), "share", 0)
    t.absorb("commitments", mul(w, G), mul(w, base))
    e = t.challenge()
    return {"shares": b"".join(shares), "proof": packed(e, w + e * me.x)}


def check_shares(t: Said, key: bytes, bases: Sequence[bytes], body: Body) -> None:
    e, z = numbers(body["proof"])
    base, share = _batch(t, key, bases, gate(body["shares"]))
    t.absorb("commitments", sub(mul(z, G), mul(e, key)), sub(mul(z, base), mul(e, share)))
    need(t.challenge() == e, "a proof of shares does not hold")


class Step:
    """[12] one ceremony: `check` is given a foreign body, `make` what the seed says that it must be."""

    kind, rounds = "", 1

    def __init__(self, table: Table) -> None:
        self.t = table

    def owes(self, number: int) -> list[int]:
        return list(range(self.t.n))

    def check(self, at: Place, body: Any) -> None:
        """Whatever can be checked without a seed."""

    def make(self, at: Place, me: Seat) -> Body | None:
        """None: a decision."""
        return None

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        """A round is complete."""


class Commit(Step):
    kind = "commit"

    def check(self, at: Place, body: Any) -> None:
        shape(body, "commit", seed=32)

    def make(self, at: Place, me: Seat) -> Body:
        return {"seed": me.commitment}

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        self.t.commitments = [body["seed"] for body in bodies.values()]
        need(len(set(self.t.commitments)) == self.t.n, "two equal commitments")


class Keys(Step):
    kind = "keys"

    def said(self, at: Place, anchor: bytes) -> Said:
        t = Said(at, "key")
        t.absorb("seeds", *self.t.commitments)
        t.absorb("anchor", anchor)
        return t

    def check(self, at: Place, body: Any) -> None:
        shape(body, "keys", anchor=32, key=32, proof=64)
        check_logs(self.said(at, body["anchor"]), [G], gate(body["key"]), body["proof"])

    def make(self, at: Place, me: Seat) -> Body:
        key, anchor = mul(me.x, G), me.chain[FLIPS]
        return {"key": key, "anchor": anchor, "proof": make_logs(self.said(at, anchor), me, [G], [key], [me.x])}

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        self.t.keys, self.t.heads = ([body[name] for body in bodies.values()] for name in ("key", "anchor"))
        self.t.joint = add(*self.t.keys)
        need(len(set(self.t.keys)) == self.t.n and self.t.joint != ZERO, "keys that are equal or cancel each other")


class Flip(Step):
    kind, result = "flip", b""

    def check(self, at: Place, body: Any) -> None:
        value, place = shape(body, "flip", value=32)["value"], FLIPS - 1 - self.t.flips
        found = digest("p2pgame chain", at.table, at.seat, place, value, size=32)
        need(place >= 0 and found == self.t.heads[at.seat], "a flip that is not the preimage")

    def make(self, at: Place, me: Seat) -> Body:
        return {"value": me.chain[FLIPS - 1 - self.t.flips]}

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        self.t.heads = [body["value"] for body in bodies.values()]
        self.result = digest("p2pgame flipres", self.t.id, prev, self.t.flips, *self.t.heads, size=32)
        self.t.flips += 1


class Shuffle(Step):
    """[13]"""

    kind = "shuffle"

    def __init__(self, table: Table, handles: Sequence[int]) -> None:
        super().__init__(table)
        self.rounds, self.cards, self.n = table.n, table.of(handles), len(handles)
        self.h = [generator("H", i) for i in range(self.n + 1)]

    def owes(self, number: int) -> list[int]:
        return [number]

    def said(self, at: Place) -> Said:
        t = Said(at, "shuffle")
        t.absorb("input", self.n, G, self.t.joint)
        t.absorb("generators", *self.h)
        t.absorb("cards", *flat(self.cards))
        return t

    def check(self, at: Place, body: Any) -> None:
        n, h, joint = self.n, self.h, self.t.joint
        proof = shape(body, "shuffle", cards=64 * n, proof=dict)["proof"]
        shape(proof, "shuffle", c=32 * n, chain=32 * n, e=32, hats=32 * n, primes=32 * n, s=128)
        out, c, chain = gate(body["cards"]), gate(proof["c"]), [h[0], *gate(proof["chain"])]
        (e,), (s1, s2, s3, s4) = numbers(proof["e"]), numbers(proof["s"])
        hats, primes = numbers(proof["hats"]), numbers(proof["primes"])
        t = self.said(at)
        t.absorb("output", *out)
        t.absorb("commitments", *c)
        u = t.challenges("u", n)
        t.absorb("chain", *chain[1:])
        a, b = zip(*self.cards, strict=True)
        t1 = sub(mul(s1, G), mul(e, sub(add(*c), add(*h[1:]))))
        t2 = sub(mul(s2, G), mul(e, sub(chain[n], mul(prod(u), h[0]))))
        t3 = sub(add(mul(s3, G), dot(primes, h[1:])), mul(e, dot(u, c)))
        t4a = sub(add(mul(-s4, G), dot(primes, out[::2])), mul(e, dot(u, a)))
        t4b = sub(add(mul(-s4, joint), dot(primes, out[1::2])), mul(e, dot(u, b)))
        links = [
            sub(add(mul(hats[i], G), mul(primes[i], chain[i])), mul(e, chain[i + 1])) for i in range(n)
        ]
        t.absorb("announcements", t1, t2, t3, t4a, t4b, *links)
        need(t.challenge() == e, "a proof of a shuffle does not hold")

    def make(self, at: Place, me: Seat) -> Body:
        n, h, joint, places = self.n, self.h, self.t.joint, range(self.n)
        t = self.said(at)
        source = t.hash.digest()
        order = me.order(source, n)
        factors = [me.secret("factor", source, i) for i in places]
        r = [me.secret("commitment", source, i) for i in places]
        cards = [self.cards[place] for place in order]
        out = [(add(a, mul(k, G)), add(b, mul(k, joint))) for (a, b), k in zip(cards, factors, strict=True)]
        c = [ZERO] * n
        for i, place in enumerate(order):
            c[place] = add(mul(r[i], G), h[place_to_h(i)])
        t.absorb("output", *flat(out))
        t.absorb("commitments", *c)
        u = t.challenges("u", n)
        state = t.hash.digest()
        u = [u[place] for place in order]
        hats, chain = [me.nonce(state, "chain", i) for i in places], [h[0]]
        for i in places:
            chain.append(add(mul(hats[i], G), mul(u[i], chain[i])))
        w = [me.nonce(state, "omega", i) for i in range(1, 5)]
        w_hat = [me.nonce(state, "omega hat", i) for i in places]
        w_prime = [me.nonce(state, "omega prime", i) for i in places]
        return {}
