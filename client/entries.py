"""What can be chosen in the lobby, as lines of a list, and the wishes that choosing leads to.

For: the lobby. Never: a raw name or reason: all that came from others passes the gate here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engines import registry
from p2p.announcement import Announcement
from p2p.history import Past
from p2p.lobby import Plan
from p2p.offers import distinct, hindrance, key

from .text import clean, clean_name, clean_names
from .when import day


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down at a table that was heard of, or (None) wherever `where` leads, as after `p2pgame join`."""

    table: Announcement | None
    where: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """Host a table."""

    plan: Plan
    bots: int
    private: bool


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with the table of that id."""

    table: bytes


@dataclass(frozen=True, slots=True)
class Watch:
    """Replay a finished game."""

    path: Path


@dataclass(frozen=True, slots=True)
class Verify:
    """Audit a finished game."""

    past: Past


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the program."""


Wish = Join | Open | Resume | Watch | Verify | Quit


@dataclass(frozen=True, slots=True)
class Entry:
    """One line that can be chosen. `cells`: its columns; `why_not`: why it cannot be chosen now; `head`: the title of
    the group that begins with it."""

    key: Hashable
    number: int
    cells: tuple[str, ...]
    wish: Wish
    why_not: str = ""
    head: str = ""
    detail: str = ""
    """What else is known of it."""


Number = Callable[[Hashable], int]
"""Gives each thing a number, and keeps it."""
OPEN_HEADS = ("table", "game", "seats", "host", "may I join?")
PAST_HEADS = ("when", "game", "players", "how it ended", "checked")


def table_entries(tables: Iterable[Announcement], known: Mapping[str, str], number: Number) -> list[Entry]:
    """The open tables, by number. `known`: names of players by the fingerprint of their key."""
    entries: list[Entry] = []
    for table in sorted(distinct(tables), key=lambda one: number(key(one))):
        why = hindrance(table) or ("" if table.game in registry.GAMES else "unknown game")
        how = f"no: {why}" if why else "with a code" if table.private else "yes"
        # Of a running table any seat may tell: who its host was cannot be said.
        name, mark = ("", "") if table.table else (known.get(table.host, ""), table.host[:9])
        cells = (
            clean_name(table.table_name),
            game_title(table.game),
            f"{table.seats_taken} of {table.seats}",
            f"{clean_name(name)} {mark}" if name else mark,
            how,
        )
        head = "" if entries else "open tables"
        how_played = f"options: {clean(table.options, 200)}" if table.options else "the usual options"
        where = f"host {table.host} · at {', '.join(table.addresses[:2])}, port {table.port}"
        where = f"table {table.table}" if table.table else where
        detail = f"{how_played} · {where} · version {table.version}"
        entries.append(Entry(key(table), number(key(table)), cells, Join(table), why, head, detail))
    return entries


def unfinished_entries(games: Iterable[Past], own: bytes, number: Number) -> list[Entry]:
    """The games that can be resumed."""
    entries: list[Entry] = []
    for past in games:
        others = ", ".join(clean_name(name) for name in past.others(own))
        cells = (clean_name(past.label), game_title(past.game), "", f"with {others}", f"go on ({day(past.when)[:10]})")
        head = "" if entries else "games that were interrupted"
        entries.append(
            Entry(
                past.table,
                number(past.table),
                cells,
                Resume(bytes.fromhex(past.table)),
                past.problem,
                head,
                f"go on where it was interrupted, as soon as the others do · table {past.table[:8]}",
            )
        )
    return entries


def past_entries(games: Iterable[Past]) -> list[Entry]:
    """The games that can be replayed."""
    return [
        Entry(
            past.path,
            number,
            past_cells(past),
            Watch(past.path),
            clean(past.problem, 60),
            detail=f'table "{clean_name(past.label)}", {past.table[:8]} · {_told(past)}'.rstrip(" ·"),
        )
        for number, past in enumerate(games, 1)
    ]


def past_cells(past: Past) -> tuple[str, ...]:
    """When, what, who, how it ended, and what the audit has said."""
    names = clean_names(past.names)
    return (day(past.when), game_title(past.game), ", ".join(names), ending(past, names), past.verdict or "not yet")


def _told(past: Past) -> str:
    """Who has won and with how many points, as long as that may be."""
    names = clean_names(past.names)
    scores = past.result["scores"] if past.result is not None else []
    told = [f"{name} {score}" for name, score in zip(names, scores, strict=False) if score is not None]
    return ": ".join(filter(None, (ending(past, names), ", ".join(told))))


def ending(past: Past, names: Sequence[str]) -> str:
    """Who has won, or stopped it, in few words."""
    if past.result is None:
        stopped = " and ".join(names[seat] for seat in past.stopped_by)
        return clean(past.problem, 60) or (f"stopped by {stopped}" if stopped else "no end")
    won = [names[seat] for seat in past.result["winners"]]
    return f"{' and '.join(won)} won" if won else "nobody won"


def game_title(game: str) -> str:
    """What a game is called, also one that is not known here."""
    try:
        return registry.title(game)
    except registry.BadTable:
        return clean_name(game)
