"""Cheats with decisions, and contributions in the wrong place, each at a table among honest seats.

Theory: a decision travels as indices into lists that everybody has, so a card that one does not hold cannot even be
said. What only a hidden card can show is judged as soon as it is open. The `prev` of a contribution is the history that
its seat has signed; a place that does not follow from it is out of turn, whenever it arrives. A `prev` that nobody has
ever had proves nothing, and names nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engines.menus import Choice
from p2p.table import Table
from protocol import limits
from protocol.contribution import Contribution
from protocol.effects import Arrival, Fault, Fork, Job

from .cheat import CHEAT, NEVER, CheatRing, Moment, Strike, recorded, shortly
from .verdicts import caught, convicted, kept_quiet, unharmed

Item = Callable[[CheatRing], bytes]


def rock(m: Moment) -> int:
    """A tile of the rim on which no hunter may stand."""
    assert m.table.menu is not None
    assert m.table.run is not None
    (tile,) = m.table.menu.acts[0].parts
    return next(i for i, place in enumerate(tile.of) if m.table.run.game.table.no_place(place))


def decision(picks: Any, act: Any = 0, **more: Any) -> dict[str, Any]:
    return {"act": act, "picks": picks, **more}


DECISIONS: dict[str, tuple[Callable[[Moment], dict[str, Any]], str]] = {
    "for a rock": (lambda m: decision([rock(m)]), "hunters do not start on rock"),
    "for an act that there is not": (lambda m: decision([], act=7), "there is no such act"),
    "for a tile that there is not": (lambda m: decision([99]), "there is no such thing to choose"),
    "for a negative tile": (lambda m: decision([-1]), "there is no such thing to choose"),
    "for nothing": (lambda m: decision([]), "1 parts have to be filled"),
    "for two tiles": (lambda m: decision([0, 1]), "1 parts have to be filled"),
    "in words": (lambda m: decision(["here"]), "there is no such thing to choose"),
    "that is true": (lambda m: decision([0], act=False), "there is no such act"),
    "with more than one says": (lambda m: decision([0], note="haha"), "and nothing else"),
    "without an act": (lambda m: {"picks": [0]}, "and nothing else"),
}


@pytest.mark.parametrize("cheat", DECISIONS)
def test_a_decision(cheat: str) -> None:
    make, reason = DECISIONS[cheat]
    caught(Strike("ask", lambda m: m.sign(make(m))), reason)


def test_a_card_that_one_does_not_hold() -> None:
    """Cards are chosen by their place in one's own hand; there is no fourth card in a hand of three."""
    turn = next(item for item in recorded() if item.kind == "ask" and item.seat == CHEAT and item.body["act"])
    strike = Strike("ask", lambda m: m.sign(decision([3], act=turn.body["act"])))
    ring = CheatRing(strike, begin=[item for item in recorded() if item.place < turn.place])
    ring.play()
    convicted(ring, "card: there is no such thing to choose")


def test_a_move_that_ones_hidden_card_does_not_allow() -> None:
    """Nobody can object before the card is open; then everybody does, to the decision."""
    tried: list[Choice] = []

    def boldly(seat: int, table: Table) -> Choice:
        run, menu = table.run, table.menu
        assert run is not None
        assert menu is not None
        verbs = [act.verb for act in menu.acts]
        if seat != CHEAT or "move" not in verbs:
            return shortly(seat, table)
        moves = [Choice(verbs.index("move"), (card, way)) for card in range(3) for way in range(6)]
        bad = [move for move in moves if menu.judge(run.look(CHEAT), move) and not menu.judge(run.look(), move)]
        tried.append(bad[0])
        return bad[0]

    ring = CheatRing(NEVER, begin=before_turn())
    ring.decide = boldly
    ring.play()
    assert len(tried) == 1
    convicted(ring, "a decision against the rules: a hunter goes the full distance")
    verdict = ring.verdicts[0]
    assert not isinstance(verdict, Fork)
    assert verdict.contribution.kind == "ask"
    assert verdict.contribution.body == decision(list(tried[0].picks), act=tried[0].act)


