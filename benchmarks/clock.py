"""The deal with each peer on a computer of its own: what happens when, worked out from what every piece of work costs.

The clock starts when the contract is signed. What seats work out before that, while people gather (p2p/forethought.py),
is done by then.

All seats live in this process, and whatever one of them does is done here, one thing after the other, and timed by the
processor time that it takes. Each seat has its own clock and its own cores: a piece of work starts when it has been
caused and a core of that seat is free, and what it sends is there when it ends. So the result is the length of the
critical path of computation alone; wires, disks and other programs come on top of it. Jobs may run on every core of a
seat; what the session itself does runs on one at a time, as in the program. With several cores the pieces of a long sum
are shared out among them, too: such a job has all cores, for as long as the busiest of them needs.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import thread_time
from typing import Any, TypeVar

from engines.requests import Ask
from p2p import forethought
from p2p.lobby import Plan
from p2p.table import Prepare, Reveal, Table
from protocol.effects import Job, Publish
from protocol.errors import ProtocolError
from protocol.pool import SALT, Pool
from tests.p2p.ring import Ring

T = TypeVar("T")
R = TypeVar("R")


class Shared:
    """A spread that does one item after the other, and reckons what sharing them out would have `saved`."""

    def __init__(self, cores: int) -> None:
        self._cores = cores
        self.saved = 0.0

    def __call__(self, work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
        """The results, in order."""
        found, loads = list[R](), [0.0] * self._cores
        for item in items:
            began = thread_time()
            found.append(work(item))
            took = thread_time() - began
            loads[loads.index(min(loads))] += took
        self.saved += sum(loads) - max(loads)
        return found


@dataclass(order=True)
class Event:
    """Something that a seat has to do, not before `when`. Lower `rank` goes first at one time."""

    when: float
    rank: int
    number: int
    seat: int = field(compare=False)
    kind: str = field(compare=False)
    content: Any = field(compare=False)


class Clock:
    """A table from the contract to the first question, on seats with so many `cores` each. `prepared`: whether seats
    work ahead. `cpu`: processor seconds of each seat, by what they were for."""

    def __init__(
        self,
        game: str,
        seats: int,
        *,
        options: Mapping[str, Any] | None = None,
        cores: int = 1,
        seed: int = 1,
        prepare: bool = True,
    ) -> None:
        self.ring = Ring(game, seats, seed=seed, fifo=True, options=options)
        self.tables = self.ring.tables
        self.cpu = [dict.fromkeys(("session", "job", "ahead"), 0.0) for _ in range(seats)]
        self._prepare = prepare
        self._shared = Shared(cores)
        self._free = [[0.0] * cores for _ in range(seats)]
        self._session_free = [0.0] * seats
        self._queue: list[Event] = []
        self._numbers = 0
        for seat, table in enumerate(self.tables):
            secrets = table.session._secrets
            if secrets is not None:
                table._pool = secrets.pool = Pool(secrets, bytes([seat]) * SALT)
                if prepare:
                    contract = table.contract
                    plan = Plan(contract.game, seats, contract.options, contract.label)
                    forethought.prepare(secrets.pool, plan, seat == 0)
            table.deck.spread = self._shared
            self._post(0.0, seat, "begin", None)

    def _post(self, when: float, seat: int, kind: str, content: Any) -> None:
        self._numbers += 1
        rank = 1 if kind == "prepare" else 0
        heapq.heappush(self._queue, Event(when, rank, self._numbers, seat, kind, content))

    def run(self) -> float:
        """Seconds until the last seat's rules ask for the first time."""
        while self._queue:
            event = heapq.heappop(self._queue)
            cores = self._free[event.seat]
            serial = event.kind in ("begin", "item", "done")
            core = min(range(len(cores)), key=cores.__getitem__)
            start = max(event.when, self._session_free[event.seat] if serial else max(cores), cores[core])
            if start > event.when:  # wait for the core; what comes first then goes first
                self._numbers += 1
                event.when = start
                heapq.heappush(self._queue, event)
                continue
            took, follow = self._do(event)
            if serial:
                cores[core] = self._session_free[event.seat] = start + took
            else:
                cores[:] = [start + took] * len(cores)
            follow(start + took)
            if all(self._asks(table) for table in self.tables):
                return start + took
        raise SystemExit("the table came to rest before anybody was asked")

    @staticmethod
    def _asks(table: Table) -> bool:
        return table.run is not None and isinstance(table.run.pending, Ask)

    def _do(self, event: Event) -> tuple[float, Callable[[float], None]]:
        table, seat = self.tables[event.seat], event.seat
        outcome: Any = None
        effects: list[Any] = []
        self._shared.saved = 0.0
        began = thread_time()
        if event.kind == "job":
            try:
                outcome = event.content.run()
            except ProtocolError as error:
                outcome = error
        elif event.kind == "prepare":
            event.content.run()
        elif event.kind == "item":
            table.receive(event.content)
        elif event.kind == "done":
            table.done(*event.content)
        while taken := table.take() if event.kind in ("begin", "item", "done") else []:
            effects += taken
        took = thread_time() - began - self._shared.saved
        self.cpu[seat]["job" if event.kind == "job" else "ahead" if event.kind == "prepare" else "session"] += took

        def follow(end: float) -> None:
            if event.kind == "job":
                self._post(end, seat, "done", (event.content.id, outcome))
            for effect in effects:
                if isinstance(effect, Job):
                    self._post(end, seat, "job", effect)
                elif isinstance(effect, Prepare):
                    if self._prepare and effect.soon:
                        self._post(end, seat, "prepare", effect)
                elif isinstance(effect, Publish):
                    for other in range(len(self.tables)):
                        if other != seat:
                            self._post(end, other, "item", effect.contribution.data)
                elif isinstance(effect, Reveal):
                    raise SystemExit("the game is over before anybody was asked")

        return took, follow
