"""Mâamut, the turns; and that no sentence of the rulebook is left out."""

from __future__ import annotations

from typing import Any

import pytest

from engines import maamut
from engines.hexgrid import CENTRE
from engines.menus import Choice
from engines.run import IllegalDecision
from tests.engines.maamut_positions import (
    NE,
    NW,
    A,
    B,
    C,
    E,
    Hunt,
    W,
    of,
)


@of("Turn 1", "Draw 2")
def test_a_turn_is_one_of_four_actions_and_then_it_is_the_next_ones() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], hands=["123"])
    assert [act.verb for act in hunt.menus[A].acts] == ["move", "trap", "destroy", "recover", "discard", "propose"]
    for words in (("move", "1", E), ("trap",), ("recover",), ("discard", "3")):
        assert hunt.asked == [A]
        hunt.act(*words)
        assert hunt.asked == [B]
        hunt.lapse()
    assert hunt.table.round == 5


@of("Move 1", "Move 2")
def test_a_hunter_goes_straight_and_the_full_distance_of_the_card() -> None:
    hunt = Hunt([(-3, 3), (3, 0)], hands=["123"])
    assert hunt.offers(A, "move") == {("1", E), ("1", NE), ("1", NW), ("2", E), ("2", NE), ("2", NW)} | {
        ("3", way) for way in (E, NE, NW)
    }
    hunt.act("move", "3", NE)
    assert hunt.table.pawns[A] == (0, 0)
    played = hunt.told("played")[0]
    assert (played.seat, played.value, played.way, played.path) == (A, 3, NE, ((-2, 2), (-1, 1), (0, 0)))


@of("Move 1", "Move 2", "Ruling 4", "Example 9")
def test_example_9_which_ways_are_possible() -> None:
    hunt = Hunt([(3, 0), (-3, 0)], mammoth=(-2, 2), rocks=[(2, 1), (3, -3)], hands=["321"])
    assert hunt.offers(A, "move") == {("3", W), ("2", W), ("2", NW), ("1", W), ("1", NW)}


@of("Move 3", "Ruling 4", "Discard 1")
def test_a_hunter_may_be_unable_to_move_and_can_always_discard() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rocks=[(-2, 0), (-3, 1), (-2, -1)], hands=["123"])
    assert "move" not in {words if isinstance(words, str) else words[0] for words in hunt.offers(A)}
    assert hunt.why_not(A, "move") == (
        "a hunter goes the full distance, and rocks or the edge of the board hinder 1 in a row every way"
    )
    assert hunt.offers(A, "discard") == {"1", "2", "3"}
    hunt.act("discard", "2")
    assert hunt.table.pawns[A] == (-3, 0)
    assert [hunt.dealer.truth[card] for card in hunt.table.discards] == ["2"]


@of("Move 4", "Ruling 4")
def test_pawns_traps_and_the_mammoth_block_nobody_and_tiles_can_be_shared() -> None:
    hunt = Hunt([(-3, 0), (-1, 0), (1, 0)], traps={(-2, 0): B, (-1, 0): C}, hands=["213"])
    assert ("2", E) in hunt.offers(A, "move")
    hunt.act("move", "2", E)
    assert hunt.table.pawns == {A: (-1, 0), B: (-1, 0), C: (1, 0)}
    assert hunt.table.traps == {(-2, 0): B, (-1, 0): C}


@of("Move 4", "Ruling 4")
def test_a_hunter_passes_through_other_hunters_and_frightens_nobody() -> None:
    hunt = Hunt([(-3, 0), (-2, 0), (-1, 0)], mammoth=(0, 3), traps={(-1, 0): B}, hands=["333"])
    hunt.act("move", "3", E)
    assert hunt.table.pawns == {A: (0, 0), B: (-2, 0), C: (-1, 0)}
    assert hunt.table.traps == {(-1, 0): B}
    assert hunt.told("frightened") == hunt.told("contact") == []
    assert hunt.asked == [B]


