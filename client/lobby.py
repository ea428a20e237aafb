"""`p2pgame` alone: the lobby, from there to a table, and back again.

For: that command, on a full screen or in lines. Never: the network or a game itself; what is chosen and shown is the
hall's.

Theory of operation: the profile is open all the time. In turns, the lobby runs (with a browser that tells the hall
which tables there are) until something is wished for, and the wish is carried out: a table with a node of its own, a
replay, an audit. What came of it is the hall's note when the lobby opens again. A host who leaves a table where bots of
his play on is back at once; they do so beside all this, until they have ended or the program does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import trio

from engines import registry
from p2p import history
from p2p.audit import audit
from p2p.discovery import Browser, browse
from p2p.errors import CannotRead, MistypedCode, UserError, WrongCode
from p2p.find import code_of
from p2p.journal import read_transcript
from p2p.place import home
from p2p.store import Profile

from . import app, logs, style
from .app import show
from .entries import Join, Open, Quit, Resume, Verify, Watch, Wish
from .failure import Usage, first
from .habits import keep
from .hall import Hall
from .lives import Hosting, Life, joining, joining_heard, resuming
from .output import out
from .plain import Lines, read_lines
from .plain_lobby import PlainLobby
from .replay import watch_lines, watch_screen
from .report import MARK
from .screens.lobby import LobbyScreen
from .settings import FILE
from .sit import Manner, ending, player
from .together import Aside, Play, at_table

TICK = 1.0
SETTLED = 2.0
"""Seconds until it is known whether there is a network."""
MOST_PAST = 200
"""So many past games are listed."""


def run_lobby(**wishes: Any) -> int:
    """`p2pgame` without a command; the exit code. Errors: UserError, Usage."""
    manner = Manner.of({"auto": False, "seed": None, "as_json": False, **wishes})
    logs.start(manner.log)
    return open_lobby(manner)


def open_lobby(manner: Manner, note: str = "") -> int:
    """The lobby, with something to begin with said; the exit code. Errors: as above."""
    log = Path(manner.log) if manner.log else logs.default_log()
    screen = not (manner.plain or app.wants_plain(sys.stdin, sys.stdout, os.environ))
    expected = (UserError, registry.BadTable, Usage)
    if screen:
        app.run_full_screen(lambda: _on_screen(manner, note), log, expected)
    else:
        app.run_plain(lambda: _in_lines(manner, note), expected)
    return 0


Lobby = Callable[[Hall], Awaitable[Wish]]
Watcher = Callable[[Path], Awaitable[str]]


async def _on_screen(manner: Manner, note: str) -> None:
    """The lobby, its tables and replays on full screens."""
    look = style.choose(ascii_only=manner.ascii_only, no_colour=manner.no_color)

    async def lobby(hall: Hall) -> Wish:
        screen = LobbyScreen(hall, look)
        application = screen.application()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen, hall, screen.refresh)
            try:
                screen.show_title("p2pgame · lobby")
                return await show(application)
            finally:
                screen.put_away()
                nursery.cancel_scope.cancel()

    async def watch(path: Path) -> str:
        await watch_screen(path, look)
        return ""

    await stay(manner.me, lobby, player(manner, True), watch, note)


async def _in_lines(manner: Manner, note: str) -> None:
    """The lobby and its tables in lines, from one input."""
    look = style.choose(ascii_only=manner.ascii_only, no_colour=manner.no_color)
    async with Lines.of(read_lines(0, getattr(sys.stdin, "encoding", None) or "utf-8")) as lines:
        plain = PlainLobby(lines, look.glyphs)

        async def lobby(hall: Hall) -> Wish:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(listen, hall, plain.heard)
                wish = await plain.run(hall)
                nursery.cancel_scope.cancel()
                return wish

        async def watch(path: Path) -> str:
            await watch_lines(path, look)
            return ""

        await stay(manner.me, lobby, player(manner, False, lines), watch, note)


async def listen(hall: Hall, refresh: Callable[[], None]) -> None:
    """Keep the hall informed of the tables that there are, until cancelled."""

    began = trio.current_time()

    def problem(browser: Browser) -> str:
        """Before the network has been looked at there is none to speak of."""
        return browser.problem if trio.current_time() - began >= SETTLED else ""

    async def hear(browser: Browser) -> None:
        async for tables in browser:
            hall.hear(tables, problem(browser))
            refresh()

    async with browse() as browser, trio.open_nursery() as nursery:
        nursery.start_soon(hear, browser)
        while True:
            await trio.sleep(TICK)
            hall.waited, hall.problem = trio.current_time() - began, problem(browser)
            refresh()


# -- from wish to wish -------------------------------------------------------------------------------------------------


async def stay(me: str, lobby: Lobby, play: Play, watch: Watcher, note: str = "") -> None:
    """Until somebody wants to quit. Bots that are left at a table play on beside it."""
    profile = await trio.to_thread.run_sync(Profile.open, home())
    try:
        hall = Hall(me, profile.identity.public)
        hall.note = note
        async with trio.open_nursery() as nursery:
            aside = Aside(nursery, hall.bots_at, hall.tell)
            while True:
                await trio.to_thread.run_sync(look_up, hall, profile.path)
                hall.reopen()
                wish = await lobby(hall)
                if hall.me != me:
                    me = hall.me
                    hall.note = await trio.to_thread.run_sync(keep, profile.path / FILE, "me", me)
                if isinstance(wish, Quit):
                    if hall.bots_at:  # it may take them some seconds
                        out("Your bots take their leave …")
                    nursery.cancel_scope.cancel()
                    return
                try:
                    hall.note = await carry_out(wish, hall, profile, play, watch, aside)
                except* (UserError, registry.BadTable) as group:
                    error = first(group)
                    hall.failed(str(error), mistyped=isinstance(error, WrongCode | MistypedCode))
    finally:
        profile.close()


def look_up(hall: Hall, folder: Path) -> None:
    """The games in the profile. Blocks on the disk: from trio, in a thread."""
    hall.found(history.unfinished(folder), history.finished(folder, MOST_PAST))
    records = history.standings(hall.past)
    hall.known |= {record.mark: record.names[0] for record in records if record.key != hall.own}


async def carry_out(wish: Wish, hall: Hall, profile: Profile, play: Play, watch: Watcher, aside: Aside) -> str:
    """Do what was decided; what came of it, in words. Errors: UserError, also in a group."""
    if isinstance(wish, Verify):
        return await _verify(wish, profile.path)
    if isinstance(wish, Watch):
        return await watch(wish.path)
    life = life_of(wish)
    node = await at_table(profile, hall.me, play, life, aside)
    hall.back()
    return "\n".join([node.status.fault, *(line for line in ending(node) if not line.startswith("record"))]).strip()


def life_of(wish: Wish) -> Life:
    """How the wish becomes a table. Errors: UserError (a code that cannot be one)."""
    if isinstance(wish, Open):
        return Hosting(wish.plan, wish.bots, wish.private)
    if isinstance(wish, Resume):
        return resuming(wish.table)
    if isinstance(wish, Join):
        code = code_of(wish.code) if wish.code else None
        return joining_heard(wish.table, code) if wish.table is not None else joining(wish.where, code)
    raise TypeError(f"a {type(wish).__name__} is no table")


async def _verify(wish: Verify, folder: Path) -> str:
    past = wish.past
    try:
        report = await trio.to_thread.run_sync(lambda: audit(read_transcript(past.path)), abandon_on_cancel=True)
    except CannotRead as error:
        return str(error)
    await trio.to_thread.run_sync(history.remember, folder, past, report.verdict)
    why = f": {report.findings[0].reason}" if report.findings else f" - {report.ending}" if report.ending else ""
    return f"{MARK[report.verdict]}{why}"
