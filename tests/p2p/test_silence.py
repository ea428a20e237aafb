"""A peer falls silent, with no connection ever closed: from its last byte on the clock runs, and jumps."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
import trio
import trio.testing
from trio.testing import MockClock, memory_stream_pair

from p2p.feed import Changed
from p2p.journal import Log
from p2p.link import Frames, Link
from p2p.lobby import Formed
from p2p.node import Node
from p2p.player import Player
from p2p.status import Presence
from p2p.store import Profile
from protocol.framing import frame

from .ring import Ring

pytestmark = pytest.mark.trio
NOTICED = 5.0
"""Seconds from the last packet of a peer until everybody sees that it is lost."""


class Discarding:
    """A log that nobody reads again."""

    async def write(self, *records: bytes) -> None:
        await trio.lowlevel.checkpoint()


async def test_a_silent_peer_is_shown_as_lost_within_five_seconds(tmp_path: Path, autojump_clock: MockClock) -> None:
    ring = Ring(seats=2, seed=6)
    profile = Profile.open(tmp_path)
    node = Node(profile, "Ana")
    formed = Formed(ring.contract, ring.signatures, [[], []], 0)
    ours, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        node._player = player = Player(
            formed,
            ring.identities[0],
            ring.masters[0],
            cast(Log, Discarding()),
            nursery,
            node.status,
            node._mailbox.tell,
        )
        node.reception.formed.set()
        node._ready.set()
        link = Link(Frames(ours), ring.identities[1].public)
        nursery.start_soon(link.run)
        nursery.start_soon(node._converse, link)
        nursery.start_soon(player._tick)
        for _ in range(20):  # it has nothing to say, but is there
            await trio.sleep(1)
            await theirs.send_all(frame(b""))
            assert node.status.seats[1].presence is Presence.HERE
        last = trio.current_time()
        await trio.testing.wait_all_tasks_blocked()
        while node.updates.statistics().current_buffer_used:
            node.updates.receive_nowait()
        while node.status.seats[1].presence is Presence.HERE:
            assert await node.updates.receive() == Changed()
        assert trio.current_time() - last <= NOTICED
        for seconds in (10, 60):
            await trio.sleep_until(last + seconds + 0.5)
            player._refresh()
            assert node.status.seats[1].silent == seconds, "counted from the last packet"
        nursery.cancel_scope.cancel()
    profile.close()
