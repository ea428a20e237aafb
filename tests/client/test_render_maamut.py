"""Mâamut in pictures and words."""

from __future__ import annotations

import dataclasses

import pytest

from client.presenter import Presenter
from client.render import maamut
from client.render.base import CANDIDATE, PICKED, Scene, renderer, row_text, row_width
from client.style import ASCII, UNICODE, Glyphs
from engines import registry
from engines.dealer import Dealer
from engines.hexgrid import TILES
from engines.maamut_field import CROSS, GRASS, ROCK, SNOW
from engines.maamut_table import Table
from engines.menus import Act, Card, Choice, Menu, One
from engines.requests import Result, Tell
from tests.engines.maamut_positions import hexagon

from .fakes import Steady, started

NAMES = ["Ana", "Beto", "Caro", "Dina"]
FACES = {Card(i): face for i, face in enumerate("1232")}


def scene(glyphs: Glyphs = UNICODE, **places: object) -> Scene:
    """Grass everywhere but the cross; Ana on d2, Beto on g4, the mammoth on d4."""
    table = Table(tiles={tile: GRASS for tile in TILES} | {hexagon("d4"): CROSS})
    table.pawns = {0: hexagon("d2"), 1: hexagon("g4")}
    table.hands = [[Card(0), Card(1), Card(2)], [Card(7), Card(8), Card(9)]]
    for key, value in places.items():
        setattr(table, key, value)
    return Scene(table, 0, FACES.__getitem__, NAMES, glyphs)


def marked(base: Scene, **marks: str) -> Scene:
    """Candidates by name."""
    return dataclasses.replace(base, marks={hexagon(tile): mark for tile, mark in marks.items()})


def big(base: Scene) -> str:
    """The hexagons as text."""
    return "\n".join(row_text(row) for row in maamut.picture(base, 80, 16))


def test_it_is_found_by_its_name() -> None:
    assert renderer("maamut") is maamut


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize(("columns", "lines"), [(45, 15), (44, 15), (33, 7), (32, 9), (17, 7), (17, 15)])
def test_the_form_fits(glyphs: Glyphs, columns: int, lines: int) -> None:
    rows = maamut.picture(marked(scene(glyphs), d1=CANDIDATE, d7=PICKED, g7=CANDIDATE), columns, lines)
    assert max(map(row_width, rows)) <= columns
    assert len(rows) <= lines
    assert glyphs is UNICODE or all(row_text(row).isascii() for row in rows)


@pytest.mark.parametrize("columns", [45, 33, 17])
def test_every_tile_can_be_clicked(columns: int) -> None:
    rows = maamut.picture(scene(), columns, 15)
    assert {target for row in rows for _, text, target in row if target} == set(TILES)


def test_what_stands_on_a_tile_is_told_without_colour() -> None:
    here = hexagon("d2")
    assert '●"d2 ' in big(scene())
    assert "●○d2 " in big(scene(traps={here: 0}))
    assert "●△d2 " in big(scene(traps={here: 1}))
    assert '●"d2▲' in big(scene(pawns={0: here, 1: here}))
    assert '●▲■"2' in big(scene(pawns={0: here, 1: here, 2: here}))
    assert '●▲■◆"' in big(scene(pawns={0: here, 1: here, 2: here, 3: here}))
    assert 'M▲■"2' in big(scene(pawns={1: here, 2: here}, mammoth=here))
    assert "M+d4 " in big(scene())
    assert "▒▒▒▒▒" in big(scene(tiles={tile: ROCK for tile in TILES}))
    assert "·e4 " in big(scene(tiles={tile: SNOW for tile in TILES}))
    assert 'A"d2 ' in big(scene(ASCII))
    assert "Aad2 " in big(scene(ASCII, traps={here: 0}))


