"""Seats that pass by themselves: not before the lead has chosen, not before there was time, and never for a person."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator

import pytest
import trio
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from trio.testing import MockClock

from client.desk import Desk
from client.keep_time import News, keep_time
from client.lapse import Lapse
from client.plain import PlainTable
from client.play import play_plain, play_screen
from client.screens.table import LATE, TableScreen
from client.style import UNICODE, Appearance
from client.view import TableView
from engines.amnesia_table import FIRST_LOOK
from engines.menus import Choice, Menu
from engines.requests import Ask
from p2p.feed import Changed
from p2p.status import Presence

from .fakes import FakeFeed, full_screen, started
from .screenshot import at_once

LOOK = Appearance(UNICODE, True)


class Clock:
    """Stands still until it is told otherwise."""

    now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def lead_of(feed: FakeFeed) -> int | None:
    assert feed.run is not None
    assert isinstance(feed.run.pending, Ask)
    return feed.run.pending.lead


def bystander(*, snapping: bool = True) -> FakeFeed:
    """A table of Amnesia at which another seat is about to draw, and snapping is open."""
    feed = started(game="amnesia", players=3)
    for _ in range(200):
        assert feed.run is not None
        table = feed.run.game.table
        assert feed.menu is not None
        due = table.snapping == table.can_react(0) == snapping and not table.taken and table.passes_alone(0)
        if due and lead_of(feed) not in (None, 0):
            return feed
        feed.choose(feed.menu.lapse)
    raise AssertionError("no such moment")


def desk_of(feed: FakeFeed) -> tuple[Desk, Clock]:
    clock = Clock()
    view = TableView(feed, LOOK, clock)
    view.apply(Changed())
    return Desk(view, at_once, lambda: None), clock


def test_a_bystander_passes_when_the_lead_has_chosen_and_the_time_is_over() -> None:
    feed = bystander()
    desk, clock = desk_of(feed)
    lapse, menu, decided = desk.view.lapse, feed.menu, feed.decided
    assert lapse.menu is menu is not None
    feed.decided = {}
    assert lapse.words() == "you pass automatically after that; Enter: at once"
    clock.now += 60
    desk.pass_if_due()
    assert feed.menu is menu
    clock.now -= 58
    feed.decided = decided
    assert lapse.words() == "you pass automatically in 3 s; Enter: at once"
    assert desk.prompt().timer == lapse.words()
    assert desk.prompt().asked.endswith(f"({lapse.words()})")
    desk.pass_if_due()
    assert feed.menu is menu
    clock.now += 2
    assert lapse.words() == "you pass"
    count = len(feed.chosen)
    desk.pass_if_due()
    assert feed.chosen[count] == menu.lapse
    assert feed.menu is not menu


def test_who_has_begun_to_react_has_the_time_once_more() -> None:
    feed = bystander()
    desk, clock = desk_of(feed)
    menu = feed.menu
    clock.now += 5
    desk.submit("snap")
    assert desk.presenter_begun
    assert desk.prompt().timer == "you pass automatically in 4 s"
    desk.submit("")  # passes no more
    assert desk.presenter_begun
    desk.pass_if_due()
    assert feed.menu is menu
    desk.back()
    desk.pass_if_due(begun=True)
    assert feed.menu is menu
    clock.now += 4
    desk.pass_if_due(begun=True)
    assert feed.menu is not menu


def typing(feed: FakeFeed, text: str) -> tuple[TableScreen, Clock]:
    """A screen on whose input line that stands."""
    clock = Clock()
    screen = TableScreen(TableView(feed, LOOK, clock), at_once)
    screen.view.apply(Changed())
    screen._buffer.text = text
    return screen, clock


def test_what_was_typed_for_an_older_discard_answers_no_question_about_another() -> None:
    feed = bystander()
    screen, clock = typing(feed, "snap 1")
    menu = feed.menu
    clock.now += 9
    screen.tick()
    assert feed.menu is not menu, "the time was over, the seat has passed"
    assert not screen._late("snap 1"), "the next question is about the same discard still"
    assert feed.run is not None
    while screen._aimed == (menu, feed.run.game.table.clock):
        assert feed.menu is not None
        feed.choose(feed.menu.lapse)
    count = len(feed.chosen)
    screen._enter()
    assert len(feed.chosen) == count
    assert (screen.desk.note, screen._buffer.text) == (LATE, "snap 1")
    screen._enter()  # it is meant
    assert screen._buffer.text == ""
    assert screen.desk.note != LATE
    screen._buffer.text = "snap 1"
    feed.run.game.table.clock += 1
    screen._enter()
    screen._escape()  # it is not
    assert (screen.desk.note, screen._buffer.text) == ("", "")


def test_what_is_typed_before_the_question_waits_for_it_unless_there_is_something_new() -> None:
    feed = bystander()
    screen, _ = typing(feed, "")
    question, feed.menu = feed.menu, None
    screen.view.apply(Changed())
    screen._buffer.text = "snap 1"
    feed.menu = question
    screen.view.apply(Changed())
    assert not screen._late("snap 1")
    assert feed.run is not None
    feed.run.game.table.clock += 1
    assert screen._late("snap 1")
    assert not screen._late("say wait"), "what is no answer comes never too late"
    screen._escape()
    screen._buffer.text = "snap 1"
    assert not screen._late("snap 1")


def test_something_new_to_react_to_starts_the_time_again() -> None:
    feed = bystander()
    desk, clock = desk_of(feed)
    clock.now += 3
    assert feed.run is not None
    feed.run.game.table.clock += 1
    desk.view.apply(Changed())
    assert desk.view.lapse.left() == 4.0
    desk.view.apply(Changed())
    clock.now += 1
    assert desk.view.lapse.left() == 3.0


def test_where_nothing_can_be_done_nothing_is_waited_for() -> None:
    feed = bystander(snapping=False)
    desk, _ = desk_of(feed)
    assert desk.view.lapse.left() == 0.0
    menu = feed.menu
    desk.pass_if_due()
    assert feed.menu is not menu


def test_who_could_only_pass_is_not_asked_but_may_do_what_is_improper() -> None:
    feed = bystander(snapping=False)
    feed.decided = {}
    lapse, menu = desk_of(feed)[0].view.lapse, feed.menu
    assert menu is not None
    assert any(act.improper and not act.why_not for act in menu.acts)
    assert lapse.idle
    assert lapse.words() == "there is nothing to react to; you pass automatically"
    out = io.StringIO()
    table = PlainTable(TableView(feed, LOOK, Clock()), out, lambda call: call())
    while table.behind:
        feed.updates.receive_nowait()
    table.update(Changed())
    question = table.view.question()
    assert question.endswith((" is about to draw.", " holds a card."))
    assert question not in out.getvalue()
    table.line("what?")
    assert out.getvalue().endswith(f"{question}\n")
    table.line("draw")
    assert "Really?\n   1  yes\n" in out.getvalue(), "it is against the rules"
    table.line("yes")
    assert menu.acts[feed.chosen[-1].act].verb == "draw"
    snapping = bystander()
    assert not Lapse(snapping, Clock()).idle
    assert not Lapse(started(), Clock()).idle


def test_a_lead_that_has_left_is_not_waited_for() -> None:
    feed = bystander()
    lead = lead_of(feed)
    assert lead is not None
    feed.decided = {}
    lapse = desk_of(feed)[0].view.lapse
    assert not lapse.lead_is_in
    feed.status.seats[lead].presence = Presence.LEFT
    assert lapse.lead_is_in


def test_enter_passes_at_once_but_only_for_a_bystander() -> None:
    feed = bystander()
    desk, _ = desk_of(feed)
    menu = feed.menu
    desk.submit("snap")
    desk.submit("")  # a reaction that was begun is not passed away
    assert feed.menu is menu
    desk.back()
    desk.submit("")
    assert feed.menu is not menu
    feed = started()
    desk, _ = desk_of(feed)
    menu = feed.menu
    desk.submit("")
    assert feed.menu is menu


@pytest.mark.parametrize("game", ["maamut", "fungi", "amanite"])
def test_other_games_wait_for_people(game: str) -> None:
    feed = started(game=game, players=2)
    clock = Clock()
    lapse = Lapse(feed, clock)
    clock.now += 10_000
    assert lapse.menu is None
    assert lapse.due() is None
    assert lapse.words() == ""


def test_a_look_is_waited_for() -> None:
    feed = started(game="amnesia", players=3)
    while feed.run is not None and feed.run.game.table.phase != FIRST_LOOK:
        assert feed.menu is not None
        feed.choose(feed.menu.lapse)
    lapse = Lapse(feed, Clock())
    assert lapse.menu is None
    feed.run = None
    assert lapse.due() is None
    assert lapse.lead_is_in


def test_the_bell_rings_on_ones_own_turn_only() -> None:
    view = desk_of(bystander())[0].view
    assert view.awaited() == [lead_of(view.feed)] if isinstance(view.feed, FakeFeed) else False
    assert not view.my_turn
    assert TableView(started(), LOOK).my_turn


def test_how_long_has_been_waited() -> None:
    feed = started()
    desk, clock = desk_of(feed)
    clock.now += 75
    assert desk.view.waited() == ""
    desk.submit("clock")
    assert desk.view.waited() == "1:15"
    feed.choose(feed.bot.choose(feed.run.game, feed.menu, feed.run.look(0)))  # type: ignore[union-attr, arg-type]
    desk.view.apply(Changed())
    assert desk.view.waited() == "0:00"
    desk.submit("clock")
    assert desk.view.waited() == ""


# -- whole games -------------------------------------------------------------------------------------------------------


async def play_my_turns(feed: FakeFeed, lapse: Lapse, mine: list[Menu]) -> None:
    """A person who chooses when asked alone, and never says anything to others' turns."""
    while feed.status.result is None and not feed.has_left:
        woken = feed.woken
        if feed.menu is not None and feed.run is not None and lapse.menu is None:
            mine.append(feed.menu)
            feed.choose(feed.bot.choose(feed.run.game, feed.menu, feed.run.look(0)))
        else:
            await woken.wait()


