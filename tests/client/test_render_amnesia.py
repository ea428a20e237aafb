"""Amnesia in pictures: that all fits, that all can be clicked, and that nothing is shown that should be remembered."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator

import pytest

from client.presenter import Presenter
from client.render import amnesia
from client.render.base import CANDIDATE, Row, Scene, renderer, row_text, row_width
from client.style import ASCII, UNICODE, Glyphs
from engines.amnesia import Rules
from engines.chance import Chance
from engines.dealer import Dealer
from engines.requests import Ask
from tests.engines.amnesia_hands import DEFAULTS, Hand

from .amnesia_scenes import CARDS, NAMES, seen

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
                lambda seat, menu, d=dealer, c=chance: (  # type: ignore[misc]  # no types in a lambda
                    menu.lapse if c.below(3) else menu.sample(c, d.run.look(seat), improper=c.below(3) == 0)
                )
            )
        yield dealer


def scene(dealer: Dealer, seat: int | None, glyphs: Glyphs = UNICODE) -> Scene:
    return Scene(dealer.run.game.table, seat, dealer.run.look(seat), NAMES[: dealer.run.game.seats], glyphs)


def test_it_is_found_by_its_name() -> None:
    assert renderer("amnesia") is amnesia


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


def test_the_legend_tells_that_the_numbers_are_places() -> None:
    hand = Hand(CARDS, top="10", late=True)
    plain = text(amnesia.picture(seen(hand, "A"), 48, 16))
    assert plain.splitlines()[-1] == "▒3▒ place 3  D dealer  ! called  above 80 loses"
    choosing = dataclasses.replace(seen(hand, "A"), marks={("card", hand.seats["A"], 3): CANDIDATE})
    assert text(amnesia.picture(choosing, 48, 16)).splitlines()[-1].startswith("[3] place 3  D ")
