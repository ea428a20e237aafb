"""From what was typed after `join` to a table, with whatever the network says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2p import find as module
from p2p.announcement import Announcement, new_instance
from p2p.door import ALPHABET, Code, new_code
from p2p.errors import (
    MistypedCode,
    NeedsCode,
    NetworkError,
    NoInterface,
    NoSuchCode,
    NoSuchTable,
    NoTable,
    OtherCode,
    SeveralTables,
    TableFull,
)
from p2p.find import DEFAULT_PORT, PATIENCE, SETTLE, Place, code_of, find
from protocol.identity import fingerprint

pytestmark = pytest.mark.trio

SALT = bytes(range(16))
CODE = new_code(SALT)
OTHER_CODE = new_code(bytes(16))
numbers = count(1)


def table(name: str = "Attic", **changes: Any) -> Announcement:
    number = next(numbers)
    plain = Announcement(name, "fungi", 1, 2, False, fingerprint(bytes(32)), bytes(16), 4000 + number)
    return replace(plain, addresses=(f"10.0.0.{number}",), instance=new_instance(), **changes)


OPEN = table()
KITCHEN = table("Kitchen")
PRIVATE = table("Attic 2", private=True, salt=SALT)
FALSE = table("Cellar", private=True, salt=SALT)
FULL = table("Garden", seats_taken=2)
FULL_PRIVATE = table("Attic 2", seats_taken=2, private=True, salt=SALT)


class Heard:
    """A browser that hears one more table after each `step` seconds."""

    def __init__(self, tables: list[Announcement], problem: str, step: float) -> None:
        self.problem = problem
        self._tables = tables
        self._step = step
        self._told = 0

    def __aiter__(self) -> Heard:
        return self

    async def __anext__(self) -> dict[str, Announcement]:
        await trio.sleep(self._step if self._told < len(self._tables) else float("inf"))
        self._told += 1
        return {one.instance: one for one in self._tables[: self._told]}


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What there is to be heard."""

    def there_is(*tables: Announcement, problem: str = "", step: float = 0.1) -> None:
        @asynccontextmanager
        async def browse() -> AsyncIterator[Heard]:
            yield Heard(list(tables), problem, step)

        monkeypatch.setattr(module, "browse", browse)

    there_is()
    return there_is


def at(place: Place) -> tuple[list[tuple[str, int]], Code | None]:
    return place.addresses, place.code


def address(one: Announcement) -> list[tuple[str, int]]:
    return [(one.addresses[0], one.port)]


async def test_addresses_need_no_network(network: Any) -> None:
    assert at(await find("10.0.0.7:4711")) == ([("10.0.0.7", 4711)], None)
    assert at(await find("[fe80::1%eth0]", CODE)) == ([("fe80::1%eth0", DEFAULT_PORT)], CODE)


async def test_the_only_open_table(network: Any, autojump_clock: MockClock) -> None:
    network(PRIVATE, FULL, OPEN)
    began = trio.current_time()
    assert at(await find(None)) == (address(OPEN), None)
    assert trio.current_time() - began == pytest.approx(0.3 + SETTLE)


async def test_by_name(network: Any, autojump_clock: MockClock) -> None:
    network(OPEN, KITCHEN, FULL)
    assert at(await find(" KITCHEN")) == (address(KITCHEN), None)


async def test_several_open_ones(network: Any, autojump_clock: MockClock) -> None:
    network(OPEN, KITCHEN, PRIVATE)
    with pytest.raises(SeveralTables, match="Attic, Kitchen"):
        await find(None)


async def test_two_hosts_who_chose_one_name(network: Any, autojump_clock: MockClock) -> None:
    there, here = replace(OPEN, addresses=("10.0.0.7",)), replace(OPEN, addresses=("fe80::9%eth0",), instance="p2p-9")
    network(there, here, KITCHEN)
    with pytest.raises(SeveralTables) as caught:
        await find(OPEN.table_name)
    assert f"{OPEN.table_name} (10.0.0.7:{OPEN.port})" in str(caught.value)
    assert f"{OPEN.table_name} ([fe80::9%eth0]:{OPEN.port})" in str(caught.value)
    assert "Kitchen" not in str(caught.value)


