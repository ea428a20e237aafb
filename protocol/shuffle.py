"""Shuffling sealed cards, and the proof that nothing else was done to them.

For: one seat's pass over a list of cards. Never: cards that are not the ones that came in, a list of any other length
than the cards demand, or a proof that holds for another pass.

Theory of operation (Terelius and Wikström 2010, non-interactive as in Haenni, Locher, Koenig and Dubuis, "Pseudo-Code
Algorithms for Verifiable Re-Encryption Mix-Nets", 2017, section 4; written additively here). Input E_i = (a_i, b_i),
output E'_i = E_{π(i)} + (r'_i·G, r'_i·X): the factors r' are indexed by *output*. c commits to the columns of π's
matrix, c_{π(i)} = r_{π(i)}·G + H_i. For challenges u over all of that, u'_i = u_{π(i)}, a chain ĉ_0 = H, ĉ_i = r̂_i·G +
u'_i·ĉ_{i−1} shows that the product of the u' is that of the u, and Σc that c hides a matrix of column sums 1, so π is
a permutation; and that Σu·E = Σu'·E' but for r' = Σ r'_i·u'_i shows that the cards are the same. One Schnorr-like proof
with challenge e covers all of it, with responses s = (s1, s2, s3, s4), ŝ and s'.

Transcript, after the context and "shuffle": "input" N, G, X; "generators" H_0 … H_N; "cards" E; "output" E';
"commitments" c; challenges "u"; "chain" ĉ_1 … ĉ_N; "announcements" t1, t2, t3, t4 (two points), t̂; challenge "e".
Permutation, factors r' and commitment randomness r are bound to its state after "cards"; r̂ and the nonces ω to its
state before "chain".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from . import codec, elgamal, group, limits
from .ceremony import Body, Context
from .elgamal import Ciphertext
from .errors import Misuse, Refused
from .group import G, Point
from .hashing import Q, Transcript
from .secrets import Secrets


@dataclass(frozen=True, slots=True)
class Pass:
    """What one seat does to the cards, and how: `order` is π, `factors` the r', both by output; `randomness` the r."""

    cards: list[Ciphertext]
    order: list[int]
    factors: list[int]
    randomness: list[int]


def _begin(context: Context, joint: Point, cards: Sequence[Ciphertext]) -> Transcript:
    n = len(cards)
    if not 1 <= n <= limits.MAX_CARDS:
        raise Misuse(f"a shuffle takes 1 to {limits.MAX_CARDS} cards, not {n}")
    t = Transcript(context, "shuffle")
    t.absorb("input", n, G, joint)
    t.absorb("generators", *(group.h(i) for i in range(n + 1)))
    t.absorb("cards", *_flat(cards))
    return t


def _flat(cards: Sequence[Ciphertext]) -> list[Point]:
    return [part for card in cards for part in card]


def _inner(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True)) % Q


def mix(context: Context, secrets: Secrets, joint: Point, cards: Sequence[Ciphertext]) -> Pass:
    """Permute and reseal the cards, by the seat's secrets for this very input. Errors: Misuse (no or too many)."""
    n = len(cards)
    source = _begin(context, joint, cards).state()
    order = secrets.permutation("order", source, n)
    factors = secrets.scalars("factor", source, n)
    out = [elgamal.reencrypt(cards[place], joint, r) for place, r in zip(order, factors, strict=True)]
    return Pass(out, order, factors, secrets.scalars("commitment", source, n))


