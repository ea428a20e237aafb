"""Amnesia out of turn: snaps, improper acts, and the one question that is asked of all together."""

from __future__ import annotations

import pytest

from engines.amnesia_table import MOST_SNAPPED
from engines.menus import Some
from engines.requests import Ask, Open
from tests.engines.amnesia_hands import Hand, of

PAIRS = {"A": ("9", "1", "9", "2"), "B": ("9", "5", "6"), "C": ("4", "8", "3")}
TWINS = {"A": ("1", "2"), "B": ("9", "5", "6"), "C": ("4", "9", "3")}


# -- snaps ---------------------------------------------------------------------------------------------------------


@of("Rules 10", "Ruling 8", "Hidden 5")
def test_anybody_snaps_a_matching_card_out_of_turn() -> None:
    hand = Hand({"A": ("1", "2"), "B": ("9", "5"), "C": ("4",)}, top="9", late=True)
    before = hand.table.clock
    hand.do(B=("snap", 1))
    assert hand.discards == ["9", "9"]
    assert hand.cells("B") == {2: "5"}, "the slot stays empty"
    assert hand.told("snapped") == [{"seat": "B", "slot": 1, "face": "9", "match": True}]
    assert hand.table.clock == before + 1, "there is something new to react to"
    assert hand.lead == "A holding", "and the turn goes on"


@of("Ruling 8")
def test_several_players_snap_on_one_discard_in_playing_order_from_the_last_discarder() -> None:
    hand = Hand(TWINS, top="9", pile=("8",), late=True)
    hand.do(C=("snap", 2), B=("snap", 1))
    assert [(e["seat"], e["match"]) for e in hand.told("snapped")] == [("B", True), ("C", True)]
    assert hand.table.discarder == hand.seats["C"]
    hand = Hand({"A": ("1",), "B": ("2", "8"), "C": ("3", "8")}, pile=("10", "10"), late=True)
    hand.turn()
    hand.do(A=("snap", 1), B="draw", C=("snap", 1))
    assert [e["seat"] for e in hand.told("snapped")] == ["C", "A"], "A discarded last, so B and C come before"


@of("Ruling 8")
def test_several_cards_are_snapped_in_a_row_and_the_first_mismatch_stops() -> None:
    hand = Hand(PAIRS, top="9", late=True)
    hand.do(A=("snap", 3, 2, 1))
    assert [(e["slot"], e["match"]) for e in hand.told("snapped")] == [(3, True), (2, False)]
    assert hand.cells("A").keys() == {1, 2, 4, 5, 6}
    assert hand.public() == {("A", 2)}, "the third was not opened"
    hand.do(A=("snap", 1))
    assert hand.discards == ["9", "9", "9"]


@of("Ruling 8")
def test_who_snaps_on_the_own_turn_is_asked_again() -> None:
    hand = Hand(PAIRS, top="9", late=True)
    hand.do(A=("snap", 1))
    assert hand.lead == "A start"
    hand.do()
    assert hand.lead == "A holding"


@of("Rules 11", "Ruling 8", "Hidden 1", "Hidden 5")
def test_a_wrong_snap_is_seen_by_all_goes_back_and_costs_two_unseen_cards() -> None:
    hand = Hand(PAIRS, top="9", pile=("8", "10", "5"), late=True)
    hand.do(B=("snap", 2), A="call")
    assert hand.cells("B") == {1: "9", 2: "5", 3: "6", 5: "8", 6: "10"}
    assert hand.discards == ["9"]
    assert hand.told("penalty") == [{"seat": "B", "slots": (5, 6), "waived": 0}]
    assert hand.public() == {("B", 2)}
    assert hand.sees("B") == set()
    card = hand.table.cells[hand.seats["B"]][2]
    assert hand.table.exposed == [card], "screens show it now"
    hand.do()
    assert hand.table.exposed == [], "and turn it down with the next answers"


