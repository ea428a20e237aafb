"""What happens to machines at a LAN party while real programs play: silence, sleep, pulled cables, pulled plugs."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engines import registry
from tests.netns import Lan, lan, unavailable

from .program import PATIENCE, Program, free_port, programs
from .test_lan import sound

namespaces = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "namespaces can be made")
SILENCE = 30.0
"""Seconds in which a lost seat is shown as such, however busy the machine is that all of them run on. That it takes no
more than five where nothing else takes time is shown by tests/p2p/test_silence.py."""
ASLEEP = 6.0


def on(net: Lan, machine: int, home: Path, *arguments: str) -> Program:
    """A player's program on one of the machines, a bot in its seat that says who is here."""
    common = ("--auto", "--json", f"--me=P{machine}", "--seed=3")
    prefix, module = net.prefix(machine), "tests.e2e.watched"
    return Program(home / str(machine), *arguments, *common, prefix=prefix, interfaces="", module=module)


@contextmanager
def asleep(program: Program, seconds: float) -> Iterator[None]:
    """The program stands still for so long, as on a laptop whose lid is closed; the block runs meanwhile."""
    program.process.send_signal(signal.SIGSTOP)
    then = time.monotonic()
    yield
    time.sleep(max(0.0, then + seconds - time.monotonic()))  # this is the fault, nothing waits for it
    program.process.send_signal(signal.SIGCONT)


@namespaces
def test_a_silent_peer_is_shown_as_lost_and_the_game_goes_on_when_it_is_heard_again(tmp_path: Path) -> None:
    """Packets are dropped, both interfaces stay up, and no connection is ever closed."""
    with lan(2) as net, programs() as started:
        started.append(on(net, 1, tmp_path, "host", "maamut"))
        started.append(on(net, 2, tmp_path, "join"))
        started[1].wait_line("round 2")
        net.cut(1, 2)
        then = time.monotonic()
        for seat, other in ((0, "P2"), (1, "P1")):
            started[seat].wait_line(f"{other} is lost")
            assert time.monotonic() - then < SILENCE
        net.cut(1, 2, mend=True)
        for seat, other in ((1, "P1"), (0, "P2")):
            started[seat].wait_line(f"{other} is here")
        sound(tmp_path, started)


@namespaces
def test_a_cable_that_is_out_until_everybody_has_noticed(tmp_path: Path) -> None:
    with lan(3) as net, programs() as started:
        started.append(on(net, 1, tmp_path, "host", "maamut", "--players=3"))
        started.append(on(net, 2, tmp_path, "join"))
        started.append(on(net, 3, tmp_path, "join"))
        started[2].wait_line("round 2")
        net.plug(3, up=False)
        for seat in (0, 1):
            started[seat].wait_line("P3 is lost")
        net.plug(3, up=True)
        sound(tmp_path, started)


@namespaces
def test_a_machine_sleeps(tmp_path: Path) -> None:
    with lan(3) as net, programs() as started:
        started.append(on(net, 1, tmp_path, "host", "maamut", "--players=3"))
        started.append(on(net, 2, tmp_path, "join"))
        started.append(on(net, 3, tmp_path, "join"))
        started[1].wait_line("round 2")
        then = time.monotonic()
        with asleep(started[1], ASLEEP):
            for seat in (0, 2):
                started[seat].wait_line("P2 is lost")
            assert time.monotonic() - then < SILENCE
        sound(tmp_path, started)


@pytest.mark.parametrize("manner", ["--auto", "--plain"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_program_that_is_told_to_end_says_so_and_can_come_back(
    tmp_path: Path, number: signal.Signals, manner: str
) -> None:
    """The others do not have to find out by its silence."""
    port, common = free_port(), ("--auto", "--json", "--seed=3")
    with programs() as started:
        host = ("host", "maamut", f"--port={port}", "--me=P1", *common)
        started.append(Program(tmp_path / "1", *host, module="tests.e2e.watched"))
        started[0].wait_open()
        guest = ("join", f"127.0.0.1:{port}", "--me=P2", manner)
        started.append(Program(tmp_path / "2", *guest, typing=True))
        started[1].wait_line("cards each")
        started[1].process.send_signal(number)
        code, _, err = started[1].end(30)
        assert code == 130
        assert err == f"p2pgame: interrupted ({number.name})\n"
        started[0].wait_line("P2 is lost: closed")
        started.append(Program(tmp_path / "2", "resume", "--me=P2", *common))
        results = [started[2].result(), started[0].result()]
    assert all(result["verified"] for result in results)
    assert len({Path(result["transcript"]).read_bytes() for result in results}) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("end", ["a signal", "the window"])
def test_a_full_screen_that_is_closed_says_so(tmp_path: Path, end: str) -> None:
    from .terminal import terminals

    port = free_port()
    with programs() as started, terminals() as terminal:
        host = ("host", "maamut", f"--port={port}", "--me=P1", "--auto", "--json", "--seed=3")
        started.append(Program(tmp_path / "1", *host, module="tests.e2e.watched"))
        started[0].wait_open()
        guest = terminal(tmp_path / "2", "join", f"127.0.0.1:{port}", "--me=P2")
        guest.wait("Where on the rim")
        if end == "a signal":
            guest.process.send_signal(signal.SIGTERM)
            assert guest.end() == 130
            assert guest.restored
        else:
            guest.shut()
            assert guest.process.wait(PATIENCE) == 130
        started[0].wait_line("P2 is lost: closed")


WISHES = {"amnesia": ["--option=mode=turbo", "--option=rounds=2"], "maamut": ["--option=rounds=6"]}


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_plug_is_pulled_at_any_moment_of_each_game(tmp_path: Path, game: str) -> None:
    """One of two programs is killed after so many lines as the seed says; which moment that is, nobody planned. It goes
    on while its lines are read, and so may have come to the end already: then the record is there."""
    rng = random.Random(f"pulled {game}")
    victim, lines, port = rng.randrange(2), rng.randrange(4, 16), free_port()
    common = ["--auto", "--json", "--seed=3"]
    with programs() as started:
        started.append(Program(tmp_path / "0", "host", game, f"--port={port}", *WISHES.get(game, []), *common))
        started[0].wait_open()
        started.append(Program(tmp_path / "1", "join", f"127.0.0.1:{port}", *common))
        output = started[victim].process.stdout
        assert output is not None
        for _ in range(lines):
            assert output.readline()
        assert started[victim].process.poll() is None
        started[victim].process.kill()
        started[victim].process.communicate()
        started.append(Program(tmp_path / str(victim), "resume", "--auto", "--json", "--seed=4"))
        back, other = started[2].end(), started[1 - victim].result()
    assert back[0] == 0 or back == (2, "", "p2pgame: no game in this profile is unfinished\n")
    assert other["verified"]
    record = Path(other["transcript"])
    (mine,) = (tmp_path / str(victim)).rglob(record.name)
    assert mine.read_bytes() == record.read_bytes()
