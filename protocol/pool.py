"""What a seat works out for its shuffle passes before it knows the cards.

For: the part of a pass that needs no cards, done while others shuffle or people think. Never: a batch that is used for
two passes (the same factors on two inputs would give an order away), or anything that a proof about a key rests on.

Theory of operation. A pass over N cards, its commitments in L rows, needs an order σ and 4N + 5L + 1 scalars that may
be any, as long as nobody else knows them. They are grown from the master seed, a salt and an index (secrets.py): one
batch has σ of `first` and the scalars from `first` on,

    first + 4i + k            for the i-th card in the order of σ, i = 0 … N−1: r'_i, d_i, d'_i, δ_i for k = 0 … 3
    first + 4N + 5j + k       blinds of row j = 0 … L−1, in C, D, C_d, C_Δ, C_a for k = 0 … 4
    first + 4N + 5L           R

(the last δ is 0 instead), and the multiples of fixed points that a pass is made of. Salt and first index travel with
the pass, so that the audit can make it again. A seat at a table draws 16 fresh bytes as salt each time its program
starts, and a `Pool` gives every index out once; so neither a second pass nor a restart meets a batch again. Without a
pool the salt is a hash of the cards and of the place in the transcript: the same scalars then come with the very same
pass only.

Most of a batch does not depend on the joint key either. That is a `Start`, and can be made while people still gather.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass

from . import group, known, limits, vectors
from .elgamal import Ciphertext
from .errors import Misuse
from .group import Point
from .hashing import Q
from .known import Announced
from .secrets import Master
from .spread import Spread, each, inline

SALT = 16
"""Bytes of a salt."""
STRIDE = 5 * limits.MAX_CARDS
"""Indices from one batch of a pool to the next; none needs more."""


@dataclass(frozen=True, slots=True, repr=False)
class Start:
    """The order and scalars of one pass, and what they make of G and the H_j. See shuffle.py and known.py for their
    names."""

    salt: bytes
    first: int
    order: tuple[int, ...]
    """σ"""
    factors: tuple[int, ...]
    masks: tuple[int, ...]
    blinds: tuple[tuple[int, ...], tuple[int, ...]]
    """Of C and D."""
    rest: int
    """R"""
    halves: tuple[Point, ...]
    """r'_i·G"""
    committed: tuple[Point, ...]
    """C, then D"""
    announced: Announced
    faces: Point | None = None
    """Σ d_i·M_{σ(i)}, if the pass may be that over the first cards of a table, fresh and in order."""


@dataclass(frozen=True, slots=True, repr=False)
class Batch:
    """What a pass under one key is made of."""

    start: Start
    seals: tuple[Ciphertext, ...]
    """(r'_i·G, r'_i·X)"""
    rest: tuple[Point, Point]
    """What E_d consists of besides the cards that go in."""


def start(secrets: Master, salt: bytes, first: int, n: int, spread: Spread = inline, *, fresh: bool = False) -> Start:
    """Work out what a pass over n cards takes under any key; `fresh`: and what helps with the first cards of a table.
    Some 3N multiplications, or 4N, and N by the base."""
    rows, _ = vectors.shape(n)

    def grown(at: int, count: int, size: int) -> list[tuple[int, ...]]:
        """So many times `size` scalars, as columns."""
        return [tuple(secrets.pooled(salt, first + at + k + size * i) for i in range(count)) for k in range(size)]

    factors, masks, d, delta = grown(0, n, 4)
    blinds = grown(4 * n, rows, 5)
    delta = (*delta[:-1], 0)
    lists = [([-one % Q for one in masks], blinds[1]), (d, blinds[2]), (known.crossed(d, delta), blinds[3])]
    masked, *points = vectors.commit(lists, spread)
    order = secrets.pooled_order(salt, first, n)
    committed = vectors.commit_order(order, blinds[0], spread) + masked
    halves = each(spread, group.base, factors)
    announced = Announced(d, delta, tuple(blinds[2:]), tuple(map(tuple, points)))
    return Start(
        salt,
        first,
        tuple(order),
        factors,
        masks,
        (blinds[0], blinds[1]),
        secrets.pooled(salt, first + 4 * n + 5 * rows),
        tuple(halves),
        tuple(committed),
        announced,
        group.dot(masks, [group.m(j) for j in order]) if fresh else None,
    )


def finish(begun: Start, joint: Point, spread: Spread = inline) -> Batch:
    """The batch for a pass under the key X = `joint`. Some N multiplications."""
    others = each(spread, lambda factor: group.mul(factor, joint), begun.factors)
    seals = tuple(Ciphertext(*pair) for pair in zip(begun.halves, others, strict=True))
    # The cards that come out are r'_i·G and r'_i·X away from those that went in.
    rest = begun.rest - sum(f * d for f, d in zip(begun.factors, begun.masks, strict=True))
    return Batch(begun, seals, (group.base(rest), group.mul(rest, joint)))


def batch(secrets: Master, salt: bytes, first: int, n: int, joint: Point, spread: Spread = inline) -> Batch:
    """The batch for a pass over n cards under the key X = `joint`, from its start."""
    return finish(start(secrets, salt, first, n, spread), joint, spread)


class Pool:
    """The batches of one seat at one table, in one run of its program. `begin`, `prepare` and `take` may be called from
    different threads. Errors: Misuse (the salt is not 16 bytes)."""

    def __init__(self, secrets: Master, salt: bytes) -> None:
        if len(salt) != SALT:
            raise Misuse(f"the salt of a pool has {SALT} bytes")
        self._secrets = secrets
        self._salt = salt
        self._firsts = itertools.count(0, STRIDE)
        self._begun: dict[int, deque[Start]] = {}
        self._ready: dict[tuple[int, Point], deque[Batch]] = {}
        self._under_way: set[tuple[int, Point]] = set()

    def _start(self, n: int, spread: Spread, fresh: bool = False) -> Start:
        return start(self._secrets, self._salt, next(self._firsts), n, spread, fresh=fresh)

    def _new(self, n: int, joint: Point, spread: Spread) -> Batch:
        try:
            begun = self._begun.get(n, deque[Start]()).popleft()
        except IndexError:
            begun = self._start(n, spread)
        return finish(begun, joint, spread)

    def ready(self, n: int, joint: Point) -> int:
        """How many batches for n cards are waiting."""
        return len(self._ready.get((n, joint), ()))

    def begin(self, n: int, spread: Spread = inline, *, fresh: bool = False) -> None:
        """Work out the start of a batch for n cards, unless one is waiting; `fresh`: for the first cards of a table."""
        if not self._begun.get(n):
            self._begun.setdefault(n, deque()).append(self._start(n, spread, fresh))

    def prepare(self, n: int, joint: Point, spread: Spread = inline) -> None:
        """Work out a batch for n cards, unless one is waiting or another thread is at it."""
        if self.ready(n, joint) or (n, joint) in self._under_way:
            return
        self._under_way.add((n, joint))
        try:
            self._ready.setdefault((n, joint), deque()).append(self._new(n, joint, spread))
        finally:
            self._under_way.discard((n, joint))

    def take(self, n: int, joint: Point, spread: Spread = inline) -> Batch:
        """A batch for n cards that nobody else gets: one that is ready, or a new one."""
        try:
            return self._ready.get((n, joint), deque[Batch]()).popleft()
        except IndexError:
            return self._new(n, joint, spread)
