"""Fungi: cooking, selling, putting down a pan, and which cards of a hand are named for it."""

from __future__ import annotations

from typing import Any

import pytest

from engines.fungi_cards import KINDS, flavour, mushrooms
from engines.menus import Choice
from engines.run import IllegalDecision
from tests.engines.fungi_positions import A, B, Kitchen, of

PLAIN = "SH SH BB BB PO PO CH MO"
THREE = "cooking takes 3 mushrooms of one kind, a night card counting as two"
TWO = "selling takes 2 mushrooms of one kind, or a night card"


def kitchen_of(hand: str, forest: str = PLAIN, **more: Any) -> Kitchen:
    """A has this hand; nothing else matters."""
    return Kitchen(hands=(hand, ""), forest=forest, **more)


# -- c) cooking ----------------------------------------------------------------------------------------------------


@of("Intro 3", "Cook 1", "Cook 2", "Cook 3", "Ruling 7")
def test_three_of_a_kind_and_a_pan_make_a_dish() -> None:
    kitchen = kitchen_of("LW LW LW LW TE")
    assert kitchen.offers("cook") == {"LW LW LW", "LW LW LW LW"}
    kitchen.act("cook", "LW", "LW LW LW")
    (dish,) = kitchen.table.dishes[A]
    assert (dish.kind, kitchen.faces(dish.cards)) == ("LW", ["PAN", "LW", "LW", "LW"])
    assert (dish.mushrooms, dish.flavour, kitchen.table.points(A)) == (3, 6, 6)
    assert kitchen.hand() == ["LW", "TE"]
    assert kitchen.table.pans[A] == []
    assert kitchen.told("cooked")[0].data == {
        "seat": A,
        "mushroom": "LW",
        "faces": ("LW", "LW", "LW"),
        "pan": "display",
        "mushrooms": 3,
        "flavour": 6,
    }


@of("Cook 1", "Ruling 7")
@pytest.mark.parametrize(("hand", "kind"), [("LW LW", "LW"), ("N-LW", "LW"), ("LW LW TE", "LW"), ("N-LW TE", "TE")])
def test_fewer_are_no_dish(hand: str, kind: str) -> None:
    kitchen = kitchen_of(hand)
    options = kitchen.menu.options(kitchen.run.look(A), (2,))
    assert {option.value: option.why_not for option in options}[kind] == THREE
    assert kitchen.offers("cook") == set()


@of("Cook 1", "Cook 5", "Ruling 7")
def test_one_kind_at_a_time() -> None:
    kitchen = kitchen_of("LW LW LW TE TE TE", pans=(2, 1))
    other = "a dish is mushrooms of one kind, with butter, cider and the pan if they come from the hand"
    assert kitchen.why("cook", "LW", "LW LW LW TE") == other
    things = kitchen.menu.options(kitchen.run.look(A), (2, list(KINDS).index("LW")))
    assert [thing.why_not for thing in things] == [other] * 3 + [""] * 3, "what cannot be in it is not offered"
    assert kitchen.offers("cook") == {"LW LW LW", "TE TE TE"}
    kitchen.act("cook", "LW", "LW LW LW")
    kitchen.lapse()
    kitchen.act("cook", "TE", "TE TE TE")
    assert [dish.kind for dish in kitchen.table.dishes[A]] == ["LW", "TE"]
    assert kitchen.table.points(A) == 9


@of("Cook 3", "Ruling 7")
def test_the_pan_comes_from_the_display_or_from_the_hand() -> None:
    kitchen = kitchen_of("LW LW LW PAN")
    assert kitchen.offers("cook") == {"LW LW LW", "LW LW LW PAN"}
    kitchen.act("cook", "LW", "LW LW LW PAN")
    assert len(kitchen.table.pans[A]) == 1, "the choice said which"
    assert kitchen.told("cooked")[0].pan == "hand"
    kitchen = kitchen_of("LW LW LW PAN PAN", pans=(0, 1))
    assert kitchen.offers("cook") == {"LW LW LW PAN"}
    assert kitchen.why("cook", "LW", "LW LW LW") == (
        "no empty pan is in the display, so a pan from the hand must be among the cards"
    )
    assert kitchen.why("cook", "LW", "LW LW LW PAN PAN") == "a dish is cooked in one pan"


