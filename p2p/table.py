"""One table, replicated: the thin translation between a running game and a session of signed rounds.

For: the live node and the audit, which feed it the same bytes and must come to the same state. Never: IO, a clock, a
thread, an opinion of its own: the engines judge decisions, the protocol judges everything else.

Theory of operation: commitments and keys come first; then each request of the rules becomes a ceremony of the session
and its outcome becomes the answer. The rules' Card handles and the deck's are the same numbers, because both count up
in the order of requests. When the rules are through, every seat closes the table, and only then are seeds revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from engines.menus import Card, Choice, Face, Illegal, Menu
from engines.registry import create
from engines.requests import Ask, Deck, Flip, Open, Promise, Shuffle, Tell, View
from engines.run import IllegalDecision, Run
from protocol import dealing, opening, transcript
from protocol.abandon import Abandoned
from protocol.ceremony import Body, Ceremony
from protocol.contract import Contract
from protocol.contribution import CLOSING, Contribution
from protocol.decisions import ASK, Decisions
from protocol.deck import Deck as Sealed
from protocol.effects import Arrival, Astray, Chained, Done, Fault, Fork, Job, Left, Outcome, Publish, State
from protocol.errors import Misuse, Refused
from protocol.identity import Identity
from protocol.leaving import LEAVE, Departures
from protocol.secrets import Secrets
from protocol.session import Session
from protocol.spread import Spread, inline

from . import ending


@dataclass(frozen=True, slots=True)
class Reveal:
    """All have closed: my seed may be told now."""


@dataclass(frozen=True, slots=True)
class Complete:
    """Every seed is here and fits, and so is the file."""


@dataclass(frozen=True, slots=True)
class Prepare:
    """Work that saves time later, for a thread that has nothing else to do. No need to report its end. `soon`: others
    are at work meanwhile, and then it is needed; else it may wait until nobody waits for anything."""

    run: Callable[[], None]
    soon: bool


Effect = Job | Publish | Chained | Left | Fault | Fork | Astray | Reveal | Complete | Prepare


def _ignore(_: Tell) -> None:
    """Nobody listens."""


class Table:
    """A table as one seat, a listener (`seat` None) or the audit (`seeds`) sees it.

    Errors of the constructor: those of the contract's signatures, and engines.registry.BadTable.
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
        listen: Callable[[Tell], None] = _ignore,
        mute: bool = False,
        spread: Spread = inline,
    ) -> None:
        self.contract = contract
        self.signatures = signatures
        self.seat = seat
        self.seats = len(contract.seats)
        self.game = create(contract.game, self.seats, contract.options)
        self.run: Run | None = None
        self.ended: Fault | Fork | None = None
        self.abandoned: Abandoned | None = None
        self.seeds: dict[int, bytes] = {}
        self.deck = Sealed(contract.table, self.seats, spread)
        self._departures = Departures(self.deck)
        self.session = Session(
            contract,
            signatures,
            seat=seat,
            identity=identity,
            secrets=secrets,
            seeds=seeds,
            mute=mute,
            departures=self._departures,
        )
        self._listen = listen
        self._pool = secrets.pool if secrets else None
        self._prepares = 0
        self._known_seeds = dict(seeds or {})
        if secrets is not None and seat is not None:
            self._known_seeds[seat] = secrets
        self._faces: list[Face] = []
        self._decks: list[range] = []
        self._origin: dict[int, frozenset[int]] = {}
        self._decided: list[Contribution] = []
        self.closed = False
        self._mixed = False
        self._effects: list[Effect] = []
        self.ceremony: Ceremony = opening.Commit(self.deck)
        self._begin(self.ceremony)

    # -- what the owner does ---------------------------------------------------------------------------------------

    def known_seats(self) -> list[int]:
        """The seats of which it is known here what they saw."""
        return sorted(self._known_seeds)

    @property
    def menu(self) -> Menu | None:
        """What my seat has to decide now."""
        pending = self.run.pending if self.run else None
        if isinstance(pending, Ask) and self.seat is not None and self.seat in pending.menus and self.session.due:
            return pending.menus[self.seat]
        return None

    @property
    def decided(self) -> dict[int, Choice]:
        """Decisions of the open Ask that have arrived and hold; of a seat that leaves, what silence counts as."""
        pending = self.run.pending if self.run else None
        if not isinstance(self.ceremony, Decisions) or not isinstance(pending, Ask) or self.ended:
            return {}
        return {
            item.seat: self._choice(item.seat, item.body) if item.kind == ASK else pending.menus[item.seat].lapse
            for item in self.session.checked()
        }

    @property
    def leavers(self) -> set[int]:
        """Seats that have left properly, and those whose leave stands in the open round: nothing is due of them."""
        return {*self.deck.left, *(item.seat for item in self.session.checked() if item.kind == LEAVE)}

    @property
    def deserted(self) -> bool:
        """Fewer than two seats are left, or will be when the open round is complete: the game is given up."""
        return self.seats - len(self.leavers) < 2

    def sealed_by(self) -> int:
        """How many seats have sealed the deck as it is now, or as it is becoming."""
        if isinstance(self.ceremony, dealing.Shuffle) and self.session.state is State.RUNNING:
            return self.session.place[1]
        return self.seats if self._mixed else 0

    @property
    def silent(self) -> bool:
        """Somebody was convicted, or the table abandoned: nothing of ours is said any more, but what shows that."""
        return self.ended is not None or self.abandoned is not None

    @property
    def over_early(self) -> bool:
        """It has no end any more but the one that it has come to."""
        return self.silent or self.deserted

    def take(self) -> list[Effect]:
        """The effects since the last call, in order."""
        self._pump()
        effects, self._effects = self._effects, []
        return effects

    def speak(self) -> None:
        """A seat that came back has learnt what it had signed, and takes part from now on."""
        self.session.speak()
        self._pump()

    def leave(self) -> bool:
        """Leave properly at the next occasion; False if the game cannot go on without this seat."""
        if not self._departures.possible(self.ceremony.kind):
            return False
        self.session.leave()
        self._pump()
        return True

    def choose(self, choice: Choice) -> None:
        """My decision. Errors: Misuse (nothing is asked), Refused (the rules do not allow it; nothing has happened)."""
        self.session.decide({"act": choice.act, "picks": _plain(choice.picks)})
        self._pump()

    def done(self, job: int, outcome: Outcome) -> None:
        """A job has ended."""
        self.session.done(job, outcome)
        self._pump()

    def receive(self, data: bytes, parsed: Contribution | None = None) -> Arrival:
        """A contribution from outside, parsed already or not. Errors: ProtocolError, the deliverer's fault."""
        arrival = self.session.receive(data, parsed)
        self._pump()
        return arrival

    def receive_seed(self, seat: int, master: object) -> bool:
        """A revealed seed; whether it was new. Errors: ProtocolError, the deliverer's fault (seeds are not signed)."""
        if not 0 <= seat < self.seats:
            raise Refused("a seed of a seat that does not exist")
        # Others may have closed before the last closing reached us, so a seed that fits is kept for then.
        if seat in self.seeds or seat in self.leavers or not self.deck.commitments or self.over_early:
            return False
        self.seeds[seat] = transcript.check_seed(self.contract, self.deck.commitments, seat, master)
        self._completed()
        return True

    def _completed(self) -> None:
        if self.closed and set(self.deck.serving) <= set(self.seeds):
            self._effects.append(Complete())

    def result(self) -> dict[str, Any]:
        """The game's result as it is signed in the closings. Errors: Misuse before the end."""
        result = self.run.result if self.run else None
        if result is None:
            raise Misuse("the game is not over")
        return {"winners": list(result.winners), "scores": list(result.scores), "reason": result.reason}

    def file(self) -> bytes:
        """The transcript as far as it is complete; see ending.py."""
        return ending.file(self)

    def abandon(self, given: Abandoned) -> None:
        """Those present have agreed to end it here. Nothing is signed or revealed any more."""
        self.abandoned = given
        self.session.stop()

    # -- the session's effects -------------------------------------------------------------------------------------

    def _pump(self) -> None:
        for effect in self.session.take():
            if isinstance(effect, Done):
                self._complete(effect.ceremony)
            elif isinstance(effect, Fault | Fork):
                self.ended = effect
                self._effects.append(effect)
            else:
                self._effects.append(effect)

    def _complete(self, ceremony: Ceremony) -> None:
        """A ceremony is through: give its outcome to the rules, and begin the next."""
        if self.deserted:
            self.session.stop()
            return
        run = self.run
        if isinstance(ceremony, opening.Commit):
            self._begin(opening.Keys(self.deck))
            return
        if ceremony.kind == CLOSING:
            self.closed = True
            if self.seat is not None:
                self._effects.append(Reveal())
            self._completed()
            return
        try:
            if run is None:
                self.run = run = Run(self.game, self._listen)
            else:
                run.answer(self._answer(run, ceremony))
        except IllegalDecision as illegal:
            guilty = next(item for item in self._decided if item.seat == illegal.seat)
            self.session.condemn(Fault(illegal.seat, f"a decision against the rules: {illegal}", guilty))
            return
        while isinstance(run.pending, Deck):
            self._fresh(run.pending)
            run.answer(None)
        self._begin(transcript.Closing(self.deck.serving, self.result()) if run.finished else self._ceremony(run))

    def _begin(self, ceremony: Ceremony) -> None:
        self.ceremony = ceremony
        if isinstance(ceremony, dealing.Shuffle):
            self._prepares = ceremony.size
            if ceremony.owes(0) != (self.seat,):
                self._prepare(soon=True)  # while others have their turn
        elif isinstance(ceremony, Decisions):
            self._prepare(soon=False)  # while people think: games that shuffle once often do it again
        self.session.begin(ceremony)
        self._pump()

    def _prepare(self, soon: bool) -> None:
        """Work ahead for a pass over as many cards as in the last one, unless that is done."""
        pool, n, joint = self._pool, self._prepares, self.deck.joint
        if pool and n and not pool.ready(n, joint):
            self._effects.append(Prepare(partial(pool.prepare, n, joint, self.deck.spread), soon))

    # -- requests into ceremonies, outcomes into answers -----------------------------------------------------------

    def _fresh(self, request: Deck) -> None:
        handles = self.deck.fresh(len(request.faces))
        first = len(self._faces)
        self._faces.extend(request.faces)
        self._decks.append(range(first, len(self._faces)))
        self._origin.update(dict.fromkeys(handles, frozenset({len(self._decks) - 1})))

    def _ceremony(self, run: Run) -> Ceremony:
        request = run.pending
        if isinstance(request, Ask):
            return Decisions((seat for seat in request.menus if seat not in self.deck.left), self._judge)
        if isinstance(request, Flip):
            return opening.Flip(self.deck)
        if isinstance(request, Shuffle):
            return dealing.Shuffle(self.deck, request.cards, keep=request.keep)
        if isinstance(request, View):
            return dealing.View(self.deck, request.looks)
        if isinstance(request, Open):
            return dealing.Open(self.deck, run.closed(request))
        if isinstance(request, Promise):
            decks = frozenset[int]().union(*(self._origin[card] for card in request.cards))
            allowed = frozenset(
                j for one in sorted(decks) for j in self._decks[one] if self._faces[j] not in request.never
            )
            return dealing.Promise(self.deck, request.seat, request.cards, allowed)
        raise Misuse(f"a {type(request).__name__} is no ceremony")

    def _judge(self, seat: int, body: Body) -> str:
        try:
            choice = self._choice(seat, body)
        except Illegal as error:
            return str(error)
        return self._running().refusal(seat, choice)

    def _running(self) -> Run:
        if self.run is None:
            raise Misuse("the game has not begun")
        return self.run

    def _choice(self, seat: int, body: Body) -> Choice:
        """A decision as it travelled. Errors: Illegal."""
        pending = self._running().pending
        if not isinstance(pending, Ask) or seat not in pending.menus:
            raise Illegal("nothing is asked of that seat")
        if body.keys() != {"act", "picks"}:
            raise Illegal("a decision has an act and its picks, and nothing else")
        return pending.menus[seat].parse(body["act"], body["picks"])

    def _answer(self, run: Run, ceremony: Ceremony) -> Any:
        request = run.pending
        if isinstance(ceremony, Decisions) and isinstance(request, Ask):
            self._decided = self.session.chain[-1]
            made = {seat: self._choice(seat, body) for seat, body in ceremony.result.items()}
            # Who has left is silent, and silence counts as what the menu says.
            return {seat: made.get(seat, menu.lapse) for seat, menu in request.menus.items()}
        if isinstance(ceremony, opening.Flip):
            return ceremony.result
        if isinstance(ceremony, dealing.Shuffle) and isinstance(request, Shuffle):
            self._mixed = True
            origin = frozenset[int]().union(*(self._origin[card] for card in request.cards))
            self._origin.update(dict.fromkeys(ceremony.result, origin))
            return None
        if isinstance(ceremony, dealing.View) and isinstance(request, View):
            return {
                seat: self._face_of(ceremony.faces(self._known_seeds[seat]))
                for seat in request.looks
                if seat in self._known_seeds and seat not in self.deck.left
            }
        if isinstance(ceremony, dealing.Open):
            return self._face_of(ceremony.result)
        return None

    def _face_of(self, cards: Mapping[int, int]) -> dict[Card, Face]:
        return {Card(handle): self._faces[j] for handle, j in cards.items()}


def _plain(picks: tuple[Any, ...]) -> list[Any]:
    return [list(pick) if isinstance(pick, tuple) else pick for pick in picks]
