"""Leaving a game that has ended while its record is still being closed: there is nothing left to give up."""

from __future__ import annotations

from engines.requests import Result
from p2p.feed import Finished
from p2p.status import Phase

from .fakes import started
from .test_desk import desk_of


def test_when_only_the_record_is_being_closed_one_goes_once_that_is_done() -> None:
    """Nobody is told that the game is given up, or to wait for a turn; the third time nothing is waited for."""
    feed = started(players=2)
    desk, fate = desk_of(feed)
    feed.menu, feed.status.result, feed.status.phase = None, Result((1,), (None,) * 2, "trapped"), Phase.CLOSING
    desk.ask_to_leave()
    assert desk.prompt().question == (
        "The game has ended, its record is just being closed. Leave as soon as that is done?"
    )
    desk.ask_to_leave()
    assert desk.left
    assert not feed.has_left
    assert desk.prompt().question == (
        "Leaving as soon as the record is closed … (Ctrl-C: do not wait; the record stays unfinished then)"
    )
    assert not fate
    desk.ask_to_leave()
    assert fate == ["closed"]


def test_a_table_that_is_being_put_away_is_not_left_either() -> None:
    feed = started(players=3)
    desk, _ = desk_of(feed)
    feed.menu, feed.status.fault, feed.status.phase = None, "Beto broke the protocol", Phase.STOPPED
    desk.submit("leave")
    assert desk.prompt().question.startswith("The game has ended")
    desk.submit("yes")
    assert (desk.left, feed.has_left) == (True, False)


def test_the_game_may_end_between_question_and_answer() -> None:
    feed = started(players=2)
    desk, fate = desk_of(feed)
    desk.ask_to_leave()
    feed.menu, feed.status.result = None, Result((1,), (None,) * 2, "trapped")
    assert desk.prompt().question.startswith("The game has ended")
    desk.view.apply(Finished())
    assert [str(item) for item in desk.prompt().items] == ["1 close", "2 again with the same players"]
    desk.submit("1")
    assert fate == ["closed"]
    assert (desk.left, feed.has_left) == (False, False)
