from __future__ import annotations

from dataclasses import replace

import pytest

from protocol import group, limits
from protocol.ceremony import Ceremony
from protocol.dealing import Open, Promise, Shuffle, View
from protocol.deck import Deck
from protocol.errors import Misuse, Refused
from protocol.opening import Commit, Flip, Keys
from protocol.secrets import Secrets

from .table import Table, table_id


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
