"""The passing of time at a table: somebody looks at the clock. trio only.

For: both ways of showing a table. Never: a decision; what happens when time is over is the desk's.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from .view import TableView

OFTEN, SELDOM = 0.2, 1.0
"""Seconds between looks: while the seat may pass by itself, and else, for what is shown of clocks."""


class News:
    """Tells whoever waits that something has happened."""

    def __init__(self) -> None:
        self._event = trio.Event()

    def set(self) -> None:
        """Something has happened."""
        self._event.set()
        self._event = trio.Event()

    async def wait(self) -> None:
        """Until then."""
        await self._event.wait()


async def keep_time(view: TableView, news: News, tick: Callable[[], None]) -> None:
    """Call `tick` whenever a clock may have run out, until the table is over."""
    while not view.finished:
        if view.lapse.menu is None and not view.habits.clock:
            await news.wait()
        else:
            tick()
            with trio.move_on_after(OFTEN if view.lapse.menu is not None else SELDOM):
                await news.wait()
