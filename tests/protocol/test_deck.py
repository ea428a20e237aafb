from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from protocol import dealing, group, limits, opening, shuffle
from protocol.ceremony import Body, Ceremony, Context
from protocol.dealing import Open, Promise, Shuffle, View
from protocol.deck import Deck, Joint
from protocol.errors import Misuse, ProtocolError, Refused
from protocol.opening import Commit, Flip, Keys
from protocol.secrets import Secrets

from .forge import Spy
from .mutate import SHAPES, bodies, refused
from .table import Table, table_id


@pytest.fixture
def table() -> Table:
    return Table().opened()


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
def test_a_whole_table(seats: int) -> None:
    table = Table(seats, f"whole {seats}").opened()
    fresh = table.deck.fresh(6)
    assert list(fresh) == list(range(6))
    assert {handle: table.deck.opened[handle] for handle in fresh} == {handle: handle for handle in fresh}
    handles = table.run(Shuffle(table.deck, fresh)).result
    assert handles == range(6, 12)
    last = seats - 1
    seen = table.view({last: [8, 7], 0: [6]} if last else {0: [6, 8, 7]})
    assert table.open([6, 8, 9]).items() >= {6: seen[6], 8: seen[8]}.items()
    truth = table.deck.reveal(handles, [secrets.x for secrets in table.secrets])
    assert sorted(truth.values()) == list(range(6))
    assert seen.items() <= truth.items()
    assert {handle: table.deck.opened[handle] for handle in (6, 8, 9)}.items() <= truth.items()
    assert not {7, 10, 11} & table.deck.opened.keys()
    table.run(Promise(table.deck, last, [7], frozenset({truth[7], truth[10]})))
    one, two = table.run(Flip(table.deck)).result, table.run(Flip(table.deck)).result
    assert len(one) == 32
    assert one != two


def test_ceremonies_are_what_the_session_expects(table: Table) -> None:
    handles = table.shuffled(2)
    ceremonies: list[Ceremony] = [
        Commit(Deck(table.id, 2)),
        Flip(table.deck),
        Shuffle(table.deck, handles),
        View(table.deck, {0: handles}),
        Open(table.deck, handles),
    ]
    assert [one.kind for one in ceremonies] == ["commit", "flip", "shuffle", "view", "open"]
    assert [one.rounds for one in ceremonies] == [1, 1, 3, 2, 1]
    assert [[one.owes(round) for round in range(one.rounds)] for one in ceremonies[2:]] == [
        [(0,), (1,), (2,)],
        [(0,), (1, 2)],
        [(0, 1, 2)],
    ]
    assert all(one.owes(round) == () for one in ceremonies for round in (-1, one.rounds))


def test_handles_and_faces_are_unique_in_the_table(table: Table) -> None:
    first = table.shuffled(3)
    second = table.deck.fresh(2)
    assert (first, second) == (range(3, 6), range(6, 8))
    assert [table.deck.opened[handle] for handle in second] == [3, 4]
    again = table.run(Shuffle(table.deck, [*first[:2], second[1]])).result
    assert again == range(8, 11)
    assert {*table.open([*again]).values()} < {0, 1, 2, 4}


def test_old_handles_retire_unless_they_are_to_stay(table: Table) -> None:
    first = table.shuffled(3)
    copies = table.run(Shuffle(table.deck, first[:2], keep=True)).result
    assert all(map(table.deck.live, [*first, *copies]))
    assert {*table.open([*copies]).values()} == {*table.open([*first[:2]]).values()}
    table.run(Shuffle(table.deck, first))
    assert not any(map(table.deck.live, first))
    assert table.deck.live(copies[0])
    for use in (Open, Shuffle):
        with pytest.raises(Misuse, match="no card 3"):
            use(table.deck, [first[0]])
    with pytest.raises(Misuse):
        View(table.deck, {0: [first[0]]})


def test_retired_cards_can_be_read_when_all_is_over(table: Table) -> None:
    first = table.shuffled(3)
    seen = table.view({1: [*first]})
    table.run(Shuffle(table.deck, first))
    assert table.deck.reveal(first, [secrets.x for secrets in table.secrets]) == seen
    assert {handle: table.deck.viewed(table.secrets[1], handle) for handle in first} == seen
    with pytest.raises(Misuse):
        table.deck.reveal([99], [secrets.x for secrets in table.secrets])
    with pytest.raises(Refused, match="none of the faces"):
        table.deck.reveal(first, [5])


@pytest.mark.parametrize("handles", [[], [3, 3], [-1], [0], [99], [3, 4, 5, 99], [3] * 300, [*range(3, 300)]])
def test_bad_handles_are_misuse(table: Table, handles: list[int]) -> None:
    table.shuffled(3)
    for use in (Open, Shuffle, lambda deck, these: View(deck, {1: these})):
        with pytest.raises(Misuse):
            use(table.deck, handles)


def test_other_misuse(table: Table) -> None:
    deck, (one, *_) = table.deck, table.shuffled(3)
    for attempt in (
        lambda: Deck(table.id, 0),
        lambda: Deck(table.id, limits.MAX_SEATS + 1),
        lambda: Deck(table.id, 2).fresh(1),
        lambda: Flip(Deck(table.id, 2)),
        lambda: Keys(Deck(table.id, 2)),
        lambda: Keys(deck),
        lambda: Commit(deck),
        lambda: deck.fresh(0),
        lambda: deck.fresh(limits.MAX_DECK),
        lambda: View(deck, {}),
        lambda: View(deck, {0: []}),
        lambda: View(deck, {3: [one]}),
        lambda: View(deck, {-1: [one]}),
        lambda: Promise(deck, 0, [one], frozenset({0})),
        lambda: Shuffle(deck, [one]).result,
        lambda: Open(deck, [one]).result,
        lambda: Flip(deck).result,
        lambda: View(deck, {0: [one]}).faces(table.secrets[0]),
    ):
        with pytest.raises(Misuse):
            attempt()


