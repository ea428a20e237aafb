"""Commitments to lists, and to orders."""

from __future__ import annotations

import pytest

from protocol import group, limits, vectors
from protocol.group import G

from .spreads import backwards


def test_the_shape_is_the_one_that_costs_least_and_has_no_empty_row() -> None:
    def cost(rows: int, n: int) -> int:
        return -(-n // rows) + 5 * rows

    for n in range(1, limits.MAX_CARDS + 1):
        rows, columns = vectors.shape(n)
        assert (rows - 1) * columns < n <= rows * columns
        assert cost(rows, n) <= min(cost(other, n) for other in range(1, n + 1)) + 1
        assert [*map(len, vectors.cut(range(n)))] == [columns] * (rows - 1) + [n - columns * (rows - 1)]
        assert len(vectors.generators(n)) == columns


@pytest.mark.parametrize("n", [1, 2, 10, 11, 54])
def test_a_commitment_is_the_sum_that_it_is_said_to_be(n: int) -> None:
    rows, columns = vectors.shape(n)
    values, blinds, others = [7 * i + 3 for i in range(n)], [11 + k for k in range(rows)], [-k for k in range(rows)]
    found = vectors.commit([(values, blinds), ([0] * n, others)])
    assert found == vectors.commit([(values, blinds), ([0] * n, others)], backwards)
    for k in range(rows):
        row = values[columns * k : columns * (k + 1)]
        assert found[0][k] == group.dot([blinds[k], *row], [G, *(group.h(j) for j in range(len(row)))])
        assert found[1][k] == group.base(-k)


@pytest.mark.parametrize("n", [*range(1, 20), 54, 64, 65, 84, 256])
def test_an_order_is_committed_to_like_any_list(n: int) -> None:
    order = [(i * i + i) // 2 % n for i in range(n)] if n & n - 1 == 0 else [(i * 5 + 3) % n for i in range(n)]
    rows, _ = vectors.shape(n)
    blinds = [11 + k for k in range(rows)]
    expected = vectors.commit([(order, blinds)])[0]
    assert vectors.commit_order(order, blinds) == vectors.commit_order(order, blinds, backwards) == expected
