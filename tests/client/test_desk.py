"""What lines mean besides choices: commands, pages, leaving, abandoning; and what they show."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from client.commands import HELP, help_text, parse
from client.desk import Desk
from client.scores import score_lines
from client.screens import lobby_wait, pages
from client.style import ASCII, UNICODE, Appearance
from client.view import TableView
from engines import registry
from engines.chance import Chance
from engines.dealer import play_bots
from engines.requests import Result
from p2p.feed import Fault, Finished
from p2p.status import Presence, SeatStatus, Status

from .fakes import FakeFeed, started
from .screenshot import at_once

LOOK = Appearance(UNICODE, True)


def desk_of(feed: FakeFeed) -> tuple[Desk, list[str]]:
    """A desk, and what became of it."""
    fate: list[str] = []
    return Desk(TableView(feed, LOOK), at_once, lambda: fate.append("closed")), fate


# -- commands --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("rules", ("rules", "")),
        ("/rules", ("rules", "")),
        (" RULES ", ("rules", "")),
        ("say hello there", ("say", "hello there")),
        ("/say", ("say", "")),
        ("chat hello", ("say", "hello")),
        ("bots 2", ("bots", "2")),
        ("quit", ("leave", "")),
        ("/nonsense", ("unknown", "nonsense")),
        ("move 2", None),
        ("board 3", None),
        ("", None),
        ("1", None),
    ],
)
def test_commands(line: str, meaning: tuple[str, str] | None) -> None:
    assert parse(line) == meaning


def test_a_choice_of_the_game_comes_before_a_command() -> None:
    assert parse("leave", ["Leave"]) is None
    assert parse("/leave", ["Leave"]) == ("leave", "")


def test_help_names_every_command() -> None:
    assert all(word in help_text() for word in HELP)


def test_pages_open_and_close() -> None:
    desk, _ = desk_of(started())
    desk.submit("fairness")
    assert desk.page == "fairness"
    desk.submit("")
    assert desk.page == ""
    desk.open("rules")
    desk.open("rules")
    assert desk.page == ""
    desk.open("rules")
    desk.submit("d1")  # a choice is seen where it shows
    assert desk.page == ""


def test_what_is_typed_on_the_chat_page_is_said() -> None:
    feed = started()
    desk, _ = desk_of(feed)
    desk.submit("chat")
    desk.submit("1")
    desk.submit("  ")
    desk.submit("/nonsense")
    desk.submit("/rules")
    assert feed.said == ["1"]
    assert not feed.chosen
    assert desk.page == "rules"


def test_own_words_pass_the_gate_too() -> None:
    feed = started()
    desk_of(feed)[0].submit("say a\x1b[31m" + "b" * 10_000)
    assert len(feed.said[0]) <= 400
    assert "\x1b" not in feed.said[0]


# -- leaving ---------------------------------------------------------------------------------------------------------


def test_leaving_is_asked_back() -> None:
    feed = started(players=2)
    desk, fate = desk_of(feed)
    desk.submit("leave")
    assert desk.prompt().question == "Leave the table? With two players that gives the game up."
    desk.submit("no")
    assert desk.prompt().question.startswith("Where on the rim")
    desk.ask_to_leave()
    desk.back()
    assert not feed.has_left
    desk.ask_to_leave()
    desk.submit("y")
    assert feed.has_left
    assert desk.prompt().question.startswith("Taking leave")
    assert not fate
    desk.ask_to_leave()
    assert fate == ["closed"]


def test_ctrl_c_twice_means_it() -> None:
    feed = started()
    desk, _ = desk_of(feed)
    desk.ask_to_leave()
    assert "The others go on" in desk.prompt().question
    desk.ask_to_leave()
    assert feed.has_left


def test_the_waiting_room_can_be_left() -> None:
    feed = FakeFeed()
    desk, _ = desk_of(feed)
    assert desk.waiting
    desk.ask_to_leave()
    assert not desk.waiting
    assert desk.prompt().question == "Leave the waiting room?"
    assert desk.about_to_go == "Leave the waiting room?  1 yes  2 no"
    desk.submit("2")
    assert (desk.waiting, desk.about_to_go, feed.has_left) == (True, "", False)
    desk.ask_to_leave()
    desk.submit("1")
    assert (desk.about_to_go, feed.has_left) == ("", True)


def test_a_finished_table_is_closed_not_left() -> None:
    feed = started()
    desk, fate = desk_of(feed)
    desk.view.apply(Fault("it broke"))
    desk.submit("d1")
    desk.submit("")
    assert not fate
    desk.submit("close")
    assert fate == ["closed"]
    assert not feed.has_left
    assert not feed.chosen


def test_playing_again_is_one_key_or_one_choice() -> None:
    for way in ("again", "ag", "2"):
        feed = started()
        desk, fate = desk_of(feed)
        desk.submit(way)
        assert not desk.again
        desk, fate = desk_of(started())
        desk.view.apply(Finished())
        assert [str(item) for item in desk.prompt().items] == ["1 close", "2 again with the same players"]
        desk.submit("rematch")
        assert not fate
        desk.submit(way)
        assert desk.again
        assert fate == ["closed"]


def test_closing_is_not_playing_again() -> None:
    for way in ("1", "close"):
        desk, fate = desk_of(started())
        desk.view.apply(Finished())
        desk.submit(way)
        assert (desk.again, fate) == (False, ["closed"])


def test_no_game_no_rematch() -> None:
    feed = FakeFeed()
    desk, _ = desk_of(feed)
    desk.view.apply(Fault("the host has gone"))
    assert not desk.offers_again
    feed = started()
    desk, _ = desk_of(feed)
    desk.view.apply(Fault("somebody cheats"))
    assert desk.offers_again
    feed.status.broken = True
    assert not desk.offers_again


def test_a_menu_is_answered_once() -> None:
    feed = started()
    calls: list[Callable[[], None]] = []
    desk = Desk(TableView(feed, LOOK), calls.append, lambda: None)
    desk.submit("d1")
    desk.submit("e2")
    desk.click((3, 0))
    assert len(calls) == 1
    assert desk.prompt().items == ()
    calls[0]()
    assert len(feed.chosen) == 1
    assert desk.prompt().question == "Your turn:"
    calls[0]()  # too late: something else is asked
    assert len(feed.chosen) == 1


def test_out_of_turn_there_is_nothing_to_choose() -> None:
    feed = started()
    feed.menu = None
    desk, _ = desk_of(feed)
    desk.submit("d1")
    assert desk.note.startswith("it is not your turn")
    desk.click((3, 0))
    desk.choose(1)
    assert not feed.chosen
    assert desk.complete("d") == "d"


def test_completion_of_the_last_word() -> None:
    desk, _ = desk_of(started())
    assert desk.complete("d") == "d"
    assert desk.note == "d7, d1"
    desk.submit("d1")
    assert desk.complete("m") == "move "
    assert desk.complete("x") == "x"


# -- texts -----------------------------------------------------------------------------------------------------------


def test_the_fairness_page_claims_only_what_was_checked() -> None:
    status = Status(sealed=1, cards=36, proofs=4, table_id="abc")
    assert "sealed by 1 of 3 players." in pages.fairness(status, 3)
    assert "abc" in pages.fairness(status, 3)
    status.sealed = 3
    assert "4, all of them hold" in pages.fairness(status, 3)
    status.fault = "a proof of Beto's does not hold"
    assert "all of them hold" not in pages.fairness(status, 3)
    assert "Not in order: a proof" in pages.fairness(status, 3)
    status.transcript = "x.p2plog"
    assert pages.fairness(status, 3).endswith("p2pgame verify x")


def test_the_end_in_words() -> None:
    feed = started()
    view = TableView(feed, LOOK)
    assert pages.result_lines(view) == ["The game is not over yet."]
    feed.status.result = Result((1,), (None,) * 3, "trapped")
    assert pages.result_lines(view) == ["The mammoth lies in Beto's trap. Beto wins the Sacred Lance!"]
    feed.status.result = Result((1,), (3, 12, None), "trapped")
    assert pages.result_lines(view)[2:] == ["Beto: 12", "Ana: 3", "Caro: out"]
    feed.status.transcript = "/x/4kq7aaaaaaaaa.p2plog"
    assert pages.result_lines(view)[-1] == "  p2pgame replay 4kq7aaaa"


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_score_is_explained(game: str) -> None:
    seats = registry.seat_range(game)[0]
    made = registry.create(game, seats, {})
    bots = {seat: registry.bot(game, seat, Chance(bytes([seat]) * 32)) for seat in range(seats)}
    result = play_bots(made, bytes(32), bots).run.result
    assert result is not None
    lines = score_lines(game, made.table, result, ["Ana", "Beto", "Caro"])
    if any(score is not None for score in result.scores):
        for seat, name in enumerate(["Ana", "Beto", "Caro"][:seats]):
            (line,) = (line for line in lines if line.startswith(f"{name}: "))
            score = result.scores[seat]
            assert line.startswith(f"{name}: {'out' if score is None else score}")
    else:
        assert lines == []


def test_how_others_join() -> None:
    status = Status(players=3, taken=["Ana"], addresses=["10.0.0.1:7117", "[fe80::1%eth0]:7117"])
    assert lobby_wait.join_commands(status) == [
        "p2pgame join 10.0.0.1:7117",
        'p2pgame join "[fe80::1%eth0]:7117"',
    ]
    feed = FakeFeed()
    feed.status, status.game = status, "maamut"
    view = TableView(feed, Appearance(UNICODE, False))
    assert "others write one of their own" in lobby_wait.text(view)
    status.addresses = []
    assert "others write" not in lobby_wait.text(view)
    assert lobby_wait.join_commands(status) == ["p2pgame join"]
    status.code = "7-guitar-apple"
    assert lobby_wait.join_commands(status) == ["p2pgame join 7-guitar-apple"]
    assert lobby_wait.missing(status) == 2


def test_the_waiting_room_in_words() -> None:
    feed = FakeFeed()
    view = TableView(feed, LOOK)
    assert lobby_wait.headline(view) == "All seats are taken: the game begins …"
    feed.status.taken = ["Ana"]
    assert lobby_wait.headline(view) == "Waiting for 2 more players …"
    feed.status.game = "unknown\x1b"
    assert view.title == "unknown␛"
    feed.status.players, feed.status.waiting_why = 0, "Waiting for Ana\x1b to open the table again"
    assert lobby_wait.headline(view) == "Waiting for Ana␛ to open the table again …"
    feed.status.waiting_why = ""
    assert lobby_wait.headline(view) == "Looking for the table …"
    feed.status.game = ""
    assert "which game" in pages.text_of(view, "rules")
    feed.status.fault = "the port is taken"
    assert lobby_wait.headline(view) == "the port is taken"


# -- abandoning ------------------------------------------------------------------------------------------------------


def test_a_table_is_abandoned_only_while_somebody_is_lost_and_only_if_it_is_meant() -> None:
    feed = started(players=3)
    desk, _ = desk_of(feed)
    desk.submit("abandon")
    assert desk.note == "nobody is missing here: there is nothing to abandon"
    feed.status.seats[2] = SeatStatus(Presence.LOST, 9)
    for answer in ("no", "2"):
        desk.submit("/abandon")
        assert desk.prompt().question.startswith("Wait no longer for Caro?")
        desk.submit(answer)
        assert not desk.prompt().question.startswith("Wait no longer")
    desk.submit("abandon")
    desk.back()
    assert feed.abandons == 0
    desk.submit("abandon")
    desk.submit("yes")
    assert feed.abandons == 1
    assert not desk.left
    assert "the others are told" in desk.note


def test_leaving_comes_before_abandoning() -> None:
    feed = started(players=3)
    desk, _ = desk_of(feed)
    feed.status.seats[2] = SeatStatus(Presence.LOST, 9)
    desk.submit("abandon")
    desk.ask_to_leave()
    assert desk.prompt().question.startswith("Leave the table?")
    desk.submit("yes")
    assert (feed.has_left, feed.abandons) == (True, 0)


def test_whom_a_game_excludes_is_called_so_in_the_waiting_room() -> None:
    feed = FakeFeed(game="amnesia")
    feed.status.taken, feed.status.titles = ["Ana", "Beto"], ["", registry.banned("amnesia")]
    text = lobby_wait.text(TableView(feed, LOOK))
    assert "Beto, the person who does not fulfil the forfeits" in text


def test_the_bell_can_be_turned_off() -> None:
    desk, _ = desk_of(started())
    desk.submit("bell")
    assert (desk.view.habits.bell, desk.note) == (False, "the bell is off")
    desk.submit("bell")
    assert (desk.view.habits.bell, desk.note) == (True, "the bell is on")


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_has_its_rules(game: str) -> None:
    feed = started(game, players=2)
    text = pages.text_of(TableView(feed, LOOK), "rules")
    assert len(text) > 500
    assert pages.text_of(TableView(feed, Appearance(ASCII, False)), "rules").isascii()


def test_who_sealed_what() -> None:
    status = Status(sealed=3, cards=36, proofs=4)
    status.shuffles = [[0, 1, 2], [1, 9]]
    status.steps = {"commit": 3, "shuffle": 5, "view": 6}
    text = pages.fairness(status, 3, ["Ana", "Beto", "Caro"])
    assert "shuffle 1             locked by Ana, then Beto, then Caro" in text
    assert "shuffle 2             locked by Beto, then ?" in text
    assert "in the record         5 locked shuffles, 6 helps for private looks" in text
