"""Where one message ends and the next begins: frames on a link, records in a durable file.

For: transport (frames) and the durable log (records). Never: a look inside the payload, a file, a socket, or memory
beyond one frame for a peer that promises more than it sends.

Theory of operation. A *frame* is a 4-byte big-endian length and the payload. The length is judged as soon as it is
there: an oversized one is refused before a byte of its payload is kept, and the framer is of no use afterwards.

A *record* must survive a power cut and a bad disk, and tell them apart: `length(4) ‖ check(4) ‖ tag(16) ‖ payload`.
`check` is BLAKE2b of the length alone, `tag` of length and payload. A cut can only shorten a file, or leave zeros where
bytes were to be: then the last record is *torn*, was never acted upon, and may be cut off. Anything else that does not
hold is *corrupt*: `check` keeps a damaged length from passing for a torn tail and hiding the whole records behind it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum

from . import limits
from .errors import Malformed, Misuse

_LENGTH = 4
_CHECK = 4
_TAG = 16
_HEADER = _LENGTH + _CHECK + _TAG


def frame(payload: bytes) -> bytes:
    """The frame around a payload of at most `limits.FRAME_BYTES`. Errors: Misuse beyond that."""
    if len(payload) > limits.FRAME_BYTES:
        raise Misuse(f"a frame of {len(payload)} bytes where at most {limits.FRAME_BYTES} are allowed")
    return len(payload).to_bytes(_LENGTH, "big") + payload


class Framer:
    """Cuts a stream of bytes, in whatever pieces it comes, back into payloads of at most `limit` bytes."""

    __slots__ = ("_buffer", "limit")

    def __init__(self, limit: int = limits.FRAME_BYTES) -> None:
        self._buffer = bytearray()
        self.limit = limit

    def receive(self, data: bytes | bytearray) -> list[bytes]:
        """Take in some bytes; the payloads that they complete. Errors: Malformed on a length beyond the limit."""
        self._buffer += data
        payloads = []
        while len(self._buffer) >= _LENGTH:
            length = int.from_bytes(self._buffer[:_LENGTH], "big")
            if length > self.limit:
                raise Malformed(f"a frame of {length} bytes where at most {self.limit} are allowed")
            end = _LENGTH + length
            if len(self._buffer) < end:
                break
            payloads.append(bytes(self._buffer[_LENGTH:end]))
            del self._buffer[:end]
        return payloads

    @property
    def pending(self) -> int:
        """How many bytes of an unfinished frame are held."""
        return len(self._buffer)


class Tail(Enum):
    """How a file of records ends."""

    WHOLE = "whole"
    TORN = "torn"
    CORRUPT = "corrupt"


@dataclass(frozen=True, slots=True)
class Records:
    """The whole records of a file, how many bytes they take, and what follows them."""

    payloads: tuple[bytes, ...]
    sound: int
    tail: Tail


def _hash(size: int, person: bytes, *parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=size, person=person).digest()


def record_size(payload: bytes) -> int:
    """Bytes of its record."""
    return _HEADER + len(payload)


def record(payload: bytes) -> bytes:
    """The record of a payload of at most `limits.FRAME_BYTES`. Errors: Misuse beyond that."""
    if len(payload) > limits.FRAME_BYTES:
        raise Misuse(f"a record of {len(payload)} bytes where at most {limits.FRAME_BYTES} are allowed")
    length = len(payload).to_bytes(_LENGTH, "big")
    return length + _hash(_CHECK, b"p2pgame length", length) + _hash(_TAG, b"p2pgame record", length, payload) + payload


def records(data: bytes) -> Records:
    """Read a file of records up to the first that is not whole. Never raises: the tail says what is wrong."""
    payloads: list[bytes] = []
    at = 0
    while at < len(data):
        header = data[at : at + _HEADER]
        if len(header) < _HEADER or not any(memoryview(data)[at:]):
            return Records(tuple(payloads), at, Tail.TORN)
        length = header[:_LENGTH]
        end = at + _HEADER + int.from_bytes(length, "big")
        if header[_LENGTH : _LENGTH + _CHECK] != _hash(_CHECK, b"p2pgame length", length):
            return Records(tuple(payloads), at, Tail.CORRUPT)
        if end - at - _HEADER > limits.FRAME_BYTES:
            return Records(tuple(payloads), at, Tail.CORRUPT)
        if end > len(data):
            return Records(tuple(payloads), at, Tail.TORN)
        payload = data[at + _HEADER : end]
        if header[_LENGTH + _CHECK :] != _hash(_TAG, b"p2pgame record", length, payload):
            return Records(tuple(payloads), at, Tail.CORRUPT)
        payloads.append(payload)
        at = end
    return Records(tuple(payloads), at, Tail.WHOLE)
