"""The program's own log. Does IO: one file.

For: bug reports. Never: standard error, a secret (seeds, keys and cards are never given to a logger), or a file without
a limit.
"""

from __future__ import annotations

import logging
import logging.handlers
from pathlib import Path

from p2p import files
from p2p.store import home

MOST_BYTES = 1_000_000
_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


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
        handler = logging.handlers.RotatingFileHandler(
            target, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=not path
        )
    handler.setFormatter(logging.Formatter(_FORM))
    root.addHandler(handler)
    return target
