"""The lobby as a state: what keys, clicks and lines lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from client.entries import Join, Quit, Resume, Verify, Watch, past_cells
from client.hall import ENDS_BOTS, GONE, Hall, Page
from client.hall_words import page_text
from client.numbers import REST

from .halls import ANA, HOST, busy, heard, page, past, table, typed, unfinished, wish


def selected_name(hall: Hall) -> str:
    return next(entry.cells[0] for entry in hall.entries if entry.key == hall.selected)


# -- tables ------------------------------------------------------------------------------------------------------------


def test_tables_keep_their_numbers_when_others_vanish() -> None:
    hall = Hall("Ana")
    hall.hear(heard(table("One", 1), table("Two", 2), table("Three", 3)))
    hall.move(1)
    assert [(entry.number, entry.cells[0]) for entry in hall.entries] == [(1, "One"), (2, "Two"), (3, "Three")]
    hall.hear(heard(table("Two", 2), table("Four", 4)))
    assert [(entry.number, entry.cells[0]) for entry in hall.entries] == [(2, "Two"), (4, "Four")]
    assert selected_name(hall) == "Two"
    hall.hear(heard(table("Four", 4)))
    assert selected_name(hall) == "Four"
    hall.hear({})
    assert hall.selected is None
    hall.move(1)
    hall.enter()
    assert hall.note == "No table is open yet: h hosts one, j joins by address."


def test_numbers_do_not_grow_with_all_the_tables_that_ever_were() -> None:
    hall = Hall("Ana")
    for number in range(400):
        hall.hear(heard(table("Steady", 1), table("Passing", 1000 + number)))
        steady, passing = hall.entries
        assert steady.number == 1
        assert 1 < passing.number < 100


def numbers(hall: Hall) -> list[tuple[int, str]]:
    return [(entry.number, entry.cells[0]) for entry in hall.entries]


def test_numbers_begin_at_1_in_a_lobby_that_is_entered_anew() -> None:
    """Coming back from a table, its number and those of tables that have gone meanwhile are free again."""
    hall = Hall("Ana", ANA)
    hall.found([unfinished()], [])
    hall.hear(heard(table("One", 1), table("Two", 2)))
    assert numbers(hall) == [(1, "Sunday"), (2, "One"), (3, "Two")]
    hall.found([], [])
    hall.reopen()
    hall.hear(heard(table("Two", 2)))
    assert numbers(hall) == [(1, "Two")]
    hall.hear(heard(table("One", 1), table("Two", 2)))
    assert numbers(hall) == [(1, "Two"), (2, "One")]


def test_the_number_of_a_table_that_has_gone_is_given_again_but_not_at_once() -> None:
    hall = Hall("Ana", ANA)
    hall.found([unfinished()], [])
    hall.hear(heard(table("One", 1), table("Two", 2), table("Three", 3)))
    assert numbers(hall) == [(1, "Sunday"), (2, "One"), (3, "Two"), (4, "Three")]
    hall.waited = 30.0
    hall.hear(heard(table("Two", 2)))
    hall.waited += REST / 2
    hall.hear(heard(table("Two", 2), table("Four", 4)))
    assert numbers(hall) == [(1, "Sunday"), (3, "Two"), (5, "Four")]  # a finger may still be on its way to One
    hall.waited += REST / 2
    hall.hear(heard(table("Five", 5), table("Four", 4), table("Two", 2)))
    assert numbers(hall) == [(1, "Sunday"), (2, "Five"), (3, "Two"), (5, "Four")]
    hall.hear({})
    hall.waited += REST
    hall.hear({})
    hall.hear(heard(table("Six", 6)))
    assert numbers(hall) == [(1, "Sunday"), (2, "Six")]


def test_a_table_that_comes_first_does_not_take_the_mark() -> None:
    hall = Hall("Ana")
    hall.hear(heard(table("One", 1), table("Two", 2)))
    assert numbers(hall) == [(1, "One"), (2, "Two")]
    hall.hear(heard(table("Two", 2)))
    assert selected_name(hall) == "Two"
    hall.waited = REST
    hall.hear(heard(table("Two", 2)))
    hall.hear(heard(table("Two", 2), table("Three", 3)))
    assert numbers(hall) == [(1, "Three"), (2, "Two")]
    assert selected_name(hall) == "Two"
    hall.char("p")
    hall.back()
    assert selected_name(hall) == "Three"


def test_the_mark_is_where_enter_does_something() -> None:
    full, free, other = table("Full", 1, seats_taken=3), table("Free", 2), table("Other", 3)
    hall = Hall("Ana")
    hall.hear(heard(full))
    assert selected_name(hall) == "Full"
    hall.hear(heard(full, free, other))
    assert selected_name(hall) == "Free"
    hall.move(-1)
    assert selected_name(hall) == "Full"
    hall.hear(heard(full, other))
    assert selected_name(hall) == "Full"


def test_joining_by_key_number_and_line() -> None:
    hall = busy()
    typed(hall, "2")
    hall.enter()
    assert isinstance(hall.wish, Join)
    assert hall.wish.table is not None
    assert hall.wish.table.table_name == "Living room"
    hall = busy()
    hall.line("living ROOM")
    assert isinstance(hall.wish, Join)
    hall = busy()
    hall.line("2")
    assert isinstance(hall.wish, Join)
    hall = busy()
    hall.line("77")
    assert hall.wish is None
    assert "no choice" in hall.note


@pytest.mark.parametrize(
    ("number", "why"),
    [("4", "Cellar: full"), ("5", "Old␛[31m: version 9, not"), ("6", "Strange: unknown game")],
)
def test_what_cannot_be_joined_says_why(number: str, why: str) -> None:
    hall = busy()
    typed(hall, number)
    hall.enter()
    assert hall.wish is None
    assert hall.note.startswith(why)


def test_a_private_table_asks_for_its_code() -> None:
    hall = busy()
    hall.line("3")
    assert (hall.page, hall.wish) == (Page.CODE, None)
    typed(hall, "ab-cd")
    hall.erase()
    hall.enter()
    assert isinstance(hall.wish, Join)
    assert hall.wish.code == "ab-c"
    assert hall.wish.table is not None
    assert hall.wish.table.private


def test_a_private_table_that_vanishes_while_its_code_is_typed() -> None:
    """Letters of a code do not become shortcuts of another page, of which one leaves the program."""
    hall = busy()
    hall.line("3")
    tables = heard(table("Attic", 2, private=True))
    typed(hall, "ab")
    hall.hear({})
    typed(hall, "hjpq")
    assert (hall.page, hall.note, hall.wish) == (Page.CODE, GONE, None)
    hall.hear(tables)
    assert hall.note == ""
    hall.hear({})
    hall.enter()
    assert (hall.page, hall.note, hall.wish) == (Page.TABLES, GONE, None)


def test_a_wrong_code_can_be_corrected() -> None:
    """The lobby opens anew after the try, and hears of the table only a little later."""
    hall = busy()
    hall.line("3")
    typed(hall, "ab-cd")
    hall.enter()
    hall.failed("Wrong code: it does not open the table.", mistyped=True)
    hall.reopen()
    hall.hear({})
    assert (hall.page, hall.typed, hall.note) == (Page.CODE, "ab-cd", "Wrong code: it does not open the table.")
    there = table("Attic", 2, private=True)
    hall.hear(heard(there))
    typed(hall, "e")
    assert hall.note == ""
    hall.enter()
    assert wish(hall) == Join(hall.asked, code="ab-cde")
    hall.hear({})
    assert hall.note == GONE


def test_a_table_that_cannot_be_joined_for_another_reason_is_not_asked_for_again() -> None:
    hall = busy()
    hall.line("3")
    hall.failed("The table has no free seat.", mistyped=False)
    assert (hall.page, hall.note) == (Page.TABLES, "The table has no free seat.")


def test_a_running_table_is_shown_once_whoever_tells_of_it() -> None:
    """Under one number, and without the fingerprint of whichever seat was heard first."""
    seats = [table("Cellar", number, seats_taken=3, host=f"{number}{HOST[1:]}", table="ABCD") for number in (1, 2, 3)]
    hall = Hall("Ana")
    shown = []
    for order in (seats, seats[::-1], seats[1:]):
        hall.hear(heard(*order))
        shown.append([(entry.key, entry.number, entry.cells) for entry in hall.entries])
    assert shown[0] == shown[1] == shown[2]
    assert [cells[2:] for _, _, cells in shown[0]] == [("3 of 3", "", "no: being played")]
    assert "table ABCD" in hall.entries[0].detail
    hall.hear(heard(*seats, table("Cellar", 4, seats_taken=3, table="EFGH")))
    assert len(hall.entries) == 2
    hall.hear(heard(table("Same name", 1), table("Same name", 2)))
    assert len(hall.entries) == 2


def test_going_on_with_a_game() -> None:
    hall = busy()
    hall.enter()
    assert wish(hall) == Resume(bytes.fromhex(f"{50:064x}"))
    hall.found([unfinished(number) for number in range(60, 70)], [])
    assert sum(isinstance(entry.wish, Resume) for entry in hall.entries) == 3


def test_when_nothing_is_heard_the_way_by_address_is_shown() -> None:
    hall = Hall("Ana")
    assert "Listening" in page_text(hall)
    hall.waited = 5.0
    assert "p2pgame join 192.168.1.7:24816" in page_text(hall)
    hall.hear({}, "the network\x1b is down")
    hall.waited = 0
    assert "the network␛ is down" in page_text(hall)
    hall.hear(heard(table()))
    assert not hall.lonely


def test_joining_by_address() -> None:
    hall = Hall("Ana")
    hall.char("j")
    assert page(hall) is Page.ADDRESS
    hall.paste("10.0.0.5:24816\r\n")
    assert hall.wish is None
    hall.enter()
    assert wish(hall) == Join(None, "10.0.0.5:24816")
    hall.line("")
    assert page(hall) is Page.TABLES


def test_keys_that_mean_nothing_do_nothing() -> None:
    hall = busy()
    before = hall.selected
    for key in "xyz!é7":
        hall.char(key)
    hall.erase()
    hall.step(1)
    hall.paste("q\rq\r2\r")
    hall.paste("h")
    assert (hall.page, hall.wish, hall.selected) == (Page.TABLES, None, before)


def test_quitting() -> None:
    ways: list[Callable[[Hall], None]] = [
        lambda hall: hall.char("q"),
        lambda hall: hall.line("quit"),
        lambda hall: hall.command("quit"),
    ]
    for way in ways:
        hall = busy()
        way(hall)
        assert wish(hall) == Quit()


def test_quitting_while_bots_play_on_has_to_be_wished_twice() -> None:
    for pages in ("", "?", "h?"):
        hall = busy()
        hall.bots_at.append("Attic")
        typed(hall, pages)
        hall.quit()
        assert (page(hall), hall.note, wish(hall)) == (Page.TABLES, ENDS_BOTS, None)
        hall.char("p")
        hall.back()
        hall.quit()
        assert wish(hall) is None
        hall.char("q")
        assert wish(hall) == Quit()


def test_help_can_be_scrolled_and_left() -> None:
    hall = busy()
    hall.char("?")
    hall.move(3)
    hall.move(-1)
    assert (hall.page, hall.scroll) == (Page.HELP, 2)
    hall.enter()
    assert page(hall) is Page.TABLES


def test_another_name() -> None:
    hall = Hall("Ana")
    hall.char("n")
    assert hall.typed == "Ana"
    typed(hall, "\x07")
    hall.enter()
    assert "visible" in hall.note
    hall.back()
    hall.char("n")
    hall.enter()
    hall.char("n")
    hall.erase()
    typed(hall, "e")
    assert hall.typed == "Ane"
    hall.back()
    hall.char("n")
    assert hall.fresh
    typed(hall, "Eva")
    assert not hall.fresh
    hall.enter()
    assert (hall.me, hall.page) == ("Eva", Page.TABLES)
    assert hall.form.field("name").value == "Eva's table"


# -- past games --------------------------------------------------------------------------------------------------------


def test_past_games_are_replayed_and_checked() -> None:
    hall = busy()
    hall.char("p")
    assert [entry.number for entry in hall.entries] == [1, 2, 3, 4]
    assert [entry.cells[3] for entry in hall.entries] == ["Beto won", "日本 😀 won", "no end", "it is damaged"]
    stopped = replace(hall.past[2], stopped_by=(1,))
    assert past_cells(stopped)[3] == f"stopped by {past_cells(stopped)[2].split(', ')[1]}"
    hall.enter()
    assert wish(hall) == Watch(hall.past[0].path)
    hall.move(1)
    hall.char("v")
    assert wish(hall) == Verify(hall.past[1])
    hall.wish = None
    hall.line("4")
    assert hall.wish is None
    assert "damaged" in hall.note
    hall.line("verify 3")
    assert wish(hall) == Verify(hall.past[2])
    hall.back()
    assert page(hall) is Page.TABLES
    hall.found([], [])
    hall.line("past")
    assert page_text(hall) == "No game has been finished here yet."
    hall.command("verify")


def test_words_of_a_past_game() -> None:
    drawn = past(result={"winners": [0, 1], "scores": [None] * 3, "reason": "x"})
    none = past(2, result={"winners": [], "scores": [None] * 3, "reason": "x"}, when=1e20)
    hall = Hall("Ana", ANA)
    hall.found([], [drawn, none])
    hall.command("past")
    assert [entry.cells[3] for entry in hall.entries] == ["Ana and Beto won", "nobody won"]
    assert hall.entries[1].cells[0] == "?"
