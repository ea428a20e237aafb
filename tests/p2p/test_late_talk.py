"""The host's words at the table, and those that it passed on in the waiting room and that come late."""

from __future__ import annotations

from typing import Any, cast

import pytest
import trio

from p2p import feed, lobby
from p2p.journal import Log
from p2p.link import Link
from p2p.lobby import Formed
from p2p.player import Player
from p2p.status import Status
from protocol import messages
from protocol.errors import Malformed

from .recorded import played

pytestmark = pytest.mark.trio


class Wire:
    """One end of a link, to whoever has this identity key."""

    def __init__(self, peer: bytes) -> None:
        self.peer = peer


async def test_what_the_host_passed_on_before_it_began_is_not_its_own() -> None:
    ring, heard = played(), list[tuple[int, str]]()
    formed = Formed(ring.contract, ring.signatures, [[], []], 1)
    host = cast(Link, Wire(ring.contract.seats[0].key))

    def listen(update: object) -> None:
        if isinstance(update, feed.Chat):
            heard.append((update.seat, update.text))

    def message(kind: str, content: dict[str, Any]) -> None:
        made = messages.make(kind, **content)
        player.message(host, kind, {key: value for key, value in made.items() if key != "t"})

    async with trio.open_nursery() as nursery:
        log = cast(Log, object())
        player = Player(formed, ring.identities[1], ring.masters[1], log, nursery, Status(), listen)
        message("chat", {"text": "1 hello"})
        with pytest.raises(Malformed):
            message("chat", {"text": "7 hello"})
        message("begin", {key: value for key, value in lobby.begin(formed).items() if key not in ("t", "v")})
        message("chat", {"text": "1 hello"})
        nursery.cancel_scope.cancel()
    assert heard == [(1, "hello"), (0, "1 hello")]
