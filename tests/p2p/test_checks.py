"""What the doctor's trials find, on loopback and in empty folders."""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path

import ifaddr
import pytest

from p2p import checks
from p2p.checks import kind_of
from p2p.errors import ProfileDamaged, ProfileLocked
from p2p.interfaces import Interface, look
from p2p.store import Profile
from protocol import group


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is multicast to anybody else."""
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("eth0", "network"),
        ("wlp3s0", "network"),
        ("Wi-Fi", "network"),
        ("lo", "loopback"),
        ("tun0", "tunnel"),
        ("utun3", "tunnel"),
        ("My VPN", "tunnel"),
        ("docker0", "inside"),
        ("vethab12", "inside"),
        ("vEthernet (WSL)", "inside"),
    ],
)
def test_kinds(name: str, kind: str) -> None:
    assert kind_of(name) == kind
    assert kind_of(name, ["127.0.0.1", "::1"]) == "loopback"


def test_interfaces_of_this_machine() -> None:
    assert "loopback" in {seen.kind for seen in checks.interfaces()}


def test_interfaces_without_an_address_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[bool] = []

    def adapters(include_unconfigured: bool = False) -> list[ifaddr.Adapter]:
        wanted.append(include_unconfigured)
        return [ifaddr.Adapter("testeth7", "Ethernet", [], 7)]

    monkeypatch.setattr(ifaddr, "get_adapters", adapters)
    (seen,) = checks.interfaces()
    assert (seen.name, seen.kind, seen.ipv4, seen.ipv6) == ("Ethernet", "network", (), ())
    assert wanted == [True]


def test_a_multicast_to_oneself_comes_back() -> None:
    (loopback,) = look()
    assert checks.multicast(loopback) == {"IPv4": ""}


def test_a_multicast_that_cannot_be_sent_says_why() -> None:
    nowhere = Interface("gone", 999_999, ("192.0.2.1",), ("fe80::1",))
    found = checks.multicast(nowhere)
    assert set(found) == {"IPv4", "IPv6"}
    assert all(found.values())


def test_a_multicast_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_BACK", 0.05)
    monkeypatch.setattr(socket, "socket", Deaf)
    (loopback,) = look()
    assert checks.multicast(loopback) == {"IPv4": "what was sent did not come back"}


class Deaf(socket.socket):
    """A socket that hears nothing."""

    def recv(self, size: int, flags: int = 0) -> bytes:
        raise TimeoutError


def test_ports() -> None:
    assert checks.port(0) == ""
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        assert "in use" in checks.port(taken.getsockname()[1])
    assert checks.mdns_port() in ("", os.strerror(98))


def test_reaching_oneself() -> None:
    assert checks.reached(["127.0.0.1"]) == {"127.0.0.1": ""}
    found = checks.reached(["192.0.2.1", "fe80::1%nosuchinterface"])
    assert all(found.values())


def test_the_clock(tmp_path: Path) -> None:
    assert checks.clock(tmp_path) == (True, 0.0)
    (tmp_path / "new.py").touch()
    os.utime(tmp_path / "new.py", (time.time() + 5000, time.time() + 5000))
    steady, behind = checks.clock(tmp_path)
    assert steady
    assert 4000 < behind <= 5000


def test_room(tmp_path: Path) -> None:
    room = checks.room(tmp_path)
    assert (room.path, room.there, room.why_not) == (tmp_path, True, "")
    assert room.free > 0
    assert not list(tmp_path.iterdir())
    room = checks.room(tmp_path / "not" / "yet")
    assert (room.path, room.there, room.why_not) == (tmp_path, False, "")
    (tmp_path / "file").touch()
    assert checks.room(tmp_path / "file").why_not


def test_a_folder_that_others_can_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert not checks.room(tmp_path).private
    tmp_path.chmod(0o700)
    assert checks.room(tmp_path).private


def test_profiles(tmp_path: Path) -> None:
    assert checks.profile(tmp_path / "none") is None
    profile = Profile.open(tmp_path)
    assert isinstance(checks.profile(tmp_path), ProfileLocked)
    profile.close()
    assert checks.profile(tmp_path) is None
    (tmp_path / "identity").write_text("rubbish")
    assert isinstance(checks.profile(tmp_path), ProfileDamaged)


def test_cryptography(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.cryptography() == ""
    monkeypatch.setattr(group, "crypto_core_ed25519_is_valid_point", lambda point: True)
    assert checks.cryptography()


def test_firewalls_are_named_by_what_lies_around(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(checks.firewalls(), list)
    for system, name in (("win32", "windows"), ("darwin", "macos")):
        monkeypatch.setattr(sys, "platform", system)
        assert checks.firewalls() == [name]
