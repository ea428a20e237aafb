"""Mâamut: hunters drive a mammoth over the board until it falls into somebody's trap.

For: the rules, in the order of the rulebook. Never: a face that is not open; the hands are handles here.

Theory of operation: `Rules.play` is setup, placement, and rounds of turns until `table.result` is set; from then on
every rule returns without asking for anything more. What is forbidden and why is said by maamut_table.py, what the
ground allows by maamut_field.py. The numbered rulings are explained in docs/rulings/maamut.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .hexgrid import CENTRE, NEIGHBOURS, RIM, TILES, Hex, Way, line, step
from .maamut_field import CROSS, GRASS, ROCK, SNOW, flight, trappable
from .maamut_table import Table
from .menus import Act, Card, Look, One, Seat
from .requests import (
    Game,
    OptionSpec,
    Result,
    Script,
    ask,
    ask_all,
    deck,
    flip,
    menu,
    over,
    reveal,
    shuffle,
    tell,
    view,
)

TITLE = "Mâamut"
SEATS = (2, 4)
OPTIONS = {
    "rounds": OptionSpec(
        100, "the mammoth has survived after this many rounds; 0: the hunt has no end", high=1000, words={0: "no end"}
    ),
}

LAND = (ROCK,) * 7 + (GRASS,) * 18 + (SNOW,) * 11
DECK = ("3",) * 8 + ("2",) * 16 + ("1",) * 12
HAND = 3
MOST_ROCKS = 4
"""So many rocks may lie around the centre; with more the mammoth could hardly move."""


def check(seats: int, options: Mapping[str, Any]) -> str:
    """Why this table cannot be, or ""."""
    return ""


class Rules(Game):
    """One hunt."""

    table: Table

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        super().__init__(seats, options)
        self.table = Table(hands=[[] for _ in range(seats)])

    def cards(self) -> Iterator[Card]:
        """Hands, pile, discards."""
        yield from (card for hand in self.table.hands for card in hand)
        yield from self.table.pile
        yield from self.table.discards

    def order(self, first: Seat) -> list[Seat]:
        """All seats clockwise."""
        return [(first + i) % self.seats for i in range(self.seats)]

    def play(self) -> Script[None]:
        """Setup, placement, hunt."""
        yield from self.lay_tiles()
        yield from self.deal()
        yield from self.place_hunters()
        result = yield from self.hunt()
        yield from over(result)
        yield from tell("over", winners=result.winners, reason=result.reason)

    # -- setup -----------------------------------------------------------------------------------------------------

    def lay_tiles(self) -> Script[None]:
        """The board, laid again until the mammoth can leave the centre (ruling 2), and who begins (ruling 1)."""
        t = self.table
        chance = yield from flip()
        while not t.tiles or sum(t.tiles[near] == ROCK for near in NEIGHBOURS[CENTRE]) > MOST_ROCKS:
            t.tiles = dict(zip(TILES, [CROSS, *chance.shuffled(LAND)], strict=True))
        t.start = t.active = chance.below(self.seats)
        yield from tell("begins", seat=t.start)

    def deal(self) -> Script[None]:
        """Three cards for everybody, the rest is the pile."""
        t = self.table
        t.discards = yield from deck(DECK)
        yield from self.shuffle_discards()
        for _ in range(HAND):
            for seat in self.order(t.start):
                t.hands[seat].append(t.pile.pop(0))
        yield from view(dict(enumerate(t.hands)))
        yield from tell("dealt", each=HAND, left=len(t.pile))

    def shuffle_discards(self) -> Script[None]:
        """All discards become the pile."""
        t = self.table
        t.pile = yield from shuffle(t.discards)
        t.discards = []

    def place_hunters(self) -> Script[None]:
        """Each hunter on a free tile of the rim (ruling 3)."""
        t = self.table

        def no_place(_: Look, tile: Hex) -> str:
            return t.no_place(tile)

        for seat in self.order(t.start):
            t.active = seat
            first = next(i for i, tile in enumerate(RIM) if not t.no_place(tile))
            a = yield from ask(seat, Act("place", (One("tile", RIM, no_place),)), lapse=("place", first))
            t.pawns[seat] = a.tile
            yield from tell("placed", seat=seat, tile=a.tile)

    # -- turns -----------------------------------------------------------------------------------------------------

    def hunt(self) -> Script[Result]:
        """Rounds of turns until the mammoth has fallen, has survived, or is given up (rulings 12 and 13)."""
        t = self.table
        self.test_survival()
        while t.result is None:
            t.round += 1
            yield from tell("round", round=t.round)
            for seat in self.order(t.start):
                if seat in t.pawns and t.result is None:
                    yield from self.turn(seat)
            if t.result is None and t.round == self.options["rounds"]:
                self.end("rounds")
        return t.result

    def turn(self, seat: Seat) -> Script[None]:
        """One action of the hunter's choice; silence counts as discarding the oldest card."""
        t = self.table
        t.active, t.proposed = seat, False
        before = (t.mammoth, len(t.pawns))
        while True:
            a = yield from ask(seat, *self.actions(seat), lapse=("discard", 0))
            if a.verb != "propose":
                break
            yield from self.propose(seat)
            if t.result:
                return
        here = t.pawns[seat]
        if a.verb == "move":
            yield from self.move(seat, a.card, a.way)
        elif a.verb == "trap":
            t.traps[here] = seat
            yield from tell("trap_placed", seat=seat, tile=here)
        elif a.verb == "destroy":
            yield from tell("trap_destroyed", seat=seat, owner=t.traps.pop(here), tile=here)
        elif a.verb == "recover":
            del t.traps[here]
            yield from tell("trap_recovered", seat=seat, tile=here)
        else:
            yield from tell("discarded", seat=seat, card=a.card, value=self.discard(seat, a.card))
        if a.verb in ("move", "discard") and seat in t.pawns and t.result is None:
            yield from self.draw(seat)
        if before != (t.mammoth, len(t.pawns)) and t.result is None:
            self.test_survival()

    def actions(self, seat: Seat) -> tuple[Act, ...]:
        """The four actions of the rulebook, the third in two words, and the proposal of ruling 13."""
        t = self.table
        hand = tuple(t.hands[seat])

        def no_card(look: Look, card: Card) -> str:
            return t.no_card(seat, int(look(card)))

        def no_way(look: Look, card: Card, way: Way) -> str:
            return t.no_way(seat, int(look(card)), way)

        return (
            Act("move", (One("card", hand, no_card), One("way", range(6), no_way)), shows=("card",)),
            Act("trap", why_not=t.no_trap(seat)),
            Act("destroy", why_not=t.no_destroy(seat)),
            Act("recover", why_not=t.no_recover(seat)),
            Act("discard", (One("card", hand),), shows=("card",)),
            Act("propose", why_not="this was proposed in this turn already" if t.proposed else ""),
        )

    def move(self, seat: Seat, card: Card, way: Way) -> Script[None]:
        """Tile by tile; who meets the mammoth goes on when its flight is over (ruling 5)."""
        t, met = self.table, False
        value = self.discard(seat, card)
        path = line(t.pawns[seat], way, value)
        yield from tell("played", seat=seat, card=card, value=value, way=way, path=path)
        for tile in path:
            t.pawns[seat] = tile
            if tile == t.mammoth:
                if met:
                    raise RuntimeError("a second contact in one move cannot happen")
                met = True
                yield from self.contact(seat, way, value)
            if t.result or seat not in t.pawns:
                return

    def discard(self, seat: Seat, card: Card) -> int:
        """An open card goes from the hand to the discards; its value."""
        self.table.hands[seat].remove(card)
        self.table.discards.append(card)
        return int(self.face(card))

    def draw(self, seat: Seat) -> Script[None]:
        """Back to three; when that was the last card the discards become the pile at once (ruling 11)."""
        t = self.table
        card = t.pile.pop(0)
        t.hands[seat].append(card)
        yield from view({seat: [card]})
        yield from tell("drew", seat=seat, left=len(t.pile))
        if not t.pile:
            yield from self.shuffle_discards()
            yield from tell("reshuffled", cards=len(t.pile))

    # -- the mammoth -----------------------------------------------------------------------------------------------

    def contact(self, seat: Seat, came: Way, value: int) -> Script[None]:
        """The mammoth flees (ruling 6), or it turns against the hunter (ruling 8)."""
        t = self.table
        yield from tell("contact", seat=seat, tile=t.mammoth)
        way = flight(t.tiles, t.mammoth, came, value)
        if way is None:
            yield from self.remove(seat, "reckless")
            return
        path = line(t.mammoth, way, value)
        yield from tell("flees", value=value, way=way, path=path, turned=way != came)
        for tile in path:
            t.mammoth = tile
            if tile in t.traps:
                yield from tell("fell", tile=tile, owner=t.traps[tile], pushed=seat)
                self.end("trapped", t.traps[tile])
                return
            for hunter in self.order(seat):
                if t.pawns.get(hunter) == tile:
                    yield from self.fright(hunter, way)

    def fright(self, hunter: Seat, way: Way) -> Script[None]:
        """A hunter whose tile the mammoth enters gets out of its way, or is removed (ruling 7)."""
        t = self.table
        here = t.pawns[hunter]

        def no_refuge(_: Look, tile: Hex) -> str:
            return t.no_refuge(here, way, tile)

        around = tuple(tile for turn in range(6) if (tile := step(here, way + turn)) in t.tiles)
        refuges = [i for i, tile in enumerate(around) if not t.no_refuge(here, way, tile)]
        if not refuges:
            yield from self.remove(hunter, "frightened")
            return
        to = around[refuges[0]]
        if len(refuges) > 1:
            a = yield from ask(hunter, Act("flee", (One("tile", around, no_refuge),)), lapse=("flee", refuges[0]))
            to = a.tile
        t.pawns[hunter] = to
        yield from tell("frightened", seat=hunter, tile=here, to=to, forced=len(refuges) == 1)

    def remove(self, seat: Seat, why: str) -> Script[None]:
        """The end of a hunter: pawn and traps leave at once, the hand is opened and discarded (ruling 9)."""
        t = self.table
        tile, hand = t.pawns.pop(seat), t.hands[seat]
        traps = tuple(sorted(place for place, owner in t.traps.items() if owner == seat))
        for place in traps:
            del t.traps[place]
        t.out.append(seat)
        yield from tell("removed", seat=seat, tile=tile, why=why, traps=traps)
        values = yield from reveal(hand)
        t.discards += hand
        t.hands[seat] = []
        yield from tell("opened", seat=seat, values=tuple(map(int, values)))
        if not t.pawns:
            self.end("no hunters")

    # -- the end ---------------------------------------------------------------------------------------------------

    def end(self, reason: str, *winners: Seat) -> None:
        """The hunt is decided; without winners the mammoth has won."""
        self.table.result = Result(winners, (None,) * self.seats, reason)

    def test_survival(self) -> None:
        """The mammoth wins once nothing could drive it into a trap any more (ruling 12)."""
        t = self.table
        if not trappable(t.tiles, t.mammoth, t.pawns.values(), t.traps):
            self.end("survived")

    def propose(self, seat: Seat) -> Script[None]:
        """The hunters may agree that the mammoth has survived; silence is a no (ruling 13)."""
        t = self.table
        t.proposed = True
        yield from tell("proposed", seat=seat)
        others = [other for other in sorted(t.pawns) if other != seat]
        question = menu(Act("agree"), Act("refuse"), lapse=("refuse",))
        answers = (yield from ask_all(dict.fromkeys(others, question))) if others else {}
        refused = tuple(other for other in others if answers[other].verb == "refuse")
        yield from tell("answered", seat=seat, refused=refused)
        if not refused:
            self.end("agreed")
