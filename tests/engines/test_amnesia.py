"""Amnesia, sentence by sentence: the deck, the deal, the first look, the options. Each test names what it rests on with
`of`: sentences of the rulebook by section and number, rows of the table of what is hidden, rulings and worked examples;
a test at the end sees to it that none is left out of the files test_amnesia*.py."""

from __future__ import annotations

from collections import Counter

import pytest

from engines import registry
from engines.amnesia import OPTIONS, Rules, check
from engines.amnesia_table import COPIES, DECK, worth
from engines.dealer import Dealer
from engines.requests import Ask, Deck, Flip, Shuffle, Tell
from engines.run import Run
from tests.engines.amnesia_hands import DEFAULTS, Hand, of


def fresh(seats: int, seed: int = 0) -> tuple[Dealer, list[Tell]]:
    events: list[Tell] = []
    return Dealer(Rules(seats, DEFAULTS), seed.to_bytes(32, "little"), events.append), events


def to_first_ask(dealer: Dealer) -> Run:
    while not isinstance(dealer.run.pending, Ask):
        dealer.step(Hand.nobody)
    return dealer.run


# -- the deck and the deal -----------------------------------------------------------------------------------------


@of("Values 1", "Values 2", "Values 3")
def test_the_deck_has_58_cards_and_their_values() -> None:
    assert len(DECK) == 58
    assert Counter(DECK) == COPIES
    assert {face for face, copies in COPIES.items() if copies == 2} == {"Joker"}
    assert set(COPIES) == {*map(str, range(1, 11)), "Scientist", "Thief", "Detective", "Fisherman", "Joker"}
    assert {worth(str(n)) == n for n in range(1, 11)} == {True}
    assert [worth(face) for face in ("7", "Scientist", "Thief", "Detective", "Fisherman", "Joker")] == [7, *[11] * 4, 0]


@of("Setup 1", "Setup 2", "Hidden 1")
@pytest.mark.parametrize("seats", range(2, 7))
def test_four_cards_each_face_down_and_the_rest_is_the_pile(seats: int) -> None:
    dealer, events = fresh(seats)
    run = to_first_ask(dealer)
    t = run.game.table
    assert [list(cells) for cells in t.cells] == [[1, 2, 3, 4]] * seats
    assert len(t.pile) == 58 - 4 * seats
    assert t.discards == []
    assert not run.game.faces, "nothing is open"
    assert not any(run.known.values()), "and nobody has seen anything"
    assert [event.kind for event in events] == ["dealt"]
    assert events[0].first == (t.dealer - 1) % seats


@of("Ruling 1")
def test_the_first_dealer_is_drawn_and_the_deck_is_shuffled_by_all() -> None:
    dealers = set()
    for seed in range(12):
        dealer, _ = fresh(3, seed)
        kinds = []
        while not isinstance(dealer.run.pending, Ask):
            kinds.append(type(dealer.run.pending))
            dealer.step(Hand.nobody)
        assert kinds == [Flip, Deck, Shuffle]
        dealers.add(dealer.run.game.table.dealer)
    assert dealers == {0, 1, 2}


@of("Setup 3", "Setup 4", "Ruling 1")
def test_the_dealer_turns_the_first_discard_up_which_has_no_power() -> None:
    hand = Hand(3, top="Fisherman")
    assert hand.lead == "C turn up"
    assert hand.asked == "ABC"
    assert hand.can("C") == {"turn_up"}
    hand.do()
    assert hand.discards == ["Fisherman"]
    assert hand.told("turned_up") == [{"seat": "C", "face": "Fisherman"}]
    assert hand.table.phase == "first look"
    assert hand.table.power is None


@of("Rules 1", "Rules 8", "Ruling 1")
@pytest.mark.parametrize("seats", range(2, 7))
def test_play_is_counterclockwise_from_the_dealers_right_and_the_dealer_comes_last(seats: int) -> None:
    hand = Hand(seats)
    hand.do()
    hand.do()
    order = ""
    for _ in range(2 * seats):
        order += hand.lead[0]
        assert hand.lead[1:] == " start"
        assert hand.table.round == 1 + (len(order) - 1) // seats
        hand.turn()
    assert order == "ABCDEF"[:seats] * 2
    assert hand.seats["A"] == (hand.table.dealer - 1) % seats
    assert hand.seats["B"] == (hand.table.dealer - 2) % seats


@of("Ruling 1")
def test_the_deal_moves_one_seat_in_playing_order() -> None:
    hand = Hand(3)
    hand.do()
    hand.do()
    hand.do(A="call")
    for _ in range(3):
        hand.turn()
    hand.do()
    assert hand.table.hand == 2
    assert hand.table.dealer == hand.seats["A"]
    assert [event["dealer"] for event in hand.told("dealt")] == [hand.seats["C"], hand.seats["A"]]
    assert hand.lead == "A turn up"


# -- the first look ------------------------------------------------------------------------------------------------


@of("Rules 2", "Ruling 2", "Hidden 2")
def test_everybody_looks_at_the_two_bottom_cards_alone_or_at_one_or_at_none() -> None:
    hand = Hand(3)
    hand.do()
    assert hand.lead == "- first look"
    hand.do(A=("look", 3, 4), B=("look", 3))
    assert hand.sees("A") == {("A", 3), ("A", 4)}
    assert hand.sees("B") == {("B", 3)}
    assert hand.sees("C") == set()
    assert hand.told("looked") == [{"seat": "A", "slots": (3, 4)}, {"seat": "B", "slots": (3,)}]
    assert hand.told("penalty") == []
    assert hand.asked == "AB", "those who look say when they have done"
    assert hand.why_not("A", "look") == "both bottom cards have been looked at"
    hand.do(B=("look", 4))
    assert hand.sees("A") == set(), "a face is shown once and then taken away"
    assert hand.sees("B") == {("B", 4)}
    assert hand.asked == "B"
    hand.do()
    assert hand.sees("B") == set()
    assert hand.lead == "A start"


