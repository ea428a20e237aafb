"""The same people at one more table: whoever wants to comes, by whatever way, and who does not is not waited for."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from client import together
from client.lives import Hosting, Life, Seated, joining
from client.play import play_auto
from client.screens import lobby_wait
from client.style import UNICODE, Appearance
from client.together import Aside, Play, at_table, reopening
from client.view import TableView
from p2p import rematch
from p2p.door import Code
from p2p.errors import ProfileLocked
from p2p.feed import Changed, TableFeed
from p2p.lobby import Plan
from p2p.node import Node
from p2p.rematch import Again, Company, company
from p2p.status import Phase
from p2p.store import Profile

PLAN = Plan("maamut", 2, {"rounds": 1}, "Attic")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")
    monkeypatch.setattr(rematch, "RETRY", 0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def within(main: Callable[[], Awaitable[None]], seconds: float = 60) -> None:
    """A test that hangs fails."""
    with trio.fail_after(seconds):
        await main()


def player(times: int, feeds: list[TableFeed]) -> Play:
    """A bot that wants to play so many more times."""

    async def play(feed: TableFeed) -> bool:
        feeds.append(feed)
        await play_auto(feed, Seated(feed, 1))
        return len(feeds) <= times

    return play


class Person:
    """Somebody with a profile. `node`: that of the last table."""

    def __init__(self, folder: Path, name: str, times: int) -> None:
        self.profile = Profile.open(folder / name)
        self.name = name
        self.feeds: list[TableFeed] = []
        self.play = player(times, self.feeds)
        self.node: Node | None = None

    async def live(self, life: Life) -> None:
        """All tables that this person sits at."""
        try:
            self.node = await at_table(self.profile, self.name, self.play, life)
        finally:
            self.profile.close()


@pytest.mark.parametrize("private", [False, True])
def test_two_who_play_again(tmp_path: Path, private: bool) -> None:
    ana, beto, port = Person(tmp_path, "Ana", 1), Person(tmp_path, "Beto", 1), free_port()
    codes: list[str] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            opened = trio.Event()

            def tell(line: str) -> None:
                codes.append(line)
                opened.set()

            nursery.start_soon(ana.live, Hosting(PLAN, private=private, port=port, tell=tell))
            await opened.wait()
            code = Code(codes[0].rsplit(" ", 1)[1].replace("-", "")) if private else None
            await beto.live(joining(f"127.0.0.1:{port}", code))

    trio.run(within, main)
    for person in (ana, beto):
        assert len(person.feeds) == 2
        assert person.node is not None
        assert person.node.status.phase is Phase.FINISHED
        assert person.node.status.verified
    assert ana.node is not None
    assert beto.node is not None
    assert ana.node.status.hash == beto.node.status.hash
    assert ana.node.status.code, "the seats are kept for them"
    assert isinstance(beto.feeds[1], Again)
    people = company(beto.node)
    assert people is not None
    assert (people.me, people.host_name) == ("Beto", "Ana")
    assert len(list((tmp_path / "Ana" / "tables").glob("*.p2plog"))) == 2


def test_the_port_is_taken_when_the_table_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, beto, port = Person(tmp_path, "Ana", 1), Person(tmp_path, "Beto", 1), free_port()

    async def main() -> None:
        with socket.socket() as somebody:

            def taken(life: Life, people: Company) -> Hosting:
                somebody.bind(("127.0.0.1", port))
                somebody.listen()
                return reopening(life, people)

            monkeypatch.setattr(together, "reopening", taken)
            opened = trio.Event()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ana.live, Hosting(PLAN, port=port, tell=lambda _: opened.set()))
                await opened.wait()
                await beto.live(joining(f"127.0.0.1:{port}"))

    trio.run(within, main)
    for person in (ana, beto):
        assert person.node is not None
        assert person.node.status.verified
        assert len(person.feeds) == 2


def test_a_guest_who_waits_in_vain_can_leave(tmp_path: Path) -> None:
    """The host does not want to play again: the guest sees whom it waits for, and goes."""
    ana, port = Person(tmp_path, "Ana", 0), free_port()
    profile = Profile.open(tmp_path / "Beto")
    shown: list[str] = []

    async def play(feed: TableFeed) -> bool:
        if isinstance(feed, Again):
            shown.extend([feed.status.waiting_why, *feed.names])
            assert (feed.run, feed.seat, feed.menu, feed.decided) == (None, None, None, {})
            while "nobody answers" not in feed.status.waiting_why:
                assert isinstance(await feed.updates.receive(), Changed)
            shown.append(lobby_wait.text(TableView(feed, Appearance(UNICODE, False))))
            feed.chat("hello?")
            feed.leave()
            return False
        await play_auto(feed, Seated(feed, 1))
        return True

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            opened = trio.Event()
            nursery.start_soon(ana.live, Hosting(PLAN, port=port, tell=lambda _: opened.set()))
            await opened.wait()
            node = await at_table(profile, "Beto", play, joining(f"127.0.0.1:{port}"))
            assert node.status.verified  # what counts is the table that was played

    try:
        trio.run(within, main)
    finally:
        profile.close()
    assert shown[0] == "Waiting for Ana to open the table again"
    assert "Waiting for Ana to open the table again; nobody answers there now …" in shown[1]
    assert "host a table yourself" in shown[1]


class Left(Node):
    """A seat whose player has left the table. `outlived`: and others play on."""

    def __init__(self, profile: Profile, phase: Phase, *, outlived: bool) -> None:
        super().__init__(profile, "Ana")
        self.status.phase, self.status.table, self._outlived = phase, "Attic", outlived

    @property
    def outlived(self) -> bool:
        return self._outlived


async def leave(_: TableFeed) -> bool:
    return False


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Profile]:
    opened = Profile.open(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("outlived", [True, False])
def test_who_leaves_their_bots_is_told_that_they_play_on(
    monkeypatch: pytest.MonkeyPatch, profile: Profile, outlived: bool
) -> None:
    """While the life of the node goes on; but not at the end of a game, when the others may still be waited for."""
    said = list[str]()
    monkeypatch.setattr(together, "out", said.append)

    async def main() -> None:
        node = Left(profile, Phase.STOPPED if outlived else Phase.FINISHED, outlived=outlived)

        async def live() -> None:
            node.ended.set()
            await trio.testing.wait_all_tasks_blocked(0.05)

        assert await together._side_by_side(leave, node, live, node) is False

    trio.run(main)
    assert said == ([together.BOTS_PLAY_ON] if outlived else [])


def test_a_node_that_waits_for_somebody_else_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, profile: Profile
) -> None:
    """Its player has closed the screen while the record was being closed, or before they could leave."""
    monkeypatch.setattr(together, "PATIENCE", 0)
    farewells: list[str] = []

    async def main() -> None:
        node = Left(profile, Phase.CLOSING, outlived=False)

        async def live() -> None:
            try:
                await trio.sleep_forever()
            finally:
                farewells.append("bye")

        assert await together._side_by_side(leave, node, live, node) is False

    trio.run(within, main)
    assert farewells == ["bye"]


@pytest.mark.parametrize("error", [ProfileLocked(path="x"), TypeError("a bug")])
def test_what_goes_wrong_at_a_table_that_was_left_is_told(profile: Profile, error: Exception) -> None:
    """And a bug ends the program, as it does everywhere."""
    tables, said = list[str](), list[str]()

    async def main() -> None:
        node, go = Left(profile, Phase.STOPPED, outlived=True), trio.Event()

        async def live() -> None:
            node.ended.set()
            await go.wait()
            raise error

        async with trio.open_nursery() as nursery:
            aside = Aside(nursery, tables, said.append)
            assert await together._side_by_side(leave, node, live, node, aside) is False
            assert tables == ["Attic"]
            go.set()

    if isinstance(error, ProfileLocked):
        trio.run(within, main)
        assert said == ["Your bots' game at the table “Attic” is over.", str(error)]
    else:
        with pytest.raises(ExceptionGroup) as caught:
            trio.run(within, main)
        assert caught.group_contains(TypeError, match="a bug")
    assert tables == []


@pytest.mark.parametrize("aside", [True, False])
def test_a_life_that_fails_ends_what_its_player_does(profile: Profile, aside: bool) -> None:
    async def play(_: TableFeed) -> bool:
        await trio.sleep_forever()
        return True

    async def main() -> None:
        node = Node(profile, "Ana")

        async def live() -> None:
            raise ProfileLocked(path="x")

        async with trio.open_nursery() as nursery:
            beside = Aside(nursery, [], lambda _: None) if aside else None
            with pytest.raises(ProfileLocked):
                await together._side_by_side(play, node, live, node, beside)

    trio.run(within, main)


def test_what_is_opened_again_is_the_same_table() -> None:
    people = Company(PLAN, True, b"h" * 32, "Ana", (b"g" * 32,), [], 4711, bots=1)
    before = Hosting(PLAN, bots=1, private=True, seed=7)
    again = reopening(before, people)
    assert again == replace(before, port=4711, welcome=(b"g" * 32,))
    anew = Hosting(PLAN, bots=1, private=True, port=4711, welcome=(b"g" * 32,))
    assert reopening(joining(None), people) == anew


def test_who_never_sat_together_is_no_company(tmp_path: Path) -> None:
    async def main() -> None:
        profile = Profile.open(tmp_path)
        assert company(Node(profile, "Ana")) is None
        profile.close()

    trio.run(main)
