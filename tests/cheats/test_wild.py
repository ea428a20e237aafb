"""Cheats at random, bounded: a few of each lie. Longer: `make soak`."""

from __future__ import annotations

from collections import Counter

from .wild import LIES, Wild, check


def test_whatever_is_tried_is_caught_and_nobody_else_is_named() -> None:
    counts: Counter[str] = Counter()
    for seed in range(40):
        ring = Wild(seed)
        if ring.kind in ("shuffle", "closing", "promise"):  # these come late, or cost much: the soak has them
            continue
        ring.play()
        found = ring.outcome()
        check(ring, found)
        counts.update(found)
    assert counts["cheats tried"] >= 10
    assert {lie for lie in LIES if counts[f"cheats tried: {lie}"]} == set(LIES)
