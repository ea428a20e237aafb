"""The lobby as rows: what can be chosen, the form, what is typed, and the help line that is always there.

For: the full screen, and tests that look at it. Never: prompt_toolkit, state; the same hall gives the same rows.

Theory of operation: title, a box with the page, an answer to the last input, the help line; whatever the size, the help
line is the last thing to go. A list shows the part around what is selected; columns are dropped from the least
important one until the rest fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from ..entries import OPEN_HEADS, PAST_HEADS, Entry
from ..form import Field
from ..hall import COMMANDS, READ, TYPED, Hall, Page
from ..hall_words import page_text, typed_question
from ..render.base import Row, renderer, row_width
from ..style import Glyphs
from ..text import clean, clean_name, cut, fitted, pad, paragraphs, width, wrap
from . import pages
from .canvas import Button, fill, fill_row, flow, framed, part_of, too_small

_LEAST: dict[Page, tuple[int, ...]] = {Page.TABLES: (3, 2, 1), Page.PAST: (4, 1, 0)}
"""Columns in the order in which they are dropped."""
_WHOLE: dict[Page, tuple[int, ...]] = {Page.TABLES: (2,), Page.PAST: (0, 4)}
"""Columns that are shown in full, or not at all."""
_CELL = 26


def compose(hall: Hall, glyphs: Glyphs, columns: int, lines: int) -> list[Row]:
    """Exactly `lines` rows of exactly `columns`."""
    if small := too_small(columns, lines, glyphs):
        return small
    if hall.page in READ:
        return _reading(hall, glyphs, columns, lines)
    foot = _foot(hall, glyphs, columns, 3 if lines >= 10 else 1)
    notes = _notes(hall, glyphs, columns, 3 if lines >= 16 else 2 if lines >= 10 else 1)
    body = lines - 1 - len(foot) - len(notes)
    boxed = body >= 6 and columns >= 40
    inner = (columns - 4, body - 2) if boxed else (columns, body)
    rows = _page(hall, glyphs, *inner)
    if boxed:
        inside: list[Row] = [[("", " ", None), *row] for row in rows]
        rows = framed(hall.page.value, inside, columns, body, glyphs)
    return [_top(hall, glyphs, columns), *fill(rows, columns, body), *fill([*notes, *foot], columns, lines - 1 - body)]


def _top(hall: Hall, glyphs: Glyphs, columns: int) -> Row:
    left, right = glyphs.speak(" p2pgame · lobby"), glyphs.speak(f"you are {clean_name(hall.me)} ")
    space = columns - width(left) - width(right)
    return fill_row([("title", left, None), ("", " " * max(1, space), None), ("dim", right, None)], columns)


def _notes(hall: Hall, glyphs: Glyphs, columns: int, most: int) -> list[Row]:
    lines = [clean(line, 1000) for line in hall.note.splitlines()]
    pieces = [piece for line in lines for piece in wrap(glyphs.speak(line), columns - 2) if piece]
    if len(pieces) > most:
        pieces = [*pieces[: most - 1], cut(f"{pieces[most - 1]} {pieces[most]}", columns - 2, glyphs.dots)]
    rows: list[Row] = [[("note", f" {piece}", None)] for piece in pieces]
    if hall.busy and hall.page is Page.TABLES and len(rows) < most:
        rows.insert(0, [("dim", cut(f" {glyphs.speak(hall.busy)}", columns), None)])
    return rows


def _foot(hall: Hall, glyphs: Glyphs, columns: int, most: int) -> list[Row]:
    """What can be done here, in as few words as there is room for."""
    for short in (False, True):
        pieces = _commands(hall, glyphs, short=short)
        rows = flow(pieces, columns - 2, 1 if short else 3)
        if len(rows) <= most and max(map(row_width, pieces)) <= columns - 2:
            break
    return [[("", " ", None), *row] for row in rows[:most]]


def _commands(hall: Hall, glyphs: Glyphs, *, short: bool) -> list[Row]:
    pieces: list[Row] = []
    for words in _enter_words(hall, short=short):
        pieces.append([("", glyphs.speak(words), Button("enter", 0))])
    back = [("", "back", "back")] if hall.page in TYPED else []
    for key, word, does in [*COMMANDS.get(hall.page, ()), *back]:
        button = Button("command", word)
        label = {"back": "Esc", "open": "F2", "help": "F1", "rules": "F1"}.get(word, key)
        said = f" {word if short else does}"
        pieces.append([("number", label, button), ("", said, button)])
    return pieces


def _enter_words(hall: Hall, *, short: bool) -> list[str]:
    if hall.page in TYPED:
        return ["Enter" if short else "Enter takes what you have typed"]
    if hall.page is Page.FORM:
        return ["↑↓←→"] if short else ["↑↓ line", "←→ other value"]
    what = {Page.TABLES: "Enter joins", Page.PAST: "Enter replays"}[hall.page]
    return ["↑↓ Enter" if short else f"↑↓ choose, {what}"] if hall.entries else []


# -- the pages ---------------------------------------------------------------------------------------------------------


def _page(hall: Hall, glyphs: Glyphs, columns: int, lines: int) -> list[Row]:
    if hall.page is Page.FORM:
        return _form(hall, glyphs, columns, lines)
    if hall.page in TYPED:
        rows: list[Row] = [[("", piece, None)] for piece in paragraphs(glyphs.speak(typed_question(hall)), columns)]
        room = columns - 3
        typed = clean(hall.typed, 1000)
        while width(typed) > room:
            typed = typed[1:]
        style = "picked" if hall.fresh else ""
        return [*rows[: max(0, lines - 1)], [("number", "> ", None), (style, typed, None), ("picked", " ", None)]]
    if not hall.entries:
        text: list[Row] = [[("", piece, None)] for piece in paragraphs(glyphs.speak(page_text(hall)), columns)]
        hall.scroll = max(0, min(hall.scroll, len(text) - lines))
        return part_of(text, hall.scroll, lines, glyphs)
    return _list(hall, glyphs, columns, lines)


def _reading(hall: Hall, glyphs: Glyphs, columns: int, lines: int) -> list[Row]:
    text = renderer(hall.form.field("game").value).rules_text() if hall.page is Page.RULES else page_text(hall)
    content: list[Row] = [
        [("", piece, None)] for piece in paragraphs(glyphs.speak(text), pages.inner_width(columns, lines))
    ]
    hall.scroll = min(hall.scroll, pages.last_scroll(len(content), columns, lines))
    return pages.show(content, hall.page.value, columns, lines, hall.scroll, glyphs)


def _list(hall: Hall, glyphs: Glyphs, columns: int, lines: int) -> list[Row]:
    entries, selected = hall.entries, hall.selected
    detail = next((entry.detail for entry in entries if entry.key == selected), "")
    below: list[Row] = []
    if detail and lines >= 9:
        below.extend([("dim", piece, None)] for piece in wrap(glyphs.speak(detail), columns - 1)[:3])
        lines -= len(below) + 1
    heads = OPEN_HEADS if hall.page is Page.TABLES else PAST_HEADS
    widths = _widths(hall.page, entries, heads, columns - 5)
    rows: list[Row] = []
    at = 0
    if lines >= 6:
        rows.append([("dim", "     " + _cells(heads, widths, glyphs), None)])
    grouped = lines >= 6 and len({one.head for one in entries}) > 2
    for entry in entries:
        if entry.head and grouped:
            rows.append([("title", glyphs.speak(f" {entry.head}"), None)])
        if entry.key == selected:
            at = len(rows)
        rows.append(_entry(entry, widths, glyphs, here=entry.key == selected))
    first = max(0, min(at - lines // 2, len(rows) - lines))
    part = part_of(rows, first, lines, glyphs, count=True)
    return [*fill(part, columns, lines), [], *below] if below else part


def _entry(entry: Entry, widths: Sequence[int], glyphs: Glyphs, *, here: bool) -> Row:
    button = Button("entry", entry.number)
    style = "picked" if here else "dim" if entry.why_not else ""
    mark = glyphs.turn if here else " "
    return [
        ("turn" if here else "", mark, button),
        ("number", pad(str(entry.number), 3, right=True) + " ", button),
        (style, _cells(entry.cells, widths, glyphs), button),
    ]


def _cells(cells: Sequence[str], widths: Sequence[int], glyphs: Glyphs) -> str:
    shown = [pad(glyphs.speak(cell), size) for cell, size in zip(cells, widths, strict=True) if size]
    return "  ".join(shown)


def _widths(page: Page, entries: Sequence[Entry], heads: Sequence[str], columns: int) -> list[int]:
    """How wide each column is; 0: not shown. What is missing is taken from the widest, at last whole columns go."""
    natural = [min(_CELL, max(width(row[i]) for row in [heads, *(one.cells for one in entries)])) for i in range(5)]
    for drops in range(len(_LEAST[page]) + 1):
        gone = _LEAST[page][:drops]
        shown = [0 if at in gone else size for at, size in enumerate(natural)]
        last = drops == len(_LEAST[page])
        soft = [at for at, size in enumerate(shown) if size and (last or at not in _WHOLE[page])]
        room = columns - _gaps(shown) - sum(shown) + sum(shown[at] for at in soft)
        for at, size in zip(soft, fitted([shown[at] for at in soft], room, 1 if last else 12), strict=True):
            shown[at] = size
        if sum(shown) + _gaps(shown) <= columns:
            break
    return shown


def _gaps(widths: Sequence[int]) -> int:
    return 2 * (sum(size > 0 for size in widths) - 1)


# -- the form ----------------------------------------------------------------------------------------------------------


def _form(hall: Hall, glyphs: Glyphs, columns: int, lines: int) -> list[Row]:
    form, selected = hall.form, str(hall.selected)
    label = max(len(one.label) for one in form.fields)
    indent = label + 4 if columns >= 50 else 4 if columns >= 30 else 2
    blocks: dict[str, list[Row]] = {}
    texts: dict[str, list[Row]] = {}
    for one in form.fields:
        here = one.key == selected
        block = blocks[one.key] = [_field(hall, one, glyphs, label, columns)]
        texts[one.key] = _said("dim", glyphs.speak(one.text), indent, columns) if one.text and columns >= 30 else []
        if complaint := form.complaint(one.key, writing=here):
            block += _said("note", glyphs.speak(complaint), indent, columns)
        elif here:
            block += texts.pop(one.key)
    blocks["open"] = _last(hall, glyphs, columns)
    # What the other fields mean is told from the first one on, as far as there is room.
    room = lines - sum(map(len, blocks.values()))
    for key, text in texts.items():
        room -= len(text)
        blocks[key] += text if room >= 0 else []
    rows = [row for block in blocks.values() for row in block]
    at = sum(len(blocks[key]) for key in takewhile(lambda key: key != selected, blocks))
    # All that belongs to what is selected, and something of what follows; before that its first line.
    end = at + len(blocks[selected]) + 2
    return part_of(rows, max(0, min(at, end - lines, len(rows) - lines)), lines, glyphs)


def _last(hall: Hall, glyphs: Glyphs, columns: int) -> list[Row]:
    """What opens the table, and why it cannot be opened; or where that is told, unless somebody is just there."""
    here, faulty = hall.selected == "open", hall.form.faulty
    row: Row = [
        ("turn", glyphs.turn if here else " ", Button("field", "open")),
        ("picked" if here else "number", " open the table ", Button("command", "open")),
    ]
    if faulty:
        look: list[Row] = [[("note", f"  see {one.label}", Button("field", one.key))] for one in faulty[:1]]
        return flow([row, *look], columns) if faulty[0].key != hall.selected else [row]
    trouble = glyphs.speak(hall.form.trouble)
    return [row, *(_said("note", trouble, 3, columns) if trouble else [])]


def _said(style: str, words: str, indent: int, columns: int) -> list[Row]:
    return [[(style, " " * indent + piece, None)] for piece in wrap(words, columns - indent)]


def _field(hall: Hall, one: Field, glyphs: Glyphs, label: int, columns: int) -> Row:
    here, button = one.key == hall.selected, Button("field", one.key)
    value = glyphs.speak(clean(one.words, 400))
    row: Row = [
        ("turn" if here else "", glyphs.turn if here else " ", button),
        ("title" if here else "", f" {pad(one.label, label)}  ", button),
    ]
    room = columns - row_width(row) - 5
    if one.values or one.number:
        row += [
            ("number", "< ", Button("less", one.key)),
            ("picked" if here else "", cut(value, room), button),
            ("number", " >", Button("more", one.key)),
        ]
        bounds: Row = [("dim", glyphs.speak(f"  {one.choices}"), None)]
        row += bounds if row_width([*row, *bounds]) <= columns else []
    else:
        while here and width(value) > room:
            value = value[1:]
        row += [("picked" if here and one.fresh else "", cut(value, room), button)]
        row += [("picked" if here else "", " ", button)]
    return row
