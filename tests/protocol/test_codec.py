from __future__ import annotations

import math
import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol import codec, limits
from protocol.errors import Malformed, Misuse

LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=20) | st.text(max_size=20)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=5),
    max_leaves=20,
)


def nested(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


def depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def same(one: Any, other: Any) -> bool:
    """Equal, and of one type all the way down: 1 is not True."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@given(VALUES.filter(lambda value: depth(value) <= limits.DEPTH))
def test_what_goes_in_comes_out(value: Any) -> None:
    data = codec.encode(value)
    assert same(codec.decode(data), value)
    assert codec.encode(codec.decode(data)) == data


@given(st.binary(max_size=60))
@example(b"")
@example(b"\xc1")
@example(b"\xdd\xff\xff\xff\xff")
@example(b"\xdf\xff\xff\xff\xff")
@example(b"\xc6\xff\xff\xff\xff")
@example(b"\xdb\xff\xff\xff\xff")
@example(b"\xc9\xff\xff\xff\xff\x01")
@example(b"\x91" * 3000)
@example(b"\x81" * 3000)
@example(b"\x81\xa0" * 3000)
def test_any_bytes_are_a_value_or_malformed(data: bytes) -> None:
    try:
        value = codec.decode(data)
    except Malformed:
        return
    assert codec.encode(value) == data


@given(VALUES.filter(lambda value: depth(value) <= limits.DEPTH), st.data())
def test_bytes_bent_in_one_place_are_another_value_or_malformed(value: Any, data: st.DataObject) -> None:
    whole = bytearray(codec.encode(value))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    test_any_bytes_are_a_value_or_malformed.hypothesis.inner_test(bytes(whole))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("nothing", b""),
        ("something after it", b"\x01\x01"),
        ("a part of it", b"\x92\x01"),
        ("a short int in two bytes", b"\xcc\x05"),
        ("a short int in nine bytes", b"\xcf" + bytes(7) + b"\x05"),
        ("a positive int as a signed one", b"\xd0\x05"),
        ("a negative int that is too long", b"\xd1\xff\xff"),
        ("a short text with a long head", b"\xd9\x01a"),
        ("short bytes with a long head", b"\xc5\x00\x01a"),
        ("a short list with a long head", b"\xdc\x00\x01\x01"),
        ("a short map with a long head", b"\xde\x00\x01\xa1a\x01"),
        ("keys out of order", b"\x82\xa1b\x01\xa1a\x01"),
        ("one key twice", b"\x82\xa1a\x01\xa1a\x01"),
        ("one key twice, with two values", b"\x82\xa1a\x01\xa1a\x02"),
        ("a number as key", b"\x81\x01\x01"),
        ("bytes as key", b"\x81\xc4\x01a\x01"),
        ("a list as key", b"\x81\x90\x01"),
        ("a map as key", b"\x81\x80\x01"),
        ("nil as key", b"\x81\xc0\x01"),
        ("a float", msgpack.packb(1.0)),
        ("a short float", b"\xca\x00\x00\x00\x00"),
        ("no number", msgpack.packb(math.nan)),
        ("infinity", msgpack.packb(math.inf)),
        ("a float in a list", msgpack.packb([1.0])),
        ("an extension", msgpack.packb(msgpack.ExtType(5, b"x"))),
        ("an empty extension", msgpack.packb(msgpack.ExtType(5, b""))),
        ("a time", msgpack.packb(msgpack.Timestamp(0))),
        ("a code that is not in use", b"\xc1"),
        ("text that is not UTF-8", b"\xa1\xff"),
        ("text with half a surrogate pair", b"\xa3\xed\xa0\x80"),
        ("a key that is not UTF-8", b"\x81\xa1\xff\x01"),
        ("too deep", msgpack.packb(nested(limits.DEPTH + 1))),
        ("far too deep", b"\x91" * 100_000 + b"\x01"),
        ("too long a list", msgpack.packb([0] * (limits.ITEMS + 1))),
        ("too large a map", msgpack.packb({f"{key:05}": 0 for key in range(limits.ITEMS + 1)})),
        ("too long a text", msgpack.packb("x" * (limits.STRING_BYTES + 1))),
        ("too long a text in bytes, not in letters", msgpack.packb("ä" * (limits.STRING_BYTES // 2 + 1))),
        ("more bytes than are there", b"\xc6\x00\x00\xff\xffx"),
    ],
)
def test_second_encodings_and_what_has_none_are_malformed(what: str, data: bytes) -> None:
    with pytest.raises(Malformed):
        codec.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\xdc\x20\x00" * 1000 + bytes(20_000),
        b"\xdd\x00\x00\x20\x00" * 1000 + bytes(20_000),
        b"\xde\x1f\xff" * 1000 + bytes(20_000),
        b"\x98" + (b"\xdc\x20\x00" + b"\x80" * 8192) * 8,
        b"\xdc\x20\x00" + (b"\x9f" + b"\x80" * 15) * 8192,
        msgpack.packb([[{}] * limits.ITEMS] * 31),
    ],
    ids=["lists in lists", "long heads", "maps in maps", "many maps", "many short lists", "a frame full of maps"],
)
def test_a_frame_that_promises_much_takes_little_room(data: bytes) -> None:
    """However it is nested: what a head promises is made only if the bytes for it are there, and are not too many."""
    assert len(data) <= limits.FRAME_BYTES
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            codec.decode(data)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_the_limits_themselves_are_within() -> None:
    for value in (
        nested(limits.DEPTH),
        [0] * limits.ITEMS,
        "x" * limits.STRING_BYTES,
        -(2**63),
        2**64 - 1,
        {f"{key:05}": None for key in range(limits.ITEMS)},
    ):
        assert codec.decode(codec.encode(value)) == value


def test_the_size_is_bounded() -> None:
    data = codec.encode(b"x" * 100)
    assert codec.decode(data, len(data)) == b"x" * 100
    with pytest.raises(Malformed, match="at most 101"):
        codec.decode(data, 101)
    with pytest.raises(Malformed):
        codec.decode(bytes(limits.FRAME_BYTES + 1))


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        math.nan,
        2**64,
        -(2**63) - 1,
        bytearray(b"x"),
        {1, 2},
        {1: 2},
        {b"x": 2},
        "\ud800",
        {"\ud800": 1},
        "x" * (limits.STRING_BYTES + 1),
        {"x" * (limits.STRING_BYTES + 1): 1},
        [0] * (limits.ITEMS + 1),
        nested(limits.DEPTH + 1),
        [[0] * limits.ITEMS] * 4,
        object(),
    ],
    ids=lambda value: f"{value!r:.12}",
)
def test_a_value_of_ours_that_cannot_travel_is_misuse(value: Any) -> None:
    with pytest.raises(Misuse):
        codec.encode(value)


def test_the_order_of_keys_is_that_of_their_bytes_and_does_not_come_from_us() -> None:
    keys = ["b", "a", "", "ä", "z", "\U0001f600", "\uffff", "aa"]
    data = codec.encode(dict.fromkeys(keys, 0))
    assert data == codec.encode(dict.fromkeys(reversed(keys), 0))
    assert [*codec.decode(data)] == sorted(keys, key=str.encode)


def test_tuples_travel_as_lists_and_booleans_as_themselves() -> None:
    assert codec.decode(codec.encode((1, (True, b"")))) == [1, [True, b""]]
    assert codec.decode(codec.encode(True)) is True


def test_fields_are_exactly_those_of_the_shape() -> None:
    good: dict[Any, Any] = {"value": b"x", "what": 5, "flag": True, "some": None}
    shape: dict[str, Any] = {"value": bytes, "what": int, "flag": bool, "some": (type(None), str)}
    assert codec.fields(good, "thing", **shape) is good
    assert codec.fields({**good, "some": "x"}, "thing", **shape)
    wrong: list[Any] = [
        None,
        [],
        {},
        {**good, "more": 1},
        {key: value for key, value in good.items() if key != "what"},
        {**good, "what": True},
        {**good, "what": b"x"},
        {**good, "flag": 1},
        {**good, "value": "x"},
        {**good, "some": 1},
        {**good, 5: 1},
    ]
    for value in wrong:
        with pytest.raises(Malformed, match=r"^thing: "):
            codec.fields(value, "thing", **shape)


@given(VALUES.filter(lambda value: depth(value) <= limits.DEPTH))
def test_what_was_decoded_is_encoded_again_without_sorting(value: Any) -> None:
    data = codec.encode(value)
    assert codec.repack(codec.decode(data)) == data
