"""Where the flavour came from: every dish of both players.

For: the end of a game of Fungi.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.fungi_table import Dish, Table
from engines.requests import Result

from ..scores import by_rank
from .fungi_board import NAMES
from .fungi_sums import of_dish


def score_lines(table: Table, result: Result, names: Sequence[str]) -> list[str]:
    """One line a player; of equal flavour the mushrooms decide."""
    lines = []
    for seat in by_rank(result):
        dishes = "; ".join(_dish(dish, table.rules) for dish in table.dishes[seat]) or "nothing was cooked"
        line = f"{names[seat]}: {table.points(seat)} flavour: {dishes}"
        if result.reason != "flavour":
            line += f" ({table.cooked(seat)} mushrooms cooked)"
        lines.append(line)
    return lines


def _dish(dish: Dish, rules: str) -> str:
    """What it is, and how its flavour is made up."""
    made = of_dish(dish, rules)
    return f"{dish.mushrooms} {NAMES[dish.kind]} {dish.flavour}" + (f" = {made}" if made else "")
