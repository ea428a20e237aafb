"""What a seat says: written and synced first, sent afterwards. Does IO: the log, links.

For: the player. Never: a contribution of ours sent before it is on the disk, or after somebody is convicted or the
table abandoned; a lost record because the disk is full.

Theory of operation: what others have signed is written with the next of ours, since it can be fetched again. While
nothing can be written nothing is sent either: the status says so, and the same write is tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import trio

from protocol import messages, transcript
from protocol.contribution import Contribution

from .errors import CannotWrite
from .journal import Log
from .mesh import Mesh
from .status import Status
from .table import Table

RETRY_WRITE = 1.0
"""Seconds until what could not be written is tried again."""


class Outbox:
    """`unsent`: contributions of ours that are not written yet, or never will be sent. `written`: those in the log."""

    def __init__(
        self,
        table: Table,
        mesh: Mesh,
        journal: Log,
        status: Status,
        changed: Callable[[], None],
        written: Iterable[bytes] = (),
    ) -> None:
        self.unsent: set[bytes] = set()
        self._table = table
        self._mesh = mesh
        self._journal = journal
        self._status = status
        self._changed = changed
        self._kept = set(written)
        self._records: list[bytes] = []
        self._letters: list[dict[str, Any]] = []
        self._mail = trio.Event()

    def publish(self, item: Contribution) -> None:
        """A contribution of ours: to be written, then told to everybody."""
        self.unsent.add(item.data)
        self.keep([item])
        self.send(messages.make("item", data=item.data))

    def keep(self, items: Iterable[Contribution]) -> None:
        """Contributions that are to be written with the next of ours. Others told us one of ours if our log was older
        than that."""
        new = [item.data for item in items if item.data not in self._kept]
        self._kept.update(new)
        self._records += map(transcript.item, new)

    def send(self, message: dict[str, Any]) -> None:
        """To everybody, after all that is to be written."""
        self._letters.append(message)
        self._mail.set()

    async def run(self, sent: Callable[[], None]) -> None:
        """Write, sync, then send, until cancelled. `sent` is called each time that has been done."""
        while True:
            await self._mail.wait()
            self._mail = trio.Event()
            records, self._records = self._records, []
            letters, self._letters = self._letters, []
            await self._write(records)
            for letter in letters if not self._table.silent else ():
                self._mesh.broadcast(letter)
                self.unsent.discard(letter.get("data", b""))
            sent()

    async def _write(self, records: list[bytes]) -> None:
        while records:
            try:
                await self._journal.write(*records)
            except CannotWrite as error:
                self._status.trouble = str(error)
                self._changed()
                await trio.sleep(RETRY_WRITE)
            else:
                self._status.trouble = ""
                return
