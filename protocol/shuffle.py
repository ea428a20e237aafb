"""Shuffling sealed cards, and the proof that nothing else was done to them.

For: one seat's pass over a list of cards. Never: cards that are not the ones that came in, a list of any other length
than the cards demand, or a proof that holds for another pass.

Theory of operation (Terelius and Wikström 2010, non-interactive as in Haenni, Locher, Koenig and Dubuis, "Pseudo-Code
Algorithms for Verifiable Re-Encryption Mix-Nets", 2017, section 4; written additively here). Input E_i = (a_i, b_i),
output E'_i = E_{π(i)} + (r'_i·G, r'_i·X): the factors r' are indexed by *output*. c commits to the columns of π's
matrix, c_{π(i)} = ρ_i·G + H_i. For challenges u over all of that, u'_i = u_{π(i)}, a chain ĉ_0 = H, ĉ_i = r̂_i·G +
u'_i·ĉ_{i−1} shows that the product of the u' is that of the u, and Σc that c hides a matrix of column sums 1, so π is
a permutation; and that Σu·E = Σu'·E' but for r' = Σ r'_i·u'_i shows that the cards are the same. One Schnorr-like proof
with challenge e covers all of it, with responses s = (s1 … s5) and s'.

What differs from the paper: the N equations of the chain are proven as one, weighted by challenges y that cover the
chain (Bellare, Garay and Rabin 1998, with weights as long as the group order): Σ y_i·ĉ_i = r̂·G + Σ u'_i·y_i·ĉ_{i−1},
r̂ = Σ y_i·r̂_i. The u' cannot be fitted to the y: c, u and s3 fix them before, so N proofs for independent y give every
r̂_i, and one link that is wrong among right ones passes for one y in q. That saves N responses and half of the chain's
multiplications. And who makes a proof knows ĉ_i = R_i·G + U_i·H, with U_i = u'_1·…·u'_i, so the R_i may be chosen
beforehand; r̂_i = R_i − u'_i·R_{i−1} follows. All other scalars come from a batch of pool.py, too.

Transcript, after the context and "shuffle": "input" N, G, X; "generators" H_0 … H_N; "cards" E; "pool" salt, first;
"output" E'; "commitments" c; challenges "u"; "chain" ĉ_1 … ĉ_N; challenges "weights" y; "announcements" t1, t2, t3, t4
(two points), t5; challenge "e". The order π is bound to its state after "cards".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from . import codec, elgamal, group, limits, pool
from .ceremony import Body, Context
from .elgamal import Ciphertext
from .errors import Malformed, Misuse, Refused
from .group import G, Point
from .hashing import Q, Transcript
from .pool import Batch
from .secrets import Secrets
from .spread import Spread, each, inline

INDICES = 2**32
"""A batch's first index is below this."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one seat does to the cards, and how: `order` is π, by output."""

    cards: list[Ciphertext]
    order: list[int]
    batch: Batch


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


def mix(
    context: Context,
    secrets: Secrets,
    joint: Point,
    cards: Sequence[Ciphertext],
    *,
    batch: Batch | None = None,
    spread: Spread = inline,
) -> Pass:
    """Permute the cards, by the seat's secrets for this very input, and reseal them with a batch that is used for
    nothing else; by default with one that is bound to the input, too. Errors: Misuse (no or too many cards)."""
    n = len(cards)
    source = _begin(context, joint, cards).state()
    order = secrets.permutation("order", source, n)
    found = batch or pool.batch(secrets, secrets.salt(source), 0, n, joint, spread)
    out = each(spread, lambda i: elgamal.added(cards[order[i]], found.seals[i]), range(n))
    return Pass(out, order, found)


