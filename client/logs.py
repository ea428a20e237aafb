"""The program's own log. Does IO: one file.

For: bug reports. Never: standard error, a secret (seeds, keys and cards are never given to a logger), a peer's text
that has not passed the gate, or a file without a limit.
"""

from __future__ import annotations

import logging
import logging.handlers
import platform
from importlib import metadata
from pathlib import Path

from p2p import files
from p2p.place import home

from .text import clean

MOST_BYTES = 1_000_000
MOST_COLUMNS = 2000
"""Of one message; a traceback may be longer."""
_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _Gate(logging.Formatter):
    """Messages are one harmless line each."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """See logging."""
        record.message = clean(record.message, MOST_COLUMNS)
        return super().formatMessage(record)


class _Quiet(logging.handlers.RotatingFileHandler):
    """A log that cannot be written ends nothing, and says nothing on a screen."""

    def handleError(self, record: logging.LogRecord) -> None:
        """See logging."""


def default_log() -> Path:
    """Where warnings and errors go without being asked to."""
    return home() / "p2pgame.log"


def start(path: str | None) -> Path:
    """Log everything to `path`, or only what went wrong to the default. Errors: CannotWrite."""
    target = Path(path) if path else default_log()
    root = logging.getLogger("p2pgame")
    root.propagate = False
    root.setLevel(logging.DEBUG if path else logging.WARNING)
    with files.writing(target):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = _Quiet(
            target, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", errors="backslashreplace", delay=not path
        )
    handler.setFormatter(_Gate(_FORM))
    root.addHandler(handler)
    if path:
        version, system = metadata.version("p2pgame"), f"{platform.system()} {platform.release()} {platform.machine()}"
        root.info("p2pgame %s, Python %s, %s", version, platform.python_version(), system)
    return target
