"""How a game was scored, explained line by line.

For: the end of a table and of a replay. Never: a number of its own.

Theory of operation: a game may have a module `client/render/<game>_scores.py` with a function
`score_lines(table, result, names)`; without one the bare scores are told, if there are any.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engines.requests import Result


def score_lines(game: str, table: Any, result: Result, names: Sequence[str]) -> list[str]:
    """One line a player, the winners first; empty where a game has no points."""
    name = f"client.render.{game}_scores"
    if find_spec(name) is not None:
        return list(import_module(name).score_lines(table, result, names))
    if all(score is None for score in result.scores):
        return []
    return [f"{names[seat]}: {'out' if (score := result.scores[seat]) is None else score}" for seat in by_rank(result)]


def by_rank(result: Result) -> list[int]:
    """The seats, the winners first, then as they sit."""
    return sorted(range(len(result.scores)), key=lambda seat: (seat not in result.winners, seat))
