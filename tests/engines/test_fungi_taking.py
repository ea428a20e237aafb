"""Fungi: taking from the forest and from the decay pile, and what baskets, moons and fly agarics do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.fungi_positions import A, B, Kitchen, of

FULL = "HF HF HF HF TE TE TE TE"
FULL_HAND = "the hand is full: it holds 8 cards, and nothing is discarded to make room"
FAR = "each space beyond the first 2 costs a stick, and there are not enough"


def too_much(room: int) -> str:
    """Why a decay pile stays where it is."""
    return f"all of the decay pile or nothing, and it is too much: the hand may hold {room} then"


# -- a) the forest -------------------------------------------------------------------------------------------------


@of("Turn 1", "Ruling 9", "Clean-up 9")
def test_a_turn_is_one_action_or_none_and_then_it_is_the_others() -> None:
    kitchen = Kitchen(hands=("HF HF HF PAN", "TE TE PAN"))
    turns: list[tuple[int, tuple[Any, ...]]] = [
        (A, ("take", 1)),
        (B, ("take", 2)),
        (A, ("cook", "HF", "HF HF HF")),
        (B, ("sell", "TE", "TE TE")),
        (A, ("pan", 1)),
        (B, ("decay",)),
        (A, ("pass",)),
    ]
    for number, (seat, words) in enumerate(turns):
        assert kitchen.asked == [seat]
        assert kitchen.told("turn")[-1].data == {"seat": seat, "turn": number + 1}
        kitchen.act(*words)
    assert kitchen.asked == [B]
    assert kitchen.told("passed")[0].data == {"seat": A}


@of("Ruling 9")
def test_silence_is_passing_and_the_forest_moves_on() -> None:
    kitchen = Kitchen(hands=("HF HF HF", ""), forest="BB HF HF HF HF HF HF CH", pile="MO")
    kitchen.lapse()
    assert (kitchen.forest, kitchen.decay) == ("HF HF HF HF HF HF CH MO", "BB")
    assert kitchen.hand() == ["HF", "HF", "HF"]


@of("Take 1", "Take 2", "Take 7")
def test_one_of_the_two_cards_at_the_feet_costs_nothing() -> None:
    for space in (1, 2):
        kitchen = Kitchen(forest="BB CH HF HF HF HF HF HF")
        assert kitchen.offers("take") == {1, 2}
        kitchen.act("take", space)
        assert kitchen.hand() == [("BB", "CH")[space - 1]]
        assert kitchen.told("took")[0].data == {"seat": A, "face": kitchen.hand()[0], "space": space, "sticks": 0}


@of("Take 7", "Take 8", "Take 9", "Take 10", "Take 11", "Ruling 3")
@pytest.mark.parametrize("sticks", range(9))
def test_each_space_beyond_costs_a_stick_the_furthest_six(sticks: int) -> None:
    kitchen = Kitchen(forest="HF HF HF HF HF HF HF MO", sticks=(sticks, 0))
    assert kitchen.offers("take") == set(range(1, min(8, 2 + sticks) + 1))
    if sticks < 6:
        assert kitchen.why("take", 8) == FAR
    else:
        kitchen.act("take", 8)
        assert kitchen.hand() == ["MO"]
        assert kitchen.table.sticks[A] == sticks - 6


@of("Ruling 3", "Ruling 10", "Clean-up 3", "Example 2")
def test_example_2_the_fifth_card() -> None:
    kitchen = Kitchen(forest="HF TE LW SH HW BB PO CH", pile="MO PAN", sticks=(3, 0))
    assert kitchen.why("take", 6) == FAR
    kitchen.act("take", 5)
    assert (kitchen.hand(), kitchen.table.sticks[A]) == (["HW"], 0)
    assert (kitchen.decay, kitchen.forest) == ("HF", "TE LW SH BB PO CH MO PAN")


@of("Take 3", "Ruling 4")
@pytest.mark.parametrize(("held", "baskets", "full"), [(7, 0, False), (8, 0, True), (9, 1, False), (10, 1, True)])
def test_eight_cards_and_two_more_for_each_basket(held: int, baskets: int, full: bool) -> None:
    hand = " ".join((["HF"] * 8 + ["TE"] * 4)[:held])
    kitchen = Kitchen(hands=(hand, ""), forest="BB BB CH CH CH CH MO MO", baskets=(baskets, 0))
    assert kitchen.table.limit(A) == 8 + 2 * baskets
    assert (kitchen.why("take", 1) != "") == full
    assert kitchen.offers("discard") == set(), "no card is discarded to make room"


@of("Take 3", "Take 4", "Take 5", "Take 6", "Ruling 4")
def test_a_basket_goes_to_the_display_and_makes_room_for_two() -> None:
    kitchen = Kitchen(hands=(FULL, ""), forest="BSK BB CH HF HF HF HF HF")
    kitchen.act("take", 1)
    assert kitchen.faces(kitchen.table.baskets[A]) == ["BSK"]
    assert (len(kitchen.table.hands[A]), kitchen.table.limit(A), kitchen.table.limit(B)) == (8, 10, 8)
    assert kitchen.told("basket")[0].data == {"seat": A, "count": 1, "limit": 10}
    kitchen.lapse()
    kitchen.act("take", 1)
    assert len(kitchen.table.hands[A]) == 9


@of("Take 3", "Take 12", "Take 17", "Ruling 4", "Ruling 5", "Example 3")
def test_example_3_what_a_full_hand_may_take() -> None:
    def full(**more: Any) -> Kitchen:
        return Kitchen(hands=(FULL, ""), forest="BSK MOON FLY HF HF HF PAN PAN", sticks=(2, 0), **more)

    assert full().why("take", 1) == full().why("take", 3) == ""
    assert full().why("take", 2) == full().why("take", 4) == FULL_HAND
    kitchen = full()
    kitchen.act("take", 1)
    assert kitchen.table.limit(A) == 10
    kitchen = full(night_cards=0)
    kitchen.act("take", 2)
    assert len(kitchen.table.hands[A]) == 8
    assert kitchen.discards == ["MOON"]
    assert kitchen.told("night")[0].cards == 0
    kitchen = full()
    kitchen.act("take", 3)
    assert (kitchen.asked, kitchen.menu.acts[0].verb) == ([A], "discard")
    kitchen.act("discard", "HF HF TE HF")
    assert kitchen.hand() == ["HF", "TE", "TE", "TE"]


# -- moons ---------------------------------------------------------------------------------------------------------


@of("Take 12", "Take 13", "Take 14")
def test_a_moon_is_discarded_for_a_night_card() -> None:
    kitchen = Kitchen(hands=("CH", ""), forest="MOON HF HF HF HF HF HF HF", nights="N-CH")
    kitchen.act("take", 1)
    assert kitchen.discards == ["MOON"]
    assert kitchen.hand() == ["CH", "N-CH"], "two mushrooms in the room of one"
    card = kitchen.table.hands[A][-1]
    assert card in kitchen.run.known[A]
    assert card not in kitchen.run.known[B]
    assert card not in kitchen.game.faces
    assert kitchen.told("night")[0].data == {"seat": A, "moons": 1, "cards": 1, "left": 7}
    kitchen.lapse()
    kitchen.act("cook", "CH", "CH N-CH")
    assert kitchen.table.points(A) == 16, "and they enhance the dish"


# -- fly agarics ---------------------------------------------------------------------------------------------------


@of("Take 15", "Take 17", "Ruling 5")
def test_a_fly_agaric_leaves_room_for_four_and_the_owner_chooses_what_goes() -> None:
    kitchen = Kitchen(hands=("HF HF TE TE SH SH", ""), forest="FLY HF HF HF HF HF HF HF")
    kitchen.act("take", 1)
    assert kitchen.table.limit(A) == 4
    assert kitchen.told("fly")[0].data == {"seat": A, "count": 1, "limit": 4}
    (part,) = kitchen.menu.acts[0].parts
    assert (part.low, part.high) == (2, 2), "exactly the surplus"  # type: ignore[union-attr]
    kitchen.act("discard", "HF SH")
    assert kitchen.hand() == ["HF", "SH", "TE", "TE"]
    assert kitchen.discards == ["HF", "SH"]
    assert kitchen.told("discarded")[0].data == {"seat": A, "faces": ("HF", "SH")}


@of("Take 15", "Ruling 4", "Ruling 5")
@pytest.mark.parametrize(("held", "baskets", "surplus"), [(4, 0, 0), (5, 0, 1), (6, 1, 0), (9, 1, 3), (8, 2, 0)])
def test_baskets_still_count_with_a_fly_agaric(held: int, baskets: int, surplus: int) -> None:
    hand = " ".join((["HF"] * 7 + ["TE"] * 3)[:held])
    kitchen = Kitchen(hands=(hand, ""), forest="FLY TE TE TE TE TE LW LW", baskets=(baskets, 0))
    kitchen.act("take", 1)
    assert kitchen.table.limit(A) == 4 + 2 * baskets
    if surplus:
        assert kitchen.asked == [A]
        kitchen.lapse()
    assert kitchen.asked == [B]
    assert len(kitchen.table.hands[A]) == held - surplus


@of("Take 16", "Ruling 5")
def test_a_fly_agaric_leaves_at_the_end_of_its_owners_next_turn() -> None:
    kitchen = Kitchen(hands=("HF HF HF HF", ""), forest="FLY TE TE TE TE TE LW LW")
    kitchen.act("take", 1)
    kitchen.lapse()
    assert kitchen.table.limit(A) == 4
    assert kitchen.why("take", 1) == FULL_HAND.replace("8", "4"), "it counts during that turn"
    kitchen.lapse()
    assert kitchen.table.limit(A) == 8
    assert kitchen.faces(kitchen.table.flies[A]) == []
    assert "FLY" in kitchen.discards
    assert kitchen.told("fly_gone")[0].data == {"seat": A, "count": 1, "limit": 8}
    kinds = [event.kind for event in kitchen.events]
    gone = kinds.index("fly_gone")
    assert kinds[gone - 1 : gone + 2] == ["passed", "fly_gone", "decayed"], "before the clean-up"


@of("Ruling 4", "Ruling 5")
def test_each_fly_agaric_has_its_own_clock_and_a_second_one_costs_nothing_more() -> None:
    kitchen = Kitchen(hands=("HF HF HF HF HF", ""), forest="FLY TE TE FLY TE TE LW LW")
    kitchen.act("take", 1)
    kitchen.act("discard", "HF")
    kitchen.lapse()
    assert kitchen.forest.startswith("FLY")
    kitchen.act("take", 1)
    assert kitchen.asked == [B], "nothing to discard"
    assert len(kitchen.table.flies[A]) == 1, "the older one is gone"
    assert kitchen.table.limit(A) == 4
    kitchen.lapse()
    kitchen.lapse()
    assert (kitchen.table.flies[A], kitchen.table.limit(A)) == ([], 8)


@of("Ruling 5")
def test_silence_discards_the_oldest_that_everybody_knows_first() -> None:
    kitchen = Kitchen(hands=("N-CH HF TE LW", ""), closed=("SH PO", ""), forest="FLY MO MO MO TE TE LW LW")
    kitchen.act("take", 1)
    kitchen.lapse()
    assert kitchen.discards == ["HF", "TE"]
    kitchen = Kitchen(hands=("N-CH HF", ""), closed=("SH PO BB", ""), forest="FLY MO MO MO TE TE LW LW", sticks=(0, 0))
    kitchen.act("take", 1)
    kitchen.lapse()
    assert kitchen.discards == ["HF"]
    kitchen = Kitchen(hands=("N-CH HF N-PO", ""), closed=("SH PO BB", ""), forest="FLY MO MO MO TE TE LW LW")
    kitchen.act("take", 1)
    kitchen.lapse()
    assert kitchen.discards == ["HF", "SH"]


@of("Hidden 5")
def test_of_equal_cards_the_known_ones_are_spent_first() -> None:
    kitchen = Kitchen(hands=("HF HF TE", ""), closed=("HF HF TE", ""), forest="FLY MO MO MO TE TE LW LW")
    kitchen.act("take", 1)
    known = kitchen.table.hands[A][:3]
    picks = {pick: kitchen.menu.why_not(kitchen.run.look(A), 0, (pick,)) for pick in [(0, 1), (0, 3), (2, 3), (3, 4)]}
    assert picks[0, 1] == ""
    assert picks[0, 3] == picks[2, 3] == picks[3, 4] == "of equal cards those go first that everybody has seen"
    kitchen.act("discard", "HF TE")
    assert kitchen.table.discards == [known[0], known[2]]


# -- b) the decay pile ---------------------------------------------------------------------------------------------


@of("Decay 1", "Ruling 6")
def test_all_of_the_decay_pile_is_taken() -> None:
    kitchen = Kitchen(hands=("HF", ""), decay="TE CH PAN")
    kitchen.act("decay")
    assert kitchen.hand() == ["CH", "HF", "PAN", "TE"]
    assert kitchen.told("took_decay")[0].data == {"seat": A, "faces": ("TE", "CH", "PAN")}
    assert kitchen.decay == "HF", "the nearest card of the forest"


@of("Decay 1", "Ruling 6")
def test_an_empty_decay_pile_cannot_be_taken() -> None:
    assert Kitchen().why("decay") == "the decay pile is empty"


@of("Decay 1", "Decay 2", "Ruling 6")
@pytest.mark.parametrize(("decay", "held", "fits"), [("TE", 7, True), ("TE", 8, False), ("TE TE TE TE", 4, True)])
def test_the_hand_limit_is_observed(decay: str, held: int, fits: bool) -> None:
    kitchen = Kitchen(hands=(FULL[: 3 * held], ""), decay=decay, forest="LW LW LW SH SH BB BB BB")
    assert kitchen.why("decay") == ("" if fits else too_much(8))


@of("Decay 2", "Decay 3", "Ruling 6", "Example 4")
def test_example_4_a_basket_of_the_pile_makes_room_at_once() -> None:
    kitchen = Kitchen(hands=(FULL, ""), decay="BSK HF MOON", nights="N-LW", forest="LW LW LW SH SH BB BB BB")
    kitchen.act("decay")
    assert (len(kitchen.table.hands[A]), kitchen.table.limit(A)) == (10, 10)
    assert "N-LW" in kitchen.hand()
    kitchen = Kitchen(hands=(FULL, ""), decay="BSK HF MOON PAN", forest="LW LW LW SH SH BB BB BB")
    assert kitchen.why("decay") == too_much(10)


@of("Decay 2", "Reading 3", "Ruling 6", "Example 5")
def test_example_5_fly_agarics_of_the_pile_come_before_the_hand() -> None:
    def table(held: int, decay: str, rules: str = "rulebook") -> Kitchen:
        hand = "TE TE TE SH SH SH LW LW"[: 3 * held]
        return Kitchen(hands=(hand, ""), decay=decay, rules=rules, forest="LW LW LW BB BB BB PO PO")

    assert table(5, "FLY HF").why("decay") == too_much(4)
    kitchen = table(5, "FLY HF", "published")
    kitchen.act("decay")
    assert "HF" in kitchen.hand(), "hand cards first, then down to the limit, of all of them"
    kitchen.act("discard", "TE TE")
    assert kitchen.hand() == ["HF", "SH", "SH", "TE"]
    kitchen = table(3, "FLY HF")
    kitchen.act("decay")
    assert (kitchen.asked, len(kitchen.table.hands[A])) == ([B], 4)
    kitchen = table(8, "FLY")
    kitchen.act("decay")
    kitchen.act("discard", "TE TE TE SH")
    assert kitchen.hand() == ["LW", "LW", "SH", "SH"]


@of("Ruling 6")
@pytest.mark.parametrize(("held", "fits"), [(5, True), (6, False)])
def test_own_baskets_count_when_the_pile_has_a_fly_agaric(held: int, fits: bool) -> None:
    hand = "TE TE TE SH SH SH"[: 3 * held]
    kitchen = Kitchen(hands=(hand, ""), decay="FLY HF", baskets=(1, 0), forest="LW LW LW BB BB BB PO PO")
    assert kitchen.why("decay") == ("" if fits else too_much(6))


@of("Ruling 6")
def test_the_reason_names_the_limit_that_is_broken() -> None:
    forest = "LW LW LW BB BB BB PO PO"
    assert Kitchen(hands=(FULL, ""), decay="FLY HF", forest=forest).why("decay") == too_much(4)
    assert Kitchen(hands=(FULL, ""), decay="FLY MOON", forest=forest).why("decay") == too_much(8)


@of("Ruling 6")
def test_with_a_fly_agaric_either_nothing_is_discarded_or_nothing_comes_after_it() -> None:
    kitchen = Kitchen(hands=("TE TE TE SH SH SH", ""), decay="FLY BSK", forest="LW LW LW BB BB BB PO PO")
    kitchen.act("decay")
    assert kitchen.asked == [B], "six cards fit: four, and two more with the basket"
    kitchen = Kitchen(hands=("TE TE TE SH SH SH LW", ""), decay="FLY BSK HF", forest="LW LW LW BB BB BB PO PO")
    assert kitchen.why("decay") == too_much(6), "after discarding one, six are in the hand"
    kitchen = Kitchen(
        hands=("TE TE TE", ""), decay="FLY MOON MOON", nights="N-CH N-HF", forest="LW LW LW BB BB BB PO PO"
    )
    kitchen.act("decay")
    assert kitchen.hand() == ["N-CH", "N-HF", "TE", "TE", "TE"], "the night cards are seen before the choice"
    kitchen.act("discard", "N-HF")
    assert kitchen.hand() == ["N-CH", "TE", "TE", "TE"]


@of("Ruling 6")
@pytest.mark.parametrize("rules", ["rulebook", "published"])
def test_the_moons_count_as_the_night_cards_that_are_left(rules: str) -> None:
    seven = "HF HF HF HF TE TE TE"
    kitchen = Kitchen(hands=(seven, ""), decay="MOON MOON", rules=rules)
    assert kitchen.why("decay") == too_much(8)
    kitchen = Kitchen(hands=(seven, ""), decay="MOON MOON", night_cards=1, rules=rules)
    kitchen.act("decay")
    assert len(kitchen.table.hands[A]) == 8
    assert kitchen.told("night")[0].data == {"seat": A, "moons": 2, "cards": 1, "left": 0}
    assert kitchen.discards == ["MOON", "MOON"]


@of("Ruling 6", "Ruling 4")
@pytest.mark.parametrize("rules", ["rulebook", "published"])
def test_with_a_fly_agaric_in_the_display_already_four_is_the_limit(rules: str) -> None:
    kitchen = Kitchen(hands=("TE TE TE", ""), decay="HF HF", flies=(1, 0), rules=rules)
    assert kitchen.why("decay") == too_much(4)
    kitchen = Kitchen(hands=("TE TE TE", ""), decay="HF FLY", flies=(1, 0), rules=rules)
    kitchen.act("decay")
    assert kitchen.asked == [B]
    assert (len(kitchen.table.hands[A]), len(kitchen.table.flies[A])) == (4, 1), "the older one is gone by now"


@of("Ruling 6")
def test_what_has_decayed_without_being_taken_had_no_effect() -> None:
    kitchen = Kitchen(hands=("TE TE TE TE TE", ""), forest="FLY BSK MOON HF HF HF HF HF")
    for _ in range(3):
        kitchen.lapse()
    assert kitchen.decay == "FLY BSK MOON"
    assert (kitchen.table.limit(A), kitchen.table.limit(B), len(kitchen.table.nights)) == (8, 8, 8)
