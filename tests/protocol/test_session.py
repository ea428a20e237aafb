"""The session's ordinary way, and what comes early, twice, or from another history.

Theory: everything that arrives is one of a few cases, told apart by its place and by its `prev`. Each test brings one
case about, with ceremonies that know no cards, and looks at the effects and at the state.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from protocol import contribution, limits
from protocol.effects import Arrival, Astray, Chained, Done, Fault, Fork, Job, State
from protocol.errors import Misuse, ProtocolError
from protocol.session import Session

from .seats import (
    NOWHERE,
    Say,
    ahead_of,
    attempt,
    contract,
    effects,
    meet,
    running,
    says,
    session,
    signatures,
    through,
    work,
)

# -- the ordinary way --------------------------------------------------------------------------------------------------


def test_a_round_is_chained_in_seat_order_when_all_of_it_is_checked() -> None:
    one = running()
    start = one.prev
    through(one, 2)
    assert one.waiting_for() == (1,)
    assert one.got() == (0, 2)
    assert one.chain == []
    one.receive(says(one, 1).data)
    found = work(one)
    (chained,) = [effect for effect in found if isinstance(effect, Chained)]
    assert [item.seat for item in chained.round] == [0, 1, 2]
    assert one.prev == contribution.next_hash(start, list(chained.round)) != start
    assert isinstance(found[-1], Done)
    assert one.state is State.IDLE
    assert one.waiting_for() == ()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_outcomes_in_any_order_give_one_chain(order: tuple[int, ...]) -> None:
    one, reference = running(), running()
    through(reference, 1, 2)
    for seat in (2, 1):
        one.receive(says(one, seat).data)
    jobs = [effect for effect in one.take() if isinstance(effect, Job)]
    assert len(jobs) == 3
    for index in order:
        attempt(one, jobs[index])
    assert one.state is State.IDLE
    assert one.prev == reference.prev
    assert [[item.data for item in round_] for round_ in one.chain] == [
        [item.data for item in round_] for round_ in reference.chain
    ]


def test_nothing_is_chained_before_its_verdict() -> None:
    one = running(None)
    items = [says(one, seat) for seat in range(3)]
    for item in items:
        one.receive(item.data)
    jobs = [effect for effect in one.take() if isinstance(effect, Job)]
    for job in jobs[:-1]:
        attempt(one, job)
    assert one.chain == []
    assert one.take() == []
    attempt(one, jobs[-1])
    assert len(one.chain) == 1
    assert one.checks == 3


def test_later_rounds_rest_on_earlier_ones_and_have_their_own_seats() -> None:
    ceremony = Say([0], [1, 2])
    one = session(None)
    one.begin(ceremony)
    through(one, 0)
    assert one.place == (0, 1)
    assert one.waiting_for() == (1, 2)
    through(one, 1, 2)
    assert [sorted(round_) for round_ in ceremony.heard] == [[0], [1, 2]]
    assert [item.seat for item in one.since(0)] == [0, 1, 2]
    assert [item.seat for item in one.since(1)] == [1, 2]


def test_sessions_that_hear_each_other_come_to_one_chain() -> None:
    sessions = [session(seat) for seat in range(3)]
    for _ in range(4):
        meet(sessions, lambda: Say(range(3), [1], [0, 2]))
    assert len({one.prev for one in sessions}) == 1
    assert len(sessions[0].chain) == 12


def test_misuse() -> None:
    one = session()
    with pytest.raises(Misuse, match="no step is open"):
        one.decide({})
    one.begin(Say())
    with pytest.raises(Misuse, match="cannot begin while"):
        one.begin(Say())
    with pytest.raises(Misuse, match="no job 99"):
        one.done(99, None)
    with pytest.raises(Misuse, match="no decision"):
        one.decide({})


def test_a_contract_that_was_not_signed_opens_no_session() -> None:
    signed = signatures()
    for wrong in (signed[:2], [*signed, signed[0]], [signed[1], signed[0], signed[2]], [*signed[:2], b""]):
        with pytest.raises(ProtocolError):
            Session(contract(), wrong)


# -- ahead -------------------------------------------------------------------------------------------------------------


def test_what_is_a_few_steps_ahead_is_kept_and_what_is_further_is_dropped() -> None:
    one = running()
    near, far = ahead_of(one, limits.AHEAD_STEPS), ahead_of(one, limits.AHEAD_STEPS + 1)
    assert one.receive(near.data) is Arrival.NEW
    assert one.receive(far.data) is Arrival.DROPPED
    assert one.receive(near.data) is Arrival.KNOWN
    assert one.receive(far.data) is Arrival.DROPPED
    assert effects(one, Astray) == []


def test_what_was_dropped_is_taken_when_it_comes_again_in_time() -> None:
    sessions = [session(seat) for seat in range(3)]
    late = session(None)
    for _ in range(limits.AHEAD_STEPS + 3):
        meet(sessions, Say)
    items = sessions[0].since(0)
    late.begin(Say())
    assert late.receive(items[-1].data) is Arrival.DROPPED
    for item in items:
        if late.state is State.IDLE:
            late.begin(Say())
        assert late.receive(item.data) is Arrival.NEW
        work(late)
    assert late.prev == sessions[0].prev


def test_a_seat_can_fill_its_own_room_only(monkeypatch: pytest.MonkeyPatch) -> None:
    one = running()
    size = len(ahead_of(one, 1, size=1000).data)
    monkeypatch.setattr(limits, "AHEAD_BYTES", 3 * size)
    arrivals = [one.receive(ahead_of(one, steps, size=1000).data) for steps in range(1, 6)]
    assert arrivals == [Arrival.NEW] * 3 + [Arrival.DROPPED] * 2
    assert one.receive(ahead_of(one, 1, seat=2, size=1000).data) is Arrival.NEW


def test_room_is_given_back_when_the_step_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    one = running(None)
    early = ahead_of(one, 1, size=1000)
    monkeypatch.setattr(limits, "AHEAD_BYTES", len(early.data))
    assert one.receive(early.data) is Arrival.NEW
    assert one.receive(ahead_of(one, 2, size=1000).data) is Arrival.DROPPED
    through(one, 0, 1, 2)
    one.begin(Say())
    assert one.receive(ahead_of(one, 2, size=1000).data) is Arrival.NEW


def test_early_contributions_are_judged_when_their_round_opens() -> None:
    ahead, behind = session(None), running(None)
    ahead.begin(Say())
    first = [says(ahead, seat) for seat in range(3)]
    for item in first:
        ahead.receive(item.data)
    work(ahead)
    ahead.begin(Say())
    second = [says(ahead, seat) for seat in range(3)]
    for item in [*second, *first]:
        assert behind.receive(item.data) is Arrival.NEW
    work(behind)
    assert behind.state is State.IDLE
    assert len(behind.chain) == 1
    behind.begin(Say())
    assert behind.got() == (0, 1, 2)
    work(behind)
    assert behind.chain[1][0].data == second[0].data


def test_byte_identical_repeats_are_known_wherever_they_lie() -> None:
    one = running(None)
    chained = says(one, 0)
    through(one, 0, 1, 2)
    one.begin(Say())
    opened, early = says(one, 1), ahead_of(one, 1, seat=2)
    stray = says(((0, 5), NOWHERE), 1)
    for item in (opened, early, stray):
        assert one.receive(item.data) is Arrival.NEW
    for item in (chained, opened, early, stray):
        assert one.receive(item.data) is Arrival.KNOWN
    assert not [effect for effect in work(one) if isinstance(effect, Fault | Fork)]


# -- astray ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [(1, 0), (0, 0), (0, 4)])
def test_another_history_names_nobody(place: tuple[int, int]) -> None:
    """For the open round, for one that is closed, and for one that there never was."""
    one = session(None)
    one.begin(Say([0, 2]))
    through(one, 0, 2)
    one.begin(Say())
    item = says((place, NOWHERE), 1)
    assert one.receive(item.data) is Arrival.NEW
    assert effects(one, Astray) == [Astray(item)]
    assert one.state is State.RUNNING
    assert one.waiting_for() == (0, 1, 2)
    assert one.since(0) == one.chain[0]


def test_an_early_one_turns_out_to_be_astray() -> None:
    one = running(None)
    item = ahead_of(one, 1)
    one.receive(item.data)
    through(one, 0, 1, 2)
    assert effects(one, Astray) == []
    one.begin(Say())
    assert effects(one, Astray) == [Astray(item)]
    assert one.got() == ()


def test_an_early_one_for_a_round_that_does_not_come() -> None:
    one = running(None)
    item = says(((0, 3), NOWHERE), 1)
    one.receive(item.data)
    assert effects(one, Astray) == []
    through(one, 0, 1, 2)
    one.begin(Say())
    assert effects(one, Astray) == [Astray(item)]


def test_a_seat_can_fill_its_own_room_of_strays_only() -> None:
    one = session(None)
    for _ in range(limits.STRAYS + 2):
        one.begin(Say([0]))
        through(one, 0)
    one.begin(Say())
    arrivals = [one.receive(says(((step, 0), NOWHERE), 1).data) for step in range(limits.STRAYS + 2)]
    assert arrivals == [Arrival.NEW] * limits.STRAYS + [Arrival.DROPPED] * 2
    assert one.receive(says(((0, 0), NOWHERE), 2).data) is Arrival.NEW
    assert len(effects(one, Astray)) == limits.STRAYS + 1
    assert one.receive(says(((0, 0), bytes(31) + b"\1"), 1).data) is Arrival.NEW
    assert [effect.seat for effect in one.take() if isinstance(effect, Fork)] == [1]
