"""The libraries that the program needs, exactly, and the kinds of computers that can have them.

For: `p2pgame share`. Does IO: reads the lock that comes with the program. Never: a decision for this computer where it
is about another one.

Theory of operation: `runtime.lock` has every library with its version, the hashes of all its files, and a marker where
not every computer needs it. A marker is an expression that also Python can parse; it is evaluated over what the other
computer is, not this one.
"""

from __future__ import annotations

import ast
import platform
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from p2p.errors import UserError

LOCK = Path(__file__).with_name("runtime.lock")
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "linux-x86_64": ("manylinux2014_x86_64", "manylinux_2_28_x86_64", "manylinux_2_34_x86_64"),
    "linux-aarch64": ("manylinux2014_aarch64", "manylinux_2_28_aarch64", "manylinux_2_34_aarch64"),
    "macos-arm64": ("macosx_11_0_arm64", "macosx_14_0_arm64"),
    "macos-x86_64": ("macosx_11_0_x86_64", "macosx_14_0_x86_64"),
    "windows-amd64": ("win_amd64",),
}
"""What pip calls each platform. The earlier names ask less of the computer and are preferred."""
_SYSTEMS = {"linux": ("linux", "posix", "Linux"), "macos": ("darwin", "posix", "Darwin")}
_WINDOWS = ("win32", "nt", "Windows")


class NoLock(UserError):
    """This installation of p2pgame lacks its list of libraries, {path}: install it again."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """One library of the lock."""

    name: str
    version: str
    marker: str
    hashes: frozenset[str]

    def line(self) -> str:
        """As pip reads it, without the marker."""
        return " ".join([f"{self.name}=={self.version}", *(f"--hash=sha256:{one}" for one in sorted(self.hashes))])


def lock_text() -> str:
    """The lock as it is. Errors: NoLock."""
    try:
        return LOCK.read_text(encoding="utf-8")
    except OSError as error:
        raise NoLock(path=LOCK) from error


def parse_lock(text: str) -> list[Pinned]:
    """The libraries of a lock."""
    found = []
    for line in re.sub(r"\\\n", " ", text).splitlines():
        match = re.match(r"([A-Za-z0-9._-]+)==(\S+)\s*(?:;\s*(.*?))?\s*(?=--hash)", line)
        if match:
            hashes = frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
            found.append(Pinned(match[1], match[2], match[3] or "", hashes))
    return found


# -- for whom ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of computer. `native`: this one, whose platform pip knows best itself."""

    platform: str
    python: str
    native: bool = False

    def __str__(self) -> str:
        return f"{self.platform}, Python {self.python}"

    @classmethod
    def read(cls, text: str) -> Target:
        """Back from its text."""
        platform, _, python = text.partition(", Python ")
        return cls(platform, python)

    def environment(self) -> dict[str, str]:
        """What markers can ask for."""
        system, _, machine = self.platform.partition("-")
        names = _SYSTEMS.get(system, _WINDOWS)
        values = dict(zip(("sys_platform", "os_name", "platform_system"), names, strict=True))
        machine = "AMD64" if machine == "amd64" else machine
        python = {"python_version": self.python, "python_full_version": f"{self.python}.0"}
        kind = {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
        return {**values, **python, **kind, "platform_machine": machine}

    def tags(self) -> list[str]:
        """What pip has to be told to fetch for it."""
        if self.native:
            return []
        platforms = [f"--platform={tag}" for tag in PLATFORMS[self.platform]]
        return [*platforms, f"--python-version={self.python}", "--implementation=cp"]


def this() -> Target:
    """This computer, with this Python."""
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, "linux")
    return Target(f"{system}-{platform.machine().lower()}", ".".join(map(str, sys.version_info[:2])), native=True)


def targets(names: Sequence[str]) -> list[Target]:
    """Platforms by name, each with every Python; all of them without a name; "this" for this computer. Errors: KeyError
    with an unknown name."""
    found = []
    for name in names or PLATFORMS:
        if name == "this":
            found.append(this())
            continue
        PLATFORMS[name]
        found += [Target(name, python) for python in PYTHONS]
    return found


def holds(marker: str, environment: Mapping[str, str]) -> bool:
    """Whether a marker of a lock is true for a computer. Errors: ValueError, for one that no lock of ours has."""
    return not marker or bool(_value(ast.parse(marker, mode="eval").body, environment))


def _value(node: ast.expr, environment: Mapping[str, str]) -> Any:
    if isinstance(node, ast.BoolOp):
        results = [_value(part, environment) for part in node.values]
        return all(results) if isinstance(node.op, ast.And) else any(results)
    if isinstance(node, ast.Name) and node.id in environment:
        return environment[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = (_value(part, environment) for part in (node.left, node.comparators[0]))
        compare = _COMPARE.get(type(node.ops[0]))
        if compare:
            versions = left[:1].isdigit() and right[:1].isdigit()
            return compare(_key(left), _key(right)) if versions else compare(left, right)
    raise ValueError(f"a marker that is not understood: {ast.unparse(node)}")


def _key(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


_COMPARE: Mapping[type, Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