@of("Ruling 7")
@pytest.mark.parametrize(
    ("top", "own", "match"),
    [
        ("7", "7", True),
        ("Joker", "Joker", True),
        ("Thief", "Thief", True),
        ("Thief", "Detective", False),
        ("Fisherman", "Scientist", False),
        ("10", "1", False),
    ],
)
def test_only_the_same_face_matches(top: str, own: str, match: bool) -> None:
    hand = Hand({"A": ("2",), "B": (own, "3")}, top=top, late=True)
    hand.do(B=("snap", 1))
    assert hand.told("snapped")[0]["match"] is match


@of("Ruling 8")
def test_no_more_than_three_cards_can_match_and_so_be_snapped_at_once() -> None:
    hand = Hand({"A": ("2",), "B": ("9", "9", "9", "3")}, top="9", late=True)
    (part,) = hand.act("B", "snap").parts
    assert isinstance(part, Some)
    assert (part.low, part.high, part.ordered) == (1, MOST_SNAPPED, True)
    hand.do(B=("snap", 3, 2, 1))
    assert hand.cells("B") == {4: "3"}
    assert hand.discards == ["9"] * 4


@of("Rules 10", "Ruling 8", "Ruling 9", "Example 8")
def test_example_8_snapping_is_open_once_the_dealers_first_turn_is_over() -> None:
    hand = Hand({"A": ("9", "9"), "B": ("1",), "C": ("2",)}, pile=("4", "9", "9", "6"))
    hand.do()
    hand.do()
    hand.turn()
    hand.do()
    hand.do(B="discard")
    assert hand.discards[-1] == "9"
    assert "snap" in hand.against_the_rules("A")
    hand.do(A=("snap", 1), C="call")
    assert hand.told("improper") == [{"seat": "A", "verb": "snap"}]
    assert hand.told("snapped") == []
    assert hand.public() == set(), "it is not shown"
    assert hand.cells("A").keys() == {1, 2, 5}
    hand.turn()
    assert hand.discards[-2:] == ["9", "9"] or hand.discards[-1] == "6"
    hand = Hand({"A": ("9", "9"), "B": ("1",), "C": ("2",)}, pile=("4", "5", "9"))
    hand.do()
    hand.do()
    for _ in range(3):
        assert "snap" not in hand.can("A")
        hand.turn()
    assert hand.lead == "A start"
    hand.do(A=("snap", 1))
    assert hand.told("snapped") == [{"seat": "A", "slot": 1, "face": "9", "match": True}]


@of("Ruling 9", "Ruling 10")
def test_a_snap_in_the_first_round_is_improper_whatever_was_taken_and_needs_a_card_to_pay_with() -> None:
    hand = Hand({"A": ("9", "9"), "B": ("1",), "C": ("2",)}, top="9", pile=("4", "5"))
    hand.do()
    hand.do()
    hand.do(A="take")
    assert "snap" in hand.against_the_rules("B")
    hand.do(A=("snap", 1), B=("snap", 1))
    assert [event["seat"] for event in hand.told("improper")] == ["A", "B"]
    assert hand.told("snapped") == []
    t = hand.table
    rest, t.pile = t.pile, []
    t.cells[hand.seats["C"]].update({100 + i: card for i, card in enumerate(rest)})
    hand.do(B=("peek", 1))
    assert hand.why_not("A", "snap") == hand.why_not("B", "snap") == "there is no card left for the penalty"


@of("Ruling 8")
def test_a_discard_can_be_snapped_until_it_is_covered() -> None:
    hand = Hand(PAIRS, top="9", pile=("8",), late=True)
    hand.do(A="draw")
    assert "snap" in hand.can("B")
    hand.do(A="discard", B=("snap", 1))
    assert hand.discards == ["9", "9", "8"], "the snap comes before the discard that covers"
    hand.do(C=("snap", 1))
    assert hand.told("snapped")[-1]["match"] is False


