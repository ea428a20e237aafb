"""Who is named by a session, and who is not.

Theory: a seat is named for what it has signed on the history that is ours, or for two things signed for one place on
whatever history; for anything else nobody is. So every honest seat comes to the same verdict, in whatever order things
reach it.
"""

from __future__ import annotations

import pytest

from protocol import contribution
from protocol.effects import Arrival, Astray, Fault, Fork
from protocol.errors import ProtocolError

from .seats import (
    IDENTITIES,
    NOWHERE,
    Say,
    ahead_of,
    contract,
    effects,
    only,
    running,
    says,
    session,
    through,
    word,
    work,
)

# -- who is named ------------------------------------------------------------------------------------------------------


def test_a_body_that_does_not_check() -> None:
    one = running()
    item = says(one, 2, {"word": "bad"})
    assert one.receive(item.data) is Arrival.NEW
    assert only(one) == Fault(2, "that is not to be said", item)


def test_another_kind_and_another_seats_turn() -> None:
    one = running(0, range(2))
    item = says(one, 1, kind="shout")
    one.receive(item.data)
    assert only(one) == Fault(1, "a shout where a say is due", item)
    one = running(0, range(2))
    item = says(one, 2)
    one.receive(item.data)
    assert only(one) == Fault(2, "a say out of turn", item)


@pytest.mark.parametrize("place", [(1, 1), (2, 0), (0, 1), (2**30, 0)])
def test_our_history_and_a_place_that_does_not_follow_from_it(place: tuple[int, int]) -> None:
    one = running(None)
    through(one, 0, 1, 2)
    one.begin(Say())
    item = says((place, one.prev), 1)
    one.receive(item.data)
    assert only(one) == Fault(1, "a say out of turn", item)


def test_out_of_turn_is_named_whenever_it_arrives() -> None:
    """Early, in its round, or when that is closed: honest seats come to one verdict."""
    for closed in range(4):
        one = session(None)
        start = one.prev
        one.begin(Say([0, 2]))
        item = says(((0, 0), start), 1)
        for _ in range(closed):
            through(one, 0, 2)
            one.begin(Say([0, 2]))
        one.receive(item.data)
        assert only(one) == Fault(1, "a say out of turn", item)


def test_an_early_one_for_a_round_that_does_not_come_on_our_history() -> None:
    one, ahead = running(None), running(None)
    through(ahead, 0, 1, 2)
    item = says(((0, 1), ahead.prev), 1)
    assert one.receive(item.data) is Arrival.NEW
    through(one, 0, 1, 2)
    one.begin(Say())
    assert only(one) == Fault(1, "a say out of turn", item)


def test_an_early_one_for_a_round_in_which_nobody_owes_anything() -> None:
    """Who would have owed it has left. Where it stands is known to whoever speaks last in the round before."""
    one = session(None)
    one.begin(Say(range(3), []))
    before = [says(one, seat) for seat in range(3)]
    item = says(((0, 1), contribution.next_hash(one.prev, before)), 1)
    assert one.receive(item.data) is Arrival.NEW
    for each in before:
        one.receive(each.data)
    assert only(one) == Fault(1, "a say out of turn", item)


def test_a_whole_round_that_does_not_hold_names_nobody() -> None:
    one = session(None)
    one.begin(Say(range(3), whole="two are the same"))
    items = [says(one, seat) for seat in range(3)]
    for item in items:
        one.receive(item.data)
    assert only(one) == Fault(None, "two are the same", items[-1])
    assert one.since(0) == items


@pytest.mark.parametrize("where", ["open", "chained", "early", "stray"])
def test_two_things_for_one_place(where: str) -> None:
    one = running(None)
    first = says(one, 1)
    if where == "early":
        first = ahead_of(one, 2)
    if where == "stray":
        first = says((one.place, NOWHERE), 1)
    one.receive(first.data)
    if where == "chained":
        through(one, 0, 2)
        one.begin(Say())
    second = says((first.place, first.prev), 1, {"word": "other"})
    assert one.receive(second.data) is Arrival.NEW
    assert only(one) == Fork(1, first, second)


def test_a_history_that_differs_leads_to_the_fork() -> None:
    """Seat 2 says one thing to seat 0 and another to seat 1; each goes on, sees the other astray, and compares."""
    one, other = session(0), session(1)
    for each in (one, other):
        each.begin(Say())
    first, second = says(one, 2), says(one, 2, {"word": "other"})
    for each, item, peer in ((one, first, 1), (other, second, 0)):
        each.receive(item.data)
        each.receive(says(each, peer).data)
        work(each)
        each.begin(Say())
        work(each)
    assert one.prev != other.prev
    (mine,) = [item for item in one.since(1) if item.seat == 0]
    other.receive(mine.data)
    assert effects(other, Astray) == [Astray(mine)]
    for item in one.since(0):
        other.receive(item.data)
    for item in other.since(0):
        one.receive(item.data)
    for each in (one, other):
        verdict = only(each)
        assert isinstance(verdict, Fork)
        assert verdict.seat == 2
        assert {verdict.first.data, verdict.second.data} == {first.data, second.data}


def test_a_verdict_of_the_owner() -> None:
    """A decision that turns out to be against the rules once its cards are open."""
    one = running(None)
    item = says(one, 1)
    through(one, 0, 1, 2)
    one.condemn(Fault(1, "a low card", item))
    assert only(one) == Fault(1, "a low card", item)


def test_bytes_that_are_nobodys_word_change_nothing() -> None:
    one = running(None)
    good = says(one, 1)
    forged = contribution.sign(contract(), IDENTITIES[2], one.place, 1, "say", word(1), one.prev)
    elsewhere = contribution.sign(contract("another"), IDENTITIES[1], one.place, 1, "say", word(1), one.prev)
    for data in (b"", b"\x80", good.data[:-1], good.data + b"\0", forged.data, elsewhere.data):
        with pytest.raises(ProtocolError):
            one.receive(data)
    assert one.got() == ()
    assert one.take() == []
    assert one.receive(good.data) is Arrival.NEW
