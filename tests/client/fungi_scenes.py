"""Situations of Fungi that are kept as text captures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from client.presenter import Presenter
from client.render import fungi
from client.render.base import Scene
from client.style import ASCII, UNICODE, Appearance, Glyphs
from engines import registry
from engines.chance import Chance
from engines.menus import Choice
from tests.engines.fungi_positions import A, Kitchen

from .fakes import FakeFeed
from .screenshot import Shown

NAMES = ["Ana", "Beto"]
CAPTURES = Path(__file__).parent / "captures" / "fungi"
COLOURED = Appearance(UNICODE, True)
PURE_ASCII = Appearance(ASCII, False)
ALL = ((80, 24), (60, 20), (40, 12), (30, 10))
SCENES: dict[str, tuple[int, str, int, tuple[str, ...], tuple[tuple[int, int], ...]]] = {
    "show": (1, "show", 0, (), ((80, 24),)),
    "turn": (1, "take", 31, (), (*ALL, (120, 40), (20, 5))),
    "take": (1, "take", 31, ("take a card",), ALL),
    "kinds": (1, "take", 31, ("sell",), ((80, 24),)),
    "cook": (2, "cook", 20, ("cook 1", "1 2"), ALL),
    "worth": (2, "cook", 20, ("cook 1", "1 2 4 6", ""), ((80, 24), (30, 10))),
    "discard": (5, "discard", 0, (), ALL),
    "reasons": (1, "take", 31, ("?",), ((80, 24),)),
    "end": (1, "nothing", 0, ("",), ((80, 24),)),
    "rules": (1, "show", 0, ("rules",), ((80, 24),)),
}
"""Seed, what can be done, from which turn on, what is typed then, and the sizes."""


def feed(seed: int, verb: str, turn: int) -> FakeFeed:
    """A game of sensible cooks, played until seat 0 can do that, or to its end."""
    found = FakeFeed("fungi", 2, 0, seed)
    found.bots.update({seat: registry.bot("fungi", seat, Chance(bytes([seat, seed]) * 16)) for seat in (0, 1)})
    found.begin()
    found.advance()
    while found.menu is not None and found.run is not None:
        numbers = [number for number, act in enumerate(found.menu.acts) if act.verb == verb]
        look = found.run.look(found.seat)
        if found.run.game.table.turn >= turn and numbers and not found.menu.why_not(look, numbers[0]):
            break
        if verb == "discard" and (fly := _fly(found)):
            found.choose(fly)
            continue
        found.choose(found.bot.choose(found.run.game, found.menu, found.run.look(found.seat)))
    return found


def _fly(found: FakeFeed) -> Choice | None:
    """Taking a fly agaric with a full hand, which sensible cooks do not."""
    if found.run is None or found.menu is None or len(found.run.game.table.hands[0]) < 7:
        return None
    choices = found.menu.choices(found.run.look(0))
    takes = ((choice, found.menu.decision(choice)) for choice in choices)
    return next((c for c, a in takes if a.verb == "take" and found.run.game.face(a.card) == "FLY"), None)


def scene_of(kitchen: Kitchen, seat: int | None = A, glyphs: Glyphs = UNICODE) -> Scene:
    """What a seat sees of a game, with the marks of what it is asked."""
    found = Scene(kitchen.table, seat, kitchen.run.look(seat), NAMES, glyphs)
    if kitchen.asked == [seat]:
        return dataclasses.replace(found, marks=presenter(kitchen).marks)
    return found


def presenter(kitchen: Kitchen) -> Presenter:
    """For the one who is asked."""
    seat = kitchen.asked[0]
    return Presenter(kitchen.menu, Scene(kitchen.table, seat, kitchen.run.look(seat), NAMES), fungi)


def shown(name: str, look: Appearance = COLOURED) -> Shown:
    """One of the scenes."""
    seed, verb, turn, typed, _ = SCENES[name]
    screen = Shown(feed(seed, verb, turn), look)
    screen.type(*typed)
    return screen


def captures() -> Iterator[tuple[str, str]]:
    """File name and text of every capture."""
    for name, scene in SCENES.items():
        screen = shown(name)
        for columns, lines in scene[4]:
            yield f"{name}-{columns}x{lines}.txt", screen.text(columns, lines)
    yield "turn-ascii-80x24.txt", shown("turn", PURE_ASCII).text(80, 24)
    yield "take-ascii-60x20.txt", shown("take", PURE_ASCII).text(60, 20)
