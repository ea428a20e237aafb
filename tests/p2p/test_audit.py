"""The audit: any change of a file is found and named, a cut file is sound up to where it was cut, evidence holds."""

from __future__ import annotations

import functools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.menus import Choice
from p2p.audit import BROKEN, INCOMPLETE, SOUND, Report, audit
from p2p.table import Table
from protocol import codec, framing, transcript

from .ring import Ring

Payloads = list[bytes]


def agreeing(seat: int, table: Table) -> Choice:
    """A player who soon proposes that the mammoth has survived, and always agrees to it: a short game."""
    run, menu = table.run, table.menu
    assert run is not None
    assert menu is not None
    verbs = [act.verb for act in menu.acts]
    for verb in ("propose", "agree"):
        if verb in verbs and not menu.acts[verbs.index(verb)].why_not and run.game.table.round != 1:
            return Choice(verbs.index(verb))
    return menu.lapse


@functools.cache
def finished(seats: int = 2) -> bytes:
    """The file of a short, whole game."""
    ring = Ring(seats=seats, seed=77, fifo=True)
    ring.decide = agreeing
    ring.play()
    assert ring.complete == set(range(seats))
    return ring.tables[0].file()


def payloads(data: bytes) -> Payloads:
    return list(framing.records(data).payloads)


def test_the_file_itself_is_sound() -> None:
    report = audit(finished())
    assert (report.verdict, report.exit_code, report.findings) == (SOUND, 0, [])
    assert report.cards == 36
    assert report.shuffles == [[0, 1]]


def faulty(report: Report) -> bool:
    """A verdict that says what is wrong."""
    return report.exit_code in (1, 2) and bool(report.findings[0].reason if report.findings else report.ending)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    file = bytearray(finished())
    at = data.draw(st.integers(0, len(file) - 1))
    kind = data.draw(st.sampled_from(["flip", "insert", "delete"]))
    if kind == "flip":
        file[at] ^= data.draw(st.integers(1, 255))
    elif kind == "insert":
        file.insert(at, data.draw(st.integers(0, 255)))
    else:
        del file[at]
    assert faulty(audit(bytes(file)))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the numbers, texts and bytes of a record are."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for key, item in enumerate(value) for leaf in leaves(item, (*path, key))]
    return [path]


def changed(value: Any, path: tuple[Any, ...], data: st.DataObject) -> Any:
    """The same with one leaf different."""
    if path:
        inner = changed(value[path[0]], path[1:], data)
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[path[0]] = inner
        return copy
    if isinstance(value, bytes) and value:
        at = data.draw(st.integers(0, len(value) - 1))
        return value[:at] + bytes([value[at] ^ data.draw(st.integers(1, 255))]) + value[at + 1 :]
    if isinstance(value, int):
        return value + 1
    return value + "x" if isinstance(value, str) else b"x"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_record_changed_and_framed_anew_is_found(data: st.DataObject) -> None:
    """Whoever changes a file can compute tags; so the records' contents are changed under correct tags, too."""
    records = payloads(finished())
    at = data.draw(st.integers(0, len(records) - 1))
    value = codec.decode(records[at])
    if "item" in value:
        inner = codec.decode(value["item"])
        path = data.draw(st.sampled_from(leaves(inner)))
        value = {"item": codec.encode(changed(inner, path, data))}
    else:
        value = changed(value, data.draw(st.sampled_from(leaves(value))), data)
    records[at] = codec.encode(value)
    assert faulty(audit(transcript.write(records)))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_records_moved_doubled_or_dropped_are_found(data: st.DataObject) -> None:
    records = payloads(finished())
    at = data.draw(st.integers(0, len(records) - 1))
    kind = data.draw(st.sampled_from(["swap", "double", "drop"]))
    if kind == "swap":
        other = data.draw(st.integers(0, len(records) - 1).filter(lambda i: i != at))
        records[at], records[other] = records[other], records[at]
    elif kind == "double":
        records.insert(at, records[at])
    else:
        del records[at]
    assert faulty(audit(transcript.write(records)))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_cut_file_is_sound_up_to_the_cut(data: st.DataObject) -> None:
    file = finished()
    cut = data.draw(st.integers(0, len(file) - 1))
    report = audit(file[:cut])
    assert report.verdict == INCOMPLETE
    assert report.exit_code == 2
    whole = [codec.decode(payload) for payload in framing.records(file[:cut]).payloads]
    items = [codec.decode(value["item"]) for value in whole if "item" in value]
    assert report.sound_to == ((items[-1]["step"], items[-1]["round"]) if items else None)


def test_what_is_no_transcript() -> None:
    for data in (b"", b"\0", b"hello", bytes(100), b"PK\x03\x04" * 50, framing.record(b"\xc0")):
        report = audit(data)
        assert report.exit_code == 2
        assert report.findings


def test_withheld_seeds_are_said_and_blame_nobody() -> None:
    records = payloads(finished())
    seeds = codec.decode(records[-1])["seeds"]
    records[-1] = codec.encode({"seeds": [seeds[0], b""]})
    report = audit(transcript.write(records))
    assert report.verdict == INCOMPLETE
    assert report.withheld == [1]
    assert "P1" in report.ending
    assert report.findings == []


def test_a_wrong_seed_blames_nobody() -> None:
    records = payloads(finished())
    seeds = codec.decode(records[-1])["seeds"]
    records[-1] = codec.encode({"seeds": [seeds[0], bytes(32)]})
    report = audit(transcript.write(records))
    assert report.verdict == BROKEN
    assert [finding.seat for finding in report.findings] == [None]


def test_the_identity_of_a_file_does_not_depend_on_its_seeds() -> None:
    records = payloads(finished())
    without = transcript.write(records[:-1])
    assert audit(without).hash == audit(finished()).hash
    assert audit(without).verdict == INCOMPLETE


def test_evidence_that_proves_nothing_names_nobody() -> None:
    records = payloads(finished())[:-1]
    harmless = codec.decode(records[-1])["item"]
    for evidence in (transcript.fault(harmless), transcript.fork(harmless, harmless)):
        report = audit(transcript.write([*records, evidence]))
        assert report.verdict == BROKEN
        assert all(finding.seat is None for finding in report.findings)
