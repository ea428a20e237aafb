"""A rule broken at an old place, when the game is almost over: the cheat is named, and nothing proven is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p import ending
from p2p.audit import BROKEN, audit
from p2p.table import Table
from protocol.contribution import Contribution, sign
from protocol.effects import Fault, Fork, Job

from ..cheats.cheat import CHEAT, NEVER, CheatRing, Moment, Sent, Strike, double, recorded

Late = Callable[[CheatRing, Contribution], bytes]


def again(ring: CheatRing, old: Contribution) -> bytes:
    """Something else for the same place, on the same history."""
    return sign(ring.contract, ring.identities[CHEAT], old.place, CHEAT, old.kind, {"other": 1}, old.prev).data


def out_of_turn(ring: CheatRing, old: Contribution) -> bytes:
    """Something for a later place, which does not follow from that history."""
    return sign(ring.contract, ring.identities[CHEAT], (90, 0), CHEAT, "flip", {}, old.prev).data


LIES: dict[str, tuple[Late, type[Fault | Fork]]] = {"fork": (again, Fork), "out of turn": (out_of_turn, Fault)}


def take(table: Table, data: bytes) -> None:
    """The table gets something; its jobs are done."""
    table.receive(data)
    while effects := table.take():
        for effect in effects:
            if isinstance(effect, Job):
                table.done(effect.id, effect.run())


def ended(what: str, played: int, kind: str = "commit") -> CheatRing:
    """A game in which the cheat breaks a rule at its first place of a kind after so many contributions."""
    ring = CheatRing(NEVER, begin=recorded()[:played])
    for seat in range(3):
        ring.pump(seat)
    old = next(item for item in recorded() if item.seat == CHEAT and item.kind == kind)
    for seat in ring.honest:
        ring.send(CHEAT, LIES[what][0](ring, old), seat)
    ring.letters = [letter for letter in ring.letters if letter.kind == "item"]
    ring.play()
    return ring


@pytest.mark.parametrize("kind", ["commit", "keys", "shuffle"])
@pytest.mark.parametrize("what", LIES)
def test_the_game_stays_in_the_file(what: str, kind: str) -> None:
    ring = ended(what, len(recorded()) - 10, kind)
    for seat in ring.honest:
        table = ring.tables[seat]
        assert isinstance(table.ended, LIES[what][1])
        assert table.ended.seat == CHEAT
        kept = ending.told(table, 0)
        assert [item for item in kept if item in recorded()] == list(recorded()[: len(kept) - 1])
        assert len(kept) > len(recorded()) - 20
        report = audit(table.file())
        assert (report.verdict, {finding.seat for finding in report.findings}) == (BROKEN, {CHEAT})
        assert report.sound_to is not None
        assert report.sound_to > (4, 0)


@pytest.mark.parametrize("what", LIES)
def test_a_late_seat_comes_to_the_same_verdict_and_file(what: str) -> None:
    ring = ended(what, len(recorded()) - 10)
    late = ring._table(2)
    for item in recorded()[:12]:
        take(late, item.data)
    for item in ending.told(ring.tables[0], len(late.session.chain)):
        take(late, item.data)
    assert isinstance(late.ended, LIES[what][1])
    assert audit(late.file()).verdict == BROKEN
    assert len(late.session.chain) > len(ring.tables[0].session.chain) - 3


@pytest.mark.parametrize("what", LIES)
def test_a_result_that_all_have_signed_is_not_taken_back(what: str) -> None:
    ring = CheatRing(NEVER, begin=recorded()[:-3])
    for seat in range(3):
        ring.pump(seat)
    while not all(ring.tables[seat].closed for seat in ring.honest):
        assert ring.step()
    for seat in ring.honest:
        ring.send(CHEAT, LIES[what][0](ring, recorded()[1]), seat)
    ring.play()
    for seat in ring.honest:
        report = audit(ring.tables[seat].file())
        assert (report.verdict, {finding.seat for finding in report.findings}) == (BROKEN, {CHEAT})
        assert report.result == ring.tables[seat].result()


def test_a_branch_is_no_common_history() -> None:
    """The cheat has shown the two others different things, who have not met since; to one of them it does it again, at
    an older place."""

    def branches(m: Moment) -> Sent:
        return {0: [m.sign(m.honest())], 2: [m.sign(m.ceremony.make(m.context(), double(m.secrets)))]}

    ring = CheatRing(Strike("view", branches, round=0))
    ring.cut = {frozenset((0, 2))}
    for seat in range(3):
        ring.pump(seat)
    while ring.step():
        if ring.struck:
            ring.cut.add(frozenset((CHEAT, 2)))  # or it would pass on what shows it
    table, (branched,) = ring.tables[0], ring.struck
    assert not ring.verdicts
    assert any(item.seat == CHEAT for item in table.session.since(0) if item.place == branched)
    take(table, again(ring, recorded()[1]))
    assert isinstance(table.ended, Fork)
    told = ending.told(table, 0)
    assert told[-1].place == (0, 0)
    assert all(item.place < branched for item in told)
    assert max(item.place for item in told) > (3, 0)
    assert audit(table.file()).verdict == BROKEN
