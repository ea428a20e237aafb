"""Where the points came from: what each mushroom turned out to be, and what everybody scored for it.

For: the end of a game of Amanite.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.amanite_scoring import DISCORD
from engines.amanite_table import ANTIDOTE, COUNT, ELIXIR, MAJORITY, PIG, POISON, TWO, Table
from engines.requests import Result

from ..scores import by_rank

_FOR = {
    "-1": "worth -1 each",
    "1": "worth 1 each",
    "2": "worth 2 each",
    "3": "worth 3 each",
    POISON: "poisons cured",
    ELIXIR: "antidotes that met elixirs",
    COUNT: "by count",
    TWO: "exactly two",
    MAJORITY: "majority",
    PIG: "pigs",
}
_OUT = {POISON: "more poisons than antidotes and elixirs", COUNT: "too many of the counted mushroom"}


def score_lines(table: Table, result: Result, names: Sequence[str]) -> list[str]:
    """One line a player, with what was counted."""
    return [f"{names[seat]}: {_line(table, seat)}" for seat in by_rank(result)]


def _line(table: Table, seat: int) -> str:
    if seat in table.eliminated:
        return f"out, {_OUT.get(table.eliminated[seat], table.eliminated[seat])}"
    colours = {attribute: colour for colour, attribute in table.worth.items()}
    parts = []
    for attribute, points in table.points[seat].items():
        count = table.held[seat].get(colours.get(attribute, PIG), 0)
        if attribute == ELIXIR:
            count = points // DISCORD  # elixirs that met no antidote cost nothing
        if count or points:  # no token of the count mushroom costs something, too
            whose = colours.get(ANTIDOTE if attribute == ELIXIR else attribute, "")
            parts.append(f"{whose} {_FOR.get(attribute, attribute)}: {count} for {points}".lstrip())
    return f"{sum(table.points[seat].values())} points = {'; '.join(parts) or 'nothing that counts'}"