@of("Ruling 2")
def test_the_first_look_is_at_the_bottom_cards_only() -> None:
    hand = Hand(2)
    hand.do()
    (part,) = hand.act("A", "look").parts
    cells = hand.table.cells[hand.seats["A"]]
    assert list(part.of) == [cells[3], cells[4]]
    (part,) = hand.act("A", "peek").parts
    assert list(part.of) == [cells[1], cells[2]]


@of("Rules 3", "Ruling 2", "Hidden 1")
def test_who_looks_before_the_discard_is_turned_up_gets_one_unseen_card() -> None:
    hand = Hand(3, top="6", pile=("10",))
    assert hand.can("A") == {"pass"}
    assert hand.against_the_rules("A") == {"look"}
    assert not hand.table.passes_alone(hand.seats["C"]), "the dealer is waited for"
    hand.do(A=("look", 3, 4))
    assert hand.discards == ["10"]
    assert hand.sees("A") == {("A", 3), ("A", 4)}
    assert hand.cells("A") == {1: "1", 2: "2", 3: "3", 4: "4", 5: "6"}
    assert hand.told("improper") == [{"seat": "A", "verb": "look"}]
    assert hand.told("penalty") == [{"seat": "A", "slots": (5,), "waived": 0}]
    assert hand.why_not("A", "look") == "both bottom cards have been looked at"
    hand.do()
    assert hand.lead == "A start"
    assert len(hand.told("penalty")) == 1


@of("Ruling 2")
def test_looking_too_early_is_possible_once_a_hand() -> None:
    hand = Hand(2)
    hand.do(B=("look", 3))
    assert hand.lead == "B turn up", "the dealer looked and has still to turn up"
    assert hand.why_not("B", "look") == "looking too early is possible once in a hand"
    hand.do()
    assert list(hand.act("B", "look").parts[0].of) == [hand.table.cells[hand.seats["B"]][4]], "the other one is left"


@of("Rules 4", "Ruling 2", "Hidden 1")
def test_each_further_card_looked_at_costs_an_unseen_card() -> None:
    hand = Hand(2, pile=("6", "8"))
    hand.do()
    hand.do(A=("look", 3, 4))
    hand.do(A=("peek", 1))
    assert hand.sees("A") == {("A", 1)}
    assert hand.cells("A")[5] == "6"
    hand.do(A=("peek", 3))
    assert hand.sees("A") == {("A", 3)}, "the same one again is a further one"
    assert hand.told("penalty") == [{"seat": "A", "slots": (slot,), "waived": 0} for slot in (5, 6)]
    hand.do()
    assert hand.lead == "A start"


@of("Ruling 2", "Ruling 9")
@pytest.mark.parametrize("who", "AB")
def test_later_looks_without_a_power_are_shown_and_cost_a_card(who: str) -> None:
    hand = Hand(2, late=True)
    hand.do(**{who: ("peek", 3)})
    assert hand.sees(who) == {(who, 3)}
    assert hand.told("penalty") == [{"seat": who, "slots": (5,), "waived": 0}]
    assert not hand.table.passes_alone(hand.seats[who]), "who looks is waited for"
    assert hand.lead == ("A start" if who == "A" else "A holding")
    hand.do(**({"A": ("peek", 5)} if who == "A" else {}))
    assert hand.sees(who) <= {(who, 5)}, "and so it goes with a penalty card"


@of("Ruling 2")
def test_the_cards_of_others_can_be_named_in_no_look() -> None:
    hand = Hand(2, late=True)
    for letter in "AB":
        (part,) = hand.act(letter, "peek").parts
        assert list(part.of) == list(hand.table.own(hand.seats[letter]))


# -- options -------------------------------------------------------------------------------------------------------


@of("Forfeit 1", "Ruling 13")
def test_there_is_no_game_without_a_forfeit() -> None:
    for empty in ("", "  ", "\n"):
        with pytest.raises(registry.BadTable, match="not played without a forfeit"):
            registry.options("amnesia", 3, {"forfeit": empty})
    assert check(2, {**DEFAULTS, "forfeit": "x" * 201}) != ""
    chosen = registry.options("amnesia", 3, {"forfeit": "wash the dishes"})
    assert registry.create("amnesia", 3, chosen).table.forfeit == "wash the dishes"
    assert OPTIONS["forfeit"].default.strip(), "who says nothing plays for this"


@of("End 1")
def test_classic_ends_above_80_and_turbo_above_40() -> None:
    assert Rules(2, DEFAULTS).table.limit == 80
    assert Rules(2, {**DEFAULTS, "mode": "turbo"}).table.limit == 40
    with pytest.raises(registry.BadTable, match="classic or turbo"):
        registry.options("amnesia", 3, {"mode": "endless"})


def test_the_time_to_react_is_for_clients() -> None:
    assert registry.create("amnesia", 2, {"reaction": "7"}).table.reaction == 7


def test_every_sentence_ruling_and_example_is_named_by_a_test() -> None:
    of.compare("test_amnesia_turn", "test_amnesia_reactions", "test_amnesia_powers", "test_amnesia_end")
