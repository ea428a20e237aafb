"""Menus: parts, looks, offers and the verdict on a choice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.chance import Chance
from engines.menus import Act, Card, Choice, Decision, Face, Hidden, Illegal, Look, Menu, One, Some

CARDS = tuple(Card(i) for i in range(4))
FACES = dict(zip(CARDS, "1234", strict=True))


def look_at(*known: Card) -> Look:
    def look(card: Card) -> Face:
        if card not in known:
            raise Hidden(repr(card))
        return FACES[card]

    return look


ALL, NONE = look_at(*CARDS), look_at()


def even(look: Look, card: Card) -> str:
    return "" if int(look(card)) % 2 == 0 else "odd cards stay in the hand"


def far(look: Look, card: Card, tile: int) -> str:
    return "" if tile <= int(look(card)) else "too far for this card"


MOVE = Act("move", (One("card", CARDS, even), One("tile", range(6), far)), shows=("card",))
GIVE = Act("give", (Some("cards", CARDS, 1, 2, lambda look, cards: "" if len(cards) < 2 else "only one today"),))
SHUT = Act("shut", why_not="the shop is closed")
MENU = Menu((MOVE, GIVE, Act("pass"), SHUT, Act("shout", improper=True)), Choice(2))


def test_a_card_is_a_number_that_says_nothing() -> None:
    assert repr(Card(7)) == "#7"
    assert Card(7) == 7


@pytest.mark.parametrize("pick", [-1, 4, 1.0, True, "1", None, [1], (0,)])
def test_one_refuses_what_is_not_an_index(pick: object) -> None:
    with pytest.raises(Illegal, match="no such thing"):
        One("card", CARDS).parse(pick)


@pytest.mark.parametrize("pick", [(), (0, 1, 2), (0, 0), (1, 0), (0, 9), (-1, 0), ("0",), (True,), 3, "01", None, {0}])
def test_some_refuses_what_is_not_a_pick(pick: object) -> None:
    with pytest.raises(Illegal):
        Some("cards", CARDS, 1, 2).parse(pick)


def test_order_counts_only_where_it_counts() -> None:
    assert Some("cards", CARDS, 2, 2, ordered=True).parse([1, 0]) == (1, 0)
    assert list(Some("c", CARDS, 2, 2).picks()) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert len(list(Some("c", CARDS, 2, 2, ordered=True).picks())) == 12
    assert list(Some("c", CARDS, 0, 1).picks()) == [(), (0,), (1,), (2,), (3,)]
    assert list(Some("c", CARDS[:1], 2, 3).picks()) == []


def test_picks_are_lazy() -> None:
    assert next(Some("cards", range(4096), 4000, 4096).picks())[:2] == (0, 1)


@pytest.mark.parametrize(
    ("act", "picks"),
    [(-1, ()), (5, ()), ("0", ()), (True, ()), (0, (0,)), (0, (0, 0, 0)), (0, "00"), (0, None), (2, (1,)), (None, ())],
)
def test_a_choice_that_is_not_of_this_menus_form_is_refused(act: object, picks: object) -> None:
    with pytest.raises(Illegal):
        MENU.parse(act, picks)


def test_a_choice_of_the_right_form_becomes_a_decision() -> None:
    choice = MENU.parse(0, [1, 2])
    assert choice == Choice(0, (1, 2))
    decision = MENU.decision(choice)
    assert (decision.verb, decision.card, decision.tile) == ("move", CARDS[1], 2)
    assert repr(decision) == "Decision('move', {'card': #1, 'tile': 2})"
    with pytest.raises(AttributeError):
        _ = decision.nothing
    assert MENU.decision(MENU.parse(1, [[0, 3]])).cards == (CARDS[0], CARDS[3])


def test_shown_cards_are_those_of_the_parts_named() -> None:
    assert MENU.shown(Choice(0, (1, 2))) == (CARDS[1],)
    assert MENU.shown(Choice(1, ((0, 1),))) == ()
    both = Menu((Act("give", GIVE.parts, shows=("cards",)),))
    assert both.shown(Choice(0, ((0, 2),))) == (CARDS[0], CARDS[2])


def test_a_look_judges_what_it_sees_and_leaves_the_rest_for_later() -> None:
    good, odd, too_far = Choice(0, (1, 2)), Choice(0, (0, 0)), Choice(0, (1, 5))
    assert [MENU.judge(ALL, choice) for choice in (good, odd, too_far)] == [
        "",
        "odd cards stay in the hand",
        "too far for this card",
    ]
    assert [MENU.judge(NONE, choice) for choice in (good, odd, too_far)] == ["", "", ""]
    with pytest.raises(Hidden):
        MENU.judge(NONE, good, final=True)
    assert MENU.judge(look_at(CARDS[1]), too_far, final=True) == "too far for this card"


def test_an_act_that_is_explained_only_is_never_legal() -> None:
    assert MENU.judge(ALL, Choice(3)) == "the shop is closed"
    assert MENU.why_not(ALL, 3) == "the shop is closed"


def test_a_hidden_card_does_not_hide_the_verdict_on_what_is_public() -> None:
    def small(_: Look, card: Card, tile: int) -> str:
        return "" if tile < 3 else "too big for anybody"

    menu = Menu((Act("move", (One("card", CARDS, even), One("tile", range(6), small))),))
    assert menu.judge(NONE, Choice(0, (0, 5))) == "too big for anybody"
    assert menu.judge(NONE, Choice(0, (0, 2))) == ""


def test_options_go_step_by_step_with_reasons() -> None:
    acts = MENU.options(ALL)
    assert [(option.value.verb, option.why_not) for option in acts] == [
        ("move", ""),
        ("give", ""),
        ("pass", ""),
        ("shut", "the shop is closed"),
        ("shout", ""),
    ]
    assert [(o.value, o.why_not) for o in MENU.options(ALL, (0,))] == [
        (CARDS[0], "odd cards stay in the hand"),
        (CARDS[1], ""),
        (CARDS[2], "odd cards stay in the hand"),
        (CARDS[3], ""),
    ]
    assert [o.why_not == "" for o in MENU.options(ALL, (0, 1))] == [True, True, True, False, False, False]
    assert MENU.options(ALL, (0, 1, 2)) == []
    assert [o.value for o in MENU.options(ALL, (1,))] == list(CARDS)
    assert MENU.why_not(ALL, 1, ((0, 1),)) == "only one today"
    assert MENU.options(ALL, (2,)) == []


def test_an_act_with_a_dead_end_says_why() -> None:
    stuck = Menu((Act("move", (One("card", CARDS[:1], even), One("tile", range(3)))), Act("none", (One("x", ()),))))
    assert stuck.why_not(ALL, 0) == "odd cards stay in the hand"
    assert stuck.why_not(ALL, 1) == "none: there is nothing to choose"
    narrow = Menu((Act("move", (One("card", CARDS), One("tile", [9], far))),))
    assert narrow.why_not(ALL, 0, (3,)) == "too far for this card"


def test_choices_are_all_that_is_legal_and_improper_ones_only_when_asked_for() -> None:
    legal = list(MENU.choices(ALL))
    assert Counter(choice.act for choice in legal) == {0: 3 + 5, 1: 4, 2: 1}
    assert all(MENU.judge(ALL, choice) == "" for choice in legal)
    assert {choice.act for choice in MENU.choices(ALL, improper=True)} == {0, 1, 2, 4}
    assert next(Menu((Act("x", (Some("s", range(4000), 2000, 4000),)),)).choices(ALL)).act == 0


def test_samples_are_legal_and_reach_everything() -> None:
    chance = Chance(bytes(32))
    seen = {MENU.sample(chance, ALL) for _ in range(400)}
    assert seen == set(MENU.choices(ALL))
    assert any(MENU.sample(chance, ALL, improper=True).act == 4 for _ in range(60))


def test_a_sample_goes_back_where_nothing_fits() -> None:
    def pair(_: Look, a: int, b: int) -> str:
        return "" if (a, b) == (17, 4) else "no"

    menu = Menu(
        (Act("rare", (One("a", range(30)), One("b", range(30), pair))), Act("shut", why_not="no")), Choice(0, (17, 4))
    )
    assert menu.sample(Chance(bytes(32)), ALL) == Choice(0, (17, 4))


def test_a_rare_pick_of_some_is_found_and_without_any_the_lapse_is_left() -> None:
    def rare(_: Look, cards: tuple[int, ...]) -> str:
        return "" if cards == (1, 4, 7, 8) else "no"

    menu = Menu((Act("snap", (Some("cards", range(10), 0, 10, rare),)),))
    assert menu.sample(Chance(bytes(32)), ALL) == Choice(0, ((1, 4, 7, 8),))
    never = Menu((Act("snap", (Some("cards", range(3), 5, 6),)), Act("pass", why_not="no")), Choice(1))
    assert never.sample(Chance(bytes(32)), ALL) == Choice(1)


def test_a_decision_holds_no_more_than_its_values() -> None:
    values: dict[str, Any] = {"card": CARDS[0]}
    assert Decision("x", values).values == values


def test_what_cannot_be_among_some_is_not_offered_and_not_accepted() -> None:
    def same(look: Look, odd: int, card: Card) -> str:
        return "" if int(look(card)) % 2 == odd else "of the other sort"

    def sum_to(look: Look, odd: int, cards: tuple[Card, ...]) -> str:
        return "" if sum(int(look(card)) for card in cards) > 3 else "too little"

    give = Act("give", (One("odd", range(2)), Some("cards", CARDS, 1, 4, sum_to, each=same)), shows=("cards",))
    menu = Menu((give, Act("pass")), Choice(1))
    assert [o.why_not for o in menu.options(ALL, (0, 1))] == ["", "of the other sort", "", "of the other sort"]
    legal = {Choice(0, (1, (0, 2))), Choice(0, (0, (3,))), Choice(0, (0, (1, 3)))}
    assert set(menu.choices(ALL)) == {*legal, Choice(1)}
    assert {menu.sample(Chance(bytes([i]) * 32), ALL) for i in range(60)} == {*legal, Choice(1)}
    assert menu.judge(ALL, Choice(0, (0, (0, 3)))) == menu.why_not(ALL, 0, (0, (0, 3))) == "of the other sort"
    assert menu.judge(ALL, Choice(0, (0, (1,)))) == "too little"
    hidden = look_at(CARDS[3])
    assert menu.judge(hidden, Choice(0, (0, (0, 3)))) == "", "to be judged when the first is open"
    assert menu.judge(hidden, Choice(0, (1, (3,)))) == "of the other sort"
    assert [o.why_not for o in menu.options(hidden, (0, 1))] == ["", "", "", "of the other sort"]
    with pytest.raises(Hidden):
        menu.judge(hidden, Choice(0, (0, (0, 3))), final=True)
    few = Menu((Act("give", (Some("cards", CARDS, 3, 4, each=lambda look, card: same(look, 1, card)),)),))
    assert few.why_not(ALL, 0) == "of the other sort"


def test_what_is_not_possible_says_why_whatever_is_chosen_for_it() -> None:
    """The rule's reason, not that the form is wrong: the rule may have left nothing to choose."""
    shut = Act("shut", (Some("cards", (), 1, 0),), why_not="the shop is closed")
    tries: list[object] = [[[0]], [[]], [], None]
    for picks in tries:
        with pytest.raises(Illegal, match="the shop is closed"):
            Menu((shut, Act("pass")), Choice(1)).parse(0, picks)
