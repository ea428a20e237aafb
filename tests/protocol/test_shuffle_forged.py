"""Shuffle proofs of cheats who know all about it: each equation, and what each challenge covers, is there for a reason.

Each of these cheats keeps all equations but one, or breaks none and has made something after what it should rest on:
see forge.py. Of two cards the first is doubled and the second halved, or both are bent.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from protocol import elgamal, group, known, shuffle
from protocol.ceremony import Body
from protocol.elgamal import Ciphertext
from protocol.errors import Malformed, Refused
from protocol.group import IDENTITY, Point, Q, Term
from protocol.spread import inline

from .forge import Deaf, Forger, Told, Vector, missing, scaled
from .test_shuffle import CONTEXT, JOINT, deal

HALF = pow(2, -1, Q)
TWO = deal(2)
SCALED = [scaled(2, TWO[0]), scaled(HALF, TWO[1])]
A_POINT = group.m(200)


def by_scale(now: Told, _: Told) -> Vector:
    return [now.t[0] * HALF % Q, now.t[1] * 2 % Q]


doubling = partial(Forger, TWO, made=lambda *_: SCALED)
weighted = partial(doubling, answered=by_scale)


def permuted(now: Told, _: Vector) -> Vector:
    return [(now.factor * i + one) % Q for i, one in enumerate(now.t)]


def completed(f: Vector, g: Vector, now: Told, _: Told) -> tuple[Vector, Vector]:
    """The last g such that the product is right."""
    return f, [g[0], g[1] + missing(now, f, g) * pow(now.e, -1, Q)]


EQUATIONS: dict[str, tuple[Forger, int | None]] = {
    "the first half": (Forger(TWO, made=lambda *_: [TWO[0]._replace(c1=A_POINT), TWO[1]]), 0),
    "the second half": (Forger(TWO, made=lambda *_: [TWO[0]._replace(c2=A_POINT), TWO[1]]), 1),
    "the first openings": (weighted(contents=permuted), 2),
    "the second openings": (weighted(opened=completed), 2),
    "the product": (weighted(), None),
    "the product: twice the same number": (Forger(TWO, places=lambda *_: [1, 1]), None),
    "the product: another number": (Forger(TWO, places=lambda *_: [2, 1]), None),
}


def bent(_: Told, seen: Told) -> list[Ciphertext]:
    """Two cards bent so that their sum weighed with *these* t is the right one."""
    bend = Ciphertext(IDENTITY, A_POINT)
    return [elgamal.added(TWO[0], scaled(seen.t[1], bend)), elgamal.added(TWO[1], scaled(-seen.t[0], bend))]


def moved(now: Told, seen: Told) -> Vector:
    """Numbers that make up, under *this* λ, for weights that were not committed to."""
    inverse = pow(seen.factor, -1, Q)
    return [i + (t - v) * inverse for i, (t, v) in enumerate(zip(seen.t, by_scale(seen, seen), strict=True))]


def rooted(_: Told, seen: Told) -> Vector:
    """Numbers by which the products are the same at *this* x."""
    first, second = by_scale(seen, seen)
    product = (seen.t[0] - seen.x) * (seen.factor + seen.t[1] - seen.x)
    rest = pow(seen.factor + second - seen.x, -1, Q)
    return [(product * rest + seen.x - first) * pow(seen.factor, -1, Q), 1]


def uncovered(_: Told, seen: Told) -> Vector:
    """Masks by which D + com(f) hides *these* t."""
    return [v + d - t for v, d, t in zip(by_scale(seen, seen), (31, 32), seen.t, strict=True)]


def grown(lists: list[list[int]], which: int, seen: Told) -> list[list[int]]:
    """What is announced, such that the product is right for *this* e."""
    change = missing(seen, seen.f, seen.g) * pow(seen.e, -2 if which == 2 else -1, Q)
    return [[*one[:-1], one[-1] + change] if index == which else one for index, one in enumerate(lists)]


def shifted(lists: list[list[int]], seen: Told) -> list[list[int]]:
    """Masks by which the product is right for *this* e, once there is one."""
    if not seen.f:
        return lists
    before = seen.e * (seen.f[0] - seen.e * seen.x) + seen.g[0]
    first, last = lists[0]
    return [[first, last + missing(seen, seen.f, seen.g) * pow(before, -1, Q)], *lists[1:]]


def balanced(f: Vector, g: Vector, now: Told, seen: Told) -> tuple[Vector, Vector]:
    """Two wrong openings that make up for each other under *these* weights, and make the product right."""
    ratio = seen.weights[0] * pow(seen.weights[1], -1, Q)
    before = now.e * (f[0] - now.e * now.x) + g[0]
    change = missing(now, f, g) * pow(before - now.e * ratio, -1, Q)
    return [f[0], f[1] + change], [g[0], g[1] - ratio * change]


AFTER: dict[str, Forger] = {
    "t: the output": Forger(TWO, made=bent),
    "t: E_d": doubling(masked=lambda _, fitting, __: fitting),
    "t: D": weighted(contents=permuted, masks=uncovered),
    "lambda: C": weighted(places=moved),
    "x: C": weighted(places=rooted),
    "e: C_d": weighted(announced=shifted),
    "e: C_a": weighted(announced=lambda lists, seen: grown(lists, 2, seen)),
    "e: C_Δ": weighted(announced=lambda lists, seen: grown(lists, 1, seen)),
    "weights: the openings": weighted(opened=balanced),
}


def shuffle_without(which: int | None, body: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on one of the sums that have to come out right is not looked at; None: the product is not."""
    sums, argue = group.sums, known.Argument.check

    def without(rows: list[list[Term]], spread: object) -> list[Point]:
        found = sums(rows, inline)
        masked = [*group.checked(body["proof"]["masked"]), IDENTITY]
        return [group.sub(IDENTITY, masked[index]) if index == which else one for index, one in enumerate(found)]

    def agreeing(*arguments: Any) -> tuple[list[Term], bool]:
        terms, holds = argue(*arguments)
        return terms, holds or which is None

    monkeypatch.setattr(group, "sums", without)
    monkeypatch.setattr(known.Argument, "check", agreeing)


