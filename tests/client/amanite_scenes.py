"""Situations of Amanite that are kept as text captures.

Only what the render module makes: picture, hand line, question and items; the screen around them has captures of its
own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from client.presenter import Presenter
from client.render import amanite
from client.render.base import Scene, row_text
from client.style import ASCII, UNICODE, Glyphs
from engines.chance import Chance
from engines.requests import Tell
from p2p.feed import Told
from tests.engines.amanite_forest import A, Walk

from .fakes import FakeFeed

CAPTURES = Path(__file__).parent / "captures" / "amanite"
NAMES = ["Ana", "Beto", "Caro", "Dina"]
SIZES = ((48, 16), (31, 13), (16, 5))
SCENES: dict[str, tuple[int, int, str, int, tuple[str, ...]]] = {
    "start": (4, 3, "start", 0, ()),
    "side": (4, 3, "start", 0, ("fox",)),
    "place": (3, 3, "place", 2, ()),
    "divide": (4, 3, "divide", 1, ("1", "3")),
    "take": (4, 3, "take", 1, ()),
    "pick": (2, 3, "pick", 2, ("second green",)),
    "feed": (3, 25, "feed", 1, ()),
    "consult": (4, 3, "consult", 1, ()),
    "full": (2, 3, "consult", 2, ("?",)),
    "end": (4, 3, "nothing", 0, ()),
}
"""Players, seed, what is asked, from which round on, and what is typed then."""


def scene(walk: Walk, seat: int | None = A, glyphs: Glyphs = UNICODE, **marks: str) -> Scene:
    """What a seat sees of a walk; without marks, those of what it is asked."""
    found = Scene(walk.table, seat, walk.run.look(seat), NAMES[: walk.game.seats], glyphs)
    if walk.asked == [seat]:
        return dataclasses.replace(found, marks=Presenter(walk.menu, found, amanite).marks)
    return found


def walks() -> Iterator[Walk]:
    """Some games of four, at every question."""
    for seed in range(3):
        walk, chance = Walk(4, starts=None, seed=seed), Chance(bytes([seed]) * 32)
        while not walk.run.finished:
            yield walk
            walk.answer({walk.asked[0]: walk.menu.sample(chance, walk.run.look(walk.asked[0]))})
        yield walk


def feed(players: int, seed: int, verb: str, rounds: int, attributes: str = "-1,1,2,3") -> FakeFeed:
    """A game played until seat 0 is asked that, or to its end."""
    found = FakeFeed("amanite", players, 0, seed)
    found.options = {"attributes": attributes}
    found.begin()
    found.advance()
    while found.menu is not None and found.run is not None:
        if found.menu.acts[0].verb == verb and found.run.game.table.round >= rounds:
            break
        found.choose(found.bot.choose(found.run.game, found.menu, found.run.look(found.seat)))
    return found


def shown(name: str, glyphs: Glyphs = UNICODE) -> str:
    """One of the scenes, at every size."""
    players, seed, verb, rounds, typed = SCENES[name]
    table = feed(players, seed, verb, rounds)
    if table.run is None:
        raise RuntimeError("no game")
    scene = Scene(table.run.game.table, table.seat, table.run.look(table.seat), table.names, glyphs)
    lines: list[str] = []
    if table.menu is not None:
        presenter = Presenter(table.menu, scene, amanite)
        notes = [presenter.type(line).note for line in typed]
        lines += [presenter.question, *(f"  {item}" for item in presenter.items), *filter(None, notes)]
        scene = Scene(scene.table, scene.seat, scene.look, scene.names, glyphs, presenter.marks)
    pictures: list[str] = []
    for columns, high in SIZES:
        pictures += [row_text(row).rstrip() for row in amanite.picture(scene, columns, high)]
        pictures.append("-" * columns)
    text = [amanite.progress(scene.table), *pictures, row_text(amanite.hand(scene)), *lines]
    return glyphs.speak("\n".join(text) + "\n")


def told() -> str:
    """A whole game in events."""
    table = feed(*SCENES["end"][:4])
    count = table.updates.statistics().current_buffer_used
    updates = [table.updates.receive_nowait() for _ in range(count)]
    events: list[Tell] = [update.event for update in updates if isinstance(update, Told)]
    return "".join(amanite.describe(event, table.names) + "\n" for event in events)


def captures() -> Iterator[tuple[str, str]]:
    """File name and text of every capture."""
    for name in SCENES:
        yield f"{name}.txt", shown(name)
    yield "divide-ascii.txt", shown("divide", ASCII)
    yield "feed-ascii.txt", shown("feed", ASCII)
    yield "events.txt", told()
