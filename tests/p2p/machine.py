"""A program for one machine of a test network: `host` announces a table, `guest` finds it and calls it.

Each prints one JSON object a line, and goes on until it is killed.
"""

from __future__ import annotations

import json
import sys
from functools import partial

import trio

from p2p.announcement import Announcement
from p2p.discovery import Advertisement, Browser, advertise, browse
from p2p.link import Link, LinkClosed
from p2p.transport import dial, serve
from protocol.identity import Identity, fingerprint

HOST = Identity(b"h" * 32)
GUEST = Identity(b"g" * 32)


def say(**values: object) -> None:
    print(json.dumps(values), flush=True)  # noqa: T201 - a program's output


async def converse(link: Link) -> None:
    say(linked=link.where)
    try:
        while True:
            await link.receive()
    except LinkClosed as closed:
        say(closed=closed.reason, left=closed.left)


async def watch(discovery: Advertisement | Browser) -> None:
    """Tell which interfaces are in use, whenever that changes."""
    told: list[str] = []
    while True:
        now = [interface.name for interface in discovery._station.interfaces]
        if now != told:
            told = now
            say(interfaces=now)
        await trio.sleep(0.1)


async def host() -> None:
    async with trio.open_nursery() as nursery:
        port = await nursery.start(partial(serve, HOST, converse))
        table = Announcement("Attic", "maamut", 1, 3, False, fingerprint(HOST.public), bytes(16), port)
        async with advertise(table) as advertisement:
            await watch(advertisement)


async def guest() -> None:
    async with trio.open_nursery() as nursery, browse() as lobby:
        nursery.start_soon(watch, lobby)
        called = False
        async for tables in lobby:
            say(tables=[[table.table_name, table.addresses] for table in tables.values()])
            for table in tables.values():
                if not called and len(table.addresses) > 1:  # the second comes later if that takes time to settle
                    called = True
                    for address in table.addresses:
                        link = await dial(nursery, [(address, table.port)], GUEST, expected=HOST.public)
                        nursery.start_soon(converse, link)


if __name__ == "__main__":
    trio.run({"host": host, "guest": guest}[sys.argv[1]])
