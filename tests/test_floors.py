"""The four floors: arrows only downwards, and IO only where a docstring says so."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_USE = {
    "engines": set(),
    "protocol": set(),
    "p2p": {"protocol", "engines"},
    "client": {"p2p", "engines"},
}
IO_MODULES = {"trio", "socket", "ssl", "threading", "subprocess", "asyncio", "zeroconf", "time", "tempfile", "select"}
FILES = sorted(path for floor in MAY_USE for path in (ROOT / floor).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a file imports, its own floor included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0] if node.module and not node.level else path.relative_to(ROOT).parts[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_arrows_point_downwards(path: Path) -> None:
    floor = path.relative_to(ROOT).parts[0]
    others = set(imported(path)) & (set(MAY_USE) | {"tests", "benchmarks"}) - {floor}
    assert others <= MAY_USE[floor]


@pytest.mark.parametrize("path", [p for p in FILES if p.is_relative_to(ROOT / "engines")], ids=lambda path: path.name)
def test_engines_use_the_standard_library_only(path: Path) -> None:
    assert set(imported(path)) - {"engines"} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.parts[len(ROOT.parts)] in ("protocol", "engines")], ids=lambda path: path.name
)
def test_rules_and_protocol_do_no_io(path: Path) -> None:
    assert not set(imported(path)) & IO_MODULES
    assert not {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)} & {"open"}


@pytest.mark.parametrize("path", [p for p in FILES if p.is_relative_to(ROOT / "p2p")], ids=lambda path: path.name)
def test_io_is_declared(path: Path) -> None:
    if set(imported(path)) & (IO_MODULES - {"time"}):
        docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
        assert "Does IO" in " ".join(docstring.split()) or path.name == "feed.py"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_nothing_outside_the_gate_touches_the_curve() -> None:
    users = {path.relative_to(ROOT).as_posix() for path in FILES if "nacl" in set(imported(path))}
    assert users == {"protocol/group.py"}
