"""The cards of Fungi: how many there are, what they are worth, and which of them make a dish or a sale.

For: the rules, the bot and the screen, which must agree on these. Never: a table; everything here is about faces.

Theory of operation: a face is a short code. A night card is the code of its mushroom after "N-"; it counts as two
mushrooms wherever mushrooms are counted. The functions that begin with `no_` answer with the rule that forbids
something, or with "". The option `rules` is a plain word here: "rulebook" or "published" (rulings 6 and 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .menus import Face


class Kind(NamedTuple):
    """One kind of mushroom: its cards in the forest deck, and the numbers printed on each."""

    copies: int
    flavour: int
    sticks: int


KINDS = {
    "HF": Kind(10, 1, 1),  # honey fungus
    "TE": Kind(8, 1, 2),  # tree ear
    "LW": Kind(6, 2, 1),  # lawyer's wig
    "SH": Kind(5, 2, 2),  # shiitake
    "HW": Kind(5, 3, 1),  # hen of the woods
    "BB": Kind(4, 3, 2),  # birch bolete
    "PO": Kind(4, 3, 3),  # porcini
    "CH": Kind(4, 4, 2),  # chanterelle
    "MO": Kind(3, 6, 4),  # morel
}
PAN, BUTTER, CIDER, BASKET, MOON, FLY = "PAN", "BUT", "CID", "BSK", "MOON", "FLY"
OTHERS = {PAN: 11, BUTTER: 3, CIDER: 3, BASKET: 5, MOON: 8, FLY: 5}
SPECIAL = frozenset((BASKET, MOON, FLY))
"""These take effect when they are taken and never enter a hand."""
NIGHT_KINDS = tuple(kind for kind in KINDS if kind != "MO")
NIGHT = "N-"

DAY_DECK = tuple(kind for kind in KINDS for _ in range(KINDS[kind].copies)) + tuple(
    other for other in OTHERS for _ in range(OTHERS[other])
)
NIGHT_DECK = tuple(NIGHT + kind for kind in NIGHT_KINDS)
STARTING_PANS = (PAN, PAN)

_RANKS = {face: i for i, face in enumerate([f for kind in KINDS for f in (kind, NIGHT + kind)] + list(OTHERS))}

DISH = 3
"""Mushrooms that it takes to cook."""
SALE = 2
"""Mushrooms that it takes to sell."""
NEEDS = {BUTTER: 4, CIDER: 5}
"""Mushrooms that a seasoning goes with."""
EXTRA = {BUTTER: 3, CIDER: 5}
"""Flavour that a seasoning adds."""


def kind_of(face: Face) -> str:
    """The kind of a mushroom of day or night; "" for everything else."""
    kind = face.removeprefix(NIGHT)
    return kind if kind in KINDS else ""


def is_night(face: Face) -> bool:
    """Whether it is a mushroom gathered by moonlight."""
    return face.startswith(NIGHT)


def rank(face: Face) -> int:
    """Where a face comes in a hand that is in order: by kind, day before night, then all else."""
    return _RANKS.get(face, len(_RANKS))


def mushrooms(faces: Sequence[Face]) -> int:
    """How many mushrooms these are (ruling 7)."""
    return sum(2 if is_night(face) else 1 for face in faces if kind_of(face))


def flavour(faces: Sequence[Face], rules: str) -> int:
    """What a dish is worth (ruling 7). `rules` "rulebook": a night card doubles all its mushrooms, each printed value
    counted once; "published": it counts its own value twice. Seasoning is never doubled."""
    printed = sum(KINDS[kind_of(face)].flavour for face in faces if kind_of(face))
    night = sum(KINDS[kind_of(face)].flavour for face in faces if is_night(face))
    extra = sum(EXTRA.get(face, 0) for face in faces)
    if rules == "rulebook":
        return printed * (2 if night else 1) + extra
    return printed + night + extra


def price(faces: Sequence[Face]) -> int:
    """The sticks that mushrooms bring (ruling 8)."""
    return sum(KINDS[kind_of(face)].sticks * mushrooms([face]) for face in faces if kind_of(face))


def no_ingredient(kind: str, face: Face) -> str:
    """Why a card cannot be part of a dish of that kind, whatever else is in it."""
    if kind_of(face) == kind or face in EXTRA or face == PAN:
        return ""
    return "a dish is mushrooms of one kind, with butter, cider and the pan if they come from the hand"


def no_dish(kind: str, faces: Sequence[Face], rules: str) -> str:
    """Why these are no dish of that kind (ruling 7)."""
    for face in faces:
        if why := no_ingredient(kind, face):
            return why
    size = mushrooms(faces)
    if size < DISH:
        return f"cooking takes {DISH} mushrooms of one kind, a night card counting as two"
    if faces.count(PAN) > 1:
        return "a dish is cooked in one pan"
    if rules == "published":
        if size < sum(NEEDS.get(face, 0) for face in faces):
            return f"each butter takes {NEEDS[BUTTER]} mushrooms and each cider {NEEDS[CIDER]}, and none serves twice"
        return ""
    if BUTTER in faces and size < NEEDS[BUTTER]:
        return f"butter goes with {NEEDS[BUTTER]} mushrooms or more"
    if CIDER in faces and size < NEEDS[CIDER]:
        return f"cider goes with {NEEDS[CIDER]} mushrooms or more"
    return ""


def no_ware(kind: str, face: Face) -> str:
    """Why a card cannot be sold together with mushrooms of that kind."""
    if kind_of(face) == kind:
        return ""
    return "only mushrooms are sold, and of one kind at a time"


def no_sale(kind: str, faces: Sequence[Face]) -> str:
    """Why these cannot be sold together (ruling 8)."""
    for face in faces:
        if why := no_ware(kind, face):
            return why
    return "" if mushrooms(faces) >= SALE else f"selling takes {SALE} mushrooms of one kind, or a night card"
