"""Lobby and replay as a terminal shows them, and by keys and clicks as a person uses them."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pyte
import pytest
import trio
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from client.app import close, run_full_screen, show
from client.entries import Join, Open, Quit, Verify, Watch, Wish
from client.hall import Hall, Page
from client.render.base import Row
from client.replay import Playback, game_lines, watch_lines, watch_screen
from client.screens.lobby import LobbyScreen
from client.screens.lobby_rows import compose
from client.screens.replay import ReplayScreen
from client.screens.table import TableScreen
from client.style import ASCII, UNICODE, Appearance
from client.text import width
from p2p.errors import NotATranscript
from tests.p2p.recorded import file_of

from .console_scenes import COLOURED, SCENES, captures, replay_of
from .fakes import full_screen, started
from .halls import busy, heard, past, table
from .screenshot import Screen, Shown, text_of


@pytest.fixture(scope="module")
def fresh() -> dict[str, str]:
    """All captures as they are now."""
    return dict(captures())


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_at_every_size(name: str) -> None:
    screen = SCENES[name][0]()
    for columns in (1, 10, 19, 20, 21, 30, 39, 40, 41, 60, 79, 80, 120, 200):
        for lines in (1, 4, 5, 6, 7, 9, 10, 12, 16, 24, 40, 60):
            rows = screen.rows(columns, lines)
            assert len(rows) == lines
            assert all(sum(width(text) for _, text, _ in row) == columns for row in rows), (columns, lines)


def words(rows: list[Row]) -> str:
    return "\n".join(" ".join("".join(text for _, text, _ in row).replace("│", " ").split()) for row in rows)


def test_the_help_line_is_always_there() -> None:
    for columns, lines in ((200, 60), (80, 24), (40, 12), (30, 10)):
        text = "\n".join("".join(text for _, text, _ in row) for row in compose(busy(), UNICODE, columns, lines))
        assert all(word in text for word in ("h host", "q quit", "p past")), (columns, lines)


def test_columns_are_cut_only_where_there_is_no_room() -> None:
    def text(columns: int, lines: int) -> str:
        return words(compose(busy(), UNICODE, columns, lines))

    assert "Attic 😀 日本 Amnesia 1 of 4 with a code" in text(60, 20)
    assert "1 Sunday Mâamut go on (2026-03-13)" in text(60, 20)
    assert "no: unknown game" in text(60, 20)
    assert "with a code" in text(30, 10)
    assert "1 Sunday go on (2026…" in text(30, 10)


def test_a_note_that_is_cut_says_so() -> None:
    hall = busy()
    hall.note = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    assert "one two three four five six\nseven eight nine ten eleven…" in words(compose(hall, UNICODE, 30, 10))
    assert "one two three fou…" in words(compose(hall, UNICODE, 20, 5))
    assert hall.note in words(compose(hall, UNICODE, 60, 20)).replace("\n", " ")


def test_what_enter_does_is_told_whole() -> None:
    hall = busy()
    hall.char("j")
    assert "Enter takes what you have typed Esc back" in words(compose(hall, UNICODE, 80, 24))
    assert words(compose(hall, UNICODE, 30, 10)).endswith("Enter Esc back")


def test_names_and_notes_of_others_move_nothing() -> None:
    hall = Hall("A\x1b[2J" + "日" * 40)
    hall.known = {"AGHH-FBA4-2222-3333": "\x1b]0;x\x07\u202e" + "m" * 90}
    hall.note = "one\x1b[31m\ntwo\r" + "x" * 3000
    hall.hear(heard(table("n\n\x1b[5m😀👩‍👩‍👧", 1), table("ت" * 60, 2, seats_taken=3)), "\x07")
    hall.found([], [past(names=("\x1b", "日本" * 20, "x"), keys=(b"1" * 32, b"2" * 32, b"3" * 32))])
    for page in Page:
        hall.page = page
        for columns in (20, 47, 80, 131):
            for row in compose(hall, UNICODE, columns, 24):
                text = "".join(text for _, text, _ in row)
                assert width(text) == columns
                assert not set("\x1b\n\r\x07\u202e") & set(text)


# -- the lobby by keys and clicks --------------------------------------------------------------------------------------


async def press(application: Application[Any], source: PipeInput, keys: Sequence[str]) -> AsyncIterator[str]:
    """Send keys one after the other, each when the screen shows what the one before has done."""
    with trio.fail_after(30):
        for key in keys:
            while not application.render_counter:
                await trio.lowlevel.checkpoint()
            before = application.render_counter
            source.send_text(key)
            while application.is_running and application.render_counter == before:
                await trio.lowlevel.checkpoint()
            yield key


def wish_of(hall: Hall, *keys: str) -> Wish:
    """What a lobby ends with when these keys are pressed."""
    with create_pipe_input() as source:

        async def main() -> Wish:
            screen = LobbyScreen(hall, COLOURED)
            sink = Vt100_Output(io.StringIO(), lambda: Size(24, 80), enable_cpr=False)
            application = screen.application(source, sink)
            async with trio.open_nursery() as nursery:

                @nursery.start_soon
                async def _() -> None:
                    async for _ in press(application, source, keys):
                        pass

                screen.show_title("p2pgame · lobby")
                screen.refresh()
                try:
                    return await show(application)
                finally:
                    screen.put_away()

        return full_screen(main)


DOWN, UP, RIGHT, ESC, F1 = "\x1b[B", "\x1b[A", "\x1b[C", "\x1b", "\x1bOP"


def click(column: int, row: int) -> str:
    """A press and a release there; both count from 1."""
    return f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        (("q",), Quit),
        (("\x03",), Quit),
        (("\x04",), Quit),
        ((DOWN, "\r"), Join),
        (("2", "\r"), Join),
        (("\x1b[6~", UP, UP, UP, UP, "\r"), Join),
        (("j", "10.0.0.5", "\x7f", "7", "\r"), Join),
        (("j", "x", "\x15", "\r", "q"), Quit),
        (("p", "\r"), Watch),
        (("p", DOWN, "v"), Verify),
        (("h", "\x1b[F", "\r"), Open),
        (("h", F1, F1, F1, "\r", "\x1b[F", "\r"), Open),
        ((F1, DOWN, "\r", "\x0c", "q"), Quit),
        ((click(10, 7),), Join),
        ((click(10, 10), "q"), Quit),
        (("p", click(10, 4)), Watch),
        ((click(38, 23), ESC, "q"), Quit),
        (("h", click(35, 24)), Open),
    ],
)
def test_a_lobby_by_keys_and_clicks(keys: tuple[str, ...], kind: type[Wish]) -> None:
    assert isinstance(wish_of(busy(), *keys), kind)


def test_the_form_by_clicks_and_keys() -> None:
    hall = busy()
    wish = wish_of(hall, "h", click(18, 3), DOWN, RIGHT, "\x1b[D", RIGHT, "\x1b[F", "\r")
    assert isinstance(wish, Open)
    assert (wish.plan.game, wish.plan.players) == ("maamut", 3)
    wish = wish_of(busy(), "h", click(23, 3), click(4, 4), "\x1b[F", "\r")
    assert isinstance(wish, Open)
    assert wish.plan.game == "fungi"


def test_pasted_text_decides_nothing() -> None:
    hall = busy()
    wish = wish_of(hall, "\x1b[200~q\r2\rh\r\x1b[201~", "j", "\x1b[200~10.0.0.5\r\n\x1b[201~", "\r")
    assert wish == Join(None, "10.0.0.5")


def _of_a_table() -> TableScreen:
    return Shown(started(), COLOURED).screen


SCREENS = {"table": _of_a_table, "lobby": SCENES["lobby"][0], "form": SCENES["form"][0], "replay": SCENES["replay"][0]}


@pytest.mark.parametrize("name", SCREENS)
def test_a_resize_from_huge_to_tiny_and_back(name: str) -> None:
    sizes, size = [(200, 60), (20, 5), (5, 2), (1, 1), (20, 5), (80, 24)], [(200, 60)]
    written, kept = io.StringIO(), list[str]()
    with create_pipe_input() as source:

        async def main() -> None:
            screen: Screen = SCREENS[name]()
            sink = Vt100_Output(written, lambda: Size(size[0][1], size[0][0]), enable_cpr=False)
            application = screen.application(source, sink)
            async with trio.open_nursery() as nursery:

                @nursery.start_soon
                async def _() -> None:
                    while not application.render_counter:
                        await trio.lowlevel.checkpoint()
                    for size[0] in sizes:
                        written.seek(written.truncate(0))
                        before = application.render_counter
                        application._on_resize()
                        while application.render_counter == before:
                            await trio.lowlevel.checkpoint()
                    kept.append(written.getvalue())
                    close(application, None)

                await show(application)

        full_screen(main)
    terminal = pyte.Screen(80, 24)
    pyte.Stream(terminal).feed(kept[0])
    expected = SCREENS[name]()
    assert [line.rstrip() for line in terminal.display] == text_of(expected, 80, 24).splitlines()


# -- the replay by keys ------------------------------------------------------------------------------------------------


def looked_at(*keys: str) -> list[tuple[int, int | None, str]]:
    """Position, seat and page after each of these keys; then the replay is left."""
    playback, found = Playback(replay_of(), COLOURED), list[tuple[int, int | None, str]]()
    with create_pipe_input() as source:

        async def main() -> None:
            screen = ReplayScreen(COLOURED)
            sink = Vt100_Output(io.StringIO(), lambda: Size(24, 80), enable_cpr=False)
            application = screen.application(source, sink)
            screen.put(playback)
            async with trio.open_nursery() as nursery:

                @nursery.start_soon
                async def _() -> None:
                    async for _ in press(application, source, keys):
                        found.append((playback.position, playback.feed.seat, playback.page))
                    source.send_text("q")

                await show(application)
                screen.put_away()

        full_screen(main)
    return found


def test_stepping_through_a_game() -> None:
    marks = [moment.mark for moment in replay_of().moments]
    last, start = len(marks) - 1, {mark: marks.index(mark) for mark in reversed(marks)}
    steps = [
        (RIGHT, 1),
        (" ", 2),
        ("\r", 3),
        ("\x1b[D", 2),
        ("\x7f", 1),
        ("\x1b[F", last),
        (RIGHT, last),
        ("\x1b[H", 0),
        ("\x1b[D", 0),
        ("4\r", start["round 4"]),
        (DOWN, start["round 5"]),
        (UP, start["round 4"]),
        (UP, start["round 3"]),
        ("\x1b[6~", start["round 4"]),
        ("\x1b[5~", start["round 3"]),
        ("999\r", start["round 3"]),
        ("1\x7f\x7f", start["round 3"] - 1),
        ("2 \x1b", start["round 3"] - 1),
        (click(3, 24), start["round 3"]),
        (click(15, 24), start["round 4"]),
    ]
    found = looked_at(*(key for key, _ in steps))
    assert [position for position, _, _ in found] == [position for _, position in steps]


def test_who_looks_and_what_is_read() -> None:
    found = looked_at("v", "v", "v", click(25, 24), "?", RIGHT, DOWN, ESC, F1, "\x1b[6~", "\r", "-", "+", "\x0c")
    assert [seat for _, seat, _ in found[:4]] == [0, 1, None, 0]
    assert [page for _, _, page in found[4:11]] == ["help", "help", "help", "", "rules", "rules", ""]
    assert {position for position, _, _ in found} == {0}


@pytest.mark.parametrize("size", [(200, 60), (120, 40), (80, 24), (60, 20), (40, 12), (30, 10), (20, 5)])
@pytest.mark.parametrize(("game", "seats"), [("maamut", 3), ("fungi", 2), ("amanite", 3), ("amnesia", 3)])
def test_the_points_are_shown_whole_or_on_a_page(game: str, seats: int, size: tuple[int, int]) -> None:
    playback = Playback(replay_of(game, seats), COLOURED)
    screen = ReplayScreen(COLOURED)
    screen.put(playback)
    playback.go(playback.last)
    _, *scores = playback.question()
    at_once = words(screen.rows(*size)).replace("\n", " ")
    verdict = "checked: every shuffle, look and card of this game was fair"
    if all(line in at_once for line in scores) and verdict in at_once:
        return
    assert "… e how it ended" in at_once
    assert not any(line in at_once for line in scores)
    screen._result()
    seen = list[str]()
    for scroll in range(200):
        playback.scroll = scroll
        seen += [line for line in words(screen.rows(*size)).splitlines() if line not in seen]
    joined = " ".join(seen)
    for line in (*playback.question(), verdict):
        assert all(word in joined for word in line.split()), line
    screen._result()
    assert playback.page == ""


def test_the_points_are_told_at_the_end_only() -> None:
    assert [page for _, _, page in looked_at("e", "\x1b[F", "e", "\x1b[6~", "e", "e", "\r", "e", ESC)] == [
        *("", "", "result", "result", "", "result", "", "result", "")
    ]
    screen = ReplayScreen(COLOURED)
    screen._result()  # the game is not there yet
    screen.put(Playback(replay_of(), COLOURED))
    screen._result()
    assert "how it ended is told at the end: press End first" in words(screen.rows(80, 24))


def test_where_there_is_little_room_it_is_still_said_who_decides() -> None:
    screen = ReplayScreen(COLOURED)
    screen.put(Playback(replay_of(), COLOURED))
    assert "Ana decides now." in words(screen.rows(30, 10))


def test_a_round_that_is_not_there_and_seeds_that_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    playback = Playback(replay_of(), COLOURED)
    playback.jump("777\x1b")
    assert playback.note == "there is no round 777␛"
    monkeypatch.setattr(playback.replay.about, "known_seats", [])
    playback.switch()
    assert "seeds are not in this file" in playback.note


def test_the_whole_game_in_lines() -> None:
    lines = game_lines(replay_of(), COLOURED)
    assert lines[0] == 'Mâamut at table "Attic", Ana, Beto 日本 😀'
    assert any(line.startswith("  Ana starts on ") for line in lines)
    assert lines[-1] == "checked: every shuffle, look and card of this game was fair"
    assert all(width(line) <= 79 and "\x1b" not in line for line in lines)


def test_from_file_to_screen(tmp_path: Path) -> None:
    path = tmp_path / "x.p2plog"
    path.write_bytes(file_of())
    with create_pipe_input() as source:
        source.send_text("\x1b[C\x1b[C\x03")
        assert full_screen(lambda: watch_screen(path, COLOURED, source, DummyOutput())) == 0
    said: list[str] = []
    assert trio.run(watch_lines, path, Appearance(ASCII, False), said.append) == 0
    assert all(line.isascii() for line in said)


def test_other_files_say_so(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")
    with create_pipe_input() as source, pytest.raises(NotATranscript, match=r"notes\.txt cannot be read"):
        run_full_screen(lambda: watch_screen(path, COLOURED, source, DummyOutput()), expected=(NotATranscript,))
