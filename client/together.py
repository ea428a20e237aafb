"""A table with somebody in its seat, and as many more with the same people as they like.

For: the commands and the lobby. Never: the network itself; nodes have it.

Theory of operation: whoever plays the seat (screen, lines or a bot) and the life of a node run side by side on one
feed. The player says at the end whether to play again. Then the host of the table opens it anew, and guests wait for
that, each with a new node. A life that goes on after the player has left is that of the bots which came along.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import trio

from p2p.feed import TableFeed
from p2p.node import Node
from p2p.rematch import Again, Company, company
from p2p.status import Phase
from p2p.store import Profile

from .lives import Hosting, Life
from .output import out

Play = Callable[[TableFeed], Awaitable[bool]]
BOTS_PLAY_ON = "You have left; your bots play on until the game ends. Ctrl-C ends them and this program."
PATIENCE = 4.0
"""Seconds in which a life ends that has no bots: a node takes its leave faster."""


async def at_table(profile: Profile, me: str, play: Play, life: Life) -> Node:
    """Play until nobody wants to play again; the node of the last table. Errors: UserError, in a group."""
    node = Node(profile, me, findable=True)
    again = await _side_by_side(play, node, partial(life, node))
    while again and (people := company(node)) is not None:
        if people.hosting:
            life = reopening(life, people)
            node = Node(profile, me, findable=True)
            again = await _side_by_side(play, node, partial(life, node))
        else:
            feed = Again(profile, me, people)
            again = await _side_by_side(play, feed, feed.join)
            if company(feed.node) is None:  # it never came to a table
                break
            node = feed.node
    return node


async def _side_by_side(play: Play, feed: TableFeed, live: Callable[[], Awaitable[None]]) -> bool:
    wishes: list[bool] = []
    over = trio.Event()

    async def sit() -> None:
        wishes.append(await play(feed))
        with trio.move_on_after(PATIENCE):
            await over.wait()
        if feed.status.phase is Phase.STOPPED and not over.is_set():  # no screen any more, and nothing else to see
            out(BOTS_PLAY_ON)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit)
        await live()
        over.set()
    return wishes[0]


def reopening(life: Life, people: Company) -> Hosting:
    """The same table again, where its guests will look for it; who was let in before needs no code."""
    hosting = life if isinstance(life, Hosting) else Hosting(people.plan)
    return replace(hosting, port=people.port, welcome=people.guests)
