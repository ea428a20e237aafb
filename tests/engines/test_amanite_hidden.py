"""Amanite, what is hidden from whom: what a seat sees, and what can be concluded from it."""

from __future__ import annotations

import pytest

from engines.amanite_hints import possible, worlds
from engines.chance import Chance
from engines.menus import Choice, Seat
from engines.run import canonical
from tests.engines.amanite_forest import M0, M1, A, K, Walk, of
from tests.engines.worlds import offered


def sight(walk: Walk, seat: Seat) -> str:
    """All that a seat can see now: table, own hints, log, and what it or anybody is asked and offered."""
    look = walk.run.look(seat)
    offers = [offered(menu, look) for _, menu in sorted(walk.menus.items())]
    may = possible(walk.table, seat, look)
    return canonical([walk.run.digest(), walk.run.known[seat], walk.events, offers, may])


@of("Hidden 1", "Hidden 2", "Hidden 3", "Setup 32")
@pytest.mark.parametrize(("seats", "given"), [(2, M0), (3, M1), (4, K)])
@pytest.mark.parametrize("seed", range(3))
def test_a_seat_can_tell_no_world_from_another_that_its_hints_allow(
    seats: int, given: dict[str, str], seed: int
) -> None:
    """The same decisions in each world that is left to a seat: it sees the same, the last notebook included."""
    walk, chance, choices = Walk(seats, worth=given, seed=seed), Chance(bytes([seed, seats]) * 16), list[Choice]()
    sights = {seat: [sight(walk, seat)] for seat in range(seats)}
    while walk.table.round < 3:
        choices.append(walk.menu.sample(chance, walk.run.look(walk.asked[0])))
        walk.answer({walk.asked[0]: choices[-1]})
        for seat, seen in sights.items():
            seen.append(sight(walk, seat))
    for seat, wanted in sights.items():
        left = list(worlds(walk.table, seat, walk.run.look(seat)))
        assert given in left
        assert len(left) > 1
        for world in left:
            other = Walk(seats, worth=world, seed=seed)
            seen = [sight(other, seat)]
            for choice in choices:
                other.answer({other.asked[0]: choice})
                seen.append(sight(other, seat))
            assert seen == wanted


@of("Hidden 2", "Hidden 3")
def test_what_a_seat_can_conclude() -> None:
    walk = Walk(2, worth=M0)
    look = walk.run.look(A)
    own, rest = {"poison", "antidote", "2"}, {"-1", "1", "3"}
    for colour, may in possible(walk.table, A, look).items():
        assert set(may) == (own if colour in ("blue", "yellow", "red") else rest)
    assert len(list(worlds(walk.table, A, look))) == 36
    assert all(len(may) == 6 for may in possible(walk.table, None, walk.run.look()).values())
    walk.lapse_to("consult")
    walk.lapse()
    walk.act("consult", "yellow", seat=A)
    assert possible(walk.table, A, look) == {
        "blue": ("antidote", "poison"),
        "green": ("-1", "1", "3"),
        "purple": ("-1", "1", "3"),
        "red": ("antidote", "poison"),
        "white": ("-1", "1", "3"),
        "yellow": ("2",),
    }
    found = list(worlds(walk.table, A, look))
    assert len(found) == 12
    assert M0 in found
    assert len({tuple(sorted(world.items())) for world in found}) == 12