@pytest.mark.parametrize(
    "typed", [str(CODE), str(CODE).lower(), CODE.letters, str(CODE).replace("-", " "), f" {CODE} "]
)
async def test_by_code(network: Any, autojump_clock: MockClock, typed: str) -> None:
    network(OPEN, FULL_PRIVATE, table(private=True), PRIVATE)
    assert at(await find(typed)) == (address(PRIVATE), CODE)
    assert at(await find(None, code_of(typed))) == (address(PRIVATE), CODE)


async def test_by_name_and_code(network: Any, autojump_clock: MockClock) -> None:
    network(FALSE, PRIVATE, OPEN)
    place = await find("attic 2", CODE)
    assert at(place) == (address(PRIVATE), CODE)
    assert place.others == []


async def test_all_tables_with_that_tag_are_to_be_tried_but_not_any_number(
    network: Any, autojump_clock: MockClock
) -> None:
    network(FALSE, PRIVATE)
    assert (await find(str(CODE))).others == [address(PRIVATE)]
    network(*(table(private=True, salt=SALT) for _ in range(50)), step=0.0)
    assert len((await find(str(CODE))).others) == module.DOORS - 1


async def test_a_code_finds_no_open_table_that_claims_its_tag(network: Any, autojump_clock: MockClock) -> None:
    network(table(salt=SALT))
    with pytest.raises(NoSuchCode, match=CODE.tag):
        await find(str(CODE))
    with pytest.raises(NoSuchCode):
        await find(None, CODE)


async def test_a_name_that_reads_like_a_code(network: Any, autojump_clock: MockClock) -> None:
    named = table(str(CODE))
    network(named)
    assert at(await find(str(CODE))) == (address(named), None)


@pytest.mark.parametrize(
    ("tables", "where", "code", "error"),
    [
        ([], None, None, NoTable),
        ([FULL], None, None, NoTable),
        ([], "no such table", None, NoTable),
        ([], str(CODE), None, NoSuchCode),
        ([], None, CODE, NoSuchCode),
        ([OPEN], None, CODE, NoSuchCode),
        ([FULL_PRIVATE], str(CODE), None, TableFull),
        ([FULL], "garden", None, TableFull),
        ([PRIVATE], None, None, NeedsCode),
        ([PRIVATE], "attic 2", None, NeedsCode),
        ([PRIVATE], "attic 2", OTHER_CODE, OtherCode),
    ],
)
async def test_what_cannot_be_joined(
    network: Any,
    autojump_clock: MockClock,
    tables: list[Announcement],
    where: str | None,
    code: Code | None,
    error: type[NetworkError],
) -> None:
    network(*tables)
    began = trio.current_time()
    with pytest.raises(error) as caught:
        await find(where, code)
    took = (
        0.1 + SETTLE if tables and where in ("garden", "attic 2") and code is None else PATIENCE
    )  # a table of that name is there
    assert trio.current_time() - began == pytest.approx(took)
    assert caught.value.exit_code == 3
    assert CODE.letters[4:] not in str(caught.value).replace("-", "")


async def test_a_slip_in_a_code_is_told_and_nothing_sent(network: Any, autojump_clock: MockClock) -> None:
    network(PRIVATE)
    slips = [letter + CODE.letters[1:] for letter in ALPHABET if letter != CODE.letters[0]]
    for typed in slips[:3]:
        with pytest.raises(MistypedCode, match="Wrong code"):
            await find(typed)
        with pytest.raises(MistypedCode):
            code_of(typed)


async def test_a_word_may_be_a_machine(network: Any, autojump_clock: MockClock) -> None:
    assert at(await find("kitchen-pc")) == ([("kitchen-pc", DEFAULT_PORT)], None)
    assert at(await find("kitchen-pc", CODE)) == ([("kitchen-pc", DEFAULT_PORT)], CODE)


@pytest.mark.parametrize("where", ["🎲", "x" * 64])
async def test_a_word_may_be_nothing_that_a_machine_can_be_called(
    network: Any, autojump_clock: MockClock, where: str
) -> None:
    network()
    with pytest.raises(NoSuchTable, match=where):
        await find(where)


@pytest.mark.parametrize(("where", "code"), [(None, None), ("attic", None), (str(CODE), None), (None, CODE)])
async def test_no_network_is_said(
    network: Any, autojump_clock: MockClock, where: str | None, code: Code | None
) -> None:
    network(problem="no network interface is up")
    with pytest.raises(NoInterface, match="no network interface is up"):
        await find(where, code)
