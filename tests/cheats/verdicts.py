"""What has to hold once a cheat was tried: who is named, by whom, with what in hand, and what nobody has told.

For: the tests of cheats. Never: an assertion about how a check is made; only about its verdict, at each honest seat and
in the audit of what that seat has kept.
"""

from __future__ import annotations

import functools

from p2p.audit import Report, audit
from protocol.effects import Fault, Fork, State

from .cheat import CHEAT, CheatRing, Strike


@functools.lru_cache(maxsize=16)
def judged(file: bytes) -> Report:
    """The audit of a file; honest seats often have the same."""
    return audit(file)


def convicted(ring: CheatRing, reason: str, *, seat: int | None = CHEAT, kind: type[Fault | Fork] = Fault) -> None:
    """Every honest seat has ended the table for this reason, names this seat, has it in its file, and told no secret;
    and the audit comes to the same from each of these files."""
    for one in ring.honest:
        table, verdict = ring.tables[one], ring.verdicts[one]
        assert isinstance(verdict, kind), f"seat {one}: {verdict}"
        assert verdict.seat == seat
        evidence = [verdict.contribution] if isinstance(verdict, Fault) else [verdict.first, verdict.second]
        why = verdict.reason if isinstance(verdict, Fault) else "signed two different things for one place"
        assert reason in why, why
        assert table.session.state is State.ENDED
        assert all(item.data in table.file() for item in evidence)
        assert seat is None or all(item.seat == seat for item in evidence)
        report = judged(table.file())
        assert report.exit_code == 1
        assert {found.seat for found in report.findings} == {seat}
        assert (why, *evidence[0].place) in [(found.reason, found.step, found.round) for found in report.findings]
    kept_quiet(ring)


def kept_quiet(ring: CheatRing) -> None:
    """No honest seat has said anything more once it knew, nor ever told its seed."""
    assert not ring.late
    assert not ring.revealed & set(ring.honest)
    assert not any(seat in table.seeds for table in ring.tables for seat in ring.honest)
    assert not ring.complete


def unharmed(ring: CheatRing) -> None:
    """Nobody is named, and nothing has ended."""
    assert not ring.verdicts
    assert all(ring.tables[seat].ended is None for seat in ring.honest)


def caught(strike: Strike, reason: str, *, seat: int | None = CHEAT, kind: type[Fault | Fork] = Fault) -> CheatRing:
    """Play until the strike has been dealt with, and see that it was, at the step at which it was tried."""
    ring = CheatRing(strike)
    ring.play()
    assert len(ring.struck) == 1
    convicted(ring, reason, seat=seat, kind=kind)
    for one in ring.honest:
        verdict = ring.verdicts[one]
        item = verdict.contribution if isinstance(verdict, Fault) else verdict.first
        assert item.place == ring.struck[0]
    return ring
