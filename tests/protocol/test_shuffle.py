from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from nacl.bindings import crypto_core_ed25519_add

from protocol import elgamal, group, limits, shuffle
from protocol.ceremony import Body, Context
from protocol.elgamal import Ciphertext
from protocol.errors import Malformed, Misuse, Refused
from protocol.group import IDENTITY, Q
from protocol.secrets import Secrets
from protocol.shuffle import Pass

from .forge import Matrix, Spy, Vector, added, forge, scaled
from .mutate import SHAPES, TORSION, bodies, refused
from .table import table_id

CONTEXT = Context(table=table_id("table"), prev=table_id("prev"), step=2, round=1, seat=1)
MINE = Secrets(table_id("seed"), CONTEXT.table, 1)
X = 987654321  # the sum of everybody's keys
JOINT = group.base(X)
FACES = {group.m(j): j for j in range(300)}
SIZES = [1, 2, 3, 5, 8]


def deal(n: int) -> list[Ciphertext]:
    """Cards as an earlier pass left them."""
    return [elgamal.reencrypt(elgamal.fresh(j, JOINT), JOINT, 1000 + j) for j in range(n)]


def faces(cards: list[Ciphertext]) -> list[int]:
    return [elgamal.find(elgamal.unmask(card.c2, [group.mul(X, card.c1)]), FACES) for card in cards]


def made_by(cards: list[Ciphertext], order: list[int], like: Pass) -> Pass:
    """A pass in a chosen order, be it a permutation or not."""
    out = [elgamal.reencrypt(cards[place], JOINT, r) for place, r in zip(order, like.factors, strict=True)]
    return Pass(out, order, like.factors, like.randomness)


CARDS = deal(3)
DONE = shuffle.mix(CONTEXT, MINE, JOINT, CARDS)
BODY = shuffle.prove(CONTEXT, MINE, JOINT, CARDS, DONE)


@pytest.mark.parametrize("n", SIZES)
def test_what_comes_out_is_what_went_in_in_another_order(n: int) -> None:
    cards = deal(n)
    for step in range(40):  # until the order is one that moves every card, if there is such a one
        context = replace(CONTEXT, step=step)
        done = shuffle.mix(context, MINE, JOINT, cards)
        if n == 1 or all(i != place for i, place in enumerate(done.order)):
            break
    assert n == 1 or done.order != list(range(n))
    body = shuffle.prove(context, MINE, JOINT, cards, done)
    shuffle.check(context, JOINT, cards, body)
    assert faces(elgamal.pairs(group.checked(body["cards"]))) == done.order
    assert not {part for card in done.cards for part in card} & {part for card in cards for part in card}


def test_the_same_pass_comes_out_the_same_again_and_another_one_does_not() -> None:
    assert shuffle.prove(CONTEXT, MINE, JOINT, CARDS, shuffle.mix(CONTEXT, MINE, JOINT, CARDS)) == BODY
    others = [
        shuffle.mix(replace(CONTEXT, prev=table_id("other")), MINE, JOINT, CARDS),
        shuffle.mix(CONTEXT, MINE, JOINT, CARDS[::-1]),
        shuffle.mix(CONTEXT, Secrets(table_id("other"), CONTEXT.table, 1), JOINT, CARDS),
    ]
    for other in others:
        assert not set(other.factors) & set(DONE.factors)
        assert not set(other.randomness) & set(DONE.randomness)


@pytest.mark.parametrize("n", [0, limits.MAX_CARDS + 1])
def test_no_cards_and_too_many_are_misuse(n: int) -> None:
    cards = [CARDS[0]] * n
    with pytest.raises(Misuse):
        shuffle.mix(CONTEXT, MINE, JOINT, cards)
    with pytest.raises(Misuse):
        shuffle.prove(CONTEXT, MINE, JOINT, cards, Pass([], [], [], []))
    with pytest.raises(Misuse):
        shuffle.check(CONTEXT, JOINT, cards, BODY)


def test_sizes_are_those_of_the_contract() -> None:
    assert len(BODY["cards"]) == 64 * 3
    sizes = {key: len(value) for key, value in BODY["proof"].items()}
    assert sizes == {"c": 96, "chain": 96, "e": 32, "s": 128, "hats": 96, "primes": 96}


def test_every_field_of_a_body_counts() -> None:
    tried = 0
    for what, wrong in bodies(SHAPES["shuffle"], BODY):
        refused(partial(shuffle.check, CONTEXT, JOINT, CARDS, wrong), what)
        tried += 1
    assert tried > 300


def test_a_body_of_another_number_of_cards_is_refused_before_anything_else() -> None:
    for n in (1, 2, 5):
        with pytest.raises(Malformed, match="shuffle cards"):
            shuffle.check(CONTEXT, JOINT, deal(n), BODY)


