"""A sensible cook: gathers what goes together, minds the room in its hand, and cooks before the forest runs out.

For: `--auto`, empty seats, the demo. Never: a card that this seat cannot see; of the other hand it counts what was
taken in sight.

Theory of operation: one turn ahead. Every act worth a thought is tried on a copy of what this cook has (`Larder`), and
what comes out is weighed in points of flavour: dishes count in full; a set that could be cooked, or could still become
one, counts by how likely that is in the turns that are left; sticks, pans, seasoning and room in the hand by what they
usually lead to. Which copies of a kind can still be had is counted from all cards in sight. A little luck breaks ties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .chance import Chance
from .fungi_cards import (
    BASKET,
    BUTTER,
    CIDER,
    DISH,
    EXTRA,
    FLY,
    KINDS,
    MOON,
    NEEDS,
    NIGHT,
    NIGHT_KINDS,
    PAN,
    SALE,
    flavour,
    is_night,
    kind_of,
    mushrooms,
    no_dish,
    price,
)
from .fungi_table import DECAY, FLY_LIMIT, LIMIT, PER_BASKET, Table
from .menus import Act, Card, Choice, Face, Look, Menu, Seat, Some
from .requests import Game, Tell

PACE = 1.7
"""Cards of the forest that a turn uses up."""
LUCK = 0.1
SPITE = 0.15
"""How much of what a card is worth to the other cook counts as a reason to take it."""


@dataclass(frozen=True)
class Larder:
    """What one cook has, or would have."""

    faces: tuple[Face, ...]
    sticks: int
    pans: int
    baskets: int
    flies: bool
    points: float = 0.0

    @property
    def room(self) -> int:
        """Cards that the hand could still take."""
        return (FLY_LIMIT if self.flies else LIMIT) + PER_BASKET * self.baskets - len(self.faces)

    def without(self, cards: Iterable[Face]) -> Larder:
        """After these have left the hand."""
        left = list(self.faces)
        for face in cards:
            left.remove(face)
        return replace(self, faces=tuple(left))


class Sensible:
    """One seat's player."""

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.chance = chance

    def notice(self, event: Tell) -> None:
        """All that happened can be seen on the table."""

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """The legal choice with the best prospect."""
        table: Table = game.table
        if menu.acts[0].verb == "show":
            return next(menu.choices(look))
        thought = _Thought(table, self.seat, look, game)
        best, most = menu.lapse, float("-inf")
        for choice in thought.ideas(menu):
            if menu.judge(look, choice):
                continue
            worth = thought.worth(menu, choice) + self.chance.below(100) / 100 * LUCK
            if worth > most:
                best, most = choice, worth
        return best


