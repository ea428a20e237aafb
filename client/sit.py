"""Sitting down at a table: `p2pgame host` and `p2pgame join`.

For: those two commands. Never: the network or the game itself; the node has them.

Theory of operation: the node's life (host or join) and whoever plays the seat (screen, lines or a bot) run side by side
on the node's feed. When both have ended, what came out is printed, as lines or as one JSON object, and becomes the exit
code. Bots for empty seats are peers like any other: each has a profile and a port of its own and joins by loopback.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import trio

from engines import registry
from engines.bots import Bot
from engines.chance import Chance
from engines.menus import Choice, Look, Menu
from engines.requests import Game, Tell
from p2p.announce import announce
from p2p.errors import PortInUse, UserError
from p2p.feed import TableFeed
from p2p.find import DEFAULT_PORT, Place, code_of, find
from p2p.lobby import Plan
from p2p.node import Node
from p2p.status import Phase, Status
from p2p.store import Profile, home

from . import app, logs
from .failure import Usage, say
from .render.base import renderer
from .report import out
from .text import clean, clean_name

NAME_BYTES = 64
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

    @classmethod
    def of(cls, wishes: dict[str, Any]) -> Manner:
        """Take the common options out of `wishes`. Errors: Usage."""
        keys = ("auto", "plain", "ascii_only", "no_color", "seed", "as_json", "log")
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
        raise Usage(f"a {what}'s name has 1 to {NAME_BYTES} bytes; choose a shorter one")
    if not text.isprintable():
        raise Usage(f"a {what}'s name has only visible characters, no line breaks or other control characters")
    return text.strip()


def option_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """KEY=VALUE options. Errors: Usage."""
    given: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise Usage(f"--option {pair!r}: write KEY=VALUE")
        given[key.strip()] = value
    return given


class Seated:
    """A bot for whatever seat and game the feed turns out to be. `seed`: None for choices that nobody can foresee;
    `aloud`: print what happens."""

    def __init__(self, feed: TableFeed, seed: int | None, *, aloud: bool = False) -> None:
        self._feed = feed
        self._aloud = aloud
        self._seed = seed
        self._bot: Bot | None = None

    def _player(self) -> Bot:
        if self._bot is None:
            seat = self._feed.seat or 0
            chosen = hashlib.blake2b(f"{self._seed}/{seat}".encode(), digest_size=32).digest()
            chance = Chance(secrets.token_bytes(32) if self._seed is None else chosen)
            self._bot = registry.bot(self._feed.status.game, seat, chance)
        return self._bot

    def notice(self, event: Tell) -> None:
        """See Bot."""
        self._player().notice(event)
        if self._aloud:
            names = [clean_name(one) for one in self._feed.names]
            line = renderer(self._feed.status.game).describe(event, names)
            if line:
                out(clean(line))

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """See Bot."""
        return self._player().choose(game, menu, look)


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
    label = _name(name if name is not None else f"{manner.me}'s table", "table")
    plan = Plan(game, seats, chosen, label)

    async def life(node: Node) -> None:
        async with trio.open_nursery() as nursery:
            door = await _open(nursery, node, plan, port, private)
            if manner.auto:
                out(f"table {clean_name(label)} is open; {_how_to_join(node.status)}")
            for number in range(bots):
                nursery.start_soon(_bot_guest, node, number, door, manner.seed)

    return _sit(manner, life)


_name = name


def _how_to_join(status: Status) -> str:
    """For whoever reads what a bot's program prints."""
    ways = [status.code, *(f"{address} --code {status.code}" for address in status.addresses[:1])]
    ways = ways if status.code else status.addresses[:1]
    return f"others join with: p2pgame join {', or: p2pgame join '.join(ways)}" if ways else "but nobody can reach it"


async def _open(nursery: trio.Nursery, node: Node, plan: Plan, port: int | None, private: bool) -> int:
    """Host at the port wished for, or at the usual one if it is free, or anywhere."""
    start = partial(node.host, plan, announce=announce, private=private)
    if port is None:
        try:
            door: int = await nursery.start(partial(start, port=DEFAULT_PORT))
        except PortInUse:
            door = await nursery.start(start)
        return door
    return int(await nursery.start(partial(start, port=port)))


