"""Amanite, sentence by sentence: the components and the setup.

Each test names what it rests on with `of`: sentences of the rulebook by section and number, the design's data, rulings
and worked examples; a test at the end sees to it that none is left out.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

from engines import registry
from engines.amanite import Rules
from engines.amanite_hints import first_hints
from engines.amanite_table import (
    BAG,
    COLOURS,
    OTHERS,
    SIDES,
    START_CARDS,
    parse_attributes,
)
from engines.dealer import Dealer
from engines.requests import Ask, Deck, Flip, Shuffle, Tell, View
from engines.run import Run
from tests.engines.amanite_forest import (
    M1,
    STARTS,
    A,
    B,
    C,
    D,
    Stacked,
    Walk,
    in_play,
    of,
    sections,
    tokens,
)

# -- components and setup ------------------------------------------------------------------------------------------


@of(*sections("Components", 1, 8), "Data 1", "Data 2")
def test_the_box_holds_what_the_rulebook_lists() -> None:
    assert len(COLOURS) == 6
    assert len(START_CARDS) == 4
    assert len(OTHERS) + 2 == 10
    assert {**dict.fromkeys(COLOURS, 10), "pig": 4} == BAG
    assert sum(BAG.values()) == 64
    walk = Walk(4)
    assert len(walk.table.tiles) == 5
    walk.lapse_to("consult")
    assert Counter(event.seat for event in walk.told("placed")) == dict.fromkeys(range(4), 2), "eight meeples"
    walk.lapse_to("nothing")
    assert Counter(event.seat for event in walk.told("consulted")) == dict.fromkeys(range(4), 2), "eight notebooks"
    assert [event.first for event in walk.told("round")] == [A, B, C], "one first player token"


@of("Setup 1", "Setup 2", "Setup 3", "Setup 4", "Data 5")
@pytest.mark.parametrize(("seats", "tiles"), [(2, 3), (3, 4), (4, 5)])
def test_one_tile_more_than_players_with_pin_split_and_room_for_two_piles(seats: int, tiles: int) -> None:
    table = Walk(seats).table
    assert len(table.tiles) == tiles
    assert all(tile.pin is None and tile.split is None and not tile.above and not tile.below for tile in table.tiles)


@of("Setup 5", "Setup 6", "Setup 7", "Data 5")
@pytest.mark.parametrize(("seats", "spaces"), [(2, 1), (3, 2), (4, 2)])
def test_six_mushrooms_with_one_or_two_notebook_spaces(seats: int, spaces: int) -> None:
    table = Walk(seats).table
    assert tuple(table.mushrooms) == COLOURS == tuple(table.notebooks)
    assert table.spaces == spaces


@of("Setup 8", "Data 1")
def test_all_tokens_begin_in_the_bag() -> None:
    walk = Walk(2, starts=None)
    assert walk.verb == "start"
    assert walk.table.bag == BAG
    assert not any(any(held.values()) for held in walk.table.held)
    assert in_play(walk.table) == 64


@of("Data 4")
def test_the_start_cards() -> None:
    assert {(card, side): set(START_CARDS[card][side]) for card in START_CARDS for side in SIDES} == {
        ("fox", "A"): {"blue", "yellow", "red"},
        ("fox", "B"): {"blue", "yellow", "white"},
        ("squirrel", "A"): {"blue", "purple", "white"},
        ("squirrel", "B"): {"green", "purple", "white"},
        ("owl", "A"): {"green", "purple", "red"},
        ("owl", "B"): {"green", "yellow", "red"},
        ("jay", "A"): {"white", "red", "green"},
        ("jay", "B"): {"purple", "yellow", "blue"},
    }


@of("Data 4", "Scoring 1", "Setup 23")
def test_a_deck_never_runs_out_so_that_its_top_card_can_be_turned_over() -> None:
    for sides in product(SIDES, repeat=4):
        dealt = Counter(
            colour for card, side in zip(START_CARDS, sides, strict=True) for colour in START_CARDS[card][side]
        )
        assert max(dealt.values()) <= 3
        assert max(dealt.values()) + Walk(4).table.spaces < 6


@of("Setup 9", "Setup 10", "Setup 11", "Setup 12", "Data 4")
def test_everybody_in_turn_takes_another_start_card_and_chooses_the_side() -> None:
    walk = Walk(3, starts=None, first=B)
    assert walk.offers("start") == set(product(START_CARDS, SIDES))
    walk.act("start", "owl", "B", seat=B)
    assert walk.offers("start") == {(card, side) for card in ("fox", "squirrel", "jay") for side in SIDES}
    assert walk.why_not("owl") == "each player takes another start card, and this one is taken"
    walk.act("start", "fox", "A", seat=C)
    walk.act("start", "jay", "B", seat=A)
    assert walk.table.starts == {B: ("owl", "B"), C: ("fox", "A"), A: ("jay", "B")}
    assert walk.told("start")[0].data == {
        "seat": B,
        "card": "owl",
        "side": "B",
        "colours": ("green", "yellow", "red"),
    }
    assert walk.table.colours(A) == ("purple", "yellow", "blue")


@of("Setup 10", "Setup 20")
def test_start_cards_are_chosen_before_anything_secret_happens() -> None:
    run = Walk(2, starts=None).run
    assert not run.live
    assert not run.game.table.mushrooms


@of("Setup 13", "Setup 14", "Setup 15", "Data 3")
def test_the_first_game_has_the_simple_attributes() -> None:
    game = registry.create("amanite", 2, {})
    assert set(game.table.attributes) == {"-1", "1", "2", "3", "antidote", "poison"}


@of("Setup 14", "Setup 16", "Setup 17", "Setup 18", "Data 3", "Ruling 1")
def test_any_four_others_make_a_game_and_antidote_and_poison_are_in_each() -> None:
    sets = list(combinations(OTHERS, 4))
    assert len(sets) == 70
    for others in sets:
        for written in (",".join(others), " , ".join(reversed(others)).upper(), ",".join(("poison", *others))):
            table = registry.create("amanite", 3, {"attributes": written}).table
            assert table.attributes == (*others, "antidote", "poison")


@of("Setup 13", "Setup 14", "Data 3")
@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "there is no attribute ''"),
        ("1,2,3,4", "there is no attribute '4'"),
        ("-1,1,2", "four attributes besides antidote and poison, not 3"),
        ("-1,1,2,3,elixir", "four attributes besides antidote and poison, not 5"),
        ("antidote,poison", "four attributes besides antidote and poison, not 0"),
        ("1,1,2,3", "an attribute is named twice"),
        ("antidote,antidote,-1,1,2,3", "an attribute is named twice"),
        ("x" * 5000, "there is no attribute 'xxx"),
    ],
)
def test_anything_else_is_refused_when_the_table_is_made(written: str, why: str) -> None:
    with pytest.raises(registry.BadTable, match="option attributes: ") as caught:
        registry.create("amanite", 2, {"attributes": written})
    assert why in str(caught.value)
    assert len(str(caught.value)) < 200
    with pytest.raises(ValueError, match="attribute"):
        parse_attributes(written)


@of("Setup 19", "Hidden 5")
def test_which_attributes_are_in_play_is_public() -> None:
    walk = Walk(2, worth=M1)
    assert walk.told("dealt")[0].data == {"attributes": ("1", "2", "3", "elixir", "antidote", "poison")}
    assert walk.table.attributes == ("1", "2", "3", "elixir", "antidote", "poison")


@of(*sections("Setup", 20, 30), "Hidden 1")
def test_every_mushroom_gets_one_attribute_and_nobody_knows_which() -> None:
    orders = set()
    for seed in range(6):
        game = registry.create("amanite", 2, {"first": 1})
        dealer = Dealer(game, bytes([seed]) * 32)
        requests: list[Any] = []
        while len(requests) < 4:
            requests.append(dealer.run.pending)
            dealer.step(lambda _, menu: menu.lapse)
        assert [type(request) for request in requests] == [Ask, Ask, Deck, Shuffle]
        assert sorted(requests[2].faces) == sorted(game.table.attributes)
        assert len(requests[3].cards) == 6
        assert not requests[3].keep
        assert list(game.table.mushrooms) == list(COLOURS)
        assert not game.faces
        assert not any(dealer.run.known.values())
        orders.add(tuple(dealer.truth[card] for card in game.table.mushrooms.values()))
    assert len(orders) > 3


@of("Setup 31", "Setup 32", "Setup 33", "Hidden 2")
def test_the_first_hints_are_shuffled_before_their_owner_looks_and_others_see_nothing() -> None:
    game = Rules(3, {"attributes": "-1,1,2,3", "first": 2})
    dealer = Dealer(game, bytes(32))
    shuffles: list[Shuffle] = []
    while not isinstance(dealer.run.pending, View):
        if isinstance(dealer.run.pending, Shuffle) and game.table.mushrooms:
            shuffles.append(dealer.run.pending)
        dealer.step(lambda _, menu: menu.lapse)
    order = [B, C, A]
    for seat, request in zip(order, shuffles, strict=True):
        assert request.keep, "the mushrooms keep their own"
        assert request.cards == tuple(game.table.mushrooms[colour] for colour in game.table.colours(seat))
    view = dealer.run.pending
    assert view.looks == {seat: tuple(game.table.hints[seat]) for seat in range(3)}
    dealer.step(lambda _, menu: menu.lapse)
    for seat in range(3):
        assert set(dealer.run.known[seat]) == set(game.table.hints[seat]), "three hints and no more"
        truth = {dealer.truth[game.table.mushrooms[colour]] for colour in game.table.colours(seat)}
        assert set(first_hints(game.table, seat, dealer.run.look(seat))) == truth
        assert first_hints(game.table, seat, dealer.run.look((seat + 1) % 3)) == ()


@of("Ruling 1")
def test_the_first_player_is_drawn() -> None:
    firsts = set()
    for i in range(20):
        run = Run(registry.create("amanite", 3, {}))
        assert isinstance(run.pending, Flip)
        run.answer(bytes([i]) * 32)
        firsts.add(run.game.table.first)
        assert isinstance(run.pending, Ask)
        assert list(run.pending.menus) == [run.game.table.first]
    assert firsts == {A, B, C}


@of("Ruling 1")
def test_or_the_table_agrees_on_a_first_player() -> None:
    events: list[Tell] = []
    run = Run(registry.create("amanite", 3, {"first": "3"}), events.append)
    assert isinstance(run.pending, Ask)
    assert list(run.pending.menus) == [C]
    assert events == [Tell("begins", {"seat": C, "drawn": False})]
    with pytest.raises(registry.BadTable, match="option first: there is no seat 3 among 2"):
        registry.create("amanite", 2, {"first": 3})


def test_the_helper_deals_what_is_wanted() -> None:
    walk = Walk(2, worth=M1)
    assert {c: walk.dealer.truth[card] for c, card in walk.table.mushrooms.items()} == M1
    assert isinstance(walk.dealer, Stacked)
    assert STARTS[D] == ("jay", "A")
    assert tokens("b*") == ["blue", "pig"]


def test_every_sentence_ruling_and_example_is_named_by_a_test() -> None:
    of.compare("test_amanite_hidden", "test_amanite_rounds", "test_amanite_gathering", "test_amanite_end")
