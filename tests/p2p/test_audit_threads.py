"""The order in which the jobs of an audit are done, and in how many threads, makes no difference to its report."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p import audit as auditing
from p2p.audit import SOUND, Report, audit
from p2p.threads import Threads
from protocol import codec, transcript
from protocol.spread import inline

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


def resigned(records: list[bytes], at: int, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The file with one body changed and signed by its own seat, cut behind it: what that seat could have sent."""
    from protocol import contribution
    from protocol.identity import Identity

    raise NotImplementedError(contribution, Identity, records, at, change)
