"""A node and its profile: what cannot be written is waited for, and what cannot be used is said."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p import node as module
from p2p.errors import DiskFull, ProfileDamaged
from p2p.lobby import Formed, begin
from p2p.status import Phase
from p2p.store import Profile
from protocol import codec
from protocol.contract import SeatEntry, draft
from protocol.identity import Identity

from .nodes import plan, playing, room, until


@pytest.mark.trio
async def test_a_disk_that_is_full_in_the_end_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal, full = Profile.seal, [True]

    def sealed(self: Profile, table: bytes, transcript: bytes) -> Path:
        if full[0] and self.path.name == "Ana":
            raise DiskFull(path=self.path, why="no room", advice="Make room.")
        return seal(self, table, transcript)

    monkeypatch.setattr(Profile, "seal", sealed)
    monkeypatch.setattr(module, "RETRY_WRITE", 0.01)
    async with room(tmp_path) as here:
        ana, beto = await here.host(), here.join("Beto", here.doors["Ana"])
        await playing(ana, beto)
        beto.leave()
        await until(ana, lambda one: "no room" in one.status.trouble)
        full[0] = False
        await until(ana, lambda one: one.status.phase is Phase.STOPPED and bool(one.status.transcript))
        assert ana.status.trouble == ""
        await here.ended("Ana")
        assert await trio.Path(ana.status.transcript).exists()
        assert not here.failed


@pytest.mark.trio
async def test_a_table_of_a_game_that_there_is_not_any_more_is_not_resumed(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        ana = here.node("Ana")
        people = [ana.profile.identity, Identity(bytes(32))]
        seats = [SeatEntry(f"P{seat}", one.public, bytes(32)) for seat, one in enumerate(people)]
        contract = draft("whist", {}, seats, "Attic")
        kept = begin(Formed(contract, [contract.sign(one) for one in people], [[], []], 0))
        _, journal = ana.profile.begin(contract.table)
        journal.close()
        ana.profile.keep_peers(contract.table, codec.encode(kept))
        with pytest.raises(ProfileDamaged, match="there is no game 'whist'"):
            await ana.resume(contract.table)


@pytest.mark.trio
async def test_who_is_stopped_in_the_very_first_moment_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def some_time() -> None:
        await trio.sleep(1)
        raise AssertionError("a shelter that nobody closes")

    monkeypatch.setattr(trio, "sleep_forever", some_time)
    async with room(tmp_path) as here:
        node = here.node("Ana")
        with trio.CancelScope() as scope:
            scope.cancel()
            await node.host(plan())
        assert scope.cancelled_caught