def test_a_pass_holds_nowhere_else() -> None:
    others = [
        replace(CONTEXT, table=table_id("other")),
        replace(CONTEXT, prev=table_id("other")),
        replace(CONTEXT, step=3),
        replace(CONTEXT, round=2),
        replace(CONTEXT, seat=2),
    ]
    for context in others:
        with pytest.raises(Refused, match="does not hold"):
            shuffle.check(context, JOINT, CARDS, BODY)
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, group.base(X + 1), CARDS, BODY)
    for cards in (CARDS[::-1], [*CARDS[:2], deal(4)[3]], DONE.cards):
        with pytest.raises(Refused, match="does not hold"):
            shuffle.check(CONTEXT, JOINT, cards, BODY)


@pytest.mark.parametrize("order", [[0, 0, 1], [0, 0, 0], [2, 1, 2], [1, 1, 0]])
def test_a_doubled_card_is_refused_though_all_but_the_chain_fits(order: list[int]) -> None:
    """`prove` adds up columns, so these commitments have the sums of a permutation's: only the products differ."""
    done = made_by(CARDS, order, DONE)
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, MINE, JOINT, CARDS, done))


@pytest.mark.parametrize("order", [[0, 0, 1], [2, 1, 2]])
def test_a_doubled_card_is_refused_behind_the_commitments_of_a_permutation(order: list[int]) -> None:
    done = replace(DONE, cards=made_by(CARDS, order, DONE).cards)
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, MINE, JOINT, CARDS, done))


def test_any_honest_order_is_accepted() -> None:
    for order in ([0, 1, 2], [1, 2, 0], [2, 1, 0]):
        done = made_by(CARDS, order, DONE)
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, MINE, JOINT, CARDS, done))


def test_replaced_scaled_marked_and_shifted_cards_are_refused() -> None:
    one = DONE.cards[1]
    wrong = {
        "replaced": elgamal.fresh(200, JOINT),
        "shifted in its first half": one._replace(c1=group.add(one.c1, group.G)),
        "scaled": Ciphertext(group.mul(2, one.c1), group.mul(2, one.c2)),
        "shifted by a face": Ciphertext(one.c1, group.add(one.c2, group.sub(group.m(1), group.m(0)))),
        "resealed under another key": elgamal.reencrypt(one, group.base(5), 5),
        "halves swapped": Ciphertext(one.c2, one.c1),
        "opened": Ciphertext(one.c1, group.sub(one.c2, group.mul(X, one.c1))),
    }
    for what, card in wrong.items():
        done = replace(DONE, cards=[DONE.cards[0], card, DONE.cards[2]])
        body = shuffle.prove(CONTEXT, MINE, JOINT, CARDS, done)
        refused(partial(shuffle.check, CONTEXT, JOINT, CARDS, body), what)


def test_a_card_marked_by_torsion_is_refused() -> None:
    for torsion in TORSION:
        marked = crypto_core_ed25519_add(DONE.cards[1].c2, torsion)
        cards = BODY["cards"][:96] + marked + BODY["cards"][128:]
        with pytest.raises(Refused, match="shuffle card half 3: not a point"):
            shuffle.check(CONTEXT, JOINT, CARDS, {**BODY, "cards": cards})


def test_two_cards_that_make_up_for_each_other_are_refused() -> None:
    first, second, third = DONE.cards
    shift = group.sub(group.m(1), group.m(0))
    wrong = [first, second._replace(c2=group.add(second.c2, shift)), third._replace(c2=group.sub(third.c2, shift))]
    body = shuffle.prove(CONTEXT, MINE, JOINT, CARDS, replace(DONE, cards=wrong))
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, body)


# Each of these cheats keeps all equations but one: see forge.py. Two cards, the first doubled and the second halved, or
# mixed with each other.
HALF = pow(2, -1, Q)
SCALED = [scaled(2, CARDS[0]), scaled(HALF, CARDS[1])]
MIXED = [scaled(HALF, CARDS[0]), added(CARDS[1], scaled(HALF, CARDS[0]))]
PLAIN, MIX, SCALE = [[1, 0], [0, 1]], [[2, -1], [0, 1]], [[HALF, 0], [0, 2]]


def by_scale(u: Vector) -> Vector:
    return [u[0] * HALF % Q, u[1] * 2 % Q]


def by_mix(u: Vector) -> Vector:
    return [(2 * u[0] - u[1]) % Q, u[1]]


def after(u: Vector) -> Matrix:
    """The matrix with rows of sum 1 that takes *this* u to the scaled one: columns chosen after the challenge."""
    (a, b), k = by_scale(u), pow(u[0] - u[1], -1, Q)
    return [[(a - u[1]) * k % Q, (u[0] - a) * k % Q], [(b - u[1]) * k % Q, (u[0] - b) * k % Q]]


