"""Amanite in pictures and words."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import AsyncIterator, Hashable, Iterator

import pytest
import trio

from client.play import play_plain
from client.presenter import Presenter
from client.render import amanite
from client.render.base import CANDIDATE, PICKED, Row, Scene, renderer, row_text, row_width
from client.style import ASCII, UNICODE, Appearance, Glyphs
from engines import registry
from engines.amanite_table import COLOURS, TOKENS, Tile
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Act, Choice, Menu, Some
from engines.requests import Result, Tell
from tests.engines.amanite_forest import M0, M1, A, B, Walk, tokens

from .amanite_scenes import CAPTURES, captures, feed
from .fakes import FakeFeed, Steady

NAMES = ["Ana", "Beto", "Caro", "Dina"]
FORMS = [(48, 16), (45, 12), (44, 13), (31, 13), (30, 9), (16, 5)]


def scene(walk: Walk, seat: int | None = A, glyphs: Glyphs = UNICODE, **marks: str) -> Scene:
    """What a seat sees of a walk; without marks, those of what it is asked."""
    found = Scene(walk.table, seat, walk.run.look(seat), NAMES[: walk.game.seats], glyphs)
    if walk.asked == [seat]:
        return dataclasses.replace(found, marks=Presenter(walk.menu, found, amanite).marks)
    return found


def text(rows: list[Row]) -> str:
    return "\n".join(row_text(row).rstrip() for row in rows)


def big(walk: Walk, seat: int | None = A, glyphs: Glyphs = UNICODE) -> str:
    return text(amanite.picture(scene(walk, seat, glyphs), 48, 16))


def walks() -> Iterator[Walk]:
    """Some games of four, at every question."""
    for seed in range(3):
        walk, chance = Walk(4, starts=None, seed=seed), Chance(bytes([seed]) * 32)
        while not walk.run.finished:
            yield walk
            walk.run.answer({walk.asked[0]: walk.menu.sample(chance, walk.run.look(walk.asked[0]))})
            walk.settle()
        yield walk


def test_it_is_found_by_its_name() -> None:
    assert renderer("amanite") is amanite


def test_the_captures_are_what_is_shown() -> None:
    fresh = dict(captures())
    kept = {path.name: path.read_text(encoding="utf-8") for path in CAPTURES.glob("*.txt")}
    assert sorted(kept) == sorted(fresh), "python -m tests.client.amanite_scenes"
    for name, shown in fresh.items():
        assert kept[name] == shown, f"{name}: python -m tests.client.amanite_scenes"
        assert "ascii" not in name or shown.isascii()


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
            assert row_width(amanite.hand(seen)) < 100
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
    assert (
        row_text(amanite.hand(scene(walk))) == "hints: blue/yellow/white +1 +2 poison · green/purple/red -1 +3 antidote"
    )
    assert row_text(amanite.hand(scene(walk, None))).startswith("attributes in play")
    walk.lapse_to("consult")
    walk.lapse()
    walk.act("consult", "yellow", seat=A)
    assert (
        row_text(amanite.hand(scene(walk)))
        == "hints: yellow +2 · blue/white +1 poison · green/purple/red -1 +3 antidote"
    )


# -- words -------------------------------------------------------------------------------------------------------------


def labels(walk: Walk, *typed: str) -> list[str]:
    presenter = Presenter(walk.menu, scene(walk, walk.asked[0]), amanite)
    for line in typed:
        presenter.type(line)
    return [str(item) for item in presenter.items]


def question(walk: Walk, *typed: str) -> str:
    presenter = Presenter(walk.menu, scene(walk, walk.asked[0]), amanite)
    for line in typed:
        presenter.type(line)
    return presenter.question


def test_choices_in_words() -> None:
    walk = Walk(2, starts=None, worth=M0, tiles=["bbg*", "rrrr", "wwww"])
    assert question(walk) == "Which start card do you take?"
    assert labels(walk)[0] == "1 fox (blue yellow red or blue yellow white)"
    assert question(walk, "fox") == "Which side of it?"
    assert labels(walk, "fox") == ["1 A: blue yellow red", "2 B: blue yellow white"]
    walk.act("start", "fox", "A")
    walk.act("start", "squirrel", "A")
    assert question(walk) == "Which tile does your meeple go to?"
    assert labels(walk) == ["1 as the first", "2 as the first", "3 as the first"]
    walk.place(1)
    assert labels(walk) == ["1 as the first", "2 to divide, Ana chooses", "3 as the first"]
    walk.place(0)
    assert labels(walk) == ["1 to divide, Beto chooses", "3 as the first"]
    presenter = Presenter(walk.menu, scene(walk, A), amanite)
    assert presenter.explain() == [
        "not possible: 2 where you are: a player's second meeple may not go to the tile of the first"
    ]
    walk.act("place", 0)
    assert question(walk).startswith("Divide tile 1: which tokens go above?")
    assert labels(walk) == ["1 blue", "2 second blue", "3 green", "4 pig"]
    walk.act("divide", "b*")
    walk.place(2)
    assert question(walk) == "Which pile of tile 1 do you take?"
    assert labels(walk) == ["1 above: blue pig", "2 below: blue green"]
    walk.act("take", "below")
    assert question(walk).startswith("Which tokens of tile 2 do you take? (0 chosen, 2 wanted")
    assert labels(walk) == ["1 red", "2 second red", "3 third red", "4 fourth red"]
    walk.lapse_to("consult")
    walk.table.tile = None
    assert question(walk) == "Which mushroom's hint do you look at?"
    assert labels(walk)[:2] == ["1 blue (+1 or +3 or poison)", "2 green (-1 or +2 or antidote)"]


def test_a_division_can_be_typed_in_words() -> None:
    walk = Walk(2, tiles=["bbg*", "rrrr", "wwww"])
    walk.place(0)
    walk.act("place", 0)
    presenter = Presenter(walk.menu, scene(walk, B), amanite)
    assert presenter.type("blue second blue pig").choice is None
    reply = presenter.type("done")
    assert reply.choice == Choice(0, ((0, 1, 3),))


def test_pigs_in_words() -> None:
    walk = Walk(2, tiles=["bg**", "rrrr", "wwww"], hoards=["rr"])
    walk.place(0)
    walk.act("place", 0)
    walk.act("divide", "g**")
    walk.place(1, 1)
    walk.act("take", "above")
    assert question(walk) == "What does your pig eat? (2 pigs are hungry)"
    assert labels(walk) == ["1 green (you have 1)", "2 red (you have 2)"]
    walk.act("feed", "red")
    assert question(walk) == "What does your pig eat?"


def test_a_notebook_that_tells_nothing_new_is_confirmed() -> None:
    walk = Walk(3, worth=M1)
    walk.lapse_to("consult")
    walk.act("consult", "red")
    walk.lapse_to("place")
    walk.lapse_to("consult")
    walk.lapse()
    assert walk.asked == [2]
    presenter = Presenter(walk.menu, scene(walk, 2), amanite)
    assert "red (it is antidote)" in {item.label for item in presenter.items}
    presenter.type("red")
    assert presenter.question == "You know already that red is antidote. Really?"
    assert presenter.type("no").choice is None
    assert presenter.type("white").choice is not None


def test_acts_have_words() -> None:
    seen = scene(Walk(2))
    for verb in ("start", "place", "divide", "take", "pick", "feed", "consult"):
        assert amanite.act_label(seen, Act(verb)) != verb
    assert amanite.question(seen, Menu((Act("pick"),)), None, Some("tokens", range(2), 2, 2)).startswith("Which tokens")


EVENTS = [
    (Tell("begins", {"seat": 1, "drawn": True}), "Beto is the first player"),
    (
        Tell("start", {"seat": 0, "card": "fox", "side": "A", "colours": ("blue", "yellow", "red")}),
        "Ana takes the fox, side A: blue yellow red",
    ),
    (
        Tell("dealt", {"attributes": ("-1", "2", "antidote", "poison")}),
        "each mushroom has one of -1, +2, antidote and poison",
    ),
    (Tell("hints", {"each": 3}), "everybody has looked at 3 hints"),
    (Tell("round", {"round": 2, "first": 1}), "— round 2, Beto begins —"),
    (
        Tell("grown", {"tiles": (("blue", "pig"), ("red", "red")), "left": 40}),
        "mushrooms grow: 1 b&, 2 rr; 40 left in the bag",
    ),
    (Tell("placed", {"seat": 0, "tile": 2, "space": "pin"}), "Ana goes to tile 3"),
    (
        Tell("divided", {"seat": 0, "tile": 2, "above": ("blue",), "below": ("red", "pig")}),
        "Ana divides tile 3: b / r&",
    ),
    (Tell("took", {"seat": 1, "tile": 0, "tokens": ("blue", "pig"), "rest": ()}), "Beto takes b& from tile 1"),
    (
        Tell("took", {"seat": 1, "tile": 0, "tokens": ("blue",), "rest": ("red", "white")}),
        "Beto takes b from tile 1, rw back to the bag",
    ),
    (Tell("returned", {"tile": 1, "tokens": ("blue", "green")}), "bg of tile 2 back to the bag"),
    (Tell("fed", {"seat": 0, "mushroom": "white", "forced": False}), "Ana's pig eats white"),
    (Tell("unfed", {"seat": 0, "pigs": 1}), "Ana has nothing for a pig to eat"),
    (Tell("unfed", {"seat": 0, "pigs": 2}), "Ana has nothing for 2 pigs to eat"),
    (Tell("consulted", {"seat": 1, "mushroom": "red"}), "Beto looks at the hint of red"),
    (
        Tell("revealed", {"worth": M0}),
        "blue is poison, green is -1, purple is +3, red is antidote, white is +1, yellow is +2",
    ),
    (
        Tell(
            "scored",
            {
                "seat": 0,
                "points": {
                    "-1": -3,
                    "2": 0,
                    "poison": 10,
                    "elixir": -3,
                    "two": 8,
                    "count": -5,
                    "majority": 4,
                    "pig": 3,
                },
                "total": 14,
                "mushrooms": 6,
                "eliminated": "",
            },
        ),
        "Ana: 14 points (-1s -3, cured poison +10, antidote with elixir -3, exactly two +8, count -5, majority +4, "
        "pigs +3)",
    ),
    (Tell("scored", {"seat": 0, "points": {"pig": 0}, "total": 0, "mushrooms": 0, "eliminated": ""}), "Ana: 0 points"),
    (
        Tell("scored", {"seat": 0, "points": {}, "total": None, "mushrooms": 3, "eliminated": "poison"}),
        "Ana is eliminated: more poison than antidote and elixir",
    ),
    (
        Tell("scored", {"seat": 0, "points": {}, "total": None, "mushrooms": 3, "eliminated": "count"}),
        "Ana is eliminated: four or more of the count mushroom",
    ),
    (Tell("over", {"winners": (1,), "scores": (3, 5), "reason": "points"}), "Beto wins with 5 points. Ana 3."),
]


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_events(event: Tell, words: str) -> None:
    assert amanite.describe(event, NAMES) == words


def test_an_unknown_event_is_no_crash() -> None:
    assert amanite.describe(Tell("sneezed", {}), NAMES) == ""


def test_every_event_of_real_games_has_words() -> None:
    told: list[Tell] = []
    for seed in range(20):
        options = {"attributes": ("-1,1,2,3", "elixir,count,two,majority")[seed % 2]}
        game = registry.create("amanite", 4, options)
        dealer = Dealer(game, bytes([seed]) * 32, told.append)
        bots = [Steady(seat, dealer._chance) for seat in range(4)]
        dealer.play(lambda seat, menu, g=game, d=dealer, b=bots: b[seat].choose(g, menu, d.run.look(seat)))  # type: ignore[misc]
    assert all(amanite.describe(event, NAMES) for event in told)
    assert {event.kind for event in told} == {event.kind for event, _ in EVENTS}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result((1,), (3, 5, None), "points"), "Beto wins with 5 points. Ana 3, Caro out."),
        (Result((1,), (14, 14), "mushrooms"), "Beto wins with 14 points and fewer mushrooms. Ana 14."),
        (Result((0, 1), (2, 2), "shared"), "Ana and Beto share the victory with 2 points each."),
        (Result((0, 1, 2), (1, 1, 1), "shared"), "Ana, Beto and Caro share the victory with 1 point each."),
        (Result((0,), (-1, None), "survivor"), "Ana is the only one not eliminated and wins with -1 point."),
        (Result((), (None, None), "nobody"), "All are eliminated: nobody wins."),
    ],
)
def test_results(result: Result, words: str) -> None:
    assert amanite.result_text(result, NAMES) == words


def test_the_rules_page_tells_what_a_player_has_to_know() -> None:
    page = amanite.rules_text()
    for word in ("pin", "split", "notebook", "pig", "antidote", "poison", "elixir", "count", "two", "majority"):
        assert word in page
    for word in ("counterclockwise", "at least one token", "exactly two tokens", "option attributes", "option first"):
        assert word in page
    assert all(colour in page for colour in COLOURS)
    assert ASCII.speak(page).isascii()


# -- at the table ------------------------------------------------------------------------------------------------------


def typed(table: FakeFeed) -> Iterator[str]:
    """What a person types for a bot's idea of what to do."""
    assert table.menu is not None
    assert table.run is not None
    choice = table.bot.choose(table.run.game, table.menu, table.run.look(table.seat))
    for part, pick in zip(table.menu.acts[0].parts, choice.picks, strict=True):
        if isinstance(part, Some):
            yield " ".join(str(place + 1) for place in pick)
            yield "done"
            continue
        seen = Scene(table.run.game.table, table.seat, table.run.look(table.seat), table.names)
        presenter = Presenter(table.menu, seen, amanite)
        if part.name == "side":
            yield part.of[pick]
        else:
            yield str(next(item.number for item in presenter.items if item.pick == pick))
    seen = Scene(table.run.game.table, table.seat, table.run.look(table.seat), table.names)
    values = [part.value(pick) for part, pick in zip(table.menu.acts[0].parts, choice.picks, strict=True)]
    if amanite.outcome(seen, table.menu.acts[0], values):
        yield "yes"


