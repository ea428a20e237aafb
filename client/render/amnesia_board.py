"""The table of Amnesia in three sizes: everybody's cards in their rows, one line a player, or one's own cards alone.

For: the picture alone; the words are in amnesia.py. Never: a face that should be remembered: a card is face down unless
it is looked at now, was just shown by a wrong snap, came openly from the discard pile, or the game is over.

Theory of operation: a card is four columns wide. Face down it shows the number of its slot, face up an abbreviation of
its face; a candidate wears brackets, a picked one braces. Slots lie in two rows as they were dealt, 1 2 above 3 4, and
later ones go on to the right in pairs. Whoever plays sits first, the others follow in playing order.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from engines.amnesia_table import DETECTIVE, FISHERMAN, JOKER, SCIENTIST, THIEF, Table
from engines.menus import Card, Face, Hidden, Seat

from ..style import shape
from ..text import cut, pad, width
from .base import PICKED, Fragment, Row, Scene, row_width

CARD = 4
WIDE = 48
_SHORT = {SCIENTIST: "Sci", THIEF: "Thf", DETECTIVE: "Det", FISHERMAN: "Fsh", JOKER: "Jok"}
"""Faces in three columns."""
_NAMES = {"7": "7 (DJ)"}
_LINE = 30


def spoken(face: Face) -> str:
    """A face in words."""
    return _NAMES.get(face, face)


def sizes(table: Table) -> list[tuple[int, int]]:
    """Columns and lines of each form, biggest first."""
    seats = len(table.cells)
    rows = -(-seats // _across(seats))
    return [(WIDE, 4 + 4 * rows), (_LINE, 2 + seats), (16, 4)]


def _across(seats: int) -> int:
    """Players beside each other in the big form."""
    return 2 if seats in (2, 4) else 3


def order(scene: Scene) -> list[Seat]:
    """Oneself first, the others as they play."""
    seats = len(scene.table.cells)
    return [((scene.seat or 0) - i) % seats for i in range(seats)]


# -- cards -------------------------------------------------------------------------------------------------------------


def shown(scene: Scene, card: Card) -> Face | None:
    """The face of a player's card, if it lies open for this seat just now."""
    table: Table = scene.table
    looked = scene.seat is not None and card in table.looking.get(scene.seat, ())
    if looked or card in table.exposed or card in table.marked or table.result is not None:
        try:
            return scene.look(card)
        except Hidden:
            return None
    return None


def _card(scene: Scene, seat: Seat, slot: int) -> Fragment:
    """Four columns."""
    table: Table = scene.table
    target: Hashable = ("card", seat, slot)
    card = table.cells[seat].get(slot)
    if card is None:
        return ("dim", pad(f" {scene.glyphs.snow}", CARD), None)
    face, mark = shown(scene, card), scene.marks.get(target)
    back = scene.glyphs.rock
    text = str(slot) if face is None else _SHORT.get(face, face)
    if mark:
        ends = "{}" if mark == PICKED else "[]"
        return (mark, pad(f"{ends[0]}{cut(text, 2, '')}{ends[1]}", CARD), target)
    if face is not None:
        return ("note", pad(f" {text}" if width(text) < 3 else text, CARD), target)
    return ("rock", pad(f"{back}{text}{back}" if width(text) == 1 else f"{back}{text}", CARD), target)


def _slots(table: Table, seat: Seat) -> int:
    """The highest slot that has ever been used by that player, but at least four."""
    return max(4, table.next_slot[seat] - 1)


def _name(scene: Scene, seat: Seat, columns: int) -> Row:
    """Turn mark, shape, name, total, and what is special about that player."""
    table: Table = scene.table
    flags = ("D" if seat == table.dealer else "") + ("!" if seat == table.caller else "")
    turn = scene.glyphs.turn if table.phase != "first look" and seat == table.active else " "
    sign = shape(scene.glyphs, seat)
    rest = f" {table.totals[seat]}{' ' + flags if flags else ''}"
    room = columns - width(turn) - width(sign) - width(rest) - 2
    text = f"{sign} {cut(scene.names[seat], max(1, room), scene.glyphs.dots if room > 6 else '')}{rest}"
    return _fill([("turn", turn, None), (f"seat{seat % 4}", text, None)], columns)


def _fill(row: Row, columns: int) -> Row:
    return [*row, ("", " " * max(0, columns - row_width(row)), None)]


