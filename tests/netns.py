"""Machines on a LAN of one's own: network namespaces on a bridge, with cables that can be cut.

For: tests with real programs, real multicast and real faults. Never: traffic outside the namespaces, or anything left
behind. Needs Linux, root and iproute2; `unavailable()` says what is missing.

    with lan(3) as net:
        process = net.start(1, [sys.executable, "-m", ...])
        net.cut(1)

Theory of operation: the bridge lives in a namespace of its own; each machine I has one interface, eth0, with
10.77.0.I/24 and a link-local IPv6 address, at the bridge's port pI. Cutting isolates ports: between two isolated ones
nothing passes, and neither end notices (its interface stays up).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


@cache
def unavailable() -> str:
    """Why namespaces cannot be made here; empty if they can."""
    if sys.platform != "linux":
        return "network namespaces need Linux"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if not (shutil.which("ip") and shutil.which("bridge")):
        return "network namespaces need iproute2"
    try:
        with lan(1):
            return ""
    except subprocess.CalledProcessError as error:
        return f"network namespaces cannot be made: {error.stderr.decode(errors='replace').strip()}"


class Lan:
    """A running network. Machines are numbered from 1."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._switch = self._name(0)
        self._processes: list[subprocess.Popen[str]] = []

    def _name(self, machine: int) -> str:
        return f"p2pgame-{os.getpid()}-{machine}"

    @staticmethod
    def address(machine: int) -> str:
        """Its IPv4 address."""
        return f"10.77.0.{machine}"

    def build(self) -> None:
        _run("ip", "netns", "add", self._switch)
        bridge = ("type", "bridge", "forward_delay", "0", "mcast_snooping", "0")
        _run("ip", "-n", self._switch, "link", "add", "br0", *bridge)
        _run("ip", "-n", self._switch, "link", "set", "br0", "up")
        for machine in range(1, self.size + 1):
            name, port = self._name(machine), f"p{machine}"
            _run("ip", "netns", "add", name)
            _run("ip", "-n", name, "link", "set", "lo", "up")
            peer = ("type", "veth", "peer", "name", "eth0", "netns", name)
            _run("ip", "-n", self._switch, "link", "add", port, *peer)
            _run("ip", "-n", self._switch, "link", "set", port, "master", "br0", "up")
            # Before the interface is up, or its link-local address is tentative at first, and skipped.
            _run("ip", "netns", "exec", name, "sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad")
            _run("ip", "-n", name, "address", "add", f"{self.address(machine)}/24", "dev", "eth0")
            _run("ip", "-n", name, "link", "set", "eth0", "up")

    def prefix(self, machine: int) -> list[str]:
        """What makes a command run on that machine."""
        return ["ip", "netns", "exec", self._name(machine)]

    def start(self, machine: int, command: Sequence[str]) -> subprocess.Popen[str]:
        """Start a program on a machine; its output can be read as text. It is killed at the end."""
        process = subprocess.Popen(
            [*self.prefix(machine), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._processes.append(process)
        return process

    def cut(self, *machines: int, mend: bool = False) -> None:
        """Cut these machines off from each other without either noticing, or mend that."""
        for machine in machines:
            port = ("link", "set", "dev", f"p{machine}", "isolated", "off" if mend else "on")
            _run("ip", "netns", "exec", self._switch, "bridge", *port)

    def plug(self, machine: int, up: bool) -> None:
        """Take a machine's own interface down, or up again."""
        _run("ip", "-n", self._name(machine), "link", "set", "eth0", "up" if up else "down")

    def loopback(self, machine: int, up: bool) -> None:
        """Take a machine's loopback down, or up again."""
        _run("ip", "-n", self._name(machine), "link", "set", "lo", "up" if up else "down")

    def ipv6(self, machine: int, on: bool) -> None:
        """Take all IPv6 from a machine's interface, or give it back."""
        _run(*self.prefix(machine), "sh", "-c", f"echo {int(not on)} > /proc/sys/net/ipv6/conf/eth0/disable_ipv6")

    def strip(self, machine: int) -> None:
        """Take all IPv4 addresses from a machine's interface."""
        _run("ip", "-n", self._name(machine), "-4", "address", "flush", "dev", "eth0")

    def clutter(self, machine: int) -> None:
        """What else laptops have, all of it useless here: a VPN that is up, takes
        the default route and swallows everything; a bridge without a machine behind it, with the same address on every
        laptop, as container software makes; an interface that is down but has kept its address."""
        ip = ("ip", "-n", self._name(machine))
        cable = ("type", "veth", "peer", "name")
        for name, kind, address in (
            ("tun0", (*cable, "nowhere0"), f"10.8.0.{machine}/24"),
            ("docker0", ("type", "bridge"), "172.17.0.1/16"),
            ("old0", (*cable, "nowhere1"), f"192.168.7.{machine}/24"),
        ):
            _run(*ip, "link", "add", name, *kind)
            _run(*ip, "address", "add", address, "dev", name)
            if name != "old0":
                _run(*ip, "link", "set", name, "up")
        _run(*ip, "link", "set", "nowhere0", "addrgenmode", "none", "up")
        _run(*ip, "route", "add", "default", "dev", "tun0")

    def move(self, machine: int, last: int) -> str:
        """Give a machine another IPv4 address instead of the one that it has, as another lease would; the new one."""
        new, address = f"10.77.0.{last}", ("ip", "-n", self._name(machine), "address")
        _run(*address, "flush", "dev", "eth0", "scope", "global")
        _run(*address, "add", f"{new}/24", "dev", "eth0")
        return new

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.communicate()
        for machine in range(self.size + 1):
            with suppress(subprocess.CalledProcessError):  # it may not have been built
                _run("ip", "netns", "delete", self._name(machine))


@contextmanager
def lan(size: int) -> Iterator[Lan]:
    """A network of `size` machines, torn down afterwards. Errors: subprocess.CalledProcessError."""
    net = Lan(size)
    try:
        net.build()
        yield net
    finally:
        net.close()
