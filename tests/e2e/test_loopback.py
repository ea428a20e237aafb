"""Whole games among processes on loopback, joined by address; and the errors that a person can make."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from .program import Program, free_port, programs, run


@pytest.mark.parametrize("players", [2, 3])
def test_a_whole_game_by_address(tmp_path: Path, players: int) -> None:
    port = free_port()
    with programs() as started:
        started.append(
            Program(tmp_path / "0", "host", "maamut", f"--players={players}", f"--port={port}", "--auto", "--json")
        )
        started[0].wait_open()
        for number in range(1, players):
            home = tmp_path / str(number)
            started.append(Program(home, "join", f"127.0.0.1:{port}", "--auto", "--json", f"--me=P{number}"))
        results = [one.result() for one in started]
    files = {Path(result["transcript"]).read_bytes() for result in results}
    assert len(files) == 1
    assert len({result["hash"] for result in results}) == 1
    assert all(result["verified"] and result["game"] == "maamut" for result in results)
    assert results[0]["players"] == players
    for result in results:
        code, out, err = run(tmp_path / "v", "verify", result["transcript"], "--json")
        assert (code, err) == (0, "")
        assert json.loads(out.splitlines()[-1])["verdict"] == "sound"


def test_one_of_three_leaves_properly(tmp_path: Path) -> None:
    """The third player's input ends after one choice; the two others play on, and the record says who has left."""
    port = free_port()
    with programs() as started:
        started.append(Program(tmp_path / "0", "host", "maamut", "--players=3", f"--port={port}", "--auto", "--json"))
        started[0].wait_open()
        started.append(Program(tmp_path / "1", "join", f"127.0.0.1:{port}", "--auto", "--json", "--me=P1"))
        started.append(Program(tmp_path / "2", "join", f"127.0.0.1:{port}", "--plain", "--me=P2", typing=True))
        keys = started[2].process.stdin
        assert keys is not None
        keys.write("1\n")
        keys.close()
        started[2].process.stdin = None
        results = [one.result() for one in started[:2]]
        code, _, err = started[2].end()
    assert code == 4
    assert "you have left" in err
    assert len({Path(result["transcript"]).read_bytes() for result in results}) == 1
    assert all(result["verified"] for result in results)
    code, out, _ = run(tmp_path / "v", "verify", results[0]["transcript"])
    assert code == 0
    assert "P2, who left properly" in out


def test_bots_of_the_host(tmp_path: Path) -> None:
    with programs() as started:
        started.append(
            Program(tmp_path, "host", "maamut", "--players=3", "--bots=2", f"--port={free_port()}", "--auto", "--json")
        )
        assert started[0].result()["players"] == 3


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["host", "chess"], 2, "there is no game 'chess'"),
        (["host", "maamut", "--players", "9"], 2, "2 to 4 players"),
        (["host", "maamut", "--players", "many"], 2, "not a valid integer"),
        (["host", "maamut", "--option", "rounds"], 2, "KEY=VALUE"),
        (["host", "maamut", "--option", "colour=red"], 2, "no option 'colour'"),
        (["host", "maamut", "--name", "x" * 65], 2, "1 to 64 bytes"),
        (["host", "maamut", "--me", "a\x1b[31mb"], 2, "visible characters"),
        (["host", "maamut", "--bots", "7"], 2, "--bots"),
        (["rules", "chess"], 2, "there is no game"),
        (["demo", "maamut", "--players", "1"], 2, "2 to 4 players"),
        (["join", "127.0.0.1:9", "--code", "AAAA-BBBB-CCCC"], 2, "Wrong code"),
        (["verify"], 2, "Missing argument"),
        (["verify", "/nowhere/at/all"], 2, "cannot be read"),
        (["nonsense"], 2, "No such command"),
    ],
)
def test_mistakes_get_one_line_and_their_code(tmp_path: Path, arguments: list[str], code: int, words: str) -> None:
    found, out, err = run(tmp_path, *arguments)
    assert found == code
    assert words in out + err
    assert "Traceback" not in out + err
    assert "\x1b" not in out + err


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        code, _, err = run(tmp_path, "host", "maamut", "--auto", f"--port={taken.getsockname()[1]}")
    assert code == 3
    assert "taken by another program" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("manner", ["--auto", "--plain"])
def test_nobody_there(tmp_path: Path, manner: str) -> None:
    """Also if the input has ended before that is known."""
    code, _, err = run(tmp_path, "join", f"127.0.0.1:{free_port()}", manner)
    assert code == 3
    assert "Nobody can be reached" in err
    assert err.count("\n") == 1


def test_no_table_to_be_heard_of(tmp_path: Path) -> None:
    code, _, err = run(tmp_path, "join", "no such table", "--auto")
    assert code == 3
    assert "p2pgame join" in err


def test_a_profile_in_use(tmp_path: Path) -> None:
    port = free_port()
    with programs() as started:
        started.append(Program(tmp_path / "a", "host", "maamut", f"--port={port}", "--auto"))
        started[0].wait_open()
        code, _, err = run(tmp_path / "a", "join", f"127.0.0.1:{port}", "--auto")
    assert code == 2
    assert "Another program" in err


def test_a_stranger_who_sends_garbage_changes_nothing(tmp_path: Path) -> None:
    port = free_port()
    with programs() as started:
        started.append(Program(tmp_path / "a", "host", "maamut", f"--port={port}", "--auto", "--json"))
        started[0].wait_open()
        for garbage in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 1000, b"\0\0\0\5hello"):
            with socket.create_connection(("127.0.0.1", port)) as stranger:
                stranger.sendall(garbage)
        started.append(Program(tmp_path / "b", "join", f"127.0.0.1:{port}", "--auto", "--json"))
        assert started[1].result()["verified"]
        assert started[0].result()["verified"]


def test_a_file_that_is_no_transcript(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("dear diary")
    code, out, err = run(tmp_path, "verify", str(file))
    assert code == 2
    assert "not a transcript" in out
    assert err == ""


def test_the_demo(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, "demo", "maamut", "--players=2", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out.splitlines()[-1])
    assert found["verified"]
    assert Path(found["transcript"]).exists()
    assert "byte-identical" in out
    paths = [word.rstrip(":") for word in out.split() if word.startswith("/")]
    assert paths
    assert all(Path(path).exists() for path in paths)
    (told,) = [line.removeprefix("  result: ") for line in out.splitlines() if line.startswith("  result: ")]
    assert [line.strip() for line in out.splitlines()].count(told) == 1  # when it happens; then in the report
