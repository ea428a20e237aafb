from __future__ import annotations

import pytest

from . import generate


@pytest.mark.parametrize("name", generate.FILES)
def test_known_answers_come_out_again(name: str) -> None:
    assert (generate.HERE / f"{name}.json").read_text(encoding="utf-8") == generate.text(name)
