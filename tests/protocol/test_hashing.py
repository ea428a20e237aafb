from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import hashing
from protocol.ceremony import Context
from protocol.errors import Misuse
from protocol.hashing import Q, Stream, Transcript, hash32, hash64, to_scalar

CONTEXT = Context(table=bytes(32), prev=b"\1" * 32, step=5, round=1, seat=2)
FIELDS = st.lists(st.binary(max_size=6) | st.integers(0, 2**64 - 1) | st.text(max_size=4), max_size=5)


def test_layout_is_the_documented_one() -> None:
    encoded = b"b\0\0\0\2\xff\xfe" + b"i\0\0\0\x08\0\0\0\0\0\0\1\0" + b"s\0\0\0\2\xc3\xa4"
    wanted = hashlib.blake2b(encoded, digest_size=32, key=b"k", person=b"p2pgame seed\0\0\0\0").digest()
    assert hash32("p2pgame seed", b"\xff\xfe", 256, "ä", key=b"k") == wanted


@given(FIELDS, FIELDS)
def test_different_fields_hash_differently(one: list[Any], other: list[Any]) -> None:
    # Types count too: 0 is not False here, and b"a" is not "a".
    assert (hash64("p2pgame seed", *one) == hash64("p2pgame seed", *other)) == (one == other)


def test_use_key_and_size_separate() -> None:
    found = {
        hash32("p2pgame seed"),
        hash32("p2pgame chain"),
        hash32("p2pgame seed", key=b"k"),
        hash64("p2pgame seed")[:32],
        hash32("p2pgame seed", ""),
        hash32("p2pgame seed", b""),
        hash32("p2pgame seed", 0),
    }
    assert len(found) == 7


@pytest.mark.parametrize("field", [-1, 2**64, True, None, 1.0, [b""], bytearray(b"x")])
def test_other_fields_are_misuse(field: Any) -> None:
    with pytest.raises(Misuse):
        hash32("p2pgame seed", field)
    with pytest.raises(Misuse):
        Transcript(CONTEXT, "x").absorb("label", field)


def test_to_scalar_reduces_64_bytes() -> None:
    assert to_scalar(Q.to_bytes(64, "little")) == 0
    assert to_scalar(b"\xff" * 64) == (2**512 - 1) % Q
    with pytest.raises(Misuse):
        to_scalar(bytes(32))


def test_transcript_is_bound_to_every_part_of_its_context() -> None:
    contexts = [
        CONTEXT,
        replace(CONTEXT, table=b"\2" * 32),
        replace(CONTEXT, prev=bytes(32)),
        replace(CONTEXT, step=1, round=5),
        replace(CONTEXT, step=6),
        replace(CONTEXT, round=2),
        replace(CONTEXT, seat=1),
    ]
    states = [Transcript(context, "x").state() for context in contexts] + [Transcript(CONTEXT, "y").state()]
    assert len(set(states)) == len(states)


def test_transcript_layout_is_the_documented_one() -> None:
    def field(tag: bytes, content: bytes) -> bytes:
        return tag + len(content).to_bytes(4, "big") + content

    def number(n: int) -> bytes:
        return field(b"i", n.to_bytes(8, "big"))

    start = number(1) + field(b"b", bytes(32)) + field(b"b", b"\1" * 32) + number(5) + number(1) + number(2)
    said = start + field(b"s", b"what") + field(b"l", b"lot") + number(2) + field(b"b", b"one") + number(2)

    def digest(data: bytes) -> bytes:
        return hashlib.blake2b(data, person=b"p2pgame proof").digest()

    t = Transcript(CONTEXT, "what")
    t.absorb("lot", b"one", 2)
    assert t.state() == digest(said)
    asked = said + field(b"c", b"u") + number(3)
    assert t.challenges("u", 3) == [to_scalar(digest(asked + number(k))) for k in range(3)]
    assert t.state() == digest(asked)
    assert t.challenge("e") == to_scalar(digest(asked + field(b"c", b"e") + number(1) + number(0)))


@given(FIELDS, FIELDS)
def test_absorbing_has_no_other_reading(one: list[Any], other: list[Any]) -> None:
    left, right = Transcript(CONTEXT, "x"), Transcript(CONTEXT, "x")
    left.absorb("a", *one)
    left.absorb("b", *other)
    right.absorb("a", *one, "b", *other)
    assert left.state() != right.state()


def test_stream_layout_is_the_documented_one() -> None:
    blocks = b"".join(hash64("p2pgame stream", b"seed", k) for k in range(2))
    words = [int.from_bytes(blocks[at : at + 4], "big") for at in range(0, 128, 4)]
    stream = Stream(b"seed")
    assert [stream.uniform(2**32) for _ in range(32)] == words


def test_stream_passes_over_words_that_would_be_biased(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [2**32 - 1, 2**32 - 2, 3 * (2**32 // 3) - 1]  # 3 divides 2^32 − 1: only the very last word is too many
    monkeypatch.setattr(
        hashing, "hash64", lambda *_, **__: b"".join(word.to_bytes(4, "big") for word in words + [0] * 13)
    )
    stream = Stream(b"")
    assert [stream.uniform(3) for _ in range(2)] == [words[1] % 3, words[2] % 3]


@given(st.binary(max_size=8), st.integers(1, 2**32))
def test_uniform_stays_in_range(seed: bytes, n: int) -> None:
    assert 0 <= Stream(seed).uniform(n) < n


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_uniform_of_nothing_is_misuse(n: int) -> None:
    with pytest.raises(Misuse):
        Stream(b"").uniform(n)


@given(st.binary(max_size=8), st.lists(st.integers(), max_size=40))
def test_shuffle_keeps_the_items(seed: bytes, items: list[int]) -> None:
    out = Stream(seed).shuffle(items)
    assert sorted(out) == sorted(items)
    assert out == Stream(seed).shuffle(items)


def test_every_order_of_three_comes_up_about_as_often() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for index in range(3000):
        order = tuple(Stream(index.to_bytes(4, "big")).shuffle(range(3)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(400 < count < 600 for count in counts.values())