def test_candidates_wear_brackets() -> None:
    here = hexagon("d2")
    assert '["e4]' in big(marked(scene(), e4=CANDIDATE))
    assert "[●d2]" in big(marked(scene(), d2=CANDIDATE))
    assert "[●○2]" in big(marked(scene(traps={here: 0}), d2=CANDIDATE))
    assert "[○d2]" in big(marked(scene(pawns={}, traps={here: 0}), d2=CANDIDATE))
    assert "[●▲2]" in big(marked(scene(pawns={0: here, 1: here}), d2=CANDIDATE))
    crowd = dict.fromkeys(range(4), here)
    assert "[●▲■]" in big(marked(scene(pawns=dict.fromkeys(range(3), here)), d2=CANDIDATE))
    assert "[4d2]" in big(marked(scene(pawns=crowd), d2=CANDIDATE))
    assert "[4△2]" in big(marked(scene(pawns=crowd, traps={here: 1}), d2=CANDIDATE))
    assert "[M42]" in big(marked(scene(pawns=crowd, mammoth=here), d2=CANDIDATE))
    small = "\n".join(row_text(row) for row in maamut.picture(marked(scene(), e4=CANDIDATE, e5=PICKED), 33, 7))
    assert '["] ["]' in small
    tiny = "\n".join(row_text(row) for row in maamut.picture(marked(scene(), e4=CANDIDATE, e5=PICKED), 17, 7))
    assert '["["]' in tiny
    two = maamut.picture(scene(pawns={0: here, 1: here}), 17, 7)
    assert "2" in row_text(two[3])


def row(base: Scene, index: int, columns: int) -> str:
    """A row of a small board, without its name."""
    return row_text(maamut.picture(base, columns, 7)[index]).partition("d1-7" if columns >= 33 else "d1")[2]


@pytest.mark.parametrize(
    ("traps", "marks", "small", "tiny"),
    [
        ("d2", "", ' "   ●△  "   M   "   "   ▲  ', ' " ●△" M " " ▲ '),
        ("d2", "d2", ' "  [●△] "   M   "   "   ▲  ', ' "[●△" M " " ▲ '),
        ("d2", "d3", ' "   ●△ ["]  M   "   "   ▲  ', ' " ●△"]M " " ▲ '),
        ("d2", "d2 d3", ' "  [●△]["]  M   "   "   ▲  ', ' "[●△"]M " " ▲ '),
        ("d2", "d1 d2 d3", '["] [●△]["]  M   "   "   ▲  ', '["[●△"]M " " ▲ '),
        ("d7", "", ' "   ●   "   M   "   "   ▲△ ', ' " ● " M " " ▲△'),
        ("d7", "d7", ' "   ●   "   M   "   "  [▲△]', ' " ● " M " "[▲△'),
        ("d6", "d6", ' "   ●   "   M   "  [△]  ▲  ', ' " ● " M "[△]▲ '),
    ],
)
def test_a_trap_under_a_hunter_is_seen_on_the_small_boards(traps: str, marks: str, small: str, tiny: str) -> None:
    base = scene(pawns={0: hexagon("d2"), 1: hexagon("d7")}, traps={hexagon(tile): 1 for tile in traps.split()})
    base.table.tiles[hexagon("d4")] = GRASS
    seen = marked(base, **dict.fromkeys(marks.split(), CANDIDATE))
    assert row(seen, 3, 33) == small
    assert row(seen, 3, 17) == tiny


def test_every_candidate_keeps_a_bracket_beside_traps_under_hunters() -> None:
    """Also where two of them stand side by side: there the second trap has no room on the smallest board."""
    both = {0: hexagon("d2"), 1: hexagon("d3")}
    seen = marked(scene(pawns=both, traps=dict.fromkeys(both.values(), 1)), d2=CANDIDATE, d3=PICKED)
    assert row(seen, 3, 17) == ' "[●△▲]M " " " '
    assert row(marked(seen, d2=CANDIDATE), 3, 17) == ' "[●△▲△M " " " '
    assert row(seen, 3, 33) == ' "  [●△][▲△] M   "   "   "  '
    crowd = scene(pawns=dict.fromkeys(range(3), hexagon("d2")), traps={hexagon("d2"): 1})
    assert row(crowd, 3, 33) == ' "   3△  "   M   "   "   "  '


def test_the_legend_holds_all_signs_where_a_screen_of_80_columns_has_room() -> None:
    for glyphs in (UNICODE, ASCII):
        words = [row_text(maamut.picture(scene(glyphs), columns, 16)[-1]) for columns in (47, 60)]
        for word in ("grass", "snow", "cross", "rock", "mammoth", f"{glyphs.traps[:2]} trap"):
            assert all(word in line for line in words), word


