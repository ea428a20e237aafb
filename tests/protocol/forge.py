"""A cheat's half of a shuffle proof, for any matrix in a permutation's place; and a transcript that is listened to.

With c_j = r_j·G + Σ_i A_ij·H_i and output E', the equations of a proof hold if and only if

    t1   each row of A has the sum 1            t2   Π u' = Π u, provided that the chain is made of the u'
    t3   u' = A·u                               t4   Σ u'_i·E'_i = Σ u_i·E_i but for a resealing
    t5   the chain is made of the u'

so a cheat that breaks one of them and keeps the others shows that this one is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from protocol import elgamal, group, hashing
from protocol.ceremony import Body, Context
from protocol.elgamal import Ciphertext
from protocol.group import G, Point
from protocol.hashing import Field, Q, Transcript

Matrix = Sequence[Sequence[int]]
Vector = Sequence[int]


def scaled(k: int, card: Ciphertext) -> Ciphertext:
    return Ciphertext(group.mul(k, card.c1), group.mul(k, card.c2))


def added(one: Ciphertext, other: Ciphertext) -> Ciphertext:
    return Ciphertext(group.add(one.c1, other.c1), group.add(one.c2, other.c2))


def forge(
    context: Context,
    joint: Point,
    cards: Sequence[Ciphertext],
    made: Callable[[Vector], Sequence[Ciphertext]],
    matrix: Callable[[Vector], Matrix],
    weights: Callable[[Vector], Vector],
    links: Callable[[Vector, Vector], Vector] | None = None,
) -> Body:
    """A proof with the wanted output, matrix and u', each as a function of the u, and chain, of u and y.

    Output and matrix stand before the u, and the chain before the y; to choose them after these, the cheat first sees
    which ones come out for a guess.
    """
    n = len(cards)
    r, w_prime, salt, first = [11 + i for i in range(n)], [31 + i for i in range(n)], bytes(16), 4
    r_hat, factors, (w1, w2, w3, w4, w5) = [41 + i for i in range(n)], [51 + i for i in range(n)], (2, 3, 5, 7, 9)

    def begin(u: Vector) -> tuple[Transcript, list[Ciphertext], list[Point], list[int]]:
        out = [elgamal.reencrypt(card, joint, f) for card, f in zip(made(u), factors, strict=True)]
        rows = matrix(u)
        c = [
            group.add(group.base(r[j]), group.dot([row[j] for row in rows], [group.h(i + 1) for i in range(n)]))
            for j in range(n)
        ]
        t = Transcript(context, "shuffle")
        t.absorb("input", n, G, joint)
        t.absorb("generators", *(group.h(i) for i in range(n + 1)))
        t.absorb("cards", *(half for card in cards for half in card))
        t.absorb("pool", salt, first)
        t.absorb("output", *(half for card in out for half in card))
        t.absorb("commitments", *c)
        return t, out, c, t.challenges("u", n)

    guess = begin(range(1, n + 1))[3]
    t, out, c, u = begin(guess)
    u_prime = weights(u)

    def linked(made_of: Vector) -> list[Point]:
        chain = [group.h(0)]
        for k, v in zip(r_hat, made_of, strict=True):
            chain.append(group.add(group.base(k), group.mul(v, chain[-1])))
        return chain

    made_of = u_prime
    if links is not None:
        guessing = begin(guess)[0]
        guessing.absorb("chain", *linked(u_prime)[1:])
        made_of = links(u, guessing.challenges("weights", n))
    chain = linked(made_of)
    t.absorb("chain", *chain[1:])
    y = t.challenges("weights", n)
    t3 = group.add(group.base(w3), group.dot(w_prime, [group.h(i + 1) for i in range(n)]))
    t4a = group.add(group.base(-w4), group.dot(w_prime, [card.c1 for card in out]))
    t4b = group.add(group.mul(-w4, joint), group.dot(w_prime, [card.c2 for card in out]))
    t5 = group.add(group.base(w5), group.dot([a * b for a, b in zip(w_prime, y, strict=True)], chain[:-1]))
    t.absorb("announcements", group.base(w1), group.base(w2), t3, t4a, t4b, t5)
    e = t.challenge("e")
    reached = [0]  # ĉ_i is that much of G, and some of H
    for k, v in zip(r_hat, made_of, strict=True):
        reached.append((reached[-1] * v + k) % Q)
    missing = [after - v * before for v, before, after in zip(u_prime, reached[:-1], reached[1:], strict=True)]
    s = [
        w1 + e * sum(r),
        w2 + e * reached[n],
        w3 + e * sum(k * v for k, v in zip(r, u, strict=True)),
        w4 + e * sum(k * v for k, v in zip(factors, u_prime, strict=True)),
        w5 + e * sum(k * v for k, v in zip(missing, y, strict=True)),
    ]

    def packed(scalars: Sequence[int]) -> bytes:
        return b"".join(map(group.scalar_bytes, scalars))

    return {
        "cards": elgamal.pack(out),
        "salt": salt,
        "first": first,
        "proof": {
            "c": b"".join(c),
            "chain": b"".join(chain[1:]),
            "e": packed([e]),
            "s": packed(s),
            "primes": packed([w_prime[i] + e * u_prime[i] for i in range(n)]),
        },
    }


def product(scalars: Vector) -> int:
    return math.prod(scalars) % Q


class Spy(Transcript):
    """Remembers what went in before the first challenge, and the names of all transcripts that were begun."""

    names: list[str] = []  # noqa: RUF012 (one list for all of them, emptied by whoever listens)
    heard: list[set[Field]] = []  # noqa: RUF012

    def __init__(self, context: Context, what: str) -> None:
        super().__init__(context, what)
        self._what = what
        self._asked = False
        Spy.names.append(what)
        Spy.heard.append(set())
        self._mine = Spy.heard[-1]

    def absorb(self, label: str, *values: hashing.Field) -> None:
        if not self._asked and (self._what == "shuffle" or label != "commitments"):
            self._mine.update(values)
        super().absorb(label, *values)

    def challenges(self, label: str, count: int) -> list[int]:
        self._asked = True
        return super().challenges(label, count)
