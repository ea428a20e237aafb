"""Cheats at the end of a game: seeds that are withheld, do not fit or come early, and closings that do not come.

Theory: a seed is not signed, so one that does not fit may be anybody's doing, and names nobody; for the file it is as
good as withheld. Who withholds is said, and is no proof of a cheat: what was proven during the game stays proven. What
a seat did that no live proof can object to, though it does not follow from its seed, comes to light with the seed, and
then the seat is named: it signed it.
"""

from __future__ import annotations

import pytest

from p2p.audit import INCOMPLETE, SOUND, audit
from protocol.effects import Publish

from ..p2p.ring import Letter
from .cheat import CHEAT, NEVER, CheatRing, Moment, Strike, before, double, recorded
from .verdicts import kept_quiet, unharmed


def ending(*strikes: Strike) -> CheatRing:
    """A table just before the closings."""
    return CheatRing(*strikes or (NEVER,), begin=before(Strike("closing", lambda _: [])))


@pytest.mark.parametrize("told", [None, bytes(32), b"short"])
def test_a_seed_that_is_withheld_or_does_not_fit(told: bytes | None) -> None:
    ring = ending()
    ring.tells = lambda _: told
    ring.play()
    unharmed(ring)
    assert not ring.complete
    for seat in ring.honest:
        table = ring.tables[seat]
        assert table.closed
        assert set(table.seeds) == set(ring.honest)
        report = audit(table.file())
        assert (report.verdict, report.findings, report.withheld) == (INCOMPLETE, [], [CHEAT])
        assert report.ending == "complete and closed, seeds withheld by P1"
        assert report.result == table.result()
    assert len(ring.broken_links) == (0 if told is None else len(ring.tables))


def test_a_seed_told_for_another_seat() -> None:
    """A seed that is not that seat's is turned away, whoever brings it, and the true one is still taken."""
    ring = ending()
    for seat in ring.honest:
        ring.letters.append(Letter("seed", seat, (0, bytes(32))))
        ring.letters.append(Letter("seed", seat, (9, bytes(32))))
    ring.play()
    unharmed(ring)
    assert len(ring.broken_links) == 4
    assert ring.complete == {0, 1, 2}


def test_a_seed_told_early_draws_none_from_the_others() -> None:
    """A cheat that shows its own cards before the end gets nothing in return."""
    ring = CheatRing(NEVER, begin=recorded()[:20])
    for seat in ring.honest:
        ring.letters.append(Letter("seed", seat, (CHEAT, ring.masters[CHEAT])))
    for seat in range(3):
        ring.pump(seat)
    while ring.step():
        assert all(ring.tables[seat].closed for seat in ring.revealed)
    assert ring.complete == {0, 1, 2}
    assert audit(ring.tables[0].file()).verdict == SOUND


def test_a_closing_that_does_not_come() -> None:
    """No seed is told, the result stands, and the file says who did not close."""
    ring = ending(Strike("closing", lambda _: []))
    ring.play()
    unharmed(ring)
    kept_quiet(ring)
    for seat in ring.honest:
        report = audit(ring.tables[seat].file())
        assert (report.verdict, report.findings) == (INCOMPLETE, [])
        assert report.ending == "complete, not closed by P1"
        assert report.result == ring.tables[seat].result()


def test_a_closing_held_back_until_the_seeds_are_there() -> None:
    """There is nothing to wait for: seeds take every closing."""
    ring = ending(Strike("closing", lambda _: []))
    ring.play()
    kept_quiet(ring)
    data = Moment(ring, ring.tables[CHEAT], CHEAT)
    closing = data.sign(data.honest())
    for seat in ring.honest:
        ring.send(CHEAT, closing, seat)
    ring.play()
    assert all(ring.tables[seat].closed for seat in ring.honest)
    assert ring.revealed == set(ring.honest)


class Changing(CheatRing):
    """From its beginning on the cheat uses other nonces, blinds and orders than those of its seed."""

    def ready(self) -> None:
        table = self.tables[CHEAT]
        table.session._secrets = table._known_seeds[CHEAT] = double(self.secrets(CHEAT))


@pytest.mark.parametrize(("kind", "round"), [("keys", 0), ("shuffle", 1), ("view", 0), ("open", 0)])
def test_what_does_not_follow_from_the_seed(kind: str, round: int) -> None:
    """Every proof holds, so nobody objects while the game runs; the audit derives it again from the seed."""
    begin = before(Strike(kind, lambda _: [], round))
    ring = Changing(NEVER, begin=begin)
    place = ring.tables[CHEAT].session.place
    ring.play()
    unharmed(ring)
    assert ring.complete == {0, 1, 2}
    (file,) = {table.file() for table in ring.tables}
    report = audit(file)
    assert report.exit_code == 1
    found = report.findings[0]
    assert (found.seat, found.step, found.round) == (CHEAT, *place)
    assert found.reason == f"a {kind} that does not follow from the revealed seed"


def test_nothing_is_said_once_all_is_said() -> None:
    """After the seeds a table has nothing left to publish, whatever comes."""
    ring = ending()
    ring.play()
    assert ring.complete == {0, 1, 2}
    old = next(item for item in recorded() if item.kind == "ask" and item.seat == CHEAT)
    m = Moment(ring, ring.tables[CHEAT], CHEAT)
    for data in (m.sign({}, kind="ask", place=(99, 0)), m.sign({}, kind="ask", place=old.place, prev=old.prev)):
        ring.tables[0].receive(data)
        assert not any(isinstance(effect, Publish) for effect in ring.tables[0].take())
