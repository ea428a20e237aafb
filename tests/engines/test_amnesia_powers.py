"""Amnesia, the special cards: what they do, when they do nothing, and how their use is demanded."""

from __future__ import annotations

import pytest

from engines.requests import Shuffle
from tests.engines.amnesia_hands import Hand, of

SPREAD = {"A": ("1", "2"), "B": ("3", "4"), "C": ("5", "6", "8")}


def powered(face: str, **more: object) -> Hand:
    """A has discarded that card in the second round."""
    hand = Hand({**SPREAD, **more.pop("cards", {})}, pile=(face, "10", "9", "9", "10"), late=True)  # type: ignore[dict-item]
    hand.do(A="draw")
    hand.do(A="discard")
    return hand


# -- what they do --------------------------------------------------------------------------------------------------


@of("Special 1", "Special 2", "Ruling 3", "Hidden 8")
def test_the_dj_shuffles_the_cards_of_another_player() -> None:
    hand = powered("7")
    assert hand.lead == "A power"
    assert hand.can("A") == {"shuffle", "pass", "snap"}
    (part,) = hand.act("A", "shuffle").parts
    assert [hand.letters[seat] for seat in part.of] == ["B", "C"]
    old = hand.table.own(hand.seats["C"])
    hand.run.answer(
        {s: hand.choice("A", ("shuffle", "C")) if s == hand.seats["A"] else m.lapse for s, m in hand.menus.items()}
    )
    assert isinstance(hand.run.pending, Shuffle)
    assert hand.run.pending.cards == old
    hand.settle()
    assert sorted(hand.cells("C").values()) == ["5", "6", "8"]
    assert list(hand.cells("C")) == [1, 2, 3]
    assert not set(old) & hand.run.live
    assert hand.told("shuffled") == [{"seat": "A", "player": "C"}]


@of("Ruling 6", "Hidden 8")
def test_the_dj_takes_away_what_its_victim_looked_at_and_what_all_knew() -> None:
    hand = Hand(SPREAD, top="10", pile=("1", "7", "2"), late=True)
    hand.do()
    hand.do()
    hand.do(B="take")
    hand.do(B=("exchange", 1))
    hand.do(C="draw")
    hand.do(C="discard")
    assert hand.lead == "C power"
    assert hand.public() == {("B", 1)}
    hand.do(C=("shuffle", "B"), B=("peek", 2))
    assert hand.public() == set()
    assert hand.sees("B") == set()
    assert hand.table.marked == set()
    assert hand.table.looking == {}


@of("Ruling 6")
def test_the_dj_changes_nothing_when_there_is_one_card() -> None:
    hand = powered("7", cards={"B": ("3",)})
    before = hand.table.own(hand.seats["B"])
    hand.do(A=("shuffle", "B"))
    assert hand.table.own(hand.seats["B"]) == before
    assert hand.told("shuffled") == [{"seat": "A", "player": "B"}]


@of("Special 1", "Special 3", "Hidden 2")
def test_the_scientist_looks_at_one_own_card() -> None:
    hand = powered("Scientist")
    hand.do(A=("look", 2))
    assert hand.sees("A") == {("A", 2)}
    assert hand.told("looked") == [{"seat": "A", "slots": (2,)}]
    assert hand.told("penalty") == []
    assert hand.lead == "B start"
    assert not hand.table.passes_alone(hand.seats["A"]), "the look lasts until A has done"
    hand.do()
    assert hand.sees("A") == set()
    assert hand.table.looking == {}


@of("Special 1", "Special 4", "Ruling 3", "Hidden 7")
def test_the_thief_exchanges_an_own_card_for_one_of_another_player_unseen() -> None:
    hand = powered("Thief")
    hand.do(A=("swap", 1, "C", 3))
    assert hand.cells("A") == {1: "8", 2: "2"}
    assert hand.cells("C") == {1: "5", 2: "6", 3: "1"}
    assert hand.sees("A") == hand.sees("C") == hand.public() == set()
    assert hand.told("swapped") == [{"seat": "A", "slot": 1, "player": "C", "their_slot": 3}]


@of("Hidden 7", "Hidden 4")
def test_knowledge_goes_with_a_stolen_card_but_it_is_no_longer_marked() -> None:
    hand = Hand(SPREAD, top="10", pile=("Thief",), late=True)
    hand.do(A="take")
    hand.do(A=("exchange", 1))
    card = hand.table.cells[hand.seats["A"]][1]
    hand.do(B="draw")
    hand.do(B="discard")
    hand.do(B=("swap", 2, "A", 1))
    assert hand.table.cells[hand.seats["B"]][2] == card
    assert hand.public() == {("B", 2)}
    assert hand.table.marked == set()


@of("Special 1", "Special 5", "Ruling 3", "Hidden 6")
def test_the_detective_looks_at_a_card_of_another_player() -> None:
    hand = powered("Detective")
    whose, which = hand.act("A", "spy").parts
    assert [hand.letters[seat] for seat in whose.of] == ["B", "C"]
    assert len(which.of) == 5
    hand.do(A=("spy", "C", 2))
    assert hand.sees("A") == {("C", 2)}
    assert hand.sees("C") == set(), "the owner does not see it"
    assert hand.told("spied") == [{"seat": "A", "player": "C", "slot": 2}]
    hand.do()
    assert hand.sees("A") == set()