class _Thought:
    """What can be said of one decision: the table as one seat sees it, and what every act would make of it."""

    def __init__(self, table: Table, seat: Seat, look: Look, game: Game) -> None:
        self.table = table
        self.seat = seat
        self.look = look
        self.hand = table.hands[seat]
        self.now = Larder(
            tuple(look(card) for card in self.hand),
            table.sticks[seat],
            len(table.pans[seat]),
            len(table.baskets[seat]),
            bool(table.flies[seat]),
        )
        seen = Counter(table.seen(game.cards(), look))
        ahead = len(table.forest) + len(table.pile)
        self.turns = max(0.0, (ahead - 4) / PACE / 2 + 0.5)
        """Own turns that are left after this one, about: with four cards ahead two takings may be the end."""
        drawn = len(table.pile) / max(1, len(table.pile) + len(table.hands[1 - seat]))
        self.nights = [kind for kind in NIGHT_KINDS if not seen[NIGHT + kind]]
        self.within = {kind: (KINDS[kind].copies - seen[kind]) * 0.3 * drawn for kind in KINDS}
        """Copies of each kind that this cook may still get."""
        for place, face in enumerate(table.seen(table.forest, look)):
            if kind_of(face):
                self.within[face] += 0.55 if place - 2 < self.now.sticks else 0.35
        for face in table.seen(table.decay, look):
            if kind_of(face):
                self.within[face] += 0.25 if len(table.decay) < DECAY else 0.15
        self.rival = Counter(kind_of(face) for face in table.seen(table.hands[1 - seat], look))

    # -- what to think about ---------------------------------------------------------------------------------------

    def ideas(self, menu: Menu) -> Iterator[Choice]:
        """Choices worth a thought; not all of them are legal."""
        for number, act in enumerate(menu.acts):
            if act.why_not:
                continue
            if act.verb == "cook":
                yield from self._sets(number, act, self._dish)
            elif act.verb == "sell":
                yield from self._sets(number, act, self._ware)
            elif act.verb == "discard":
                yield Choice(number, (self._least(act),))
            elif not act.parts:
                yield Choice(number)
            else:
                yield from (Choice(number, (pick,)) for pick in act.parts[0].picks())

    def _sets(self, number: int, act: Act, find: Callable[[str], list[Face]]) -> Iterator[Choice]:
        """For each kind the cards that one would play."""
        kinds, cards = act.parts
        for pick, kind in enumerate(kinds.of):
            if faces := find(kind):
                yield Choice(number, (pick, self._places(cards.of, faces)))

    def _places(self, hand: Sequence[Card], faces: Sequence[Face]) -> tuple[int, ...]:
        """Where these are in the hand as it is named, which is what everybody knows first."""
        wanted = Counter(faces)
        found = []
        for place, card in enumerate(hand):
            face = self.look(card)
            if wanted[face]:
                wanted[face] -= 1
                found.append(place)
        return tuple(found)

    def _dish(self, kind: str) -> list[Face]:
        """All mushrooms of the kind, as much seasoning as goes with them, and a pan if none is on the table."""
        food = [face for face in self.now.faces if kind_of(face) == kind]
        if mushrooms(food) < DISH:
            return []
        for extra in (CIDER, BUTTER):
            for _ in range(self.now.faces.count(extra)):
                if not no_dish(kind, [*food, extra], self.table.rules):
                    food.append(extra)
        return food if self.now.pans else [*food, PAN]

    def _ware(self, kind: str) -> list[Face]:
        """All mushrooms of the kind."""
        food = [face for face in self.now.faces if kind_of(face) == kind]
        return food if mushrooms(food) >= SALE else []

    def _least(self, act: Act) -> tuple[int, ...]:
        """The surplus that one misses least."""
        part = act.parts[0]
        count = part.low if isinstance(part, Some) else 0
        return self._places(part.of, self._spared(self.now, count))

    def _spared(self, larder: Larder, count: int) -> list[Face]:
        """So many cards, one after the other the one without which most is left."""
        gone: list[Face] = []
        for _ in range(count):
            face = max(dict.fromkeys(larder.faces), key=lambda face: self.prospect(larder.without([face])))
            gone.append(face)
            larder = larder.without([face])
        return gone

    # -- what comes of it ------------------------------------------------------------------------------------------

    def worth(self, menu: Menu, choice: Choice) -> float:
        """The prospect after a choice."""
        a = menu.decision(choice)
        if a.verb == "take":
            cost = self.table.cost(a.card)
            face = self.look(a.card)
            after = replace(self.now, sticks=self.now.sticks - cost)
            return self.gained(after, [face]) + self._denied(face)
        if a.verb == "decay":
            faces = [self.look(card) for card in self.table.decay]
            return self.gained(self.now, faces) + sum(map(self._denied, faces)) / 2
        if a.verb in ("pass", "discard"):
            return self.prospect(self.now)
        faces = [self.look(card) for card in (a.cards if a.verb != "pan" else [a.card])]
        after = self.now.without(faces)
        if a.verb == "cook":
            pans = after.pans - (PAN not in faces)
            return self.prospect(replace(after, pans=pans, points=flavour(faces, self.table.rules)))
        if a.verb == "sell":
            return self.prospect(replace(after, sticks=after.sticks + price(faces)))
        return self.prospect(replace(after, pans=after.pans + 1))

    def gained(self, larder: Larder, faces: Sequence[Face]) -> float:
        """The prospect with more cards. A moon is taken to bring the night card of average worth."""
        nights = min(list(faces).count(MOON), len(self.table.nights))
        more = tuple(face for face in faces if face not in (BASKET, MOON, FLY))
        flies = larder.flies or FLY in faces
        larder = replace(larder, baskets=larder.baskets + list(faces).count(BASKET), flies=flies)
        larder = replace(larder, faces=larder.faces + more)
        if larder.room < 0:
            larder = larder.without(self._spared(larder, -larder.room))
        plain = self.prospect(larder)
        if not nights or not self.nights:
            return plain
        lit = [self.prospect(replace(larder, faces=(*larder.faces, NIGHT + kind))) for kind in self.nights]
        return plain + nights * (sum(lit) / len(lit) - plain)

    def _denied(self, face: Face) -> float:
        """What the other cook would have wanted of it."""
        held = self.rival[face] if kind_of(face) else 0
        return SPITE * KINDS[face].flavour * min(held, 2) / 2 if held else 0.0

    def prospect(self, larder: Larder) -> float:
        """Points that this is likely to lead to."""
        rest = min(1.0, self.turns / 5)
        sets = sorted(self._hopes(larder), reverse=True)
        pans = larder.pans + larder.faces.count(PAN)
        total = larder.points
        for rank, (hope, _) in enumerate(sets):
            total += hope * self._later(rank) * (1.0 if rank < pans else 0.45 * min(1.0, self.turns / 10))
        total += self._spice(larder, [size for _, size in sets[: max(1, pans)]]) * self._later(0)
        total += rest * (0.5 * min(larder.sticks, 6) + 0.1 * max(0, larder.sticks - 6))
        total += rest * sum((1.2, 0.8, 0.5, 0.3)[: max(0, larder.room)])
        total += min(1.0, self.turns / 8) * (0.5 * min(2, max(0, pans - len(sets))) + larder.baskets)
        return total - rest * 2.5 * larder.flies

    def _later(self, rank: int) -> float:
        """How likely a set is cooked before the end, if that many are cooked before it."""
        return 0.95 * max(0.0, min(1.0, self.turns - rank))

    def _spice(self, larder: Larder, sizes: list[float]) -> float:
        """What seasoning may add to sets of these sizes; as published none of the mushrooms serves two of them."""
        total = 0.0
        for extra in (CIDER, BUTTER):
            for _ in range(larder.faces.count(extra) if sizes else 0):
                best = max(range(len(sizes)), key=sizes.__getitem__)
                fits = max(0.0, min(1.0, 1 - (NEEDS[extra] - sizes[best]) / 2))
                total += 0.8 * EXTRA[extra] * fits
                if fits and self.table.rules == "published":
                    sizes[best] -= NEEDS[extra]
        return total

    def _hopes(self, larder: Larder) -> Iterator[tuple[float, float]]:
        """For each kind held, the flavour to be hoped for and the mushrooms that it may come to."""
        for kind, (_, each, _) in KINDS.items():
            food = [face for face in larder.faces if kind_of(face) == kind]
            size = mushrooms(food)
            if not size:
                continue
            twice = 2 if self.table.rules == "rulebook" and any(map(is_night, food)) else 1
            more = self.within[kind] * min(1.0, self.turns / 6)
            if size >= DISH:
                yield flavour(food, self.table.rules) + each * twice * more * 0.6, size + more
            elif size == DISH - 1:
                yield min(0.9, 0.75 * more) * (flavour(food, self.table.rules) + each * twice), size + more
            else:
                yield min(0.5, 0.8 * (more / 2) ** 1.5) * each * DISH, size + more
