"""What a computer can do for a game, found out by trying. Does IO: sockets, files, the operating system.

For: `p2pgame doctor`, which puts it into words. Never: a verdict, a packet to another machine but the multicast that
every table needs anyway, a change in the profile, or an exception for what is merely missing.

Theory of operation: each function tries one thing and says what it found; an empty reason means that it worked. The
multicast trial sends a nonce to the group of multicast DNS, at a port of its own so that no responder is bothered, and
waits until it comes back: that shows whether this machine lets it out and in, not whether the network passes it on.
Where the routes lead is asked by connecting a datagram socket, which sends nothing.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import struct
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import ifaddr

from protocol import group

from . import files
from .errors import CannotWrite, UserError
from .interfaces import Interface, is_up
from .store import Profile

MDNS_PORT = 5353
_GROUP4, _GROUP6 = "224.0.0.251", "ff02::fb"
_BACK = 1.0
"""Seconds that a multicast to oneself may take."""
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documentation: never anybody's, reached by the default route if there is one."""

_TUNNELS = ("tun", "tap", "wg", "utun", "ppp", "ipsec", "tailscale", "zt", "nordlynx", "gpd", "proton", "cscotun")
_INSIDE = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "cni", "flannel", "podman", "lxc", "lxd", "vethernet")


@dataclass(frozen=True, slots=True)
class Seen:
    """One interface, also one that is of no use. `kind`: "network", "loopback", "tunnel" (as of a VPN), or "inside"
    (virtual machines and containers on this computer); a guess by its name."""

    name: str
    kind: str
    up: bool
    ipv4: tuple[str, ...]
    ipv6: tuple[str, ...]


def kind_of(name: str, addresses: Sequence[str] = ()) -> str:
    """What an interface seems to be for."""
    plain = name.casefold()
    if plain in ("lo", "lo0") or (addresses and all(a.startswith("127.") or a == "::1" for a in addresses)):
        return "loopback"
    if plain.startswith(_TUNNELS) or "vpn" in plain or "wireguard" in plain:
        return "tunnel"
    return "inside" if plain.startswith(_INSIDE) or "wsl" in plain else "network"


def interfaces() -> list[Seen]:
    """All interfaces of this machine, with what discovery would not use."""
    found = []
    for adapter in ifaddr.get_adapters(include_unconfigured=True):
        addresses = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        ipv4 = tuple(sorted(address for address in addresses if ":" not in address))
        ipv6 = tuple(sorted(address for address in addresses if ":" in address))
        name = adapter.nice_name or adapter.name
        found.append(Seen(name, kind_of(name, addresses), is_up(adapter.name), ipv4, ipv6))
    return found


