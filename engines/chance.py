"""Public chance: a documented generator, so that every peer draws the same from the same 32 bytes.

For: layouts, who begins, tokens from a bag, the choices of bots. Never: a secret, Python's own `random`, modulo bias.

Theory of operation: block i of the stream is BLAKE2b-512(seed ‖ i as 8 bytes little-endian, person "p2pgame chance").
`below(n)` takes as many whole bytes as n - 1 needs, masks them down to its bit length, and tries again while the number
is n or more (rejection sampling). `shuffled` is Fisher–Yates from the last place downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Draws from one seed. Errors: RuntimeError once it is closed, since tomorrow's luck must not be known today."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._bytes = b""
        self._open = True

    def close(self) -> None:
        """No draw is possible any more."""
        self._open = False

    def _take(self, count: int) -> bytes:
        if not self._open:
            raise RuntimeError("this chance is over: the rules asked for something else since")
        while len(self._bytes) < count:
            counter = self._block.to_bytes(8, "little")
            self._bytes += blake2b(self._seed + counter, person=b"p2pgame chance").digest()
            self._block += 1
        taken, self._bytes = self._bytes[:count], self._bytes[count:]
        return taken

    def below(self, n: int) -> int:
        """Uniform in 0 … n - 1; n ≥ 1."""
        if n < 1:
            raise ValueError("a draw below nothing")
        bits = (n - 1).bit_length()
        mask = (1 << bits) - 1
        while True:
            value = int.from_bytes(self._take((bits + 7) // 8), "little") & mask
            if value < n:
                return value

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All items in a uniform order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def draw(self, items: Sequence[T], count: int) -> list[T]:
        """`count` different places of `items`, in the order drawn."""
        return self.shuffled(items)[:count]

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]
