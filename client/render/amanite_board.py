"""The table of Amanite in four sizes: counts below the forest, or below or beside a list of tiles, or the list alone.

For: the picture alone; the words are in amanite.py. Never: a colour, an owner or a candidate told by colour only.

Theory of operation: tokens are small letters, the first of their colour, and & for a pig; seats have their shapes. A
tile is a cell of three rows: the pile above, the line from the pin space on the left to the split space on the right
with the undivided tokens between, and the pile below. Tokens that are being picked rise into the row above, so that a
division is seen before it is made. Below the forest is one column a colour: what it may be as far as this seat
knows, notebooks, everybody's tokens, the bag. A row in the small form writes a tile as above/below. On pages
that are too narrow for these columns each colour has a row.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from engines.amanite_hints import possible
from engines.amanite_table import ABOVE, BELOW, COLOURS, TOKENS, Table, Token
from engines.menus import Seat

from ..style import shape
from ..text import cut, pad, width, wrap
from .base import PICKED, Fragment, Row, Scene, row_width

CELL = 9
TALL = 4
"""Lines of the forest in the big form."""
MOST = 6
"""Tokens on a tile."""
LISTED = 16
"""Columns of a tile in one line."""
_LEAD = 7
"""Columns for a mushroom and what it may be, in a row of its own."""
_CODES = {
    "-1": "N",
    "1": "1",
    "2": "2",
    "3": "3",
    "antidote": "A",
    "poison": "P",
    "elixir": "E",
    "count": "C",
    "two": "T",
    "majority": "M",
}
"""One sign each, for several that a colour may have."""
WORDS = {
    "-1": "-1",
    "1": "+1",
    "2": "+2",
    "3": "+3",
    "antidote": "anti",
    "poison": "pois",
    "elixir": "elix",
    "count": "cnt",
    "two": "two",
    "majority": "maj",
}
"""Short words for what is certain."""


def sign(token: Token) -> str:
    """A token as one letter."""
    return token[0] if token in COLOURS else "&"


def signs(tokens: Sequence[Token]) -> str:
    """Tokens as letters."""
    return "".join(map(sign, tokens))


def sizes(seats: int) -> list[tuple[int, int]]:
    """Columns and lines of each form, biggest first."""
    return [(5 * CELL, TALL + 4 + seats), (31, 2 * seats + 5), (LISTED + 1 + 31, seats + 5), (LISTED, seats + 1)]


def _style(token: Token) -> str:
    return f"token-{token}"


def _fill(row: Row, columns: int, target: Hashable | None = None) -> Row:
    return [*row, ("", " " * max(0, columns - row_width(row)), target)]


# -- the forest --------------------------------------------------------------------------------------------------------


def _tokens(scene: Scene, index: int, tokens: Sequence[tuple[int, Token]]) -> Row:
    """Tokens of a tile, each with its place if they can be picked one by one now."""
    row: Row = []
    for place, token in tokens:
        target: Hashable = ("token", place) if _picking(scene, index) else ("tile", index)
        mark = scene.marks.get(target, "") if _picking(scene, index) else ""
        row.append((f"{_style(token)} {mark}".strip(), sign(token), target))
    return row


def _picking(scene: Scene, index: int) -> bool:
    return scene.table.tile == index and any(isinstance(t, tuple) and t[0] == "token" for t in scene.marks)


def _lifted(scene: Scene, index: int) -> tuple[list[tuple[int, Token]], list[tuple[int, Token]]]:
    """Undivided tokens with their places: those picked so far, and the others."""
    tokens = list(enumerate(scene.table.tiles[index].tokens))
    up = [t for t in tokens if _picking(scene, index) and scene.marks.get(("token", t[0])) == PICKED]
    return up, [t for t in tokens if t not in up]


def _pile(scene: Scene, index: int, which: str) -> Row:
    """A pile, in brackets if it can be taken now."""
    tile = scene.table.tiles[index]
    pile = tile.above if which == ABOVE else tile.below
    target: Hashable = ("pile", which)
    mark = scene.marks.get(target) if scene.table.tile == index else None
    row: Row = [(f"{_style(t)} {mark or ''}".strip(), sign(t), target if mark else ("tile", index)) for t in pile]
    return [(mark, "[", target), *row, (mark, "]", target)] if mark else row


def _meeple(scene: Scene, index: int, seat: Seat | None) -> Fragment:
    target = ("tile", index)
    if seat is None:
        return ("dim", scene.glyphs.snow, target)
    return (f"seat{seat % 4}", shape(scene.glyphs, seat), target)


def _number(scene: Scene, index: int) -> Row:
    """A tile's number, in brackets if it can be chosen, with the turn mark while it is divided or gathered from."""
    target = ("tile", index)
    mark = scene.marks.get(target)
    if mark:
        return [(mark, f"[{index + 1}]", target)]
    here = scene.glyphs.turn if scene.table.tile == index else " "
    return [("note" if scene.table.tile == index else "number", f"{here}{index + 1} ", target)]


