"""A table's session: steps and rounds of signed contributions on one hash chain, the same for every seat.

For: a live seat, a peer that only listens, and the audit. Never: an opinion on cards (ceremonies have it), a clock, a
thread, a socket; nothing is used, chained or answered before its verdict.

Theory of operation. The owner begins one ceremony after the other; each has rounds, each round seats that owe one
contribution. What arrives goes through, in this order: form and signature (a failure is the fault of the link that
delivered it), place (past: compared with the chain; far ahead: dropped; ahead: kept in a bounded buffer), `prev`, turn
and kind, and a check that runs as a job. A `prev` of our own chain leads to one place only; whoever signs anything else
on it, or without owing it, is out of turn and named. Only when every contribution of a round is checked does the round
enter the chain, in seat order, and the next begin.

    what happens                                    state becomes     effect
    begin(ceremony)                                 RUNNING           my body is made (Job), early ones are checked
    my body is made, or decide(body)                RUNNING           Publish: durable first, then sent
    last body of the last round is checked          IDLE              Done(ceremony)
    a seat's body does not check, at our `prev`     ENDED             Fault: that seat, named
    a seat signed two things for one place          ENDED             Fork: both, which prove it
    a contribution with a `prev` that we never had  unchanged         Astray: nobody is named, histories are compared

After ENDED nothing is made, answered or revealed any more. Outcomes of jobs may come in any order. What my own seat has
signed before (a restart from an old backup) arrives like anything else and is adopted; nothing is signed beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from . import codec, limits
from .ceremony import Body, Ceremony, Context
from .contract import Contract
from .contribution import Contribution, next_hash, parse, sign, start_hash
from .errors import Malformed, Misuse, ProtocolError, Refused
from .identity import Identity
from .secrets import Secrets

ASK = "ask"


class State(Enum):
    """Where a session is."""

    IDLE = "idle"
    RUNNING = "running"
    ENDED = "ended"


class Arrival(Enum):
    """What became of bytes that arrived."""

    NEW = "new"  # worth passing on
    KNOWN = "known"
    DROPPED = "dropped"  # too far ahead, or after the end


@dataclass(frozen=True, slots=True)
class Job:
    """Work for a thread: `run()` returns, or raises ProtocolError; the outcome comes back through `done`."""

    id: int
    run: Callable[[], Body | None]


@dataclass(frozen=True, slots=True)
class Publish:
    """My contribution: write it down, fsync, then send it to everybody."""

    contribution: Contribution


@dataclass(frozen=True, slots=True)
class Chained:
    """A round is complete and stands in the chain."""

    round: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """A ceremony is complete; its results can be read."""

    ceremony: Ceremony


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat signed something, on the history that we share, which does not hold. `seat` None: a whole round does not,
    and it cannot be told whose fault that is."""

    seat: int | None
    reason: str
    contribution: Contribution


@dataclass(frozen=True, slots=True)
class Fork:
    """A seat signed two different things for the same place."""

    seat: int
    first: Contribution
    second: Contribution


@dataclass(frozen=True, slots=True)
class Astray:
    """A contribution rests on another history than ours: compare histories with whoever sent it."""

    contribution: Contribution


Outcome = Body | ProtocolError | None
"""What a job returned (a body that was made, None for a check) or raised."""
Effect = Job | Publish | Chained | Done | Fault | Fork | Astray


class Decisions:
    """The ceremony of an Ask: each seat asked says one thing, in one round. `judge(seat, body)` -> "" or why not."""

    kind = ASK
    rounds = 1

    def __init__(self, seats: Iterable[int], judge: Callable[[int, Body], str]) -> None:
        self._seats = tuple(sorted(seats))
        self._judge = judge
        self.result: dict[int, Body] = {}

    def owes(self, round: int) -> tuple[int, ...]:
        """The seats asked."""
        return self._seats

    def make(self, context: Context, secrets: Secrets) -> Body:
        """Errors: Misuse; a decision is a person's, it comes through `Session.decide`."""
        raise Misuse("a decision cannot be derived")

    def check(self, context: Context, body: object) -> None:
        """The rules' verdict. Errors: Malformed, Refused."""
        if not isinstance(body, dict):
            raise Malformed("a decision that is no map")
        why = self._judge(context.seat, body)
        if why:
            raise Refused(why)

    def accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        """Keep the decisions."""
        self.result = dict(bodies)


