"""The situations that are kept as text captures, each at the sizes that matter."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import trio

from client.play import play_plain
from client.style import ASCII, UNICODE, Appearance
from engines.requests import Result
from p2p.feed import Changed, Chat, Fault, Finished
from p2p.status import Phase, Presence, SeatStatus

from .fakes import FakeFeed, started
from .screenshot import Shown

CAPTURES = Path(__file__).parent / "captures"
COLOURED = Appearance(UNICODE, True)
PURE_ASCII = Appearance(ASCII, False)


def _placing() -> Shown:
    return Shown(started(), COLOURED)


def _turn(look: Appearance = COLOURED) -> Shown:
    shown = Shown(started(), look)
    shown.type("d1")
    for _ in range(4):
        feed = shown.feed
        if feed.menu is not None and feed.run is not None:
            feed.choose(feed.bot.choose(feed.run.game, feed.menu, feed.run.look(feed.seat)))
    shown.drain()
    return shown


def _ascii() -> Shown:
    return _turn(PURE_ASCII)


def _card() -> Shown:
    shown = _turn()
    shown.type("move")
    return shown


def _way() -> Shown:
    shown = _turn()
    shown.type("move 2")
    return shown


def _reasons() -> Shown:
    shown = _turn()
    shown.type("?")
    return shown


def _leaving() -> Shown:
    shown = _turn()
    shown.type("leave")
    return shown


def _waiting() -> Shown:
    shown = _turn()
    feed = shown.feed
    feed.menu = None
    feed.status.waiting_for, feed.status.waiting_why = [2], "to shuffle"
    feed.status.seats[2] = SeatStatus(Presence.LOST, 12)
    feed.send(Changed())
    feed.send(Chat(1, "Caro\x1b[2J, are you \u202ethere?"))
    shown.drain()
    return shown


def _finished() -> Shown:
    shown = _turn()
    feed = shown.feed
    feed.menu = None
    feed.status.result, feed.status.phase = Result((1,), (None,) * 3, "trapped"), Phase.FINISHED
    feed.status.transcript = "tables/4kq7.p2plog"
    feed.send(Finished())
    shown.drain()
    return shown


def _finished_table() -> Shown:
    shown = _finished()
    shown.screen.desk.back()
    return shown


def _fault() -> Shown:
    shown = _turn()
    shown.feed.status.fault = "Beto signed two different decisions for the same step; the table has ended."
    shown.feed.status.phase = Phase.STOPPED
    shown.feed.send(Fault(shown.feed.status.fault))
    shown.drain()
    return shown


def _page(name: str) -> Callable[[], Shown]:
    def made() -> Shown:
        shown = _waiting() if name == "chat" else _turn()
        shown.type(name)
        return shown

    return made


def _lobby() -> Shown:
    feed = FakeFeed()
    status = feed.status
    feed.names = []
    status.phase, status.hosting, status.sealed, status.cards, status.proofs = Phase.LOBBY, True, 0, 0, 0
    status.taken, status.options = ["Ana", "Be\u200bto"], {"rounds": 100}
    status.addresses = ["192.168.1.23:7117", "[fd00::1c2b:ff]:7117"]
    status.table_id = ""
    feed.send(Changed())
    return Shown(feed, COLOURED)


def _no_host() -> Shown:
    shown = _lobby()
    shown.feed.status.fault = "The host has closed the table."
    shown.feed.send(Fault(shown.feed.status.fault))
    shown.drain()
    return shown


SCENES: dict[str, tuple[Callable[[], Shown], tuple[tuple[int, int], ...]]] = {
    "placing": (_placing, ((80, 24), (30, 10), (20, 5))),
    "turn": (_turn, ((80, 24), (120, 40), (60, 20), (50, 30), (40, 12), (30, 10), (20, 5))),
    "ascii": (_ascii, ((80, 24), (30, 10))),
    "card": (_card, ((80, 24),)),
    "way": (_way, ((80, 24), (30, 10))),
    "reasons": (_reasons, ((80, 24), (30, 10))),
    "leaving": (_leaving, ((80, 24),)),
    "waiting": (_waiting, ((80, 24), (120, 40))),
    "finished": (_finished, ((80, 24), (30, 10))),
    "finished-table": (_finished_table, ((80, 24), (30, 10))),
    "fault": (_fault, ((80, 24),)),
    "rules": (_page("rules"), ((80, 24),)),
    "fairness": (_page("fairness"), ((80, 24),)),
    "chat": (_page("chat"), ((80, 24),)),
    "board": (_page("board"), ((80, 24), (20, 5))),
    "help": (_page("help"), ((80, 24),)),
    "lobby": (_lobby, ((80, 24), (30, 10))),
    "no-host": (_no_host, ((80, 24), (30, 10))),
    "too-small": (_turn, ((19, 5), (20, 4))),
}


def plain_text(look: Appearance = COLOURED) -> str:
    """A few turns in lines, to the end of the input."""
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        for line in ("d1", "?", "move", "9", "1", "back", "rules", "say hello", "5 1", "nonsense", "move 2 1"):
            yield line

    async def main() -> None:
        feed = started()
        await play_plain(feed, look, lines=lines(), patient=True, out=out)

    trio.run(main)
    return out.getvalue()


def captures() -> Iterator[tuple[str, str]]:
    """File name and text of every capture."""
    for name, (made, sizes) in SCENES.items():
        shown = made()
        for columns, lines in sizes:
            yield f"{name}-{columns}x{lines}.txt", shown.text(columns, lines)
    yield "plain.txt", plain_text()
    yield "plain-ascii.txt", plain_text(PURE_ASCII)
