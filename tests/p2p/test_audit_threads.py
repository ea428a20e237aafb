"""When an audit does what can wait, in what order and in how many threads makes no difference to its report."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p import audit as auditing
from p2p.audit import BROKEN, SOUND, Report, audit
from p2p.threads import Threads
from protocol import codec, contribution, transcript
from protocol.decisions import ASK

from .recorded import file_of, played
from .test_audit import changed, finished, leaves, payloads
from .test_leaving import leaving

T = TypeVar("T")
R = TypeVar("R")
FOUR = Threads(4)


class Shuffled:
    """Everything in a random order, and remembered."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self.sizes = list[int]()

    def __call__(self, work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
        order = list(range(len(items)))
        self._rng.shuffle(order)
        self.sizes.append(len(order))
        found = {at: work(items[at]) for at in order}
        return [found[at] for at in range(len(items))]


def same(data: bytes, seed: int) -> Report:
    report = audit(data)
    for spread in (Shuffled(seed), FOUR):
        assert audit(data, spread) == report
    return report


@contextmanager
def judgements() -> Iterator[list[bool]]:
    """Whether each that is made meanwhile is a quick one."""
    made, judged = list[bool](), auditing._judged

    def noted(*arguments: Any) -> Any:
        made.append(arguments[-1] is not None)
        return judged(*arguments)

    with patch.object(auditing, "_judged", noted):
        yield made


@pytest.mark.parametrize(("game", "seats"), [("maamut", 2), ("maamut", 4), ("fungi", 2), ("amanite", 3)])
def test_a_sound_file_has_one_report_and_is_judged_quickly(game: str, seats: int) -> None:
    with judgements() as made:
        assert same(file_of(game, seats), 1).verdict == SOUND
    assert made == [False, True, True]


@pytest.mark.parametrize(("game", "seats"), [("maamut", 4), ("amnesia", 3)])
def test_a_sound_file_of_a_table_that_somebody_has_left(game: str, seats: int) -> None:
    data = leaving(game, seats, seed=12, leaver=1, after=250).tables[0].file()
    with judgements() as made:
        report = same(data, 3)
    assert (report.verdict, report.left) == (SOUND, [1])
    assert made == [False, True, True]


def test_signatures_and_what_can_wait_are_done_together() -> None:
    shuffled = Shuffled(2)
    report = audit(finished(3), shuffled)
    assert shuffled.sizes[0] == report.signatures
    assert report.signatures - report.kinds[ASK] in shuffled.sizes


def test_a_file_that_does_not_hold_is_judged_once_more_one_by_one() -> None:
    records = payloads(finished(3))
    del records[items(records)[-1]]
    with judgements() as made:
        same(transcript.write(records), 4)
    assert made == [False, True, False, True, False]


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
@given(st.data(), st.sampled_from([("maamut", 3), ("amanite", 2)]), st.integers(0, 2**32))
def test_what_seats_have_signed_and_does_not_hold_is_found_in_the_order_of_the_file(
    data: st.DataObject, table: tuple[str, int], seed: int
) -> None:
    """Up to three seats sign something else in one round: the first of them is named, and only what stands before it
    counts as sound."""
    ring = played(*table)
    records = payloads(file_of(*table))
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
