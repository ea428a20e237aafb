"""What a bot is, and the one that plays any game: it chooses at random among what is legal.

For: `--auto`, empty seats, the demo and tests. Never: anything that the bot's own seat may not know; a bot is given the
public game, its own look, and the events, which are its memory.

A game that has a better one puts a class `Sensible` with this interface into `engines/<name>_bot.py`.
"""

from __future__ import annotations

from typing import Protocol

from .chance import Chance
from .menus import Choice, Look, Menu, Seat
from .requests import Game, Tell


class Bot(Protocol):
    """One seat's player."""

    def notice(self, event: Tell) -> None:
        """A public event has happened."""

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """A legal choice. `game.table` is read, never changed."""


class Random:
    """Random legal choices, never improper ones."""

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.chance = chance

    def notice(self, event: Tell) -> None:
        """Nothing is remembered."""

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """Any legal choice."""
        return menu.sample(self.chance, look)
