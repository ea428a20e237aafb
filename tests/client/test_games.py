"""Whole games of Mâamut: by keys on the full screen, by lines in the plain mode, by a bot."""

from __future__ import annotations

import errno
import io
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from functools import partial

import pytest
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output
from trio.testing import wait_all_tasks_blocked

from client.app import Crash, Interrupted
from client.plain import Lines, PlainTable
from client.play import play_auto, play_plain, play_screen
from client.presenter import Presenter
from client.render.base import Scene, renderer
from client.style import ASCII, UNICODE, Appearance
from client.view import TableView
from engines.menus import Choice
from engines.requests import Result
from p2p.feed import Changed, Fault, Finished
from p2p.status import Phase

from .fakes import FakeFeed, full_screen, started

LOOK = Appearance(UNICODE, True)


def lines_for(feed: FakeFeed, choice: Choice) -> Iterator[str]:
    """What a person types for a choice, part by part."""
    if feed.menu is None or feed.run is None:
        raise RuntimeError("nothing is asked")
    scene = Scene(feed.run.game.table, feed.seat, feed.run.look(feed.seat), feed.names)
    presenter = Presenter(feed.menu, scene, renderer("maamut"))
    wanted = iter((choice.act, *choice.picks) if presenter.act is None else choice.picks)
    while True:
        if presenter.question.endswith("Really?"):
            line = "yes"
        else:
            pick = next(wanted)
            labels = {item.pick: item for item in presenter.items}
            # A card of which there are several is offered once.
            line = str(labels[pick].number if pick in labels else presenter.items[0].number)
        yield line
        if presenter.type(line).choice is not None:
            return


def next_choice(feed: FakeFeed) -> Choice:
    """A bot's idea of what to do."""
    if feed.menu is None or feed.run is None:
        raise RuntimeError("nothing is asked")
    return feed.bot.choose(feed.run.game, feed.menu, feed.run.look(feed.seat))


async def next_menu(feed: FakeFeed) -> bool:
    """Wait until the seat is asked; False when the game is over."""
    while feed.menu is None and feed.status.result is None and not feed.has_left:
        await feed.woken.wait()
    return feed.menu is not None


@pytest.mark.parametrize(("players", "seed"), [(4, 4), (3, 1), (2, 11)])
def test_a_whole_game_by_keys(players: int, seed: int) -> None:
    feed = FakeFeed(players=players, seed=seed)
    turns = 0

    async def type_on(keys: PipeInput) -> None:
        nonlocal turns
        while await next_menu(feed):
            turns += 1
            waits = feed.woken
            for line in lines_for(feed, next_choice(feed)):
                keys.send_text(line + "\r")
            await waits.wait()
        await wait_all_tasks_blocked()  # until the screen has heard of the end
        keys.send_text("close\r")

    async def main(keys: PipeInput) -> None:
        feed.begin()
        feed.advance()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(type_on, keys)
            await play_screen(feed, LOOK, source=keys, sink=DummyOutput())

    with create_pipe_input() as keys:
        full_screen(lambda: main(keys))
    assert feed.status.result is not None
    assert len(feed.chosen) == turns > 8
    assert not feed.has_left


def test_clicking_a_tile_and_a_choice() -> None:
    feed = started()
    written = io.StringIO()

    async def click(keys: PipeInput) -> None:
        await at_work.wait()
        waits = feed.woken
        # The tile d7, where the capture has it; coordinates of the mouse begin at 1.
        keys.send_text("\x1b[<0;43;10M\x1b[<0;43;10m")
        await waits.wait()
        keys.send_text("\x1b[<0;49;21M\x1b[<0;49;21m")  # give up hunt
        keys.send_text("no\r\x03\x03")

    at_work = trio.Event()

    async def main(keys: PipeInput) -> None:
        sink = Vt100_Output(written, lambda: Size(24, 80), enable_cpr=False)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(click, keys)
            at_work.set()
            await play_screen(feed, LOOK, source=keys, sink=sink)

    with create_pipe_input() as keys:
        full_screen(lambda: main(keys))
    assert feed.chosen[0] == Choice(0, (feed.chosen[0].picks[0],))
    assert feed.run is not None
    assert feed.run.game.table.pawns[0] == (3, 0)
    assert len(feed.chosen) == 1
    assert feed.has_left


