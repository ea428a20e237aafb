"""Leaving properly, as the one who leaves sees it: nobody has to wait for what others are still thinking about."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p.audit import INCOMPLETE, audit
from p2p.node import Node
from p2p.player import NOTHING_TO_LEAVE
from p2p.status import Phase, Presence
from p2p.table import Complete, Table

from .nodes import Room, playing, room, until

pytestmark = pytest.mark.trio
LEFT = "you have left the table, and the others go on"


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guests are told how to reach each other without the host."""
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")


async def three(home: Room, game: str) -> list[Node]:
    """Three seats in the middle of a game: whoever is asked thinks."""
    nodes = [await home.host("Ana", 3, game=game)]
    for name in ("Beto", "Caro"):
        nodes.append(home.join(name, home.doors["Ana"]))
    await playing(*nodes)
    by_seat: dict[int, Node] = {}
    for node in nodes:
        assert node.seat is not None
        by_seat[node.seat] = node
    return [by_seat[seat] for seat in range(3)]


def asked(node: Node) -> bool:
    return node.menu is not None


def left(node: Node) -> list[int]:
    """Who has left, as it is shown."""
    return [seat for seat, one in enumerate(node.status.seats) if one.presence is Presence.LEFT]


def step(node: Node) -> int:
    """How far the game is."""
    assert node.run is not None
    return node.run.requests


def decide(node: Node) -> None:
    """As silence would."""
    assert node.menu is not None
    node.choose(node.menu.lapse)


@pytest.mark.parametrize("leaver", [0, 2])
async def test_who_leaves_does_not_wait_for_those_who_think(tmp_path: Path, leaver: int) -> None:
    """All are asked at once; the leave of one is signed and told, and nobody else has answered."""
    async with room(tmp_path) as home:
        nodes = await three(home, "amnesia")
        stay = [seat for seat in range(3) if seat != leaver]
        nodes[leaver].leave()
        await home.ended(nodes[leaver].name)
        assert nodes[leaver].status.fault == LEFT
        assert nodes[leaver].status.phase is Phase.STOPPED
        report = audit(await trio.Path(nodes[leaver].status.transcript).read_bytes())
        assert (report.verdict, report.findings) == (INCOMPLETE, [])
        for seat in stay:
            await until(nodes[seat], lambda one: left(one) == [leaver])
            assert asked(nodes[seat])
        before = step(nodes[stay[0]])
        for seat in stay:
            decide(nodes[seat])
        for seat in stay:
            await until(nodes[seat], lambda one: asked(one) and step(one) > before)
            assert not nodes[seat].status.fault


async def test_the_others_answer_before_they_tell_how_far_they_are(tmp_path: Path) -> None:
    """The leave was told and that round is complete: nobody can say any more that it has reached them in it."""
    async with room(tmp_path) as home:
        nodes = await three(home, "amnesia")
        nodes[1].leave()
        for seat in (0, 2):
            await until(nodes[seat], lambda one: left(one) == [1])
        for seat in (0, 2):
            decide(nodes[seat])
        await home.ended(nodes[1].name)
        assert nodes[1].status.fault == LEFT


async def test_the_others_may_be_through_before_they_tell_how_far_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots can be that fast. Who has left has left all the same."""
    async with room(tmp_path) as home:
        nodes = await three(home, "amnesia")
        player = nodes[1]._player
        assert player is not None
        effects = [[Complete()]]
        monkeypatch.setattr(player.table, "take", lambda: effects.pop() if effects else [])
        monkeypatch.setattr(Table, "leavers", {1})
        player._pump()
        assert player.over.is_set()
        assert nodes[1].status.fault == LEFT


async def test_all_but_one_leave_at_once(tmp_path: Path) -> None:
    """None of them knows of the other; the one who stays is not left waiting for them, and all files say the same."""
    async with room(tmp_path) as home:
        nodes = await three(home, "amnesia")
        for leaver in (1, 2):
            nodes[leaver].leave()
        for node in nodes:
            await home.ended(node.name)
            assert node.status.phase is Phase.STOPPED
        names = f"{nodes[1].name}, {nodes[2].name}"
        given_up = f"given up: {names} left properly, and that leaves fewer than two players"
        assert nodes[0].status.fault == given_up
        assert {node.status.fault for node in nodes} <= {given_up, LEFT}
        for node in nodes:
            report = audit(await trio.Path(node.status.transcript).read_bytes())
            assert (report.verdict, report.findings) == (INCOMPLETE, [])
            if node.status.fault == given_up:
                assert report.ending == given_up


async def test_the_second_who_leaves_while_another_is_asked(tmp_path: Path) -> None:
    """Two wish it while it is somebody else's turn. When the first has left, the second cannot leave properly any more:
    that gives the game up, and nobody is kept waiting."""
    async with room(tmp_path) as home:
        nodes = await three(home, "maamut")
        first = next(node for node in nodes if asked(node))
        rest = [node for node in nodes if node is not first]
        for node in rest:
            node.leave()
        decide(first)
        faults = set()
        for node in rest:
            await home.ended(node.name)
            faults.add(node.status.fault)
        assert faults == {LEFT, "you have left the table"}
        last = next(node for node in rest if node.status.fault != LEFT)
        await home.ended(first.name)
        assert first.status.fault == f"{last.name} has left, and the game is unfinished"


async def test_the_record_tells_who_of_the_last_two_has_given_the_game_up(tmp_path: Path) -> None:
    async with room(tmp_path) as home:
        ana = await home.host()
        beto = home.join("Beto", home.doors["Ana"])
        await playing(ana, beto)
        await until(ana, asked if ana.status.waiting_for == [ana.seat] else lambda one: bool(one.status.waiting_for))
        beto.leave()
        for node in (ana, beto):
            await home.ended(node.name)
        assert ana.status.fault == "Beto has left, and the game is unfinished"
        assert beto.status.fault == "you have left the table"
        for node in (ana, beto):
            report = audit(await trio.Path(node.status.transcript).read_bytes())
            assert (report.verdict, report.findings) == (INCOMPLETE, [])
            assert report.ending == "ended unfinished by Beto, without Ana"


async def test_who_decides_and_goes_at_once_has_said_both(tmp_path: Path) -> None:
    async with room(tmp_path) as home:
        ana = await home.host()
        beto = home.join("Beto", home.doors["Ana"])
        await playing(ana, beto)
        await until(ana, lambda one: bool(one.status.waiting_for) and one.run is not None)
        first = ana if ana.status.waiting_for == [ana.seat] else beto
        await until(first, asked)
        decide(first)
        first.leave()
        for node in (ana, beto):
            await home.ended(node.name)
        files = {await trio.Path(node.status.transcript).read_bytes() for node in (ana, beto)}
        assert len(files) == 1
        assert audit(files.pop()).ending.startswith(f"ended unfinished by {first.name}")


async def test_when_only_the_record_is_being_closed_there_is_nothing_to_leave(tmp_path: Path) -> None:
    """That is said, and spoils nothing."""
    async with room(tmp_path) as home:
        ana, beto = await home.host(), home.join("Beto", home.doors["Ana"])

        async def play(node: Node) -> None:
            left = False
            async for _ in node.updates:
                if node.status.result is not None and not left:
                    left = True
                    node.leave()
                elif node.menu is not None:
                    decide(node)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, ana)
            nursery.start_soon(play, beto)
        for node in (ana, beto):
            assert node.status.notes == [NOTHING_TO_LEAVE]
            assert node.status.verified
