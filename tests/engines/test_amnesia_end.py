"""Amnesia, how hands and games end: the call, the points, the losers, the forfeits; and whole games of any kind."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import registry
from engines.amnesia import Rules
from engines.amnesia_table import DECK, MOST_HANDLES, called_points, worth
from engines.chance import Chance
from engines.dealer import Dealer
from engines.requests import Result, Tell
from protocol import limits
from tests.engines.amnesia_hands import DEFAULTS, Hand, of


def ended(
    cards: dict[str, tuple[str, ...]], caller: str = "A", totals: dict[str, int] | None = None, **options: Any
) -> Hand:
    """Somebody calls in the second round, everybody discards something that matches nothing, and the hand is over."""
    hand = Hand(cards, top="10", pile=("9",) * 3 + ("8",) * 3, late=True, **options)
    for letter, total in (totals or {}).items():
        hand.table.totals[hand.seats[letter]] = total
    for letter in cards:
        if letter == caller:
            hand.do(**{letter: "call"})
        elif hand.table.caller is None:
            hand.turn()
    while hand.table.phase != "last chance":
        hand.turn()
    hand.do()
    return hand


def points(hand: Hand) -> list[int]:
    """Of the first hand, A first."""
    return [hand.table.points[0][seat] for seat in hand.seats.values()]


def totals(hand: Hand) -> list[int]:
    """A first."""
    return [hand.table.totals[seat] for seat in hand.seats.values()]


# -- the call ------------------------------------------------------------------------------------------------------


@of("Special 9", "Special 10", "Ruling 11")
@pytest.mark.parametrize("caller", "ABC")
def test_after_the_call_every_other_player_has_exactly_one_more_turn(caller: str) -> None:
    hand = Hand(3, late=True)
    order = ""
    while hand.table.phase != "last chance":
        if hand.lead == f"{caller} start" and hand.table.caller is None:
            hand.do(**{caller: "call"})
            assert hand.lead == f"{caller} start", "the turn goes on"
            assert hand.told("called") == [{"seat": caller}]
        order += hand.lead[0]
        hand.turn()
    assert order == {"A": "ABC", "B": "ABCA", "C": "ABCAB"}[caller]


@of("Special 9", "Ruling 11")
def test_one_can_call_in_the_first_round_with_any_total_and_while_holding_a_card() -> None:
    hand = Hand({"A": ("10", "10"), "B": ("1",)}, top="9")
    hand.do()
    hand.do()
    hand.do()
    assert hand.lead == "A holding"
    hand.do(A="call")
    assert hand.lead == "A holding"
    hand.do()
    assert hand.lead == "B start"
    hand.turn()
    hand.do()
    assert points(hand) == [20, 1]


@of("Ruling 11", "Ruling 8")
def test_what_happens_after_the_call_counts() -> None:
    hand = Hand({"A": ("5", "9"), "B": ("1", "2")}, pile=("8", "9", "6", "6"), late=True)
    hand.do(A="call")
    hand.turn()
    hand.turn()
    hand.do(A=("snap", 2))
    assert points(hand) == [-10, 3]
    hand = Hand({"A": ("5",), "B": ("1", "2")}, pile=("8", "9", "10", "10"), late=True)
    hand.do(A="call")
    hand.turn()
    hand.turn()
    hand.do(A=("snap", 1))
    assert points(hand)[0] == 20


# -- the points ----------------------------------------------------------------------------------------------------


@of("Special 11", "Special 12", "Special 13", "Special 14", "Ruling 12", "Example 1")
def test_example_1_what_a_call_is_worth() -> None:
    assert [called_points(total) for total in (0, 3, 5, 6, 7, 10, 11, 44)] == [-10, -10, -10, 0, 10, 10, 20, 20]


@of("Special 15", "Values 1", "Values 2", "Values 3", "Ruling 12", "Example 2")
def test_example_2_the_others_add_their_cards_up() -> None:
    def total(*faces: str) -> int:
        return sum(map(worth, faces))

    assert total("Joker", "7", "Thief", "3") == 21
    assert total("Joker", "Joker") == 0
    assert total("1", "2", "3", "10", "Fisherman", "Scientist") == 38
    assert total() == 0
    hand = ended({"A": (), "B": ("Joker", "7", "Thief", "3"), "C": ("Joker",), "D": ("1", "2", "3", "Scientist")})
    assert points(hand) == [-10, 21, 0, 17]


@of("Objective 1", "End 2", "End 3", "Ruling 12", "Example 3")
def test_example_3_exactly_the_limit_goes_on_and_more_loses() -> None:
    before = {"A": 12, "B": 30, "C": 75}
    cards = {"A": ("Joker", "1", "2", "2"), "B": ("4", "Detective"), "C": ("5",)}
    hand = ended(cards, totals=before)
    assert totals(hand) == [2, 45, 80]
    assert hand.run.result is None
    assert hand.table.hand == 2
    hand = ended({**cards, "C": ("6",)}, totals=before)
    assert totals(hand) == [2, 45, 81]
    assert [hand.letters[seat] for seat in hand.table.losers] == ["C"]
    assert hand.run.result == Result((hand.seats["A"],), tuple(hand.table.totals), "above 80")


@of("Special 11", "Ruling 12", "Example 4")
def test_example_4_totals_can_be_negative() -> None:
    hand = ended({"A": (), "B": ("1",), "C": ("10",)})
    assert totals(hand) == [-10, 1, 10]


@of("End 1", "End 2", "End 3", "Ruling 12", "Example 5")
def test_example_5_all_above_the_limit_lose() -> None:
    hand = ended({"A": ("3", "5"), "B": ("5",), "C": ("4", "5")}, totals={"A": 38, "B": 36, "C": 10}, mode="turbo")
    assert totals(hand) == [48, 41, 19]
    assert {hand.letters[seat] for seat in hand.table.losers} == {"A", "B"}
    assert hand.run.result is not None
    assert hand.run.result.winners == (hand.seats["C"],)
    assert hand.told("over")[0]["reason"] == "above 40"


@of("Ruling 12")
def test_the_lowest_wins_even_above_the_limit_and_ties_share() -> None:
    hand = ended({"A": ("6", "5"), "B": ("5",)}, totals={"A": 70, "B": 80})
    assert totals(hand) == [90, 85]
    assert len(hand.table.losers) == 2
    assert hand.run.result is not None
    assert hand.run.result.winners == (hand.seats["B"],)
    hand = ended({"A": (), "B": ("5",), "C": ("1",)}, totals={"A": 20, "B": 5, "C": 85})
    assert hand.run.result is not None
    assert set(hand.run.result.winners) == {hand.seats["A"], hand.seats["B"]}


@of("Hidden 9", "Ruling 12")
def test_all_players_cards_are_opened_and_the_pile_stays_closed() -> None:
    hand = Hand({"A": ("1", "2"), "B": ("3",)}, late=True)
    hand.do(A="call")
    hand.turn()
    hand.turn()
    pile = list(hand.table.pile)
    choices = {seat: menu.lapse for seat, menu in hand.menus.items()}
    hand.run.answer(choices)
    hand.dealer.step(hand.nobody)
    assert not set(pile) & set(hand.game.faces)
    assert hand.table.revealed[hand.seats["A"]] == ("1", "2")
    assert hand.told("revealed") == [
        {"seat": "A", "faces": ("1", "2"), "sum": 3},
        {"seat": "B", "faces": ("3",), "sum": 3},
    ]
    hand.settle()
    assert hand.told("scored")[0]["points"] == hand.table.points[0]
    assert hand.table.hand == 2
    assert len(hand.run.live) == 58


@of("Hidden 1")
def test_a_new_deal_takes_all_knowledge_away() -> None:
    hand = ended({"A": ("1", "2"), "B": ("3",)})
    assert hand.public() == hand.sees("A") == hand.sees("B") == set()
    assert not hand.game.faces
    assert [len(cells) for cells in hand.table.cells] == [4, 4]
    assert hand.table.caller is None
    assert not hand.table.snapping


# -- hands without an end ------------------------------------------------------------------------------------------


@of("Special 9")
def test_a_hand_that_nobody_calls_stops_after_the_rounds_agreed_and_all_count_their_cards() -> None:
    hand = Hand({"A": ("1", "2"), "B": ("3",)}, pile=("9",) * 4 + ("8",) * 4, rounds=3)
    hand.do()
    hand.do()
    for _ in range(6):
        hand.turn()
    assert hand.told("stopped") == [{"reason": "rounds"}]
    assert hand.lead == "- last chance"
    hand.do()
    assert points(hand) == [3, 3]
    assert hand.told("scored")[0]["caller"] is None


@of("Special 9")
def test_a_hand_in_which_nobody_uses_up_the_pile_stops_too() -> None:
    """Whoever only takes the last discard and exchanges it could go on for ever."""
    hand = Hand({"A": ("1", "2"), "B": ("3",)}, rounds=5)
    hand.do()
    hand.do()
    left = len(hand.table.pile)
    for _ in range(10):
        hand.turn("take", ("exchange", 1))
    assert hand.told("stopped") == [{"reason": "rounds"}]
    assert len(hand.table.pile) == left


@pytest.mark.parametrize("rounds", [0, -1, 1001])
def test_a_hand_without_an_end_cannot_be_agreed(rounds: int) -> None:
    with pytest.raises(registry.BadTable, match="option rounds is a whole number from 1 to 1000"):
        registry.options("amnesia", 2, {"rounds": rounds})


def test_a_table_that_can_make_no_more_cards_ends_and_nobody_loses() -> None:
    hand = Hand({"A": ("1", "2"), "B": ("3",)}, late=True)
    hand.table.made = MOST_HANDLES - 250
    hand.turn()
    assert hand.told("stopped") == [{"reason": "worn"}]
    hand.do()
    assert hand.run.result == Result((0, 1), (3, 3), "worn")
    assert hand.table.losers == ()
    assert hand.run.finished


def test_no_game_makes_more_cards_than_a_table_can() -> None:
    dealer = Dealer(Rules(2, {**DEFAULTS, "rounds": 1000}), bytes(32))
    table = dealer.run.game.table
    table.totals = [-(10**6)] * 2
    dealer.play(lambda _, menu: menu.lapse)
    assert table.result is not None
    assert table.result.reason == "worn"
    assert len(dealer.truth) == table.made <= MOST_HANDLES == limits.MAX_DECK


# -- forfeits ------------------------------------------------------------------------------------------------------


@of("Forfeit 1", "Forfeit 2", "Ruling 13")
def test_the_others_say_whether_each_loser_did_the_forfeit() -> None:
    before = {"A": 90, "B": 90, "C": 0, "D": 0}
    hand = ended({"A": (), "B": ("5",), "C": ("4",), "D": ("3",)}, caller="C", totals=before)
    assert hand.run.result is not None
    assert not hand.run.finished, "after the game is over there are questions still"
    first = hand.letters[hand.table.losers[0]]
    others = "".join(sorted(set("ABCD") - {first}))
    assert hand.table.judged == hand.seats[first], "the screen says whose forfeit it is about"
    assert hand.asked == others
    assert hand.can(others[0]) == {"fulfilled", "unfulfilled"}
    assert not hand.table.passes_alone(hand.seats[others[0]])
    hand.do(**dict.fromkeys(others[:2], "unfulfilled"))
    assert hand.told("judged")[0]["fulfilled"] is False
    second = hand.letters[hand.table.losers[1]]
    others = "".join(sorted(set("ABCD") - {second}))
    assert hand.asked == others
    hand.do(**{others[0]: "unfulfilled"})
    assert hand.told("judged")[1]["fulfilled"] is True
    assert hand.table.unfulfilled == (hand.seats[first],)
    assert hand.run.finished
    assert hand.table.judged is None


@of("Ruling 13")
@pytest.mark.parametrize("verdict", ["fulfilled", "unfulfilled"])
def test_with_two_players_the_opponent_decides(verdict: str) -> None:
    hand = ended({"A": ("1",), "B": ("5",)}, totals={"A": 0, "B": 90})
    assert hand.asked == "A"
    hand.do(A=verdict)
    assert hand.table.unfulfilled == ((hand.seats["B"],) if verdict == "unfulfilled" else ())


@of("Ruling 13")
def test_half_of_the_others_is_not_enough() -> None:
    hand = ended({"A": ("1",), "B": ("5",), "C": ("2",)}, totals={"A": 0, "B": 90, "C": 0})
    hand.do(A="unfulfilled")
    assert hand.table.unfulfilled == ()
    assert hand.told("judged")[0]["against"] == (hand.seats["A"],)


@of("Forfeit 2")
def test_who_is_silent_says_that_it_was_done() -> None:
    hand = ended({"A": ("1",), "B": ("5",), "C": ("2",)}, totals={"A": 0, "B": 90, "C": 0})
    hand.do()
    assert hand.told("judged")[0]["fulfilled"] is True


# -- whole games ---------------------------------------------------------------------------------------------------


@settings(max_examples=250, deadline=None, derandomize=True)
@given(
    st.integers(2, 6),
    st.sampled_from(["classic", "turbo"]),
    st.sampled_from([0, 1, 5, 30]),
    st.integers(0, 3),
    st.binary(min_size=4, max_size=4),
)
def test_whole_random_games(seats: int, mode: str, rounds: int, wild: int, seed: bytes) -> None:
    events: list[Tell] = []
    game = Rules(seats, {**DEFAULTS, "mode": mode, "rounds": rounds})
    dealer = Dealer(game, hashlib.sha256(seed).digest(), events.append)
    run, t, chance = dealer.run, game.table, Chance(hashlib.sha256(seed + b"choices").digest())

    def decide(seat: int, menu: Any) -> Any:
        if wild and chance.below(3):
            return menu.lapse
        return menu.sample(chance, run.look(seat), improper=wild > 1 and chance.below(4) == 0)

    for _ in range(60_000):
        if run.finished:
            break
        assert sorted(game.cards()) == sorted(run.live)
        assert all(list(cells) == sorted(cells) for cells in t.cells)
        if t.phase in ("start", "holding", "power"):
            hidden = {card for seat in range(seats) for card in run.known[seat]} - set(game.faces)
            shown = {card for cards in t.looking.values() for card in cards} | {t.held}
            assert hidden <= shown, "a face stays on a screen only while it is looked at"
        dealer.step(decide)
    assert run.finished
    assert len(run.live) == len(DECK)
    result = run.result
    assert result is not None
    assert result.reason == f"above {t.limit}"
    assert sum(event.kind == "judged" for event in events) == len(t.losers) > 0
    assert [total > t.limit for total in t.totals] == [seat in t.losers for seat in range(seats)]
    assert list(result.scores) == [sum(column) for column in zip(*t.points, strict=True)]
    assert all(t.totals[seat] == min(t.totals) for seat in result.winners)
