"""What the doctor says, and which exit code it comes to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client import cli, diagnosis
from client.diagnosis import BAD, LOOK, OK, Finding
from client.doctor import exit_code
from p2p import checks
from p2p.checks import Room, Seen
from p2p.interfaces import Interface
from p2p.store import Profile

ETH = Seen("eth0", "network", True, ("192.0.2.7",), ("fe80::7",))
Change = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(autouse=True)
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty profile, and no network but loopback."""
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")
    return tmp_path / "home"


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as ended:
        cli.main(["doctor", *arguments])
    captured = capsys.readouterr()
    assert captured.err == ""
    assert isinstance(ended.value.code, int)
    return ended.value.code, captured.out.splitlines()


def found(capsys: pytest.CaptureFixture[str], what: str) -> dict[str, Any]:
    """One finding, as JSON has it."""
    code, lines = doctor(capsys, "--json")
    report = json.loads(lines[-1])
    assert report["exit"] == code
    (finding,) = [one for one in report["findings"] if one["what"] == what]
    return dict(finding)


def test_a_computer_that_is_well(capsys: pytest.CaptureFixture[str], profile: Path) -> None:
    code, lines = doctor(capsys)
    assert code == 0
    assert lines[-1] == "A game can be played here."
    assert not [line for line in lines if line.startswith("BAD")]
    for what in ("version", "cryptography", "interface lo", "multicast lo", "port", "clock", "profile", "terminal"):
        assert any(line[6:].startswith(f"{what}: ") for line in lines), what
    assert not profile.exists()


def test_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(line.isascii() for line in doctor(capsys, "--ascii")[1])


@pytest.mark.parametrize(
    ("states", "code"),
    [
        ([(OK, "profile"), (LOOK, "network")], 0),
        ([(BAD, "network")], 3),
        ([(BAD, "profile")], 2),
        ([(BAD, "network"), (BAD, "profile")], 2),
    ],
)
def test_exit_codes(states: list[tuple[str, str]], code: int) -> None:
    assert exit_code([Finding("x", state, "y", "", matter) for state, matter in states]) == code


def test_no_network(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    loopback = Seen("lo", "loopback", True, ("127.0.0.1",), ())
    monkeypatch.delenv("P2PGAME_INTERFACES")
    monkeypatch.setattr(checks, "interfaces", lambda: [loopback])
    monkeypatch.setattr(diagnosis, "look", lambda: (Interface("lo", 1, ("127.0.0.1",), ()),))
    monkeypatch.setattr(diagnosis, "own_addresses", lambda: ("127.0.0.1",))
    code, lines = doctor(capsys)
    assert code == 3
    assert "BAD   networks: no network is up" in lines
    assert any("plug in a cable" in line for line in lines)


def test_only_a_vpn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    tunnel = Seen("tun0", "tunnel", True, ("192.0.2.9",), ())
    monkeypatch.delenv("P2PGAME_INTERFACES")
    monkeypatch.setattr(checks, "interfaces", lambda: [tunnel])
    monkeypatch.setattr(checks, "default_routes", lambda: ["192.0.2.9"])
    monkeypatch.setattr(checks, "multicast", lambda interface: {"IPv4": "Operation not permitted"})
    monkeypatch.setattr(diagnosis, "look", lambda: (Interface("tun0", 1, ("192.0.2.9",), ()),))
    monkeypatch.setattr(diagnosis, "own_addresses", lambda: ("127.0.0.1",))
    code, lines = doctor(capsys)
    assert code == 0
    for start in (
        "look  networks: only a VPN",
        "look  way out: through a VPN",
        "look  multicast tun0: IPv4: Operation",
    ):
        assert any(line.startswith(start) for line in lines), start


def test_a_named_interface_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2PGAME_INTERFACES", "192.0.2.1")
    assert doctor(capsys)[0] == 3


def test_names_pass_the_gate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    evil = Seen("eth\x1b[31m0\n", "network", True, ("192.0.2.7",), ())
    monkeypatch.setattr(checks, "interfaces", lambda: [evil])
    assert not [line for line in doctor(capsys)[1] if "\x1b" in line]


def test_a_port_in_use_is_no_harm(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "port", lambda number: "Address already in use" if number else "")
    assert found(capsys, "port")["state"] == LOOK
    monkeypatch.setattr(checks, "port", lambda number: "Operation not permitted")
    assert found(capsys, "port")["state"] == BAD


def test_one_s_own_address_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "reached", lambda own: {"192.0.2.7": "refused", "127.0.0.1": ""})
    assert found(capsys, "own addresses")["state"] == LOOK
    monkeypatch.setattr(checks, "reached", lambda own: {"192.0.2.7": "refused"})
    assert doctor(capsys)[0] == 3


