"""The full-screen lobby: keys and clicks; what is seen is composed in lobby_rows.py, what they mean is the hall's.

For: the time between tables. Never: trio; what is decided is the screen's result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from .. import app as loops
from ..entries import Quit, Wish
from ..hall import READ, Hall, Page
from ..render.base import Row
from ..style import Appearance, classes
from .canvas import Button
from .lobby_rows import compose
from .table import Wheel

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


class LobbyScreen:
    """The screen of one lobby, until something is decided."""

    def __init__(self, hall: Hall, look: Appearance) -> None:
        self.hall = hall
        self.look = look
        self._app: Application[Wish] | None = None

    def application(self, source: Input | None = None, sink: Output | None = None) -> Application[Wish]:
        """The application to `show`; its result is the wish."""
        app: Application[Wish] = Application(
            Layout(Window(Wheel(self._fragments, self._turn))),
            key_bindings=self._keys(),
            style=self.look.style(),
            full_screen=True,
            mouse_support=True,
            erase_when_done=True,
            input=source,
            output=sink,
        )
        app.ttimeoutlen = 0.1  # Esc is used alone here
        self._app = app
        return app

    def show_title(self) -> None:
        """The terminal's title."""
        if self._app is not None:
            self._app.output.set_title(self.look.glyphs.speak("p2pgame · lobby"))
            self._app.output.flush()

    def put_away(self) -> None:
        """The screen is gone, however it ended: so is its title."""
        if self._app is not None:
            with suppress(OSError):  # the terminal itself may be gone
                self._app.output.clear_title()
                self._app.output.flush()

    def refresh(self) -> None:
        """Something was heard."""
        if self._app is not None:
            self._app.invalidate()

    # -- what is seen ----------------------------------------------------------------------------------------------

    def rows(self, columns: int, lines: int) -> list[Row]:
        """Everything."""
        return compose(self.hall, self.look.glyphs, columns, lines)

    def _fragments(self) -> StyleAndTextTuples:
        size = get_app().output.get_size()
        out: StyleAndTextTuples = []
        for index, row in enumerate(self.rows(size.columns, size.rows)):
            if index:
                out.append(("", "\n"))
            for style, text, target in row:
                if target is None:
                    out.append((classes(style), text))
                else:
                    out.append((classes(style), text, partial(self._mouse, target)))
        return out

    # -- what comes in ---------------------------------------------------------------------------------------------

    def _mouse(self, target: Hashable, event: MouseEvent) -> NotImplementedOrNone:
        if event.event_type != MouseEventType.MOUSE_UP or not isinstance(target, Button):
            return NotImplemented
        self._after(partial(self._clicked, target))
        return None

    def _clicked(self, button: Button) -> None:
        hall = self.hall
        if button.kind == "entry":
            entry = next((one for one in hall.entries if one.number == button.value), None)
            if entry is not None:
                hall.choose(entry)
        elif button.kind == "command":
            hall.command(str(button.value))
        elif button.kind == "enter":
            hall.enter()
        elif button.kind == "page":
            hall.back()
        elif button.kind in ("field", "less", "more"):
            hall.select(button.value)
            hall.step({"field": 0, "less": -1, "more": 1}[button.kind])

    def _turn(self, lines: int) -> None:
        self.hall.move(lines)

    def _after(self, act: Callable[[], object]) -> None:
        """Do it; if that decides something, the screen is done."""
        act()
        wish, self.hall.wish = self.hall.wish, None
        if wish is not None and self._app is not None:
            loops.close(self._app, wish)

    def _keys(self) -> KeyBindings:
        keys, hall = KeyBindings(), self.hall

        def bind(name: str, act: Callable[[], object], *, eager: bool = False) -> None:
            @keys.add(name, eager=eager)
            def _(event: KeyPressEvent) -> None:
                self._after(act)

        @keys.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if event.data.isprintable():
                self._after(partial(hall.char, event.data))

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            hall.paste(event.data)

        def quit_() -> None:
            hall.wish = Quit()

        bind("enter", hall.enter)
        bind("escape", hall.back, eager=True)
        bind("backspace", hall.erase)
        bind("c-u", self._clear)
        bind("c-c", quit_)
        bind("c-d", quit_)
        bind("c-z", loops.suspend)
        bind("c-l", lambda: get_app().renderer.clear())
        bind("f1", self._help)
        for name, count in (("up", -1), ("down", 1), ("pageup", -10), ("pagedown", 10), ("s-tab", -1), ("tab", 1)):
            bind(name, partial(hall.move, count))
        for name, count in (("home", -10_000), ("end", 10_000)):
            bind(name, partial(hall.move, count))
        for name, count in (("left", -1), ("right", 1)):
            bind(name, partial(hall.step, count))
        return keys

    def _help(self) -> None:
        if self.hall.page in READ:
            self.hall.back()
        else:
            self.hall.command("rules" if self.hall.page is Page.FORM else "help")

    def _clear(self) -> None:
        for _ in range(len(self.hall.typed) or 200):
            self.hall.erase()
