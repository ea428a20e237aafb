"""What a mushroom is worth, without a notebook on it, and which of the first hints is of which colour: nobody is told.

Theory: a notebook is a decision that everybody has before the look that it allows, and that look is proven to be at
this mushroom's card before anybody answers. The first hints are other cards than those of the mushrooms, in an order
that nobody knows; to look at a mushroom's own in their place is a look at a wrong card.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.amanite_table import COLOURS
from engines.menus import Choice
from p2p.table import Table
from protocol.ceremony import Body

from .cheat import CHEAT, NEVER, CheatRing, Moment, Strike
from .looks import NOT_BLIND, caught_blind, decision, hand, lapsing, looking, never_seen, pretending, rules, until
from .verdicts import convicted

CONSULTED = 0
"""The colour on which seat 0 puts its first notebook."""
WANTED = COLOURS[3]
"""The colour of which the cheat would like to know more than it may."""


def apart(seat: int, table: Table) -> Choice:
    """A mushroom for each seat's first notebook, the first that is free for the second."""
    once = rules(table).phase == "hints" and rules(table).round == 1
    return Choice(0, (seat,)) if once else lapsing(seat, table)


def first_hints(m: Moment) -> bool:
    """The hints of the start cards are looked at."""
    return m.ceremony.kind == "view" and rules(m.table).round == 0


def notebooks(m: Moment) -> bool:
    """Notebooks are being placed."""
    return bool(rules(m.table).phase == "hints")


def mine(m: Moment) -> bool:
    """It is the cheat's turn to place one."""
    return notebooks(m) and rules(m.table).active == CHEAT


def full(m: Moment) -> bool:
    """The same, and seat 0 has taken the only space of a mushroom."""
    return mine(m) and rules(m.table).notebooks[COLOURS[CONSULTED]] == [0]


def card(table: Table, colour: str = WANTED) -> int:
    """The hint of that colour."""
    return int(rules(table).mushrooms[colour])


def ring(*strikes: Strike, seats: int = 3) -> CheatRing:
    """A table at which the first hints are about to be looked at."""
    table = CheatRing(*strikes, game="amanite", seats=seats, begin=until("view", first_hints, apart, "amanite", seats))
    table.decide = apart
    return table


LOOKS: dict[str, tuple[Callable[[Moment], Body], str]] = {
    "instead": (lambda m: looking(m, [card(m.table)]), NOT_BLIND),
    "instead, unproven": (lambda m: pretending(m, [card(m.table)]), NOT_BLIND),
    "besides": (lambda m: looking(m, [*hand(m, m.seat), card(m.table)]), "view: blinded card: 64 bytes where 32"),
}


@pytest.mark.parametrize("cheat", LOOKS)
def test_another_colour_than_that_of_the_notebook(cheat: str) -> None:
    forge, reason = LOOKS[cheat]
    table = ring(Strike("view", lambda m: m.sign(forge(m)), round=0, when=mine))
    table.play()
    caught_blind(table, reason)
    never_seen(table, card(table.tables[CHEAT]))


def test_a_colour_without_a_notebook() -> None:
    """A look where the notebook is due."""

    def look(m: Moment) -> bytes:
        return m.sign(looking(m, [card(m.table)]), kind="view")

    table = ring(Strike("ask", look, when=mine))
    table.play()
    caught_blind(table, "a view where a ask is due")
    never_seen(table, card(table.tables[CHEAT]))


def test_a_notebook_where_there_is_no_space() -> None:
    table = ring(Strike("ask", lambda m: m.sign(decision(m, "consult", CONSULTED)), when=full), seats=2)
    table.play()
    caught_blind(table, "no notebook space is left")
    never_seen(table, card(table.tables[CHEAT], COLOURS[CONSULTED]))


@pytest.mark.parametrize("same", [True, False])
def test_a_look_while_another_looks(same: bool) -> None:
    """At the same mushroom, or at another one."""
    table = ring(NEVER)
    own = table.tables[CHEAT]
    m = Moment(table, own, CHEAT)
    for seat in range(3):
        table.pump(seat)
    while not (own.ceremony.kind == "view" and notebooks(m) and rules(own).active != CHEAT):
        assert table.step()
    (theirs,) = hand(m, rules(own).active)
    wanted = theirs if same else card(own)
    for seat in table.honest:
        table.send(CHEAT, m.sign(looking(m, [wanted])), seat)
    table.play()
    convicted(table, "a view out of turn")
    never_seen(table, wanted)


@pytest.mark.parametrize("forge", [looking, pretending])
def test_which_first_hint_is_of_which_colour(forge: Callable[[Moment, list[int]], Body]) -> None:
    """A look at the mushroom's own card in the place of one of the three that were mixed."""

    def own_colour(m: Moment) -> int:
        return card(m.table, rules(m.table).colours(CHEAT)[0])

    strike = Strike("view", lambda m: m.sign(forge(m, [own_colour(m), *hand(m, m.seat)[1:]])), round=0)
    table = CheatRing(strike, game="amanite", seats=3, begin=until("view", first_hints, apart, "amanite", 3))
    table.decide = apart
    table.play()
    caught_blind(table, NOT_BLIND)
    never_seen(table, own_colour(Moment(table, table.tables[CHEAT], CHEAT)))