@of("Ruling 3")
def test_a_card_has_to_be_one_of_the_player_named() -> None:
    hand = powered("Detective")
    menu, seat = hand.menus[hand.seats["A"]], hand.seats["A"]
    options = menu.options(hand.run.look(seat), (0, 0))
    assert [option.why_not for option in options] == ["", "", *["that card belongs to somebody else"] * 3]
    assert hand.run.refusal(seat, type(menu.lapse)(0, (0, 2))) == "that card belongs to somebody else"


@of("Special 1", "Special 6", "Ruling 6", "Hidden 1")
def test_the_fisherman_adds_an_unseen_card() -> None:
    hand = powered("Fisherman")
    hand.do(A="fish")
    assert hand.cells("A") == {1: "1", 2: "2", 5: "10"}
    assert hand.sees("A") == set()
    assert hand.told("fished") == [{"seat": "A", "slot": 5}]


@of("Ruling 5")
def test_the_power_of_an_own_card_counts_when_an_exchange_puts_it_out() -> None:
    hand = Hand({**SPREAD, "A": ("Detective", "1")}, pile=("2",), late=True)
    hand.turn("draw", ("exchange", 1))
    assert hand.told("passed") == [{"seat": "A", "face": "Detective"}]


# -- when they do nothing ------------------------------------------------------------------------------------------


@of("Special 8", "Ruling 5")
def test_a_snapped_card_has_no_power() -> None:
    hand = Hand({**SPREAD, "B": ("Thief", "1")}, top="Thief", late=True)
    hand.do(B=("snap", 1))
    assert hand.discards == ["Thief", "Thief"]
    assert hand.lead == "A holding"
    assert hand.told("passed") == []


@of("Special 8", "Ruling 5")
def test_there_is_no_power_on_the_first_turn_of_a_player() -> None:
    hand = Hand(SPREAD, pile=("7", "Scientist", "Detective", "Thief"))
    hand.do()
    hand.do()
    for lead in "ABC":
        assert hand.lead == f"{lead} start"
        hand.do()
        hand.do()
    assert hand.told("passed") == []
    hand.do()
    hand.do()
    assert hand.lead == "A power"


@of("Special 8", "Ruling 5")
def test_there_is_no_power_on_the_last_turn_of_a_player() -> None:
    hand = Hand(SPREAD, pile=("7", "Scientist", "Detective", "Thief"), late=True)
    hand.do(A="call")
    for lead in "ABC":
        assert hand.lead == f"{lead} start"
        hand.do()
        hand.do()
    assert hand.lead == "- last chance"


@of("Special 8", "Ruling 5")
def test_a_call_with_the_card_in_hand_takes_its_power_away() -> None:
    hand = Hand(SPREAD, pile=("7",), late=True)
    hand.do()
    hand.do(A="call")
    hand.do(A="discard")
    assert hand.lead == "B start"


@of("Ruling 5", "Example 7")
def test_example_7_a_special_taken_from_the_discards_has_no_power() -> None:
    hand = Hand({"A": ("1",), "B": ("9", "2"), "C": ("3",)}, top="10", pile=("Scientist", "4", "5"), late=True)
    hand.turn()
    hand.do(B="take")
    hand.do(B="discard")
    assert hand.told("improper") == [{"seat": "B", "verb": "discard"}]
    assert hand.cells("B") == {1: "9", 2: "2", 5: "4"}
    assert hand.lead == "B holding"
    hand.do(B=("exchange", 1))
    assert hand.discards[-1] == "9"
    assert hand.lead == "C start"
    assert hand.cells("B")[1] == "Scientist"
    assert hand.public() == {("B", 1)}


@of("Ruling 5")
def test_a_taken_special_that_goes_out_later_has_its_power() -> None:
    hand = Hand({"A": ("9", "2"), "B": ("1",)}, top="Scientist", pile=("5", "6"), late=True)
    hand.turn("take", ("exchange", 1))
    hand.turn()
    hand.do(A="draw")
    hand.do(A=("exchange", 1))
    assert hand.lead == "A power"


@of("Ruling 6")
@pytest.mark.parametrize(
    ("face", "cards", "why"),
    [
        ("7", {"B": (), "C": ()}, "no other player has cards"),
        ("Detective", {"B": (), "C": ()}, "no other player has cards"),
        ("Thief", {"B": (), "C": ()}, "no other player has cards"),
        ("Thief", {"A": ()}, "its owner has no cards"),
        ("Scientist", {"A": ()}, "its owner has no cards"),
    ],
)
def test_a_power_without_a_target_is_void(face: str, cards: dict[str, tuple[str, ...]], why: str) -> None:
    hand = powered(face, cards=cards)
    assert hand.table.no_target(hand.seats["A"], face) == why
    assert hand.lead == "B start"
    assert hand.table.owed is None


