"""The sensible cook: what it does in plain positions, that it sees its own hand only, and that it is worth playing."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engines import registry
from engines.bots import Bot, Random
from engines.chance import Chance
from engines.dealer import play_bots
from engines.fungi_bot import Sensible
from engines.menus import Card, Face, Hidden
from tests.engines.fungi_positions import A, Kitchen

LUCKS = range(6)
DULL = "PAN PAN BSK TE HF LW HF TE"
RULES = ["rulebook", "published"]


def chosen(kitchen: Kitchen, luck: int) -> tuple[Any, ...]:
    """What the bot does, in words; it may look at what is open and at its own hand."""
    seat = kitchen.asked[0]
    bot = Sensible(seat, Chance(bytes([luck]) * 32))
    for event in kitchen.events:
        bot.notice(event)

    def own(card: Card) -> Face:
        if card not in kitchen.game.faces and card not in kitchen.table.hands[seat]:
            raise Hidden(repr(card))
        return kitchen.run.look(seat)(card)

    choice = bot.choose(kitchen.game, kitchen.menus[seat], own)
    assert kitchen.menus[seat].judge(kitchen.run.look(seat), choice) == ""
    a = kitchen.menus[seat].decision(choice)
    values = [kitchen.faces([v])[0] if isinstance(v, Card) else v for v in a.values.values()]
    return (a.verb, *(" ".join(sorted(kitchen.faces(v))) if isinstance(v, tuple) else v for v in values))


@pytest.mark.parametrize("luck", LUCKS)
def test_it_cooks_before_the_forest_runs_out(luck: int) -> None:
    kitchen = Kitchen(hands=("CH CH CH CH MO", ""), forest="HF HF", short=True)
    assert chosen(kitchen, luck) == ("cook", "CH", "CH CH CH CH")


@pytest.mark.parametrize("luck", LUCKS)
def test_it_cooks_the_best_dish_if_there_is_time_for_one_only(luck: int) -> None:
    kitchen = Kitchen(hands=("HF HF HF HF HF MO MO MO", ""), forest="TE TE", short=True, pans=(2, 1))
    assert chosen(kitchen, luck) == ("cook", "MO", "MO MO MO")


@pytest.mark.parametrize("luck", LUCKS)
@pytest.mark.parametrize("rules", RULES)
def test_it_seasons_as_much_as_is_allowed(luck: int, rules: str) -> None:
    kitchen = Kitchen(hands=("HF HF HF HF HF BUT CID", ""), forest="TE", short=True, rules=rules)
    extra = "BUT CID" if rules == "rulebook" else "CID"
    assert chosen(kitchen, luck) == ("cook", "HF", f"{extra} HF HF HF HF HF")


@pytest.mark.parametrize("luck", LUCKS)
def test_it_brings_the_pan_from_its_hand_if_it_must(luck: int) -> None:
    kitchen = Kitchen(hands=("CH CH CH CH PAN", ""), forest="HF", short=True, pans=(0, 1))
    assert chosen(kitchen, luck) == ("cook", "CH", "CH CH CH CH PAN")


@pytest.mark.parametrize("luck", LUCKS)
def test_it_completes_a_set(luck: int) -> None:
    assert chosen(Kitchen(hands=("CH CH TE", ""), forest=f"HF CH {DULL[8:]}"), luck) == ("take", "CH")


@pytest.mark.parametrize("luck", LUCKS)
def test_it_pays_for_what_it_needs(luck: int) -> None:
    kitchen = Kitchen(hands=("MO MO TE", ""), forest="HF LW TE MO HF LW TE HF", sticks=(3, 0))
    assert chosen(kitchen, luck) == ("take", "MO")


@pytest.mark.parametrize("luck", LUCKS)
def test_it_does_not_touch_a_fly_agaric_with_a_hand_full_of_good_things(luck: int) -> None:
    kitchen = Kitchen(hands=("CH CH MO MO PO PO BB BB", ""), forest="FLY FLY HF HF HF HF HF HF")
    assert chosen(kitchen, luck)[1:] != ("FLY",)


@pytest.mark.parametrize("luck", LUCKS)
def test_it_discards_what_is_worth_least(luck: int) -> None:
    kitchen = Kitchen(hands=("MO MO MO CH TE", ""), forest="FLY HF HF HF LW LW SH SH")
    kitchen.act("take", 1)
    assert chosen(kitchen, luck) == ("discard", "TE")


@pytest.mark.parametrize("luck", LUCKS)
def test_of_equal_cards_it_spends_the_known_ones(luck: int) -> None:
    kitchen = Kitchen(hands=("CH CH CH HF", ""), closed=("HF", ""), forest="FLY TE TE LW LW SH SH BB")
    kitchen.act("take", 1)
    assert chosen(kitchen, luck) == ("discard", "HF")


def test_it_shows_what_it_must_and_no_more() -> None:
    for seed in range(40):
        kitchen = Kitchen(game=registry.create("fungi", 2, {}), seed=seed)
        for seat in (0, 1):
            bot = Sensible(seat, Chance(bytes([seed]) * 32))
            choice = bot.choose(kitchen.game, kitchen.menus[seat], kitchen.run.look(seat))
            shown = kitchen.faces(kitchen.menus[seat].decision(choice).cards)
            hand = kitchen.faces(kitchen.table.hands[seat])
            assert shown == [face for face in hand if face in ("BSK", "MOON", "FLY")]


@pytest.mark.parametrize("rules", RULES)
def test_it_beats_those_who_choose_at_random(rules: str) -> None:
    decisions, began = 0, time.process_time()
    for seed in range(12):
        seat = seed % 2
        bots: dict[int, Bot] = {
            seat: Sensible(seat, Chance(bytes([seed, 1]) * 16)),
            1 - seat: Random(1 - seat, Chance(bytes([seed, 2]) * 16)),
        }
        dealer = play_bots(registry.create("fungi", 2, {"rules": rules}), bytes([seed]) * 32, bots)
        result = dealer.run.result
        assert result is not None
        assert result.winners == (seat,)
        score = result.scores[seat]
        assert score is not None
        assert score > 20
        decisions += dealer.run.game.table.turn
    assert (time.process_time() - began) / decisions < 0.02, "a decision takes a few milliseconds at most"


def test_two_of_them_play_a_whole_game_and_cook() -> None:
    for seed in range(8):
        bots = {seat: Sensible(seat, Chance(bytes([seed, seat]) * 16)) for seat in (0, 1)}
        game = registry.create("fungi", 2, {"rules": RULES[seed % 2]})
        play_bots(game, bytes([seed]) * 32, bots)
        assert all(len(game.table.dishes[seat]) >= 2 for seat in (0, 1))


def test_the_bot_is_found_by_name() -> None:
    assert isinstance(registry.bot("fungi", A, Chance(bytes(32))), Sensible)
