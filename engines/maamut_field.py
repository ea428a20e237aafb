"""The field of Mâamut: where hunters can go, where the mammoth flees, and whether it can still be trapped.

For: the rules, the bot and the screen, which must agree on these. Never: pawns and traps as obstacles; only rocks and
the edge of the board stop anybody.

Theory of operation: a field is a map from tile to terrain; a tile outside the map is off the board. `trappable` is a
search that grants the hunters every card they could wish for and full cooperation. It walks over all tiles on which the
mammoth could ever come to rest, so a "no" is certain, and a "yes" costs nobody a game that could still be won.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .hexgrid import NEIGHBOURS, Hex, Way, line, step

ROCK, GRASS, SNOW, CROSS = "rock", "grass", "snow", "cross"
Field = Mapping[Hex, str]
VALUES = (1, 2, 3)
"""What a movement card can say."""
TURNS = (0, 1, 2, 4, 5)
"""The mammoth tries these turns to the right of the hunter's way, in this order; 3 would be towards the hunter."""


def passable(field: Field, tile: Hex) -> bool:
    """On the board and not a rock."""
    return field.get(tile, ROCK) != ROCK


def free(field: Field, start: Hex, way: Way, count: int) -> bool:
    """All tiles of a straight way can be entered."""
    return all(passable(field, step(start, way, i)) for i in range(1, count + 1))


def ways(field: Field, start: Hex, count: int) -> list[Way]:
    """The ways in which a hunter can go that far."""
    return [way for way in range(6) if free(field, start, way, count)]


def flight(field: Field, mammoth: Hex, came: Way, count: int) -> Way | None:
    """Which way the mammoth flees from a hunter who came going `came`; None if it cannot."""
    return next(((came + turn) % 6 for turn in TURNS if free(field, mammoth, came + turn, count)), None)


def connected(field: Field, starts: Iterable[Hex]) -> set[Hex]:
    """All tiles that can be reached on foot from one of these."""
    found: set[Hex] = set()
    todo = list(starts)
    while todo:
        tile = todo.pop()
        if tile not in found:
            found.add(tile)
            todo.extend(near for near in NEIGHBOURS[tile] if passable(field, near))
    return found


def contacts(field: Field, mammoth: Hex, ground: Iterable[Hex]) -> list[tuple[Way, int]]:
    """The ways and cards with which a hunter somewhere on `ground` could run into the mammoth."""
    ground = set(ground)
    return [
        (way, count)
        for way in range(6)
        for count in VALUES
        if any(
            step(mammoth, way, -k) in ground and free(field, step(mammoth, way, -k), way, count)
            for k in range(1, count + 1)
        )
    ]


def trappable(field: Field, mammoth: Hex, hunters: Iterable[Hex], traps: Iterable[Hex]) -> bool:
    """Whether some sequence of cards could still drive the mammoth over a tile that has a trap or could get one."""
    ground = connected(field, hunters)
    pits = {tile for tile in ground if field[tile] == GRASS} | set(traps)
    seen, todo = {mammoth}, [mammoth]
    while todo:
        here = todo.pop()
        for came, count in contacts(field, here, ground):
            way = flight(field, here, came, count)
            if way is None:
                continue
            path = line(here, way, count)
            if not pits.isdisjoint(path):
                return True
            if path[-1] not in seen:
                seen.add(path[-1])
                todo.append(path[-1])
    return False
