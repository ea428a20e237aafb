"""The games as they were played when the rules were last looked at, and as they are played now."""

from __future__ import annotations

import pytest

from tests.playthroughs.generate import HERE, Writer, names


@pytest.mark.parametrize("name", names())
def test_the_game_goes_as_written(name: str) -> None:
    file = HERE / f"{name}.txt"
    assert file.exists(), "write it: python -m tests.playthroughs.generate"
    now, then = Writer(name).write().splitlines(), file.read_text(encoding="utf-8").splitlines()
    first = next((i for i, (a, b) in enumerate(zip(now, then, strict=False)) if a != b), min(len(now), len(then)))
    assert now[first : first + 3] == then[first : first + 3], (
        f"line {first + 1} differs; if that is meant: python -m tests.playthroughs.generate, and read the difference"
    )


def test_no_playthrough_is_left_over() -> None:
    assert {file.stem for file in HERE.glob("*.txt")} <= set(names())
