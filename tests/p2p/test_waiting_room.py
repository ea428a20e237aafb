"""Before the game begins: talk reaches those who wait together, and too much of it nobody; and who does not answer the
host does not keep the others waiting."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p import reception
from p2p.feed import Chat
from p2p.link import Link, LinkClosed
from p2p.lobby import Host, Visitor
from p2p.node import Node
from p2p.reception import Reception
from p2p.status import Status
from p2p.store import Profile
from p2p.talk import Ear
from protocol import limits, messages
from protocol.identity import Identity

from .nodes import plan, playing, room, until

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


# -- who does not answer ---------------------------------------------------------------------------------------------


async def answer(link: Link, me: Identity, silent_at: str) -> str:
    """Sit down as Eve and answer the host, but nothing from that question on: only talk. How it ends."""
    visitor = Visitor(me, "Eve", [], lambda table: False)
    visitor.greet(link)
    talks = False
    try:
        while True:
            message = None
            with trio.move_on_after(0.05 if talks else math.inf):
                message = await link.receive()
            kind, content = messages.parse(message) if message is not None else ("", {})
            talks = talks or kind == silent_at
            if talks:
                link.send(messages.make("chat", text="wait"))
            elif kind:
                visitor.receive(link, kind, content)
    except LinkClosed as closed:
        return closed.reason


@pytest.mark.parametrize("silent_at", ["draw", "contract"])
async def test_who_does_not_answer_the_host_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, silent_at: str
) -> None:
    """Both sides are told, and another one gets the seat."""
    async with room(tmp_path) as here:
        with monkeypatch.context() as hurried:
            hurried.setattr(reception, "ANSWER", 0.3)
            ana, me = await here.host(), Identity.generate()
            link = await here.call(here.doors["Ana"], me)
            assert await answer(link, me, silent_at) == "left: your program has not answered for 0.3 s"
            await until(ana, lambda one: one.status.taken == ["Ana"])
        assert ana.status.notes == ["Eve's program has not answered for 0.3 s: the seat is free again"]
        beto = here.join("Beto", here.doors["Ana"])
        await playing(ana, beto)
        assert not here.failed


class Quiet(Link):
    """A link of which only the host's side matters."""

    def __init__(self, me: Identity) -> None:
        self.peer = me.public
        self.said: list[str] = []
        self.bye = ""

    def send(self, message: dict[str, Any]) -> None:
        self.said.append(message["t"])

    async def aclose(self, words: str = "") -> None:
        await trio.lowlevel.checkpoint()
        self.bye = words


class Table:
    """A host's reception, and two guests who do what the test says."""

    def __init__(self, profile: Profile) -> None:
        self.status = Status()
        self.reception = Reception(profile, "Ana", self.status, lambda update: None)
        self.reception.open(plan(3), 0, private=False, welcome=())
        self.people = [Identity(bytes([number]) * 32) for number in (1, 2)]
        self.links = [Quiet(one) for one in self.people]

    def say(self, guest: int, kind: str, **content: Any) -> None:
        self.reception.receive(self.links[guest], messages.make(kind, **content))

    def join(self, guest: int) -> None:
        self.say(guest, "join", name=f"P{guest}", addresses=[])

    def draw(self, guest: int, attempt: int = 1) -> None:
        self.say(guest, "fresh", attempt=attempt, fresh=bytes([guest]) * 32)

    def sign(self, guest: int) -> None:
        lobby = self.reception._lobby
        assert isinstance(lobby, Host)
        assert lobby._contract is not None
        self.say(guest, "sign", signature=lobby._contract.sign(self.people[guest]))


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    profile = Profile.open(tmp_path)
    async with trio.open_nursery() as nursery:
        made = Table(profile)
        nursery.start_soon(made.reception.hurry)
        yield made
        nursery.cancel_scope.cancel()
    profile.close()


async def test_who_is_slow_but_there_keeps_the_seat(table: Table, autojump_clock: MockClock) -> None:
    """Each question has its own time, and while a seat is free nothing is asked."""
    table.join(0)
    await trio.sleep(1000)
    table.join(1)
    table.draw(0)
    await trio.sleep(reception.ANSWER - 1)
    table.draw(1)
    await trio.sleep(reception.ANSWER - 1)
    table.sign(0)
    table.sign(1)
    assert table.reception.formed.is_set()
    assert [link.bye for link in table.links] == ["", ""]
    assert [link.said[-3:] for link in table.links] == [["draw", "contract", "begin"]] * 2


async def test_only_who_is_silent_is_let_go(table: Table, autojump_clock: MockClock) -> None:
    table.join(0)
    table.join(1)
    table.draw(1)
    await trio.sleep(reception.ANSWER - 1)
    assert table.status.taken == ["Ana", "P0", "P1"]
    await trio.sleep(2)
    assert table.status.taken == ["Ana", "P1"]
    assert [link.bye for link in table.links] == ["your program has not answered for 20 s", ""]
    table.links[0] = Quiet(table.people[0])
    table.join(0)
    await trio.sleep(reception.ANSWER - 1)  # counted anew
    for guest in (0, 1):
        table.draw(guest, attempt=2)
    for guest in (0, 1):
        table.sign(guest)
    assert table.reception.formed.is_set()


async def test_who_answers_in_the_last_moment_is_not_let_go_for_the_next_question(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Who comes first then, the answer or the end of the time, is chance."""
    profile, answered = Profile.open(tmp_path), 0
    for _ in range(20):
        table = Table(profile)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.reception.hurry)
            for guest in (0, 1):
                table.join(guest)
            table.draw(0)
            await trio.testing.wait_all_tasks_blocked()
            await trio.sleep(reception.ANSWER)
            if not table.links[1].bye and table.status.taken == ["Ana", "P0", "P1"]:
                table.draw(1)
                answered += 1
                await trio.sleep(1)
                assert [link.bye for link in table.links] == ["", ""]
            nursery.cancel_scope.cancel()
    assert answered
    profile.close()
