"""How far each peer is: what is sent to whom, and when a seat that has come back may speak."""

from __future__ import annotations

from typing import Any, cast

import pytest

from p2p.link import Link
from p2p.mesh import Mesh
from p2p.parting import Parting
from p2p.progress import BACK, CLAIM, Progress
from protocol import messages
from protocol.contribution import sign
from protocol.effects import Job

from .ring import Ring


class Wires:
    """The mesh of seat 0; its links are the numbers of the others."""

    def __init__(self) -> None:
        self.seat = 0
        self.sent: list[tuple[Link, dict[str, Any]]] = []

    def seat_of(self, link: Link) -> int:
        return cast(int, link)

    def send(self, link: Link, message: dict[str, Any]) -> None:
        self.sent.append((link, message))


def to(seat: int) -> Link:
    return cast(Link, seat)


def table(*, returning: bool = False, rounds: int = 0) -> tuple[Ring, Wires, Progress]:
    """Seat 0 of three, as it is some way into a game; perhaps back after a crash, and then with all that it had."""
    ring = Ring("maamut", 3, seed=12, fifo=True)
    for seat in range(3):
        ring.pump(seat)
    while len(ring.tables[0].session.chain) < rounds:
        assert ring.step()
    if returning:
        items = ring.tables[0].session.since(0)
        ring.tables[0] = ring._table(0)
        ring.tables[0].session.mute = True
        for item in items:
            ring.tables[0].receive(item.data)
            for effect in ring.tables[0].take():
                if isinstance(effect, Job):
                    ring.tables[0].done(effect.id, None)
    mesh = Wires()
    parting = Parting(ring.tables[0], ring.identities[0], list, lambda _: None)
    progress = Progress(ring.tables[0], cast(Mesh, mesh), parting, set(), {1, 2} if returning else set())
    progress.clock = lambda: 0.0
    return ring, mesh, progress


def have(progress: Progress, **changes: Any) -> dict[str, Any]:
    return {**progress.mine(), **changes}


def test_a_seat_that_is_back_speaks_when_all_others_have_told_how_far_they_are() -> None:
    ring, _, progress = table(returning=True, rounds=6)
    session = ring.tables[0].session
    progress.compare(to(1), have(progress))
    assert session.mute
    progress.compare(to(2), have(progress, rounds=len(session.chain) + 1))
    assert session.mute, "that seat has more, perhaps of ours"
    progress.compare(to(2), have(progress, got=[0, 1, 2]))
    assert session.mute, "so has this one"
    progress.compare(to(2), have(progress))
    assert not session.mute


@pytest.mark.parametrize("order", [[1, 2], [2, 1]])
def test_nobody_waits_for_what_a_seat_may_tell_that_has_left(order: list[int]) -> None:
    ring, _, progress = table(returning=True, rounds=6)
    for seat in order:
        assert ring.tables[0].session.mute
        if seat == 1:
            progress.compare(to(1), have(progress))
        else:
            progress.departed(2)
    assert not ring.tables[0].session.mute


def test_who_has_less_is_sent_what_is_missing_and_no_more() -> None:
    ring, mesh, progress = table(rounds=6)
    session = ring.tables[0].session
    progress.compare(to(1), have(progress, rounds=4, prev=bytes(32), got=[]))
    sent = [message["data"] for link, message in mesh.sent if message["t"] == "item" and link == to(1)]
    assert sent == [item.data for item in session.since(4)]
    mesh.sent.clear()
    progress.compare(to(1), have(progress))
    assert not mesh.sent


def test_who_does_not_send_what_it_says_it_has_is_not_waited_for() -> None:
    for lie in ({"rounds": 10**6}, {"got": [0, 1, 2]}):
        ring, _, progress = table(rounds=6, returning=True)
        session = ring.tables[0].session
        progress.compare(to(1), have(progress))
        progress.compare(to(2), have(progress, **lie))
        progress.clock = lambda: CLAIM - 1.0
        progress.compare(to(2), have(progress, **lie))
        assert session.mute
        progress.clock = lambda: CLAIM
        progress.compare(to(2), have(progress, **lie))
        assert not session.mute


def test_of_what_came_early_everybody_is_told_their_own() -> None:
    ring, mesh, progress = table(rounds=6)
    session = ring.tables[0].session
    early = sign(ring.contract, ring.identities[2], (session.place[0] + 1, 0), 2, "say", {}, bytes(32))
    ring.tables[0].receive(early.data)
    for seat in (1, 2):
        progress.compare(to(seat), have(progress))
    assert [(link, message["data"]) for link, message in mesh.sent] == [(to(2), early.data)]


def test_what_is_not_on_our_disk_is_sent_to_nobody() -> None:
    ring, mesh, _ = table(rounds=6)
    session = ring.tables[0].session
    unsent = {session.since(5)[0].data}
    parting = Parting(ring.tables[0], ring.identities[0], list, lambda _: None)
    progress = Progress(ring.tables[0], cast(Mesh, mesh), parting, unsent, set())
    progress.send_since(to(1), 5)
    assert [message["data"] for _, message in mesh.sent] == [item.data for item in session.since(5)[1:]]


def test_other_histories_are_asked_for_ever_further_back() -> None:
    _, mesh, progress = table(rounds=BACK + 4)
    rounds = progress.mine()["rounds"]
    for times in (1, 2, 3):
        progress.compare(to(2), have(progress, prev=bytes(32)))
        wanted = messages.make("want", rounds=max(0, rounds - BACK * times))
        assert mesh.sent[-1] == (to(2), wanted)


def test_a_leave_has_reached_whoever_is_as_far_as_the_round_with_it() -> None:
    """And who says so is not forgotten when the others go on."""
    ring, _, progress = table(rounds=20)
    ring.tables[0].leave()
    ring.pump(0)
    while 0 not in ring.tables[0].deck.left:
        assert ring.step()
    progress.departed(0)
    rounds = progress.mine()["rounds"]
    progress.compare(to(1), have(progress, rounds=rounds - 1, got=[1]))
    progress.compare(to(1), have(progress, prev=bytes(32)))
    assert not progress.have_mine
    progress.compare(to(1), have(progress))
    progress.chained()
    assert progress.have_mine == {1}
    progress.compare(to(2), have(progress, rounds=rounds + 5))
    assert progress.have_mine == {1, 2}
