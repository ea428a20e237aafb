"""Endurance: whole games of every kind in bad weather, and cheats among them, until the time is up.

Run it with `make soak`, or `python -m tests.soak --minutes 20 --seed 1`. Every game has its own seed, printed when
something is not as it should be; `--only SEED` plays that one again. Prints counts at the end, and exits 1 if a single
game did not come to one sound file, or a seat was accused that had done nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import Any

from engines import registry
from tests.p2p.storm import Storm

OPTIONS: dict[str, dict[str, Any]] = {
    "maamut": {"rounds": 8},
    "amnesia": {"mode": "turbo", "rounds": 2},
}
"""Shorter games, so that more of them fit."""


def storm(seed: int) -> Storm:
    """The game of this seed: which, how many seats, and what weather."""
    rng = random.Random(seed)
    game = rng.choice(registry.GAMES)
    low, high = registry.seat_range(game)
    rough = rng.random()
    return Storm(
        game,
        rng.randint(low, min(high, 4)),
        seed=seed,
        options=OPTIONS.get(game),
        sensible=rng.random() < 0.7,
        loss=0.3 * rough * rng.random(),
        double=0.2 * rough,
        corrupt=0.1 * rough,
        kill=0.02 * rng.random(),
        kills=rng.randrange(4),
        flap=0.02 * rough,
    )


def main() -> int:
    """Play until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    wishes = parser.parse_args()
    counts: Counter[str] = Counter()
    until = time.monotonic() + 60 * wishes.minutes
    seed = wishes.only if wishes.only is not None else 1_000_000 * wishes.seed
    while True:
        one = storm(seed)
        try:
            one.play()
            one.check()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted, shown with its seed, and fails the run
            counts["games that went wrong"] += 1
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)  # noqa: T201
        counts[f"games of {one.game}"] += 1
        counts["games"] += 1
        counts["accusations"] += len(one.verdicts)
        counts["divergences"] += len(one.astray)
        counts["refused as a link's fault"] += len(one.broken_links)
        counts.update({f"faults: {what}": number for what, number in one.faults.items()})
        seed += 1
        if wishes.only is not None or time.monotonic() > until:
            break
    for what in sorted(counts):
        print(f"{counts[what]:>9}  {what}")  # noqa: T201
    return 1 if counts["games that went wrong"] or counts["accusations"] else 0


if __name__ == "__main__":
    sys.exit(main())
