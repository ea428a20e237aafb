"""The table screen as rows: top line, board, what happened, hand, choices; for any size from 20 by 5.

For: the full screen, and tests that look at it. Never: prompt_toolkit, state; the same view gives the same rows.

Theory of operation: the choices take what they need up to a third of the screen, the rest is the body. The body shows
the biggest form of the board that fits beside the log, or else above it, framed if possible. Where even the smallest
board leaves no room for choices below it, they move to its right side; where it does not fit at all, only words are
shown, and the board has a page of its own.
"""

from __future__ import annotations

from p2p.status import Presence

from ..desk import Prompt
from ..items import Item
from ..render.base import Row, Scene, row_width
from ..style import shape
from ..text import cut, width, wrap
from ..view import Line, TableView
from .canvas import Button, beside, centred, cut_row, fill, fill_row, flow, framed, shortened

_LOG = (26, 52)
"""A log beside the board is at least and at most so wide."""
_SAID = 22
"""Columns from which on it is said in full how to see the other choices."""


def compose(view: TableView, prompt: Prompt, columns: int, lines: int, scroll: int = 0) -> list[Row]:
    """Exactly `lines` rows of exactly `columns`; the input line is not among them."""
    scene = view.scene()
    top = [top_line(view, columns)]
    if scene is not None and lines < 12:
        tight = _tight(view, scene, prompt, columns, lines - 1)
        if tight:
            return top + tight
    notes = note_rows(view, prompt, columns, 1 if lines < 12 else 4)
    # On a very small screen what can be chosen matters more than what happened.
    most = lines - 1 - len(notes) if lines < 9 and prompt.items else lines // 3
    choices = [*notes, *choice_rows(view, prompt, columns, max(1, most))]
    steady = 3 if lines >= 20 else 0  # so many rows at least, lest the board jump with every question
    choices += [[] for _ in range(steady - len(choices))]
    choices = _with_corner(view, choices, columns, own_line=lines >= 12)
    hand = (
        [shortened(_indent(view.words.hand(scene)), columns, view.glyphs.dots)]
        if scene is not None and lines >= 9
        else []
    )
    body = lines - 1 - len(hand) - len(choices)
    if body < 0:
        choices, body = choices[:body], 0
    rows = body_rows(view, scene, columns, body, scroll)
    return fill([*top, *rows, *hand, *choices], columns, lines)


# -- the top line ------------------------------------------------------------------------------------------------------


def top_line(view: TableView, columns: int) -> Row:
    """What this is, and who is here; shortened until it fits, who is here last."""
    run, name = view.feed.run, f'table "{view.table_name}"'
    progress = view.glyphs.speak(view.words.progress(run.game.table)) if run is not None else ""
    dot = view.glyphs.speak(" · ")
    progress = dot.join(part for part in (progress, view.waited()) if part)
    lefts = [
        dot.join(part for part in parts if part)
        for parts in ((view.title, name, progress), (view.title, progress), (progress or view.title,), ())
    ]
    for right in (_seats(view, 3, 99), _seats(view, 2, 99), _seats(view, 2, 8), _seats(view, 1, 3), _seats(view, 1, 0)):
        for left in lefts:
            if 3 + width(left) + row_width(right) <= columns and (left or right[0][1]):
                space = columns - 2 - width(left) - row_width(right)
                return fill_row([("title", f" {left}", None), ("", " " * space, None), *right], columns)
    return fill_row(_seats(view, 0, 0), columns)


def _seats(view: TableView, gap: int, most: int) -> Row:
    """Every seat: turn mark, name (at most so wide), shape, how it is."""
    row: Row = []
    awaited = view.awaited()
    for seat, name in enumerate(view.names()):
        if row:
            row.append(("", " " * gap, None))
        style = f"seat{seat % 4}"
        if seat in awaited:
            row.append(("turn", view.glyphs.turn, None))
        state = _state(view, seat, brief=most < 4)
        dots = view.glyphs.dots
        words = [cut(name, most, dots if most > 2 * len(dots) else dots[:1])] if most else []
        words.append(shape(view.glyphs, seat))
        row.append((style, " ".join(words), None))
        if state:
            away = state.startswith(("lost", "closed", "away", "via"))
            row.append(("note" if away else "dim", state if most == 0 else f" {state}", None))
    return row


