"""Situations of Amanite that are kept as text captures: `python -m tests.client.amanite_scenes` writes them anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from client.style import ASCII, UNICODE, Appearance

from .fakes import FakeFeed
from .screenshot import Shown

CAPTURES = Path(__file__).parent / "captures" / "amanite"
COLOURED = Appearance(UNICODE, True)
PURE_ASCII = Appearance(ASCII, False)
ALL = ((80, 24), (60, 20), (30, 10))
SCENES: dict[str, tuple[int, int, str, int, tuple[str, ...], tuple[tuple[int, int], ...]]] = {
    "start": (4, 3, "start", 0, (), ((80, 24),)),
    "side": (4, 3, "start", 0, ("fox",), ((80, 24),)),
    "place": (3, 3, "place", 2, (), ALL),
    "reasons": (2, 3, "consult", 2, ("?",), ((80, 24),)),
    "divide": (4, 3, "divide", 1, ("1", "3"), (*ALL, (120, 40), (20, 5))),
    "take": (4, 3, "take", 1, (), ALL),
    "pick": (2, 3, "pick", 2, ("second green",), ALL),
    "feed": (3, 25, "feed", 1, (), ALL),
    "consult": (4, 3, "consult", 1, (), ALL),
    "end": (4, 3, "nothing", 0, (), ((80, 24),)),
    "rules": (2, 3, "place", 1, ("rules",), ((80, 24),)),
}
"""Players, seed, what is asked, from which round on, what is typed then, and the sizes."""


def feed(players: int, seed: int, verb: str, rounds: int) -> FakeFeed:
    """A game played until seat 0 is asked that, or to its end."""
    found = FakeFeed("amanite", players, 0, seed)
    found.begin()
    found.advance()
    while found.menu is not None and found.run is not None:
        if found.menu.acts[0].verb == verb and found.run.game.table.round >= rounds:
            break
        found.choose(found.bot.choose(found.run.game, found.menu, found.run.look(found.seat)))
    return found


def shown(name: str, look: Appearance = COLOURED) -> Shown:
    """One of the scenes."""
    players, seed, verb, rounds, typed, _ = SCENES[name]
    screen = Shown(feed(players, seed, verb, rounds), look)
    screen.type(*typed)
    return screen


def captures() -> Iterator[tuple[str, str]]:
    """File name and text of every capture."""
    for name, scene in SCENES.items():
        for columns, lines in scene[5]:
            yield f"{name}-{columns}x{lines}.txt", shown(name).text(columns, lines)
    yield "divide-ascii-80x24.txt", shown("divide", PURE_ASCII).text(80, 24)
    yield "feed-ascii-60x20.txt", shown("feed", PURE_ASCII).text(60, 20)


def main() -> None:
    """Write all; files that are no capture any more are removed."""
    CAPTURES.mkdir(parents=True, exist_ok=True)
    fresh = dict(captures())
    for old in CAPTURES.glob("*.txt"):
        if old.name not in fresh:
            old.unlink()
    for name, text in fresh.items():
        (CAPTURES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
