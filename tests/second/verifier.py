"""A second verifier of finished games, written from docs/protocol.md; numbers in brackets are that document's sections.

For: showing that the document is enough. Never: an import from protocol/ or p2p/; the rules of the games come from
engines/. It answers for whole games with all seeds in which nobody promises anything; all else is `Unsound`.
`python -m tests.second.verifier FILE` prints the identity of a sound file, or why it is not sound.
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

Q, FLIPS = 2**252 + 27742317777372353535851937790883648493, 1024
G, ZERO = bytes.fromhex("58" + "66" * 31), b"\x01" + bytes(31)
Body = dict[str, Any]
Points = Sequence[bytes]


class Unsound(Exception):
    """The file is not the record of a whole, honest game; `str(error)` says why."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise Unsound(why)


def plain(value: Any, level: int = 0) -> Any:  # [2] canonical encoding
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


def shape(value: Any, **kinds: type | int) -> Body:
    """A map with these keys, each of that type; a number is that many bytes."""
    need(isinstance(value, dict) and value.keys() == kinds.keys(), "other fields than due")
    for key, kind in kinds.items():
        right = len(value[key]) == kind if type(value[key]) is bytes and kind is not bytes else type(value[key]) is kind
        need(right, f"{key} is of another kind or size than due")
    return dict(value)


def field(value: bytes | str | int, tag: str = "") -> bytes:  # [3] hashing
    if isinstance(value, int):
        tag, content = "i", value.to_bytes(8, "big")
    else:
        tag, content = (tag or "s", value.encode()) if isinstance(value, str) else ("b", value)
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


class Said:  # [5] transcripts
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


def mul(k: int, point: bytes) -> bytes:  # [4] the group
    zero = not k % Q or point == ZERO
    return ZERO if zero else sodium.crypto_scalarmult_ed25519_noclamp((k % Q).to_bytes(32, "little"), point)


def add(*points: bytes) -> bytes:
    return reduce(sodium.crypto_core_ed25519_add, points, ZERO)


def sub(one: bytes, other: bytes) -> bytes:
    return sodium.crypto_core_ed25519_sub(one, other)


def dot(scalars: Sequence[int], points: Points) -> bytes:
    return add(*map(mul, scalars, points))


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


def signed(key: bytes, context: str, data: bytes, signature: bytes) -> None:  # [6]
    try:
        Ed25519PublicKey.from_public_bytes(*gate(key)).verify(signature, f"p2pgame/1 {context}\0".encode() + data)
    except InvalidSignature as error:
        raise Unsound(f"a signature of a {context} does not hold") from error


