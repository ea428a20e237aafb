"""All but one seat leave in the same round, or all: the table has come to an end, the same for everybody."""

from __future__ import annotations

import pytest

from p2p.audit import BROKEN, INCOMPLETE, audit
from protocol import framing, transcript
from protocol.contribution import sign
from protocol.effects import State
from protocol.errors import Misuse

from .ring import Ring


def deserted(game: str, seats: int, leavers: list[int], seed: int) -> Ring:
    """A game in which some leave the first time that something is due of all of them at once."""
    ring = Ring(game, seats, seed=seed, fifo=True)
    for seat in range(seats):
        ring.pump(seat)
    while any(table.run is None for table in ring.tables) or ring.tables[0].ceremony.kind != "flip":
        assert ring.step()
    for leaver in leavers:
        assert ring.tables[leaver].leave()
    for leaver in leavers:
        ring.pump(leaver)
    ring.play()
    return ring


@pytest.mark.parametrize(("seats", "leavers"), [(3, [0, 2]), (3, [0, 1, 2]), (4, [1, 2, 3]), (4, [0, 1, 2, 3])])
@pytest.mark.parametrize("game", ["maamut", "amanite"])
def test_too_few_are_left(game: str, seats: int, leavers: list[int]) -> None:
    ring = deserted(game, seats, leavers, seed=60)
    assert not ring.verdicts
    assert not ring.astray
    assert not ring.complete
    assert not any(table.seeds for table in ring.tables), "a seed was told"
    for table in ring.tables:
        assert table.session.state is State.ENDED
        assert table.menu is None
        assert table.session.waiting_for() == ()
        assert not table.leave()
        with pytest.raises(Misuse):
            table.result()
    (file,) = {table.file() for table in ring.tables}
    report = audit(file)
    names = ", ".join(f"P{seat}" for seat in leavers)
    assert (report.verdict, report.findings, report.left) == (INCOMPLETE, [], leavers)
    assert report.ending == f"given up: {names} left properly, and that leaves fewer than two players"


def test_nothing_follows_in_the_file() -> None:
    ring = deserted("maamut", 3, [1, 2], seed=60)
    table = ring.tables[0]
    place = table.session.place
    more = sign(ring.contract, ring.identities[0], place, 0, "flip", {}, table.session.prev)
    report = audit(table.file() + framing.record(transcript.item(more.data)))
    assert (report.verdict, [found.seat for found in report.findings]) == (BROKEN, [None])
    assert report.findings[0].reason.endswith("follows the end of the game")


def test_a_seed_is_not_taken_any_more() -> None:
    ring = deserted("maamut", 3, [1, 2], seed=61)
    assert not ring.tables[0].receive_seed(0, ring.masters[0])


@pytest.mark.parametrize("kept", [1, 2])
def test_a_file_in_which_that_round_is_not_complete(kept: int) -> None:
    """Who stays need not answer any more: the leaves alone end the game. With one of them it goes on."""
    ring = Ring("maamut", 3, seed=62, fifo=True)
    for seat in range(3):
        ring.pump(seat)
    while any(table.run is None for table in ring.tables) or ring.tables[0].ceremony.kind != "flip":
        assert ring.step()
    ring.drop = lambda origin, to, data: True  # nobody hears of anything new
    ring.letters.clear()
    for leaver in (1, 2)[:kept]:
        ring.tables[leaver].leave()
        ring.pump(leaver)
        table = ring.tables[leaver]
        (item,) = [item for item in table.session.since(len(table.session.chain)) if item.seat == leaver]
        ring.tables[0].receive(item.data)
    ring.tables[0].take()
    while ring.step():
        pass
    report = audit(ring.tables[0].file())
    assert (report.verdict, report.findings) == (INCOMPLETE, [])
    assert report.ending.startswith("given up: P1, P2 left" if kept == 2 else "unfinished at step")
