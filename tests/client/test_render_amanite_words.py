"""Amanite in words: questions, choices, events, results, rules; and whole games in lines."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterator

import pytest
import trio

from client.play import play_plain
from client.presenter import Presenter
from client.render import amanite
from client.render.base import CANDIDATE, PICKED, Scene
from client.style import ASCII, UNICODE, Appearance
from engines import registry
from engines.amanite_table import COLOURS
from engines.dealer import Dealer
from engines.menus import Act, Choice, Menu, Some
from engines.requests import Result, Tell
from tests.engines.amanite_forest import M0, M1, A, B, Walk

from .amanite_scenes import NAMES, scene
from .fakes import FakeFeed, Steady


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
    assert labels(walk) == ["1 as the first, you choose", "2 as the first, you choose", "3 as the first, you choose"]
    walk.place(1)
    assert labels(walk) == ["1 as the first, you choose", "2 to divide, Ana chooses", "3 as the first, you choose"]
    walk.place(0)
    assert labels(walk) == ["1 to divide, Beto chooses", "3 as the first, you choose"]
    presenter = Presenter(walk.menu, scene(walk, A), amanite)
    assert presenter.explain() == [
        "not possible: 2 where you are: a player's second meeple may not go to the tile of the first"
    ]
    walk.act("place", 0)
    assert question(walk).startswith(
        "Divide tile 1: which tokens are the first pile (above)? The rest is the second (below); Beto takes one of "
        "them. (0 chosen, 1 to 3 wanted"
    )
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


@pytest.mark.parametrize(("typed", "picks"), [("& done", (2,)), ("& second & ok", (2, 3)), ("blue & done", (0, 2))])
def test_a_pig_can_be_typed_as_the_board_writes_it(typed: str, picks: tuple[int, ...]) -> None:
    walk = Walk(2, tiles=["bg**", "rrrr", "wwww"])
    walk.place(0)
    walk.act("place", 0)
    presenter = Presenter(walk.menu, scene(walk, B), amanite)
    assert presenter.type(typed).choice == Choice(0, (picks,))


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
        "Ana: 14 points (mushrooms worth -1: -3, cured poison: +10, antidote with elixir: -3, exactly two of one: +8, "
        "by count: -5, majority: +4, pigs: +3)",
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
        dealer.play(lambda seat, menu, g=game, d=dealer, b=bots: b[seat].choose(g, menu, d.run.look(seat)))  # type: ignore[misc]  # no types in a lambda
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
