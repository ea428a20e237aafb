"""What a seat publishes, made from its master seed: the maker's side of sections 9 to 13 of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from .basics import (
    Body,
    Field,
    G,
    Place,
    Points,
    Said,
    add,
    commitment,
    cut,
    digest,
    dot,
    generator,
    mul,
    packed,
    scalar,
    sub,
)

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

    def order(self, n: int, *values: Field) -> list[int]:
        seed = digest("p2pgame secret", *values, key=self.m)
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
    rows, columns = commitment(n)
    h = [generator("H", i) for i in range(columns)]
    t.absorb("input", n, G, joint)
    t.absorb("generators", *h)
    t.absorb("cards", *halves)
    order, secret = me.order(n, "order", t.hash.digest()), me.order(n, "pool order", salt, first)
    places = [order.index(place) for place in secret]
    pool = [me.secret("pool", salt, first + k) for k in range(4 * n + 5 * rows + 1)]
    r_prime, d, d_prime, delta = (pool[k : 4 * n : 4] for k in range(4))
    r, rho, rho_prime, sigma, tau = (pool[4 * n + k : -1 : 5] for k in range(5))
    delta[-1] = 0

    def com(values: Sequence[int], blinds: Sequence[int]) -> Points:
        lists = [values[columns * j : columns * (j + 1)] for j in range(rows)]
        return [add(mul(blind, G), dot(one, h[: len(one)])) for blind, one in zip(blinds, lists, strict=True)]

    out = [b""] * (2 * n)
    for factor, old, new in zip(r_prime, secret, places, strict=True):
        for half, key in enumerate((G, joint)):
            out[2 * new + half] = add(halves[2 * old + half], mul(factor, key))
    committed = [*com(secret, r), *com([-one for one in d], rho)]
    masked = [
        sub(mul(pool[-1], key), dot(d, [out[2 * place + half] for place in places]))
        for half, key in enumerate((G, joint))
    ]
    t.absorb("pool", salt, first)
    t.absorb("output", *out)
    t.absorb("places", bytes(places))
    t.absorb("commitments", *committed)
    t.absorb("masked", *masked)
    weights = t.challenges("t", n)
    permuted = [weights[place] for place in secret]
    z = pool[-1] + sum(a * b for a, b in zip(permuted, r_prime, strict=True))
    responses = packed(*(a + b for a, b in zip(permuted, d, strict=True)), z)
    t.absorb("responses", *cut(responses))
    (lam,), (x,) = t.challenges("lambda", 1), t.challenges("x", 1)
    m = [lam * place + weight for place, weight in zip(secret, permuted, strict=True)]
    crossed = [-delta[i - 1] * d_prime[i] if i else 0 for i in range(n)]
    last = [
        delta[i] - ((m[i] - x) * delta[i - 1] if i else 0) - prod(one - x for one in m[:i]) * d_prime[i]
        for i in range(n)
    ]
    points = [*com(d_prime, rho_prime), *com(crossed, sigma), *com(last, tau)]
    t.absorb("announcements", *points)
    (e,) = t.challenges("e", 1)
    known = {
        "points": b"".join(points),
        "f": packed(*(e * a + b for a, b in zip(m, d_prime, strict=True))),
        "g": packed(*(e * a + b for a, b in zip(last, crossed, strict=True))),
        "z": packed(
            *(e * (lam * a + b) + c for a, b, c in zip(r, rho, rho_prime, strict=True)),
            *(e * a + b for a, b in zip(tau, sigma, strict=True)),
        ),
    }
    proof = {"commitments": b"".join(committed), "masked": b"".join(masked), "responses": responses, "known": known}
    proof["places"] = bytes(places)
    return {"cards": b"".join(out), "first": first, "proof": proof, "salt": salt}
