"""Cheats at random, bounded: a few of each lie. Longer: `make soak`."""

from __future__ import annotations

from collections import Counter

from p2p.table import Reveal
from protocol.effects import Fork

from .cheat import CHEAT, CheatRing, Moment, Strike
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


def test_a_seed_told_too_early_would_be_noticed() -> None:
    """In the last step, but before the cheat's closing: by a seat that is not as honest as it should be."""
    ring = CheatRing(Strike("closing", lambda _: []))
    ring.play()
    assert not ring.early
    ring.tables[0]._effects.append(Reveal())
    ring.pump(0)
    assert ring.early == {0}


def test_a_second_closing_after_all_have_closed() -> None:
    """The first was good and with it the game was closed, so the seeds were told as they should be; the second is half
    of a fork all the same."""
    second: list[bytes] = []

    def first(m: Moment) -> bytes:
        second.append(m.sign(m.honest(), prev=bytes(32)))
        return m.sign(m.honest())

    ring = CheatRing(Strike("closing", first))
    ring.play()
    assert ring.revealed == set(ring.honest)
    for seat in ring.honest:
        ring.send(CHEAT, second[0], seat)
    ring.play()
    assert {seat: type(ring.verdicts[seat]) for seat in ring.honest} == dict.fromkeys(ring.honest, Fork)
    assert not ring.early