async def _bot_guest(host: Node, number: int, door: int, seed: int | None) -> None:
    """A bot of the host's, at a seat of its own."""
    profile = await trio.to_thread.run_sync(Profile.open, host.profile.path / "bots" / str(number + 1))
    try:
        # With the host's name in it: each host's bots have keys of their own, and guests know names by their keys.
        called = f"Bot {number + 1} of {host.name}"
        node = Node(profile, called.encode()[:NAME_BYTES].decode(errors="ignore"))
        from .play import play_auto

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_auto, node, Seated(node, seed))
            await node.join([("127.0.0.1", door)], code=host.door.code if host.door else None)
    finally:
        profile.close()


def join_table(*, where: str | None, code: str | None, **wishes: Any) -> int:
    """`p2pgame join`. Errors: Usage, UserError."""
    manner = Manner.of(wishes)
    known = code_of(code) if code is not None else None

    async def life(node: Node) -> None:
        place: Place = await find(where, known)
        await node.join(place.addresses, code=place.code, others=place.others)

    return _sit(manner, life)


def resume_table(*, table: str | None, **wishes: Any) -> int:
    """`p2pgame resume`. Errors: Usage, UserError."""
    manner = Manner.of(wishes)

    async def life(node: Node) -> None:
        ids = await trio.to_thread.run_sync(node.profile.unfinished)
        chosen = [one for one in ids if one.hex().startswith((table or "").casefold())]
        if len(chosen) != 1:
            listed = ", ".join(one.hex()[:8] for one in chosen or ids) or "none"
            raise Usage(f"say which table to resume, by the beginning of its id; unfinished: {listed}")
        await node.resume(chosen[0])

    return _sit(manner, life)


def _sit(manner: Manner, life: Callable[[Node], Awaitable[None]]) -> int:
    """Open the profile, play, print what came out; the exit code."""
    import os
    import sys

    log = logs.start(manner.log)
    screen = not (manner.auto or manner.plain or app.wants_plain(sys.stdin, sys.stdout, os.environ))

    async def main() -> Node:
        profile = await trio.to_thread.run_sync(Profile.open, home())
        try:
            node = Node(profile, manner.me, findable=True)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_player(manner, screen), node)
                await life(node)
        finally:
            profile.close()
        return node

    expected = (UserError, registry.BadTable, Usage)
    node = app.run_full_screen(main, log, expected) if screen else app.run_plain(main, expected)
    return _result(node, manner)


def _player(manner: Manner, screen: bool) -> Callable[[Node], Awaitable[None]]:
    """Who plays the seat."""
    from . import play, style

    look = style.choose(ascii_only=manner.ascii_only, no_colour=manner.no_color)

    async def by_screen(node: Node) -> None:
        await play.play_screen(node, look)

    async def by_lines(node: Node) -> None:
        await play.play_plain(node, look)

    async def by_bot(node: Node) -> None:
        await play.play_auto(node, Seated(node, manner.seed, aloud=True), lambda line: out(clean(line)))

    return by_bot if manner.auto else by_screen if screen else by_lines


def _result(node: Node, manner: Manner) -> int:
    status = node.status
    if status.phase is Phase.FINISHED:
        code = 0 if status.verified else BROKEN
    else:
        code = BROKEN if status.broken else UNFINISHED
    if status.fault:
        say(f"p2pgame: {status.fault}")
    if status.result is not None:
        out(renderer(status.game).result_text(status.result, [clean_name(one) for one in node.names]))
    if status.transcript:
        out(f"record: {clean(status.transcript, 1000)}")
    if status.verified:
        out("verified: every shuffle, look and card of this game was fair")
    if manner.as_json:
        out(json.dumps(summary(node)))
    return code


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
        "names": [clean_name(one) for one in node.names],
    }
