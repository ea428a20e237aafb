"""Three seats with a contract, and ceremonies without cards, for tests of what is signed and where it belongs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Self, TypeVar

from protocol import contribution
from protocol.ceremony import Body, Ceremony, Context
from protocol.contract import Contract, SeatEntry, draft
from protocol.contribution import Contribution
from protocol.effects import Effect, Fault, Fork, Job, Publish, State
from protocol.errors import Misuse, ProtocolError, Refused
from protocol.identity import Identity
from protocol.secrets import Secrets
from protocol.session import Session

IDENTITIES = [Identity(bytes([n]) * 32) for n in (1, 2, 3)]
ENTRIES = [SeatEntry(f"P{n}", one.public, bytes([n]) * 32) for n, one in enumerate(IDENTITIES)]


NOWHERE = bytes(32)
"""The hash of a history that nobody has had."""


@functools.cache
def contract(label: str = "a table") -> Contract:
    return draft("toy", {}, ENTRIES, label)


def signatures(of: Contract | None = None) -> list[bytes]:
    return [(of or contract()).sign(one) for one in IDENTITIES]


def secrets(seat: int) -> Secrets:
    return Secrets(bytes([seat + 1]) * 32, contract().table, seat)


class Say:
    """Everybody who owes it says a word; `bad` is not to be said. Like every ceremony it knows its place."""

    kind = "say"

    def __init__(self, *owes: Iterable[int], whole: str = "") -> None:
        self._owes = [tuple(round_) for round_ in owes or [range(3)]]
        self._whole = whole
        self.heard: list[dict[int, Body]] = []

    @property
    def rounds(self) -> int:
        return len(self._owes)

    def owes(self, round: int) -> tuple[int, ...]:
        return self._owes[round]

    def make(self, context: Context, secrets: Secrets) -> Body:
        self._place(context)
        return word(context.seat)

    def check(self, context: Context, body: object) -> None:
        self._place(context)
        if not isinstance(body, dict) or body.get("word") == "bad":
            raise Refused("that is not to be said")

    def accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        if self._whole:
            raise Refused(self._whole)
        self.heard.append(dict(bodies))

    def snapshot(self) -> Self:
        one = copy(self)
        one.heard = list(self.heard)
        return one

    def _place(self, context: Context) -> None:
        if context.round != len(self.heard):
            raise Misuse(f"round {len(self.heard)} is due")


def word(seat: int) -> Body:
    """What an honest seat says."""
    return {"word": "good", "by": seat}


def session(seat: int | None = 0, **more: object) -> Session:
    """A seat of the table, or a listener."""
    if seat is None:
        return Session(contract(), signatures(), **more)  # type: ignore[arg-type]
    own = {"seat": seat, "identity": IDENTITIES[seat], "secrets": secrets(seat)}
    return Session(contract(), signatures(), **own, **more)  # type: ignore[arg-type]


def says(
    at: Session | tuple[tuple[int, int], bytes], seat: int, body: Body | None = None, kind: str = "say"
) -> Contribution:
    """What a seat says at the place where a session is, or at any place on any history."""
    place, prev = (at.place, at.prev) if isinstance(at, Session) else at
    return contribution.sign(
        contract(), IDENTITIES[seat], place, seat, kind, word(seat) if body is None else body, prev
    )


E = TypeVar("E", bound=Effect)


def effects(of: Session, kind: type[E]) -> list[E]:
    """The effects of one kind since the last look; the others are lost."""
    return [effect for effect in of.take() if isinstance(effect, kind)]


def work(of: Session) -> list[Effect]:
    """Do every job at once; all other effects, in order."""
    rest: list[Effect] = []
    while taken := of.take():
        for effect in taken:
            if isinstance(effect, Job):
                attempt(of, effect)
            else:
                rest.append(effect)
    return rest


def through(one: Session, *seats: int) -> None:
    """What these seats owe to the open round arrives and is checked."""
    for seat in seats:
        one.receive(says(one, seat).data)
    work(one)


def only(one: Session) -> Fault | Fork:
    """The verdict that has ended a session."""
    (verdict,) = [effect for effect in work(one) if isinstance(effect, Fault | Fork)]
    assert one.state is State.ENDED
    return verdict


def ahead_of(one: Session, steps: int, seat: int = 1, size: int = 0) -> Contribution:
    """Something for a later step, whose history is not known here yet."""
    return says(((one.place[0] + steps, 0), NOWHERE), seat, {"word": "x" * size})


def running(seat: int | None = 0, *owes: range) -> Session:
    """A seat in its first round, which has published nothing yet."""
    one = session(seat)
    one.begin(Say(*owes))
    return one


def attempt(of: Session, job: Job) -> None:
    try:
        outcome = job.run()
    except ProtocolError as error:
        of.done(job.id, error)
    else:
        of.done(job.id, outcome)


def meet(sessions: list[Session], ceremony: Callable[[], Ceremony]) -> None:
    """A whole ceremony among sessions that hear each other at once."""
    for one in sessions:
        one.begin(ceremony())
    busy = True
    while busy:
        busy = False
        for one in sessions:
            for effect in work(one):
                busy = True
                if isinstance(effect, Publish):
                    for other in sessions:
                        if other is not one:
                            other.receive(effect.contribution.data)
