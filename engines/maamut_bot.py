"""A sensible hunter: traps where the mammoth may be driven, pushes it when the trap is its own.

For: `--auto`, empty seats, the demo. Never: a card that this seat cannot see; of other hands it knows the odds only.

Theory of operation: one turn ahead. Every legal act is tried on a copy of what matters (`Scene`), and the outcome is
weighed: what the others could do to me or for themselves before it is my turn again, what I could do then with the
cards that I would hold, how many pushes lead into my traps, and how far I am from a tile from where one of them starts.
A little luck, more of it as the hunt goes on, breaks ties, so that two of these do not dance in circles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .chance import Chance
from .hexgrid import CENTRE, Hex, Way, distance, line, step
from .maamut_field import GRASS, VALUES, Field, connected, flight, free, passable, trappable, ways
from .maamut_table import Table
from .menus import Choice, Decision, Look, Menu, Seat
from .requests import Game, Tell

Pushes = dict[tuple[Hex, int], tuple[Hex, ...]]
"""Where a hunter starts, with which card: the tiles that the mammoth would enter; none if it cannot flee."""
HOLDS = {1: 0.70, 2: 0.83, 3: 0.53}
"""How likely a hand of three unknown cards has that value."""
DRAWS = {1: 12 / 36, 2: 16 / 36, 3: 8 / 36}
"""How likely one unknown card has that value."""
LUCK = 8
MOST_LUCK = 100
PATIENCE = 50
"""After so many rounds a hunter that has nothing to hope for agrees that the mammoth has survived."""


@dataclass(frozen=True)
class Scene:
    """What an act leads to, as far as it can be told."""

    mammoth: Hex
    pawns: Mapping[Seat, Hex]
    traps: Mapping[Hex, Seat]
    cards: tuple[int, ...]
    """What this seat still holds."""
    winner: Seat | None = None


class Sensible:
    """One seat's player."""

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.chance = chance
        self._run: tuple[Hex, ...] = ()
        self._pushes: dict[Hex, Pushes] = {}

    def notice(self, event: Tell) -> None:
        """Where the mammoth runs to, for those whom it frightens on the way."""
        if event.kind == "flees":
            self._run = event.path

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """The legal choice that leads to the best scene."""
        table: Table = game.table
        luck = 100 * (LUCK + min(table.round, MOST_LUCK))
        best, most = menu.lapse, float("-inf")
        seen: set[Any] = set()
        for choice in menu.choices(look):
            decision = menu.decision(choice)
            values = decision.values
            same = (decision.verb, look(values["card"]) if "card" in values else None, values.get("way"))
            if "card" in values and same in seen:
                continue  # of equal cards the oldest, so that a card's age says nothing
            seen.add(same)
            worth = self._worth(table, decision, look) + self.chance.below(luck) / 100
            if worth > most:
                best, most = choice, worth
        return best

    def _worth(self, table: Table, a: Decision, look: Look) -> float:
        """How good a decision looks."""
        if a.verb == "place":
            return self._start(table, a.tile)
        if a.verb in ("agree", "refuse"):
            mine = [tile for tile, owner in table.traps.items() if owner == self.seat]
            hopeless = not trappable(table.tiles, table.mammoth, [table.pawns[self.seat]], mine)
            agree = hopeless and table.round > PATIENCE
            return 1000.0 if agree == (a.verb == "agree") else 0.0
        if a.verb == "propose":
            return float("-inf")
        cards = tuple(int(look(card)) for card in table.hands[self.seat])
        scene = Scene(table.mammoth, table.pawns, table.traps, cards)
        here = table.pawns[self.seat]
        trodden = 0.0
        if a.verb == "flee":
            ahead = self._run if table.mammoth in self._run else (table.mammoth,)
            scene = replace(scene, mammoth=ahead[-1], pawns={**table.pawns, self.seat: a.tile})
            if a.tile in ahead[ahead.index(table.mammoth) :]:
                out = _refuge(table.tiles, table.pawns.values(), table.mammoth, a.tile)
                trodden = 50 if out else 5000
        elif a.verb == "trap":
            scene = replace(scene, traps={**table.traps, here: self.seat})
        elif a.verb in ("destroy", "recover"):
            scene = replace(scene, traps={tile: owner for tile, owner in table.traps.items() if tile != here})
        else:
            value = int(look(a.card))
            held = list(cards)
            held.remove(value)
            scene = replace(scene, cards=tuple(held))
            if a.verb == "move":
                scene = self._moved(table.tiles, scene, value, a.way)
        return self._weigh(table, scene) - trodden

    def _start(self, table: Table, tile: Hex) -> float:
        """How good a tile of the rim is to begin on."""
        if CENTRE not in connected(table.tiles, [tile]):
            return -1000.0
        return 10.0 * (table.tiles[tile] == GRASS) + sum(len(ways(table.tiles, tile, value)) for value in VALUES)

    # -- what an act leads to --------------------------------------------------------------------------------------

    def _moved(self, field: Field, scene: Scene, value: int, way: Way) -> Scene:
        """After a move of mine; the frightened are taken to flee straight on if they can."""
        start = scene.pawns[self.seat]
        pawns = {**scene.pawns, self.seat: step(start, way, value)}
        if scene.mammoth not in line(start, way, value):
            return replace(scene, pawns=pawns)
        run = self._all_pushes(field, scene.mammoth)[start, value]
        if not run:
            del pawns[self.seat]
            return replace(scene, pawns=pawns)
        traps = dict(scene.traps)
        for tile in run:
            if tile in traps:
                return replace(scene, mammoth=tile, pawns=pawns, traps=traps, winner=traps[tile])
            for hunter in sorted(pawns):
                if pawns[hunter] == tile and hunter != self.seat:
                    refuge = _refuge(field, pawns.values(), scene.mammoth, tile)
                    if refuge is None:
                        del pawns[hunter]
                        traps = {place: owner for place, owner in traps.items() if owner != hunter}
                    else:
                        pawns[hunter] = refuge
        return replace(scene, mammoth=run[-1], pawns=pawns, traps=traps)

    def _all_pushes(self, field: Field, mammoth: Hex) -> Pushes:
        """Every push of a mammoth there; the board never changes, so they are worked out once a tile."""
        if mammoth not in self._pushes:
            found: Pushes = {}
            for way in range(6):
                for value in VALUES:
                    run = flight(field, mammoth, way, value)
                    path = () if run is None else line(mammoth, run, value)
                    for back in range(1, value + 1):
                        start = step(mammoth, way, -back)
                        if passable(field, start) and free(field, start, way, value):
                            found[start, value] = path
            self._pushes[mammoth] = found
        return self._pushes[mammoth]

    # -- how good that is ------------------------------------------------------------------------------------------

    def _weigh(self, table: Table, scene: Scene) -> float:
        if scene.winner is not None:
            return 1e6 if scene.winner == self.seat else -1e6
        if self.seat not in scene.pawns:
            return -9e5
        pushes = self._all_pushes(table.tiles, scene.mammoth)
        here = scene.pawns[self.seat]
        worth, quiet = 0.0, 1.0
        for other, place in sorted(scene.pawns.items()):
            if other == self.seat:
                continue
            for value in VALUES:
                run = pushes.get((place, value), ())
                winner = _first_trap(run, scene.traps)
                if winner == other:
                    quiet *= 1 - HOLDS[value]
                elif winner is None and here in run:
                    trodden = _refuge(table.tiles, scene.pawns.values(), scene.mammoth, here) is None
                    worth -= HOLDS[value] * (300 if trodden else 5)
        ready = [value for value in VALUES if _first_trap(pushes.get((here, value), ()), scene.traps) == self.seat]
        if any(value in scene.cards for value in ready):
            hope = 1.0
        else:
            hope = sum(DRAWS[value] for value in ready) if len(scene.cards) < 3 else 0.0
        worth += 300 * quiet * hope - 1500 * (1 - quiet)
        starts: list[Hex] = []
        for (start, _), run in pushes.items():
            owner = _first_trap(run, scene.traps)
            if owner == self.seat:
                worth += 6
                starts.append(start)
            elif owner is not None:
                worth -= 4
        for tile, owner in scene.traps.items():
            if owner == self.seat:
                worth += 12 - 3 * distance(tile, scene.mammoth)
        goal = min((distance(here, start) for start in starts), default=distance(here, scene.mammoth) + 2)
        return worth - 5 * goal


def _first_trap(run: Sequence[Hex], traps: Mapping[Hex, Seat]) -> Seat | None:
    """Whose trap the mammoth would fall into on this way."""
    return next((traps[tile] for tile in run if tile in traps), None)


def _refuge(field: Field, pawns: Any, mammoth: Hex, here: Hex) -> Hex | None:
    """Where one could flee from a mammoth that comes from over there; None if nowhere. The way it comes is judged from
    its last known tile, which is exact for a hunter next to it and near enough for the others."""
    gap = distance(mammoth, here)
    back = next((w for w in range(6) if step(here, w, gap) == mammoth), 0)
    around = [step(here, back + 3 + turn) for turn in (0, 1, 2, 4, 5)]
    return next((tile for tile in around if passable(field, tile) and tile not in pawns), None)
