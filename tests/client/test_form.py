"""The form for a new table: what is typed into it, what it keeps, and what it says to what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from client.entries import Open
from client.form import Form
from client.hall import Hall, Page
from client.screens.lobby_rows import compose
from client.style import UNICODE
from engines import amnesia, registry
from engines.registry import BadTable

from .halls import page, typed, wish


def shown(hall: Hall, columns: int = 80, lines: int = 24) -> str:
    """The words on the screen, line by line."""
    rows = ["".join(text for _, text, _ in row) for row in compose(hall, UNICODE, columns, lines)]
    return "\n".join(" ".join(row.replace("│", " ").split()) for row in rows)


def hosting(game: str = "maamut") -> Hall:
    """In the form."""
    hall = Hall("Ana")
    hall.char("h")
    while hall.form.field("game").value != game:
        hall.step(1)
    return hall


def value(hall: Hall, key: str) -> str:
    return hall.form.field(key).value


def test_the_form_by_keys() -> None:
    hall = Hall("Ana")
    hall.char("h")
    assert (hall.page, hall.selected) == (Page.FORM, "game")
    hall.step(1)
    assert hall.form.field("game").value == registry.GAMES[1]
    hall.char("a")
    hall.char("a")
    assert hall.form.field("game").value == "amnesia"
    hall.char("m")
    hall.enter()
    assert str(hall.selected) == "players"
    hall.step(-1)
    assert hall.form.field("players").value == "4"
    hall.move(1)
    assert str(hall.selected) == "rounds"
    typed(hall, "x7")
    for _ in range(3):
        hall.erase()
    assert hall.form.trouble
    typed(hall, "1x2")
    assert hall.form.field("rounds").value == "12"
    hall.step(1)
    typed(hall, "12")
    assert hall.form.field("rounds").value == "12"
    hall.step(1)
    hall.select("bots")
    hall.char("2")
    hall.select("name")
    hall.paste("!\nfine")
    hall.select("open")
    for key in ("z", "?"):
        hall.char(key)
    hall.erase()
    hall.step(1)
    assert page(hall) is Page.RULES
    hall.back()
    assert page(hall) is Page.FORM
    hall.move(100)
    hall.enter()
    assert isinstance(hall.wish, Open)
    plan = hall.wish.plan
    assert (plan.game, plan.players, plan.options) == ("maamut", 4, {"rounds": 13})
    assert plan.label == "! fine"
    assert (hall.wish.bots, hall.wish.private) == (2, False)


def test_the_form_by_lines() -> None:
    hall = Hall("Ana")
    for line in (
        "host",
        "game amnesia",
        "players=3",
        "mode turbo",
        "private yes",
        "bots 1",
        "name The attic",
        "nose 3",
    ):
        hall.line(line)
    assert "no line nose" in hall.note
    hall.line("players 9")
    assert hall.note == "players is 2 to 6"
    hall.line("rules")
    assert page(hall) is Page.RULES
    hall.line("")
    hall.line("open")
    assert isinstance(hall.wish, Open)
    assert hall.wish.private
    assert hall.wish.plan.options["mode"] == "turbo"
    assert hall.wish.plan.label == "The attic"


def test_the_form_cannot_be_opened_with_what_does_not_fit() -> None:
    hall = Hall("Ana")
    hall.line("host")
    for line, why in (("rounds 5000", "whole number"), ("rounds 50", ""), ("name  ", "table's name")):
        hall.line(line)
        hall.line("open")
        assert why in hall.note
        assert (hall.wish is None) == bool(why)
        hall.wish = None


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_has_a_form_that_can_be_opened_as_it_is(game: str) -> None:
    form = Form("Ana", game)
    assert form.trouble == ""
    assert form.plan().options == registry.options(game, form.plan().players, {})
    assert all(field.text for field in form.fields if field.option)
    low, high = registry.seat_range(game)
    assert [int(value) for value in form.field("players").values] == list(range(low, high + 1))
    for field in form.fields:
        for _ in range(3):
            field.step(1)
            form.changed(field.key)
    with pytest.raises(KeyError):
        form.field("nose")


def test_bots_never_take_all_seats() -> None:
    form = Form("Ana")
    form.field("players").value = "4"
    form.changed("players")
    form.field("bots").value = "3"
    form.changed("bots")
    form.field("players").value = "2"
    form.changed("players")
    assert form.bots == 1


def test_a_name_that_is_too_long_for_others() -> None:
    form = Form("日" * 20)
    with pytest.raises(BadTable, match="1 to 64 bytes"):
        form.plan()


# -- what does not fit -------------------------------------------------------------------------------------------------


def test_what_cannot_be_typed_is_answered_beside_the_field() -> None:
    hall = hosting()
    hall.select("players")
    hall.char("3")
    hall.select("bots")
    hall.char("3")
    assert value(hall, "bots") == "0"
    assert "bots < 0 > 0 to 2\n“3” does not fit here: 0 to 2. It is 0 now." in shown(hall)
    hall.char("2")
    assert value(hall, "bots") == "2"
    assert "does not fit" not in shown(hall)
    for key, char, answer in (
        ("game", "x", "“x” does not fit here: Mâamut, Fungi, Amanite, Amnesia. It is Mâamut now."),
        ("rounds", "x", "“x” does not fit here: 0 to 1000. It is 100 now."),
        ("private", "3", "“3” does not fit here: no, yes. It is no now."),
    ):
        hall.select(key)
        hall.char(char)
        assert answer in shown(hall, 120)
        hall.step(0)  # a click on the field changes nothing
        assert answer in shown(hall, 120)
        hall.step(1)
        hall.step(-1)
        assert "does not fit" not in shown(hall)


def test_the_table_is_not_opened_past_an_answer_that_might_not_have_been_seen() -> None:
    """But the second time it is: what stands there can be meant."""
    hall = hosting()
    hall.select("bots")
    typed(hall, "3")
    hall.move(100)
    hall.command("open")
    assert (hall.selected, hall.wish) == ("bots", None)
    assert "Open the table again if that is right." in shown(hall).replace("\n", " ")
    hall.command("open")
    assert isinstance(hall.wish, Open)
    assert hall.wish.bots == 0
    hall.wish = None
    assert "does not fit" not in shown(hall)


def test_an_answer_goes_when_it_is_not_true_any_more() -> None:
    hall = hosting()
    hall.select("bots")
    hall.char("3")
    hall.select("players")
    hall.char("4")
    assert "does not fit" not in shown(hall)


def test_after_the_rules_one_goes_on_where_one_was() -> None:
    hall = hosting()
    hall.select("bots")
    hall.char("?")
    assert page(hall) is Page.RULES
    hall.move(5)
    hall.back()
    assert (page(hall), hall.selected) == (Page.FORM, "bots")
    hall.back()
    hall.char("h")
    assert hall.selected == "game"


def test_a_question_mark_is_text_where_text_is_typed() -> None:
    hall = hosting("amnesia")
    hall.select("forfeit")
    typed(hall, "Who?")
    assert (page(hall), value(hall, "forfeit")) == (Page.FORM, "Who?")
    hall.paste(" You? I?")
    assert (page(hall), value(hall, "forfeit")) == (Page.FORM, "Who?You? I?")
    hall.select("mode")
    hall.paste("?")
    assert page(hall) is Page.FORM
    hall.char("?")
    assert page(hall) is Page.RULES


def test_words_can_be_typed_in_full() -> None:
    hall = hosting()
    for game in (*registry.GAMES, *registry.GAMES[::-1]):
        typed(hall, game)
        assert value(hall, "game") == game
        hall.select("game")
        typed(hall, registry.title(game))
        assert value(hall, "game") == game
        assert "does not fit" not in shown(hall)
        hall.select("game")
    hall.select("private")
    typed(hall, "yes")
    assert (hall.form.private, hall.form.field("private").refused) == (True, "")
    hall.char("n")
    assert not hall.form.private


def test_what_was_typed_for_a_game_is_there_again_when_one_comes_back_to_it() -> None:
    hall = hosting("amnesia")
    for key, text in (("players", "6"), ("forfeit", "dance"), ("rounds", "7"), ("bots", "5"), ("name", "Attic")):
        hall.select(key)
        typed(hall, text)
    hall.select("game")
    seen = []
    for _ in registry.GAMES:
        hall.step(1)
        seen.append(tuple(value(hall, key) for key in ("game", "players", "bots", "name")))
    assert seen == [
        ("maamut", "4", "3", "Attic"),
        ("fungi", "2", "1", "Attic"),
        ("amanite", "4", "3", "Attic"),
        ("amnesia", "6", "5", "Attic"),
    ]
    assert (value(hall, "forfeit"), value(hall, "rounds")) == ("dance", "7")
    hall.step(1)
    assert value(hall, "rounds") == "100"


def test_the_field_that_is_in_the_way_is_marked_and_says_why_until_it_is_changed() -> None:
    hall = hosting("amanite")
    hall.select("attributes")
    typed(hall, "foo,2")
    assert "attribute" not in shown(hall).replace("attributes", "")  # it is still being typed
    hall.move(3)
    why = "there is no attribute 'foo'; there are -1, 1, 2, 3, elixir, count, two, majority,"
    assert why in shown(hall).replace("\n", " ")
    hall.select("open")
    assert "open the table see attributes" in shown(hall)
    hall.enter()
    assert (hall.selected, hall.wish, hall.note) == ("attributes", None, "")
    for columns, lines in ((80, 24), (60, 20), (40, 12), (30, 10)):
        text = shown(hall, columns, lines).replace("\n", " ")
        assert f"attributes foo,2 {why} antidote, poison" in text, (columns, lines)
        assert "see attributes" not in text
    hall.erase()
    assert "no attribute" not in shown(hall)
    hall.command("open")
    assert "no attribute" in shown(hall)
    hall.form.field("attributes").put("-1,1,2,3")
    hall.command("open")
    assert isinstance(hall.wish, Open)


@pytest.mark.parametrize(("game", "key"), [("amanite", "attributes"), ("amnesia", "forfeit")])
def test_an_emptied_option_is_the_one_of_before(game: str, key: str) -> None:
    default = str(registry.option_specs(game)[key].default)
    hall = hosting(game)
    hall.select(key)
    for _ in default:
        hall.erase()
    assert value(hall, key) == ""
    assert f"if empty: {default}" in shown(hall, 120).replace("\n", " ")
    hall.select("open")
    assert f"if empty: {default}" in shown(hall, 120).replace("\n", " ")
    assert not hall.form.trouble
    hall.enter()
    made = wish(hall)
    assert isinstance(made, Open)
    assert made.plan.options[key] == default
    hall.line(f"{key}")
    assert hall.note == ""


@pytest.mark.parametrize(
    ("game", "key", "text", "why"),
    [
        ("maamut", "rounds", "5000", "a whole number from 0 to 1000"),
        ("amanite", "first", "4", "there is no seat 4 among 2"),
        ("amnesia", "forfeit", " ", "not played without a forfeit"),
        ("amnesia", "rounds", "0", "a whole number from 1 to 1000"),
        ("fungi", "name", " ", "1 to 64 bytes"),
    ],
)
def test_every_field_answers_for_itself(game: str, key: str, text: str, why: str) -> None:
    hall = hosting(game)
    hall.select(key)
    typed(hall, text)
    hall.command("open")
    assert (hall.selected, wish(hall)) == (key, None)
    assert why in shown(hall).replace("\n", " ")
    hall.line("open")
    assert why in hall.note


def test_what_no_field_alone_is_to_blame_for_is_told_where_the_table_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlucky(seats: int, options: Mapping[str, Any]) -> str:
        return "not both of these" if options["mode"] == "turbo" and options["rounds"] == 13 else ""

    monkeypatch.setattr(amnesia, "check", unlucky)
    hall = hosting("amnesia")
    for key, text in (("rounds", "13"), ("mode", "t")):
        hall.select(key)
        typed(hall, text)
    assert hall.form.faulty == []
    hall.command("open")
    assert (hall.selected, hall.wish, hall.note) == ("open", None, "")
    assert "▸ open the table\nnot both of these" in shown(hall)
    hall.select("mode")
    hall.char("c")
    assert "not both of these" not in shown(hall)


def test_values_that_do_not_speak_for_themselves_are_shown_in_words() -> None:
    """And can be typed as they are shown."""
    hall = hosting("amanite")
    first = hall.form.field("first")
    assert (first.value, first.words) == ("0", "by chance")
    hall.select("first")
    assert "first by chance" in shown(hall).replace("< ", "")
    typed(hall, "2")
    assert (first.value, first.words) == ("2", "2")
    for text, value in (("By chance", "0"), ("1", "1"), ("0", "0")):
        assert first.put(text) == ""
        assert first.value == value
    hall.command("open")
    opened = wish(hall)
    assert isinstance(opened, Open)
    assert opened.plan.options["first"] == 0
    assert hosting("maamut").form.field("rounds").words == "100"