@of("Move 2", "Ruling 4")
def test_reasons_say_what_hinders() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rocks=[(-1, 0)], hands=["222"])
    reasons = {option.value: option.why_not for option in hunt.menus[A].options(hunt.run.look(A), (0, 0))}
    assert reasons[E] == "a hunter goes the full distance of the card, and a rock is in the way"
    assert reasons[W] == "a hunter goes the full distance of the card, and that way leaves the board"
    assert reasons[NE] == ""


@of("Ruling 4")
def test_peers_judge_a_move_once_the_card_is_open() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], rocks=[(-1, 0)], hands=["222"])
    bad = Choice(0, (0, E))
    assert hunt.run.refusal(A, bad) == "", "the card is hidden from the others, who cannot judge yet"
    assert hunt.menus[A].judge(hunt.run.look(A), bad) != ""
    hunt.run.answer({A: bad})
    with pytest.raises(IllegalDecision, match="a rock is in the way") as caught:
        hunt.settle()
    assert caught.value.seat == A


@of("Trap 1", "Tiles 2")
def test_a_trap_is_placed_where_the_hunter_is() -> None:
    hunt = Hunt([(-3, 0), (3, 0)])
    hunt.act("trap")
    assert hunt.table.traps == {(-3, 0): A}
    assert hunt.table.traps_left(A) == 3
    assert hunt.told("trap_placed")[0].data == {"seat": A, "tile": (-3, 0)}


@of("Trap 2", "Ruling 10")
@pytest.mark.parametrize("owner", [A, B])
def test_one_trap_a_tile(owner: int) -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-3, 0): owner})
    assert hunt.why_not(A, "trap") == "there is a trap already, and a tile takes only one"


@of("Trap 3", "Tiles 3", "Tiles 4", "Ruling 10")
def test_traps_lie_on_grass_only() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], snow=[(-3, 0)])
    assert hunt.why_not(A, "trap") == "a trap may be placed on grass only"
    hunt = Hunt([CENTRE, (3, 0)], mammoth=(0, 3))
    assert hunt.why_not(A, "trap") == ""
    hunt.table.tiles[CENTRE] = "cross"
    assert hunt.table.no_trap(A) == "a trap may be placed on grass only"


@of("Trap 4", "Destroy 3", "Ruling 10", "Example 10")
def test_example_10_alone_or_not() -> None:
    both = [(1, 1), (1, 1)]
    hunt = Hunt(both)
    assert hunt.why_not(A, "trap") == "a trap is placed only where no other pawn stands"
    assert Hunt(both, traps={(1, 1): B}).why_not(A, "destroy") == "a trap is destroyed only where no other pawn stands"
    assert Hunt(both, traps={(1, 1): A}).why_not(A, "recover") == "a trap is recovered only where no other pawn stands"
    hunt = Hunt([(1, 1), (3, 0)], traps={(1, 1): B})
    assert hunt.why_not(A, "trap") == "there is a trap already, and a tile takes only one"
    hunt.act("destroy")
    assert hunt.table.traps == {}
    assert hunt.told("drew") == []
    assert Hunt([(1, 1), (3, 0)], snow=[(1, 1)]).why_not(A, "trap") == "a trap may be placed on grass only"


@of("Ruling 10")
def test_alone_means_without_the_mammoth_too() -> None:
    hunt = Hunt([(1, 1), (3, 0)], mammoth=(1, 1), traps={(1, 1): B})
    assert not hunt.table.alone(A)
    assert "no other pawn" in hunt.why_not(A, "destroy")


@of("Components 4", "Ruling 10")
def test_at_most_four_traps_are_out() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={tile: A for tile in [(3, -1), (3, -2), (2, -2), (2, -3)]})
    assert hunt.why_not(A, "trap") == "all 4 traps of this hunter are on the board"
    assert hunt.table.traps_left(A) == 0


