"""The full-screen table: keys, clicks and the input line; what is seen is composed in compose.py and pages.py.

For: one seat at one table, from the waiting room to the result. Never: trio; what input means is the desk's.

Theory of operation: one window shows rows composed for its size, the last line takes input. A page (rules, chat, …)
lies over the table and takes the keys that scroll.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from p2p.feed import Asked, Finished, Update

from .. import app as loops
from ..desk import AGAIN_KEY, Desk, Send
from ..render.base import Row
from ..style import classes
from ..text import clean, wrap
from ..view import TableView
from . import lobby_wait, pages
from .canvas import Button, fill
from .compose import SMALLEST, compose

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


MOST_PASTED = 1000


class TableScreen:
    """The screen of one table. `send` takes a call to be made by the trio side."""

    def __init__(self, view: TableView, send: Send, *, bell: bool = True) -> None:
        self.view = view
        self.desk = Desk(view, send, self._close)
        self._bell = bell
        self._scroll = 0
        self._page = ""
        self._title = ""
        self._clocks: tuple[str, str] = ("", "")
        self._pasting = False
        self._buffer = Buffer(multiline=False, on_text_changed=self._typing)
        self._app: Application[None] | None = None

    # -- for the trio side -----------------------------------------------------------------------------------------

    def application(self, source: Input | None = None, sink: Output | None = None) -> Application[None]:
        """The application to `show`. Its drawing starts when it is shown."""
        line = VSplit(
            [
                Window(FormattedTextControl([(classes("number"), "> ")]), width=2, dont_extend_width=True),
                Window(BufferControl(self._buffer), style=classes("input")),
            ],
            height=1,
        )
        app: Application[None] = Application(
            Layout(HSplit([Window(Wheel(self._fragments, self._turn)), line]), focused_element=self._buffer),
            key_bindings=self._keys(),
            style=self.view.look.style(),
            full_screen=True,
            mouse_support=Condition(lambda: not self.desk.waiting),  # addresses can be selected with the mouse
            erase_when_done=True,
            input=source,
            output=sink,
        )
        app.ttimeoutlen = 0.1  # Esc is used alone here
        self._app = app
        return app

    def update(self, update: Update) -> None:
        """Take an update in and draw."""
        new = self.view.apply(update)
        if self._scroll and not self.desk.page:
            self._scroll += len(new)  # what is being read stays where it is
        if self.desk.page == "chat":
            self.view.unread = 0
        if isinstance(update, Finished):
            self.desk.page = "result"
        app = self._app
        if app is None:
            return
        if isinstance(update, Asked):
            self.desk.note = ""
            if self._bell and self.view.bell and self.view.my_turn:
                app.output.bell()
        turn = "your turn · " if self.desk.presenter is not None and self.view.my_turn else ""
        title = self.view.glyphs.speak(f"{turn}{self.view.title} · {self.view.table_name}")
        if title != self._title:
            self._title = title
            app.output.set_title(title)
            app.output.flush()
        app.invalidate()

    def tick(self) -> None:
        """Time goes by: what happens by itself happens, and clocks are drawn."""
        begun = bool(self._buffer.text)
        self.desk.pass_if_due(begun=begun)
        clocks = (self.view.lapse.words(begun=begun), self.view.waited())
        if self._app is not None and clocks != self._clocks:
            self._clocks = clocks
            self._app.invalidate()

    def over(self) -> None:
        """The table is no more: the feed has ended."""
        self.view.finished = True
        if self.desk.left:
            self._close()
        if self._app is not None:
            self._app.invalidate()

    def put_away(self) -> None:
        """The screen is gone, however it ended: so is its title."""
        if self._app is not None:
            with suppress(OSError):  # the terminal itself may be gone
                self._app.output.clear_title()
                self._app.output.flush()

    def _close(self) -> None:
        if self._app is not None:
            loops.close(self._app, None)

    # -- what is seen ----------------------------------------------------------------------------------------------

    def rows(self, columns: int, lines: int) -> list[Row]:
        """Everything but the input line."""
        if columns < SMALLEST[0] or lines + 1 < SMALLEST[1]:
            words = f"{columns}×{lines + 1} is too small: {SMALLEST[0]}×{SMALLEST[1]} at least"
            return fill([[("", piece, None)] for piece in wrap(self.view.glyphs.speak(words), columns)], columns, lines)
        page = self.desk.page
        if page != self._page:
            self._page, self._scroll = page, 0
        if page:
            content = pages.page_rows(self.view, page, pages.inner_width(columns, lines))
            self._scroll = min(self._scroll, pages.last_scroll(len(content), columns, lines))
            hint = "r: again with the same players   Esc: the table   Ctrl-C: close" if self._ends(page) else ""
            return pages.show(content, page, columns, lines, self._scroll, self.view.glyphs, hint)
        if self.desk.waiting:
            return lobby_wait.compose(self.view, columns, lines)
        self._scroll = min(self._scroll, len(self.view.log))
        return compose(self.view, self.desk.prompt(self._buffer.text), columns, lines, self._scroll)

    def _fragments(self) -> StyleAndTextTuples:
        size = get_app().output.get_size()
        out: StyleAndTextTuples = []
        for index, row in enumerate(self.rows(size.columns, max(1, size.rows - 1))):
            if index:
                out.append(("", "\n"))
            for style, text, target in row:
                if target is None:
                    out.append((classes(style), text))
                else:
                    out.append((classes(style), text, partial(self._mouse, target)))
        return out

    # -- what comes in ---------------------------------------------------------------------------------------------

    def _typing(self, _: Buffer) -> None:
        if self._buffer.text:
            self.desk.note = ""
        if self._buffer.text == AGAIN_KEY and self.desk.offers_again and not self._pasting:
            self._enter()

    def _ends(self, page: str) -> bool:
        return page == "result" and self.desk.offers_again

    def _mouse(self, target: Hashable, event: MouseEvent) -> NotImplementedOrNone:
        if event.event_type != MouseEventType.MOUSE_UP:
            return NotImplemented
        if not isinstance(target, Button):
            self.desk.click(target)
        elif target.kind == "page":
            self.desk.open(str(target.value))
        elif target.kind == "leave":
            self.desk.ask_to_leave()
        else:
            self.desk.choose(int(target.value))
        return None

    def _turn(self, lines: int) -> None:
        """Scroll; up is negative."""
        back = pages.from_end(self.desk.page) or not self.desk.page
        self._scroll = max(0, self._scroll - lines if back else self._scroll + lines)

    def _paste(self, text: str) -> None:
        """Pasted text is a line to be looked at, whatever is in it: Enter is the player's to press."""
        self._pasting = True
        self._buffer.insert_text(" ".join(clean(text, MOST_PASTED).replace("␊", " ").replace("␍", " ").split()))
        self._pasting = False

    def _enter(self) -> None:
        line = self._buffer.text
        self._buffer.reset()
        self.desk.submit(line)

    def _escape(self) -> None:
        if self._buffer.text:
            self._buffer.reset()
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

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def bind(name: str, act: Callable[[], None], *, eager: bool = False) -> None:
            @keys.add(name, eager=eager)
            def _(event: KeyPressEvent) -> None:
                act()

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self._paste(event.data)

        bind("enter", self._enter)
        bind("escape", self._escape, eager=True)
        bind("tab", self._complete)
        bind("c-c", self.desk.ask_to_leave)
        bind("c-d", self._end_of_input)
        bind("c-z", loops.suspend)
        bind("c-l", lambda: get_app().renderer.clear())
        for number, page in enumerate(("rules", "chat", "fairness", "board"), 1):
            bind(f"f{number}", partial(self.desk.open, page))
        for name, count in (("pageup", -10), ("pagedown", 10), ("up", -1), ("down", 1)):
            bind(name, partial(self._turn, count))
        return keys


class Wheel(FormattedTextControl):
    """Text whose mouse wheel scrolls by our own count."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], turn: Callable[[int], None]) -> None:
        super().__init__(text, focusable=False, show_cursor=False)
        self._turn = turn

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """The wheel is ours, clicks belong to the fragments."""
        if mouse_event.event_type == MouseEventType.SCROLL_UP:
            self._turn(-3)
            return None
        if mouse_event.event_type == MouseEventType.SCROLL_DOWN:
            self._turn(3)
            return None
        return super().mouse_handler(mouse_event)
