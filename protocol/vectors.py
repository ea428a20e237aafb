"""Commitments to lists of scalars.

For: the shuffle proof, which commits to an order and to what hides it. Never: a commitment without a blind of its own,
or to more scalars in a row than there are generators for.

Theory of operation. A row v_0, v_1 … of at most K scalars is committed to with a blind r by r·G + Σ v_j·H_j (Pedersen
1991, for several values at once). Such a commitment hides its row perfectly, and binds to it as long as nobody knows a
relation between G and the H_j. A longer list is cut into L rows of K scalars, the last of which may be shorter, and all
rows use the same generators: Groth's trade of commitment keys for commitments (2010, "Speed, space and tricks").

Somebody who checks openings of five such lists with random weights multiplies K generators and 5·L commitments; L is
chosen to make that least: it is the smallest with 5·L·(L + 1) >= N.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from . import group
from .group import IDENTITY, G, Point
from .spread import Spread, inline

T = TypeVar("T")


@cache
def shape(n: int) -> tuple[int, int]:
    """L and K for n scalars."""
    rows = next(rows for rows in range(1, n + 1) if 5 * rows * (rows + 1) >= n)
    return rows, -(-n // rows)


def cut(values: Sequence[T]) -> list[Sequence[T]]:
    """The rows of a list."""
    _, columns = shape(len(values))
    return [values[at : at + columns] for at in range(0, len(values), columns)]


def generators(n: int) -> list[Point]:
    """H_0 … H_{K−1}, for n scalars."""
    return [group.h(j) for j in range(shape(n)[1])]


def commit(lists: Sequence[tuple[Sequence[int], Sequence[int]]], spread: Spread = inline) -> list[list[Point]]:
    """For each list of scalars, with a blind for each of its rows: the commitments to its rows."""
    rows = []
    for values, blinds in lists:
        bases = [G, *generators(len(values))]
        for blind, row in zip(blinds, cut(values), strict=True):
            rows.append(group.own([blind, *row], bases[: 1 + len(row)]))
    found = iter(group.sums(rows, spread))
    return [[next(found) for _ in blinds] for _, blinds in lists]


def commit_order(order: Sequence[int], blinds: Sequence[int], spread: Spread = inline) -> list[Point]:
    """As `commit`, for an order of 0 … N−1. The numbers are small, so it takes few multiplications: each of their two
    digits is a sum of suffix sums."""
    n = len(order)
    bits = ((n - 1).bit_length() + 1) // 2

    def one(row: tuple[int, Sequence[int]]) -> Point:
        blind, places = row
        high = _weighed([place >> bits for place in places])
        for _ in range(bits):
            high = group.add(high, high)
        return group.add(group.base(blind), group.add(high, _weighed([place % (1 << bits) for place in places])))

    return spread(one, list(zip(blinds, cut(order), strict=True)))


def _weighed(digits: Sequence[int]) -> Point:
    """Σ digit_j·H_j."""
    heaps = [IDENTITY] * (max(digits) + 1)
    for j, digit in enumerate(digits):
        heaps[digit] = group.add(heaps[digit], group.h(j))
    above, total = IDENTITY, IDENTITY
    for heap in heaps[:0:-1]:
        above = group.add(heap, above)
        total = group.add(total, above)
    return total