@pytest.mark.parametrize("wall", list(diagnosis.FIREWALLS))
def test_firewalls(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, wall: str) -> None:
    monkeypatch.setattr(checks, "firewalls", lambda: [wall])
    assert found(capsys, "firewall")["state"] == LOOK


@pytest.mark.parametrize(
    ("room", "what", "state", "code"),
    [
        (Room(Path("/x"), False, "/x cannot be written: it is read-only.", 10**9, True), "profile", BAD, 2),
        (Room(Path("/x"), False, "", 10**9, True), "profile", OK, 0),
        (Room(Path("/x"), True, "", 10**9, False), "profile", LOOK, 0),
        (Room(Path("/x"), True, "", 10**6, True), "disk", BAD, 2),
        (Room(Path("/x"), True, "", 10**8, True), "disk", LOOK, 0),
    ],
)
def test_disks(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    room: Room,
    what: str,
    state: str,
    code: int,
) -> None:
    monkeypatch.setattr(checks, "room", lambda path: room)
    assert found(capsys, what)["state"] == state
    assert doctor(capsys)[0] == code


def test_a_profile_in_use(capsys: pytest.CaptureFixture[str], profile: Path) -> None:
    held = Profile.open(profile)
    code, lines = doctor(capsys)
    held.close()
    assert code == 0  # nothing is wrong with it
    assert any("in use by another p2pgame just now" in line for line in lines)


def test_wrong_settings(capsys: pytest.CaptureFixture[str], profile: Path) -> None:
    profile.mkdir(mode=0o700)
    (profile / "config.toml").write_text("[hosts]\nport = 1\n")
    code, lines = doctor(capsys)
    assert code == 2
    assert any("did you mean 'host'" in line for line in lines)


def test_misspelt_variables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PGAME_PLYERS", "2")
    monkeypatch.setenv("P2PGAME_PLAYERS", "2")
    finding = found(capsys, "variables")
    assert finding["state"] == LOOK
    assert finding["found"] == "nothing looks at P2PGAME_PLYERS"


def test_broken_cryptography_and_lost_libraries(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(checks, "cryptography", lambda: "the gate lets a bad point in")
        assert doctor(capsys)[0] == 2
    monkeypatch.setattr(diagnosis, "LIBRARIES", ("click", "no-such-library"))
    assert found(capsys, "libraries")["state"] == BAD


def test_clocks(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for answer, state in (((True, 10.0), OK), ((True, 1e6), LOOK), ((False, 0.0), BAD)):
        monkeypatch.setattr(checks, "clock", lambda sources, answer=answer: answer)
        assert found(capsys, "clock")["state"] == state


@pytest.mark.parametrize(
    ("variables", "size", "what", "state", "words"),
    [
        ({"TERM": "xterm-256color"}, (120, 40), "terminal", OK, "256 colours, mouse"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, (120, 40), "terminal", OK, "16 million colours"),
        ({"TERM": "linux", "NO_COLOR": "1"}, (120, 40), "terminal", OK, "no colours (NO_COLOR), perhaps no mouse"),
        ({"TERM": "dumb"}, (120, 40), "terminal", LOOK, "dumb"),
        ({"TERM": "vt100"}, (120, 40), "terminal", OK, "2 colours"),
        ({"TERM": "xterm"}, (120, 40), "size", OK, "120×40"),
        ({"TERM": "xterm"}, (79, 40), "size", LOOK, "79×40"),
    ],
)
def test_terminals(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], size: tuple[int, int], what: str, state: str, words: str
) -> None:
    class Terminal:
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    for name in ("TERM", "COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr(os, "get_terminal_size", lambda: os.terminal_size(size))
    (finding,) = [one for one in diagnosis.terminal() if one.what == what]
    assert finding.state == state
    assert words in finding.found


def test_encodings(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        encoding = "cp1252"

        def isatty(self) -> bool:
            return False

    monkeypatch.setattr("sys.stdout", Old())
    (finding,) = [one for one in diagnosis.terminal() if one.what == "encoding"]
    assert finding.state == LOOK
    assert "cp1252" in finding.found