def test_the_cheat_knows_how_to_make_a_proof() -> None:
    for cards in (TWO, deal(12)):
        shuffle.check(CONTEXT, JOINT, cards, Forger(cards, answered=lambda now, _: now.t).body(CONTEXT, JOINT))


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_equation_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And with it left out, the cheat would get through."""
    forger, which = EQUATIONS[name]
    body = forger.body(CONTEXT, JOINT)
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, TWO, body)
    shuffle_without(which, body, monkeypatch)
    shuffle.check(CONTEXT, JOINT, TWO, body)


@pytest.mark.parametrize("name", AFTER)
def test_every_challenge_covers_what_it_is_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And if it did not, the cheat would get through."""
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, TWO, AFTER[name].body(CONTEXT, JOINT))
    monkeypatch.setattr(shuffle, "Transcript", Deaf)
    shuffle.check(CONTEXT, JOINT, TWO, AFTER[name].body(CONTEXT, JOINT, Deaf))


KEPT: dict[str, int | None] = {"the product": None, "the first openings": 2, "the second openings": 2}


@pytest.mark.parametrize("n", [1, 2, 11, 54])
@pytest.mark.parametrize("name", KEPT)
def test_every_equation_is_needed_whatever_the_number_of_cards(
    n: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doubled card is in the first row, the halved one in the last."""
    cards = deal(n)
    scales = {0: 2} if n == 1 else {0: 2, n - 1: HALF}
    inverse = {i: pow(k, -1, Q) for i, k in scales.items()}

    def ending(f: Vector, g: Vector, now: Told, _: Told) -> tuple[Vector, Vector]:
        return f, [*g[:-1], g[-1] + missing(now, f, g) * pow(now.e, 1 - n, Q)]

    forger = Forger(
        cards,
        made=lambda *_: [scaled(scales.get(i, 1), card) for i, card in enumerate(cards)],
        answered=lambda now, _: [one * inverse.get(i, 1) % Q for i, one in enumerate(now.t)],
    )
    if name == "the first openings":
        forger.contents = permuted
    elif name == "the second openings":
        forger.opened = ending
    body = forger.body(CONTEXT, JOINT)
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, cards, body)
    shuffle_without(KEPT[name], body, monkeypatch)
    shuffle.check(CONTEXT, JOINT, cards, body)


@pytest.mark.parametrize(("salt", "first"), [(bytes(15), 4), (bytes(17), 4), (bytes(16), 2**32)])
def test_a_proof_made_with_a_wrong_salt_or_index_is_malformed(salt: bytes, first: int) -> None:
    body = Forger(TWO, salt=salt, first=first).body(CONTEXT, JOINT)
    with pytest.raises(Malformed):
        shuffle.check(CONTEXT, JOINT, TWO, body)
