"""From the lobby to a table and back, with whatever goes wrong; and the list of past games."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from client import app, lives, lobby, sit
from client import history as history_command
from client.entries import Join, Open, Quit, Resume, Verify, Watch, Wish
from client.hall import ENDS_BOTS, Hall, Page
from client.history import run_history
from client.lives import Seated
from client.play import play_auto
from client.replay import load
from client.report import verify_files
from client.style import UNICODE
from client.text import width
from engines.bots import Bot
from p2p import history
from p2p.door import Code, new_code
from p2p.errors import NeedsCode, SeveralTables, UserError
from p2p.feed import Fault, Finished, TableFeed
from p2p.lobby import Plan
from p2p.player import LEFT
from p2p.status import Presence
from p2p.store import Profile
from tests.p2p.recorded import file_of

from .halls import heard, past, table

SHORT = Plan("maamut", 2, {"rounds": 2}, "Attic")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile with one finished game in it."""
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path))
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / f"{7:064x}.p2plog").write_bytes(file_of())
    return tmp_path


def stay(*wishes: Wish | Callable[[Hall], Wish]) -> list[str]:
    """The notes that the lobby opens with, one after each wish."""
    notes: list[str] = []
    left = list(wishes)

    async def choose(hall: Hall) -> Wish:
        notes.append(hall.note)
        wish = left.pop(0) if left else Quit()
        return wish(hall) if callable(wish) else wish

    async def by_bot(feed: TableFeed) -> bool:
        await play_auto(feed, Seated(feed, 1))
        return False

    async def watch(path: Path) -> str:
        return f"watched {path.name[-9:]}"

    trio.run(lobby.stay, "Ana", choose, by_bot, watch)
    return notes[1:]


def test_a_whole_table_and_back(home: Path) -> None:
    told: list[str] = []

    def look(hall: Hall) -> Wish:
        told.extend([hall.past[0].label, hall.past[0].verdict, *hall.past[0].names])
        return Quit()

    (note,) = stay(Open(SHORT, 1, False), look)
    assert note.splitlines()[-1] == "verified: every shuffle, look and card of this game was fair"
    assert "record" not in note
    assert told == ["Attic", "sound", "Ana", "Bot 1 of Ana"]


async def leave(feed: TableFeed) -> bool:
    """Leaves as soon as something is asked, and stays until that is done."""
    left = False
    async for _ in feed.updates:
        if feed.menu is not None and not left:
            left = True
            feed.leave()
    return False


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> trio.Event:
    """Until it is opened bots think when somebody has left."""
    opened = trio.Event()

    async def slow(feed: TableFeed, bot: Bot) -> None:
        async for update in feed.updates:
            if isinstance(update, Finished | Fault):
                break
            if any(one.presence is Presence.LEFT for one in feed.status.seats):
                await opened.wait()
            if feed.menu is not None and feed.run is not None:
                feed.choose(bot.choose(feed.run.game, feed.menu, feed.run.look(feed.seat)))

    monkeypatch.setattr(lives, "play_auto", slow)
    return opened


THREE = Open(Plan("maamut", 3, {"rounds": 1}, "Attic"), 2, False)


