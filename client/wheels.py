"""The wheels that other computers need: fetched beforehand, and checked against the lock each time.

For: `p2pgame share`. Does IO: files, and pip in a process of its own, when it is asked to fetch. Never: a wheel handed
on whose hash the lock does not have, or a registry's name in this program: where pip fetches from is pip's matter.

Theory of operation: one run of `pip download` for each kind of computer, with the part of the lock that is for it and
every hash demanded. What a run brought is noted in `index.json`, so that it can be said later for which computers
everything is there. A kind for which some library has no wheel is left out, the others are not.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from p2p import files
from p2p.errors import CannotRead, NetworkError, UserError

from .lock import Pinned, Target, holds, lock_text, parse_lock
from .text import clean

INDEX = "index.json"
_INDEX_BYTES = 1_000_000


class NoPip(UserError):
    """This Python has no pip to fetch wheels with. Get it by `python -m ensurepip`, or from your system's packages."""


class CannotFetch(NetworkError):
    """Nothing could be fetched; this once, internet is needed. The last complaint: {why}"""


class NothingToShare(UserError):
    """There is nothing to share yet in {path}. Run `p2pgame share --prepare` once, with internet."""


@dataclass(slots=True)
class Stock:
    """What is there and as it should be. `wheels`: hash by name. `ready`: the kinds of computers that have everything.
    `refused`: files that the lock does not know."""

    wheels: dict[str, str] = field(default_factory=dict)
    ready: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    size: int = 0


def prepare(folder: Path, targets: Sequence[Target], tell: Callable[[str], object]) -> Stock:
    """Fetch the wheels for these kinds of computers, beside those that are there. Errors: NoPip, CannotFetch,
    CannotWrite."""
    with files.writing(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock, pip = parse_lock(lock_text()), find_pip()
    index, complaint = _read_index(folder), ""
    for target in targets:
        try:
            index[str(target)] = _fetch(folder, target, lock, pip)
            tell(f"{target}: {len(index[str(target)])} wheels")
        except CannotFetch as error:
            complaint = str(error.values["why"])
            tell(f"{target}: left out; {complaint}")
    files.write_whole(folder / INDEX, json.dumps(index, indent=1).encode())
    stock = take_stock(folder)
    if not stock.ready:
        raise CannotFetch(why=complaint)
    for name in stock.refused:  # of an earlier version
        with files.writing(folder / name):
            (folder / name).unlink()
    return stock


def _fetch(folder: Path, target: Target, lock: Sequence[Pinned], pip: Sequence[str]) -> list[str]:
    """One run of pip; the names of the wheels."""
    wanted = [one for one in lock if holds(one.marker, target.environment())]
    with tempfile.TemporaryDirectory(prefix="p2pgame-", dir=folder) as work:
        lines = Path(work, "wanted.txt")
        lines.write_text("\n".join(one.line() for one in wanted) + "\n", encoding="utf-8")
        command = [*pip, "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-deps"]
        command += [
            "--only-binary=:all:",
            "--require-hashes",
            *target.tags(),
            f"--requirement={lines}",
            f"--dest={work}",
        ]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        brought = sorted(Path(work).glob("*.whl"))
        if done.returncode or len(brought) != len(wanted):
            raise CannotFetch(why=_complaint(done.stderr))
        with files.writing(folder):
            for wheel in brought:
                wheel.replace(folder / wheel.name)
    return [wheel.name for wheel in brought]


def _complaint(said: str) -> str:
    lines = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    return clean(lines[-1] if lines else "pip did not bring everything", 300)


def find_pip() -> list[str]:
    """A command that is pip. Errors: NoPip."""
    own = [sys.executable, "-m", "pip"]
    if subprocess.run([*own, "--version"], capture_output=True, check=False).returncode == 0:
        return own
    wheel = bundled_pip()
    if wheel is None:
        raise NoPip
    return [sys.executable, str(wheel / "pip")]


def bundled_pip() -> Path | None:
    """The wheel of pip that came with this Python, if it did."""
    places = []
    try:
        import ensurepip
    except ImportError:
        pass
    else:
        places.append(Path(ensurepip.__file__).with_name("_bundled"))
    if elsewhere := sysconfig.get_config_var("WHEEL_PKG_DIR"):
        places.append(Path(elsewhere))
    found = sorted(wheel for place in places for wheel in place.glob("pip-*.whl"))
    return found[-1] if found else None


def take_stock(folder: Path) -> Stock:
    """Look at every wheel there is. Errors: NoLock, CannotRead."""
    known = {one for pinned in parse_lock(lock_text()) for one in pinned.hashes}
    stock = Stock()
    with files.reading(folder):
        wheels = sorted(folder.glob("*.whl")) if folder.is_dir() else []
        for wheel in wheels:
            with wheel.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            if digest not in known:
                stock.refused.append(wheel.name)
                continue
            stock.wheels[wheel.name] = digest
            stock.size += wheel.stat().st_size
    lock = parse_lock(lock_text())
    for name, needed in _read_index(folder).items():
        if _complete(name, needed, lock, stock):
            stock.ready.append(name)
    return stock


def _complete(name: str, needed: Sequence[str], lock: Sequence[Pinned], stock: Stock) -> bool:
    """Whether a kind of computer has everything that the lock, as it is now, wants for it."""
    target = Target.read(name)
    there = {stock.wheels[wheel] for wheel in needed if wheel in stock.wheels}
    return all(one.hashes & there for one in lock if holds(one.marker, target.environment()))


def _read_index(folder: Path) -> dict[str, list[str]]:
    """What was fetched for whom; nothing, if that is not known."""
    try:
        found = json.loads(files.read(folder / INDEX, _INDEX_BYTES))
    except (CannotRead, ValueError):
        return {}
    if not isinstance(found, dict) or not all(isinstance(value, list) for value in found.values()):
        return {}
    return {str(key): [str(name) for name in value] for key, value in found.items()}
