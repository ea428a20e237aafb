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
    a leave stands where a seat owes a body         unchanged         Left: it owes nothing from this round on

After ENDED nothing is made, answered or revealed any more. Outcomes of jobs may come in any order. A body may be made
ahead, from one that is still being checked (Salted ceremonies); it waits for that verdict, and if it is a bad one or
the round ends otherwise, nobody ever sees it. So the chain is the same with and without. What my own seat has
signed before (a restart from an old backup) arrives like anything else and is adopted; nothing is signed beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from . import codec, limits
from .ahead import Ahead
from .ceremony import Body, Ceremony, Context, Salted
from .contract import Contract
from .contribution import Contribution, next_hash, parse, sign, start_hash
from .decisions import ASK
from .effects import Arrival, Astray, Chained, Done, Effect, Fault, Fork, Job, Left, Outcome, Publish, State
from .errors import Misuse, ProtocolError, Refused
from .identity import Identity
from .leaving import LEAVE, Departures
from .secrets import Secrets


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
    `departures`: judges seats that leave; without it none may.
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
        departures: Departures | None = None,
    ) -> None:
        contract.check_signatures(signatures)
        self.contract = contract
        self.seat = seat
        self.mute = mute
        self.state = State.IDLE
        self.prev = start_hash(contract, signatures)
        self.chain: list[list[Contribution]] = []
        self.checks = 0
        self._departures = departures
        self._leaving = False
        self._identity = identity
        self._secrets = secrets
        self._seeds = dict(seeds or {})
        self._ceremony: Ceremony | None = None
        self._step = -1
        self._round = 0
        self._open = _Round(())
        self._ahead: Ahead | None = None
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
        return not self.mute and self.seat in self.waiting_for() and not self._signed_before()

    def _signed_before(self) -> bool:
        """Whether I have signed something for this place that is not to be had, and would not sign the same again: a
        restart from an old backup, and of what I said then only something for a later place has come back."""
        if self.seat is None or (*self.place, self.seat) in self._stray:
            return True
        ceremony = self._running()
        other = ceremony.kind == ASK or isinstance(ceremony, Salted)
        return other and any(self.seat in there for there in self._early.values())

    @property
    def busy(self) -> bool:
        """Whether something is being made or checked."""
        return bool(self._jobs)

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

    @property
    def early(self) -> list[Contribution]:
        """What is kept until its place comes, in order."""
        return [there[seat] for _, there in sorted(self._early.items()) for seat in sorted(there)]

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

    def leave(self) -> None:
        """Sign a leave in the next place where something is due of me; from then on nothing is. Errors: Misuse."""
        if self._departures is None or self._secrets is None:
            raise Misuse("a listener cannot leave")
        self._leaving = True
        if self.state is State.RUNNING:
            self._contribute()

    def stop(self) -> None:
        """The table was abandoned: nothing is made, taken in or answered any more."""
        self.state, self._ceremony = State.ENDED, None

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

    def receive(self, data: bytes, parsed: Contribution | None = None) -> Arrival:
        """Bytes from outside, and what `parse` made of them if that is known already. Errors: ProtocolError for bytes
        that are the deliverer's fault, not the seat's."""
        if self.state is State.ENDED:
            return Arrival.DROPPED
        if data in self._seen:
            return Arrival.KNOWN  # before its signature costs anything: in a full mesh most of what arrives is this
        item = parsed or parse(self.contract, data)
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
        # What is due here, what is late, and what rests on this very history and is due elsewhere.
        for place in sorted(place for place in self._early if place <= self.place or self._rests_here(place)):
            for item in self._early.pop(place).values():
                self._early_bytes[item.seat] -= len(item.data)
                self._seen.discard(item.data)
                if self.state is State.RUNNING and self._place(item) is Arrival.NEW:
                    self._seen.add(item.data)
        if self.state is not State.RUNNING:
            return  # one of these has ended the table
        if not self._open.owed:
            self._close_round()  # whoever would have owed something has left
            return
        self._contribute()

    def _rests_here(self, place: tuple[int, int]) -> bool:
        return any(item.prev == self.prev for item in self._early[place].values())

    def speak(self) -> None:
        """From now on sign what is due."""
        self.mute = False
        if self.state is State.RUNNING:
            self._contribute()

    def _contribute(self) -> None:
        """Make my body for the open round, if one is due and is not for a person to decide; or leave instead."""
        if not self.due or self._secrets is None:
            return
        kind = self._running().kind
        if self._leaving and self._departures and self._departures.possible(kind):
            self._publish(self._departures.make(self._secrets), LEAVE)
        elif kind != ASK:
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

        ahead, self._ahead = self._ahead, None
        if ahead is None or ahead.prev != self.prev:
            self._job(make, made)
            return
        ahead.then(lambda body: self._job(make, made) if body is None else made(body))

    def _foresee(self, item: Contribution) -> None:
        """While a body is checked, make mine for the round that comes after it if it holds; until then it is kept."""
        ceremony, secrets, place = self._running(), self._secrets, (self._step, self._round + 1)
        alone = item.kind == ceremony.kind and self._open.owed == (item.seat,)
        if not alone or not isinstance(ceremony, Salted) or secrets is None or self.mute or self._leaving:
            return
        if self.seat is None or ceremony.owes(place[1]) != (self.seat,) or (*place, self.seat) in self._stray:
            return
        self._ahead = ahead = Ahead(next_hash(self.prev, [item]))
        context, foresee = Context(self.contract.table, ahead.prev, *place, self.seat), ceremony.foresee

        def make() -> Body | None:
            try:
                return foresee(context, secrets, {item.seat: item.body})
            except (ProtocolError, Misuse):
                return None  # the check says what is wrong with it

        self._job(make, ahead.made)

    def _publish(self, body: Body, kind: str = "") -> None:
        if self.seat is None or self._identity is None:
            raise Misuse("a listener signs nothing")
        kind = kind or self._running().kind
        item = sign(self.contract, self._identity, self.place, self.seat, kind, body, self.prev)
        self._open.arrived[self.seat] = item
        self._seen.add(item.data)
        self._effects.append(Publish(item))
        self._verdict(item.seat)

    def _arrive(self, item: Contribution) -> Arrival:
        ceremony = self._running()
        if item.prev != self.prev or item.seat not in self._open.owed:
            return self._misplaced(item)
        leaves = self._departures if item.kind == LEAVE else None
        if item.kind != ceremony.kind and not (leaves and leaves.possible(ceremony.kind)):
            self._end(Fault(item.seat, f"a {item.kind} where a {ceremony.kind} is due", item))
            return Arrival.NEW
        self._open.arrived[item.seat] = item
        context, seeds, then = self._context(item.seat), self._seeds.get(item.seat), ceremony.snapshot()

        def check() -> None:
            if leaves:
                leaves.check(item.seat, item.body)
                return
            then.check(context, item.body)
            if seeds is None or then.kind == ASK:
                return
            again = then.again(context, seeds, item.body) if isinstance(then, Salted) else then.make(context, seeds)
            if codec.encode(again) != codec.repack(item.body):
                raise Refused(f"a {then.kind} that does not follow from the revealed seed")

        def checked(outcome: Outcome) -> None:
            if isinstance(outcome, ProtocolError):
                self._end(Fault(item.seat, str(outcome), item))
            else:
                self.checks += 1
                self._verdict(item.seat)

        self._job(check, checked, can_wait=item.kind != ASK)
        self._foresee(item)
        return Arrival.NEW

    def _job(
        self, run: Callable[[], Body | None], settle: Callable[[Outcome], None], *, can_wait: bool = False
    ) -> None:
        self._job_ids += 1
        self._jobs[self._job_ids] = settle
        self._effects.append(Job(self._job_ids, run, can_wait))

    def _verdict(self, seat: int) -> None:
        """One more contribution of the open round holds; with the last one the round enters the chain."""
        self._open.checked.add(seat)
        if len(self._open.checked) == len(self._open.owed):
            self._close_round()

    def _close_round(self) -> None:
        ceremony = self._running()
        round_ = [self._open.arrived[one] for one in self._open.owed]
        try:
            for item in round_:
                if item.kind == LEAVE and self._departures:
                    self._departures.accept(item.seat, item.body)
                    self._effects.append(Left(item.seat))
            bodies = {item.seat: item.body for item in round_ if item.kind != LEAVE}
            ceremony.accept(self._round, bodies, self.prev)
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
