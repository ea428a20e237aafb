"""The first seconds of a table: nobody is lost who has only not been connected yet."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p import player
from p2p.node import Node
from p2p.status import Phase, Presence

from .nodes import room, until


@pytest.mark.trio
async def test_nobody_is_lost_before_the_first_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two guests, who in here reach the host alone."""
    monkeypatch.setattr(player, "FIRST_LINKS", 1000.0)
    seen: set[tuple[Presence, bool]] = set()

    def playing(node: Node) -> bool:
        seen.update((one.presence, one.unmet) for one in node.status.seats)
        return node.status.phase is Phase.PLAYING

    async with room(tmp_path) as there:
        ana = await there.host(players=3)
        nodes = [ana, *(there.join(name, there.doors["Ana"]) for name in ("Beto", "Caro"))]
        async with trio.open_nursery() as nursery:
            for node in nodes:
                nursery.start_soon(until, node, playing)
        guest = ana.status.taken.index("Caro")
        assert [one.unmet for one in nodes[1].status.seats] == [False, guest == 1, guest == 2]
    assert {presence for presence, _ in seen} == {Presence.HERE, Presence.YOU}
