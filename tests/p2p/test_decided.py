"""What a table tells of decisions that are in while its own seat has still to decide."""

from __future__ import annotations

from engines.menus import Choice, Menu
from engines.requests import Ask
from p2p.table import Table
from protocol.secrets import Secrets

from .ring import Ring

ENOUGH = 12
"""Questions that are looked at; a whole game takes too long."""


class Slow(Table):
    """A table whose player sleeps until everybody else has chosen."""

    asleep = True

    @property
    def menu(self) -> Menu | None:
        """Not seen by a sleeper."""
        return None if self.asleep else super().menu


class SlowRing(Ring):
    """Seat 0 is slow."""

    def _table(self, seat: int) -> Table:
        kind = Table if seat else Slow
        return kind(
            self.contract,
            self.signatures,
            seat=seat,
            identity=self.identities[seat],
            secrets=Secrets(self.masters[seat], self.contract.table, seat),
            listen=self.bots[seat].notice,
        )


def test_decisions_that_are_in_are_those_that_were_made() -> None:
    ring = SlowRing("amnesia", 3, seed=4)
    slow = ring.tables[0]
    assert isinstance(slow, Slow)
    made: dict[int, Choice] = {}
    by_bot = ring.decide

    def decide(seat: int, table: Table) -> Choice:
        made[seat] = by_bot(seat, table)
        return made[seat]

    ring.decide = decide
    for seat in range(3):
        ring.pump(seat)
    leads = set()
    for _ in range(ENOUGH):
        while ring.step():
            pass
        assert slow.run is not None
        assert isinstance(slow.run.pending, Ask)
        leads.add(slow.run.pending.lead)
        asked = set(slow.run.pending.menus)
        assert 0 in asked
        assert slow.decided == {seat: made[seat] for seat in asked - {0}}
        slow.asleep = False
        slow.choose(decide(0, slow))
        slow.asleep = True
        ring.pump(0)
    assert {0, 1, 2} <= leads


def test_while_nothing_is_asked_nothing_is_decided() -> None:
    ring = Ring(seats=2, seed=1)
    assert ring.tables[0].decided == {}
    while ring.tables[0].run is None:
        ring.pump(0)
        ring.pump(1)
        ring.step()
        assert ring.tables[0].decided == {}
