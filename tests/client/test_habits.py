"""What is set while playing is there the next time, and nothing else in the settings file is touched."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from client import lobby
from client.entries import Quit, Wish
from client.habits import Habits, changed, keep
from client.hall import Hall
from client.sit import Manner, player
from p2p.feed import TableFeed

from .fakes import started
from .test_settings import parsed


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of an empty profile."""
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path))
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")
    return tmp_path / "config.toml"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "clock = true\n"),
        ("me = 'Ana'", "me = 'Ana'\nclock = true\n"),
        ("# mine\nclock = false # no\nplain = true\n", "# mine\nclock = true\nplain = true\n"),
        ("plain = true\n\n[host]\nclock = false\n", "plain = true\n\nclock = true\n[host]\nclock = false\n"),
        ('option = [\n  "a=1",\n]\n', 'option = [\n  "a=1",\n]\nclock = true\n'),
        ('"clock" = false\r\nme = "a"\r\n', 'clock = true\nme = "a"\r\n'),
    ],
)
def test_one_line_is_changed(before: str, after: str) -> None:
    assert changed(before, "clock", True) == after
    assert tomllib.loads(after) == {**tomllib.loads(before), "clock": True}


def test_what_is_written_is_read_again(file: Path) -> None:
    name = 'A "B" \\ 日本 😀'
    assert keep(file, "me", "Ana") == keep(file, "me", name) == keep(file, "no-bell", True) == ""
    found = parsed("host", "maamut")
    assert (found["me"], found["no_bell"], found["clock"]) == (name, True, False)
    assert file.read_text(encoding="utf-8").count("\n") == 2


@pytest.mark.parametrize("text", ['x = """\n[\nclock = 1\n"""\n', "x = [\n[1],\n]\n", "me = \n"])
def test_what_is_in_doubt_is_left_alone(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    assert keep(file, "clock", True) == f"to keep it, write clock = true into {file}"
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_cannot_be_written_is_told_of(file: Path) -> None:
    file.mkdir()
    assert "cannot be" in keep(file, "clock", True)
    habits = Habits(keep=lambda name, value: f"{name} {value}")
    assert (habits.turn_bell(), habits.turn_clock()) == ("the bell is off; no-bell True", "the clock is on; clock True")


def test_a_link_stays_a_link(file: Path) -> None:
    real = file.with_name("dotfile")
    real.write_text("", encoding="utf-8")
    file.symlink_to(real)
    assert keep(file, "clock", True) == ""
    assert file.is_symlink()
    assert real.read_text(encoding="utf-8") == "clock = true\n"


def test_at_a_table(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def lines() -> AsyncIterator[str]:
        for line in ("clock", "bell"):
            yield line

    async def sit() -> None:
        await player(Manner.of(parsed("join")), False, lines())(started())

    def kept() -> tuple[bool, bool]:
        manner = Manner.of(parsed("join"))
        return manner.clock, manner.no_bell

    assert kept() == (False, False)
    trio.run(sit)
    assert "the bell is off" in capsys.readouterr().out
    assert kept() == (True, True)
    trio.run(sit)
    assert "the bell is on" in capsys.readouterr().out
    assert kept() == (False, False)


def test_the_name_in_the_lobby(file: Path) -> None:
    async def choose(hall: Hall) -> Wish:
        hall.line("name")
        hall.line("Eva")
        return Quit()

    async def nobody(feed: TableFeed) -> bool:
        return False

    async def watch(path: Path) -> str:
        return ""

    trio.run(lobby.stay, "Ana", choose, nobody, watch)
    assert parsed("join")["me"] == "Eva"
