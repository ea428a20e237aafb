"""Fuzzing for as long as one likes: `make fuzz SECONDS=600`, or `python -m tests.fuzz --seconds 600 [TARGET…]`.

Each target gets its share of the time. With atheris (which `make fuzz` installs into `.venv` if there is a wheel for
this Python; it is in no lock, since nothing else needs it) libFuzzer does the work, in a process of its own for each
target; otherwise guided.py does. Prints a line for each target, and ends with 1 if something was found: the line has
the input in hexadecimal, and `--input HEX TARGET` tries it again.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path


def _guided(name: str, seconds: float, seed: int) -> int:
    from . import guided
    from .targets import TARGETS, remembering

    with remembering():
        try:
            tried, lines, kept = guided.fuzz(TARGETS[name], seed=seed, until=time.monotonic() + seconds)
        except guided.Found as found:
            print(f"{name}: {found}", flush=True)  # noqa: T201 - what a person who runs it reads
            return 1
    print(f"{name}: {tried} inputs, {lines} lines reached, {kept} inputs kept", flush=True)  # noqa: T201 - what a person who runs it reads
    return 0


def _atheris(name: str, seconds: float, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.fuzz.engine", name, folder, str(max(1, int(seconds))), str(seed)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = [line for line in done.stdout.splitlines() if line.startswith(("Done ", "FOUND")) or "cov:" in line]
    if done.returncode:
        print(f"{name}: {done.stdout[-20_000:]}", flush=True)  # noqa: T201 - what a person who runs it reads
        return 1
    print(f"{name}: {' · '.join(lines[-2:])}", flush=True)  # noqa: T201 - what a person who runs it reads
    return 0


def _again(name: str, data: bytes) -> int:
    from . import guided
    from .targets import TARGETS

    tracemalloc.start()
    guided.bounded(TARGETS[name], data)
    return 0


def main() -> int:
    """Fuzz every target that was asked for."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description="Fuzz everything that reads foreign bytes.")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without atheris, even if it is there")
    parser.add_argument("--input", help="one input, in hexadecimal (or @FILE)")
    wishes = parser.parse_args()
    if wishes.input is not None:
        given = wishes.input
        data = Path(given[1:]).read_bytes() if given.startswith("@") else bytes.fromhex(given)
        return _again(wishes.targets[0], data)
    from .targets import TARGETS

    names = wishes.targets or list(TARGETS)
    engine = _guided if wishes.plain or importlib.util.find_spec("atheris") is None else _atheris
    print(f"{'atheris' if engine is _atheris else 'guided.py'}, {wishes.seconds / len(names):.0f} s each", flush=True)  # noqa: T201 - what a person who runs it reads
    return max(engine(name, wishes.seconds / len(names), wishes.seed) for name in names)


if __name__ == "__main__":
    sys.exit(main())
