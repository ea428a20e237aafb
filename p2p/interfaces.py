"""Which networks this machine is on. Does IO: asks the operating system.

For: discovery, and the host's screen, which shows the addresses. Never: an interface that is down, loopback next to a
real one, or a guess by the default route (it leads into VPNs, and a LAN may have none).

Theory of operation: `look` lists them anew each time; it takes a millisecond, so whoever cares looks every few seconds
and compares. P2PGAME_INTERFACES, or the argument, names the addresses to be used instead: for tests and the demo.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import ifaddr


@dataclass(frozen=True, slots=True)
class Interface:
    """One network interface; addresses are numeric, without a scope."""

    name: str
    index: int
    ipv4: tuple[str, ...]
    ipv6: tuple[str, ...]

    @property
    def loopback(self) -> bool:
        """Whether it leads nowhere but to this machine."""
        return all(address.startswith("127.") or address == "::1" for address in self.ipv4 + self.ipv6)


def is_up(name: str) -> bool:
    """Whether an interface is up, as far as can be told."""
    # Only Linux says so in a file; elsewhere an interface that is down has no addresses, or does no harm.
    state = Path("/sys/class/net", name, "operstate")
    try:
        return state.read_text(encoding="ascii").strip() not in ("down", "lowerlayerdown", "notpresent")
    except (OSError, ValueError):
        return True


def look(only: Sequence[str] | None = None) -> tuple[Interface, ...]:
    """The interfaces that are up, sorted by index; loopback only if there is nothing else.

    `only` (default: P2PGAME_INTERFACES, separated by commas): the addresses to be used, loopback or not.
    """
    wanted = set(only if only is not None else filter(None, os.environ.get("P2PGAME_INTERFACES", "").split(",")))
    found = []
    for adapter in ifaddr.get_adapters():
        addresses = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        chosen = [address for address in addresses if not wanted or address in wanted]
        ipv4 = tuple(sorted(address for address in chosen if ":" not in address))
        ipv6 = tuple(sorted(address for address in chosen if ":" in address))
        if chosen and adapter.index is not None and is_up(adapter.name):
            found.append(Interface(adapter.name, adapter.index, ipv4, ipv6))
    found.sort(key=lambda interface: interface.index)
    real = [interface for interface in found if not interface.loopback]
    return tuple(found if wanted else real or found)


def own_addresses(only: Sequence[str] | None = None) -> tuple[str, ...]:
    """Addresses at which others may reach this machine, IPv4 first; link-local IPv6 with our scope, for display."""
    interfaces = look(only)
    ipv4 = [address for interface in interfaces for address in interface.ipv4]
    ipv6 = [
        f"{address}%{interface.name}" if address.startswith("fe80:") else address
        for interface in interfaces
        for address in interface.ipv6
    ]
    return (*ipv4, *ipv6)
