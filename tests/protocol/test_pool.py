"""What a seat prepares for its passes: never the same twice, and always to be made again from what is said of it."""

from __future__ import annotations

import threading

import pytest

from protocol import elgamal, group, limits, pool
from protocol.errors import Misuse
from protocol.pool import SALT, STRIDE, Batch, Pool
from protocol.secrets import Secrets

from .spreads import backwards
from .table import table_id

MINE = Secrets(table_id("seed"), table_id("table"), 1)
JOINT = group.base(99)


def scalars(one: Batch) -> list[int]:
    return [*one.omega, *one.factors, *one.randomness, *one.links, *one.primes]


def test_a_batch_is_what_its_scalars_make_of_fixed_points() -> None:
    one = pool.batch(MINE, b"s" * SALT, 7, 3, JOINT)
    assert scalars(one)[:5] == [MINE.pooled(b"s" * SALT, 7 + k) for k in range(5)]
    rows = [[MINE.pooled(b"s" * SALT, 12 + 4 * i + k) for k in range(4)] for i in range(3)]
    assert [one.factors, one.randomness, one.links, one.primes] == list(zip(*rows, strict=True))
    for i, (factor, randomness, link, _) in enumerate(rows):
        assert one.seals[i] == elgamal.Ciphertext(group.base(factor), group.mul(factor, JOINT))
        assert one.columns[i] == group.add(group.base(randomness), group.h(i + 1))
        assert one.starts[i] == group.base(link)
    rest = sum(row[0] * row[3] for row in rows) - one.omega[3]
    hidden = group.dot([row[3] for row in rows], [group.h(i) for i in (1, 2, 3)])
    assert one.announced == (
        group.base(one.omega[0]),
        group.base(one.omega[1]),
        group.add(group.base(one.omega[2]), hidden),
        group.base(rest),
        group.mul(rest, JOINT),
    )
    assert pool.batch(MINE, b"s" * SALT, 7, 3, JOINT, backwards) == one


def test_no_two_batches_share_a_scalar() -> None:
    """Prepared or not, of different sizes, and after a restart with its new salt."""
    seen: list[int] = []
    for salt in (bytes(SALT), b"\1" + bytes(SALT - 1)):
        mine = Pool(MINE, salt)
        mine.prepare(2, JOINT)
        mine.prepare(5, JOINT)
        for n in (2, 2, 5, 1, 5):
            one = mine.take(n, JOINT)
            assert len(one.factors) == n
            seen += scalars(one)
    assert len(set(seen)) == len(seen)
    assert STRIDE >= 5 + 4 * limits.MAX_CARDS


def test_what_is_taken_can_be_made_again_from_salt_and_first_index() -> None:
    mine = Pool(MINE, bytes(SALT))
    mine.prepare(4, JOINT)
    assert mine.ready(4, JOINT) == 1
    for _ in range(3):
        one = mine.take(4, JOINT)
        assert pool.batch(Secrets(table_id("seed"), table_id("table"), 1), one.salt, one.first, 4, JOINT) == one
    assert mine.ready(4, JOINT) == 0


def test_what_is_prepared_for_other_cards_or_another_key_is_left() -> None:
    mine, other = Pool(MINE, bytes(SALT)), group.base(5)
    mine.prepare(4, JOINT)
    assert mine.take(3, JOINT).first != 0
    assert mine.take(4, other).first != 0
    assert mine.take(4, JOINT).first == 0


def test_threads_never_get_the_same_batch() -> None:
    mine, found = Pool(MINE, bytes(SALT)), list[int]()

    def use() -> None:
        for _ in range(5):
            mine.prepare(1, JOINT)
            found.extend([mine.take(1, JOINT).first, mine.take(1, JOINT).first])

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
