"""What an honest seat has signed, but not yet sent, when it learns of a fork: it stays unsent.

Theory: a contribution is written to disk before it is sent, and that takes a moment in which evidence may arrive. Then
the table is over, and nothing goes out any more but the evidence.
"""

from __future__ import annotations

from typing import Any, cast

import pytest
import trio
import trio.testing

from p2p.journal import Log
from p2p.lobby import Formed
from p2p.player import Player
from p2p.status import Status
from protocol import codec, transcript
from protocol.ceremony import Body
from protocol.contribution import Contribution, sign
from protocol.effects import Job

from ..p2p.ring import Ring

pytestmark = pytest.mark.trio


class SlowDisk:
    """A log that is written when the test says so."""

    def __init__(self) -> None:
        self.written = trio.Event()
        self.asked = trio.Event()

    async def write(self, *records: bytes) -> None:
        self.asked.set()
        await self.written.wait()


def committing(ring: Ring, seat: int, body: Body) -> Contribution:
    prev = ring.tables[seat].session.prev
    return sign(ring.contract, ring.identities[seat], (0, 0), seat, "commit", body, prev)


async def sent_after(evidence: int) -> list[dict[str, Any]]:
    """What seat 0 sends, if so many contributions of seat 1 to the first step arrive while its own is being written."""
    ring = Ring(seats=2, seed=6)
    sent: list[dict[str, Any]] = []
    disk = SlowDisk()
    formed = Formed(ring.contract, ring.signatures, [[], []], 0)
    async with trio.open_nursery() as nursery:
        player = Player(formed, ring.identities[0], ring.masters[0], cast(Log, disk), nursery, Status(), lambda _: None)
        player.mesh.broadcast = lambda message, but=None: sent.append(message)  # type: ignore[method-assign]  # to listen
        for effect in player.table.take():
            assert isinstance(effect, Job)
            player.table.done(effect.id, effect.run())
        player._pump()
        nursery.start_soon(player.outbox.run, player._sent)
        await disk.asked.wait()
        for at in range(evidence):
            player.table.receive(committing(ring, 1, {"seed": bytes([at]) * 32}).data)
            player._pump()
        disk.written.set()
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return sent


async def test_a_contribution_that_waits_for_the_disk_is_not_sent_any_more() -> None:
    sent = await sent_after(2)
    seats = [codec.decode(message["data"])["seat"] for message in sent if message["t"] == "item"]
    assert seats == [1, 1], "both halves of the fork, and nothing else"


async def test_what_others_told_us_of_ours_is_written_too_and_nothing_twice() -> None:
    """After an old backup of the log, for the next time."""
    ring = Ring(seats=2, seed=6)
    written: list[bytes] = []

    class Disk:
        async def write(self, *records: bytes) -> None:
            written.extend(records)

    old, lost, new, other = (committing(ring, seat, {"seed": bytes([at]) * 32}) for at, seat in enumerate((0, 0, 0, 1)))
    formed = Formed(ring.contract, ring.signatures, [[], []], 0)
    async with trio.open_nursery() as nursery:
        arguments = formed, ring.identities[0], ring.masters[0], cast(Log, Disk()), nursery, Status(), lambda _: None
        outbox = Player(*arguments, before=[old.data]).outbox
        nursery.start_soon(outbox.run, lambda: None)
        outbox.keep([old, lost, other])
        outbox.publish(new)
        await trio.testing.wait_all_tasks_blocked()
        outbox.keep([new, other])
        outbox.send({})
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert written == [transcript.item(one.data) for one in (lost, other, new)]


async def test_otherwise_it_is_sent_when_it_is_written() -> None:
    sent = await sent_after(1)
    assert [codec.decode(message["data"])["seat"] for message in sent if message["t"] == "item"] == [0]
