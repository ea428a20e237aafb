"""How long a person waits for the program: for a word of it, and for its first screen.

Run it with `python -m benchmarks.startup`. Each line is the best of several starts, since others were disturbed, and
has the limit beside it. The screens are shown on a real pseudo-terminal; one counts as shown when its words are there,
whatever is drawn afterwards. What Python itself takes to start is the floor. All run with compiled files kept in a
folder of the benchmark's own, as an installed program has them, whatever the environment says.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter, sleep

from .measure import Row, report

PART = "Starting"
Environment = Mapping[str, str]
VERSION_LIMIT, SCREEN_LIMIT = 0.15, 0.5
PATIENCE = 20.0
PROGRAM = [sys.executable, "-m", "client.cli"]


def command(env: Environment, *arguments: str) -> Callable[[], float]:
    """Seconds until a command has ended."""

    def run() -> float:
        start = perf_counter()
        subprocess.run(list(arguments), check=True, stdout=subprocess.DEVNULL, env=env)
        return perf_counter() - start

    return run


def screen(env: Environment, words: str, *arguments: str) -> Callable[[], float]:
    """Seconds until a screen shows some words."""

    def run() -> float:
        import pty
        import termios

        with tempfile.TemporaryDirectory() as home:
            ours, theirs = pty.openpty()
            termios.tcsetwinsize(theirs, (24, 80))
            places = {**env, "P2PGAME_HOME": home, "P2PGAME_INTERFACES": "127.0.0.1", "TERM": "xterm-256color"}
            start = perf_counter()
            process = subprocess.Popen([*PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=places)
            os.close(theirs)
            try:
                return _shown(ours, words, start)
            finally:
                process.terminate()
                _drain(ours, process)
                os.close(ours)

    return run


def _shown(terminal: int, words: str, start: float) -> float:
    seen = b""
    while perf_counter() - start < PATIENCE:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 65536)
            if words.encode() in seen:
                return perf_counter() - start
    raise SystemExit(f"{words!r} was not shown within {PATIENCE:g} s; what was: {seen[-2000:]!r}")


def _drain(terminal: int, process: subprocess.Popen[bytes]) -> None:
    """What is not read would keep the program from ending."""
    while process.poll() is None:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                os.read(terminal, 65536)
            except OSError:
                sleep(0.05)


def best(run: Callable[[], float], times: int) -> float:
    """The fastest of several, after one that fills the caches."""
    run()
    return min(run() for _ in range(times))


def rows() -> Iterator[Row]:
    """Every line of the report."""
    with tempfile.TemporaryDirectory(prefix="p2pgame-startup-") as compiled:
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        for what, run, limit in _starts({**env, "PYTHONPYCACHEPREFIX": compiled}):
            yield Row(PART, what, best(run, 5), "s", limit=limit or None)


def _starts(env: Environment) -> list[tuple[str, Callable[[], float], float]]:
    starts: list[tuple[str, Callable[[], float], float]] = [
        ("python alone", command(env, sys.executable, "-c", "pass"), 0.0),
        ("p2pgame --version", command(env, *PROGRAM, "--version"), VERSION_LIMIT),
        ("p2pgame --help", command(env, *PROGRAM, "--help"), VERSION_LIMIT),
        ("p2pgame rules maamut", command(env, *PROGRAM, "rules", "maamut"), SCREEN_LIMIT),
    ]
    if sys.platform != "win32":
        starts += [
            ("p2pgame: the lobby", screen(env, "Lobby", "--me", "Lobby"), SCREEN_LIMIT),
            ("p2pgame host: the table", screen(env, "Attic", "host", "maamut", "--name", "Attic"), SCREEN_LIMIT),
        ]
    return starts


if __name__ == "__main__":
    report(PART, rows())
