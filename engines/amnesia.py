"""Amnesia: everybody wants the lowest cards, and hardly anybody knows which they are.

For: the rules, in the order of the rulebook. Never: a face that is not open, nor one that a seat has looked at and
should remember by itself: when a look is over its faces are taken away.

Theory of operation: `Rules.play` deals hands until a total is above the limit, then the others judge the forfeits. Play
runs counterclockwise, so the dealer comes last in each round. What happens out of turn, and the powers of the cards,
is amnesia_reactions.py; the call and the points, amnesia_ending.py; what lies where and what is forbidden,
amnesia_table.py. The numbered rulings are explained in docs/rulings/amnesia.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .amnesia_ending import Ending
from .amnesia_reactions import IMPROPER
from .amnesia_table import (
    BOTTOM,
    DEALT,
    DECK,
    FIRST_LOOK,
    HOLDING,
    MOST_HANDLES,
    POWERS,
    START,
    TURN_HANDLES,
    TURN_UP,
    Table,
)
from .menus import Act, Card, Face, Menu, One, Seat, Some
from .requests import OptionSpec, Script, deck, flip, forget, menu, over, reveal, tell, view

TITLE = "Amnesia"
BANNED = "the person who does not fulfil the forfeits"
SEATS = (2, 6)
LIMITS = {"classic": 80, "turbo": 40}
OPTIONS = {
    "mode": OptionSpec("classic", "the game ends above 80 points (classic) or above 40 (turbo)", tuple(LIMITS)),
    "forfeit": OptionSpec("sing a song for the others", "what whoever loses has to do; everybody signs it"),
    "reaction": OptionSpec(4, "seconds that everybody has to react to a discard", high=60),
    "rounds": OptionSpec(30, "a hand that nobody calls stops after this many rounds", low=1, high=1000),
}
LONGEST_FORFEIT = 200


def check(seats: int, options: Mapping[str, Any]) -> str:
    """Why this table cannot be, or ""."""
    forfeit = options["forfeit"]
    if not forfeit.strip():
        return "Amnesia is not played without a forfeit: say what whoever loses has to do"
    if len(forfeit) > LONGEST_FORFEIT:
        return f"the forfeit has to be said in {LONGEST_FORFEIT} characters"
    return ""


class Rules(Ending):
    """One game of several hands."""

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        super().__init__(seats, options)
        everybody = range(seats)
        self.table = Table(
            forfeit=options["forfeit"],
            limit=LIMITS[options["mode"]],
            reaction=options["reaction"],
            totals=[0] * seats,
            cells=[{} for _ in everybody],
            next_slot=[0] * seats,
            turns=[0] * seats,
            free=[[] for _ in everybody],
        )

    def play(self) -> Script[None]:
        """Hands until somebody has lost, then the forfeits."""
        t = self.table
        yield from self.first_dealer()
        t.discards = yield from deck(DECK)
        t.made = len(DECK)
        yield from self.hand()
        while t.result is None:
            t.dealer = self.order(t.dealer)[0]
            yield from self.hand()
        yield from over(t.result)
        yield from tell(
            "over", winners=t.result.winners, losers=t.losers, scores=t.result.scores, reason=t.result.reason
        )
        for loser in t.losers:
            yield from self.judge(loser)

    def first_dealer(self) -> Script[None]:
        """Chance decides who deals first; then it moves on by one in playing order (ruling 1)."""
        chance = yield from flip()
        self.table.dealer = chance.below(self.seats)

    def hand(self) -> Script[None]:
        """From one deal to the next."""
        yield from self.deal()
        yield from self.turn_up()
        yield from self.first_look()
        yield from self.rounds()
        yield from self.last_chance()
        yield from self.score()

    # -- setup -----------------------------------------------------------------------------------------------------

    def deal(self) -> Script[None]:
        """All cards are shuffled, and everybody gets four: two above, two below."""
        t = self.table
        pile = yield from self.fresh(list(t.cards()))
        t.cells = [{} for _ in range(self.seats)]
        t.discards, t.marked, t.looking, t.exposed = [], set(), {}, []
        t.caller, t.owed, t.held, t.taken, t.snapping = None, None, None, False, False
        t.hand, t.round, t.turns = t.hand + 1, 0, [0] * self.seats
        t.discarder = t.dealer
        for slot in DEALT:
            for seat in self.order(t.dealer):
                t.cells[seat][slot] = pile.pop(0)
        t.pile = pile
        t.next_slot = [DEALT[-1] + 1] * self.seats
        t.free = [list(BOTTOM) for _ in range(self.seats)]
        yield from tell("dealt", hand=t.hand, dealer=t.dealer, first=self.order(t.dealer)[0], each=len(DEALT))

    def turn_up(self) -> Script[None]:
        """The dealer turns the first discard up; who looks at the own bottom cards before that pays for it."""
        t = self.table
        t.active = t.dealer
        up = None
        while up is None:
            menus = {seat: menu(Act("pass"), self.early_look(seat), lapse=("pass",)) for seat in range(self.seats)}
            menus[t.dealer] = menu(Act("turn_up"), self.early_look(t.dealer), lapse=("turn_up",))
            answers = yield from self.everybody(TURN_UP, menus, t.dealer)
            for seat in self.order(t.dealer):
                if answers[seat].verb == "look":
                    yield from tell("improper", seat=seat, verb="look")
                    yield from self.show({seat: answers[seat].cards})
                    yield from self.penalty(seat, IMPROPER)
                elif answers[seat].verb == "turn_up":
                    up = yield from self.take_from_pile()
        t.discards.append(up)
        t.clock += 1
        (face,) = yield from reveal([up])
        yield from tell("turned_up", seat=t.dealer, card=up, face=face)

    def early_look(self, seat: Seat) -> Act:
        """Before the first discard is seen: improper, and once a hand (ruling 2)."""
        once = "" if len(self.table.free[seat]) == len(BOTTOM) else "looking too early is possible once in a hand"
        return Act("look", self.bottom(seat), improper=True, why_not=once)

    def bottom(self, seat: Seat) -> tuple[Some, ...]:
        """One or both of the cards of the first look."""
        cards = tuple(self.table.cells[seat][slot] for slot in self.table.free[seat])
        return (Some("cards", cards, 1, len(cards)),)

    def first_look(self) -> Script[None]:
        """Everybody may look at the two bottom cards; each further one costs a card (ruling 2)."""
        asked = self.order(self.table.dealer)
        while asked:
            answers = yield from self.everybody(FIRST_LOOK, {seat: self.first_look_menu(seat) for seat in asked})
            asked = [seat for seat in asked if answers[seat].verb != "pass"]
            looks = {seat: answers[seat].values for seat in asked}
            yield from self.show({s: v["cards"] if "cards" in v else (v["card"],) for s, v in looks.items()})
            for seat in asked:
                if answers[seat].verb == "peek":
                    yield from tell("improper", seat=seat, verb="peek")
                    yield from self.penalty(seat, IMPROPER)

    def first_look_menu(self, seat: Seat) -> Menu:
        """Look, or have done with it."""
        t = self.table
        done = "" if t.free[seat] else "both bottom cards have been looked at"
        further = tuple(card for slot, card in t.cells[seat].items() if slot not in t.free[seat])
        look = Act("look", self.bottom(seat), why_not=done)
        return menu(look, Act("pass"), self.peeking(seat, further), lapse=("pass",))

    # -- turns -----------------------------------------------------------------------------------------------------

    def rounds(self) -> Script[None]:
        """Turn after turn, until it would be the caller's again (ruling 11)."""
        t = self.table
        seat = first = self.order(t.dealer)[0]
        while seat != t.caller:
            if seat == first:
                if t.caller is None and t.round >= self.options["rounds"]:
                    yield from tell("stopped", reason="rounds")
                    return
                t.round += 1
                yield from tell("round", round=t.round)
            if t.made > MOST_HANDLES - TURN_HANDLES:
                yield from tell("stopped", reason="worn")
                return
            yield from self.turn(seat)
            seat = self.order(seat)[0]

    def turn(self, seat: Seat) -> Script[None]:
        """From the draw to the discard, and what that brings about; void on the first and the last turn (ruling 5)."""
        t = self.table
        t.active, t.committed = seat, False
        t.turns[seat] += 1
        yield from self.start(seat)
        face = ""
        if t.held is not None:
            face = yield from self.holding(seat, t.held)
            t.owed = None
        t.snapping = t.snapping or seat == t.dealer
        if face in POWERS and t.turns[seat] > 1 and t.caller is None:
            yield from self.use_power(seat, face)

    def start(self, seat: Seat) -> Script[None]:
        """A card from the pile, or the top discard; who can have neither is skipped (ruling 10)."""
        t = self.table
        while t.held is None:
            no_draw, no_take = t.no_card(), t.no_take(seat)
            if no_draw and no_take:
                yield from tell("skipped", seat=seat)
                return
            acts = (
                Act("draw", why_not=no_draw),
                Act("take", why_not=no_take),
                Act("draw_to_discard", why_not=no_draw),
                self.calling(),
            )
            a = yield from self.act(START, seat, acts, ("take",) if no_draw else ("draw",))
            if a is None:
                continue
            if a.verb == "call":
                yield from self.call(seat)
            elif a.verb == "take" and not t.no_take(seat):
                t.held, t.taken = t.discards.pop(), True
                yield from tell("took", seat=seat, card=t.held, face=self.face(t.held))
            elif a.verb != "take" and not t.no_card():
                t.held, t.committed = (yield from self.take_from_pile()), a.verb == "draw_to_discard"
                yield from view({seat: [t.held]})
                yield from tell("drew", seat=seat, left=len(t.pile), committed=t.committed)

    def holding(self, seat: Seat, held: Card) -> Script[Face]:
        """The held card is exchanged for an own one, or discarded if it came from the pile; what is discarded then."""
        t = self.table
        while True:
            fine, own = t.no_fine(), One("card", t.own(seat))
            no_exchange = t.no_exchange(seat) or (fine if t.committed else "")
            acts = (
                Act("exchange", (own,), improper=t.committed, why_not=no_exchange),
                Act("discard", improper=t.taken, why_not=fine if t.taken else ""),
                self.calling(),
            )
            a = yield from self.act(HOLDING, seat, acts, ("exchange", 0) if t.taken else ("discard",))
            if a is None:
                continue
            if a.verb == "call":
                yield from self.call(seat)
            elif a.verb == "discard":
                return (yield from self.discard(seat, held))
            elif (slot := t.slot(seat, a.card)) is not None:
                return (yield from self.exchange(seat, held, slot, a.card))

    def discard(self, seat: Seat, held: Card) -> Script[Face]:
        """The drawn card goes to the discard pile."""
        t = self.table
        (face,) = yield from reveal([held])
        t.held = None
        self.put(seat, held)
        yield from tell("discarded", seat=seat, card=held, face=face)
        return face

    def exchange(self, seat: Seat, held: Card, slot: int, out: Card) -> Script[Face]:
        """The held card takes the place of an own one, which is discarded. What was drawn is remembered or forgotten;
        what was taken stays known to all while it lies there."""
        t = self.table
        (face,) = yield from reveal([out])
        source = "discards" if t.taken else "pile"
        if t.taken:
            t.marked.add(held)
        else:
            yield from forget(seat, [held])
        t.held, t.cells[seat][slot] = None, held
        self.put(seat, out)
        yield from tell("exchanged", seat=seat, slot=slot, card=held, source=source, out=out, face=face)
        return face
