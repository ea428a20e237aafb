"""The sensible hunter: what it does in plain positions, that it sees its own hand only, and that it ends games."""

from __future__ import annotations

import time
from statistics import median

import pytest

from engines import registry
from engines.bots import Bot
from engines.chance import Chance
from engines.dealer import play_bots
from engines.maamut_bot import Sensible
from engines.menus import Card, Choice, Face, Hidden
from tests.engines.maamut_positions import A, B, E, Hunt, Stubborn, W, cornered

LUCKS = range(6)


def chosen(hunt: Hunt, luck: int, seat: int = A) -> tuple[object, ...]:
    """What the bot does, in words."""
    bot = Sensible(seat, Chance(bytes([luck]) * 32))
    for event in hunt.events:
        bot.notice(event)
    hand = set(hunt.table.hands[seat])

    def own(card: Card) -> Face:
        if card not in hand:
            raise Hidden(f"the bot looked at {card}")
        return hunt.run.look(seat)(card)

    return hunt.named(seat, bot.choose(hunt.game, hunt.menus[seat], own))


@pytest.mark.parametrize("luck", LUCKS)
def test_it_pushes_the_mammoth_into_its_own_trap(luck: int) -> None:
    hunt = Hunt([(-2, 0), (3, -3)], traps={(1, 0): A}, hands=["121"])
    assert chosen(hunt, luck) == ("move", "2", E)


@pytest.mark.parametrize("luck", LUCKS)
def test_it_does_not_push_it_into_the_trap_of_another(luck: int) -> None:
    hunt = Hunt([(-2, 0), (3, -3)], traps={(1, 0): B}, hands=["222"])
    assert chosen(hunt, luck) != ("move", "2", E)


@pytest.mark.parametrize("luck", LUCKS)
def test_it_is_not_reckless(luck: int) -> None:
    assert chosen(cornered(), luck) != ("move", "2", E)


@pytest.mark.parametrize("luck", LUCKS)
def test_it_sets_a_trap_where_the_mammoth_may_be_driven(luck: int) -> None:
    hunt = Hunt([(1, 0), (-3, 3)], hands=["333"])
    assert chosen(hunt, luck) == ("trap",)


@pytest.mark.parametrize("luck", LUCKS)
def test_it_takes_a_dangerous_trap_away_or_gets_ready_for_nothing_worse(luck: int) -> None:
    # B needs but a card 2 to win by the trap under A's feet
    hunt = Hunt([(1, 0), (-2, 0)], traps={(1, 0): B}, hands=["111"])
    assert chosen(hunt, luck) == ("destroy",)


@pytest.mark.parametrize("luck", LUCKS)
def test_it_gets_off_the_way_where_it_would_be_trampled(luck: int) -> None:
    # (1, 0) has no way out but past the mammoth, and B stands ready to push
    rocks = [(2, 0), (1, 1), (0, 1), (2, -1), (1, -1)]
    hunt = Hunt([(1, 0), (-1, 0)], rocks=rocks, snow=[(1, 0)], hands=["111"])
    assert chosen(hunt, luck) == ("move", "1", W)


@pytest.mark.parametrize("luck", LUCKS)
def test_of_equal_cards_it_plays_the_oldest(luck: int) -> None:
    hunt = Hunt([(-2, 0), (3, -3)], traps={(1, 0): A}, hands=["222"])
    bot = Sensible(A, Chance(bytes([luck]) * 32))
    assert bot.choose(hunt.game, hunt.menus[A], hunt.run.look(A)) == Choice(0, (0, E))


@pytest.mark.parametrize("luck", LUCKS)
def test_it_does_not_flee_to_where_it_would_be_trampled_next(luck: int) -> None:
    # straight on is (2, 0), which the mammoth enters next and which has no way out
    hunt = Hunt([(-1, 0), (1, 0)], rocks=[(3, 0), (2, 1), (3, -1), (2, -1), (1, 1)], hands=["222"])
    hunt.act("move", "2", E)
    assert hunt.offers(B, "flee") == {(2, 0), (0, 1), (1, -1)}
    assert chosen(hunt, luck, B) != ("flee", (2, 0))


def test_it_answers_frights_and_proposals() -> None:
    hunt = Hunt([(-1, 0), (1, 0)], hands=["111"])
    hunt.act("move", "1", E)
    assert hunt.asked == [B]
    assert chosen(hunt, 0, B)[0] == "flee"
    hunt.events.clear()
    assert chosen(hunt, 0, B)[0] == "flee", "also who has taken the seat over just now and missed the events"
    hunt = Hunt([(-1, 0), (1, 0)])
    hunt.act("propose")
    assert chosen(hunt, 0, B) == ("refuse",)
    hunt = Hunt([(-1, 0), (-3, 0)], rocks=[(-2, 0), (-3, 1), (-2, -1)])
    hunt.table.round = 60
    hunt.act("propose")
    assert chosen(hunt, 0, B) == ("agree",), "shut in and late, it has nothing to hope for"


def bots(seats: int, seed: int, sensible: int | None = None) -> dict[int, Bot]:
    """Sensible ones, or one among random ones."""
    made: dict[int, Bot] = {}
    for seat in range(seats):
        luck = Chance(bytes([seed, seat]) * 16)
        made[seat] = Sensible(seat, luck) if sensible in (None, seat) else Stubborn(seat, luck)
    return made


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_end_well_before_the_hard_stop(seats: int) -> None:
    rounds, trapped, decisions = [], 0, 0
    began = time.process_time()
    for seed in range(20):
        dealer = play_bots(registry.create("maamut", seats, {}), bytes([seed]) * 32, bots(seats, seed))
        rounds.append(dealer.run.game.table.round)
        trapped += dealer.run.result is not None and dealer.run.result.reason == "trapped"
        decisions += dealer.run.requests // 4
    assert median(rounds) < 25
    assert sum(each < 60 for each in rounds) >= 18
    assert trapped >= 16
    assert (time.process_time() - began) / decisions < 0.02, "a decision takes a few milliseconds at most"


def test_it_beats_those_who_choose_at_random() -> None:
    won = 0
    for seed in range(20):
        seats, seat = 2 + seed % 3, seed % 2
        dealer = play_bots(registry.create("maamut", seats, {}), bytes([seed]) * 32, bots(seats, seed, seat))
        won += dealer.run.result is not None and dealer.run.result.winners == (seat,)
    assert won >= 15
