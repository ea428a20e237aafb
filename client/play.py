"""One table from here to its end, over the feed: on a full screen, in plain lines, or by a bot.

For: whoever has a `TableFeed`; each coroutine returns when the table or the player is done, and has taken leave
properly if the player ended it. trio only. Never: prompt_toolkit beyond showing the one screen; a network.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from engines.bots import Bot
from p2p.feed import Fault, Finished, TableFeed, Told

from .app import show
from .habits import Habits
from .keep_time import News, keep_time
from .plain import play_plain
from .screens.table import TableScreen
from .style import Appearance
from .view import TableView

__all__ = ["play_auto", "play_plain", "play_screen"]
Call = Callable[[], None]
Note = Callable[[str], object]


async def play_screen(
    feed: TableFeed,
    look: Appearance,
    habits: Habits | None = None,
    *,
    source: Input | None = None,
    sink: Output | None = None,
) -> bool:
    """The full screen, until the player closes it; whether to play again with the same people. Only inside
    `app.run_full_screen`."""
    send, receive = trio.open_memory_channel[Call](100)
    news = News()
    screen = TableScreen(TableView(feed, look, trio.current_time, habits), _sender(send))
    application = screen.application(source, sink)

    async def follow() -> None:
        async for update in feed.updates:
            screen.update(update)
            news.set()
        screen.over()

    async def act() -> None:
        async for call in receive:
            call()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(follow)
        nursery.start_soon(act)
        nursery.start_soon(keep_time, screen.view, news, screen.tick)
        try:
            await show(application)
        finally:
            screen.put_away()
        # Only a player leaves. A closed terminal, a signal or a fault of the screen ends the program, and the table can
        # be resumed.
        if not (screen.desk.left or screen.view.finished or feed.status.result is not None):
            feed.leave()
        nursery.cancel_scope.cancel()
    return screen.desk.again


def _sender(channel: trio.MemorySendChannel[Call]) -> Callable[[Call], None]:
    def send(call: Call) -> None:
        # A hundred unheard wishes, or nobody there any more: one more would not be heard either.
        with suppress(trio.WouldBlock, trio.BrokenResourceError):
            channel.send_nowait(call)

    return send


async def play_auto(feed: TableFeed, bot: Bot, note: Note = lambda _: None) -> None:
    """A bot in this seat, until the table has ended. `note`: for each line that a person should know, raw."""
    noted = 0
    async for update in feed.updates:
        for line in feed.status.notes[noted:]:
            note(line)
        noted = len(feed.status.notes)
        if isinstance(update, Told):
            bot.notice(update.event)
        elif isinstance(update, Finished | Fault):
            return
        if feed.menu is not None and feed.run is not None:
            feed.choose(bot.choose(feed.run.game, feed.menu, feed.run.look(feed.seat)))