def test_every_key() -> None:
    feed = started()

    async def press(keys: PipeInput) -> None:
        waits = feed.woken
        keys.send_text("\x1bOP\x1b[6~\x1b[5~\x1b[A\x1b[B\x1bOQhello\r\x1bOQ\x1bOR\x1bOS\x1bOS\x0c")
        keys.send_text("d\t\x15d1\t\r")
        await waits.wait()
        keys.send_text("mo\t2\r\x03\x04")  # Ctrl-C asks, an empty Ctrl-D means it
        await feed.woken.wait()

    async def main(keys: PipeInput) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(press, keys)
            await play_screen(feed, LOOK, source=keys, sink=DummyOutput())

    with create_pipe_input() as keys:
        full_screen(lambda: main(keys))
    assert feed.said == ["hello"]
    assert len(feed.chosen) == 1
    assert feed.has_left


def test_a_feed_that_ends_on_its_own_can_be_closed() -> None:
    feed = started()

    async def main(keys: PipeInput) -> None:
        feed.menu = None
        feed.status.fault = "everybody is gone"
        feed.send(Fault(feed.status.fault))
        feed._send.close()
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _() -> None:
                await wait_all_tasks_blocked()
                keys.send_text("q\rclose\r")

            await play_screen(feed, LOOK, source=keys, sink=DummyOutput())

    with create_pipe_input() as keys:
        full_screen(lambda: main(keys))
    assert not feed.has_left


@pytest.mark.parametrize("how", ["closed", "crashed", "ended"])
def test_only_a_player_leaves(how: str) -> None:
    """A closed terminal, a screen that goes wrong and a signal end the program, not the game."""
    feed = started()

    class Broken(DummyOutput):
        def flush(self) -> None:
            raise RuntimeError("no picture") if how == "crashed" else OSError(errno.EIO, "gone")

    async def main(keys: PipeInput) -> None:
        with trio.move_on_after(0 if how == "ended" else math.inf):
            await play_screen(feed, LOOK, source=keys, sink=DummyOutput() if how == "ended" else Broken())

    with create_pipe_input() as keys, suppress(Crash, Interrupted):
        full_screen(lambda: main(keys))
    assert not feed.has_left


# -- plain -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", [LOOK, Appearance(ASCII, False)])
def test_a_whole_game_in_lines(look: Appearance) -> None:
    feed = FakeFeed(players=4, seed=4)
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        while await next_menu(feed):
            for line in list(lines_for(feed, next_choice(feed))):
                yield line

    async def main() -> None:
        feed.begin()
        feed.advance()
        await play_plain(feed, look, lines=lines(), patient=True, out=out)

    trio.run(main)
    text = out.getvalue()
    assert "\x1b" not in text
    assert feed.status.result is not None
    assert "Sacred Lance" in text.splitlines()[-4]
    assert text.count("The sealed record is complete") == text.count("wins the Sacred Lance!\n") == 1
    assert not feed.has_left
    assert look.glyphs.ascii <= text.isascii()


def test_the_waiting_room_in_lines_is_told_once() -> None:
    """Then only what changes: a screen reader reads all of it aloud."""
    feed, out = FakeFeed(), io.StringIO()
    table = PlainTable(TableView(feed, LOOK), out, lambda call: call())
    feed.status.phase, feed.status.hosting, feed.status.taken = Phase.LOBBY, True, ["Ana"]
    table.update(Changed())
    assert 'Mâamut at table "Living room"' in out.getvalue()
    out.truncate(out.seek(0))
    feed.status.taken = ["Ana", "Beto"]
    table.update(Changed())
    table.update(Changed())
    assert out.getvalue() == " ▲ Beto\nWaiting for 1 more player …\n"


def test_the_help_in_lines_has_no_keys() -> None:
    out = io.StringIO()
    table = PlainTable(TableView(started(), LOOK), out, lambda call: call())
    table.line("help")
    text = out.getvalue()
    assert "choices" in text
    assert not [word for word in ("click", "Esc", "Tab", "F1", "PgUp") if word in text]


def test_the_end_of_input_leaves_the_table() -> None:
    feed = started()
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        yield "d1"

    trio.run(lambda: play_plain(feed, LOOK, lines=lines(), patient=True, out=out))
    assert feed.has_left
    assert len(feed.chosen) == 1


def test_early_lines_wait_when_they_come_from_a_pipe() -> None:
    feed = FakeFeed()
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        for line in ("rules", "d1", "move 2 1"):
            yield line

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: play_plain(feed, LOOK, lines=lines(), patient=True, out=out))
            await wait_all_tasks_blocked()
            feed.begin()
            feed.advance()

    trio.run(main)
    assert len(feed.chosen) == 2
    assert out.getvalue().index("The aim") < out.getvalue().index("Where on the rim")


