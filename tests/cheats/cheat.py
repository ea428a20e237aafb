"""A table at which one seat cheats, in one process, with the same bytes that would travel between machines.

For: one test a cheat. Never: a check of its own that the product does not make; what is asserted here is what honest
seats have done, what they keep in their file, and what the audit makes of that file alone.

Theory of operation. `CheatRing` is a `Ring` whose seat `cheat` plays by the rules until a *strike* falls due: its seat
owes a contribution of that kind. Then it sends what the strike makes instead, to all or to each something else, and
from then on nothing more, unless it `goes_on`: then its own table takes up what it has sent. A cheat knows the whole
ring, also what only honest seats can know; whoever withstands that withstands a cheat who knows less.

A short whole game is recorded once; a ring begins just before the strike, with what was signed until then. The recorded
proofs were checked when the game was recorded, so they are not checked again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engines.menus import Choice
from p2p.table import Reveal, Table
from protocol import codec, contribution
from protocol.ceremony import Body, Ceremony, Context
from protocol.contribution import CLOSING, Contribution
from protocol.decisions import ASK
from protocol.deck import Joint
from protocol.effects import Job
from protocol.errors import ProtocolError
from protocol.secrets import Secrets

from ..p2p.ring import Ring

SEED = 77
CHEAT = 1
Sent = bytes | Sequence[bytes] | Mapping[int, Sequence[bytes]]


def shortly(seat: int, table: Table) -> Choice:
    """A player who does as little as possible, and soon wants to end the hunt: a short game of Mâamut."""
    run, menu = table.run, table.menu
    assert run is not None
    assert menu is not None
    verbs = [act.verb for act in menu.acts]
    for verb in ("propose", "agree"):
        if verb in verbs and not menu.acts[verbs.index(verb)].why_not and run.game.table.round != 1:
            return Choice(verbs.index(verb))
    return menu.lapse


def double(secrets: Secrets) -> Secrets:
    """The same key and flip chain with other nonces, blinds and orders: whatever it makes holds just as well."""
    other = Secrets(bytes(reversed(secrets._master)), secrets.table, secrets.seat)
    other.x, other.public = secrets.x, secrets.public
    other.__dict__["_chain"] = secrets._chain
    return other


@dataclass(frozen=True)
class Moment:
    """The cheat's seat owes something; this is what it has at hand."""

    ring: CheatRing
    table: Table
    seat: int

    @property
    def secrets(self) -> Secrets:
        return self.ring.secrets(self.seat)

    @property
    def ceremony(self) -> Ceremony:
        return self.table.ceremony

    @property
    def joint(self) -> Joint:
        assert isinstance(self.table.ceremony, Joint)
        return self.table.ceremony

    @property
    def place(self) -> tuple[int, int]:
        return self.table.session.place

    def context(self, seat: int | None = None) -> Context:
        """What its proofs are bound to, or those of another seat."""
        return Context(
            self.table.contract.table, self.table.session.prev, *self.place, self.seat if seat is None else seat
        )

    def honest(self) -> Body:
        """What an honest seat would say."""
        if self.ceremony.kind == ASK:
            choice = self.ring.decide(self.seat, self.table)
            return {"act": choice.act, "picks": list(choice.picks)}
        return self.ceremony.make(self.context(), self.secrets)

    def sign(
        self,
        body: Body,
        *,
        kind: str = "",
        place: tuple[int, int] | None = None,
        prev: bytes | None = None,
        seat: int | None = None,
    ) -> bytes:
        """Anything at all, with this seat's signature."""
        return contribution.sign(
            self.table.contract,
            self.ring.identities[self.seat],
            place or self.place,
            self.seat if seat is None else seat,
            kind or self.ceremony.kind,
            body,
            self.table.session.prev if prev is None else prev,
        ).data


@dataclass(frozen=True)
class Strike:
    """`forge` makes what is sent when a contribution of this kind (to this round, and at such a moment, if these are
    given) falls due."""

    kind: str
    forge: Callable[[Moment], Sent]
    round: int | None = None
    when: Callable[[Moment], bool] = lambda _: True

    def falls(self, moment: Moment) -> bool:
        return moment.ceremony.kind == self.kind and self.round in (None, moment.place[1]) and self.when(moment)


NEVER = Strike("never", lambda _: [])


