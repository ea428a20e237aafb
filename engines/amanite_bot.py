"""A sensible gatherer: weighs tokens by what its hints say they may be worth.

For: `--auto`, empty seats, the demo. Never: a hint that this seat has not seen; of others it knows what they took.

Theory of operation: what the hints leave open are some dozens of equally likely worlds. Most attributes score colour by
colour, so their expectation is a table of points by colour and count; poison, antidote and elixir score together, so
those are summed over the worlds. `Appraisal` is that expectation for one hoard; danger of elimination is a cost that
grows with the rounds, since there is less and less time to mend it. Tiles, splits, piles and discards are then
compared by what the hoard would be worth; those who choose a pile are taken to see the tokens as this seat does. A
little luck breaks ties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from .amanite_hints import possible, worlds
from .amanite_scoring import BY_COUNT, EACH, EACH_PIG, EXACTLY_TWO, majority, pairs
from .amanite_table import (
    ABOVE,
    ANTIDOTE,
    COLOURS,
    COUNT,
    ELIXIR,
    MAJORITY,
    MEEPLES,
    PIG,
    POISON,
    ROUNDS,
    TAKEN_ALONE,
    TOKENS,
    TWO,
    Table,
    Tile,
    Token,
    Tokens,
    without,
)
from .chance import Chance
from .menus import Choice, Decision, Look, Menu, Seat
from .requests import Game, Tell

Hoard = Mapping[Token, int]
Worth = Callable[[Tokens], float]
LUCK = 400
"""Ties within a quarter of a point are broken by chance."""
UNCURED = (2.0, 7.0, 32.0)
"""Cost of a poison too many, by round."""
TOO_MANY = (14.0, 24.0, 40.0)
"""Cost of a count that eliminates, by round."""
PROMISING = (1.5, 1.0, 0.0)
"""Worth of an antidote or elixir that has no poison yet, for three of them at most, by round."""
MOST = 10
"""Tokens of one colour."""
SPREAD = {"-1": -1.5, "1": 1.0, "2": 2.0, "3": 3.0, ANTIDOTE: 2.0, POISON: -3.0, ELIXIR: 1.5, TWO: 2.5, MAJORITY: 2.5}
"""Roughly what a token of an attribute is worth, to judge what it would be good to know."""


class Appraisal:
    """What hoards of one seat are worth on average, as far as the look of seat `me` tells."""

    def __init__(self, table: Table, seat: Seat, me: Seat, look: Look) -> None:
        self.stage = max(0, min(table.round, ROUNDS) - 1)
        may = possible(table, me, look)
        others = [held for other, held in enumerate(table.held) if other != seat]
        self.tables = {
            colour: [
                sum(self._points(a, n, [held[colour] for held in others]) for a in may[colour]) / len(may[colour])
                for n in range(MOST + 1)
            ]
            for colour in COLOURS
        }
        found: Counter[tuple[str, str, str]] = Counter()
        for world in worlds(table, me, look):
            where = {attribute: colour for colour, attribute in world.items()}
            found[where[POISON], where[ANTIDOTE], where.get(ELIXIR, "")] += 1
        self.cures = [(*colours, weight / found.total()) for colours, weight in sorted(found.items())]

    def _points(self, attribute: str, count: int, others: Sequence[int]) -> float:
        """What `count` tokens of one attribute score by themselves."""
        if attribute in EACH:
            return EACH[attribute] * count
        if attribute == COUNT:
            return BY_COUNT[count] if count < len(BY_COUNT) else -TOO_MANY[self.stage]
        if attribute == TWO:
            return EXACTLY_TWO if count == 2 else 0.0
        if attribute == MAJORITY:
            return majority(dict(enumerate([count, *others])))[0]
        return 0.0

    def of(self, hoard: Hoard) -> float:
        """What this hoard is worth."""
        worth = float(EACH_PIG * hoard[PIG])
        for colour in COLOURS:
            worth += self.tables[colour][hoard[colour]]
        for poison, antidote, elixir, weight in self.cures:
            cured, discord = pairs(hoard[poison], hoard[antidote], hoard[elixir] if elixir else 0)
            spare = hoard[antidote] + (hoard[elixir] if elixir else 0) - hoard[poison]
            hope = min(spare, 3) * PROMISING[self.stage] if spare > 0 else spare * UNCURED[self.stage]
            worth += weight * (cured + discord + hope)
        return worth

    def feed(self, hoard: dict[Token, int]) -> Token:
        """The mushroom that one can best do without; it is taken from the hoard."""
        best, most = "", float("-inf")
        for colour in COLOURS:
            if hoard[colour]:
                hoard[colour] -= 1
                worth = self.of(hoard)
                hoard[colour] += 1
                if worth > most:
                    best, most = colour, worth
        if best:
            hoard[best] -= 1
        return best

    def each(self, hoard: Hoard) -> dict[Token, float]:
        """What one token more of each kind is worth."""
        before = self.of(hoard)
        return {token: self.with_more(hoard, (token,)) - before for token in TOKENS}

    def with_more(self, hoard: Hoard, tokens: Iterable[Token]) -> float:
        """What it is worth with these tokens, their pigs fed as well as can be."""
        more = dict(hoard)
        pigs = 0
        for token in tokens:
            more[token] += 1
            pigs += token == PIG
        for _ in range(pigs):
            self.feed(more)
        return self.of(more)


class Sensible:
    """One seat's player."""

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.chance = chance

    def notice(self, event: Tell) -> None:
        """All that matters lies on the table."""

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """The legal choice that looks best."""
        table: Table = game.table
        best, most = menu.lapse, float("-inf")
        weighed: set[Any] = set()
        judge = self._judge(table, menu.acts[0].verb, look)
        for choice in menu.choices(look):
            a = menu.decision(choice)
            alike = _chosen(table, next(reversed(a.values.values())))
            if isinstance(alike, tuple) and alike in weighed:
                continue  # tokens of one kind are worth the same
            weighed.add(alike)
            worth = judge(a) + self.chance.below(100) / LUCK
            if worth > most:
                best, most = choice, worth
        return best

    def _judge(self, table: Table, verb: str, look: Look) -> Callable[[Decision], float]:
        """How good a decision of this kind looks."""
        if verb == "start":
            return lambda a: 0.0
        if verb == "consult":
            may = possible(table, self.seat, look)
            return lambda a: self._curiosity(table, a.mushroom, may[a.mushroom])
        mine, held = Appraisal(table, self.seat, self.seat, look), table.held[self.seat]
        if verb == "place":
            return self._places(table, mine, look)
        if verb == "feed":
            return lambda a: mine.of({**held, a.mushroom: held[a.mushroom] - 1})
        tile = table.tiles[table.tile or 0]
        if verb == "divide":
            return self._divisions(table, tile, mine, look)
        if verb == "take":
            return lambda a: mine.with_more(held, tile.above if a.pile == ABOVE else tile.below)
        return lambda a: mine.with_more(held, _chosen(table, a.tokens))

    def _places(self, table: Table, mine: Appraisal, look: Look) -> Callable[[Decision], float]:
        """Tiles, judged token by token: what one can expect to take from there."""
        each = mine.each(table.held[self.seat])
        size = len(table.tiles)
        left = MEEPLES * len(table.held) - sum(
            (tile.pin is not None) + (tile.split is not None) for tile in table.tiles
        )
        company = min(1.0, left / size)

        def worth(a: Decision) -> float:
            tile = table.tiles[a.tile]
            if tile.pin is None:
                best = sorted((each[token] for token in tile.tokens), reverse=True)
                alone = sum(best[:TAKEN_ALONE])
                shared = (sum(best) + best[0]) / 2
                return company * shared + (1 - company) * alone
            other = Appraisal(table, tile.pin, self.seat, look).each(table.held[tile.pin])
            return max(
                _split(
                    lambda pile: sum(each[token] for token in pile),
                    lambda pile: sum(other[token] for token in pile),
                    above,
                    without(tile.tokens, above),
                )
                for count in range(1, len(tile.tokens) // 2 + 1)
                for above in dict.fromkeys(combinations(tile.tokens, count))
            )

        return worth

    def _divisions(self, table: Table, tile: Tile, mine: Appraisal, look: Look) -> Callable[[Decision], float]:
        """Two piles, judged by what the other one will most likely leave."""
        chooser = self.seat if tile.pin is None else tile.pin
        theirs = Appraisal(table, chooser, self.seat, look)

        def worth(a: Decision) -> float:
            above = _chosen(table, a.above)
            return _split(
                lambda pile: mine.with_more(table.held[self.seat], pile),
                lambda pile: theirs.with_more(table.held[chooser], pile),
                above,
                without(tile.tokens, above),
            )

        return worth

    def _curiosity(self, table: Table, colour: str, may: Sequence[str]) -> float:
        """How much there is to learn of a colour, more so if this seat has some of it."""
        values = [SPREAD.get(attribute, 0.0) for attribute in may]
        middle = sum(values) / len(values)
        spread = sum((value - middle) ** 2 for value in values) / len(values)
        return spread * (1 + 0.25 * table.held[self.seat][colour])


def _chosen(table: Table, value: Any) -> Any:
    """What a decision picks: places on the tile in question as the tokens there, anything else as it is."""
    if not isinstance(value, tuple):
        return value
    return tuple(table.tiles[table.tile or 0].tokens[i] for i in value)


def _split(mine: Worth, theirs: Worth, above: Tokens, below: Tokens) -> float:
    """What is left for the one who splits, if the other most likely takes the pile that looks better to them."""
    gap = theirs(above) - theirs(below)
    likely = 0.5 + max(-0.4, min(0.4, gap / 4))
    return likely * mine(below) + (1 - likely) * mine(above)
