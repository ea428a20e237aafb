"""How a game was scored, line by line, where its render module can tell.

For: the end of a table and of a replay. Never: a number of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.requests import Result

from .render.base import renderer


def score_lines(game: str, table: Any, result: Result, names: Sequence[str]) -> list[str]:
    """One line a player, best first; empty where a game has no points."""
    told = getattr(renderer(game), "score_lines", None)
    if told is not None:
        return list(told(table, result, names))
    if all(score is None for score in result.scores):
        return []
    order = sorted(range(len(names)), key=lambda seat: (seat not in result.winners, result.scores[seat] is None, seat))
    return [f"{names[seat]}: {'out' if result.scores[seat] is None else result.scores[seat]}" for seat in order]
