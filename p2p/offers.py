"""What announced tables offer to somebody who looks for one.

For: the lobby. Never: IO, or more than a hint: who really is there shows when the link is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.registry import option_specs
from protocol.hashing import PROTOCOL

from .announcement import OPTION_BYTES, Announcement


def hindrance(table: Announcement) -> str:
    """Why one cannot join it, or "". A private one can be joined: with its code."""
    if table.version != PROTOCOL:
        return f"version {table.version}, not {PROTOCOL}"
    if table.table:
        return "being played"
    return "full" if table.seats_taken >= table.seats else ""


def distinct(tables: Iterable[Announcement]) -> list[Announcement]:
    """Every table once: one that is being played is told of by each of its seats."""
    found: dict[str, Announcement] = {}
    for table in tables:
        found.setdefault(key(table), table)
    return list(found.values())


def key(table: Announcement) -> str:
    """What tells this table from others, whichever of its seats tells of it."""
    return table.table or table.instance


def in_brief(game: str, options: Mapping[str, Any]) -> str:
    """The options that are not the usual ones, in as many words as an announcement has room for. Errors: BadTable."""
    specs = option_specs(game)
    unusual = [f"{key} {value}" for key, value in sorted(options.items()) if specs[key].default != value]
    return ", ".join(unusual).encode()[:OPTION_BYTES].decode(errors="ignore")
