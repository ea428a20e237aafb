"""The order in which the jobs of an audit are done, and in how many threads, makes no difference to its report."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p import audit as auditing
from p2p.audit import BROKEN, SOUND, Report, audit
from p2p.threads import Threads
from protocol import codec, contribution, transcript
from protocol.spread import inline

from .ring import Ring
from .test_audit import changed, finished, leaves, payloads

T = TypeVar("T")
R = TypeVar("R")
FOUR = Threads(4)


class Shuffled:
    """Everything in a random order, and remembered."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self.together = 1

    def __call__(self, work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
        order = list(range(len(items)))
        self._rng.shuffle(order)
        self.together = max(self.together, len(order))
        found = {at: work(items[at]) for at in order}
        return [found[at] for at in range(len(items))]


def one_by_one(data: bytes) -> Report:
    """Each contribution judged before the next is looked at."""
    with patch.object(auditing._Reader, "another", lambda *_: None):
        return audit(data)


def same(data: bytes, seed: int) -> Report:
    report = one_by_one(data)
    for spread in (inline, Shuffled(seed), FOUR):
        assert audit(data, spread) == report
    return report


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_sound_file_has_one_report(seats: int) -> None:
    assert same(finished(seats), 1).verdict == SOUND


def test_the_jobs_of_a_round_are_handed_over_together() -> None:
    shuffled = Shuffled(2)
    audit(finished(3), shuffled)
    assert shuffled.together >= 3


def items(records: Sequence[bytes]) -> list[int]:
    return [at for at, record in enumerate(records) if "item" in codec.decode(record)]


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_a_changed_file_has_one_report(data: st.DataObject, seed: int) -> None:
    records = payloads(finished(3))
    at = data.draw(st.sampled_from(items(records)))
    kind = data.draw(st.sampled_from(["leaf", "swap", "double", "drop", "repeat", "cut"]))
    if kind == "leaf":
        inner = codec.decode(codec.decode(records[at])["item"])
        records[at] = transcript.item(codec.encode(changed(inner, data.draw(st.sampled_from(leaves(inner))), data)))
    elif kind == "swap":
        other = data.draw(st.sampled_from(items(records)))
        records[at], records[other] = records[other], records[at]
    elif kind == "double":
        records.insert(at, records[at])
    elif kind == "drop":
        del records[at]
    elif kind == "repeat":
        records.insert(data.draw(st.sampled_from(items(records))), records[at])
    else:
        del records[at:]
    same(transcript.write(records), seed)


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_what_seats_have_signed_and_does_not_hold_is_found_in_the_order_of_the_file(
    data: st.DataObject, seed: int
) -> None:
    """Up to three seats sign something else in one round: the first of them is named, and only what stands before it
    counts as sound."""
    ring = Ring(seats=3, seed=77, fifo=True)
    records = payloads(finished(3))
    parsed = {at: contribution.parse(ring.contract, codec.decode(records[at])["item"]) for at in items(records)}
    place = data.draw(st.sampled_from(sorted({item.place for item in parsed.values() if item.kind != "ask"})))
    there = [at for at, item in parsed.items() if item.place == place]
    wrong = data.draw(st.sets(st.sampled_from(there), min_size=1))
    for at in wrong:
        item = parsed[at]
        body = changed(item.body, data.draw(st.sampled_from(leaves(item.body))), data)
        signed = contribution.sign(
            ring.contract, ring.identities[item.seat], item.place, item.seat, item.kind, body, item.prev
        )
        records[at] = transcript.item(signed.data)
    report = same(transcript.write(records), seed)
    assert report.verdict == BROKEN
    found, first = report.findings[0], parsed[min(wrong)]
    if first.kind == "commit":  # any 32 bytes are a commitment; this one fits no seed in the file
        return
    assert (found.seat, found.step, found.round) == (first.seat, *first.place)
    assert report.signatures == sum(at < min(wrong) for at in parsed)