class CheatRing(Ring):
    """See above. `begin`: items with which the table begins; by default all before the first strike."""

    def __init__(
        self,
        *strikes: Strike,
        game: str = "maamut",
        seats: int = 3,
        goes_on: bool = False,
        begin: Sequence[Contribution] | None = None,
        seed: int = SEED,
    ) -> None:
        self.cheat = CHEAT
        self.struck: list[tuple[int, int]] = []
        self.forged: list[bytes] = []
        self.published: dict[int, list[bytes]] = {seat: [] for seat in range(seats)}
        self.late: list[bytes] = []
        """What honest seats have published although they knew that the table had ended."""
        self.revealed: set[int] = set()
        self.early: set[int] = set()
        """Honest seats that told their seed before they had an equal closing of every seat, or after they knew of a
        cheat."""
        self.tells: Callable[[bytes], bytes | None] = lambda seed: seed
        """What the cheat tells in the place of its seed."""
        self._strikes = list(strikes)
        self._goes_on = goes_on
        self._silent = False
        self._rest: object = None
        super().__init__(game, seats, seed=seed)
        self.decide = shortly if game == "maamut" else self._by_bot
        if begin is None:
            begin = before(strikes[0], seats) if game == "maamut" and seed == SEED else ()
        self.begin(begin)

    def _table(self, seat: int) -> Table:
        return Table(
            self.contract,
            self.signatures,
            seat=seat,
            identity=self.identities[seat],
            secrets=self.secrets(seat),
            listen=self.bots[seat].notice,
            mute=True,
        )

    def secrets(self, seat: int) -> Secrets:
        return Secrets(self.masters[seat], self.contract.table, seat)

    @property
    def honest(self) -> list[int]:
        return [seat for seat in range(len(self.contract.seats)) if seat != self.cheat]

    def begin(self, items: Sequence[Contribution]) -> None:
        """Take up a game that has come this far."""
        for table in self.tables:
            for item in items:
                table.receive(item.data)
                for effect in table.take():
                    if isinstance(effect, Job):
                        table.done(effect.id, None)
        self.ready()
        for table in self.tables:
            table.speak()

    def ready(self) -> None:
        """Everybody has taken up the game, nobody has said anything new."""

    # -- what happens ----------------------------------------------------------------------------------------------

    def noticed(self, seat: int, effect: object) -> None:
        super().noticed(seat, effect)
        if isinstance(effect, Reveal) and (seat in self.verdicts or not all_closed(self.tables[seat])):
            self.early |= {seat} & set(self.honest)

    def pump(self, seat: int) -> None:
        before = len(self.letters)
        if seat != self.cheat:
            super().pump(seat)
        elif self._silent or self._strike():
            self.tables[seat].take()
        else:
            super().pump(seat)
        for letter in [letter for letter in self.letters[before:] if letter.kind == "seed"]:
            self.revealed.add(letter.content[0])
            if letter.content[0] == self.cheat:
                told = self.tells(letter.content[1])
                letter.content = (self.cheat, told)
                if told is None:
                    self.letters.remove(letter)

    def _strike(self) -> bool:
        """Do what is due, if it is a strike; whether the cheat is through with this table."""
        table = self.tables[self.cheat]
        moment = Moment(self, table, self.cheat)
        if not self._strikes or not table.session.due or not self._strikes[0].falls(moment):
            return False
        sent = self._strikes.pop(0).forge(moment)
        self.struck.append(moment.place)
        if isinstance(sent, bytes):
            sent = [sent]
        if not isinstance(sent, Mapping):
            sent = dict.fromkeys(self.honest, sent)
        self.forged += [data for part in sent.values() for data in part if data not in self.forged]
        for other, part in sent.items():
            for data in part:
                super().send(self.cheat, data, other)
        if not self._goes_on:
            self._silent = True
            return True
        for data in next(iter(sent.values())):
            table.receive(data)
        return False

    def step(self) -> bool:
        try:
            return super().step()
        except ProtocolError as error:  # a seed that does not fit is the fault of the link, like an item
            self.broken_links.append(error)
            return True

    def catch_up(self) -> bool:
        state = [(len(table.session.chain), table.session.got(), sorted(table.seeds)) for table in self.tables]
        if state == self._rest:
            return False  # what was sent the last time has changed nothing
        self._rest = state
        return super().catch_up()

    def send(self, origin: int, data: bytes, to: int | None = None) -> None:
        if origin in self.honest and codec.decode(data)["seat"] == origin and data not in self.published[origin]:
            self.published[origin].append(data)
            if origin in self.verdicts:
                self.late.append(data)
        super().send(origin, data, to)


def all_closed(table: Table) -> bool:
    """Whether the record that it has ends with equal closings of all seats on one history, as the bytes say."""
    closings = [codec.decode(item.data) for item in (table.session.chain or [[]])[-1]]
    said = {(one["kind"], one["prev"], codec.encode(one["body"])) for one in closings}
    every = [one["seat"] for one in closings] == list(table.deck.serving)
    return every and len(said) == 1 and said.pop()[0] == CLOSING


@functools.cache
def recorded(seats: int = 3) -> tuple[Contribution, ...]:
    """A short whole game of Mâamut, as it was signed."""
    ring = CheatRing(begin=(), seats=seats)
    ring.play()
    assert ring.complete == set(range(seats))
    return tuple(ring.tables[0].session.since(0))


def before(strike: Strike, seats: int = 3) -> list[Contribution]:
    """Everything in it before the first place at which the strike falls due."""
    fits = (
        item.place
        for item in recorded(seats)
        if item.seat == CHEAT and item.kind == strike.kind and strike.round in (None, item.round)
    )
    place = next(fits)
    return [item for item in recorded(seats) if item.place < place]


class TwoFaced(CheatRing):
    """A cheat that is two: one face for seat 0, another for seat 2, each playing by the rules with secrets and
    decisions of its own from `begin` on. The honest seats do not hear of each other until they `meet`."""

    TWIN = 3

    def __init__(self, begin: Sequence[Contribution]) -> None:
        super().__init__(NEVER, begin=begin)
        self.knew = [self.knowledge(face) for face in (CHEAT, self.TWIN)]

    def begin(self, items: Sequence[Contribution]) -> None:
        self.bots.append(self.bots[CHEAT])
        self.masters.append(self.masters[CHEAT])
        self.tables.append(self._table(CHEAT))
        self.cut = {frozenset(pair) for pair in ((0, 2), (0, self.TWIN), (CHEAT, 2), (CHEAT, self.TWIN))}
        super().begin(items)

    def ready(self) -> None:
        """From here on the second face has secrets of its own, so that whatever it makes is different."""
        twin, secrets = self.tables[self.TWIN], double(self.secrets(CHEAT))
        twin.session._secrets = twin._known_seeds[CHEAT] = secrets

    def knowledge(self, face: int) -> set[int]:
        """The cards that one face of the cheat has seen."""
        run = self.tables[face].run
        return set(run.known[CHEAT]) if run else set()

    def meet(self) -> None:
        """Links come back; whoever sees another history than its own is sent all of it, and the other way round."""
        self.cut = set()
        for one, other in ((0, 2), (2, 0)):
            for item in self.tables[one].session.since(0):
                self.send(one, item.data, other)
