"""Amnesia in pictures and words: that all fits, that all can be clicked, and that nothing is shown that should be
remembered."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator, Hashable, Iterator

import pytest
import trio

from client.play import play_plain
from client.presenter import Presenter
from client.render import amnesia
from client.render.base import Row, Scene, renderer, row_text, row_width
from client.style import ASCII, UNICODE, Appearance, Glyphs
from engines.amnesia import Rules
from engines.amnesia_table import SPECIALS
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Act, Choice
from engines.requests import Ask, Result, Tell
from tests.engines.amnesia_hands import DEFAULTS, Hand

from .amnesia_scenes import CAPTURES, CARDS, NAMES, captures, names, seen
from .fakes import FakeFeed

FORMS = [(50, 16), (48, 12), (47, 12), (30, 9), (29, 9), (16, 5)]


def text(rows: list[Row]) -> str:
    return "\n".join(row_text(row).rstrip() for row in rows)


def games(seats: int, seeds: int = 2) -> Iterator[Dealer]:
    """Random games with improper acts, at every question."""
    for seed in range(seeds):
        dealer = Dealer(Rules(seats, DEFAULTS), bytes([seed, seats]) * 16)
        chance = Chance(bytes([seed]) * 32)
        while not dealer.run.finished:
            if isinstance(dealer.run.pending, Ask):
                yield dealer
            dealer.step(
                lambda seat, menu, d=dealer, c=chance: (  # type: ignore[misc]
                    menu.lapse if c.below(3) else menu.sample(c, d.run.look(seat), improper=c.below(3) == 0)
                )
            )
        yield dealer


def scene(dealer: Dealer, seat: int | None, glyphs: Glyphs = UNICODE) -> Scene:
    return Scene(dealer.run.game.table, seat, dealer.run.look(seat), NAMES[: dealer.run.game.seats], glyphs)


def test_it_is_found_by_its_name() -> None:
    assert renderer("amnesia") is amnesia


def test_the_captures_are_what_is_shown() -> None:
    fresh = dict(captures())
    kept = {path.name: path.read_text(encoding="utf-8") for path in CAPTURES.glob("*.txt")}
    assert sorted(kept) == sorted(fresh), "python -m tests.client.amnesia_scenes"
    for name, shown in fresh.items():
        assert kept[name] == shown, f"{name}: python -m tests.client.amnesia_scenes"
        assert "ascii" not in name or shown.isascii()


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_the_picture_fits_at_every_question_of_a_game(seats: int, glyphs: Glyphs) -> None:
    for dealer in games(seats):
        for seat in (0, seats - 1, None):
            view = scene(dealer, seat, glyphs)
            sizes = amnesia.forms(view)
            assert sizes[0][0] <= 48
            assert sizes[0][1] <= 16
            for columns, lines in [*FORMS, *sizes]:
                if lines < sizes[-1][1]:
                    continue
                rows = amnesia.picture(view, columns, lines)
                assert max(map(row_width, rows)) <= columns
                assert len(rows) <= lines
                assert glyphs is UNICODE or text(rows).isascii()
            assert amnesia.progress(view.table)
            assert glyphs is UNICODE or row_text(amnesia.hand(view)).isascii()


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_question_has_words_and_different_labels(seats: int) -> None:
    for dealer in games(seats, 1):
        if dealer.run.finished or not isinstance(dealer.run.pending, Ask):
            continue
        for seat, menu in dealer.run.pending.menus.items():
            view = scene(dealer, seat)
            presenter = Presenter(menu, view, amnesia)
            assert presenter.question
            for act in menu.acts:
                assert amnesia.act_label(view, act)
                for part in act.parts:
                    assert amnesia.question(view, menu, act, part) != "Which one?"
            labels = [item.label for item in presenter.items]
            assert len(labels) == len(set(labels))


def targets(rows: list[Row]) -> set[Hashable]:
    return {target for row in rows for _, _, target in row if target is not None}


@pytest.mark.parametrize(
    ("face", "typed"), [("", "snap"), ("Scientist", "look"), ("Thief", "exchange"), ("Detective", "look a Beto")]
)
def test_cards_that_can_be_chosen_can_be_clicked(face: str, typed: str) -> None:
    hand = Hand(CARDS, top="10", pile=(face or "1", "10"), late=True)
    if face:
        hand.do()
        hand.do()
    view = seen(hand, "A")
    presenter = Presenter(hand.menus[hand.seats["A"]], view, amnesia)
    presenter.type(typed)
    assert len(presenter.marks) == 4
    for columns, lines in ((48, 12), (30, 9)):
        assert set(presenter.marks) <= targets(amnesia.picture(view, columns, lines))


# -- what may be seen --------------------------------------------------------------------------------------------------


def faces_in(rows: list[Row]) -> int:
    """Player's cards that lie face up in a picture."""
    return sum(bool(t and t[0] == "card" and style == "note") for row in rows for style, _, t in row)  # type: ignore[index]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_card_is_face_up_only_while_it_is_looked_at_or_all_know_it(seats: int) -> None:
    most = 0
    for dealer in games(seats, 3):
        table = dealer.run.game.table
        if table.result is not None:
            continue
        for seat in range(seats):
            open_now = {*table.looking.get(seat, ()), *table.exposed, *table.marked}
            count = faces_in(amnesia.picture(scene(dealer, seat), 48, 16))
            assert count <= len(open_now)
            most = max(most, count)
        assert faces_in(amnesia.picture(scene(dealer, None), 48, 16)) <= len({*table.exposed, *table.marked})
    assert most > 0


