"""A ring in bad weather: items lost, doubled, corrupted, links cut and mended, seats killed and brought back, and seats
that leave.

For: the test of endurance, bounded in the suite and long in `python -m tests.soak`. Never: a fault that a seat could be
blamed for; all of it is the network's and the machines' doing, so nobody may ever be accused.

Theory of operation: each seat keeps a log as `Player` does: its own contribution and everything of others before it are
written together, before it is sent. A kill throws the table away, with all that was on its way to it, and what was not
written yet; the seat comes back mute, replays its log, or an older one, catches up, and speaks when nothing is on its
way any more and it knows what the others have of it. Whoever wants to leave does so at the next occasion, unless it is
killed before and forgets; then it stays on as a listener who passes on what it hears.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engines import registry
from engines.chance import Chance
from p2p.audit import audit
from p2p.table import Table
from protocol.effects import Chained, Job, Publish
from protocol.secrets import Secrets

from .ring import Letter, Ring, bytes32

BACKUP = 0.3
"""Share of the kills after which a seat comes back with an older log."""


class Storm(Ring):
    """`loss`, `double`, `corrupt`: chances of a letter; `kill`: chance a step that a seat is killed, at most
    `kills` times; `flap`: that a link changes; `leave`: that a seat wants to leave, for as long as two others stay.
    `faults` counts what was done."""

    def __init__(
        self,
        game: str,
        seats: int,
        *,
        seed: int,
        options: Mapping[str, Any] | None = None,
        loss: float = 0.0,
        double: float = 0.0,
        corrupt: float = 0.0,
        kill: float = 0.0,
        kills: int = 4,
        flap: float = 0.0,
        leave: float = 0.0,
        sensible: bool = True,
    ) -> None:
        self.logs: list[list[bytes]] = [[] for _ in range(seats)]
        self.unwritten: list[list[bytes]] = [[] for _ in range(seats)]
        self.faults: Counter[str] = Counter()
        self.returning: set[int] = set()
        super().__init__(game, seats, seed=seed, options=options, sensible=sensible)
        self._loss, self._double, self._corrupt, self._kill, self._flap = loss, double, corrupt, kill, flap
        self._leave = leave
        self.leaving: set[int] = set()
        self.game = game
        self.kills = kills
        self.sensible = sensible
        self.drop = self._weather

    def _chance(self, share: float, what: str) -> bool:
        if self.rng.random() >= share:
            return False
        self.faults[what] += 1
        return True

    def _weather(self, origin: int, to: int, data: bytes) -> bool:
        if self._chance(self._double, "doubled"):
            self.letters.append(Letter("item", to, data))
        if self._chance(self._corrupt, "corrupted"):
            at = self.rng.randrange(len(data))
            wrong = data[:at] + bytes([data[at] ^ (1 + self.rng.randrange(255))]) + data[at + 1 :]
            self.letters.append(Letter("item", to, wrong))
        return self._chance(self._loss, "lost")

    def noticed(self, seat: int, effect: object) -> None:
        """The log: see the theory of operation."""
        if isinstance(effect, Chained):
            kept = {*self.logs[seat], *self.unwritten[seat]}
            self.unwritten[seat] += [item.data for item in effect.round if item.data not in kept]
        elif isinstance(effect, Publish):
            self.logs[seat] += [*self.unwritten[seat], effect.contribution.data]
            self.unwritten[seat] = []

    def step(self) -> bool:
        # Each return replays the whole log, so their number is bounded.
        if self.faults["killed"] < self.kills and self._chance(self._kill, "killed"):
            self.kill(self.rng.randrange(len(self.tables)), backup=self.rng.random() < BACKUP)
        if self._chance(self._flap, "links cut or mended"):
            pair = frozenset(self.rng.sample(range(len(self.tables)), 2))
            self.cut ^= {pair}
        if len(self.leaving) < len(self.tables) - 2 and self.rng.random() < self._leave:
            self.leave(self.rng.randrange(len(self.tables)))
        return super().step()

    @property
    def left(self) -> set[int]:
        """The seats that have left, as any seat knows it."""
        return {seat for table in self.tables for seat in table.deck.left}

    def leave(self, seat: int) -> None:
        """The seat wants to leave at the next occasion."""
        table = self.tables[seat]
        if table.run is None or table.run.finished or seat in self.leaving or not table.leave():
            return
        self.faults["wishes to leave"] += 1
        self.leaving.add(seat)
        self.pump(seat)

    def kill(self, seat: int, *, backup: bool = False) -> None:
        """The seat's program dies and is started again, with its log as it is, or as it was at some time."""
        if seat in self.complete or self.verdicts:
            return
        if backup:
            self.faults["log restored from a backup"] += 1
            # What no other disk has would be gone, and nobody could go on.
            elsewhere = {data for other, log in enumerate(self.logs) if other != seat for data in log}
            mine = self.logs[seat]
            least = max((at for at, data in enumerate(mine, 1) if data not in elsewhere), default=0)
            self.logs[seat] = mine[: self.rng.randint(least, len(mine))]
        self.unwritten[seat] = []
        self.letters = [one for one in self.letters if one.to != seat]
        self.bots[seat] = registry.bot(self.game, seat, Chance(bytes32(self.rng)), sensible=self.sensible)
        secrets = Secrets(self.masters[seat], self.contract.table, seat)
        table = self.tables[seat] = Table(
            self.contract,
            self.signatures,
            seat=seat,
            identity=self.identities[seat],
            secrets=secrets,
            listen=self.bots[seat].notice,
            mute=True,
        )
        for data in self.logs[seat]:
            table.receive(data)
            while effects := table.take():
                for effect in effects:
                    assert not isinstance(effect, Publish), "a mute seat has spoken"
                    if isinstance(effect, Job):
                        table.done(effect.id, effect.run())
        self.returning.add(seat)

    def catch_up(self) -> bool:
        """As before; and whoever has come back and has all that the others have takes part again."""
        self.cut = set()
        if super().catch_up():
            return True
        spoken = False
        for seat in sorted(self.returning):
            table = self.tables[seat]
            if all(len(other.session.chain) <= len(table.session.chain) for other in self.tables):
                self.returning.discard(seat)
                table.speak()
                self.pump(seat)
                spoken = True
        return spoken

    def check(self) -> None:
        """All seats that have not left have come to one sound file, and nobody was accused."""
        left = self.left
        seats = set(range(len(self.tables))) - left
        assert not self.verdicts, self.verdicts
        assert not self.astray, self.astray
        assert self.complete >= seats, (self.complete, [table.session.place for table in self.tables])
        files = {self.tables[seat].file() for seat in seats}
        assert len(files) == 1
        report = audit(files.pop())
        assert report.exit_code == 0, report
        assert set(report.left) == left
        self.faults["seats that left"] += len(left)
