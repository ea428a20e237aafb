"""Choosing part by part: numbers, words, clicks; back, why not, several things, confirmation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.presenter import Presenter
from client.render.base import CANDIDATE, PICKED
from engines.menus import Act, Card, Choice, Look, Menu, One, Some

from .toys import MENU, look, presenter


def labels(p: Presenter) -> list[str]:
    """What is offered, as it reads."""
    return [str(item) for item in p.items]


def test_only_what_is_possible_is_offered_under_steady_numbers() -> None:
    assert labels(presenter()) == ["1 pass", "2 put stone", "4 meld", "5 order", "6 explode"]


def test_an_act_without_parts_is_a_choice_at_once() -> None:
    assert presenter().type("1").choice == Choice(0)
    assert presenter().type("pass").choice == Choice(0)
    assert presenter().type("PA").choice == Choice(0)


def test_parts_are_asked_one_by_one() -> None:
    p = presenter()
    assert p.type("put") == presenter().type("2")
    assert p.question == "put stone card?"
    assert not p.type("2").note
    assert p.question == "put stone place?"
    assert labels(p) == ["1 one", "2 three"]
    assert p.type("2").choice == Choice(1, (1, 2))


def test_equal_labels_are_one_item_and_numbers_mean_what_they_say() -> None:
    p = presenter()
    p.type("put")
    assert labels(p) == ["1", "2", "3"]
    p.type("3")
    assert p.type("one").choice == Choice(1, (0, 0))


def test_several_words_in_one_line() -> None:
    assert presenter().type("put 2 three").choice == Choice(1, (1, 2))
    assert presenter().type("2 1 one").choice == Choice(1, (3, 0))
    assert presenter().type("put stone 3 one").choice == Choice(1, (0, 0))


def test_a_line_that_fails_changes_nothing() -> None:
    p = presenter()
    reply = p.type("put 2 nonsense")
    assert reply.choice is None
    assert "nonsense" in reply.note
    assert p.question == "what?"
    assert "too many" in p.type("pass now").note
    assert p.question == "what?"


def test_what_is_impossible_says_why() -> None:
    p = presenter()
    assert p.type("build").note == "build: there is no wood"
    assert p.type("3").note == "build: there is no wood"
    assert p.type("put 2 two").note == "two: two is taken"
    assert "not possible: build: there is no wood" in p.type("?").note
    assert p.type("? meld").note == "that can be chosen: 4 meld"
    everything = presenter(Menu((Act("pass"), Act("pay"))))
    assert everything.type("?").note == "everything that there is can be chosen"


def test_why_not_can_be_asked_by_number() -> None:
    p = presenter()
    assert p.type("? 3").note == p.type("? build").note == "not possible: build: there is no wood"
    assert p.type("?3").note == p.type("? 3").note
    assert p.type("? 4").note == "that can be chosen: 4 meld"
    assert p.type("? 9").note == "“9” is not here; ? tells all that is not possible"
    assert p.type("? xyz").note == "“xyz” is not here; ? tells all that is not possible"


def test_an_unclear_word_names_what_it_could_be() -> None:
    menu = Menu((Act("pass"), Act("pay")))
    assert presenter(menu).type("pa").note == "“pa” could be: pass, pay"


@pytest.mark.parametrize(
    ("line", "choice"),
    [("take b", Choice(0, (1,))), ("take pile", Choice(1)), ("take x", Choice(2, (0,))), ("ta 2", Choice(0, (1,)))],
)
def test_the_rest_of_a_line_tells_which_act_is_meant(line: str, choice: Choice) -> None:
    acts = (Act("take one", (One("card", ("a", "b")),)), Act("take pile"), Act("take two", (One("row", ("x",)),)))
    assert presenter(Menu(acts)).type(line).choice == choice


def test_a_line_that_could_still_be_two_acts_is_asked_back() -> None:
    menu = Menu((Act("put up", (One("card", ("a", "b")),)), Act("put down", (One("card", ("a", "c")),)), Act("pass")))
    p = presenter(menu)
    for line in ("put a", "put x", "put"):
        assert p.type(line).note == "“put” could be: put up, put down"
        assert p.question == "what?"
    assert p.type("put c").choice == Choice(1, (1,))
    assert presenter(menu).type("put b").choice == Choice(0, (1,))


def test_back_goes_one_part_back() -> None:
    p = presenter()
    assert not p.back()
    p.type("put 2")
    assert p.back()
    assert p.question == "put stone card?"
    assert p.type("back").note == ""
    assert p.question == "what?"
    assert p.type("back").note == "this is the beginning"


def test_a_single_act_is_not_asked_for() -> None:
    p = presenter(Menu((Act("go", (One("place", ("here", "there")),)),)))
    assert p.question == "go place?"
    assert not p.back()
    assert p.type("there").choice == Choice(0, (1,))


def test_several_things_are_toggled() -> None:
    p = presenter()
    p.type("meld")
    assert p.type("").note == "at least 1 wanted, 0 chosen"
    p.choose(1)
    p.choose(3)
    assert [item.chosen for item in p.items] == [True, False, True, False]
    assert p.marks == {
        ("at", Card(1)): PICKED,
        ("at", Card(2)): CANDIDATE,
        ("at", Card(3)): PICKED,
        ("at", Card(4)): CANDIDATE,
    }
    p.click(("at", Card(2)))
    assert p.choose(4).note == "no more than 3; pick one again to put it back"
    assert p.question == "meld cards? (3 chosen, 1 to 3 wanted; not yet: 7 points are more than 5)"
    assert p.type("done").note == "7 points are more than 5"
    p.choose(1)
    assert p.type("").choice == Choice(3, ((1, 2),))


def test_what_is_wrong_with_a_selection_stands_beside_the_count() -> None:
    p = presenter()
    p.type("meld")
    assert p.question == "meld cards? (0 chosen, 1 to 3 wanted; Enter when done)"
    p.type("1 4")
    assert p.question == "meld cards? (2 chosen, 1 to 3 wanted; Enter when done)"
    p.type("2")
    assert p.question.endswith("(3 chosen, 1 to 3 wanted; not yet: 6 points are more than 5)")


@pytest.mark.parametrize("line", ["meld 1,4 done", "meld 1, 4 done", "meld 1 ,4 ok", "4,1,4 done", "4, 1, 4, ok"])
def test_numbers_may_have_commas_between_them(line: str) -> None:
    assert presenter().type(line).choice == Choice(3, ((0, 3),))


def test_signs_of_the_picture_are_understood() -> None:
    p = presenter()
    p.words.SIGNS = {"#": "left"}  # type: ignore[attr-defined]  # as a render module may have them
    assert p.type("explode # yes").choice == Choice(5, (0,))


def test_only_so_many_are_wanted_as_fit_together() -> None:
    def no_few(_: Look, cards: tuple[int, ...]) -> str:
        return "" if 2 <= sum(cards) <= 7 else "not two to seven"

    def no_four(_: Look, number: int) -> str:
        return "no four" if number == 4 else ""

    def asked(part: Some) -> str:
        return presenter(Menu((Act("pick", (part,)),))).question

    assert "2 to 3 wanted" in asked(
        Some("numbers", (1, 1, 1, 4, 6), 2, 5, each=lambda _, n: "too big" if n > 1 else "")
    )
    assert "1 to 4 wanted" in asked(Some("numbers", (1, 1, 1, 4, 6), 0, 5, no_few))
    assert "1 to 2 wanted" in asked(Some("numbers", (1, 4, 4, 6), 1, 4, no_few, each=no_four, ordered=True))
    assert "0 to 20 wanted" in asked(Some("numbers", range(20), 0, 20))


def test_several_things_in_one_line_and_in_order() -> None:
    assert presenter().type("meld 1 4 done").choice == Choice(3, ((0, 3),))
    assert presenter().type("order z x done").choice == Choice(4, ((2, 0),))
    p = presenter()
    p.type("order z")
    assert p.back()
    assert not any(item.chosen for item in p.items)
    assert p.question.startswith("order cards? (0 chosen, 2 wanted")


def test_a_grave_choice_is_confirmed() -> None:
    p = presenter()
    assert p.type("explode left").choice is None
    assert p.question == "Boom left. Really?"
    assert labels(p) == ["1 yes", "2 no"]
    assert p.type("no").choice is None
    assert p.question == "explode side?"
    assert p.type("left yes").choice == Choice(5, (0,))


def test_improper_acts_have_to_be_typed_in_full_and_confirmed() -> None:
    p = presenter()
    assert "no choice here" in p.type("gra").note
    assert "against the rules, but possible: grab" in p.type("?").note
    assert not p.type("grab").note
    assert not p.type("1").note
    assert "against the rules" in p.question
    assert p.type("yes").choice == Choice(6, (3,))


def test_clicks() -> None:
    p = presenter()
    p.type("put 2")
    assert p.click(("at", "two")).note == "two: two is taken"
    assert p.click(("at", "nowhere")).choice is None
    assert p.click(("at", "one")).choice == Choice(1, (1, 0))
    assert "no choice 77" in presenter().choose(77).note


def test_completion() -> None:
    p = presenter()
    assert p.completions("pu") == ["put stone"]
    assert p.completions("st") == ["stone"]
    p.type("put 2")
    assert p.completions("t") == ["three"]


@given(st.lists(st.sampled_from([*"123456789", "?", "", "back", "put", "meld", "done", "no", "yes", "two", "grab"])))
def test_no_input_leads_astray(lines: list[str]) -> None:
    p = presenter()
    for line in lines:
        reply = p.type(line)
        if reply.choice is not None:
            assert MENU.judge(look, reply.choice) == ""
            break
        assert p.question
    while p.back():
        pass
    assert p.question == "what?"


@pytest.mark.parametrize("line", ["é", "٣", "²", "-1", "1.5", "🇪🇸", "x" * 5000])
def test_odd_input_is_refused_in_words(line: str) -> None:
    reply = presenter().type(line)
    assert reply.choice is None
    assert reply.note


def test_commas_between_words_are_read_like_spaces() -> None:
    for line in ("put, 2, three", "put,2,three", "put stone , 2 , three,", "2, 2, three"):
        assert presenter().type(line).choice == Choice(1, (1, 2)), line
    p, q = presenter(), presenter()
    p.type("meld")
    q.type("meld")
    assert p.type("2,3,") == q.type("2 3")
    assert p.question == q.question
    assert "nonsense" in presenter().type("put, nonsense").note


def test_a_comma_of_a_label_can_be_typed() -> None:
    menu, toy = Menu((Act("second, they choose"), Act("second, you choose"))), presenter()
    for line in ("second, you choose", "SECOND, you"):
        assert Presenter(menu, toy.scene, toy.words).type(line).choice == Choice(1), line
