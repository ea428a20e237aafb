"""The durable log of one table: what was written is there after a crash. Does IO: one file.

For: the node, which writes every contribution here before it sends it. Never: a record acted upon before `append` has
returned, a half-written record left between two whole ones, or a damaged file taken for one cut short.

Theory of operation: the file is append-only, of records (protocol/framing.py). `append` writes and syncs. If that
fails, what has reached the disk is unknown (after a failed sync the system may forget what it did not write), so the
next attempt first cuts the file back to the last good record and writes again: the caller pauses, and tries the same
append once there is room. Reopening reads to the last whole record and cuts a torn one off.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import BinaryIO

import trio

from protocol import limits
from protocol.framing import Records, Tail, record, records

from . import files
from .errors import CannotWrite, LogDamaged


def read_log(path: Path) -> Records:
    """All whole records of a log, and what its tail is like; changes nothing. Errors: CannotRead."""
    return records(files.read(path, limits.LOG_BYTES))


class Log:
    """An open log. Use it from one task, or one thread, at a time; the lock only guards against mistakes."""

    def __init__(self, path: Path, file: BinaryIO, size: int) -> None:
        self.path = path
        self._file = file
        self._size = size
        self._dirty = False
        self._lock = threading.Lock()

    @classmethod
    def create(cls, path: Path) -> Log:
        """A new, empty log, durable as a name. Errors: CannotWrite (also if it exists)."""
        with files.writing(path):
            file = files.open_private(path, "xb")
            try:
                files.sync_folder(path.parent)
            except OSError:
                file.close()
                raise
        return cls(path, file, 0)

    @classmethod
    def reopen(cls, path: Path) -> tuple[Log, tuple[bytes, ...]]:
        """An existing log and its records; a torn tail is cut off. Errors: CannotRead, CannotWrite, LogDamaged."""
        found = read_log(path)
        if found.tail is Tail.CORRUPT:
            raise LogDamaged(path=path, records=len(found.payloads))
        with files.writing(path):
            log = cls(path, files.open_private(path, "ab"), found.sound)
        log._dirty = found.tail is Tail.TORN
        try:
            log.append()
        except CannotWrite:
            log.close()
            raise
        return log, found.payloads

    def append(self, *payloads: bytes) -> None:
        """Write records and wait until they are on the disk, all together.

        Errors: CannotWrite or DiskFull: then none of them counts as written, and the same call may be tried again.
        """
        data = b"".join(map(record, payloads))
        with self._lock, files.writing(self.path):
            if self._size + len(data) > limits.LOG_BYTES:
                why = f"it has reached {limits.LOG_BYTES} bytes"
                raise CannotWrite(path=self.path, why=why, advice="No honest game is that long.")
            if self._dirty:
                self._file.truncate(self._size)
                self._file.seek(self._size)
            self._dirty = True
            files.write_all(self._file, data)
            files.sync(self._file)
            self._size += len(data)
            self._dirty = False

    async def write(self, *payloads: bytes) -> None:
        """`append` in a thread. Runs to its end once it has begun, whoever cancels it. Errors: as `append`."""
        await trio.to_thread.run_sync(self.append, *payloads)

    def close(self) -> None:
        """Close the file. What was appended is durable already."""
        self._file.close()


def read_transcript(path: Path) -> bytes:
    """The bytes of a finished table's file, or of a log. Errors: CannotRead."""
    return files.read(path, limits.LOG_BYTES)
