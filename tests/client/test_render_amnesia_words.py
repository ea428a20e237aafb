"""Amnesia in words: choices, events, results, rules, and that no line tells what should be remembered."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterator

import pytest
import trio

from client.play import play_plain
from client.presenter import Presenter
from client.render import amnesia, amnesia_scores
from client.render.base import row_text
from client.style import ASCII, Appearance
from engines.amnesia import Rules
from engines.amnesia_table import SPECIALS
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Act, Choice
from engines.requests import Result, Tell
from tests.engines.amnesia_hands import DEFAULTS, Hand

from .amnesia_scenes import CARDS, NAMES, names, seen
from .fakes import FakeFeed


def test_the_log_names_what_lay_open_to_all_and_nothing_else() -> None:
    """A look is told without what was seen; a card that all could see is named, however short it lay open."""
    named: set[str] = set()
    for events in played():
        for event in events:
            line = amnesia.describe(event, NAMES)
            if "face" in event.data:
                named.add(event.kind)
                assert amnesia.describe(Tell(event.kind, {**event.data, "face": "another"}), NAMES) != line
            elif event.kind not in ("revealed", "shuffled", "swapped", "spied", "fished"):
                assert not any(word in line for word in (*SPECIALS, "Joker", "DJ"))
    opened = {"turned_up", "took", "discarded", "exchanged", "snapped"}
    assert named == opened | {"passed", "demanded"}


def played() -> Iterator[list[Tell]]:
    """Events of whole games."""
    for seats in (2, 4, 6):
        for seed in range(4):
            events: list[Tell] = []
            dealer = Dealer(Rules(seats, {**DEFAULTS, "rounds": 2 + seed}), bytes([seed, 9]) * 16, events.append)
            chance = Chance(bytes([seed]) * 32)
            dealer.play(
                lambda seat, menu, d=dealer, c=chance: (  # type: ignore[misc]  # no types in a lambda
                    menu.lapse if c.below(3) else menu.sample(c, d.run.look(seat), improper=c.below(3) == 0)
                )
            )
            yield events


def test_an_improper_act_is_typed_in_full_and_confirmed() -> None:
    hand = Hand(CARDS, top="9", late=True)
    menu, view = hand.menus[hand.seats["B"]], seen(hand, "B")
    presenter = Presenter(menu, view, amnesia)
    assert [item.label for item in presenter.items] == ["pass", "snap a 9"]
    assert presenter.type("dra").choice is None
    reply = presenter.type("draw")
    assert reply.choice is None
    assert presenter.question.endswith("(this is against the rules) Really?")
    chosen = presenter.type("yes").choice
    assert chosen is not None
    assert menu.acts[chosen.act].verb == "draw"
    assert menu.acts[chosen.act].improper
    presenter = Presenter(menu, view, amnesia)
    presenter.type("peek")
    presenter.type("2")
    assert "You see it, and it costs a penalty card." in presenter.question
    chosen = presenter.type("yes").choice
    assert chosen is not None
    assert menu.decision(chosen).card == hand.table.cells[hand.seats["B"]][2]


def test_a_call_is_confirmed() -> None:
    hand = Hand(CARDS, top="9", late=True)
    presenter = Presenter(hand.menus[hand.seats["A"]], seen(hand, "A"), amnesia)
    assert presenter.type("amnesia").choice is None
    assert "everybody else has one more turn" in presenter.question
    chosen = presenter.type("1").choice
    assert chosen is not None
    assert hand.menus[hand.seats["A"]].acts[chosen.act].verb == "call"


@pytest.mark.parametrize(
    ("cards", "means"),
    [
        (CARDS, "If more than half of you say no, none of you will play Amnesia with Beto again."),
        ({"A": CARDS["A"], "B": CARDS["B"]}, "If you say no, you do not play Amnesia with Beto again."),
    ],
)
def test_the_question_about_a_forfeit_says_what_no_means(cards: dict[str, tuple[str, ...]], means: str) -> None:
    hand = Hand(cards, top="9", late=True)
    hand.do(A="call")
    for _ in cards:
        hand.turn()
    hand.table.totals = [80 if seat == hand.seats["B"] else 0 for seat in range(len(cards))]
    while hand.table.judged is None:
        hand.do()
    presenter = Presenter(hand.menus[hand.seats["A"]], seen(hand, "A"), amnesia)
    assert presenter.question == f"Has Beto done the forfeit (sing a song for the others)? {means}"
    assert [str(item) for item in presenter.items] == ["1 yes, it is done", "2 no, and no more Amnesia with them"]
    assert hand.seats["B"] not in hand.menus
    asked = "the others are asked whether you have done the forfeit"
    assert row_text(amnesia.hand(seen(hand, "B"))) == asked
    assert asked not in row_text(amnesia.hand(seen(hand, "A")))


def test_a_snap_is_one_line() -> None:
    hand = Hand(CARDS, top="9", late=True)
    menu = hand.menus[hand.seats["B"]]
    chosen = Presenter(menu, seen(hand, "B"), amnesia).type("snap 3 1 ok").choice
    assert chosen is not None
    cells = hand.table.cells[hand.seats["B"]]
    assert menu.decision(chosen).cards == (cells[3], cells[1])


def test_a_theft_is_one_line() -> None:
    hand = Hand(CARDS, top="10", pile=("Thief", "10"), late=True)
    hand.do()
    hand.do()
    menu = hand.menus[hand.seats["A"]]
    chosen = Presenter(menu, seen(hand, "A"), amnesia).type("exchange 2 caro 3").choice
    assert chosen is not None
    assert menu.judge(hand.run.look(), chosen) == ""
    decision = menu.decision(chosen)
    assert (decision.own, decision.player, decision.card) == (
        hand.table.cells[hand.seats["A"]][2],
        hand.seats["C"],
        hand.table.cells[hand.seats["C"]][3],
    )


EVENTS = [
    ("dealt", {"hand": 2, "dealer": 1, "first": 0, "each": 4}, "— hand 2: Beto deals, Ana begins —"),
    ("turned_up", {"seat": 0, "card": 5, "face": "9"}, "Ana turns the first discard up: a 9"),
    ("looked", {"seat": 0, "slots": (3,), "cards": (3,)}, "Ana looks at card 3"),
    ("looked", {"seat": 0, "slots": (3, 4), "cards": (3, 4)}, "Ana looks at cards 3 and 4"),
    ("improper", {"seat": 0, "verb": "peek"}, "Ana looks at an own card without the right to"),
    ("improper", {"seat": 0, "verb": "call"}, 'Ana calls "Amnesia" when it is not allowed'),
    ("penalty", {"seat": 0, "slots": (5,), "waived": 0}, "Ana gets a penalty card"),
    ("penalty", {"seat": 0, "slots": (5, 6), "waived": 0}, "Ana gets 2 penalty cards"),
    ("penalty", {"seat": 0, "slots": (5,), "waived": 1}, "Ana gets a penalty card, and no more are left"),
    ("penalty", {"seat": 0, "slots": (), "waived": 1}, "no card is left for Ana's penalty"),
    ("round", {"round": 2}, "— round 2 —"),
    ("drew", {"seat": 0, "left": 9, "committed": False}, "Ana draws"),
    ("drew", {"seat": 0, "left": 9, "committed": True}, "Ana draws to discard"),
    ("took", {"seat": 0, "card": 5, "face": "9"}, "Ana takes the 9 from the discards"),
    ("discarded", {"seat": 0, "card": 5, "face": "8"}, "Ana discards an 8"),
    (
        "exchanged",
        {"seat": 0, "slot": 2, "card": 5, "source": "pile", "out": 6, "face": "9"},
        "Ana exchanges it for card 2, a 9",
    ),
    ("snapped", {"seat": 0, "slot": 2, "card": 5, "face": "9", "match": True}, "Ana snaps card 2, a 9"),
    (
        "snapped",
        {"seat": 0, "slot": 2, "card": 5, "face": "9", "match": False},
        "Ana snaps card 2, a 9, which does not match",
    ),
    ("passed", {"seat": 0, "face": "7"}, "Ana does not use the power of the 7 (DJ)"),
    ("demanded", {"seat": 1, "owner": 0, "face": "Thief"}, "Beto demands that Ana use the Thief"),
    ("shuffled", {"seat": 0, "player": 1, "before": (), "after": ()}, "Ana shuffles Beto's cards (DJ)"),
    (
        "swapped",
        {"seat": 0, "slot": 1, "card": 5, "player": 1, "their_slot": 3, "got": 6},
        "Ana exchanges card 1 with Beto's card 3 (Thief)",
    ),
    ("spied", {"seat": 0, "player": 1, "slot": 2, "card": 5}, "Ana looks at Beto's card 2 (Detective)"),
    ("fished", {"seat": 0, "slot": 5}, "Ana takes an unseen card (Fisherman)"),
    ("called", {"seat": 0}, 'Ana calls "Amnesia"!'),
    ("reshuffled", {"cards": 20}, "the 20 discards below the last one are the new pile"),
    ("skipped", {"seat": 0}, "Ana can neither draw nor take and is passed over"),
    ("stopped", {"reason": "rounds"}, "nobody has called, the hand stops"),
    ("stopped", {"reason": "worn"}, "the cards are worn out"),
    ("revealed", {"seat": 0, "faces": ("9", "Joker"), "sum": 9}, "Ana has 9, Joker, that is 9"),
    ("revealed", {"seat": 0, "faces": (), "sum": 0}, "Ana has no cards"),
    (
        "scored",
        {"hand": 1, "caller": 0, "points": (-10, 12), "totals": (2, 12)},
        "hand 1: Ana -10 = 2, Beto +12 = 12",
    ),
    (
        "over",
        {"winners": (0,), "losers": (1,), "scores": (1, 81), "reason": "above 80"},
        "Ana wins with 1 point. Above 80, and so to do the forfeit: Beto (81).",
    ),
    ("judged", {"seat": 0, "against": (), "fulfilled": True}, "Ana has done the forfeit"),
    (
        "judged",
        {"seat": 0, "against": (1,), "fulfilled": False},
        "Ana is the person who does not fulfil the forfeits",
    ),
]


@pytest.mark.parametrize(("kind", "data", "line"), EVENTS)
def test_events(kind: str, data: dict[str, object], line: str) -> None:
    assert amnesia.describe(Tell(kind, data), NAMES) == line


def test_every_event_of_real_games_has_words() -> None:
    kinds = set()
    for events in played():
        for event in events:
            kinds.add(event.kind)
            assert amnesia.describe(event, NAMES), event
    assert kinds <= {kind for kind, _, _ in EVENTS}
    assert len(kinds) > 20
    assert amnesia.describe(Tell("sneezed", {}), NAMES) == ""


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result((0, 1), (3, 3), "worn"), "Ana and Beto win with 3 points. The cards are worn out"),
        (Result((1,), (90, 85), "above 80"), "Above 80, and so to do the forfeit: Ana (90) and Beto (85)."),
        (Result((1,), (45, -10), "above 40"), "Beto wins with -10 points."),
        (Result((), (None, None), "given up"), "Nobody wins."),
    ],
)
def test_results(result: Result, words: str) -> None:
    assert words in amnesia.result_text(result, NAMES)


def test_the_rules_page_tells_what_a_player_has_to_know() -> None:
    rules = amnesia.rules_text()
    for word in ("DJ", *SPECIALS, "Joker", "counterclockwise", "80", "40", "last chance", "demand", "forfeit", "58"):
        assert word in rules
    assert ASCII.speak(rules).isascii()


def test_plain_mode_plays_a_hand_without_an_escape_byte() -> None:
    out = io.StringIO()

    async def lines() -> AsyncIterator[str]:
        for line in ("look 3 4", "", "2", "?", "draw", "discard", *["pass"] * 3):
            yield line

    async def main() -> None:
        feed = FakeFeed("amnesia", 3, seed=5)
        feed.begin()
        feed.advance()
        await play_plain(feed, Appearance(ASCII, False), lines=lines(), patient=True, out=out)

    trio.run(main)
    shown = out.getvalue()
    assert "\x1b" not in shown
    assert "Ana looks at cards 3 and 4" in shown
    assert "you see 3 = " in shown
    assert shown.isascii()


def test_unknown_acts_are_no_crash() -> None:
    hand = Hand(CARDS)
    view = seen(hand, "A")
    assert amnesia.act_label(view, Act("sneeze")) == "sneeze"
    assert amnesia.outcome(view, Act("sneeze"), ()) == ""
    assert Choice(0) == hand.menus[hand.seats["C"]].lapse
    assert names(hand) == ["Beto", "Ana", "Caro"]


@pytest.mark.parametrize(
    ("before", "lines"),
    [
        ([], ["Ana: 32 points; called the last hand with 3 on the cards", "Beto: 86 points; above 80"]),
        (
            [(1, 2)],
            [
                "Ana: 32 points, hand by hand 1, -10; called the last hand with 3 on the cards",
                "Beto: 86 points, hand by hand 2, 17; above 80",
            ],
        ),
    ],
)
def test_the_points_are_told_hand_by_hand(before: list[tuple[int, int]], lines: list[str]) -> None:
    hand = Hand({"A": ("2", "1"), "B": ("9", "8")}, top="9", late=True)
    table, (a, b) = hand.table, (hand.seats["A"], hand.seats["B"])
    assert (a, b) == (0, 1)
    table.totals, table.points = [42, 69], list(before)
    hand.do(A="call")
    for _ in range(2):
        hand.turn()
    while table.result is None:
        hand.do()
    told = amnesia_scores.score_lines(table, table.result, NAMES)
    assert told == [*lines, "The forfeit: sing a song for the others"]
