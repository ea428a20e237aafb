"""One's own word in a session: said once, adopted after a restart, never contradicted; and the end.

Theory: a seat that comes back from an old backup meets what it has signed in an earlier life. That counts, whenever it
arrives; and where it rests on a history that is not ours, nothing is signed beside it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from protocol.ceremony import Body
from protocol.contribution import Contribution
from protocol.decisions import ASK, Decisions
from protocol.effects import Arrival, Astray, Done, Fault, Fork, Job, Publish, State
from protocol.errors import Misuse, Refused
from protocol.session import Session

from .seats import (
    NOWHERE,
    Say,
    ahead_of,
    attempt,
    effects,
    only,
    running,
    says,
    secrets,
    session,
    through,
    word,
    work,
)

# -- one's own word ----------------------------------------------------------------------------------------------------


def said(found: Sequence[object]) -> list[Contribution]:
    return [effect.contribution for effect in found if isinstance(effect, Publish)]


def test_ones_own_word_of_an_earlier_life_is_adopted() -> None:
    """It arrives while the same is being made: whenever that is done, nothing more is published."""
    one = running()
    (job,) = effects(one, Job)
    own = says(one, 0, {"word": "of an earlier life"})
    assert one.receive(own.data) is Arrival.NEW
    attempt(one, job)
    assert said(work(one)) == []
    through(one, 1, 2)
    assert one.chain[0][0].data == own.data


def test_a_word_that_is_made_when_its_round_is_long_over() -> None:
    """The thread was slow: the round is closed with the adopted word, and the ceremony has moved on."""
    one = session(0)
    one.begin(Say(range(3), range(3)))
    (job,) = effects(one, Job)
    own = says(one, 0, {"word": "of an earlier life"})
    for item in (own, says(one, 1), says(one, 2)):
        one.receive(item.data)
    work(one)
    assert one.place == (0, 1)
    attempt(one, job)
    assert one.state is State.RUNNING
    assert said(work(one)) == []
    assert one.chain[0][0].data == own.data
    with pytest.raises(Misuse):
        one.done(job.id, None)


def test_ones_own_word_comes_early() -> None:
    one, before = running(), running()
    through(before, 1, 2)
    before.begin(Say())
    own = says(before, 0, {"word": "of an earlier life"})
    assert one.receive(own.data) is Arrival.NEW
    through(one, 1, 2)
    one.begin(Say())
    assert one.got() == (0,)
    assert said(work(one)) == []
    through(one, 1, 2)
    assert one.chain[1][0].data == own.data


def test_after_ones_own_early_word_no_other_decision_is_signed() -> None:
    """I have decided here before, nobody knows what; what follows from the seed alone I can say again."""
    one = asking(session(0))
    one.receive(says(((1, 0), NOWHERE), 0).data)
    assert not one.due
    with pytest.raises(Misuse):
        one.decide(word(0))
    assert work(one) == []
    same = running()
    same.receive(says(((1, 0), NOWHERE), 0).data)
    assert [item.body for item in said(work(same))] == [word(0)]


def test_what_came_early_is_told_to_who_asks() -> None:
    """It may be all that is left of what somebody had signed."""
    one = running(1)
    work(one)
    early = ahead_of(one, 2, seat=0)
    one.receive(early.data)
    assert ([item.seat for item in one.since(0)], one.early) == ([1], [early])


def test_ones_own_word_on_another_history_silences() -> None:
    """Signing here as well would be a fork of one's own: rather nothing than that."""
    one = running()
    own = says((one.place, NOWHERE), 0)
    one.receive(own.data)
    assert not one.due
    assert said(work(one)) == []
    assert one.waiting_for() == (0, 1, 2)
    through(one, 1, 2)
    assert one.state is State.RUNNING
    early = session(0)
    early.receive(says(((0, 0), NOWHERE), 0).data)
    early.begin(Say())
    assert said(work(early)) == []
    assert not early.due


def test_what_cannot_be_made_is_a_bug_of_ours() -> None:
    class Broken(Say):
        def make(self, context: object, secrets: object) -> Body:
            raise Misuse("it cannot be done")

    one = session(0)
    one.begin(Broken())
    (job,) = effects(one, Job)
    with pytest.raises(Misuse, match="it cannot be done"):
        attempt(one, job)


def asking(one: Session) -> Session:
    one.begin(Decisions([0, 1], lambda seat, body: "" if body.get("word") == "good" else f"seat {seat} may not"))
    return one


def test_a_decision() -> None:
    one = asking(session(0))
    assert effects(one, Job) == []
    assert one.due
    with pytest.raises(Refused, match="seat 0 may not"):
        one.decide({"word": "bad"})
    assert one.take() == []
    one.decide(word(0))
    assert [item.body for item in said(one.take())] == [word(0)]
    with pytest.raises(Misuse, match="no decision"):
        one.decide(word(0))
    one.receive(says(one, 1, kind=ASK).data)
    (done,) = [effect for effect in work(one) if isinstance(effect, Done)]
    assert isinstance(done.ceremony, Decisions)
    assert done.ceremony.result == {0: word(0), 1: word(1)}


