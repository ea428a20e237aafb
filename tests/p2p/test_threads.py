"""Sharing work out among threads makes no difference but time: order, errors, work within work."""

from __future__ import annotations

import threading

import pytest

from p2p.threads import Threads, cores
from protocol import group

WORKERS = [1, 2, 4]


@pytest.mark.parametrize("workers", WORKERS)
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    threads = Threads(workers)
    for n in (0, 1, 2, 50):
        assert threads(lambda i: i * i, range(n)) == [i * i for i in range(n)]


@pytest.mark.parametrize("workers", WORKERS)
def test_of_several_errors_it_is_the_first_in_order(workers: int) -> None:
    def work(i: int) -> int:
        if i % 7 == 5:
            raise ValueError(f"item {i}")
        return i

    for _ in range(20):
        with pytest.raises(ValueError, match="item 5"):
            Threads(workers)(work, range(40))


@pytest.mark.parametrize("workers", WORKERS)
def test_work_may_spread_further_work_on_the_same_threads(workers: int) -> None:
    threads = Threads(workers)

    def deep(level: int) -> int:
        return 1 if level == 0 else sum(threads(lambda _: deep(level - 1), range(3)))

    assert deep(5) == 3**5


def test_several_callers_share_the_threads() -> None:
    threads, found = Threads(2), list[int]()

    def call() -> None:
        found.append(sum(threads(lambda i: sum(threads(lambda k: k, range(i))), range(30))))

    callers = [threading.Thread(target=call) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [sum(sum(range(i)) for i in range(30))] * 6


def test_others_help_when_there_is_something_to_wait_for() -> None:
    """Two items that wait for each other come to an end only if two threads have them at once."""
    meet = threading.Barrier(2, timeout=10)
    assert sorted(Threads(2)(lambda _: meet.wait(), range(2))) == [0, 1]


def test_a_sum_of_many_points_is_the_same() -> None:
    scalars, points = list(range(3, 63)), [group.m(j) for j in range(60)]
    assert group.sums([group.own(scalars, points)], Threads(3)) == [group.dot(scalars, points)]


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1
    assert Threads().workers >= 1
