"""How the flavour of a dish is made up, as a sum: 3×4 ×2 (night) +3 (butter).

For: the question before a dish is closed, the log, the end. Never: a flavour of its own; a sum that does not come to
what the rules counted is not shown.

Theory of operation: a sum needs to know how many cards by day there are, whether one by night is among them (there is
one of a kind), and how much of each seasoning. An event has the faces. Of a closed dish only kind, cards, mushrooms and
flavour are public, and these fit just one such dish.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.fungi_cards import (
    BUTTER,
    CIDER,
    EXTRA,
    KINDS,
    NIGHT,
    NIGHT_KINDS,
    OTHERS,
    flavour,
    is_night,
    kind_of,
    mushrooms,
    no_dish,
)
from engines.fungi_table import Dish
from engines.menus import Face

from .fungi_board import NAMES

READINGS = ("rulebook", "published")


def explained(total: int, made: str) -> str:
    """A flavour, and the sum that comes to it."""
    return f"{total} flavour" + (f" = {made}" if made else "")


def of_faces(food: Sequence[Face], total: int) -> str:
    """The sum that comes to that total, in the reading of the rules that does; or ""."""
    return next((_sum(food, rules) for rules in READINGS if flavour(food, rules) == total), "")


def of_dish(dish: Dish, rules: str) -> str:
    """The sum of a dish on the table; or ""."""
    sums = {_sum(food, rules) for food in _fitting(dish, rules)}
    return sums.pop() if len(sums) == 1 else ""


def _fitting(dish: Dish, rules: str) -> Iterator[list[Face]]:
    """Every dish that this one can be."""
    cards = len(dish.cards) - 1  # without the pan
    for night in range(1 + (dish.kind in NIGHT_KINDS)):
        day = dish.mushrooms - 2 * night
        for butter in range(OTHERS[BUTTER] + 1):
            cider = cards - night - day - butter
            if day < 0 or not 0 <= cider <= OTHERS[CIDER]:
                continue
            food = [NIGHT + dish.kind] * night + [dish.kind] * day + [BUTTER] * butter + [CIDER] * cider
            if not no_dish(dish.kind, food, rules) and flavour(food, rules) == dish.flavour:
                yield food


def _sum(food: Sequence[Face], rules: str) -> str:
    cards = [face for face in food if kind_of(face)]
    each = KINDS[kind_of(cards[0])].flavour
    text = f"{len(cards)}×{each}"
    if any(map(is_night, cards)):
        text += " ×2 (night)" if rules == READINGS[0] else f" +{(mushrooms(cards) - len(cards)) * each} (night)"
    for seasoning, extra in EXTRA.items():
        if count := food.count(seasoning):
            text += f" +{count * extra} ({f'{count} ' if count > 1 else ''}{NAMES[seasoning]})"
    return text
