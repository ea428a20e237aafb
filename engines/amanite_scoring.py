"""The scoring of Amanite: who is eliminated, what each attribute is worth, who wins.

For: the rules at the end; bots before it, with attributes that they suppose. Never: a table; counts in, points out.

Theory of operation: tokens are counted by the attribute of their colour. Eliminations come first, since the majority is
among the others only; then points, kept apart by what they are for. The rulings: docs/rulings/amanite.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .amanite_table import ANTIDOTE, COLOURS, COUNT, ELIXIR, MAJORITY, PIG, POISON, TWO, Token
from .menus import Seat
from .requests import Result

EACH = {"-1": -1, "1": 1, "2": 2, "3": 3}
"""Attributes that score by the token."""
CURE, DISCORD = 5, -3
"""A poison with an antidote or elixir; an antidote with an elixir."""
BY_COUNT = (-5, 0, 3, 12)
"""With one token more one is eliminated."""
EXACTLY_TWO = 8
MOST, SECOND = 10, 4
TIED_MOST, TIED_SECOND = 7, 2
EACH_PIG = 3


def by_attribute(held: Mapping[Token, int], worth: Mapping[str, str]) -> dict[str, int]:
    """Tokens of each attribute in play."""
    return {worth[colour]: held.get(colour, 0) for colour in COLOURS if colour in worth}


def fate(counts: Mapping[str, int]) -> str:
    """The attribute that eliminates this hoard, or "" (rulings 9 and 11)."""
    if counts.get(POISON, 0) > counts.get(ANTIDOTE, 0) + counts.get(ELIXIR, 0):
        return POISON
    return COUNT if counts.get(COUNT, 0) >= len(BY_COUNT) else ""


def pairs(poison: int, antidote: int, elixir: int) -> tuple[int, int]:
    """Points for cures, and for antidotes that meet elixirs: both at once, nobody chooses (ruling 10)."""
    return CURE * min(poison, antidote + elixir), DISCORD * min(antidote, elixir)


def own_points(counts: Mapping[str, int]) -> dict[str, int]:
    """What a hoard scores by itself: all but majority and pigs."""
    points = {attribute: each * counts[attribute] for attribute, each in EACH.items() if attribute in counts}
    points[POISON], discord = pairs(counts.get(POISON, 0), counts.get(ANTIDOTE, 0), counts.get(ELIXIR, 0))
    if ELIXIR in counts:
        points[ELIXIR] = discord
    if COUNT in counts:
        points[COUNT] = BY_COUNT[counts[COUNT]]
    if TWO in counts:
        points[TWO] = EXACTLY_TWO if counts[TWO] == 2 else 0
    return points


def majority(counts: Mapping[Seat, int]) -> dict[Seat, int]:
    """Points for the most and the second most; nobody places with nothing (ruling 12)."""
    placed = sorted({count for count in counts.values() if count}, reverse=True)
    points = dict.fromkeys(counts, 0)
    if not placed:
        return points
    best = [seat for seat, count in counts.items() if count == placed[0]]
    if len(best) > 1:
        return {**points, **dict.fromkeys(best, TIED_MOST)}
    points[best[0]] = MOST
    if len(placed) > 1:
        second = [seat for seat, count in counts.items() if count == placed[1]]
        points.update(dict.fromkeys(second, TIED_SECOND if len(second) > 1 else SECOND))
    return points


def score(
    hoards: Sequence[Mapping[Token, int]], worth: Mapping[str, str]
) -> tuple[dict[Seat, str], list[dict[str, int]]]:
    """Who is eliminated for what, and each seat's points by what they are for; none for the eliminated."""
    counts = [by_attribute(held, worth) for held in hoards]
    out = {seat: why for seat, own in enumerate(counts) if (why := fate(own))}
    points: list[dict[str, int]] = [{} if seat in out else own_points(own) for seat, own in enumerate(counts)]
    if MAJORITY in worth.values():
        scored = majority({seat: own[MAJORITY] for seat, own in enumerate(counts) if seat not in out})
        for seat, won in scored.items():
            points[seat][MAJORITY] = won
    for seat, held in enumerate(hoards):
        if seat not in out:
            points[seat][PIG] = EACH_PIG * held.get(PIG, 0)
    return out, points


def verdict(totals: Sequence[int | None], mushrooms: Sequence[int]) -> Result:
    """Most points, then fewest mushrooms, then all of those (ruling 14). No total: eliminated."""
    left = [seat for seat, total in enumerate(totals) if total is not None]
    if not left:
        return Result((), tuple(totals), "nobody")
    if len(left) == 1:
        return Result(tuple(left), tuple(totals), "survivor")
    most = max(total for total in totals if total is not None)
    best = [seat for seat in left if totals[seat] == most]
    fewest = min(mushrooms[seat] for seat in best)
    winners = tuple(seat for seat in best if mushrooms[seat] == fewest)
    reason = "shared" if len(winners) > 1 else "mushrooms" if len(best) > 1 else "points"
    return Result(winners, tuple(totals), reason)
