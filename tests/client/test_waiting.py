"""The waiting room in words: who can still come in and how, what is played, and bots for the seats that are free."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from client.desk import Desk
from client.screens import lobby_wait
from client.style import UNICODE, Appearance
from client.text import width
from client.view import TableView
from engines.requests import OptionSpec
from p2p.addresses import Address
from p2p.door import SHUT
from p2p.lobby import Plan
from p2p.reception import Reception
from p2p.rematch import Again, Company
from p2p.status import Phase, Status
from p2p.store import Profile

from .fakes import FakeFeed, started
from .screenshot import at_once

CODE, WHERE = "K7QF-2M3A-WZPT", "192.168.1.23:7117"


def waiting(**about: object) -> FakeFeed:
    """A host who waits for two more."""
    feed = FakeFeed("amanite")
    feed.names = []
    feed.status = Status(game="amanite", table="Attic", phase=Phase.LOBBY, players=3, taken=["Ana"], hosting=True)
    feed.status.addresses = [WHERE]
    for name, value in about.items():
        setattr(feed.status, name, value)
    return feed


def text_of(feed: FakeFeed) -> str:
    return lobby_wait.text(TableView(feed, Appearance(UNICODE, False)))


# -- bots --------------------------------------------------------------------------------------------------------------


def desk_of(feed: FakeFeed) -> Desk:
    return Desk(TableView(feed, Appearance(UNICODE, False)), at_once, lambda: None)


def test_a_host_puts_bots_on_free_seats() -> None:
    feed = waiting()
    assert "bots 1" in text_of(feed)
    desk = desk_of(feed)
    for line in ("bots 1", "/bots 2", "BOTS 9"):
        desk.submit(line)
        assert desk.note == "bots of yours take seats …"
    assert feed.bots_wanted == [1, 2, 9]


@pytest.mark.parametrize("line", ["bots", "bots 0", "bots many", "bots -1", "bots ²", "bots " + "9" * 5000])
def test_how_many_bots_has_to_be_said(line: str) -> None:
    feed = waiting()
    desk = desk_of(feed)
    desk.submit(line)
    assert desk.note == "say how many bots, as in: bots 1"
    assert feed.bots_wanted == []


def test_only_the_host_has_bots_and_only_while_seats_are_free() -> None:
    guest, full, opening = waiting(hosting=False), waiting(taken=["Ana", "Beto", "Caro"]), waiting(players=0, taken=[])
    playing = started()
    playing.status.hosting = True
    nobody = "no seat is free: bots can come while players are missing"
    for feed, why in (
        (guest, "only the host can put bots on free seats"),
        (full, nobody),
        (opening, nobody),
        (playing, nobody),
    ):
        desk = desk_of(feed)
        desk.submit("bots 1")
        assert desk.note == why
        assert feed.bots_wanted == []
    assert "bots" not in text_of(guest)
    assert "bots" not in text_of(full)


# -- who can come in ---------------------------------------------------------------------------------------------------


def test_a_door_that_is_shut_is_told_of_instead_of_its_code() -> None:
    open_, shut = waiting(code=CODE), waiting(code=CODE, shut=SHUT)
    assert f"p2pgame join {CODE}" in text_of(open_)
    assert "Waiting for 2 more" in text_of(open_)
    words = text_of(shut)
    assert words.count(SHUT) == 1
    for dead in (CODE, "Others", "p2pgame join", "Waiting for"):
        assert dead not in words
    assert "bots 1" in words


def test_seats_that_are_kept_are_told_of() -> None:
    words = text_of(waiting(code=CODE, kept=True))
    kept = "The seats are kept for those who played before: they need no code."
    assert words.index("Waiting for 2 more players") < words.index(kept) < words.index("Others join with one of")
    assert f"p2pgame join {CODE}" in words
    words = text_of(waiting(code=CODE, kept=True, shut=SHUT))
    assert words.index("Waiting for 2 more players") < words.index(kept) < words.index(SHUT)
    assert CODE not in words


def test_a_guest_with_a_kept_seat_is_not_told_that_anybody_can_come() -> None:
    words = text_of(waiting(hosting=False, kept=True, addresses=[]))
    assert "The seats are kept for those who played before; others need the code that the host sees." in words
    assert "p2pgame join" not in words


def test_who_waits_for_the_table_to_be_opened_again_is_told_that_no_code_is_needed(tmp_path: Path) -> None:
    people = Company(Plan("maamut", 2, {}, "Attic"), False, b"h" * 32, "Ana", (b"g" * 32,), list[Address](), 4711)

    async def main() -> None:
        profile = Profile.open(tmp_path)
        again = Again(profile, "Beto", people)
        view = TableView(again, Appearance(UNICODE, False))
        assert "you need no code" in lobby_wait.text(view)
        again.node.status.players, again.node.status.taken = 3, ["Ana", "Beto"]  # as its host tells
        again.node.status.game = "maamut"
        assert "The seats are kept" in lobby_wait.text(view)
        again.seat_bots(1)
        profile.close()

    trio.run(main)


@pytest.mark.parametrize("welcome", [(), (b"g" * 32,)])
def test_what_the_door_of_a_table_comes_to(tmp_path: Path, welcome: tuple[bytes, ...]) -> None:
    async def main() -> None:
        profile, status = Profile.open(tmp_path), Status()
        reception = Reception(profile, "Ana", status, lambda update: None)
        assert reception.keys == []
        reception.open(Plan("maamut", 2, {}, "Attic"), 0, private=True, welcome=iter(welcome))
        assert status.kept == bool(welcome)
        assert reception.keys == [profile.identity.public]
        door = reception.door
        assert door is not None
        while not door.shut:
            assert status.shut == ""
            door.wrong += 1
            reception._tried("A wrong code was tried")
        assert status.shut == SHUT
        profile.close()

    trio.run(main)


# -- what is played ----------------------------------------------------------------------------------------------------


def test_options_are_shown_in_words() -> None:
    shown = text_of(waiting(options={"attributes": "3", "first": 0}))
    assert "attributes: 3, first: by chance" in shown
    assert "first: 2" in text_of(waiting(options={"first": 2}))
    assert "what: 0" in text_of(waiting(game="unknown", options={"what": 0}))
    spec = OptionSpec(0, "", high=9, words={0: "none"})
    assert (spec.say(0), spec.say(1)) == ("none", "1")


def test_all_of_it_fits_on_a_usual_terminal() -> None:
    feed = waiting(code=CODE, kept=True, shut=SHUT, options={"attributes": "3", "first": 0})
    rows = lobby_wait.compose(TableView(feed, Appearance(UNICODE, False)), 80, 23)
    words = " ".join("".join(text for _, text, _ in row).strip(" │") for row in rows)
    assert "bots 1 (or more)" in words
    assert "open another table" in words
    assert max(width("".join(text for _, text, _ in row)) for row in rows) <= 80
