"""Where the flavour came from: every dish of both players.

For: the end of a game of Fungi.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.fungi_table import Table
from engines.requests import Result

from ..scores import by_rank
from .fungi_board import NAMES


def score_lines(table: Table, result: Result, names: Sequence[str]) -> list[str]:
    """One line a player; of equal flavour the mushrooms decide."""
    lines = []
    for seat in by_rank(result):
        dishes = [f"{dish.mushrooms} {NAMES[dish.kind]} {dish.flavour}" for dish in table.dishes[seat]]
        line = f"{names[seat]}: {table.points(seat)} flavour = {' + '.join(dishes) or 'nothing was cooked'}"
        if result.reason != "flavour":
            line += f" ({table.cooked(seat)} mushrooms cooked)"
        lines.append(line)
    return lines
