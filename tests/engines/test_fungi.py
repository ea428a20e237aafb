"""Fungi, the preparation; and that no sentence of the rulebook is left out."""

from __future__ import annotations

from collections import Counter

import pytest

from engines import fungi, registry
from engines.dealer import BrokenPromise
from engines.fungi_cards import (
    DAY_DECK,
    KINDS,
    NIGHT_DECK,
    SPECIAL,
    STARTING_PANS,
    flavour,
    is_night,
    kind_of,
    mushrooms,
    price,
)
from engines.menus import Choice
from engines.requests import Promise, View
from engines.run import IllegalDecision
from tests.engines.fungi_positions import A, B, Kitchen, of

FOREST = "HF TE LW SH HW BB PO CH"


def begun(first: str, second: str, nights: str = "", start: int = A) -> Kitchen:
    """A game as it is prepared, with these starting hands; the first player is as drawn, the seed chosen to suit."""
    for seed in range(64):
        options = registry.options("fungi", 2, {})
        tops = [f"{FOREST} {first} {second}", nights]
        kitchen = Kitchen(game=fungi.Rules(2, options), tops=tops, seed=seed)
        if kitchen.table.start == start:
            return kitchen
    raise AssertionError("no seed lets that seat begin")


# -- the cards -----------------------------------------------------------------------------------------------------


@of("Intro 1", "Intro 2", "Preparation 4", "Preparation 5", "Data 1", "Data 2", "Data 3")
def test_two_cooks_and_the_decks_of_the_data() -> None:
    assert registry.seat_range("fungi") == (2, 2)
    assert len(DAY_DECK) == 84
    assert Counter(DAY_DECK) == {
        **{"HF": 10, "TE": 8, "LW": 6, "SH": 5, "HW": 5, "BB": 4, "PO": 4, "CH": 4, "MO": 3},
        **{"PAN": 11, "BUT": 3, "CID": 3, "BSK": 5, "MOON": 8, "FLY": 5},
    }
    assert NIGHT_DECK == ("N-HF", "N-TE", "N-LW", "N-SH", "N-HW", "N-BB", "N-PO", "N-CH")
    assert STARTING_PANS == ("PAN", "PAN")


@of("End 3", "Sell 4", "Data 1")
def test_the_printed_numbers() -> None:
    assert [KINDS[k].flavour for k in KINDS] == [1, 1, 2, 2, 3, 3, 3, 4, 6]
    assert [KINDS[k].sticks for k in KINDS] == [1, 2, 1, 2, 1, 2, 3, 2, 4]
    for kind in KINDS:
        assert flavour([kind], "rulebook") == KINDS[kind].flavour
        assert price([kind]) == KINDS[kind].sticks


@of("Take 13")
def test_a_night_card_is_two_mushrooms_of_its_kind_on_one_card() -> None:
    assert (kind_of("N-CH"), is_night("N-CH"), mushrooms(["N-CH"])) == ("CH", True, 2)
    assert (kind_of("CH"), is_night("CH"), mushrooms(["CH", "PAN", "BUT"])) == ("CH", False, 1)
    assert not any(map(kind_of, ("PAN", "BUT", "CID", "BSK", "MOON", "FLY")))


# -- preparation ---------------------------------------------------------------------------------------------------


@of("Preparation 1", "Preparation 2", "Preparation 3", "Preparation 6", "Preparation 7", "Preparation 8", "Ruling 1")
@pytest.mark.parametrize("start", [A, B])
def test_the_table_before_the_first_turn(start: int) -> None:
    kitchen = begun("HF PAN CID", "TE TE BUT", start=start)
    table = kitchen.table
    assert kitchen.forest == FOREST, "the first of the pile at the shoes"
    assert kitchen.faces(table.hands[start]) == ["HF", "PAN", "CID"], "cards 9 to 11 go to the first player"
    assert kitchen.faces(table.hands[1 - start]) == ["TE", "TE", "BUT"], "cards 12 to 14 to the second"
    assert [kitchen.faces(pans) for pans in table.pans] == [["PAN"], ["PAN"]]
    assert (table.decay, table.discards, table.sticks) == ([], [], [0, 0])
    assert (len(table.pile), len(table.nights)) == (70, 8)
    assert set(kitchen.game.faces) == {*table.forest, *table.pans[A], *table.pans[B]}, "all else lies face down"
    assert [event.kind for event in kitchen.events] == ["begins", "grown", "dealt"]
    kitchen.show()
    assert kitchen.asked == [start]


@of("Ruling 1")
def test_chance_decides_who_begins() -> None:
    options = registry.options("fungi", 2, {})
    starts = {Kitchen(game=fungi.Rules(2, options), seed=seed).table.start for seed in range(12)}
    assert starts == {A, B}


@of("Preparation 9")
def test_a_player_is_told_every_action_with_the_rule_that_forbids_it() -> None:
    kitchen = begun("HF PAN CID", "TE TE BUT")
    kitchen.show()
    options = kitchen.menu.options(kitchen.run.look(A))
    assert [(option.value.verb, option.why_not) for option in options] == [
        ("take", ""),
        ("decay", "the decay pile is empty"),
        ("cook", "cooking takes 3 mushrooms of one kind, a night card counting as two"),
        ("sell", "selling takes 2 mushrooms of one kind, or a night card"),
        ("pan", ""),
        ("pass", ""),
    ]


@of("Preparation 10", "Hidden 1", "Hidden 2")
def test_each_sees_three_cards_of_the_own_hand_only() -> None:
    kitchen = begun("HF PAN CID", "TE TE BUT")
    for seat in (A, B):
        assert len(kitchen.table.hands[seat]) == 3
        assert set(kitchen.run.known[seat]) == set(kitchen.table.hands[seat])


