"""Whole games among machines on a LAN of their own: nobody types an address, and the cable is not to be trusted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.netns import Lan, lan, unavailable

from .program import Program, programs, run

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "namespaces can be made")


def on(net: Lan, machine: int, home: Path, *arguments: str) -> Program:
    """A player's program on one of the machines, a bot in its seat."""
    return Program(
        home / str(machine),
        *arguments,
        "--auto",
        "--json",
        f"--me=P{machine}",
        prefix=net.prefix(machine),
        interfaces="",
    )


def sound(home: Path, started: list[Program]) -> None:
    """All ended well, with one and the same record, which holds."""
    results = [one.result() for one in started]
    assert len({Path(result["transcript"]).read_bytes() for result in results}) == 1
    for result in results:
        assert result["verified"]
        code, _, err = run(home / "verifier", "verify", result["transcript"])
        assert (code, err) == (0, "")


def test_three_machines_without_an_address(tmp_path: Path) -> None:
    with lan(3) as net, programs() as started:
        started.append(on(net, 1, tmp_path, "host", "maamut", "--players", "3"))
        started.append(on(net, 2, tmp_path, "join"))
        started.append(on(net, 3, tmp_path, "join"))
        sound(tmp_path, started)


def test_a_link_between_two_of_three_does_not_matter(tmp_path: Path) -> None:
    """The guests never reach each other; the host passes everything on."""
    with lan(3) as net, programs() as started:
        net.cut(2, 3)
        started.append(on(net, 1, tmp_path, "host", "maamut", "--players", "3"))
        started.append(on(net, 2, tmp_path, "join"))
        started.append(on(net, 3, tmp_path, "join"))
        sound(tmp_path, started)


def test_a_cable_pulled_and_put_back(tmp_path: Path) -> None:
    with lan(2) as net, programs() as started:
        started.append(on(net, 1, tmp_path, "host", "maamut", "--seed=3"))
        started.append(on(net, 2, tmp_path, "join", "--seed=3"))
        lines = started[1].process.stdout
        assert lines is not None
        while "round 2" not in (line := lines.readline()):
            assert line
        net.plug(2, up=False)
        net.plug(2, up=True)
        sound(tmp_path, started)
