"""The first frames of a link: versions, shapes, and what the proof binds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec, handshake, limits
from protocol.errors import Malformed, ProtocolError, Refused
from protocol.hashing import PROTOCOL
from protocol.identity import Identity

ANA = Identity(bytes(range(32)))
BETO = Identity(bytes(32))
NONCE = bytes(range(100, 132))


def test_hello_goes_there_and_back() -> None:
    theirs = handshake.read_hello(handshake.hello("0.1.0", "hi"))
    assert theirs == handshake.Hello(PROTOCOL, "0.1.0", "hi")
    assert theirs.understood
    assert handshake.objection(theirs, "0.1.0") == ""


def test_other_version_is_understood_as_such_whatever_its_form() -> None:
    data = codec.encode({"protocol": "p2pgame", "version": PROTOCOL + 1, "program": "9.9", "new": [1, 2]})
    theirs = handshake.read_hello(data)
    assert not theirs.understood
    words = handshake.objection(theirs, "0.1.0")
    assert f"protocol {PROTOCOL} " in words
    assert f"there {PROTOCOL + 1} " in words
    assert "9.9" in words
    handshake.read_hello(handshake.hello("0.1.0", words))


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"protocol": "http", "version": 1, "program": "", "words": ""},
        {"protocol": "p2pgame", "version": True, "program": "", "words": ""},
        {"protocol": "p2pgame", "version": "1", "program": "", "words": ""},
        {"protocol": "p2pgame", "version": -1, "program": "", "words": ""},
        {"protocol": "p2pgame", "version": 2**40, "program": "", "words": ""},
        {"protocol": "p2pgame", "program": "", "words": ""},
        {"protocol": "p2pgame", "version": PROTOCOL, "program": "", "words": "", "more": 1},
        {"protocol": "p2pgame", "version": PROTOCOL, "program": 1, "words": ""},
        {"protocol": "p2pgame", "version": PROTOCOL, "program": "x" * 300, "words": ""},
    ],
)
def test_malformed_hellos(value: Any) -> None:
    with pytest.raises(Malformed):
        handshake.read_hello(codec.encode(value))


@given(st.binary(max_size=300))
def test_garbage_is_malformed_everywhere(data: bytes) -> None:
    readers: list[Callable[[], object]] = [
        lambda: handshake.read_hello(data),
        lambda: handshake.prove(data, ANA, b"certificate"),
        lambda: handshake.check_proof(data, NONCE, b"certificate"),
        lambda: handshake.read_verdict(data),
    ]
    for read in readers:
        with pytest.raises(ProtocolError):
            read()


def test_longer_than_a_stranger_may() -> None:
    with pytest.raises(Malformed, match=str(limits.HANDSHAKE_BYTES)):
        handshake.read_hello(codec.encode({"protocol": "p2pgame", "version": 9, "x": bytes(1100)}))


def test_proof_holds_and_gives_the_key() -> None:
    proof = handshake.prove(handshake.challenge(NONCE), ANA, b"certificate")
    assert handshake.check_proof(proof, NONCE, b"certificate") == ANA.public


def test_proof_is_bound_to_nonce_certificate_and_key() -> None:
    proof = handshake.prove(handshake.challenge(NONCE), ANA, b"certificate")
    with pytest.raises(Refused, match="relay"):
        handshake.check_proof(proof, NONCE, b"relay's certificate")
    with pytest.raises(Refused):
        handshake.check_proof(proof, bytes(32), b"certificate")
    other = codec.decode(proof) | {"key": BETO.public}
    with pytest.raises(Refused):
        handshake.check_proof(codec.encode(other), NONCE, b"certificate")
    other = codec.decode(proof) | {"key": b"\x01" + bytes(31)}
    with pytest.raises(Refused, match="point"):
        handshake.check_proof(codec.encode(other), NONCE, b"certificate")


def test_nonce_of_another_length_is_refused() -> None:
    with pytest.raises(Malformed):
        handshake.prove(handshake.challenge(bytes(31)), ANA, b"certificate")


def test_verdict() -> None:
    handshake.read_verdict(handshake.verdict())
    with pytest.raises(Refused, match="full"):
        handshake.read_verdict(handshake.verdict("full"))
    with pytest.raises(Refused):
        handshake.read_verdict(handshake.verdict("é" * 1000))
    assert len(handshake.clip("é" * 1000).encode()) <= limits.WORDS_BYTES
    assert len(handshake.hello("é" * 1000, "é" * 1000)) <= limits.HANDSHAKE_BYTES