@dataclass
class _Round:
    """The round that is open: what arrived, and which of it has its verdict."""

    owed: tuple[int, ...]
    arrived: dict[int, Contribution] = field(default_factory=dict)
    checked: set[int] = field(default_factory=set)


class Session:
    """One table as one seat (or, with `seat` None, a listener) sees it.

    `seeds`: revealed secrets by seat; with them every body that is no decision is also derived again and compared.
    `mute`: sign nothing until `speak`; a seat that comes back learns first what it has signed already.
    """

    def __init__(
        self,
        contract: Contract,
        signatures: list[bytes],
        *,
        seat: int | None = None,
        identity: Identity | None = None,
        secrets: Secrets | None = None,
        seeds: Mapping[int, Secrets] | None = None,
        mute: bool = False,
    ) -> None:
        contract.check_signatures(signatures)
        self.contract = contract
        self.seat = seat
        self.mute = mute
        self.state = State.IDLE
        self.prev = start_hash(contract, signatures)
        self.chain: list[list[Contribution]] = []
        self.checks = 0
        self._identity = identity
        self._secrets = secrets
        self._seeds = dict(seeds or {})
        self._ceremony: Ceremony | None = None
        self._step = -1
        self._round = 0
        self._open = _Round(())
        self._chained: dict[tuple[int, int], int] = {}
        self._places: dict[bytes, tuple[int, int]] = {}
        self._early: dict[tuple[int, int], dict[int, Contribution]] = {}
        self._early_bytes = [0] * len(contract.seats)
        self._stray: dict[tuple[int, int, int], Contribution] = {}
        self._jobs: dict[int, Callable[[Outcome], None]] = {}
        self._job_ids = 0
        self._seen: set[bytes] = set()
        self._effects: list[Effect] = []

    # -- what others may ask ---------------------------------------------------------------------------------------

    @property
    def place(self) -> tuple[int, int]:
        """The (step, round) that is open, or was last."""
        return self._step, self._round

    def take(self) -> list[Effect]:
        """The effects since the last call, in order."""
        effects, self._effects = self._effects, []
        return effects

    def waiting_for(self) -> tuple[int, ...]:
        """The seats whose contribution to the open round has not arrived."""
        if self.state is not State.RUNNING:
            return ()
        return tuple(seat for seat in self._open.owed if seat not in self._open.arrived)

    @property
    def due(self) -> bool:
        """Whether my seat owes something that it may sign: it is not mute, and has signed nothing for this place, on
        any history."""
        signed = self.seat is not None and (*self.place, self.seat) in self._stray
        return not self.mute and not signed and self.seat in self.waiting_for()

    def got(self) -> tuple[int, ...]:
        """The seats whose contribution to the open round has arrived."""
        return tuple(sorted(self._open.arrived))

    def checked(self) -> list[Contribution]:
        """What has arrived for the open round and holds, in seat order."""
        return [self._open.arrived[seat] for seat in sorted(self._open.checked)]

    def since(self, rounds: int) -> list[Contribution]:
        """Everything after the first `rounds` rounds of the chain, then what arrived for the open one."""
        chained = [item for round_ in self.chain[rounds:] for item in round_]
        return chained + [self._open.arrived[seat] for seat in sorted(self._open.arrived)]

    # -- driving ---------------------------------------------------------------------------------------------------

    def begin(self, ceremony: Ceremony) -> None:
        """Start the next step. Errors: Misuse unless IDLE."""
        if self.state is not State.IDLE:
            raise Misuse(f"a step cannot begin while the session is {self.state.value}")
        self.state = State.RUNNING
        self._ceremony = ceremony
        self._step += 1
        self._round = 0
        self._start_round()

    def decide(self, body: Body) -> None:
        """My answer to the open Ask. Errors: Misuse if none is due; Refused if the rules do not allow it, and then
        nothing has happened."""
        ceremony = self._running()
        if ceremony.kind != ASK or self.seat is None or not self.due:
            raise Misuse("no decision of this seat is due")
        ceremony.check(self._context(self.seat), body)
        self._publish(body)

    def condemn(self, fault: Fault) -> None:
        """The owner has found that something in the chain does not hold (a decision, once its cards were open)."""
        self._end(fault)

    def done(self, job: int, outcome: Outcome) -> None:
        """A job has ended: what it returned, or the ProtocolError that it raised. Errors: Misuse (no such job)."""
        try:
            settle = self._jobs.pop(job)
        except KeyError:
            raise Misuse(f"there is no job {job}") from None
        if self.state is not State.ENDED:
            settle(outcome)

    def receive(self, data: bytes) -> Arrival:
        """Bytes from outside. Errors: ProtocolError for bytes that are the deliverer's fault, not the seat's."""
        if self.state is State.ENDED:
            return Arrival.DROPPED
        if data in self._seen:
            return Arrival.KNOWN  # before its signature costs anything: in a full mesh most of what arrives is this
        item = parse(self.contract, data)
        other = self._at(item)
        if other is not None:
            if other.data == item.data:
                return Arrival.KNOWN
            self._end(Fork(item.seat, other, item))
            return Arrival.NEW
        arrival = self._place(item)
        if arrival is Arrival.NEW:
            self._seen.add(data)
        return arrival

    def _place(self, item: Contribution) -> Arrival:
        if self.state is State.RUNNING and item.place == self.place:
            return self._arrive(item)
        if item.place < self.place or item.prev in self._places:
            return self._misplaced(item)
        return self._keep_early(item)

    # -- places ----------------------------------------------------------------------------------------------------

    def _at(self, item: Contribution) -> Contribution | None:
        """What we have of the same seat for the same place."""
        if item.place in self._chained:
            round_ = self.chain[self._chained[item.place]]
            found = next((old for old in round_ if old.seat == item.seat), None)
        elif self.state is State.RUNNING and item.place == self.place:
            found = self._open.arrived.get(item.seat)
        else:
            found = self._early.get(item.place, {}).get(item.seat)
        return found or self._stray.get((*item.place, item.seat))

    def _keep_early(self, item: Contribution) -> Arrival:
        if item.step > self._step + limits.AHEAD_STEPS:
            return Arrival.DROPPED
        if self._early_bytes[item.seat] + len(item.data) > limits.AHEAD_BYTES:
            return Arrival.DROPPED
        self._early_bytes[item.seat] += len(item.data)
        self._early.setdefault(item.place, {})[item.seat] = item
        return Arrival.NEW

    def _misplaced(self, item: Contribution) -> Arrival:
        """It is due nowhere: on our own history that is its seat's fault; on another one it may have been due."""
        if item.prev in self._places:
            self._end(Fault(item.seat, f"a {item.kind} out of turn", item))
            return Arrival.NEW
        if sum(seat == item.seat for _, _, seat in self._stray) >= limits.STRAYS:
            return Arrival.DROPPED
        self._stray[(*item.place, item.seat)] = item
        self._effects.append(Astray(item))
        return Arrival.NEW

    # -- rounds ----------------------------------------------------------------------------------------------------

    def _running(self) -> Ceremony:
        if self._ceremony is None or self.state is not State.RUNNING:
            raise Misuse("no step is open")
        return self._ceremony

    def _context(self, seat: int) -> Context:
        return Context(self.contract.table, self.prev, self._step, self._round, seat)

    def _start_round(self) -> None:
        ceremony = self._running()
        self._open = _Round(ceremony.owes(self._round))
        self._places[self.prev] = self.place
        for place in sorted(place for place in self._early if place <= self.place):
            for item in self._early.pop(place).values():
                self._early_bytes[item.seat] -= len(item.data)
                self._seen.discard(item.data)
                if self.state is State.RUNNING and self._place(item) is Arrival.NEW:
                    self._seen.add(item.data)
        self._contribute()

    def speak(self) -> None:
        """From now on sign what is due."""
        self.mute = False
        if self.state is State.RUNNING:
            self._contribute()

    def _contribute(self) -> None:
        """Make my body for the open round, if one is due and is not for a person to decide."""
        if self.due and self._secrets is not None and self._running().kind != ASK:
            self._make()

    def _make(self) -> None:
        ceremony, secrets, place = self._running(), self._secrets, self.place
        if self.seat is None or secrets is None:
            raise Misuse("a listener makes nothing")
        context = self._context(self.seat)
        trouble: list[Misuse] = []

        def make() -> Body | None:
            try:
                return ceremony.make(context, secrets)
            except Misuse as error:
                trouble.append(error)
                return None

        def made(outcome: Outcome) -> None:
            # Another copy of me may have said it already (a restart from an old backup); that one counts, and the
            # ceremony may be in its next round, where this could not be made any more.
            if self.place != place or not self.due:
                return
            if not isinstance(outcome, dict):
                raise Misuse(f"my own {ceremony.kind} could not be made: {trouble or outcome}")
            self._publish(outcome)

        self._job(make, made)

    def _publish(self, body: Body) -> None:
        if self.seat is None or self._identity is None:
            raise Misuse("a listener signs nothing")
        kind = self._running().kind
        item = sign(self.contract, self._identity, self.place, self.seat, kind, body, self.prev)
        self._open.arrived[self.seat] = item
        self._effects.append(Publish(item))
        self._verdict(item.seat)

    def _arrive(self, item: Contribution) -> Arrival:
        ceremony = self._running()
        if item.prev != self.prev or item.seat not in self._open.owed:
            return self._misplaced(item)
        if item.kind != ceremony.kind:
            self._end(Fault(item.seat, f"a {item.kind} where a {ceremony.kind} is due", item))
            return Arrival.NEW
        self._open.arrived[item.seat] = item
        context, seeds = self._context(item.seat), self._seeds.get(item.seat)

        def check() -> None:
            ceremony.check(context, item.body)
            if seeds is None or ceremony.kind == ASK:
                return
            if codec.encode(ceremony.make(context, seeds)) != codec.encode(item.body):
                raise Refused(f"a {ceremony.kind} that does not follow from the revealed seed")

        def checked(outcome: Outcome) -> None:
            if isinstance(outcome, ProtocolError):
                self._end(Fault(item.seat, str(outcome), item))
            else:
                self.checks += 1
                self._verdict(item.seat)

        self._job(check, checked)
        return Arrival.NEW

    def _job(self, run: Callable[[], Body | None], settle: Callable[[Outcome], None]) -> None:
        self._job_ids += 1
        self._jobs[self._job_ids] = settle
        self._effects.append(Job(self._job_ids, run))

    def _verdict(self, seat: int) -> None:
        """One more contribution of the open round holds; with the last one the round enters the chain."""
        self._open.checked.add(seat)
        if len(self._open.checked) < len(self._open.owed):
            return
        ceremony = self._running()
        round_ = [self._open.arrived[one] for one in self._open.owed]
        try:
            ceremony.accept(self._round, {item.seat: item.body for item in round_}, self.prev)
        except Refused as error:
            # Each part holds but not the whole (two equal keys): no single seat can be shown to be at fault.
            self._end(Fault(None, str(error), round_[-1]))
            return
        self.prev = next_hash(self.prev, round_)
        self._chained[self.place] = len(self.chain)
        self.chain.append(round_)
        self._effects.append(Chained(tuple(round_)))
        self._round += 1
        if self._round < ceremony.rounds:
            self._start_round()
        else:
            self.state, self._ceremony, self._open = State.IDLE, None, _Round(())
            self._effects.append(Done(ceremony))

    def _end(self, why: Fault | Fork) -> None:
        self.state = State.ENDED
        self._ceremony = None
        self._effects.append(why)
