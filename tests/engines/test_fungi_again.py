"""Fungi a second time, with faces instead of handles: whole games, compared with the engine at every question.

For: what a test of single sentences could miss. Never: a line of the engine; this is written from the rulebook and the
rulings alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import pytest

from engines import registry
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Card, Choice, Menu, Seat

FLAVOUR = {"HF": 1, "TE": 1, "LW": 2, "SH": 2, "HW": 3, "BB": 3, "PO": 3, "CH": 4, "MO": 6}
STICKS = {"HF": 1, "TE": 2, "LW": 1, "SH": 2, "HW": 1, "BB": 2, "PO": 3, "CH": 2, "MO": 4}
SPECIALS = ("BSK", "MOON", "FLY")
TAKING = ("take", "decay")
MANY = 10
"""Cards in a hand of which the choices are not all listed."""
Set = tuple[str, ...]


def size(faces: Set) -> int:
    """Mushrooms."""
    return sum(1 + face.startswith("N-") for face in faces if face[-2:] in FLAVOUR)


def one_kind(faces: Set) -> bool:
    """Mushrooms of one kind, and perhaps something else."""
    return len({face[-2:] for face in faces} & set(FLAVOUR)) == 1


@dataclass
class Cook:
    """What lies before one of them; `flies`: the turns in which they came."""

    hand: list[str]
    baskets: int
    sticks: int = 0
    pans: int = 1
    flies: list[int] = field(default_factory=list)
    dishes: list[tuple[int, int]] = field(default_factory=list)

    def limit(self, *, fly: bool = False, baskets: int = 0) -> int:
        """The hand's, with what may come."""
        return (4 if fly or self.flies else 8) + 2 * (self.baskets + baskets)

    def dishes_of(self, rules: str) -> set[Set]:
        """Every set of cards that can be cooked."""
        found = set()
        for cards in subsets(self.hand):
            count, kinds = Counter(cards), [face for face in cards if face[-2:] in FLAVOUR]
            if not one_kind(cards) or size(cards) < 3 or any(f not in ("PAN", "BUT", "CID", *kinds) for f in cards):
                continue
            if count["PAN"] > 1 or not (count["PAN"] or self.pans):
                continue
            if rules == "published":
                fits = size(cards) >= 4 * count["BUT"] + 5 * count["CID"]
            else:
                fits = size(cards) >= (5 if count["CID"] else 4 if count["BUT"] else 3)
            if fits:
                found.add(cards)
        return found

    def wares(self) -> set[Set]:
        """Every set of cards that can be sold."""
        return {c for c in subsets(self.hand) if one_kind(c) and size(c) >= 2 and all(f[-2:] in FLAVOUR for f in c)}


def subsets(hand: list[str]) -> set[Set]:
    """Of equal cards only the number counts."""
    return {tuple(sorted(cards)) for n in range(1, len(hand) + 1) for cards in combinations(hand, n)}


