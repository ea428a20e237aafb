"""Fungi in words: questions, choices, events, results, rules; and a whole game in lines."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator, Iterator
from itertools import product
from math import prod

import pytest
import trio

from client.play import play_plain
from client.presenter import Presenter
from client.render import fungi, fungi_board, fungi_sums
from client.render.base import Scene
from client.style import ASCII, UNICODE, Appearance
from engines import registry
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import Dealer
from engines.fungi_cards import KINDS, OTHERS, flavour, mushrooms, no_dish
from engines.fungi_table import Dish
from engines.menus import Card
from engines.requests import Result, Tell
from tests.engines.fungi_positions import A, B, Kitchen

from .fakes import FakeFeed
from .fungi_scenes import NAMES, presenter

# -- choices -------------------------------------------------------------------------------------------------------


def test_a_turn_in_words() -> None:
    kitchen = Kitchen(
        hands=("PO PO N-PO HF", ""),
        closed=("PAN BUT", ""),
        forest="HF TE LW SH HW BB MOON FLY",
        sticks=(1, 0),
        decay="TE",
    )
    p = presenter(kitchen)
    assert p.question == "Your turn:"
    assert [str(item) for item in p.items] == [
        "1 take a card",
        "2 take the decay pile",
        "3 cook",
        "4 sell",
        "5 put down a pan",
        "6 pass",
    ]
    p.type("take a")
    assert [str(item) for item in p.items] == ["1 HF honey fungus", "2 TE tree ear", "3 LW lawyer's wig (1 stick)"]
    assert p.items[2].target == kitchen.table.forest[2]
    assert p.type("5").note == (
        "5 HW hen of the woods (3 sticks): each space beyond the first 2 costs a stick, and there are not enough"
    )
    p.type("back")
    p.type("sell")
    assert [str(item) for item in p.items] == ["1 PO porcini (4 mushrooms, 12 sticks for all)"]
    p.type("back")
    p.type("cook 1")
    assert p.question == "Cook which cards, with what? (0 chosen, 2 to 5 wanted; Enter when done)"
    assert [str(item) for item in p.items] == [
        "1 PO porcini",
        "2 PO porcini",
        "3 PAN pan (secret)",
        "4 BUT butter (secret)",
        "5 N-PO porcini by night",
    ]
    p.type("1 2 3 4 5 done")
    assert p.question == (
        "4 porcini, worth 21 flavour = 3×3 ×2 (night) +3 (butter), in the pan from your hand; a night card counts as "
        "two. Really?"
    )
    p.type("no")
    assert p.type("? hf").note == (
        "not possible: HF honey fungus: a dish is mushrooms of one kind, with butter, cider and the pan if they come "
        "from the hand"
    )


def test_a_pan_among_the_cards_does_not_pass_for_a_mushroom() -> None:
    kitchen = Kitchen(hands=("HF HF", ""), closed=("PAN HF", ""))
    p = presenter(kitchen)
    p.type("cook hf")
    assert [item.label.split(" ")[0] for item in p.items] == ["HF", "HF", "PAN", "HF"]
    p.type("1,2,3")
    assert p.question == (
        "Cook which cards, with what? (3 chosen, 3 to 4 wanted; not yet: cooking takes 3 mushrooms of one kind, a "
        "night card counting as two)"
    )
    p.type("4")
    assert p.question.endswith("(4 chosen, 3 to 4 wanted; Enter when done)")


def test_a_card_of_the_forest_is_taken_though_there_is_a_decay_pile() -> None:
    kitchen = Kitchen(hands=("", ""), forest="TE HF LW SH HW BB MOON FLY", decay="PO")
    choice = presenter(kitchen).type("take HF").choice
    assert choice is not None
    assert kitchen.menu.decision(choice).card == kitchen.table.forest[1]
    assert presenter(kitchen).type("take").note == "“take” could be: take a card, take the decay pile"
    assert presenter(kitchen).type("take LW").note == (
        "3 LW lawyer's wig (1 stick): each space beyond the first 2 costs a stick, and there are not enough"
    )
    assert presenter(kitchen).type("take CID").note == "“take” could be: take a card, take the decay pile"


def test_why_cooking_is_impossible_can_be_asked_by_its_number() -> None:
    p = presenter(Kitchen(hands=("HF", ""), forest="MO TE LW SH HW BB MOON FLY"))
    why = "cooking takes 3 mushrooms of one kind, a night card counting as two"
    assert p.type("? 3").note == p.type("? cook").note == f"not possible: cook: {why}"
    assert p.type("? 2").note == "not possible: take the decay pile: the decay pile is empty"


@pytest.mark.parametrize(
    ("faces", "rules", "words"),
    [
        ("HF HF HF", "rulebook", "3×1"),
        ("SH SH SH N-SH", "rulebook", "4×2 ×2 (night)"),
        ("SH SH SH N-SH", "published", "4×2 +2 (night)"),
        ("CH CH CH N-CH BUT CID", "rulebook", "4×4 ×2 (night) +3 (butter) +5 (cider)"),
        ("HF HF HF HF HF HF BUT BUT CID", "rulebook", "6×1 +6 (2 butter) +5 (cider)"),
    ],
)
def test_a_dish_says_how_its_flavour_is_made_up(faces: str, rules: str, words: str) -> None:
    food = faces.split()
    total = flavour(food, rules)
    product_of, *more = re.sub(r" \(.*?\)", "", words).split(" +")
    assert prod(map(int, product_of.split("×"))) + sum(map(int, more)) == total
    assert fungi_sums.of_faces(food, total) == words
    kind, count = food[0], mushrooms(food)
    assert fungi_sums.of_dish(Dish(kind, tuple(map(Card, range(len(food) + 1))), count, total), rules) == words


def test_no_two_sums_fit_one_dish() -> None:
    """What lies closed on the table is told by its size and flavour alone."""
    for kind in KINDS:
        for night, day, butter, cider in product(range(2), range(11), range(4), range(4)):
            food = [f"N-{kind}"] * night + [kind] * day + ["BUT"] * butter + ["CID"] * cider
            for rules in ("rulebook", "published"):
                if day > KINDS[kind].copies or (night and kind == "MO") or no_dish(kind, food, rules):
                    continue
                total = flavour(food, rules)
                dish = Dish(kind, tuple(map(Card, range(len(food) + 1))), mushrooms(food), total)
                assert fungi_sums.of_dish(dish, rules) == fungi_sums.of_faces(food, total)


def test_a_dish_tells_what_is_left_over() -> None:
    p = presenter(Kitchen(hands=("CH CH CH CH", "")))
    p.type("cook 1 1 2 3 done")
    assert p.question == "3 chanterelle, worth 12 flavour = 3×4; 1 of the kind left over. Really?"
    choice = p.type("yes").choice
    assert choice is not None
    assert choice.picks[1] == (0, 1, 2)


@pytest.mark.parametrize(
    ("decay", "rules", "surplus"),
    [("FLY", "rulebook", 3), ("FLY BSK", "rulebook", 1), ("FLY PAN", "published", 4)],
)
def test_one_thinks_twice_before_a_fly_agaric(decay: str, rules: str, surplus: int) -> None:
    kitchen = Kitchen(hands=("HF HF HF HF HF HF HF", ""), decay=decay, forest="FLY TE TE LW LW SH SH PO", rules=rules)
    p = presenter(kitchen)
    p.type("take the decay")
    room = 6 if "BSK" in decay else 4
    assert p.question == (f"The fly agaric leaves room for {room} cards: you will have to discard {surplus}. Really?")
    p = presenter(kitchen)
    p.type("take a 1")
    assert p.question == "The fly agaric leaves room for 4 cards: you will have to discard 3. Really?"
    few = presenter(Kitchen(hands=("HF", ""), forest="FLY TE TE LW LW SH SH PO"))
    assert few.type("take a 1").choice is not None


def test_the_starting_hand_and_the_surplus() -> None:
    for seed in range(30):
        kitchen = Kitchen(game=registry.create("fungi", 2, {}), seed=seed)
        menu, look = kitchen.menus[A], kitchen.run.look(A)
        p = Presenter(menu, Scene(kitchen.table, A, look, NAMES), fungi)
        assert p.question.startswith("Baskets, moons and fly agarics of the starting hand are shown.")
        codes = " ".join(kitchen.faces(kitchen.table.hands[A]))
        specials = " ".join(face for face in codes.split() if face in ("BSK", "MOON", "FLY"))
        first, *rest = [str(item) for item in p.items]
        whole = f"the whole hand ({codes})"
        assert first == f"1 {specials or 'nothing'}" or (first, specials) == (f"1 {whole}", codes)
        assert rest in ([], [f"2 {whole}"])
    kitchen = Kitchen(hands=("HF HF HF HF HF TE", ""), forest="FLY TE TE LW LW SH SH PO")
    kitchen.act("take", 1)
    p = presenter(kitchen)
    assert p.question.startswith("The fly agaric leaves room for 4 cards. Discard: (0 chosen, 2 wanted;")
    choice = p.type("te 1 done").choice
    assert choice is not None
    assert choice.picks == ((0, 5),)


def test_a_pan_is_put_down() -> None:
    p = presenter(Kitchen(hands=("PAN PAN", "")))
    p.type("put")
    assert p.question == "Put down which pan?"
    assert [str(item) for item in p.items] == ["1 PAN pan"]
    assert p.type("1").choice is not None


# -- events --------------------------------------------------------------------------------------------------------

EVENTS = [
    (Tell("begins", {"seat": 1}), "Beto begins"),
    (Tell("dealt", {"each": 3, "left": 70}), "3 cards each, 70 in the pile"),
    (Tell("shown", {"seat": 0, "faces": ("BSK", "MOON", "MOON")}), "Ana shows BSK, 2 MOON of the starting hand"),
    (Tell("shown", {"seat": 0, "faces": ()}), "Ana shows nothing of the starting hand"),
    (Tell("turn", {"seat": 0, "turn": 4}), ""),
    (Tell("took", {"seat": 0, "face": "HF", "space": 2, "sticks": 0}), "Ana takes HF"),
    (Tell("took", {"seat": 0, "face": "HF", "space": 3, "sticks": 1}), "Ana takes HF for 1 stick"),
    (Tell("took", {"seat": 0, "face": "MO", "space": 8, "sticks": 6}), "Ana takes MO for 6 sticks"),
    (Tell("took_decay", {"seat": 1, "faces": ("PAN", "HF", "HF")}), "Beto takes the decay pile: 2 HF, PAN"),
    (Tell("basket", {"seat": 1, "count": 1, "limit": 10}), "Beto may hold 10 cards now"),
    (Tell("night", {"seat": 1, "moons": 1, "cards": 1, "left": 7}), "Beto draws a night card, 7 left"),
    (Tell("night", {"seat": 1, "moons": 2, "cards": 2, "left": 5}), "Beto draws 2 night cards, 5 left"),
    (Tell("night", {"seat": 1, "moons": 1, "cards": 0, "left": 0}), "no night card is left"),
    (Tell("fly", {"seat": 0, "count": 1, "limit": 4}), "a fly agaric: Ana may hold 4 cards"),
    (Tell("discarded", {"seat": 0, "faces": ("TE", "N-HF", "HF")}), "Ana discards HF, N-HF, TE"),
    (
        Tell(
            "cooked",
            {
                "seat": 0,
                "mushroom": "CH",
                "faces": ("BUT", "CH", "N-CH", "CH"),
                "pan": "display",
                "mushrooms": 4,
                "flavour": 27,
            },
        ),
        "Ana cooks 2 CH, N-CH, BUT: 27 flavour = 3×4 ×2 (night) +3 (butter)",
    ),
    (
        Tell(
            "cooked",
            {"seat": 1, "mushroom": "HF", "faces": ("HF",) * 3, "pan": "hand", "mushrooms": 3, "flavour": 3},
        ),
        "Beto cooks 3 HF: 3 flavour = 3×1, pan from the hand",
    ),
    (Tell("sold", {"seat": 0, "mushroom": "HF", "faces": ("N-HF",), "sticks": 2}), "Ana sells N-HF for 2 sticks"),
    (Tell("pan", {"seat": 0, "empty": 2}), "Ana puts down a pan"),
    (Tell("passed", {"seat": 0}), "Ana passes"),
    (Tell("fly_gone", {"seat": 0, "count": 1, "limit": 8}), "the fly agaric is gone: Ana may hold 8 cards"),
    (Tell("decayed", {"face": "HF", "rotten": ()}), "HF decays"),
    (
        Tell("decayed", {"face": "HF", "rotten": ("TE", "TE", "PAN", "MO")}),
        "HF decays, 2 TE, MO, PAN rot away",
    ),
    (Tell("grown", {"faces": ("HF", "MOON"), "left": 20}), "the forest grows: HF MOON"),
    (Tell("over", {"winners": (1,), "scores": (12, 30), "reason": "flavour"}), "Beto wins with 30 flavour to 12."),
]


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_events(event: Tell, words: str) -> None:
    assert fungi.describe(event, NAMES) == words


def test_an_unknown_event_is_no_crash() -> None:
    assert fungi.describe(Tell("sneezed", {}), NAMES) == ""


def test_every_event_of_real_games_has_words() -> None:
    told: list[Tell] = []
    for seed in range(30):
        game = registry.create("fungi", 2, {"rules": ("rulebook", "published")[seed % 2]})
        dealer = Dealer(game, bytes([seed]) * 32, told.append)
        bots = [Random(seat, Chance(bytes([seed, seat]) * 16)) for seat in (A, B)]
        dealer.play(lambda seat, menu, g=game, d=dealer, b=bots: b[seat].choose(g, menu, d.run.look(seat)))  # type: ignore[misc]  # no types in a lambda
    assert {event.kind for event in told if not fungi.describe(event, NAMES)} == {"turn"}
    assert {event.kind for event in told} == {event.kind for event, _ in EVENTS}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result((0,), (30, 12), "flavour"), "Ana wins with 30 flavour to 12."),
        (Result((1,), (30, 30), "mushrooms"), "30 flavour each: Beto wins, having cooked more mushrooms."),
        (
            Result((0, 1), (6, 6), "shared"),
            "6 flavour each, of equally many mushrooms: Ana and Beto share the victory.",
        ),
    ],
)
def test_results(result: Result, words: str) -> None:
    assert fungi.result_text(result, NAMES) == words


def test_the_rules_page_tells_what_a_player_has_to_know() -> None:
    rules = fungi.rules_text()
    for kind, (copies, worth, sticks) in KINDS.items():
        row = next(line for line in rules.splitlines() if line.startswith(f"  {kind}  {fungi_board.NAMES[kind]}"))
        assert [int(word) for word in row.split()[-3:]] == [copies, worth, sticks]
    for face, copies in OTHERS.items():
        assert f"{face} {fungi_board.NAMES[face]} ({copies})" in rules.replace("\n", " ")
    for word in (
        "night",
        "decay pile",
        "six for the last",
        "eight cards",
        "four cards",
        "doubles",
        "published",
        "Passing",
    ):
        assert word in rules
    assert ASCII.speak(rules).isascii()


# -- whole games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", [Appearance(UNICODE, True), Appearance(ASCII, False)])
def test_a_whole_game_in_lines(look: Appearance) -> None:
    feed = FakeFeed("fungi", 2, 0, 5)
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        while True:
            while feed.menu is None and feed.status.result is None:
                await feed.woken.wait()
            if feed.menu is None or feed.run is None:
                return
            menu, view = feed.menu, feed.run.look(0)
            p = Presenter(menu, Scene(feed.run.game.table, 0, view, NAMES), fungi)
            wanted = feed.bot.choose(feed.run.game, menu, view)
            for line in words_for(p, wanted.act, wanted.picks):
                yield line

    async def main() -> None:
        feed.begin()
        feed.advance()
        await play_plain(feed, look, lines=lines(), patient=True, out=out)

    trio.run(main)
    shown = out.getvalue()
    assert "\x1b" not in shown
    assert feed.status.result is not None
    assert "flavour" in shown.splitlines()[-1] or "flavour" in shown[-400:]
    assert look.glyphs.ascii <= shown.isascii()


def words_for(p: Presenter, act: int, picks: tuple[object, ...]) -> Iterator[str]:
    """What to type for that choice, or one with the same labels."""
    label = fungi.act_label(p.scene, p.menu.acts[act])
    yield from typed(p, label if p.act is None else "")
    for number, part in enumerate(p.menu.acts[act].parts):
        if p.part is not part:
            return
        if p.several:
            places = picks[number]
            assert isinstance(places, tuple)
            for item in [item for item in p.items if item.pick in places]:
                yield from typed(p, str(item.number))
            yield from typed(p, "done")
        else:
            value, earlier = part.value(picks[number]), p._values(p._state.prefix)
            wanted = fungi.label(p.scene, p.menu.acts[act], part, earlier, value)
            yield from typed(p, str(next(item.number for item in p.items if item.label == wanted)))
    if p.items and p.items[0].label == "yes":
        yield "yes"


def typed(p: Presenter, line: str) -> Iterator[str]:
    """A line, for the table and for the presenter that goes along with it."""
    if line:
        p.type(line)
        yield line
