"""Bodies made ahead, from what is still being checked: they wait for the verdict, and the chain is the same without.

Theory: `Turns` is said by one seat a round, and each may be made ahead; like a shuffle, without cards.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from protocol.ceremony import Body, Context, Salted
from protocol.contribution import Contribution, next_hash
from protocol.effects import Chained, Fault, Job, Publish, State
from protocol.errors import Misuse, Refused
from protocol.secrets import Secrets
from protocol.session import Session

from .seats import Say, attempt, effects, says, session, work


class Turns(Say, Salted):
    """One seat after the other says a word, and counts how often it was made."""

    def __init__(self) -> None:
        super().__init__([0], [1], [2])
        self.made = 0
        self.foreseen = 0

    def make(self, context: Context, secrets: Secrets) -> Body:
        self.made += 1
        return super().make(context, secrets)

    def again(self, context: Context, secrets: Secrets, body: Body) -> Body:
        return self.make(context, secrets)

    def foresee(self, context: Context, secrets: Secrets, bodies: Mapping[int, Body]) -> Body:
        self.foreseen += 1
        (body,) = bodies.values()
        if body.get("word") == "silly":
            raise Misuse("no number of cards can be made of that")
        if body.get("word") == "bad":
            raise Refused("that is not to be said")
        return {"word": "good", "by": context.seat}


def waiting(seat: int = 1, mute: bool = False) -> tuple[Session, Turns]:
    """A seat that waits for its turn."""
    one, turns = session(seat, mute=mute), Turns()
    one.begin(turns)
    assert not one.take()
    return one, turns


def jobs(one: Session) -> list[Job]:
    return effects(one, Job)


def published(one: Session) -> list[Contribution]:
    return [effect.contribution for effect in effects(one, Publish)]


def test_what_can_be_made_ahead_is_told_apart() -> None:
    assert isinstance(Turns(), Salted)
    assert not isinstance(Say(), Salted)


def test_it_is_made_beside_the_check_and_sent_after_it() -> None:
    one, turns = waiting()
    start = one.prev
    one.receive(says(one, 0).data)
    check, ahead = jobs(one)
    attempt(one, ahead)
    assert not one.take()
    assert one.waiting_for() == ()
    attempt(one, check)
    after = next_hash(start, one.chain[0])
    (mine,) = published(one)
    assert (mine.place, mine.seat, mine.body, mine.prev) == ((0, 1), 1, {"word": "good", "by": 1}, after)
    assert (turns.made, turns.foreseen) == (0, 1)


def test_a_verdict_before_it_is_made_waits_for_it() -> None:
    one, turns = waiting()
    one.receive(says(one, 0).data)
    check, ahead = jobs(one)
    attempt(one, check)
    assert [type(effect) for effect in one.take()] == [Chained]
    attempt(one, ahead)
    assert len(published(one)) == 1
    assert (turns.made, turns.foreseen) == (0, 1)


@pytest.mark.parametrize("first", ["check", "ahead"])
def test_what_rests_on_a_bad_body_is_never_sent(first: str) -> None:
    one, turns = waiting()
    one.receive(says(one, 0, {"word": "bad", "by": 0}).data)
    check, ahead = jobs(one)
    for job in (check, ahead) if first == "check" else (ahead, check):
        attempt(one, job)
    found = work(one)
    assert [type(effect) for effect in found] == [Fault]
    assert one.state is State.ENDED
    assert turns.made == 0


@pytest.mark.parametrize("first", ["check", "ahead"])
def test_what_cannot_be_made_ahead_is_made_in_its_time(first: str) -> None:
    one, turns = waiting()
    one.receive(says(one, 0, {"word": "silly", "by": 0}).data)
    check, ahead = jobs(one)
    for job in (check, ahead) if first == "check" else (ahead, check):
        attempt(one, job)
    assert [effect.contribution.seat for effect in work(one) if isinstance(effect, Publish)] == [1]
    assert (turns.made, turns.foreseen) == (1, 1)


def test_only_the_next_in_turn_makes_ahead_and_only_if_it_may_speak() -> None:
    for seat, mute in ((2, False), (1, True)):
        one, turns = waiting(seat, mute)
        one.receive(says(one, 0).data)
        assert len(jobs(one)) == 1
        assert turns.foreseen == 0


def test_what_i_have_signed_already_counts_and_not_what_is_made_ahead() -> None:
    """A copy of mine, from before a restart with an old backup, arrives in between."""
    one, _ = waiting()
    there, _ = waiting()
    first = says(one, 0)
    there.receive(first.data)
    work(there)
    mine = there.since(0)[-1]
    one.receive(first.data)
    check, ahead = jobs(one)
    attempt(one, check)
    one.receive(mine.data)
    attempt(one, ahead)
    assert not [effect for effect in work(one) if isinstance(effect, Publish)]
    assert one.since(0)[-1].data == mine.data


def test_with_and_without_the_chain_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with_it, turns = waiting()
    with_it.receive(says(with_it, 0).data)
    work(with_it)
    monkeypatch.setattr(Session, "_foresee", lambda *_: None)
    without, plain = waiting()
    without.receive(says(without, 0).data)
    work(without)
    assert with_it.prev == without.prev
    assert (turns.made, plain.made) == (0, 1)
