"""What the node wants a person to know: in the log, in lines, beside a bot; keys on the fairness page; how to join."""

from __future__ import annotations

from functools import partial
from io import StringIO

import pytest
import trio

from client.plain import PlainTable
from client.play import play_auto
from client.screens import pages
from client.screens.lobby_wait import headline, join_commands
from client.style import ASCII, Appearance
from client.view import TableView
from p2p.feed import Changed, Finished
from p2p.status import Status

from .fakes import FakeFeed, Steady, started

LOOK = Appearance(ASCII, False)
NASTY = "Careful: this \x1b[2JBeto\u202e is not the Beto whom you know."


def test_each_note_is_a_line_of_the_log_once_and_harmless() -> None:
    feed = FakeFeed()
    view = TableView(feed, LOOK)
    feed.status.notes += ["one", NASTY]
    lines = view.apply(Changed())
    assert [line.style for line in lines] == ["note", "note"]
    assert lines[0].text == "one"
    assert lines[1].text.startswith("Careful: this ")
    assert "\x1b" not in lines[1].text
    assert "\u202e" not in lines[1].text
    assert view.apply(Changed()) == []
    feed.status.notes.append("two")
    assert [line.text for line in view.apply(Changed())] == ["two"]


def test_notes_in_lines() -> None:
    feed, sink = started(), StringIO()
    table = PlainTable(TableView(feed, LOOK), sink, lambda call: call())
    feed.status.notes.append(NASTY)
    table.update(Changed())
    assert "Careful: this " in sink.getvalue()
    assert "\x1b" not in sink.getvalue()


@pytest.mark.trio
async def test_notes_beside_a_bot() -> None:
    feed, told = FakeFeed(), list[str]()
    feed.status.notes.append("one")
    feed.send(Changed())
    feed.send(Changed())
    feed.status.notes.append("two")
    feed.send(Finished())
    with trio.fail_after(30):
        await partial(play_auto, note=told.append)(feed, Steady(0, feed.bots[0]._chance))  # type: ignore[attr-defined]
    assert told == ["one", "two"]


def test_keys_on_the_fairness_page() -> None:
    feed = started()
    assert "fingerprints" not in pages.text_of(TableView(feed, LOOK), "fairness")
    feed.status.fingerprints = [f"{seat}{seat}{seat}{seat}-AAAA-AAAA-AAAA" for seat in range(3)]
    feed.names = ["Ana", "\x1bBeto", "Caro"]
    text = pages.text_of(TableView(feed, LOOK), "fairness")
    assert "  0000-AAAA-AAAA-AAAA  Ana" in text
    assert "  1111-AAAA-AAAA-AAAA" in text
    assert "\x1b" not in text


def test_how_to_join_a_private_table() -> None:
    status = Status(code="K7QF-2M3A-WZPT", addresses=["10.0.0.7:24816", "[fe80::1%eth0]:24816"])
    assert join_commands(status) == [
        "p2pgame join K7QF-2M3A-WZPT",
        "p2pgame join 10.0.0.7:24816 --code K7QF-2M3A-WZPT",
        'p2pgame join "[fe80::1%eth0]:24816" --code K7QF-2M3A-WZPT',
    ]


def test_before_the_table_is_found_nothing_is_said_about_seats() -> None:
    feed = FakeFeed()
    feed.status = Status()
    assert headline(TableView(feed, LOOK)) == "Looking for the table …"
