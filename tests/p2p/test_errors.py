"""Every user-facing error fills its docstring and keeps to the exit codes."""

from __future__ import annotations

import string

import pytest

from p2p import errors
from p2p.errors import UserError

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, UserError)]


@pytest.mark.parametrize("kind", KINDS)
def test_message_is_one_line_with_its_values(kind: type[UserError]) -> None:
    names = [name for _, name, _, _ in string.Formatter().parse(kind.__doc__ or "") if name]
    message = str(kind(**{name: f"<{name}>" for name in names}))
    assert message
    assert "\n" not in message
    assert "  " not in message
    assert "{" not in message
    assert all(f"<{name}>" in message for name in names)


@pytest.mark.parametrize("kind", KINDS)
def test_exit_codes(kind: type[UserError]) -> None:
    assert kind.exit_code == (3 if issubclass(kind, errors.NetworkError) else 2)


def test_values_are_not_format_strings() -> None:
    assert "{why}" in str(errors.CannotReach(where="{why}", why="{where}"))
