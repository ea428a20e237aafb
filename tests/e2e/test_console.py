"""The program without a command, as a person at a terminal sees it: from the lobby to a table, to its end, and back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.p2p.recorded import file_of

from .program import run
from .terminal import Terminal, terminals

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

DOWN, RIGHT, END, LEFT = "\x1b[B", "\x1b[C", "\x1b[F", "\x1b[D"


def open_table(host: Terminal, *, bots: int = 0, seats: int = 2) -> str:
    """Host a short game of Mâamut by the form; where it can be joined."""
    host.wait("host a table")
    host.type("h")
    host.wait("a new table", "open the table")
    host.type(DOWN + RIGHT * (seats - 2) + DOWN + "\x7f" * 3 + "1" + DOWN + RIGHT * bots + END)
    host.wait("< 1 >")
    host.type("\r")
    found = re.search(r"p2pgame join (\S+:\d+)", host.wait("waiting room", "p2pgame join"))
    assert found
    return found[1]


def play(*players: Terminal) -> None:
    """First choices, until the game is over."""

    def asked(one: Terminal) -> str:
        """The number of the first choice, if something is asked."""
        found = re.search(r"[:?]  (\d+) ", "\n".join(one.text.splitlines()[-6:]))
        return found[1] if found else ""

    def over() -> bool:
        return all("the end" in one.text for one in players)

    def news() -> bool:
        for one in players:
            one.read(0.01)
        return over() or any(asked(one) for one in players)

    while not over():
        players[0].until(news, "a turn")
        for one in players:
            if number := asked(one):
                one.type(f"{number}\r")
                one.wait_for_change()


def test_two_at_terminals_from_the_lobby_to_a_rematch_and_back(tmp_path: Path) -> None:
    with terminals() as terminal:
        ana, beto = terminal(tmp_path / "a", "--me", "Ana"), terminal(tmp_path / "b", "--me", "Beto")
        where = open_table(ana)
        beto.wait("join by address")
        beto.type("j")
        beto.wait("Address, name or code")
        beto.type(where + "\r")
        ana.wait("sealed by 2/2")
        beto.wait("sealed by 2/2")
        play(ana, beto)
        for one in (beto, ana):  # the guest first: it waits for the host
            one.wait("Ctrl-R: again with the same players", "p2pgame replay")
            one.type("\x12")
        for one in (ana, beto):
            one.wait("placing", "sealed by 2/2")
        ana.type("\x03")
        ana.wait("Leave the table?")
        ana.type("1\r")
        beto.wait("1 close")
        beto.type("1\r")
        for one in (ana, beto):
            one.wait("p2pgame · lobby", "past games", "q quit")
        beto.type("p")
        beto.wait("how it ended", "sound")
        beto.type("\x1b[F\r")  # the first game, which is the last of the list
        beto.wait("as everybody saw it")
        beto.type(END)
        beto.wait("checked: every shuffle")
        beto.type("q")
        beto.wait("how it ended")
        beto.type("\x03")
        ana.type("q")
        for one in (ana, beto):
            assert one.end() == 0
            assert one.restored


def test_a_killed_host_is_told_of_in_the_lobby(tmp_path: Path) -> None:
    with terminals() as terminal:
        ana, beto = terminal(tmp_path / "a", "--me", "Ana"), terminal(tmp_path / "b", "--me", "Beto")
        where = open_table(ana, seats=3)
        beto.wait("join by address")
        beto.type("j")
        beto.type(where + "\r")
        beto.wait("waiting room", "Ana (host)")
        ana.process.kill()
        beto.wait("p2pgame · lobby", "not to be had any more", where)  # to be mended, if it was a slip
        beto.type("\x1b")
        beto.wait("q quit")
        beto.type("q")
        assert beto.end() == 0
        assert beto.restored


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_the_lobby_is_left_by_every_key_that_leaves(tmp_path: Path, key: str) -> None:
    with terminals() as terminal:
        one = terminal(tmp_path)
        one.wait("p2pgame · lobby")
        one.type(key)
        assert one.end() == 0
        assert one.restored
        assert "p2pgame" not in one.text


@pytest.mark.parametrize(("columns", "lines"), [(1, 1), (20, 5), (300, 70)])
def test_the_lobby_at_any_size(tmp_path: Path, columns: int, lines: int) -> None:
    with terminals() as terminal:
        one = terminal(tmp_path, columns=columns, lines=lines)
        one.until(lambda: one.text.strip() != "", "something")
        one.type("q")
        assert one.end() == 0


# -- without a terminal ------------------------------------------------------------------------------------------------


def in_lines(home: Path, lines: str, *arguments: str) -> tuple[int, str, str]:
    """The program with these lines as its input."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "client.cli", *arguments],
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "P2PGAME_HOME": str(home), "P2PGAME_INTERFACES": "127.0.0.1"},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_no_input_at_all(tmp_path: Path) -> None:
    code, out, err = run(tmp_path)
    assert (code, err) == (0, "")
    assert "h  host a table" in out


def test_a_table_in_lines_and_back_to_the_menu(tmp_path: Path) -> None:
    lines = "host\nplayers 2\nbots 1\nrounds 1\nname Lines\nopen\n1\n/leave\nyes\npast\nq\n"
    code, out, err = in_lines(tmp_path, lines, "--me", "Ana")
    assert (code, err) == (0, "")
    assert "Where on the rim" in out
    assert "past games:" in out
    assert "\x1b" not in out


def test_replay_and_history_of_a_profile(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / f"{0xABCD << 240:064x}.p2plog").write_bytes(file_of())
    code, out, err = run(tmp_path, "replay", "abcd")
    assert (code, err) == (0, "")
    assert "checked: every shuffle" in out
    code, out, err = run(tmp_path, "history", "--json", "--verify")
    assert (code, err) == (0, "")
    assert json.loads(out.splitlines()[-1])["games"][0]["verdict"] == "sound"
    code, _, err = run(tmp_path, "replay", "ffff")
    assert code == 2
    assert "ffff cannot be read" in err


def test_options_of_the_lobby_come_after_a_command(tmp_path: Path) -> None:
    code, _, err = run(tmp_path, "--me", "Ana", "rules", "maamut")
    assert code == 2
    assert "write --me after the command rules" in err
