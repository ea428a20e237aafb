"""How long people wait: the deal among processes, and the check of a finished game, beside the least it can take.

Run it with `python -m benchmarks.whole`. The floor is the number of group operations that all seats together do, times
what each takes in this same run, over the cores that there are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from engines.requests import Ask
from p2p.audit import audit
from protocol import group
from tests.p2p.ring import Ring

from .floor import costs, counting

GAME = "maamut"


def deal_floor(seats: int, price: dict[str, float]) -> float:
    """Seconds of group operations from the contract to the first question, all seats together."""
    with counting() as counts:
        ring = Ring(GAME, seats, seed=1, fifo=True)
        for seat in range(seats):
            ring.pump(seat)
        while not all(table.run and isinstance(table.run.pending, Ask) for table in ring.tables) and ring.step():
            pass
    return sum(price[name] * count for name, count in counts.items())


def demo(seats: int) -> dict[str, object]:
    """A whole game among processes; what it reports."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "client.cli", "demo", GAME, f"--players={seats}", "--json", "--seed=1"]
        done = subprocess.run(
            command, env={**os.environ, "P2PGAME_HOME": home}, capture_output=True, text=True, check=True
        )
        found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
        found["file"] = Path(str(found["transcript"])).read_bytes()
        return found


def main() -> None:
    """The whole report."""
    group.self_test()
    price, cores = costs(), os.cpu_count() or 1
    sys.stdout.write(f"{'':<34}{'took':>9}{'floor':>9}{'ratio':>7}\n")
    rows = []
    for seats in (2, 4):
        found = demo(seats)
        seconds, data = found["seconds"], found["file"]
        if not isinstance(seconds, dict) or not isinstance(data, bytes):
            raise SystemExit("the demo said something else than it promises")
        rows.append((f"deal of 36 cards, {seats} seats", seconds["deal"], deal_floor(seats, price) / cores))
        with counting() as counts:
            report = audit(data)
        start = perf_counter()
        audit(data)
        floor = sum(price[name] * count for name, count in counts.items())
        rows.append((f"verify, {seats} seats, {report.signatures} contributions", perf_counter() - start, floor))
    for what, took, floor in rows:
        sys.stdout.write(f"{what:<34}{took:8.2f}s{floor:8.2f}s{took / floor:7.2f}\n")


if __name__ == "__main__":
    main()
