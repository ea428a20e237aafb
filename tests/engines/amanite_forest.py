"""Games of Amanite that start from tokens, hoards and attributes of the test's own.

For: the tests of the rules and of the bot. Never: a shortcut past the rules; what is put in place is the outcome of a
draw or of earlier rounds, and everything after it is the game as it is played.

Tokens are written as letters, as in "bbg*": blue, blue, green, a pig.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engines.amanite import Rules
from engines.amanite_table import COLOURS, PIG, START_CARDS, TOKENS, Table, Tile, in_order
from engines.dealer import Dealer
from engines.menus import Choice, Face, Seat
from engines.requests import Game, Script, Tell
from tests.engines.driven import ByNumber, Sentences

of = Sentences(
    {
        "Goal": 3,
        "Components": 8,
        "Setup": 33,
        "Playing": 2,
        "Grow": 7,
        "Venture": 9,
        "Gather": 13,
        "Notes": 9,
        "Scoring": 25,
        "Data": 5,
        "Hidden": 5,
        "Ruling": 14,
        "Example": 10,
    }
)
A, B, C, D = 0, 1, 2, 3
LETTERS = {**{colour[0]: colour for colour in COLOURS}, "*": PIG}
SIGNS = {token: letter for letter, token in LETTERS.items()}
M0 = {"blue": "poison", "red": "antidote", "green": "-1", "white": "1", "yellow": "2", "purple": "3"}
M1 = {"blue": "poison", "red": "antidote", "yellow": "elixir", "green": "1", "purple": "2", "white": "3"}
K = {**M0, "green": "count"}


def tokens(letters: str) -> list[str]:
    """Letters to tokens."""
    return [LETTERS[letter] for letter in letters]


def letters(some: Iterable[str]) -> str:
    """Tokens to letters, in the usual order."""
    return "".join(SIGNS[token] for token in in_order(list(some)))


def on(tile: Tile) -> list[str]:
    """All tokens of a tile, divided or not."""
    return [*tile.tokens, *tile.above, *tile.below]


def hoard(written: str = "") -> dict[str, int]:
    """Counts of the tokens written, as in "bb*"."""
    return {token: tokens(written).count(token) for token in TOKENS}


def others_of(worth: Mapping[str, str]) -> str:
    """The option that makes a game with these attributes."""
    return ",".join(sorted(set(worth.values()) - {"antidote", "poison"}))


def sections(section: str, first: int, last: int) -> list[str]:
    """Names of the sentences of a section, from one to another."""
    return [f"{section} {i}" for i in range(first, last + 1)]


def in_play(table: Table) -> int:
    """Tokens that are anywhere."""
    tiles = sum(len(on(tile)) for tile in table.tiles)
    return sum(table.bag.values()) + tiles + sum(sum(held.values()) for held in table.held)


def everywhere(table: Table) -> Counter[str]:
    """Tokens of each kind, wherever they are."""
    found = Counter(table.bag)
    for held in table.held:
        found.update(held)
    for tile in table.tiles:
        found.update(on(tile))
    return found


class Position(Rules):
    """A game in which rounds up to `skipped` are over already; seat A is the first player of round 1."""

    def __init__(
        self,
        seats: int,
        *,
        worth: Mapping[str, str],
        first: Seat,
        hoards: Sequence[str],
        tiles: Mapping[int, Sequence[str]],
        starts: Mapping[Seat, tuple[str, str]] | None,
        skipped: int,
    ) -> None:
        super().__init__(seats, {"attributes": others_of(worth), "first": first + 1})
        self.given = tiles
        self.starts = starts
        self.skipped = skipped
        for seat, written in enumerate(hoards):
            for token in tokens(written):
                self.table.bag[token] -= 1
                self.table.held[seat][token] += 1

    def take_start_cards(self) -> Script[None]:
        """As given, or as asked."""
        if self.starts is None:
            yield from super().take_start_cards()
        else:
            self.table.starts = dict(self.starts)

    def grow(self) -> Script[None]:
        """As given, or by the bag."""
        t = self.table
        if t.round in self.given:
            t.phase = "growth"
            for tile, written in zip(t.tiles, self.given[t.round], strict=True):
                tile.tokens = in_order(tokens(written))
                for token in tile.tokens:
                    t.bag[token] -= 1
        elif t.round > self.skipped:
            yield from super().grow()

    def venture(self) -> Script[None]:
        """Unless skipped."""
        if self.table.round > self.skipped:
            yield from super().venture()

    def gather(self) -> Script[None]:
        """Unless skipped."""
        if self.table.round > self.skipped:
            yield from super().gather()

    def collect_hints(self) -> Script[None]:
        """Unless skipped."""
        if self.table.round > self.skipped:
            yield from super().collect_hints()


class Stacked(Dealer):
    """A dealer who gives the mushrooms the attributes that are wanted, and hints in alphabetical order."""

    def __init__(self, game: Game, worth: Mapping[str, str], events: list[Tell], seed: int = 0) -> None:
        self.worth = worth
        super().__init__(game, seed.to_bytes(32, "little"), events.append)

    def arrange(self, faces: Sequence[Face]) -> list[Face]:
        """Six cards are the mushrooms', three are somebody's hints."""
        return [self.worth[colour] for colour in COLOURS] if len(faces) == len(COLOURS) else sorted(faces)


STARTS = {seat: (card, "A") for seat, card in enumerate(START_CARDS)}


class Walk(ByNumber):
    """A game in progress, driven by words: `walk.act("place", 0)`, `walk.act("divide", "bg")`."""

    def __init__(
        self,
        seats: int = 2,
        *,
        worth: Mapping[str, str] = M0,
        first: Seat = A,
        hoards: Sequence[str] = (),
        tiles: Mapping[int, Sequence[str]] | Sequence[str] = (),
        starts: Mapping[Seat, tuple[str, str]] | None = STARTS,
        skipped: int = 0,
        seed: int = 0,
    ) -> None:
        if starts is not None:
            starts = {seat: start for seat, start in starts.items() if seat < seats}
        given = tiles if isinstance(tiles, Mapping) else {skipped + 1: tiles} if tiles else {}
        self.game = Position(
            seats, worth=worth, first=first, hoards=hoards, tiles=given, starts=starts, skipped=skipped
        )
        self.table = self.game.table
        events: list[Tell] = []
        super().__init__(Stacked(self.game, worth, events, seed), events)

    @property
    def verb(self) -> str:
        """What kind of thing is asked now."""
        (act,) = self.menu.acts
        return act.verb

    def named(self, choice: Choice) -> tuple[Any, ...]:
        """A choice in words."""
        values = self.menu.decision(choice).values.values()
        return (self.verb, *(self.letters_at(v) if isinstance(v, tuple) else v for v in values))

    def letters_at(self, places: tuple[int, ...]) -> str:
        """Tokens of the tile that is divided or gathered from."""
        assert self.table.tile is not None
        return letters(self.table.tiles[self.table.tile].tokens[i] for i in places)

    def offers(self, *prefix: Any) -> set[Any]:
        """The legal choices of the one who is asked, in words, that begin with `prefix`; without it."""
        words = {self.named(choice) for choice in self.menu.choices(self.run.look(self.asked[0]))}
        n = len(prefix)
        return {w[n] if len(w) == n + 1 else w[n:] for w in words if w[:n] == prefix}

    def why_not(self, *values: Any) -> str:
        """Why the last value cannot be chosen, or ""."""
        prefix: tuple[Any, ...] = (0,)
        look = self.run.look(self.asked[0])
        for value in values[:-1]:
            prefix += (next(o.pick for o in self.menu.options(look, prefix) if o.value == value),)
        return next(o.why_not for o in self.menu.options(look, prefix) if o.value == values[-1])

    def act(self, *words: Any, seat: Seat | None = None) -> None:
        """The one who is asked chooses this; `seat`: who that should be."""
        (asked,) = self.asked
        assert seat is None or seat == asked, f"seat {asked} is asked, not {seat}"
        found = (c for c in self.menu.choices(self.run.look(asked)) if self.named(c) == words)
        chosen = next(found, None)
        assert chosen is not None, f"{words} is not offered to seat {asked}"
        self.answer({asked: chosen})

    def lapse_to(self, verb: str) -> None:
        """Silence until somebody is asked that, or the game is over."""
        while not self.run.finished and self.verb != verb:
            self.lapse()

    def place(self, *where: int) -> None:
        """Meeples one after the other; whoever has to divide tokens is silent."""
        for tile in where:
            self.act("place", tile)
            if self.asked and self.verb == "divide":
                self.lapse()

    def held(self, seat: Seat) -> str:
        """A hoard in letters."""
        return letters(token for token in TOKENS for _ in range(self.table.held[seat][token]))
