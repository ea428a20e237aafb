"""The table of Mâamut: what lies where, and why something cannot be done there.

For: the rules, which change it, and screens and bots, which read it. Never: the face of a card; hands, pile and
discards are handles here, so that the whole table is public.

Theory of operation: a plain dataclass. The methods that begin with `no_` answer with the rule that forbids something,
in words that can be shown to the player, or with "" when nothing forbids it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .hexgrid import CENTRE, Hex, Way, line, step
from .maamut_field import GRASS, ROCK, passable, ways
from .menus import Card, Seat
from .requests import Result

TRAPS = 4
"""Traps of one colour."""


@dataclass
class Table:
    """All of it is public. `hands` are oldest card first, `pile` top card first."""

    tiles: dict[Hex, str] = field(default_factory=dict)
    mammoth: Hex = CENTRE
    pawns: dict[Seat, Hex] = field(default_factory=dict)
    """Hunters on the board."""
    traps: dict[Hex, Seat] = field(default_factory=dict)
    hands: list[list[Card]] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    discards: list[Card] = field(default_factory=list)
    start: Seat = 0
    active: Seat = 0
    round: int = 0
    """0 until all hunters are placed."""
    proposed: bool = False
    """Whether the active seat has said in this turn that the mammoth has survived."""
    out: list[Seat] = field(default_factory=list)
    """Removed hunters, in the order in which they went."""
    result: Result | None = None

    def traps_left(self, seat: Seat) -> int:
        """Traps that this hunter still carries."""
        return TRAPS - sum(owner == seat for owner in self.traps.values())

    def alone(self, seat: Seat) -> bool:
        """No other pawn, the mammoth's included, is where this hunter is (ruling 10)."""
        here = self.pawns[seat]
        return here != self.mammoth and sum(tile == here for tile in self.pawns.values()) == 1

    def no_place(self, tile: Hex) -> str:
        """Why a hunter may not start on that tile of the rim (ruling 3)."""
        if not passable(self.tiles, tile):
            return "hunters do not start on rock"
        if tile in self.pawns.values():
            return "another pawn stands there already"
        return ""

    def no_card(self, seat: Seat, value: int) -> str:
        """Why a hunter cannot use such a card to move (ruling 4)."""
        if ways(self.tiles, self.pawns[seat], value):
            return ""
        return f"a hunter goes the full distance, and rocks or the edge of the board hinder {value} in a row every way"

    def no_way(self, seat: Seat, value: int, way: Way) -> str:
        """Why a hunter cannot go that far that way (ruling 4)."""
        for tile in line(self.pawns[seat], way, value):
            if tile not in self.tiles:
                return "a hunter goes the full distance of the card, and that way leaves the board"
            if self.tiles[tile] == ROCK:
                return "a hunter goes the full distance of the card, and a rock is in the way"
        return ""

    def no_trap(self, seat: Seat) -> str:
        """Why a hunter cannot place a trap (ruling 10)."""
        here = self.pawns[seat]
        if not self.traps_left(seat):
            return f"all {TRAPS} traps of this hunter are on the board"
        if self.tiles[here] != GRASS:
            return "a trap may be placed on grass only"
        if here in self.traps:
            return "there is a trap already, and a tile takes only one"
        return "" if self.alone(seat) else "a trap is placed only where no other pawn stands"

    def no_destroy(self, seat: Seat) -> str:
        """Why a hunter cannot destroy a trap (ruling 10)."""
        if self.traps.get(self.pawns[seat], seat) == seat:
            return "there is no trap of another hunter here"
        return "" if self.alone(seat) else "a trap is destroyed only where no other pawn stands"

    def no_recover(self, seat: Seat) -> str:
        """Why a hunter cannot take a trap back (ruling 10)."""
        if self.traps.get(self.pawns[seat]) != seat:
            return "there is no trap of this hunter's own here"
        return "" if self.alone(seat) else "a trap is recovered only where no other pawn stands"

    def no_refuge(self, here: Hex, way: Way, tile: Hex) -> str:
        """Why a hunter whom the mammoth frightens, coming to `here` that way, cannot flee to a neighbour (ruling 7)."""
        if not passable(self.tiles, tile):
            return "a frightened hunter may not flee onto a rock or off the board"
        if tile == step(here, way, -1):
            return "a frightened hunter may not flee to where the mammoth came from"
        return "a frightened hunter flees to a tile without another pawn" if tile in self.pawns.values() else ""
