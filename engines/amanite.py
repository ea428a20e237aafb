"""Amanite: players gather mushrooms of which nobody knows at first what they are worth, or whether they are poison.

For: the rules, in the order of the rulebook. Never: the attribute of a mushroom before the scoring; hints are handles
here.

Theory of operation: `Rules.play` is setup, three rounds of four phases, and the scoring. One card a colour stands for
its deck of six equal hints: a first hint is one of three such cards under new handles in an order that nobody knows, a
notebook is a look at the mushroom's own card. What is forbidden and why is said by amanite_table.py, points are counted
by amanite_scoring.py. The numbered rulings are explained in docs/rulings/amanite.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .amanite_scoring import score, verdict
from .amanite_table import (
    ABOVE,
    BAG,
    BELOW,
    COLOURS,
    GROWTH,
    MEEPLES,
    OTHERS,
    PIG,
    ROUNDS,
    SIDES,
    START_CARDS,
    TAKEN_ALONE,
    TOKENS,
    WHOLE,
    Table,
    Tile,
    Token,
    Tokens,
    in_order,
    parse_attributes,
    without,
)
from .menus import Act, Card, Look, One, Seat, Some
from .requests import Game, OptionSpec, Script, ask, deck, flip, over, reveal, shuffle, tell, view

TITLE = "Amanite"
SEATS = (2, 4)
OPTIONS = {
    "attributes": OptionSpec(
        "-1,1,2,3",
        f"four of {', '.join(OTHERS)}, with commas between; antidote and poison are always in play",
    ),
    "first": OptionSpec(
        0, "the seat that begins, counted from 1; 0: it is drawn", high=SEATS[1], words={0: "by chance"}
    ),
}


def check(seats: int, options: Mapping[str, Any]) -> str:
    """Why this table cannot be, or ""."""
    try:
        parse_attributes(options["attributes"])
    except ValueError as error:
        return f"option attributes: {error}"
    if options["first"] > seats:
        return f"option first: there is no seat {options['first']} among {seats}"
    return ""


class Rules(Game):
    """One game of three rounds."""

    table: Table

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        super().__init__(seats, options)
        self.table = Table(
            attributes=parse_attributes(options["attributes"]),
            hints=[[] for _ in range(seats)],
            notebooks={colour: [] for colour in COLOURS},
            bag=dict(BAG),
            held=[dict.fromkeys(TOKENS, 0) for _ in range(seats)],
            tiles=[Tile() for _ in range(seats + 1)],
        )

    def cards(self) -> Iterator[Card]:
        """The hints to be dealt, one for each mushroom, and the first ones of each seat."""
        yield from self.table.unplaced
        yield from self.table.mushrooms.values()
        yield from (card for hints in self.table.hints for card in hints)

    def order(self) -> list[Seat]:
        """All seats clockwise from the first player."""
        return [(self.table.first + i) % self.seats for i in range(self.seats)]

    def play(self) -> Script[None]:
        """Setup, rounds, scoring."""
        t = self.table
        yield from self.choose_first_player()
        yield from self.take_start_cards()
        yield from self.deal_attributes()
        yield from self.deal_first_hints()
        for t.round in range(1, ROUNDS + 1):
            yield from self.grow()
            yield from self.venture()
            yield from self.gather()
            if t.round < ROUNDS:
                yield from self.collect_hints()
                t.first = self.order()[1]
        yield from self.score()

    # -- setup -----------------------------------------------------------------------------------------------------

    def choose_first_player(self) -> Script[None]:
        """Drawn, or agreed beforehand (ruling 1)."""
        t = self.table
        agreed: int = self.options["first"]
        if agreed:
            t.first = agreed - 1
        else:
            chance = yield from flip()
            t.first = chance.below(self.seats)
        t.active = t.first
        yield from tell("begins", seat=t.first, drawn=not agreed)

    def take_start_cards(self) -> Script[None]:
        """A start card each, and the side to use, before anything secret happens."""
        t = self.table

        def no_start(_: Look, card: str) -> str:
            return t.no_start(card)

        cards = tuple(START_CARDS)
        take = Act("start", (One("card", cards, no_start), One("side", SIDES)))
        for seat in self.order():
            t.active = seat
            free = next(i for i, card in enumerate(cards) if not t.no_start(card))
            a = yield from ask(seat, take, lapse=("start", free, 0))
            t.starts[seat] = (a.card, a.side)
            yield from tell("start", seat=seat, card=a.card, side=a.side, colours=t.colours(seat))

    def deal_attributes(self) -> Script[None]:
        """One attribute to each mushroom, and nobody knows which."""
        t = self.table
        t.unplaced = yield from deck(t.attributes)
        t.unplaced = yield from shuffle(t.unplaced)
        t.mushrooms, t.unplaced = dict(zip(COLOURS, t.unplaced, strict=True)), []
        yield from tell("dealt", attributes=t.attributes)

    def deal_first_hints(self) -> Script[None]:
        """A hint of each colour of the start card, shuffled before it is looked at: its owner knows the three together
        and none for itself."""
        t = self.table
        for seat in self.order():
            own = [t.mushrooms[colour] for colour in t.colours(seat)]
            t.hints[seat] = yield from shuffle(own, keep=True)
        yield from view(dict(enumerate(t.hints)))
        yield from tell("hints", each=len(t.hints[t.first]))

    # -- 1. new mushrooms appear -----------------------------------------------------------------------------------

    def grow(self) -> Script[None]:
        """Tokens out of the bag, tile by tile from the left; the last one may fall short (ruling 2). The draw is made
        only now, so that nobody can discard with a view to it."""
        t = self.table
        t.phase, t.active = "growth", t.first
        yield from tell("round", round=t.round, first=t.first)
        size = GROWTH[t.round]
        chance = yield from flip()
        bag = [token for token in TOKENS for _ in range(t.bag[token])]
        drawn = chance.draw(bag, size * len(t.tiles))
        for token in drawn:
            t.bag[token] -= 1
        for i, tile in enumerate(t.tiles):
            tile.tokens = in_order(drawn[i * size : (i + 1) * size])
        yield from tell("grown", tiles=tuple(tuple(tile.tokens) for tile in t.tiles), left=sum(t.bag.values()))

    # -- 2. meeples venture into the forest ------------------------------------------------------------------------

    def venture(self) -> Script[None]:
        """One meeple each in turn order, and then the second one each."""
        self.table.phase = "meeples"
        for _ in range(MEEPLES):
            for seat in self.order():
                yield from self.place_meeple(seat)

    def place_meeple(self, seat: Seat) -> Script[None]:
        """The pin space first, then the split space of a tile (ruling 3)."""
        t = self.table
        t.active = seat

        def no_tile(_: Look, index: int) -> str:
            return t.no_tile(seat, index)

        places = range(len(t.tiles))
        free = next(i for i in places if not t.no_tile(seat, i))
        a = yield from ask(seat, Act("place", (One("tile", places, no_tile),)), lapse=("place", free))
        tile = t.tiles[a.tile]
        if tile.pin is None:
            tile.pin = seat
            yield from tell("placed", seat=seat, tile=a.tile, space="pin")
        else:
            tile.split = seat
            yield from tell("placed", seat=seat, tile=a.tile, space="split")
            yield from self.divide(seat, a.tile)

    def divide(self, seat: Seat, index: int) -> Script[None]:
        """The tokens of a tile in two piles, as the splitter likes, before anybody else acts (ruling 4)."""
        t = self.table
        t.tile, tile = index, t.tiles[index]
        whole = tuple(tile.tokens)
        piles = Act("divide", (Some("above", range(len(whole)), 1, len(whole) - 1),))
        a = yield from ask(seat, piles, lapse=("divide", (0,)))
        above = tuple(whole[i] for i in a.above)
        tile.above, tile.below = list(above), list(without(tile.lift(WHOLE), above))
        t.tile = None
        yield from tell("divided", seat=seat, tile=index, above=tuple(tile.above), below=tuple(tile.below))

    # -- 3. gathering mushrooms ------------------------------------------------------------------------------------

    def gather(self) -> Script[None]:
        """Tile by tile from the left; what nobody takes goes back into the bag."""
        t = self.table
        t.phase = "gathering"
        for index, tile in enumerate(t.tiles):
            t.tile = index
            if tile.pin is not None and tile.split is not None:
                yield from self.choose_pile(index, tile.pin, tile.split)
            elif tile.pin is not None:
                yield from self.take_two(index, tile.pin)
            else:
                yield from self.return_all(index)
        t.tile = None

    def choose_pile(self, index: int, chooser: Seat, other: Seat) -> Script[None]:
        """One pile for the meeple on the pin, all of it, and then the rest for the other one (ruling 5)."""
        t = self.table
        t.active, tile = chooser, t.tiles[index]
        a = yield from ask(chooser, Act("take", (One("pile", (ABOVE, BELOW)),)), lapse=("take", 0))
        tile.pin = None
        yield from self.collect(chooser, index, tile.lift(a.pile))
        t.active, tile.split = other, None
        yield from self.collect(other, index, tile.lift(BELOW if a.pile == ABOVE else ABOVE))

    def take_two(self, index: int, seat: Seat) -> Script[None]:
        """A meeple alone takes exactly two tokens of its choice, the others go back into the bag (ruling 7)."""
        t = self.table
        t.active, tile = seat, t.tiles[index]
        count = min(TAKEN_ALONE, len(tile.tokens))
        choice = Act("pick", (Some("tokens", range(len(tile.tokens)), count, count),))
        a = yield from ask(seat, choice, lapse=("pick", tuple(range(count))))
        tile.pin = None
        taken = tuple(tile.tokens[i] for i in a.tokens)
        rest = without(tile.lift(WHOLE), taken)
        t.back(rest)
        yield from self.collect(seat, index, taken, rest)

    def collect(self, seat: Seat, index: int, taken: Tokens, rest: Tokens = ()) -> Script[None]:
        """Tokens of a tile come to a seat, and its new pigs are fed; `rest` went back into the bag."""
        self.table.take(seat, taken)
        yield from tell("took", seat=seat, tile=index, tokens=taken, rest=rest)
        yield from self.feed(seat, taken.count(PIG))

    def return_all(self, index: int) -> Script[None]:
        """Tokens of a tile without meeples go back into the bag."""
        tokens = self.table.tiles[index].lift(WHOLE)
        self.table.back(tokens)
        yield from tell("returned", tile=index, tokens=tokens)

    def feed(self, seat: Seat, pigs: int) -> Script[None]:
        """A mushroom of choice into the bag for each pig just taken, as long as there is one (ruling 6)."""
        t = self.table

        def no_food(_: Look, token: Token) -> str:
            return t.no_food(seat, token)

        for t.hungry in range(pigs, 0, -1):
            food = [i for i, token in enumerate(TOKENS) if not t.no_food(seat, token)]
            if not food:
                yield from tell("unfed", seat=seat, pigs=t.hungry)
                break
            mushroom = TOKENS[food[0]]
            if len(food) > 1:
                a = yield from ask(seat, Act("feed", (One("mushroom", TOKENS, no_food),)), lapse=("feed", food[0]))
                mushroom = a.mushroom
            t.held[seat][mushroom] -= 1
            t.back([mushroom])
            yield from tell("fed", seat=seat, mushroom=mushroom, forced=len(food) == 1)
        t.hungry = 0

    # -- 4. collecting new hint cards ------------------------------------------------------------------------------

    def collect_hints(self) -> Script[None]:
        """A notebook each, the first player last, and a look at that mushroom's hint (ruling 8)."""
        t = self.table
        t.phase = "hints"

        def no_space(_: Look, colour: str) -> str:
            return t.no_space(colour)

        for seat in reversed(self.order()):
            t.active = seat
            free = next(i for i, colour in enumerate(COLOURS) if not t.no_space(colour))
            consult = Act("consult", (One("mushroom", COLOURS, no_space),))
            a = yield from ask(seat, consult, lapse=("consult", free))
            t.notebooks[a.mushroom].append(seat)
            yield from tell("consulted", seat=seat, mushroom=a.mushroom)
            yield from view({seat: [t.mushrooms[a.mushroom]]})

    # -- final scoring ---------------------------------------------------------------------------------------------

    def score(self) -> Script[None]:
        """All attributes are shown, then everybody's tokens are counted."""
        t = self.table
        t.phase = "scoring"
        faces = yield from reveal(list(t.mushrooms.values()))
        t.worth = dict(zip(COLOURS, faces, strict=True))
        yield from tell("revealed", worth=dict(t.worth))
        t.eliminated, t.points = score(t.held, t.worth)
        totals = [None if seat in t.eliminated else sum(own.values()) for seat, own in enumerate(t.points)]
        mushrooms = [t.mushrooms_of(seat) for seat in range(self.seats)]
        for seat in self.order():
            yield from tell(
                "scored",
                seat=seat,
                points=dict(t.points[seat]),
                total=totals[seat],
                mushrooms=mushrooms[seat],
                eliminated=t.eliminated.get(seat, ""),
            )
        t.result = verdict(totals, mushrooms)
        yield from over(t.result)
        yield from tell("over", winners=t.result.winners, scores=t.result.scores, reason=t.result.reason)
