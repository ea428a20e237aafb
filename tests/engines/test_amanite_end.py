"""Amanite, the final scoring; and whole games of any kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import registry
from engines.amanite_scoring import majority, score, verdict
from engines.amanite_table import (
    BAG,
    OTHERS,
    Table,
)
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import Dealer
from engines.requests import Ask, Open, Result, Shuffle, Tell
from engines.run import Run
from tests.engines.amanite_forest import (
    M0,
    M1,
    A,
    B,
    C,
    K,
    Walk,
    everywhere,
    hoard,
    of,
    sections,
)

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


@pytest.mark.parametrize("seed", range(4))
def test_silence_takes_the_first_thing_that_is_possible(seed: int) -> None:
    """As the rulings say: of start cards, sides, tiles, tokens, piles, mushrooms to feed and notebooks."""
    walk, met = Walk(3, starts=None, seed=seed), set[str]()
    while not walk.run.finished:
        met.add(walk.verb)
        first = next(walk.menu.choices(walk.run.look(walk.asked[0])))
        assert walk.menu.lapse == first
        if walk.verb == "take":
            assert walk.named(first) == ("take", "above")
        if walk.verb == "start":
            assert walk.named(first)[2] == "A"
        if walk.verb in ("divide", "pick"):
            assert first.picks == (((0,),) if walk.verb == "divide" else ((0, 1),))
        walk.lapse()
    assert met >= {"start", "place", "divide", "take", "consult"}


@of("Data 3")
def test_every_set_of_attributes_makes_a_game_that_ends() -> None:
    for i, others in enumerate(combinations(OTHERS, 4)):
        assert Watched(2 + i % 3, {"attributes": ",".join(others)}, i).play().result is not None
