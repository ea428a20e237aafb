"""What is shown in many situations is what is kept as text."""

from __future__ import annotations

from types import ModuleType

import pytest

from . import regenerate


@pytest.mark.parametrize("scenes", regenerate.ALL)
def test_the_captures_are_what_is_shown(scenes: ModuleType) -> None:
    fresh = dict(scenes.captures())
    kept = {path.name: path.read_text(encoding="utf-8") for path in scenes.CAPTURES.glob("*.txt")}
    assert sorted(kept) == sorted(fresh), "python -m tests.client.regenerate"
    for name, text in fresh.items():
        assert kept[name] == text, f"{name}: python -m tests.client.regenerate"
        assert "ascii" not in name or text.isascii(), name