def test_an_early_line_of_a_person_is_refused() -> None:
    feed = FakeFeed()
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        yield "d1"

    trio.run(lambda: play_plain(feed, LOOK, lines=lines(), patient=False, out=out))
    assert "the game has not begun" in out.getvalue()
    assert not feed.chosen


def test_one_key_plays_again_and_pasting_it_does_not() -> None:
    async def main(keys: PipeInput, text: str) -> bool:
        feed = started()
        feed.menu = None
        feed.status.result, feed.status.phase = Result((1,), (None,) * 3, "trapped"), Phase.FINISHED
        feed.send(Finished())
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _() -> None:
                await wait_all_tasks_blocked()  # until the screen has heard of the end
                keys.send_text(text)

            return await play_screen(feed, LOOK, source=keys, sink=DummyOutput())

    typed = (
        ("\x12", True),
        ("\x1brules\r\x03", False),
        ("\x1b[200~again\r1\r\x1b[201~\x15\x03", False),
        ("close\r", False),
    )
    for text, again in typed:
        with create_pipe_input() as keys:
            assert full_screen(partial(main, keys, text)) is again


def test_pasted_lines_play_nothing() -> None:
    feed = started()

    async def main(keys: PipeInput) -> None:
        keys.send_text("\x1b[200~d1\r1\r2\r\x1b[2J\x1b[201~\x15\x03\x03")
        await play_screen(feed, LOOK, source=keys, sink=DummyOutput())

    with create_pipe_input() as keys:
        full_screen(lambda: main(keys))
    assert not feed.chosen
    assert feed.has_left


def test_a_person_at_lines_is_asked_whether_to_play_again() -> None:
    def after(*typed: str, patient: bool = False) -> tuple[bool, str]:
        feed, out = started(), io.StringIO()
        feed.menu = None
        feed.status.result, feed.status.phase = Result((1,), (None,) * 3, "trapped"), Phase.FINISHED
        feed.send(Finished())
        send, receive = trio.open_memory_channel[str](10)

        async def type_on() -> None:
            await wait_all_tasks_blocked()
            for line in typed:
                await send.send(line)
            send.close()

        async def main() -> bool:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(type_on)
                return await play_plain(feed, LOOK, lines=Lines(receive), patient=patient, out=out)

        return trio.run(main), out.getvalue()

    assert after("rules", "2")[0]
    assert after("again")[0]
    assert not after("1")[0]
    assert not after()[0]
    assert not after("again", patient=True)[0]
    assert "2  again with the same players" in after("1")[1]


def test_an_empty_line_tells_what_is_waited_for() -> None:
    feed = started()
    feed.menu = None
    feed.status.waiting_for = [1]
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        yield ""

    trio.run(lambda: play_plain(feed, LOOK, lines=lines(), patient=False, out=out))
    assert "Waiting for Beto to choose …" in out.getvalue()


class Narrow(io.TextIOWrapper):
    """Standard output of a terminal that knows few letters."""

    def __init__(self, encoding: str) -> None:
        self.raw_bytes = io.BytesIO()
        super().__init__(self.raw_bytes, encoding=encoding, newline="\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_an_output_that_cannot_show_a_sign_is_no_crash(encoding: str) -> None:
    feed = started()
    feed.names = ["Ána", "日本", "Ωmega"]
    out = Narrow(encoding)

    async def lines() -> AsyncIterator[str]:
        for line in ("rules", "say 日本語 ▲", "d1"):
            yield line

    trio.run(lambda: play_plain(feed, LOOK, lines=lines(), patient=True, out=out))
    assert b"Your turn:" in out.raw_bytes.getvalue()
    assert b"\x1b" not in out.raw_bytes.getvalue()


class Gone(io.StringIO):
    """A pipe that nobody reads any more."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_an_output_that_nobody_reads_ends_the_game_properly() -> None:
    feed = started()

    async def lines() -> AsyncIterator[str]:
        await trio.sleep_forever()
        yield ""

    trio.run(lambda: play_plain(feed, LOOK, lines=lines(), patient=True, out=Gone()))
    assert feed.has_left


# -- a bot -----------------------------------------------------------------------------------------------------------


def test_a_bot_plays_to_the_end() -> None:
    feed = FakeFeed(players=3, seed=5)

    async def main() -> None:
        feed.begin()
        feed.advance()
        await play_auto(feed, feed.bot)

    trio.run(main)
    assert feed.status.result is not None
    assert not feed.has_left