def _state(view: TableView, seat: int, *, brief: bool) -> str:
    seats = view.feed.status.seats
    if seat >= len(seats):
        return "you" if seat == view.feed.seat and not brief else ""
    status = seats[seat]
    if status.presence is Presence.LOST and view.finished:
        return ""
    if status.presence is Presence.LOST:
        if brief or status.relayed:
            return "?" if brief else "via others"
        return "closed" if status.closed else "away" if status.unmet else f"lost {status.silent} s"
    if status.presence is Presence.LEFT:
        return "x" if brief else "left"
    return "you" if status.presence is Presence.YOU and not brief else ""


# -- choices -----------------------------------------------------------------------------------------------------------


def _indent(row: Row) -> Row:
    return [("", " ", None), *row]


def note_rows(view: TableView, prompt: Prompt, columns: int, most: int) -> list[Row]:
    """The answer to the last input."""
    lines = [piece for line in prompt.note.splitlines() for piece in wrap(view.glyphs.speak(line), columns - 2)]
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(lines[most - 1], columns - 4) + " " + view.glyphs.dots]
    return [[("note", f" {line}", None)] for line in lines]


def choice_rows(view: TableView, prompt: Prompt, columns: int, most: int) -> list[Row]:
    """The question and what can be picked, each clickable."""
    question = view.glyphs.speak(prompt.asked)
    style, room = "note" if prompt.items else "", columns - 2
    items = _picks(view, prompt, room)
    asked: list[Row] = [[(style, line, None)] for line in wrap(question, room)]
    rows = [_indent(row) for row in flow([*asked, *items], room)]
    if len(rows) > most and items:
        rows = [_indent(row) for row in flow([[(style, cut(question, room, view.glyphs.dots), None)], *items], room)]
    if len(rows) > most:
        more = _more(view, columns)
        rows = rows[:most]
        rows[-1] = [*cut_row(rows[-1], columns - row_width(more)), *more]
    return rows


def _more(view: TableView, columns: int) -> Row:
    """That there are more choices, and the word that shows them."""
    dots = view.glyphs.dots
    words = f" {dots} more: choices" if columns >= _SAID else f" {dots} choices"
    return [("dim", words, Button("page", "choices"))]


def _picks(view: TableView, prompt: Prompt, columns: int) -> list[Row]:
    """Everything that can be picked, each in at most so many columns, and the way back."""
    back: Row = [("number", "Esc", Button("back", 0)), ("dim", " back", Button("back", 0))]
    items = [shortened(item_row(view, prompt, item), columns, view.glyphs.dots) for item in prompt.items]
    return [*items, *([back] if prompt.back else [])]


def item_row(view: TableView, prompt: Prompt, item: Item) -> Row:
    """One thing to pick; what was typed so far is seen in it."""
    button = Button("item", item.number)
    label = view.glyphs.speak(item.rest)
    start = prompt.typed.split(" ")[-1].casefold()
    meant = bool(start) and (item.label.casefold().startswith(start) or str(item.number) == start)
    style = "picked" if item.chosen else "matching" if meant else ""
    return [(f"number {style}".strip(), str(item.number), button), (style, f" {label}" if label else "", button)]


def corner(view: TableView) -> Row:
    """Whether the deck is sealed and checked, the pages, and where to learn more."""
    status = view.feed.status
    total = len(view.feed.names) or status.players
    sealed = f"sealed by {status.sealed}/{total}"
    mark = f" {view.glyphs.check}" if total and status.sealed >= total and not status.fault else ""
    news = f" ({view.unread})" if view.unread else ""
    return [
        ("good" if mark else "dim", sealed + mark, Button("page", "fairness")),
        ("dim", " F1 rules", Button("page", "rules")),
        ("note" if news else "dim", f" F2 chat{news}", Button("page", "chat")),
        ("dim", " F3 fairness", Button("page", "fairness")),
        ("dim", " help", Button("page", "help")),
    ]


def _with_corner(view: TableView, rows: list[Row], columns: int, *, own_line: bool) -> list[Row]:
    """The corner at the right of the last row, or in a row of its own if there is one to spare."""
    right = corner(view)
    for part in (right, right[:-1]):  # the last only if there is room
        space = columns - 1 - row_width(part)
        if rows and row_width(rows[-1]) + 2 <= space:
            return [*rows[:-1], [*rows[-1], ("", " " * (space - row_width(rows[-1])), None), *part]]
    if not own_line:
        return rows
    part = right if row_width(right) < columns else right[:-1]
    return [*rows, [("", " " * max(1, columns - 1 - row_width(part)), None), *part]]


# -- the body ----------------------------------------------------------------------------------------------------------


