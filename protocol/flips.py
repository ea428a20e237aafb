"""Flip chains: public chance that nobody can choose.

For: the values that the seats publish when something is drawn in the open. Never: a value that its seat could still
choose, or one that another seat could have published.

Theory of operation. Before the first card each seat publishes the end b_L of a hash chain b_0, b_1 … b_L; flip number
k = 0, 1, 2 … uncovers b_{L−1−k}. One hash shows that it is the right one. Table, seat and place enter every link, so a
value mirrored from another seat's chain does not fit. The result is a hash of all values: it is uniform as long as one
seat drew b_0 by chance, and the last one to speak can do nothing but stay silent.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import hashing, limits
from .errors import Malformed, Refused

SIZE = 32
"""Bytes of a value, an anchor and a result."""


def link(table: bytes, seat: int, index: int, value: bytes) -> bytes:
    """b_{index+1}, from b_index: hash32("p2pgame chain", table, seat, index, b_index)."""
    return hashing.hash32("p2pgame chain", table, seat, index, value)


def chain(table: bytes, seat: int, first: bytes) -> list[bytes]:
    """b_0 … b_L, from b_0."""
    return hashing.iterated("p2pgame chain", table, seat, first=first, times=limits.FLIPS)


def check(table: bytes, seat: int, number: int, value: object, head: bytes) -> bytes:
    """The value of flip `number`, if it is the preimage of `head`, the seat's value before (its anchor at first).

    Errors: Malformed (not 32 bytes), Refused (not the preimage).
    """
    if not isinstance(value, bytes) or len(value) != SIZE:
        raise Malformed("flip: value is not 32 bytes")
    if link(table, seat, limits.FLIPS - 1 - number, value) != head:
        raise Refused("flip: value is not the preimage of the one before")
    return value


def result(table: bytes, prev: bytes, number: int, values: Sequence[bytes]) -> bytes:
    """32 bytes: hash32("p2pgame flipres", table, prev, number, the values in seat order). `prev`: before this round."""
    return hashing.hash32("p2pgame flipres", table, prev, number, *values)
