from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest

from protocol import dealing, group, opening, shuffle
from protocol.ceremony import Body, Context
from protocol.dealing import Open, Promise, Shuffle, View
from protocol.deck import Deck, Joint
from protocol.errors import Malformed, Misuse, ProtocolError, Refused
from protocol.opening import Commit, Flip, Keys
from protocol.secrets import Secrets

from .forge import Spy
from .mutate import SHAPES, bodies, refused
from .table import Table, table_id


def promised(table: Table) -> Promise:
    handles = table.shuffled(3)
    seen = table.view({2: [*handles]})
    return Promise(table.deck, 2, handles[:2], frozenset({seen[handles[0]], seen[handles[1]], 0, 1}))


def looking(table: Table) -> View:
    handles = table.shuffled(3)
    return View(table.deck, {2: handles[:2], 0: handles[1:]})


def answering(table: Table) -> View:
    view = looking(table)
    table.round(view, 0)
    return view


def keys(table: Table) -> Keys:
    fresh = Table(name="keys")
    fresh.run(Commit(fresh.deck))
    table.__dict__.update(fresh.__dict__)
    return Keys(table.deck)


STAGES: dict[str, tuple[Callable[[Table], Joint], int]] = {
    "keys": (keys, 0),
    "flip": (lambda table: Flip(table.deck), 0),
    "shuffle": (lambda table: Shuffle(table.deck, table.shuffled(2)), 0),
    "view 0": (looking, 0),
    "view 1": (answering, 1),
    "open": (lambda table: Open(table.deck, table.shuffled(2)), 0),
    "promise": (promised, 0),
}


