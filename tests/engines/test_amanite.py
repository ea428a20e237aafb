"""Amanite, sentence by sentence. Each test names what it rests on with `of`: sentences of the rulebook by section and
number, the design's data, rulings and worked examples; a test at the end sees to it that none is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations, product
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import registry
from engines.amanite import Rules
from engines.amanite_hints import first_hints, possible, worlds
from engines.amanite_scoring import majority, score, verdict
from engines.amanite_table import (
    BAG,
    COLOURS,
    GROWTH,
    OTHERS,
    SIDES,
    START_CARDS,
    TOKENS,
    Table,
    parse_attributes,
)
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Choice, Hidden, Illegal
from engines.requests import Ask, Deck, Flip, Open, Result, Shuffle, Tell, View
from engines.run import Run, canonical
from tests.engines.amanite_forest import M0, M1, STARTS, A, B, C, D, K, Stacked, Walk, hoard, letters, on, tokens

SENTENCES = {
    "Goal": 3,
    "Components": 7,
    "Setup": 33,
    "Playing": 2,
    "Grow": 7,
    "Venture": 9,
    "Gather": 13,
    "Notes": 9,
    "Scoring": 25,
    "Data": 5,
    "Hidden": 5,
    "Ruling": 14,
    "Example": 10,
}
NAMED: set[str] = set()
Test = TypeVar("Test", bound=Callable[..., None])


def of(*names: str) -> Callable[[Test], Test]:
    """What a test rests on."""
    NAMED.update(names)
    return lambda test: test


def sections(section: str, first: int, last: int) -> list[str]:
    return [f"{section} {i}" for i in range(first, last + 1)]


def in_play(table: Table) -> int:
    """Tokens that are anywhere."""
    tiles = sum(len(on(tile)) for tile in table.tiles)
    return sum(table.bag.values()) + tiles + sum(sum(held.values()) for held in table.held)


def everywhere(table: Table) -> Counter[str]:
    """Tokens of each kind, wherever they are."""
    found = Counter(table.bag)
    for held in table.held:
        found.update(held)
    for tile in table.tiles:
        found.update(on(tile))
    return found


# -- components and setup ------------------------------------------------------------------------------------------


@of(*sections("Components", 1, 7), "Data 1", "Data 2")
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


@of("Setup 32", "Hidden 2")
def test_not_even_the_owner_can_tell_which_first_hint_is_which_colour() -> None:
    sights = []
    for worth in (M0, {**M0, "blue": "2", "yellow": "antidote", "red": "poison"}):
        walk = Walk(2, worth=worth)
        seen = []
        while walk.verb != "consult":
            seen.append(canonical([walk.run.digest(), walk.run.known[A], walk.offers(), walk.events]))
            seen.append(str(possible(walk.table, A, walk.run.look(A))))
            walk.lapse()
        sights.append(seen)
    assert sights[0] == sights[1]


@of("Hidden 2", "Hidden 3")
def test_what_a_seat_can_conclude() -> None:
    walk = Walk(2, worth=M0)
    look = walk.run.look(A)
    own, rest = {"poison", "antidote", "2"}, {"-1", "1", "3"}
    for colour, may in possible(walk.table, A, look).items():
        assert set(may) == (own if colour in ("blue", "yellow", "red") else rest)
    assert len(list(worlds(walk.table, A, look))) == 36
    assert all(len(may) == 6 for may in possible(walk.table, None, walk.run.look()).values())
    walk.lapse_to("consult")
    walk.lapse()
    walk.act("consult", "yellow", seat=A)
    assert possible(walk.table, A, look) == {
        "blue": ("antidote", "poison"),
        "green": ("-1", "1", "3"),
        "purple": ("-1", "1", "3"),
        "red": ("antidote", "poison"),
        "white": ("-1", "1", "3"),
        "yellow": ("2",),
    }
    found = list(worlds(walk.table, A, look))
    assert len(found) == 12
    assert M0 in found
    assert len({tuple(sorted(world.items())) for world in found}) == 12


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


# -- rounds and growth ---------------------------------------------------------------------------------------------


@of("Goal 1", "Playing 1", "Playing 2", "Ruling 8", "Notes 6", "Notes 7", "Notes 9", "Grow 1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_three_rounds_of_four_phases_and_hints_between_them_only(seats: int) -> None:
    walk = Walk(seats)
    phases: list[tuple[int, str]] = []
    while not walk.run.finished:
        if not phases or phases[-1] != (walk.table.round, walk.verb):
            phases.append((walk.table.round, walk.verb))
        walk.lapse()
    kinds = [(n, verb) for n, verb in phases if verb in ("place", "consult")]
    assert list(dict.fromkeys(kinds)) == [(1, "place"), (1, "consult"), (2, "place"), (2, "consult"), (3, "place")]
    verbs = [verb for n, verb in phases if n == 1]
    assert verbs.index("place") < verbs.index("take") < verbs.index("consult") == len(verbs) - 1
    assert [event.round for event in walk.told("round")] == [1, 2, 3]
    assert walk.run.result is not None


@of("Grow 2", "Grow 3", "Grow 4", "Grow 5", "Grow 6")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_five_and_six_tokens_on_each_tile(seats: int) -> None:
    assert GROWTH == {1: 4, 2: 5, 3: 6}
    walk = Walk(seats, seed=seats)
    for event in walk.told("grown"):
        assert all(len(tile) == 4 for tile in event.tiles)
    walk.lapse_to("nothing")
    grown = walk.told("grown")
    assert len(grown) == 3
    for n, event in enumerate(grown):
        assert len(event.tiles) == seats + 1
        assert [len(tile) for tile in event.tiles][:-1] == [4 + n] * seats
        assert {token for tile in event.tiles for token in tile} <= set(TOKENS)


@of("Grow 2", "Grow 6")
def test_tokens_are_drawn_at_random_pigs_among_them() -> None:
    found: Counter[str] = Counter()
    layouts = set()
    for seed in range(60):
        walk = Walk(2, seed=seed)
        grown = tuple(tuple(tile.tokens) for tile in walk.table.tiles)
        layouts.add(grown)
        found.update(token for tile in grown for token in tile)
    assert len(layouts) == 60
    assert found.total() == 720
    assert 20 < found["pig"] < 75, "4 of 64 are expected, that is 45"
    assert all(80 < found[colour] < 150 for colour in COLOURS)


@of("Ruling 1", "Hidden 4")
def test_the_bag_is_drawn_from_after_the_last_choice_of_the_round_before() -> None:
    walk = Walk(2)
    walk.lapse_to("consult")
    walk.lapse()
    walk.run.answer({walk.asked[0]: walk.menu.lapse})
    order = []
    while not isinstance(walk.run.pending, Ask):
        order.append(type(walk.run.pending))
        walk.dealer.step(walk.nobody)
    assert order == [View, Flip], "the last decision was made before anything of the next draw existed"


@of("Grow 7", "Ruling 2", "Example 9")
@pytest.mark.parametrize(("bag", "sizes"), [(28, [6, 6, 6, 6, 4]), (29, [6, 6, 6, 6, 5]), (30, [6, 6, 6, 6, 6])])
def test_example_9_only_the_last_tile_falls_short(bag: int, sizes: list[int]) -> None:
    everything = "".join(letter * 10 for letter in "bgprwy") + "****"
    gone = everything[: 64 - bag]
    walk = Walk(4, hoards=[gone[i::4] for i in range(4)], skipped=2)
    assert walk.table.round == 3
    assert [len(tile.tokens) for tile in walk.table.tiles] == sizes
    assert sum(walk.table.bag.values()) == 0
    assert walk.told("grown")[0].left == 0
    assert in_play(walk.table) == 64
    walk.lapse_to("nothing")
    assert walk.run.result is not None


@of("Ruling 2")
def test_the_bag_can_miss_two_tokens_at_most() -> None:
    kept = 0
    for grown in (4, 5):
        doubles = max(range(5), key=lambda d: d * grown + (8 - 2 * d) * 2 if d + (8 - 2 * d) <= 5 else -1)
        kept += doubles * grown + (8 - 2 * doubles) * 2
    assert 64 - kept == 28
    assert 64 - 4 * (4 + 5 + 6) >= 0, "with three players it is always enough"


# -- meeples -------------------------------------------------------------------------------------------------------


@of("Venture 1", "Venture 8", "Venture 9", "Ruling 4", "Example 10")
def test_example_10_the_order_of_meeples_and_notebooks() -> None:
    walk = Walk(3, first=A)
    walk.lapse_to("consult")
    assert [event.seat for event in walk.told("placed")] == [A, B, C, A, B, C]
    walk.lapse_to("place")
    assert walk.table.round == 2
    assert walk.table.first == B
    walk.events.clear()
    walk.lapse_to("consult")
    assert [event.seat for event in walk.told("placed")] == [B, C, A, B, C, A]
    assert walk.told("took"), "mushrooms are gathered once all meeples stand"
    walk.lapse_to("place")
    assert [event.seat for event in walk.told("consulted")] == [A, C, B]
    assert walk.table.first == C
    assert walk.asked == [C]


@of("Venture 2", "Venture 3", "Ruling 3")
def test_the_pin_space_comes_before_the_split_space() -> None:
    walk = Walk(2)
    walk.act("place", 1, seat=A)
    assert (walk.table.tiles[1].pin, walk.table.tiles[1].split) == (A, None)
    assert walk.told("placed")[0].data == {"seat": A, "tile": 1, "space": "pin"}
    walk.act("place", 1, seat=B)
    assert (walk.table.tiles[1].pin, walk.table.tiles[1].split) == (A, B)
    assert walk.told("placed")[1].data == {"seat": B, "tile": 1, "space": "split"}


@of("Venture 4", "Ruling 3")
def test_never_two_of_ones_own_on_a_tile_nor_three_of_any() -> None:
    walk = Walk(3)
    walk.place(0, 0, 1)
    assert walk.asked == [A]
    assert walk.offers("place") == {1, 2, 3}
    assert walk.why_not(0) == "a player's second meeple may not go to the tile of the first"
    walk.place(2)
    assert walk.why_not(0) == "a player's second meeple may not go to the tile of the first"
    walk.place(1)
    assert walk.offers("place") == {2, 3}
    assert walk.why_not(0) == "both spaces of this tile are taken"
    assert walk.why_not(1) == "a player's second meeple may not go to the tile of the first"


@of("Ruling 3", "Ruling 4")
def test_there_is_always_a_tile_to_go_to() -> None:
    for seed in range(30):
        chance = Chance(bytes([seed]) * 32)
        walk = Walk(2 + seed % 3, seed=seed)
        while not walk.run.finished:
            if walk.verb == "place":
                assert walk.offers("place")
            walk.run.answer({walk.asked[0]: walk.menu.sample(chance, walk.run.look())})
            walk.settle()


@of("Venture 5", "Venture 6", "Venture 7", "Ruling 4")
def test_the_second_meeple_divides_the_tokens_at_once_into_two_piles() -> None:
    walk = Walk(2, tiles=["bbg*", "rrrr", "wwyy"])
    walk.place(0)
    walk.act("place", 0)
    assert (walk.asked, walk.verb) == ([B], "divide"), "before anybody else acts"
    assert walk.table.tile == 0
    assert walk.offers("divide") == {"b", "g", "*", "bb", "bg", "b*", "g*", "bbg", "bb*", "bg*"}
    walk.act("divide", "b*")
    tile = walk.table.tiles[0]
    assert (letters(tile.above), letters(tile.below), tile.tokens) == ("b*", "bg", [])
    assert walk.told("divided")[0].data == {
        "seat": B,
        "tile": 0,
        "above": ("blue", "pig"),
        "below": ("blue", "green"),
    }
    assert walk.asked == [A]
    assert walk.verb == "place"


@of("Venture 6", "Ruling 4")
@pytest.mark.parametrize("pick", [(), (0, 1, 2, 3)])
def test_no_pile_is_empty(pick: tuple[int, ...]) -> None:
    walk = Walk(2, tiles=["bbg*", "rrrr", "wwyy"])
    walk.place(0)
    walk.act("place", 0)
    assert walk.run.refusal(B, Choice(0, (pick,)))
    with pytest.raises(Illegal, match="choose 1 to 3"):
        walk.menu.parse(0, (pick,))


@of("Ruling 4")
def test_a_tile_with_one_token_could_not_be_divided() -> None:
    walk = Walk(2, tiles=["b", "rrrr", "wwyy"])
    walk.place(0)
    assert walk.why_not(0) == "fewer than two tokens cannot be divided into two piles"


# -- gathering -----------------------------------------------------------------------------------------------------


def gathering(*tiles: str, where: tuple[int, ...] = (0, 0, 1, 1), split: str = "", **more: Any) -> Walk:
    """Two players whose meeples stand; `split`: what lies above on the first tile that is divided."""
    walk = Walk(2, tiles=[*tiles, *["rrrr", "wwyy", "gggg"][len(tiles) :]], **more)
    for tile in where:
        walk.act("place", tile)
        if walk.verb == "divide":
            if split:
                walk.act("divide", split)
                split = ""
            else:
                walk.lapse()
    return walk


@of("Gather 1", "Gather 2", "Gather 3", "Gather 4", "Gather 11", "Ruling 5")
def test_the_pin_player_takes_a_pile_and_the_other_one_all_the_rest() -> None:
    walk = gathering("bbgy", split="bby")
    assert (walk.asked, walk.verb, walk.table.tile) == ([A], "take", 0)
    assert walk.offers("take") == {"above", "below"}
    walk.act("take", "above")
    assert (walk.held(A), walk.held(B)) == ("bby", "g")
    assert [event.data for event in walk.told("took")] == [
        {"seat": A, "tile": 0, "tokens": ("blue", "blue", "yellow"), "rest": ()},
        {"seat": B, "tile": 0, "tokens": ("green",), "rest": ()},
    ]
    assert walk.table.tile == 1, "and on to the next tile"
    assert on(walk.table.tiles[0]) == []


@of("Gather 2", "Gather 3")
def test_either_pile_can_be_taken() -> None:
    walk = gathering("bbgy", split="bby")
    walk.act("take", "below")
    assert (walk.held(A), walk.held(B)) == ("g", "bby")


@of("Gather 1", "Gather 11")
def test_tiles_are_gathered_from_left_to_right() -> None:
    walk = gathering(where=(2, 0, 0, 2))
    walk.lapse_to("consult")
    assert [(event.tile, event.seat) for event in walk.told("took")] == [(0, B), (0, A), (2, A), (2, B)]


@of("Gather 5", "Gather 6", "Ruling 7")
def test_a_meeple_alone_takes_exactly_two_tokens_of_choice_and_the_others_go_back() -> None:
    walk = gathering("bbgy", where=(0, 1, 2, 2))
    before = dict(walk.table.bag)
    assert (walk.asked, walk.verb) == ([A], "pick")
    assert walk.offers("pick") == {"bb", "bg", "by", "gy"}
    for pick in ((0,), (0, 1, 2), (), (0, 0)):
        assert walk.run.refusal(A, Choice(0, (pick,)))
    walk.act("pick", "by")
    assert walk.held(A) == "by"
    assert {t: walk.table.bag[t] - before[t] for t in TOKENS if walk.table.bag[t] != before[t]} == {
        "blue": 1,
        "green": 1,
    }
    assert walk.told("took")[0].data == {
        "seat": A,
        "tile": 0,
        "tokens": ("blue", "yellow"),
        "rest": ("blue", "green"),
    }


@of("Gather 13", "Ruling 7")
def test_tokens_of_a_tile_without_meeples_go_back_into_the_bag() -> None:
    walk = gathering("bbgy", "rrww", "pp**", where=(0, 0, 1, 1))
    walk.lapse_to("consult")
    assert walk.told("returned")[0].data == {"tile": 2, "tokens": ("purple", "purple", "pig", "pig")}
    assert walk.table.bag["pig"] == 4
    assert on(walk.table.tiles[2]) == []
    assert in_play(walk.table) == 64


@of("Gather 12")
def test_meeples_go_home_as_soon_as_their_tokens_are_taken() -> None:
    walk = gathering("bg*y", split="b*")
    walk.act("take", "above")
    assert walk.verb == "take", "the pig has eaten the only mushroom"
    tiles = walk.table.tiles
    assert (tiles[0].pin, tiles[0].split) == (None, None)
    assert (tiles[1].pin, tiles[1].split) == (A, B)
    walk = gathering("bg*y", split="bg*")
    walk.act("take", "above")
    assert walk.verb == "feed"
    assert (walk.table.tiles[0].pin, walk.table.tiles[0].split) == (None, B)
    walk.lapse_to("place")
    assert all(tile.pin is None and tile.split is None for tile in walk.table.tiles)


@of("Gather 7", "Gather 8", "Gather 9", "Ruling 5", "Ruling 6")
def test_the_pin_players_pigs_eat_before_the_split_player_takes() -> None:
    walk = gathering("bg**", split="bg*")
    walk.act("take", "above")
    assert (walk.asked, walk.verb, walk.table.hungry) == ([A], "feed", 1)
    assert walk.held(B) == ""
    assert walk.table.tiles[0].below == ["pig"]
    bag = walk.table.bag["green"]
    walk.act("feed", "green")
    assert walk.held(A) == "b*"
    assert walk.table.bag["green"] == bag + 1
    assert walk.told("fed")[0].data == {"seat": A, "mushroom": "green", "forced": False}
    assert walk.held(B) == "*"
    assert [event.kind for event in walk.events][-4:] == ["took", "fed", "took", "unfed"]


@of("Gather 7", "Gather 8", "Gather 10", "Ruling 6")
def test_a_pig_eats_a_new_mushroom_or_an_older_one_but_no_pig_and_nobody_elses() -> None:
    walk = gathering("bg**", split="g*", hoards=["r*", "w"])
    walk.act("take", "above")
    assert walk.offers("feed") == {"red", "green"}
    assert walk.why_not("pig") == "pigs eat mushrooms, and a pig is none"
    assert walk.why_not("white") == "this player has no mushroom of that colour"
    walk.act("feed", "red")
    assert walk.held(A) == "g**", "the pigs stay"
    assert walk.held(B) == "b*" or walk.asked == [B]
    assert walk.offers("feed") == {"blue", "white"}


@of("Gather 8", "Ruling 6")
def test_each_new_pig_eats_and_older_ones_are_full() -> None:
    walk = gathering("bg**", "wwyy", split="**", hoards=["rryy*"])
    walk.act("take", "above")
    assert walk.table.hungry == 2
    walk.act("feed", "red")
    assert walk.table.hungry == 1
    assert walk.offers("feed") == {"red", "yellow"}
    walk.act("feed", "yellow")
    assert walk.table.hungry == 0
    assert walk.held(A) == "ry***"
    assert walk.verb == "take", "no third mushroom for the old pig"


@of("Ruling 6", "Example 8")
@pytest.mark.parametrize(
    ("holds", "tile", "takes", "left", "fed"),
    [
        ("", "bb*g", "*", "*", []),
        ("r", "bb**", "**", "**", ["red"]),
    ],
)
def test_example_8_no_mushroom_no_debt(holds: str, tile: str, takes: str, left: str, fed: list[str]) -> None:
    walk = gathering(tile, split=takes, hoards=[holds])
    walk.act("take", "above")
    assert walk.held(A) == left
    assert [event.mushroom for event in walk.told("fed") if event.seat == A] == fed
    assert [event.pigs for event in walk.told("unfed") if event.seat == A] == [1]
    assert walk.table.hungry == 0
    walk.lapse_to("consult")
    assert [event for event in walk.told("fed") if event.seat == A][len(fed) :] == [], "nothing is owed later"


@of("Ruling 6", "Example 8")
def test_example_8_the_choice_is_between_what_one_has_then() -> None:
    walk = gathering("bg*g", split="g*", hoards=["b"])
    walk.act("take", "above")
    assert walk.offers("feed") == {"blue", "green"}


@of("Ruling 6")
def test_what_is_no_choice_is_not_asked() -> None:
    walk = gathering("bb*g", split="bb*")
    walk.act("take", "above")
    assert walk.verb == "take"
    assert walk.held(A) == "b*"
    assert walk.told("fed")[0].data == {"seat": A, "mushroom": "blue", "forced": True}


@of("Gather 7", "Gather 10", "Ruling 6", "Ruling 7")
def test_a_pig_taken_alone_eats_too() -> None:
    walk = gathering("bg**", where=(0, 1, 2, 2), hoards=["r"])
    walk.act("pick", "g*")
    assert walk.offers("feed") == {"green", "red"}


# -- notebooks -----------------------------------------------------------------------------------------------------


def noting(seats: int = 2, **more: Any) -> Walk:
    walk = Walk(seats, **more)
    walk.lapse_to("consult")
    return walk


@of("Notes 1", "Notes 8", "Ruling 8")
def test_the_last_player_consults_first_and_then_counterclockwise() -> None:
    walk = noting(4, first=C)
    for seat in (B, A, D, C):
        assert walk.asked == [seat]
        walk.lapse()
    assert walk.asked == [D], "the first player token has moved clockwise"
    assert walk.table.first == D
    assert walk.told("round")[1].data == {"round": 2, "first": D}


@of("Notes 2", "Notes 3", "Hidden 3")
def test_the_hint_of_that_mushroom_is_seen_in_secret() -> None:
    walk = noting()
    walk.act("consult", "purple", seat=B)
    card = walk.table.mushrooms["purple"]
    assert walk.run.look(B)(card) == "3"
    with pytest.raises(Hidden):
        walk.run.look(A)(card)
    with pytest.raises(Hidden):
        walk.run.look()(card)
    assert len(walk.run.known[B]) == 4, "with the other hints"
    assert walk.table.notebooks["purple"] == [B]
    assert walk.told("consulted")[0].data == {"seat": B, "mushroom": "purple"}, "which colour is public"
    assert possible(walk.table, B, walk.run.look(B))["purple"] == ("3",)


@of("Notes 1", "Notes 4", "Notes 5", "Setup 6", "Ruling 8")
def test_with_two_players_there_is_one_space_a_mushroom_for_the_whole_game() -> None:
    walk = noting()
    walk.act("consult", "blue")
    assert walk.offers("consult") == {"green", "purple", "red", "white", "yellow"}
    assert walk.why_not("blue") == "no notebook space is left on this mushroom"
    walk.act("consult", "red")
    walk.lapse_to("consult")
    assert walk.offers("consult") == {"green", "purple", "white", "yellow"}, "notebooks stay"


@of("Notes 4", "Notes 5", "Setup 7", "Ruling 8")
def test_with_more_players_there_are_two_and_both_may_be_ones_own() -> None:
    walk = noting(3)
    walk.act("consult", "blue", seat=C)
    assert "blue" in walk.offers("consult")
    walk.lapse_to("place")
    walk.lapse_to("consult")
    walk.table.notebooks = {**walk.table.notebooks, "blue": [C], "white": [B, A]}
    walk.act("consult", "red", seat=A)
    walk.act("consult", "blue", seat=C)
    assert walk.table.notebooks["blue"] == [C, C]
    assert walk.why_not("blue") == "no notebook space is left on this mushroom"
    assert walk.why_not("white") == "no notebook space is left on this mushroom"


@of("Ruling 8")
def test_a_known_colour_may_be_consulted_and_passing_is_not_possible() -> None:
    walk = noting(3)
    assert {act.verb for act in walk.menu.acts} == {"consult"}
    walk.act("consult", "white")
    walk.lapse_to("place")
    walk.lapse_to("consult")
    walk.lapse()
    assert walk.asked == [C]
    assert "white" in walk.offers("consult")
    known = dict(walk.run.known[C])
    walk.act("consult", "white")
    assert walk.run.known[C] == known


# -- scoring -------------------------------------------------------------------------------------------------------


def total(held: str, worth: Mapping[str, str]) -> int | None:
    """What one hoard scores among others that hold nothing."""
    out, points = score([hoard(held)], worth)
    return None if out else sum(points[0].values())


@of("Scoring 1", "Notes 9")
def test_at_the_end_all_attributes_are_turned_over() -> None:
    walk = Walk(2)
    opened: list[Any] = []
    while not walk.run.finished:
        assert not walk.run.game.faces
        walk.run.answer({walk.asked[0]: walk.menu.lapse})
        while not walk.run.finished and not isinstance(walk.run.pending, Ask):
            if isinstance(walk.run.pending, Open):
                opened.append(walk.run.pending.cards)
            walk.dealer.step(walk.nobody)
    assert opened == [tuple(walk.table.mushrooms.values())]
    assert walk.table.worth == M0
    assert walk.told("revealed")[0].data == {"worth": M0}


@of("Goal 2", "Scoring 3", "Scoring 23")
def test_a_whole_game_is_scored_as_its_tokens_say() -> None:
    walk = Walk(3, worth=K, seed=3)
    walk.lapse_to("nothing")
    out, points = score(walk.table.held, K)
    assert walk.table.eliminated == out
    assert walk.table.points == points
    result = walk.run.result
    assert result is not None
    for seat in range(3):
        assert result.scores[seat] == (None if seat in out else sum(points[seat].values()))
    scored = walk.told("scored")
    assert [event.seat for event in scored] == [C, A, B], "from the last first player on"
    assert scored[0].data == {
        "seat": C,
        "points": points[C],
        "total": result.scores[C],
        "mushrooms": walk.table.mushrooms_of(C),
        "eliminated": out.get(C, ""),
    }
    assert walk.events[-1].data == {"winners": result.winners, "scores": result.scores, "reason": result.reason}


@of("Scoring 4")
def test_hint_cards_score_nothing() -> None:
    walk = Walk(2, skipped=3)
    assert walk.run.finished
    assert len(walk.table.hints[A]) == 3
    assert walk.run.result == Result((A, B), (0, 0), "shared")


@of("Scoring 6", "Scoring 7", "Scoring 8", "Ruling 10", "Example 1")
def test_example_1_both_pairs_count() -> None:
    assert total("bbry", M1) == 7
    assert score([hoard("bbry")], M1)[1][0] == {"1": 0, "2": 0, "3": 0, "poison": 10, "elixir": -3, "pig": 0}


@of("Scoring 5", "Scoring 22", "Ruling 13", "Example 2")
def test_example_2() -> None:
    assert total("bbrrgggwyyyypp*", M0) == 25
    assert score([hoard("bbrrgggwyyyypp*")], M0)[1][0] == {
        "-1": -3,
        "1": 1,
        "2": 8,
        "3": 6,
        "poison": 10,
        "pig": 3,
    }


@of("Goal 3", "Scoring 2", "Scoring 6", "Scoring 7", "Ruling 9", "Ruling 10", "Ruling 14", "Example 3")
@pytest.mark.parametrize(
    ("held", "worth", "points"),
    [
        ("br", M0, 5),
        ("bbrppppp**", M0, None),
        ("", M0, 0),
        ("bbbry", M1, None),
        ("bbbyyy", M1, 15),
        ("brrryyyy", M1, -4),
    ],
)
def test_example_3_poison(held: str, worth: Mapping[str, str], points: int | None) -> None:
    assert total(held, worth) == points
    if points is None:
        assert score([hoard(held)], worth) == ({0: "poison"}, [{}])


@of("Scoring 2", "Ruling 9")
@pytest.mark.parametrize(("held", "out"), [("b", True), ("bry", False), ("bby", True), ("bbr", True), ("bbrr", False)])
def test_poison_against_antidotes_alone(held: str, out: bool) -> None:
    assert (total(held, M0) is None) == out


@of("Scoring 9", "Scoring 10", "Scoring 11", "Scoring 12", "Scoring 13", "Ruling 11", "Ruling 13", "Example 4")
@pytest.mark.parametrize(("count", "points"), [(0, -2), (1, 3), (2, 6), (3, 15), (4, None), (5, None)])
def test_example_4_count(count: int, points: int | None) -> None:
    assert total("g" * count + "*", K) == points
    if points is None:
        assert score([hoard("g" * count)], K)[0] == {0: "count"}


@of("Scoring 14", "Ruling 11", "Example 5")
@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 0), (2, 8), (3, 0), (4, 0)])
def test_example_5_exactly_two(count: int, points: int) -> None:
    assert total("g" * count, {**M0, "green": "two"}) == points


@of(*sections("Scoring", 15, 21), "Ruling 12", "Example 6")
@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((5, 3, 2, 0), (10, 4, 0, 0)),
        ((4, 3, 3, 0), (10, 2, 2, 0)),
        ((4, 4, 2, 0), (7, 7, 0, 0)),
        ((2, 2, 2, 2), (7, 7, 7, 7)),
        ((1, 0, 0, 0), (10, 0, 0, 0)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
        ((0, 1, 2, 1), (0, 2, 10, 2)),
        ((2, 1), (10, 4)),
    ],
)
def test_example_6_majority(counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert tuple(majority(dict(enumerate(counts))).values()) == points
    out, scored = score([hoard("g" * count) for count in counts], {**M0, "green": "majority"})
    assert not out
    assert tuple(own["majority"] for own in scored) == points


@of("Scoring 17", "Ruling 12")
@pytest.mark.parametrize("doomed", ["ggggb", "ggggrr"])
def test_the_eliminated_are_out_of_the_majority(doomed: str) -> None:
    worth = {**M0, "green": "majority", "red": "count", "white": "antidote"}
    hoards = [hoard(doomed + "rr"), hoard("ggr"), hoard("gr"), hoard("r")]
    out, points = score(hoards, worth)
    assert list(out) == [A]
    assert points[A] == {}
    assert [own.get("majority") for own in points] == [None, 10, 4, 0]


@of("Scoring 22", "Ruling 13")
def test_pigs_score_three_whatever_the_attributes() -> None:
    for worth in (M0, M1, K):
        base = total("r", worth)
        assert base is not None
        assert [total("r" + "*" * n, worth) for n in range(5)] == [base + 3 * n for n in range(5)]


@of("Scoring 24", "Ruling 14", "Example 7")
def test_example_7_the_fewest_mushrooms_win_a_tie() -> None:
    walk = Walk(2, hoards=["ppppy", "yyyy**"], skipped=3)
    assert walk.run.finished
    assert walk.run.result == Result((B,), (14, 14), "mushrooms")
    assert [event.mushrooms for event in walk.told("scored")] == [5, 4]


@of("Scoring 23", "Scoring 24", "Scoring 25", "Ruling 13", "Ruling 14")
@pytest.mark.parametrize(
    ("totals", "mushrooms", "winners", "reason"),
    [
        ((3, 5, 4), (1, 9, 1), (B,), "points"),
        ((5, 5, 4), (2, 1, 0), (B,), "mushrooms"),
        ((5, 5, 5), (2, 2, 3), (A, B), "shared"),
        ((5, 5, 5), (2, 2, 2), (A, B, C), "shared"),
        ((-3, -7, None), (2, 2, 2), (A,), "points"),
        ((None, -7, None), (2, 2, 2), (B,), "survivor"),
        ((None, None, None), (2, 2, 2), (), "nobody"),
        ((None, 4, 4), (0, 2, 2), (B, C), "shared"),
    ],
)
def test_who_wins(
    totals: tuple[int | None, ...], mushrooms: tuple[int, ...], winners: tuple[int, ...], reason: str
) -> None:
    assert verdict(totals, mushrooms) == Result(winners, totals, reason)


@of("Scoring 2", "Scoring 3", "Ruling 12", "Ruling 14")
def test_the_eliminated_have_no_score_and_a_sole_survivor_wins_with_any() -> None:
    walk = Walk(3, hoards=["bpppp", "ggg", "b"], skipped=3)
    assert walk.run.result == Result((B,), (None, -3, None), "survivor")
    assert walk.table.eliminated == {A: "poison", C: "poison"}
    assert walk.table.points[A] == {}


@of("Goal 3", "Ruling 14")
def test_if_all_are_eliminated_nobody_wins() -> None:
    walk = Walk(2, hoards=["b", "bb"], skipped=3)
    assert walk.run.result == Result((), (None, None), "nobody")


# -- whole games ---------------------------------------------------------------------------------------------------


def test_silence_takes_what_comes_first() -> None:
    walk = Walk(2, starts=None)
    walk.lapse()
    walk.lapse()
    assert walk.table.starts == {A: ("fox", "A"), B: ("squirrel", "A")}
    walk.lapse()
    assert walk.table.tiles[0].pin == A


def test_nothing_but_hints_is_ever_hidden() -> None:
    walk = Walk(3)
    walk.lapse_to("nothing")
    assert walk.run.live == set(walk.table.mushrooms.values()) | {c for hints in walk.table.hints for c in hints}
    assert set(walk.game.cards()) == walk.run.live
    assert set(walk.run.game.faces) == set(walk.table.mushrooms.values()), "first hints are nobody's business"


class Watched:
    """A game of random legal moves, with everything that always holds checked at each request."""

    def __init__(self, seats: int, options: Mapping[str, Any], seed: int) -> None:
        self.seats = seats
        self.run_events: list[Tell] = []
        key = seed.to_bytes(32, "little")
        self.dealer = Dealer(registry.create("amanite", seats, options), key, self.run_events.append)
        self.bots = [Random(seat, Chance(bytes([seat]) + key[1:])) for seat in range(seats)]

    def play(self) -> Table:
        run = self.dealer.run
        table: Table = run.game.table
        for _ in range(300):
            if run.finished:
                return table
            self.check(table, run)
            self.dealer.step(lambda seat, menu: self.bots[seat].choose(run.game, menu, run.look(seat)))
        raise AssertionError("a game does not end")

    def check(self, table: Table, run: Run) -> None:
        assert everywhere(table) == BAG
        assert all(n >= 0 for counts in (table.bag, *table.held) for n in counts.values())
        meeples = Counter(seat for tile in table.tiles for seat in (tile.pin, tile.split) if seat is not None)
        assert all(n <= 2 for n in meeples.values())
        for tile in table.tiles:
            assert tile.pin is None or tile.pin != tile.split
            assert not (tile.tokens and (tile.above or tile.below))
        assert all(len(there) <= table.spaces for there in table.notebooks.values())
        placed = Counter(seat for there in table.notebooks.values() for seat in there)
        assert all(n <= min(2, table.round) for n in placed.values())
        if isinstance(run.pending, Ask):
            ((seat, menu),) = run.pending.menus.items()
            assert seat == table.active
            assert next(menu.choices(run.look(seat)), None) is not None
        assert not run.game.faces or table.round == 3 or isinstance(run.pending, Shuffle)


@of("Goal 1", "Data 1", "Data 3")
@settings(max_examples=120, deadline=None)
@given(
    seats=st.integers(2, 4),
    others=st.sampled_from(list(combinations(OTHERS, 4))),
    first=st.integers(0, 4),
    seed=st.integers(0, 2**64),
)
def test_whole_games_under_all_options(seats: int, others: tuple[str, ...], first: int, seed: int) -> None:
    watched = Watched(seats, {"attributes": ",".join(others), "first": min(first, seats)}, seed)
    table = watched.play()
    result = table.result
    assert result is not None
    assert result == watched.dealer.run.result
    assert everywhere(table) == BAG
    assert set(table.worth.values()) == {*others, "antidote", "poison"}
    assert len(result.scores) == seats
    assert {seat for seat in range(seats) if result.scores[seat] is None} == set(table.eliminated)
    assert bool(result.winners) == (len(table.eliminated) < seats)
    assert sum(len(there) for there in table.notebooks.values()) == 2 * seats


@of("Data 3")
def test_every_set_of_attributes_makes_a_game_that_ends() -> None:
    for i, others in enumerate(combinations(OTHERS, 4)):
        assert Watched(2 + i % 3, {"attributes": ",".join(others)}, i).play().result is not None


def test_the_helper_deals_what_is_wanted() -> None:
    walk = Walk(2, worth=M1)
    assert {c: walk.dealer.truth[card] for c, card in walk.table.mushrooms.items()} == M1
    assert isinstance(walk.dealer, Stacked)
    assert STARTS[D] == ("jay", "A")
    assert tokens("b*") == ["blue", "pig"]


def test_every_sentence_ruling_and_example_is_named() -> None:
    assert {f"{section} {i + 1}" for section, count in SENTENCES.items() for i in range(count)} == NAMED
