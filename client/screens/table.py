"""The full-screen table: keys, clicks and the input line; what is seen is composed in compose.py and pages.py.

For: one seat at one table, from the waiting room to the result. Never: trio; what input means is the desk's.

Theory of operation: one window shows rows composed for its size, the last line takes input. A page (rules, chat, …)
lies over the table and takes the keys that scroll.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window

from engines.menus import Menu
from p2p.feed import Asked, Finished, Update

from ..commands import parse
from ..desk import Desk, Send
from ..render.base import Row
from ..style import classes
from ..text import clean
from ..view import TableView
from . import lobby_wait, pages
from .canvas import Button, too_small
from .compose import compose
from .screen import Bindings, Screen

MOST_PASTED = 1000
ENDING = (
    "Ctrl-R: again with the same players   Esc: the table   Ctrl-C: close",
    "Ctrl-R again   Esc table   Ctrl-C close",
    "Ctrl-R again  Esc",
)
CHATTING = ("Enter says it, Esc goes back", "Enter  Esc")
TURN = ("your turn: Esc goes back", "your turn: Esc")
CHATTING_TURN = ("your turn: Esc goes back, Enter says it", "your turn: Esc")
"""What can be done at the end, or while one talks, and that the table waits for this player: from many words to few."""
LATE = "something has happened since you began to type this; Enter again if you still mean it, Esc if not"


class TableScreen(Screen[None]):
    """The screen of one table. `send` takes a call to be made by the trio side."""

    below = 1

    def __init__(self, view: TableView, send: Send) -> None:
        super().__init__(view.look)
        self.view = view
        self.mouse = Condition(lambda: not self.desk.waiting)  # addresses can be selected with the mouse
        self.desk = Desk(view, send, partial(self.close, None))
        self._scroll = 0
        self._page = ""
        self._clocks: tuple[str, str] = ("", "")
        self._aimed: tuple[Menu | None, object] | None = None
        """The question for which the line was begun, and what there was to react to."""
        self._buffer = Buffer(multiline=False, on_text_changed=self._typing)

    # -- for the trio side -----------------------------------------------------------------------------------------

    def _layout(self, window: Window) -> Layout:
        line = VSplit(
            [
                Window(FormattedTextControl([(classes("number"), "> ")]), width=2, dont_extend_width=True),
                Window(BufferControl(self._buffer), style=classes("input")),
            ],
            height=1,
        )
        return Layout(HSplit([window, line]), focused_element=self._buffer)

    def update(self, update: Update) -> None:
        """Take an update in and draw."""
        new = self.view.apply(update)
        if self._scroll and not self.desk.page:
            self._scroll += len(new)  # what is being read stays where it is
        if self.desk.page == "chat":
            self.view.unread = 0
        if isinstance(update, Finished):
            self.desk.page = "result"
        if self._app is None:
            return
        if isinstance(update, Asked):
            self.desk.note = ""
            if self.view.habits.bell and self.view.my_turn:
                self._app.output.bell()
        turn = "your turn · " if self._my_turn else ""
        self.show_title(f"{turn}{self.view.title} · {self.view.table_name}")
        self.refresh()

    def tick(self) -> None:
        """Time goes by: what happens by itself happens, and clocks are drawn."""
        begun = bool(self._buffer.text)
        self.desk.pass_if_due(begun=begun)
        clocks = (self.view.lapse.words(begun=begun), self.view.waited())
        if clocks != self._clocks:
            self._clocks = clocks
            self.refresh()

    def over(self) -> None:
        """The table is no more: the feed has ended."""
        self.view.finished = True
        if self.desk.left:
            self.close(None)
        self.refresh()

    @property
    def _my_turn(self) -> bool:
        """The table waits for this player, who has not answered yet."""
        return self.desk.presenter is not None and self.view.my_turn

    # -- what is seen ----------------------------------------------------------------------------------------------

    def rows(self, columns: int, lines: int) -> list[Row]:
        """Everything but the input line."""
        if small := too_small(columns, lines, self.view.glyphs, below=self.below):
            return small
        page = self.desk.page
        if page != self._page:
            self._page, self._scroll = page, 0
        if page:
            content = pages.page_rows(self.view, page, pages.inner_width(columns, lines))
            self._scroll = min(self._scroll, pages.last_scroll(len(content), columns, lines))
            chats = page == "chat" and not self.view.mute
            here = (CHATTING_TURN if chats else TURN) if self._my_turn else CHATTING if chats else ()
            hints = ENDING if self._ends(page) else here
            return pages.show(content, page, columns, lines, self._scroll, self.view.glyphs, hints)
        if self.desk.waiting or self.desk.about_to_go:
            note = self.desk.about_to_go or self.desk.note
            self._scroll = min(self._scroll, lobby_wait.last_scroll(self.view, columns, lines, note))
            return lobby_wait.compose(self.view, columns, lines, self._scroll, note)
        self._scroll = min(self._scroll, len(self.view.log))
        return compose(self.view, self.desk.prompt(self._buffer.text), columns, lines, self._scroll)

    # -- what comes in ---------------------------------------------------------------------------------------------

    def _typing(self, _: Buffer) -> None:
        if self._buffer.text:
            self.desk.note = ""
            self._aimed = self._aimed or self._now()
        else:
            self._aimed = None

    def _now(self) -> tuple[Menu | None, object]:
        presenter = self.desk.presenter
        return (presenter.menu if presenter is not None else None, self.view.lapse.clock)

    def _late(self, line: str) -> bool:
        """The line is an answer, but not to what is asked now, or to what there was to react to."""
        if self._aimed is None or self.desk.presenter is None or self.desk.page or parse(line) is not None:
            return False
        menu, clock = self._now()
        return self._aimed[0] not in (None, menu) or self._aimed[1] != clock

    def _clear(self) -> None:
        self._buffer.reset()
        self._aimed = None

    def _ends(self, page: str) -> bool:
        return page == "result" and self.desk.offers_again

    def _clicked(self, target: Hashable) -> None:
        if not isinstance(target, Button):
            self.desk.click(target)
        elif target.kind == "page":
            self.desk.open(str(target.value))
        elif target.kind == "leave":
            self.desk.ask_to_leave()
        elif target.kind == "back":
            self.desk.back()
        else:
            self.desk.choose(int(target.value))

    def _turn(self, lines: int) -> None:
        """Scroll; up is negative."""
        back = pages.from_end(self.desk.page) or not (self.desk.page or self.desk.waiting)
        self._scroll = max(0, self._scroll - lines if back else self._scroll + lines)

    def _paste(self, text: str) -> None:
        """Pasted text is a line to be looked at, whatever is in it: Enter is the player's to press."""
        self._buffer.insert_text(" ".join(clean(text, MOST_PASTED).replace("␊", " ").replace("␍", " ").split()))

    def _enter(self) -> None:
        line = self._buffer.text
        if self._late(line):
            self._aimed, self.desk.note = self._now(), LATE
            return
        self._clear()
        self.desk.submit(line)

    def _escape(self) -> None:
        if self._buffer.text:
            self._clear()
            self.desk.note = ""
        else:
            self.desk.back()

    def _end_of_input(self) -> None:
        if self._buffer.text:
            self._buffer.delete()
        else:
            self.desk.ask_to_leave()

    def _complete(self) -> None:
        line = self.desk.complete(self._buffer.text)
        if line != self._buffer.text:
            self._buffer.text = line
            self._buffer.cursor_position = len(line)

    def _bind(self, keys: Bindings) -> None:
        keys.on_text(Keys.BracketedPaste, self._paste)
        keys.on("enter", self._enter)
        keys.on("escape", self._escape, eager=True)
        keys.on("tab", self._complete)
        keys.on("c-c", self.desk.ask_to_leave)
        keys.on("c-d", self._end_of_input)
        keys.on("c-r", self.desk.play_again)
        for number, page in enumerate(("rules", "chat", "fairness", "board"), 1):
            keys.on(f"f{number}", partial(self.desk.open, page))
        for name, count in (("pageup", -10), ("pagedown", 10), ("up", -1), ("down", 1)):
            keys.on(name, partial(self._turn, count))
