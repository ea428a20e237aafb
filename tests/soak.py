"""Endurance: whole games of every kind in bad weather, and cheats among them, until the time is up.

Run it with `make soak`, or `python -m tests.soak --minutes 20 --seed 1`. Every game has its own seed, printed when
something is not as it should be; `--only SEED` plays that one again. Prints counts at the end, and exits 1 if a single
game did not come to one sound file, a seat was accused that had done nothing, or a cheat was not caught and named by
every honest seat.

Of three games two are played in bad weather (tests/p2p/storm.py), by honest seats that are killed and leave, and one
has a cheat in seat 1 (tests/cheats/wild.py). All seats of a game and its audit are in one process, so what several of
them would compute from the same bytes is computed once (tests/p2p/memo.py).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import Any

from engines import registry
from tests.cheats.wild import Wild, check
from tests.p2p.memo import once
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
        leave=0.002 * rng.random() if rng.random() < 0.5 else 0.0,
    )


def honest(seed: int) -> Counter[str]:
    """A game in bad weather, played to its end and checked; what is to be counted."""
    one = storm(seed)
    counts = Counter({"games": 1, f"games of {one.game}": 1})
    try:
        one.play()
        one.check()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is counted, shown with its seed, and fails the run
        counts["games that went wrong"] += 1
        print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)  # noqa: T201 - what a person who runs it reads
    counts["accusations"] = len(one.verdicts)
    counts["divergences"] = len(one.astray)
    counts["refused as a link's fault"] = len(one.broken_links)
    counts.update({f"faults: {what}": number for what, number in one.faults.items()})
    return counts


def dishonest(seed: int) -> Counter[str]:
    """A game with a cheat, played until it is caught, and checked; what is to be counted."""
    one = Wild(seed)
    counts = Counter({"games": 1, f"games of {one.game}": 1})
    try:
        one.play()
        found = one.outcome()
        counts.update(found)
        check(one, found)
    except Exception as error:  # noqa: BLE001 - as above
        counts["games that went wrong"] += 1
        print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)  # noqa: T201 - what a person who runs it reads
    return counts


def main() -> int:
    """Play until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    wishes = parser.parse_args()
    names = ("games that went wrong", "accusations", "divergences", "cheats caught", "cheats wrongly named")
    counts = Counter(dict.fromkeys(names, 0))
    until = time.monotonic() + 60 * wishes.minutes
    seed = wishes.only if wishes.only is not None else 1_000_000 * wishes.seed
    while True:
        with once():
            counts.update((dishonest if seed % 3 == 2 else honest)(seed))
        seed += 1
        if wishes.only is not None or time.monotonic() > until:
            break
    for what in sorted(counts):
        print(f"{counts[what]:>9}  {what}")  # noqa: T201 - what a person who runs it reads
    return 1 if counts["games that went wrong"] or counts["accusations"] or counts["cheats wrongly named"] else 0


if __name__ == "__main__":
    sys.exit(main())
