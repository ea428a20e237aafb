"""Contracts and contributions: one reading of any bytes, or a reason why not; and what a signature covers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol import codec, contribution, limits
from protocol.contract import Contract, SeatEntry, draft, parse, told_apart
from protocol.contribution import Contribution
from protocol.errors import Malformed, ProtocolError, Refused
from protocol.identity import Identity

from .seats import ENTRIES, IDENTITIES, contract, says, signatures
from .values import blobs, outcome, touched, values

Change = dict[str, Any]


def written(**changes: Any) -> bytes:
    """A contract with other fields."""
    return codec.encode({**codec.decode(contract().data), **changes})


def seats(**changes: Any) -> list[dict[str, Any]]:
    """Its seats, the first with other fields."""
    found = [dict(seat) for seat in codec.decode(contract().data)["seats"]]
    found[0].update(changes)
    return found


# -- contracts ---------------------------------------------------------------------------------------------------------


@given(blobs)
@example(b"")
def test_any_bytes_are_a_contract_or_refused(data: bytes) -> None:
    found = outcome(lambda: parse(data))
    assert found is None or found.data == data


@settings(max_examples=300)
@given(st.data())
def test_a_change_makes_another_contract_or_none(data: st.DataObject) -> None:
    value = codec.decode(contract().data)
    changed = data.draw(touched(value))
    found = outcome(lambda: parse(codec.encode(changed)))
    if found is not None:
        assert (found.table == contract().table) == (found.data == contract().data)
        assert codec.encode(changed) == found.data
        again = draft(found.game, found.options, found.seats, found.label)
        assert again == found


names = st.text(max_size=16).filter(lambda name: len(name.encode("utf-8", "replace")) <= limits.NAME_BYTES)


@given(
    st.lists(st.integers(1, 200), min_size=2, max_size=limits.MAX_SEATS, unique=True),
    st.dictionaries(st.text(max_size=8), st.one_of(st.integers(-9, 9), st.text(max_size=9)), max_size=3),
    st.binary(min_size=32, max_size=32),
)
def test_what_is_written_is_what_is_read(keys: list[int], options: dict[str, int | str], fresh: bytes) -> None:
    entries = [SeatEntry(f"P{key}", Identity(bytes([key]) * 32).public, fresh) for key in keys]
    made = draft("toy", options, entries, "Attic")
    assert parse(made.data) == made
    assert made.seats == tuple(entries)
    assert made.options == options
    assert made.names == tuple(f"P{key}" for key in keys)
    assert len(made.table) == 32


WRONG: dict[str, tuple[bytes, str]] = {
    "another protocol": (written(protocol=2), "protocol version 2"),
    "one seat": (written(seats=seats()[:1]), "1 seats"),
    "too many seats": (written(seats=seats() * 4), "12 seats"),
    "a key twice": (written(seats=[*seats(), seats()[0]]), "one identity twice"),
    "short fresh bytes": (written(seats=seats(fresh=b"x" * 31)), "fresh bytes are not 32"),
    "long fresh bytes": (written(seats=seats(fresh=b"x" * 33)), "fresh bytes are not 32"),
    "a long name": (written(seats=seats(name="é" * 33)), "longer than 64 bytes"),
    "a key that is no point": (written(seats=seats(key=b"\2" + bytes(31))), "identity key: not a point"),
    "the identity as a key": (written(seats=seats(key=b"\1" + bytes(31))), "identity key: not a point"),
    "a short key": (written(seats=seats(key=b"x")), "identity key: 1 bytes"),
    "a seat with a field more": (written(seats=seats(more=1)), "seat: field 'more'"),
    "a seat that is none": (written(seats=["x", "y"]), "seat: not a map"),
    "a long label": (written(label="x" * 65), "longer than 64 bytes"),
    "a long game": (written(game="x" * 65), "longer than 64 bytes"),
    "an option that is true": (written(options={"rounds": True}), "option 'rounds'"),
    "an option that is a list": (written(options={"rounds": [1]}), "option 'rounds'"),
    "a field more": (written(more=1), "contract: field 'more'"),
    "bytes behind it": (contract().data + b"\0", "not canonical"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_contract_with(what: str) -> None:
    data, reason = WRONG[what]
    with pytest.raises(ProtocolError, match=reason):
        parse(data)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Ana", "Beto"], ["Ana", "Beto"]),
        (["Ana", "Beto", "Ana", "ANA"], ["Ana", "Beto", "Ana (2)", "ANA (3)"]),
        (["Ana", "Ana (2)", "Ana"], ["Ana", "Ana (2)", "Ana (3)"]),
        (["Ana", "\uff21na", ""], ["Ana", "\uff21na (2)", ""]),
    ],
)
def test_no_two_seats_are_called_the_same(names: list[str], shown: list[str]) -> None:
    assert list(told_apart(names)) == shown
    entries = [SeatEntry(name, Identity(bytes([n]) * 32).public, bytes(32)) for n, name in enumerate(names)]
    made = draft("toy", {}, entries, "a table")
    assert list(made.names) == shown
    assert [seat.name for seat in made.seats] == names, "what was signed stays as it is"


def test_everything_in_a_contract_counts_for_its_id() -> None:
    made = contract()
    others = [
        draft("other", made.options, made.seats, made.label),
        draft(made.game, {"rounds": 3}, made.seats, made.label),
        draft(made.game, made.options, made.seats[::-1], made.label),
        draft(made.game, made.options, made.seats, "another"),
        *(
            draft(made.game, made.options, [replace(made.seats[0], **change), *made.seats[1:]], made.label)
            for change in ({"name": "Q"}, {"fresh": b"x" * 32}, {"key": Identity(bytes(32)).public})
        ),
    ]
    assert len({one.table for one in [made, *others]}) == len(others) + 1
    for one in others:
        with pytest.raises(Refused, match="did not sign this contract"):
            one.check_signatures([made.sign(identity) for identity in IDENTITIES])


@given(st.lists(st.one_of(values, st.sampled_from(signatures())), max_size=4))
def test_any_list_of_signatures_holds_or_is_refused(given_: list[object]) -> None:
    def check() -> bool:
        contract().check_signatures(given_)
        return True

    assert bool(outcome(check)) == (given_ == signatures())


# -- contributions -----------------------------------------------------------------------------------------------------


def a_contribution() -> Contribution:
    return says(((3, 1), bytes(32)), 1, {"cards": b"x" * 64, "list": [1, {"a": b""}]})


def test_a_contribution_is_read_as_it_was_signed() -> None:
    made = a_contribution()
    assert contribution.parse(contract(), made.data) == made
    assert made.place == (3, 1)


@given(blobs)
@example(b"")
def test_any_bytes_are_no_contribution(data: bytes) -> None:
    assert outcome(lambda: contribution.parse(contract(), data)) is None


@settings(max_examples=300)
@given(st.data())
def test_whatever_is_changed_the_signature_does_not_hold(data: st.DataObject) -> None:
    made = a_contribution()
    changed = codec.encode(data.draw(touched(codec.decode(made.data))))
    found = outcome(lambda: contribution.parse(contract(), changed))
    assert (found is not None) == (changed == made.data)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"table": bytes(32)}, "to another table"),
        ({"seat": 3}, "a seat that does not exist"),
        ({"seat": -1}, "a seat that does not exist"),
        ({"step": -1}, "cannot exist"),
        ({"step": 2**31}, "cannot exist"),
        ({"round": limits.MAX_SEATS + 1}, "cannot exist"),
        ({"seat": 0}, "signature does not hold"),
        ({"kind": "closing"}, "signature does not hold"),
    ],
)
def test_a_contribution_with(change: Change, reason: str) -> None:
    value = codec.decode(a_contribution().data)
    with pytest.raises(ProtocolError, match=reason):
        contribution.parse(contract(), codec.encode({**value, **change}))


def test_a_closing_is_signed_in_a_context_of_its_own() -> None:
    """So no other contribution's signature can be passed off as a closing's."""
    value = codec.decode(a_contribution().data)
    del value["sig"]
    value["kind"] = "closing"
    for context, holds in (("closing", True), ("contribution", False), ("contract", False), ("chat", False)):
        signed = codec.encode({**value, "sig": IDENTITIES[1].sign(context, codec.encode(value))})
        assert (outcome(lambda signed=signed: contribution.parse(contract(), signed)) is not None) == holds  # type: ignore[misc]


def test_the_chain_depends_on_every_byte_and_on_the_order() -> None:
    one, other = (says(((0, 0), bytes(32)), seat) for seat in (0, 1))
    start = contribution.start_hash(contract(), signatures())
    ends = [
        start,
        contribution.start_hash(contract("another"), signatures(contract("another"))),
        contribution.start_hash(contract(), signatures()[::-1]),
        contribution.next_hash(start, [one]),
        contribution.next_hash(start, [one, other]),
        contribution.next_hash(start, [other, one]),
        contribution.next_hash(contribution.next_hash(start, [one]), [other]),
        contribution.next_hash(start, [replace(one, data=one.data[:-1] + b"\0")]),
    ]
    assert len(set(ends)) == len(ends)


def test_a_contract_is_the_same_for_equal_entries() -> None:
    made: Contract = draft("toy", {}, ENTRIES, "a table")
    assert made.data == contract().data
    with pytest.raises(Malformed, match="seats"):
        draft("toy", {}, ENTRIES[:1], "a table")