@of("Destroy 1", "Destroy 2", "Ruling 10")
def test_a_destroyed_trap_goes_back_to_its_owner() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-3, 0): B, (2, 0): B})
    assert hunt.table.traps_left(B) == 2
    hunt.act("destroy")
    assert hunt.table.traps == {(2, 0): B}
    assert hunt.table.traps_left(B) == 3
    assert hunt.told("trap_destroyed")[0].data == {"seat": A, "owner": B, "tile": (-3, 0)}
    hunt.act("trap")
    assert hunt.table.traps_left(B) == 2, "it can be used again"


@of("Destroy 1", "Destroy 2")
def test_an_own_trap_is_recovered() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-3, 0): A})
    assert hunt.why_not(A, "destroy") == "there is no trap of another hunter here"
    hunt.act("recover")
    assert hunt.table.traps == {}
    assert hunt.table.traps_left(A) == 4
    assert hunt.told("trap_recovered")[0].data == {"seat": A, "tile": (-3, 0)}


@of("Destroy 1")
def test_no_trap_is_taken_from_afar() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={(-2, 0): B, (2, 0): A})
    assert hunt.why_not(A, "destroy") == "there is no trap of another hunter here"
    assert hunt.why_not(A, "recover") == "there is no trap of this hunter's own here"


@of("Draw 1", "Discard 1", "Ruling 11")
@pytest.mark.parametrize("words", [("move", "1", E), ("discard", "1")])
def test_after_a_move_or_a_discard_one_draws_back_to_three(words: tuple[Any, ...]) -> None:
    hunt = Hunt([(-3, 0), (3, 0)], hands=["123"])
    top = hunt.table.pile[0]
    hunt.act(*words)
    assert len(hunt.table.hands[A]) == 3
    assert hunt.table.hands[A][-1] == top, "hands are oldest first"
    assert hunt.hand[:2] == ["2", "3"]
    assert hunt.told("drew")[0].data == {"seat": A, "left": 29}
    assert top in hunt.run.known[A]
    assert top not in hunt.run.known[B]


@of("Ruling 11")
@pytest.mark.parametrize(("words", "owner"), [("trap", None), ("destroy", B), ("recover", A)])
def test_trap_actions_draw_nothing(words: str, owner: int | None) -> None:
    hunt = Hunt([(-3, 0), (3, 0)], traps={} if owner is None else {(-3, 0): owner})
    hands = [list(hand) for hand in hunt.table.hands]
    hunt.act(words)
    assert hunt.table.hands == hands
    assert len(hunt.table.pile) == 30


@of("Draw 3", "Ruling 11", "Example 11")
def test_example_11_the_pile_runs_out_and_is_thirty_cards_again() -> None:
    hunt = Hunt([(-3, 0), (3, 0)])
    for drawn in range(29):
        hunt.lapse()
        assert len(hunt.table.pile) == 29 - drawn
    old = set(hunt.game.cards())
    assert len(hunt.table.discards) == 29
    hunt.lapse()
    assert len(hunt.table.pile) == 30
    assert hunt.table.discards == []
    assert hunt.told("reshuffled")[0].data == {"cards": 30}
    assert not set(hunt.table.pile) & old, "the shuffled cards have new handles"
    assert not hunt.game.faces, "and nobody knows their faces"
    assert sorted(hunt.dealer.truth[card] for card in hunt.game.cards()) == sorted(maamut.DECK)


def test_silence_discards_the_oldest_card() -> None:
    hunt = Hunt([(-3, 0), (3, 0)], hands=["312"])
    hunt.lapse()
    assert hunt.told("discarded")[0].value == 3
    assert hunt.hand[:2] == ["1", "2"]


def test_every_sentence_ruling_and_example_is_named_by_a_test() -> None:
    of.compare("test_maamut_setup", "test_maamut_mammoth", "test_maamut_end")
