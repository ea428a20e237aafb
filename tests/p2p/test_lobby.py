"""Forming a table: every order of coming and going leads to one contract, and no message leads anywhere else.

Theory: host and guests are state machines that speak through links; here links are lists. What honest ones say arrives
in any order between different links and in order on each. What others say is a well-shaped message with anything in it:
the answer is a refusal of one of the kinds that are listed, or nothing, and never a table that not all have agreed to.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.registry import BadTable, options
from p2p.door import Rejected
from p2p.lobby import Formed, Host, Plan, Visitor, begin, read_begin
from protocol import codec, messages
from protocol.contract import parse
from protocol.errors import Malformed, Refused
from protocol.identity import Identity

from ..protocol.values import touched, values

Message = dict[str, Any]
PEOPLE = [Identity(bytes([n]) * 32) for n in range(1, 8)]
KINDS = ("join", "fresh", "sign", "seats", "draw", "contract", "begin", "seed", "leave", "knock", "item", "chat")
REFUSALS = (Rejected, Malformed, Refused, BadTable)


def plan(players: int) -> Plan:
    return Plan("maamut", players, options("maamut", players, {}), "Attic")


@dataclass
class Wire:
    """One end of a link: what is sent waits there."""

    peer: bytes
    sent: list[Message] = field(default_factory=list)

    def send(self, message: Message) -> None:
        self.sent.append(codec.decode(codec.encode(message)))


class Parlour:
    """A host, and people who come and go."""

    def __init__(self, players: int) -> None:
        self.host = Host(plan(players), PEOPLE[0], "Ana", [("10.0.0.1", 4000)])
        self.guests: dict[int, tuple[Visitor, Wire, Wire]] = {}

    def come(self, who: int, name: str = "") -> None:
        """Somebody links up and asks for a seat."""
        there, back = Wire(PEOPLE[who].public), Wire(PEOPLE[0].public)
        visitor = Visitor(PEOPLE[who], name or f"P{who}", [(f"10.0.0.{who}", 4000)], lambda table: False)
        self.guests[who] = (visitor, there, back)
        visitor.greet(back)

    def go(self, who: int) -> None:
        """Somebody's link ends, with whatever was still on its way."""
        _, there, _ = self.guests.pop(who)
        self.host.gone(there)

    def deliver(self, rng: random.Random) -> bool:
        """One message, the oldest of some link in some direction; False if there is none."""
        ways: list[Callable[[], None]] = []
        for visitor, there, back in self.guests.values():
            if back.sent:
                ways.append(lambda line=there, box=back: self.host.receive(line, *messages.parse(box.sent.pop(0))))  # type: ignore[misc]
            if there.sent:
                ways.append(lambda v=visitor, box=there, line=back: v.receive(line, *messages.parse(box.sent.pop(0))))  # type: ignore[misc]
        if ways:
            rng.choice(ways)()
        return bool(ways)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_gets_the_same_table(players: int) -> None:
    for seed in range(8):
        parlour, rng = Parlour(players), random.Random(seed)
        for who in range(1, players):
            parlour.come(who)
        while parlour.deliver(rng):
            pass
        formed = [parlour.host.formed, *(visitor.formed for visitor, _, _ in parlour.guests.values())]
        assert all(one is not None for one in formed)
        tables = [one for one in formed if one is not None]
        assert {one.contract.data for one in tables} == {tables[0].contract.data}
        assert all(one.signatures == tables[0].signatures for one in tables)
        assert sorted(one.seat for one in tables) == list(range(players))
        assert all(one.addresses == tables[0].addresses for one in tables)
        assert tables[0].contract.seats[0].key == PEOPLE[0].public


def test_two_of_one_name_are_told_apart() -> None:
    parlour, rng = Parlour(3), random.Random(1)
    for who in (1, 2):
        parlour.come(who, "Ana")
    while parlour.deliver(rng):
        pass
    assert parlour.host.formed is not None
    assert parlour.host.formed.contract.names == ("Ana", "Ana (2)", "Ana (3)")


