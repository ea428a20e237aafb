"""Giving the game up in mere words: whom that stops, whom not, and that it counts however early it is said."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import trio

from p2p import reception
from p2p.attendance import Attendance
from p2p.lobby import Formed
from p2p.mesh import Mesh
from p2p.node import Node
from p2p.player import Player
from p2p.status import Phase, SeatStatus
from p2p.table import Table
from protocol import messages

from .nodes import PATIENCE, Room, playing, room, until
from .ring import Ring
from .test_leaving_nodes import LEFT, asked, decide, left, step, three

pytestmark = pytest.mark.trio
GIVEN_UP = "you have left the table"


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")


def running(node: Node) -> Player:
    assert node._player is not None
    return node._player


def say_leave(node: Node, *seats: int) -> None:
    """In words to these seats, signing nothing and playing on."""
    mesh = running(node).mesh
    for seat in seats:
        mesh.send(mesh.links[seat], messages.make("leave"))


# -- during a game ---------------------------------------------------------------------------------------------------


class Heard:
    """The links of a seat, as far as they matter here."""

    def __init__(self) -> None:
        self.links: dict[int, object] = {}
        self.seat = 0


def attendance(table: Table) -> Attendance:
    return Attendance(table, cast(Mesh, Heard()), [SeatStatus() for _ in range(table.seats)])


def begun(seats: int) -> Ring:
    """A table at which all have signed something of the game."""
    ring = Ring("maamut", seats, seed=5, fifo=True)
    for seat in range(seats):
        ring.pump(seat)
    while any(table.ceremony.kind != "shuffle" for table in ring.tables):
        assert ring.step()
    return ring


async def test_nobody_ends_the_game_of_three_in_mere_words() -> None:
    """They could have signed a leave; as it is the others wait for them, or abandon the table together."""
    table = begun(3).tables[0]
    seats = attendance(table)
    seats.gives_up(1)
    assert seats.given_up() is None


async def test_who_is_left_by_all_others_in_mere_words_waits_for_nobody() -> None:
    table = begun(3).tables[0]
    seats = attendance(table)
    for seat, ends in ((2, None), (1, 1)):
        seats.gives_up(seat)
        assert seats.given_up() == ends


async def test_two_can_only_give_it_up() -> None:
    table = begun(2).tables[0]
    seats = attendance(table)
    assert seats.given_up() is None
    seats.gives_up(1)
    assert seats.given_up() == 1


async def test_before_the_first_card_it_can_only_be_given_up() -> None:
    """The one who says so may not have all keys yet; we do."""
    ring = Ring("maamut", 3, seed=5, fifo=True)
    for seat in range(3):
        ring.pump(seat)
    kinds = set[str]()
    while ring.tables[0].ceremony.kind in ("commit", "keys", "flip"):
        seats = attendance(ring.tables[0])
        seats.gives_up(1)
        if all(item.seat != 1 or item.kind != "flip" for item in ring.tables[0].session.since(0)):
            kinds.add(ring.tables[0].ceremony.kind)
            assert seats.given_up() == 1
        else:
            assert seats.given_up() is None
        assert ring.step()
    assert kinds == {"commit", "keys", "flip"}


async def test_who_knows_later_that_only_two_are_left_ends_it_then() -> None:
    """For the second the first had left already, so they could not sign a leave; here that was not known yet."""
    ring = begun(3)
    seats = attendance(ring.tables[0])
    seats.gives_up(2)
    assert seats.given_up() is None
    assert ring.tables[1].leave()
    ring.pump(1)
    while 1 not in ring.tables[0].deck.left:
        assert ring.step()
    assert seats.given_up() == 2


async def test_who_has_signed_a_leave_may_say_so_too() -> None:
    ring = begun(3)
    seats = attendance(ring.tables[0])
    assert ring.tables[1].leave()
    ring.pump(1)
    while 1 not in ring.tables[0].leavers:
        assert ring.step()
    seats.gives_up(1)
    while 1 not in ring.tables[0].deck.left:
        assert seats.given_up() is None
        assert ring.step()
    assert seats.given_up() is None


async def test_one_is_not_talked_out_of_the_game(tmp_path: Path) -> None:
    """Somebody says to one of two only that they give it up, and plays on; then they really leave."""
    async with room(tmp_path) as home:
        nodes = await three(home, "amnesia")
        await until(nodes[2], lambda one: set(running(one).mesh.links) == {0, 1})
        for told in (1, 0):
            before = step(nodes[0])
            say_leave(nodes[2], told)
            for node in nodes:
                decide(node)
            for node in nodes:
                await until(node, lambda one: asked(one) and step(one) > before)  # noqa: B023 - used at once
                assert not node.status.fault
        nodes[2].leave()
        await home.ended(nodes[2].name)
        assert nodes[2].status.fault == LEFT
        for node in nodes[:2]:
            await until(node, lambda one: left(one) == [2])
            assert not node.status.fault


async def test_when_the_game_has_ended_nobody_is_told_that_it_is_given_up(tmp_path: Path) -> None:
    async with room(tmp_path) as home:
        ana, beto = await home.host(), home.join("Beto", home.doors["Ana"])
        await playing(ana, beto)
        player, said = running(ana), list[str]()
        player._end("Beto broke the protocol")
        player.mesh.broadcast = lambda message, but=None: said.append(message["t"])  # type: ignore[method-assign]  # to listen
        player.leave()
        assert "leave" not in said
        assert ana.status.fault == "Beto broke the protocol"


# -- before there is one ---------------------------------------------------------------------------------------------


def slow(node: Node, disk: threading.Event, forming: trio.Event) -> None:
    """Its disk writes down that there is a table when it is told to; `forming`: set as soon as it should."""
    open_log: Callable[[Formed], Any] = node._open_log

    def slowly(formed: Formed) -> Any:
        trio.from_thread.run_sync(forming.set)
        disk.wait(PATIENCE)
        return open_log(formed)

    node._open_log = slowly  # type: ignore[method-assign]  # of this one node


async def forming(home: Room, names: list[str], leaver: str) -> dict[str, Node]:
    """`leaver` leaves when the contract is signed and there is no player yet."""
    disk, due = threading.Event(), trio.Event()
    nodes = {"Ana": await home.host(players=len(names))}
    if leaver == "Ana":
        slow(nodes["Ana"], disk, due)
    for name in names[1:]:
        nodes[name] = home.join(name, home.doors["Ana"])
        if name == leaver:
            slow(nodes[name], disk, due)
    await due.wait()
    nodes[leaver].leave()
    disk.set()
    return nodes


@pytest.mark.parametrize("leaver", ["Ana", "Beto"])
async def test_who_leaves_while_the_table_is_being_opened_has_left(tmp_path: Path, leaver: str) -> None:
    async with room(tmp_path) as home:
        nodes = await forming(home, ["Ana", "Beto"], leaver)
        for name, node in nodes.items():
            await home.ended(name)
            assert node.status.phase is Phase.STOPPED
            assert node.status.fault == (
                GIVEN_UP if name == leaver else f"{leaver} has left, and the game is unfinished"
            )
        assert not home.failed


@pytest.mark.parametrize("leaver", ["Ana", "Beto", "Caro"])
async def test_also_those_hear_it_who_have_no_link_with_them(
    tmp_path: Path, leaver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests who reach the host alone: it tells that the table has ended."""
    monkeypatch.setattr(reception, "own", lambda port: [])
    async with room(tmp_path) as home:
        nodes = await forming(home, ["Ana", "Beto", "Caro"], leaver)
        for name, node in nodes.items():
            await home.ended(name)
            if name == leaver:
                assert node.status.fault == GIVEN_UP
            else:
                assert node.status.fault.endswith("has left, and the game is unfinished")
        assert not home.failed


async def test_who_comes_back_only_to_leave_leaves_properly(tmp_path: Path) -> None:
    """Before their log is read; the others play on."""
    async with room(tmp_path) as home:
        nodes = await three(home, "amnesia")
        await home.stop(nodes[1].name)
        back = home.resume(nodes[1].name, running(nodes[0]).table.contract.table)
        back.leave()
        await until(back, lambda one: bool(one.status.fault))
        assert back.status.fault == LEFT
        for node in (nodes[0], nodes[2]):
            await until(node, lambda one: left(one) == [1])
            assert not node.status.fault


async def test_a_log_that_is_being_read_is_read_before_the_table_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = Player.replay
    async with room(tmp_path) as home:
        nodes = await three(home, "amnesia")
        await home.stop(nodes[1].name)
        back = home.resume(nodes[1].name, running(nodes[0]).table.contract.table)

        async def replays(player: Player) -> None:
            back.leave()
            await replay(player)

        monkeypatch.setattr(Player, "replay", replays)
        await until(back, lambda one: bool(one.status.fault))
        assert back.status.fault == LEFT
        for node in (nodes[0], nodes[2]):
            await until(node, lambda one: left(one) == [1])
            assert not node.status.fault
