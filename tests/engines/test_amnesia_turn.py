"""Amnesia in turn: draw, take, exchange, discard, and what happens when the cards run out."""

from __future__ import annotations

from engines.requests import Open, View
from tests.engines.amnesia_hands import Hand, of


@of("Rules 5", "Rules 6", "Rules 9", "Ruling 4", "Hidden 3", "Hidden 4", "Hidden 5")
def test_a_card_from_the_pile_is_exchanged_for_an_own_one() -> None:
    hand = Hand(2, pile=("5",), late=True)
    assert hand.can("A") == {"draw", "take", "draw_to_discard", "call", "snap"}
    assert hand.against_the_rules("A") == {"demand", "peek"}
    hand.do(A="draw")
    assert hand.lead == "A holding"
    held = hand.table.held
    assert held in hand.run.known[hand.seats["A"]]
    assert held not in hand.run.known[hand.seats["B"]]
    assert hand.told("drew") == [{"seat": "A", "left": len(hand.table.pile), "committed": False}]
    hand.do(A=("exchange", 2))
    assert hand.cells("A") == {1: "1", 2: "5", 3: "3", 4: "4"}
    assert hand.discards == ["10", "2"]
    assert hand.sees("A") == set(), "what went in has to be remembered"
    assert hand.public() == set()
    assert hand.told("exchanged") == [{"seat": "A", "slot": 2, "source": "pile", "face": "2"}]
    assert hand.lead == "B start"


@of("Rules 5", "Rules 6", "Ruling 4", "Hidden 5")
def test_a_card_from_the_pile_is_discarded() -> None:
    hand = Hand(2, pile=("5",), late=True)
    hand.turn("draw", "discard")
    assert hand.discards == ["10", "5"]
    assert hand.told("discarded") == [{"seat": "A", "face": "5"}]
    assert hand.lead == "B start"


@of("Rules 5", "Rules 7", "Ruling 1", "Ruling 4", "Hidden 4")
def test_a_card_from_the_discard_pile_can_only_be_exchanged_and_stays_public_until_it_moves() -> None:
    hand = Hand(2)
    hand.do()
    hand.do()
    hand.do(A="take")
    assert hand.discards == []
    assert hand.can("A") == {"exchange", "call"}
    assert "discard" in hand.against_the_rules("A")
    hand.do(A=("exchange", 1))
    assert hand.cells("A")[1] == "10"
    assert hand.discards == ["1"]
    assert hand.told("exchanged") == [{"seat": "A", "slot": 1, "source": "discards", "face": "1"}]
    assert hand.public() == {("A", 1)}
    assert hand.table.marked == {hand.table.cells[hand.seats["A"]][1]}
    hand.turn()
    hand.turn("draw", ("exchange", 1))
    assert hand.table.marked == set()


@of("Rules 12", "Ruling 4", "Ruling 9")
def test_what_is_drawn_to_be_discarded_is_discarded() -> None:
    hand = Hand(2, pile=("1", "6"), late=True)
    hand.do(A="draw_to_discard")
    assert hand.told("drew")[0]["committed"] is True
    assert hand.table.committed
    assert hand.can("A") == {"discard", "call"}
    assert "exchange" in hand.against_the_rules("A")
    hand.do(A=("exchange", 4))
    assert hand.cells("A") == {1: "1", 2: "2", 3: "3", 4: "4", 5: "6"}, "void, and a penalty card"
    assert hand.lead == "A holding"
    hand.do(A="discard")
    assert hand.discards[-1] == "1"


@of("Ruling 4", "Example 9")
def test_example_9_without_cards_one_can_only_draw_and_discard() -> None:
    hand = Hand({"A": (), "B": ("1",), "C": ("2",)}, pile=("10", "5", "6", "4"), late=True)
    assert hand.why_not("A", "take") == "a taken card must be exchanged, and there is no card to exchange it with"
    assert hand.why_not("A", "snap") == "there is no card left to snap"
    hand.do(A="draw")
    assert hand.why_not("A", "exchange") == "there is no card to exchange it with"
    hand.do(A="discard")
    hand.turn()
    hand.turn()
    hand.do(A="call")
    hand.turn()
    assert hand.discards[-1] == "4"
    hand.turn()
    hand.turn()
    hand.do()
    assert hand.table.points[0][hand.seats["A"]] == -10


@of("Ruling 9")
def test_a_second_draw_is_improper_and_void() -> None:
    for verb in ("draw", "take"):
        hand = Hand(2, pile=("5", "6"), late=True)
        hand.do(A="draw")
        held = hand.table.held
        hand.do(A=verb)
        assert hand.table.held == held
        assert hand.cells("A")[5] == "6"
        assert hand.told("improper") == [{"seat": "A", "verb": verb}]
        assert hand.lead == "A holding"


