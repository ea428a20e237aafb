"""Amanite, gathering mushrooms: piles, meeples alone, pigs."""

from __future__ import annotations

from typing import Any

import pytest

from engines.amanite_table import (
    TOKENS,
)
from engines.menus import Choice
from tests.engines.amanite_forest import (
    A,
    B,
    Walk,
    in_play,
    of,
    on,
)

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
    assert walk.menu.lapse == Choice(0, ((0, 1),)), "silence takes the first two"
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
    assert walk.menu.lapse == next(walk.menu.choices(walk.run.look(A))), "the first colour that they have"
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
