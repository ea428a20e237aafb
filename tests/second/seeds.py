"""What a seat publishes, made from its master seed: the maker's side of sections 9 to 13 of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from .basics import Body, Field, G, Place, Points, Said, add, digest, dot, generator, mul, packed, scalar, sub

FLIPS = 1024


class Seat:
    """9. What grows from a master seed."""

    def __init__(self, m: bytes, table: bytes, seat: int) -> None:
        self.m, self.commitment = m, digest("p2pgame seed", table, seat, m, size=32)
        self.x = self.secret("key", table, seat) or 1
        self.chain = [digest("p2pgame secret", "chain", table, seat, size=32, key=m)]
        for i in range(FLIPS):
            self.chain.append(digest("p2pgame chain", table, seat, i, self.chain[i], size=32))

    def secret(self, *values: Field) -> int:
        return scalar(digest("p2pgame secret", *values, key=self.m))

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


# 10. Proofs


def logs(t: Said, me: Seat, bases: Points, values: Points, known: Sequence[int]) -> bytes:
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    w = me.nonces(t, "log", len(bases))
    t.absorb("commitments", *(mul(k, base) for k, base in zip(w, bases, strict=True)))
    (e,) = t.challenges("e", 1)
    return packed(e, *(one + e * x for one, x in zip(w, known, strict=True)))


def shares(t: Said, me: Seat, bases: Points) -> Body:
    made = [mul(me.x, base) for base in bases]
    t.absorb("statement", G, mul(me.x, G), len(bases))
    t.absorb("bases", *bases)
    t.absorb("shares", *made)
    base = dot(t.challenges("weights", len(bases)), bases)
    (w,) = me.nonces(t, "share", 1)
    t.absorb("commitments", mul(w, G), mul(w, base))
    (e,) = t.challenges("e", 1)
    return {"shares": b"".join(made), "proof": packed(e, w + e * me.x)}


def choice(t: Said, me: Seat, c: bytes, d: bytes, choices: Points, s: bytes, b: int, true: int) -> bytes:
    t.absorb("statement", c, d, s)
    t.absorb("choices", *choices)
    e, z = me.nonces(t, "challenge", len(choices)), me.nonces(t, "response", len(choices))
    e[true] = 0
    pairs = [(sub(mul(k, c), mul(f, d)), sub(mul(k, one), mul(f, s))) for f, k, one in zip(e, z, choices, strict=True)]
    t.absorb("commitments", *(point for pair in pairs for point in pair))
    e[true] = t.challenges("e", 1)[0] - sum(e)
    z[true] += e[true] * b
    return packed(*e, *z)


# 12. Ceremonies


def keys(at: Place, me: Seat, commitments: Points) -> Body:
    t, key, anchor = Said(at, "key"), mul(me.x, G), me.chain[FLIPS]
    t.absorb("seeds", *commitments)
    t.absorb("anchor", anchor)
    return {"key": key, "anchor": anchor, "proof": logs(t, me, [G], [key], [me.x])}


def view(at: Place, me: Seat, halves: Points) -> Body:
    """Round 0; `halves`: C1, C2 of each card in turn."""
    source = digest("p2pgame input", at.table, at.prev, at.seat, *halves)
    b = [one or 1 for one in me.secrets("blind", source, len(halves) // 2)]
    blinded = [mul(k, c1) for k, c1 in zip(b, halves[::2], strict=True)]
    t = Said(at, "view blind")
    t.absorb("cards", *halves)
    blind = logs(t, me, halves[::2], blinded, b)
    return {"blind": blind, "blinded": b"".join(blinded), **shares(Said(at, "view own"), me, blinded)}


def shuffle(at: Place, me: Seat, joint: bytes, halves: Points, salt: bytes, first: int) -> Body:
    """13."""
    t, n = Said(at, "shuffle"), len(halves) // 2
    h = [generator("H", i) for i in range(n + 1)]
    t.absorb("input", n, G, joint)
    t.absorb("generators", *h)
    t.absorb("cards", *halves)
    order = me.order(t.hash.digest(), n)
    pool = [me.secret("pool", salt, first + k) for k in range(4 * n + 5)]
    w, factors, rho, big_r, w_prime = pool[:5], pool[5::4], pool[6::4], pool[7::4], pool[8::4]
    out, c = [], [b""] * n
    for i, place in enumerate(order):
        out += [add(halves[2 * place + half], mul(factors[i], key)) for half, key in enumerate((G, joint))]
        c[place] = add(mul(rho[i], G), h[i + 1])
    t.absorb("pool", salt, first)
    t.absorb("output", *out)
    t.absorb("commitments", *c)
    challenges = t.challenges("u", n)
    u, chain = [challenges[place] for place in order], [h[0]]
    r_hat = [now - v * before for now, v, before in zip(big_r, u, [0, *big_r], strict=False)]
    for i in range(n):
        chain.append(add(mul(r_hat[i], G), mul(u[i], chain[i])))
    t.absorb("chain", *chain[1:])
    y = t.challenges("weights", n)
    t3 = add(mul(w[2], G), dot(w_prime, h[1:]))
    t4 = [add(mul(-w[3], key), dot(w_prime, out[half::2])) for half, key in enumerate((G, joint))]
    t5 = add(mul(w[4], G), dot([a * b for a, b in zip(w_prime, y, strict=True)], chain[:-1]))
    t.absorb("announcements", mul(w[0], G), mul(w[1], G), t3, *t4, t5)
    (e,) = t.challenges("e", 1)
    known = [
        sum(rho),
        sum(r_hat[i] * prod(u[i + 1 :]) for i in range(n)),
        *(sum(a * b for a, b in zip(left, right, strict=True)) for left, right in ((rho, u), (factors, u), (r_hat, y))),
    ]
    proof = {
        "c": b"".join(c),
        "chain": b"".join(chain[1:]),
        "e": packed(e),
        "s": packed(*(one + e * value for one, value in zip(w, known, strict=True))),
        "primes": packed(*(one + e * value for one, value in zip(w_prime, u, strict=True))),
    }
    return {"cards": b"".join(out), "first": first, "proof": proof, "salt": salt}
