"""A real screen without a terminal: drawn by prompt_toolkit's vt100 output, read back by a terminal emulator."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import Any, Protocol

import pyte
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput, Input
from prompt_toolkit.output import Output
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from client.desk import Send
from client.habits import Habits
from client.screens.table import TableScreen
from client.style import Appearance
from client.view import TableView

from .fakes import FakeFeed

Terminal = pyte.Screen


def at_once(call: Callable[[], None]) -> None:
    """A `send` that needs no trio."""
    call()


class Screen(Protocol):
    """Whatever makes an application to be shown."""

    def application(self, source: Input | None = None, sink: Output | None = None) -> Application[Any]:
        """See TableScreen."""


def terminal_of(screen: Screen, columns: int, lines: int) -> Terminal:
    """The screen in a terminal of that size."""
    written = io.StringIO()
    output = Vt100_Output(
        written, lambda: Size(lines, columns), enable_cpr=False, default_color_depth=ColorDepth.DEPTH_8_BIT
    )
    app = screen.application(DummyInput(), output)

    async def draw() -> None:
        with set_app(app):
            app.renderer.render(app, app.layout)

    asyncio.run(draw())
    terminal = pyte.Screen(columns, lines)
    pyte.Stream(terminal).feed(written.getvalue())
    return terminal


def text_of(screen: Screen, columns: int, lines: int) -> str:
    """The same as text, without spaces at line ends."""
    return "\n".join(line.rstrip() for line in terminal_of(screen, columns, lines).display) + "\n"


class Shown:
    """A table screen that is drawn when it is looked at."""

    def __init__(self, feed: FakeFeed, look: Appearance, send: Send = at_once) -> None:
        self.feed = feed
        self.screen = TableScreen(TableView(feed, look, habits=Habits(bell=False)), send)
        self.drain()

    def drain(self) -> None:
        """Hand all waiting updates to the screen."""
        statistics = self.feed.updates.statistics()
        for _ in range(statistics.current_buffer_used):
            self.screen.update(self.feed.updates.receive_nowait())

    def type(self, *lines: str) -> None:
        """Lines, each with Enter."""
        for line in lines:
            self.screen.desk.submit(line)
            self.drain()

    def terminal(self, columns: int, lines: int) -> Terminal:
        """The screen in a terminal of that size."""
        return terminal_of(self.screen, columns, lines)

    def text(self, columns: int, lines: int) -> str:
        """The same as text, without spaces at line ends."""
        return text_of(self.screen, columns, lines)