def _cell(scene: Scene, index: int) -> list[Row]:
    """Four lines: number, above, middle, below."""
    table: Table = scene.table
    tile, target = table.tiles[index], ("tile", index)
    up, rest = _lifted(scene, index)
    if tile.above or tile.below:
        upper, lower = _pile(scene, index, ABOVE), _pile(scene, index, BELOW)
        middle: Row = [("frame", scene.glyphs.across * MOST, target)]
    else:
        upper, lower = _tokens(scene, index, up), []
        middle = _tokens(scene, index, rest)
    indent: Fragment = ("", " ", target)
    rows: list[Row] = [
        _number(scene, index),
        upper if upper and upper[0][1] == "[" else [indent, *upper],
        [_meeple(scene, index, tile.pin), *_fill(middle, MOST, target), _meeple(scene, index, tile.split)],
        lower if lower and lower[0][1] == "[" else [indent, *lower],
    ]
    return [_fill(row, CELL, target) for row in rows]


def forest(scene: Scene) -> list[Row]:
    """All tiles side by side."""
    cells = [_cell(scene, index) for index in range(len(scene.table.tiles))]
    return [[fragment for cell in cells for fragment in cell[line]] for line in range(TALL)]


def listed(scene: Scene) -> list[Row]:
    """One line for each tile: number, pin, tokens or both piles, split."""
    rows: list[Row] = []
    for index, tile in enumerate(scene.table.tiles):
        up, rest = _lifted(scene, index)
        slash: Row = [("frame", "/", ("tile", index))]
        if tile.above or tile.below:
            middle = [*_pile(scene, index, ABOVE), *slash, *_pile(scene, index, BELOW)]
        else:
            middle = [*_tokens(scene, index, up), *(slash if up else []), *_tokens(scene, index, rest)]
        ends = [_meeple(scene, index, tile.pin), _meeple(scene, index, tile.split)]
        rows.append([*_number(scene, index), ends[0], *_fill(middle, MOST + 1, ("tile", index)), ends[1]])
    return rows


def listed_beside(scene: Scene, columns: int) -> list[Row]:
    """One line for each tile, and the colours beside them."""
    counts = colours(scene, columns - LISTED - 1)
    tiles = listed(scene)
    tiles += [[] for _ in range(len(counts) - len(tiles))]
    return [[*_fill(left, LISTED + 1), *right] for left, right in zip(tiles, counts, strict=True)]


# -- colours, hoards, bag ----------------------------------------------------------------------------------------------