class Seat:  # [9] what grows from a master seed
    def __init__(self, m: bytes, table: bytes, seat: int) -> None:
        self.m, self.commitment = m, digest("p2pgame seed", table, seat, m, size=32)
        self.x = self.secret("key", table, seat) or 1
        self.chain = [digest("p2pgame secret", "chain", table, seat, size=32, key=m)]
        for i in range(FLIPS):
            self.chain.append(digest("p2pgame chain", table, seat, i, self.chain[i], size=32))

    def secret(self, *fields: bytes | str | int) -> int:
        return scalar(digest("p2pgame secret", *fields, key=self.m))

    def secrets(self, label: str, source: bytes, count: int) -> list[int]:
        return [self.secret(label, source, i) for i in range(count)]

    def nonces(self, t: Said, label: str, count: int, first: int = 0) -> list[int]:
        places = range(first, first + count)
        return [scalar(digest("p2pgame nonce", label, i, t.hash.digest(), key=self.m)) for i in places]

    def order(self, source: bytes, n: int) -> list[int]:
        seed = digest("p2pgame secret", "order", source, key=self.m)
        blocks = (digest("p2pgame stream", seed, k) for k in range(2**32))
        words = (int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(0, 64, 4))
        items = list(range(n))
        for i in range(n - 1, 0, -1):
            j = next(word for word in words if word < 2**32 - 2**32 % (i + 1)) % (i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def make_logs(t: Said, me: Seat, bases: Points, values: Points, logs: Sequence[int]) -> bytes:  # [10]
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    w = me.nonces(t, "log", len(bases))
    t.absorb("commitments", *map(mul, w, bases))
    (e,) = t.challenges("e", 1)
    return packed(e, *(one + e * x for one, x in zip(w, logs, strict=True)))


def check_logs(t: Said, bases: Points, values: Points, proof: bytes) -> None:
    e, *z = numbers(proof)
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    t.absorb("commitments", *(sub(mul(k, b), mul(e, v)) for k, b, v in zip(z, bases, values, strict=True)))
    need(t.challenges("e", 1) == [e], "a proof of logarithms does not hold")


def batch(t: Said, key: bytes, bases: Points, shares: Points) -> tuple[bytes, bytes]:
    t.absorb("statement", G, key, len(bases))
    t.absorb("bases", *bases)
    t.absorb("shares", *shares)
    weights = t.challenges("weights", len(bases))
    return dot(weights, bases), dot(weights, shares)


def make_shares(t: Said, me: Seat, bases: Points) -> Body:
    shares = [mul(me.x, base) for base in bases]
    base, _ = batch(t, mul(me.x, G), bases, shares)
    (w,) = me.nonces(t, "share", 1)
    t.absorb("commitments", mul(w, G), mul(w, base))
    (e,) = t.challenges("e", 1)
    return {"shares": b"".join(shares), "proof": packed(e, w + e * me.x)}


def check_shares(t: Said, key: bytes, bases: Points, body: Body) -> None:
    e, z = numbers(body["proof"])
    base, share = batch(t, key, bases, gate(body["shares"]))
    t.absorb("commitments", sub(mul(z, G), mul(e, key)), sub(mul(z, base), mul(e, share)))
    need(t.challenges("e", 1) == [e], "a proof of shares does not hold")


class Step:
    """[12] a ceremony. `check` is given a foreign body; `make` says what the seed makes it, or nothing (a decision)."""

    kind, rounds = "", 1

    def __init__(self, table: Table) -> None:
        self.t = table

    def owes(self, number: int) -> list[int]:
        return list(range(self.t.n))

    def check(self, at: Place, body: Body) -> None: ...

    def make(self, at: Place, me: Seat) -> Body | None: ...

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None: ...


class Commit(Step):
    kind = "commit"

    def check(self, at: Place, body: Body) -> None:
        shape(body, seed=32)

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

    def check(self, at: Place, body: Body) -> None:
        shape(body, anchor=32, key=32, proof=64)
        check_logs(self.said(at, body["anchor"]), [G], gate(body["key"]), body["proof"])

    def make(self, at: Place, me: Seat) -> Body:
        key, anchor = mul(me.x, G), me.chain[FLIPS]
        return {"key": key, "anchor": anchor, "proof": make_logs(self.said(at, anchor), me, [G], [key], [me.x])}

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        self.t.keys, self.t.heads = ([body[name] for body in bodies.values()] for name in ("key", "anchor"))
        self.t.joint = add(*self.t.keys)
        need(len(set(self.t.keys)) == self.t.n and self.t.joint != ZERO, "keys that are equal or cancel each other")


class Flip(Step):
    kind = "flip"

    def check(self, at: Place, body: Body) -> None:
        place = FLIPS - 1 - self.t.flips
        need(place >= 0, "a flip too many")
        link = digest("p2pgame chain", at.table, at.seat, place, shape(body, value=32)["value"], size=32)
        need(link == self.t.heads[at.seat], "a flip that is not the preimage")

    def make(self, at: Place, me: Seat) -> Body:
        return {"value": me.chain[FLIPS - 1 - self.t.flips]}

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        self.t.heads = [body["value"] for body in bodies.values()]
        self.result = digest("p2pgame flipres", self.t.id, prev, self.t.flips, *self.t.heads, size=32)
        self.t.flips += 1


class Shuffle(Step):  # [13]
    kind = "shuffle"

    def __init__(self, table: Table, handles: Sequence[int]) -> None:
        super().__init__(table)
        self.rounds, self.cards, self.n = table.n, table.halves(handles), len(handles)
        self.h = [generator("H", i) for i in range(self.n + 1)]

    def owes(self, number: int) -> list[int]:
        return [number]

    def said(self, at: Place) -> Said:
        t = Said(at, "shuffle")
        t.absorb("input", self.n, G, self.t.joint)
        t.absorb("generators", *self.h)
        t.absorb("cards", *self.cards)
        return t

    def check(self, at: Place, body: Body) -> None:
        n, h, t = self.n, self.h, self.said(at)
        proof = shape(body, cards=64 * n, proof=dict)["proof"]
        shape(proof, c=32 * n, chain=32 * n, e=32, hats=32 * n, primes=32 * n, s=128)
        out, c, chain = gate(body["cards"]), gate(proof["c"]), [h[0], *gate(proof["chain"])]
        e, s1, s2, s3, s4 = numbers(proof["e"] + proof["s"])
        hats, primes = numbers(proof["hats"]), numbers(proof["primes"])
        t.absorb("output", *out)
        t.absorb("commitments", *c)
        u = t.challenges("u", n)
        t.absorb("chain", *chain[1:])
        t1 = sub(mul(s1, G), mul(e, sub(add(*c), add(*h[1:]))))
        t2 = sub(mul(s2, G), mul(e, sub(chain[n], mul(prod(u), h[0]))))
        t3 = sub(add(mul(s3, G), dot(primes, h[1:])), mul(e, dot(u, c)))
        t4 = [
            sub(add(mul(-s4, key), dot(primes, out[half::2])), mul(e, dot(u, self.cards[half::2])))
            for half, key in enumerate((G, self.t.joint))
        ]
        links = zip(hats, primes, chain, chain[1:], strict=False)
        hat = (sub(add(mul(s, G), mul(prime, old)), mul(e, new)) for s, prime, old, new in links)
        t.absorb("announcements", t1, t2, t3, *t4, *hat)
        need(t.challenges("e", 1) == [e], "a proof of a shuffle does not hold")

    def make(self, at: Place, me: Seat) -> Body:
        n, h, joint, t = self.n, self.h, self.t.joint, self.said(at)
        source = t.hash.digest()
        order, factors, r = me.order(source, n), me.secrets("factor", source, n), me.secrets("commitment", source, n)
        out = []
        for i, place in enumerate(order):
            out += [add(self.cards[2 * place + half], mul(factors[i], key)) for half, key in enumerate((G, joint))]
        c = [add(mul(r[order.index(place)], G), h[order.index(place) + 1]) for place in range(n)]
        t.absorb("output", *out)
        t.absorb("commitments", *c)
        challenges = t.challenges("u", n)
        u, chain, r_hat = [challenges[place] for place in order], [h[0]], me.nonces(t, "chain", n)
        w, w_hat, w_prime = me.nonces(t, "omega", 4, 1), me.nonces(t, "omega hat", n), me.nonces(t, "omega prime", n)
        for i in range(n):
            chain.append(add(mul(r_hat[i], G), mul(u[i], chain[i])))
        t.absorb("chain", *chain[1:])
        t3 = add(mul(w[2], G), dot(w_prime, h[1:]))
        t4 = [add(mul(-w[3], key), dot(w_prime, out[half::2])) for half, key in enumerate((G, joint))]
        hat = (add(mul(w_hat[i], G), mul(w_prime[i], chain[i])) for i in range(n))
        t.absorb("announcements", mul(w[0], G), mul(w[1], G), t3, *t4, *hat)
        (e,) = t.challenges("e", 1)
        known = [
            sum(r),
            sum(r_hat[i] * prod(u[i + 1 :]) for i in range(n)),
            sum(a * b for a, b in zip(r, u, strict=True)),
            sum(a * b for a, b in zip(factors, u, strict=True)),
        ]
        proof = {
            "c": b"".join(c),
            "chain": b"".join(chain[1:]),
            "e": packed(e),
            "s": packed(*(one + e * value for one, value in zip(w, known, strict=True))),
            "hats": packed(*(one + e * value for one, value in zip(w_hat, r_hat, strict=True))),
            "primes": packed(*(one + e * value for one, value in zip(w_prime, u, strict=True))),
        }
        return {"cards": b"".join(out), "proof": proof}

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        self.cards = cut(bodies[number]["cards"])


class View(Step):
    kind, rounds = "view", 2

    def __init__(self, table: Table, looks: Mapping[int, Sequence[int]]) -> None:
        super().__init__(table)
        self.cards = {seat: table.halves(looks[seat]) for seat in sorted(looks) if looks[seat]}
        self.blinded: dict[int, list[bytes]] = {}

    def owes(self, number: int) -> list[int]:
        return [s for s in range(self.t.n) if (s in self.cards if number == 0 else set(self.cards) - {s})]

    def bases(self, seat: int) -> list[bytes]:
        return [one for viewer, blinded in self.blinded.items() if viewer != seat for one in blinded]

    def said(self, at: Place) -> Said:
        t = Said(at, "view blind")
        t.absorb("cards", *self.cards[at.seat])
        return t

    def check(self, at: Place, body: Body) -> None:
        bases, what = self.bases(at.seat), "view"
        if at.round == 0:
            what, k = "view own", len(self.cards[at.seat]) // 2
            shape(body, blind=32 + 32 * k, blinded=32 * k, proof=64, shares=32 * k)
            bases = gate(body["blinded"])
            check_logs(self.said(at), self.cards[at.seat][::2], bases, body["blind"])
        else:
            shape(body, proof=64, shares=32 * len(bases))
        check_shares(Said(at, what), self.t.keys[at.seat], bases, body)

    def make(self, at: Place, me: Seat) -> Body:
        if at.round == 1:
            return make_shares(Said(at, "view"), me, self.bases(at.seat))
        cards = self.cards[at.seat]
        source, c1 = digest("p2pgame input", at.table, at.prev, at.seat, *cards), cards[::2]
        b = [one or 1 for one in me.secrets("blind", source, len(c1))]
        blinded = list(map(mul, b, c1))
        blind = make_logs(self.said(at), me, c1, blinded, b)
        return {"blind": blind, "blinded": b"".join(blinded), **make_shares(Said(at, "view own"), me, blinded)}

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        if number == 0:
            self.blinded = {seat: cut(body["blinded"]) for seat, body in bodies.items()}


class Open(Step):
    kind = "open"

    def __init__(self, table: Table, handles: Sequence[int]) -> None:
        super().__init__(table)
        self.handles, self.halves = handles, table.halves(handles)

    def check(self, at: Place, body: Body) -> None:
        shape(body, proof=64, shares=16 * len(self.halves))
        check_shares(Said(at, "open"), self.t.keys[at.seat], self.halves[::2], body)

    def make(self, at: Place, me: Seat) -> Body:
        return make_shares(Said(at, "open"), me, self.halves[::2])

    def accept(self, number: int, bodies: dict[int, Body], prev: bytes) -> None:
        shares = zip(*(cut(body["shares"]) for body in bodies.values()), strict=True)
        sums = [sub(c2, add(*column)) for c2, column in zip(self.halves[1::2], shares, strict=True)]
        self.faces = {menus.Card(one): self.t.face(point) for one, point in zip(self.handles, sums, strict=True)}


class Ask(Step):
    kind = "ask"

    def __init__(self, table: Table, run: Run, request: requests.Ask) -> None:
        super().__init__(table)
        self.run, self.menus, self.choices = run, request.menus, dict[int, menus.Choice]()

    def owes(self, number: int) -> list[int]:
        return sorted(self.menus)

    def check(self, at: Place, body: Body) -> None:
        shape(body, act=int, picks=list)
        try:
            choice = self.choices[at.seat] = self.menus[at.seat].parse(body["act"], body["picks"])
            why = self.run.refusal(at.seat, choice) or self.menus[at.seat].judge(self.t.truth, choice, final=True)
        except menus.Illegal as error:
            why = str(error)
        need(not why, f"a decision against the rules: {why}")


class Closing(Step):
    kind = "closing"

    def __init__(self, table: Table, result: requests.Result) -> None:
        super().__init__(table)
        self.body = {"winners": list(result.winners), "scores": list(result.scores), "reason": result.reason}

    def make(self, at: Place, me: Seat) -> Body:
        return self.body


class Table:
    """[11] the cards, [14] the rules, [17] the file."""

    def __init__(self, data: bytes) -> None:
        records, before = self.split(data)
        first, *middle, last = (decode(payload) for payload in records)
        head = shape(shape(first, table=dict)["table"], contract=bytes, format=str, signatures=list)
        need(head["format"] == "p2pgame transcript 1", "another format")
        self.items = iter([shape(record, item=bytes)["item"] for record in middle])
        self.contract(head["contract"], head["signatures"])
        seeds = shape(last, seeds=list)["seeds"]
        need([len(seed) for seed in seeds] == [32] * self.n, "a seed is missing")
        self.secrets = [Seat(seed, self.id, seat) for seat, seed in enumerate(seeds)]
        self.prev, self.flips, self.step = digest("p2pgame start", self.id, *head["signatures"], size=32), 0, 0
        self.commitments, self.keys, self.heads, self.joint = list[bytes](), list[bytes](), list[bytes](), ZERO
        self.cards, self.gone, self.faces = list[tuple[bytes, bytes]](), set[int](), dict[bytes, str]()
        for step in self.play():
            self.replay(step)
        need(next(self.items, None) is None, "something follows the closing")
        self.identity = digest("p2pgame file", data[:before], size=32)

    def split(self, data: bytes) -> tuple[list[bytes], int]:  # [16]
        found, at, before = list[bytes](), 0, 0
        while at < len(data):
            length, before = data[at : at + 4], at
            end = at + 24 + int.from_bytes(length, "big")
            payload = data[at + 24 : end]
            check = hashlib.blake2b(length, digest_size=4, person=b"p2pgame length").digest()
            tag = hashlib.blake2b(length + payload, digest_size=16, person=b"p2pgame record").digest()
            need(end <= len(data) and data[at : at + 24] == length + check + tag, "a record that is not whole")
            found, at = [*found, payload], end
        need(len(found) > 1, "no records")
        return found, before

    def contract(self, data: bytes, signatures: list[Any]) -> None:  # [7]
        value = shape(decode(data), protocol=int, game=str, options=dict, seats=list, label=str)
        self.seats = [shape(seat, name=str, key=32, fresh=32) for seat in value["seats"]]
        self.n, self.id = len(self.seats), digest("p2pgame contract", data, size=32)
        names = [value["game"], value["label"], *(seat["name"] for seat in self.seats)]
        need(value["protocol"] == 1 and all(len(name.encode()) <= 64 for name in names), "no such contract")
        need(len({seat["key"] for seat in self.seats}) == self.n == len(signatures) > 1, "seats or signatures missing")
        for seat, signature in zip(self.seats, signatures, strict=True):
            signed(seat["key"], "contract", data, shape({"signature": signature}, signature=64)["signature"])
        try:
            self.game = registry.create(value["game"], self.n, value["options"])
        except registry.BadTable as error:
            raise Unsound(str(error)) from error

    def halves(self, handles: Sequence[int]) -> list[bytes]:
        need(not self.gone.intersection(handles), "a card that is gone")
        return [half for handle in handles for half in self.cards[handle]]

    def face(self, point: bytes) -> str:
        need(point in self.faces, "a card that does not open")
        return self.faces[point]

    def truth(self, handle: int) -> str:
        c1, c2 = self.cards[handle]
        return self.face(sub(c2, mul(sum(one.x for one in self.secrets), c1)))

    def play(self) -> Iterator[Step]:
        yield Commit(self)
        yield Keys(self)
        run = Run(self.game)
        while not run.finished:
            request, answer, step = run.pending, None, Step(self)
            if isinstance(request, requests.Deck):
                for face in request.faces:
                    point = generator("M", len(self.faces))
                    self.faces[point] = face
                    self.cards.append((G, add(point, self.joint)))
            elif isinstance(request, requests.Flip):
                yield (step := Flip(self))
                answer = step.result
            elif isinstance(request, requests.Shuffle):
                yield (step := Shuffle(self, request.cards))
                self.gone.update(() if request.keep else request.cards)
                self.cards += zip(step.cards[::2], step.cards[1::2], strict=True)
            elif isinstance(request, requests.View):
                yield View(self, request.looks)
                answer = {}
            elif isinstance(request, requests.Open):
                yield (step := Open(self, run.closed(request)))
                answer = step.faces
            else:
                need(isinstance(request, requests.Ask), "this verifier knows no promises")
                yield (step := Ask(self, run, request))
                answer = step.choices
            try:
                run.answer(answer)
            except IllegalDecision as error:
                raise Unsound(f"seat {error.seat} decided against the rules: {error}") from error
        yield Closing(self, run.result)

    def replay(self, step: Step) -> None:
        for number in range(step.rounds):
            chained, bodies = list[bytes](), dict[int, Body]()
            for seat in step.owes(number):
                data = next(self.items, b"\xc0")
                kinds = {"step": int, "round": int, "seat": int, "kind": str, "body": dict}
                item = shape(decode(data), **kinds, table=32, prev=32, sig=64)
                at = Place(self.id, self.prev, self.step, number, seat)
                need(at == Place(*(item[name] for name in Place._fields)), f"{at[2:]} is due, there is another")
                need(item["kind"] == step.kind, f"a {step.kind} is due")
                unsigned = encode({key: value for key, value in item.items() if key != "sig"})
                context = "closing" if step.kind == "closing" else "contribution"
                signed(self.seats[seat]["key"], context, unsigned, item["sig"])
                step.check(at, item["body"])
                made = step.make(at, self.secrets[seat])
                need(made is None or encode(made) == encode(item["body"]), f"a {step.kind} not made from the seed")
                bodies[seat] = item["body"]
                chained.append(data)
            step.accept(number, bodies, self.prev)
            self.prev = digest("p2pgame round", self.prev, *chained, size=32)
        self.step += 1


def verify(data: bytes) -> bytes:
    """The identity of a sound file. Errors: Unsound."""
    return Table(data).identity


if __name__ == "__main__":
    try:
        sys.stdout.write(verify(Path(sys.argv[1]).read_bytes()).hex() + "\n")
    except Unsound as unsound:
        sys.exit(str(unsound))