def log_rows(view: TableView, columns: int, lines: int, scroll: int = 0) -> list[Row]:
    """The last lines of what happened; `scroll` lines further back."""
    names = sorted(((name, seat) for seat, name in enumerate(view.names())), key=lambda n: -len(n[0]))
    rows: list[Row] = []
    for line in reversed(view.log):
        if len(rows) >= lines + scroll:
            break
        rows = [_log_row(line, piece, names, at == 0) for at, piece in enumerate(wrap(line.text, columns, "  "))] + rows
    end = max(min(lines, len(rows)), len(rows) - scroll)
    return rows[max(0, end - lines) : end]


def _log_row(line: Line, piece: str, names: list[tuple[str, int]], first: bool) -> Row:
    for name, seat in names if first else ():
        if piece.startswith(name):
            return [(f"seat{seat % 4}", name, None), (line.style, piece[len(name) :], None)]
    return [(line.style, piece, None)]


def _log_title(scroll: int) -> str:
    return "earlier; PgDn: later" if scroll else "what happened"


def body_rows(view: TableView, scene: Scene | None, columns: int, lines: int, scroll: int) -> list[Row]:
    if scene is None or lines < 1:
        return fill(log_rows(view, columns, lines, scroll), columns, lines)
    for wide, high in view.words.forms(scene):
        if columns >= wide + 2 + 2 + _LOG[0] and lines >= high + 2:
            log = min(_LOG[1], max(_LOG[0], columns - wide - 4))
            left = columns - log
            board = centred(view.words.picture(scene, left - 2, lines - 2), left - 2)
            news = log_rows(view, log - 4, lines - 2, scroll)
            return beside(
                framed("board", board, left, lines, view.glyphs),
                framed(_log_title(scroll), [_indent(row) for row in news], log, lines, view.glyphs),
            )
        if columns >= wide + 2 and lines >= high + 2 + 4:
            board = centred(view.words.picture(scene, columns - 2, high), columns - 2)
            news = log_rows(view, columns - 4, lines - high - 4, scroll)
            return [
                *framed("board", board, columns, high + 2, view.glyphs),
                *framed(_log_title(scroll), [_indent(row) for row in news], columns, lines - high - 2, view.glyphs),
            ]
        if columns >= wide + _LOG[0] and lines >= high:
            left = columns - min(_LOG[1], columns - wide - 1)
            board = fill(view.words.picture(scene, left, lines), left, lines)
            return beside(board, log_rows(view, columns - left, lines, scroll))
        if columns >= wide and lines >= high + 2:
            board = centred(view.words.picture(scene, columns, high), columns)
            return [*board, *fill(log_rows(view, columns, lines - high, scroll), columns, lines - high)]
    return fill(log_rows(view, columns, lines, scroll), columns, lines)


def _tight(view: TableView, scene: Scene, prompt: Prompt, columns: int, lines: int) -> list[Row]:
    """The smallest board with choices at its right side; empty if it does not fit."""
    fitting = [form for form in view.words.forms(scene) if columns >= form[0] + 12 and lines > form[1]]
    if not fitting:
        return []
    wide, high = fitting[0]
    side = columns - wide
    notes = [piece for text in prompt.note.splitlines() for piece in wrap(text, columns - 1)]
    if len(notes) > lines - high:
        # A longer answer takes the whole body, until the next key.
        return fill([[("note", piece, None)] for piece in notes], columns, lines)
    pieces: list[Row] = [[("note" if prompt.items else "", piece, None)] for piece in wrap(prompt.asked, side)]
    room = max(1, high - len(prompt.items))
    if len(pieces) > room:  # it goes on with the choices
        style, text, _ = pieces[room - 1][0]
        text = cut(f"{text} {view.glyphs.dots}", side, view.glyphs.dots)
        pieces[room - 1] = [(style, text, Button("page", "choices"))]
    pieces = pieces[:room]
    items = _picks(view, prompt, side)
    items = items if len(items) + len(pieces) <= high else flow(items, side, 1)
    board = fill(view.words.picture(scene, wide, high), wide, high)
    asked = pieces + items
    rows = beside(board, asked if len(asked) <= high else [*asked[: high - 1], _more(view, side)])
    rest = lines - len(rows)
    below: list[Row] = [[("note", piece, None)] for piece in notes[: rest if rest == 1 else rest - 1]]
    if len(below) < rest:
        hand = shortened(view.words.hand(scene), columns, view.glyphs.dots)
        below = [hand, *below] if not below or rest > 1 else below
    if len(below) < rest:
        below = [*log_rows(view, columns, rest - len(below)), *below]
    return fill([*rows, *below], columns, lines)
