"""Write all text captures anew: `python -m tests.client.regenerate`. What has changed is to be looked at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from . import console_scenes, scenes


def write(folder: Path, captures: Iterable[tuple[str, str]]) -> None:
    """Files that are no capture any more are removed."""
    folder.mkdir(exist_ok=True)
    fresh = dict(captures)
    for old in folder.glob("*.txt"):
        if old.name not in fresh:
            old.unlink()
    for name, text in fresh.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> None:
    """The table screen, and the screens around it."""
    write(scenes.CAPTURES, scenes.captures())
    write(console_scenes.CAPTURES, console_scenes.captures())


if __name__ == "__main__":
    main()
