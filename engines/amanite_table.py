"""The table of Amanite: the parts of the box, what lies where, and why something cannot be put there.

For: the rules, which change it, and screens and bots, which read it. Never: the attribute of a mushroom before the
scoring; hint cards are handles here, so that the whole table is public.

Theory of operation: a plain dataclass. Every one of the 64 tokens is in the bag, on a tile or with a seat at all times;
tokens of one kind are alike, so bags and hoards are counts. The methods that begin with `no_` answer with the rule that
forbids something, in words that can be shown to the player, or with "" when nothing forbids it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .menus import Card, Seat
from .requests import Result

Token = str
Tokens = tuple[Token, ...]
COLOURS = ("blue", "green", "purple", "red", "white", "yellow")
PIG = "pig"
TOKENS = (*COLOURS, PIG)
"""Every kind of token, in the order in which tokens are listed everywhere."""
BAG = {**dict.fromkeys(COLOURS, 10), PIG: 4}

POISON, ANTIDOTE, ELIXIR, COUNT, TWO, MAJORITY = "poison", "antidote", "elixir", "count", "two", "majority"
ALWAYS = (ANTIDOTE, POISON)
"""Attributes of every game."""
OTHERS = ("-1", "1", "2", "3", ELIXIR, COUNT, TWO, MAJORITY)
"""Attributes of which a game uses four."""

START_CARDS = {
    "fox": {"A": ("blue", "yellow", "red"), "B": ("blue", "yellow", "white")},
    "squirrel": {"A": ("blue", "purple", "white"), "B": ("green", "purple", "white")},
    "owl": {"A": ("green", "purple", "red"), "B": ("green", "yellow", "red")},
    "jay": {"A": ("white", "red", "green"), "B": ("purple", "yellow", "blue")},
}
SIDES = ("A", "B")

ROUNDS = 3
MEEPLES = 2
"""Of one colour; a player has as many notebooks, one for each round but the last."""
GROWTH = {1: 4, 2: 5, 3: 6}
"""Tokens on each tile, by round."""
TAKEN_ALONE = 2
ABOVE, BELOW, WHOLE = "above", "below", "whole"


def in_order(tokens: Sequence[Token]) -> list[Token]:
    """The same tokens as they are listed everywhere."""
    return sorted(tokens, key=TOKENS.index)


def without(tokens: Sequence[Token], gone: Sequence[Token]) -> Tokens:
    """What is left of the tokens."""
    left = list(tokens)
    for token in gone:
        left.remove(token)
    return tuple(left)


def parse_attributes(text: str) -> tuple[str, ...]:
    """The six attributes of a game, in their usual order. Errors: ValueError, with what is wrong."""
    named = [word.strip().casefold() for word in text.split(",")]
    unknown = [word for word in named if word not in OTHERS + ALWAYS]
    if unknown:
        raise ValueError(f"there is no attribute {unknown[0]!r:.40}; there are {', '.join(OTHERS + ALWAYS)}")
    if len(set(named)) != len(named):
        raise ValueError("an attribute is named twice")
    chosen = [word for word in OTHERS if word in named]
    if len(chosen) != len(COLOURS) - len(ALWAYS):
        raise ValueError(f"a game needs four attributes besides antidote and poison, not {len(chosen)}")
    return (*chosen, *ALWAYS)


@dataclass
class Tile:
    """One forest tile, pin to the left. `tokens` lie in one group, or else in the piles `above` and `below` it."""

    tokens: list[Token] = field(default_factory=list)
    above: list[Token] = field(default_factory=list)
    below: list[Token] = field(default_factory=list)
    pin: Seat | None = None
    split: Seat | None = None

    def lift(self, which: str) -> Tokens:
        """The tokens of one pile, or of the undivided group, leave the tile."""
        pile = {ABOVE: self.above, BELOW: self.below, WHOLE: self.tokens}[which]
        lifted = tuple(pile)
        pile.clear()
        return lifted


@dataclass
class Table:
    """All of it is public. Tiles are counted from 0, left to right."""

    attributes: tuple[str, ...] = ()
    """The six in play."""
    starts: dict[Seat, tuple[str, str]] = field(default_factory=dict)
    """Start card and side."""
    unplaced: list[Card] = field(default_factory=list)
    """The hints before they are dealt to the mushrooms."""
    mushrooms: dict[str, Card] = field(default_factory=dict)
    """The hint of each colour: all six copies of a deck say the same, so one card stands for them."""
    hints: list[list[Card]] = field(default_factory=list)
    """The first three hints of each seat, shuffled."""
    notebooks: dict[str, list[Seat]] = field(default_factory=dict)
    """Who consulted which mushroom, in the order of arrival."""
    bag: dict[Token, int] = field(default_factory=dict)
    held: list[dict[Token, int]] = field(default_factory=list)
    tiles: list[Tile] = field(default_factory=list)
    first: Seat = 0
    active: Seat = 0
    round: int = 0
    """0 until the first mushrooms appear."""
    phase: str = "setup"
    """setup, growth, meeples, gathering, hints, scoring."""
    tile: int | None = None
    """The tile that is divided or gathered from now."""
    hungry: int = 0
    """Pigs of the active seat that still have to be fed."""
    worth: dict[str, str] = field(default_factory=dict)
    """The attribute of each colour; empty until the scoring."""
    points: list[dict[str, int]] = field(default_factory=list)
    """Per seat, what it scores for what; empty until the scoring."""
    eliminated: dict[Seat, str] = field(default_factory=dict)
    """Who is out, and for which attribute."""
    result: Result | None = None

    @property
    def spaces(self) -> int:
        """Notebook spaces on each mushroom."""
        return 1 if len(self.held) == 2 else 2

    def colours(self, seat: Seat) -> tuple[str, ...]:
        """The three colours of a start card."""
        card, side = self.starts[seat]
        return START_CARDS[card][side]

    def mushrooms_of(self, seat: Seat) -> int:
        """Mushroom tokens of a seat; pigs are none."""
        return sum(self.held[seat][colour] for colour in COLOURS)

    def take(self, seat: Seat, tokens: Sequence[Token]) -> None:
        """Tokens come to a seat."""
        for token in tokens:
            self.held[seat][token] += 1

    def back(self, tokens: Sequence[Token]) -> None:
        """Tokens go into the bag."""
        for token in tokens:
            self.bag[token] += 1

    def no_start(self, card: str) -> str:
        """Why a start card cannot be taken."""
        taken = any(card == other for other, _ in self.starts.values())
        return "each player takes another start card, and this one is taken" if taken else ""

    def no_tile(self, seat: Seat, index: int) -> str:
        """Why a meeple cannot go to that tile (ruling 3)."""
        tile = self.tiles[index]
        if seat in (tile.pin, tile.split):
            return "a player's second meeple may not go to the tile of the first"
        if tile.pin is not None and tile.split is not None:
            return "both spaces of this tile are taken"
        if tile.pin is not None and len(tile.tokens) < 2:
            return "fewer than two tokens cannot be divided into two piles"
        return ""

    def no_food(self, seat: Seat, token: Token) -> str:
        """Why a pig cannot be fed with that (ruling 6)."""
        if token == PIG:
            return "pigs eat mushrooms, and a pig is none"
        return "" if self.held[seat][token] else "this player has no mushroom of that colour"

    def no_space(self, colour: str) -> str:
        """Why no notebook can be placed on that mushroom (ruling 8)."""
        if len(self.notebooks[colour]) < self.spaces:
            return ""
        return "no notebook space is left on this mushroom"
