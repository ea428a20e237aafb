from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest
from nacl.bindings import crypto_core_ed25519_add

from protocol import elgamal, group, limits, pool, shuffle, vectors
from protocol.ceremony import Body, Context
from protocol.elgamal import Ciphertext
from protocol.errors import Malformed, Misuse, Refused
from protocol.group import IDENTITY
from protocol.pool import Batch, Pool
from protocol.secrets import Secrets
from protocol.shuffle import Pass
from protocol.spread import inline

from .forge import Spy, reencrypt
from .mutate import SHAPES, TORSION, bodies, refused
from .spreads import backwards
from .table import table_id

CONTEXT = Context(table=table_id("table"), prev=table_id("prev"), step=2, round=1, seat=1)
MINE = Secrets(table_id("seed"), CONTEXT.table, 1)
X = 987654321  # the sum of everybody's keys
JOINT = group.base(X)
FACES = {group.m(j): j for j in range(300)}
SIZES = [1, 2, 3, 8, 11, 54]


def scalars(batch: Batch) -> set[int | bytes]:
    """Everything that must not come twice."""
    start = batch.start
    blinds = [blind for row in (*start.blinds, *start.announced.blinds) for blind in row]
    return {*start.factors, *start.masks, *start.announced.d, *start.announced.delta[:-1], *blinds, start.rest}


def deal(n: int) -> list[Ciphertext]:
    """Cards as an earlier pass left them."""
    return [reencrypt(elgamal.fresh(j, JOINT), JOINT, 1000 + j) for j in range(n)]


def faces(cards: list[Ciphertext]) -> list[int]:
    return [elgamal.find(elgamal.unmask(card.c2, [group.mul(X, card.c1)]), FACES) for card in cards]


def made_by(cards: list[Ciphertext], order: list[int], like: Pass) -> Pass:
    """A pass in a chosen order."""
    start = like.batch.start
    places = [order.index(place) for place in start.order]
    return Pass(arranged(cards, places, start.order, start.factors), order, places, like.batch)


def arranged(
    cards: list[Ciphertext], places: list[int], order: Sequence[int], factors: Sequence[int]
) -> list[Ciphertext]:
    """The cards in one order, sealed, and then put at their places."""
    sealed = [reencrypt(cards[place], JOINT, r) for place, r in zip(order, factors, strict=True)]
    return [sealed[places.index(i)] for i in range(len(cards))]


def with_field(body: Body, field: str, data: bytes) -> Body:
    """The body with other bytes in its proof."""
    proof, argument = body["proof"], body["proof"]["known"]
    changed = {"known": {**argument, field: data}} if field in argument else {field: data}
    return {**body, "proof": {**proof, **changed}}


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
        assert other.batch.start.salt != DONE.batch.start.salt
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
    cards = deal(11)  # in two rows
    proof = shuffle.prove(CONTEXT, JOINT, cards, shuffle.mix(CONTEXT, MINE, JOINT, cards))["proof"]
    for n, rows, one in ((3, 1, BODY["proof"]), (11, 2, proof)):
        sizes = {key: len(value) for key, value in (one | one["known"]).items() if key != "known"}
        assert sizes == {
            "places": n,
            "commitments": 64 * rows,
            "masked": 64,
            "responses": 32 * n + 32,
            "points": 96 * rows,
            "f": 32 * n,
            "g": 32 * n,
            "z": 64 * rows,
        }
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


@pytest.mark.parametrize("doubled", [[0, 0, 1], [0, 0, 0], [2, 1, 2], [1, 1, 0]])
def test_a_doubled_card_is_refused_behind_the_proof_of_a_permutation(doubled: list[int]) -> None:
    """And also if the order that is committed to is none."""
    start = DONE.batch.start
    cards = arranged(CARDS, DONE.places, doubled, start.factors)
    committed = vectors.commit([(doubled, start.blinds[0])])[0] + list(start.committed[1:])
    for batch in (start, replace(start, order=tuple(doubled), committed=tuple(committed))):
        done = replace(DONE, cards=cards, batch=replace(DONE.batch, start=batch))
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
        "resealed under another key": reencrypt(one, group.base(5), 5),
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


def test_a_wrong_opening_among_right_ones_is_found() -> None:
    """Also beside another one that would make up for it if both had the same weight."""
    cards = deal(12)
    body = shuffle.prove(CONTEXT, JOINT, cards, shuffle.mix(CONTEXT, MINE, JOINT, cards))
    shuffle.check(CONTEXT, JOINT, cards, body)
    z = group.scalars(body["proof"]["known"]["z"], 4, "z")
    for at in range(4):
        for other in range(4):
            bent = [one + (place == at) - (place == other != at) for place, one in enumerate(z)]
            with pytest.raises(Refused, match="does not hold"):
                shuffle.check(CONTEXT, JOINT, cards, with_field(body, "z", group.packed(bent)))


