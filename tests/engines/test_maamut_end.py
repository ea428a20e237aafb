"""Mâamut, the end of the hunt."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines import maamut_field, registry
from engines.chance import Chance
from engines.dealer import play_bots
from engines.hexgrid import CENTRE, TILES
from engines.requests import OptionSpec, Result, View
from tests.engines.maamut_positions import (
    NE,
    SE,
    A,
    B,
    C,
    E,
    Hunt,
    Position,
    W,
    cornered,
    decided,
    of,
)


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


def test_a_draw_is_seen_by_its_seat_only() -> None:
    hunt = Hunt([(-3, 0), (3, 0)])
    hunt.run.answer({A: hunt.menus[A].lapse})
    while not isinstance(hunt.run.pending, View):
        hunt.dealer.step(hunt.nobody)
    assert list(hunt.run.pending.looks) == [A]


def test_position_helper_builds_the_design_pages_board() -> None:
    position = Position([(-3, 0), (3, 0)], rocks=[(1, 0)], snow=[(2, 0)])
    assert [position.land[tile] for tile in ((0, 0), (1, 0), (2, 0))] == ["grass", "rock", "snow"]
