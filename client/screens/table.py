"""The full-screen table: keys, clicks and the input line; what is seen is composed in compose.py and pages.py.

For: one seat at one table, from the waiting room to the result. Never: trio: what the player decides leaves through
`send` as a call that the trio side makes; a rule.

Theory of operation: one window shows rows composed for its size, the last line takes input. A page (rules, chat, …)
lies over the table and takes the keys that scroll; Esc closes it, or goes back one part of a choice. A menu is answered
once: from then on, until the table asks again, nothing can be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from engines.menus import Choice, Menu

from .. import app as loops
from ..commands import parse
from ..presenter import Item, Reply
from ..render.base import Row
from ..seat import Asked, Fault, Finished, Update
from ..text import clean
from ..view import TableView
from . import lobby_wait, pages
from .canvas import Button, fill
from .compose import SMALLEST, Prompt, compose

Send = Callable[[Callable[[], None]], None]
_YES, _NO = Item(1, "yes", True), Item(2, "no", False)
_CLOSE = Item(1, "close", True)


class TableScreen:
    """The screen of one table. `send` takes a call to be made by the trio side."""

    def __init__(self, view: TableView, send: Send, *, bell: bool = True) -> None:
        self.view = view
        self.left = False
        """The player has left; the table is being told."""
        self._send = send
        self._bell = bell
        self._page = ""
        self._scroll = 0
        self._note = ""
        self._leaving = False
        self._answered: Menu | None = None
        self._buffer = Buffer(multiline=False, on_text_changed=self._typing)
        self._app: Application[None] | None = None

    # -- for the trio side -----------------------------------------------------------------------------------------

    def application(self, source: Input | None = None, sink: Output | None = None) -> Application[None]:
        """The application to `show`. Its drawing starts when it is shown."""
        body = Window(_Wheel(self._fragments, self._turn), always_hide_cursor=False)
        line = VSplit(
            [
                Window(FormattedTextControl(self._lead), width=2, dont_extend_width=True),
                Window(BufferControl(self._buffer), style="class:input"),
            ],
            height=1,
        )
        app: Application[None] = Application(
            Layout(HSplit([body, line]), focused_element=self._buffer),
            key_bindings=self._keys(),
            style=self.view.look.style(),
            full_screen=True,
            mouse_support=True,
            erase_when_done=True,
            input=source,
            output=sink,
        )
        app.ttimeoutlen = 0.1  # Esc is used alone here
        self._app = app
        return app

    def update(self, update: Update) -> None:
        """Take an update in and draw."""
        self.view.apply(update)
        if self._page == "chat":
            self.view.unread = 0
        app = self._app
        if app is None:
            return
        if isinstance(update, Asked):
            self._note = ""
            if self._bell:
                app.output.bell()
        if isinstance(update, Asked | Fault | Finished) or self.view.feed.menu is None:
            self._set_title(app)
        app.invalidate()

    def over(self) -> None:
        """The table is no more: the feed has ended."""
        self.view.finished = True
        if self._app is not None:
            if self.left:
                loops.close(self._app, None)
            self._app.invalidate()

    def _set_title(self, app: Application[None]) -> None:
        turn = "your turn · " if self._presenter is not None else ""
        app.output.set_title(f"{turn}{self.view.title} · {self.view.table_name}")
        app.output.flush()

    # -- what is seen ----------------------------------------------------------------------------------------------

    @property
    def _presenter(self) -> "Presenter | None":
        presenter = self.view.presenter
        return None if presenter is None or self.view.feed.menu is self._answered else presenter

    def prompt(self) -> Prompt:
        """What is asked now."""
        if self._leaving:
            return Prompt(self._leave_question(), (_YES, _NO), self._note, self._buffer.text)
        if self.left:
            return Prompt("Taking leave … (Ctrl-C: do not wait)")
        if self.view.finished:
            return Prompt(self.view.question(), (_CLOSE,), self._note)
        presenter = self._presenter
        if presenter is None:
            waiting = self.view.feed.menu is not None and self.view.feed.menu is self._answered
            return Prompt("…" if waiting else self.view.question(), (), self._note)
        return Prompt(presenter.question, presenter.items, self._note, self._buffer.text)

    def _leave_question(self) -> str:
        if self.view.feed.run is None:
            return "Leave the waiting room?"
        if len(self.view.feed.names) == 2:
            return "Leave the table? With two players that gives the game up."
        return "Leave the table? The others go on without you."

    def rows(self, columns: int, lines: int) -> list[Row]:
        """Everything but the input line."""
        view = self.view
        if columns < SMALLEST[0] or lines + 1 < SMALLEST[1]:
            words = f"{columns}x{lines + 1} is too small, {SMALLEST[0]}x{SMALLEST[1]} at least".split(" ")
            return fill([[("", word, None)] for word in words] if columns < 20 else [[("", " ".join(words), None)]],
                        columns, lines)
        if self._page:
            inner = pages.inner_width(columns, lines)
            content = pages.page_rows(view, self._page, inner)
            self._scroll = min(self._scroll, pages.last_scroll(len(content), columns, lines))
            return pages.show(content, self._page, columns, lines, self._scroll, view.glyphs)
        if view.feed.run is None and not (self._leaving or self.left or view.finished):
            return lobby_wait.compose(view, columns, lines)
        self._scroll = min(self._scroll, len(view.log))
        return compose(view, self.prompt(), columns, lines, self._scroll)

    def _fragments(self) -> StyleAndTextTuples:
        size = get_app().output.get_size()
        out: StyleAndTextTuples = []
        for index, row in enumerate(self.rows(size.columns, max(1, size.rows - 1))):
            if index:
                out.append(("", "\n"))
            for style, text, target in row:
                classes = " ".join(f"class:{name}" for name in style.split())
                if target is None:
                    out.append((classes, text))
                else:
                    out.append((classes, text, partial(self._mouse, target)))
        return out

    def _lead(self) -> StyleAndTextTuples:
        return [("class:number", "> ")]

    # -- what comes in ---------------------------------------------------------------------------------------------

    def _typing(self, _: Buffer) -> None:
        if self._buffer.text:
            self._note = ""

    def _mouse(self, target: Hashable, event: MouseEvent) -> NotImplementedOrNone:
        if event.event_type == MouseEventType.MOUSE_UP:
            self.click(target)
            return None
        return NotImplemented

    def click(self, target: Hashable) -> None:
        """Something on the screen was clicked."""
        if isinstance(target, Button):
            if target.kind == "page":
                self._open(str(target.value))
            elif target.kind == "leave":
                self._ask_to_leave()
            else:
                self._choose_number(int(target.value))
        elif not (self._leaving or self.left or self.view.finished) and self._presenter is not None:
            self._take(self._presenter.click(target))

    def submit(self, line: str) -> None:
        """A line was typed."""
        self._note = ""
        presenter = None if self._leaving or self.view.finished else self._presenter
        command = parse(line, [item.label for item in presenter.items] if presenter else ())
        if self._page == "chat" and not (command and line.startswith("/")):
            self._say(line)
        elif command is not None:
            self._command(*command)
        elif self._page:
            self._open("")
            if line.strip():
                self.submit(line)
        elif self._leaving or self.view.finished:
            self._plain_answer(line.strip().casefold())
        elif presenter is not None:
            self._take(presenter.type(line))
        elif line.strip():
            self._note = "it is not your turn; say TEXT speaks to the others, help tells more"

    def _command(self, word: str, rest: str) -> None:
        if word == "leave":
            self._ask_to_leave()
        elif word == "say":
            self._say(rest)
        elif word == "unknown":
            self._note = f"there is no command /{clean(rest, 30)}; help lists them"
        else:
            self._open(word)

    def _plain_answer(self, text: str) -> None:
        for item in self.prompt().items:
            if text and (text == str(item.number) or item.label.startswith(text)):
                self._choose_number(item.number)
                return

    def _choose_number(self, number: int) -> None:
        if self._leaving:
            self._leaving = False
            if number == _YES.number:
                self._leave()
        elif self.view.finished:
            self._quit()
        elif self._presenter is not None and not self.left:
            self._take(self._presenter.choose(number))

    def _take(self, reply: Reply) -> None:
        self._note = reply.note
        menu = self.view.feed.menu
        if reply.choice is not None and menu is not None:
            self._answered = menu
            self._send(partial(_choose, self.view, menu, reply.choice))

    def _say(self, text: str) -> None:
        words = clean(text).strip()
        if words:
            self._send(partial(self.view.feed.chat, words))

    def _open(self, page: str) -> None:
        self._page = "" if page == self._page else page
        self._scroll = 0
        if self._page == "chat":
            self.view.unread = 0

    def _ask_to_leave(self) -> None:
        """Ctrl-C and the like: ask; the second time it is meant; the third time nothing is waited for."""
        if self.view.finished or self.left:
            self._quit()
        elif self._leaving:
            self._leaving = False
            self._leave()
        else:
            self._page, self._leaving = "", True

    def _leave(self) -> None:
        self.left = True
        self._send(self.view.feed.leave)

    def _quit(self) -> None:
        if self._app is not None:
            loops.close(self._app, None)

    def _escape(self) -> None:
        self._note = ""
        if self._buffer.text:
            self._buffer.reset()
        elif self._page:
            self._open("")
        elif self._leaving:
            self._leaving = False
        elif self._presenter is not None:
            self._presenter.back()

    def _complete(self) -> None:
        presenter = self._presenter
        if presenter is None or self._page:
            return
        text = self._buffer.text
        found = presenter.completions(text)
        start = text.split(" ")[-1]
        if not found:
            return
        common = found[0]
        for other in found[1:]:
            while not other.startswith(common):
                common = common[:-1]
        if len(common) > len(start):
            self._buffer.delete_before_cursor(len(start))
            self._buffer.insert_text(common + (" " if len(found) == 1 else ""))
        elif len(found) > 1:
            self._note = ", ".join(found[:12])

    def _turn(self, lines: int) -> None:
        """Scroll: up is negative."""
        back = pages.from_end(self._page) or not self._page
        self._scroll = max(0, self._scroll - lines if back else self._scroll + lines)

    # -- keys ------------------------------------------------------------------------------------------------------

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def bind(name: str, act: Callable[[], None], *, eager: bool = False) -> None:
            @keys.add(name, eager=eager)
            def _(event: KeyPressEvent) -> None:
                act()

        def enter() -> None:
            line = self._buffer.text
            self._buffer.reset()
            self.submit(line)

        def end_of_input() -> None:
            if self._buffer.text:
                self._buffer.delete()
            else:
                self._ask_to_leave()

        bind("enter", enter)
        bind("escape", self._escape, eager=True)
        bind("tab", self._complete)
        bind("c-c", self._ask_to_leave)
        bind("c-d", end_of_input)
        bind("c-z", loops.suspend)
        bind("c-l", lambda: get_app().renderer.clear())
        for number, page in enumerate(("rules", "chat", "fairness", "board"), 1):
            bind(f"f{number}", partial(self._open, page))
        for name, count in (("pageup", -10), ("pagedown", 10), ("up", -1), ("down", 1)):
            bind(name, partial(self._turn, count))
        return keys


def _choose(view: TableView, menu: Menu, choice: Choice) -> None:
    """On the trio side: the choice, if it is still asked for."""
    if view.feed.menu is menu:
        view.feed.choose(choice)


class _Wheel(FormattedTextControl):
    """Text whose mouse wheel scrolls by our own count."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], turn: Callable[[int], None]) -> None:
        super().__init__(text, focusable=False, show_cursor=False)
        self._turn = turn

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        if mouse_event.event_type == MouseEventType.SCROLL_UP:
            self._turn(-3)
            return None
        if mouse_event.event_type == MouseEventType.SCROLL_DOWN:
            self._turn(3)
            return None
        return super().mouse_handler(mouse_event)