def test_every_challenge_covers_all_that_stands_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "Transcript", Spy)
    Spy.heard.clear()
    shuffle.check(CONTEXT, JOINT, CARDS, BODY)
    proof, heard = BODY["proof"], Spy.before
    everything = [3, group.G, JOINT, *(group.h(i) for i in range(3)), *group.split(BODY["cards"])]
    everything += [BODY["salt"], BODY["first"], *(half for card in CARDS for half in card)]
    everything += [proof["places"], *group.split(proof["commitments"] + proof["masked"])]
    assert set(everything) == Spy.heard[0] == heard["t"]
    everything += group.split(proof["responses"])
    assert set(everything) == heard["lambda"] == heard["x"]
    everything += group.split(proof["known"]["points"])
    assert set(everything) == heard["e"]
    everything += group.split(b"".join(proof["known"][key] for key in "fgz"))
    assert set(everything) == heard["weights"]


def test_factors_by_input_are_refused_unless_nothing_moves() -> None:
    """The mix-up that published pseudo-code invites: it would pass with one card, or with the order unchanged."""
    done = made_by(CARDS, [1, 2, 0], DONE)
    assert done.order != done.places
    factors = tuple(done.batch.start.factors[place] for place in done.batch.start.order)
    mixed_up = replace(done, batch=replace(done.batch, start=replace(done.batch.start, factors=factors)))
    with pytest.raises(Refused, match="does not hold"):
        shuffle.check(CONTEXT, JOINT, CARDS, shuffle.prove(CONTEXT, JOINT, CARDS, mixed_up))


def test_an_unsealed_card_cannot_be_put_into_the_deck() -> None:
    """On a fresh deck (C1 = G) a factor of −1 would lay the card open; as a point it is the identity, and refused."""
    fresh = [elgamal.fresh(j, JOINT) for j in range(2)]
    done = shuffle.mix(CONTEXT, MINE, JOINT, fresh)
    start = replace(done.batch.start, factors=(-1, done.batch.start.factors[1]))
    out = arranged(fresh, done.places, start.order, start.factors)
    opened_at = done.places[0]
    assert out[opened_at].c1 == IDENTITY
    rest = start.rest - sum(f * d for f, d in zip(start.factors, start.masks, strict=True))
    batch = replace(done.batch, start=start, rest=(group.base(rest), group.mul(rest, JOINT)))
    opened = Pass(out, done.order, done.places, batch)
    body = shuffle.prove(CONTEXT, JOINT, fresh, opened)
    with pytest.raises(Refused, match=f"shuffle card half {2 * opened_at}"):
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
        mine = Pool(MINE, salt)
        mine.prepare(3, JOINT)
        for _ in range(2):
            done = shuffle.mix(CONTEXT, MINE, JOINT, CARDS, batch=mine.take(3, JOINT))
            assert done.order == DONE.order
            body = shuffle.prove(CONTEXT, JOINT, CARDS, done)
            shuffle.check(CONTEXT, JOINT, CARDS, body)
            found = scalars(done.batch) | {*group.split(body["cards"]), *group.split(body["proof"]["known"]["z"])}
            assert not found & seen
            seen |= found


def test_nothing_secret_is_printed() -> None:
    for one in (DONE, DONE.batch, DONE.batch.start, DONE.batch.start.announced):
        assert repr(one).startswith(f"<protocol.{type(one).__module__.rpartition('.')[2]}.{type(one).__name__} object")


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
    for field, what in (("commitments", "commitments"), ("points", "known points")):
        points = group.split((body["proof"] | body["proof"]["known"])[field])
        for at in (0, 2, len(points) - 1):
            marked = [*points[:at], crypto_core_ed25519_add(points[at], TORSION[at % 7]), *points[at + 1 :]]
            with pytest.raises(Refused, match=f"shuffle proof {what} {at}: not a point"):
                shuffle.check(CONTEXT, JOINT, cards, with_field(body, field, b"".join(marked)))


def test_a_fresh_deck_that_was_thought_of_before_gives_the_same_pass() -> None:
    """And what was thought of does no harm if the cards are others, or in another order."""
    fresh = [elgamal.fresh(j, JOINT) for j in range(5)]
    batch = pool.batch(MINE, bytes(16), 0, 5, JOINT)
    ahead = replace(batch, start=pool.start(MINE, bytes(16), 0, 5, fresh=True))
    assert ahead.start.faces != batch.start.faces is None
    for cards in (fresh, fresh[::-1], deal(5)):
        expected = shuffle.prove(CONTEXT, JOINT, cards, shuffle.mix(CONTEXT, MINE, JOINT, cards, batch=batch))
        done = shuffle.mix(CONTEXT, MINE, JOINT, cards, batch=ahead)
        assert shuffle.prove(CONTEXT, JOINT, cards, done) == expected