@of("Ruling 6", "Ruling 10")
def test_the_fisherman_is_waived_when_there_is_no_card() -> None:
    hand = Hand({"A": ("Fisherman", "1"), "B": ("2",)}, top="3", late=True)
    t = hand.table
    hand.do(A="take")
    rest, t.pile = t.pile, []
    t.cells[hand.seats["B"]].update({100 + i: card for i, card in enumerate(rest)})
    hand.do(A=("exchange", 1))
    assert hand.discards == ["Fisherman"]
    assert hand.lead == "B start"


@of("Ruling 8")
def test_a_power_whose_target_was_snapped_away_is_asked_for_again_or_void() -> None:
    hand = Hand({"A": ("1",), "B": ("7", "2")}, pile=("7", "9"), late=True)
    hand.do()
    hand.do()
    hand.do(A=("shuffle", "B"), B=("snap", 1))
    assert hand.cells("B") == {2: "2"}
    assert hand.told("shuffled") == [{"seat": "A", "player": "B"}], "B still has a card"
    hand = Hand({"A": ("1",), "B": ("Detective", "2")}, pile=("Detective", "9"), late=True)
    hand.do()
    hand.do()
    hand.do(A=("spy", "B", 1), B=("snap", 1))
    assert hand.lead == "A power"
    hand = Hand({"A": ("1",), "B": ("Detective",)}, pile=("Detective", "9"), late=True)
    hand.do()
    hand.do()
    hand.do(A=("spy", "B", 1), B=("snap", 1))
    assert hand.lead == "B start"


# -- demands -------------------------------------------------------------------------------------------------------


@of("Special 7", "Special 8", "Ruling 5", "Ruling 6", "Ruling 9", "Example 6")
def test_example_6_a_power_that_was_passed_is_demanded_until_the_next_discard() -> None:
    hand = Hand({"A": ("1",), "B": ("2",), "C": ("3",)}, pile=("Fisherman", "5", "6", "Fisherman", "8", "9", "10"))
    hand.do()
    hand.do()
    hand.turn()
    assert hand.lead == "B start", "no power in the first round"
    hand.turn()
    hand.turn()
    hand.do()
    hand.do()
    assert hand.lead == "A power"
    hand.do(A="pass")
    assert hand.told("passed") == [{"seat": "A", "face": "Fisherman"}]
    hand.do(B="draw")
    assert hand.why_not("A", "demand") == "a power is demanded by the others"
    assert {"demand"} <= hand.can("B") & hand.can("C")
    hand.do(B="discard", C="demand")
    assert hand.told("demanded") == [{"seat": "C", "owner": "A", "face": "Fisherman"}]
    assert hand.lead == "A power"
    assert hand.can("A") == {"fish", "snap"}, "it can no longer be passed"
    assert hand.table.held is not None
    hand.do()
    assert hand.cells("A") == {1: "1", 5: "9"}
    assert hand.lead == "C start"
    assert "demand" in hand.against_the_rules("C")
    hand.do(C="demand")
    assert hand.cells("C") == {1: "3", 5: "10"}
    assert hand.told("improper") == [{"seat": "C", "verb": "demand"}]


@of("Special 7", "Ruling 6")
def test_the_next_discard_ends_the_time_to_demand() -> None:
    hand = powered("Fisherman")
    hand.do(A="pass")
    hand.turn()
    assert hand.table.owed is None
    assert "demand" in hand.against_the_rules("C")


@of("Special 7", "Ruling 6")
def test_the_next_player_may_demand_too_and_then_goes_on() -> None:
    hand = powered("Scientist")
    hand.do(A="pass")
    hand.do(B="demand")
    assert hand.lead == "A power"
    hand.do(A=("look", 2))
    assert hand.lead == "B start"


@of("Ruling 6", "Ruling 8")
def test_of_two_demands_the_second_comes_to_nothing_without_penalty() -> None:
    hand = powered("Fisherman")
    hand.do(A="pass")
    hand.do(B="demand", C="demand")
    hand.do()
    assert hand.cells("A").keys() == {1, 2, 5}
    assert hand.told("demanded") == [{"seat": "B", "owner": "A", "face": "Fisherman"}]
    assert hand.told("improper") == hand.told("penalty") == []


@of("Ruling 6")
def test_a_power_without_a_target_cannot_be_demanded() -> None:
    hand = Hand({"A": ("1",), "B": ("Scientist",), "C": ("5",)}, pile=("2", "Scientist", "3"), late=True)
    hand.turn()
    hand.turn()
    assert hand.table.owed == (hand.seats["B"], "Scientist")
    hand.do(B=("snap", 1))
    assert hand.cells("B") == {}
    assert hand.why_not("A", "demand") == "its owner has no cards"
    assert not hand.table.can_react(hand.seats["B"])


@of("Ruling 6", "Ruling 8")
def test_a_demand_whose_target_goes_at_the_same_moment_comes_to_nothing() -> None:
    hand = Hand({"A": ("1",), "B": ("Scientist",), "C": ("5",)}, pile=("2", "Scientist", "3"), late=True)
    hand.turn()
    hand.turn()
    hand.do(B=("snap", 1), A="demand")
    assert hand.lead == "C holding"
    assert hand.told("improper") == hand.told("penalty") == []