def test_all_that_a_step_is_about_stands_in_its_transcripts(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (dealing, opening, shuffle):
        monkeypatch.setattr(module, "Transcript", Spy)
    wanted: dict[str, list[str]] = {}
    for name, (build, round) in STAGES.items():
        ceremony = build(table)
        seat = ceremony.owes(round)[0]
        body = ceremony.make(table.context(round, seat), table.secrets[seat])
        Spy.names.clear()
        Spy.heard.clear()
        ceremony.check(table.context(round, seat), body)
        wanted[name] = [*Spy.names]
        if name == "keys":
            assert {*table.deck.commitments, body["anchor"], body["key"]} <= Spy.heard[0]
            table.round(ceremony, 0)
        if name == "view 0":
            handles = [handle for handle in range(40) if table.deck.live(handle)]
            halves = [half for card in table.deck.cards(handles) for half in card]
            assert len(Spy.heard[0] & {*halves}) == 4
        if name == "promise":
            first, second, *_ = table.deck.cards([h for h in range(99) if (h, 2) in table.deck._looks])
            assert {*first, 0, 1} <= Spy.heard[0]
            assert {*second, 0, 1} <= Spy.heard[1]
    assert wanted == {
        "keys": ["key"],
        "flip": [],
        "shuffle": ["shuffle"],
        "view 0": ["view blind", "view own"],
        "view 1": ["view"],
        "open": ["open"],
        "promise": ["promise", "promise"],
    }


@pytest.mark.parametrize("name", STAGES)
def test_every_field_of_every_body_counts(table: Table, name: str) -> None:
    build, round = STAGES[name]
    ceremony = build(table)
    seat = ceremony.owes(round)[0]
    body = ceremony.make(table.context(round, seat), table.secrets[seat])
    ceremony.check(table.context(round, seat), body)
    assert SHAPES[name].keys() == body.keys()
    for what, wrong in bodies(SHAPES[name], body):
        refused(partial(ceremony.check, table.context(round, seat), wrong), f"{name} {what}")


def test_a_commitment_is_32_bytes_and_nothing_else() -> None:
    table = Table()
    commit = Commit(table.deck)
    for wrong in (None, {}, {"seed": b""}, {"seed": bytes(33)}, {"seed": "x" * 32}, {"seed": bytes(32), "more": 1}):
        refused(partial(commit.check, table.context(0, 0), wrong), repr(wrong))


@pytest.mark.parametrize("name", [name for name in STAGES if name != "flip"])
def test_bodies_hold_at_no_other_place(table: Table, name: str) -> None:
    build, round = STAGES[name]
    ceremony = build(table)
    seat = ceremony.owes(round)[0]
    context = table.context(round, seat)
    body = ceremony.make(context, table.secrets[seat])
    for other in (replace(context, step=context.step + 1), replace(context, prev=table_id("a fork"))):
        refused(partial(ceremony.check, other, body), f"{name} at {other}")
    for neighbour in set(ceremony.owes(round)) - {seat}:
        refused(partial(ceremony.check, replace(context, seat=neighbour), body), f"{name} from another seat")


def test_a_body_of_another_round_is_refused(table: Table) -> None:
    """Each round of a shuffle and of a look has its own input, and what held in one does not in the next."""
    handles = table.shuffled(2)
    mixing = Shuffle(table.deck, handles)
    first = mixing.make(table.context(0, 0), table.secrets[0])
    table.round(mixing, 0)
    refused(partial(mixing.check, table.context(1, 1), first), "the pass before")
    view = View(table.deck, {0: handles, 1: handles})
    start = table.round(view, 0)
    answer = {key: start[0][key] for key in ("shares", "proof")}
    refused(partial(view.check, table.context(1, 0), answer), "own shares as those of the next round")


def test_a_body_of_another_table_is_refused() -> None:
    """Same seeds, same seats, another table id: not one proof can be carried over."""
    here = Table(name="here").opened()
    there = Table(name="here")
    there.id = table_id("there")
    there.deck = Deck(there.id, 3)
    there.secrets = [Secrets(table_id(f"here seed {seat}"), there.id, seat) for seat in range(3)]
    there.opened()
    for build, round in STAGES.values():
        if build is keys:
            continue
        one, other = build(here), build(there)
        seat = one.owes(round)[0]
        body = one.make(here.context(round, seat), here.secrets[seat])
        refused(partial(other.check, there.context(round, seat), body), f"{one.kind} of another table")


def test_a_proof_for_another_deck_is_refused(table: Table) -> None:
    one, two = table.shuffled(2), table.shuffled(2)
    context, mine = table.context(0, 1), table.secrets[1]
    refused(partial(Open(table.deck, one).check, context, Open(table.deck, two).make(context, mine)), "open")
    look = View(table.deck, {1: two}).make(context, mine)
    refused(partial(View(table.deck, {1: one}).check, context, look), "view")
    first = table.context(0, 0)
    mixed = Shuffle(table.deck, two).make(first, table.secrets[0])
    refused(partial(Shuffle(table.deck, one).check, first, mixed), "shuffle")


def test_a_copied_commitment_ends_the_opening() -> None:
    table = Table()
    commit = Commit(table.deck)
    made = table.bodies(commit, 0)
    made[2] = made[0]
    commit.check(table.context(0, 2), made[2])  # nothing is wrong with it by itself
    with pytest.raises(Refused, match="seats 0 and 2"):
        commit.accept(0, made, table.running)
    assert not table.deck.commitments


def test_copied_and_mirrored_keys_are_refused(table: Table) -> None:
    ceremony = keys(table)
    made = table.bodies(ceremony, 0)
    mirrored = bytes(group.sub(group.IDENTITY, group.Point(made[0]["key"])))
    rogue = bytes(group.sub(group.base(7), group.total(group.Point(made[seat]["key"]) for seat in (0, 1))))
    for what, key in (("copied", made[0]["key"]), ("mirrored", mirrored), ("rogue", rogue)):
        for rest in (made[0], made[2]):
            wrong = {**rest, "key": key}
            refused(partial(ceremony.check, table.context(0, 2), wrong), what)


def test_two_seats_with_one_secret_or_keys_that_cancel_end_the_opening(table: Table) -> None:
    for factor, match in ((1, "seats 0 and 1"), (-2, "cancel")):
        ceremony = keys(table)
        made = table.bodies(ceremony, 0)
        made[1] = made[1] | {"key": made[0]["key"]} if factor == 1 else made[1]
        if factor != 1:
            both = group.total(group.Point(made[seat]["key"]) for seat in (0, 1))
            made[2] = made[2] | {"key": bytes(group.sub(group.IDENTITY, both))}
        with pytest.raises(Refused, match=match):
            ceremony.accept(0, made, table.running)
        assert not table.deck.keys


def test_a_key_proven_before_another_commitment_is_refused(table: Table) -> None:
    ceremony = keys(table)
    body = ceremony.make(table.context(0, 0), table.secrets[0])
    table.deck.commitments = (*table.deck.commitments[:2], bytes(32))
    refused(partial(ceremony.check, table.context(0, 0), body), "other commitments")


def test_a_mirrored_flip_is_refused(table: Table) -> None:
    """A seat that copies another's anchor can then copy its values too, but they do not fit its own seat number."""
    table.deck.heads = (table.deck.heads[0], table.deck.heads[0], table.deck.heads[2])
    flip = Flip(table.deck)
    value = flip.make(table.context(0, 0), table.secrets[0])
    flip.check(table.context(0, 0), value)
    refused(partial(flip.check, table.context(0, 1), value), "mirrored")


def test_an_old_flip_value_is_refused(table: Table) -> None:
    old = table.round(Flip(table.deck), 0)
    later = Flip(table.deck)
    for wrong in (old[0], {"value": table.secrets[0].flip(2)}, {"value": table.secrets[0].anchor}):
        refused(partial(later.check, table.context(0, 0), wrong), "old, early, anchor")


def test_a_wrong_share_hidden_in_a_batch_is_refused(table: Table) -> None:
    handles = table.shuffled(5)
    opening = Open(table.deck, handles)
    context, mine = table.context(0, 1), table.secrets[1]
    body = opening.make(context, mine)
    shares = group.split(body["shares"])
    swapped = [shares[1], shares[0], *shares[2:]]
    instead = [*shares[:4], bytes(group.mul(mine.x, group.m(3)))]
    for wrong in (swapped, instead, shares[:4] + shares[:1]):
        refused(partial(opening.check, context, {**body, "shares": b"".join(wrong)}), "one wrong share")


def test_a_share_for_another_card_is_refused(table: Table) -> None:
    handles = table.shuffled(2)
    context, mine = table.context(0, 1), table.secrets[1]
    other = Open(table.deck, handles[1:]).make(context, mine)
    refused(partial(Open(table.deck, handles[:1]).check, context, other), "share for another card")


def test_a_blind_of_another_card_is_refused(table: Table) -> None:
    """A viewer that may see one card blinds another one: whoever answered would open that one to it."""
    handles = table.shuffled(2)
    context, mine = table.context(0, 1), table.secrets[1]
    allowed, other = View(table.deck, {1: handles[:1]}), View(table.deck, {1: handles[1:]})
    refused(partial(allowed.check, context, other.make(context, mine)), "blind of another card")


def untrue(table: Table, handles: list[int], allowed: frozenset[int]) -> tuple[Promise, Body, Context]:
    """A promise that the seat cannot keep, forged with everything at hand: a true one's proof, bent."""
    promise = Promise(table.deck, 2, handles, allowed)
    context = table.context(0, 2)
    with pytest.raises(Misuse, match="would not be true"):
        promise.make(context, table.secrets[2])
    seen = table.deck.viewed(table.secrets[2], handles[0])
    honest = Promise(table.deck, 2, handles, (allowed - {min(allowed)}) | {seen})
    return promise, honest.make(context, table.secrets[2]), context


def test_a_false_promise_is_refused(table: Table) -> None:
    handles = [*table.shuffled(4)]
    seen = table.view({2: handles})
    others = frozenset(range(4)) - {seen[handles[0]]}
    promise, body, context = untrue(table, handles[:1], others)
    refused(partial(promise.check, context, body), "false promise")


def test_a_promise_about_another_card_or_look_is_refused(table: Table) -> None:
    handles = [*table.shuffled(3)]
    table.view({2: handles})
    context, mine = table.context(0, 2), table.secrets[2]
    everything = frozenset(range(3))
    one, two = Promise(table.deck, 2, handles[:1], everything), Promise(table.deck, 2, handles[1:2], everything)
    body = one.make(context, mine)
    refused(partial(two.check, context, body), "another card")
    refused(partial(Promise(table.deck, 2, handles[:1], everything - {0}).check, context, body), "other faces")
    table.view({2: handles})
    later = Promise(table.deck, 2, handles[:1], everything)
    refused(partial(later.check, context, body), "another look at it")
    later.check(context, later.make(context, mine))


def test_a_promise_one_bad_card_among_good_ones(table: Table) -> None:
    handles = [*table.shuffled(3)]
    table.view({2: handles})
    promise = Promise(table.deck, 2, handles, frozenset(range(3)))
    context = table.context(0, 2)
    proofs = promise.make(context, table.secrets[2])["proofs"]
    size = len(proofs) // 3
    for wrong in (
        proofs[size : 2 * size] + proofs[:size] + proofs[2 * size :],
        proofs[: 2 * size] + proofs[:size],
        proofs[: 2 * size] + bytes(size),
    ):
        refused(partial(promise.check, context, {"proofs": wrong}), "one bad card")


def test_promises_that_cannot_be_asked_for(table: Table) -> None:
    handles = [*table.shuffled(3)]
    table.view({2: handles[:2]})
    deck = table.deck
    attempts: list[Callable[[], object]] = [
        lambda: Promise(deck, 2, handles, frozenset({0})),
        lambda: Promise(deck, 1, handles[:1], frozenset({0})),
        lambda: Promise(deck, 2, handles[:1], frozenset()),
        lambda: Promise(deck, 2, handles[:1], frozenset({0, 3})),
        lambda: Promise(deck, 2, [], frozenset({0})),
    ]
    for attempt in attempts:
        with pytest.raises(Misuse):
            attempt()
    deck.fresh(2100)
    with pytest.raises(Misuse, match="too many"):
        Promise(deck, 2, handles[:1], frozenset(deck.faces))


def test_a_shuffle_that_is_no_permutation_is_refused_at_the_table(table: Table) -> None:
    handles = table.shuffled(3)
    mixing = Shuffle(table.deck, handles)
    context, mine, joint = table.context(0, 0), table.secrets[0], table.deck.joint
    cards = table.deck.cards(handles)
    done = shuffle.mix(context, mine, joint, cards)
    doubled = replace(done, order=[done.order[0]] * 3, cards=[done.cards[0]] * 3)
    refused(partial(mixing.check, context, shuffle.prove(context, joint, cards, doubled)), "one card thrice")
    mixing.check(context, shuffle.prove(context, joint, cards, done))


def test_a_pass_over_cards_that_nobody_has_checked_is_made_or_refused_and_nothing_else(table: Table) -> None:
    """What is made ahead of a check meets everything that the check would refuse."""
    mixing = Shuffle(table.deck, table.shuffled(3))
    context = table.context(0, 0)
    body = mixing.make(context, table.secrets[0])
    ahead = replace(context, round=1, seat=1, prev=table_id("after"))
    good = mixing.foresee(ahead, table.secrets[1], {0: body})
    made = 0
    for _, wrong in bodies(SHAPES["shuffle"], body):
        if isinstance(wrong, dict):  # a contribution's body is a map, or it is none
            with suppress(Malformed, Refused, Misuse):
                assert mixing.foresee(ahead, table.secrets[1], {0: wrong}).keys() == good.keys()
                made += 1
    assert made > 10
    mixing.accept(0, {0: body}, table.running)
    assert mixing.make(ahead, table.secrets[1]) == good


def test_a_card_that_opens_to_nothing_is_refused(table: Table) -> None:
    """It takes shares that were never checked to come here."""
    opening = Open(table.deck, table.shuffled(2))
    made = table.bodies(opening, 0)
    made[1] = {**made[1], "shares": made[0]["shares"]}
    with pytest.raises(ProtocolError, match="none of the faces"):
        opening.accept(0, made, table.running)
    assert len(table.deck.opened) == 2
