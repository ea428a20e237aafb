"""Leaving properly: the game goes on for the others, whenever it happens, and the file says who has left."""

from __future__ import annotations

from typing import Any

import pytest

from engines.menus import Choice
from p2p.audit import SOUND, audit
from p2p.table import Table
from protocol import codec, group, transcript
from protocol.effects import Fault, Job, Publish, State
from protocol.errors import ProtocolError
from protocol.leaving import LEAVE
from protocol.secrets import Secrets

from .ring import Ring

QUICK: dict[str, dict[str, Any]] = {"amnesia": {"mode": "turbo", "rounds": 2}, "maamut": {"rounds": 6}}


def leaving(game: str, seats: int, seed: int, leaver: int, after: int, kind: str = "") -> Ring:
    """A game in which `leaver` wants to go after so many events, when a step of that kind is open; the others play
    on."""
    ring = Ring(game, seats, seed=seed, options=QUICK.get(game))
    for seat in range(seats):
        ring.pump(seat)
    happened = 0
    while ring.step() or ring.catch_up():
        happened += 1
        table = ring.tables[leaver]
        due = happened >= after and kind in ("", table.ceremony.kind) and table.session.state is State.RUNNING
        if due and table.run is not None and leaver not in table.leavers:
            table.leave()
            ring.pump(leaver)
    return ring


def gone_on(ring: Ring, leaver: int) -> None:
    """Whoever stayed has ended the game with the same file, which is sound and says who has left."""
    stay = [seat for seat in range(len(ring.tables)) if seat != leaver]
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


@pytest.mark.parametrize(("game", "seats"), [("maamut", 3), ("maamut", 4), ("amanite", 3), ("amnesia", 3)])
@pytest.mark.parametrize("after", [0, 150, 400])
def test_the_others_go_on(game: str, seats: int, after: int) -> None:
    leaver = after % seats
    gone_on(leaving(game, seats, 20 + after, leaver, after), leaver)


KINDS = [
    *((game, kind, 0) for game in ("maamut", "amanite", "amnesia") for kind in ("flip", "shuffle", "view", "ask")),
    *((game, "open", 0) for game in ("maamut", "amnesia")),
    *(("amnesia", kind, 500) for kind in ("shuffle", "view", "open", "ask")),
    ("amanite", "open", 0),
]


@pytest.mark.parametrize(("game", "kind", "after"), KINDS)
def test_whatever_is_due_when_it_is_wished(game: str, kind: str, after: int) -> None:
    """Of those that leave as of the others; in Amnesia all are asked at once."""
    ring = leaving(game, 3, 50 + after, 1, after, kind)
    assert any(1 in table.deck.left for table in ring.tables) or (game, kind) == ("amanite", "open")
    gone_on(ring, 1)


@pytest.mark.parametrize("game", ["maamut", "amanite", "amnesia"])
def test_who_leaves_in_the_place_of_its_own_pass(game: str) -> None:
    """The first of all: then that shuffle has those of the others."""
    ring = leaving(game, 3, 70, 0, 0, "shuffle")
    gone_on(ring, 0)
    report = audit(ring.tables[1].file())
    assert report.left == [0]
    assert report.shuffles
    assert all(passes == [1, 2] for passes in report.shuffles)


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


def test_who_comes_back_only_to_leave() -> None:
    """Nothing is signed before it is known what was; then the leave is, and nobody's game is given up."""
    ring = Ring("amnesia", 3, seed=9, fifo=True, options=QUICK["amnesia"])
    ring.decide = lambda seat, table: table.menu.lapse if table.menu else Choice(0)
    for seat in range(3):
        ring.pump(seat)
    while ring.tables[1].session.place[0] < 8:
        assert ring.step()
    table, ring.tables[1] = (
        ring.tables[1],
        Table(
            ring.contract,
            ring.signatures,
            seat=1,
            identity=ring.identities[1],
            secrets=Secrets(ring.masters[1], ring.contract.table, 1),
            mute=True,
        ),
    )
    back = ring.tables[1]
    for item in table.session.since(0):
        back.receive(item.data)
        for effect in back.take():
            if isinstance(effect, Job):
                back.done(effect.id, None)
    assert back.leave()
    assert not any(isinstance(effect, Publish) for effect in back.take())
    back.speak()
    ring.letters = [letter for letter in ring.letters if letter.to != 1 or letter.kind != "job"]
    ring.play()
    assert 1 in ring.tables[0].deck.left
    gone_on(ring, 1)


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
