"""Where the profile is.

For: whoever needs its place and not the profile: settings, logs, the doctor. Never: anything that takes time to import.
"""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """The profile's folder: P2PGAME_HOME, or the platform's place for such data."""
    chosen = os.environ.get("P2PGAME_HOME")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("p2pgame", appauthor=False))
