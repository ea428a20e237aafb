"""Points in time as people write them.

For: lists of games. Never: a decision that rests on a clock.
"""

from __future__ import annotations

from datetime import datetime


def day(when: float) -> str:
    """Date and minute, in local time."""
    try:
        return datetime.fromtimestamp(when).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "?"


def span(seconds: float) -> str:
    """Minutes and seconds."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"
