"""The table of Fungi in three sizes: with the numbers of each cook in rows, in short rows, and in eighteen columns.

For: the picture alone; the words are in fungi.py. Never: a card, an owner or a candidate told by colour only.

Theory of operation: cards are their codes, which the rules page and the choices spell out. A card has one column on
either side, where a candidate wears brackets and a picked one arrows. The other cook is above the forest and oneself
below; whoever looks on sees the first seat below. A card is its own target.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.fungi_cards import KINDS, is_night, kind_of, rank
from engines.fungi_table import Table
from engines.menus import Card, Face, Hidden, Look, Seat

from ..style import shape
from ..text import cut, pad, width
from .base import PICKED, Fragment, Row, Scene, row_width

BIG = (48, 13)
SMALL = (40, 7)
TINY = (18, 7)
NAMES = {
    "HF": "honey fungus",
    "TE": "tree ear",
    "LW": "lawyer's wig",
    "SH": "shiitake",
    "HW": "hen of the woods",
    "BB": "birch bolete",
    "PO": "porcini",
    "CH": "chanterelle",
    "MO": "morel",
    "PAN": "pan",
    "BUT": "butter",
    "CID": "cider",
    "BSK": "basket",
    "MOON": "moon",
    "FLY": "fly agaric",
}
_STYLES = {
    "PAN": "dim",
    "BUT": "token-yellow",
    "CID": "token-yellow",
    "BSK": "token-green",
    "MOON": "token-blue",
    "FLY": "token-red",
}
_NO_FACE = "?"


def face_of(look: Look, card: Card) -> Face:
    """A face, or a question mark."""
    try:
        return look(card)
    except Hidden:
        return _NO_FACE


def style_of(face: Face) -> str:
    """How a card is coloured."""
    return "token-blue" if is_night(face) else _STYLES.get(face, "number" if kind_of(face) else "dim")


def sides(scene: Scene, card: Card) -> tuple[str, str]:
    """What stands left and right of a card."""
    mark = scene.marks.get(card)
    return (" ", " ") if mark is None else (">", "<") if mark == PICKED else ("[", "]")


def sorted_hand(scene: Scene, seat: Seat) -> list[Card]:
    """A hand by kind; night cards that are hidden last."""
    table: Table = scene.table
    return sorted(table.hands[seat], key=lambda card: (rank(face_of(scene.look, card)), card in table.backs, int(card)))


# -- the cooks ---------------------------------------------------------------------------------------------------------


def seats(scene: Scene) -> tuple[Seat, Seat]:
    """Above and below."""
    below = scene.seat or 0
    return 1 - below, below


def _head(scene: Scene, seat: Seat, columns: int, *, words: bool) -> Row:
    """Who it is, flavour, sticks, how full the hand is."""
    table: Table = scene.table
    sticks = table.sticks[seat]
    numbers = f"{table.points(seat)} flavour  {sticks} stick{'s' * (sticks != 1)}"
    numbers += f"  hand {len(table.hands[seat])}/{table.limit(seat)}"
    if not words:
        numbers = numbers.replace("  ", " ")
    name = cut(scene.name(seat), columns - 4 - width(numbers), scene.glyphs.dots)
    return [(f"seat{seat % 4}", f"{shape(scene.glyphs, seat)} {name}", None), ("", f"  {numbers}", None)]


def _display(scene: Scene, seat: Seat) -> list[tuple[str, str]]:
    """What lies in a display besides dishes, in words."""
    table: Table = scene.table
    pans, baskets, flies = len(table.pans[seat]), len(table.baskets[seat]), len(table.flies[seat])
    found = [("" if pans else "dim", f"pans {pans}")]
    if baskets:
        found.append((style_of("BSK"), f"baskets {baskets}"))
    if flies:
        found.append((style_of("FLY"), "fly agaric" if flies == 1 else f"fly agarics {flies}"))
    return found


def _dishes(scene: Scene, seat: Seat) -> list[tuple[str, str]]:
    """Each dish by kind, mushrooms and flavour."""
    table: Table = scene.table
    times = scene.glyphs.speak("×")
    return [("number", f"{dish.kind}{times}{dish.mushrooms}={dish.flavour}") for dish in table.dishes[seat]]


def _line(pieces: Iterable[tuple[str, str]], columns: int, dots: str) -> Row:
    """An indented row of pieces, as many of them as fit."""
    row: Row = [("", " ", None)]
    for style, text in pieces:
        more: Row = [("", " ", None), (style, text, None)]
        if row_width([*row, *more]) > columns:
            return [*row, ("dim", dots, None)] if row_width(row) + width(dots) <= columns else row
        row += more
    return row


def _their_hand(scene: Scene, seat: Seat) -> Row:
    """What can be seen of the other hand; a night card that nobody else knows is N?."""
    table: Table = scene.table
    faces = [face_of(scene.look, card) for card in sorted_hand(scene, seat)]
    if table.reminder == "hidden":
        faces = [_NO_FACE] * len(faces)
    dark = sum(card in table.backs for card in table.hands[seat])
    hidden = faces.count(_NO_FACE)
    known = [(style_of(face), face) for face in faces if face != _NO_FACE]
    backs = [("dim", _NO_FACE)] * (hidden - min(dark, hidden)) + [("dim", "N?")] * min(dark, hidden)
    return _line([("dim", "hand:"), *known, *backs], BIG[0], scene.glyphs.dots)


# -- the forest --------------------------------------------------------------------------------------------------------


def _card(scene: Scene, card: Card, columns: int) -> list[Fragment]:
    """A card between its two marks, in so many columns over all."""
    face, (left, right) = face_of(scene.look, card), sides(scene, card)
    face = face[: columns - 2]
    space = columns - 2 - len(face)
    style = f"{style_of(face)} {scene.marks.get(card, '')}".strip()
    before, after = " " * (space // 2), " " * (space - space // 2)
    return [("", before, card), (style, f"{left}{face}{right}", card), ("", after, card)]


def _cost(table: Table, card: Card, columns: int) -> Fragment:
    cost = table.cost(card)
    text = str(cost) if cost else "free" if columns > 5 else "-"
    return ("dim", pad(" " * ((columns - len(text)) // 2) + text, columns), None)


def _forest(scene: Scene, columns: int) -> list[Row]:
    """The cards from the shoes on, and what they cost."""
    table: Table = scene.table
    cards: Row = [fragment for card in table.forest for fragment in _card(scene, card, columns)]
    return [cards, [_cost(table, card, columns) for card in table.forest]]


def _piles(scene: Scene, columns: int) -> Row:
    """The decay pile, and how many cards the others have."""
    table: Table = scene.table
    faces = [face_of(scene.look, card) for card in table.decay]
    decay = [(style_of(face), face) for face in faces] or [("dim", "-")]
    rest = f"pile {len(table.pile)}  night {len(table.nights)}"
    row = _line([("dim", "decay:"), *decay], columns, scene.glyphs.dots)[1:]
    space = columns - row_width(row) - len(rest)
    return [*row, ("dim", " " * max(1, space) + rest, None)] if space > 0 else row


# -- the three sizes ---------------------------------------------------------------------------------------------------


def big(scene: Scene) -> list[Row]:
    """Thirteen lines."""
    above, below = seats(scene)
    numbers: Row = [("dim", f"{space:^6}", None) for space in range(1, len(scene.table.forest) + 1)]
    dots = scene.glyphs.dots
    return [
        _head(scene, above, BIG[0], words=True),
        _line(_display(scene, above), BIG[0], dots),
        _line([("dim", "dishes:"), *(_dishes(scene, above) or [("dim", "-")])], BIG[0], dots),
        _their_hand(scene, above),
        [],
        numbers,
        *_forest(scene, 6),
        _piles(scene, BIG[0]),
        [],
        _head(scene, below, BIG[0], words=True),
        _line(_display(scene, below), BIG[0], dots),
        _line([("dim", "dishes:"), *(_dishes(scene, below) or [("dim", "-")])], BIG[0], dots),
    ]


def small(scene: Scene) -> list[Row]:
    """Seven lines."""
    rows = []
    for seat in seats(scene):
        pieces = [*_display(scene, seat), *_dishes(scene, seat)]
        rows.append(
            [_head(scene, seat, SMALL[0], words=False), _line(pieces, SMALL[0], scene.glyphs.dots)],
        )
    return [*rows[0], *_forest(scene, 5), _piles(scene, SMALL[0]), *rows[1]]


def tiny(scene: Scene) -> list[Row]:
    """Seven lines of eighteen columns; in its decay pile a moon has three letters."""
    table: Table = scene.table
    above, below = (_brief(scene, seat) for seat in seats(scene))
    rows: list[Row] = []
    for place in range(4):
        row: Row = []
        for column in (place, place + 4):
            if column < len(table.forest):
                row += [("dim", f" {column + 1} ", None), *_card(scene, table.forest[column], 6)]
        rows.append(row)
    faces = [face_of(scene.look, card)[:3] for card in table.decay]
    decay: Row = [("dim", "d", None)]
    for face in faces:
        decay += [("", " ", None), (style_of(face), face, None)]
    return [above, *rows, decay, below]


def _brief(scene: Scene, seat: Seat) -> Row:
    """Flavour, sticks, hand, pans, fly agaric of a cook."""
    table: Table = scene.table
    hand = f"{len(table.hands[seat])}/{table.limit(seat)}"
    text = f" {table.points(seat)} s{table.sticks[seat]} {hand} p{len(table.pans[seat])}"
    row: Row = [(f"seat{seat % 4}", shape(scene.glyphs, seat), None), ("", text, None)]
    if table.flies[seat] and row_width(row) <= TINY[0] - 2:
        row.append((style_of("FLY"), " F", None))
    return row


def legend(columns: int, lines: int) -> list[Row]:
    """What the mushrooms are worth, in as few lines as it takes, or nothing; with their names if there is room."""
    names = [f"{kind} {NAMES[kind]} {KINDS[kind].flavour}/{KINDS[kind].sticks}" for kind in KINDS]
    brief = [f"{kind} {KINDS[kind].flavour}/{KINDS[kind].sticks}" for kind in KINDS]
    for pieces in (names, brief):
        rows = _flowed(["flavour/sticks:", *pieces], columns)
        if len(rows) <= lines:
            return rows
    return []


def _flowed(pieces: Sequence[str], columns: int) -> list[Row]:
    lines, line = [], ""
    for piece in pieces:
        if line and width(line) + 2 + width(piece) > columns:
            lines.append(line)
            line = piece
        else:
            line = f"{line}  {piece}" if line else piece
    return [[("dim", text, None)] for text in (*lines, line)]
