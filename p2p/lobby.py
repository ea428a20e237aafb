"""Forming a table: who sits where, and the contract that all sign.

For: the node, until there is a contract with every signature. Never: IO, a contract without the bytes that this seat
drew for it, or one that differs from what people were shown before they agreed.

Theory of operation: the host keeps the list of seats and tells every change. When the list is full each seat draws
fresh bytes, the host writes the contract, each seat signs it, and the host gives everybody all signatures; from then on
the host is a peer like any other. What is said meanwhile goes to the host, who passes it on with the number of the
speaker's place. Whoever goes in between takes that attempt along: the seat is free again, and what was drawn or signed
is forgotten. A signature under a contract that never became complete opens nothing.

    host     SEATING --full--> DRAWING --all fresh--> SIGNING --all signatures--> formed
    guest    sends join        answers draw           answers contract            begin: formed
             any of the host's states --somebody goes--> SEATING
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from engines.registry import BadTable, options
from protocol import limits, messages
from protocol.contract import FRESH_BYTES, Contract, SeatEntry, draft, parse
from protocol.errors import Malformed, Refused
from protocol.identity import Identity, check_public, verify
from protocol.messages import Address

from . import talk
from .door import Rejected
from .link import LinkClosed


class Line(Protocol):
    """What a lobby needs of a link."""

    peer: bytes

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message."""


Barred = Callable[[str, bytes], str]
"""What somebody with this identity key is called who is excluded from this game here; "" for all others."""


class BadCompany(Refused):
    """Somebody is seated with whom this profile does not play."""


def _nobody(game: str, key: bytes) -> str:
    return ""


@dataclass(frozen=True)
class Plan:
    """The table that the host proposes."""

    game: str
    players: int
    options: dict[str, Any]
    label: str


@dataclass(frozen=True)
class Formed:
    """A complete contract, and where each seat can be reached."""

    contract: Contract
    signatures: list[bytes]
    addresses: list[list[Address]]
    seat: int


@dataclass
class Guest:
    """One who has joined."""

    line: Line
    name: str
    addresses: list[Address]
    fresh: bytes = b""
    signature: bytes = b""