@pytest.mark.parametrize("look", [Appearance(UNICODE, True), Appearance(ASCII, False)])
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_in_lines(look: Appearance, players: int) -> None:
    table = FakeFeed("amanite", players, 0, 5)
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        while True:
            while table.menu is None and table.status.result is None:
                await table.woken.wait()
            if table.menu is None:
                return
            for line in list(typed(table)):
                yield line

    async def main() -> None:
        table.begin()
        table.advance()
        await play_plain(table, look, lines=lines(), patient=True, out=out)

    trio.run(main)
    assert table.status.result is not None
    assert "\x1b" not in out.getvalue()
    assert look.glyphs.ascii <= out.getvalue().isascii()
    assert "The sealed record" in out.getvalue()


def test_clicks_divide_and_take() -> None:
    walk = Walk(2, tiles=["bbg*", "rrrr", "wwww"])
    walk.place(0)
    walk.act("place", 0)
    presenter = Presenter(walk.menu, scene(walk, B), amanite)
    presenter.click(("token", 1))
    presenter.click(("token", 3))
    assert presenter.marks == {
        ("token", 0): CANDIDATE,
        ("token", 1): PICKED,
        ("token", 2): CANDIDATE,
        ("token", 3): PICKED,
    }
    assert presenter.type("").choice == Choice(0, ((1, 3),))


def test_an_empty_tile_and_long_names_do_no_harm() -> None:
    walk = Walk(2, hoards=["b" * 10, "*" * 4])
    walk.table.tiles[0] = Tile(tokens=tokens("bgpryw"))
    seen = dataclasses.replace(scene(walk), names=["A" * 24, "日本語" * 8])
    rows = amanite.picture(seen, 45, 12)
    assert max(map(row_width, rows)) <= 45
    assert "10" in text(rows)


def test_the_feed_of_the_captures_stops_where_it_should() -> None:
    assert feed(3, 25, "feed", 1).run is not None
