"""Write all text captures anew: `python -m tests.client.regenerate`. What has changed is to be looked at."""

from __future__ import annotations

from . import amanite_scenes, amnesia_scenes, console_scenes, fungi_scenes, scenes

ALL = (scenes, console_scenes, amanite_scenes, amnesia_scenes, fungi_scenes)
"""The table screen, the screens around it, and the pictures of single games."""


def main() -> None:
    """Files that are no capture any more are removed."""
    for one in ALL:
        one.CAPTURES.mkdir(parents=True, exist_ok=True)
        fresh = dict(one.captures())
        for old in one.CAPTURES.glob("*.txt"):
            if old.name not in fresh:
                old.unlink()
        for name, text in fresh.items():
            (one.CAPTURES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
