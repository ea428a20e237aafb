"""From what a person typed after `join` to the addresses of a table. Does IO: looks for tables on the network.

For: `p2pgame join`, with a table's name, an address, or nothing. Never: a table of another protocol version or a full
one offered as if it could be joined.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import trio

from .addresses import Address, parse_address
from .announcement import Announcement
from .discovery import browse
from .errors import NoTable, SeveralTables

DEFAULT_PORT = 24816
"""Where a host listens if it can, so that `join HOST` needs no port."""
PATIENCE = 5.0
"""Seconds to look for a table before the person is told how to join by address."""
SETTLE = 0.6
"""Seconds after the first table in which another one would have shown up, too."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to call, and what is to be expected there (None: an address was typed)."""

    addresses: list[Address]
    table: Announcement | None = None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()


def is_address(text: str) -> bool:
    """Whether this can only be an address: it has a port, a dot or brackets."""
    return not text.count(" ") and any(sign in text for sign in ".:[]%")


async def find(where: str | None, patience: float = PATIENCE) -> Place:
    """The table called `where`, or the only open one, or the address. Errors: NoTable, SeveralTables."""
    if where is not None and is_address(where):
        try:
            return Place([parse_address(where, DEFAULT_PORT)])
        except ValueError:
            pass  # a table's name may look like this, too
    found: list[Announcement] = []
    async with browse() as browser:
        with trio.move_on_after(patience) as waiting:
            async for tables in browser:
                found = [one for one in tables.values() if where is None or _folded(one.table_name) == _folded(where)]
                found = [one for one in found if one.seats_taken < one.seats]
                if found:
                    waiting.deadline = min(waiting.deadline, trio.current_time() + SETTLE)
        problem = browser.problem
    if len(found) > 1:
        raise SeveralTables(names=", ".join(sorted(one.table_name for one in found)))
    if found:
        return Place([(address, found[0].port) for address in found[0].addresses], found[0])
    if where is not None and " " not in where:
        return Place([parse_address(where, DEFAULT_PORT)])
    raise NoTable(seconds=f"{patience:g}", problem=f" ({problem})" if problem else "", port=DEFAULT_PORT)
