"""Ways of sharing work out that no thread would choose, and that must make no difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from protocol.errors import ProtocolError

T = TypeVar("T")
R = TypeVar("R")


def backwards(work: Callable[[T], R], items: Sequence[T], /) -> list[R]:
    """The last piece first, and all of them although one fails, as with threads it may come to be."""
    found: list[R | ProtocolError] = []
    for item in reversed(items):
        try:
            found.append(work(item))
        except ProtocolError as error:
            found.append(error)
    found.reverse()
    for one in found:
        if isinstance(one, ProtocolError):
            raise one
    return [one for one in found if not isinstance(one, ProtocolError)]
