"""Values that can travel, bytes that might, and changes to them, for tests that feed decoders with anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from protocol import codec
from protocol.errors import ProtocolError

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.binary(max_size=40),
    st.text(max_size=20),
    st.sampled_from([b"\0" * 32, b"\1" * 32, 0, 1, 2, 8, 65536, "maamut", "", " "]),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=8,
)
"""Anything that codec can encode."""

blobs = st.one_of(st.binary(max_size=200), values.map(codec.encode))
"""Any bytes; half of them are a message at least."""


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something is, at any depth."""
    found = [path]
    if isinstance(value, dict):
        found += [deeper for key in value for deeper in paths(value[key], (*path, key))]
    if isinstance(value, list):
        found += [deeper for key, item in enumerate(value) for deeper in paths(item, (*path, key))]
    return found


def put(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """The same with one place changed."""
    if not path:
        return change(value)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], change)
    return copy


@st.composite
def touched(draw: st.DrawFn, value: Any) -> Any:
    """The value with one change: something else in one place, a field more or less, a bit flipped, an item twice."""
    path = draw(st.sampled_from(paths(value)))

    def change(old: Any) -> Any:
        options: list[Any] = [draw(values)]
        if isinstance(old, dict) and old:
            gone = draw(st.sampled_from(sorted(old)))
            options += [{key: item for key, item in old.items() if key != gone}, {**old, "more": draw(leaves)}]
        if isinstance(old, list) and old:
            at = draw(st.integers(0, len(old) - 1))
            options += [old[:at] + old[at + 1 :], [*old, old[at]], old[::-1]]
        if isinstance(old, bytes) and old:
            at = draw(st.integers(0, len(old) - 1))
            options += [
                old[:at] + bytes([old[at] ^ (1 << draw(st.integers(0, 7)))]) + old[at + 1 :],
                old[:-1],
                old + b"\0",
            ]
        if isinstance(old, int) and not isinstance(old, bool):
            options += [old + 1, max(old - 1, 0), not old]
        return draw(st.sampled_from(options))

    return put(value, path, change)


def outcome(attempt: Callable[[], Any]) -> Any:
    """What came out, or None if it was refused in words. Any other exception comes out as it is."""
    try:
        return attempt()
    except ProtocolError as error:
        assert str(error)  # noqa: PT017 (any other error is to come out as it is)
        assert len(str(error)) < 1000  # noqa: PT017
        return None
