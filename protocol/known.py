"""An argument that committed scalars are known ones in another order.

For: the shuffle proof. Never: a word about the order itself.

Theory of operation (Groth 2010, "A Verifiable Secret Shuffle of Homomorphic Encryptions", J. Cryptology 23: the
argument for a shuffle of known contents; commitments as in vectors.py, written additively). The commitment C hides
m_{π(1)} … m_{π(N)}; the m_i are known. Two lists are the same but for their order if the polynomials Π (m_i − x) and
Π (m_{π(i)} − x) are the same, and they are if they agree at a random x (Neff 2001), but for N of the q values of x.

With s_i = m_{π(i)} − x and their products a_0 = 1, a_i = s_1·…·s_i, the prover commits to

    C_d  d'_i                C_Δ  −δ_{i−1}·d'_i                C_a  δ_i − s_i·δ_{i−1} − a_{i−1}·d'_i

for random d'_1 … d'_N, δ_1 … δ_{N−1}; δ_0 = δ_N = 0. For a challenge e it answers

    f_i = e·m_{π(i)} + d'_i    g_i = e·(i-th in C_a) + (i-th in C_Δ)    z, y: the same of the rows' blinds

and these open e·C + C_d and e·C_a + C_Δ. With F_0 = e, e·F_i = F_{i−1}·(f_i − e·x) + g_i an honest F_i is e·a_i + δ_i,
so F_N = e·Π (m_i − x). To spare divisions P_i = e^i·F_i is what is computed, P_i = P_{i−1}·(f_i − e·x) + e^{i−1}·g_i.

Why it is sound: C, C_d, C_Δ, C_a and x stand before e, and who could answer several e knows what is in them. So f_i
and g_i are polynomials of degree 1 in e, P_N is one of degree N + 1, and its highest coefficient is the product of the
(i-th in C) − x. If that is not Π (m_i − x), then P_N = e^{N+1}·Π (m_i − x) holds for at most N + 1 of q values of e, 0
among them. Why it says nothing: the f_i and F_1 … F_{N−1} are uniform because of the d'_i and δ_i, all else follows
from them, and the commitments hide perfectly.

The paper starts with F_1 = f_1 − e·x, δ_1 = d'_1, which needs N >= 2. Starting one step before costs one response, and
serves N = 1 as well; the degrees of the argument stay what they are.

The 2·L openings are checked as one sum, weighted by challenges that cover everything, the responses included (Bellare,
Garay and Rabin 1998, in a group of prime order, with weights as long as the order). By then each opening is a fixed
point, zero or not, so one that is wrong goes unseen for one value in q of its weight, whatever the others are.

Transcript, from wherever C and the m_i stand in it: challenge "x"; "announcements" C_d, C_Δ, C_a (L points each);
challenge "e"; "openings" f, g, z, y as bytes; challenges "weights", 2·L.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from . import codec, group, vectors
from .ceremony import Body
from .group import Claim, G, Point, Term
from .hashing import Q, Transcript
from .spread import Spread, inline

KINDS = {"points": bytes, "f": bytes, "g": bytes, "z": bytes}


@dataclass(frozen=True, slots=True, repr=False)
class Announced:
    """What can be made before C: scalars, each for one argument only, and the commitments C_d and C_Δ."""

    d: Sequence[int]
    delta: Sequence[int]
    """δ_1 … δ_N"""
    blinds: Sequence[Sequence[int]]
    """Of C_d, C_Δ and C_a, by row."""
    points: Sequence[Sequence[Point]]
    """C_d and C_Δ, by row."""


def crossed(d: Sequence[int], delta: Sequence[int]) -> list[int]:
    """What C_Δ hides."""
    return [-before * one % Q for before, one in zip([0, *delta[:-1]], d, strict=True)]


def prove(
    t: Transcript, contents: Sequence[int], blinds: Sequence[int], made: Announced, spread: Spread = inline
) -> Body:
    """The argument for C, whose rows hide `contents` (m_{π(1)} …) with `blinds`. N multiplications.

    Sizes, of N scalars in L rows: "points" 96·L, "f" and "g" 32·N, "z" 64·L.
    """
    x = t.challenge("x")
    s = [(m - x) % Q for m in contents]
    products = accumulate([1, *s[:-1]], lambda a, b: a * b % Q)
    rows = zip(made.delta, s, [0, *made.delta[:-1]], products, made.d, strict=True)
    hidden = [(delta - one * before - product * d) % Q for delta, one, before, product, d in rows]
    (last,) = vectors.commit([(hidden, made.blinds[2])], spread)
    points = b"".join(point for row in (*made.points, last) for point in row)
    t.absorb("announcements", *group.split(points))
    e = t.challenge("e")
    f = [e * m + d for m, d in zip(contents, made.d, strict=True)]
    g = [e * one + other for one, other in zip(hidden, crossed(made.d, made.delta), strict=True)]
    z = [e * blind + own for blind, own in zip(blinds, made.blinds[0], strict=True)]
    y = [e * own + other for other, own in zip(*made.blinds[1:], strict=True)]
    return {"points": points, "f": group.packed(f), "g": group.packed(g), "z": group.packed([*z, *y])}


@dataclass(frozen=True, slots=True)
class Argument:
    """One that has its form. Its points have not passed the gate."""

    what: str
    points: list[Claim]
    f: list[int]
    g: list[int]
    z: list[int]
    data: list[bytes]

    def check(
        self, t: Transcript, contents: Sequence[int], given: Sequence[Sequence[Term]], plain: Sequence[int]
    ) -> tuple[list[Term], bool]:
        """Terms whose sum is the identity, and True: if both are so, C hides `contents` (m_1 …) in some order.

        C is given by row, as the sum of the terms in `given` and of the commitment to `plain` without a blind. The
        points in these terms have to pass the gate by them.
        """
        n, rows = len(contents), len(given)
        x = t.challenge("x")
        t.absorb("announcements", *self.points)
        e = t.challenge("e")
        t.absorb("openings", *self.data)
        weights = t.challenges("weights", 2 * rows)

        value, power = e, 1
        for f, g in zip(self.f, self.g, strict=True):
            value, power = (value * (f - e * x) + power * g) % Q, power * e % Q
        holds = value == power * e * math.prod((m - x) % Q for m in contents) % Q

        firsts, seconds = weights[:rows], weights[rows:]
        terms = [
            (weight * e * k % Q, point, name)
            for weight, row in zip(firsts, given, strict=True)
            for k, point, name in row
        ]
        terms += group.foreign([*firsts, *seconds, *(weight * e for weight in seconds)], self.points, self.what)
        columns = [0] * vectors.shape(n)[1]
        lists = zip(firsts, seconds, *map(vectors.cut, (plain, self.f, self.g)), strict=True)
        for first, second, *row in lists:
            for j, (known, f, g) in enumerate(zip(*row, strict=True)):
                columns[j] += first * (e * known - f) - second * g
        blinds = sum(weight * z for weight, z in zip(weights, self.z, strict=True))
        return [*terms, *group.own([*columns, -blinds], [*vectors.generators(n), G])], holds


def read(body: object, n: int, what: str) -> Argument:
    """An argument about n scalars, by its form. Errors: Malformed or Refused, naming the field after `what`."""
    rows, _ = vectors.shape(n)
    fields = codec.fields(body, what, **KINDS)
    for key, size in {"points": 3 * rows, "f": n, "g": n, "z": 2 * rows}.items():
        group.sized(fields[key], group.SIZE * size, f"{what} {key}")
    f, g, z = (
        group.scalars(fields[key], size, f"{what} {key}") for key, size in {"f": n, "g": n, "z": 2 * rows}.items()
    )
    points = group.claims(fields["points"], 3 * rows, f"{what} points")
    data = group.split(fields["f"] + fields["g"] + fields["z"])
    return Argument(f"{what} points", points, f, g, z, data)