def before_turn() -> list[Contribution]:
    """Everything before the cheat's first turn."""
    turns = [item for item in recorded() if item.kind == "ask" and item.seat == CHEAT]
    return [item for item in recorded() if item.place < turns[1].place]


# -- the wrong place ---------------------------------------------------------------------------------------------------


def idle() -> CheatRing:
    """A table at which the cheat is not asked."""
    place = next(item.place for item in recorded() if item.kind == "ask" and item.seat != CHEAT)
    return CheatRing(NEVER, begin=[item for item in recorded() if item.place < place])


def moment(ring: CheatRing) -> Moment:
    return Moment(ring, ring.tables[CHEAT], CHEAT)


def tell(ring: CheatRing, data: bytes) -> None:
    """Say it to everybody, then play on for as long as something happens."""
    for seat in ring.honest:
        ring.send(CHEAT, data, seat)
    ring.play()


def owed_nothing(ring: CheatRing) -> Contribution:
    """A contribution to a closed round in which the cheat owed nothing."""
    rounds = ring.tables[CHEAT].session.chain
    return next(round_[0] for round_ in rounds if round_[0].kind == "shuffle" and round_[0].seat != CHEAT)


def where(item: Contribution) -> dict[str, Any]:
    return {"place": item.place, "prev": item.prev, "kind": item.kind}


def ahead(ring: CheatRing, steps: int) -> tuple[int, int]:
    return moment(ring).place[0] + steps, 0


OUT_OF_TURN: dict[str, tuple[Item, str]] = {
    "a decision": (lambda ring: moment(ring).sign(decision([0])), "a ask out of turn"),
    "shares that nobody asked for": (lambda ring: moment(ring).sign({}, kind="open"), "a open out of turn"),
    "a closing": (lambda ring: moment(ring).sign({}, kind="closing"), "a closing out of turn"),
    "to a round that there is not": (
        lambda ring: moment(ring).sign(decision([0]), place=(moment(ring).place[0], 1)),
        "a ask out of turn",
    ),
    "to a later step": (lambda ring: moment(ring).sign({}, place=ahead(ring, 3), kind="flip"), "a flip out of turn"),
    "to a step in the far future": (
        lambda ring: moment(ring).sign({}, place=ahead(ring, 2**20), kind="flip"),
        "a flip out of turn",
    ),
    "to a closed round": (
        lambda ring: moment(ring).sign({"late": 1}, **where(owed_nothing(ring))),
        "a shuffle out of turn",
    ),
    "to a closed round, on the history of today": (
        lambda ring: moment(ring).sign({}, place=owed_nothing(ring).place, kind="shuffle"),
        "a shuffle out of turn",
    ),
}


@pytest.mark.parametrize("cheat", OUT_OF_TURN)
def test_out_of_turn(cheat: str) -> None:
    make, reason = OUT_OF_TURN[cheat]
    ring = idle()
    tell(ring, make(ring))
    convicted(ring, reason)


@pytest.mark.parametrize("kind", ["open", "view", "flip", "shuffle", "closing", "keys", "whatever"])
def test_another_kind_than_the_one_that_is_due(kind: str) -> None:
    caught(Strike("ask", lambda m: m.sign({}, kind=kind)), f"a {kind} where a ask is due")


def test_two_things_for_a_closed_round() -> None:
    """Long past, and different from what was said then."""
    ring = idle()
    old = next(item for item in recorded() if item.kind == "flip" and item.seat == CHEAT)
    tell(ring, moment(ring).sign({"value": bytes(32)}, kind="flip", place=old.place, prev=old.prev))
    convicted(ring, "two different things", kind=Fork)


def test_the_same_bytes_twice_mean_nothing() -> None:
    ring = idle()
    for item in [item for item in recorded() if item.seat == CHEAT][:8]:
        tell(ring, item.data)
    unharmed(ring)
    assert ring.complete == {0, 1, 2}


NOWHERE: dict[str, Item] = {
    "now": lambda ring: moment(ring).sign(decision([0]), prev=bytes(32)),
    "in a closed round": lambda ring: moment(ring).sign({}, place=owed_nothing(ring).place, prev=bytes(32)),
    "a little ahead": lambda ring: moment(ring).sign({}, place=ahead(ring, 1), prev=bytes(32)),
    "in a round that there was not": lambda ring: moment(ring).sign({}, place=(2, 5), prev=bytes(32)),
    "far ahead": lambda ring: moment(ring).sign({}, place=ahead(ring, limits.AHEAD_STEPS + 1), prev=bytes(32)),
}


