"""Sitting down at a table: `p2pgame host` and `p2pgame join`.

For: those two commands. Never: the network or the game itself; the node has them.

Theory of operation: the node's life (host or join) and whoever plays the seat (screen, lines or a bot) run side by side
on the node's feed. When both have ended, what came out is printed, as lines or as one JSON object, and becomes the exit
code.
"""

from __future__ import annotations

import getpass
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import trio

from engines import registry
from p2p.errors import NeedsCode, SeveralTables, UserError
from p2p.feed import TableFeed
from p2p.find import code_of
from p2p.history import is_id
from p2p.lobby import Plan
from p2p.node import Node
from p2p.place import home
from p2p.status import Phase
from p2p.store import Profile

from . import app, logs
from .failure import Usage, say
from .habits import Habits, keep
from .lives import NAME_BYTES, Hosting, Life, Seated, joining, resuming
from .plain import Lines, read_lines
from .render.base import renderer
from .report import out
from .settings import FILE
from .text import clean, clean_names
from .together import Play, at_table

UNFINISHED, BROKEN = 4, 1


@dataclass(frozen=True)
class Manner:
    """How the seat is played and what is printed."""

    me: str
    auto: bool = False
    plain: bool = False
    ascii_only: bool = False
    no_color: bool = False
    seed: int | None = None
    as_json: bool = False
    log: str | None = None
    clock: bool = False
    no_bell: bool = False

    @classmethod
    def of(cls, wishes: dict[str, Any]) -> Manner:
        """Take the common options out of `wishes`. Errors: Usage."""
        keys = ("auto", "plain", "ascii_only", "no_color", "seed", "as_json", "log", "clock", "no_bell")
        me = wishes.pop("me", None)
        return cls(me=name(me if me is not None else _login(), "player"), **{key: wishes.pop(key) for key in keys})


def _login() -> str:
    try:
        return getpass.getuser()[:24] or "Player"
    except (OSError, KeyError, ImportError):
        return "Player"


def name(text: str, what: str) -> str:
    """A name that others can be shown. Errors: Usage."""
    if not text.strip() or len(text.encode("utf-8", "replace")) > NAME_BYTES:
        raise Usage(f"a {what}'s name has 1 to {NAME_BYTES} bytes: neither nothing nor more")
    if not text.isprintable():
        raise Usage(f"a {what}'s name has only visible characters, no line breaks or other control characters")
    return text.strip()


def table_of(me: str) -> str:
    """What the table of somebody is called who has not said it."""
    label = f"{me}'s table"
    return label if len(label.encode()) <= NAME_BYTES else me


def option_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """KEY=VALUE options. Errors: Usage."""
    given: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise Usage(f"--option {pair!r}: write KEY=VALUE")
        given[key.strip()] = value
    return given


def host_table(
    *,
    game: str,
    players: int | None,
    options: Sequence[str],
    name: str | None,
    bots: int,
    private: bool,
    port: int | None,
    **wishes: Any,
) -> int:
    """`p2pgame host`. Errors: Usage, BadTable, UserError."""
    manner = Manner.of(wishes)
    low, high = registry.seat_range(game)
    most = high if players is None else players
    if not 0 <= bots < most:
        raise Usage(f"--bots is from 0 to {most - 1}: you sit at the table yourself")
    seats = players if players is not None else max(low, bots + 1)
    chosen = registry.options(game, seats, option_pairs(options))
    label = _name(name, "table") if name is not None else table_of(manner.me)
    plan = Plan(game, seats, chosen, label)

    tell = out if manner.auto else None
    return _sit(manner, Hosting(plan, bots, private, port, seed=manner.seed, tell=tell))


_name = name


def join_table(*, where: str | None, code: str | None, **wishes: Any) -> int:
    """`p2pgame join`. Errors: Usage, UserError."""
    manner = Manner.of(wishes)
    try:
        return _sit(manner, joining(where, code_of(code) if code is not None else None))
    except (SeveralTables, NeedsCode) as error:
        if where is not None or manner.auto or manner.as_json or not app.somebody_is_there():
            raise
        from .lobby import open_lobby

        return open_lobby(manner, str(error))  # there they can be chosen


