"""A cheat's half of a shuffle proof; transcripts that are listened to, and one that does not listen.

What a proof is about: output E', p_i in C, v_i in D + com(f), m_i in λ·C + D + com(f). Its equations hold if

    halves        Σ v_i·E'_i = Σ t_i·E_i but for a resealing
    product       Π (m_i − x) = Π (λ·i + t_i − x)
    commitments   m_i = λ·p_i + v_i, and C_d, C_Δ, C_a hide what belongs to the m_i

so a cheat that breaks one of them and keeps the others shows that this one is looked at. And what a challenge does not
cover can be made to fit it: a cheat that does so would get through if the challenges did not listen (`Deaf`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from protocol import elgamal, group, hashing, known, vectors
from protocol.ceremony import Body, Context
from protocol.elgamal import Ciphertext
from protocol.group import G, Point
from protocol.hashing import Field, Q, Transcript

Vector = Sequence[int]


def scaled(k: int, card: Ciphertext) -> Ciphertext:
    return Ciphertext(group.mul(k, card.c1), group.mul(k, card.c2))


def reencrypt(card: Ciphertext, joint: Point, r: int) -> Ciphertext:
    """The same card in another seal."""
    return elgamal.added(card, Ciphertext(group.base(r), group.mul(r, joint)))


@dataclass
class Told:
    """The challenges of a proof, as far as there are any, and what an honest prover would answer to e."""

    t: Vector
    factor: int = 13
    x: int = 17
    e: int = 19
    weights: Vector = (23, 29)
    f: list[int] = field(default_factory=list)
    g: list[int] = field(default_factory=list)


Choice = Callable[[Told, Told], Any]
"""What a cheat takes, given the challenges of this proof so far, and all those of another one that it made before."""


@dataclass
class Forger:
    """A proof that the order does nothing. What it should say otherwise: see the fields."""

    cards: Sequence[Ciphertext]
    """What comes in."""
    salt: bytes = bytes(16)
    first: int = 4
    made: Choice = lambda now, seen: None  # what comes out, but for the seals; None: what comes in
    places: Choice = lambda now, seen: None  # p
    answered: Choice = lambda now, seen: now.t  # v
    masks: Choice = lambda now, seen: None  # what −D hides
    masked: Callable[..., Any] = lambda honest, fitting, seen: honest  # E_d: the honest, the one that fits these t
    contents: Callable[..., Any] = lambda now, honest: honest  # m
    announced: Callable[..., Any] = lambda lists, seen: lists  # what C_d, C_Δ, C_a hide
    opened: Callable[..., Any] = lambda f, g, now, seen: (f, g)  # f and g

    def body(self, context: Context, joint: Point, transcript: type[Transcript] = Transcript) -> Body:
        """The proof, after one that was made to see challenges."""
        return self._body(context, joint, transcript, self._body(context, joint, transcript, self._guess())[1])[0]

    def _guess(self) -> Told:
        return Told(range(3, len(self.cards) + 3))

    def _body(self, context: Context, joint: Point, transcript: type[Transcript], seen: Told) -> tuple[Body, Told]:
        n, now, salt, first = len(self.cards), self._guess(), self.salt, self.first
        rows = vectors.shape(n)[0]
        d, factors, rest = [31 + i for i in range(n)], [51 + i for i in range(n)], 3
        blinds = [[100 * kind + row + 71 for row in range(rows)] for kind in range(5)]
        out = [reencrypt(card, joint, r) for card, r in zip(self.made(now, seen) or self.cards, factors, strict=True)]
        places, masks = self.places(now, seen) or list(range(n)), self.masks(now, seen) or d
        (c,) = vectors.commit([(places, blinds[0])])
        (hidden_masks,) = vectors.commit([([-one for one in masks], blinds[1])])

        t = transcript(context, "shuffle")
        t.absorb("input", n, G, joint)
        t.absorb("generators", *vectors.generators(n))
        t.absorb("cards", *(half for card in self.cards for half in card))
        t.absorb("pool", salt, first)
        t.absorb("output", *(half for card in out for half in card))
        t.absorb("places", bytes(range(n)))
        t.absorb("commitments", *c, *hidden_masks)

        def fitting(sealed: int, weights: Vector, f: Vector) -> list[Point]:
            return [
                group.dot(
                    [sealed, *weights, *(-one for one in f)],
                    [key, *(card[half] for card in self.cards), *(card[half] for card in out)],
                )
                for half, key in enumerate((G, joint))
            ]

        def answers(told: Told) -> tuple[list[int], int]:
            v = self.answered(told, seen)
            z = rest + sum(a * b for a, b in zip(v, factors, strict=True))
            return [a + b for a, b in zip(v, d, strict=True)], z

        f, z = answers(seen)
        honest = fitting(rest, [0] * n, d)
        masked = self.masked(honest, fitting(z, seen.t, f), seen)
        t.absorb("masked", *masked)
        now.t = t.challenges("t", n)
        f, z = answers(now)
        responses = [*map(group.scalar_bytes, [*f, z])]
        t.absorb("responses", *responses)
        now.factor = t.challenge("lambda")
        v = self.answered(now, seen)
        m = self.contents(now, [now.factor * p + one for p, one in zip(places, v, strict=True)])

        now.x = t.challenge("x")
        s, delta = [(one - now.x) % Q for one in m], [61 + i for i in range(n - 1)] + [0]
        before, products = [0, *delta[:-1]], accumulate([1, *s[:-1]], lambda a, b: a * b % Q)
        last = [delta[i] - s[i] * before[i] - product * d[i] for i, product in enumerate(products)]
        lists = [d, known.crossed(d, delta), last]
        said = self.announced(lists, seen)
        points = [
            point for row in vectors.commit(list(zip(said, blinds[2:], strict=True))) for point in row
        ]  # C_d, C_Δ, C_a
        t.absorb("announcements", *points)
        now.e = t.challenge("e")
        now.f, now.g = (
            [now.e * a + b for a, b in zip(*pair, strict=True)] for pair in ((m, lists[0]), (lists[2], lists[1]))
        )
        f, g = ([now.e * a + b for a, b in zip(*pair, strict=True)] for pair in ((m, said[0]), (said[2], said[1])))
        opened, crossed = self.opened(f, g, now, seen)
        z_first = [now.e * (now.factor * a + b) + own for a, b, own in zip(*blinds[:3], strict=True)]
        z_second = [now.e * own + other for other, own in zip(*blinds[3:], strict=True)]
        t.absorb("openings", *map(group.scalar_bytes, [*opened, *crossed, *z_first, *z_second]))
        now.weights = t.challenges("weights", 2 * rows)
        proof = {
            "places": bytes(range(n)),
            "commitments": b"".join([*c, *hidden_masks]),
            "masked": b"".join(masked),
            "responses": b"".join(responses),
            "known": {
                "points": b"".join(points),
                "f": group.packed(opened),
                "g": group.packed(crossed),
                "z": group.packed([*z_first, *z_second]),
            },
        }
        return {"cards": elgamal.pack(out), "salt": salt, "first": first, "proof": proof}, now


def missing(told: Told, f: Vector, g: Vector) -> int:
    """What P_N lacks of e^{N+1}·Π (λ·i + t_i − x)."""
    value = told.e
    for i, (one, other) in enumerate(zip(f, g, strict=True)):
        value = (value * (one - told.e * told.x) + told.e**i * other) % Q
    contents = (told.factor * i + one - told.x for i, one in enumerate(told.t[: len(f)]))
    return int((pow(told.e, len(f) + 1, Q) * math.prod(contents) - value) % Q)


class Deaf(Transcript):
    """Challenges that depend on nothing but their names."""

    def challenges(self, label: str, count: int) -> list[int]:
        return [hashing.to_scalar(hashing.hash64("p2pgame proof", label, index)) for index in range(count)]


class Spy(Transcript):
    """Remembers what went in before the first challenge, and the names of all transcripts that were begun."""

    names: list[str] = []  # noqa: RUF012 (one list for all of them, emptied by whoever listens)
    heard: list[set[Field]] = []  # noqa: RUF012
    before: dict[str, set[Field]] = {}  # noqa: RUF012 (what went in before each challenge of the last transcript)

    def __init__(self, context: Context, what: str) -> None:
        super().__init__(context, what)
        self._what = what
        self._asked = False
        Spy.names.append(what)
        Spy.heard.append(set())
        Spy.before.clear()
        self._mine = Spy.heard[-1]
        self._all: set[Field] = set()

    def absorb(self, label: str, *values: hashing.Field) -> None:
        self._all.update(values)
        if not self._asked and (self._what == "shuffle" or label != "commitments"):
            self._mine.update(values)
        super().absorb(label, *values)

    def challenges(self, label: str, count: int) -> list[int]:
        self._asked = True
        Spy.before[label] = set(self._all)
        return super().challenges(label, count)
