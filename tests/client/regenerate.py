"""Write all text captures anew: `python -m tests.client.regenerate`. What has changed is to be looked at."""

from __future__ import annotations

from .scenes import CAPTURES, captures


def main() -> None:
    """Files that are no capture any more are removed."""
    CAPTURES.mkdir(exist_ok=True)
    fresh = dict(captures())
    for old in CAPTURES.glob("*.txt"):
        if old.name not in fresh:
            old.unlink()
    for name, text in fresh.items():
        (CAPTURES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