def test_what_is_said_comes_to_everybody_from_the_host() -> None:
    parlour, rng = Parlour(4), random.Random(1)
    for who in (1, 2):
        parlour.come(who)
    while parlour.deliver(rng):
        pass
    parlour.host.say("welcome")
    second = next(who for who, (visitor, _, _) in parlour.guests.items() if parlour.host.names[2] == visitor.name)
    parlour.guests[second][0].say("3 cheers")
    while parlour.deliver(rng):
        pass
    for visitor, _, _ in parlour.guests.values():
        assert visitor.said == [(0, "welcome"), (2, "3 cheers")]
    assert parlour.host.said == [(0, "welcome"), (2, "3 cheers")]


@pytest.mark.parametrize("text", ["", "hello", "3 hello", "-1 hello", "١ hello", " 1 hello", "1 " + "x" * 1025])
def test_talk_of_somebody_without_a_seat_is_refused(text: str) -> None:
    parlour = Parlour(4)
    parlour.come(1)
    while parlour.deliver(random.Random(1)):
        pass
    visitor, _, back = parlour.guests[1]
    with pytest.raises(Malformed):
        visitor.receive(back, "chat", {"text": text})
    assert visitor.said == []


@pytest.mark.parametrize("seed", range(12))
def test_people_who_come_and_go_do_not_keep_the_others_from_playing(seed: int) -> None:
    """What was drawn and signed with one who left is forgotten; with whoever stays a table is formed in the end."""
    rng, parlour = random.Random(seed), Parlour(3)
    for _ in range(60):
        here = list(parlour.guests)
        absent = [who for who in range(1, 5) if who not in parlour.guests]
        if parlour.host.formed is None and here and rng.random() < 0.2:
            parlour.go(rng.choice(here))
        elif len(here) < 2 and absent:
            parlour.come(rng.choice(absent))
        else:
            parlour.deliver(rng)
    while parlour.host.formed is None or parlour.deliver(rng):
        absent = [who for who in range(1, 5) if who not in parlour.guests]
        if len(parlour.guests) < 2:
            parlour.come(rng.choice(absent))
        parlour.deliver(rng)
    table = parlour.host.formed
    table.contract.check_signatures(table.signatures)
    for visitor, _, _ in parlour.guests.values():
        assert visitor.formed is not None
        assert visitor.formed.contract == table.contract
        assert visitor.formed.signatures == table.signatures


def sound(host: Host) -> None:
    """What holds of a host at every moment."""
    keys = [host.identity.public, *(guest.line.peer for guest in host.guests)]
    assert len(set(keys)) == len(keys) <= host.plan.players
    if host.formed is not None:
        host.formed.contract.check_signatures(host.formed.signatures)
        assert [seat.key for seat in host.formed.contract.seats] == keys


SHAPES: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(-1, 9),
    bytes: st.binary(max_size=33),
    str: st.text(max_size=5),
    list: st.lists(values, max_size=3),
    dict: st.dictionaries(st.text(max_size=5), values, max_size=2),
}


def something(data: st.DataObject, known: list[Message]) -> tuple[str, Message] | None:
    """Anything of some kind, or a message that was seen, perhaps with a change; if it would come through a link."""
    kind = data.draw(st.sampled_from(KINDS))
    seen = [message for message in known if message["t"] == kind]
    if not seen or data.draw(st.booleans()):
        shape = messages.SHAPES[kind]
        return said(messages.make(kind, **{name: data.draw(SHAPES[of]) for name, of in shape.items()}))
    message = data.draw(st.sampled_from(seen))
    return said(message if data.draw(st.booleans()) else data.draw(touched(message)))


def said(message: Any) -> tuple[str, Message] | None:
    """As it would come through a link, if it would."""
    try:
        return messages.parse(message)
    except Malformed:
        return None


