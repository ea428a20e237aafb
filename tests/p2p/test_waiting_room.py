"""Talk before the game begins: it reaches those who wait together, and too much of it nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2p.feed import Chat
from p2p.node import Node
from p2p.talk import Ear
from protocol import limits

from .nodes import room, until

pytestmark = pytest.mark.trio


async def said(node: Node) -> Chat:
    """The next line that somebody says."""
    while True:
        update = await node.updates.receive()
        if isinstance(update, Chat):
            return update


async def test_those_who_wait_can_talk(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        ana = await here.host(players=3)
        ana.chat("is anybody there?")
        assert await said(ana) == Chat(0, "is anybody there?")
        beto = here.join("Beto", here.doors["Ana"])
        await until(ana, lambda one: len(one.status.taken) == 2)
        await until(beto, lambda one: len(one.status.taken) == 2)
        for speaker, seat, text in ((beto, 1, "hello"), (ana, 0, "x" * 2000), (beto, 1, "2 words")):
            speaker.chat(text)
            for node in (ana, beto):
                assert await said(node) == Chat(seat, text[: limits.CHAT_BYTES])
        assert not here.failed


async def test_more_than_anybody_reads_is_passed_over(autojump_clock: MockClock) -> None:
    ear = Ear()
    for _ in range(2):
        await trio.sleep(1)
        assert [ear.hears("Beto") for _ in range(100)].count(True) == limits.CHAT_LINES
        assert [ear.hears("all", limits.MAX_SEATS) for _ in range(100)].count(
            True
        ) == limits.CHAT_LINES * limits.MAX_SEATS
        assert ear.hears("Caro"), "nobody can talk another one down"


async def test_the_host_speaks_for_all_and_a_guest_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, refused = list[int](), trio.Event()

    def hears(self: Ear, speaker: object, speakers: int = 1) -> bool:
        asked.append(speakers)
        if speakers == 1:
            refused.set()
        return speakers > 1

    monkeypatch.setattr(Ear, "hears", hears)
    async with room(tmp_path) as here:
        ana = await here.host(players=3)
        beto = here.join("Beto", here.doors["Ana"])
        await until(ana, lambda one: len(one.status.taken) == 2)
        await until(beto, lambda one: len(one.status.taken) == 2)
        beto.chat("too much")
        await refused.wait()
        ana.chat("heard")
        assert await said(ana) == await said(beto) == Chat(0, "heard")
        assert asked == [1, limits.MAX_SEATS]