def prove(context: Context, joint: Point, cards: Sequence[Ciphertext], done: Pass, *, spread: Spread = inline) -> Body:
    """The body {"cards", "first", "proof", "salt"} for a pass made by `mix`. Some 3N multiplications.

    Sizes for N cards: "cards" 64·N, "salt" 16; in "proof" "c", "chain" and "primes" (s') 32·N each, "e" 32, "s" 160.
    """
    n, order, made = len(cards), done.order, done.batch
    t = _begin(context, joint, cards)
    t.absorb("pool", made.salt, made.first)
    t.absorb("output", *_flat(done.cards))
    c = list(made.columns)
    for column, place in zip(made.columns, order, strict=True):
        c[place] = column
    t.absorb("commitments", *c)
    u = t.challenges("u", n)
    u_prime = [u[place] for place in order]

    products = list(accumulate(u_prime, lambda a, b: a * b % Q))  # U_1 … U_N
    h = group.h(0)
    chain = each(spread, lambda i: group.add(made.starts[i], group.mul(products[i], h)), range(n))
    t.absorb("chain", *chain)
    y = t.challenges("weights", n)

    w, w_prime = made.omega, made.primes
    t1, t2, t3, *rest = made.announced
    parts = group.sums([group.own(w_prime, [cards[place][half] for place in order]) for half in (0, 1)], spread)
    t4 = [group.add(*pair) for pair in zip(rest, parts, strict=True)]
    # Σ ω'_i·y_i·ĉ_{i−1}, by what each ĉ is made of
    before, above = [0, *made.links[:-1]], [1, *products[:-1]]
    weighted = [a * b for a, b in zip(w_prime, y, strict=True)]
    t5 = group.add(group.base(w[4] + _inner(weighted, before)), group.mul(_inner(weighted, above), h))
    t.absorb("announcements", t1, t2, t3, *t4, t5)
    e = t.challenge("e")

    r_hat = [link - v * last for link, v, last in zip(made.links, u_prime, before, strict=True)]
    s = [
        w[0] + e * sum(made.randomness),
        w[1] + e * made.links[-1],  # r̂ = Σ r̂_i·u'_{i+1}·…·u'_N is R_N
        w[2] + e * _inner(made.randomness, u_prime),
        w[3] + e * _inner(made.factors, u_prime),
        w[4] + e * _inner(r_hat, y),
    ]
    return {
        "cards": elgamal.pack(done.cards),
        "salt": made.salt,
        "first": made.first,
        "proof": {
            "c": b"".join(c),
            "chain": b"".join(chain),
            "e": group.scalar_bytes(e),
            "s": b"".join(map(group.scalar_bytes, s)),
            "primes": b"".join(group.scalar_bytes(k + e * v) for k, v in zip(w_prime, u_prime, strict=True)),
        },
    }


def check(
    context: Context, joint: Point, cards: Sequence[Ciphertext], body: object, *, spread: Spread = inline
) -> None:
    """Check a seat's pass over `cards`. Some 7N multiplications, by which 4N foreign points pass the gate.

    Errors: Malformed or Refused, naming the field.
    """
    n = len(cards)
    t = _begin(context, joint, cards)
    outer = codec.fields(body, "shuffle", cards=bytes, salt=bytes, first=int, proof=dict)
    kinds = dict.fromkeys(("c", "chain", "e", "s", "primes"), bytes)
    proof = codec.fields(outer["proof"], "shuffle proof", **kinds)
    # All lengths first: a chain with one value too many once proved what was no permutation.
    group.sized(outer["cards"], 2 * group.SIZE * n, "shuffle cards")
    for key, size in {"c": n, "chain": n, "e": 1, "s": 5, "primes": n}.items():
        group.sized(proof[key], group.SIZE * size, f"shuffle proof {key}")
    group.sized(outer["salt"], pool.SALT, "shuffle salt")
    if not 0 <= outer["first"] < INDICES:
        raise Malformed("shuffle: no such first index")
    e = group.scalar(proof["e"], "shuffle proof e")
    s1, s2, s3, s4, s5 = group.scalars(proof["s"], 5, "shuffle proof s")
    s_prime = group.scalars(proof["primes"], n, "shuffle proof prime")
    out = group.claims(outer["cards"], 2 * n, "shuffle cards")
    c = group.claims(proof["c"], n, "shuffle proof c")
    chain = group.claims(proof["chain"], n, "shuffle proof chain")

    t.absorb("pool", outer["salt"], outer["first"])
    t.absorb("output", *out)
    t.absorb("commitments", *c)
    u = t.challenges("u", n)
    t.absorb("chain", *chain)
    y = t.challenges("weights", n)

    h, less = group.h(0), [-e * v % Q for v in u]
    ahead = [a * b for a, b in zip(s_prime, y, strict=True)]  # what ĉ_0 … ĉ_{N−1} are multiplied by as a link's base
    links = [base - e * weight for base, weight in zip([*ahead[1:], 0], y, strict=True)]
    t4a, t4b, t3, t5 = group.sums(
        [
            *(
                group.foreign(s_prime, out[half::2], "shuffle card half", range(half, 2 * n, 2))
                + group.own([*less, -s4], [*(card[half] for card in cards), key])
                for half, key in enumerate((G, joint))
            ),
            group.foreign(less, c, "shuffle proof c")
            + group.own([*s_prime, s3], [*(group.h(i) for i in range(1, n + 1)), G]),
            group.foreign(links, chain, "shuffle proof chain") + group.own([ahead[0], s5], [h, G]),
        ],
        spread,
    )
    # From here on all of them are points.
    columns, last = group.total(group.checked(proof["c"])), group.checked(proof["chain"])[-1]
    t1 = group.sub(group.base(s1), group.mul(e, group.sub(columns, group.h_total(n))))
    t2 = group.sub(group.base(s2), group.mul(e, group.sub(last, group.mul(math.prod(u), h))))
    t.absorb("announcements", t1, t2, t3, t4a, t4b, t5)
    if t.challenge("e") != e:
        raise Refused("shuffle proof: does not hold")
