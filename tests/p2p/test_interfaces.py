"""Which interfaces are used: never one that is down, loopback only alone, or exactly those that were named."""

from __future__ import annotations

import ifaddr
import pytest

from p2p import interfaces
from p2p.interfaces import look, own_addresses


def adapter(name: str, index: int, *addresses: str) -> ifaddr.Adapter:
    ips = [
        ifaddr.IP((address, 0, index), 64, name) if ":" in address else ifaddr.IP(address, 24, name)
        for address in addresses
    ]
    return ifaddr.Adapter(name, name, ips, index)


LO = adapter("lo", 1, "127.0.0.1", "::1")
ETH = adapter("testeth0", 4, "192.0.2.7", "fe80::7", "2001:db8::7")
WLAN = adapter("testwlan0", 2, "198.51.100.7")
EMPTY = adapter("testempty", 9)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> list[ifaddr.Adapter]:
    """The adapters that the machine has; tests change the list."""
    adapters = [LO, ETH, WLAN, EMPTY]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.delenv("P2PGAME_INTERFACES", raising=False)
    return adapters


def test_loopback_is_left_out_next_to_others(machine: list[ifaddr.Adapter]) -> None:
    assert [interface.name for interface in look()] == ["testwlan0", "testeth0"]
    machine[:] = [LO, EMPTY]
    assert [interface.name for interface in look()] == ["lo"]
    machine.clear()
    assert look() == ()


def test_named_addresses_and_nothing_else(machine: list[ifaddr.Adapter], monkeypatch: pytest.MonkeyPatch) -> None:
    (interface,) = look(["127.0.0.1"])
    assert (interface.ipv4, interface.ipv6, interface.loopback) == (("127.0.0.1",), (), True)
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1,198.51.100.7")
    assert [interface.ipv4 for interface in look()] == [("127.0.0.1",), ("198.51.100.7",)]
    assert [interface.ipv4 for interface in look(["192.0.2.7"])] == [("192.0.2.7",)]
    assert look(["203.0.113.1"]) == ()


def test_interfaces_that_are_down_are_skipped(machine: list[ifaddr.Adapter], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces, "is_up", lambda name: name != "testwlan0")
    assert [interface.name for interface in look()] == ["testeth0"]


def test_addresses_for_people(machine: list[ifaddr.Adapter]) -> None:
    assert own_addresses() == ("198.51.100.7", "192.0.2.7", "2001:db8::7", "fe80::7%testeth0")


def test_this_machine() -> None:
    assert look()
