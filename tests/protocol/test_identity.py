"""Identities: contexts, the point gate before every foreign key, and signatures that nobody else can vary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import group
from protocol.errors import Malformed, Misuse, Refused
from protocol.identity import Identity, check_public, fingerprint, verify

ANA = Identity(bytes(range(32)))
BETO = Identity(bytes(32))


def test_signature_holds_for_its_key_context_and_data_only() -> None:
    signature = ANA.sign("link", b"data")
    assert verify(ANA.public, "link", b"data", signature)
    assert not verify(BETO.public, "link", b"data", signature)
    assert not verify(ANA.public, "chat", b"data", signature)
    assert not verify(ANA.public, "link", b"datb", signature)
    assert ANA.sign("link", b"data") == signature


def test_context_and_data_cannot_be_shifted_into_each_other() -> None:
    with pytest.raises(Misuse):
        ANA.sign("li\0nk", b"")
    with pytest.raises(Misuse):
        ANA.sign("", b"data")
    with pytest.raises(Misuse):
        verify(ANA.public, "", b"data", bytes(64))
    assert not verify(ANA.public, "lin", b"k\0data", ANA.sign("link", b"data"))


@given(st.integers(0, 511))
def test_no_bit_of_a_signature_can_be_changed(bit: int) -> None:
    signature = bytearray(ANA.sign("link", b"data"))
    signature[bit // 8] ^= 1 << bit % 8
    assert not verify(ANA.public, "link", b"data", bytes(signature))


def test_second_signature_from_a_first_is_refused() -> None:
    signature = ANA.sign("link", b"data")
    s = int.from_bytes(signature[32:], "little") + group.Q
    assert not verify(ANA.public, "link", b"data", signature[:32] + s.to_bytes(32, "little"))


def plus(a: bytes, b: bytes) -> bytes:
    return bytes(group.add(group.Point(a), group.Point(b)))


def small_order() -> list[bytes]:
    points = [group.ORDER_8]
    while len(points) < 7:
        points.append(plus(points[-1], group.ORDER_8))
    return points


NON_CANONICAL = (2**255 - 18).to_bytes(32, "little")


@pytest.mark.parametrize("key", [*small_order(), bytes(group.IDENTITY), NON_CANONICAL, bytes(32)])
def test_keys_of_small_order_and_non_canonical_ones_are_refused(key: bytes) -> None:
    with pytest.raises(Refused, match="identity key"):
        check_public(key)
    # R = identity, S = 0 is a signature over anything under a key of small order, for a library that lets it in.
    assert not verify(key, "link", b"anything", bytes(group.IDENTITY) + bytes(32))


def test_key_outside_the_subgroup_is_refused() -> None:
    for torsion in small_order():
        mixed = plus(ANA.public, torsion)
        with pytest.raises(Refused):
            check_public(mixed)


@pytest.mark.parametrize("junk", [None, 7, "text", b"", bytes(31), bytes(33), [1], {}])
def test_what_is_no_key_or_signature_is_refused_without_an_exception(junk: object) -> None:
    assert not verify(junk, "link", b"", bytes(64))
    assert not verify(ANA.public, "link", b"", junk)
    with pytest.raises((Malformed, Refused)):
        check_public(junk)


def test_seed_length_and_randomness() -> None:
    with pytest.raises(Misuse):
        Identity(bytes(31))
    assert Identity.generate().seed != Identity.generate().seed
    assert Identity(ANA.seed).public == ANA.public


def test_fingerprint_is_short_and_the_repr_keeps_the_secret() -> None:
    text = fingerprint(ANA.public)
    assert len(text) == 19
    assert text.count("-") == 3
    assert text != fingerprint(BETO.public)
    assert ANA.seed.hex() not in repr(ANA)
    assert text in repr(ANA)
