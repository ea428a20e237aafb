"""Talk before the game begins: it reaches those who wait together, and too much of it nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p.feed import Chat
from p2p.node import Node
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


async def test_more_than_anybody_reads_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with room(tmp_path) as here:
        ana = await here.host(players=3)
        beto = here.join("Beto", here.doors["Ana"])
        await until(ana, lambda one: len(one.status.taken) == 2)
        await until(beto, lambda one: len(one.status.taken) == 2)
        guest, host = ana.reception.links()[0], beto.reception.links()[0]
        for seconds in (7.0, 8.0):
            with monkeypatch.context() as clock:
                clock.setattr(trio, "current_time", lambda at=seconds: at)
                heard = [not ana.reception._too_much(guest) for _ in range(100)]
                told = [not beto.reception._too_much(host) for _ in range(100)]
            assert sum(heard) == limits.CHAT_LINES
            assert sum(told) == limits.CHAT_LINES * limits.MAX_SEATS
