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
from protocol.pool import Batch, Pool
from protocol.secrets import Secrets
from protocol.shuffle import Pass
from protocol.spread import inline

from .forge import Matrix, Spy, Vector, added, forge, scaled
from .mutate import SHAPES, TORSION, bodies, refused
from .spreads import backwards
from .table import table_id

CONTEXT = Context(table=table_id("table"), prev=table_id("prev"), step=2, round=1, seat=1)
MINE = Secrets(table_id("seed"), CONTEXT.table, 1)
X = 987654321  # the sum of everybody's keys
JOINT = group.base(X)
FACES = {group.m(j): j for j in range(300)}
SIZES = [1, 2, 3, 5, 8]


def scalars(batch: Batch) -> set[int | bytes]:
    """Everything that must not come twice."""
    return {*batch.omega, *batch.factors, *batch.randomness, *batch.links, *batch.primes}


def deal(n: int) -> list[Ciphertext]:
    """Cards as an earlier pass left them."""
    return [elgamal.reencrypt(elgamal.fresh(j, JOINT), JOINT, 1000 + j) for j in range(n)]


def faces(cards: list[Ciphertext]) -> list[int]:
    return [elgamal.find(elgamal.unmask(card.c2, [group.mul(X, card.c1)]), FACES) for card in cards]


def made_by(cards: list[Ciphertext], order: list[int], like: Pass) -> Pass:
    """A pass in a chosen order."""
    out = [elgamal.reencrypt(cards[place], JOINT, r) for place, r in zip(order, like.batch.factors, strict=True)]
    return Pass(out, order, like.batch)


CARDS = deal(3)
DONE = shuffle.mix(CONTEXT, MINE, JOINT, CARDS)
BODY = shuffle.prove(CONTEXT, JOINT, CARDS, DONE)


@pytest.mark.parametrize("n", SIZES)
def test_what_comes_out_is_what_went_in_in_another_order(n: int) -> None:
    cards = deal(n)
    for step in range(40):  # until the order is one that moves every card, if there is such a one
        context = replace(CONTEXT, step=step)
        done = shuffle.mix(context, MINE, JOINT, cards)
        if n == 1 or all(i != place for i, place in enumerate(done.order)):
            break
    assert n == 1 or done.order != list(range(n))
    body = shuffle.prove(context, JOINT, cards, done)
    shuffle.check(context, JOINT, cards, body)
    assert faces(elgamal.pairs(group.checked(body["cards"]))) == done.order
    assert not {part for card in done.cards for part in card} & {part for card in cards for part in card}


def test_the_same_pass_comes_out_the_same_again_and_another_one_does_not() -> None:
    assert shuffle.prove(CONTEXT, JOINT, CARDS, shuffle.mix(CONTEXT, MINE, JOINT, CARDS)) == BODY
    others = [
        shuffle.mix(replace(CONTEXT, prev=table_id("other")), MINE, JOINT, CARDS),
        shuffle.mix(CONTEXT, MINE, JOINT, CARDS[::-1]),
        shuffle.mix(CONTEXT, Secrets(table_id("other"), CONTEXT.table, 1), JOINT, CARDS),
    ]
    for other in others:
        assert other.batch.salt != DONE.batch.salt
        assert not scalars(other.batch) & scalars(DONE.batch)


@pytest.mark.parametrize("n", [0, limits.MAX_CARDS + 1])
def test_no_cards_and_too_many_are_misuse(n: int) -> None:
    cards = [CARDS[0]] * n
    with pytest.raises(Misuse):
        shuffle.mix(CONTEXT, MINE, JOINT, cards)
    with pytest.raises(Misuse):
        shuffle.prove(CONTEXT, JOINT, cards, DONE)
    with pytest.raises(Misuse):
        shuffle.check(CONTEXT, JOINT, cards, BODY)


