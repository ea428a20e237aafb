"""Bots that come along with a host: when they are wished for, and how they go when their player's program ends."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import trio

from client import lives
from client.lives import Hosting, resuming
from p2p import history
from p2p.lobby import Plan
from p2p.node import Node
from p2p.rematch import company
from p2p.status import Phase, Presence
from p2p.store import Profile
from protocol import limits
from tests.p2p.nodes import plan, playing, until


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def people(tmp_path: Path) -> Iterator[list[Profile]]:
    opened = [Profile.open(tmp_path / name) for name in ("Ana", "Beto", "Caro")]
    yield opened
    for profile in opened:
        profile.close()


def run(main: Callable[[], Awaitable[None]], seconds: float = 15) -> None:
    """A test that hangs fails."""

    async def within() -> None:
        with trio.fail_after(seconds):
            await main()

    trio.run(within)


class Program:
    """A host's: the life of a node, as it is with the bots that belong to it."""

    def __init__(self, profile: Profile) -> None:
        self.node = Node(profile, "Ana")
        self.opened = trio.Event()
        self.scope = trio.CancelScope()
        self.ended = trio.Event()

    def hosting(self, plan: Plan, port: int, bots: int, *, private: bool = False) -> Hosting:
        """The table, which says when it is open."""
        return Hosting(plan, bots, private, port, seed=1, tell=lambda _: self.opened.set())

    async def live(self, life: lives.Life) -> None:
        """Until it is stopped by its scope, or the table is over."""
        with self.scope:
            await life(self.node)
        self.ended.set()

    async def leave(self) -> None:
        """The player leaves, and the bots play on."""
        self.node.leave()
        await self.node.ended.wait()
        assert self.node.outlived

    async def stop(self) -> None:
        """The program ends."""
        self.scope.cancel()
        await self.ended.wait()


def decide(node: Node) -> None:
    """As silence would."""
    assert node.menu is not None
    node.choose(node.menu.lapse)


async def sit(nursery: trio.Nursery, profile: Profile, port: int) -> Node:
    """A person who has a seat."""
    node = Node(profile, profile.path.name)
    nursery.start_soon(partial(node.join, [("127.0.0.1", port)]))
    await until(node, lambda one: len(one.status.taken) > 1)
    return node


def test_bots_whose_player_ends_the_program_give_a_game_of_two_up(
    people: list[Profile], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the other one thinks: they need not answer first."""
    monkeypatch.setattr(lives, "PATIENCE", 0.1)
    ana, beto, _ = people

    async def main() -> None:
        program = Program(ana)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.live, program.hosting(plan(3, game="amnesia"), port, 1))
            await program.opened.wait()
            guest = await sit(nursery, beto, port)
            await playing(program.node, guest)
            await program.leave()
            await program.stop()
            await until(guest, lambda one: one.status.phase is Phase.STOPPED)
            assert guest.status.fault == "Bot 1 of Ana has left, and the game is unfinished"
            nursery.cancel_scope.cancel()

    run(main)


def test_bots_whose_player_ends_the_program_leave_a_game_that_goes_on(people: list[Profile], port: int) -> None:
    """At the next occasion, while others play."""
    ana, *others = people

    async def main() -> None:
        program = Program(ana)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.live, program.hosting(plan(4, game="amnesia"), port, 1))
            await program.opened.wait()
            guests = [await sit(nursery, profile, port) for profile in others]
            await playing(program.node, *guests)
            await program.leave()
            nursery.start_soon(program.stop)
            for guest in guests:
                decide(guest)
            for guest in guests:
                await until(guest, lambda one: [s.presence for s in one.status.seats].count(Presence.LEFT) == 2)
                assert not guest.status.fault
            await program.ended.wait()
            nursery.cancel_scope.cancel()

    run(main)


def test_bots_of_a_program_that_is_only_stopped_come_back_with_it(people: list[Profile], port: int) -> None:
    """Nobody has left. They are known as the player's bots then, too."""
    ana, beto, _ = people

    async def main() -> None:
        program, again = Program(ana), Program(ana)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.live, program.hosting(plan(3, game="amnesia"), port, 1))
            await program.opened.wait()
            guest = await sit(nursery, beto, port)
            await playing(program.node, guest)
            await program.stop()
            (begun,) = history.unfinished(ana.path / "bots" / "1")
            await until(guest, lambda one: [s.closed for s in one.status.seats].count(True) == 2)
            nursery.start_soon(again.live, resuming(bytes.fromhex(begun.table)))
            await until(guest, lambda one: all(s.presence is not Presence.LOST for s in one.status.seats))
            assert not guest.status.fault
            await playing(again.node)
            people_there = company(again.node)
            assert people_there is not None
            assert people_there.bots == 1
            nursery.cancel_scope.cancel()

    run(main)


# -- while players are missing ---------------------------------------------------------------------------------------


def test_a_host_fills_free_seats_with_bots(people: list[Profile], port: int) -> None:
    """Never more than there are seats, however often they are wished for."""
    ana, beto, _ = people

    async def main() -> None:
        program = Program(ana)
        host = program.node
        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.live, program.hosting(plan(5, game="amnesia"), port, 0))
            await program.opened.wait()
            guest = await sit(nursery, beto, port)
            guest.seat_bots(1)  # has none
            host.seat_bots(1)
            await until(host, lambda one: len(one.status.taken) == 3)
            host.seat_bots(9)
            host.seat_bots(9)
            await playing(host, guest)
            assert host.names[:3] == ["Ana", "Beto", "Bot 1 of Ana"]
            assert set(host.names[3:]) == {"Bot 2 of Ana", "Bot 3 of Ana"}
            host.seat_bots(1)
            again = company(host)
            assert again is not None
            assert again.bots == 3
            nursery.cancel_scope.cancel()

    run(main)


def test_bots_need_no_code_and_come_in_when_the_door_is_shut(
    people: list[Profile], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WRONG_CODES", 0)
    ana, *_ = people

    async def main() -> None:
        program = Program(ana)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.live, program.hosting(plan(3, game="amnesia"), port, 0, private=True))
            await program.opened.wait()
            assert program.node.door is not None
            assert program.node.door.shut
            program.node.seat_bots(2)
            await playing(program.node)
            nursery.cancel_scope.cancel()

    run(main)


def test_somebody_else_may_be_faster_than_a_bot(
    people: list[Profile], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it simply does not come."""
    ana, beto, _ = people

    join: Callable[..., Awaitable[None]] = Node.join

    async def main() -> None:
        program, called, all_called, come = Program(ana), list[Node](), trio.Event(), trio.Event()

        async def late(node: Node, *rest: object, **wishes: object) -> None:
            called.append(node)
            if len(called) == 2:
                all_called.set()
            await come.wait()
            await join(node, *rest, **wishes)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.live, program.hosting(plan(3, game="amnesia"), port, 0))
            await program.opened.wait()
            with monkeypatch.context() as slow:
                slow.setattr(Node, "join", late)
                program.node.seat_bots(2)
                await all_called.wait()
            await sit(nursery, beto, port)
            come.set()
            await playing(program.node)
            assert program.node.names[:2] == ["Ana", "Beto"]
            assert not program.ended.is_set()
            nursery.cancel_scope.cancel()

    run(main)