@dataclass
class Host:
    """The host's lobby."""

    plan: Plan
    identity: Identity
    name: str
    addresses: list[Address]
    guests: list[Guest] = field(default_factory=list)
    formed: Formed | None = None
    barred: Barred = _nobody
    said: list[tuple[int, str]] = field(default_factory=list)
    """Who said what, by place, to be taken from here."""
    _attempt: int = 0
    _fresh: bytes = b""
    _contract: Contract | None = None

    @property
    def names(self) -> list[str]:
        """Who is here, in seat order."""
        return [self.name, *(guest.name for guest in self.guests)]

    @property
    def keys(self) -> list[bytes]:
        """Their identity keys."""
        return [self.identity.public, *(guest.line.peer for guest in self.guests)]

    @property
    def asked(self) -> tuple[int, str] | None:
        """What all guests have been asked at last, if a table is being formed; never twice the same."""
        return (self._attempt, "contract" if self._contract else "draw") if self._fresh else None

    @property
    def owing(self) -> list[Guest]:
        """Those who have not answered that."""
        waits = self.guests if self._fresh else []
        return [one for one in waits if not (one.signature if self._contract else one.fresh)]

    def receive(self, line: Line, kind: str, content: dict[str, Any]) -> None:
        """A guest's message. Errors: Rejected; Malformed, Refused: that link is at fault."""
        if kind == "join":
            self._join(line, content)
            return
        if kind == "knock":
            raise Rejected("open")
        guest = next((one for one in self.guests if one.line is line), None)
        if guest is None:
            raise Refused(f"a {kind} before a join")
        if kind == "chat":
            self._pass_on(1 + self.guests.index(guest), talk.checked(content["text"]))
        elif kind == "fresh":
            # Late words of an attempt that somebody's leaving ended are nobody's fault.
            if content["attempt"] != self._attempt or not self._fresh or guest.fresh:
                return
            if len(content["fresh"]) != FRESH_BYTES:
                raise Malformed(f"fresh: not {FRESH_BYTES} bytes")
            guest.fresh = content["fresh"]
            if all(one.fresh for one in self.guests):
                self._propose()
        elif kind == "sign":
            if self._contract is None:
                return
            if not verify(line.peer, "contract", self._contract.data, content["signature"]):
                raise Refused("a signature that does not hold")
            guest.signature = content["signature"]
            if all(one.signature for one in self.guests):
                self._begin(self._contract)
        else:
            raise Refused(f"a {kind} has no place in a lobby")

    def say(self, text: str) -> None:
        """To everybody."""
        self._pass_on(0, text)

    def _pass_on(self, place: int, text: str) -> None:
        self.said.append((place, text))
        self._broadcast(messages.make("chat", text=f"{place} {text}"))

    def gone(self, line: Line) -> None:
        """A link has ended; its seat is free again."""
        if self.formed is None and any(guest.line is line for guest in self.guests):
            self.guests = [guest for guest in self.guests if guest.line is not line]
            self._reset()
            self._tell_seats()

    def _join(self, line: Line, content: dict[str, Any]) -> None:
        name, addresses = messages.name(content["name"]), messages.addresses(content["addresses"])
        if line.peer == self.identity.public or any(guest.line.peer == line.peer for guest in self.guests):
            raise Refused("this identity has a seat at the table already")
        if self.barred(self.plan.game, line.peer):
            raise Rejected("excluded")
        if len(self.guests) + 1 >= self.plan.players:
            raise Rejected("full")
        self.guests.append(Guest(line, name, addresses))
        self._tell_seats()
        if len(self.guests) + 1 == self.plan.players:
            self._reset()
            self._fresh = secrets.token_bytes(FRESH_BYTES)
            self._attempt += 1
            self._broadcast(messages.make("draw", attempt=self._attempt))

    def _reset(self) -> None:
        self._fresh, self._contract = b"", None
        for guest in self.guests:
            guest.fresh, guest.signature = b"", b""

    def _propose(self) -> None:
        seats = [SeatEntry(self.name, self.identity.public, self._fresh)]
        seats += [SeatEntry(guest.name, guest.line.peer, guest.fresh) for guest in self.guests]
        self._contract = draft(self.plan.game, self.plan.options, seats, self.plan.label)
        self._broadcast(messages.make("contract", contract=self._contract.data))

    def _begin(self, contract: Contract) -> None:
        signatures = [contract.sign(self.identity), *(guest.signature for guest in self.guests)]
        where = [self.addresses, *(guest.addresses for guest in self.guests)]
        self.formed = Formed(contract, signatures, where, 0)
        self._broadcast(begin(self.formed))

    def _tell_seats(self) -> None:
        entries = [{"name": self.name, "key": self.identity.public}]
        entries += [{"name": guest.name, "key": guest.line.peer} for guest in self.guests]
        plan = self.plan
        self._broadcast(
            messages.make(
                "seats", label=plan.label, game=plan.game, options=plan.options, players=plan.players, seats=entries
            )
        )

    def _broadcast(self, message: dict[str, Any]) -> None:
        for guest in self.guests:
            with suppress(LinkClosed):  # whoever is gone is missed at its own link
                guest.line.send(message)


def begin(formed: Formed) -> dict[str, Any]:
    """The message that opens a table for whoever has a seat at it."""
    return messages.make(
        "begin",
        contract=formed.contract.data,
        signatures=formed.signatures,
        addresses=[messages.plain(one) for one in formed.addresses],
    )


