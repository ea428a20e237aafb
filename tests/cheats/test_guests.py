"""Guests that do not play by the rules, before an honest host.

Theory: a seat belongs to the identity at the other end of its link, one seat to each; a signature counts under the
contract of this attempt only. What is late because an attempt has ended is nobody's fault.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2p.door import Rejected
from p2p.lobby import Host, read_begin
from protocol import codec, messages
from protocol.contract import draft, parse
from protocol.errors import Malformed, Refused
from protocol.identity import Identity

from .test_lobby import GUEST, HOST, PLAN, THIRD, Wire


class Door:
    """An honest host, and guests that send what they like."""

    def __init__(self, players: int = 3) -> None:
        self.host = Host(replace(PLAN, players=players), HOST, "Ada", [])
        self.wires = {one.public: Wire(one.public) for one in (GUEST, THIRD)}

    def say(self, who: Identity, kind: str, **content: Any) -> None:
        wire = self.wires.setdefault(who.public, Wire(who.public))
        self.host.receive(wire, *messages.parse(codec.decode(codec.encode(messages.make(kind, **content)))))

    def join(self, who: Identity) -> None:
        self.say(who, "join", name="Guest", addresses=[])

    def full(self) -> None:
        self.join(GUEST)
        self.join(THIRD)

    def drawn(self) -> bytes:
        """All draw; the contract."""
        for who in (GUEST, THIRD):
            self.say(who, "fresh", attempt=self.wires[who.public].last("draw")["attempt"], fresh=who.public)
        contract = self.wires[GUEST.public].last("contract")["contract"]
        assert isinstance(contract, bytes)
        return contract


def test_the_honest_guests_get_a_table() -> None:
    door = Door()
    door.full()
    contract = parse(door.drawn())
    for who in (GUEST, THIRD):
        door.say(who, "sign", signature=contract.sign(who))
    assert door.host.formed is not None
    for index, who in enumerate((GUEST, THIRD), start=1):
        began = door.wires[who.public].last("begin")
        del began["t"]
        assert read_begin(began, who.public).seat == index


def test_another_tables_signature_for_this_one() -> None:
    door = Door()
    door.full()
    contract = parse(door.drawn())
    other = draft(contract.game, contract.options, contract.seats, "another table")
    for signature in (
        other.sign(GUEST),
        contract.sign(THIRD),
        b"",
        bytes(64),
        GUEST.sign("contribution", contract.data),
    ):
        with pytest.raises(Refused, match="does not hold"):
            door.say(GUEST, "sign", signature=signature)
    assert door.host.formed is None


def test_one_identity_in_two_seats() -> None:
    door = Door()
    door.join(GUEST)
    again = Wire(GUEST.public)
    with pytest.raises(Refused, match="a seat at the table already"):
        door.host.receive(again, "join", {"name": "Twin", "addresses": []})
    with pytest.raises(Refused, match="a seat at the table already"):
        door.join(HOST)
    assert door.host.names == ["Ada", "Guest"]


def test_words_out_of_place() -> None:
    door = Door()
    for kind, content in (("fresh", {"attempt": 1, "fresh": bytes(32)}), ("sign", {"signature": b""})):
        with pytest.raises(Refused, match="before a join"):
            door.say(GUEST, kind, **content)
    door.full()
    for kind in ("seed", "leave", "want", "seats"):
        shape = {
            name: {int: 0, bytes: b"", str: "", list: [], dict: {}}[kind_]
            for name, kind_ in messages.SHAPES[kind].items()
        }
        with pytest.raises(Refused, match="no place in a lobby"):
            door.say(GUEST, kind, **shape)
    with pytest.raises(Malformed, match="not 32 bytes"):
        door.say(GUEST, "fresh", attempt=1, fresh=b"short")
    with pytest.raises(Rejected, match="full"):
        door.join(Identity(bytes([7]) * 32))
    assert door.host.formed is None


def test_late_words_of_an_attempt_that_has_ended_are_nobodys_fault() -> None:
    door = Door()
    door.full()
    door.drawn()
    door.host.gone(door.wires[THIRD.public])
    door.say(GUEST, "sign", signature=b"of an attempt that is over")
    door.say(GUEST, "fresh", attempt=1, fresh=bytes(32))
    door.join(THIRD)
    contract = parse(door.drawn())
    assert [seat.fresh for seat in contract.seats[1:]] == [GUEST.public, THIRD.public]
    for who in (GUEST, THIRD):
        door.say(who, "sign", signature=contract.sign(who))
    assert door.host.formed is not None
