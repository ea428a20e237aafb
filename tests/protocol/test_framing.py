"""Frames in any pieces; records cut or damaged anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.errors import Malformed, Misuse
from protocol.framing import Framer, Tail, frame, record, records

payload_lists = st.lists(st.binary(max_size=40), max_size=6)


@given(payload_lists, st.lists(st.integers(1, 30), max_size=50))
def test_frames_come_back_whatever_the_pieces(payloads: list[bytes], pieces: list[int]) -> None:
    stream = b"".join(map(frame, payloads))
    framer = Framer()
    out: list[bytes] = []
    for size in [*pieces, len(stream)]:
        out += framer.receive(stream[:size])
        stream = stream[size:]
    assert out == payloads
    assert framer.pending == 0


def test_frames_one_byte_at_a_time() -> None:
    framer = Framer()
    stream = frame(b"one") + frame(b"") + frame(b"three")
    out = [payload for byte in stream for payload in framer.receive(bytes([byte]))]
    assert out == [b"one", b"", b"three"]


def test_oversized_frame_is_refused_at_once() -> None:
    framer = Framer()
    framer.receive((limits.FRAME_BYTES + 1).to_bytes(4, "big")[:3])
    with pytest.raises(Malformed, match="262145"):
        framer.receive((limits.FRAME_BYTES + 1).to_bytes(4, "big")[3:])
    with pytest.raises(Malformed):
        framer.receive(b"")
    with pytest.raises(Misuse):
        frame(bytes(limits.FRAME_BYTES + 1))


def test_frame_of_exactly_the_limit_passes_and_a_smaller_limit_holds() -> None:
    payload = bytes(limits.FRAME_BYTES)
    assert Framer().receive(frame(payload)) == [payload]
    with pytest.raises(Malformed):
        Framer(10).receive(frame(bytes(11)))
    assert Framer(10).receive(frame(bytes(10))) == [bytes(10)]


def test_web_browser_is_an_oversized_frame() -> None:
    with pytest.raises(Malformed):
        Framer().receive(b"GET / HTTP/1.1\r\n")


PAYLOADS = (b"first", b"", bytes(range(200)), b"last\0")
FILE = b"".join(map(record, PAYLOADS))


def test_whole_file_is_read_back() -> None:
    assert records(FILE).payloads == PAYLOADS
    assert records(FILE).tail is Tail.WHOLE
    assert records(FILE).sound == len(FILE)
    assert records(b"").tail is Tail.WHOLE


def test_cut_at_every_byte_is_torn_and_keeps_every_whole_record() -> None:
    ends = [0]
    for payload in PAYLOADS:
        ends.append(ends[-1] + len(record(payload)))
    for cut in range(len(FILE)):
        found = records(FILE[:cut])
        whole = max(i for i, end in enumerate(ends) if end <= cut)
        assert found.payloads == PAYLOADS[:whole]
        assert found.sound == ends[whole]
        assert found.tail is (Tail.WHOLE if cut in ends else Tail.TORN)
        zeros = records(FILE[: ends[whole]] + bytes(cut - ends[whole]))
        assert zeros.payloads == PAYLOADS[:whole]
        assert zeros.tail is found.tail


def test_every_changed_byte_is_corruption_and_never_a_torn_tail() -> None:
    for at in range(len(FILE)):
        damaged = bytearray(FILE)
        damaged[at] ^= 0x41
        found = records(bytes(damaged))
        assert found.tail is Tail.CORRUPT, at
        assert found.payloads == PAYLOADS[: len(found.payloads)]


@given(st.binary(max_size=200))
def test_garbage_never_raises(garbage: bytes) -> None:
    found = records(FILE + garbage)
    assert found.payloads == PAYLOADS
    assert (found.tail is Tail.WHOLE) == (not garbage)


def test_record_beyond_the_limit() -> None:
    with pytest.raises(Misuse):
        record(bytes(limits.FRAME_BYTES + 1))
    assert records(record(bytes(limits.FRAME_BYTES))).tail is Tail.WHOLE
