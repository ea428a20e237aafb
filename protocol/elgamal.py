"""Cards as ElGamal ciphertexts under the key of all seats together.

For: the few sums that turn a card over. Never: a proof, a secret, or a decision about who may do what.

Theory of operation (additive; ElGamal 1985). The card j is the point M_j. Under X_T = x_T·G it is (C1, C2) =
(c·G, M_j + c·X_T); a fresh card has c = 1, so that everybody sees what it is. Adding (r·G, r·X_T) changes c and nothing
else. Seat s answers for C1 with its share x_s·C1, and C2 less the shares of all seats is M_j.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from . import group, limits
from .errors import Refused
from .group import Point


class Ciphertext(NamedTuple):
    """A sealed card."""

    c1: Point
    c2: Point


@lru_cache(limits.MAX_CARDS)
def fresh(j: int, joint: Point) -> Ciphertext:
    """Card j, face up under the joint key. Errors: Misuse (no such card)."""
    return Ciphertext(group.G, group.add(group.m(j), joint))


def added(card: Ciphertext, seal: Ciphertext) -> Ciphertext:
    """The same card with a seal (r·G, r·X_T) more."""
    return Ciphertext(group.add(card.c1, seal.c1), group.add(card.c2, seal.c2))


def unmask(c2: Point, shares: Iterable[Point]) -> Point:
    """C2 − Σ shares."""
    return group.sub(c2, group.total(shares))


def find(message: Point, faces: Mapping[Point, int]) -> int:
    """The j whose M_j this is. Errors: Refused, if there is none.

    That cannot happen at a table whose shuffles, blinds and shares were all checked: the proofs make the message one of
    those that were sealed. So there is no message by which a viewer could complain of it.
    """
    if message not in faces:
        raise Refused("card: opens to none of the faces that were sealed")
    return faces[message]


def pack(cards: Sequence[Ciphertext]) -> bytes:
    """C1, C2 of each card in turn, 64 bytes a card."""
    return b"".join(part for card in cards for part in card)


def pairs(points: Sequence[Point]) -> list[Ciphertext]:
    """The cards in a list C1, C2, C1, C2 …"""
    return [Ciphertext(*pair) for pair in zip(points[::2], points[1::2], strict=True)]
