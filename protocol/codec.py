"""Canonical, bounded msgpack: one value, one encoding.

For: everything that is signed, hashed, sent or stored. Never: floats, extension types, keys that are not text, or a
second encoding of the same value.

Theory of operation: a value is None, bool, int (64 bits), bytes, str, list or a dict with text keys, nested at most
`limits.DEPTH` deep. `encode` sorts the keys by their UTF-8 bytes and lets msgpack choose its shortest forms. `decode`
first counts what is announced, since msgpack makes room for a list as soon as it has read its length, at every level:
three bytes a level would be 64 kB each. Then it lets msgpack build, looks at the keys of each map as they come, encodes
the result again and compares: whatever is not minimal, not sorted, doubled or trailing is refused.
"""

from __future__ import annotations

from typing import Any

import msgpack

from . import limits
from .errors import Malformed, Misuse

Value = None | bool | int | bytes | str | list[Any] | dict[str, Any]

_INT_MIN, _INT_MAX = -(2**63), 2**64 - 1
_VALUES = 4 * limits.ITEMS
"""Values in one message, at all levels together; an empty map takes one byte here and sixty in memory."""
_PLAIN = {0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
"""Heads of values without a length, and how many bytes follow. (Floats, extensions and 0xC1 are in none of these.)"""
_SIZED = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
"""Heads of bytes and texts, and how many bytes their length has."""
_LISTS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}
"""Heads of lists and maps, how many bytes their length has, and how many values an entry is."""


def _canonical(value: object, depth: int) -> Any:
    """The value with its keys sorted. Errors: Malformed, naming what cannot be said."""
    if depth > limits.DEPTH:
        raise Malformed(f"nested deeper than {limits.DEPTH} levels")
    kind = type(value)
    if kind is bytes or kind is bool or value is None:
        return value
    if isinstance(value, str):
        try:
            size = len(value.encode())
        except UnicodeEncodeError as error:
            raise Malformed("text that is not valid Unicode") from error
        if size > limits.STRING_BYTES:
            raise Malformed(f"text longer than {limits.STRING_BYTES} bytes")
        return value
    if isinstance(value, int):
        if not _INT_MIN <= value <= _INT_MAX:
            raise Malformed("integer beyond 64 bits")
        return int(value)
    if isinstance(value, list | tuple):
        if len(value) > limits.ITEMS:
            raise Malformed(f"list longer than {limits.ITEMS}")
        return [_canonical(item, depth + 1) for item in value]
    if isinstance(value, dict):
        if len(value) > limits.ITEMS:
            raise Malformed(f"map larger than {limits.ITEMS}")
        try:
            keys = sorted(value, key=str.encode)
        except TypeError as error:
            raise Malformed("map key that is not text") from error
        except UnicodeEncodeError as error:
            raise Malformed("text that is not valid Unicode") from error
        if keys and len(max(keys, key=len)) > limits.STRING_BYTES // 4:  # some may be too long
            keys = [_canonical(key, depth + 1) for key in keys]
        return {key: _canonical(value[key], depth + 1) for key in keys}
    raise Malformed(f"a {type(value).__name__} cannot travel")


def encode(value: Value | tuple[Any, ...]) -> bytes:
    """The one encoding of a value. Errors: Misuse if the value cannot travel (it is ours, so that is a bug)."""
    try:
        packed = bytes(msgpack.packb(_canonical(value, 0), use_bin_type=True))
        if len(packed) > _VALUES:  # a value takes a byte at least
            _survey(packed)
    except Malformed as error:
        raise Misuse(str(error)) from error
    return packed


def repack(value: Value) -> bytes:
    """The encoding of what `decode` returned, or of a part of it: its keys are in order already."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def _survey(data: bytes) -> None:
    """Go from head to head, without making anything. Errors: Malformed for what is too much, or no value of ours."""
    at, values = 0, 0
    due = [1]
    """How many values are still to come, at each level."""
    while due:
        if not due[-1]:
            due.pop()
            continue
        due[-1] -= 1
        values += 1
        if len(due) - 1 > limits.DEPTH:
            raise Malformed(f"nested deeper than {limits.DEPTH} levels")
        if values > _VALUES:
            raise Malformed(f"more than {_VALUES} values")
        if at >= len(data):
            raise Malformed("not canonical msgpack")
        head = data[at]
        at += 1
        entries = None
        if head < 0x80 or head >= 0xE0:
            continue
        if head < 0xA0:
            entries = (head & 15) * (1 if head >= 0x90 else 2)
        elif head < 0xC0:
            at += head & 31
        elif head in _PLAIN:
            at += _PLAIN[head]
        elif head in _SIZED:
            width = _SIZED[head]
            at += width + int.from_bytes(data[at : at + width], "big")
        elif head in _LISTS:
            width, each = _LISTS[head]
            entries = int.from_bytes(data[at : at + width], "big") * each
            at += width
        else:
            raise Malformed("not canonical msgpack")
        if entries is not None:
            if entries > len(data) - at:
                raise Malformed("not canonical msgpack")
            due.append(entries)


def _in_order(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    """The map of these entries. Errors: ValueError, unless the keys are texts in the order of their UTF-8 bytes."""
    last = None
    for key, _ in pairs:
        if type(key) is not str:
            raise ValueError("map key that is not text")
        here = key.encode()
        if last is not None and here <= last:
            raise ValueError("map keys out of order")
        last = here
    return dict(pairs)


def decode(data: bytes, limit: int = limits.FRAME_BYTES) -> Any:
    """The value of a canonical encoding of at most `limit` bytes. Errors: Malformed."""
    if len(data) > limit:
        raise Malformed(f"{len(data)} bytes where at most {limit} are allowed")
    _survey(data)
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            object_pairs_hook=_in_order,
            max_str_len=limits.STRING_BYTES,
            max_bin_len=limit,
            max_array_len=limits.ITEMS,
            max_map_len=limits.ITEMS,
            max_ext_len=0,
        )
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        # msgpack's own exceptions are all ValueErrors; a depth beyond its stack is StackError, one of them.
        raise Malformed("not canonical msgpack") from error
    if repack(value) != data:
        raise Malformed("not the canonical encoding of its value")
    return value


def fields(value: object, what: str, /, **shape: type | tuple[type, ...]) -> dict[str, Any]:
    """Check that `value` is a map with exactly the keys of `shape`, each of its type (a bool is never an int).

    Errors: Malformed, naming `what` and the field.
    """
    if not isinstance(value, dict):
        raise Malformed(f"{what}: not a map")
    if value.keys() != shape.keys():
        odd = sorted(value.keys() ^ shape.keys(), key=repr)
        raise Malformed(f"{what}: field {odd[0]!r:.40} is missing or unknown")
    for key, kind in shape.items():
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value[key], kinds) or (isinstance(value[key], bool) and bool not in kinds):
            raise Malformed(f"{what}: field {key!r} is of the wrong kind")
    return value
