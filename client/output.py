"""Standard output and standard error, whatever has become of them. Does IO.

For: every line that a command prints. Never: a crash because of an encoding that lacks a sign, or because nobody reads
any more; a command that checks something has to finish, whoever has stopped listening.

Theory of operation: what the encoding lacks becomes a question mark. When the reader has gone (`| head -1`), standard
output is led nowhere, and the command goes on for the sake of its exit code. Any other failure to write is the user's
to know of. When standard error cannot be written, nobody is left to be told: the line is lost, the exit code stays.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO

from p2p.errors import UserError

GONE = (errno.EPIPE, errno.EINVAL)
"""How a reader that has gone shows itself; the latter on Windows."""


class CannotPrint(UserError):
    """Standard output cannot be written: {why}."""


def out(text: str = "") -> None:
    """One line of standard output. Errors: CannotPrint."""
    if sys.stdout is None:  # closed before we were started
        return
    encoding = sys.stdout.encoding or "ascii"
    try:
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        sys.stdout.flush()
    except OSError as error:
        discard()
        if error.errno not in GONE:
            raise CannotPrint(why=error.strerror or error) from error


def err(text: str) -> None:
    """One line of standard error."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + "\n")  # what its encoding lacks it writes as escapes
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def settle() -> None:
    """At the very end: what nobody can be told any more is dropped, so that it does not change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            discard(stream)


def discard(stream: TextIO | None = None) -> None:
    """Lead a stream (standard output, unless it is said otherwise) nowhere, with what is still in its buffer: Python
    would complain of that at its end."""
    try:
        number = (stream or sys.stdout).fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
