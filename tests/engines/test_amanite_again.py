"""Amanite a second time: whole games, compared with the engine at every question.

For: what a test of single sentences could miss. Never: a line of the engine; this is written from the rulebook and the
rulings alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from itertools import combinations
from typing import Any

import pytest

from engines import registry
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Choice, Menu, Seat

COLOURS = ("blue", "green", "purple", "red", "white", "yellow")
OTHERS = ("-1", "1", "2", "3", "elixir", "count", "two", "majority")
Asked = tuple[Seat, str, set[Any]]
"""Who is asked, for what, and all that may be chosen."""


def piles(tokens: list[str], sizes: range) -> set[tuple[str, ...]]:
    """Every handful of these; alike tokens are alike."""
    return {tuple(sorted(pile)) for n in sizes for pile in combinations(tokens, n)}


class Again:
    """The second game: `game` yields each question and is sent the choice, from the first meeple on."""

    def __init__(self, seats: int, others: tuple[str, ...], first: int, seed: int) -> None:
        options = {"attributes": ",".join(others), "first": first}
        self.dealer = Dealer(registry.create("amanite", seats, options), bytes([seed % 256]) * 32)
        self.table = self.dealer.run.game.table
        self.chance = Chance(bytes([seed % 251, seats]) * 16)
        self.seats = seats
        self.held = [Counter[str]() for _ in range(seats)]
        self.bag = Counter({**dict.fromkeys(COLOURS, 10), "pig": 4})
        self.seen: Counter[str] = Counter()
        self.again, self.chosen = self.game(), None

    def game(self) -> Generator[Asked, Any, None]:
        first: Seat = self.table.first
        notebooks = [colour for colour in COLOURS for _ in range(1 if self.seats == 2 else 2)]
        for size in (4, 5, 6):
            order = [(first + i) % self.seats for i in range(self.seats)]
            tiles = [[*tile.tokens] for tile in self.table.tiles]
            short = max(0, size * (self.seats + 1) - self.bag.total())
            assert list(map(len, tiles)) == [size] * self.seats + [size - short]
            self.bag -= Counter(token for tile in tiles for token in tile)
            there: list[list[Seat]] = [[] for _ in tiles]
            above: dict[int, list[str]] = {}
            for seat in order * 2:
                free = {i for i, meeples in enumerate(there) if seat not in meeples and len(meeples) < 2}
                at = yield seat, "place", free
                there[at].append(seat)
                if len(there[at]) == 2:
                    above[at] = list((yield seat, "divide", piles(tiles[at], range(1, len(tiles[at])))))
            for i, tile in enumerate(tiles):
                if len(there[i]) == 2:
                    pile, rest = above[i], [*(Counter(tile) - Counter(above[i])).elements()]
                    if (yield there[i][0], "take", {"above", "below"}) == "below":
                        pile, rest = rest, pile
                    yield from self.gain(there[i][0], pile)
                    yield from self.gain(there[i][1], rest)
                elif there[i]:
                    two = yield there[i][0], "pick", piles(tile, range(2, 3))
                    self.bag += Counter(tile) - Counter(two)
                    yield from self.gain(there[i][0], two)
                else:
                    self.bag.update(tile)
            if size < 6:
                for seat in reversed(order):
                    notebooks.remove((yield seat, "consult", set(notebooks)))
            first = order[1]

    def gain(self, seat: Seat, tokens: list[str]) -> Generator[Asked, Any, None]:
        """A pig eats at once; only a real choice is asked."""
        self.held[seat].update(tokens)
        for _ in range(tokens.count("pig")):
            food = {colour for colour in COLOURS if self.held[seat][colour]}
            self.seen["unfed"] += not food
            if food:
                eaten = (yield seat, "feed", food) if len(food) > 1 else food.pop()
                self.held[seat][eaten] -= 1
                self.bag[eaten] += 1

    def score(self) -> tuple[list[int | None], tuple[Seat, ...]]:
        """Totals, and who has won."""
        hoards = [{self.table.worth[c]: held[c] for c in COLOURS} for held in self.held]
        totals: list[int | None] = []
        most = sorted((h.get("majority", 0) for h in hoards if self.survives(h)), reverse=True)
        for hoard, held in zip(hoards, self.held, strict=True):
            antidote, elixir = hoard["antidote"], hoard.get("elixir", 0)
            points = 5 * min(hoard["poison"], antidote + elixir) - 3 * min(antidote, elixir) + 3 * held["pig"]
            points += sum(int(each) * hoard.get(each, 0) for each in ("-1", "1", "2", "3"))
            points += 8 * (hoard.get("two", 0) == 2)
            points += {0: -5, 1: 0, 2: 3, 3: 12}[min(3, hoard["count"])] if "count" in hoard else 0
            if mine := hoard.get("majority", 0):
                better, tied = sum(n > mine for n in most), most.count(mine)
                points += {(0, True): 10, (0, False): 7, (1, True): 4, (1, False): 2}.get((better, tied == 1), 0)
            totals.append(points if self.survives(hoard) else None)
        best = max(((t, -self.mushrooms(s)) for s, t in enumerate(totals) if t is not None), default=None)
        return totals, tuple(s for s, t in enumerate(totals) if (t, -self.mushrooms(s)) == best)

    @staticmethod
    def survives(hoard: dict[str, int]) -> bool:
        return hoard["poison"] <= hoard["antidote"] + hoard.get("elixir", 0) and hoard.get("count", 0) < 4

    def mushrooms(self, seat: Seat) -> int:
        return self.held[seat].total() - self.held[seat]["pig"]

    # -- beside the engine -----------------------------------------------------------------------------------------

    def choose(self, seat: Seat, menu: Menu) -> Choice:
        (act,), look, t = menu.acts, self.dealer.run.look(seat), self.table
        if act.verb == "start":
            return menu.sample(self.chance, look)
        asked = self.again.send(self.chosen)
        offered = {self.named(menu, choice): choice for choice in menu.choices(look)}
        assert asked == (seat, act.verb, set(offered))
        assert ([Counter(held) for held in t.held], Counter(t.bag)) == (self.held, self.bag)
        self.chosen = self.chance.pick(sorted(offered))
        self.seen[act.verb] += 1
        return offered[self.chosen]

    def named(self, menu: Menu, choice: Choice) -> Any:
        (value,) = menu.decision(choice).values.values()
        if not isinstance(value, tuple):
            return value
        return tuple(sorted(self.table.tiles[self.table.tile].tokens[i] for i in value))

    def finish(self) -> None:
        result = self.dealer.play(self.choose)
        with pytest.raises(StopIteration):
            self.again.send(self.chosen)
        totals, winners = self.score()
        assert (result.scores, result.winners) == (tuple(totals), winners)
        self.seen[result.reason] += 1


def test_whole_games_go_as_the_rulebook_says() -> None:
    seen = Counter[str]()
    for seed, others in enumerate(list(combinations(OTHERS, 4)) * 2):
        seats = 2 + seed % 3
        game = Again(seats, others, seed % (seats + 1), seed)
        game.finish()
        seen += game.seen
    assert {"place", "divide", "take", "pick", "feed", "consult", "unfed"} <= set(seen)
    assert {"points", "mushrooms", "survivor", "nobody"} <= set(seen)