@dataclass
class Visitor:
    """A guest's lobby. `seen(table id)`: whether this profile has met that table before. Who is `barred` is nobody's
    host here, and shares no contract; while others only wait at the same table, they do not drive a guest away."""

    identity: Identity
    name: str
    addresses: list[Address]
    seen: Callable[[bytes], bool]
    plan: Plan | None = None
    names: list[str] = field(default_factory=list)
    keys: list[bytes] = field(default_factory=list)
    formed: Formed | None = None
    barred: Barred = _nobody
    said: list[tuple[int, str]] = field(default_factory=list)
    """See Host."""
    _fresh: bytes = b""
    _contract: Contract | None = None
    _host: Line | None = None

    def greet(self, host: Line) -> None:
        """Ask for a seat."""
        self._host = host
        where = messages.plain(self.addresses)
        host.send(messages.make("join", name=self.name, addresses=where))

    def say(self, text: str) -> None:
        """To everybody, once there is a seat; it comes back from the host."""
        if self._host is not None and self.names:
            with suppress(LinkClosed):  # that the host is gone is told elsewhere
                self._host.send(messages.make("chat", text=text))

    def receive(self, host: Line, kind: str, content: dict[str, Any]) -> None:
        """A message of the host; or of another seat, which knows the contract earlier and begins.

        Errors: Malformed, Refused (BadCompany), BadTable: whoever sent it cannot be played with.
        """
        if host is not self._host and kind != "begin":
            raise Refused("this table is closed to strangers")
        if kind == "seats":
            self._seats(content)
        elif kind == "chat":
            place, _, text = content["text"].partition(" ")
            if place not in map(str, range(len(self.names))):
                raise Malformed("chat: somebody without a seat")
            self.said.append((int(place), talk.checked(text)))
        elif kind == "draw":
            self._fresh, self._contract = secrets.token_bytes(FRESH_BYTES), None
            host.send(messages.make("fresh", attempt=content["attempt"], fresh=self._fresh))
        elif kind == "contract":
            self._contract = self._agreed(parse(content["contract"]))
            self._fresh = b""  # what was drawn for one contract is good for no other
            host.send(messages.make("sign", signature=self._contract.sign(self.identity)))
        elif kind == "begin":
            if self._contract is None or content["contract"] != self._contract.data:
                raise Refused("another contract begins than the one that was signed")
            self.formed = read_begin(content, self.identity.public)
        else:
            raise Refused(f"a {kind} has no place in a lobby")

    def _seats(self, content: dict[str, Any]) -> None:
        names, keys = [], []
        if len(content["seats"]) > min(content["players"], limits.MAX_SEATS):
            raise Malformed("seats: more than there are")
        for entry in content["seats"]:
            if not isinstance(entry, dict) or entry.keys() != {"name", "key"}:
                raise Malformed("seats: a seat has a name and a key")
            names.append(messages.name(entry["name"]))
            keys.append(check_public(entry["key"]))
        if self.identity.public not in keys:
            raise Refused("the host gives this seat to nobody here")
        plan = Plan(content["game"], content["players"], content["options"], messages.name(content["label"]))
        if options(plan.game, plan.players, plan.options) != plan.options:
            raise BadTable("the host's options are not complete")
        if self.plan is not None and plan != self.plan:
            raise Refused("the host has changed the table since it was joined")
        self.plan, self.names, self.keys = plan, names, keys
        self._fresh, self._contract = b"", None
        self._avoid(keys[:1])

    def _avoid(self, keys: Iterable[bytes]) -> None:
        """Not with these, if they are excluded from the game here. Errors: BadCompany."""
        for name, key in zip(self.names, keys, strict=False):
            if self.plan and (called := self.barred(self.plan.game, key)):
                raise BadCompany(f"{name}, {called},")

    def _agreed(self, contract: Contract) -> Contract:
        """The contract, if it is the one that this seat was shown. Errors: Refused."""
        plan = Plan(contract.game, len(contract.seats), contract.options, contract.label)
        seats = [(one.name, one.key) for one in contract.seats]
        if plan != self.plan or seats != list(zip(self.names, self.keys, strict=True)):
            raise Refused("the contract is not for the table that was shown")
        mine = next(one for one in contract.seats if one.key == self.identity.public)
        if not self._fresh or mine.fresh != self._fresh:
            raise Refused("the contract lacks the bytes that this seat has just drawn")
        if self.seen(contract.table):
            raise Refused("a contract for a table that was played before")
        self._avoid(self.keys)
        return contract


def read_begin(content: dict[str, Any], key: bytes) -> Formed:
    """A foreign `begin`, for the seat with this identity key. Errors: ProtocolError."""
    contract = parse(content["contract"])
    contract.check_signatures(content["signatures"])
    seat = next((index for index, one in enumerate(contract.seats) if one.key == key), None)
    if seat is None:
        raise Refused("a table without a seat for this identity")
    if len(content["addresses"]) != len(contract.seats):
        raise Malformed("begin: not one list of addresses a seat")
    where = [messages.addresses(one) for one in content["addresses"]]
    return Formed(contract, content["signatures"], where, seat)