def test_a_game_of_amnesia_in_lines_without_a_word_to_others_turns() -> None:
    feed = FakeFeed("amnesia", 2, seed=5)
    feed.options = {"mode": "turbo", "rounds": 3}
    feed.begin()
    feed.advance()
    mine: list[Menu] = []
    out = io.StringIO()

    async def silence() -> AsyncIterator[str]:
        await trio.sleep_forever()
        yield ""

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_my_turns, feed, Lapse(feed, trio.current_time), mine)
            await play_plain(feed, LOOK, lines=silence(), patient=True, out=out)
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0))
    assert feed.status.result is not None
    assert len(feed.chosen) - len(mine) > 5
    assert "you pass automatically, or at once with Enter; 1 pass" in out.getvalue()


def test_time_is_looked_at_only_where_it_matters() -> None:
    feed, ticks = started(), list[float]()
    view, news = TableView(feed, LOOK), News()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_time, view, news, lambda: ticks.append(trio.current_time()))
            await trio.sleep(10)
            assert ticks == []
            view.habits.clock = True
            news.set()
            await trio.sleep(3.5)
            assert len(ticks) == 4
            view.finished = True
            news.set()

    trio.run(main, clock=MockClock(autojump_threshold=0))


def test_a_screen_passes_by_itself() -> None:
    feed = bystander(snapping=False)
    passed = trio.Event()

    def choose(choice: Choice) -> None:
        feed.menu = None
        passed.set()

    feed.choose = choose  # type: ignore[method-assign]  # to see what is chosen

    async def main() -> None:
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _() -> None:
                await passed.wait()
                keys.send_text("\x03\x03")

            await play_screen(feed, LOOK, source=keys, sink=DummyOutput())

    with create_pipe_input() as keys:
        full_screen(main)
    assert feed.has_left