@of("Ruling 8")
def test_taking_the_top_closes_snapping_until_the_next_discard() -> None:
    hand = Hand(PAIRS, top="9", late=True)
    assert hand.table.can_react(hand.seats["B"])
    hand.do(A="take", B=("snap", 1))
    assert hand.told("snapped")[0]["match"] is True, "who was quick enough has snapped"
    assert hand.discards == ["9"], "and A has taken the card above, which is the same"
    assert hand.why_not("C", "snap") == "the last discard was taken; snapping is open again with the next"
    assert not hand.table.can_react(hand.seats["C"])
    hand.do(A=("exchange", 2))
    assert "snap" in hand.can("C")


@of("Ruling 6", "Ruling 8")
def test_there_is_time_for_what_a_wrong_snap_shows_and_to_demand_although_snapping_is_closed() -> None:
    hand = Hand(PAIRS, top="9", late=True)
    hand.do(A="take", B=("snap", 2))
    assert hand.public() == {("B", 2)}
    assert hand.table.can_react(hand.seats["C"]), "there is a card to be seen"
    hand.do()
    assert hand.lead == "B start"
    hand = Hand({"A": ("1",), "B": ("5", "6"), "C": ("8",)}, pile=("Fisherman",), late=True)
    hand.turn()
    assert hand.table.owed == (hand.seats["A"], "Fisherman")
    hand.do(B="take")
    assert hand.table.can_react(hand.seats["C"]), "the power can be demanded"
    assert not hand.table.can_react(hand.seats["A"]), "but not by its owner"


@of("Ruling 8")
def test_nobody_who_holds_a_card_can_snap() -> None:
    hand = Hand(PAIRS, top="9", pile=("8", "10"), late=True)
    hand.do(A="draw")
    assert "snap" in hand.against_the_rules("A")
    assert not hand.table.can_react(hand.seats["A"])
    hand.do(A=("snap", 1))
    assert hand.told("improper") == [{"seat": "A", "verb": "snap"}]
    assert hand.cells("A")[5] == "10"
    assert hand.lead == "A holding"


@of("Ruling 8")
def test_before_the_reveal_there_is_one_last_chance() -> None:
    hand = Hand({"A": ("1",), "B": ("8", "8")}, pile=("2", "8", "4"), late=True)
    hand.do(A="call")
    hand.turn()
    hand.turn()
    assert hand.lead == "- last chance"
    assert hand.discards[-1] == "8"
    assert hand.table.passes_alone(hand.seats["A"])
    hand.do(B=("snap", 1, 2))
    assert hand.table.points[0][hand.seats["B"]] == 0


@of("Ruling 8")
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_question_of_a_turn_is_asked_of_all_together(seats: int) -> None:
    hand = Hand(seats, pile=("Scientist",), late=True)
    for lead in ("A start", "A holding", "A power", "B start"):
        assert hand.lead == lead
        assert hand.asked == "ABCDEF"[:seats]
        for letter in hand.asked[1 if lead[0] == "A" else 2 :]:
            assert hand.menus[hand.seats[letter]].lapse == hand.choice(letter, "pass")
            assert hand.table.passes_alone(hand.seats[letter])
        assert not hand.table.passes_alone(hand.seats[lead[0]])
        hand.do()


@of("Ruling 8")
def test_a_choice_that_stands_no_longer_is_asked_for_again() -> None:
    hand = Hand({"A": ("1",), "B": ("5", "6")}, top="9", late=True)
    t = hand.table
    rest, t.pile = t.pile[1:], t.pile[:1]
    t.cells[hand.seats["B"]].update({100 + i: card for i, card in enumerate(rest)})
    hand.do(A="draw", B=("snap", 1))
    assert hand.told("penalty") == [{"seat": "B", "slots": (5,), "waived": 1}]
    assert hand.told("drew") == []
    assert hand.lead == "A start"
    assert "draw" not in hand.can("A")