def test_the_log_tells_no_face_but_those_of_powers_and_the_end() -> None:
    face = re.compile(r"\b(Joker|\d+)\b")
    for dealer_events in played():
        for event in dealer_events:
            line = amnesia.describe(event, NAMES)
            if event.kind in ("turned_up", "discarded", "exchanged", "took", "snapped", "drew"):
                slot = str(event.data.get("slot", ""))
                assert [found for found in face.findall(line) if found != slot] == []
                assert not any(special in line for special in SPECIALS)


def played() -> Iterator[list[Tell]]:
    """Events of whole games."""
    for seats in (2, 4, 6):
        for seed in range(4):
            events: list[Tell] = []
            dealer = Dealer(Rules(seats, {**DEFAULTS, "rounds": 2 + seed}), bytes([seed, 9]) * 16, events.append)
            chance = Chance(bytes([seed]) * 32)
            dealer.play(
                lambda seat, menu, d=dealer, c=chance: (  # type: ignore[misc]
                    menu.lapse if c.below(3) else menu.sample(c, d.run.look(seat), improper=c.below(3) == 0)
                )
            )
            yield events


def test_what_is_in_hand_or_looked_at_is_told_to_its_owner_alone() -> None:
    hand = Hand(CARDS, top="10", pile=("Scientist", "1"), late=True)
    hand.do()
    assert row_text(amnesia.hand(seen(hand, "A"))) == "in hand: Scientist (drawn)"
    assert row_text(amnesia.hand(seen(hand, "B"))).startswith("forfeit: ")
    hand.do()
    hand.do(A=("look", 3))
    assert row_text(amnesia.hand(seen(hand, "A"))) == "you see 3 = Joker: remember it"
    assert " Jok" in text(amnesia.picture(seen(hand, "A"), 48, 12)).replace("\n", " ")
    assert "Jok" not in text(amnesia.picture(seen(hand, "B"), 48, 12))
    presenter = Presenter(hand.menus[hand.seats["A"]], seen(hand, "A"), amnesia)
    assert presenter.question.startswith("Remember what you see")
    hand.do()
    assert "Jok" not in text(amnesia.picture(seen(hand, "A"), 48, 12))


def test_taken_and_committed_cards_are_named_as_such() -> None:
    hand = Hand(CARDS, top="10", pile=("7",), late=True)
    hand.do(A="draw_to_discard")
    assert row_text(amnesia.hand(seen(hand, "A"))) == "in hand: 7 (DJ) (to be discarded)"
    hand = Hand(CARDS, top="10", late=True)
    hand.do(A="take")
    assert row_text(amnesia.hand(seen(hand, "A"))) == "in hand: 10 (taken from the discards)"


def test_the_forfeit_is_another_players_text_and_passes_the_gate() -> None:
    hand = Hand(CARDS, forfeit="dance\x1b[2J \u202etwice")
    shown = row_text(amnesia.hand(seen(hand, "A")))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert shown.startswith("forfeit: dance")


# -- words -------------------------------------------------------------------------------------------------------------


def test_an_improper_act_is_typed_in_full_and_confirmed() -> None:
    hand = Hand(CARDS, top="9", late=True)
    menu, view = hand.menus[hand.seats["B"]], seen(hand, "B")
    presenter = Presenter(menu, view, amnesia)
    assert [item.label for item in presenter.items] == ["pass", "snap"]
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
    ("turned_up", {"seat": 0, "card": 5, "face": "9"}, "Ana turns the first discard up"),
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
    ("took", {"seat": 0, "card": 5, "face": "9"}, "Ana takes the last discard"),
    ("discarded", {"seat": 0, "card": 5, "face": "9"}, "Ana discards it"),
    (
        "exchanged",
        {"seat": 0, "slot": 2, "card": 5, "source": "pile", "out": 6, "face": "9"},
        "Ana exchanges it for card 2",
    ),
    ("snapped", {"seat": 0, "slot": 2, "card": 5, "face": "9", "match": True}, "Ana snaps card 2"),
    (
        "snapped",
        {"seat": 0, "slot": 2, "card": 5, "face": "9", "match": False},
        "Ana snaps card 2, which does not match",
    ),
    ("passed", {"seat": 0, "face": "7"}, "Ana does not use the 7 (DJ)"),
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
