"""Hunts that start from a position of the test's own, with hands of the test's own.

For: the tests of the rules and of the bot. Never: a shortcut past the rules; what is put in place is the outcome of the
setup, and everything after it is the game as it is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines import registry
from engines.bots import Random
from engines.chance import Chance
from engines.dealer import Dealer
from engines.hexgrid import CENTRE, TILES, Hex, name
from engines.maamut import DECK, Rules
from engines.maamut_field import GRASS, ROCK, SNOW
from engines.menus import Card, Choice, Face, Look, Menu, Seat
from engines.requests import Game, Script, Tell
from tests.engines.driven import ByNumber, Sentences

A, B, C, D = 0, 1, 2, 3
E, SE, SW, W, NW, NE = range(6)

of = Sentences(
    {
        "Components": 5,
        "Tiles": 4,
        "Setup": 11,
        "Object": 1,
        "Turn": 1,
        "Move": 4,
        "Trap": 4,
        "Destroy": 3,
        "Discard": 1,
        "Draw": 3,
        "Mammoth": 10,
        "Special": 1,
        "End": 1,
        "Players": 1,
        "Ruling": 14,
        "Example": 11,
    }
)


def hexagon(text: str) -> Hex:
    """The tile of that name."""
    return next(tile for tile in TILES if name(tile) == text)


class Position(Rules):
    """A hunt whose setup is given; seat A moves first."""

    def __init__(
        self,
        pawns: Sequence[Hex],
        mammoth: Hex = CENTRE,
        traps: Mapping[Hex, Seat] | None = None,
        rocks: Sequence[Hex] = (),
        snow: Sequence[Hex] = (),
        rounds: int = 100,
        seats: int = 0,
    ) -> None:
        super().__init__(seats or max(2, len(pawns)), {"rounds": rounds})
        self.given = dict(enumerate(pawns)), mammoth, dict(traps or {})
        self.land = {tile: ROCK if tile in rocks else SNOW if tile in snow else GRASS for tile in TILES}

    def lay_tiles(self) -> Script[None]:
        """As given."""
        self.table.tiles = self.land
        yield from ()

    def place_hunters(self) -> Script[None]:
        """As given."""
        self.table.pawns, self.table.mammoth, self.table.traps = self.given
        self.table.out = [seat for seat in range(self.seats) if seat not in self.table.pawns]
        yield from ()


class Stacked(Dealer):
    """A dealer whose first shuffle gives the hands that are wanted; what nobody wants comes after them in order."""

    def __init__(self, game: Position, hands: Sequence[str], events: list[Tell]) -> None:
        rest = list(DECK)
        wanted = [hands[seat] if seat < len(hands) else "" for seat in range(game.seats)]
        for face in "".join(wanted):
            rest.remove(face)
        wanted = [hand or "".join(rest.pop() for _ in range(3)) for hand in wanted]
        self.order: list[Face] | None = [wanted[seat][i] for i in range(3) for seat in range(game.seats)] + rest
        super().__init__(game, bytes(32), events.append)

    def arrange(self, faces: Sequence[Face]) -> list[Face]:
        """The wanted order once, then as ever."""
        if self.order is None:
            return super().arrange(faces)
        order, self.order = self.order, None
        return order


class Hunt(ByNumber):
    """A hunt in progress, driven by words: `hunt.act("move", "2", E)`."""

    def __init__(self, *args: Any, hands: Sequence[str] = (), **kwargs: Any) -> None:
        self.game = Position(*args, **kwargs)
        self.table = self.game.table
        events: list[Tell] = []
        super().__init__(Stacked(self.game, hands, events), events)

    def named(self, seat: Seat, choice: Choice) -> tuple[Any, ...]:
        """A choice in words: the verb, then values, cards by what is on them."""
        decision, truth = self.menus[seat].decision(choice), self.dealer.look()
        return (decision.verb, *(truth(v) if isinstance(v, Card) else v for v in decision.values.values()))

    def offers(self, seat: Seat, *prefix: Any) -> set[Any]:
        """The legal choices of a seat, in words, that begin with `prefix`; without it."""
        words = {self.named(seat, choice) for choice in self.menus[seat].choices(self.run.look(seat))}
        n = len(prefix)
        return {w[n] if len(w) == n + 1 else w[n:] for w in words if w[:n] == prefix}

    def why_not(self, seat: Seat, verb: str) -> str:
        """Why a whole act is not possible, or ""."""
        menu = self.menus[seat]
        index = next(i for i, act in enumerate(menu.acts) if act.verb == verb)
        return menu.why_not(self.run.look(seat), index)

    def act(self, *words: Any, seat: Seat | None = None) -> None:
        """The one who is asked (or `seat`) chooses this; all others asked are silent."""
        seat = self.asked[0] if seat is None else seat
        chosen = next(
            (c for c in self.menus[seat].choices(self.run.look(seat)) if self.named(seat, c) == words),
            None,
        )
        assert chosen is not None, f"{words} is not offered to seat {seat}"
        self.answer({seat: chosen})

    def answer_all(self, verb: str) -> None:
        """Everybody asked says the same."""
        picks = {s: next(i for i, a in enumerate(m.acts) if a.verb == verb) for s, m in self.menus.items()}
        self.answer({seat: Choice(i) for seat, i in picks.items()})

    @property
    def hand(self) -> list[Face]:
        """The hand of seat A as the dealer knows it."""
        return self.faces(self.table.hands[A])


def cornered(**more: Any) -> Hunt:
    """A mammoth at (3, 0) that cannot flee from a card 2 from the west, but from a card 1 it can."""
    return Hunt(
        more.pop("pawns", [(1, 0), (0, 3), (-3, 0)]),
        mammoth=(3, 0),
        rocks=[(3, -2), (1, 2), *more.pop("rocks", [])],
        traps={(-3, 3): A, (0, -3): B},
        hands=["213", "213"],
        **more,
    )


class Stubborn(Random):
    """Chooses at random, but never proposes to give up and never agrees to."""

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """Anything else."""
        while True:
            choice = super().choose(game, menu, look)
            if menu.acts[choice.act].verb not in ("propose", "agree"):
                return choice


def decided(seats: int, seed: int) -> tuple[Game, bytes, dict[int, Stubborn]]:
    """What `play_bots` needs for a random game that is played to the end."""
    bots = {seat: Stubborn(seat, Chance(bytes([seed, seat]) * 16)) for seat in range(seats)}
    return registry.create("maamut", seats, {}), seed.to_bytes(32, "little"), bots
