"""Amanite in pictures."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Hashable

import pytest

from client.presenter import Presenter
from client.render import amanite, amanite_board
from client.render.base import Row, Scene, renderer, row_text, row_width
from client.style import ASCII, UNICODE, Appearance, Glyphs, shape
from engines.amanite_hints import groups
from engines.amanite_table import TOKENS, Tile
from tests.engines.amanite_forest import M0, A, B, Walk, tokens

from .amanite_scenes import feed, scene, walks
from .fakes import FakeFeed
from .screenshot import Shown

FORMS = [(48, 16), (56, 60), (45, 12), (44, 13), (31, 13), (58, 9), (48, 9), (30, 9), (16, 5), (16, 60)]


def text(rows: list[Row]) -> str:
    return "\n".join(row_text(row).rstrip() for row in rows)


def big(walk: Walk, seat: int | None = A, glyphs: Glyphs = UNICODE) -> str:
    return text(amanite.picture(scene(walk, seat, glyphs), 48, 16))


def test_it_is_found_by_its_name() -> None:
    assert renderer("amanite") is amanite


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_the_picture_fits_at_every_question_of_a_game(glyphs: Glyphs) -> None:
    for walk in walks():
        for seat in (*walk.asked, None):
            seen = scene(walk, seat, glyphs)
            for columns, lines in [*FORMS, *amanite.forms(seen)]:
                rows = amanite.picture(seen, columns, lines)
                assert max(map(row_width, rows)) <= columns
                assert len(rows) <= lines
                assert glyphs is UNICODE or text(rows).isascii()
            assert row_width(amanite.hand(seen)) <= amanite.HAND
            assert glyphs is UNICODE or row_text(amanite.hand(seen)).isascii()
            assert amanite.progress(walk.table)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_forms_promise_what_the_picture_keeps(seats: int) -> None:
    seen = scene(Walk(seats))
    for columns, lines in amanite.forms(seen):
        rows = amanite.picture(seen, columns, lines)
        assert len(rows) == lines
        assert max(map(row_width, rows)) <= columns
    assert amanite.forms(seen)[0][0] <= 48
    assert amanite.forms(seen)[0][1] <= 15


def targets(rows: list[Row]) -> set[Hashable]:
    return {target for row in rows for _, _, target in row if target is not None}


@pytest.mark.parametrize(("columns", "lines"), [(48, 16), (31, 13)])
def test_everything_that_can_be_chosen_can_be_clicked(columns: int, lines: int) -> None:
    seen_verbs = set()
    for walk in walks():
        if not walk.asked or walk.verb == "start":
            continue
        seen = scene(walk, walk.asked[0])
        presenter = Presenter(walk.menu, seen, amanite)
        rows = amanite.picture(seen, columns, lines)
        assert set(presenter.marks) <= targets(rows), walk.verb
        seen_verbs.add(walk.verb)
    assert seen_verbs == {"place", "divide", "take", "pick", "feed", "consult"}


# -- the picture -------------------------------------------------------------------------------------------------------


def test_tiles_meeples_and_tokens_are_told_without_colour() -> None:
    walk = Walk(2, tiles=["bgpr", "wy**", "bbbb"])
    assert "·bgpr  · ·wy&&  · ·bbbb  ·" in big(walk)
    assert "[1]      [2]      [3]" in big(walk)
    walk.place(0)
    assert "●bgpr  · ·wy&&  ·" in big(walk, B)
    walk.act("place", 0)
    assert "●bgpr  ▲" in big(walk)
    assert "▸1" in big(walk)
    walk.act("divide", "gp")
    lines = big(walk).splitlines()
    assert lines[1] == " gp"
    assert lines[2].startswith("●──────▲")
    assert lines[3] == " br"
    assert "A------B" in big(walk, glyphs=ASCII)


def test_tokens_being_picked_rise() -> None:
    walk = Walk(2, tiles=["bgpr", "wy**", "bbbb"])
    walk.place(0)
    walk.act("place", 0)
    seen = scene(walk, B)
    presenter = Presenter(walk.menu, seen, amanite)
    presenter.type("1 3")
    rows = amanite.picture(dataclasses.replace(seen, marks=presenter.marks), 48, 16)
    assert row_text(rows[1]).startswith(" bp ")
    assert row_text(rows[2]).startswith("●gr    ▲")
    assert ("token-blue picked", "b", ("token", 0)) in rows[1]
    assert ("token-green candidate", "g", ("token", 1)) in rows[2]
    small = amanite.picture(dataclasses.replace(seen, marks=presenter.marks), 31, 9)
    assert row_text(small[0]).startswith("▸1 ●bp/gr  ▲")


def test_a_pile_that_can_be_taken_wears_brackets() -> None:
    walk = Walk(2, tiles=["bgpr", "wy**", "bbbb"])
    walk.place(0)
    walk.act("place", 0)
    walk.act("divide", "gp")
    walk.place(1, 1)
    lines = big(walk).splitlines()
    assert (lines[1][:4], lines[3][:4]) == ("[gp]", "[br]")
    assert big(walk, B).splitlines()[1].startswith(" gp"), "nobody else is asked"
    small = text(amanite.picture(scene(walk), 31, 9)).splitlines()
    assert small[0].startswith("▸1 ●[gp]/[br]▲")


def test_what_is_known_of_each_colour() -> None:
    walk = Walk(2, worth=M0)
    row = next(line for line in big(walk).splitlines() if line.startswith("may be"))
    assert row.split() == ["may", "be", "2AP", "N13", "N13", "2AP", "N13", "2AP", "+3"]
    onlooker = next(line for line in big(walk, None).splitlines() if line.startswith("may be"))
    assert onlooker.split() == ["may", "be", *"??????", "+3"]
    walk.lapse_to("consult")
    walk.lapse()
    walk.act("consult", "red", seat=A)
    row = next(line for line in big(walk).splitlines() if line.startswith("may be"))
    assert row.split() == ["may", "be", "2P", "N13", "N13", "anti", "N13", "2P", "+3"]
    notebooks = next(line for line in big(walk).splitlines() if line.startswith("notebooks"))
    assert notebooks.split() == ["notebooks", "▲", "·", "·", "●", "·", "·"]
    small = text(amanite.picture(scene(walk), 31, 9))
    assert "=A" in small
    walk.lapse_to("nothing")
    row = next(line for line in big(walk, None).splitlines() if line.startswith("is"))
    assert row.split() == ["is", "pois", "-1", "+3", "anti", "+1", "+2", "+3"]


def test_hoards_bag_and_points() -> None:
    walk = Walk(2, hoards=["bb*", "ggg"])
    rows = {line.split()[0]: line.split()[1:] for line in big(walk).splitlines()[6:] if line.strip()}
    assert rows["●"] == ["Ana", "2", "-", "-", "-", "-", "-", "1"]
    assert rows["▲"] == ["Beto", "-", "3", "-", "-", "-", "-", "-"]
    bag = [walk.table.bag[token] for token in TOKENS]
    assert rows["bag"] == [str(n) for n in bag]
    done = Walk(2, hoards=["bb*", "ggg"], skipped=3)
    assert "● Ana out" in big(done)
    assert "▲ Beto -3" in big(done)
    assert "in play: N=-1 1 2 3 Antidote Poison" in big(done)


def test_food_wears_brackets() -> None:
    walk = Walk(2, tiles=["bg**", "rrrr", "wwww"], hoards=["rr"])
    walk.place(0)
    walk.act("place", 0)
    walk.act("divide", "g*")
    walk.place(1, 1)
    walk.act("take", "above")
    assert walk.verb == "feed"
    row = next(line for line in big(walk).splitlines() if line.startswith("● Ana"))
    assert row.split() == ["●", "Ana", "-", "[1]", "-", "[2]", "-", "-", "1"]
    assert "[2]" not in big(walk, B)


def test_the_hand_line() -> None:
    walk = Walk(2, starts=None, worth=M0)
    assert row_text(amanite.hand(scene(walk))) == "attributes in play: -1, +1, +2, +3, antidote and poison"
    walk.act("start", "fox", "B")
    assert row_text(amanite.hand(scene(walk))) == "start card: fox, side B: blue yellow white"
    walk.lapse()
    assert row_text(amanite.hand(scene(walk))) == "hints: b/y/w +1 +2 poison · g/p/r -1 +3 antidote"
    assert row_text(amanite.hand(scene(walk, None))).startswith("attributes in play")
    walk.lapse_to("consult")
    walk.lapse()
    walk.act("consult", "yellow", seat=A)
    assert row_text(amanite.hand(scene(walk))) == "hints: y +2 · b/w +1 poison · g/p/r -1 +3 antidote"


LONG = {"blue": "poison", "red": "count", "yellow": "majority", "green": "elixir", "white": "antidote", "purple": "two"}
SECOND = {"blue": "2", "red": "elixir", "yellow": "3", "green": "count", "white": "poison", "purple": "antidote"}


@pytest.mark.parametrize("worth", [M0, LONG, SECOND])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_hint_is_lost_on_a_usual_screen(worth: dict[str, str], seats: int) -> None:
    walk = Walk(seats, worth=worth)
    while walk.asked:
        for seat in range(seats):
            seen = scene(walk, seat)
            line = row_text(amanite.hand(seen)).removeprefix("hints: ")
            assert len(line) < 60
            told = {}
            for group in line.split(" · "):
                letters, *attributes = group.split(" ")
                told[letters] = [_spelled(word) for word in attributes]
            known = groups(walk.table, seat, seen.look)
            assert told == {"/".join(c[0] for c in colours): list(attributes) for colours, attributes in known}
        walk.lapse()


def _spelled(word: str) -> str:
    """An attribute from its short word, or as it is."""
    return {short: attribute for attribute, short in amanite_board.WORDS.items()}.get(word, word)


@pytest.mark.parametrize("columns", [76, 56])
def test_the_board_page_has_all_hints_in_full(columns: int) -> None:
    walk = Walk(4, worth=LONG)
    page = " ".join(text([*amanite.picture(scene(walk), columns, 60), amanite.hand(scene(walk))]).split())
    assert "hints: blue/yellow/red count majority poison · green/purple/white elixir two antidote" in page
    assert "in play: Elixir Count Two Majority Antidote Poison" in page


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (60, 20)])
def test_the_whole_table_is_on_a_usual_screen(seats: int, columns: int, lines: int) -> None:
    table = feed(seats, 3, "place", 2, attributes="elixir,count,two,majority")
    shown = Shown(table, Appearance(UNICODE, True)).text(columns, lines)
    assert "EMA" in shown or "EM  " in shown, "what mushrooms may be"
    assert "bag" in shown
    for seat in range(seats):
        assert table.run is not None
        held = list(table.run.game.table.held[seat].values())
        row = f"{shape(UNICODE, seat)} {table.names[seat]}" + "".join(f" +{count or '-'}" for count in held)
        assert re.search(row, shown), shown
    if lines == 24 or seats == 4:
        assert re.search("in play: Elix(.|\n)* Pois", shown), shown


def page(table: FakeFeed, columns: int, lines: int) -> str:
    """All that F4 holds, scrolled through."""
    shown = Shown(table, Appearance(UNICODE, True))
    shown.screen.desk.open("board")
    seen: list[str] = []
    for at in range(60):
        shown.screen._scroll = at
        rows = text(shown.screen.rows(columns, lines)).replace("│", " ").splitlines()
        seen += [row for row in rows[:-1] if row not in seen]
    return "\n".join(seen)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("columns", "lines"), [(30, 9), (34, 9), (20, 4)])
def test_the_page_of_the_board_holds_all_on_small_screens(seats: int, columns: int, lines: int) -> None:
    table = feed(seats, 3, "consult", 2, attributes="elixir,count,two,majority")
    assert table.run is not None
    there = table.run.game.table
    seen = page(table, columns, lines)
    assert seen.count("hints:") == 1
    assert "bag" in seen
    assert "in play: Elixir" in seen
    assert all(f"{shape(UNICODE, seat)} {table.names[seat]}" in seen for seat in range(seats))
    guesses = [guess for _, guess, _ in amanite_board._may_be(scene_of(table), 4)]
    for token, guess in zip(TOKENS, guesses, strict=True):
        row = next(line for line in seen.splitlines() if re.match(rf"[ \[]+{amanite_board.sign(token)}[ \]]", line))
        held = [str(there.held[seat][token] or "-") for seat in range(seats)]
        assert row.split()[-seats - 1 :] == [*held, str(there.bag[token] or "-")]
        for seat in there.notebooks.get(token, ()):
            assert shape(UNICODE, seat) in row
        assert re.search(rf"[ \]]{guess} ", row), (guess, row)


def scene_of(table: FakeFeed) -> Scene:
    assert table.run is not None
    return Scene(table.run.game.table, table.seat, table.run.look(table.seat), table.names, UNICODE)


@pytest.mark.parametrize(("players", "seed", "verb", "kind"), [(4, 3, "consult", "mushroom"), (3, 25, "feed", "food")])
def test_what_can_be_chosen_has_brackets_on_a_narrow_page(players: int, seed: int, verb: str, kind: str) -> None:
    table = feed(players, seed, verb, 1)
    assert table.menu is not None
    marks = Presenter(table.menu, scene_of(table), amanite).marks
    rows = amanite.picture(dataclasses.replace(scene_of(table), marks=marks), 26, 60)
    bracketed = [(text, to) for row in rows for _, text, to in row if text[:1] == "["]
    wanted = [(f"[{amanite_board.sign(token)}]", (kind, token)) for token in TOKENS if (kind, token) in marks]
    assert bracketed == wanted != []


def test_an_empty_tile_and_long_names_do_no_harm() -> None:
    walk = Walk(2, hoards=["b" * 10, "*" * 4])
    walk.table.tiles[0] = Tile(tokens=tokens("bgpryw"))
    seen = dataclasses.replace(scene(walk), names=["A" * 24, "日本語" * 8])
    rows = amanite.picture(seen, 45, 12)
    assert max(map(row_width, rows)) <= 45
    assert "10" in text(rows)


def test_the_feed_of_the_captures_stops_where_it_should() -> None:
    assert feed(3, 25, "feed", 1).run is not None
