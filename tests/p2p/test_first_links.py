"""The first seconds of a table: nobody is lost who has only not been connected yet."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p import attendance, reception
from p2p.link import Link
from p2p.lobby import Formed, Host, Visitor
from p2p.node import Node
from p2p.status import Phase, Presence
from protocol import messages
from protocol.identity import Identity

from .nodes import PATIENCE, room, until


@pytest.mark.trio
async def test_nobody_is_lost_before_the_first_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two guests, who reach the host alone."""
    monkeypatch.setattr(attendance, "FIRST_LINKS", 1000.0)
    monkeypatch.setattr(reception, "own", lambda port: [])
    seen: set[tuple[Presence, bool]] = set()

    def playing(node: Node) -> bool:
        seen.update((one.presence, one.unmet) for one in node.status.seats)
        return node.status.phase is Phase.PLAYING

    async with room(tmp_path) as there:
        ana = await there.host(players=3)
        nodes = [ana, *(there.join(name, there.doors["Ana"]) for name in ("Beto", "Caro"))]
        async with trio.open_nursery() as nursery:
            for node in nodes:
                nursery.start_soon(until, node, playing)
        guest = ana.status.taken.index("Caro")
        assert [one.unmet for one in nodes[1].status.seats] == [False, guest == 1, guest == 2]
    assert {presence for presence, _ in seen} == {Presence.HERE, Presence.YOU}


@pytest.mark.trio
async def test_who_has_no_link_is_heard_through_others_until_these_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two guests, who reach the host alone; then the host leaves, and they do not know of each other any more."""
    monkeypatch.setattr(attendance, "FIRST_LINKS", 0.0)
    monkeypatch.setattr(reception, "own", lambda port: [])

    def relayed(node: Node) -> list[str]:
        return [name for name, one in zip(node.names, node.status.seats, strict=True) if one.relayed]

    async with room(tmp_path) as there:
        ana = await there.host(players=3, game="amnesia")
        nodes = [ana, *(there.join(name, there.doors["Ana"]) for name in ("Beto", "Caro"))]
        async with trio.open_nursery() as nursery:
            for node in nodes:
                nursery.start_soon(until, node, lambda one: one.menu is not None)
        assert [relayed(node) for node in nodes] == [[], ["Caro"], ["Beto"]]
        guest = nodes[1].status.seats[nodes[1].names.index("Caro")]
        assert (guest.presence, guest.unmet) == (Presence.LOST, True)
        ana.leave()
        for node in nodes[1:]:
            await until(node, lambda one: not relayed(one))
            assert not node.status.fault
        assert (guest.presence, guest.unmet) == (Presence.LOST, True)


async def sit_down(link: Link, me: Identity) -> dict[str, Any]:
    """Ask for a seat over a link, as far as the signature, which is not sent yet."""
    visitor = Visitor(me, "Eve", [], lambda table: False)
    visitor.greet(link)
    while True:
        kind, content = messages.parse(await link.receive())
        if kind == "contract":
            return messages.make("sign", signature=me.sign("contract", content["contract"]))
        visitor.receive(link, kind, content)


@pytest.mark.trio
async def test_who_goes_while_the_table_is_being_opened_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of two guests signs and is gone before the host, whose disk is slow, has written that there is a
    table."""
    monkeypatch.setattr(attendance, "FIRST_LINKS", 0.0)
    people = [Identity(bytes([number]) * 32) for number in (1, 2)]
    disk, noticed = threading.Event(), trio.Event()
    async with room(tmp_path) as there:
        ana = await there.host(players=3)
        open_log, gone = ana._open_log, ana.reception.gone

        def slowly(formed: Formed) -> Any:
            disk.wait(PATIENCE)
            return open_log(formed)

        def missed(link: Link, reason: str) -> None:
            gone(link, reason)
            noticed.set()

        monkeypatch.setattr(ana, "_open_log", slowly)
        monkeypatch.setattr(ana.reception, "gone", missed)
        links = [await there.call(there.doors["Ana"], one) for one in people]
        signatures: dict[bytes, dict[str, Any]] = {}

        async def sign(link: Link, me: Identity) -> None:
            signatures[me.public] = await sit_down(link, me)

        async with trio.open_nursery() as nursery:
            for link, me in zip(links, people, strict=True):
                nursery.start_soon(sign, link, me)
        lobby = ana.reception._lobby
        assert isinstance(lobby, Host)
        first, second = lobby.guests
        ends = {me.public: link for link, me in zip(links, people, strict=True)}
        ends[first.line.peer].send(signatures[first.line.peer])
        await until(ana, lambda _: bool(first.signature))
        ends[second.line.peer].send(signatures[second.line.peer])
        await ana.reception.formed.wait()
        await ends[first.line.peer].aclose()
        await noticed.wait()
        disk.set()
        await until(ana, lambda one: [seat.presence for seat in one.status.seats][1:2] == [Presence.LOST])
        assert not there.failed
