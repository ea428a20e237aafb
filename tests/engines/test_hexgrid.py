"""The board: coordinates, order, names."""

from __future__ import annotations

from engines.hexgrid import CENTRE, NEIGHBOURS, RIM, TILES, WAYS, distance, line, name, step


def test_the_board_has_37_tiles_and_a_rim_of_18() -> None:
    assert len(TILES) == len(set(TILES)) == 37
    assert len(RIM) == 18
    assert all(max(abs(q), abs(r), abs(q + r)) <= 3 for q, r in TILES)


def test_tiles_are_laid_ring_after_ring_from_the_east_clockwise() -> None:
    assert TILES[0] == CENTRE
    assert TILES[1:7] == ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    assert TILES[7:13] == ((2, 0), (1, 1), (0, 2), (-1, 2), (-2, 2), (-2, 1))
    assert TILES[19:23] == ((3, 0), (2, 1), (1, 2), (0, 3))
    for ring in (range(1, 7), range(7, 19), range(19, 37)):
        tiles = [TILES[i] for i in ring]
        assert all(distance(a, b) == 1 for a, b in zip(tiles, [*tiles[1:], tiles[0]], strict=True))


def test_ways_go_clockwise_and_opposites_cancel() -> None:
    assert [WAYS[i] for i in range(6)] == [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert all(step(step(CENTRE, way), way + 3) == CENTRE for way in range(6))
    assert line((0, 0), 7, 3) == ((0, 1), (0, 2), (0, 3))


def test_names_are_those_of_the_picture() -> None:
    assert name(CENTRE) == "d4"
    rows = {"g": range(4, 8), "f": range(3, 8), "e": range(2, 8), "d": range(1, 8), "c": range(1, 7), "b": range(1, 6)}
    wanted = {f"{row}{column}" for row, columns in rows.items() for column in columns} | {"a1", "a2", "a3", "a4"}
    assert {name(tile) for tile in TILES} == wanted
    assert name((3, -3)) == "g7"


def test_names_keep_neighbours_together() -> None:
    assert [name(step(CENTRE, way)) for way in range(6)] == ["d5", "c4", "c3", "d3", "e4", "e5"]
    for tile in TILES:
        for near in NEIGHBOURS[tile]:
            assert tile in NEIGHBOURS[near]
            assert abs(ord(name(tile)[0]) - ord(name(near)[0])) + abs(int(name(tile)[1]) - int(name(near)[1])) in (1, 2)