def resume_table(*, table: str | None, **wishes: Any) -> int:
    """`p2pgame resume`. Errors: Usage, UserError."""
    manner = Manner.of(wishes)

    async def life(node: Node) -> None:
        ids = await trio.to_thread.run_sync(node.profile.unfinished)
        chosen = [one for one in ids if is_id(table or "", one)]
        if not ids:
            raise Usage("no game in this profile is unfinished")
        if len(chosen) != 1:
            listed = ", ".join(one.hex()[:8] for one in chosen or ids) or "none"
            raise Usage(f"say which table to resume, by the beginning of its id; unfinished: {listed}")
        await resuming(chosen[0])(node)

    return _sit(manner, life)


def _sit(manner: Manner, life: Life) -> int:
    """Open the profile, play, print what came out; the exit code."""
    import os
    import sys

    log = logs.start(manner.log)
    screen = not (manner.auto or manner.plain or app.wants_plain(sys.stdin, sys.stdout, os.environ))

    async def main() -> Node:
        profile = await trio.to_thread.run_sync(Profile.open, home())
        try:
            if screen or manner.auto:
                return await at_table(profile, manner.me, player(manner, screen), life)
            async with Lines.of(read_lines(0, getattr(sys.stdin, "encoding", None) or "utf-8")) as lines:
                return await at_table(profile, manner.me, player(manner, False, lines), life)
        finally:
            profile.close()

    expected = (UserError, registry.BadTable, Usage)
    node = app.run_full_screen(main, log, expected) if screen else app.run_plain(main, expected)
    return _result(node, manner)


def player(manner: Manner, screen: bool, lines: AsyncIterator[str] | None = None) -> Play:
    """Who plays the seat, and says at the end whether to play again. `lines`: what is typed in plain mode, if not
    simply the standard input."""
    from . import play, style

    look = style.choose(ascii_only=manner.ascii_only, no_colour=manner.no_color)
    habits = Habits(manner.clock, not manner.no_bell, partial(keep, home() / FILE))

    async def by_screen(feed: TableFeed) -> bool:
        return await play.play_screen(feed, look, habits)

    async def by_lines(feed: TableFeed) -> bool:
        return await play.play_plain(feed, look, habits, lines=lines)

    async def by_bot(feed: TableFeed) -> bool:
        await play.play_auto(feed, Seated(feed, manner.seed, aloud=True), lambda line: out(clean(line)))
        return False

    return by_bot if manner.auto else by_screen if screen else by_lines


def _result(node: Node, manner: Manner) -> int:
    for line in ending(node):
        out(line)
    if node.status.fault:
        say(f"p2pgame: {node.status.fault}")
    if manner.as_json:
        out(json.dumps(summary(node)))
    return exit_code(node)


def exit_code(node: Node) -> int:
    """0 well · 1 somebody broke the protocol, or the audit found something · 4 unfinished."""
    status = node.status
    if status.phase is Phase.FINISHED:
        return 0 if status.verified else BROKEN
    return BROKEN if status.broken else UNFINISHED


def ending(node: Node) -> list[str]:
    """What came out of a table, in words."""
    status, lines = node.status, list[str]()
    if status.result is not None:
        lines.append(renderer(status.game).result_text(status.result, clean_names(node.names)))
    if node.formed is not None and status.phase not in (Phase.FINISHED, Phase.STOPPED):
        lines.append("You did not wait for the end. The table waits for you, until you go on with it: p2pgame resume")
    if status.transcript:
        lines.append(f"record: {clean(status.transcript, 1000)}")
    if status.verified:
        lines.append("verified: every shuffle, look and card of this game was fair")
    return lines


def summary(node: Node) -> Mapping[str, Any]:
    """The JSON object of a table's end."""
    status, report = node.status, node.report
    return {
        "game": status.game,
        "players": len(node.names),
        "table": report.table if report else "",
        "transcript": status.transcript,
        "hash": status.hash,
        "result": report.result if report else None,
        "verified": status.verified,
        "seconds": status.seconds,
        "fault": clean(status.fault),
        "names": clean_names(node.names),
    }
