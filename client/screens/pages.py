"""The pages that lie over the table: rules, chat, fairness, board, help; and how a page is shown.

For: the texts, which the plain mode prints as well. Never: prompt_toolkit; a claim about fairness that the program does
not check.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from p2p.status import Status

from ..commands import help_text
from ..render.base import Row, row_text, row_width
from ..scores import score_lines
from ..style import Glyphs
from ..text import clean, paragraphs
from ..view import TableView
from .canvas import Button, fill, flow, framed

TITLES = {
    "rules": "rules",
    "chat": "chat",
    "fairness": "fairness",
    "board": "board",
    "choices": "choices",
    "help": "help",
    "log": "what happened",
    "result": "the end",
}

LEAVING = ("Esc goes back", "Esc")
"""What leads out of a page."""
_STEPS = {
    "shuffle": "locked shuffles",
    "view": "helps for private looks",
    "open": "helps for open cards",
    "flip": "shares of lots",
    "promise": "promises",
    "ask": "decisions",
}
"""What stands in the record, by kind, in words."""


def fairness(status: Status, seats: int, names: Sequence[str] = ()) -> str:
    """Why nobody can cheat at this table, and what has been checked so far."""
    table_id = clean(status.table_id, 80)
    sealed = status.sealed >= seats > 0
    own, holds = ", this seat included" if sealed else "", "" if status.fault else ", all of them hold"
    lines = [
        f"The deck is sealed by {status.sealed} of {seats} players{own}.",
        "Every player shuffles the cards under a lock of their own. As long as one of them is honest, nobody knows or "
        "decides the order, and no face can be seen unless all players help to open it.",
        "",
        f"cards at this table   {status.cards}",
        f"proofs checked here   {status.proofs}{holds}",
    ]
    for number, by in enumerate(status.shuffles, 1):
        who = [names[seat] if seat < len(names) else "?" for seat in by]
        lines.append(f"shuffle {number:<13} locked by {', then '.join(who)}")
    counted = [f"{count} {_STEPS[kind]}" for kind, count in status.steps.items() if kind in _STEPS]
    if counted:
        lines.append(f"in the record         {', '.join(counted)}")
    if table_id:
        lines += [
            f"table id              {table_id}",
            "",
            "Read the table id aloud: if it is the same for all of you, you are all at the same table.",
        ]
    if status.fingerprints:
        lines += ["", "Who you are playing with, by the fingerprints of their keys; read them aloud, too:"]
        lines += [f"  {key}  {name}" for key, name in zip(status.fingerprints, names, strict=False)]
    if status.fault:
        lines += ["", f"Not in order: {clean(status.fault)}"]
    lines += ["", "When the game is over everybody opens everything, and each program checks the whole game again."]
    if status.transcript:
        lines += [
            "",
            "That has been done. The sealed record, for everybody to check again at any time:",
            f"  p2pgame verify {_brief(status.transcript)}",
        ]
    return "\n".join(lines)


def text_of(view: TableView, page: str) -> str:
    """A page that is mere text."""
    status = view.feed.status
    if page == "rules":
        text = view.words.rules_text() if status.game else "Nobody has said yet which game it is."
    elif page == "fairness":
        text = fairness(status, len(view.feed.names) or status.players, view.names())
    elif page == "chat":
        said = [line.text for line in view.chat] or ["Nobody has said anything yet."]
        text = "\n".join([*said, *(["", view.mute] if view.mute else [])])
    elif page == "result":
        text = "\n".join(result_lines(view))
    elif page == "choices":
        items = view.presenter.items if view.presenter is not None else []
        text = "\n".join([view.question(), *(f"{item.number:>4}  {item.rest}" for item in items)])
    elif page == "log":
        text = "\n".join(line.text for line in view.log)
    elif page == "board":
        scene = view.scene()
        rows = board_rows(view, 200, 60) if scene else []
        text = "\n".join(row_text(row).rstrip() for row in rows)
    else:
        text = help_text()
    return view.glyphs.speak(text)


def result_lines(view: TableView) -> list[str]:
    """How it ended, and what everybody scored for what."""
    status, run = view.feed.status, view.feed.run
    if status.result is None or run is None:
        return [clean(status.fault) or "The game is not over yet."]
    names = view.names()
    scores = score_lines(status.game, run.game.table, status.result, names)
    lines = [view.words.result_text(status.result, names), *([""] if scores else []), *scores]
    if status.transcript:
        lines += ["", "The sealed record is complete, the whole game checked. To see it again:"]
        lines.append(f"  p2pgame replay {_brief(status.transcript)}")
    return lines


def _brief(transcript: str) -> str:
    """A record as the commands take it: by the beginning of its table's id. Paths may have spaces in them."""
    return Path(clean(transcript, 1000)).stem[:8]


