"""What a seat works out for its shuffle passes before it knows the cards.

For: the half of a pass that needs no cards, done while others shuffle or people think. Never: a batch that is used for
two passes (the same factors on two inputs would give an order away), or anything that a proof about a key rests on.

Theory of operation. A pass over N cards needs 4N + 5 scalars that may be any, as long as nobody else knows them. They
are grown from the master seed, a salt and an index (secrets.py): one batch has the indices from `first` on,

    first + 0 … 4       ω_1 … ω_5
    first + 5 + 4i + k  for the card that comes out at place i = 0 … N−1: r'_i, ρ_i, R_i, ω'_i for k = 0 … 3

and the multiples of fixed points that a pass is made of. Salt and first index travel with the pass, so that the audit
can make it again. A seat at a table draws 16 fresh bytes as salt each time its program starts, and a `Pool` gives every
index out once; so neither a second pass nor a restart meets a batch again. Without a pool the salt is a hash of the
cards and of the place in the transcript: the same scalars then come with the very same pass only.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass

from . import group, limits
from .elgamal import Ciphertext
from .errors import Misuse
from .group import G, Point
from .secrets import Secrets
from .spread import Spread, each, inline

SALT = 16
"""Bytes of a salt."""
STRIDE = 4 * limits.MAX_CARDS + 8
"""Indices from one batch of a pool to the next; none needs more."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The scalars of one pass, by output place, and what they make of fixed points. See shuffle.py for their names."""

    salt: bytes
    first: int
    omega: tuple[int, ...]
    factors: tuple[int, ...]
    randomness: tuple[int, ...]
    links: tuple[int, ...]
    primes: tuple[int, ...]
    seals: tuple[Ciphertext, ...]
    """(r'_i·G, r'_i·X)"""
    columns: tuple[Point, ...]
    """ρ_i·G + H_i"""
    starts: tuple[Point, ...]
    """R_i·G"""
    announced: tuple[Point, ...]
    """t1, t2, t3, and what t4 consists of besides the cards."""


def batch(secrets: Secrets, salt: bytes, first: int, n: int, joint: Point, spread: Spread = inline) -> Batch:
    """Work out the batch for a pass over n cards under the key X = `joint`. Some 2N multiplications, 3N by the base."""
    omega = tuple(secrets.pooled(salt, first + k) for k in range(5))
    rows = [tuple(secrets.pooled(salt, first + 5 + 4 * i + k) for k in range(4)) for i in range(n)]

    def one(i: int) -> tuple[Ciphertext, Point, Point, Point]:
        factor, randomness, link, prime = rows[i]
        seal = Ciphertext(group.base(factor), group.mul(factor, joint))
        h = group.h(i + 1)
        return seal, group.add(group.base(randomness), h), group.base(link), group.mul(prime, h)

    seals, columns, starts, hidden = zip(*each(spread, one, range(n)), strict=True)
    factors, randomness, links, primes = zip(*rows, strict=True)
    # The cards that come out are r'_i·G and r'_i·X away from those that went in.
    rest = sum(f * p for f, p in zip(factors, primes, strict=True)) - omega[3]
    announced = (
        group.base(omega[0]),
        group.base(omega[1]),
        group.add(group.base(omega[2]), group.total(hidden)),
        *(group.mul(rest, key) for key in (G, joint)),
    )
    return Batch(salt, first, omega, factors, randomness, links, primes, seals, columns, starts, announced)


class Pool:
    """The batches of one seat at one table, in one run of its program. `prepare` and `take` may be called from
    different threads. Errors: Misuse (the salt is not 16 bytes)."""

    def __init__(self, secrets: Secrets, salt: bytes) -> None:
        if len(salt) != SALT:
            raise Misuse(f"the salt of a pool has {SALT} bytes")
        self._secrets = secrets
        self._salt = salt
        self._firsts = itertools.count(0, STRIDE)
        self._ready: dict[tuple[int, Point], deque[Batch]] = {}

    def _new(self, n: int, joint: Point, spread: Spread) -> Batch:
        return batch(self._secrets, self._salt, next(self._firsts), n, joint, spread)

    def ready(self, n: int, joint: Point) -> int:
        """How many batches for n cards are waiting."""
        return len(self._ready.get((n, joint), ()))

    def prepare(self, n: int, joint: Point, spread: Spread = inline) -> None:
        """Work out a batch for n cards, unless one is waiting."""
        if not self.ready(n, joint):
            self._ready.setdefault((n, joint), deque()).append(self._new(n, joint, spread))

    def take(self, n: int, joint: Point, spread: Spread = inline) -> Batch:
        """A batch for n cards that nobody else gets: one that is ready, or a new one."""
        try:
            return self._ready.get((n, joint), deque[Batch]()).popleft()
        except IndexError:
            return self._new(n, joint, spread)
