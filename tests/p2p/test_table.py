"""The replicated table: every order of events comes to one file, and the audit agrees."""

from __future__ import annotations

import random

import pytest

from p2p.audit import SOUND, audit

from .ring import Ring


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_order_of_events_gives_one_file(seats: int) -> None:
    ring = Ring(seats=seats, seed=seats)
    ring.play()
    files = {table.file() for table in ring.tables}
    assert ring.complete == set(range(seats))
    assert len(files) == 1
    report = audit(files.pop())
    assert (report.verdict, report.findings) == (SOUND, [])
    assert report.result == ring.tables[0].result()
    assert report.signatures == len(ring.tables[0].session.since(0))
    assert report.derived == report.signatures - report.kinds["ask"] - report.kinds["closing"]


def test_the_schedule_leaves_no_trace() -> None:
    one, other = (Ring(seats=3, seed=5, fifo=fifo) for fifo in (True, False))
    one.play()
    other.play()
    assert one.tables[0].file() == other.tables[0].file()


def test_lost_items_are_made_good() -> None:
    ring = Ring(seats=3, seed=8)
    rng = random.Random(1)
    ring.drop = lambda _from, _to, _data: rng.random() < 0.3
    ring.play()
    assert ring.complete == {0, 1, 2}
    assert len({table.file() for table in ring.tables}) == 1
    assert not ring.verdicts


def test_a_relay_is_enough() -> None:
    """Seats 0 and 2 never hear each other directly."""
    ring = Ring(seats=3, seed=9)
    ring.cut = {frozenset({0, 2})}
    ring.play()
    assert ring.complete == {0, 1, 2}
    assert len({table.file() for table in ring.tables}) == 1


def test_nobody_learns_a_hand_from_the_public_state() -> None:
    ring = Ring(seats=2, seed=3)
    for seat in range(2):
        ring.pump(seat)
    while ring.tables[0].run is None or not ring.tables[0].run.known[0]:
        assert ring.step()
    run = ring.tables[0].run
    assert run.known[1] == {}
    assert set(run.known[0]) == set(run.game.table.hands[0])
    assert not set(run.known[0]) & set(run.game.faces)
