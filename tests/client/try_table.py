"""A table to look at without a network: bots in the other seats, the real screens, `python -m tests.client.try_table`.

Options: --players N  --seed N  --pace SECONDS  --plain  --ascii  --no-color  --lobby  --auto  --lost  --crash
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from pathlib import Path

import trio

from client.app import Crash, Interrupted, run_full_screen, run_plain, wants_plain
from client.play import play_auto, play_plain, play_screen
from client.style import choose
from engines import registry
from engines.chance import Chance
from p2p.feed import Changed, Chat
from p2p.status import Phase, Presence, SeatStatus

from .fakes import FakeFeed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pace", type=float, default=0.3)
    parser.add_argument("--log", type=Path, default=Path(os.devnull))
    for flag in ("plain", "ascii", "no-color", "lobby", "auto", "lost", "crash"):
        parser.add_argument(f"--{flag}", action="store_true")
    return parser.parse_args()


async def _lobby(feed: FakeFeed, pace: float) -> None:
    status, names = feed.status, list(feed.names)
    status.phase, status.hosting = Phase.LOBBY, True
    status.addresses = ["192.168.1.23:7117", "[fd00::1c2b:ff]:7117"]
    feed.names = []
    for count in range(1, len(names) + 1):
        status.taken = names[:count]
        feed.send(Changed())
        await trio.sleep(pace * 10)
    feed.names = names


async def _table(feed: FakeFeed, options: argparse.Namespace) -> None:
    if options.lobby:
        await _lobby(feed, options.pace)
    feed.begin()
    if options.lost:
        feed.status.seats[-1] = SeatStatus(Presence.LOST, 12)
        feed.send(Chat(1, "is Caro\x1b[31m still there?"))
    if options.crash:
        await trio.sleep(2)
        raise ValueError("the table broke")
    await feed.run_paced(options.pace)


async def _main(options: argparse.Namespace, plain: bool) -> None:
    feed = FakeFeed(players=options.players, seed=options.seed)
    feed.paced = True
    feed.bots = {
        seat: registry.bot("maamut", seat, Chance(bytes([seat, options.seed]) * 16)) for seat in range(options.players)
    }
    look = choose(ascii_only=options.ascii, no_colour=options.no_color)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_table, feed, options)
        if options.auto:
            await play_auto(feed, feed.bot)
        elif plain:
            await play_plain(feed, look)
        else:
            await play_screen(feed, look)
        nursery.cancel_scope.cancel()


def main() -> int:
    """Returns the exit code."""
    options = _arguments()
    logging.basicConfig(filename=options.log)
    plain = options.plain or wants_plain(sys.stdin, sys.stdout, os.environ)
    try:
        if plain or options.auto:
            run_plain(lambda: _main(options, plain))
        else:
            run_full_screen(lambda: _main(options, plain), options.log)
    except Interrupted as interrupted:
        sys.stderr.write(f"{interrupted}\n")
        return 130 if interrupted.number == signal.SIGINT else 128 + interrupted.number
    except Crash as crash:
        sys.stderr.write(f"{crash}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
