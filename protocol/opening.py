"""What the seats do together before the first card, and whenever chance is wanted: seeds, keys, flips.

For: the session, as ceremonies. Never: a key without proof that its seat knows the secret, or keys before all seeds are
committed to.

Theory of operation. The order of rounds carries the security: a seat fixes its seed before it sees any other's, and
its key only when all seeds are fixed. Bodies: commit {"seed": 32 bytes}; keys {"key", "anchor": 32 bytes each, "proof":
64}; flip {"value": 32 bytes}. The proof of a key is a Schnorr proof; its transcript is named "key" and begins with
"seeds", all commitments, and "anchor". A key copied or mirrored from another seat cannot be proven so.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from . import codec, flips, group, limits, sigma
from .ceremony import Body, Context
from .deck import Deck, Joint
from .errors import Misuse, Refused
from .group import G, Point
from .hashing import Transcript
from .secrets import Secrets

COMMITMENT: Final = 32
"""Bytes of a commitment."""


def _distinct(values: Mapping[int, bytes], what: str) -> None:
    for (one, first), (other, second) in combinations(values.items(), 2):
        if first == second:
            raise Refused(f"{what}: seats {one} and {other} published the same")


class Commit(Joint):
    """Every seat publishes the hash of its master seed.

    `accept` raises Refused when two are equal. The opening is over then, and nobody is named: who copied from whom
    cannot be told (the seat's number is in the hash, so the copy is worth nothing anyway).
    """

    kind = "commit"

    def __init__(self, deck: Deck) -> None:
        if deck.commitments:
            raise Misuse("commit: seeds are committed to already")
        super().__init__(deck)

    def _make(self, context: Context, secrets: Secrets) -> Body:
        return {"seed": secrets.commitment()}

    def _check(self, context: Context, body: object) -> None:
        group.sized(codec.fields(body, "commit", seed=bytes)["seed"], COMMITMENT, "commit: seed")

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        seeds = {seat: body["seed"] for seat, body in bodies.items()}
        _distinct(seeds, "commit")
        self._deck.commitments = tuple(seeds.values())


class Keys(Joint):
    """Every seat publishes its key, the proof that it knows the secret one, and the anchor of its flip chain.

    `accept` raises Refused when two keys are equal (both seats proved that they know it, so they share a secret) or
    when the keys cancel each other.
    """

    kind = "keys"

    def __init__(self, deck: Deck) -> None:
        if not deck.commitments or deck.keys:
            raise Misuse("keys: not before the commitments, and only once")
        super().__init__(deck)

    def _transcript(self, context: Context, anchor: bytes) -> Transcript:
        t = Transcript(context, "key")
        t.absorb("seeds", *self._deck.commitments)
        t.absorb("anchor", anchor)
        return t

    def _make(self, context: Context, secrets: Secrets) -> Body:
        t = self._transcript(context, secrets.anchor)
        proof = sigma.prove_logs(t, secrets, [G], [secrets.public], [secrets.x])
        return {"key": bytes(secrets.public), "anchor": secrets.anchor, "proof": proof}

    def _check(self, context: Context, body: object) -> None:
        found = codec.fields(body, "keys", key=bytes, anchor=bytes, proof=bytes)
        anchor = group.sized(found["anchor"], flips.SIZE, "keys: anchor")
        key = group.point(found["key"], "keys: key")
        sigma.check_logs(self._transcript(context, anchor), [G], [key], found["proof"], "keys: key")

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        keys = {seat: Point(body["key"]) for seat, body in bodies.items()}
        _distinct(keys, "keys")
        self._deck.install(list(keys.values()), [body["anchor"] for body in bodies.values()])


class Flip(Joint):
    """Every seat uncovers one value of its flip chain; `result` is 32 bytes of public chance, known once all are in.

    Errors: Misuse, when the chains are used up (limits.FLIPS to a table).
    """

    kind = "flip"

    def __init__(self, deck: Deck) -> None:
        if not deck.heads:
            raise Misuse("flip: not before the keys")
        if deck.flips >= limits.FLIPS:
            raise Misuse(f"flip: a table has {limits.FLIPS}, and they are used up")
        super().__init__(deck)
        self._number = deck.flips
        self._result = b""

    def _make(self, context: Context, secrets: Secrets) -> Body:
        return {"value": secrets.flip(self._number)}

    def _check(self, context: Context, body: object) -> None:
        value = codec.fields(body, "flip", value=bytes)["value"]
        flips.check(context.table, context.seat, self._number, value, self._deck.heads[context.seat])

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        values = tuple(body["value"] for body in bodies.values())
        heads = {**dict(enumerate(self._deck.heads)), **{seat: body["value"] for seat, body in bodies.items()}}
        self._deck.heads = tuple(heads[seat] for seat in range(self._deck.seats))
        self._deck.flips = self._number + 1
        self._result = flips.result(self._deck.table, prev, self._number, values)

    @property
    def result(self) -> bytes:
        """The seed of a public chance. Errors: Misuse, before the flip is over."""
        self._finished()
        return self._result