def test_the_rows_of_the_small_boards_are_explained() -> None:
    small = [row_text(row) for row in maamut.picture(scene(), 33, 9)]
    assert [line.split()[0] for line in small[:7]] == ["g4-7", "f3-7", "e2-7", "d1-7", "c1-6", "b1-5", "a1-4"]
    assert small[7:] == ['" grass · snow + cross ▒ rock', "M mammoth ○△ trap"]
    tiny = [row_text(row) for row in maamut.picture(scene(), 20, 20)]
    assert tiny[7:] == ['" grass · snow', "+ cross ▒ rock", "M mammoth ○△ trap", "g4 begins a row"]


def test_the_hand_line() -> None:
    assert row_text(maamut.hand(scene(pile=[Card(20)]))) == "hand, steps: [1] [2] [3]  traps left: ○×4 △×4  pile: 1"
    assert row_text(maamut.hand(scene(hands=[[], []], out=[0], pawns={1: hexagon("g4")}))).startswith("you are out")
    watching = dataclasses.replace(scene(), seat=None)
    assert row_text(maamut.hand(watching)).startswith("traps left")


def move_menu(base: Scene) -> Presenter:
    """A turn with cards 1, 2 and 3."""
    card = One("card", tuple(base.table.hands[0]))
    way = One("way", range(6))
    return Presenter(Menu((Act("move", (card, way), shows=("card",)), Act("propose"))), base, maamut)


def test_ways_tell_where_they_lead_and_what_the_mammoth_does() -> None:
    p = move_menu(scene())
    p.type("move 1")
    assert str(p.items[0]) == "1 E → to d3"
    p.type("back")
    p.type("2")
    assert str(p.items[0]) == "1 E → to d4 (mammoth flees E to d6)"
    assert p.items[0].target == hexagon("d4")


def test_one_thinks_twice_before_losing() -> None:
    base = scene(traps={hexagon("d5"): 1})
    p = move_menu(base)
    p.type("move 2 E")
    assert p.question == "Mind: the mammoth falls into Beto's trap. Really?"
    own = move_menu(scene(traps={hexagon("d5"): 0}))
    assert own.type("move 2 E").choice == Choice(0, (1, 0))
    rocks = {tile: ROCK for tile in TILES} | {hexagon(name): GRASS for name in ("d2", "d3", "d4")}
    trampled = move_menu(scene(tiles=rocks))
    trampled.type("move 2 E")
    assert "tramples your hunter" in trampled.question
    giving_up = move_menu(scene())
    giving_up.type("give up")
    assert "all other hunters agree" in giving_up.question


def test_a_trap_behind_a_frightened_hunter_is_told_too() -> None:
    pawns = {0: hexagon("d2"), 1: hexagon("d5"), 2: hexagon("g4")}
    certain = move_menu(scene(pawns=pawns, traps={hexagon("d6"): 2}))
    certain.type("move 2")
    assert "(the mammoth falls into Caro's trap)" in str(certain.items[0])
    certain.type("E")
    assert certain.question == "Mind: the mammoth falls into Caro's trap. Really?"
    unsure = move_menu(scene(pawns=pawns, traps={hexagon("d6"): 1}))
    unsure.type("move 2 E")
    assert unsure.question == "Mind: the mammoth may fall into Beto's trap. Really?", "unless Beto and trap are removed"
    own = move_menu(scene(pawns=pawns, traps={hexagon("d6"): 0}))
    own.type("move 2")
    assert "(the mammoth falls into your trap)" in str(own.items[0])
    nothing = move_menu(scene(pawns=pawns))
    nothing.type("move 2")
    assert "(mammoth flees E to d6)" in str(nothing.items[0])