@of("Preparation 11", "Ruling 2", "Example 1")
def test_example_1_specials_of_the_starting_hands() -> None:
    kitchen = begun("BSK MOON FLY", "HF PAN CID", nights="N-CH")
    kitchen.show()
    table = kitchen.table
    assert kitchen.hand(A) == ["N-CH"]
    assert (len(table.pans[A]), kitchen.faces(table.baskets[A]), table.limit(A)) == (1, ["BSK"], 10)
    assert (len(table.hands[B]), table.limit(B)) == (3, 8)
    assert kitchen.discards == ["MOON", "FLY"]
    assert table.flies == [[], []], "at this stage a fly agaric has no effect"
    assert (len(table.pile), len(table.nights)) == (70, 7)
    assert [(e.seat, e.faces) for e in kitchen.told("shown")] == [(A, ("BSK", "MOON", "FLY")), (B, ())]
    (card,) = table.hands[A]
    assert card in kitchen.run.known[A]
    assert card not in kitchen.run.known[B]
    assert card in table.backs


@of("Ruling 2")
def test_night_cards_go_to_the_first_player_first() -> None:
    kitchen = begun("HF MOON MOON", "MOON PAN CID", nights="N-CH N-PO N-HF", start=B)
    kitchen.show()
    assert kitchen.hand(B) == ["HF", "N-CH", "N-PO"]
    assert kitchen.hand(A) == ["CID", "N-HF", "PAN"]
    assert kitchen.discards == ["MOON", "MOON", "MOON"]


@of("Ruling 2")
def test_only_the_specials_are_shown_and_none_is_kept() -> None:
    kitchen = begun("BSK HF MOON", "HF PAN CID")
    menu, look = kitchen.menus[A], kitchen.run.look(A)
    shows = {tuple(kitchen.faces(menu.decision(choice).cards)) for choice in menu.choices(look)}
    assert shows == {("BSK", "MOON"), ("BSK", "HF", "MOON")}
    reasons = {tuple(kitchen.faces(o.value)): o.why_not for o in menu.options(look, (0,))}
    assert reasons["BSK",] == "baskets, moons and fly agarics do not stay in the starting hand"
    assert reasons[()] == "baskets, moons and fly agarics do not stay in the starting hand"
    assert reasons["HF",] == "only baskets, moons and fly agarics are shown, or else the whole hand"


@of("Ruling 2", "Hidden 4")
def test_what_was_not_shown_is_promised_to_be_no_special() -> None:
    kitchen = begun("BSK HF MOON", "HF PAN CID")
    hand = list(kitchen.table.hands[A])
    kitchen.run.answer({seat: next(menu.choices(kitchen.run.look(seat))) for seat, menu in kitchen.menus.items()})
    promises = []
    while not kitchen.asked:
        request = kitchen.run.pending
        if isinstance(request, Promise):
            promises.append((request.seat, request.cards, request.never))
        kitchen.dealer.step(kitchen.nobody)
    assert promises == [(A, (hand[1],), SPECIAL), (B, tuple(kitchen.table.hands[B]), SPECIAL)]


@of("Ruling 2", "Hidden 4")
def test_who_keeps_a_special_cannot_prove_the_contrary() -> None:
    kitchen = begun("BSK HF MOON", "HF PAN CID")
    none = Choice(0, (0,))
    assert kitchen.menus[A].judge(kitchen.run.look(A), none) != ""
    assert kitchen.run.refusal(A, none) == "", "nobody else can see it"
    kitchen.run.answer({A: none, B: none})
    with pytest.raises(BrokenPromise):
        kitchen.settle()


@of("Ruling 2")
def test_what_is_shown_without_need_is_refused_once_it_is_open() -> None:
    kitchen = begun("BSK HF MOON", "HF PAN CID")
    kitchen.run.answer({A: Choice(0, (2,)), B: Choice(0, (0,))})
    with pytest.raises(IllegalDecision, match="only baskets, moons and fly agarics are shown") as caught:
        kitchen.settle()
    assert caught.value.seat == A


@of("Ruling 2")
def test_silence_shows_the_whole_starting_hand() -> None:
    kitchen = begun("BSK HF MOON", "HF PAN CID", nights="N-TE")
    kitchen.lapse()
    assert kitchen.hand(A) == ["HF", "N-TE"]
    assert kitchen.hand(B) == ["CID", "HF", "PAN"]
    assert set(kitchen.table.hands[B]) <= set(kitchen.game.faces)


@of("Hidden 2")
def test_a_night_card_is_looked_at_by_its_owner_only() -> None:
    kitchen = begun("BSK HF MOON", "HF PAN CID")
    kitchen.run.answer({seat: next(menu.choices(kitchen.run.look(seat))) for seat, menu in kitchen.menus.items()})
    while not isinstance(kitchen.run.pending, View):
        kitchen.dealer.step(kitchen.nobody)
    assert list(kitchen.run.pending.looks) == [A]


# -- options -------------------------------------------------------------------------------------------------------


def test_the_options_and_their_defaults() -> None:
    assert registry.options("fungi", 2, {}) == {"rules": "rulebook", "reminder": "shown"}
    table = registry.create("fungi", 2, {"rules": "published", "reminder": "hidden"}).table
    assert (table.rules, table.reminder) == ("published", "hidden")
    with pytest.raises(registry.BadTable, match="for 2 players"):
        registry.create("fungi", 3, {})
    with pytest.raises(registry.BadTable, match="rulebook or published"):
        registry.create("fungi", 2, {"rules": "house"})


def test_every_sentence_ruling_and_example_is_named_by_a_test() -> None:
    of.compare("test_fungi_taking", "test_fungi_cooking", "test_fungi_end")