@settings(max_examples=80)
@given(st.data())
def test_a_host_takes_anything(data: st.DataObject) -> None:
    """Beside two who want to play there are others, who say anything: the host refuses, and the two get their table."""
    parlour, rng = Parlour(3), random.Random(data.draw(st.integers(0, 9)))
    strangers = [Wire(PEOPLE[who].public) for who in (5, 6)] + [Wire(PEOPLE[0].public)]
    known: list[Message] = []
    for _ in range(data.draw(st.integers(1, 12))):
        line = data.draw(st.sampled_from(strangers))
        saying = something(data, known)
        if saying is None:
            continue
        try:
            parlour.host.receive(line, *saying)
        except REFUSALS:
            parlour.host.gone(line)
        known += line.sent
        sound(parlour.host)
    assert parlour.host.formed is None
    for line in strangers:
        parlour.host.gone(line)
    for who in (1, 2):
        parlour.come(who)
    while parlour.deliver(rng):
        sound(parlour.host)
    assert parlour.host.formed is not None


def test_more_people_than_seats_are_not_shown() -> None:
    visitor, line = Visitor(PEOPLE[1], "Bea", [], lambda table: False), Wire(PEOPLE[0].public)
    visitor.greet(line)
    entries = [{"name": f"P{number}", "key": one.public} for number, one in enumerate(PEOPLE[:3])]
    content = {"label": "Attic", "game": "maamut", "options": options("maamut", 2, {}), "players": 2}
    visitor.receive(line, "seats", {**content, "seats": entries[:2]})
    with pytest.raises(Malformed, match="more than there are"):
        visitor.receive(line, "seats", {**content, "seats": entries})
    assert visitor.names == ["P0", "P1"]


@settings(max_examples=150)
@given(st.data())
def test_a_guest_takes_anything(data: st.DataObject) -> None:
    """It signs only what it was shown, with the bytes that it drew last, and begins only what it signed."""
    me, line = PEOPLE[1], Wire(PEOPLE[0].public)
    visitor = Visitor(me, "Bea", [], lambda table: False)
    visitor.greet(line)
    honest = Parlour(2)
    honest.come(1)
    rng = random.Random(1)
    known: list[Message] = []
    while honest.deliver(rng):
        known += [message for message in honest.guests[1][1].sent if message not in known]
    for _ in range(data.draw(st.integers(1, 10))):
        saying, before, fresh = something(data, known), len(line.sent), visitor._fresh
        if saying is None:
            continue
        try:
            visitor.receive(line, *saying)
        except REFUSALS:
            assert len(line.sent) == before, "refused, and answered all the same"
            continue
        for answer in line.sent[before:]:
            if answer["t"] == "sign":
                contract = parse(saying[1]["contract"])
                assert answer["signature"] == contract.sign(me)
                assert fresh in [seat.fresh for seat in contract.seats]
                assert list(contract.names) == visitor.names
        if visitor.formed is not None:
            visitor.formed.contract.check_signatures(visitor.formed.signatures)
            return
    # The host of `honest` signed for another drawing of the same guest, so nothing of it begins here.
    assert visitor.formed is None


def test_a_begin_is_read_as_it_was_written() -> None:
    parlour, rng = Parlour(3), random.Random(4)
    for who in (1, 2):
        parlour.come(who)
    while parlour.deliver(rng):
        pass
    formed = parlour.host.formed
    assert formed is not None
    told = messages.parse(codec.decode(codec.encode(begin(formed))))[1]
    for seat in range(3):
        assert read_begin(told, PEOPLE[seat].public) == Formed(
            formed.contract, formed.signatures, formed.addresses, seat
        )


@settings(max_examples=150)
@given(st.data())
def test_a_touched_begin_opens_the_same_table_or_none(data: st.DataObject) -> None:
    parlour, rng = Parlour(2), random.Random(4)
    parlour.come(1)
    while parlour.deliver(rng):
        pass
    formed = parlour.host.formed
    assert formed is not None
    saying = said(data.draw(touched(codec.decode(codec.encode(begin(formed))))))
    if saying is None or saying[0] != "begin":
        return
    try:
        read = read_begin(saying[1], PEOPLE[1].public)
    except (Malformed, Refused):
        return
    assert read.contract == formed.contract
    assert read.signatures == formed.signatures
    assert read.seat == 1
