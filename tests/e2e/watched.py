"""The program `p2pgame` with a bot in its seat (`--auto`) that also says who is here: `P2 is lost`, `P2 is here`, or
`P2 is lost: closed` if its program has said that it ends.

What it says is the status that all screens are made from, at the moment at which they are told to look at it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from client import cli, play
from engines.bots import Bot
from p2p.feed import TableFeed, Update
from p2p.status import Presence


class Watched:
    """A feed, and what its watcher notes."""

    def __init__(self, feed: TableFeed, note: play.Note) -> None:
        self._feed = feed
        self._note = note
        self._seen: dict[int, Presence] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._feed, name)

    @property
    def updates(self) -> AsyncIterator[Update]:
        """Those of the feed."""
        return self

    def __aiter__(self) -> AsyncIterator[Update]:
        return self

    async def __anext__(self) -> Update:
        """The next update; before it is passed on it is noted who has come or gone."""
        update = await anext(self._feed.updates)
        for seat, one in enumerate(self._feed.status.seats):
            if self._seen.get(seat, Presence.HERE) is not one.presence:
                closed = ": closed" if one.presence is Presence.LOST and one.closed else ""
                self._note(f"{self._feed.names[seat]} is {one.presence.value}{closed}")
            self._seen[seat] = one.presence
        return update


_plain_bot = play.play_auto


async def _watched_bot(feed: TableFeed, bot: Bot, note: play.Note = lambda _: None) -> None:
    watched: Any = Watched(feed, note)
    await _plain_bot(watched, bot, note)


if __name__ == "__main__":
    play.play_auto = _watched_bot
    cli.main()
