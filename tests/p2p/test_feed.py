"""What waits for a reader who is slow, or never comes: bounded, in order, and nothing of the game is lost."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from engines.requests import Tell
from p2p.feed import Asked, Changed, Chat, Fault, Finished, Mailbox, Told, Update
from protocol import limits

pytestmark = pytest.mark.trio


def waiting(mailbox: Mailbox) -> list[Update]:
    """All that waits, taken out."""
    found: list[Update] = []
    while mailbox.updates.statistics().current_buffer_used:
        found.append(mailbox.updates.receive_nowait())
    return found


async def test_changes_that_nobody_has_looked_at_are_told_once() -> None:
    mailbox = Mailbox()
    for _ in range(1000):
        mailbox.tell(Changed())
    assert waiting(mailbox) == [Changed()]
    mailbox.tell(Changed())
    assert waiting(mailbox) == [Changed()], "what changes after the look is told again"


async def test_a_change_is_never_told_before_what_came_earlier() -> None:
    mailbox = Mailbox()
    told: list[Update] = [Changed(), Told(Tell("round", {})), Changed(), Asked(), Changed()]
    for update in told:
        mailbox.tell(update)
        mailbox.tell(Changed())
    assert waiting(mailbox) == told


async def test_talk_has_a_cap_and_the_game_has_none() -> None:
    mailbox = Mailbox()
    for number in range(10_000):
        mailbox.tell(Chat(1, f"line {number}"))
        mailbox.tell(Changed())
    held = waiting(mailbox)
    assert limits.CHAT_WAITING // 2 <= len(held) <= 2 * limits.CHAT_WAITING
    assert held[0] == Chat(1, "line 0")
    events: list[Update] = [Told(Tell("n", {"n": number})) for number in range(2 * limits.CHAT_WAITING)]
    for update in [*events, Asked(), Fault("why"), Finished()]:
        mailbox.tell(update)
    assert waiting(mailbox) == [*events, Asked(), Fault("why"), Finished()]
    mailbox.tell(Chat(1, "heard again"))
    assert waiting(mailbox) == [Chat(1, "heard again")]


async def test_a_reader_who_waits_gets_each() -> None:
    mailbox = Mailbox()
    seen: list[Update] = []

    async def read() -> None:
        async for update in mailbox.updates:
            seen.append(update)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        for _ in range(3):
            await trio.testing.wait_all_tasks_blocked()
            mailbox.tell(Changed())
        mailbox.close()
    assert seen == [Changed()] * 3
