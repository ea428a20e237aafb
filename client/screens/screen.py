"""What all full screens have in common: one window of rows, keys, clicks, the wheel and the terminal's title.

For: lobby, table and replay. Never: what is shown, what a key or a click means there, trio.

Theory of operation: a screen composes rows for the size that there is, and prompt_toolkit draws them. A row's fragment
may carry a target; a click on it comes back with that target. Keys are bound with `Bindings.on`, those that every
screen has are there from the start.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app
from prompt_toolkit.filters import FilterOrBool
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from .. import app as loops
from ..render.base import Row
from ..style import Appearance, classes

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

T = TypeVar("T")


class Screen(ABC, Generic[T]):
    """One screen until it is closed with a result."""

    mouse: FilterOrBool = True
    """Whether clicks are ours; else the terminal's, which can then mark text."""
    below = 0
    """Lines under the rows that the layout keeps for something else."""

    def __init__(self, look: Appearance) -> None:
        self.look = look
        self._app: Application[T] | None = None
        self._title = ""

    # -- what a screen is made of ----------------------------------------------------------------------------------

    @abstractmethod
    def rows(self, columns: int, lines: int) -> list[Row]:
        """Everything, exactly `lines` of exactly `columns`."""

    @abstractmethod
    def _clicked(self, target: Hashable) -> None:
        """What a fragment carries was clicked."""

    @abstractmethod
    def _turn(self, lines: int) -> None:
        """The wheel: up is negative."""

    @abstractmethod
    def _bind(self, keys: Bindings) -> None:
        """Bind this screen's keys."""

    def _layout(self, window: Window) -> Layout:
        return Layout(window)

    # -- for whoever shows it --------------------------------------------------------------------------------------

    def application(self, source: Input | None = None, sink: Output | None = None) -> Application[T]:
        """The application to `show`. Its drawing starts when it is shown."""
        keys = Bindings()
        self._bind(keys)
        app: Application[T] = Application(
            self._layout(Window(Wheel(self._fragments, self._turn))),
            key_bindings=keys,
            style=self.look.style(),
            full_screen=True,
            mouse_support=self.mouse,
            erase_when_done=True,
            input=source,
            output=sink,
        )
        app.ttimeoutlen = 0.1  # Esc is used alone here
        self._app = app
        return app

    def show_title(self, title: str) -> None:
        """The terminal's title."""
        title = self.look.glyphs.speak(title)
        if self._app is not None and title != self._title:
            self._title = title
            self._app.output.set_title(title)
            self._app.output.flush()

    def put_away(self) -> None:
        """The screen is gone, however it ended: so is its title."""
        if self._app is not None:
            with suppress(OSError):  # the terminal itself may be gone
                self._app.output.clear_title()
                self._app.output.flush()

    def refresh(self) -> None:
        """Something is different."""
        if self._app is not None:
            self._app.invalidate()

    def close(self, result: T) -> None:
        """End it, if it is shown."""
        if self._app is not None:
            loops.close(self._app, result)

    # -- between prompt_toolkit and the screen ---------------------------------------------------------------------

    def _fragments(self) -> StyleAndTextTuples:
        size = get_app().output.get_size()
        out: StyleAndTextTuples = []
        for index, row in enumerate(self.rows(size.columns, max(1, size.rows - self.below))):
            if index:
                out.append(("", "\n"))
            for style, text, target in row:
                if target is None:
                    out.append((classes(style), text))
                else:
                    out.append((classes(style), text, partial(self._mouse, target)))
        return out

    def _mouse(self, target: Hashable, event: MouseEvent) -> NotImplementedOrNone:
        if event.event_type != MouseEventType.MOUSE_UP:
            return NotImplemented
        self._clicked(target)
        return None


class Bindings(KeyBindings):
    """Keys, and what they do."""

    def __init__(self) -> None:
        super().__init__()
        self.on("c-z", loops.suspend)
        self.on("c-l", lambda: get_app().renderer.clear())

    def on(self, name: str, act: Callable[[], object], *, eager: bool = False) -> None:
        """That key does that."""

        @self.add(name, eager=eager)
        def _(event: KeyPressEvent) -> None:
            act()

    def on_text(self, name: str, act: Callable[[str], object]) -> None:
        """The same, for keys that stand for a text."""

        @self.add(name)
        def _(event: KeyPressEvent) -> None:
            act(event.data)


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