def _more(left: int) -> Fragment:
    return ("dim", pad(f"+{left}", CARD), None)


def _block(scene: Scene, seat: Seat, columns: int) -> list[Row]:
    """A player in the big form: three rows."""
    table: Table = scene.table
    pairs = columns // CARD
    last = _slots(table, seat)
    above = [1, 2, *range(5, last + 1, 2)]
    below = [3, 4, *range(6, last + 1, 2)]
    rows = [_name(scene, seat, columns - 1)]
    for slots in (above, below):
        cut_off = [slot for slot in slots[pairs - 1 :] if slot in table.cells[seat]] if len(slots) > pairs else []
        row = [_card(scene, seat, slot) for slot in (slots[: pairs - 1] if cut_off else slots[:pairs])]
        rows.append([*row, _more(len(cut_off))] if cut_off else row)
    return [_fill(row, columns) for row in rows]


# -- piles -------------------------------------------------------------------------------------------------------------


def _top(scene: Scene) -> str:
    """The face of the top of the discard pile."""
    table: Table = scene.table
    if table.top is None:
        return "-"
    try:
        return spoken(scene.look(table.top))
    except Hidden:  # it is just being opened
        return "?"


def _piles(scene: Scene) -> list[Row]:
    """What lies in the middle, the last discard in a box."""
    table, glyphs = scene.table, scene.glyphs
    face = f" {_top(scene)} "
    corner, line = glyphs.corners, glyphs.across * width(face)
    left = [
        "",
        f" draw pile {glyphs.rock * 3} {len(table.pile)}    discards {len(table.discards)}",
        "",
    ]
    box = [
        f"{corner[0]}{line}{corner[1]}",
        (glyphs.down, face),
        f"{corner[2]}{line}{corner[3]}",
    ]
    rows: list[Row] = []
    for words, edge in zip(left, box, strict=True):
        row: Row = [("dim", pad(words, 32), None)]
        if isinstance(edge, str):
            row.append(("frame", edge, ("top",)))
        else:
            row += [("frame", edge[0], ("top",)), ("title", edge[1], ("top",)), ("frame", edge[0], ("top",))]
        rows.append(row)
    return rows


def _short_piles(scene: Scene, columns: int) -> Row:
    """One line: the last discard, and as many counts as fit."""
    table: Table = scene.table
    top, pile = _top(scene), f"  pile {len(table.pile)}"
    counts = (f"{pile}  discards {len(table.discards)}", pile, "")
    fitting = next(words for words in counts if not words or 5 + width(top + words) <= columns)
    return [("dim", "top: ", None), ("title", top, ("top",)), ("dim", fitting, None)]


# -- the three forms ---------------------------------------------------------------------------------------------------


def big(scene: Scene) -> list[Row]:
    """Piles, then the players in two or three columns."""
    seats = order(scene)
    across = _across(len(seats))
    rows = _piles(scene)
    for first in range(0, len(seats), across):
        blocks = [_block(scene, seat, WIDE // across) for seat in seats[first : first + across]]
        rows.append([])
        rows += [[fragment for block in blocks for fragment in block[line]] for line in range(3)]
    return rows


def listed(scene: Scene) -> list[Row]:
    """One line a player, the cards close together."""
    table: Table = scene.table
    rows = [_short_piles(scene, _LINE)]
    for seat in order(scene):
        row = _name(scene, seat, 14)
        slots = [slot for slot in range(1, _slots(table, seat) + 1) if slot in table.cells[seat]]
        room = (_LINE - 14) // CARD
        cards = [_card(scene, seat, slot) for slot in (slots if len(slots) <= room else slots[: room - 1])]
        rows.append([*row, *cards, *([_more(len(slots) - room + 1)] if len(slots) > room else [])])
    return rows


def tiny(scene: Scene) -> list[Row]:
    """The top discard, and one's own cards."""
    seat = order(scene)[0]
    return [_short_piles(scene, 16), *_block(scene, seat, 16)]


def legend(scene: Scene, columns: int) -> Row:
    """What the signs mean."""
    table: Table = scene.table
    ends = "[]" if scene.marks else scene.glyphs.rock * 2
    words = f"{ends[0]}3{ends[1]} place 3  D dealer  ! called  above {table.limit} loses"
    return [("dim", cut(words, columns), None)]


def listing(words: Sequence[str]) -> str:
    """Words in a row."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