@of("Cook 3", "Cook 5", "Ruling 7")
def test_without_a_pan_nothing_is_cooked() -> None:
    kitchen = kitchen_of("LW LW LW", pans=(0, 1))
    assert kitchen.act_of("cook")[1].why_not == "cooking takes an empty pan in the display, or one from the hand"


@of("Cook 4", "Ruling 7")
def test_a_dish_is_closed_and_its_pan_used_up() -> None:
    kitchen = kitchen_of("LW LW LW LW")
    kitchen.act("cook", "LW", "LW LW LW")
    dish = kitchen.table.dishes[A][0]
    kitchen.lapse()
    assert kitchen.offers("cook") == set(), "nothing is added"
    assert kitchen.act_of("cook")[1].why_not == "cooking takes an empty pan in the display, or one from the hand"
    kitchen.lapse()
    kitchen.lapse()
    assert kitchen.table.dishes[A] == [dish]


@of("Take 14", "End 4", "Reading 1", "Ruling 7", "Example 7")
@pytest.mark.parametrize(
    ("faces", "rulebook", "published"), [("N-CH CH", 16, 12), ("N-CH CH CH BUT", 27, 19), ("CH CH CH CH", 16, 16)]
)
def test_example_7_what_a_night_card_does(faces: str, rulebook: int, published: int) -> None:
    for rules, worth in (("rulebook", rulebook), ("published", published)):
        kitchen = kitchen_of(faces, rules=rules, forest="SH SH BB BB PO PO HF HF")
        kitchen.act("cook", "CH", faces)
        assert kitchen.table.points(A) == worth


@of("Ruling 7", "Example 7")
def test_example_7_a_night_card_alone_is_no_dish() -> None:
    assert kitchen_of("N-CH").act_of("cook")[1].why_not == THREE, "all can see that"
    kitchen = Kitchen(hands=("N-CH", ""), closed=("TE", ""))
    assert kitchen.act_of("cook")[1].why_not == "", "for all that the others know, it might be three"
    kinds = kitchen.menu.options(kitchen.run.look(A), (2,))
    assert {kind.why_not for kind in kinds} == {THREE}
    assert kitchen_of("N-CH CH").why("cook", "CH", "N-CH") == THREE


@of("Cook 6", "Cook 7", "Cook 8", "Reading 2", "Ruling 7", "Example 8")
def test_example_8_seasoning() -> None:
    kitchen = kitchen_of("HF HF HF HF HF BUT CID")
    kitchen.act("cook", "HF", "HF HF HF HF HF BUT CID")
    assert kitchen.table.points(A) == 13
    kitchen = kitchen_of("HF HF HF HF HF BUT CID", rules="published")
    apart = "each butter takes 4 mushrooms and each cider 5, and none serves twice"
    assert kitchen.why("cook", "HF", "HF HF HF HF HF BUT CID") == apart
    for rules in ("rulebook", "published"):
        few = kitchen_of("HF HF HF HF CID BUT", rules=rules)
        cider, butter = few.why("cook", "HF", "HF HF HF HF CID"), few.why("cook", "HF", "HF HF HF BUT")
        assert cider == ("cider goes with 5 mushrooms or more" if rules == "rulebook" else apart)
        assert butter == ("butter goes with 4 mushrooms or more" if rules == "rulebook" else apart)
        assert few.why("cook", "HF", "HF HF HF HF BUT") == ""


@of("Cook 7", "Cook 8", "Reading 2", "Ruling 7")
def test_any_number_of_seasonings_or_as_many_as_there_are_mushrooms_for() -> None:
    eight, nine = "HF HF HF HF HF HF HF HF", "HF HF HF HF HF HF HF HF HF"
    assert flavour(["HF"] * 5 + ["BUT"] * 3 + ["CID"] * 3, "rulebook") == 5 + 9 + 15
    kitchen = kitchen_of("HF HF HF HF HF BUT BUT CID", rules="rulebook")
    assert kitchen.why("cook", "HF", "HF HF HF HF HF BUT BUT CID") == ""
    kitchen = kitchen_of(f"{eight} BUT BUT CID", rules="published", baskets=(2, 0))
    assert kitchen.why("cook", "HF", f"{eight} BUT BUT") == ""
    assert kitchen.why("cook", "HF", f"{eight} BUT CID") != ""
    kitchen = kitchen_of(f"{nine} BUT CID", rules="published", baskets=(2, 0))
    assert kitchen.why("cook", "HF", f"{nine} BUT CID") == ""