class Again:
    """The second game beside the first one."""

    def __init__(self, rules: str, seed: int) -> None:
        self.rules, self.chance = rules, Chance(bytes([seed, 7]) * 16)
        self.dealer = Dealer(registry.create("fungi", 2, {"rules": rules}), bytes([seed]) * 32)
        self.table = self.dealer.run.game.table
        self.turn = 0
        self.seen: Counter[str] = Counter()

    def faces(self, cards: Iterable[Card]) -> list[str]:
        return [self.dealer.truth[card] for card in cards]

    def begin(self) -> None:
        """What the preparation has left, before the first turn; tests of it are elsewhere."""
        t = self.table
        self.forest, self.pile, self.nights = self.faces(t.forest), self.faces(t.pile), self.faces(t.nights)
        self.decay: list[str] = []
        self.cooks = [Cook(self.faces(t.hands[seat]), len(t.baskets[seat])) for seat in (0, 1)]
        self.seat = int(t.start)

    def compare(self) -> None:
        t = self.table
        assert self.faces(t.forest) == self.forest
        assert self.faces(t.decay) == self.decay
        assert (self.faces(t.pile), self.faces(t.nights)) == (self.pile, self.nights)
        for seat, cook in enumerate(self.cooks):
            assert sorted(self.faces(t.hands[seat])) == sorted(cook.hand)
            assert (t.sticks[seat], len(t.pans[seat])) == (cook.sticks, cook.pans)
            assert (len(t.baskets[seat]), len(t.flies[seat])) == (cook.baskets, len(cook.flies))
            assert [(dish.flavour, dish.mushrooms) for dish in t.dishes[seat]] == cook.dishes

    # -- what is asked ---------------------------------------------------------------------------------------------

    def choose(self, seat: Seat, menu: Menu) -> Choice:
        """Compare, then choose, mostly to take something, so that hands become big."""
        look, verb = self.dealer.run.look(seat), menu.acts[0].verb
        if verb == "show":
            return next(menu.choices(look))
        if not self.turn:
            self.begin()
        elif verb == "take":
            self.end_turn()
        cook = self.cooks[seat]
        if verb == "discard":
            self.compare()
            choice = menu.sample(self.chance, look)
            gone = self.faces(menu.decision(choice).cards)
            assert len(gone) == len(cook.hand) - cook.limit() > 0
            for face in gone:
                cook.hand.remove(face)
            self.seen["discard"] += 1
            return choice
        self.turn += 1
        assert seat == self.seat
        self.compare()
        self.offers(seat, menu)
        choice = menu.sample(self.chance, look)
        if self.chance.below(3) and (takes := [c for c in menu.choices(look) if menu.acts[c.act].verb in TAKING]):
            choice = self.chance.pick(takes)
        self.follow(cook, menu, choice)
        return choice

    def offers(self, seat: Seat, menu: Menu) -> None:
        """Everything that is possible is offered, and nothing else."""
        cook, offered = self.cooks[seat], Counter[str]()
        sets: dict[str, set[Set]] = {"cook": set(), "sell": set()}
        forest = set()
        if len(cook.hand) > MANY:
            return
        for choice in menu.choices(self.dealer.run.look(seat)):
            a = menu.decision(choice)
            offered[a.verb] += 1
            if a.verb == "take":
                forest.add(choice.picks[0])
            elif a.verb in sets:
                cards = tuple(sorted(self.faces(a.cards)))
                assert a.kind in {face[-2:] for face in cards}
                sets[a.verb].add(cards)
        free = [f in ("BSK", "FLY") or (f == "MOON" and not self.nights) for f in self.forest]
        room = len(cook.hand) < cook.limit()
        assert forest == {i for i, f in enumerate(free) if max(0, i - 1) <= cook.sticks and (f or room)}
        assert sets == {"cook": cook.dishes_of(self.rules), "sell": cook.wares()}
        assert bool(offered["decay"]) == self.decay_fits(cook)
        assert bool(offered["pan"]) == ("PAN" in cook.hand)
        assert offered["pass"] == 1
        self.seen.update(verb for verb in offered)
        self.seen["no decay"] += bool(self.decay) and not offered["decay"]

    def decay_fits(self, cook: Cook) -> bool:
        """Ruling 6, one step after the other."""
        if not self.decay:
            return False
        baskets, fly = self.decay.count("BSK"), "FLY" in self.decay
        rest = sum(face not in SPECIALS for face in self.decay)
        held = len(cook.hand) + min(self.decay.count("MOON"), len(self.nights))
        if self.rules == "published":
            return held + rest <= cook.limit(baskets=baskets)
        if held > cook.limit(baskets=baskets):
            return False
        after = cook.limit(fly=fly, baskets=baskets)
        return min(held, after) + rest <= after

    # -- what comes of it ------------------------------------------------------------------------------------------

    def follow(self, cook: Cook, menu: Menu, choice: Choice) -> None:
        a = menu.decision(choice)
        if a.verb == "take":
            cook.sticks -= max(0, choice.picks[0] - 1)
            self.receive(cook, [self.forest.pop(choice.picks[0])])
        elif a.verb == "decay":
            came, self.decay = self.decay, []
            self.receive(cook, came)
        elif a.verb in ("cook", "sell", "pan"):
            cards = self.faces(a.cards if a.verb != "pan" else [a.card])
            for face in cards:
                cook.hand.remove(face)
            if a.verb == "sell":
                cook.sticks += sum(STICKS[face[-2:]] * (1 + face.startswith("N-")) for face in cards)
            elif a.verb == "pan":
                cook.pans += 1
            else:
                cook.pans -= "PAN" not in cards
                cook.dishes.append((self.flavour(cards), size(tuple(cards))))

    def flavour(self, cards: list[str]) -> int:
        food = [face for face in cards if face[-2:] in FLAVOUR]
        nights = [face for face in food if face.startswith("N-")]
        total = sum(FLAVOUR[face[-2:]] for face in food)
        total += (total if nights else 0) if self.rules == "rulebook" else sum(FLAVOUR[f[-2:]] for f in nights)
        return total + 3 * cards.count("BUT") + 5 * cards.count("CID")

    def receive(self, cook: Cook, came: list[str]) -> None:
        cook.baskets += came.count("BSK")
        nights = min(came.count("MOON"), len(self.nights)) if self.forest or self.pile else 0
        cook.hand += [self.nights.pop(0) for _ in range(nights)]
        cook.flies += [self.turn] * came.count("FLY")
        cook.hand += [face for face in came if face not in SPECIALS]

    def end_turn(self) -> None:
        """Fly agarics of earlier turns leave, then the three steps, unless the last card is gone."""
        cook = self.cooks[self.seat]
        if self.forest or self.pile:
            cook.flies = [turn for turn in cook.flies if turn == self.turn]
            if len(self.decay) == 4:
                self.decay = []
            self.decay.append(self.forest.pop(0))
            while self.pile and len(self.forest) < 8:
                self.forest.append(self.pile.pop(0))
        self.seat = 1 - self.seat

    def finish(self) -> None:
        result = self.dealer.play(self.choose)
        self.end_turn()
        self.compare()
        assert not self.forest
        totals = [tuple(map(sum, zip(*cook.dishes, strict=True))) or (0, 0) for cook in self.cooks]
        assert result.scores == tuple(total[0] for total in totals)
        assert result.winners == tuple(seat for seat in (0, 1) if totals[seat] == max(totals))


@pytest.mark.parametrize("rules", ["rulebook", "published"])
def test_whole_games_go_as_the_rulebook_says(rules: str) -> None:
    seen = Counter[str]()
    for seed in range(12):
        game = Again(rules, seed)
        game.finish()
        seen += game.seen
    assert {"take", "decay", "cook", "sell", "pan", "pass", "discard", "no decay"} <= set(seen)
