"""What is asked when nothing is chosen: whom the table waits for, who has gone, who is back."""

from __future__ import annotations

from client.style import ASCII, UNICODE, Appearance
from client.view import TableView
from engines.requests import Flip, Result
from p2p.feed import Changed, Fault, Finished
from p2p.status import Phase, Presence, SeatStatus

from .fakes import FakeFeed, started

LOOK = Appearance(UNICODE, True)


def test_whom_we_wait_for_and_why() -> None:
    feed = started()
    view = TableView(feed, LOOK)
    feed.menu = None
    status = feed.status
    assert feed.run is not None
    status.waiting_for, status.waiting_why = [1, 2], "to open a card"
    assert view.question() == "Waiting for Beto and Caro to open a card …"
    status.seats[2] = SeatStatus(Presence.LOST, 9)
    assert view.question().endswith(
        "(Caro cannot be reached; the game goes on when they are back; abandon: wait no longer)"
    )
    status.seats[2].closed = True
    assert "(Caro has closed the program; the game goes on" in view.question()
    status.seats[1] = SeatStatus(Presence.LOST, 9)
    assert "(Beto and Caro cannot be reached; the game goes on" in view.question()
    status.waiting_for = []
    assert view.question() == "to open a card …"
    status.waiting_why = ""
    assert view.question() == "One moment …"
    feed.run.pending, status.phase = Flip(), Phase.SEALING
    assert view.question() == "The cards are being shuffled and sealed …"
    status.phase = Phase.STOPPED
    assert view.question() == "This table has ended."
    status.result = Result((), (), "rounds")
    assert view.question().endswith("Everything is opened and checked now …")
    status.trouble = "the disk is full"
    assert view.question() == "the disk is full"
    status.fault = "Beto\x1b cheated"
    assert view.question() == "Beto␛ cheated"


def test_the_other_players_are_awaited_when_the_game_asks_them() -> None:
    feed = FakeFeed(seat=1, seed=1)
    feed.begin()
    feed.seat = None  # an onlooker
    view = TableView(feed, LOOK)
    while feed.run is not None and not view.awaited():
        feed.step()
    assert view.question() == "Waiting for Caro to choose …"
    assert view.scene() is not None


def test_nobody_is_awaited_when_all_is_over() -> None:
    feed = FakeFeed()
    feed.begin()
    view = TableView(feed, LOOK)
    feed.status.waiting_for = [1]
    assert view.awaited() == [1]
    view.apply(Fault("Beto has left, and the game is unfinished"))
    assert view.awaited() == []


def test_comings_and_goings() -> None:
    feed = FakeFeed()
    view = TableView(feed, LOOK)
    seats = feed.status.seats

    def news(presence: Presence) -> list[str]:
        seats[1] = SeatStatus(presence)
        return [line.text for line in view.apply(Changed())]

    assert news(Presence.HERE) == []
    assert news(Presence.LOST) == ["Beto cannot be reached"]
    assert news(Presence.LOST) == []
    assert news(Presence.HERE) == ["Beto is back"]
    assert news(Presence.LEFT) == ["Beto has left the table"]
    view.apply(Finished())
    assert news(Presence.LOST) == []


def test_a_program_that_was_closed_is_no_broken_network() -> None:
    feed = FakeFeed()
    view = TableView(feed, LOOK)
    feed.status.seats[1] = SeatStatus(Presence.LOST, closed=True)
    assert [line.text for line in view.apply(Changed())] == ["Beto has closed the program and can come back"]
    feed.status.seats[1] = SeatStatus(Presence.HERE)
    assert [line.text for line in view.apply(Changed())] == ["Beto is back"]


def test_who_goes_home_when_all_is_decided_is_only_told_of_if_they_are_awaited() -> None:
    feed = FakeFeed()
    view = TableView(feed, LOOK)
    feed.status.result = Result((), (), "rounds")
    feed.status.waiting_for = [1]
    feed.status.seats[1:] = [SeatStatus(Presence.LOST, closed=True) for _ in range(2)]
    assert [line.text for line in view.apply(Changed())] == ["Beto has closed the program and can come back"]


def test_who_has_not_come_yet_is_neither_lost_nor_back() -> None:
    feed = FakeFeed()
    view = TableView(feed, LOOK)
    for presence, unmet in ((Presence.HERE, True), (Presence.LOST, True), (Presence.HERE, False)):
        feed.status.seats[1] = SeatStatus(presence, unmet=unmet)
        assert view.apply(Changed()) == []


def test_who_is_heard_through_others_only_is_told_of_in_words() -> None:
    """Once, and again after there has been a link; it is no reason to think that they are away."""
    feed = started()
    view, seats = TableView(feed, LOOK), feed.status.seats
    line = (
        "You have no link with Beto: what they do comes to you through others. "
        "When these leave, you and Beto cannot reach each other."
    )

    def news(presence: Presence, *, unmet: bool = True, relayed: bool = True) -> list[str]:
        seats[1] = SeatStatus(presence, unmet=unmet, relayed=relayed)
        return [one.text for one in view.apply(Changed())]

    assert news(Presence.HERE) == [], "links are still being made"
    assert news(Presence.LOST, relayed=False) == [], "nobody has heard of them yet"
    assert news(Presence.LOST) == [line]
    assert news(Presence.LOST, relayed=False) == []
    assert news(Presence.LOST) == []
    assert news(Presence.HERE, unmet=False, relayed=False) == []
    assert news(Presence.LOST, unmet=False, relayed=False) == ["Beto cannot be reached"]
    assert news(Presence.LOST, unmet=False) == [line]
    view.apply(Finished())
    assert news(Presence.HERE) == news(Presence.LOST) == []


def test_whom_we_wait_for_may_be_heard_through_others() -> None:
    feed = started()
    view = TableView(feed, LOOK)
    feed.menu = None
    feed.status.waiting_for, feed.status.waiting_why = [1, 2], "to open a card"
    feed.status.seats[1] = SeatStatus(Presence.LOST, unmet=True, relayed=True)
    assert view.question().endswith("to open a card … (heard through others: Beto)")
    feed.status.seats[2] = SeatStatus(Presence.LOST, 9)
    assert view.question().endswith(
        "(Caro cannot be reached; the game goes on when they are back; abandon: wait no longer)"
    )
    assert view.lost() == "Beto and Caro", "who seems to be there may have gone behind others"


def test_who_has_gone_for_good_is_not_said_to_come_back() -> None:
    feed = started(players=3)
    view = TableView(feed, LOOK)
    feed.menu, feed.status.waiting_for = None, [2]
    feed.status.seats[2] = SeatStatus(Presence.LOST, 9, closed=True, gone=True)
    assert [line.text for line in view.apply(Changed())] == [
        "Caro has gone for good; abandon ends the game, if all others agree"
    ]
    assert view.question() == (
        "Waiting for Caro to choose … (Caro: gone for good; abandon ends the game, if all others agree)"
    )


def test_what_ones_own_seat_owes_is_said_in_a_whole_sentence() -> None:
    feed = started()
    feed.menu, feed.status.waiting_for, feed.status.waiting_why = None, [feed.seat or 0], "to open a card"
    assert TableView(feed, LOOK).question() == "One moment, your seat has to open a card …"


def test_names_that_look_alike_are_told_apart() -> None:
    feed = started(players=3)
    feed.names = ["Ána", " Ana", "Ana  "]
    assert TableView(feed, LOOK).names() == ["Ána", "Ana", "Ana (2)"]
    assert TableView(feed, Appearance(ASCII, False)).names() == ["?na", "Ana", "Ana (2)"]
