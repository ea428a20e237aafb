"""Cheats at random: any game, any moment, any lie that can be signed, in the middle of a third party's noise.

For: the test of endurance, bounded in the suite and long in `python -m tests.soak`. Never: a cheat that nothing could
catch, or that nobody could be blamed for (a copied key); those have tests of their own.

Theory of operation: `Wild` is a `CheatRing` from the first step on, whose only strike falls at the n-th occasion of its
kind; n, the kind and the lie come from the seed. Meanwhile letters come in any order, are doubled and corrupted, so the
honest seats meet the lie by different ways. Nothing is lost: over links nothing is, and what becomes of a table whose
links break in the moment of a verdict is the node's business, not the table's.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines import registry
from p2p.audit import audit
from protocol import codec
from protocol.decisions import ASK
from protocol.effects import Fault, Fork
from protocol.errors import Misuse

from ..p2p.ring import Letter, Ring
from ..protocol.mutate import SHAPES, bodies
from .cheat import CHEAT, CheatRing, Moment, Sent, Strike, double

Lie = Callable[[random.Random, Moment], Sent]
OPTIONS: dict[str, dict[str, Any]] = {"maamut": {"rounds": 6}, "amnesia": {"mode": "turbo", "rounds": 2}}
"""Short games, so that more of them fit."""


ODD: list[Any] = [999, -1, 2**64 - 1, None, [[]], "x", [0, [0]], {}]
"""What nobody can pick."""


def wrong_body(rng: random.Random, m: Moment) -> Sent:
    """What is due, wrong in one place."""
    kind = m.ceremony.kind
    shape = SHAPES[f"view {m.place[1]}" if kind == "view" else kind]
    wrong = [body for _, body in bodies(shape, m.honest()) if isinstance(body, dict)]
    rng.shuffle(wrong)
    for body in wrong:
        try:
            return m.sign(body)
        except Misuse:  # what is wrong with it is that it cannot travel
            continue
    raise AssertionError("nothing wrong could be said")


def wrong_kind(rng: random.Random, m: Moment) -> Sent:
    """What is due, called something else; never a leave, which may take its place."""
    kinds = ("commit", "keys", "flip", "shuffle", "view", "open", "closing", ASK, "whatever")
    return m.sign(m.honest(), kind=rng.choice([kind for kind in kinds if kind != m.ceremony.kind]))


def out_of_turn(rng: random.Random, m: Moment) -> Sent:
    """Something for a place that does not follow from the history that it is signed on, though not far ahead of it."""
    step, round_ = m.place
    place = rng.choice([(step + 1 + rng.randrange(4), 0), (step, round_ + 1)])
    return m.sign({}, place=place, kind=rng.choice(["flip", "open", "view", "closing"]))


def forbidden(rng: random.Random, m: Moment) -> Sent:
    """A decision that everybody can see to be against the rules, or to be none."""
    honest = m.honest()
    picks = list(honest["picks"])
    wrong = rng.choice(
        [
            {**honest, "act": rng.choice([99, -1, 2**63, None, True, "0", b"", [0]])},
            {**honest, "picks": [*picks, 0]},
            {**honest, "picks": rng.choice([None, 0, "x", {}, {"0": 0}])},
            {**honest, "picks": [rng.choice(ODD) for _ in picks] or [0]},
            {**honest, "more": 0},
            {"act": honest["act"]},
            {},
        ]
    )
    return m.sign(wrong)


def to_each(m: Moment, one: bytes, other: bytes) -> Sent:
    """Different bytes to different peers; to a single one both."""
    first, *rest = m.ring.honest
    return {first: [one], **{seat: [other] for seat in rest}} if rest else [one, other]


def two_faces(rng: random.Random, m: Moment) -> Sent:
    """Two things that both hold, or of which one does; each on its own would do."""
    if m.ceremony.kind == ASK:
        return to_each(m, m.sign(m.honest()), m.sign({"act": 99, "picks": []}))
    return to_each(m, m.sign(m.honest()), m.sign(m.ceremony.make(m.context(), double(m.secrets))))


def in_two_histories(rng: random.Random, m: Moment) -> Sent:
    """The same words on our history and on one that there never was."""
    return to_each(m, m.sign(m.honest()), m.sign(m.honest(), prev=rng.randbytes(32)))


LIES: dict[str, tuple[Lie, Sequence[str]]] = {
    "a wrong body": (wrong_body, ["keys", "flip", "shuffle", "view", "open", "promise"]),
    "another kind": (wrong_kind, ["commit", "keys", "flip", "shuffle", "view", "open", ASK, "closing"]),
    "out of turn": (out_of_turn, ["commit", "keys", "flip", "shuffle", "view", "open", ASK]),
    "against the rules": (forbidden, [ASK]),
    "two faces": (two_faces, ["commit", "keys", "shuffle", "view", "open", ASK]),
    "two histories": (in_two_histories, ["commit", "keys", "flip", "shuffle", "view", "open", ASK, "closing"]),
}
"""Lies, and the kinds of steps that they fit."""
ONCE = ("commit", "keys", "closing")
"""Kinds of steps that a table has one of."""


@dataclass(frozen=True)
class Nth(Strike):
    """A strike that falls at the n-th occasion only."""

    after: int = 0
    seen: dict[tuple[int, int], int] = field(default_factory=dict)
    """The occasions so far, numbered."""

    def falls(self, moment: Moment) -> bool:
        if not super().falls(moment):
            return False
        seen = self.seen
        seen.setdefault(moment.place, len(seen))
        return seen[moment.place] >= self.after


class Short(Ring):
    """A ring with the options of a short game."""

    def __init__(self, game: str, seats: int, *, seed: int) -> None:
        super().__init__(game, seats, seed=seed, options=OPTIONS.get(game))


class Wild(CheatRing, Short):
    """The game of a seed, with one cheat in seat 1. `lie`: what it tries."""

    def __init__(self, seed: int) -> None:
        wild = self.wild = random.Random(seed)
        self.game = wild.choice(registry.GAMES)
        low, high = registry.seat_range(self.game)
        self.lie = wild.choice(sorted(LIES))
        forge, kinds = LIES[self.lie]
        self.kind = wild.choice(kinds)
        after = wild.choice([0, wild.randrange(3), wild.randrange(12)]) if self.kind not in ONCE else 0
        strike = Nth(self.kind, lambda m: forge(wild, m), after=after)
        self._noise = 0.2 * wild.random()
        super().__init__(strike, game=self.game, seats=wild.randint(low, min(high, 4)), begin=(), seed=seed)
        self.decide = self._by_bot

    def send(self, origin: int, data: bytes, to: int | None = None) -> None:
        super().send(origin, data, to)
        for other in range(len(self.tables)) if to is None else [to]:
            if other != origin and self.wild.random() < self._noise:
                at = self.wild.randrange(len(data))
                wrong = data[:at] + bytes([data[at] ^ (1 + self.wild.randrange(255))]) + data[at + 1 :]
                self.letters += [Letter("item", other, data), Letter("item", other, wrong)]

    def outcome(self) -> Counter[str]:
        """What came of it, to be counted. Errors: AssertionError if it is not what it has to be."""
        if not self.struck:
            assert not self.verdicts, self.verdicts
            return Counter({"games without the occasion for a cheat": 1})
        counts = Counter({"cheats tried": 1, f"cheats tried: {self.lie}": 1})
        named = {seat: self.verdicts[seat].seat for seat in self.honest if seat in self.verdicts}
        for seat in self.honest:
            if seat in self.verdicts:
                found = audit(self.tables[seat].file())
                named[seat] = named[seat] if {one.seat for one in found.findings} == {named[seat]} else -1
        counts["cheats caught"] = int(len(named) == len(self.honest))
        counts["cheats rightly named"] = int(set(named.values()) == {CHEAT} and bool(counts["cheats caught"]))
        counts["cheats wrongly named"] = int(any(seat != CHEAT for seat in named.values()))
        return counts


def check(ring: Wild, counts: Counter[str]) -> None:
    """Whatever was tried was caught by every honest seat, and is in every file; nobody has told anything since."""
    what = f"{ring.lie} in {ring.kind}: {ring.verdicts}"
    assert counts["cheats caught"] == counts["cheats rightly named"] == counts["cheats tried"], what
    assert not counts["cheats wrongly named"], what
    if not ring.struck:
        return
    assert not ring.late, what
    assert not ring.early, what
    for seat in ring.honest:
        verdict = ring.verdicts[seat]
        evidence = [verdict.contribution] if isinstance(verdict, Fault) else [verdict.first, verdict.second]
        assert all(item.data in ring.tables[seat].file() for item in evidence), what
        assert isinstance(verdict, Fork) or codec.decode(evidence[0].data)["seat"] == CHEAT, what
