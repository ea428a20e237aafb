"""What is asked for quickly is answered quickly: nothing is imported for it that takes time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("trio", "cryptography", "zeroconf", "prompt_toolkit", "nacl", "spake2", "msgpack", "asyncio", "engines")

SCRIPT = """
import sys
from client.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
sys.stdout.write("\\n" + " ".join(name for name in {heavy!r} if name in sys.modules) + "\\n")
sys.exit(code)
"""


def imported(home: Path, *arguments: str) -> set[str]:
    """Which of the heavy packages a command has imported."""
    command = [sys.executable, "-W", "error", "-c", SCRIPT.format(heavy=HEAVY), *arguments]
    environment = {"P2PGAME_HOME": str(home), "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["join", "--help"], ["doctor", "--help"]])
def test_nothing_heavy_for_a_few_words(tmp_path: Path, arguments: list[str]) -> None:
    assert imported(tmp_path, *arguments) == set()


def test_only_the_games_for_the_list_of_games(tmp_path: Path) -> None:
    assert imported(tmp_path, "host", "--help") == {"engines"}


def test_no_network_for_rules(tmp_path: Path) -> None:
    assert not imported(tmp_path, "rules", "maamut") & {"zeroconf", "spake2"}


def test_no_screen_for_completion(tmp_path: Path) -> None:
    assert not imported(tmp_path, "completion", "fish") & {"trio", "zeroconf", "prompt_toolkit", "spake2"}