def test_a_flip_past_the_end_of_the_chain_is_misuse(table: Table) -> None:
    table.deck.flips = limits.FLIPS - 1
    last = Flip(table.deck)
    table.deck.heads = tuple(secrets.flip(limits.FLIPS - 2) for secrets in table.secrets)
    table.run(last)
    with pytest.raises(Misuse, match="used up"):
        Flip(table.deck)


def test_rounds_come_in_order_and_from_those_who_owe_them(table: Table) -> None:
    handles = table.shuffled(3)
    view = View(table.deck, {0: handles[:1], 2: handles[1:]})
    made = table.bodies(view, 0)
    ahead = table.context(1, 1)
    for attempt in (
        lambda: view.make(ahead, table.secrets[1]),
        lambda: view.check(ahead, made[0]),
        lambda: view.make(table.context(0, 1), table.secrets[1]),
        lambda: view.make(table.context(0, 0), table.secrets[2]),
        lambda: view.make(replace(table.context(0, 0), table=table_id("other")), table.secrets[0]),
        lambda: view.make(table.context(0, 0), Secrets(table_id("x"), table_id("other"), 0)),
        lambda: view.check(replace(table.context(0, 0), table=table_id("other")), made[0]),
        lambda: view.accept(1, made, table.running),
        lambda: view.accept(0, {0: made[0]}, table.running),
        lambda: view.accept(0, {**made, 1: made[0]}, table.running),
    ):
        with pytest.raises(Misuse):
            attempt()
    with pytest.raises(Refused, match="view: seat 1 owes nothing"):
        view.check(table.context(0, 1), made[0])
    table.run(view)
    assert view.over
    with pytest.raises(Misuse):
        view.accept(1, {}, table.running)
    with pytest.raises(Misuse):
        view.make(table.context(1, 1), table.secrets[1])


def test_making_is_pure_and_the_same_again(table: Table) -> None:
    handles = table.shuffled(3)
    for ceremony in (Shuffle(table.deck, handles), View(table.deck, {1: handles}), Open(table.deck, handles)):
        assert table.bodies(ceremony, 0) == table.bodies(ceremony, 0)


def test_blinds_and_factors_depend_on_history(table: Table) -> None:
    handles = table.shuffled(3)
    here = table.context(0, 1)
    elsewhere = replace(here, prev=table_id("a fork"))
    view, mine = View(table.deck, {1: handles}), table.secrets[1]
    one, two = view.make(here, mine), view.make(elsewhere, mine)
    assert not {*group.split(one["blinded"])} & {*group.split(two["blinded"])}
    # The first of two equal looks and the second are bound to different histories as well.
    first = table.run(View(table.deck, {1: handles}))
    assert first.faces(mine) == table.run(View(table.deck, {1: handles})).faces(mine)


def test_looks_at_one_card_by_all_seats_in_one_step(table: Table) -> None:
    handles = [*table.shuffled(3)]
    view = table.run(View(table.deck, {0: handles[:2], 1: [handles[1]], 2: [handles[1], handles[0]]}))
    faces = [view.faces(secrets) for secrets in table.secrets]
    assert faces[0] == faces[2]
    assert faces[1].items() <= faces[0].items()
    assert [*faces[2]] == [handles[1], handles[0]]
    assert table.open(handles[:2]) == faces[0]


def test_only_the_viewer_can_read_a_look(table: Table) -> None:
    handles = table.shuffled(3)
    view = table.run(View(table.deck, {1: handles}))
    assert view.faces(table.secrets[0]) == {}
    with pytest.raises(Misuse):
        table.deck.viewed(table.secrets[0], handles[0])
    for seed in (b"\5" * 32, b"\6" * 32):
        with pytest.raises(Refused, match="none of the faces"):
            view.faces(Secrets(seed, table.id, 1))


def test_cards_face_up_can_be_viewed_opened_and_promised(table: Table) -> None:
    fresh = [*table.deck.fresh(2)]
    assert table.view({0: fresh}) == table.open(fresh) == {0: 0, 1: 1}
    table.run(Promise(table.deck, 0, fresh, frozenset({0, 1})))


def test_two_decks_of_a_table_mix(table: Table) -> None:
    one, two = table.shuffled(2), table.shuffled(2)
    assert {*table.open([*one]).values()} == {0, 1}
    assert {*table.open([*two]).values()} == {2, 3}
    both = table.run(Shuffle(table.deck, [*one, *two])).result
    assert {*table.open([*both]).values()} == {0, 1, 2, 3}


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
            handles = [handle for handle in range(9) if table.deck.live(handle)]
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


# --- cheats ---


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
    refused(partial(mixing.check, context, shuffle.prove(context, mine, joint, cards, doubled)), "one card thrice")
    mixing.check(context, shuffle.prove(context, mine, joint, cards, done))


def test_a_card_that_opens_to_nothing_is_refused(table: Table) -> None:
    """It takes shares that were never checked to come here."""
    opening = Open(table.deck, table.shuffled(2))
    made = table.bodies(opening, 0)
    made[1] = {**made[1], "shares": made[0]["shares"]}
    with pytest.raises(ProtocolError, match="none of the faces"):
        opening.accept(0, made, table.running)
    assert len(table.deck.opened) == 2
