"""Telling the network about a table while its lobby is open. Does IO, through discovery.

For: `Node.host`, which runs this beside the lobby. Never: an announcement that outlives the lobby.
"""

from __future__ import annotations

import logging

import trio

from protocol.identity import fingerprint

from .announcement import Announcement
from .discovery import advertise
from .node import Node

log = logging.getLogger("p2pgame.announce")


async def announce(node: Node, port: int) -> None:
    """Announce the node's table, and every change of its seats, until cancelled."""
    status = node.status
    table = Announcement(
        table_name=status.table,
        game=status.game,
        seats_taken=len(status.taken),
        seats=status.players,
        private=bool(status.code),
        host=fingerprint(node.profile.identity.public),
        salt=node.salt,
        port=port,
    )
    async with advertise(table) as advertisement:
        while True:
            await node.lobby_changed.wait()
            advertisement.update(seats_taken=len(status.taken))
            if advertisement.problem:
                log.warning("the table is not announced: %s", advertisement.problem)
            await trio.lowlevel.checkpoint()
