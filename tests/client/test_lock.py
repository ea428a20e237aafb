"""The lock that comes with the program: complete, the same as the developers' one, and read for other computers."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

from client import lock
from client.lock import PLATFORMS, Target, holds, parse_lock, targets

ROOT = Path(__file__).parents[2]
LINUX = Target("linux-x86_64", "3.12")


def test_the_lock_is_part_of_the_developers_one() -> None:
    """Same versions, same files, nothing that only developers need."""
    everything = {(one.name, one.version): one.hashes for one in parse_lock((ROOT / "requirements.lock").read_text())}
    ours = parse_lock(lock.lock_text())
    assert ours
    assert all(everything[one.name, one.version] == one.hashes for one in ours)


def test_the_lock_has_all_that_the_program_needs() -> None:
    have = {_plain(one.name) for one in parse_lock(lock.lock_text())}
    todo, seen = ["p2pgame"], set[str]()
    while todo:
        name = todo.pop()
        for line in metadata.requires(name) or ():
            needed = _plain(re.split(r"[^A-Za-z0-9._-]", line)[0])
            if ";" not in line and needed not in seen:
                seen.add(needed)
                todo.append(needed)
    assert seen <= have


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def test_every_marker_is_understood() -> None:
    for one in parse_lock(lock.lock_text()):
        for target in targets(()):
            assert holds(one.marker, target.environment()) in (True, False)


@pytest.mark.parametrize(
    ("marker", "true_for"),
    [
        ("", {"linux", "macos", "windows"}),
        ("sys_platform == 'win32'", {"windows"}),
        ("sys_platform != 'win32'", {"linux", "macos"}),
        ("(implementation_name != 'pypy' and os_name == 'nt') or platform_system == 'Darwin'", {"windows", "macos"}),
        ("platform_python_implementation != 'PyPy'", {"linux", "macos", "windows"}),
        ("python_version < '3.9'", set()),
        ("python_full_version >= '3.11' and platform_machine in 'x86_64 AMD64'", {"linux", "macos", "windows"}),
        ("'x86' not in platform_machine", {"windows"}),
    ],
)
def test_markers(marker: str, true_for: set[str]) -> None:
    kinds = [Target(name, "3.12") for name in ("linux-x86_64", "macos-x86_64", "windows-amd64")]
    assert {kind.platform.split("-")[0] for kind in kinds if holds(marker, kind.environment())} == true_for


@pytest.mark.parametrize("marker", ["__import__('os')", "extra == 'x'", "1 < 2", "a.b == 'c'", "not os_name == 'nt'"])
def test_markers_that_are_none(marker: str) -> None:
    with pytest.raises(ValueError, match="not understood"):
        holds(marker, LINUX.environment())


def test_targets() -> None:
    assert len(targets(())) == len(PLATFORMS) * len(lock.PYTHONS)
    (one,) = targets(["this"])
    assert one.native
    assert one.tags() == []
    assert {target.platform for target in targets(["macos-arm64"])} == {"macos-arm64"}
    assert Target.read(str(LINUX)) == LINUX
    with pytest.raises(KeyError):
        targets(["amiga"])
