"""Files that survive a power cut, and errors about them that a person understands. Does IO: files.

For: store and journal. Never: a rename or a new file that is taken for durable before its folder is, a secret that is
readable by others for even a moment, or a bare OSError.

Theory of operation: data is durable when the file was synced, a name when its folder was. So a file that must be whole
or absent is written under another name, synced, renamed, and the folder synced. A lock is the operating system's, on an
open file: it ends with the process, so stale ones do not exist.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from .errors import CannotRead, CannotWrite, DiskFull

PRIVATE = 0o600

if sys.platform == "win32":
    import msvcrt

    def lock(file: BinaryIO) -> bool:
        """Take the lock on an open file until it is closed. False if somebody has it."""
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Take the lock on an open file until it is closed. False if somebody has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_ADVICE = {
    errno.ENOSPC: "Make room on that disk; nothing is lost, the game goes on as soon as it can write.",
    errno.EDQUOT: "Your quota is used up: make room; nothing is lost, the game goes on as soon as it can write.",
    errno.EACCES: "Give yourself the right to write there, or choose another folder with P2PGAME_HOME.",
    errno.EPERM: "Give yourself the right to write there, or choose another folder with P2PGAME_HOME.",
    errno.EROFS: "That disk is read-only: choose another folder with P2PGAME_HOME.",
}
_ELSE = "Is the disk there and sound? Another folder can be chosen with P2PGAME_HOME."


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError inside into CannotWrite or DiskFull, with what to do about it."""
    try:
        yield
    except OSError as error:
        code = error.errno or 0
        kind = DiskFull if code in (errno.ENOSPC, errno.EDQUOT) else CannotWrite
        raise kind(path=path, why=error.strerror or error, advice=_ADVICE.get(code, _ELSE)) from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn an OSError inside into CannotRead."""
    try:
        yield
    except OSError as error:
        raise CannotRead(path=path, why=error.strerror or error) from error


def read(path: Path, limit: int) -> bytes:
    """A whole file of at most `limit` bytes. Errors: CannotRead."""
    with reading(path), path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise CannotRead(path=path, why=f"it has more than {limit} bytes")
    return data


def sync(file: BinaryIO) -> None:
    """Wait until what was written is on the disk. Errors: OSError."""
    file.flush()
    if sys.platform == "darwin":
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)  # there, fsync stops at the drive's cache
    else:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system knows such a thing. Errors: OSError."""
    if sys.platform == "win32":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def open_private(path: Path, mode: str) -> BinaryIO:
    """Open a binary file that, if it is made now, is its owner's alone. Unbuffered. Errors: OSError."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, PRIVATE)

    return open(path, mode, buffering=0, opener=opener)  # type: ignore[return-value]


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write every byte to an unbuffered file. Errors: OSError."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file (0600) so that whatever happens it is the old one or the new one. Errors: CannotWrite."""
    temporary = path.with_name(path.name + ".tmp")
    with writing(path):
        try:
            with open_private(temporary, "wb") as file:
                write_all(file, data)
                sync(file)
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
