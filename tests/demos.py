"""`p2pgame demo` for every game and every number of players, several times with different seeds, audit included.

Run it with `make demos`, or `python -m tests.demos --runs 10`. Prints one line a run and a summary, and exits 1 if any
did not end verified.

Theory of operation: the first seed of every game and size comes first, then the second: whoever stops it has seen all
of them. Two demos at most run side by side, since each has a process for every peer. `--resume FILE` is the output of
an earlier call: what was verified there is not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from engines import registry

MOST = 2
"""Demos side by side."""
SECONDS = 1800
"""After so long a demo is given up."""
_VERIFIED = re.compile(r"(?P<game>\w+) (?P<players>\d) players, seed (?P<seed>\d+): verified, (?P<took>\d+) s")


@dataclass(frozen=True)
class Demo:
    """One run."""

    game: str
    players: int
    seed: int

    def __str__(self) -> str:
        return f"{self.game} {self.players} players, seed {self.seed}"

    def run(self) -> int | None:
        """Play it, and print how it went; the seconds that it took, or None if it did not end verified."""
        with tempfile.TemporaryDirectory() as home:
            demo = ["demo", self.game, f"--players={self.players}", f"--seed={self.seed}", "--json"]
            command = [sys.executable, "-m", "client.cli", *demo]
            environment = {**os.environ, "P2PGAME_HOME": home}
            start = time.monotonic()
            with subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            ) as process:
                try:
                    out, err = process.communicate(timeout=SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    out, err = process.communicate()
            took = round(time.monotonic() - start)
        lines = out.splitlines()
        found = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
        well = process.returncode == 0 and bool(found.get("verified"))
        verdict = "verified" if well else f"exit {process.returncode}: {' '.join(err.split())[-300:]}"
        print(f"{self}: {verdict}, {took} s", flush=True)  # noqa: T201 - what a person who runs it reads
        return took if well else None


def wanted(games: Iterable[str], seeds: Iterable[int]) -> Iterator[Demo]:
    """All games and sizes with the first seed, then with the next."""
    for seed in seeds:
        for game in games:
            low, high = registry.seat_range(game)
            yield from (Demo(game, players, seed) for players in range(low, high + 1))


def verified(text: str) -> dict[Demo, int | None]:
    """What an earlier call has printed of runs that ended well: the seconds that each took."""
    return {
        Demo(one["game"], int(one["players"]), int(one["seed"])): int(one["took"]) for one in _VERIFIED.finditer(text)
    }


def summary(results: dict[Demo, int | None]) -> Iterator[str]:
    """A line for each game and size, and one for all."""
    for kind in dict.fromkeys((demo.game, demo.players) for demo in sorted(results, key=str)):
        took = [seconds for demo, seconds in results.items() if (demo.game, demo.players) == kind]
        good = [seconds for seconds in took if seconds is not None]
        middle = f", median {statistics.median(good):.0f} s" if good else ""
        yield f"{kind[0]} {kind[1]} players: {len(good)} of {len(took)} verified{middle}"
    yield f"{sum(seconds is None for seconds in results.values())} of {len(results)} went wrong"


def main() -> int:
    """All that are wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=registry.GAMES)
    parser.add_argument("--jobs", type=int, default=1, choices=range(1, MOST + 1))
    parser.add_argument("--resume", type=Path, metavar="FILE")
    wishes = parser.parse_args()
    games = [wishes.game] if wishes.game else registry.GAMES
    before = verified(wishes.resume.read_text(encoding="utf-8")) if wishes.resume else {}
    demos = list(wanted(games, range(wishes.seed, wishes.seed + wishes.runs)))
    results = {demo: before[demo] for demo in demos if demo in before}
    left = [demo for demo in demos if demo not in before]
    with ThreadPoolExecutor(wishes.jobs) as pool:
        try:
            results.update(zip(left, pool.map(Demo.run, left), strict=True))
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    for line in summary(results):
        print(line)  # noqa: T201 - what a person who runs it reads
    return 1 if None in results.values() else 0


if __name__ == "__main__":
    sys.exit(main())