def _centre(text: str, columns: int) -> str:
    return pad(" " * max(0, (columns - 1 - width(text)) // 2) + text, columns)


def _line(label: Fragment, columns: int, cells: Sequence[Fragment], each: int) -> Row:
    style, text, target = label
    return [(style, pad(text, columns), target), *[(s, _centre(t, each), at) for s, t, at in cells]]


def _may_be(scene: Scene, room: int) -> list[Fragment]:
    """What each colour is, or may be."""
    cells: list[Fragment] = []
    for colour, attributes in possible(scene.table, scene.seat, scene.look).items():
        if len(attributes) == 1:
            text = WORDS[attributes[0]] if room > 4 else "=" + _CODES[attributes[0]]
        else:
            text = "".join(_CODES[a] for a in attributes) if len(attributes) < 4 else "?"
        cells.append(("note" if len(attributes) == 1 else "dim", text, ("mushroom", colour)))
    return [*cells, ("dim", "+3" if room > 4 else "=3", None)]


def _notebooks(scene: Scene) -> list[Fragment]:
    table: Table = scene.table
    cells: list[Fragment] = []
    for colour in COLOURS:
        there = "".join(shape(scene.glyphs, seat) for seat in table.notebooks[colour])
        free = scene.glyphs.snow * (table.spaces - len(table.notebooks[colour]))
        cells.append(("", there + free, ("mushroom", colour)))
    return cells


def _heads(scene: Scene) -> list[Fragment]:
    cells: list[Fragment] = []
    for token in TOKENS:
        target = ("mushroom", token)
        mark = scene.marks.get(target)
        text = f"[{sign(token)}]" if mark else sign(token)
        cells.append((f"{_style(token)} {mark or ''}".strip(), text, target))
    return cells


def _hoard(scene: Scene, seat: Seat) -> list[Fragment]:
    cells: list[Fragment] = []
    for token in TOKENS:
        target = ("food", token)
        mark = scene.marks.get(target) if seat == scene.seat else None
        count = scene.table.held[seat][token]
        text = f"[{count}]" if mark else str(count) if count else "-"
        cells.append((mark or ("" if count else "dim"), text, target if mark else None))
    return cells


def _seat_label(scene: Scene, seat: Seat, columns: int) -> Fragment:
    """Shape and name, and the points once they are counted."""
    table: Table = scene.table
    text = shape(scene.glyphs, seat)
    if table.points:
        points = "out" if seat in table.eliminated else str(sum(table.points[seat].values()))
        text = (
            f"{text} {cut(scene.names[seat], columns - 4 - len(points), scene.glyphs.dots)} {points}"
            if columns > 4
            else text
        )
    elif columns > 4:
        text = f"{text} {cut(scene.names[seat], columns - 3, scene.glyphs.dots)}"
    return (f"seat{seat % 4}", text, None)


def colours(scene: Scene, columns: int) -> list[Row]:
    """One column a colour, and one for pigs."""
    table: Table = scene.table
    each = 5 if columns >= 5 * CELL else 4
    room = min(18, columns - each * len(TOKENS))
    words = ("mushroom", "is" if table.worth else "may be", "notebooks", "bag") if room > 4 else ("", "is", "nb", "bag")
    bag: list[Fragment] = [("", str(table.bag[token]) if table.bag[token] else "-", None) for token in TOKENS]
    return [
        _line(("dim", words[0], None), room, _heads(scene), each),
        _line(("dim", words[1], None), room, _may_be(scene, each), each),
        _line(("dim", words[2], None), room, _notebooks(scene), each),
        *[_line(_seat_label(scene, seat, room), room, _hoard(scene, seat), each) for seat in range(len(table.held))],
        _line(("dim", words[3], None), room, bag, each),
    ]


def narrow(scene: Scene, columns: int) -> list[Row]:
    """All that `colours` tells, one row a colour, and whose shape is whose; for pages, where lines do not matter. Empty
    if it does not fit."""
    table: Table = scene.table
    seats, books = len(table.held), max(2, table.spaces)
    each = 3 if _LEAD + books + 3 * seats + 3 <= columns else 2
    last = min(4, columns - _LEAD - books - each * seats)
    if last < 3:
        return []
    may, notebooks = _may_be(scene, 4), [*_notebooks(scene), ("", "", None)]
    shapes = "".join(pad(shape(scene.glyphs, seat), each, right=True) for seat in range(seats))
    lead = pad("   is" if table.worth else "   may", _LEAD)
    rows: list[Row] = [[("dim", f"{lead}{pad('nb', books)}{shapes}{pad('bag', last, right=True)}", None)]]
    for token, guess, book in zip(TOKENS, may, notebooks, strict=True):
        mark, target = _wanted(scene, token)
        label = f"[{sign(token)}]" if mark else f" {sign(token)} "
        first: Fragment = (f"{_style(token)} {mark}".strip(), label, target)
        held = [pad(str(table.held[seat][token] or "-"), each, right=True) for seat in range(seats)]
        bag = pad(str(table.bag[token] or "-"), last, right=True)
        row: Row = [first, (guess[0], pad(guess[1], 4), guess[2]), (book[0], pad(book[1], books), book[2])]
        rows.append([*row, ("", "".join([*held, bag]), None)])
    who: list[Row] = [[_seat_label(scene, seat, columns)] for seat in range(seats)]
    play = " ".join("N=-1" if a == "-1" else a.capitalize() for a in table.attributes)
    legends: list[Row] = [[("dim", line, None)] for line in wrap(f"in play: {play}", columns, "  ")]
    return [*rows, *who, *legends]


def _wanted(scene: Scene, token: Token) -> tuple[str, Hashable]:
    """Whether that mushroom, or one's own food, can be chosen, and what is clicked for it."""
    targets: list[Hashable] = [("food", token), ("mushroom", token)]
    found = next((target for target in targets if target in scene.marks), targets[1])
    return scene.marks.get(found, ""), found


def legend(table: Table, columns: int, lines: int) -> list[Row]:
    """The attributes in play, each beginning with its code, in as many words as there is room for."""
    words = " ".join("N=-1" if a == "-1" else a.capitalize() for a in table.attributes)
    brief = " ".join("N=-1" if a == "-1" else a if a.isdigit() else WORDS[a].capitalize() for a in table.attributes)
    for text, most in ((f"in play: {words}", 2), (f"in play: {brief}", 1), (brief, 1)):
        rows = wrap(text, columns, " " * 9)
        if len(rows) <= min(lines, most):
            return [[("dim", row, None)] for row in rows]
    return []
