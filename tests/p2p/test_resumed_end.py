"""Who was killed between the last closing and its seed tells that after coming back, or nobody could ever finish."""

from __future__ import annotations

from itertools import chain
from typing import Any, cast

import pytest
import trio
import trio.testing

from p2p.journal import Log
from p2p.lobby import Formed
from p2p.player import Player
from p2p.status import Status

from .recorded import played

pytestmark = pytest.mark.trio


class Disk:
    async def write(self, *records: bytes) -> None:
        """Nothing is kept."""


async def test_the_seed_is_told_when_the_log_has_all_closings() -> None:
    ring, sent = played(), list[dict[str, Any]]()
    before = [item.data for item in chain.from_iterable(ring.tables[0].session.chain)]
    formed = Formed(ring.contract, ring.signatures, [[], []], 0)
    async with trio.open_nursery() as nursery:
        arguments = formed, ring.identities[0], ring.masters[0], cast(Log, Disk()), nursery, Status(), lambda _: None
        player = Player(*arguments, before=before)
        player.mesh.broadcast = lambda message, but=None: sent.append(message)  # type: ignore[method-assign]  # to listen
        await player.replay()
        nursery.start_soon(player.outbox.run, player._sent)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert [message["seed"] for message in sent if message["t"] == "seed"] == [ring.masters[0]]
    assert player.table.seeds == {0: ring.masters[0]}
