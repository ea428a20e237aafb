"""Abandoning a table: those who are present agree by signature that they do not wait any longer.

For: a table that waits for a seat which is lost. Never: a verdict on that seat, a decision in its place, or a seed: an
abandoned table stays closed for ever.

Theory of operation: each of them signs, in the context "abandon", the canonical encoding of {"prev", "rounds",
"table"}: how many rounds stand in the chain, and its value after them. Signatures for the same point of the chain add
up; those for another point count for nothing, so a signature is void as soon as the game goes on. Who is present is the
peers' affair; the record says who has signed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import codec
from .contract import Contract
from .errors import Malformed, Refused
from .identity import SIGNATURE_BYTES, Identity, verify

CONTEXT = "abandon"
HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Where the chain ends, and each seat's signature under that, or empty."""

    rounds: int
    prev: bytes
    signatures: tuple[bytes, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """Who has signed."""
        return tuple(seat for seat, signature in enumerate(self.signatures) if signature)


def statement(contract: Contract, rounds: int, prev: bytes) -> bytes:
    """What is signed."""
    return codec.encode({"prev": prev, "rounds": rounds, "table": contract.table})


def form(contract: Contract, signatures: Sequence[object]) -> tuple[bytes, ...]:
    """A foreign list of signatures, one a seat, empty or whole. Errors: Malformed."""
    found = tuple(one for one in signatures if isinstance(one, bytes) and len(one) in (0, SIGNATURE_BYTES))
    if len(found) != len(signatures) or len(found) != len(contract.seats):
        raise Malformed("abandon: not one signature a seat, whole or empty")
    return found


def check(contract: Contract, rounds: int, prev: bytes, signatures: Sequence[object]) -> Abandoned:
    """Read a foreign list of signatures. Errors: Malformed; Refused: one does not hold, or there is none."""
    found = form(contract, signatures)
    if not 0 <= rounds < 2**31 or len(prev) != HASH_BYTES:
        raise Malformed("abandon: no such point of a chain")
    if not any(found):
        raise Refused("abandon: nobody has signed")
    for seat, signature in enumerate(found):
        if signature and not verify(contract.seats[seat].key, CONTEXT, statement(contract, rounds, prev), signature):
            raise Refused(f"abandon: the signature of seat {seat + 1} does not hold")
    return Abandoned(rounds, prev, found)


class Votes:
    """The latest that each seat has signed; no more than one each is kept."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._latest: dict[int, tuple[int, bytes, bytes]] = {}

    def sign(self, identity: Identity, seat: int, rounds: int, prev: bytes) -> None:
        """My own."""
        signature = identity.sign(CONTEXT, statement(self._contract, rounds, prev))
        self._latest[seat] = rounds, prev, signature

    def add(self, given: Abandoned) -> bool:
        """Checked signatures of others; whether one of them was new."""
        new = False
        for seat in given.seats:
            if seat not in self._latest or self._latest[seat][0] < given.rounds:
                self._latest[seat] = given.rounds, given.prev, given.signatures[seat]
                new = True
        return new

    def at(self, rounds: int, prev: bytes) -> Abandoned:
        """All that are for this point of the chain."""
        latest = [self._latest.get(seat, (-1, b"", b"")) for seat in range(len(self._contract.seats))]
        return Abandoned(rounds, prev, tuple(one[2] if one[:2] == (rounds, prev) else b"" for one in latest))
