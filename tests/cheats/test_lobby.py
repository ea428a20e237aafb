"""Hosts that do not play by the rules, before an honest guest: cheats with contracts, identities and signatures.

Theory: a contract is new to a seat because it contains bytes that this seat has just drawn, and a drawing is good for
one contract. What was shown before is what is signed. A signature under a contract that not all have signed opens
nothing. Here the one side is the product, the other a cheat that writes whatever it likes into the same messages; what
does not hold is the fault of the link, and is refused before anything is signed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from engines.registry import BadTable, options
from p2p.lobby import Plan, Visitor, read_begin
from protocol import codec, messages
from protocol.contract import SeatEntry, draft, parse
from protocol.errors import Malformed, ProtocolError, Refused
from protocol.identity import Identity

HOST, GUEST, THIRD = (Identity(bytes([n]) * 32) for n in (1, 2, 3))
PLAN = Plan("maamut", 3, options("maamut", 3, {}), "Attic")
Message = dict[str, Any]


@dataclass
class Wire:
    """A link that keeps what is sent."""

    peer: bytes
    sent: list[Message] = field(default_factory=list)

    def send(self, message: Message) -> None:
        self.sent.append(codec.decode(codec.encode(message)))

    def last(self, kind: str) -> Message:
        return next(message for message in reversed(self.sent) if message["t"] == kind)


class DishonestHost:
    """A host that follows no rules, before one honest guest."""

    def __init__(self) -> None:
        self.wire = Wire(HOST.public)
        self.seen: set[bytes] = set()
        self.visitor = Visitor(GUEST, "Bea", [("10.0.0.2", 4000)], self.seen.__contains__)
        self.visitor.greet(self.wire)

    def say(self, kind: str, **content: Any) -> None:
        """One message, through the shape check that every message passes."""
        self.visitor.receive(self.wire, *messages.parse(codec.decode(codec.encode(messages.make(kind, **content)))))

    def seats(self, plan: Plan = PLAN, keys: tuple[bytes, ...] = (HOST.public, GUEST.public, THIRD.public)) -> None:
        entries = [{"name": f"P{i}", "key": key} for i, key in enumerate(keys)]
        self.say("seats", label=plan.label, game=plan.game, options=plan.options, players=plan.players, seats=entries)

    def drawn(self) -> bytes:
        """What the guest draws."""
        self.say("draw", attempt=1)
        fresh = self.wire.last("fresh")["fresh"]
        assert isinstance(fresh, bytes)
        return fresh

    def contract(self, fresh: bytes, plan: Plan = PLAN, **changes: Any) -> bytes:
        """The contract for the table that was shown, but for some changes."""
        seats = [
            SeatEntry("P0", HOST.public, changes.get("other", bytes(32))),
            SeatEntry("P1", GUEST.public, fresh),
            SeatEntry("P2", THIRD.public, bytes(32)),
        ]
        seats = changes.get("seats", lambda entries: entries)(seats)
        return draft(plan.game, plan.options, seats, plan.label).data

    def refuses(self, match: str, kind: str, error: type[Exception] = Refused, **content: Any) -> None:
        """The guest refuses, and has signed nothing."""
        signed = sum(message["t"] == "sign" for message in self.wire.sent)
        with pytest.raises(error, match=match):
            self.say(kind, **content)
        assert sum(message["t"] == "sign" for message in self.wire.sent) == signed
        assert self.visitor.formed is None


@pytest.fixture
def host() -> DishonestHost:
    """A host whose guest has been shown the table."""
    made = DishonestHost()
    made.seats()
    return made


def begin_of(data: bytes, signers: tuple[Identity, ...] = (HOST, GUEST, THIRD)) -> Message:
    contract = parse(data)
    return {
        "contract": data,
        "signatures": [contract.sign(one) for one in signers],
        "addresses": [[] for _ in signers],
    }


def test_the_honest_way_is_open(host: DishonestHost) -> None:
    """Otherwise the refusals below would say nothing."""
    data = host.contract(host.drawn())
    host.say("contract", contract=data)
    assert parse(data).sign(GUEST) == host.wire.last("sign")["signature"]
    host.say("begin", **begin_of(data))
    assert host.visitor.formed is not None
    assert host.visitor.formed.seat == 1


def test_a_contract_that_was_played_before(host: DishonestHost) -> None:
    """Even if the bytes were right: an id that this profile has met opens nothing."""
    data = host.contract(host.drawn())
    host.seen.add(parse(data).table)
    host.refuses("played before", "contract", contract=data)


def test_an_old_contract_without_the_bytes_that_were_just_drawn(host: DishonestHost) -> None:
    old = host.contract(host.drawn())
    host.drawn()
    host.refuses("lacks the bytes", "contract", contract=old)


def test_a_contract_before_anything_was_drawn(host: DishonestHost) -> None:
    host.refuses("lacks the bytes", "contract", contract=host.contract(bytes(32)))


def test_one_drawing_for_two_contracts(host: DishonestHost) -> None:
    """Else the host could have two tables signed, and choose later."""
    fresh = host.drawn()
    host.say("contract", contract=host.contract(fresh))
    host.refuses("lacks the bytes", "contract", contract=host.contract(fresh, other=b"\1" * 32))


def test_a_contract_before_the_table_was_shown() -> None:
    made = DishonestHost()
    made.drawn()
    made.refuses(
        "not for the table that was shown", "contract", contract=made.contract(made.wire.last("fresh")["fresh"])
    )


def swapped(entries: list[SeatEntry]) -> list[SeatEntry]:
    return [entries[1], entries[0], *entries[2:]]


def renamed(entries: list[SeatEntry]) -> list[SeatEntry]:
    return [replace(entries[0], name="Somebody"), *entries[1:]]


def replaced(entries: list[SeatEntry]) -> list[SeatEntry]:
    return [*entries[:2], replace(entries[2], key=Identity(bytes([9]) * 32).public)]


def fewer(entries: list[SeatEntry]) -> list[SeatEntry]:
    return entries[:2]


CHANGES: dict[str, dict[str, Any]] = {
    "options": {"plan": replace(PLAN, options={"rounds": 3})},
    "game": {"plan": replace(PLAN, game="fungi")},
    "label": {"plan": replace(PLAN, label="Cellar")},
    "order": {"seats": swapped},
    "name": {"seats": renamed},
    "player": {"seats": replaced},
    "number of players": {"seats": fewer},
}


@pytest.mark.parametrize("what", CHANGES)
def test_another_table_than_the_one_that_was_shown(host: DishonestHost, what: str) -> None:
    data = host.contract(host.drawn(), **CHANGES[what])
    host.refuses("not for the table that was shown", "contract", contract=data)


def test_an_option_that_only_python_takes_for_the_same(host: DishonestHost) -> None:
    """True is 1 to Python, and another table id to everybody."""
    plan = replace(PLAN, options={"rounds": 1})
    made = DishonestHost()
    made.seats(plan)
    value = codec.decode(made.contract(made.drawn(), plan=plan))
    made.refuses("neither", "contract", Malformed, contract=codec.encode({**value, "options": {"rounds": True}}))


def test_the_table_changes_after_it_was_joined(host: DishonestHost) -> None:
    host.refuses(
        "has changed the table",
        "seats",
        label="Attic",
        game="maamut",
        options={"rounds": 3},
        players=3,
        seats=[{"name": "P0", "key": HOST.public}, {"name": "P1", "key": GUEST.public}],
    )


def test_seats_without_the_guest_and_options_that_are_not_whole() -> None:
    made = DishonestHost()
    with pytest.raises(Refused, match="to nobody here"):
        made.seats(keys=(HOST.public, THIRD.public))
    with pytest.raises(BadTable, match="not complete"):
        made.seats(replace(PLAN, options={}))
    with pytest.raises(BadTable, match="no game"):
        made.seats(replace(PLAN, game="poker"))
    assert made.visitor.plan is None


def test_who_comes_in_between_takes_the_contract_along(host: DishonestHost) -> None:
    """What was signed for an attempt that has ended begins nothing."""
    data = host.contract(host.drawn())
    host.say("contract", contract=data)
    host.seats(keys=(HOST.public, GUEST.public))
    host.refuses("another contract begins", "begin", **begin_of(data))


def test_identity_twice(host: DishonestHost) -> None:
    """Whoever held two seats of one identity would see two hands; it is refused in the contract and at the door."""
    fresh = host.drawn()
    entries = [(HOST.public, bytes(32)), (GUEST.public, fresh), (HOST.public, bytes(32))]
    seats = [{"name": f"P{i}", "key": key, "fresh": drawn} for i, (key, drawn) in enumerate(entries)]
    data = codec.encode({"protocol": 1, "game": "maamut", "options": PLAN.options, "seats": seats, "label": "Attic"})
    host.refuses("one identity twice", "contract", contract=data)


BEGINS: dict[str, tuple[Any, str]] = {
    "without a signature": (lambda data: begin_of(data, (HOST, GUEST)), "not one signature a seat"),
    "with one seat's signature for another": (lambda data: begin_of(data, (HOST, GUEST, GUEST)), "seat 3 did not sign"),
    "with signatures of another table": (
        lambda data: {
            **begin_of(data),
            "signatures": begin_of(draft("maamut", {}, seats_of(data), "x").data)["signatures"],
        },
        "seat 1 did not sign",
    ),
    "with no signatures at all": (lambda data: {**begin_of(data), "signatures": [None, 7, "x"]}, "seat 1 did not sign"),
    "with addresses for fewer": (lambda data: {**begin_of(data), "addresses": []}, "one list of addresses a seat"),
    "with addresses that are none": (
        lambda data: {**begin_of(data), "addresses": [[["h", 0]], [], []]},
        "no such host",
    ),
}


def seats_of(data: bytes) -> tuple[SeatEntry, ...]:
    return parse(data).seats


@pytest.mark.parametrize("what", BEGINS)
def test_a_table_begins(host: DishonestHost, what: str) -> None:
    make, match = BEGINS[what]
    data = host.contract(host.drawn())
    host.say("contract", contract=data)
    host.refuses(match, "begin", ProtocolError, **make(data))


def test_another_contract_begins_than_the_one_that_was_signed(host: DishonestHost) -> None:
    fresh = host.drawn()
    host.say("contract", contract=host.contract(fresh))
    host.refuses("another contract begins", "begin", **begin_of(host.contract(fresh, other=b"\1" * 32)))


def test_a_begin_before_anything_was_signed(host: DishonestHost) -> None:
    host.refuses("another contract begins", "begin", **begin_of(host.contract(host.drawn())))


def test_a_begin_for_others() -> None:
    """Whoever has no seat is not taken in, at a table whose signatures are all right."""
    data = DishonestHost().contract(bytes(32))
    with pytest.raises(Refused, match="without a seat"):
        read_begin(begin_of(data), Identity(bytes([9]) * 32).public)
