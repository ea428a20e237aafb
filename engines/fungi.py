"""Fungi: two cooks forage in a forest that passes by, and cook what they have gathered.

For: the rules, in the order of the rulebook. Never: a face that is not open; hands are handles here, and what a seat
kept hidden is judged when it is spent.

Theory of operation: `Rules.play` is setup and turns until the last card of the forest is gone; from that moment on
every rule returns without asking for anything more. What is forbidden and why is said by fungi_table.py, what makes a
dish by fungi_cards.py, what can be chosen by fungi_acts.py. Everything taken from the forest was face up, so most of a
hand is public; the rest are starting cards, proven to be none that must not be kept, and night cards. The numbered
rulings are explained in docs/rulings/fungi.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .fungi_acts import actions, specials, surplus
from .fungi_cards import (
    BASKET,
    DAY_DECK,
    FLY,
    MOON,
    NIGHT_DECK,
    PAN,
    SPECIAL,
    STARTING_PANS,
    flavour,
    mushrooms,
    price,
)
from .fungi_table import DECAY, FOREST, Dish, Table
from .menus import Card, Decision, Face, Menu, Seat
from .requests import (
    Game,
    OptionSpec,
    Result,
    Script,
    ask_all,
    deck,
    flip,
    over,
    promise,
    reveal,
    shuffle,
    tell,
    view,
)

TITLE = "Fungi"
SEATS = (2, 2)
OPTIONS = {
    "rules": OptionSpec(
        "rulebook",
        "where two readings exist: the letter of the rulebook, or the game as it was published",
        values=("rulebook", "published"),
    ),
    "reminder": OptionSpec(
        "shown",
        "what the other hand took face up: shown beside it, or not; the log tells it either way",
        values=("shown", "hidden"),
    ),
}

HAND = 3
"""Starting cards."""


def check(seats: int, options: Mapping[str, Any]) -> str:
    """Why this table cannot be, or ""."""
    return ""


class Rules(Game):
    """One game."""

    table: Table

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        super().__init__(seats, options)
        self.table = Table(rules=self.options["rules"], reminder=self.options["reminder"])

    def cards(self) -> Iterator[Card]:
        """Forest, piles, hands, displays."""
        t = self.table
        for place in (t.forest, t.decay, t.pile, t.nights, t.discards, *t.hands, *t.pans, *t.baskets, *t.flies):
            yield from place
        yield from (card for dishes in t.dishes for dish in dishes for card in dish.cards)

    def play(self) -> Script[None]:
        """Preparation, turns, scores."""
        t = self.table
        yield from self.lay_out()
        yield from self.deal()
        yield from self.show_specials()
        yield from self.turn(t.active)
        while not t.over:
            t.active = 1 - t.active
            yield from self.turn(t.active)
        result = self.score()
        yield from over(result)
        yield from tell("over", winners=result.winners, scores=result.scores, reason=result.reason)

    # -- preparation -----------------------------------------------------------------------------------------------

    def lay_out(self) -> Script[None]:
        """A pan for each cook, both piles, eight cards as the forest; chance decides who begins (ruling 1)."""
        t = self.table
        chance = yield from flip()
        t.start = t.active = chance.below(self.seats)
        yield from tell("begins", seat=t.start)
        first, second = yield from deck(STARTING_PANS)
        t.pans = [[first], [second]]
        t.pile = yield from deck(DAY_DECK)
        t.pile = yield from shuffle(t.pile)
        t.nights = yield from deck(NIGHT_DECK)
        t.nights = yield from shuffle(t.nights)
        t.backs = frozenset(t.nights)
        yield from self.grow()

    def deal(self) -> Script[None]:
        """Three cards of the forest for the first player, then for the second."""
        t = self.table
        for seat in (t.start, 1 - t.start):
            t.hands[seat], t.pile = t.pile[:HAND], t.pile[HAND:]
        yield from view(dict(enumerate(t.hands)))
        yield from tell("dealt", each=HAND, left=len(t.pile))

    def show_specials(self) -> Script[None]:
        """Who was dealt baskets, moons or fly agarics shows them, and proves that none was kept (ruling 2)."""
        t = self.table
        shown = yield from ask_all({seat: specials(t, seat) for seat in range(self.seats)})
        for seat in (t.start, 1 - t.start):
            cards: tuple[Card, ...] = shown[seat].cards
            yield from tell("shown", seat=seat, faces=self.named(cards))
            kept = [card for card in t.hands[seat] if card not in cards]
            yield from promise(seat, kept, SPECIAL)
            t.secret |= frozenset(kept)
            came = [card for card in cards if self.face(card) in SPECIAL]
            for card in came:
                self.shift(card, t.hands[seat], t.baskets[seat] if self.face(card) == BASKET else t.discards)
            yield from self.gather_by_night(seat, self.named(came).count(MOON))

    # -- a turn ----------------------------------------------------------------------------------------------------

    def choose(self, seat: Seat, menu: Menu) -> Script[Decision]:
        """One seat's decision."""
        return (yield from ask_all({seat: menu}))[seat]

    def turn(self, seat: Seat) -> Script[None]:
        """One of five actions or none (ruling 9); then the forest moves on, unless nothing is left of it."""
        t = self.table
        t.turn += 1
        yield from tell("turn", seat=seat, turn=t.turn)
        fading = tuple(t.flies[seat])
        a = yield from self.choose(seat, actions(t, self.face, seat))
        if a.verb == "take":
            yield from self.take(seat, a.card)
        elif a.verb == "decay":
            yield from tell("took_decay", seat=seat, faces=self.named(t.decay))
            yield from self.receive(seat, t.decay, tuple(t.decay))
        elif a.verb == "cook":
            yield from self.cook(seat, a.kind, a.cards)
        elif a.verb == "sell":
            yield from self.sell(seat, a.kind, a.cards)
        elif a.verb == "pan":
            self.shift(a.card, t.hands[seat], t.pans[seat])
            yield from tell("pan", seat=seat, empty=len(t.pans[seat]))
        else:
            yield from tell("passed", seat=seat)
        if not t.over:
            yield from self.clean_up(seat, fading)

    # -- a) and b): taking -----------------------------------------------------------------------------------------

    def take(self, seat: Seat, card: Card) -> Script[None]:
        """One card of the forest, for a stick for each space beyond the two at the shoes (ruling 3)."""
        t = self.table
        space, cost = t.forest.index(card) + 1, t.cost(card)
        t.sticks[seat] -= cost
        yield from tell("took", seat=seat, face=self.face(card), space=space, sticks=cost)
        yield from self.receive(seat, t.forest, (card,))

    def receive(self, seat: Seat, source: list[Card], cards: tuple[Card, ...]) -> Script[None]:
        """Baskets, then moons, then fly agarics, then what goes into the hand, and last the surplus that a fly agaric
        makes (rulings 5 and 6). In the rulebook's reading the surplus goes before the hand grows; but a pile of which
        anything would then come after a discard cannot be taken in that reading, so the order here serves both."""
        t = self.table
        came = self.named(cards)
        places = {BASKET: t.baskets[seat], MOON: t.discards, FLY: t.flies[seat]}
        for special, place in places.items():
            for card in [card for card in cards if self.face(card) == special]:
                self.shift(card, source, place)
        if BASKET in came:
            yield from tell("basket", seat=seat, count=came.count(BASKET), limit=t.limit(seat))
        yield from self.gather_by_night(seat, came.count(MOON))
        if FLY in came:
            yield from tell("fly", seat=seat, count=came.count(FLY), limit=t.limit(seat))
        for card in [card for card in cards if self.face(card) not in places]:
            self.shift(card, source, t.hands[seat])
        yield from self.discard_surplus(seat)

    def gather_by_night(self, seat: Seat, moons: int) -> Script[None]:
        """For each moon the top night card, while there are any; only its owner looks at it."""
        t = self.table
        if not moons or t.over:
            return
        came, t.nights = t.nights[:moons], t.nights[moons:]
        t.hands[seat] += came
        yield from view({seat: came})
        yield from tell("night", seat=seat, moons=moons, cards=len(came), left=len(t.nights))

    def discard_surplus(self, seat: Seat) -> Script[None]:
        """What a fly agaric leaves no room for, of the owner's choice."""
        t = self.table
        if len(t.hands[seat]) <= t.limit(seat) or t.over:
            return
        a = yield from self.choose(seat, surplus(t, self.face, seat))
        for card in a.cards:
            self.shift(card, t.hands[seat], t.discards)
        yield from tell("discarded", seat=seat, faces=self.named(a.cards))

    # -- c) and d): cooking and selling ----------------------------------------------------------------------------

    def cook(self, seat: Seat, kind: str, cards: tuple[Card, ...]) -> Script[None]:
        """A pan of the display, or the one that was named among the cards, and what goes into it; closed for good
        (ruling 7)."""
        t = self.table
        faces = self.named(cards)
        for card in cards:
            t.hands[seat].remove(card)
        pan = cards[faces.index(PAN)] if PAN in faces else t.pans[seat].pop(0)
        food = tuple(card for card in cards if card != pan)
        dish = Dish(kind, (pan, *food), mushrooms(faces), flavour(faces, t.rules))
        t.dishes[seat].append(dish)
        yield from tell(
            "cooked",
            seat=seat,
            mushroom=kind,
            faces=self.named(food),
            pan="hand" if PAN in faces else "display",
            mushrooms=dish.mushrooms,
            flavour=dish.flavour,
        )

    def sell(self, seat: Seat, kind: str, cards: tuple[Card, ...]) -> Script[None]:
        """Mushrooms for sticks (ruling 8)."""
        t = self.table
        faces = self.named(cards)
        for card in cards:
            self.shift(card, t.hands[seat], t.discards)
        t.sticks[seat] += price(faces)
        yield from tell("sold", seat=seat, mushroom=kind, faces=faces, sticks=price(faces))

    # -- the end of a turn -----------------------------------------------------------------------------------------

    def clean_up(self, seat: Seat, fading: Sequence[Card]) -> Script[None]:
        """Fly agarics of an earlier turn leave (ruling 5); the nearest card decays, the others close up, new ones grow
        (ruling 10)."""
        t = self.table
        for card in fading:
            self.shift(card, t.flies[seat], t.discards)
        if fading:
            yield from tell("fly_gone", seat=seat, count=len(fading), limit=t.limit(seat))
        rotten = tuple(t.decay) if len(t.decay) == DECAY else ()
        for card in rotten:
            self.shift(card, t.decay, t.discards)
        nearest = t.forest[0]
        self.shift(nearest, t.forest, t.decay)
        yield from tell("decayed", face=self.face(nearest), rotten=self.named(rotten))
        if not t.over:
            yield from self.grow()

    def grow(self) -> Script[None]:
        """New cards for the free spaces, the nearer one first, while the pile lasts."""
        t = self.table
        count = FOREST - len(t.forest)
        new, t.pile = t.pile[:count], t.pile[count:]
        t.forest += new
        if new:
            faces = yield from reveal(new)
            yield from tell("grown", faces=tuple(faces), left=len(t.pile))

    # -- the end ---------------------------------------------------------------------------------------------------

    def score(self) -> Result:
        """Only dishes count; of equal flavour the more mushrooms win, else it is shared (ruling 12)."""
        t = self.table
        points = (t.points(0), t.points(1))
        cooked = (t.cooked(0), t.cooked(1))
        best = max(zip(points, cooked, strict=True))
        winners = tuple(seat for seat in range(self.seats) if (points[seat], cooked[seat]) == best)
        reason = "flavour" if points[0] != points[1] else "mushrooms" if len(winners) == 1 else "shared"
        return Result(winners, points, reason)

    # -- cards in hand ---------------------------------------------------------------------------------------------

    def named(self, cards: Sequence[Card]) -> tuple[Face, ...]:
        """The faces of open cards."""
        return tuple(self.face(card) for card in cards)

    @staticmethod
    def shift(card: Card, source: list[Card], target: list[Card]) -> None:
        """From one place to another."""
        source.remove(card)
        target.append(card)
