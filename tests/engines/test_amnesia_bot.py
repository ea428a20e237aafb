"""The sensible player: what it does in plain hands, that it sees what its seat sees, and that it ends games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines import registry
from engines.amnesia_bot import Sensible
from engines.bots import Bot, Random
from engines.chance import Chance
from engines.dealer import play_bots
from engines.menus import Card, Hidden
from tests.engines.amnesia_hands import DEFAULTS, Hand, of


class Table:
    """A hand in which one letter is played by the bot and the others by the test."""

    def __init__(self, cards: Any, letter: str = "A", luck: int = 0, **more: Any) -> None:
        self.letter = letter
        self.hand = Hand(cards, **more)
        self.bot = Sensible(self.hand.seats[letter], Chance(bytes([luck]) * 32))
        self.told = 0

    def learn(self, *slots: tuple[str, int]) -> None:
        """The bot has seen these cards."""
        self.listen()
        for letter, slot in slots:
            card = self.hand.table.cells[self.hand.seats[letter]][slot]
            self.bot._seen[card] = self.hand.dealer.truth[card]

    def listen(self) -> None:
        """What was told since."""
        for event in self.hand.events[self.told :]:
            self.bot.notice(event)
        self.told = len(self.hand.events)

    def choose(self) -> Any:
        """What the bot chooses now: the verb, then slots and letters."""
        self.listen()
        hand, seat = self.hand, self.hand.seats[self.letter]
        menu = hand.menus[seat]
        choice = self.bot.choose(hand.game, menu, hand.run.look(seat))
        assert hand.run.refusal(seat, choice) == ""
        assert not menu.acts[choice.act].improper
        decision = menu.decision(choice)
        words: list[Any] = []
        owner = seat
        for name, value in decision.values.items():
            if name == "player":
                owner = value
                words.append(hand.letters[value])
            elif isinstance(value, tuple):
                words += list(hand.table.slots(owner, value))
            else:
                words.append(hand.table.slot(owner, value))
        return (decision.verb, *words) if words else decision.verb

    def go(self, **others: Any) -> Any:
        """The bot chooses and its choice is carried out."""
        chosen = self.choose()
        self.hand.do(**{self.letter: chosen}, **others)
        return chosen


def test_it_looks_at_both_bottom_cards_and_remembers_them() -> None:
    table = Table({"A": ("8", "9", "10", "1"), "B": ("2", "3", "4", "5")}, pile=("6",))
    table.hand.do()
    assert table.go() == ("look", 3, 4)
    assert table.go() == "pass"
    assert table.go() == "draw"
    assert table.go() == ("exchange", 3), "of what it knows the ten is worst"


def test_it_takes_a_low_discard() -> None:
    table = Table({"A": ("10", "9"), "B": ("2",)}, top="Joker", late=True)
    table.learn(("A", 1), ("A", 2))
    assert table.go() == "take"
    assert table.go() == ("exchange", 1)


@pytest.mark.parametrize("letter", "AB")
def test_it_snaps_what_it_knows_to_match_and_nothing_else(letter: str) -> None:
    table = Table({"A": ("9", "9", "3"), "B": ("9", "5")}, letter, top="9", late=True)
    assert table.choose() == ("draw" if letter == "A" else "pass")
    table.learn((letter, 1))
    assert table.choose() == ("snap", 1)


def test_it_snaps_several_at_once() -> None:
    table = Table({"A": ("9", "3", "9"), "B": ("1", "5")}, top="9", late=True)
    table.learn(("A", 1), ("A", 2), ("A", 3))
    assert table.choose() == ("snap", 1, 3)


def test_it_discards_what_lets_it_snap_more() -> None:
    table = Table({"A": ("8", "8", "9"), "B": ("1",)}, pile=("8",), late=True)
    table.learn(("A", 1), ("A", 2), ("A", 3))
    assert table.go() == "draw"
    assert table.go() == "discard", "two eights go after it; an exchange would save one point"
    assert table.go() == ("snap", 1, 2)


def test_it_calls_when_five_points_or_less_are_certain() -> None:
    table = Table({"A": ("2", "2", "9"), "B": ("4", "10")}, pile=("1",), late=True)
    table.learn(("A", 1), ("A", 2))
    assert table.go() == "draw"
    assert table.go() == "call", "the unknown card goes out"
    assert table.go() == ("exchange", 3)


def test_it_does_not_call_with_what_it_does_not_know() -> None:
    table = Table({"A": ("1", "1", "Joker"), "B": ("4", "10")}, pile=("10",), late=True)
    table.learn(("A", 1))
    assert table.go() == "draw"
    assert table.go() == "discard"


def test_it_demands_a_fish_and_nothing_else() -> None:
    for face, wanted in (("Fisherman", "demand"), ("7", "pass"), ("Thief", "pass")):
        table = Table({"A": ("1",), "B": ("2",), "C": ("3",)}, "C", pile=(face,), late=True)
        table.hand.do()
        table.hand.do()
        table.hand.do(A="pass")
        assert table.choose() == wanted


def test_it_uses_its_powers() -> None:
    cards = {"A": ("10", "4"), "B": ("2", "3", "5"), "C": ("1", "6")}
    for face, wanted in (("Fisherman", "pass"), ("7", ("shuffle", "C")), ("Scientist", ("look", 2))):
        table = Table(cards, pile=(face,), late=True)
        table.learn(("A", 1))
        table.hand.do()
        table.hand.do()
        assert table.choose() == wanted
    table = Table(cards, pile=("Thief",), late=True)
    table.hand.do()
    table.hand.do()
    assert table.choose() == "pass", "it knows of no gain"
    table.learn(("A", 1), ("C", 1))
    assert table.choose() == ("swap", 1, "C", 1)
    table = Table(cards, pile=("Detective",), late=True)
    table.hand.do()
    table.hand.do()
    assert table.choose()[:2] == ("spy", "C")


def test_a_forced_power_is_used_as_well_as_can_be() -> None:
    table = Table({"A": ("1", "2"), "B": ("9", "10"), "C": ("3",)}, pile=("Thief",), late=True)
    table.hand.do()
    table.hand.do()
    table.learn(("A", 1), ("A", 2), ("B", 2))
    table.hand.do(A="pass")
    table.hand.do(B="demand")
    verb, own, *theirs = table.choose()
    assert (verb, own) == ("swap", 2)
    assert theirs != ["B", 2], "that is the ten"


@of("Hidden 8")
def test_after_a_dj_it_knows_its_cards_by_their_sum_only() -> None:
    table = Table({"A": ("10", "2"), "B": ("7", "3")}, "A", top="9", pile=("Fisherman", "1"), late=True)
    table.learn(("A", 1), ("A", 2))
    assert table.go() == "draw"
    assert table.go() == "discard"
    assert table.go() == "pass"
    table.hand.do()
    table.hand.do(B=("exchange", 1))
    table.hand.do(B=("shuffle", "A"))
    assert table.choose() == "draw"
    own = table.hand.table.own(table.hand.seats["A"])
    assert [table.bot._reckon(card) for card in own] == [6.0, 6.0]


def test_it_looks_at_nothing_but_what_its_seat_can_see() -> None:
    game = registry.create("amnesia", 3, {})
    bots: dict[int, Bot] = {seat: Sensible(seat, Chance(bytes([seat]) * 32)) for seat in range(3)}
    asked: Counter[bool] = Counter()
    choose = Sensible.choose

    class Watched(Sensible):
        """Counts what it may see."""

        def choose(self, game: Any, menu: Any, look: Any) -> Any:
            """As ever, with a look that counts."""

            def counted(card: Card) -> str:
                try:
                    face: str = look(card)
                except Hidden:
                    asked[False] += 1
                    raise
                asked[True] += 1
                return face

            return choose(self, game, menu, counted)

    bots[1] = Watched(1, Chance(bytes(32)))
    assert play_bots(game, bytes(32), bots).run.finished
    assert asked[True] > 0
    assert asked[False] > 0


@pytest.mark.parametrize("seats", range(2, 7))
def test_games_of_sensible_players_end_in_a_few_rounds_a_hand(seats: int) -> None:
    for i in range(2):
        game = registry.create("amnesia", seats, {"mode": "turbo"})
        bots: dict[int, Bot] = {s: Sensible(s, Chance(bytes([i, s]) * 16)) for s in range(seats)}
        table = play_bots(game, bytes([i]) * 32, bots).run.game.table
        assert table.result.reason == "above 40"
        assert table.hand < 30
        called = sum(min(points) < 0 for points in table.points)
        assert called > table.hand / 2, "most calls pay"


def test_it_beats_random_players_more_often_than_chance_would() -> None:
    wins = 0
    for i in range(12):
        game = registry.create("amnesia", 3, DEFAULTS)
        bots: dict[int, Bot] = {s: Random(s, Chance(bytes([i, s]) * 16)) for s in range(3)}
        bots[i % 3] = Sensible(i % 3, Chance(bytes([i]) * 32))
        result = play_bots(game, bytes([i]) * 32, bots).run.result
        wins += result is not None and i % 3 in result.winners
    assert wins >= 6
