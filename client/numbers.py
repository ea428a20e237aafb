"""Small numbers for what comes and goes in a list.

For: the lobby's tables. Never: a number that another thing had a moment ago, which a finger may still be on its way to.

Theory of operation: a thing keeps its number as long as it is there and for a while after that; a new one gets the
lowest that nothing has.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

REST = 10.0
"""Seconds that the number of a thing which has gone is left alone."""
_MOST = 99
"""More than are ever shown at once."""


class Numbers:
    """Who has which number."""

    def __init__(self) -> None:
        self._given: dict[Hashable, int] = {}
        self._seen: dict[Hashable, float] = {}
        """When each was last there; the longest gone first."""
        self._now = 0.0

    def clear(self) -> None:
        """Nothing is shown any more: all numbers are free."""
        self._given, self._seen, self._now = {}, {}, 0.0

    def see(self, keys: Iterable[Hashable], now: float) -> None:
        """These were there until `now`, which is in seconds."""
        self._now = now
        for key in keys:
            self._meet(key)
        for key, last in list(self._seen.items()):
            if now - last >= REST:
                del self._seen[key], self._given[key]

    def of(self, key: Hashable) -> int:
        """The number of a thing that is there."""
        if key not in self._given:
            if len(self._given) < _MOST:
                number = min(set(range(1, _MOST + 1)) - set(self._given.values()))
            else:
                gone = next(iter(self._seen))
                number = self._given.pop(gone)
                del self._seen[gone]
            self._given[key] = number
        self._meet(key)
        return self._given[key]

    def _meet(self, key: Hashable) -> None:
        if key in self._given:
            self._seen.pop(key, None)
            self._seen[key] = self._now