@of("Ruling 8")
def test_nothing_is_opened_for_an_exchange_that_stands_no_longer() -> None:
    hand = Hand({"A": ("1", "2"), "B": ("3", "4"), "C": ("5", "6")}, pile=("Thief", "10"), late=True)
    hand.turn()
    assert hand.lead == "B start"
    hand.do(B="draw")
    hand.do(B=("exchange", 1), C="demand")
    assert hand.lead == "A power"
    hand.do(A=("swap", 1, "B", 1))
    assert hand.lead == "B holding"
    assert hand.told("exchanged") == []
    assert hand.public() == set()
    assert hand.cells("B") == {1: "1", 2: "4"}


# -- improper acts -------------------------------------------------------------------------------------------------


@of("Rules 13", "Ruling 9", "Hidden 1")
@pytest.mark.parametrize("verb", ["draw", "take", "call", "demand"])
def test_what_is_out_of_turn_is_void_and_costs_a_card(verb: str) -> None:
    hand = Hand(3, pile=("5", "6"), late=True)
    assert verb in hand.against_the_rules("B")
    assert verb not in hand.can("B")
    hand.do(A="call", B=verb)
    assert hand.told("improper") == [{"seat": "B", "verb": verb}]
    assert hand.told("penalty") == [{"seat": "B", "slots": (5,), "waived": 0}]
    assert hand.cells("B")[5] == "5"
    assert hand.sees("B") == set()
    assert hand.discards == ["10"]
    assert hand.table.caller == hand.seats["A"]


@of("Ruling 9")
def test_a_second_call_in_a_hand_is_improper() -> None:
    hand = Hand(2, pile=("5", "6"), late=True)
    hand.do(A="call")
    assert "call" in hand.against_the_rules("A")
    hand.do(A="call")
    hand.turn()
    assert "call" in hand.against_the_rules("B")
    hand.do(B="call")
    assert [e["seat"] for e in hand.told("improper")] == ["A", "B"]
    assert hand.table.caller == hand.seats["A"]
    assert len(hand.told("called")) == 1


@of("Ruling 9")
def test_a_discard_of_what_was_taken_is_improper() -> None:
    hand = Hand(2, pile=("5",), late=True)
    hand.do(A="take")
    hand.do(A="discard")
    assert hand.lead == "A holding"
    assert hand.cells("A")[5] == "5"
    assert hand.table.taken


@of("Ruling 9")
def test_what_is_no_choice_at_all_is_refused_without_penalty() -> None:
    hand = Hand(2, late=True)
    run, seat = hand.run, hand.seats["A"]
    before = run.digest()
    menu = hand.menus[seat]
    snap = next(i for i, act in enumerate(menu.acts) if act.verb == "snap")
    for picks in ((), ((),), ((4,),), ((0, 0),), (0,)):
        assert run.refusal(seat, type(menu.lapse)(snap, picks))
    assert run.digest() == before


@of("Ruling 9")
def test_improper_acts_are_never_offered_unasked() -> None:
    hand = Hand(3, late=True)
    for letter in "ABC":
        menu = hand.menus[hand.seats[letter]]
        offered = {menu.acts[choice.act].verb for choice in menu.choices(hand.run.look(hand.seats[letter]))}
        assert offered == hand.can(letter)
        assert not menu.acts[menu.lapse.act].improper


@of("Hidden 5")
def test_a_snapped_card_is_opened_after_the_answers_and_by_itself() -> None:
    hand = Hand(PAIRS, top="9", late=True)
    seat = hand.seats["B"]
    choices = {other: menu.lapse for other, menu in hand.menus.items()}
    hand.run.answer({**choices, seat: hand.choice("B", ("snap", 1, 2))})
    assert isinstance(hand.run.pending, Open)
    assert hand.run.pending.cards == (hand.table.cells[seat][1],)
    hand.settle()
    assert isinstance(hand.run.pending, Ask)
