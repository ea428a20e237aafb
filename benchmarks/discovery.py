"""How long it takes until an open table is heard of, on loopback and by multicast DNS, in one process."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import trio

from engines import registry
from p2p.announce import announce
from p2p.errors import UserError
from p2p.find import find
from p2p.lobby import Plan
from p2p.node import Node
from p2p.store import Profile
from p2p.transport import LOOPBACK

from . import toy
from .measure import Row

PART = "Finding a table"
TIMES = 3


async def once() -> float:
    """Seconds from opening a table to knowing its address elsewhere."""
    label = f"bench {secrets.token_hex(3)}"
    with TemporaryDirectory() as home:
        profile = Profile.open(Path(home))
        node = Node(profile, "Ana")
        async with trio.open_nursery() as nursery:
            plan = Plan(toy.NAME, 2, registry.options(toy.NAME, 2, {}), label)
            await nursery.start(partial(node.host, plan, hosts=LOOPBACK, announce=announce))
            began = monotonic()
            await find(label)
            took = monotonic() - began
            nursery.cancel_scope.cancel()
        profile.close()
    return took


def rows() -> Iterator[Row]:
    """The fastest and the slowest of some."""
    os.environ["P2PGAME_INTERFACES"] = "127.0.0.1"
    try:
        found = [trio.run(once) for _ in range(TIMES)]
    except UserError as error:
        yield Row(PART, "there is no multicast on loopback here", 0, "s", note=str(error)[:60])
        return
    yield Row(PART, "an open table, fastest", min(found), "s")
    yield Row(PART, "an open table, slowest", max(found), "s")
