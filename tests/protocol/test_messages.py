"""Messages: exactly the kinds and fields that are listed, whatever a peer sends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import codec, limits, messages
from protocol.errors import Malformed

from .values import blobs, outcome, touched, values

EXAMPLE = {int: 7, bytes: b"x", str: "x", list: [], dict: {}, bool: True}


def example(kind: str) -> dict[str, Any]:
    """A message of this kind."""
    return messages.make(kind, **{name: EXAMPLE[shape] for name, shape in messages.SHAPES[kind].items()})


@given(values)
def test_any_value_is_a_message_or_refused(value: object) -> None:
    found = outcome(lambda: messages.parse(value))
    if found is not None:
        kind, content = found
        assert {"t": kind, **content} == value
        assert content.keys() == messages.SHAPES[kind].keys()


@given(blobs)
def test_any_frame_is_a_message_or_refused(data: bytes) -> None:
    found = outcome(lambda: messages.parse(codec.decode(data)))
    assert found is None or messages.make(found[0], **found[1]) == codec.decode(data)


@pytest.mark.parametrize("kind", messages.SHAPES)
def test_a_message_has_its_fields_and_no_others(kind: str) -> None:
    value = example(kind)
    assert messages.parse(value) == (kind, {key: item for key, item in value.items() if key != "t"})
    for wrong in ({**value, "more": 1}, {**value, "t": kind + "x"}, {**value, "t": None}, [value]):
        with pytest.raises(Malformed):
            messages.parse(wrong)
    for name, shape in messages.SHAPES[kind].items():
        others = [item for of, item in EXAMPLE.items() if of is not shape]
        missing = {key: item for key, item in value.items() if key != name}
        for wrong in (missing, *({**value, name: item} for item in (*others, None))):
            with pytest.raises(Malformed):
                messages.parse(wrong)


@settings(max_examples=200)
@given(st.sampled_from(sorted(messages.SHAPES)), st.data())
def test_a_touched_message_is_another_one_or_none(kind: str, data: st.DataObject) -> None:
    changed = data.draw(touched(example(kind)))
    found = outcome(lambda: messages.parse(changed))
    assert found is None or messages.make(found[0], **found[1]) == changed


@pytest.mark.parametrize("got", [["x"], [None], [True], [[0]], [{}], [b""], [0] * (limits.MAX_SEATS + 1)])
def test_the_seats_in_a_have_are_numbers_and_few(got: list[object]) -> None:
    with pytest.raises(Malformed, match="not numbers, or too many"):
        messages.parse(messages.make("have", rounds=1, prev=b"", got=got))


@given(st.one_of(values, st.text(max_size=80)))
def test_a_name_is_text_that_can_be_shown_in_a_line(value: object) -> None:
    found = outcome(lambda: messages.name(value))
    fits = isinstance(value, str) and 0 < len(value.encode()) <= limits.NAME_BYTES and bool(value.strip())
    assert (found is not None) == fits
    assert found in (None, value)


address = st.lists(st.one_of(st.text(max_size=5), st.integers(-1, 70000), values), min_size=1, max_size=3)


@given(st.one_of(values, st.lists(address, max_size=limits.ADDRESSES + 2)))
def test_addresses_are_few_and_of_host_and_port(value: object) -> None:
    found = outcome(lambda: messages.addresses(value))
    if found is not None:
        assert isinstance(value, list)
        assert len(found) == len(value) <= limits.ADDRESSES
        assert all(isinstance(host, str) and 0 < len(host) <= 255 and 0 < port < 65536 for host, port in found)
        assert outcome(lambda: messages.addresses(messages.plain(found))) == found


@pytest.mark.parametrize(
    "wrong",
    [[["h", 0]], [["h", 65536]], [["h", True]], [["", 1]], [["h" * 256, 1]], [["h"]], [["h", 1, 2]], ["h"], "h", None],
)
def test_addresses_that_are_none(wrong: object) -> None:
    with pytest.raises(Malformed):
        messages.addresses(wrong)


def test_no_more_addresses_are_sent_than_are_taken() -> None:
    many = [(f"10.0.0.{n}", 4000) for n in range(limits.ADDRESSES + 9)]
    assert messages.addresses(messages.plain(many)) == many[: limits.ADDRESSES]
