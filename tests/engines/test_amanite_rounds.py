"""Amanite, the rounds: what grows, where meeples go, and notebooks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.amanite_hints import possible
from engines.amanite_table import (
    COLOURS,
    GROWTH,
    TOKENS,
)
from engines.chance import Chance
from engines.menus import Choice, Hidden, Illegal
from engines.requests import Ask, Flip, View
from tests.engines.amanite_forest import (
    A,
    B,
    C,
    D,
    Walk,
    in_play,
    letters,
    of,
)

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
