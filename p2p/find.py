"""From what a person typed after `join` to the addresses of a table. Does IO: looks for tables on the network.

For: `p2pgame join`, with a table's name, its code, an address, or nothing. Never: a private table offered to somebody
without a code, a full or running one (its seats announce themselves, too) offered as if it could be joined, or trust in
an announcement: of several tables for one code the door decides which it is.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field

import trio

from .addresses import Address, parse_address, show_address
from .announcement import Announcement
from .discovery import browse
from .door import Code, looks_like_code, read_code, tag
from .errors import (
    MistypedCode,
    NeedsCode,
    NoInterface,
    NoSuchCode,
    NoSuchTable,
    NoTable,
    NotAnAddress,
    OtherCode,
    SeveralTables,
    TableFull,
)

DEFAULT_PORT = 24816
"""Where a host listens if it can, so that `join HOST` needs no port."""
PATIENCE = 5.0
"""Seconds to look for a table before the person is told how to join by address."""
LOOK_UP = 3.0
"""Seconds for the name of a machine."""
SETTLE = 0.6
"""Seconds after the first table in which another one would have shown up, too."""
DOORS = 4
"""Tables with the tag of one code at which the code is tried. More than one is an accident, or somebody's mischief."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to call; `others`: and if the code is wrong there, where else. `table`: what is to be expected there (None:
    an address was typed)."""

    addresses: list[Address]
    table: Announcement | None = None
    code: Code | None = None
    others: list[list[Address]] = field(default_factory=list)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()


def is_address(text: str) -> bool:
    """Whether this can only be an address: it has a port, a dot or brackets."""
    return not text.count(" ") and any(sign in text for sign in ".:[]%")


def code_of(text: str) -> Code:
    """A code that was typed as such. Errors: MistypedCode."""
    code = read_code(text)
    if code is None:
        raise MistypedCode(code=text)
    return code


async def find(where: str | None, code: Code | None = None, patience: float = PATIENCE) -> Place:
    """The table called `where`, or with that code, or the only open one, or the address.

    Errors: NetworkError: NoTable, SeveralTables, NoInterface, and others that say more.
    """
    if where is not None and is_address(where):
        try:
            return Place([parse_address(where, DEFAULT_PORT)], code=code)
        except ValueError:
            pass  # a table's name may look like this, too
    wish = _Wish(where, code)
    heard, problem = await _listen(wish, patience)
    private = [one for one in heard if wish.able(one) and one.private]
    if private:
        first, *rest = [[(address, one.port) for address in one.addresses] for one in private[:DOORS]]
        return Place(first, private[0], wish.code, rest)
    able = [one for one in heard if wish.able(one)]
    if len(able) > 1:
        raise SeveralTables(names=", ".join(sorted(_told_apart(able))))
    if able:
        return Place([(address, able[0].port) for address in able[0].addresses], able[0])
    if wish.code is None and any(one.private and one.seats_taken < one.seats for one in heard):
        raise NeedsCode(where=", ".join(sorted({one.table_name for one in heard if one.private})))
    if where is not None and heard:
        raise TableFull(where=heard[0].table_name)
    return await _unheard(where, wish, f"{patience:g}", problem)


def _told_apart(tables: list[Announcement]) -> list[str]:
    """Their names; where that is not enough, with the address that can be typed instead."""
    times = Counter(_folded(one.table_name) for one in tables)
    return [
        f"{one.table_name} ({show_address((one.addresses[0], one.port))})"
        if times[_folded(one.table_name)] > 1 and one.addresses
        else one.table_name
        for one in tables
    ]


class _Wish:
    """What a person is looking for. `code`: as given, or as `where` reads; `shut`: a private table of that name, once
    it is heard of, that the code cannot open."""

    def __init__(self, where: str | None, code: Code | None) -> None:
        self._name = None if where is None else _folded(where)
        self._also_open = code is None
        self.typed = read_code(where) if where is not None and code is None else None
        self.code = code or self.typed
        self.shut = ""

    def meant(self, table: Announcement) -> bool:
        """Whether it can be the table, whether there is a seat or not."""
        named = self._name is None or _folded(table.table_name) == self._name
        if self.code is None or not table.private:
            return named
        fits = tag(table.salt) == self.code.tag
        if named and self._name is not None and not fits:
            self.shut = table.table_name
        return fits and (named or self.typed is not None)

    def able(self, table: Announcement) -> bool:
        """Whether it can be joined."""
        allowed = self.code is not None if table.private else self._also_open
        return allowed and self.meant(table) and table.seats_taken < table.seats

    def answered(self, heard: list[Announcement]) -> bool:
        """Whether there is no need to listen much longer: a table can be joined, or one of that name cannot."""
        named = self._name is not None and self.typed is None
        return any(map(self.able, heard)) or (named and bool(heard))


async def _listen(wish: _Wish, patience: float) -> tuple[list[Announcement], str]:
    """The tables that can be meant, and why none can be heard, if so."""
    heard: list[Announcement] = []
    async with browse() as browser:
        with trio.move_on_after(patience) as waiting:
            async for tables in browser:
                heard = [one for one in tables.values() if wish.meant(one)]
                if wish.answered(heard):
                    waiting.deadline = min(waiting.deadline, trio.current_time() + SETTLE)
        return heard, browser.problem


async def _machine(where: str) -> Address:
    """The machine of that name or address. Errors: NotAnAddress, NoSuchTable."""
    try:
        address = parse_address(where, DEFAULT_PORT)
    except ValueError as error:
        raise NotAnAddress(why=error) from error
    with trio.move_on_after(LOOK_UP):
        try:
            await trio.socket.getaddrinfo(*address)
        except (OSError, UnicodeError) as error:
            raise NoSuchTable(name=where) from error
    return address


async def _unheard(where: str | None, wish: _Wish, seconds: str, problem: str) -> Place:
    """Nothing was heard: perhaps it is the name of a machine. Errors: why it is not."""
    if where is not None and wish.code is None and looks_like_code(where):
        raise MistypedCode(code=where)
    if problem:
        raise NoInterface(why=problem)
    if wish.shut:
        raise OtherCode(where=wish.shut)
    if wish.code is not None and (where is None or wish.typed):
        raise NoSuchCode(tag=wish.code.tag, seconds=seconds)
    if where is not None and " " not in where:
        return Place([await _machine(where)], code=wish.code)
    raise NoTable(seconds=seconds, port=DEFAULT_PORT)
