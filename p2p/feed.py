"""What a screen, the plain mode or a bot needs of a running table, and nothing more.

For: the one seam between client and node. `TableFeed` is what the node offers and the tests fake; `Update` is what it
reports. Never: IO, a rule of a game.

Theory of operation: everything runs in one thread. The node changes `run`, `menu`, `names` and `status`, then sends an
update; whoever plays the seat reads the updates, looks at the attributes again, and calls back. Calls never block and
never raise for a race (a choice that comes too late is ignored); call them from a trio task. The node never waits for
the reader, who may be slow: a `Changed` for which nobody has looked yet stands for all later ones, chat has a cap, and
the rest is as long as the game. The end of the channel is the end of the table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import trio

from engines.menus import Choice, Menu, Seat
from engines.requests import Tell
from engines.run import Run
from protocol import limits

from .status import Status


@dataclass(frozen=True, slots=True)
class Told:
    """A public event of the game. After a resume all events are told again, from the first."""

    event: Tell


@dataclass(frozen=True, slots=True)
class Asked:
    """`feed.menu` has something for this seat to choose."""


@dataclass(frozen=True, slots=True)
class Changed:
    """`run`, `menu`, `names` or `status` is different."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A seat said something; untrusted text. Own lines come back the same way."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more will happen: `status.result` and `status.transcript` are final."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The table ended without an end. The text is one readable sentence, also in `status.fault`."""

    text: str


Update = Told | Asked | Changed | Chat | Finished | Fault


class Mailbox:
    """Where a feed's updates come from, and `updates`, where they are read."""

    def __init__(self) -> None:
        self._put, self.updates = trio.open_memory_channel[Update](math.inf)
        self._last: Update | None = None

    def tell(self, update: Update) -> None:
        """Put it with those that wait, unless one of these says the same or there is too much talk among them."""
        waiting = self.updates.statistics().current_buffer_used
        known = isinstance(update, Changed) and isinstance(self._last, Changed) and waiting > 0
        if known or (isinstance(update, Chat) and waiting >= limits.CHAT_WAITING):
            return
        self._last = update
        self._put.send_nowait(update)

    def close(self) -> None:
        """Nothing more will be told."""
        self._put.close()


class TableFeed(Protocol):
    """One table as one seat sees it."""

    updates: trio.MemoryReceiveChannel[Update]

    @property
    def names(self) -> list[str]:
        """Per seat, untrusted."""

    @property
    def status(self) -> Status:
        """Everything else that can be told."""

    @property
    def run(self) -> Run | None:
        """None until the players are together. Its public state and this seat's own knowledge."""

    @property
    def seat(self) -> Seat | None:
        """None before seats are given, and for an onlooker."""

    @property
    def menu(self) -> Menu | None:
        """What this seat has to choose now; None if nothing, or if it has chosen."""

    @property
    def decided(self) -> Mapping[Seat, Choice]:
        """What other seats have decided already of what is asked now, as far as it has arrived and holds."""

    def choose(self, choice: Choice) -> None:
        """Answer `menu`, which is None from then on. The choice is legal as far as this seat sees."""

    def chat(self, text: str) -> None:
        """Say something to everyone."""

    def abandon(self) -> None:
        """Wait no longer for a seat that is lost, if one is: the table ends when all who are here say so."""

    def seat_bots(self, most: int) -> None:
        """Let bots of this player's take up to so many free seats of the table, if it is open and this player's."""

    def leave(self) -> None:
        """Leave properly. The channel ends when that is done."""
