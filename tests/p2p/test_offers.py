"""What announced tables offer."""

from __future__ import annotations

from dataclasses import replace

from p2p.announcement import OPTION_BYTES, Announcement
from p2p.offers import distinct, hindrance, in_brief
from protocol.hashing import PROTOCOL

HOST = "ABCD-EFGH-IJKL-MNOP"
TABLE = Announcement("Attic", "maamut", 1, 3, False, HOST, bytes(16), 4711)


def test_what_keeps_one_from_joining() -> None:
    assert hindrance(TABLE) == ""
    assert hindrance(replace(TABLE, private=True)) == ""
    assert hindrance(replace(TABLE, seats_taken=3)) == "full"
    assert hindrance(replace(TABLE, seats_taken=3, table=HOST)) == "being played"
    assert hindrance(replace(TABLE, seats_taken=3, version=PROTOCOL + 1)) == f"version {PROTOCOL + 1}, not {PROTOCOL}"


def test_a_running_table_is_one_whoever_tells_of_it() -> None:
    running = [replace(TABLE, seats_taken=3, instance=f"p2p-{number:012x}", table=HOST) for number in range(3)]
    waiting = [replace(TABLE, instance=f"p2p-{number:012x}") for number in range(5, 7)]
    other = replace(TABLE, seats_taken=3, table="OTHR-EFGH-IJKL-MNOP")
    assert distinct([*running, *waiting, other]) == [running[0], *waiting, other]


def test_options_in_brief() -> None:
    assert in_brief("maamut", {"rounds": 100}) == ""
    assert in_brief("maamut", {"rounds": 7}) == "rounds 7"
    assert in_brief("amnesia", {"mode": "turbo", "rounds": 30, "reaction": 9}) == "mode turbo, reaction 9"
    assert len(in_brief("amnesia", {"forfeit": "é" * 200}).encode()) <= OPTION_BYTES
