"""What a seat prepares for its passes: never the same twice, and always to be made again from what is said of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

from protocol import elgamal, group, limits, pool, vectors
from protocol.errors import Misuse
from protocol.pool import SALT, STRIDE, Batch, Pool
from protocol.secrets import Secrets
from protocol.spread import inline

from .spreads import backwards
from .table import table_id

T = TypeVar("T")
R = TypeVar("R")
MINE = Secrets(table_id("seed"), table_id("table"), 1)
JOINT = group.base(99)


def scalars(one: Batch) -> list[int]:
    start = one.start
    blinds = [blind for row in (*start.blinds, *start.announced.blinds) for blind in row]
    return [*start.factors, *start.masks, *start.announced.d, *start.announced.delta[:-1], *blinds, start.rest]


@pytest.mark.parametrize("n", [1, 3, 11])
def test_a_batch_is_what_its_scalars_make_of_fixed_points(n: int) -> None:
    one, (rows, columns) = pool.batch(MINE, b"s" * SALT, 7, n, JOINT), vectors.shape(n)
    start, made = one.start, one.start.announced
    grown = [MINE.pooled(b"s" * SALT, 7 + k) for k in range(4 * n + 5 * rows + 1)]
    assert [start.factors, start.masks, made.d] == [tuple(grown[k : 4 * n : 4]) for k in range(3)]
    assert made.delta == (*grown[3 : 4 * n - 4 : 4], 0)
    assert [*start.blinds, *made.blinds] == [tuple(grown[4 * n + k : -1 : 5]) for k in range(5)]
    assert start.rest == grown[-1]
    for factor, seal in zip(start.factors, one.seals, strict=True):
        assert seal == elgamal.Ciphertext(group.base(factor), group.mul(factor, JOINT))
    assert sorted(start.order) == list(range(n))
    assert list(start.order) == MINE.pooled_order(b"s" * SALT, 7, n)
    assert start.committed[:rows] == tuple(vectors.commit([(start.order, start.blinds[0])])[0])
    hidden = [[-d for d in start.masks], made.d, [-a * b for a, b in zip([0, *made.delta], made.d, strict=False)]]
    for values, blinds, points in zip(
        hidden, [start.blinds[1], *made.blinds], [start.committed[rows:], *made.points], strict=False
    ):
        assert len(points) == rows
        for row, blind, point in zip(range(rows), blinds, points, strict=True):
            part = values[columns * row : columns * (row + 1)]
            assert point == group.add(group.base(blind), group.dot(part, [group.h(j) for j in range(len(part))]))
    rest = start.rest - sum(a * b for a, b in zip(start.factors, start.masks, strict=True))
    assert one.rest == (group.base(rest), group.mul(rest, JOINT))
    assert pool.batch(MINE, b"s" * SALT, 7, n, JOINT, backwards) == one


def test_no_two_batches_share_a_scalar() -> None:
    """Prepared or not, of different sizes, and after a restart with its new salt."""
    seen: list[int] = []
    for salt in (bytes(SALT), b"\1" + bytes(SALT - 1)):
        mine = Pool(MINE, salt)
        mine.prepare(2, JOINT)
        mine.prepare(5, JOINT)
        for n in (2, 2, 5, 1, 5):
            one = mine.take(n, JOINT)
            assert len(one.start.factors) == n
            seen += scalars(one)
    assert len(set(seen)) == len(seen)
    assert all(4 * n + 5 * vectors.shape(n)[0] + 1 <= STRIDE for n in range(1, limits.MAX_CARDS + 1))


def test_what_is_taken_can_be_made_again_from_salt_and_first_index() -> None:
    mine = Pool(MINE, bytes(SALT))
    mine.prepare(4, JOINT)
    assert mine.ready(4, JOINT) == 1
    for _ in range(3):
        one = mine.take(4, JOINT)
        assert (
            pool.batch(Secrets(table_id("seed"), table_id("table"), 1), one.start.salt, one.start.first, 4, JOINT)
            == one
        )
    assert mine.ready(4, JOINT) == 0


def test_what_is_prepared_for_other_cards_or_another_key_is_left() -> None:
    mine, other = Pool(MINE, bytes(SALT)), group.base(5)
    mine.prepare(4, JOINT)
    assert mine.take(3, JOINT).start.first != 0
    assert mine.take(4, other).start.first != 0
    assert mine.take(4, JOINT).start.first == 0


def test_what_was_begun_before_the_key_is_finished_under_it_and_under_no_other() -> None:
    mine, other = Pool(MINE, bytes(SALT)), group.base(5)
    mine.begin(4)
    mine.begin(4)
    assert mine.take(3, JOINT).start.first == STRIDE
    assert mine.take(4, other) == pool.batch(MINE, bytes(SALT), 0, 4, other)
    assert mine.take(4, JOINT).start.first == 2 * STRIDE
    mine.begin(4)
    mine.prepare(4, JOINT)
    assert mine.take(4, other).start.first == 4 * STRIDE
    assert mine.take(4, JOINT) == pool.batch(MINE, bytes(SALT), 3 * STRIDE, 4, JOINT)


def test_what_is_under_way_is_not_begun_again() -> None:
    """Whoever decides fast asks for it again and again while a thread is at work."""
    mine = Pool(MINE, bytes(SALT))

    def meanwhile(work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
        mine.prepare(4, JOINT)
        return inline(work, items)

    mine.prepare(4, JOINT, meanwhile)
    assert mine.ready(4, JOINT) == 1
    mine.take(4, JOINT)
    mine.prepare(4, JOINT)
    assert mine.ready(4, JOINT) == 1


def test_threads_never_get_the_same_batch() -> None:
    mine, found = Pool(MINE, bytes(SALT)), list[int]()

    def use() -> None:
        for _ in range(5):
            mine.begin(1)
            mine.prepare(1, JOINT)
            found.extend([mine.take(1, JOINT).start.first, mine.take(1, JOINT).start.first])

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == len(found) == 40


@pytest.mark.parametrize("salt", [b"", bytes(SALT - 1), bytes(SALT + 1)])
def test_a_salt_has_its_length(salt: bytes) -> None:
    with pytest.raises(Misuse):
        Pool(MINE, salt)
