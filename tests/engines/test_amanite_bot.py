"""The sensible gatherer of Amanite: what it makes of what it knows, and that it knows nothing else."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from engines import registry
from engines.amanite_bot import Appraisal, Sensible
from engines.amanite_scoring import score
from engines.amanite_table import OTHERS
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import play_bots
from engines.menus import Choice, Hidden, Look, Menu, Seat
from engines.requests import Game
from engines.run import canonical
from tests.engines.amanite_forest import M0, M1, A, B, K, Walk, hoard


def bot(seat: Seat, seed: int = 0) -> Sensible:
    return Sensible(seat, Chance(bytes([seed, seat]) * 16))


def knowing(walk: Walk, seat: Seat, worth: Mapping[str, str]) -> Look:
    """The look of one who has consulted every mushroom."""
    faces = {walk.table.mushrooms[colour]: attribute for colour, attribute in worth.items()}
    own = walk.run.look(seat)
    return lambda card: faces[card] if card in faces else own(card)


def decide(walk: Walk, look: Look | None = None, seed: int = 0) -> Any:
    """What the bot would do for the one who is asked: its first value in words."""
    seat = walk.asked[0]
    choice = bot(seat, seed).choose(walk.game, walk.menu, look or walk.run.look(seat))
    assert walk.run.refusal(seat, choice) == ""
    return walk.named(choice)[1]


@pytest.mark.parametrize("worth", [M0, M1, K, {**M1, "green": "two", "purple": "majority"}])
def test_with_everything_known_in_the_last_round_it_counts_like_the_rules(worth: Mapping[str, str]) -> None:
    others = "bbgggry"
    for held in ("", "br", "bbrry", "ggg", "gg*", "wwyyp", "bbrrgwyp**", "brryyy", "ppggg"):
        walk = Walk(2, worth=worth, hoards=[held, others], skipped=2)
        assert walk.table.round == 3
        out, points = score([hoard(held), hoard(others)], worth)
        mine = Appraisal(walk.table, A, A, knowing(walk, A, worth)).of(hoard(held))
        if A not in out and B not in out:
            assert mine == sum(points[A].values())
        elif A in out:
            assert mine < 0


def test_elimination_is_dearer_the_later_it_is() -> None:
    costs = []
    for skipped in (0, 1, 2):
        walk = Walk(2, skipped=skipped)
        look = knowing(walk, A, M0)
        costs.append(Appraisal(walk.table, A, A, look).of(hoard("bb")))
    assert 0 > costs[0] > costs[1] > costs[2]


def piles(above: str, below: str, **more: Any) -> Walk:
    """Seat A chooses one of two piles in round 3."""
    whole = above + below
    walk = Walk(2, tiles=[whole, "rrrrrr", "wwwwww"], skipped=2, **more)
    walk.place(0)
    walk.act("place", 0)
    walk.act("divide", above)
    walk.place(1, 1)
    assert (walk.asked, walk.verb) == ([A], "take")
    return walk


def test_it_takes_the_pile_that_it_knows_to_be_better() -> None:
    walk = piles("ppp", "ggg")
    assert decide(walk, knowing(walk, A, M0)) == "above"
    walk = piles("ggg", "ppp")
    assert decide(walk, knowing(walk, A, M0)) == "below"


def test_it_takes_no_poison_that_it_cannot_cure() -> None:
    walk = piles("bbp", "gww")
    assert decide(walk, knowing(walk, A, M0)) == "below"
    walk = piles("bbp", "gww", hoards=["rr"])
    assert decide(walk, knowing(walk, A, M0)) == "above"


def test_a_meeple_alone_picks_the_best_two() -> None:
    walk = Walk(2, tiles=["bgwyp*", "rrrrrr", "wwwwww"], skipped=2)
    walk.place(0, 1, 1, 2)
    assert (walk.asked, walk.verb) == ([A], "pick")
    assert decide(walk, knowing(walk, A, M0)) == "py"
    walk = Walk(2, tiles=["bgwyp*", "rrrrrr", "wwwwww"], skipped=2, hoards=["gg"])
    walk.place(0, 1, 1, 2)
    assert decide(walk, knowing(walk, A, M0)) == "p*", "the pig eats what costs points"


@pytest.mark.parametrize(("holds", "eaten"), [("gpy", "green"), ("bpy", "blue"), ("wwp", "white"), ("brpw", "white")])
def test_its_pigs_eat_what_it_can_best_do_without(holds: str, eaten: str) -> None:
    walk = Walk(2, tiles=["*prrrr", "rrrrrr", "wwwwww"], skipped=2, hoards=[holds])
    walk.place(0)
    walk.act("place", 0)
    walk.act("divide", "*")
    walk.place(1, 1)
    walk.act("take", "above")
    assert walk.verb == "feed"
    assert decide(walk, knowing(walk, A, M0)) == eaten


def test_it_divides_so_that_what_is_left_is_good_for_itself() -> None:
    walk = Walk(2, tiles=["ppppgg", "rrrrrr", "wwwwww"], skipped=2)
    walk.place(0)
    walk.act("place", 0)
    assert walk.verb == "divide"
    assert decide(walk, knowing(walk, B, M0)) in {"gpp", "pp", "ggpp"}, (
        "half of the good ones are left whatever is taken"
    )


def test_it_goes_where_the_good_mushrooms_are() -> None:
    walk = Walk(2, tiles=["gggggg", "pppppp", "bbbbbb"], skipped=2)
    assert decide(walk, knowing(walk, A, M0)) == 1


def test_it_consults_what_it_does_not_know_yet() -> None:
    for seed in range(10):
        walk = Walk(3, seed=seed)
        walk.lapse_to("consult")
        walk.act("consult", "red")
        walk.lapse_to("place")
        walk.lapse_to("consult")
        walk.lapse()
        assert walk.asked == [2]
        assert walk.run.look(2)(walk.table.mushrooms["red"]) == "antidote"
        assert decide(walk, seed=seed) != "red"


def test_start_cards_are_taken_at_random() -> None:
    chosen = {decide(Walk(2, starts=None), seed=seed) for seed in range(30)}
    assert chosen == {"fox", "squirrel", "owl", "jay"}


def test_it_decides_by_its_own_look_only() -> None:
    """Two worlds that differ in what seat A has not seen: it does the same in both."""
    trails = []
    for worth in (M0, {**M0, "blue": "2", "yellow": "antidote", "red": "poison", "green": "3", "purple": "-1"}):
        walk, player, trail = Walk(2, worth=worth), bot(A), []
        while walk.verb != "consult":
            if walk.asked == [A]:
                choice = player.choose(walk.game, walk.menu, walk.run.look(A))
                trail.append(choice)
                walk.run.answer({A: choice})
                walk.settle()
            else:
                walk.lapse()
        trails.append(trail)
    assert trails[0] == trails[1]
    assert len(trails[0]) > 3


class Spied(Sensible):
    """Leaves the table as it is, asks for no card that it has not seen but to find that out."""

    spent = 0.0
    decisions = 0

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """As ever."""
        before, mine = canonical(game.table), set(game.table.hints[self.seat])
        others = [card for hints in game.table.hints for card in hints if card not in mine]

        def watched(card: Any) -> str:
            assert card not in others
            return look(card)

        began = time.process_time()
        choice = super().choose(game, menu, watched)
        Spied.spent += time.process_time() - began
        Spied.decisions += 1
        assert canonical(game.table) == before
        assert not menu.judge(look, choice)
        for card in others:
            with pytest.raises(Hidden):
                look(card)
        return choice


def test_it_plays_whole_games_legally_in_a_few_milliseconds_a_decision() -> None:
    for i, others in enumerate(list(combinations(OTHERS, 4))[::6]):
        seats = 2 + i % 3
        game = registry.create("amanite", seats, {"attributes": ",".join(others)})
        dealer = play_bots(
            game, bytes([i]) * 32, {seat: Spied(seat, Chance(bytes([i, seat]))) for seat in range(seats)}
        )
        assert dealer.run.result is not None
    assert Spied.spent / Spied.decisions < 0.02, "generous, for slow machines: a millisecond is usual"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_beats_players_who_choose_at_random(seats: int) -> None:
    won, games = 0, 24
    for i in range(games):
        me = i % seats
        options = {"attributes": ("-1,1,2,3", "elixir,count,two,majority", "1,3,elixir,two")[i % 3]}
        players = {
            seat: (Sensible if seat == me else Random)(seat, Chance(bytes([i, seat]) * 16)) for seat in range(seats)
        }
        dealer = play_bots(registry.create("amanite", seats, options), bytes([i, seats]) * 16, players)
        result = dealer.run.result
        assert result is not None
        won += me in result.winners
    assert won / games > 1.5 / seats


def test_the_registry_finds_it() -> None:
    assert isinstance(registry.bot("amanite", 0, Chance(bytes(32))), Sensible)
