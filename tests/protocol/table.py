"""A table in memory for the tests of this floor: every seat makes, every other seat checks, all accept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TypeVar

from protocol import codec
from protocol.ceremony import Body, Context
from protocol.dealing import Open, Shuffle, View
from protocol.deck import Deck, Joint
from protocol.opening import Commit, Keys
from protocol.secrets import Secrets

J = TypeVar("J", bound=Joint)
Tamper = Callable[[Context, Body], Body]


def table_id(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=32).digest()


class Table:
    """One shared `Deck` is enough: its state is the same for all, and has no secrets. `running` stands in for prev."""

    def __init__(self, seats: int = 3, name: str = "table") -> None:
        self.id = table_id(name)
        self.deck = Deck(self.id, seats)
        self.secrets = [Secrets(table_id(f"{name} seed {seat}"), self.id, seat) for seat in range(seats)]
        self.running = table_id(f"{name} start")
        self.step = 0

    def opened(self) -> Table:
        self.run(Commit(self.deck))
        self.run(Keys(self.deck))
        return self

    def context(self, round: int, seat: int) -> Context:
        return Context(self.id, self.running, self.step, round, seat)

    def bodies(self, ceremony: Joint, round: int) -> dict[int, Body]:
        return {seat: ceremony.make(self.context(round, seat), self.secrets[seat]) for seat in ceremony.owes(round)}

    def round(self, ceremony: Joint, round: int, tamper: Tamper | None = None) -> Mapping[int, Body]:
        bodies = self.bodies(ceremony, round)
        for seat, body in bodies.items():
            if tamper is not None:
                body = tamper(self.context(round, seat), body)
            carried = codec.decode(codec.encode(body))
            ceremony.check(self.context(round, seat), carried)
            bodies[seat] = carried
        ceremony.accept(round, bodies, self.running)
        self.running = hashlib.blake2b(self.running + codec.encode([*bodies.values()]), digest_size=32).digest()
        return bodies

    def run(self, ceremony: J, tamper: Tamper | None = None) -> J:
        for round in range(ceremony.rounds):
            self.round(ceremony, round, tamper)
        self.step += 1
        return ceremony

    def shuffled(self, count: int) -> range:
        return self.run(Shuffle(self.deck, self.deck.fresh(count))).result

    def view(self, views: Mapping[int, list[int]]) -> dict[int, int]:
        done = self.run(View(self.deck, views))
        return {handle: j for seat in views for handle, j in done.faces(self.secrets[seat]).items()}

    def open(self, handles: list[int]) -> dict[int, int]:
        return self.run(Open(self.deck, handles)).result
