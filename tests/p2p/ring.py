"""n seats of one table in one process: no sockets, no clock, no threads; every order of events comes from a seed.

For: tests of the session, the table, cheats and bad networks. What travels are the same bytes as over links, and
what is done with them follows `Player`: jobs in any order, publications to everybody, new items passed on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engines import registry
from engines.bots import Bot
from engines.chance import Chance
from engines.menus import Choice
from p2p.table import Complete, Reveal, Table
from protocol.contract import Contract, SeatEntry, draft
from protocol.effects import Arrival, Astray, Fault, Fork, Job, Publish
from protocol.errors import ProtocolError
from protocol.identity import Identity
from protocol.secrets import Secrets

Decide = Callable[[int, Table], Choice]


def bytes32(rng: random.Random) -> bytes:
    """32 bytes of this test's own randomness."""
    return rng.randbytes(32)


@dataclass
class Letter:
    """Something on its way: an item, a seed, or a job that is being done."""

    kind: str
    to: int
    content: Any


class Ring:
    """A table with all its seats. `rng` orders everything; with `fifo` things happen in the order they were caused."""

    def __init__(
        self,
        game: str = "maamut",
        seats: int = 2,
        *,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        sensible: bool = True,
        fifo: bool = False,
    ) -> None:
        self.rng = random.Random(seed)
        self.fifo = fifo
        self.identities = [Identity(bytes32(self.rng)) for _ in range(seats)]
        entries = [SeatEntry(f"P{i}", identity.public, bytes32(self.rng)) for i, identity in enumerate(self.identities)]
        chosen = registry.options(game, seats, options or {})
        self.contract: Contract = draft(game, chosen, entries, "a table")
        self.signatures = [self.contract.sign(identity) for identity in self.identities]
        self.masters = [bytes32(self.rng) for _ in range(seats)]
        self.bots: list[Bot] = [
            registry.bot(game, i, Chance(bytes32(self.rng)), sensible=sensible) for i in range(seats)
        ]
        self.tables = [self._table(i) for i in range(seats)]
        self.letters: list[Letter] = []
        self.verdicts: dict[int, Fault | Fork] = {}
        self.astray: list[tuple[int, Astray]] = []
        self.complete: set[int] = set()
        self.decide: Decide = self._by_bot
        self.drop: Callable[[int, int, bytes], bool] = lambda _from, _to, _data: False
        """Whether an item is lost on its way. What is asked for again, later, arrives."""
        self.cut: set[frozenset[int]] = set()
        """Pairs of seats without a link."""
        self.broken_links: list[ProtocolError] = []

    def _table(self, seat: int) -> Table:
        secrets = Secrets(self.masters[seat], self.contract.table, seat)
        return Table(
            self.contract,
            self.signatures,
            seat=seat,
            identity=self.identities[seat],
            secrets=secrets,
            listen=self.bots[seat].notice,
        )

    def _by_bot(self, seat: int, table: Table) -> Choice:
        run, menu = table.run, table.menu
        assert run is not None
        assert menu is not None
        return self.bots[seat].choose(run.game, menu, run.look(seat))

    def send(self, origin: int, data: bytes, to: int | None = None) -> None:
        """An item from one seat to one or to all others."""
        for other in range(len(self.tables)) if to is None else [to]:
            if other != origin and not self.drop(origin, other, data) and {origin, other} not in self.cut:
                self.letters.append(Letter("item", other, data))

    def noticed(self, seat: int, effect: object) -> None:
        """For those who want to see every effect of a seat's table."""

    def pump(self, seat: int) -> None:
        """Carry out what a seat's table wants."""
        table = self.tables[seat]
        while effects := table.take():
            for effect in effects:
                self.noticed(seat, effect)
                if isinstance(effect, Job):
                    self.letters.append(Letter("job", seat, effect))
                elif isinstance(effect, Publish):
                    self.send(seat, effect.contribution.data)
                elif isinstance(effect, Reveal):
                    for other in range(len(self.tables)):
                        self.letters.append(Letter("seed", other, (seat, self.masters[seat])))
                elif isinstance(effect, Complete):
                    self.complete.add(seat)
                elif isinstance(effect, Fault | Fork):
                    self.verdicts[seat] = effect
                    evidence = [effect.contribution] if isinstance(effect, Fault) else [effect.first, effect.second]
                    for item in evidence:
                        self.send(seat, item.data)
                elif isinstance(effect, Astray):
                    self.astray.append((seat, effect))
        if table.menu is not None:
            table.choose(self.decide(seat, table))
            self.pump(seat)

    def step(self) -> bool:
        """Let one thing happen; False if nothing is under way."""
        if not self.letters:
            return False
        letter = self.letters.pop(0 if self.fifo else self.rng.randrange(len(self.letters)))
        table = self.tables[letter.to]
        if letter.kind == "job":
            try:
                outcome = letter.content.run()
            except ProtocolError as error:
                table.done(letter.content.id, error)
            else:
                table.done(letter.content.id, outcome)
        elif letter.kind == "item":
            try:
                if table.receive(letter.content) is Arrival.NEW:
                    self.send(letter.to, letter.content)
            except ProtocolError as error:
                self.broken_links.append(error)
        else:
            table.receive_seed(*letter.content)
        self.pump(letter.to)
        return True

    def play(self, limit: int = 1_000_000) -> None:
        """Until nothing happens any more, filling gaps as peers do: whoever has more sends what others lack."""
        for seat in range(len(self.tables)):
            self.pump(seat)
        for _ in range(limit):
            if not self.step() and not self.catch_up():
                return
        raise AssertionError("the table did not come to rest")

    def catch_up(self) -> bool:
        """One exchange of what is missing; False if nobody is behind or the table has ended."""
        if self.verdicts or len(self.complete) == len(self.tables):
            return False
        before = len(self.letters)
        for one, table in enumerate(self.tables):
            for other, behind in enumerate(self.tables):
                rounds = len(behind.session.chain)
                if one == other or rounds > len(table.session.chain) or {one, other} in self.cut:
                    continue
                got = behind.session.got() if rounds == len(table.session.chain) else ()
                theirs = [item for item in table.session.early if item.seat == other]
                for item in [*table.session.since(rounds), *theirs][:64]:
                    if not (item.place == table.session.place and item.seat in got):
                        self.letters.append(Letter("item", other, item.data))
                for seat, seed in table.seeds.items():
                    if table.closed and seat not in behind.seeds:
                        self.letters.append(Letter("seed", other, (seat, seed)))
        return len(self.letters) > before
