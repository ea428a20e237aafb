"""Independent pieces of arithmetic, done one after the other unless an owner with threads does them otherwise.

For: long sums and lists of products. Never: a thread (who has them passes a `Spread` in), or a result that depends on
how the pieces were shared out: they come back in their own order, and if several fail, the first of them is the error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")

PIECE = 12
"""Products in one piece: about a millisecond, far above what handing it over costs, and fine enough to share out."""


class Spread(Protocol):
    """`map`, as a list. The work is pure and spends its time in libsodium, which lets other threads run meanwhile."""

    def __call__(self, work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
        """The results in the order of the items. Errors: that of the first item whose work fails."""


def inline(work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
    """One after the other."""
    return [work(item) for item in items]


def pieces(items: Sequence[T]) -> list[Sequence[T]]:
    """The items in runs of PIECE."""
    return [items[at : at + PIECE] for at in range(0, len(items), PIECE)]


def each(spread: Spread, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """The results for many small items, handed over in pieces. Errors: as Spread."""
    return [one for part in spread(lambda piece: inline(work, piece), pieces(items)) for one in part]