def test_a_decision_of_an_earlier_life_counts() -> None:
    one = asking(session(0))
    one.receive(says(one, 0, kind=ASK).data)
    assert not one.due
    with pytest.raises(Misuse, match="no decision"):
        one.decide(word(0))
    astray = asking(session(0))
    astray.receive(says((astray.place, NOWHERE), 0, kind=ASK).data)
    with pytest.raises(Misuse, match="no decision"):
        astray.decide(word(0))


def test_a_decision_against_the_rules_and_one_that_cannot_be_derived() -> None:
    one = asking(session(0))
    item = says(one, 1, {"word": "bad"}, kind=ASK)
    one.receive(item.data)
    assert only(one) == Fault(1, "seat 1 may not", item)
    with pytest.raises(Misuse, match="cannot be derived"):
        Decisions([0], lambda seat, body: "").make(one._context(0), secrets(0))


def test_a_seat_that_comes_back_is_mute_until_it_may_speak() -> None:
    one = session(0, mute=True)
    one.begin(Say())
    assert not one.due
    assert work(one) == []
    own = says(one, 0, {"word": "of an earlier life"})
    one.receive(own.data)
    work(one)
    one.speak()
    assert said(work(one)) == []
    through(one, 1, 2)
    assert one.chain[0][0].data == own.data
    one.begin(Say())
    assert len(said(work(one))) == 1
    other = session(0, mute=True)
    other.begin(Say())
    work(other)
    other.speak()
    assert [item.seat for item in said(work(other))] == [0]
    asked = asking(session(0, mute=True))
    with pytest.raises(Misuse, match="no decision"):
        asked.decide(word(0))


def test_a_listener_says_nothing() -> None:
    one = asking(session(None))
    assert not one.due
    with pytest.raises(Misuse):
        one.decide(word(0))
    assert work(one) == []


# -- seeds and the end -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [{"word": "good", "by": 2}, {"word": "good", "by": True}, {"word": "good"}])
def test_with_a_seed_every_body_is_made_again(body: Body) -> None:
    """Byte for byte: what Python takes for equal is not enough."""
    one = session(None, seeds={1: secrets(1)})
    one.begin(Say())
    for seat in (0, 2):
        one.receive(says(one, seat, {"word": "whatever"}).data)
    assert not [effect for effect in work(one) if isinstance(effect, Fault)]
    item = says(one, 1, body)
    one.receive(item.data)
    assert only(one) == Fault(1, "a say that does not follow from the revealed seed", item)
    same = session(None, seeds={1: secrets(1)})
    same.begin(Say([1]))
    through(same, 1)
    assert same.state is State.IDLE


def test_after_the_end_everything_is_dropped() -> None:
    one = running()
    jobs = effects(one, Job)
    items = [says(one, seat) for seat in range(3)]
    one.receive(items[1].data)
    one.receive(says(one, 2, {"word": "bad"}).data)
    jobs += effects(one, Job)
    for job in jobs[1:]:
        attempt(one, job)
    assert [type(effect) for effect in one.take()] == [Fault]
    assert one.state is State.ENDED
    for data in (items[0].data, items[1].data, ahead_of(one, 1).data, b"", b"not even a contribution"):
        assert one.receive(data) is Arrival.DROPPED
    late = jobs[0]
    attempt(one, late)
    assert one.take() == []
    assert one.waiting_for() == ()
    assert not one.due
    one.speak()
    assert one.take() == []
    with pytest.raises(Misuse, match="ended"):
        one.begin(Say())
    with pytest.raises(Misuse, match="no step is open"):
        one.decide({})


@pytest.mark.parametrize("seed", range(5))
def test_any_schedule_among_three_sessions(seed: int) -> None:
    """Items and jobs in a random order, with repeats: one chain, and nobody is named."""
    rng = random.Random(seed)
    sessions = [session(seat) for seat in range(3)]
    left = [6] * 3
    letters: list[tuple[int, Job | bytes]] = []
    while True:
        for index, one in enumerate(sessions):
            for effect in one.take():
                if isinstance(effect, Job):
                    letters.append((index, effect))
                elif isinstance(effect, Publish):
                    letters += [(other, effect.contribution.data) for other in range(3) for _ in range(2)]
                assert not isinstance(effect, Fault | Fork | Astray)
            if one.state is State.IDLE and left[index]:
                left[index] -= 1
                one.begin(Say(range(3), [left[index] % 3]))
                letters.append((index, b""))
        if not letters:
            break
        index, letter = letters.pop(rng.randrange(len(letters)))
        if isinstance(letter, Job):
            attempt(sessions[index], letter)
        elif letter:
            sessions[index].receive(letter)
    assert len({one.prev for one in sessions}) == 1
    assert len(sessions[0].chain) == 12
