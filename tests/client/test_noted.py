"""A reaction that waits for the others is shown, and who could only pass is not asked."""

from __future__ import annotations

from client.desk import Desk
from engines.menus import Choice
from p2p.feed import Changed

from .fakes import FakeFeed
from .test_lapse import bystander, desk_of


def waiting(*typed: str) -> tuple[Desk, FakeFeed]:
    """A bystander who has typed that, while the one whose turn it is thinks."""
    feed = bystander()
    feed.decided = {}

    def choose(choice: Choice) -> None:
        feed.menu = None
        feed.chosen.append(choice)

    feed.choose = choose  # type: ignore[method-assign]  # to see what is chosen
    desk, _ = desk_of(feed)
    for line in typed:
        desk.submit(line)
    assert feed.menu is None
    desk.view.apply(Changed())
    return desk, feed


def test_a_reaction_is_noted_until_it_is_carried_out() -> None:
    desk, feed = waiting("snap 1 done")
    assert desk.prompt().question.startswith("Waiting for ")
    assert " … Noted: snap a" in desk.prompt().question
    assert feed.run is not None
    del feed.run.pending.menus[0]  # type: ignore[union-attr]  # the game has gone on
    assert "Noted" not in desk.prompt().question


def test_to_pass_is_nothing_to_be_noted() -> None:
    assert "Noted" not in waiting("")[0].prompt().question


def test_who_could_only_pass_is_not_asked() -> None:
    feed = bystander(snapping=False)
    feed.decided = {}
    desk, _ = desk_of(feed)
    assert desk.prompt().question.endswith((" is about to draw.", " holds a card."))
    assert not desk.prompt().items
    assert not desk.prompt().timer
    desk.submit("draw")
    assert [item.label for item in desk.prompt().items] == ["yes", "no"]