@pytest.mark.parametrize("cheat", NOWHERE)
def test_a_history_that_nobody_has_had_names_nobody(cheat: str) -> None:
    """It may be the other half of a fork, so histories are compared; while nothing turns up, the game goes on."""
    ring = idle()
    data = NOWHERE[cheat](ring)
    ring.tables[CHEAT].session._seen.add(data)  # the cheat does not listen to what it has said
    tell(ring, data)
    unharmed(ring)
    assert {seat for seat, _ in ring.astray} >= (set() if cheat == "far ahead" else {0, 2})
    assert ring.complete == {0, 1, 2}


def test_who_hears_that_it_has_signed_for_a_later_place_decides_nothing_before() -> None:
    """It would be a fork of its own if what it had decided turned up; the others wait for it, and name nobody."""
    ring = idle()
    tell(ring, NOWHERE["far ahead"](ring))
    unharmed(ring)
    assert not ring.complete
    assert {table.session.waiting_for() for table in ring.tables} == {(CHEAT,)}
    assert not ring.tables[CHEAT].session.due


def test_the_right_thing_after_a_wrong_history_is_a_fork() -> None:
    """Whoever has signed for a place on no history, and then on ours, has signed two things."""

    def both(m: Moment) -> list[bytes]:
        return [m.sign(m.honest(), prev=bytes(32)), m.sign(m.honest())]

    ring = CheatRing(Strike("ask", both))
    ring.play()
    convicted(ring, "two different things", kind=Fork)


def test_anothers_seat() -> None:
    """A signature that is not that seat's is nobody's word, and the fault of the link that brings it."""
    ring = idle()
    asked = ring.tables[CHEAT].session.waiting_for()[0]
    tell(ring, moment(ring).sign(decision([0]), seat=asked))
    unharmed(ring)
    assert len(ring.broken_links) == len(ring.honest)
    assert ring.complete == {0, 1, 2}


def test_another_tables_contribution() -> None:
    """Signed by the right seat for the right place, in another game among the same people."""
    ring, elsewhere = idle(), CheatRing(NEVER, begin=(), seed=78)
    elsewhere.identities = ring.identities
    elsewhere.tables[CHEAT].take()
    tell(ring, moment(elsewhere).sign({"seed": bytes(32)}))
    unharmed(ring)
    assert {str(error) for error in ring.broken_links} == {"a contribution to another table"}


def test_silence_names_nobody_and_opens_nothing() -> None:
    """Whoever waits sees for whom; no clock accuses anybody, and nothing that was secret comes to light."""
    ring = CheatRing(Strike("ask", lambda _: []))
    ring.play()
    unharmed(ring)
    kept_quiet(ring)
    assert all(ring.tables[seat].session.waiting_for() == (CHEAT,) for seat in ring.honest)


@pytest.mark.parametrize("place", [(0, 1), (3, 0)], ids=["a round that there is not", "a later step"])
def test_out_of_turn_on_a_history_that_comes_to_be_ours(place: tuple[int, int]) -> None:
    """It is heard before the history that it rests on: then it is judged as soon as that is there."""
    ring = idle()
    m = moment(ring)
    data = m.sign({}, place=(m.place[0] + place[0], place[1]), kind="flip")
    late = ring._table(2)
    *before, last = ring.tables[0].session.chain
    for item in [item for round_ in before for item in round_]:
        late.receive(item.data)
        settle(late)
    assert late.receive(data) is Arrival.NEW
    assert late.ended is None
    for item in last:
        late.receive(item.data)
        settle(late)
    assert isinstance(late.ended, Fault)
    assert (late.ended.seat, late.ended.reason) == (CHEAT, "a flip out of turn")


def settle(table: Table) -> None:
    """Whatever has to be checked holds."""
    for effect in table.take():
        if isinstance(effect, Job):
            table.done(effect.id, None)