def board_rows(view: TableView, columns: int, lines: int) -> list[Row]:
    """The board alone, with the hand."""
    scene = view.scene()
    if scene is None:
        return []
    return [*view.words.picture(scene, columns, lines), *_wrapped(view.words.hand(scene), columns)]


def _wrapped(row: Row, columns: int) -> list[Row]:
    """A row, broken between words where it is too long."""
    if row_width(row) <= columns:
        return [row]
    words: list[Row] = [[(style, word, to)] for style, text, to in row for word in re.findall(r"\s+|\S+", text)]
    rows = flow(words, columns, 0)
    return [one[1:] if number and one[0][1].isspace() else one for number, one in enumerate(rows)]


def page_rows(view: TableView, page: str, columns: int) -> list[Row]:
    """The whole content of a page, as long as it is."""
    if page == "board":
        return board_rows(view, columns, 60)
    return rows_of(text_of(view, page), columns, "chat" if page == "chat" else "")


def rows_of(text: str, columns: int, style: str = "") -> list[Row]:
    """Mere text."""
    return [[(style, line, None)] for line in paragraphs(text, columns)]


def from_end(page: str) -> bool:
    """Pages whose last lines matter most."""
    return page in ("chat", "log")


def show(
    rows: Sequence[Row], page: str, columns: int, lines: int, scroll: int, glyphs: Glyphs, hints: Sequence[str] = ()
) -> list[Row]:
    """A part of a page in a frame, with what leads out of it. `hints`: that, from many words to few."""
    frame = columns >= 30 and lines >= 7
    room = lines - (3 if frame else 1)
    last = max(0, len(rows) - room)
    first = max(0, last - scroll) if from_end(page) else min(scroll, last)
    hints = hints or LEAVING
    shown = f"{first + 1}–{min(len(rows), first + room)} of {len(rows)}"
    scrolls = (f", PgUp PgDn  {shown}", " PgUp PgDn")
    others = [(hint, more) for hint in hints[1:] for more in scrolls]
    for hint, more in [(hints[0], scrolls[0]), *others, (hints[-1], "")]:
        foot: Row = [
            ("number", glyphs.speak(f" {hint}"), Button("page", "")),
            ("dim", glyphs.speak(more if last else ""), None),
        ]
        if row_width(foot) <= columns:
            break
    part = list(rows[first : first + room])
    if frame:
        inside: list[Row] = [[("", " ", None), *row] for row in part]
        return [*framed(TITLES.get(page, page), inside, columns, lines - 1, glyphs), *fill([foot], columns, 1)]
    return [*fill(part, columns, lines - 1), *fill([foot], columns, 1)]


def inner_width(columns: int, lines: int) -> int:
    """Columns of text that `show` has room for."""
    return columns - 4 if columns >= 30 and lines >= 7 else columns


def last_scroll(rows: int, columns: int, lines: int) -> int:
    """The furthest that a page of so many rows can be scrolled."""
    return max(0, rows - (lines - (3 if columns >= 30 and lines >= 7 else 1)))
