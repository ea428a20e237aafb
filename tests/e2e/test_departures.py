"""However a program at a terminal comes to its end, or is stopped: the terminal is restored, the others are told, and
the game goes on with whoever comes back."""

from __future__ import annotations

import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from .terminal import Terminal, terminals
from .test_console import open_table

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

WAYS = ["SIGINT", "SIGTERM", "SIGHUP", "shut"]
INTERRUPTED = 130
COOKED = termios.ECHO | termios.ICANON | termios.ISIG


def part(one: Terminal, how: str) -> None:
    """It ends in that way, and says so by its exit code."""
    if how == "shut":
        one.shut()
        assert one.process.wait(20) == INTERRUPTED
        return
    one.process.send_signal(getattr(signal, how))
    assert one.end() == INTERRUPTED
    assert one.restored
    assert f"interrupted ({how})" in one.text


def table(ana: Terminal, beto: Terminal) -> None:
    """Both at a table, their cards dealt."""
    where = open_table(ana)
    beto.wait("join by address")
    beto.type("j")
    beto.wait("Address, name or code")
    beto.type(where + "\r")
    for one in (ana, beto):
        one.wait("placing", "sealed by 2/2", "3 cards each")


@pytest.mark.parametrize("how", WAYS)
def test_in_the_lobby(tmp_path: Path, how: str) -> None:
    with terminals() as terminal:
        ana = terminal(tmp_path, "--me", "Ana")
        ana.wait("p2pgame · lobby", "q quit")
        part(ana, how)


@pytest.mark.parametrize("how", WAYS)
def test_at_a_table(tmp_path: Path, how: str) -> None:
    with terminals() as terminal:
        ana, beto = terminal(tmp_path / "a", "--me", "Ana"), terminal(tmp_path / "b", "--me", "Beto")
        table(ana, beto)
        part(ana, how)
        beto.wait("Ana has closed the program")
        again = terminal(tmp_path / "a", "resume")
        again.wait("placing", "sealed by 2/2")
        beto.wait("Ana is back")


def stopped(process: subprocess.Popen[bytes]) -> bool:
    """Whether it was stopped by a signal and not yet continued (proc(5), the third field after the name)."""
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")
def test_stopped_by_a_key_and_continued(tmp_path: Path) -> None:
    """As by Ctrl-Z and `fg`, in the middle of a game."""
    with terminals() as terminal:
        ana, beto = terminal(tmp_path / "a", "--me", "Ana"), terminal(tmp_path / "b", "--me", "Beto")
        table(ana, beto)
        ana.type("\x1a")
        ana.until(lambda: stopped(ana.process) and "placing" not in ana.text, "a stop")
        assert ana.modes & COOKED == COOKED
        beto.wait("Ana cannot be reached")
        ana.process.send_signal(signal.SIGCONT)
        ana.wait("placing", "sealed by 2/2")
        beto.wait("Ana is back")
        assert ana.modes & COOKED == 0