def test_whose_bots_play_on_is_back_at_once(home: Path, gate: trio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """And can sit at another table with other bots, and has to say twice that they are to be ended."""
    visits, told = list[Hall](), trio.Event()
    tell = Hall.tell

    def told_(hall: Hall, news: str) -> None:
        tell(hall, news)
        told.set()

    monkeypatch.setattr(Hall, "tell", told_)

    async def play(feed: TableFeed) -> bool:
        if len(visits) == 1:
            return await leave(feed)
        await play_auto(feed, Seated(feed, 1))
        return False

    async def choose(hall: Hall) -> Wish:
        visits.append(hall)
        if len(visits) == 1:
            return THREE
        assert hall.bots_at == ["Attic"]
        assert hall.busy == "Your bots play on at “Attic”."
        if len(visits) == 2:
            assert hall.note == LEFT
            return Open(replace(SHORT, label="Cellar"), 1, False)
        assert "verified" in hall.note
        hall.quit()
        assert hall.wish is None
        assert hall.note == ENDS_BOTS
        gate.set()
        await told.wait()
        assert hall.bots_at == []
        assert "Your bots' game at the table “Attic” is over." in hall.note
        hall.quit()
        assert hall.wish == Quit()
        return Quit()

    async def watch(_: Path) -> str:
        return ""

    trio.run(lobby.stay, "Ana", choose, play, watch)
    assert len(visits) == 3
    assert sorted(path.name for path in (home / "bots").iterdir()) == ["1", "2", "3"]
    for number, label in enumerate(("Attic", "Attic", "Cellar"), 1):
        (found,) = history.finished(home / "bots" / str(number))
        assert (found.label, found.verdict) == (label, "sound" if label == "Cellar" else found.verdict)


def test_leaving_the_program_makes_the_bots_leave(
    home: Path, gate: trio.Event, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is left waiting for them: of the last two each gives the game up."""

    async def choose(hall: Hall) -> Wish:
        return Quit() if hall.bots_at else THREE

    async def watch(_: Path) -> str:
        return ""

    trio.run(lobby.stay, "Ana", choose, leave, watch)
    assert capsys.readouterr().out == "Your bots take their leave …\n"
    for number in (1, 2):
        assert history.unfinished(home / "bots" / str(number)) == []
        (found,) = history.finished(home / "bots" / str(number))
        assert found.verdict == "incomplete"


def test_who_leaves_the_waiting_room_takes_the_bots_along(home: Path) -> None:
    async def play(feed: TableFeed) -> bool:
        async for _ in feed.updates:
            if len(feed.status.taken) == 2:
                feed.leave()
                break
        return False

    notes: list[str] = []

    async def choose(hall: Hall) -> Wish:
        notes.append(hall.note)
        return Open(Plan("maamut", 3, {"rounds": 1}, "Attic"), 1, False) if len(notes) == 1 else Quit()

    async def watch(_: Path) -> str:
        return ""

    trio.run(lobby.stay, "Ana", choose, play, watch)
    assert notes == ["", ""]


def test_a_replay_and_an_audit(home: Path) -> None:
    def check(hall: Hall) -> Wish:
        return Verify(hall.past[0])

    def look(hall: Hall) -> Wish:
        assert hall.past[0].verdict == "sound"
        assert set(hall.known.values()) == {"P0", "P1"}
        return Watch(hall.past[0].path)

    assert stay(check, look) == ["SOUND - complete, closed, every seed revealed", "watched 07.p2plog"]
    gone = past(path=home / "nowhere.p2plog")
    (note,) = stay(Verify(gone))
    assert "cannot be read" in note


def test_what_goes_wrong_is_told_and_the_lobby_stays(home: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    dead = table(port=port, addresses=("127.0.0.1",))
    notes = stay(
        Join(None, f"127.0.0.1:{port}"),
        Join(dead),
        Join(dead, code="nonsense!"),
        Resume(bytes(32)),
    )
    assert len(notes) == 4
    assert all("reached" in note for note in notes[:2])
    assert "code" in notes[2]
    assert "cannot be read" in notes[3]


def test_a_wrong_code_is_asked_for_again(home: Path) -> None:
    pages: list[Page] = []

    def mistype(hall: Hall) -> Wish:
        private = table(private=True)
        hall.hear(heard(private))
        hall.line("1")
        hall.line("AAAA-BBBB-CCCC")
        return hall.wish or Quit()

    def look(hall: Hall) -> Wish:
        hall.hear({})
        pages.append(hall.page)
        return Quit()

    (note,) = stay(mistype, look)
    assert "Wrong code" in note
    assert pages == [Page.CODE]


def test_the_code_beside_an_address_comes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    code, asked = new_code(bytes(16)), list[tuple[str, Code | None]]()
    monkeypatch.setattr(lobby, "joining", lambda where, code=None: asked.append((where, code)))
    lobby.life_of(Join(None, "10.0.0.7:24816", str(code)))
    lobby.life_of(Join(None, "10.0.0.7:24816"))
    assert asked == [("10.0.0.7:24816", code), ("10.0.0.7:24816", None)]


def test_another_program_in_the_profile(home: Path) -> None:
    profile = Profile.open(home)
    try:
        with pytest.raises(Exception, match="Another program"):
            stay()
    finally:
        profile.close()


@pytest.mark.parametrize("error", [SeveralTables(names="Attic, Cellar"), NeedsCode(where="Attic")])
def test_a_join_that_is_not_clear_becomes_a_choice(monkeypatch: pytest.MonkeyPatch, error: UserError) -> None:
    """If somebody is there to choose, and no table was named."""
    opened: list[str] = []

    def several(*_: object) -> int:
        raise error

    def lobby_(manner: sit.Manner, note: str) -> int:
        opened.append(note)
        return 0

    def join(where: str | None = None, **wishes: bool) -> int:
        return sit.join_table(where=where, code=None, **{**vars(sit.Manner("Ana")), **wishes})

    monkeypatch.setattr(sit, "_sit", several)
    monkeypatch.setattr(lobby, "open_lobby", lobby_)
    monkeypatch.setattr(app, "somebody_is_there", lambda: True)
    assert join() == 0
    assert opened == [str(error)]
    for unclear in (partial(join, auto=True), partial(join, as_json=True), partial(join, "Attic")):
        with pytest.raises(UserError):
            unclear()
    monkeypatch.setattr(app, "somebody_is_there", lambda: False)
    with pytest.raises(UserError):
        join()


# -- p2pgame history ---------------------------------------------------------------------------------------------------


def listed(capsys: pytest.CaptureFixture[str], **wishes: bool) -> str:
    """What it prints."""
    given = {"verify": False, "everything": False, "as_json": False, "ascii_only": False, **wishes}
    assert run_history(log=None, **given) == 0
    return capsys.readouterr().out


def test_the_list_of_games(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = listed(capsys)
    assert "Mâamut" in text
    assert "not yet" in text
    assert " won " in text
    (heads,) = (line for line in text.splitlines() if line.startswith("player "))
    assert heads.split("  ")[-1].strip() == "by game"
    assert heads.index("by game") == text.splitlines()[-1].index("Mâamut 1")
    assert "sound" in listed(capsys, verify=True)
    assert "sound" in listed(capsys)
    assert listed(capsys, ascii_only=True).isascii()
    found = json.loads(listed(capsys, as_json=True).splitlines()[-1])
    assert [game["players"] for game in found["games"]] == [["P0", "P1"]]
    assert {player["games"] for player in found["players"]} == {1}
    assert sum(player["wins"] for player in found["players"]) == 1


def test_what_the_program_has_checked_itself_is_checked(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By `verify` and by a replay, of the profile's own file; a table that was played needs neither."""
    file = next((home / "tables").iterdir())
    elsewhere = home / file.name
    elsewhere.write_bytes(file.read_bytes())
    assert verify_files([str(elsewhere)], as_json=False) == 0
    assert history.finished(home)[0].verdict == ""
    assert verify_files([file.stem[:8]], as_json=False) == 0
    assert history.finished(home)[0].verdict == "sound"
    (home / "verdicts").unlink()
    trio.run(load, file)
    assert history.finished(home)[0].verdict == "sound"


def test_lines_are_not_wider_than_the_terminal(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [
        past(1, names=("A" * 24, "日" * 12, "C" * 24, "Dina", "Eva", "Fede")),
        past(2, problem="p" * 70, result=None),
    ]
    records = history.standings([past(1, names=("A" * 24, "日" * 12, "C" * 24))])
    for columns in (80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        found = history_command.lines(games, 2, records, b"", UNICODE)
        assert columns - 2 <= max(map(width, found)) < columns
        assert any("2026-05-01 20:15" in line and f"{1:064x}"[:8] in line for line in found)


def test_long_lists_are_cut_and_bad_files_are_listed(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_command, "LISTED", 1)
    (home / "tables" / f"{8:064x}.p2plog").write_bytes(b"dear diary")
    assert "and 1 older ones" in listed(capsys)
    text = listed(capsys, everything=True, verify=True)
    assert "its first record" in text
    assert history.finished(home)[0].verdict == ""


def test_nothing_was_played_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path))
    assert listed(capsys) == "No game has been finished here yet.\n"