@of("Cook 6", "Cook 8", "Ruling 7")
def test_a_night_card_counts_as_two_for_the_seasoning_which_is_never_doubled() -> None:
    for rules, worth in (("rulebook", 2 * (1 + 1 + 1) + 3), ("published", 4 + 3)):
        kitchen = kitchen_of("N-HF HF HF BUT", rules=rules)
        kitchen.act("cook", "HF", "N-HF HF HF BUT")
        assert mushrooms(["N-HF", "HF", "HF", "BUT"]) == 4
        assert kitchen.table.points(A) == worth


@of("Cook 9", "Ruling 7")
def test_seasoning_is_added_while_cooking_or_never() -> None:
    kitchen = kitchen_of("HF HF HF HF BUT")
    kitchen.act("cook", "HF", "HF HF HF HF")
    kitchen.lapse()
    assert [act.verb for act in kitchen.menu.acts] == ["take", "decay", "cook", "sell", "pan", "pass"]
    assert kitchen.offers("cook") == kitchen.offers("sell") == set()
    assert kitchen.table.points(A) == 4


# -- d) selling ----------------------------------------------------------------------------------------------------


@of("Sell 1", "Sell 4", "Ruling 8")
def test_two_or_more_of_a_kind_are_sold_for_their_sticks() -> None:
    kitchen = kitchen_of("TE TE TE LW")
    assert kitchen.offers("sell") == {"TE TE", "TE TE TE"}
    kitchen.act("sell", "TE", "TE TE TE")
    assert (kitchen.table.sticks[A], kitchen.hand(), kitchen.discards) == (6, ["LW"], ["TE", "TE", "TE"])
    assert kitchen.told("sold")[0].data == {"seat": A, "mushroom": "TE", "faces": ("TE", "TE", "TE"), "sticks": 6}


@of("Sell 1", "Sell 2", "Sell 4", "Ruling 8", "Example 9")
def test_example_9_prices() -> None:
    for faces, sticks in (("N-PO", 6), ("N-PO PO", 9), ("PO PO", 6)):
        kitchen = kitchen_of(faces)
        kitchen.act("sell", "PO", faces)
        assert kitchen.table.sticks[A] == sticks
    kitchen = kitchen_of("PO CH", forest="SH SH BB BB HF HF HF HF")
    assert kitchen.act_of("sell")[1].why_not == TWO
    assert kitchen_of("PO CH", closed=("", "")).offers("sell") == set()
    kitchen = kitchen_of("N-PO PO CH")
    assert kitchen.why("sell", "PO", "PO") == TWO


@of("Sell 3", "Ruling 8")
def test_one_kind_a_sale_and_nothing_but_mushrooms() -> None:
    kitchen = kitchen_of("TE TE LW LW PAN PAN BUT BUT CID CID", baskets=(1, 0))
    assert kitchen.offers("sell") == {"TE TE", "LW LW"}
    assert kitchen.why("sell", "TE", "TE TE LW LW") == "only mushrooms are sold, and of one kind at a time"
    assert kitchen.why("sell", "TE", "TE TE PAN") == "only mushrooms are sold, and of one kind at a time"


@of("Sell 5", "Data 4")
def test_sticks_never_run_out() -> None:
    kitchen = kitchen_of("MO MO MO", sticks=(500, 0), forest="SH SH BB BB PO PO HF HF")
    kitchen.act("sell", "MO", "MO MO MO")
    assert kitchen.table.sticks[A] == 512


# -- e) a pan ------------------------------------------------------------------------------------------------------


@of("Pan 1", "Pan 2", "Pan 3")
def test_a_pan_put_down_frees_the_hand_and_serves_later() -> None:
    kitchen = kitchen_of("PAN PAN LW LW LW", pans=(0, 1))
    kitchen.act("pan", 1)
    assert kitchen.hand() == ["LW", "LW", "LW", "PAN"]
    assert kitchen.faces(kitchen.table.pans[A]) == ["PAN"]
    assert kitchen.told("pan")[0].data == {"seat": A, "empty": 1}
    kitchen.lapse()
    kitchen.act("cook", "LW", "LW LW LW")
    assert (kitchen.table.pans[A], kitchen.hand()) == ([], ["PAN"])


