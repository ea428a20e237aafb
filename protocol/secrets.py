"""Everything that one seat keeps to itself at one table, grown from one master seed.

For: making a seat's contributions, live and in the audit that makes them again from the revealed seed. Never: a second
answer to the same question, a secret that depends on less than what it is used for, or one in a printed form.

Theory of operation. Each value is BLAKE2b-512 keyed with the master seed m, over a label and whatever it is bound to:

    x      hash64("p2pgame secret", "key", table, seat)        b_0    its "chain" likewise, by hash32
    an order             Stream(hash64("p2pgame secret", label, input)).shuffle(0 … n−1)
    a blind              hash64("p2pgame secret", "blind", input, index)
    a pooled scalar      hash64("p2pgame secret", "pool", salt, index)
    a pooled order       Stream(hash64("p2pgame secret", "pool order", salt, index)).shuffle(0 … n−1)
    a salt               hash64("p2pgame secret", "salt", input), its first 16 bytes
    a nonce              hash64("p2pgame nonce", label, index, s)

all reduced mod q where a scalar is wanted; x and blinds take 1 for the 0 that will never come. `input` is the hash of
all that a step starts from, and s the state of a proof's transcript just before its commitments are absorbed. So two
different statements never share a nonce (that would give x away), and the same statement, proven again after a crash,
gets the same bytes. What is pooled is for shuffle passes alone, whose proofs say nothing of x: see pool.py.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from . import flips, group, hashing, limits
from .errors import Misuse

if TYPE_CHECKING:
    from .pool import Pool

SEED = 32
"""Bytes of a master seed."""


def commitment(table: bytes, seat: int, master: bytes) -> bytes:
    """32 bytes that fix a seat's master seed: hash32("p2pgame seed", table, seat, m)."""
    return hashing.hash32("p2pgame seed", table, seat, master)


class Master:
    """What grows from a master seed at whichever table it is used. Errors: Misuse (the seed is not 32 bytes)."""

    def __init__(self, master: bytes) -> None:
        if len(master) != SEED:
            raise Misuse(f"a master seed has {SEED} bytes")
        self._master = master

    def __repr__(self) -> str:
        return "<Master>"

    def _scalar(self, *fields: hashing.Field) -> int:
        return hashing.to_scalar(hashing.hash64("p2pgame secret", *fields, key=self._master))

    def _order(self, n: int, *fields: hashing.Field) -> list[int]:
        return hashing.Stream(hashing.hash64("p2pgame secret", *fields, key=self._master)).shuffle(range(n))

    def pooled(self, salt: bytes, index: int) -> int:
        """A scalar for one shuffle pass. Whoever asks sees to it that no two passes have a salt and an index in
        common."""
        return self._scalar("pool", salt, index)

    def pooled_order(self, salt: bytes, index: int, n: int) -> list[int]:
        """The numbers below n in an order for one shuffle pass, likewise."""
        return self._order(n, "pool order", salt, index)


class Secrets(Master):
    """What one seat alone can compute at one table. Errors: Misuse, as Master."""

    def __init__(self, master: bytes, table: bytes, seat: int) -> None:
        super().__init__(master)
        self.table = table
        self.seat = seat
        self.x = self._scalar("key", table, seat) or 1
        self.public = group.base(self.x)
        self.pool: Pool | None = None
        """What is prepared for shuffle passes, if whoever plays this seat has thought of it."""

    def __repr__(self) -> str:
        return f"<Secrets of seat {self.seat}>"

    def commitment(self) -> bytes:
        """What this seat publishes before anything else."""
        return commitment(self.table, self.seat, self._master)

    @cached_property
    def _chain(self) -> list[bytes]:
        first = hashing.hash32("p2pgame secret", "chain", self.table, self.seat, key=self._master)
        return flips.chain(self.table, self.seat, first)

    @property
    def anchor(self) -> bytes:
        """b_L, the end of the flip chain, which is published with the key."""
        return self._chain[limits.FLIPS]

    def flip(self, number: int) -> bytes:
        """What flip `number` uncovers, b_{L−1−number}. Errors: Misuse, if the chain is used up."""
        if not 0 <= number < limits.FLIPS:
            raise Misuse(f"no flip {number}: a table has {limits.FLIPS}")
        return self._chain[limits.FLIPS - 1 - number]

    def permutation(self, label: str, source: bytes, n: int) -> list[int]:
        """The numbers below n in an order that this seat alone knows; `source` is the hash of the step's input."""
        return self._order(n, label, source)

    def salt(self, source: bytes) -> bytes:
        """16 bytes that are the same for the same input of a step only."""
        return hashing.hash64("p2pgame secret", "salt", source, key=self._master)[:16]

    def blind(self, source: bytes, index: int) -> int:
        """A scalar other than 0, for the index-th card of a private look."""
        return self._scalar("blind", source, index) or 1

    def nonce(self, state: bytes, label: str, index: int = 0) -> int:
        """A nonce for one proof only. `state`: of its transcript, after the statement and before the commitments."""
        return hashing.to_scalar(hashing.hash64("p2pgame nonce", label, index, state, key=self._master))
