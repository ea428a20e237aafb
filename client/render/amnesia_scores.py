"""Where the points came from: every hand of every player, and what the losers had to do.

For: the end of a game of Amnesia.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.amnesia_table import Table, worth
from engines.requests import Result

from ..text import clean


def score_lines(table: Table, result: Result, names: Sequence[str]) -> list[str]:
    """One line a player, the lowest total first."""
    lines = []
    for seat in sorted(range(len(result.scores)), key=lambda one: (table.totals[one], one)):
        line = f"{names[seat]}: {table.totals[seat]} points"
        if len(table.points) > 1:
            line += f", hand by hand {', '.join(str(points[seat]) for points in table.points)}"
        if table.points and seat == table.caller:
            line += f"; called the last hand with {sum(map(worth, table.revealed[seat]))} on the cards"
        if seat in table.losers:
            line += f"; above {table.limit}"
            line += ", and did not do the forfeit" if seat in table.unfulfilled else ""
        lines.append(line)
    if table.losers:
        lines.append(f"The forfeit: {clean(table.forfeit)}")
    return lines