def default_routes() -> list[str]:
    """Our addresses from which the world beyond the LAN would be called; none on a LAN without a way out."""
    found = []
    for family, there in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((there, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def multicast(interface: Interface) -> dict[str, str]:
    """Per address family that the interface has ("IPv4", "IPv6"): why a multicast to oneself does not arrive."""
    found = {}
    for address in interface.ipv4[:1]:
        here = socket.inet_aton(address)
        found["IPv4"] = _echo(
            socket.AF_INET,
            _GROUP4,
            (socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here),
            (socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(_GROUP4) + here),
            (socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1),
        )
    if any(address.startswith("fe80:") for address in interface.ipv6):
        joined = socket.inet_pton(socket.AF_INET6, _GROUP6) + struct.pack("@I", interface.index)
        found["IPv6"] = _echo(
            socket.AF_INET6,
            _GROUP6,
            (socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index),
            (socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, joined),
            (socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1),
            scope=interface.index,
        )
    return found


def _echo(family: int, where: str, *options: tuple[int, int, int | bytes], scope: int = 0) -> str:
    nonce = secrets.token_bytes(16)
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind(("", 0))
            for level, name, value in options:
                trial.setsockopt(level, name, value)
            port = trial.getsockname()[1]
            trial.sendto(nonce, (where, port) if family == socket.AF_INET else (where, port, 0, scope))
            until = time.monotonic() + _BACK
            while (left := until - time.monotonic()) > 0:
                trial.settimeout(left)
                if trial.recv(64) == nonce:
                    return ""
    except TimeoutError:
        pass
    except OSError as error:
        return error.strerror or str(error)
    return "what was sent did not come back"


def mdns_port() -> str:
    """Why the port of multicast DNS cannot be used beside whoever has it already."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if (reuse := getattr(socket, "SO_REUSEPORT", None)) is not None:
                trial.setsockopt(socket.SOL_SOCKET, reuse, 1)
            trial.bind(("", MDNS_PORT))
    except OSError as error:
        return error.strerror or str(error)
    return ""


def port(number: int) -> str:
    """Why nobody could be received at a port."""
    with ExitStack() as stack:
        listening: list[socket.socket] = []
        for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
            try:
                trial = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
                if family == socket.AF_INET6:
                    trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                if sys.platform != "win32":  # there it would allow to take a port from others
                    trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind((host, number))
                trial.listen(1)
            except OSError as error:
                if family == socket.AF_INET or not listening:
                    return error.strerror or str(error)
            else:
                listening.append(trial)
    return ""


def reached(addresses: Sequence[str]) -> dict[str, str]:
    """Per address of ours: why a connection to ourselves does not come through."""
    found = {}
    for address in addresses:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            with socket.socket(family, socket.SOCK_STREAM) as door:
                bare, _, scope = address.partition("%")
                door.bind((bare, 0, 0, socket.if_nametoindex(scope) if scope else 0) if ":" in bare else (bare, 0))
                door.listen(1)
                with socket.socket(family, socket.SOCK_STREAM) as caller:
                    caller.settimeout(_BACK)
                    caller.connect(door.getsockname())
        except OSError as error:
            found[address] = error.strerror or str(error)
        else:
            found[address] = ""
    return found


def firewalls() -> list[str]:
    """Which firewalls seem to be at work, by what lies around: "ufw", "firewalld", "nftables", "windows", "macos"."""
    if sys.platform == "win32":
        return ["windows"]
    if sys.platform == "darwin":
        return ["macos"]
    found = []
    with suppress(OSError, ValueError):
        if "enabled=yes" in Path("/etc/ufw/ufw.conf").read_text(encoding="utf-8").casefold().replace(" ", ""):
            found.append("ufw")
    if Path("/run/firewalld").exists():
        found.append("firewalld")
    units = Path("/etc/systemd/system")
    with suppress(OSError):
        if any((wants / "nftables.service").is_symlink() for wants in units.glob("*.wants")):
            found.append("nftables")
    return found


def clock(sources: Path) -> tuple[bool, float]:
    """Whether the steady clock moves as it should, and by how many seconds the other one lies before the newest of our
    own files, which cannot be from the future."""
    before = time.monotonic()
    time.sleep(0.01)  # a stretch of time to measure
    steady = 0.005 < time.monotonic() - before < 5
    newest = max((file.stat().st_mtime for file in sources.glob("*.py")), default=0.0)
    return steady, max(0.0, newest - time.time())


@dataclass(frozen=True, slots=True)
class Room:
    """The profile's disk. `path`: what was tried, the profile or the nearest folder above it that is there."""

    path: Path
    there: bool
    why_not: str
    free: int
    private: bool


def room(profile: Path) -> Room:
    """Write a file, durably, and take it away again."""
    path = next((one for one in (profile, *profile.absolute().parents) if one.exists()), profile)
    trial = path / f".p2pgame-{secrets.token_hex(6)}"
    why_not, free, private = "", 0, True
    try:
        files.write_whole(trial, b"trial\n")
        trial.unlink()
    except CannotWrite as error:
        why_not = str(error)
    except OSError as error:
        why_not = error.strerror or str(error)
    with suppress(OSError):
        free = shutil.disk_usage(path).free
        private = os.name != "posix" or path != profile or not path.stat().st_mode & 0o077
    return Room(path, path == profile, why_not, free, private)


def profile(path: Path) -> UserError | None:
    """Why the profile cannot be used, if there is one."""
    if not (path / "identity").exists():
        return None
    try:
        Profile.open(path).close()
    except UserError as error:
        return error
    return None


def cryptography() -> str:
    """Why the curve does not compute as it must."""
    try:
        group.self_test()
    except Exception as error:  # noqa: BLE001 - whatever a broken library raises
        return str(error) or type(error).__name__
    return ""
