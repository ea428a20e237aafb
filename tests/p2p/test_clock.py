"""Whatever the clock on the wall does: nothing that has to do with a table looks at it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WALL = {"time", "time_ns", "localtime", "gmtime", "ctime", "now", "utcnow", "today"}
SOURCES = sorted(path for floor in ("engines", "protocol", "p2p") for path in (ROOT / floor).glob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_wall_clock(path: Path) -> None:
    if path.name == "checks.py":
        pytest.skip("the doctor compares the clock with the files of the profile, and says so")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            clocks = node.value.id in ("time", "datetime", "date")
            assert not (clocks and node.attr in WALL), f"line {node.lineno}: {node.value.id}.{node.attr}"
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            assert not {alias.name for alias in node.names} & WALL, f"line {node.lineno}"
