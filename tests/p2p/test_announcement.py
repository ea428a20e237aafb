"""Announcements: what goes into a text record, and what garbage in one can do: nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import ServiceInfo

from p2p.announcement import SERVICE, Announcement, new_instance, read, write_text
from protocol import limits
from protocol.errors import Malformed, Misuse
from protocol.identity import fingerprint

TABLE = Announcement("Living room", "fungi", 2, 4, False, fingerprint(bytes(32)), bytes(range(16)), 4711)
TEXT = write_text(TABLE)


def test_there_and_back() -> None:
    found = read(TABLE.instance, TEXT, 4711, ["10.0.0.7", "fe80::1%3", "10.0.0.7"])
    assert found == replace(TABLE, addresses=("10.0.0.7", "fe80::1%3"))


def test_record_as_zeroconf_hands_it_over() -> None:
    info = ServiceInfo(SERVICE, f"{TABLE.instance}.{SERVICE}", port=1, properties=TEXT)
    assert info.text == TEXT
    assert info.decoded_properties["t"] == "Living room"


def test_the_longest_allowed_fits() -> None:
    table = replace(TABLE, table_name="é" * 32, game="x" * 32, seats_taken=limits.MAX_SEATS, seats=limits.MAX_SEATS)
    assert len(write_text(table)) <= 255
    assert read(table.instance, write_text(table), 4711, []).table_name == "é" * 32


@pytest.mark.parametrize(
    "change",
    [
        {"table_name": ""},
        {"table_name": " "},
        {"table_name": "x" * 65},
        {"table_name": "x" * 300},
        {"game": "No Game"},
        {"game": ""},
        {"seats_taken": 5},
        {"seats": 0, "seats_taken": 0},
        {"seats": 9},
        {"host": "x"},
        {"salt": b""},
        {"port": 0},
        {"port": 65536},
        {"version": -1},
        {"instance": "ana"},
        {"instance": "p2p-../../.."},
    ],
)
def test_what_nobody_would_accept_is_not_announced(change: dict[str, object]) -> None:
    with pytest.raises(Misuse):
        write_text(replace(TABLE, **change))  # type: ignore[arg-type]


def item(text: bytes) -> bytes:
    return bytes([len(text)]) + text


def test_unknown_keys_are_passed_over_and_the_first_of_two_counts() -> None:
    text = item(b"future=thing") + item(b"flag") + item(b"") + TEXT + item(b"t=another name")
    assert read(TABLE.instance, text, 4711, []).table_name == "Living room"


def test_another_version_is_still_a_table() -> None:
    assert read(TABLE.instance, TEXT.replace(b"v=1", b"v=7"), 4711, []).version == 7


def test_missing_items_and_wrong_values() -> None:
    for key in (b"v=1", b"g=fungi", b"s=2/4", b"p=0"):
        with pytest.raises(Malformed):
            read(TABLE.instance, TEXT.replace(key, b"y" + key[1:]), 4711, [])
        with pytest.raises(Malformed):
            read(TABLE.instance, TEXT.replace(key, key[:-1] + b"\xff"), 4711, [])
    with pytest.raises(Malformed, match="UTF-8"):
        read(TABLE.instance, TEXT.replace(b"Living", b"\xff\xfe\xfdXYZ"), 4711, [])
    with pytest.raises(Malformed, match="1024"):
        read(TABLE.instance, TEXT + item(b"x" * 255) * 4, 4711, [])
    with pytest.raises(Malformed, match="port"):
        read(TABLE.instance, TEXT, None, [])


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.251", "ff02::fb", "fe80::1", "::ffff:127.0.0.1", "ana.local", ""],
)
def test_addresses_that_cannot_be_another_machines(address: str) -> None:
    assert read(TABLE.instance, TEXT, 4711, [address, "10.0.0.7"]).addresses == ("10.0.0.7",)


def test_loopback_counts_on_loopback_and_the_number_is_capped() -> None:
    assert read(TABLE.instance, TEXT, 4711, ["127.0.0.1"], loopback=True).addresses == ("127.0.0.1",)
    many = [f"10.0.0.{number}" for number in range(100)]
    assert len(read(TABLE.instance, TEXT, 4711, many).addresses) == limits.ADDRESSES


addresses = st.lists(st.one_of(st.text(max_size=20), st.ip_addresses().map(str)), max_size=30)


@given(st.text(max_size=30), st.binary(max_size=1200), st.integers(-1, 70000), addresses)
def test_garbage_is_malformed_or_nothing(instance: str, text: bytes, port: int, hosts: list[str]) -> None:
    for name, record in ((instance, TEXT), (TABLE.instance, text), (TABLE.instance, TEXT + text)):
        try:
            found = read(name, record, port, hosts)
        except Malformed:
            continue
        assert write_text(found)
        assert len(found.addresses) <= limits.ADDRESSES


@given(st.integers(0, len(TEXT) - 1), st.integers(1, 255))
def test_damaged_record_gives_a_sane_announcement_or_none(at: int, change: int) -> None:
    text = bytearray(TEXT)
    text[at] ^= change
    try:
        found = read(TABLE.instance, bytes(text), 4711, [])
    except Malformed:
        return
    assert found.seats_taken <= found.seats <= limits.MAX_SEATS
    assert len(found.table_name.encode()) <= limits.NAME_BYTES
    assert len(found.salt) == 16


def test_instances_are_random() -> None:
    assert new_instance() != new_instance()


def test_a_running_table_tells_which_it_is() -> None:
    table = replace(TABLE, table="ABCD-EFGH-2345-MNOP")
    assert read(table.instance, write_text(table), table.port, ()).table == table.table
    with pytest.raises(Misuse):
        write_text(replace(TABLE, table="somebody's"))


def test_unusual_options_are_told_in_brief() -> None:
    table = replace(TABLE, options="mode turbo")
    assert read(table.instance, write_text(table), table.port, ()) == table
    long = replace(TABLE, options="é" * 100)
    assert read(table.instance, write_text(long), table.port, ()) == long
    with pytest.raises(Misuse):
        write_text(replace(TABLE, options="x" * 300))
    assert read(table.instance, TEXT + b"\x05o=\xff\xfex", table.port, ()).options == "x"
