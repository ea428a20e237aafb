"""Private tables among processes: with the code one comes in, without it one is told why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p.door import ALPHABET, Code, new_code, read_code
from protocol import limits

from .program import Program, free_port, programs, run


def private(home: Path, port: int, *arguments: str) -> Program:
    return Program(home, "host", "maamut", "--private", f"--port={port}", "--auto", "--json", *arguments)


def other(code: Code) -> str:
    """A well-formed code for the same table, and the wrong one."""
    while True:
        found = new_code(bytes(16))
        if found.letters[4:] != code.letters[4:]:
            break
    for last in ALPHABET:
        typed = read_code(code.tag + found.letters[4:-1] + last)
        if typed:
            return str(typed)
    raise AssertionError


@pytest.mark.parametrize("by_address", [False, True])
def test_a_whole_game_by_code(tmp_path: Path, by_address: bool) -> None:
    port = free_port()
    with programs() as started:
        started.append(private(tmp_path / "0", port, "--players=3", "--bots=1"))
        code = started[0].wait_open()
        typed = code.lower().replace("-", " " if by_address else "")
        where = [f"127.0.0.1:{port}", "--code", typed] if by_address else [typed]
        started.append(Program(tmp_path / "1", "join", *where, "--auto", "--json"))
        results = [one.result() for one in started]
    assert all(result["verified"] for result in results)
    assert len({Path(result["transcript"]).read_bytes() for result in results}) == 1


def refused(home: Path, *arguments: str, exits: int = 3) -> str:
    """The one line with which a join fails."""
    code, out, err = run(home, "join", *arguments, "--auto", "--json")
    assert (code, out) == (exits, ""), (code, out, err)
    assert err.count("\n") == 1
    assert err.startswith("p2pgame: ")
    return err


def test_wrong_codes_and_a_door_that_shuts(tmp_path: Path) -> None:
    port = free_port()
    with programs() as started:
        started.append(private(tmp_path / "0", port))
        code = read_code(started[0].wait_open())
        assert code is not None
        where = f"127.0.0.1:{port}"
        assert "is private" in refused(tmp_path / "1", where)
        slip = code.letters[:5] + ALPHABET[ALPHABET.index(code.letters[5]) - 1] + code.letters[6:]
        assert "Nothing was sent" in refused(tmp_path / "1", where, "--code", slip, exits=2)
        for number in range(limits.WRONG_CODES):
            by_tag = number == 1
            wrong = [other(code)] if by_tag else [where, "--code", other(code)]
            assert "Wrong code" in refused(tmp_path / "1", *wrong)
            assert f"{number + 1} of at most" in started[0].wait_line("wrong code was tried")
        assert "shut for good" in refused(tmp_path / "1", where, "--code", str(code))
        assert "shut for good" in refused(tmp_path / "2", str(code))
        assert started[0].process.poll() is None


def test_a_code_that_nobody_gave_out(tmp_path: Path) -> None:
    code = new_code(b"nobody's table..")
    line = refused(tmp_path, str(code))
    assert f"begins with {code.tag}" in line
    assert "--code" in line


def test_a_code_at_an_open_table(tmp_path: Path) -> None:
    port = free_port()
    with programs() as started:
        started.append(Program(tmp_path / "0", "host", "maamut", f"--port={port}", "--auto"))
        started[0].wait_open()
        line = refused(tmp_path / "1", f"127.0.0.1:{port}", "--code", str(new_code(bytes(16))))
        assert "open to everybody" in line
