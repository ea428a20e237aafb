"""Fungi: the end of a turn, the end of the game, the scores; whole games under all options."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import registry
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import Dealer, play_bots
from engines.fungi_cards import DAY_DECK, NIGHT_DECK, STARTING_PANS, flavour, kind_of, price
from engines.fungi_table import Dish, Table
from engines.menus import Choice, Menu, Seat
from engines.requests import Game, Result, Tell
from tests.engines import conformance, worlds
from tests.engines.fungi_positions import A, B, Kitchen, of

RULES = ["rulebook", "published"]
OPTIONS = [{"rules": rules, "reminder": reminder} for rules in RULES for reminder in ("shown", "hidden")]

# -- the clean-up --------------------------------------------------------------------------------------------------


@of("Clean-up 1", "Clean-up 2", "Clean-up 3", "Clean-up 4", "Clean-up 7", "Clean-up 8", "Ruling 10")
@pytest.mark.parametrize(
    ("words", "decay", "forest"),
    [
        (("pass",), "HF", "TE LW SH HW BB PO CH MO"),
        (("take", 1), "TE", "LW SH HW BB PO CH MO PAN"),
        (("take", 2), "HF", "LW SH HW BB PO CH MO PAN"),
        (("pan", 1), "HF", "TE LW SH HW BB PO CH MO"),
    ],
)
def test_the_nearest_card_decays_the_others_close_up_and_new_ones_come(
    words: tuple[object, ...], decay: str, forest: str
) -> None:
    kitchen = Kitchen(hands=("PAN", ""), forest="HF TE LW SH HW BB PO CH", pile="MO PAN BUT")
    kitchen.act(*words)  # type: ignore[arg-type]
    assert (kitchen.decay, kitchen.forest) == (decay, forest)
    assert kitchen.told("decayed")[0].data == {"face": decay, "rotten": ()}
    new = tuple(forest.split()[-1:] if words[0] != "take" else forest.split()[-2:])
    assert kitchen.told("grown")[0].data == {"faces": new, "left": len(kitchen.table.pile)}
    assert all(card in kitchen.game.faces for card in kitchen.table.forest)


@of("Clean-up 5", "Clean-up 6", "Ruling 10", "Example 6")
def test_example_6_a_fifth_card_clears_the_decay_pile() -> None:
    kitchen = Kitchen(decay="HF TE LW", forest="SH HW BB BB PO PO CH CH")
    kitchen.lapse()
    assert (kitchen.decay, kitchen.discards) == ("HF TE LW SH", [])
    kitchen.lapse()
    assert (kitchen.decay, kitchen.discards) == ("HW", ["HF", "TE", "LW", "SH"])
    assert kitchen.told("decayed")[-1].data == {"face": "HW", "rotten": ("HF", "TE", "LW", "SH")}


@of("Ruling 10", "Ruling 3")
def test_a_forest_without_a_pile_closes_up_and_costs_follow() -> None:
    kitchen = Kitchen(forest="HF TE LW SH", short=True)
    assert kitchen.offers("take") == {1, 2}
    kitchen.act("take", 1)
    assert (kitchen.decay, kitchen.forest) == ("TE", "LW SH")
    assert kitchen.offers("take") == {1, 2}, "what cost two sticks is at the feet now"
    kitchen = Kitchen(forest="HF TE LW SH HW BB PO CH", pile="MO", short=True)
    kitchen.act("take", 8 - 7)
    assert kitchen.forest == "LW SH HW BB PO CH MO", "the nearer space is filled first, for the other nothing is left"


# -- the end -------------------------------------------------------------------------------------------------------


@of("End 1", "Ruling 11", "Example 10")
def test_example_10_the_last_card_decays() -> None:
    kitchen = Kitchen(forest="HF TE", short=True)
    kitchen.act("take", 1)
    assert kitchen.run.finished
    assert kitchen.hand() == ["HF"]
    assert (kitchen.table.turn, kitchen.table.active) == (1, A), "no turn for the other"
    assert kitchen.decay == "TE"
    assert [event.kind for event in kitchen.events[-3:]] == ["took", "decayed", "over"]


@of("End 1", "Ruling 11")
@pytest.mark.parametrize("face", ["HF", "BSK", "MOON", "FLY"])
def test_the_last_card_is_taken_and_nothing_more_happens(face: str) -> None:
    kitchen = Kitchen(hands=("TE TE TE TE TE", ""), forest=face, short=True, decay="LW", flies=(0, 0))
    kitchen.act("take", 1)
    assert kitchen.run.finished
    assert kitchen.decay == "LW", "no clean-up"
    assert kitchen.told("night") == kitchen.told("discarded") == kitchen.told("decayed") == []


@of("End 1", "Ruling 11")
def test_the_pile_may_be_empty_long_before() -> None:
    kitchen = Kitchen(short=True)
    for left in range(8, 1, -1):
        assert len(kitchen.table.forest) == left
        kitchen.lapse()
    assert not kitchen.run.finished
    kitchen.lapse()
    assert kitchen.run.finished
    assert kitchen.run.result == Result((A, B), (0, 0), "shared")


@of("Intro 4", "End 2", "End 5", "Ruling 12")
def test_only_dishes_count_and_the_highest_score_wins() -> None:
    kitchen = Kitchen(hands=("CH CH CH MO MO MO", "HF HF HF"), forest="TE TE TE", short=True, sticks=(9, 0))
    kitchen.act("cook", "CH", "CH CH CH")
    kitchen.act("cook", "HF", "HF HF HF")
    kitchen.lapse()
    assert kitchen.run.result == Result((A,), (12, 3), "flavour")
    assert kitchen.events[-1].data == {"winners": (A,), "scores": (12, 3), "reason": "flavour"}


@of("End 5", "Ruling 12")
@pytest.mark.parametrize(
    ("second", "kind", "result"),
    [
        ("TE TE TE TE TE TE", "TE", Result((B,), (6, 6), "mushrooms")),
        ("SH SH SH", "SH", Result((A, B), (6, 6), "shared")),
    ],
)
def test_of_equal_flavour_the_more_mushrooms_win_and_else_it_is_shared(second: str, kind: str, result: Result) -> None:
    kitchen = Kitchen(hands=("LW LW LW", second), forest="PO PO PO", short=True)
    kitchen.act("cook", "LW", "LW LW LW")
    kitchen.act("cook", kind, second)
    kitchen.lapse()
    assert kitchen.run.result == result


@of("End 5", "Ruling 12")
def test_night_cards_count_as_two_mushrooms_in_a_tie() -> None:
    kitchen = Kitchen(hands=("N-HF HF HF", "LW LW LW"), forest="PO PO PO", short=True)
    kitchen.act("cook", "HF", "N-HF HF HF")
    kitchen.act("cook", "LW", "LW LW LW")
    kitchen.lapse()
    assert kitchen.run.result == Result((A,), (6, 6), "mushrooms")


@of("End 2", "Ruling 12")
def test_scores_are_summed_over_all_dishes() -> None:
    table = Table()
    table.dishes[B] = [Dish("HF", (), 4, 7), Dish("MO", (), 3, 18)]
    assert (table.points(A), table.points(B), table.cooked(B)) == (0, 25, 7)


# -- whole games ---------------------------------------------------------------------------------------------------


class Inspector:
    """Random choices, silence now and then, and a look at the whole table before each."""

    def __init__(self, options: dict[str, str], seed: bytes) -> None:
        self.chance = Chance(seed)
        self.sold, self.paid = [0, 0], [0, 0]
        self.dealer = Dealer(registry.create("fungi", 2, options), seed, self.told)
        self.table: Table = self.dealer.run.game.table

    def told(self, event: Tell) -> None:
        """Sticks, counted without the table."""
        if event.kind == "took":
            self.paid[event.seat] += event.sticks
        if event.kind == "sold":
            self.sold[event.seat] += price(event.faces)

    def choose(self, seat: Seat, menu: Menu) -> Choice:
        """What holds at every decision."""
        t, run, truth = self.table, self.dealer.run, self.dealer.truth
        assert sorted(run.game.cards()) == sorted(run.live)
        faces = sorted(truth[card] for card in run.live)
        assert faces == sorted((*DAY_DECK, *NIGHT_DECK, *STARTING_PANS))
        assert len(t.decay) <= 4
        assert len(t.forest) == 8 or not t.pile or menu.acts[0].verb == "discard"
        for each in (A, B):
            if menu.acts[0].verb == "take":
                assert len(t.hands[each]) <= t.limit(each)
                assert not any(truth[card] in ("BSK", "MOON", "FLY") for card in t.hands[each])
            hidden = [card for card in t.hands[each] if card not in run.game.faces and card not in t.backs]
            assert len(hidden) <= 3
            assert t.sticks[each] == self.sold[each] - self.paid[each] >= 0
            assert set(t.hands[each]) <= {*run.game.faces, *run.known[each]}
            assert not {*t.forest, *t.decay, *t.discards} - set(run.game.faces)
        if self.chance.below(12) == 0:
            return menu.lapse
        return menu.sample(self.chance, run.look(seat))

    def finish(self) -> None:
        """What holds at the end."""
        result, t = self.dealer.play(self.choose), self.table
        truth = self.dealer.truth
        assert not t.forest
        assert not t.pile
        totals = []
        for seat in (A, B):
            for dish in t.dishes[seat]:
                food = [truth[card] for card in dish.cards]
                assert food[0] == "PAN"
                assert {kind_of(face) for face in food} - {""} == {dish.kind}
                assert dish.flavour == flavour(food, t.rules)
            totals.append(sum(dish.flavour for dish in t.dishes[seat]))
        assert result.scores == tuple(totals)
        assert all(totals[winner] == max(totals) for winner in result.winners)


@of("Hidden 3")
@settings(max_examples=200, deadline=None)
@given(options=st.sampled_from(OPTIONS), seed=st.binary(min_size=32, max_size=32))
def test_whole_random_games_under_all_options(options: dict[str, str], seed: bytes) -> None:
    Inspector(options, seed).finish()


@of("Turn 1", "End 1")
def test_random_games_end_within_seventy_eight_turns() -> None:
    for seed in range(12):
        game = registry.create("fungi", 2, {"rules": RULES[seed % 2]})
        play_bots(game, bytes([seed]) * 32, {seat: Random(seat, Chance(bytes([seed, seat]) * 16)) for seat in (A, B)})
        assert 39 <= game.table.turn <= 78


@pytest.mark.parametrize("rules", RULES)
def test_the_conformance_suite_under_both_readings(rules: str) -> None:
    def make() -> Game:
        return registry.create("fungi", 2, {"rules": rules, "reminder": "hidden"})

    for seed in range(3):
        conformance.check_play(make, seed)
        worlds.check_secrecy(make, seed, seed % 2, 60)
    assert conformance.check_refusals(make, 0, 150) > 5
    assert worlds.check_peers(make, 0, 150) > 50
    conformance.check_silence(make, 0)
