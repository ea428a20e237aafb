"""Amnesia out of turn: everybody is asked at once, snaps, powers and demands, and what improper acts cost.

For: the rules in amnesia.py, which add deals and turns to this. Never: a clock; the time to react is kept by clients,
which answer "pass" when it is over.

Theory of operation: every Ask asks all seats. One is the lead, whose turn or power it is; the others pass or react.
`act` settles the reactions first, in playing order from the right of the last discarder: snaps and penalties as they
come, then a demand, which is a power with its owner as lead and so an Ask of its own. Only then it hands out what the
lead has chosen; None if that was itself a reaction. The rules check whether it is still possible, and else ask again.
Cards to be snapped are opened here one by one and not by the menus, since a reaction may turn out to be void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .amnesia_table import DETECTIVE, DJ, FISHERMAN, MOST_SNAPPED, POWER, SCIENTIST, THIEF, Table
from .menus import Act, Card, Decision, Face, Look, Menu, One, Seat, Some
from .requests import Game, Script, ask_all, forget, menu, reveal, shuffle, tell, view

WRONG_SNAP, IMPROPER = 2, 1
"""Penalty cards."""


class Reactions(Game):
    """What can happen at any time of a hand."""

    table: Table

    def cards(self) -> Iterator[Card]:
        """Every player's cards, pile, discards, and the one in hand."""
        return self.table.cards()

    def order(self, after: Seat) -> list[Seat]:
        """All seats in playing order, which is counterclockwise, from the right of `after`, who comes last."""
        return [(after - i) % self.seats for i in range(1, self.seats + 1)]

    # -- everybody is asked ----------------------------------------------------------------------------------------

    def everybody(
        self, phase: str, menus: Mapping[Seat, Menu], lead: Seat | None = None
    ) -> Script[dict[Seat, Decision]]:
        """Ask; with the answers all cards that somebody was looking at are face down again."""
        t = self.table
        t.phase, t.lead = phase, lead
        answers = yield from ask_all(menus, lead)
        yield from self.turn_down()
        return answers

    def turn_down(self) -> Script[None]:
        """Looks are over; their faces are taken away, to be remembered."""
        t = self.table
        looked, t.looking, t.exposed = t.looking, {}, []
        for seat, cards in sorted(looked.items()):
            yield from forget(seat, cards)

    def act(self, phase: str, seat: Seat, acts: tuple[Act, ...], lapse: tuple[Any, ...]) -> Script[Decision | None]:
        """What the lead does, after everybody's reactions; None if the lead's own choice was one."""
        menus = {other: self.bystander(other) for other in range(self.seats)}
        menus[seat] = menu(*acts, *self.reactions(seat), *self.out_of_turn(acts), lapse=lapse)
        answers = yield from self.everybody(phase, menus, seat)
        yield from self.settle(menus, answers)
        a = answers[seat]
        return None if a.verb in ("snap", "demand") or _act(menus[seat], a).improper else a

    def bystander(self, seat: Seat) -> Menu:
        """What those can do whose turn it is not."""
        return menu(Act("pass"), *self.reactions(seat), *self.out_of_turn(()), lapse=("pass",))

    def out_of_turn(self, acts: tuple[Act, ...]) -> list[Act]:
        """What is improper but for those who have it among their acts (ruling 9)."""
        due, fine = {act.verb for act in acts}, self.table.no_fine()
        return [Act(verb, improper=True, why_not=fine) for verb in ("draw", "take", "call") if verb not in due]

    def reactions(self, seat: Seat) -> tuple[Act, ...]:
        """What anybody can do; where it is not due it is improper (rulings 8 and 9)."""
        t, own = self.table, self.table.own(seat)
        several = Some("cards", own, 1, min(MOST_SNAPPED, len(own)), ordered=True)
        return (
            Act("snap", (several,), improper=t.snap_improper(seat), why_not=t.no_snap(seat)),
            Act("demand", improper=t.owed is None, why_not=t.no_demand(seat)),
            self.peeking(seat, own),
        )

    def peeking(self, seat: Seat, cards: tuple[Card, ...]) -> Act:
        """To look at an own card without the right to (ruling 2)."""
        why = self.table.no_fine() if cards else "there is no such card to look at"
        return Act("peek", (One("card", cards),), improper=True, why_not=why)

    def settle(self, menus: Mapping[Seat, Menu], answers: Mapping[Seat, Decision]) -> Script[None]:
        """Reactions; of several demands the first counts, and the others come to nothing."""
        t = self.table
        demanding: Seat | None = None
        face = "" if t.top is None else self.face(t.top)
        for seat in self.order(t.discarder):
            a = answers[seat]
            if _act(menus[seat], a).improper:
                yield from self.improper(seat, a)
            elif a.verb == "snap":
                yield from self.snap(seat, a.cards, face)
            elif a.verb == "demand" and demanding is None:
                demanding = seat
        if demanding is not None and t.owed is not None:
            (owner, owed), t.owed = t.owed, None
            yield from tell("demanded", seat=demanding, owner=owner, face=owed)
            yield from self.use_power(owner, owed, forced=True)

    # -- snaps and penalties ---------------------------------------------------------------------------------------

    def snap(self, seat: Seat, cards: tuple[Card, ...], face: Face) -> Script[None]:
        """Own cards onto their like, as far as they match (rulings 7 and 8)."""
        t = self.table
        for card in cards:
            slot = t.slot(seat, card)
            if slot is None:
                raise RuntimeError("nothing moves a card between an answer and its snap")
            (shown,) = yield from reveal([card])
            yield from tell("snapped", seat=seat, slot=slot, card=card, face=shown, match=shown == face)
            if shown != face:
                t.exposed.append(card)
                t.clock += 1
                yield from self.penalty(seat, WRONG_SNAP)
                return
            del t.cells[seat][slot]
            self.put(seat, card)

    def put(self, seat: Seat, card: Card) -> None:
        """An open card goes onto the discard pile."""
        t = self.table
        t.marked.discard(card)
        t.discards.append(card)
        t.discarder, t.taken = seat, False
        t.clock += 1

    def improper(self, seat: Seat, a: Decision) -> Script[None]:
        """The act is void, but what was looked at is seen (rulings 2 and 9)."""
        yield from tell("improper", seat=seat, verb=a.verb)
        if a.verb == "peek":
            yield from self.show({seat: (a.card,)})
        yield from self.penalty(seat, IMPROPER)

    def show(self, looks: Mapping[Seat, tuple[Card, ...]]) -> Script[None]:
        """Own cards are looked at, until that seat's next answer; all see which. A first look is used up."""
        t = self.table
        yield from view(looks)
        t.looking.update(looks)
        for seat, cards in looks.items():
            slots = t.slots(seat, cards)
            t.free[seat] = [slot for slot in t.free[seat] if slot not in slots]
            yield from tell("looked", seat=seat, slots=slots, cards=cards)

    def penalty(self, seat: Seat, count: int) -> Script[None]:
        """Unseen cards; those that are not there are waived (ruling 10)."""
        slots: list[int] = []
        while len(slots) < count and not self.table.no_card():
            slots.append((yield from self.give(seat)))
        yield from tell("penalty", seat=seat, slots=tuple(slots), waived=count - len(slots))

    def give(self, seat: Seat) -> Script[int]:
        """An unseen card to that player's cards; its slot."""
        t = self.table
        card = yield from self.take_from_pile()
        slot = t.next_slot[seat]
        t.next_slot[seat] += 1
        t.cells[seat][slot] = card
        return slot

    def take_from_pile(self) -> Script[Card]:
        """The top of the draw pile; when it is empty, all but the last discard are shuffled into a new one."""
        t = self.table
        if not t.pile:
            t.pile = yield from self.fresh(t.discards[:-1])
            t.discards = t.discards[-1:]
            yield from tell("reshuffled", cards=len(t.pile))
        return t.pile.pop(0)

    def fresh(self, cards: list[Card]) -> Script[list[Card]]:
        """These cards, shuffled."""
        t = self.table
        t.made += len(cards)
        return (yield from shuffle(cards))

    # -- powers ----------------------------------------------------------------------------------------------------

    def use_power(self, seat: Seat, face: Face, *, forced: bool = False) -> Script[None]:
        """The power of a discarded card: used or passed on, if there is anything to use it on (ruling 6)."""
        t = self.table
        used = False
        while not used and not t.no_target(seat, face):
            t.power = (seat, face)
            acts, lapse = self.power_act(seat, face)
            if forced:
                a = yield from self.act(POWER, seat, (acts,), lapse)
            else:
                a = yield from self.act(POWER, seat, (acts, Act("pass")), ("pass",))
            if a is not None and a.verb == "pass":
                t.owed = (seat, face)
                yield from tell("passed", seat=seat, face=face)
                break
            if a is not None and self.stands(seat, face, a):
                yield from self.power(seat, a)
                used = True
        t.power = None

    def power_act(self, seat: Seat, face: Face) -> tuple[Act, tuple[Any, ...]]:
        """How that power is used, and its first possible use."""
        t = self.table
        others = tuple(other for other in self.order(seat) if other != seat and t.cells[other])
        theirs = tuple(card for other in others for card in t.own(other))

        def not_theirs(_: Look, *earlier: Any) -> str:
            player, card = earlier[-2:]
            return "" if t.slot(player, card) is not None else "that card belongs to somebody else"

        whose, which, mine = One("player", others), One("card", theirs, not_theirs), One("own", t.own(seat))
        acts = {
            DJ: (Act("shuffle", (whose,)), ("shuffle", 0)),
            SCIENTIST: (Act("look", (mine,)), ("look", 0)),
            THIEF: (Act("swap", (mine, whose, which)), ("swap", 0, 0, 0)),
            DETECTIVE: (Act("spy", (whose, which)), ("spy", 0, 0)),
            FISHERMAN: (Act("fish"), ("fish",)),
        }
        return acts[face]

    def stands(self, seat: Seat, face: Face, a: Decision) -> bool:
        """Whether a choice of targets is still possible after the reactions."""
        t, v = self.table, a.values
        return (
            not t.no_target(seat, face)
            and ("own" not in v or t.slot(seat, v["own"]) is not None)
            and ("player" not in v or bool(t.cells[v["player"]]))
            and ("card" not in v or t.slot(v["player"], v["card"]) is not None)
        )

    def power(self, seat: Seat, a: Decision) -> Script[None]:
        """What the five powers do."""
        t = self.table
        if a.verb == "shuffle":
            yield from self.mix(seat, a.player)
        elif a.verb == "look":
            yield from self.show({seat: (a.own,)})
        elif a.verb == "swap":
            mine, theirs = t.slot(seat, a.own), t.slot(a.player, a.card)
            if mine is None or theirs is None:
                raise RuntimeError("only a choice that stands is carried out")
            t.cells[seat][mine], t.cells[a.player][theirs] = a.card, a.own
            t.marked -= {a.card, a.own}
            yield from tell("swapped", seat=seat, slot=mine, card=a.own, player=a.player, their_slot=theirs, got=a.card)
        elif a.verb == "spy":
            yield from view({seat: (a.card,)})
            t.looking[seat] = (a.card,)
            yield from tell("spied", seat=seat, player=a.player, slot=t.slot(a.player, a.card), card=a.card)
        else:
            slot = yield from self.give(seat)
            yield from tell("fished", seat=seat, slot=slot)

    def mix(self, seat: Seat, player: Seat) -> Script[None]:
        """That player's cards in an order that nobody knows; one alone stays what it is (ruling 6)."""
        t = self.table
        before = after = t.own(player)
        if len(before) > 1:
            after = tuple((yield from self.fresh(list(before))))
            t.cells[player] = dict(zip(t.cells[player], after, strict=True))
            t.marked -= set(before)
            t.looking = {s: left for s, seen in t.looking.items() if (left := _without(seen, before))}
        yield from tell("shuffled", seat=seat, player=player, before=before, after=after)


def _act(of: Menu, a: Decision) -> Act:
    """The act of that menu which was chosen."""
    return next(act for act in of.acts if act.verb == a.verb)


def _without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in gone)