def test_sizes_are_those_of_the_contract() -> None:
    assert len(BODY["cards"]) == 64 * 3
    sizes = {key: len(value) for key, value in BODY["proof"].items()}
    assert sizes == {"c": 96, "chain": 96, "e": 32, "s": 160, "primes": 96}
    assert len(BODY["salt"]) == 16


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
def test_a_doubled_card_is_refused_though_all_but_the_product_fits(order: list[int]) -> None:
    rows = [[int(place == j) for j in range(3)] for place in order]
    body = forge(
        CONTEXT,
        JOINT,
        CARDS,
        made=lambda _: [CARDS[place] for place in order],
        matrix=lambda _: rows,
        weights=lambda u: [u[place] for place in order],
    )
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, body)


@pytest.mark.parametrize("order", [[0, 0, 1], [2, 1, 2]])
def test_a_doubled_card_is_refused_behind_the_commitments_of_a_permutation(order: list[int]) -> None:
    done = replace(DONE, cards=made_by(CARDS, order, DONE).cards)
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, JOINT, CARDS, done))


def test_any_honest_order_is_accepted() -> None:
    for order in ([0, 1, 2], [1, 2, 0], [2, 1, 0]):
        done = made_by(CARDS, order, DONE)
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, JOINT, CARDS, done))


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
        body = shuffle.prove(CONTEXT, JOINT, CARDS, done)
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
    body = shuffle.prove(CONTEXT, JOINT, CARDS, replace(DONE, cards=wrong))
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


def fitted(u: Vector, y: Vector) -> Vector:
    """A chain whose two wrong links make up for each other under *these* y: made after them."""
    (a, b), product = by_mix(u), u[0] * u[1]
    first = (y[0] * a - y[1] * product) * pow(y[0] - y[1] * b, -1, Q) % Q
    return [first, product * pow(first, -1, Q) % Q]


CHEATS: dict[str, Callable[..., Body]] = {
    "t1: rows of another sum": partial(forge, made=lambda _: SCALED, matrix=lambda _: SCALE, weights=by_scale),
    "t2: another product": partial(forge, made=lambda _: MIXED, matrix=lambda _: MIX, weights=by_mix),
    "t3: other weights than committed to": partial(
        forge, made=lambda _: SCALED, matrix=lambda _: PLAIN, weights=by_scale
    ),
    "t4: other cards": partial(forge, made=lambda _: SCALED, matrix=lambda _: PLAIN, weights=same),
    "t5: a chain of other weights": partial(
        forge, made=lambda _: MIXED, matrix=lambda _: MIX, weights=by_mix, links=lambda u, _: u
    ),
    "y: a chain made after them": partial(
        forge, made=lambda _: MIXED, matrix=lambda _: MIX, weights=by_mix, links=fitted
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


@pytest.mark.parametrize("at", range(7))
def test_a_wrong_link_among_right_ones_is_found(at: int) -> None:
    """Two neighbours are wrong, in fact: one to be wrong, the next so that the product is right again."""
    cards, order = deal(8), [3, 0, 7, 1, 2, 6, 5, 4]

    def bent(u: Vector, _: Vector) -> Vector:
        chain = [u[place] for place in order]
        chain[at], chain[at + 1] = chain[at] * 2 % Q, chain[at + 1] * HALF % Q
        return chain

    def body(links: Callable[[Vector, Vector], Vector] | None) -> Body:
        return forge(
            CONTEXT,
            JOINT,
            cards,
            made=lambda _: [cards[place] for place in order],
            matrix=lambda _: [[int(place == j) for j in range(8)] for place in order],
            weights=lambda u: [u[place] for place in order],
            links=links,
        )

    shuffle.check(CONTEXT, JOINT, cards, body(None))
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, cards, body(bent))


def test_all_of_the_statement_stands_before_the_first_challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "Transcript", Spy)
    Spy.heard.clear()
    shuffle.check(CONTEXT, JOINT, CARDS, BODY)
    everything = [3, group.G, JOINT, *(group.h(i) for i in range(4)), *group.split(BODY["cards"])]
    everything += [BODY["salt"], BODY["first"]]
    everything += [*(half for card in CARDS for half in card), *group.split(BODY["proof"]["c"])]
    assert set(everything) == Spy.heard[0]


