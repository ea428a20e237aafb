"""The hexagonal board of 37 tiles: coordinates, directions, and the names that people type.

For: where things are and how far a straight line goes. Never: what lies on a tile; that is the game's affair.

Theory of operation: axial coordinates (q, r) of pointy-top hexagons, q to the east, r to the south; a tile is on the
board when |q|, |r| and |q + r| are at most 3, and on the rim when one of them is 3. The six ways go clockwise from
east, so that way + 1 turns right by one sixth and way + 3 turns back. Names are those of the picture: rows a to g from
bottom to top, columns along the east-west axis, slanting with the rows, so that d4 is the centre and one step east
always adds one to the column.
"""

from __future__ import annotations

Hex = tuple[int, int]
Way = int

RADIUS = 3
CENTRE: Hex = (0, 0)
WAYS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
WAY_NAMES = ("E", "SE", "SW", "W", "NW", "NE")
_ROWS = "abcdefg"


def step(tile: Hex, way: Way, count: int = 1) -> Hex:
    """The tile that many steps away, on the board or not."""
    q, r = WAYS[way % 6]
    return (tile[0] + q * count, tile[1] + r * count)


def line(start: Hex, way: Way, count: int) -> tuple[Hex, ...]:
    """The tiles entered one after the other on a straight way; the start is not among them."""
    return tuple(step(start, way, i) for i in range(1, count + 1))


def distance(a: Hex, b: Hex) -> int:
    """Steps between two tiles."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def _spiral() -> tuple[Hex, ...]:
    tiles = [CENTRE]
    for ring in range(1, RADIUS + 1):
        tile = (ring, 0)
        for way in (2, 3, 4, 5, 0, 1):
            for _ in range(ring):
                tiles.append(tile)
                tile = step(tile, way)
    return tuple(tiles)


TILES: tuple[Hex, ...] = _spiral()
"""The board in the order in which tiles are laid: the centre, then ring after ring, clockwise from the east."""
RIM: tuple[Hex, ...] = tuple(tile for tile in TILES if distance(tile, CENTRE) == RADIUS)
NEIGHBOURS: dict[Hex, tuple[Hex, ...]] = {
    tile: tuple(step(tile, way) for way in range(6) if distance(step(tile, way), CENTRE) <= RADIUS) for tile in TILES
}


def name(tile: Hex) -> str:
    """As people write it: d4 is the centre, g7 the corner at the top right."""
    return f"{_ROWS[RADIUS - tile[1]]}{tile[0] + RADIUS + 1}"
