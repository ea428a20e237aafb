"""Leaving properly: the game goes on for the others, whenever it happens, and the file says who has left."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.audit import SOUND, audit
from protocol import codec, group, transcript
from protocol.effects import Fault
from protocol.errors import ProtocolError
from protocol.leaving import LEAVE

from .ring import Ring

QUICK: dict[str, dict[str, Any]] = {"amnesia": {"mode": "turbo", "rounds": 2}, "maamut": {"rounds": 6}}


def leaving(game: str, seats: int, seed: int, leaver: int, after: int) -> Ring:
    """A game in which `leaver` wants to go after so many events; the others play on."""
    ring = Ring(game, seats, seed=seed, options=QUICK.get(game))
    for seat in range(seats):
        ring.pump(seat)
    happened = 0
    while ring.step() or ring.catch_up():
        happened += 1
        if happened >= after and ring.tables[leaver].run is not None and leaver not in ring.tables[leaver].deck.left:
            ring.tables[leaver].leave()
            ring.pump(leaver)
    return ring


@pytest.mark.parametrize(("game", "seats"), [("maamut", 3), ("maamut", 4), ("amanite", 3), ("amnesia", 3)])
@pytest.mark.parametrize("after", [0, 150, 400])
def test_the_others_go_on(game: str, seats: int, after: int) -> None:
    leaver = after % seats
    ring = leaving(game, seats, 20 + after, leaver, after)
    stay = [seat for seat in range(seats) if seat != leaver]
    assert not ring.verdicts
    assert not ring.astray
    assert ring.complete >= set(stay)
    files = {ring.tables[seat].file() for seat in stay}
    assert len(files) == 1
    report = audit(files.pop())
    assert (report.verdict, report.findings) == (SOUND, [])
    if any(leaver in table.deck.left for table in ring.tables):
        assert report.left == [leaver]
        assert f"P{leaver}" in report.ending
        assert report.withheld == []
        assert report.closed == 0


def test_two_of_four_leave() -> None:
    ring = Ring("maamut", 4, seed=31, options=QUICK["maamut"])
    for seat in range(4):
        ring.pump(seat)
    while ring.step() or ring.catch_up():
        for leaver in (1, 2):
            if ring.tables[leaver].run is not None and leaver not in ring.tables[leaver].deck.left:
                ring.tables[leaver].leave()
                ring.pump(leaver)
    assert ring.complete >= {0, 3}
    report = audit(ring.tables[0].file())
    assert report.verdict == SOUND
    assert sorted(report.left) == [1, 2]


def test_two_cannot_leave_each_other() -> None:
    ring = Ring("maamut", 2, seed=1)
    for seat in range(2):
        ring.pump(seat)
    while ring.tables[0].run is None:
        assert ring.step()
    assert not ring.tables[0].leave()


def test_nobody_leaves_before_there_are_keys() -> None:
    ring = Ring("maamut", 3, seed=1)
    assert not ring.tables[0].leave()


@pytest.mark.parametrize(
    "body", [{}, {"y": bytes(32)}, {"x": b"5"}, {"x": 5}, {"x": b"\xff" * 32}, {"x": bytes(32), "y": 1}]
)
def test_a_leave_of_another_form_is_refused(body: dict[str, Any]) -> None:
    ring = Ring("maamut", 3, seed=2, fifo=True)
    ring.pump(0)
    with pytest.raises(ProtocolError):
        ring.tables[0]._departures.check(1, body)


@pytest.mark.parametrize("body", [{"x": bytes(32)}, {"x": group.scalar_bytes(5)}])
def test_a_leave_with_another_key_is_a_fault(body: dict[str, Any]) -> None:
    ring = Ring("maamut", 3, seed=2, fifo=True)
    for seat in range(3):
        ring.pump(seat)
    while ring.tables[1].run is None or 1 not in ring.tables[1].session.waiting_for():
        assert ring.step()
    departures = ring.tables[1]._departures
    departures.make = lambda secrets: body  # type: ignore[method-assign]
    assert ring.tables[1].leave()
    ring.pump(1)
    ring.play()
    for seat in (0, 2):
        verdict = ring.verdicts[seat]
        assert isinstance(verdict, Fault)
        assert (verdict.seat, verdict.contribution.kind) == (1, LEAVE)
        assert [finding.seat for finding in audit(ring.tables[seat].file()).findings] == [1]


def test_a_leave_put_into_the_file_afterwards_is_found() -> None:
    ring = leaving("maamut", 3, 40, 1, 0)
    records = [transcript.header(ring.contract, ring.signatures)]
    for item in ring.tables[0].session.since(0):
        value = codec.decode(item.data)
        if value["kind"] == LEAVE:
            value["body"] = {"x": group.scalar_bytes(7)}
        records.append(transcript.item(codec.encode(value)))
    assert audit(transcript.write(records)).exit_code == 1
