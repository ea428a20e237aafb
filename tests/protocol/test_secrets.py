from __future__ import annotations

import pytest

from protocol import flips, group, hashing, limits
from protocol.errors import Malformed, Misuse, Refused
from protocol.secrets import Master, Secrets, commitment

from .table import table_id

MASTER, TABLE = table_id("master"), table_id("table")
MINE = Secrets(MASTER, TABLE, 1)
OTHERS = [Secrets(table_id("other"), TABLE, 1), Secrets(MASTER, table_id("other"), 1), Secrets(MASTER, TABLE, 2)]


@pytest.mark.parametrize("master", [b"", bytes(31), bytes(33), bytes(64)])
def test_a_master_seed_has_32_bytes(master: bytes) -> None:
    with pytest.raises(Misuse):
        Secrets(master, TABLE, 0)


def test_all_of_it_is_a_function_of_seed_table_and_seat() -> None:
    again = Secrets(MASTER, TABLE, 1)
    assert (again.x, again.public, again.anchor, again.commitment()) == (
        MINE.x,
        MINE.public,
        MINE.anchor,
        MINE.commitment(),
    )
    for other in OTHERS:
        assert other.x != MINE.x
        assert other.anchor != MINE.anchor
        assert other.flip(limits.FLIPS - 1) != MINE.flip(limits.FLIPS - 1)
        assert other.commitment() != MINE.commitment()
    assert MINE.public == group.base(MINE.x)
    assert MINE.commitment() == commitment(TABLE, 1, MASTER)


def test_nothing_secret_is_printed() -> None:
    for text in (repr(MINE), str(MINE)):
        assert text == "<Secrets of seat 1>"


def test_every_label_index_and_input_has_its_own_value() -> None:
    scalars = [
        *(MINE.pooled(b"salt", index) for index in range(3)),
        *(MINE.pooled(b"other", index) for index in range(3)),
        int.from_bytes(MINE.salt(b"input"), "little"),
        int.from_bytes(MINE.salt(b"other"), "little"),
        *(MINE.blind(b"input", index) for index in range(3)),
        MINE.blind(b"other", 0),
        *(MINE.nonce(b"input", "factor", index) for index in range(3)),
        MINE.nonce(b"other", "factor"),
        MINE.nonce(b"input", "other"),
        MINE.x,
    ]
    assert len(set(scalars)) == len(scalars)
    assert all(0 < k < group.Q for k in scalars)
    assert MINE.pooled(b"salt", 1) == MINE.pooled(b"salt", 1)
    assert MINE.pooled(b"salt", 1) not in {other.pooled(b"salt", 1) for other in OTHERS[:1]}
    assert MINE.nonce(b"input", "factor") not in {other.nonce(b"input", "factor") for other in OTHERS[:1]}


def test_key_and_blind_are_never_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "to_scalar", lambda _: 0)
    zero = Secrets(MASTER, TABLE, 0)
    assert zero.x == zero.blind(b"", 0) == 1


def test_permutations_are_bound_to_label_and_input() -> None:
    orders = [MINE.permutation(label, source, 20) for label in ("a", "b") for source in (b"a", b"b")]
    assert all(sorted(order) == list(range(20)) for order in orders)
    assert len({tuple(order) for order in orders}) == 4
    assert MINE.permutation("a", b"", 1) == [0]
    assert MINE.permutation("a", b"", 0) == []


def test_what_is_pooled_is_known_before_the_table_is() -> None:
    master = Master(MASTER)
    assert MASTER.hex() not in repr(master)
    orders = [master.pooled_order(salt, index, 20) for salt in (b"a", b"b") for index in (0, 1)]
    assert all(sorted(order) == list(range(20)) for order in orders)
    assert len({tuple(order) for order in orders}) == 4
    assert orders[0] != MINE.permutation("pool order", b"a", 20)
    for table, seat in ((TABLE, 1), (TABLE, 2), (table_id("other"), 1)):
        secrets = Secrets(MASTER, table, seat)
        assert secrets.pooled_order(b"a", 0, 20) == orders[0]
        assert secrets.pooled(b"a", 0) == master.pooled(b"a", 0)


def test_each_flip_uncovers_the_preimage_of_the_one_before() -> None:
    head = MINE.anchor
    for number in range(limits.FLIPS):
        value = MINE.flip(number)
        assert flips.check(TABLE, 1, number, value, head) == value
        head = value
    for number in (-1, limits.FLIPS, limits.FLIPS + 1):
        with pytest.raises(Misuse):
            MINE.flip(number)


def test_only_that_value_of_that_seat_at_that_table_fits() -> None:
    value = MINE.flip(0)
    with pytest.raises(Refused):
        flips.check(TABLE, 2, 0, value, MINE.anchor)
    with pytest.raises(Refused):
        flips.check(table_id("other"), 1, 0, value, MINE.anchor)
    with pytest.raises(Refused):
        flips.check(TABLE, 1, 1, value, MINE.anchor)
    with pytest.raises(Refused):
        flips.check(TABLE, 1, 0, MINE.flip(1), MINE.anchor)
    for wrong in (None, b"", value + b"\0", value.hex(), 5, [value]):
        with pytest.raises(Malformed):
            flips.check(TABLE, 1, 0, wrong, MINE.anchor)


def test_the_result_depends_on_every_value_and_on_the_place() -> None:
    values = [table_id("a"), table_id("b")]
    results = {
        flips.result(TABLE, b"p", 0, values),
        flips.result(TABLE, b"p", 0, values[::-1]),
        flips.result(TABLE, b"p", 0, values[:1]),
        flips.result(TABLE, b"p", 1, values),
        flips.result(TABLE, b"q", 0, values),
        flips.result(MASTER, b"p", 0, values),
    }
    assert len(results) == 6
    assert {len(result) for result in results} == {flips.SIZE}
