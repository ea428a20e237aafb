"""From an exception to one readable line on standard error and an exit code.

For: the command line. Never: a traceback for a person, or a bug passed off as the user's mistake: those go to the log
with their traceback, and the line says where that is.
"""

from __future__ import annotations

import logging

from engines.registry import BadTable
from p2p.errors import UserError

from .app import Crash, Interrupted
from .logs import default_log
from .output import err
from .text import clean

INTERRUPTED, BUG, USAGE = 130, 70, 2

log = logging.getLogger("p2pgame")


class Usage(Exception):
    """The command line asks for something that cannot be. `str(error)` says what would be right."""


def say(text: str) -> None:
    """One harmless line on standard error."""
    err(clean(text, 2000))


def first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first of the errors in a group."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def explain(error: BaseException) -> int:
    """Say what went wrong; the exit code."""
    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return explain(error.exceptions[0])
    if isinstance(error, UserError):
        say(f"p2pgame: {error}")
        return error.exit_code
    if isinstance(error, BadTable | Usage):
        say(f"p2pgame: {error}")
        return USAGE
    if isinstance(error, Interrupted):
        say(f"p2pgame: {error}")
        return INTERRUPTED
    if not isinstance(error, Crash):
        log.error("the program went wrong", exc_info=error)
        error = Crash(f"Something went wrong in this program itself ({type(error).__name__}: {error}).")
    say(f"p2pgame: {error} The details are in {default_log()}; please report them.")
    return BUG
