"""Addresses as people write them.

For: `join`, the host's screen, messages. Never: a look-up, or a socket.

Theory of operation: an address is (host, port). A host is a name, an IPv4 address, or an IPv6 address without brackets,
with a scope if it is link-local (`fe80::1%eth0`). In text an IPv6 address with a port stands in brackets.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence

Address = tuple[str, int]

_BRACKETS = re.compile(r"\[(?P<host>[^\[\]]+)\](?::(?P<port>\d{1,5}))?")
_PLAIN = re.compile(r"(?P<host>[^:\s\[\]]+)(?::(?P<port>\d{1,5}))?")
_BARE = re.compile(r"(?P<host>\S*:\S*:\S*)(?P<port>)")


def _is_ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True


def parse_address(text: str, default_port: int) -> Address:
    """Read `HOST`, `HOST:PORT`, `IPV6%SCOPE` or `[IPV6%SCOPE]:PORT`. Errors: ValueError, in words."""
    text = text.strip()
    match = _BRACKETS.fullmatch(text) or _PLAIN.fullmatch(text) or _BARE.fullmatch(text)
    if not match or (":" in match["host"] and not _is_ipv6(match["host"])):
        raise ValueError(f"{text!r} is no address: write HOST, HOST:PORT or [IPV6]:PORT")
    port = int(match["port"]) if match["port"] else default_port
    if not 0 < port < 65536:
        raise ValueError(f"{port} is no port")
    return match["host"], port


def show_address(address: Address) -> str:
    """`10.0.0.7:4711` or `[fe80::1%eth0]:4711`."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def show_to_others(addresses: Sequence[Address]) -> list[str]:
    """Those that mean the same on another machine. A link-local one does not: its scope is a name that only this
    machine knows, so it is there only for want of others."""
    far = [one for one in addresses if "%" not in one[0]]
    return [show_address(one) for one in far or addresses]
