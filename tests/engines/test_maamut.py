"""Mâamut, sentence by sentence. Each test names what it rests on with `of`: sentences of the rulebook by section and
number, the rulings, and the worked examples; a test at the end sees to it that none is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from engines import maamut, maamut_field, registry
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import Dealer, play_bots
from engines.hexgrid import CENTRE, NEIGHBOURS, RIM, TILES, line
from engines.menus import Choice, Look, Menu
from engines.requests import Ask, Flip, Game, OptionSpec, Result, Tell, View
from engines.run import IllegalDecision, Run
from tests.engines.maamut_positions import NE, NW, SE, SW, A, B, C, D, E, Hunt, Position, W

SENTENCES = {
    "Components": 5,
    "Tiles": 4,
    "Setup": 11,
    "Object": 1,
    "Turn": 1,
    "Move": 4,
    "Trap": 4,
    "Destroy": 3,
    "Discard": 1,
    "Draw": 3,
    "Mammoth": 10,
    "Special": 1,
    "End": 1,
    "Players": 1,
    "Ruling": 14,
    "Example": 11,
}
NAMED: set[str] = set()
Test = TypeVar("Test", bound=Callable[..., None])


def of(*names: str) -> Callable[[Test], Test]:
    """What a test rests on."""
    NAMED.update(names)
    return lambda test: test


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
                assert option.why_not == "a hunter may not be placed on a rock"
            elif option.value in table.pawns.values():
                assert option.why_not == "a hunter may not be placed on a tile with another pawn"
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
    assert hunt.table.no_place((-3, 0)) == "a hunter may not be placed on a tile with another pawn"
    del hunt.table.pawns[A]
    assert hunt.table.no_place((-3, 0)) == ""


# -- turns ---------------------------------------------------------------------------------------------------------


@of("Turn 1", "Draw 2")
def test_a_turn_is_one_of_four_actions_and_then_it_is_the_next_ones() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], hands=["123"])
    assert [act.verb for act in hunt.menus[A].acts] == ["move", "trap", "destroy", "recover", "discard", "propose"]
    for words in (("move", "1", E), ("trap",), ("recover",), ("discard", "3")):
        assert hunt.asked == [A]
        hunt.act(*words)
        assert hunt.asked == [B]
        hunt.lapse()
    assert hunt.table.round == 5


@of("Move 1", "Move 2")
def test_a_hunter_goes_straight_and_the_full_distance_of_the_card() -> None:
    hunt = Hunt([(-3, 3), (3, 0)], hands=["123"])
    assert hunt.offers(A, "move") == {("1", E), ("1", NE), ("1", NW), ("2", E), ("2", NE), ("2", NW)} | {
        ("3", way) for way in (E, NE, NW)
    }
    hunt.act("move", "3", NE)
    assert hunt.table.pawns[A] == (0, 0)
    played = hunt.told("played")[0]
    assert (played.seat, played.value, played.way, played.path) == (A, 3, NE, ((-2, 2), (-1, 1), (0, 0)))


@of("Move 1", "Move 2", "Ruling 4", "Example 9")
def test_example_9_which_ways_are_possible() -> None:
    hunt = Hunt([(3, 0), (-3, 0)], mammoth=(-2, 2), rocks=[(2, 1), (3, -3)], hands=["321"])
    assert hunt.offers(A, "move") == {("3", W), ("2", W), ("2", NW), ("1", W), ("1", NW)}


@of("Move 3", "Ruling 4", "Discard 1")
def test_a_hunter_may_be_unable_to_move_and_can_always_discard() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rocks=[(-2, 0), (-3, 1), (-2, -1)], hands=["123"])
    assert "move" not in {words if isinstance(words, str) else words[0] for words in hunt.offers(A)}
    assert hunt.why_not(A, "move") == (
        "a hunter goes the full distance, and rocks or the edge of the board hinder 1 in a row every way"
    )
    assert hunt.offers(A, "discard") == {"1", "2", "3"}
    hunt.act("discard", "2")
    assert hunt.table.pawns[A] == (-3, 0)
    assert [hunt.dealer.truth[card] for card in hunt.table.discards] == ["2"]


@of("Move 4", "Ruling 4")
def test_pawns_traps_and_the_mammoth_block_nobody_and_tiles_can_be_shared() -> None:
    hunt = Hunt([(-3, 0), (-1, 0), (1, 0)], traps={(-2, 0): B, (-1, 0): C}, hands=["213"])
    assert ("2", E) in hunt.offers(A, "move")
    hunt.act("move", "2", E)
    assert hunt.table.pawns == {A: (-1, 0), B: (-1, 0), C: (1, 0)}
    assert hunt.table.traps == {(-2, 0): B, (-1, 0): C}


@of("Move 2", "Ruling 4")
def test_reasons_say_what_hinders() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rocks=[(-1, 0)], hands=["222"])
    reasons = {option.value: option.why_not for option in hunt.menus[A].options(hunt.run.look(A), (0, 0))}
    assert reasons[E] == "a hunter goes the full distance of the card, and a rock is in the way"
    assert reasons[W] == "a hunter goes the full distance of the card, and that way leaves the board"
    assert reasons[NE] == ""


@of("Ruling 4")
def test_peers_judge_a_move_once_the_card_is_open() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rocks=[(-1, 0)], hands=["222"])
    bad = Choice(0, (0, E))
    assert hunt.run.refusal(A, bad) == "", "the card is hidden from the others, who cannot judge yet"
    assert hunt.menus[A].judge(hunt.run.look(A), bad) != ""
    hunt.run.answer({A: bad})
    with pytest.raises(IllegalDecision, match="a rock is in the way") as caught:
        hunt.settle()
    assert caught.value.seat == A


@of("Trap 1", "Tiles 2")
def test_a_trap_is_placed_where_the_hunter_is() -> None:
    hunt = Hunt([(-3, 0), (3, 0)])
    hunt.act("trap")
    assert hunt.table.traps == {(-3, 0): A}
    assert hunt.table.traps_left(A) == 3
    assert hunt.told("trap_placed")[0].data == {"seat": A, "tile": (-3, 0)}


@of("Trap 2", "Ruling 10")
@pytest.mark.parametrize("owner", [A, B])
def test_one_trap_a_tile(owner: int) -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-3, 0): owner})
    assert hunt.why_not(A, "trap") == "there is a trap already, and a tile takes only one"


@of("Trap 3", "Tiles 3", "Tiles 4", "Ruling 10")
def test_traps_lie_on_grass_only() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], snow=[(-3, 0)])
    assert hunt.why_not(A, "trap") == "a trap may be placed on grass only"
    hunt = Hunt([CENTRE, (3, 0)], mammoth=(0, 3))
    assert hunt.why_not(A, "trap") == ""
    hunt.table.tiles[CENTRE] = "cross"
    assert hunt.table.no_trap(A) == "a trap may be placed on grass only"


@of("Trap 4", "Destroy 3", "Ruling 10", "Example 10")
def test_example_10_alone_or_not() -> None:
    both = [(1, 1), (1, 1)]
    hunt = Hunt(both)
    assert hunt.why_not(A, "trap") == "to place a trap the hunter must be alone on the tile"
    assert (
        Hunt(both, traps={(1, 1): B}).why_not(A, "destroy") == "to destroy a trap the hunter must be alone on the tile"
    )
    assert (
        Hunt(both, traps={(1, 1): A}).why_not(A, "recover") == "to recover a trap the hunter must be alone on the tile"
    )
    hunt = Hunt([(1, 1), (3, 0)], traps={(1, 1): B})
    assert hunt.why_not(A, "trap") == "there is a trap already, and a tile takes only one"
    hunt.act("destroy")
    assert hunt.table.traps == {}
    assert hunt.told("drew") == []
    assert Hunt([(1, 1), (3, 0)], snow=[(1, 1)]).why_not(A, "trap") == "a trap may be placed on grass only"


@of("Ruling 10")
def test_alone_means_without_the_mammoth_too() -> None:
    hunt = Hunt([(1, 1), (3, 0)], mammoth=(1, 1), traps={(1, 1): B})
    assert not hunt.table.alone(A)
    assert "must be alone" in hunt.why_not(A, "destroy")


@of("Components 4", "Ruling 10")
def test_at_most_four_traps_are_out() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={tile: A for tile in [(3, -1), (3, -2), (2, -2), (2, -3)]})
    assert hunt.why_not(A, "trap") == "all 4 traps of this hunter are on the board"
    assert hunt.table.traps_left(A) == 0


@of("Destroy 1", "Destroy 2", "Ruling 10")
def test_a_destroyed_trap_goes_back_to_its_owner() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-3, 0): B, (2, 0): B})
    assert hunt.table.traps_left(B) == 2
    hunt.act("destroy")
    assert hunt.table.traps == {(2, 0): B}
    assert hunt.table.traps_left(B) == 3
    assert hunt.told("trap_destroyed")[0].data == {"seat": A, "owner": B, "tile": (-3, 0)}
    hunt.act("trap")
    assert hunt.table.traps_left(B) == 2, "it can be used again"


@of("Destroy 1", "Destroy 2")
def test_an_own_trap_is_recovered() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-3, 0): A})
    assert hunt.why_not(A, "destroy") == "there is no trap of another hunter here"
    hunt.act("recover")
    assert hunt.table.traps == {}
    assert hunt.table.traps_left(A) == 4
    assert hunt.told("trap_recovered")[0].data == {"seat": A, "tile": (-3, 0)}


@of("Destroy 1")
def test_no_trap_is_taken_from_afar() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-2, 0): B, (2, 0): A})
    assert hunt.why_not(A, "destroy") == "there is no trap of another hunter here"
    assert hunt.why_not(A, "recover") == "there is no trap of this hunter's own here"


@of("Draw 1", "Discard 1", "Ruling 11")
@pytest.mark.parametrize("words", [("move", "1", E), ("discard", "1")])
def test_after_a_move_or_a_discard_one_draws_back_to_three(words: tuple[Any, ...]) -> None:
    hunt = Hunt([(-3, 0), (3, 0)], hands=["123"])
    top = hunt.table.pile[0]
    hunt.act(*words)
    assert len(hunt.table.hands[A]) == 3
    assert hunt.table.hands[A][-1] == top, "hands are oldest first"
    assert hunt.hand[:2] == ["2", "3"]
    assert hunt.told("drew")[0].data == {"seat": A, "left": 29}
    assert top in hunt.run.known[A]
    assert top not in hunt.run.known[B]


@of("Ruling 11")
@pytest.mark.parametrize(("words", "owner"), [("trap", None), ("destroy", B), ("recover", A)])
def test_trap_actions_draw_nothing(words: str, owner: int | None) -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={} if owner is None else {(-3, 0): owner})
    hands = [list(hand) for hand in hunt.table.hands]
    hunt.act(words)
    assert hunt.table.hands == hands
    assert len(hunt.table.pile) == 30


@of("Draw 3", "Ruling 11", "Example 11")
def test_example_11_the_pile_runs_out_and_is_thirty_cards_again() -> None:
    hunt = Hunt([(-3, 0), (3, 0)])
    for drawn in range(29):
        hunt.lapse()
        assert len(hunt.table.pile) == 29 - drawn
    old = set(hunt.game.cards())
    assert len(hunt.table.discards) == 29
    hunt.lapse()
    assert len(hunt.table.pile) == 30
    assert hunt.table.discards == []
    assert hunt.told("reshuffled")[0].data == {"cards": 30}
    assert not set(hunt.table.pile) & old, "the shuffled cards have new handles"
    assert not hunt.game.faces, "and nobody knows their faces"
    assert sorted(hunt.dealer.truth[card] for card in hunt.game.cards()) == sorted(maamut.DECK)


def test_silence_discards_the_oldest_card() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], hands=["312"])
    hunt.lapse()
    assert hunt.told("discarded")[0].value == 3
    assert hunt.hand[:2] == ["1", "2"]


# -- the mammoth ---------------------------------------------------------------------------------------------------


@of("Mammoth 1", "Mammoth 2", "Ruling 5", "Example 1")
def test_example_1_the_mammoth_flees_straight_away_by_the_value_of_the_card() -> None:
    hunt = Hunt([(-2, 0), (0, 3)], hands=["222"])
    hunt.act("move", "2", E)
    assert hunt.table.pawns[A] == (0, 0)
    assert hunt.table.mammoth == (2, 0)
    assert hunt.told("contact")[0].data == {"seat": A, "tile": (0, 0)}
    assert hunt.told("flees")[0].data == {"value": 2, "way": E, "path": ((1, 0), (2, 0)), "turned": False}


@of("Mammoth 2", "Mammoth 4", "Ruling 5", "Example 2")
def test_example_2_after_the_flight_the_hunter_goes_on() -> None:
    hunt = Hunt([(-1, 0), (0, 3)], hands=["333"])
    hunt.act("move", "3", E)
    assert hunt.table.mammoth == (3, 0)
    assert hunt.table.pawns[A] == (2, 0)
    assert len(hunt.told("contact")) == 1


@of("Ruling 5")
def test_no_second_contact_whatever_the_board() -> None:
    for i in range(30):
        for seats in (2, 3, 4):
            play_bots(*decided(seats, i))


@of("Mammoth 3", "Mammoth 5", "Ruling 6", "Example 3")
def test_example_3_a_way_that_is_not_free_for_its_whole_length_is_not_taken() -> None:
    hunt = Hunt([(-2, 0), (0, 3)], rocks=[(2, 0)], hands=["222"])
    hunt.act("move", "2", E)
    assert hunt.table.mammoth == (0, 2)
    assert (hunt.told("flees")[0].way, hunt.told("flees")[0].turned) == (SE, True)


@of("Mammoth 5", "Ruling 6", "Example 4")
def test_example_4_the_fifth_way_leaves_out_the_one_towards_the_hunter() -> None:
    hunt = Hunt([(-2, 0), (0, 3)], rocks=[(1, 0), (0, 2), (-1, 1), (0, -1)], hands=["222"])
    hunt.act("move", "2", E)
    assert hunt.table.mammoth == (2, -2)
    assert hunt.told("flees")[0].way == NE


@of("Mammoth 5", "Ruling 6")
@pytest.mark.parametrize("came", range(6))
def test_turns_of_the_flight_for_every_way(came: int) -> None:
    field = dict.fromkeys(TILES, "grass")
    found = []
    for turn in (0, 1, 2, 4, 5):
        assert maamut_field.flight(field, CENTRE, came, 1) == (came + turn) % 6
        found.append((came + turn) % 6)
        field[(line(CENTRE, (came + turn) % 6, 1))[0]] = "rock"
    assert (came + 3) % 6 not in found
    assert maamut_field.flight(field, CENTRE, came, 1) is None


@of("Mammoth 9", "Mammoth 10", "End 1", "Ruling 6", "Ruling 14", "Example 5")
def test_example_5_a_trap_on_the_way_ends_the_game_for_its_owner() -> None:
    hunt = Hunt([(-2, 0), (3, 0)], traps={(1, 0): B}, hands=["222"])
    hunt.act("move", "2", E)
    assert hunt.table.mammoth == (1, 0)
    assert hunt.table.pawns == {A: (0, 0), B: (3, 0)}
    assert hunt.run.finished
    assert hunt.run.result == Result((B,), (None, None), "trapped")
    assert hunt.told("fell")[0].data == {"tile": (1, 0), "owner": B, "pushed": A}
    assert hunt.events[-1].data == {"winners": (B,), "reason": "trapped"}


@of("Ruling 6", "Example 5")
def test_example_5_variant_a_trap_in_a_rejected_way_does_nothing() -> None:
    hunt = Hunt([(-2, 0), (3, -1)], traps={(1, 0): B}, rocks=[(2, 0)], hands=["222"])
    hunt.act("move", "2", E)
    assert hunt.table.mammoth == (0, 2)
    assert hunt.run.result is None
    assert hunt.table.traps == {(1, 0): B}


@of("Object 1", "Ruling 5", "Ruling 14")
def test_a_fall_in_the_middle_of_the_move_ends_it_there() -> None:
    hunt = Hunt([(-1, 0), (0, 3)], traps={(2, 0): A}, hands=["333"])
    hunt.act("move", "3", E)
    assert hunt.table.pawns[A] == (0, 0)
    assert hunt.run.result == Result((A,), (None, None), "trapped")
    assert hunt.told("drew") == []


@of("Mammoth 6", "Ruling 7", "Example 6")
def test_example_6_the_frightened_hunters_owner_chooses_a_free_neighbour() -> None:
    hunt = Hunt([(-1, 0), (1, 0), (2, 0)], rocks=[(1, 1)], traps={(0, 1): C}, hands=["111"])
    hunt.act("move", "1", E)
    assert (hunt.table.mammoth, hunt.table.pawns[A]) == ((1, 0), (0, 0))
    assert hunt.asked == [B]
    assert hunt.offers(B, "flee") == {(0, 1), (1, -1), (2, -1)}
    reasons = {option.value: option.why_not for option in hunt.menus[B].options(hunt.run.look(B), (0,))}
    assert reasons[(2, 0)] == "a frightened hunter flees to a tile without another pawn"
    assert reasons[(1, 1)] == "a frightened hunter may not flee onto a rock or off the board"
    assert reasons[(0, 0)] == "a frightened hunter may not flee to where the mammoth came from"
    hunt.act("flee", (0, 1))
    assert hunt.table.pawns[B] == (0, 1)
    assert hunt.told("frightened")[0].data == {"seat": B, "tile": (1, 0), "to": (0, 1), "forced": False}
    assert hunt.run.result is None, "a trap is no danger to a hunter"


@of("Mammoth 7", "Ruling 7", "Ruling 9", "Example 7")
def test_example_7_one_way_out_is_taken_and_none_is_the_end() -> None:
    hunt = Hunt(
        [(-1, 0), (1, 0), (1, 0)],
        rocks=[(2, 0), (1, 1), (0, 1), (2, -1)],
        traps={(-2, 0): C, (3, -3): B},
        hands=["111", "", "321"],
    )
    hunt.act("move", "1", E)
    assert hunt.asked == [B], "nobody was asked about the fright; it is the next one's turn"
    assert hunt.menus[B].acts[0].verb == "move"
    assert hunt.table.pawns == {A: (0, 0), B: (1, -1)}
    assert hunt.table.mammoth == (1, 0)
    assert hunt.table.traps == {(3, -3): B}
    assert hunt.table.out == [C]
    assert hunt.told("frightened")[0].forced is True
    assert hunt.told("removed")[0].data == {"seat": C, "tile": (1, 0), "why": "frightened", "traps": ((-2, 0),)}


@of("Ruling 7")
def test_a_fright_happens_on_every_tile_that_the_mammoth_enters() -> None:
    hunt = Hunt([(-1, 0), (1, 0), (2, 0)], hands=["222"])
    hunt.act("move", "2", E)
    assert hunt.asked == [B]
    assert hunt.table.mammoth == (1, 0)
    hunt.act("flee", (1, -1))
    assert hunt.asked == [C]
    assert hunt.table.mammoth == (2, 0)
    hunt.act("flee", (3, 0))
    assert hunt.table.pawns == {A: (1, 0), B: (1, -1), C: (3, 0)}


@of("Ruling 7")
def test_fleeing_straight_ahead_can_lead_to_a_second_fright() -> None:
    hunt = Hunt([(-1, 0), (1, 0)], hands=["222"])
    hunt.act("move", "2", E)
    hunt.act("flee", (2, 0))
    assert hunt.asked == [B]
    assert hunt.offers(B, "flee") == {(3, 0), (2, 1), (1, 1), (2, -1), (3, -1)}
    hunt.act("flee", (3, 0))
    assert len(hunt.told("frightened")) == 2
    assert hunt.asked == [B], "now it is the turn of B"


@of("Ruling 7")
def test_several_hunters_on_a_tile_flee_in_turn_order_from_the_active_seat() -> None:
    hunt = Hunt([(1, 0), (1, 0), (-1, 0), (1, 0)], hands=["", "", "111"])
    hunt.lapse()
    hunt.lapse()
    hunt.act("move", "1", E)
    order = []
    for _ in range(3):
        order += hunt.asked
        hunt.lapse()
    assert order == [D, A, B]
    assert [event.to for event in hunt.told("frightened")] == [(2, 0), (1, 1), (0, 1)]


@of("Ruling 7")
def test_silence_flees_to_the_first_free_tile_clockwise_from_the_flight() -> None:
    hunt = Hunt([(-1, 0), (1, 0), (2, 0)], rocks=[(1, 1)], hands=["111"])
    hunt.act("move", "1", E)
    hunt.lapse()
    assert hunt.table.pawns[B] == (0, 1)


@of("Ruling 7", "Mammoth 9")
def test_a_trap_comes_before_the_fright() -> None:
    hunt = Hunt([(-1, 0), (1, 0)], traps={(1, 0): B}, hands=["111"])
    hunt.act("move", "1", E)
    assert hunt.run.result == Result((B,), (None, None), "trapped")
    assert hunt.told("frightened") == []


def cornered(**more: Any) -> Hunt:
    """A mammoth at (3, 0) that cannot flee from a card 2 from the west, but from a card 1 it can."""
    return Hunt(
        more.pop("pawns", [(1, 0), (0, 3), (-3, 0)]),
        mammoth=(3, 0),
        rocks=[(3, -2), (1, 2), *more.pop("rocks", [])],
        traps={(-3, 3): A, (0, -3): B},
        hands=["213", "213"],
        **more,
    )


@of("Mammoth 8", "Ruling 8")
def test_whether_the_mammoth_can_flee_depends_on_the_card() -> None:
    hunt = cornered()
    assert maamut_field.flight(hunt.table.tiles, (3, 0), E, 2) is None
    assert maamut_field.flight(hunt.table.tiles, (3, 0), E, 1) == SW
    assert hunt.run.result is None


@of("Mammoth 8", "Ruling 8", "Ruling 9")
def test_the_reckless_hunter_goes_with_card_pawn_and_traps_and_the_mammoth_stays() -> None:
    hunt = cornered()
    hunt.act("move", "2", E)
    assert hunt.told("removed")[0].data == {"seat": A, "tile": (3, 0), "why": "reckless", "traps": ((-3, 3),)}
    assert hunt.told("opened")[0].data == {"seat": A, "values": (1, 3)}
    assert hunt.told("drew") == []
    assert hunt.table.mammoth == (3, 0)
    assert hunt.table.pawns == {B: (0, 3), C: (-3, 0)}
    assert hunt.table.traps == {(0, -3): B}
    assert hunt.table.hands[A] == []
    assert [hunt.dealer.truth[card] for card in hunt.table.discards] == ["2", "1", "3"]
    assert all(card in hunt.game.faces for card in hunt.table.discards)
    assert hunt.table.out == [A]


@of("Ruling 9")
def test_turns_of_a_removed_hunter_are_skipped_and_one_left_plays_on() -> None:
    hunt = cornered(pawns=[(1, 0), (0, 3)])
    hunt.act("move", "2", E)
    assert hunt.run.result is None
    for _ in range(3):
        assert hunt.asked == [B]
        hunt.lapse()


@of("Ruling 9")
def test_without_hunters_the_mammoth_wins() -> None:
    hunt = cornered(pawns=[(1, 0), (1, 0)])
    hunt.act("move", "2", E)
    hunt.act("move", "2", E)
    assert hunt.run.result == Result((), (None, None), "no hunters")


@of("Ruling 9")
def test_traps_of_a_hunter_removed_in_mid_flight_leave_before_the_mammoth_gets_there() -> None:
    hunt = Hunt(
        [(-1, 0), (1, 0), (2, 0)],
        rocks=[(1, 1), (0, 1), (1, -1), (2, -1)],
        traps={(3, 0): B, (-2, 0): B, (3, -3): C},
        hands=["333"],
    )
    hunt.act("move", "3", E)
    assert hunt.told("removed")[0].traps == ((-2, 0), (3, 0))
    assert hunt.asked == [C], "the mammoth goes on and frightens the next"
    hunt.lapse()
    assert hunt.run.result is None
    assert hunt.table.mammoth == (3, 0)
    assert hunt.table.traps == {(3, -3): C}


@of("Ruling 9")
def test_a_removed_seat_is_still_a_seat_of_the_table() -> None:
    hunt = cornered()
    hunt.act("move", "2", E)
    assert hunt.game.seats == 3
    assert len(hunt.table.hands) == 3


# -- the end -------------------------------------------------------------------------------------------------------


@of("Special 1", "Ruling 12", "Example 8")
def test_example_8_a_mammoth_in_a_corner_has_survived() -> None:
    hunt = Hunt([(-1, 0), (0, 3)], mammoth=(1, 0), rocks=[(2, 1), (3, -1)], hands=["222"])
    hunt.act("move", "2", E)
    assert (hunt.table.mammoth, hunt.table.pawns[A]) == ((3, 0), (1, 0))
    assert hunt.run.finished
    assert hunt.run.result == Result((), (None, None), "survived")


@of("Ruling 12")
def test_survival_is_tested_after_placement() -> None:
    around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert Hunt([(-3, 0), (3, 0)], rocks=around).run.result == Result((), (None, None), "survived")
    assert Hunt([(-3, 0), (3, 0)], rocks=around[:4]).run.result is None


@of("Ruling 12")
def test_survival_is_tested_after_a_removal() -> None:
    # the only hunter who can reach the mammoth goes; the other sits behind rocks
    wall = [(-2, 0), (-3, 1), (-2, -1)]
    hunt = cornered(rocks=wall, pawns=[(1, 0), (-3, 0)])
    assert hunt.run.result is None
    hunt.act("move", "2", E)
    assert hunt.run.result == Result((), (None, None), "survived")


@of("Ruling 12")
@pytest.mark.parametrize(
    ("grass", "traps", "trapped"),
    [([], [], False), ([(2, 0)], [], True), ([], [(3, 0)], True), ([(-3, 3)], [], True)],
)
def test_it_needs_grass_or_a_trap_where_the_mammoth_can_be_driven(
    grass: list[tuple[int, int]], traps: list[tuple[int, int]], trapped: bool
) -> None:
    field = {tile: "grass" if tile in grass else "snow" for tile in TILES}
    assert maamut_field.trappable(field, CENTRE, [(-3, 0)], traps) is trapped


@of("Ruling 12")
def test_grass_that_no_hunter_can_reach_does_not_count_but_a_trap_there_does() -> None:
    wall = {(2, -1), (2, 0), (1, 1), (0, 2), (-1, 3), (2, -2), (2, -3)}
    field = {tile: "rock" if tile in wall else "grass" for tile in TILES}
    ground = maamut_field.connected(field, [(3, 0)])
    assert ground == {(3, 0), (2, 1), (1, 2), (0, 3), (3, -1), (3, -2), (3, -3)}
    assert not maamut_field.trappable(field, CENTRE, [(3, 0)], [])
    assert maamut_field.trappable(field, CENTRE, [(-3, 0)], [])


@of("Ruling 12")
def test_a_contact_needs_its_whole_way() -> None:
    field = dict.fromkeys(TILES, "grass")
    everywhere = set(TILES)
    corner = maamut_field.contacts(field, (3, 0), everywhere)
    assert (E, 3) in corner
    assert (W, 1) not in corner, "nobody comes from outside the board"
    assert sorted({way for way, _ in corner}) == [E, SE, NE]
    field[(2, 0)] = "rock"
    assert E not in {way for way, _ in maamut_field.contacts(field, (3, 0), everywhere - {(2, 0)})}
    assert not maamut_field.contacts(field, CENTRE, [(3, 0)]), "too far without passing the rock"


@of("Ruling 12")
def test_the_analysis_agrees_with_a_plain_search_over_random_boards() -> None:
    verdicts: Counter[bool] = Counter()
    for i in range(60):
        chance = Chance(i.to_bytes(32, "big"))
        land = ["rock"] * 14 + ["snow"] * 21 + ["grass"]
        field = dict(zip(TILES, ["cross", *chance.shuffled(land)], strict=True))
        open_tiles = [tile for tile in TILES if field[tile] != "rock"]
        hunters, traps = chance.draw(open_tiles, 2), chance.draw(open_tiles, 1)
        verdict = maamut_field.trappable(field, CENTRE, hunters, traps)
        assert verdict == plain_search(field, CENTRE, hunters, traps)
        verdicts[verdict] += 1
    assert min(verdicts.values()) > 3
    assert len(verdicts) == 2


def plain_search(field: dict[Any, str], mammoth: Any, hunters: list[Any], traps: list[Any]) -> bool:
    """Ruling 12 word for word, written without the functions under test."""
    moves = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]

    def ok(tile: tuple[int, int]) -> bool:
        return max(abs(tile[0]), abs(tile[1]), abs(tile[0] + tile[1])) <= 3 and field[tile] != "rock"

    ground = set(hunters)
    while True:
        wider = ground | {(q + a, r + b) for q, r in ground for a, b in moves if ok((q + a, r + b))}
        if wider == ground:
            break
        ground = wider
    good = {tile for tile in ground if field[tile] == "grass"} | set(traps)
    resting, entered, before = {mammoth}, set(), 0
    while before != len(resting):
        before = len(resting)
        for q, r in sorted(resting):
            for d, (a, b) in enumerate(moves):
                for n in (1, 2, 3):
                    starts = [(q - k * a, r - k * b) for k in range(1, n + 1)]
                    if not any(
                        s in ground and all(ok((s[0] + i * a, s[1] + i * b)) for i in range(1, n + 1)) for s in starts
                    ):
                        continue
                    for turn in (0, 1, 2, 4, 5):
                        x, y = moves[(d + turn) % 6]
                        path = [(q + i * x, r + i * y) for i in range(1, n + 1)]
                        if all(ok(tile) for tile in path):
                            entered |= set(path)
                            resting.add(path[-1])
                            break
    return bool(entered & good)


@of("Ruling 13")
def test_all_living_hunters_can_agree_that_the_mammoth_has_survived() -> None:
    hunt = Hunt([(-3, 0), (3, 0), (0, 3)])
    hunt.act("propose")
    assert hunt.asked == [B, C]
    assert hunt.told("proposed")[0].data == {"seat": A}
    hunt.answer_all("agree")
    assert hunt.run.result == Result((), (None, None, None), "agreed")
    assert hunt.told("answered")[0].data == {"seat": A, "refused": ()}


@of("Ruling 13")
def test_one_refusal_is_enough_silence_is_one_and_the_turn_is_not_used_up() -> None:
    hunt = Hunt([(-3, 0), (3, 0), (0, 3)])
    hunt.act("propose")
    hunt.act("agree", seat=B)
    assert hunt.run.result is None
    assert hunt.told("answered")[0].data == {"seat": A, "refused": (C,)}
    assert hunt.asked == [A]
    assert hunt.why_not(A, "propose") == "this was proposed in this turn already"
    hunt.act("trap")
    assert hunt.asked == [B]
    assert hunt.why_not(B, "propose") == ""


@of("Ruling 13")
def test_only_the_living_are_asked_and_one_alone_decides_alone() -> None:
    hunt = cornered()
    hunt.act("move", "2", E)
    hunt.act("propose")
    assert hunt.asked == [C]
    hunt.act("refuse")
    hunt = cornered(pawns=[(1, 0), (0, 3)])
    hunt.act("move", "2", E)
    hunt.act("propose")
    assert hunt.run.result == Result((), (None, None), "agreed")


@of("Ruling 13")
@pytest.mark.parametrize("rounds", [1, 7])
def test_the_hunt_stops_hard_after_the_rounds_agreed(rounds: int) -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rounds=rounds)
    for _ in range(2 * rounds):
        assert hunt.run.result is None
        hunt.lapse()
    assert hunt.run.result == Result((), (None, None), "rounds")
    assert hunt.table.round == rounds


@of("Ruling 13")
def test_the_hard_stop_is_a_hundred_rounds_and_can_be_turned_off() -> None:
    spec: OptionSpec = registry.option_specs("maamut")["rounds"]
    assert (spec.default, spec.low) == (100, 0)
    hunt = Hunt([(-3, 0), (3, 0)], rounds=0)
    for _ in range(260):
        hunt.lapse()
    assert hunt.run.result is None
    assert hunt.table.round == 131


@of("Players 1", "Object 1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_with_every_number_of_players(seats: int) -> None:
    for i in range(10):
        dealer = play_bots(*decided(seats, i))
        result = dealer.run.result
        assert result is not None
        assert len(result.scores) == seats
        assert result.reason in {"trapped", "survived", "agreed", "rounds", "no hunters"}
        assert (len(result.winners) == 1) == (result.reason == "trapped")


class Stubborn(Random):
    """Chooses at random, but never proposes to give up and never agrees to."""

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """Anything else."""
        while True:
            choice = super().choose(game, menu, look)
            if menu.acts[choice.act].verb not in ("propose", "agree"):
                return choice


def decided(seats: int, seed: int) -> tuple[Game, bytes, dict[int, Stubborn]]:
    bots = {seat: Stubborn(seat, Chance(bytes([seed, seat]) * 16)) for seat in range(seats)}
    return registry.create("maamut", seats, {}), seed.to_bytes(32, "little"), bots


def test_a_draw_is_seen_by_its_seat_only() -> None:
    hunt = Hunt([(-3, 0), (3, 0)])
    hunt.run.answer({A: hunt.menus[A].lapse})
    while not isinstance(hunt.run.pending, View):
        hunt.dealer.step(hunt.nobody)
    assert list(hunt.run.pending.looks) == [A]


def test_position_helper_builds_the_design_pages_board() -> None:
    position = Position([(-3, 0), (3, 0)], rocks=[(1, 0)], snow=[(2, 0)])
    assert [position.land[tile] for tile in ((0, 0), (1, 0), (2, 0))] == ["grass", "rock", "snow"]


def test_every_sentence_ruling_and_example_is_named() -> None:
    assert {f"{section} {i + 1}" for section, count in SENTENCES.items() for i in range(count)} == NAMED