def prove(context: Context, secrets: Secrets, joint: Point, cards: Sequence[Ciphertext], done: Pass) -> Body:
    """The body {"cards", "proof"} for a pass made by `mix`. Some 6N multiplications and 4N by the base.

    Sizes for N cards: "cards" 64·N; in "proof" "c", "chain", "hats" (ŝ) and "primes" (s') 32·N each, "e" 32, "s" 128.
    """
    n = len(cards)
    t = _begin(context, joint, cards)
    t.absorb("output", *_flat(done.cards))
    c = [group.base(r) for r in done.randomness]
    for i, place in enumerate(done.order):
        c[place] = group.add(c[place], group.h(i + 1))
    t.absorb("commitments", *c)
    u = t.challenges("u", n)
    state = t.state()

    u_prime = [u[place] for place in done.order]
    r_hat = [secrets.nonce(state, "chain", i) for i in range(n)]
    chain = [group.h(0)]
    for r, v in zip(r_hat, u_prime, strict=True):
        chain.append(group.add(group.base(r), group.mul(v, chain[-1])))
    t.absorb("chain", *chain[1:])

    w1, w2, w3, w4 = (secrets.nonce(state, "omega", i) for i in range(1, 5))
    w_hat = [secrets.nonce(state, "omega hat", i) for i in range(n)]
    w_prime = [secrets.nonce(state, "omega prime", i) for i in range(n)]
    t3 = group.add(group.base(w3), group.dot(w_prime, [group.h(i) for i in range(1, n + 1)]))
    t4a = group.add(group.base(-w4), group.dot(w_prime, [card.c1 for card in done.cards]))
    t4b = group.add(group.mul(-w4, joint), group.dot(w_prime, [card.c2 for card in done.cards]))
    t_hat = [
        group.add(group.base(w), group.mul(v, link)) for w, v, link in zip(w_hat, w_prime, chain[:-1], strict=True)
    ]
    t.absorb("announcements", group.base(w1), group.base(w2), t3, t4a, t4b, *t_hat)
    e = t.challenge("e")

    r_chain, after = 0, 1  # r̂ = Σ r̂_i·v_i, with v_N = 1 and v_i = u'_{i+1}·v_{i+1}
    for r, v in zip(reversed(r_hat), reversed(u_prime), strict=True):
        r_chain, after = (r_chain + r * after) % Q, after * v % Q
    s1 = w1 + e * sum(done.randomness)
    s2 = w2 + e * r_chain
    s3 = w3 + e * _inner(done.randomness, u)
    s4 = w4 + e * _inner(done.factors, u_prime)
    return {
        "cards": elgamal.pack(done.cards),
        "proof": {
            "c": b"".join(c),
            "chain": b"".join(chain[1:]),
            "e": group.scalar_bytes(e),
            "s": b"".join(map(group.scalar_bytes, (s1, s2, s3, s4))),
            "hats": b"".join(group.scalar_bytes(w + e * r) for w, r in zip(w_hat, r_hat, strict=True)),
            "primes": b"".join(group.scalar_bytes(w + e * v) for w, v in zip(w_prime, u_prime, strict=True)),
        },
    }


def check(context: Context, joint: Point, cards: Sequence[Ciphertext], body: object) -> None:
    """Check a seat's pass over `cards`. Some 8N multiplications, N by the base, and 4N foreign points.

    Errors: Malformed or Refused, naming the field.
    """
    n = len(cards)
    t = _begin(context, joint, cards)
    outer = codec.fields(body, "shuffle", cards=bytes, proof=dict)
    kinds = dict.fromkeys(("c", "chain", "e", "s", "hats", "primes"), bytes)
    proof = codec.fields(outer["proof"], "shuffle proof", **kinds)
    # All lengths first: a chain with one value too many once proved what was no permutation.
    group.sized(outer["cards"], 2 * group.SIZE * n, "shuffle cards")
    for key, size in {"c": n, "chain": n, "e": 1, "s": 4, "hats": n, "primes": n}.items():
        group.sized(proof[key], group.SIZE * size, f"shuffle proof {key}")
    e = group.scalar(proof["e"], "shuffle proof e")
    s1, s2, s3, s4 = group.scalars(proof["s"], 4, "shuffle proof s")
    s_hat = group.scalars(proof["hats"], n, "shuffle proof hat")
    s_prime = group.scalars(proof["primes"], n, "shuffle proof prime")
    out = elgamal.pairs(group.points(outer["cards"], 2 * n, "shuffle card half"))
    c = group.points(proof["c"], n, "shuffle proof c")
    chain = [group.h(0), *group.points(proof["chain"], n, "shuffle proof chain")]

    t.absorb("output", *_flat(out))
    t.absorb("commitments", *c)
    u = t.challenges("u", n)
    t.absorb("chain", *chain[1:])

    less = [-e * v % Q for v in u]
    product = math.prod(u) % Q
    t1 = group.sub(group.base(s1), group.mul(e, group.sub(group.total(c), group.h_total(n))))
    t2 = group.sub(group.base(s2), group.mul(e, group.sub(chain[n], group.mul(product, chain[0]))))
    t3 = group.total([group.base(s3), group.dot(s_prime, [group.h(i) for i in range(1, n + 1)]), group.dot(less, c)])
    t4 = [
        group.total(
            [
                group.mul(-s4, key),
                group.dot(s_prime, [card[half] for card in out]),
                group.dot(less, [card[half] for card in cards]),
            ]
        )
        for half, key in enumerate((G, joint))
    ]
    t_hat = [
        group.sub(group.add(group.base(s_hat[i]), group.mul(s_prime[i], chain[i])), group.mul(e, chain[i + 1]))
        for i in range(n)
    ]
    t.absorb("announcements", t1, t2, t3, *t4, *t_hat)
    if t.challenge("e") != e:
        raise Refused("shuffle proof: does not hold")