@of("Ruling 10", "Example 10")
def test_example_10_all_but_the_last_discard_become_the_pile() -> None:
    hand = Hand({"A": ("1", "1"), "B": ("5", "6"), "C": ("8",)}, top="2", under=("3", "9", "7"), late=True)
    t = hand.table
    rest, t.pile = t.pile, []
    t.cells[hand.seats["C"]].update({100 + i: card for i, card in enumerate(rest)})
    hand.do(A="call", B=("snap", 1))
    assert hand.told("reshuffled") == [{"cards": 3}]
    assert sorted([*hand.cells("B").values(), *hand.faces(t.pile)]) == sorted(["5", "6", "3", "9", "7"])
    assert list(hand.cells("B")) == [1, 2, 5, 6]
    assert len(t.pile) == 1
    assert hand.discards == ["2"]


@of("Ruling 10")
def test_without_any_card_penalties_are_waived_and_the_discard_must_be_taken() -> None:
    hand = Hand({"A": ("1", "1"), "B": ("5",)}, top="2", late=True)
    t = hand.table
    rest, t.pile = t.pile, []
    t.cells[hand.seats["B"]].update({100 + i: card for i, card in enumerate(rest)})
    # The menus of this question were made before the pile was gone: an ordinary improper act brings the next.
    hand.do(A=("peek", 1))
    assert hand.told("penalty") == [{"seat": "A", "slots": (), "waived": 1}]
    nothing = "the draw pile is empty, and there is nothing under the last discard to shuffle"
    assert hand.why_not("A", "draw") == hand.why_not("A", "draw_to_discard") == nothing
    assert hand.why_not("A", "peek") == hand.why_not("B", "call") == "there is no card left for the penalty"
    assert hand.menus[hand.seats["A"]].lapse == hand.choice("A", "take")
    hand.do(A=("snap", 2))
    assert hand.told("penalty")[-1] == {"seat": "A", "slots": (), "waived": 2}
    hand.do()
    assert hand.lead == "A holding"
    hand.do(A=("exchange", 1))
    assert hand.discards == ["1"]


@of("Ruling 9", "Ruling 10")
def test_nothing_improper_can_be_done_that_cannot_be_paid_for() -> None:
    nothing = "there is no card left for the penalty"

    def run_out(hand: Hand) -> None:
        t = hand.table
        rest, t.pile = t.pile, []
        t.cells[hand.seats["B"]].update({100 + i: card for i, card in enumerate(rest)})

    hand = Hand({"A": ("1", "2"), "B": ("5",)}, top="2", late=True)
    hand.do(A="take")
    run_out(hand)
    hand.do(A="call")
    assert hand.lead == "A holding"
    assert hand.why_not("A", "discard") == hand.why_not("A", "call") == nothing
    assert hand.why_not("A", "exchange") == ""
    hand = Hand({"A": ("1", "2"), "B": ("5",)}, top="2", late=True)
    hand.do(A="draw_to_discard")
    run_out(hand)
    hand.do(A="call")
    assert hand.why_not("A", "exchange") == nothing
    assert hand.can("A") == {"discard"}


@of("Ruling 10")
def test_who_can_neither_draw_nor_take_is_skipped() -> None:
    hand = Hand({"A": ("2",), "B": ("5", "6")}, top="2", late=True)
    t = hand.table
    rest, t.pile = t.pile, []
    t.cells[hand.seats["B"]].update({100 + i: card for i, card in enumerate(rest)})
    hand.do(B=("snap", 2))
    hand.do(A=("snap", 1))
    assert hand.told("reshuffled") == []
    assert hand.lead == "A start", "there is a card under the top again"
    hand.do(A="draw")
    hand.do()
    assert hand.told("skipped") == []


@of("Ruling 10")
def test_a_skipped_player_is_passed_over() -> None:
    hand = Hand({"A": (), "B": ("5", "6")}, top="2", late=True)
    t = hand.table
    rest, t.pile = t.pile, []
    t.cells[hand.seats["B"]].update({100 + i: card for i, card in enumerate(rest)})
    hand.do(A="draw", B=("peek", 1))
    assert hand.told("skipped") == [{"seat": "A"}]
    assert hand.lead == "B start"


@of("Hidden 3")
def test_a_draw_is_a_look_of_its_seat_only() -> None:
    hand = Hand(2, late=True)
    hand.run.answer({seat: menu.lapse for seat, menu in hand.menus.items()})
    assert isinstance(hand.run.pending, View)
    assert list(hand.run.pending.looks) == [hand.seats["A"]]
    hand.settle()
    hand.run.answer({seat: menu.lapse for seat, menu in hand.menus.items()})
    assert isinstance(hand.run.pending, Open)
