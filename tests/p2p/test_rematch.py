"""A guest that waits for its host to open the table again, whatever others announce meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from p2p import rematch
from p2p.announcement import Announcement
from p2p.rematch import Again, Company
from protocol.identity import fingerprint

from .nodes import plan, room

pytestmark = pytest.mark.trio


@pytest.mark.parametrize("many", [True, False])
async def test_false_announcements_keep_nobody_from_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    """Sixteen places where nobody answers, or another one every moment, all with the host's fingerprint."""
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")
    tell, hear = trio.open_memory_channel[dict[str, Announcement]](0)

    @asynccontextmanager
    async def browse() -> AsyncIterator[trio.MemoryReceiveChannel[dict[str, Announcement]]]:
        yield hear

    monkeypatch.setattr(rematch, "browse", browse)
    async with room(tmp_path) as home:
        await home.host("Ana", 3)
        home.node("Beto")
        ana, beto = (home.profiles[name] for name in ("Ana", "Beto"))
        where = home.doors["Ana"]
        people = Company(plan(3), False, ana.identity.public, "Ana", (beto.identity.public,), [where], where[1])
        again = Again(beto, "Beto", people)

        async def lie() -> None:
            for number in range(1, 1 << 15):
                places = range(1, 17) if many else [number % 250]
                false = {
                    str(one): Announcement(
                        *("Attic", "maamut", 1, 3, False, fingerprint(ana.identity.public), bytes(16), number),
                        addresses=(f"240.0.0.{one}",),
                    )
                    for one in places
                }
                await tell.send(false)
                await trio.sleep(0.05)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(lie)
            nursery.start_soon(again.join)
            with trio.fail_after(15):
                async for _ in again.updates:
                    if again.status.players:
                        break
            assert again.status.taken == ["Ana", "Beto"]
            nursery.cancel_scope.cancel()