def shifted(u: Vector) -> list[Ciphertext]:
    """Two cards bent so that their sum weighed with *this* u is the right one: output chosen after the challenge."""
    bend = Ciphertext(IDENTITY, group.m(200))
    return [added(CARDS[0], scaled(u[1], bend)), added(CARDS[1], scaled(-u[0], bend))]


def same(u: Vector) -> Vector:
    return u


CHEATS: dict[str, Callable[..., Body]] = {
    "t1: rows of another sum": partial(forge, made=lambda _: SCALED, matrix=lambda _: SCALE, weights=by_scale),
    "t2: another product": partial(forge, made=lambda _: MIXED, matrix=lambda _: MIX, weights=by_mix),
    "t3: other weights than committed to": partial(
        forge, made=lambda _: SCALED, matrix=lambda _: PLAIN, weights=by_scale
    ),
    "t4: other cards": partial(forge, made=lambda _: SCALED, matrix=lambda _: PLAIN, weights=same),
    "t hat: a chain of other weights": partial(
        forge, made=lambda _: MIXED, matrix=lambda _: MIX, weights=by_mix, links=same
    ),
    "u: commitments made after it": partial(forge, made=lambda _: SCALED, matrix=after, weights=by_scale),
    "u: output made after it": partial(forge, made=shifted, matrix=lambda _: PLAIN, weights=same),
}


def test_the_cheat_knows_how_to_make_a_proof() -> None:
    honest = forge(CONTEXT, JOINT, CARDS[:2], made=lambda _: CARDS[:2], matrix=lambda _: PLAIN, weights=same)
    shuffle.check(CONTEXT, JOINT, CARDS[:2], honest)
    turned = forge(
        CONTEXT,
        JOINT,
        CARDS[:2],
        made=lambda _: CARDS[1::-1],
        matrix=lambda _: PLAIN[::-1],
        weights=lambda u: u[::-1],
    )
    shuffle.check(CONTEXT, JOINT, CARDS[:2], turned)


@pytest.mark.parametrize("name", CHEATS)
def test_every_equation_is_needed(name: str) -> None:
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS[:2], CHEATS[name](CONTEXT, JOINT, CARDS[:2]))


def test_all_of_the_statement_stands_before_the_first_challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "Transcript", Spy)
    Spy.heard.clear()
    shuffle.check(CONTEXT, JOINT, CARDS, BODY)
    everything = [3, group.G, JOINT, *(group.h(i) for i in range(4)), *group.split(BODY["cards"])]
    everything += [*(half for card in CARDS for half in card), *group.split(BODY["proof"]["c"])]
    assert set(everything) == Spy.heard[0]


def test_factors_by_input_are_refused_unless_nothing_moves() -> None:
    """The mix-up that published pseudo-code invites: it would pass with one card, or with the order unchanged."""
    done = made_by(CARDS, [1, 2, 0], DONE)
    mixed_up = replace(done, factors=[done.factors[place] for place in done.order])
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, MINE, JOINT, CARDS, mixed_up))


def test_an_unsealed_card_cannot_be_put_into_the_deck() -> None:
    """On a fresh deck (C1 = G) a factor of −1 would lay the card open; as a point it is the identity, and refused."""
    fresh = [elgamal.fresh(j, JOINT) for j in range(2)]
    done = shuffle.mix(CONTEXT, MINE, JOINT, fresh)
    factors = [-1, done.factors[1]]
    out = [elgamal.reencrypt(fresh[place], JOINT, r) for place, r in zip(done.order, factors, strict=True)]
    assert out[0].c1 == IDENTITY
    body = shuffle.prove(CONTEXT, MINE, JOINT, fresh, Pass(out, done.order, factors, done.randomness))
    with pytest.raises(Refused, match="shuffle card half 0"):
        shuffle.check(CONTEXT, JOINT, fresh, body)


def test_a_fresh_deck_can_be_shuffled_too() -> None:
    fresh = [elgamal.fresh(j, JOINT) for j in range(5)]
    done = shuffle.mix(CONTEXT, MINE, JOINT, fresh)
    shuffle.check(CONTEXT, JOINT, fresh, shuffle.prove(CONTEXT, MINE, JOINT, fresh, done))
    assert faces(done.cards) == done.order


def test_nonces_are_as_bound_as_the_challenge() -> None:
    """Two passes over one input, one altered after the fact, share no nonce: no equation for the order falls out."""
    other = made_by(CARDS, [2, 0, 1], DONE)
    one, two = BODY["proof"], shuffle.prove(CONTEXT, MINE, JOINT, CARDS, other)["proof"]
    assert one["e"] != two["e"]
    for key in ("s", "hats", "primes", "chain"):
        assert not {*group.split(one[key])} & {*group.split(two[key])}
