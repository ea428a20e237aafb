"""Lines of talk, before a table begins and at it: how long they may be, and how many are heard. Does
IO: looks at the clock.

For: the reception and the player. Never: anything that the game depends on.

Theory of operation: what we say is cut to size, so a foreign line that is longer is its sender's fault. Too many are
nobody's fault: more than `limits.CHAT_LINES` a second are passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import trio

from protocol import limits
from protocol.errors import Malformed


def cut(text: str) -> str:
    """A line of ours, as much of it as may be said."""
    return text.encode()[: limits.CHAT_BYTES].decode(errors="ignore")


def checked(text: str) -> str:
    """A foreign line. Errors: Malformed."""
    if len(text.encode()) > limits.CHAT_BYTES:
        raise Malformed(f"a line of more than {limits.CHAT_BYTES} bytes")
    return text


class Ear:
    """How many lines each speaker has said within this second."""

    def __init__(self) -> None:
        self._second = 0
        self._said = Counter[Hashable]()

    def hears(self, speaker: Hashable, speakers: int = 1) -> bool:
        """Whether one more is not more than anybody reads; `speakers`: for so many this one speaks."""
        second = int(trio.current_time())
        if second != self._second:
            self._second = second
            self._said.clear()
        self._said[speaker] += 1
        return self._said[speaker] <= limits.CHAT_LINES * speakers
