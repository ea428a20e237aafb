"""`p2pgame demo` for every game and every number of players, several times with different seeds, audit included.

Run it with `make demos`, or `python -m tests.demos --runs 10`. Prints one line a run, and exits 1 if any did not end
verified.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

from engines import registry


def main() -> int:
    """All games, all sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=registry.GAMES)
    wishes = parser.parse_args()
    wrong = 0
    for game in [wishes.game] if wishes.game else registry.GAMES:
        low, high = registry.seat_range(game)
        for players in range(low, high + 1):
            for seed in range(wishes.seed, wishes.seed + wishes.runs):
                wrong += not _demo(game, players, seed)
    print(f"{wrong} went wrong")  # noqa: T201
    return 1 if wrong else 0


def _demo(game: str, players: int, seed: int) -> bool:
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "client.cli", "demo", game, f"--players={players}", f"--seed={seed}", "--json"]
        start = time.monotonic()
        done = subprocess.run(command, env={**os.environ, "P2PGAME_HOME": home}, capture_output=True, text=True)
        took = time.monotonic() - start
    lines = done.stdout.splitlines()
    found = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
    well = done.returncode == 0 and bool(found.get("verified"))
    verdict = "verified" if well else f"exit {done.returncode}: {done.stderr.strip()[-300:]}"
    print(f"{game} {players} players, seed {seed}: {verdict}, {took:.0f} s", flush=True)  # noqa: T201
    return well


if __name__ == "__main__":
    sys.exit(main())