@of("Pan 1")
def test_without_a_pan_in_the_hand_none_is_put_down() -> None:
    assert kitchen_of("LW LW").act_of("pan")[1].why_not == "there is no pan in the hand"
    assert kitchen_of("N-LW").act_of("pan")[1].why_not == "there is no pan in the hand", "a night card is none"


@of("Hidden 5")
def test_a_known_pan_is_put_down_before_a_hidden_one() -> None:
    kitchen = Kitchen(hands=("LW PAN", ""), closed=("PAN TE", ""))
    (part,) = kitchen.act_of("pan")[1].parts
    assert kitchen.faces(part.of) == ["PAN"]
    assert part.of[0] in kitchen.game.faces
    kitchen = Kitchen(hands=("LW N-LW", ""), closed=("PAN TE", ""))
    part = kitchen.act_of("pan")[1].parts[0]
    assert kitchen.faces(part.of) == ["PAN", "TE"], "whoever looks on cannot tell"
    assert kitchen.why("pan", 2) == "that is not a pan"
    kitchen.act("pan", 1)
    assert kitchen.faces(kitchen.table.pans[A]) == ["PAN", "PAN"]


# -- hidden cards --------------------------------------------------------------------------------------------------


@of("Ruling 7")
def test_hidden_cards_are_opened_with_the_choice_and_judged_then() -> None:
    kitchen = Kitchen(hands=("LW LW", ""), closed=("LW TE", ""))
    bad = kitchen.pick("cook", "LW", "LW LW TE")
    assert kitchen.run.refusal(A, bad) == "", "the others cannot judge it yet"
    kitchen.run.answer({A: bad})
    with pytest.raises(IllegalDecision, match="mushrooms of one kind") as caught:
        kitchen.settle()
    assert caught.value.seat == A
    kitchen = Kitchen(hands=("LW LW", ""), closed=("LW TE", ""))
    kitchen.act("cook", "LW", "LW LW LW")
    assert kitchen.hand() == ["TE"]
    assert kitchen.table.hands[A][0] not in kitchen.game.faces


@of("Hidden 5")
def test_of_equal_mushrooms_the_known_ones_are_cooked_and_sold_first() -> None:
    first = "of equal cards those go first that everybody has seen"
    kitchen = Kitchen(hands=("LW LW LW", ""), closed=("LW TE", ""), pile="LW LW")
    cook, kind = kitchen.act_of("cook")[0], list(KINDS).index("LW")
    assert kitchen.menu.why_not(kitchen.run.look(A), cook, (kind, (0, 1, 3))) == first
    assert kitchen.menu.why_not(kitchen.run.look(A), cook, (kind, (0, 1, 2))) == ""
    sell = kitchen.act_of("sell")[0]
    assert kitchen.menu.why_not(kitchen.run.look(A), sell, (kind, (0, 3))) == first
    kitchen.run.answer({A: Choice(sell, (kind, (0, 3)))})
    with pytest.raises(IllegalDecision, match="everybody has seen"):
        kitchen.settle()


@of("Ruling 9")
def test_what_everybody_can_see_to_be_impossible_is_refused_by_everybody() -> None:
    kitchen = Kitchen(hands=("LW LW", ""), closed=("TE", "TE SH"))
    kinds = {kind: kitchen.menu.why_not(kitchen.run.look(), 2, (pick,)) for pick, kind in enumerate(KINDS)}
    assert kinds == {kind: "" if kind == "LW" else THREE for kind in KINDS}, "one hidden card might be a third"
    assert kitchen.run.refusal(A, kitchen.pick("cook", "TE", "LW LW TE")) == THREE
    kitchen.lapse()
    assert kitchen.act_of("cook")[1].why_not == THREE
    assert kitchen.act_of("sell")[1].why_not == ""
    assert kitchen.asked == [B]
    assert kitchen.offers("sell") == set()


def test_hidden_night_cards_could_be_two_of_any_kind_but_morels() -> None:
    kitchen = Kitchen(hands=("LW MO N-TE N-CH", ""))
    kinds = {kind: kitchen.menu.why_not(kitchen.run.look(), 2, (pick,)) for pick, kind in enumerate(KINDS)}
    assert kinds == {kind: "" if kind == "LW" else THREE for kind in KINDS}
