"""The board of Mâamut in three sizes: hexagons of fifteen lines, and two with one sign a tile.

For: the picture alone; the words are in maamut.py. Never: a terrain, an owner or a candidate told by colour only.

Theory of operation: a row of tiles keeps its east-west order and is shifted half a tile against the next. In the big
form a tile has five columns between its walls: ground and name in the middle, hunters left and right; a candidate wears
brackets in the outer two, and then hunters move inside at the expense of the ground and the row's letter (which also
stands at the left edge). The small forms begin each row with the names of its tiles, the first and the last ("g4-7");
where there is no room for that, with the first alone. In all of them a trap under somebody is at their right side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.hexgrid import RADIUS, TILES, Hex, name
from engines.maamut_field import CROSS, GRASS, ROCK, SNOW
from engines.maamut_table import Table

from ..style import Glyphs, shape
from .base import PICKED, Fragment, Row, Scene, row_width

BIG = (45, 15)
SMALL = (33, 7)
TINY = (17, 7)
_ROWS = tuple(
    tuple(sorted(tile for tile in TILES if tile[1] == r)) for r in range(-RADIUS, RADIUS + 1)
)  # top row first, west to east
_PITCH = 6


def _ground_sign(glyphs: Glyphs, terrain: str) -> str:
    return {GRASS: glyphs.grass, SNOW: glyphs.snow, CROSS: glyphs.cross, ROCK: glyphs.rock}.get(terrain, " ")


def _ground(scene: Scene, tile: Hex) -> Fragment:
    """The trap on a tile, or else its terrain."""
    table: Table = scene.table
    if tile in table.traps:
        owner = table.traps[tile]
        return (f"seat{owner % 4}", scene.glyphs.traps[owner % 4], tile)
    terrain = table.tiles.get(tile, "")
    return (terrain or "dim", _ground_sign(scene.glyphs, terrain), tile)


def _pawns(scene: Scene, tile: Hex) -> list[Fragment]:
    """The mammoth first, then hunters by seat, one's own before the others'."""
    table: Table = scene.table
    found: list[Fragment] = []
    if table.tiles and tile == table.mammoth:
        found.append(("mammoth", scene.glyphs.mammoth, tile))
    seats = sorted((seat for seat, at in table.pawns.items() if at == tile), key=lambda s: (s != scene.seat, s))
    return found + [(f"seat{seat % 4}", shape(scene.glyphs, seat), tile) for seat in seats]


def _inside(scene: Scene, tile: Hex) -> list[Fragment]:
    """The five columns between two walls."""
    table: Table = scene.table
    mark, label = scene.marks.get(tile), name(tile)
    ground, pawns = _ground(scene, tile), _pawns(scene, tile)
    terrain = table.tiles.get(tile, "") or "dim"
    text: Fragment = (terrain if mark is None else mark, label, tile)
    digit: Fragment = (text[0], label[1], tile)
    space: Fragment = ("", " ", tile)
    if terrain == ROCK and mark is None and not pawns:
        return [(ROCK, scene.glyphs.rock * 5, tile)]
    if mark is None:
        if len(pawns) > 2:
            return [*pawns, ground, digit, space][:5]
        left = pawns[0] if pawns else space
        right = pawns[1] if len(pawns) > 1 else space
        return [left, ground, text, right]
    trap = [ground] if tile in table.traps else []
    if len(pawns) + len(trap) > 3:
        hunters = [one for one in pawns if one[0] != "mammoth"]
        pawns = [*(one for one in pawns if one not in hunters), ("note", str(len(hunters)), tile)]
    middle = [*pawns, *trap, digit][:3] if len(pawns) + len(trap) > 1 else [*pawns, *(trap or []), text]
    if not pawns:
        middle = [ground, text]
    if mark == PICKED:
        middle = [(f"{style} {PICKED}", sign, target) for style, sign, target in middle]
    return [(mark, "[", tile), *middle, (mark, "]", tile)]


def _walls(index: int) -> int:
    """The column of a row's first wall."""
    return 2 + abs(index - RADIUS) * (_PITCH // 2)


def _edge(above: int) -> str:
    """The line between row `above` and the next; -1: above the first row."""
    if above < RADIUS:
        below = above + 1
        return " " * (_walls(below) + 1) + ("_" if above >= 0 else " ").join([".-'-."] * len(_ROWS[below]))
    return " " * _walls(above) + "'-._.-" * len(_ROWS[above]) + "'"


def big(scene: Scene) -> list[Row]:
    """Fifteen lines of hexagons."""
    rows: list[Row] = [[("frame", _edge(-1), None)]]
    for index, tiles in enumerate(_ROWS):
        row: Row = [("dim", name(tiles[0])[0].ljust(_walls(index)), None), ("frame", "|", None)]
        for tile in tiles:
            row += [*_inside(scene, tile), ("frame", "|", None)]
        rows += [row, [("frame", _edge(index), None)]]
    return rows


def _sign(scene: Scene, tile: Hex) -> Fragment:
    """One column for a tile: who stands there, how many if several, or else the ground."""
    pawns = _pawns(scene, tile)
    if len(pawns) > 1 and pawns[0][0] != "mammoth":
        return ("note", str(len(pawns)), tile)
    return pawns[0] if pawns else _ground(scene, tile)


def one_sign(scene: Scene, pitch: int) -> list[Row]:
    """Seven lines, one sign a tile; candidates in brackets, neighbours share one."""
    return [list(_one_sign_row(scene, index, pitch)) for index in range(len(_ROWS))]


def _under(scene: Scene, tile: Hex) -> Fragment | None:
    """The trap under those who stand there."""
    return _ground(scene, tile) if tile in scene.table.traps and _pawns(scene, tile) else None


def _one_sign_row(scene: Scene, index: int, pitch: int) -> Iterator[Fragment]:
    tiles = _ROWS[index]
    label = name(tiles[0]) + (f"-{name(tiles[-1])[1]}" if pitch > 2 else "")
    yield ("dim", label.ljust(min(pitch, 4) + abs(index - RADIUS) * (pitch // 2)), None)
    yield from _apart(scene, tiles) if pitch > 2 else _close(scene, tiles)


def _apart(scene: Scene, tiles: Sequence[Hex]) -> Iterator[Fragment]:
    """Four columns a tile."""
    for tile in tiles:
        mark, trap = scene.marks.get(tile), _under(scene, tile)
        yield (mark or "", "[" if mark else " ", tile)
        yield _marked(_sign(scene, tile), mark)
        if trap:
            yield _marked(trap, mark)
        yield (mark or "", "]" if mark else " ", tile)
        if not trap:
            yield ("", " ", None)


def _close(scene: Scene, tiles: Sequence[Hex]) -> Iterator[Fragment]:
    """Two columns a tile. A trap under somebody takes the place of a bracket, if the other one stays."""
    before, trap = None, None
    for tile in tiles:
        mark = scene.marks.get(tile)
        yield trap or (mark or before or "", "[" if mark else "]" if before else " ", tile)
        yield _marked(_sign(scene, tile), mark)
        trap = None if mark and trap else _under(scene, tile)
        before = mark
    yield trap or (before or "", "]" if before else " ", None)


def _marked(fragment: Fragment, mark: str | None) -> Fragment:
    style, sign, target = fragment
    return (f"{style} {mark}" if mark else style, sign, target)


def legend(glyphs: Glyphs, columns: int, lines: int, *, tiny: bool = False) -> list[Row]:
    """What the signs mean, as many of them as fit. `tiny`: rows are called by their first tile."""
    entries = [
        (GRASS, glyphs.grass, "grass"),
        (SNOW, glyphs.snow, "snow"),
        (CROSS, glyphs.cross, "cross"),
        (ROCK, glyphs.rock, "rock"),
        ("mammoth", glyphs.mammoth, "mammoth"),
        ("", glyphs.traps[:2], "trap"),
    ]
    if tiny:
        entries.append(("dim", name(_ROWS[0][0]), "begins a row"))
    words: list[Row] = [[(style, sign, None), ("dim", f" {word}", None)] for style, sign, word in entries]
    wide = sum(map(row_width, words)) + 2 * (len(words) - 1) <= columns
    rows: list[Row] = [[]]
    for entry in words:
        gap: Row = [("", " " * (1 + wide), None)] if rows[-1] else []
        if row_width(rows[-1] + gap + entry) <= columns:
            rows[-1] += gap + entry
        elif row_width(entry) <= columns:
            rows.append(entry)
    return rows[:lines]
