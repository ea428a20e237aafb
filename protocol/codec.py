"""Canonical, bounded msgpack: one value, one encoding.

For: everything that is signed, hashed, sent or stored. Never: floats, extension types, keys that are not text, or a
second encoding of the same value.

Theory of operation: a value is None, bool, int (64 bits), bytes, str, list or a dict with text keys, nested at most
`limits.DEPTH` deep. `encode` sorts the keys by their UTF-8 bytes and lets msgpack choose its shortest forms. `decode`
bounds what msgpack may build, walks the result without recursion deeper than the cap, encodes it again and compares:
whatever is not minimal, not sorted, doubled or trailing differs, and is refused.
"""

from __future__ import annotations

from typing import Any

import msgpack

from . import limits
from .errors import Malformed, Misuse

Value = None | bool | int | bytes | str | list[Any] | dict[str, Any]

_INT_MIN, _INT_MAX = -(2**63), 2**64 - 1


def _canonical(value: object, depth: int) -> Any:
    """The value with its keys sorted. Errors: Malformed, naming what cannot be said."""
    if depth > limits.DEPTH:
        raise Malformed(f"nested deeper than {limits.DEPTH} levels")
    if value is None or isinstance(value, bool | bytes):
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
        if not all(isinstance(key, str) for key in value):
            raise Malformed("map key that is not text")
        try:
            keys = sorted(value, key=str.encode)
        except UnicodeEncodeError as error:
            raise Malformed("text that is not valid Unicode") from error
        return {_canonical(key, depth + 1): _canonical(value[key], depth + 1) for key in keys}
    raise Malformed(f"a {type(value).__name__} cannot travel")


def encode(value: Value | tuple[Any, ...]) -> bytes:
    """The one encoding of a value. Errors: Misuse if the value cannot travel (it is ours, so that is a bug)."""
    try:
        packed = msgpack.packb(_canonical(value, 0), use_bin_type=True)
    except Malformed as error:
        raise Misuse(str(error)) from error
    if not isinstance(packed, bytes):
        raise Misuse("msgpack gave no bytes")
    return packed


def repack(value: Value) -> bytes:
    """The encoding of what `decode` returned, or of a part of it: its keys are in order already."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def decode(data: bytes, limit: int = limits.FRAME_BYTES) -> Any:
    """The value of a canonical encoding of at most `limit` bytes. Errors: Malformed."""
    if len(data) > limit:
        raise Malformed(f"{len(data)} bytes where at most {limit} are allowed")
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_str_len=limits.STRING_BYTES,
            max_bin_len=limit,
            # No list is longer than the data: msgpack makes room for what a head promises before it reads on.
            max_array_len=min(limits.ITEMS, len(data)),
            max_map_len=min(limits.ITEMS, len(data)),
            max_ext_len=0,
        )
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        # msgpack's own exceptions are all ValueErrors; a depth beyond its stack is StackError, one of them.
        raise Malformed("not canonical msgpack") from error
    if msgpack.packb(_canonical(value, 0), use_bin_type=True) != data:
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
