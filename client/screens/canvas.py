"""Rows of fragments put together: cut, filled, framed, side by side, flowed.

For: all screens. Never: prompt_toolkit, a table or a game. What comes out has exactly the asked width, so nothing that
a peer sends can push a frame out of place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..render.base import Fragment, Row, row_width
from ..style import Glyphs
from ..text import cut, take, width, wrap


@dataclass(frozen=True, slots=True)
class Button:
    """Something of the screen's own to click: an item of the menu, or a page."""

    kind: str
    value: int | str


SMALLEST = (20, 5)
"""Columns and lines below which nothing sensible can be shown, an input line included."""


def too_small(columns: int, lines: int, glyphs: Glyphs, below: int = 0) -> list[Row]:
    """What is shown below that, else nothing. `below`: lines under these."""
    least, height = SMALLEST
    if columns >= least and lines + below >= height:
        return []
    words = f"{columns}×{lines + below} is too small: {least}×{height} at least"
    return fill([[("", piece, None)] for piece in wrap(glyphs.speak(words), columns)], columns, lines)


def cut_row(row: Row, columns: int) -> Row:
    """At most `columns` wide."""
    out: Row = []
    left = columns
    for style, text, target in row:
        if width(text) > left:
            part = take(text, left)
            if part:
                out.append((style, part, target))
            break
        out.append((style, text, target))
        left -= width(text)
    return out


def shortened(row: Row, columns: int, dots: str) -> Row:
    """At most `columns` wide; what was cut says so."""
    return row if row_width(row) <= columns else [*cut_row(row, columns - width(dots)), ("dim", dots, None)]


def fill_row(row: Row, columns: int) -> Row:
    """Exactly `columns` wide."""
    row = cut_row(row, columns)
    space = columns - row_width(row)
    return [*row, ("", " " * space, None)] if space else row


def fill(rows: Sequence[Row], columns: int, lines: int) -> list[Row]:
    """Exactly `columns` by `lines`."""
    blank: Row = [("", " " * columns, None)]
    return [fill_row(row, columns) for row in rows[:lines]] + [blank] * (lines - len(rows))


def centred(rows: Sequence[Row], columns: int) -> list[Row]:
    """Moved right together, so that the widest row is in the middle."""
    space = (columns - max(map(row_width, rows), default=0)) // 2
    return [[("", " " * space, None), *row] for row in rows] if space > 0 else list(rows)


def framed(title: str, rows: Sequence[Row], columns: int, lines: int, glyphs: Glyphs) -> list[Row]:
    """A box of `columns` by `lines` over all, at least 2 by 2, with a title."""
    inner = columns - 2
    head = cut(f" {title} ", inner) if title else ""
    top: Row = [
        ("frame", glyphs.corners[0], None),
        ("title", head, None),
        ("frame", glyphs.across * (inner - width(head)) + glyphs.corners[1], None),
    ]
    wall: Fragment = ("frame", glyphs.down, None)
    middle = [[wall, *row, wall] for row in fill(rows, inner, lines - 2)]
    bottom: Row = [("frame", glyphs.corners[2] + glyphs.across * inner + glyphs.corners[3], None)]
    return [top, *middle, bottom]


def part_of(
    rows: Sequence[Row], first: int, lines: int, glyphs: Glyphs, target: Button | None = None, *, count: bool = False
) -> list[Row]:
    """At most so many rows from the first one on; where something is left out below, the last one says so, with how
    many it is if they are to `count`. `target`: what a click on that leads to."""
    part = list(rows[first : first + lines])
    if first + lines < len(rows) and part:
        number = f"{len(rows) - first - lines + 1} " if count else ""
        part[-1] = [("dim", f" {glyphs.dots} {number}more", target)]
    return part


def beside(left: Sequence[Row], right: Sequence[Row]) -> list[Row]:
    """Two blocks of rows of the same number next to each other."""
    nothing: Row = []
    return [[*a, *b] for a, b in zip_longest(left, right, fillvalue=nothing)]


def flow(pieces: Sequence[Row], columns: int, gap: int = 2) -> list[Row]:
    """Pieces one after the other, a new line where the next does not fit; never empty."""
    rows: list[Row] = [[]]
    used = 0
    for piece in pieces:
        size = row_width(piece)
        if used and used + gap + size > columns:
            rows.append([])
            used = 0
        if used:
            rows[-1].append(("", " " * gap, None))
            used += gap
        rows[-1] += cut_row(piece, columns)
        used += min(size, columns)
    return rows
