"""A table with somebody in its seat, and as many more with the same people as they like.

For: the commands and the lobby. Never: the network itself; nodes have it.

Theory of operation: whoever plays the seat (screen, lines or a bot) and the life of a node run side by side on one
feed. The player says at the end whether to play again. Then the host of the table opens it anew, and guests wait for
that, each with a new node. A life that goes on after the player has left is that of the bots which came along: the
lobby lets them play on while it shows other things, a command waits for them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import trio

from p2p.errors import UserError
from p2p.feed import TableFeed
from p2p.node import Node
from p2p.rematch import Again, Company, company
from p2p.status import Phase
from p2p.store import Profile

from .failure import first
from .lives import PATIENCE, Hosting, Life
from .output import out
from .text import clean_name

Play = Callable[[TableFeed], Awaitable[bool]]
BOTS_PLAY_ON = "You have left; your bots play on until the game ends. Ctrl-C: they leave, too, and this program ends."


class Aside:
    """Where bots play on whose player has left the table and does something else. `tables`: the names of those tables,
    kept up to date; `tell`: called with what came of it."""

    def __init__(self, nursery: trio.Nursery, tables: list[str], tell: Callable[[str], None]) -> None:
        self.nursery = nursery
        self._tables = tables
        self._tell = tell

    def take(self, living: _Living, node: Node) -> None:
        """From now on nobody waits for this life."""
        self.nursery.start_soon(self._follow, living, node.status.table if node.outlived else "")
        if node.outlived:
            self._tables.append(node.status.table)

    async def _follow(self, living: _Living, table: str) -> None:
        await living.over.wait()
        if table:
            self._tables.remove(table)
            self._tell(f"Your bots' game at the table “{clean_name(table)}” is over.")
        try:
            living.check()
        except* UserError as group:
            self._tell(str(first(group)))


class _Living:
    """A life at work. `over`: it has ended; `gone`: at least the player's own node has; `player`: what is done
    meanwhile, cancelled if the life fails."""

    def __init__(self, live: Callable[[], Awaitable[None]], gone: trio.Event) -> None:
        self.gone = gone
        self.over = trio.Event()
        self.scope = trio.CancelScope()
        self.player = trio.CancelScope()
        self._live = live
        self._error: Exception | None = None

    async def run(self) -> None:
        try:
            with self.scope:
                await self._live()
        except Exception as error:  # noqa: BLE001 - `check` raises it where it is waited for
            self._error = error
            self.player.cancel()
        finally:
            self.gone.set()
            self.over.set()

    def check(self) -> None:
        """Raise what the life has failed of."""
        if self._error is not None:
            raise self._error


async def at_table(profile: Profile, me: str, play: Play, life: Life, aside: Aside | None = None) -> Node:
    """Play until nobody wants to play again; the node of the last table. `aside`: where bots that play on are left
    alone; without it they are waited for. Errors: UserError, in a group."""
    node = Node(profile, me, findable=True)
    again = await _side_by_side(play, node, partial(life, node), node, aside)
    while again and (people := company(node)) is not None:
        me = people.me or me  # after a resume it may be another than this program would take
        if people.hosting:
            life = reopening(life, people)
            node = Node(profile, me, findable=True)
            again = await _side_by_side(play, node, partial(life, node), node, aside)
        else:
            feed = Again(profile, me, people)
            again = await _side_by_side(play, feed, feed.join)
            if company(feed.node) is None:  # it never came to a table
                break
            node = feed.node
    return node


async def _side_by_side(
    play: Play,
    feed: TableFeed,
    live: Callable[[], Awaitable[None]],
    node: Node | None = None,
    aside: Aside | None = None,
) -> bool:
    """`node`: whose life it is, if there is only one."""
    living = _Living(live, node.ended if node is not None else trio.Event())
    again = False
    async with trio.open_nursery() as own:
        (aside.nursery if aside is not None else own).start_soon(living.run)
        try:
            with living.player:
                again = await play(feed)
            if not again:
                await _take_leave(living)
                if node is not None and node.status.phase is Phase.STOPPED and not living.over.is_set():
                    if aside is not None:
                        aside.take(living, node)
                        return False
                    if node.outlived:  # no screen any more, and nothing else to see
                        out(BOTS_PLAY_ON)
            await living.over.wait()
        except BaseException:  # cancelled, too: without its player the life ends, and the error goes on
            living.scope.cancel()
            raise
    living.check()
    return again


async def _take_leave(living: _Living) -> None:
    """The player has gone. A node that still waits then, for somebody who is lost, is not waited for."""
    with trio.move_on_after(PATIENCE):
        await living.gone.wait()
    if not living.gone.is_set():
        living.scope.cancel()


def reopening(life: Life, people: Company) -> Hosting:
    """The same table again, where its guests will look for it. The seats are theirs: others need a code."""
    hosting = life if isinstance(life, Hosting) else Hosting(people.plan)
    return replace(hosting, bots=people.bots, port=people.port, private=True, welcome=people.guests)
