"""A killed program comes back, and the table goes on as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from .program import Program, free_port, programs, run


@pytest.mark.parametrize("victim", [0, 1])
def test_a_killed_peer_resumes(tmp_path: Path, victim: int) -> None:
    port = free_port()
    with programs() as started:
        started.append(Program(tmp_path / "0", "host", "maamut", f"--port={port}", "--auto", "--json", "--seed=3"))
        started[0].wait_open()
        started.append(Program(tmp_path / "1", "join", f"127.0.0.1:{port}", "--auto", "--json", "--seed=3"))
        lines = started[victim].process.stdout
        assert lines is not None
        while "round 2" not in (line := lines.readline()):
            assert line
        started[victim].process.kill()
        started[victim].process.communicate()
        survivor = started[1 - victim]
        started.append(Program(tmp_path / str(victim), "resume", "--auto", "--json", "--seed=4"))
        results = [started[2].result(), survivor.result()]
    assert all(result["verified"] for result in results)
    assert len({Path(result["transcript"]).read_bytes() for result in results}) == 1


def test_a_host_comes_back_with_its_bots(tmp_path: Path) -> None:
    port = free_port()
    with programs() as started:
        wishes = ("--players=3", "--bots=1", f"--port={port}", "--auto", "--json", "--seed=3")
        started.append(Program(tmp_path / "0", "host", "maamut", *wishes))
        started[0].wait_open()
        started.append(Program(tmp_path / "1", "join", f"127.0.0.1:{port}", "--auto", "--json", "--seed=3"))
        lines = started[0].process.stdout
        assert lines is not None
        while "round 2" not in (line := lines.readline()):
            assert line
        started[0].process.kill()
        started[0].process.communicate()
        started.append(Program(tmp_path / "0", "resume", "--auto", "--json", "--seed=4"))
        results = [started[2].result(), started[1].result()]
    assert all(result["verified"] for result in results)
    assert len({Path(result["transcript"]).read_bytes() for result in results}) == 1


def test_nothing_to_resume(tmp_path: Path) -> None:
    code, _, err = run(tmp_path, "resume", "--auto")
    assert code == 2
    assert "no game in this profile is unfinished" in err
