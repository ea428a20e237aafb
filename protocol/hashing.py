"""Every hash of the protocol: labelled fields, Fiat–Shamir transcripts, and uniform numbers from a seed.

For: whatever must come out the same on every machine. Never: a hash over bytes that could be read in two ways, a use
without its own personalisation, or a random number that does not come from its input.

Theory of operation. The hash is BLAKE2b (RFC 7693), 64 or 32 bytes long, with the *use* as its personalisation (at most
16 ASCII bytes; BLAKE2b pads with zeros), over a sequence of fields. A field is one tag byte, the length of its content
as 4 bytes big-endian, and the content:

    b  bytes   as they are                         i  int   0 <= n < 2^64, 8 bytes big-endian
    s  str     UTF-8                               l  a label in a transcript      c  a challenge label

so a sequence of fields can be read in one way only. The uses are

    p2pgame seed     commitment to a master seed             p2pgame proof    Fiat–Shamir transcripts
    p2pgame secret   what grows from a master seed (keyed)   p2pgame nonce    nonces of proofs (keyed)
    p2pgame chain    links of a flip chain                   p2pgame flipres  result of a flip
    p2pgame points   generators of the group                 p2pgame stream   blocks of uniform numbers
    p2pgame input    input of a private look                 p2pgame door     proof of knowing a table's code (keyed)
    p2pgame tag      public part of a table's code           p2pgame contract the id of a table
    p2pgame start    what the first round rests on           p2pgame round    the running hash after a round
    p2pgame file     the name of a transcript

A transcript is a running BLAKE2b-512: it starts with the fields (i version, b table, b prev, i step, i round, i seat,
s what is proven); `absorb` adds (l label, i number of values, values); a challenge adds (c label, i number), and the
k-th scalar is the hash of all that and of the field (i k), reduced mod q.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from .ceremony import Context
from .errors import Misuse

PROTOCOL = 1
"""Version of the protocol. It stands at the beginning of every transcript and in every generator's label."""
Q = 2**252 + 27742317777372353535851937790883648493
"""Order of the group, and so the modulus of scalars (RFC 7748 section 4.1)."""

Field = bytes | int | str
T = TypeVar("T")


def _tagged(tag: bytes, content: bytes) -> bytes:
    return tag + len(content).to_bytes(4, "big") + content


_HASH, _POINT, _NUMBER = _tagged(b"b", bytes(64))[:5], _tagged(b"b", bytes(32))[:5], _tagged(b"i", bytes(8))[:5]
"""What comes before most fields."""


def _field(value: Field) -> bytes:
    if type(value) is bytes:
        size = len(value)
        return (_POINT if size == 32 else _HASH if size == 64 else b"b" + size.to_bytes(4, "big")) + value
    if type(value) is int and 0 <= value < 2**64:
        return _NUMBER + value.to_bytes(8, "big")
    if isinstance(value, bytes):
        return _tagged(b"b", value)
    if isinstance(value, str):
        return _tagged(b"s", value.encode())
    raise Misuse(f"a {type(value).__name__} of this size is no field of a hash")


@cache
def _label(tag: bytes, label: str) -> bytes:
    """Labels are constants of this package."""
    return _tagged(tag, label.encode())


def _hash(use: str, fields: Sequence[Field], key: bytes, size: int) -> bytes:
    # hashlib refuses a person longer than 16 bytes and a key longer than 64; both are constants of this package.
    data = b"".join([_field(value) for value in fields])
    return hashlib.blake2b(data, digest_size=size, key=key, person=use.encode()).digest()


def hash64(use: str, *fields: Field, key: bytes = b"") -> bytes:
    """BLAKE2b-512 of the fields, personalised by `use`, keyed if `key` is given. Errors: Misuse (no such field)."""
    return _hash(use, fields, key, 64)


def hash32(use: str, *fields: Field, key: bytes = b"") -> bytes:
    """BLAKE2b-256, likewise."""
    return _hash(use, fields, key, 32)


def iterated(use: str, *fields: Field, first: bytes, times: int) -> list[bytes]:
    """`first`, 32 bytes, and so many values after it, each hash32 of these fields, of a number from 0 on, and of the
    value before."""
    begun = hashlib.blake2b(b"".join(map(_field, fields)), digest_size=32, person=use.encode())
    found = [first]
    for index in range(times):
        one = begun.copy()
        one.update(b"%b%b%b%b" % (_NUMBER, index.to_bytes(8, "big"), _POINT, found[-1]))
        found.append(one.digest())
    return found


def to_scalar(wide: bytes) -> int:
    """64 bytes, little-endian, reduced mod q: as good as uniform (bias below 2^-258). Errors: Misuse."""
    if len(wide) != 64:
        raise Misuse("a scalar is made from 64 bytes")
    return int.from_bytes(wide, "little") % Q


class Transcript:
    """Fiat–Shamir: the whole statement goes in, then the commitments, then the challenge comes out.

    It starts from the version, the context (so that a proof holds at one table, step, round and seat, on one history)
    and what is proven. Whoever makes a proof and whoever checks it must absorb the same values in the same order.
    """

    def __init__(self, context: Context, what: str) -> None:
        self._hash = hashlib.blake2b(digest_size=64, person=b"p2pgame proof")
        start: list[Field] = [PROTOCOL, context.table, context.prev, context.step, context.round, context.seat, what]
        self._hash.update(b"".join(map(_field, start)))

    def absorb(self, label: str, *values: Field) -> None:
        """Add values under a label; their number goes in before them. Errors: Misuse (no such field)."""
        head = _label(b"l", label) + _field(len(values))
        self._hash.update(b"".join([head, *[_field(value) for value in values]]))

    def state(self) -> bytes:
        """64 bytes that stand for everything absorbed so far. Nonces are made from it, so that they are as bound."""
        return self._hash.digest()

    def challenges(self, label: str, count: int) -> list[int]:
        """`count` scalars that depend on everything absorbed so far; what follows depends on them having been asked."""
        self._hash.update(_label(b"c", label) + _field(count))
        found = []
        for index in range(count):
            one = self._hash.copy()
            one.update(_field(index))
            found.append(to_scalar(one.digest()))
        return found

    def challenge(self, label: str) -> int:
        """One such scalar."""
        return self.challenges(label, 1)[0]


class Stream:
    """Uniform numbers and orders from a seed, the same everywhere.

    Block k is hash64("p2pgame stream", seed, k), k = 0, 1, 2 …; a block is sixteen words of 4 bytes, big-endian.
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._blocks = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = hash64("p2pgame stream", self._seed, self._blocks)
            self._blocks += 1
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(60, -4, -4)]
        return self._words.pop()

    def uniform(self, n: int) -> int:
        """A number 0 <= u < n. Words beyond the last multiple of n below 2^32 are passed over: no modulo bias.

        Errors: Misuse unless 1 <= n <= 2^32.
        """
        if not 1 <= n <= 2**32:
            raise Misuse(f"no uniform number below {n}")
        bound = 2**32 - 2**32 % n
        while (word := self._word()) >= bound:
            pass
        return word % n

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """The items in a uniform order: Fisher–Yates (Durstenfeld 1964), last place first, i with uniform(i + 1)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.uniform(i + 1)
            out[i], out[j] = out[j], out[i]
        return out
