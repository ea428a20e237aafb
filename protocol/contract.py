"""The contract: what every seat signs before anything is dealt; its hash is the table's name everywhere.

For: agreeing on game, options, seats and order. Never: judging options (the engines know those) or trusting a contract
that lacks the bytes which this seat has just drawn.

A contract is the canonical encoding of {protocol, game, options, seats: [{name, key, fresh}, …], label}; `label` is
what people call the table. The table id is BLAKE2b-256 of it. Each seat signs the whole encoding in the context
"contract".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from . import codec, limits
from .errors import Malformed, Refused
from .group import point
from .hashing import PROTOCOL, hash32
from .identity import Identity, verify

FRESH_BYTES = 32


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """One seat: what people call it, its identity key, and 32 bytes that it drew for this table."""

    name: str
    key: bytes
    fresh: bytes


@dataclass(frozen=True, slots=True)
class Contract:
    """A parsed contract. `data` is its one encoding, `table` its id."""

    game: str
    options: dict[str, Any]
    seats: tuple[SeatEntry, ...]
    label: str
    data: bytes
    table: bytes

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, in seat order: no two of them the same."""
        return told_apart([seat.name for seat in self.seats])

    def sign(self, identity: Identity) -> bytes:
        """This identity's signature under the contract."""
        return identity.sign("contract", self.data)

    def check_signatures(self, signatures: Sequence[object]) -> None:
        """All seats' signatures, in seat order. Errors: Malformed (not one a seat); Refused, naming the seat."""
        if len(signatures) != len(self.seats):
            raise Malformed("the contract has not one signature a seat")
        for index, (seat, signature) in enumerate(zip(self.seats, signatures, strict=True)):
            if not isinstance(signature, bytes) or not verify(seat.key, "contract", self.data, signature):
                raise Refused(f"seat {index + 1} did not sign this contract")


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, with a number behind each that a reader would take for one before it: "Ana", "ANA (2)"."""
    found: dict[str, str] = {}
    for name in names:
        shown = name
        for number in count(2):
            if unicodedata.normalize("NFKC", shown).casefold() not in found:
                break
            shown = f"{name} ({number})"
        found[unicodedata.normalize("NFKC", shown).casefold()] = shown
    return tuple(found.values())


def draft(game: str, options: dict[str, Any], seats: Sequence[SeatEntry], label: str) -> Contract:
    """Write a contract. Errors: Malformed or Refused, as `parse`."""
    entries = [{"name": seat.name, "key": seat.key, "fresh": seat.fresh} for seat in seats]
    value: dict[str, Any] = {
        "protocol": PROTOCOL,
        "game": game,
        "options": options,
        "seats": entries,
        "label": label,
    }
    return parse(codec.encode(value))


def parse(data: bytes) -> Contract:
    """Read a foreign contract. Errors: Malformed for its form; Refused for a bad key, or a seat that is there twice."""
    value = codec.fields(codec.decode(data), "contract", protocol=int, game=str, options=dict, seats=list, label=str)
    if value["protocol"] != PROTOCOL:
        raise Refused(f"the contract is for protocol version {value['protocol']}, this program speaks {PROTOCOL}")
    if not 2 <= len(value["seats"]) <= limits.MAX_SEATS:
        raise Malformed(f"the contract has {len(value['seats'])} seats, 2 to {limits.MAX_SEATS} are possible")
    seats = []
    for entry in value["seats"]:
        codec.fields(entry, "seat", name=str, key=bytes, fresh=bytes)
        if len(entry["fresh"]) != FRESH_BYTES:
            raise Malformed(f"a seat's fresh bytes are not {FRESH_BYTES}")
        if len(entry["name"].encode()) > limits.NAME_BYTES:
            raise Malformed(f"a seat's name is longer than {limits.NAME_BYTES} bytes")
        seats.append(SeatEntry(entry["name"], bytes(point(entry["key"], "identity key")), entry["fresh"]))
    if len({seat.key for seat in seats}) != len(seats):
        raise Refused("the contract names one identity twice")
    if len(value["game"].encode()) > limits.NAME_BYTES or len(value["label"].encode()) > limits.NAME_BYTES:
        raise Malformed(f"the name of the game or table is longer than {limits.NAME_BYTES} bytes")
    for key, option in value["options"].items():
        if type(option) not in (int, str):  # True is 1 to Python, but not to whoever reads the contract
            raise Malformed(f"option {key!r:.40} is neither a number nor text")
    return Contract(
        value["game"], value["options"], tuple(seats), value["label"], data, hash32("p2pgame contract", data)
    )