EVENTS = [
    (Tell("begins", {"seat": 1}), "Beto begins"),
    (Tell("dealt", {"each": 3, "left": 30}), "3 cards each, 30 in the pile"),
    (Tell("placed", {"seat": 0, "tile": (0, 0)}), "Ana starts on d4"),
    (Tell("round", {"round": 2}), "— round 2 —"),
    (
        Tell("played", {"seat": 1, "card": 3, "value": 2, "way": 5, "path": ((1, -1), (2, -2))}),
        "Beto plays 2, moves NE to f6",
    ),
    (Tell("contact", {"seat": 1, "tile": (0, 0)}), "Beto meets the mammoth on d4"),
    (
        Tell("flees", {"value": 1, "way": 0, "path": ((1, 0),), "turned": True}),
        "the mammoth flees 1, E to d5 (straight on it is hindered)",
    ),
    (Tell("fell", {"tile": (1, 0), "owner": 0, "pushed": 1}), "Beto drives the mammoth into Ana's trap on d5!"),
    (Tell("fell", {"tile": (1, 0), "owner": 1, "pushed": 1}), "Beto drives the mammoth into their own trap on d5!"),
    (
        Tell("frightened", {"seat": 0, "tile": (0, 0), "to": (1, 0), "forced": True}),
        "Ana takes fright and flees from d4 to d5, the only way out",
    ),
    (
        Tell("removed", {"seat": 0, "tile": (0, 0), "why": "reckless", "traps": ((1, 0), (2, 0))}),
        "Ana is trampled: the mammoth could not flee, and is out of the hunt; 2 traps removed",
    ),
    (
        Tell("removed", {"seat": 0, "tile": (0, 0), "why": "frightened", "traps": ()}),
        "Ana takes fright and cannot flee, and is out of the hunt",
    ),
    (Tell("opened", {"seat": 0, "values": (1, 3)}), "Ana shows the hand: 1 3"),
    (Tell("trap_placed", {"seat": 0, "tile": (0, 0)}), "Ana places a trap on d4"),
    (Tell("trap_destroyed", {"seat": 0, "owner": 1, "tile": (0, 0)}), "Ana destroys Beto's trap on d4"),
    (Tell("trap_recovered", {"seat": 0, "tile": (0, 0)}), "Ana takes the trap on d4 back"),
    (Tell("discarded", {"seat": 0, "card": 3, "value": 1}), "Ana discards 1"),
    (Tell("drew", {"seat": 0, "left": 4}), ""),
    (Tell("reshuffled", {"cards": 20}), "the 20 discards are the new pile"),
    (Tell("proposed", {"seat": 0}), "Ana says that the mammoth has survived"),
    (Tell("answered", {"seat": 0, "refused": ()}), "all hunters agree"),
    (Tell("answered", {"seat": 0, "refused": (1,)}), "Beto disagrees: the hunt goes on"),
    (Tell("answered", {"seat": 0, "refused": (1, 2)}), "Beto and Caro disagree: the hunt goes on"),
    (
        Tell("over", {"winners": (1,), "reason": "trapped"}),
        "The mammoth lies in Beto's trap. Beto wins the Sacred Lance!",
    ),
]


@pytest.mark.parametrize(("event", "text"), EVENTS)
def test_events(event: Tell, text: str) -> None:
    assert maamut.describe(event, NAMES) == text


def test_an_unknown_event_is_no_crash() -> None:
    assert maamut.describe(Tell("sneezed", {}), NAMES) == ""


def test_every_event_of_real_games_has_words() -> None:
    told: list[Tell] = []
    for seed in range(30):
        game = registry.create("maamut", 4, {"rounds": 40})
        dealer = Dealer(game, bytes([seed]) * 32, told.append)
        bots = [Steady(seat, dealer._chance) for seat in range(4)]
        dealer.play(lambda seat, menu, g=game, d=dealer, b=bots: b[seat].choose(g, menu, d.run.look(seat)))  # type: ignore[misc]  # no types in a lambda
    silent = {event.kind for event in told if not maamut.describe(event, NAMES)}
    assert silent <= {"drew", "opened"}
    assert {event.kind for event in told} <= {event.kind for event, _ in EVENTS}


@pytest.mark.parametrize("reason", ["survived", "rounds", "agreed", "no hunters"])
def test_results_without_a_winner(reason: str) -> None:
    text = maamut.result_text(Result((), (None,) * 4, reason), NAMES)
    assert text.startswith("The mammoth has survived: ")
    assert text.endswith("Nobody wins the Sacred Lance.")


def test_questions() -> None:
    feed = started()
    assert feed.menu is not None
    assert feed.run is not None
    base = Scene(feed.run.game.table, 0, feed.run.look(0), NAMES)
    assert maamut.question(base, feed.menu, feed.menu.acts[0], feed.menu.acts[0].parts[0]).startswith(
        "Where on the rim"
    )
    agree = Menu((Act("agree"), Act("refuse")))
    assert "Do you agree?" in maamut.question(base, agree, None, None)
    assert "frightens" in maamut.question(base, agree, Act("flee"), One("tile", ()))


def test_the_rules_page_tells_what_a_player_has_to_know() -> None:
    text = maamut.rules_text()
    for word in ("grass", "snow", "rock", "cross", "alone", "clockwise", "fright", "100 rounds", "36 cards", "oldest"):
        assert word in text
    assert ASCII.speak(text).isascii()
