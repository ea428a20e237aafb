"""One seat in a process of its own, driven by lines: what the benchmarks of deals, moves and idle tables run.

It is the program's own node with its own profile, links and threads, and a bot that moves when it is told to. Times are
those of the monotonic clock, which all processes of a machine share.

    in    move           decide, if something is asked of this seat
          usage          say what this process has used so far
    out   {"event": "door", "port"}            the host's table is open
          {"event": "playing", "formed", "at"} from the contract to the first question
          {"event": "asked"}                   it is this seat's turn
          {"event": "chose", "step", "at"}     it has decided; the clock was read before
          {"event": "step", "step", "at"}      a step is complete
          {"event": "usage", "cpu", "rss"}     processor seconds, and bytes in memory
"""

from __future__ import annotations

import json
import random
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any

import trio

from engines import registry
from engines.chance import Chance
from p2p import feed
from p2p.lobby import Plan
from p2p.node import Node
from p2p.store import Profile
from p2p.transport import LOOPBACK

from . import toy


def say(event: str, **content: Any) -> None:
    """One line for whoever drives."""
    sys.stdout.write(json.dumps({"event": event, **content}) + "\n")
    sys.stdout.flush()


def usage() -> dict[str, float]:
    """What this process has used."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if sys.platform == "linux" else 0
    return {"cpu": process_time(), "rss": pages * 4096}


class Driven:
    """A node, and the bot that plays for it."""

    def __init__(self, node: Node, game: str) -> None:
        self.node = node
        self.game = game
        self.formed = 0.0
        self._playing = False
        self._step = -1
        self._bot: Any = None

    def look(self, update: feed.Update) -> None:
        """Say what is new."""
        player = self.node._player
        if player is None:
            return
        at, session = monotonic(), player.table.session
        if not self._playing and "deal" in self.node.status.seconds:
            self._playing = True
            say("playing", formed=at - self.node.status.seconds["deal"], at=at)
        if session.place[0] != self._step:
            self._step = session.place[0]
            say("step", step=self._step, at=at)
        if isinstance(update, feed.Asked):
            say("asked")

    def move(self) -> None:
        """Decide, by chance."""
        run, menu, seat, player = self.node.run, self.node.menu, self.node.seat, self.node._player
        if run is None or menu is None or seat is None or player is None:
            return
        if self._bot is None:
            self._bot = registry.bot(self.game, seat, Chance(random.randbytes(32)), sensible=False)
        choice, step = self._bot.choose(run.game, menu, run.look(seat)), player.table.session.place[0]
        at = monotonic()
        self.node.choose(choice)
        say("chose", step=step, at=at)

    async def obey(self, scope: trio.CancelScope) -> None:
        """Until nobody drives any more."""
        async for line in trio.wrap_file(sys.stdin):
            if line.strip() == "move":
                self.move()
            elif line.strip() == "usage":
                say("usage", **usage())
        scope.cancel()


async def life(role: str, game: str, seats: int, port: int, options: dict[str, Any]) -> None:
    """Host, or join at a port."""
    toy.register()
    with TemporaryDirectory() as home:
        profile = Profile.open(Path(home))
        node = Node(profile, f"P{random.randrange(10**6)}")
        driven = Driven(node, game)
        async with trio.open_nursery() as nursery:
            if role == "host":
                plan = Plan(game, seats, registry.options(game, seats, options), "a benchmark")
                say("door", port=await nursery.start(partial(node.host, plan, hosts=LOOPBACK)))
            else:
                nursery.start_soon(partial(node.join, [("127.0.0.1", port)], hosts=LOOPBACK))
            nursery.start_soon(driven.obey, nursery.cancel_scope)
            async for update in node.updates:
                driven.look(update)
        profile.close()


if __name__ == "__main__":
    trio.run(life, sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), json.loads(sys.argv[5]))
