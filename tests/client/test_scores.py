"""The explanation of the points at the end: what is listed comes to the total."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from client.render import amanite_scores, fungi_scores
from engines.amanite_scoring import score, verdict
from engines.amanite_table import Table
from engines.fungi_table import Dish
from engines.fungi_table import Table as Kitchen
from engines.menus import Card
from engines.requests import Result
from tests.engines.amanite_forest import M0, M1, K, hoard

MAJORITY = {**M0, "green": "majority", "white": "two"}


@pytest.mark.parametrize(
    ("held", "worth", "line"),
    [
        ("", M0, "0 points = nothing that counts"),
        ("bbry", M1, "7 points = blue poisons cured: 2 for 10; red antidotes that met elixirs: 1 for -3"),
        ("ryyy", M1, "-3 points = red antidotes that met elixirs: 1 for -3"),
        ("yyyw", M1, "3 points = white worth 3 each: 1 for 3"),
        ("w*", K, "-1 points = white worth 1 each: 1 for 1; green by count: 0 for -5; pigs: 1 for 3"),
        ("gww", MAJORITY, "18 points = white exactly two: 2 for 8; green majority: 1 for 10"),
        ("ggw", K, "4 points = white worth 1 each: 1 for 1; green by count: 2 for 3"),
        ("bb", M0, "out, more poisons than antidotes and elixirs"),
        ("gggg", K, "out, too many of the counted mushroom"),
    ],
)
def test_the_points_of_amanite_are_explained_to_the_last(held: str, worth: Mapping[str, str], line: str) -> None:
    out, points = score([hoard(held)], worth)
    total = None if out else sum(points[0].values())
    table = Table(held=[hoard(held)], worth=dict(worth), points=points, eliminated=out)
    assert amanite_scores.score_lines(table, verdict([total], [0]), ["Ana"]) == [f"Ana: {line}"]
    if total is not None:
        assert sum(int(n) for n in re.findall(r"for (-?\d+)", line)) == total


def test_the_flavour_of_fungi_is_explained_dish_by_dish() -> None:
    table = Kitchen()
    cards = tuple(map(Card, range(6)))
    table.dishes[1] = [Dish("HF", cards, 4, 7), Dish("MO", cards[:4], 3, 18)]
    lines = fungi_scores.score_lines(table, Result((1,), (0, 25), "flavour"), ["Ana", "Beto"])
    assert lines == [
        "Beto: 25 flavour: 4 honey fungus 7 = 4×1 +3 (butter); 3 morel 18 = 3×6",
        "Ana: 0 flavour: nothing was cooked",
    ]
