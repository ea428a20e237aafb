"""A third card in Amnesia's first look, for nothing: tried with the look itself, and with the decisions before it.

Theory: the two bottom cards are free, each further one costs a card, and the menus say so to everybody. What a decision
cannot say a look cannot have: a look is of the cards that the decisions of that step allow, and is proven before
anybody answers.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.amnesia_table import BOTTOM, FIRST_LOOK
from engines.menus import Choice
from p2p.table import Table
from protocol.ceremony import Body

from .cheat import CHEAT, NEVER, CheatRing, Moment, Strike
from .looks import (
    NOT_BLIND,
    caught_blind,
    decision,
    hand,
    lapsing,
    looking,
    never_seen,
    pretending,
    rules,
    until,
)
from .verdicts import convicted

SEATS = 3


def both(seat: int, table: Table) -> Choice:
    """Everybody looks at both bottom cards, once, and then has done with it."""
    if rules(table).phase == FIRST_LOOK and len(rules(table).free[seat]) == len(BOTTOM):
        return Choice(0, ((0, 1),))
    return lapsing(seat, table)


def all_but_the_cheat(seat: int, table: Table) -> Choice:
    """The same, but the cheat's decision is to look at nothing."""
    return lapsing(seat, table) if seat == CHEAT else both(seat, table)


def first_look(m: Moment) -> bool:
    """The seats are about to say at which of their cards they look, or to look at them."""
    return bool(rules(m.table).phase == FIRST_LOOK)


def ring(strike: Strike) -> CheatRing:
    """A table at the first look."""
    table = CheatRing(strike, game="amnesia", seats=SEATS, begin=until("ask", first_look, both, "amnesia", SEATS))
    table.decide = both
    return table


def third(table: Table, seat: int = CHEAT) -> int:
    """The first of the cards that are not for nothing."""
    return int(rules(table).own(seat)[0])


LOOKS: dict[str, tuple[Callable[[Moment], Body], str]] = {
    "besides the two": (
        lambda m: looking(m, [*hand(m, m.seat), third(m.table)]),
        "view: blinded card: 96 bytes where 64",
    ),
    "in the place of one": (lambda m: looking(m, [hand(m, m.seat)[0], third(m.table)]), NOT_BLIND),
    "in the place of one, unproven": (lambda m: pretending(m, [hand(m, m.seat)[0], third(m.table)]), NOT_BLIND),
    "of somebody else": (lambda m: looking(m, [hand(m, m.seat)[0], third(m.table, 0)]), NOT_BLIND),
    "at which somebody else looks": (lambda m: looking(m, [hand(m, m.seat)[0], hand(m, 0)[0]]), NOT_BLIND),
}


@pytest.mark.parametrize("cheat", LOOKS)
def test_a_third_card_with_the_look(cheat: str) -> None:
    forge, reason = LOOKS[cheat]
    table = ring(Strike("view", lambda m: m.sign(forge(m)), round=0, when=first_look))
    card = third(table.tables[CHEAT])
    table.play()
    caught_blind(table, reason)
    never_seen(table, card)


DECISIONS: dict[str, tuple[Callable[[Moment], Body], str]] = {
    "among the free ones": (
        lambda m: decision(m, "look", [0, 1, 2]),
        "cards: choose 1 to 2",
    ),
    "in the place of one": (lambda m: decision(m, "look", [0, 2]), "cards: there is no such thing to choose"),
    "by looking once more": (lambda m: decision(m, "look", [0]), "both bottom cards have been looked at"),
}


@pytest.mark.parametrize("cheat", DECISIONS)
def test_a_third_card_by_decision(cheat: str) -> None:
    forge, reason = DECISIONS[cheat]
    left = 0 if cheat == "by looking once more" else len(BOTTOM)

    def due(m: Moment) -> bool:
        return first_look(m) and len(rules(m.table).free[CHEAT]) == left

    table = ring(Strike("ask", lambda m: m.sign(forge(m)), when=due))
    card = third(table.tables[CHEAT])
    table.play()
    caught_blind(table, reason)
    never_seen(table, card)


def test_a_third_card_without_a_decision() -> None:
    def look(m: Moment) -> bytes:
        return m.sign(looking(m, [third(m.table)]), kind="view")

    table = ring(Strike("ask", look, when=first_look))
    card = third(table.tables[CHEAT])
    table.play()
    caught_blind(table, "a view where a ask is due")
    never_seen(table, card)


def test_a_card_while_the_others_look() -> None:
    """The cheat has decided to look at nothing, and then does so in the middle of the others' looks."""
    table = CheatRing(NEVER, game="amnesia", seats=SEATS, begin=until("ask", first_look, both, "amnesia", SEATS))
    table.decide = all_but_the_cheat
    mine = table.tables[CHEAT]
    for seat in range(SEATS):
        table.pump(seat)
    while mine.ceremony.kind != "view":
        assert table.step()
    m, card = Moment(table, mine, CHEAT), third(mine)
    for seat in table.honest:
        table.send(CHEAT, m.sign(looking(m, [card])), seat)
    table.play()
    convicted(table, "a view out of turn")
    never_seen(table, card)
