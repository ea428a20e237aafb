"""The full-screen lobby: keys and clicks; what is seen is composed in lobby_rows.py, what they mean is the hall's.

For: the time between tables. Never: trio; what is decided is the screen's result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from prompt_toolkit.keys import Keys

from ..entries import Wish
from ..hall import READ, Hall, Page
from ..render.base import Row
from ..style import Appearance
from .canvas import Button
from .lobby_rows import compose
from .screen import Bindings, Screen


class LobbyScreen(Screen[Wish]):
    """The screen of one lobby, until something is decided: the wish is its result."""

    def __init__(self, hall: Hall, look: Appearance) -> None:
        super().__init__(look)
        self.hall = hall

    def rows(self, columns: int, lines: int) -> list[Row]:
        """See Screen."""
        return compose(self.hall, self.look.glyphs, columns, lines)

    # -- what comes in ---------------------------------------------------------------------------------------------

    def _clicked(self, target: Hashable) -> None:
        if isinstance(target, Button):
            self._after(partial(self._press, target))

    def _press(self, button: Button) -> None:
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
        if wish is not None:
            self.close(wish)

    def _bind(self, keys: Bindings) -> None:
        hall = self.hall

        def bind(name: str, act: Callable[[], object], *, eager: bool = False) -> None:
            keys.on(name, partial(self._after, act), eager=eager)

        keys.on_text(Keys.Any, lambda text: self._after(partial(hall.char, text)) if text.isprintable() else None)
        keys.on_text(Keys.BracketedPaste, hall.paste)

        bind("enter", hall.enter)
        bind("escape", hall.back, eager=True)
        bind("backspace", hall.erase)
        bind("c-u", self._clear)
        bind("c-c", hall.quit)
        bind("c-d", hall.quit)
        bind("f1", self._help)
        bind("f2", partial(self._only_in_form, "open"))
        for name, count in (("up", -1), ("down", 1), ("pageup", -10), ("pagedown", 10), ("s-tab", -1), ("tab", 1)):
            bind(name, partial(hall.move, count))
        for name, count in (("home", -10_000), ("end", 10_000)):
            bind(name, partial(hall.move, count))
        for name, count in (("left", -1), ("right", 1)):
            bind(name, partial(hall.step, count))

    def _help(self) -> None:
        if self.hall.page in READ:
            self.hall.back()
        else:
            self.hall.command("rules" if self.hall.page is Page.FORM else "help")

    def _only_in_form(self, word: str) -> None:
        if self.hall.page is Page.FORM:
            self.hall.command(word)

    def _clear(self) -> None:
        for _ in range(len(self.hall.typed) or 200):
            self.hall.erase()
