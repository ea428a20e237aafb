"""Finding lost peers again: a seat says where it is for as long as its table runs, and looks for those that are lost.
Does IO, through discovery.

For: the node. Never: a table offered that could be joined (no seat is free), trust (what the network says is tried, and
the key decides), or questions to the network while everybody is here.

Theory of operation: each seat announces itself as tables are announced, under the fingerprint of its own key, all seats
taken; machines that get another address, and programs that come back at another port, announce that. When somebody has
been lost for AFTER seconds, so that the addresses of the contract have failed, the announcements are looked through for
that fingerprint, and the mesh tries those addresses, too.
"""

from __future__ import annotations

import trio

from protocol.identity import fingerprint

from .announcement import Announcement
from .discovery import advertise, browse
from .mesh import Mesh

AFTER = 3.0
LOOK = 1.0
"""Seconds between looks whether somebody is lost."""


async def stay_findable(table: Announcement, mesh: Mesh) -> None:
    """Announce this seat, and look for lost ones, until cancelled."""
    async with advertise(table):
        while True:
            await trio.sleep(LOOK)
            if mesh.lost(AFTER):
                await _search(mesh)


async def _search(mesh: Mesh) -> None:
    """Until nobody is lost."""
    async with browse() as browser:
        while lost := mesh.lost(AFTER):
            tables = list(browser.tables.values())
            for seat in lost:
                wanted = fingerprint(mesh.key(seat))
                found = [(host, one.port) for one in tables if one.host == wanted for host in one.addresses]
                mesh.hint(seat, found)
            await trio.sleep(LOOK)
