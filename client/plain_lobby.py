"""The lobby in lines: for pipes, screen readers, TERM=dumb, and whoever likes it.

For: the same choices as the full screen, as a numbered menu. Never: an escape byte.

Theory of operation: the menu is printed when it is asked for, and after every line that changes it; a table that comes
or goes meanwhile is one line of its own. A line is a number, a word of the menu, or what was asked for. The end of the
input leaves the program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import trio

from .entries import Entry, Quit, Wish
from .hall import COMMANDS, ENDS_BOTS, READ, TYPED, Hall, Page
from .hall_words import page_text, typed_question
from .output import out
from .plain import Lines, wrapped
from .render.base import renderer
from .style import Glyphs
from .text import clean, paragraphs

_COLUMNS = 79
SETTLE = 1.0
"""Seconds in which tables are waited for before the first menu."""


class PlainLobby:
    """The lobby on one input and one output; `say` prints a line."""

    def __init__(self, lines: Lines, glyphs: Glyphs, say: Callable[[str], None] = out) -> None:
        self._lines = lines
        self._glyphs = glyphs
        self._say = say
        self._hall: Hall | None = None
        self._shown: dict[object, Entry] | None = None
        self._news = trio.Event()
        self._lonely = False

    def _print(self, text: str) -> None:
        self._say(wrapped(self._glyphs.speak(text).replace("\x1b", "").rstrip(), sys.stdout))

    async def run(self, hall: Hall) -> Wish:
        """Until something is decided."""
        first = self._hall is None
        self._hall, self._shown, self._lonely = hall, None, False
        if first:
            with trio.move_on_after(SETTLE):
                await self._news.wait()
        self._menu(hall)
        asked = ""
        async for line in self._lines:
            if hall.page not in TYPED and line.strip().casefold() in ("quit", "q", "exit"):
                hall.note, asked = asked, ENDS_BOTS
                hall.quit()
            else:
                asked = ""
                hall.line(line)
            wish, hall.wish = hall.wish, None
            if wish is not None:
                return wish
            self._menu(hall)
        return Quit()

    def heard(self) -> None:
        """Tables may have come or gone."""
        hall = self._hall
        if hall is None:
            return
        if hall.entries and not self._news.is_set():
            self._news.set()
        if self._shown is None or hall.page is not Page.TABLES:
            return
        now = {entry.key: entry for entry in hall.entries}
        for key, entry in now.items():
            before = self._shown.get(key)
            if before is None:
                self._print(f"new: {_entry_line(entry)}")
            elif before.cells != entry.cells:
                self._print(f"now: {_entry_line(entry)}")
        for key, entry in self._shown.items():
            if key not in now:
                self._print(f"gone: {entry.number}  {entry.cells[0]}")
        self._shown = now
        if hall.lonely and not self._lonely and not now:
            self._lonely = True
            self._text(page_text(hall))

    def _text(self, text: str) -> None:
        for line in paragraphs(text, _COLUMNS):
            self._print(line)

    def _menu(self, hall: Hall) -> None:
        told, hall.note = hall.note, ""
        if told:
            self._text("\n".join(clean(line, 2000) for line in told.splitlines()))
        self._print("")
        if hall.page in TYPED:
            self._text(typed_question(hall))
            return
        if hall.page in READ:
            game = hall.form.field("game").value
            self._text(renderer(game).rules_text() if hall.page is Page.RULES else page_text(hall))
            hall.back()
            self._print("")
        if hall.page is Page.TABLES and hall.busy:
            self._text(hall.busy)
        self._print(f"{hall.page.value}:")
        if hall.page is Page.FORM:
            self._form(hall, told)
        elif not hall.entries:
            self._text(page_text(hall))
        for entry in hall.entries:
            self._print(_entry_line(entry))
        if hall.page is Page.TABLES:
            self._shown = {entry.key: entry for entry in hall.entries}
        for key, word, does in COMMANDS.get(hall.page, ()):
            self._print(f"  {key or word:>4}  {does}")

    def _form(self, hall: Hall, told: str) -> None:
        for one in hall.form.fields:
            self._print(f"  {one.key}: {clean(one.words)}{f' ({one.choices})' if one.choices else ''}")
            if one.text:
                self._text(f"      {one.text}")
        if hall.form.trouble not in ("", told):
            self._text(hall.form.trouble)
        self._print("To change a line, write its word and the new value, as in: players 3")


def _entry_line(entry: Entry) -> str:
    """An entry, its columns one after the other."""
    return f"  {entry.number:>4}  {', '.join(cell for cell in entry.cells if cell)}"
