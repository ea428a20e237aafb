"""Telling the network about a table while its lobby is open. Does IO, through discovery.

For: `Node.host`, which runs this beside the lobby. Never: an announcement that outlives the lobby.
"""

from __future__ import annotations

import logging

import trio

from .discovery import advertise
from .node import Node

log = logging.getLogger("p2pgame.announce")


async def announce(node: Node, port: int) -> None:
    """Announce the node's table, and every change of its seats, until cancelled."""
    table = node.reception.announcement(port)
    async with advertise(table) as advertisement:
        while True:
            await node.reception.changed.wait()
            advertisement.update(seats_taken=len(node.status.taken))
            if advertisement.problem:
                log.warning("the table is not announced: %s", advertisement.problem)
            await trio.lowlevel.checkpoint()