def test_factors_by_input_are_refused_unless_nothing_moves() -> None:
    """The mix-up that published pseudo-code invites: it would pass with one card, or with the order unchanged."""
    done = made_by(CARDS, [1, 2, 0], DONE)
    factors = tuple(done.batch.factors[place] for place in done.order)
    mixed_up = replace(done, batch=replace(done.batch, factors=factors))
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, JOINT, CARDS, mixed_up))


def test_an_unsealed_card_cannot_be_put_into_the_deck() -> None:
    """On a fresh deck (C1 = G) a factor of −1 would lay the card open; as a point it is the identity, and refused."""
    fresh = [elgamal.fresh(j, JOINT) for j in range(2)]
    done = shuffle.mix(CONTEXT, MINE, JOINT, fresh)
    factors = (-1, done.batch.factors[1])
    out = [elgamal.reencrypt(fresh[place], JOINT, r) for place, r in zip(done.order, factors, strict=True)]
    assert out[0].c1 == IDENTITY
    opened = Pass(out, done.order, replace(done.batch, factors=factors))
    body = shuffle.prove(CONTEXT, JOINT, fresh, opened)
    with pytest.raises(Refused, match="shuffle card half 0"):
        shuffle.check(CONTEXT, JOINT, fresh, body)


def test_a_fresh_deck_can_be_shuffled_too() -> None:
    fresh = [elgamal.fresh(j, JOINT) for j in range(5)]
    done = shuffle.mix(CONTEXT, MINE, JOINT, fresh)
    shuffle.check(CONTEXT, JOINT, fresh, shuffle.prove(CONTEXT, JOINT, fresh, done))
    assert faces(done.cards) == done.order


def test_any_batch_will_do_and_makes_another_pass() -> None:
    """From a pool, prepared or not, by a seat that has started again: all hold, and have no scalar in common."""
    seen = scalars(DONE.batch)
    for salt in (bytes(16), b"\1" * 16):
        pool = Pool(MINE, salt)
        pool.prepare(3, JOINT)
        for _ in range(2):
            done = shuffle.mix(CONTEXT, MINE, JOINT, CARDS, batch=pool.take(3, JOINT))
            assert done.order == DONE.order
            body = shuffle.prove(CONTEXT, JOINT, CARDS, done)
            shuffle.check(CONTEXT, JOINT, CARDS, body)
            found = scalars(done.batch) | {*group.split(body["cards"]), *group.split(body["proof"]["s"])}
            assert not found & seen
            seen |= found


def test_threads_make_no_difference() -> None:
    cards = deal(30)
    done = shuffle.mix(CONTEXT, MINE, JOINT, cards, spread=backwards)
    assert done == shuffle.mix(CONTEXT, MINE, JOINT, cards)
    body = shuffle.prove(CONTEXT, JOINT, cards, done, spread=backwards)
    assert body == shuffle.prove(CONTEXT, JOINT, cards, done)
    shuffle.check(CONTEXT, JOINT, cards, body, spread=backwards)
    wrong = {**body, "cards": body["cards"][:-64] + TORSION[0] + TORSION[1]}
    for spread in (inline, backwards):
        with pytest.raises(Refused, match="shuffle card half 58: not a point"):
            shuffle.check(CONTEXT, JOINT, cards, wrong, spread=spread)


def test_one_bad_point_among_many_is_named() -> None:
    cards = deal(30)
    body = shuffle.prove(CONTEXT, JOINT, cards, shuffle.mix(CONTEXT, MINE, JOINT, cards))
    shuffle.check(CONTEXT, JOINT, cards, body)
    for at in (0, 13, 29):
        for field, what in (("c", "shuffle proof c"), ("chain", "shuffle proof chain")):
            points = group.split(body["proof"][field])
            points[at] = crypto_core_ed25519_add(points[at], TORSION[at % 7])
            wrong = {**body, "proof": {**body["proof"], field: b"".join(points)}}
            with pytest.raises(Refused, match=f"{what} {at}: not a point"):
                shuffle.check(CONTEXT, JOINT, cards, wrong)
