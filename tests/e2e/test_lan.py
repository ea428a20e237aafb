"""Whole games among machines on a LAN of their own: nobody types an address, and the cable is not to be trusted."""

from __future__ import annotations

import signal
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


def test_machines_with_a_vpn_containers_and_a_dead_interface(tmp_path: Path) -> None:
    with lan(2) as net, programs() as started:
        for machine in (1, 2):
            net.clutter(machine)
        started.append(on(net, 1, tmp_path, "host", "maamut"))
        started.append(on(net, 2, tmp_path, "join"))
        sound(tmp_path, started)


def test_a_network_without_ipv4(tmp_path: Path) -> None:
    with lan(2) as net, programs() as started:
        for machine in (1, 2):
            net.strip(machine)
        started.append(on(net, 1, tmp_path, "host", "maamut"))
        started.append(on(net, 2, tmp_path, "join"))
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


@pytest.mark.parametrize("movers", [[2], [1], [1, 2]], ids=["guest", "host", "both"])
def test_machines_get_other_addresses_in_mid_game(tmp_path: Path, movers: list[int]) -> None:
    """If all do, no address that anybody knows leads anywhere: they find each other again by their announcements."""
    with lan(2) as net, programs() as started:
        for machine in (1, 2):
            net.ipv6(machine, on=False)  # a link-local address would stay
        started.append(on(net, 1, tmp_path, "host", "maamut", "--seed=3"))
        started.append(on(net, 2, tmp_path, "join", "--seed=3"))
        started[1].wait_line("round 2")
        started[1].process.send_signal(signal.SIGSTOP)  # so that the game cannot end meanwhile
        for machine in movers:
            net.move(machine, 100 + machine)
        started[1].process.send_signal(signal.SIGCONT)
        sound(tmp_path, started)


def test_a_seat_comes_back_at_another_port_and_address(tmp_path: Path) -> None:
    """The others are where they were, and are told nothing; what they know of the seat is out of date."""
    with lan(3) as net, programs() as started:
        for machine in (1, 2, 3):
            net.ipv6(machine, on=False)
        started.append(on(net, 1, tmp_path, "host", "maamut", "--players=3", "--seed=3"))
        started.append(on(net, 2, tmp_path, "join", "--seed=3"))
        started.append(on(net, 3, tmp_path, "join", "--seed=3"))
        started[0].wait_line("round 2")
        started[0].process.kill()
        started[0].end()
        net.move(1, 101)
        started[0] = on(net, 1, tmp_path, "resume", "--seed=4")
        sound(tmp_path, started)
