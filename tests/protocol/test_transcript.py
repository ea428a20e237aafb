"""The file of a table: any bytes are read as far as they hold, and what follows is said to be no part of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import codec, transcript
from protocol.ceremony import Context
from protocol.errors import Malformed, ProtocolError, Refused
from protocol.framing import records
from protocol.secrets import commitment
from protocol.transcript import Closing, Transcript

from .seats import contract, says, secrets, signatures
from .values import blobs, outcome, touched, values

HEADER = transcript.header(contract(), signatures())
ITEMS = [says(((step, 0), bytes(32)), seat).data for step in range(2) for seat in range(3)]
SEEDS = [bytes([seat + 1]) * 32 for seat in range(3)]


def whole(*last: bytes) -> list[bytes]:
    """The records of a file."""
    return [HEADER, *map(transcript.item, ITEMS), *last]


def read(*last: bytes) -> Transcript:
    return transcript.read(transcript.write(whole(*last)))


def test_what_is_written_is_what_is_read() -> None:
    found = read(transcript.seeds([SEEDS[0], b"", SEEDS[2]]))
    assert found.contract == contract()
    assert found.signatures == signatures()
    assert found.items == ITEMS
    assert found.seeds == [SEEDS[0], b"", SEEDS[2]]
    assert (found.fault, found.fork, found.problem) == (None, None, "")
    assert transcript.items(whole()) == ITEMS


def test_evidence_is_kept_as_it_is() -> None:
    assert read(transcript.fault(b"what did not hold")).fault == b"what did not hold"
    assert read(transcript.fork(b"two", b"one")).fork == read(transcript.fork(b"one", b"two")).fork == (b"one", b"two")


def test_the_identity_is_that_of_everything_before_the_seeds() -> None:
    plain = read()
    assert plain.identity == read(transcript.seeds(SEEDS)).identity == read(transcript.seeds([b""] * 3)).identity
    assert plain.identity != transcript.read(transcript.write(whole()[:-1])).identity
    assert plain.identity != read(transcript.fault(b"x")).identity


LAST: dict[str, tuple[list[bytes], str]] = {
    "something after the seeds": ([transcript.seeds(SEEDS), transcript.item(b"x")], "follows the seeds"),
    "seeds twice": ([transcript.seeds(SEEDS)] * 2, "follows the seeds"),
    "something after the evidence": ([transcript.fault(b"x"), transcript.item(b"y")], "follows what ended"),
    "evidence twice": ([transcript.fork(b"x", b"y"), transcript.fault(b"x")], "follows what ended the table"),
    "seeds after the evidence": ([transcript.fault(b"x"), transcript.seeds(SEEDS)], "follows what ended the table"),
    "too few seeds": ([transcript.seeds(SEEDS[:2])], "no record of a transcript"),
    "too many seeds": ([transcript.seeds([*SEEDS, b""])], "no record of a transcript"),
    "a short seed": ([transcript.seeds([*SEEDS[:2], b"x"])], "neither 32 bytes nor empty"),
    "a fork of three": ([codec.encode({"fork": [b"a", b"b", b"c"]})], "no record of a transcript"),
    "a fork of words": ([codec.encode({"fork": ["a", "b"]})], "no record of a transcript"),
    "an item in words": ([codec.encode({"item": "a"})], "no record of a transcript"),
    "a header again": ([HEADER], "no record of a transcript"),
    "a map of two": ([codec.encode({"item": b"a", "fault": b"b"})], "not a map with one key"),
    "an empty map": ([codec.encode({})], "not a map with one key"),
    "no map": ([codec.encode([b"a"])], "not a map with one key"),
    "no message": ([b"\xc1"], "not canonical"),
}


@pytest.mark.parametrize("what", LAST)
def test_a_file_is_read_up_to(what: str) -> None:
    last, reason = LAST[what]
    found = read(*last)
    assert reason in found.problem
    assert f"record {len(whole()) + len(last)}" in found.problem
    assert found.items == ITEMS


@pytest.mark.parametrize("cut", [1, 20, 30])
def test_a_torn_file_is_read_up_to_there(cut: int) -> None:
    data = transcript.write(whole())
    found = transcript.read(data[:-cut])
    assert found.items == ITEMS[:-1]
    assert "is torn" in found.problem
    broken = bytearray(data)
    broken[-cut] ^= 1
    assert "is corrupt" in transcript.read(bytes(broken)).problem


FIRST: dict[str, tuple[Any, str]] = {
    "another format": ({"format": "p2pgame transcript 2"}, "this program reads"),
    "a contract that is none": ({"contract": b"x"}, "canonical|not a map"),
    "signatures of others": ({"signatures": signatures()[::-1]}, "did not sign"),
    "too few signatures": ({"signatures": signatures()[:2]}, "not one signature a seat"),
    "signatures in words": ({"signatures": ["a", "b", "c"]}, "did not sign"),
    "a field more": ({"more": 1}, "missing or unknown"),
}


@pytest.mark.parametrize("what", FIRST)
def test_a_file_begins_with(what: str) -> None:
    change, reason = FIRST[what]
    value = codec.decode(HEADER)
    first = codec.encode({"table": {**value["table"], **change}})
    with pytest.raises(ProtocolError, match=reason):
        transcript.read(transcript.write([first, *whole()[1:]]))


@given(blobs)
def test_any_bytes_are_no_file(data: bytes) -> None:
    assert outcome(lambda: transcript.read(data)) is None
    assert outcome(lambda: transcript.read(transcript.write([data]))) is None


@given(st.lists(blobs, max_size=4))
def test_any_records_after_the_first_are_read_or_said_to_be_none(more: list[bytes]) -> None:
    found = read(*more)
    assert found.items[: len(ITEMS)] == ITEMS
    assert (
        found.problem
        or len(found.items) + sum(x is not None for x in (found.fault, found.fork, found.seeds))
        == len(whole(*more)) - 1
    )


@settings(max_examples=200)
@given(st.data())
def test_a_touched_record_is_read_differently_or_not_at_all(data: st.DataObject) -> None:
    payloads = whole(transcript.seeds(SEEDS))
    at = data.draw(st.integers(0, len(payloads) - 1))
    changed = codec.encode(data.draw(touched(codec.decode(payloads[at]))))
    file = transcript.write([*payloads[:at], changed, *payloads[at + 1 :]])
    found = outcome(lambda: transcript.read(file))
    if found is not None:
        same = transcript.read(transcript.write(payloads))
        assert (found == same) == (changed == payloads[at])


@given(st.data())
def test_a_flipped_bit_is_never_a_whole_file(data: st.DataObject) -> None:
    file = bytearray(transcript.write(whole(transcript.seeds(SEEDS))))
    at = data.draw(st.integers(0, len(file) - 1))
    file[at] ^= 1 << data.draw(st.integers(0, 7))
    found = outcome(lambda: transcript.read(bytes(file)))
    assert found is None or found.problem
    assert len(records(bytes(file)).payloads) < len(whole()) + 1


# -- seeds and closings ------------------------------------------------------------------------------------------------


@given(st.integers(0, 2), st.one_of(values, st.sampled_from(SEEDS)))
def test_a_seed_fits_its_commitment_or_is_refused(seat: int, master: object) -> None:
    commitments = [commitment(contract().table, at, seed) for at, seed in enumerate(SEEDS)]
    found = outcome(lambda: transcript.check_seed(contract(), commitments, seat, master))
    assert (found is not None) == (master == SEEDS[seat])


def test_a_seed_is_bound_to_table_and_seat() -> None:
    seed = SEEDS[0]
    there = commitment(contract("another").table, 0, seed)
    for commitments in ([there] * 3, [commitment(contract().table, 1, seed)] * 3):
        with pytest.raises(Refused, match="not the one committed to"):
            transcript.check_seed(contract(), commitments, 0, seed)
    with pytest.raises(Malformed, match="32 bytes"):
        transcript.check_seed(contract(), [there] * 3, 0, seed.hex())


RESULT: dict[str, Any] = {"winners": [1], "scores": [0, 1, None], "reason": "trapped"}


@given(values)
def test_a_closing_says_the_result_and_nothing_else(body: object) -> None:
    context = Context(contract().table, bytes(32), 9, 0, 1)
    closing = Closing(range(3), RESULT)
    assert closing.owes(0) == (0, 1, 2)
    closing.check(context, closing.make(context, secrets(1)))
    for wrong in (body, {**RESULT, "winners": [True]}, {**RESULT, "more": 1}, {**RESULT, "scores": (0, 1)}):
        with pytest.raises(Refused, match="another result"):
            closing.check(context, wrong)
