"""The same people at one more table. Does IO: nodes, and looks for the host on the network.

For: the client, when players want to play again. Never: a message of its own, another host than the one of before, or
a seat taken for somebody who has not asked for it.

Theory of operation: who sat first was the host and opens the table anew, at the same port, with the same plan. Who
was a guest keeps calling the host, at the addresses of before and at those that the network tells for the host's key,
until that table's lobby answers. Whoever does not want to play again simply does not call. A call that comes too early
ends at nobody, or at the last table, and is made again.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import trio

from engines.menus import Choice, Menu, Seat
from engines.run import Run
from protocol import limits
from protocol.identity import fingerprint

from . import feed
from .addresses import Address
from .discovery import browse
from .errors import CannotReach, NotWelcome, TableGone, WrongPeer
from .lobby import Plan
from .node import Node
from .status import Phase, Status
from .store import Profile

RETRY = 1.0
"""Seconds between two calls to the host."""
_TOO_EARLY = (CannotReach, NotWelcome, TableGone, WrongPeer)


@dataclass(frozen=True)
class Company:
    """Who sat at a table, and what was played. `guests`: the keys of all but the host; `bots`: so many of them came
    along with this player, who was called `me` there."""

    plan: Plan
    hosting: bool
    host: bytes
    host_name: str
    guests: tuple[bytes, ...]
    addresses: list[Address]
    port: int
    bots: int = 0
    me: str = ""


def company(node: Node) -> Company | None:
    """Those who sat at the node's table; None if it never came to be."""
    formed = node.formed
    if formed is None:
        return None
    contract = formed.contract
    guests = tuple(seat.key for seat in contract.seats[1:])
    return Company(
        plan=Plan(contract.game, len(contract.seats), dict(contract.options), contract.label),
        hosting=formed.seat == 0,
        host=contract.seats[0].key,
        host_name=contract.names[0],
        guests=guests,
        addresses=list(formed.addresses[0]),
        port=node.port,
        bots=len(node.own_bots.intersection(guests)),
        me=contract.seats[formed.seat].name,
    )


def _fresh(profile: Profile, name: str) -> Node:
    """A node for one try to get a seat that is kept."""
    node = Node(profile, name, findable=True)
    node.status.kept = True
    return node


class Again:
    """A guest's feed of the table that the host is to open once more: see TableFeed. To be used once: `join`.

    `node` is the one that has a seat, or tries to get it."""

    def __init__(self, profile: Profile, name: str, company: Company) -> None:
        self.node = _fresh(profile, name)
        self._profile = profile
        self._name = name
        self._company = company
        self._mailbox = feed.Mailbox()
        self.updates = self._mailbox.updates
        self._scope = trio.CancelScope()
        self._listening = trio.CancelScope()
        self._heard: list[Address] = []
        plan = company.plan
        self._waiting = Status(
            game=plan.game,
            table=plan.label,
            phase=Phase.LOBBY,
            waiting_why=f"Waiting for {company.host_name} to open the table again",
            kept=True,
        )
        self._unanswered = f"{self._waiting.waiting_why}; nobody answers there now"

    @property
    def _seated(self) -> bool:
        """The host has told of the table."""
        return self.node.status.players > 0

    @property
    def names(self) -> list[str]:
        """See TableFeed."""
        return self.node.names

    @property
    def status(self) -> Status:
        """See TableFeed."""
        return self.node.status if self._seated else self._waiting

    @property
    def run(self) -> Run | None:
        """See TableFeed."""
        return self.node.run

    @property
    def seat(self) -> Seat | None:
        """See TableFeed."""
        return self.node.seat

    @property
    def menu(self) -> Menu | None:
        """See TableFeed."""
        return self.node.menu

    @property
    def decided(self) -> Mapping[Seat, Choice]:
        """See TableFeed."""
        return self.node.decided

    def choose(self, choice: Choice) -> None:
        """See TableFeed."""
        self.node.choose(choice)

    def chat(self, text: str) -> None:
        """See TableFeed."""
        self.node.chat(text)

    def abandon(self) -> None:
        """See TableFeed."""
        self.node.abandon()

    def seat_bots(self, most: int) -> None:
        """See TableFeed. Only a host can."""

    def leave(self) -> None:
        """See TableFeed."""
        if self._seated:
            self.node.leave()
        else:
            self._scope.cancel()

    async def join(self) -> None:
        """Call the host until its table is open, and play that to its end. Errors: UserError, also in a group."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._listen)
                    while not await self._try():
                        await trio.sleep(RETRY)
                        self.node = _fresh(self._profile, self._name)
                    nursery.cancel_scope.cancel()
        finally:
            self._mailbox.close()

    async def _listen(self) -> None:
        """Where the network says that the host has a table open, until there is a seat."""
        wanted = fingerprint(self._company.host)
        with self._listening:
            async with browse() as browser:
                async for tables in browser:
                    found = [one for one in tables.values() if one.host == wanted and one.seats_taken < one.seats]
                    self._heard = [(host, one.port) for one in found for host in one.addresses]

    async def _hurry(self, tried: Collection[Address], scope: trio.CancelScope) -> None:
        """Whatever keeps us waiting at the old place is not waited for when another one is heard of."""
        await trio.sleep(RETRY)  # anybody can announce things: each try has so long at least
        while not self._seated:
            if not set(self._heard) <= set(tried):
                scope.cancel()
            await trio.sleep(RETRY)

    async def _try(self) -> bool:
        """One call; False if it came too early."""
        node, heard = self.node, self._heard
        chosen = secrets.SystemRandom().sample(heard, min(limits.HINTS, len(heard)))
        addresses = list(dict.fromkeys([*self._company.addresses[: limits.ADDRESSES - len(chosen)], *chosen]))
        seated = False
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pass_on, node)
            async with trio.open_nursery() as trying:
                trying.start_soon(self._hurry, [*addresses, *heard], nursery.cancel_scope)
                try:
                    await node.join(addresses, expected=self._company.host)
                    seated = True
                except _TOO_EARLY as error:
                    if self._seated:
                        raise
                    if isinstance(error, CannotReach):  # also who has closed the table for good does not answer
                        self._waiting.waiting_why = self._unanswered
                        self._mailbox.tell(feed.Changed())
                trying.cancel_scope.cancel()
        return seated

    async def _pass_on(self, node: Node) -> None:
        async for update in node.updates:
            if self._seated:
                self._listening.cancel()
            self._mailbox.tell(update)
