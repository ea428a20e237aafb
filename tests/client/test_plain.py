"""The plain mode: in which order it tells things, how wide, and what it says of stopping."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from client import plain
from client.hall import Hall
from client.plain import Lines, PlainTable, play_plain, wrapped
from client.plain_lobby import PlainLobby
from client.style import UNICODE, Appearance
from client.view import TableView
from p2p.feed import Changed, Finished

from .fakes import FakeFeed, started
from .halls import busy

LOOK = Appearance(UNICODE, True)
STOPPED = "Stopped, but not left: p2pgame resume goes on with the game.\n"


def shown_of(feed: FakeFeed, *typed: str) -> str:
    """What a person sees who types that, each line when everything before it is done, and then waits."""
    out = io.StringIO()

    async def main() -> None:
        send, receive = trio.open_memory_channel[str](0)

        async def play() -> None:
            await play_plain(feed, LOOK, lines=Lines(receive), patient=False, out=out)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            await wait_all_tasks_blocked()
            for line in typed:
                await send.send(line)
                await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    trio.run(main)
    return out.getvalue()


def test_what_led_to_a_question_is_told_before_it() -> None:
    feed = started()
    text = shown_of(feed, "d1")
    assert feed.menu is not None
    order = ["Caro begins", "Where on the rim", "Ana starts on d1", "— round 1 —", "Caro plays", "Your turn:"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert text.index("Your turn:") == text.rindex("Your turn:")
    assert text.split("> ")[-1].strip() == STOPPED.strip(), "nothing has come after the question"


def test_a_line_that_was_typed_at_once_is_answered_after_what_has_happened() -> None:
    """From a pipe all lines are there at the beginning."""
    out = io.StringIO()
    feed = started()

    async def lines() -> AsyncIterator[str]:
        for line in ("d1", "?"):
            yield line

    trio.run(lambda: play_plain(feed, LOOK, lines=lines(), patient=True, out=out))
    text = out.getvalue()
    assert text.index("Caro begins") < text.index("Where on the rim") < text.index("Ana starts on d1")
    assert text.index("Caro plays") < text.index("Your turn:") < text.index("not possible:")


def test_who_has_which_sign_is_told_when_the_game_begins() -> None:
    feed = FakeFeed()
    table, out = table_of(feed)
    table.update(Changed())
    assert "At the table" not in out.getvalue()
    feed.begin()
    table.update(Changed())
    table.update(Changed())
    assert out.getvalue().count("At the table: ● Ana (you), ▲ Beto, ■ Caro\n") == 1


def table_of(feed: FakeFeed) -> tuple[PlainTable, io.StringIO]:
    out = io.StringIO()
    return PlainTable(TableView(feed, LOOK), out, lambda call: call()), out


# -- stopping ----------------------------------------------------------------------------------------------------------


def test_the_help_tells_what_ctrl_c_does() -> None:
    table, out = table_of(started())
    table.line("help")
    assert "Ctrl-C     stop at once, without leaving: p2pgame resume goes on with the game\n" in out.getvalue()


def test_who_stops_is_told_how_to_go_on() -> None:
    assert shown_of(started()).endswith(STOPPED)
    assert STOPPED not in shown_of(FakeFeed()), "nothing has begun"
    left = started()
    assert STOPPED not in shown_of(left, "leave", "yes")
    assert left.has_left
    over = started()
    over.send(Finished())
    assert STOPPED not in shown_of(over)


# -- width -------------------------------------------------------------------------------------------------------------


def test_lines_are_broken_between_words_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "Beto takes fright and flees from d4 to d5, the only way out"
    assert wrapped(long, io.StringIO()) == long
    monkeypatch.setattr(plain, "columns_of", lambda stream: 30)
    assert wrapped(f"{long}\n\n> ", io.StringIO()) == (
        "Beto takes fright and flees\nfrom d4 to d5, the only way\nout\n\n> "
    )


def test_a_table_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "columns_of", lambda stream: 32)
    text = shown_of(started(), "help", "d1", "move 2")
    assert max(len(line.removeprefix("> ")) for line in text.splitlines()) <= 32, "Enter ends the line of a prompt"
    assert "g4 begins a row" in text, "the board that fits"


def test_a_lobby_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "columns_of", lambda stream: 40)
    said: list[str] = []

    async def typed() -> AsyncIterator[str]:
        for line in ("p", "back", "h"):
            yield line

    async def main(hall: Hall) -> None:
        async with Lines.of(typed()) as lines:
            lobby = PlainLobby(lines, UNICODE, said.append)
            lobby._news.set()
            await lobby.run(hall)

    trio.run(main, busy())
    assert max(len(line) for text in said for line in text.splitlines()) <= 40


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_the_width_of_a_terminal_is_asked_for() -> None:
    import fcntl
    import pty
    import struct
    import termios

    leader, follower = pty.openpty()
    try:
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 77, 0, 0))
        with os.fdopen(os.dup(follower), "w") as stream:
            assert plain.columns_of(stream) == 77
    finally:
        os.close(leader)
        os.close(follower)
    with Path(os.devnull).open("w") as stream:
        assert plain.columns_of(stream) == 0
    assert plain.columns_of(io.StringIO()) == 0
    assert plain.columns_of(None) == 0
