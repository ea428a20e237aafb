"""Mâamut, the box and the setup."""

from __future__ import annotations

from collections import Counter

import pytest

from engines import maamut, maamut_field, registry
from engines.chance import Chance
from engines.dealer import Dealer
from engines.hexgrid import CENTRE, NEIGHBOURS, RIM, TILES
from engines.menus import Choice
from engines.requests import Ask, Flip, Tell
from engines.run import Run
from tests.engines.maamut_positions import (
    A,
    E,
    Hunt,
    W,
    of,
)


def game_of(seats: int, seed: int = 0) -> tuple[Dealer, list[Tell]]:
    events: list[Tell] = []
    return Dealer(registry.create("maamut", seats, {}), seed.to_bytes(32, "little"), events.append), events


def to_first_ask(dealer: Dealer) -> Run:
    while not isinstance(dealer.run.pending, Ask):
        dealer.step(Hunt.nobody)
    return dealer.run


# -- components, tiles, setup --------------------------------------------------------------------------------------


@of("Components 1", "Components 2", "Components 3", "Components 4", "Components 5")
def test_the_box_holds_what_the_rulebook_lists() -> None:
    assert len(TILES) == 37 == 1 + len(maamut.LAND)
    assert Counter(maamut.DECK) == {"3": 8, "2": 16, "1": 12}
    assert len(maamut.DECK) == 36
    assert maamut.SEATS == (2, 4)
    assert Hunt([(-3, 0), (3, 0)]).table.traps_left(A) == 4


@of("Tiles 1", "Tiles 2", "Tiles 3", "Tiles 4", "Setup 1", "Setup 2", "Setup 7")
@pytest.mark.parametrize("seed", range(5))
def test_the_board_is_the_cross_and_36_tiles_at_random_around_it(seed: int) -> None:
    table = to_first_ask(game_of(2, seed)[0]).game.table
    assert list(table.tiles) == list(TILES)
    assert Counter(table.tiles.values()) == {"rock": 7, "grass": 18, "snow": 11, "cross": 1}
    assert table.tiles[CENTRE] == "cross"
    assert table.mammoth == CENTRE


@of("Tiles 1")
def test_neither_hunters_nor_the_mammoth_enter_rock() -> None:
    assert not maamut_field.passable({CENTRE: "rock"}, CENTRE)
    hunt = Hunt([(-2, 0), (3, 0)], rocks=[(-1, 0)], hands=["111"])
    assert W in hunt.offers(A, "move", "1")
    assert E not in hunt.offers(A, "move", "1")


@of("Tiles 2", "Tiles 3", "Tiles 4")
@pytest.mark.parametrize("land", ["grass", "snow", "cross"])
def test_everything_else_is_open_to_both(land: str) -> None:
    assert maamut_field.passable({CENTRE: land}, CENTRE)


@of("Setup 3", "Setup 4", "Ruling 2")
def test_more_than_four_rocks_around_the_centre_are_laid_again_from_the_same_flip() -> None:
    again = 0
    for i in range(400):
        seed = i.to_bytes(32, "big")
        run = Run(registry.create("maamut", 2, {}))
        assert isinstance(run.pending, Flip)
        run.answer(seed)
        chance, layouts = Chance(seed), 0
        while True:
            layouts += 1
            land = dict(zip(TILES, ["cross", *chance.shuffled(maamut.LAND)], strict=True))
            if sum(land[near] == "rock" for near in NEIGHBOURS[CENTRE]) <= 4:
                break
        again += layouts > 1
        assert run.game.table.tiles == land
    assert again, "no layout of this sample had to be laid again"


@of("Ruling 2")
def test_four_rocks_around_the_centre_are_accepted() -> None:
    found = False
    for i in range(3000):
        run = Run(registry.create("maamut", 2, {}))
        run.answer(i.to_bytes(32, "big"))
        tiles = run.game.table.tiles
        rocks = sum(tiles[near] == "rock" for near in NEIGHBOURS[CENTRE])
        assert rocks <= 4
        found = found or rocks == 4
        if found:
            break
    assert found


@of("Setup 5", "Setup 6", "Ruling 1", "Players 1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_three_cards_each_and_the_rest_is_the_pile_before_anybody_places(seats: int) -> None:
    dealer, events = game_of(seats)
    run = to_first_ask(dealer)
    table = run.game.table
    assert [len(hand) for hand in table.hands] == [3] * seats
    assert len(table.pile) == 36 - 3 * seats
    assert not table.discards
    assert not table.pawns
    assert not run.game.faces, "the cards lie face down"
    assert all(set(run.known[seat]) == set(table.hands[seat]) for seat in range(seats)), "each sees its own hand only"
    assert [event.kind for event in events] == ["begins", "dealt"]


@of("Setup 8", "Ruling 1")
def test_the_seat_that_begins_is_drawn_and_places_and_moves_first_and_then_clockwise() -> None:
    firsts = set()
    for seed in range(12):
        dealer, events = game_of(3, seed)
        run = to_first_ask(dealer)
        start = run.game.table.start
        firsts.add(start)
        order = []
        for _ in range(6):
            assert isinstance(run.pending, Ask)
            (seat,) = run.pending.menus
            order.append(seat)
            dealer.step(lambda _, menu: menu.lapse)
            to_first_ask(dealer)
        assert order == [(start + i) % 3 for i in range(3)] * 2
        assert events[0] == Tell("begins", {"seat": start})
    assert firsts == {0, 1, 2}


@of("Setup 8", "Setup 9", "Setup 10", "Setup 11", "Ruling 3")
def test_hunters_are_placed_on_the_rim_off_rocks_and_off_pawns() -> None:
    dealer, events = game_of(4, 3)
    run = to_first_ask(dealer)
    table = run.game.table
    for placed in range(4):
        assert isinstance(run.pending, Ask)
        ((seat, menu),) = run.pending.menus.items()
        (act,) = menu.acts
        assert act.verb == "place"
        options = menu.options(run.look(seat), (0,))
        assert [option.value for option in options] == list(RIM)
        for option in options:
            if table.tiles[option.value] == "rock":
                assert option.why_not == "hunters do not start on rock"
            elif option.value in table.pawns.values():
                assert option.why_not == "another pawn stands there already"
            else:
                assert option.why_not == ""
            assert (run.refusal(seat, Choice(0, (option.pick,))) == "") == (option.why_not == "")
        assert len(table.pawns) == placed
        pick = [option.pick for option in options if not option.why_not][-1]
        run.answer({seat: Choice(0, (pick,))})
        assert table.pawns[seat] == RIM[pick]
        assert [e for e in events if e.kind == "placed"][-1].data == {"seat": seat, "tile": RIM[pick]}
    assert "rock" in {table.tiles[tile] for tile in RIM}


@of("Ruling 3")
def test_a_tile_shut_in_by_rocks_may_be_chosen() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rocks=[(-2, 0), (-3, 1), (-2, -1)], hands=["123"])
    assert hunt.table.no_place((-3, 0)) == "another pawn stands there already"
    del hunt.table.pawns[A]
    assert hunt.table.no_place((-3, 0)) == ""
