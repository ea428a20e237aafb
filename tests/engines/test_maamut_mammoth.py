"""Mâamut, the mammoth: contact, flight, fright, removal."""

from __future__ import annotations

import pytest

from engines import maamut_field
from engines.dealer import play_bots
from engines.hexgrid import CENTRE, TILES, line
from engines.requests import Result
from tests.engines.maamut_positions import (
    NE,
    SE,
    SW,
    A,
    B,
    C,
    D,
    E,
    Hunt,
    cornered,
    decided,
    of,
)


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


@of("Mammoth 8", "Ruling 5", "Ruling 8")
def test_a_reckless_hunter_in_the_middle_of_its_move_does_not_go_on() -> None:
    hunt = Hunt([(1, 0), (0, 3), (-3, 0)], mammoth=(2, 0), rocks=[(1, 1), (2, -2)], hands=["213"])
    hunt.act("move", "2", E)
    assert hunt.told("removed")[0].tile == (2, 0)
    assert hunt.table.pawns == {B: (0, 3), C: (-3, 0)}
    assert hunt.table.mammoth == (2, 0)
    assert hunt.told("drew") == []
    assert hunt.asked == [B]


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
