"""When a seat passes by itself: the others' turn goes on, and there was time to react.

For: games that ask everybody at once while one seat leads (see `Ask.lead`). Never: a choice that a person should make;
the menu's own lapse is all that is ever chosen here.

Theory of operation: a bystander passes when the lead's choice is in and the table's reaction time has run out since the
last thing that there was to react to. A table may say more: `reaction` is that time in seconds, `clock` goes up with
each new thing, `can_react(seat)` is False if there is nothing to wait for, `passes_alone(seat)` is False if the seat is
to be waited for. A player who has begun to react has the time once more.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.menus import Menu
from engines.requests import Ask
from p2p.feed import TableFeed
from p2p.status import Presence


class Lapse:
    """One seat's. `now`: a monotonic clock."""

    def __init__(self, feed: TableFeed, now: Callable[[], float]) -> None:
        self._feed = feed
        self._now = now
        self._seen: object = None
        self._since = now()

    @property
    def menu(self) -> Menu | None:
        """The menu that passes by itself, if one is open."""
        feed, run = self._feed, self._feed.run
        if run is None or feed.menu is None or feed.seat is None or not isinstance(run.pending, Ask):
            return None
        lead = run.pending.lead
        alone = getattr(run.game.table, "passes_alone", None)
        passes = alone(feed.seat) if alone is not None else lead is not None
        return feed.menu if passes and lead != feed.seat else None

    @property
    def idle(self) -> bool:
        """All that is offered there is to pass. What is improper is never offered; it can be done even so."""
        menu = self.menu
        offered = [act for act in menu.acts if not (act.improper or act.why_not)] if menu is not None else []
        return menu is not None and offered == [menu.acts[menu.lapse.act]]

    @property
    def clock(self) -> object:
        """Another one with each new thing to react to; always None where the table keeps no such count."""
        run = self._feed.run
        return getattr(run.game.table, "clock", None) if run is not None else None

    def look(self) -> None:
        """Something may have happened: is there something new to react to?"""
        if self.clock != self._seen:
            self._seen, self._since = self.clock, self._now()

    @property
    def lead_is_in(self) -> bool:
        """The one whom the others wait for has chosen, or nobody leads."""
        feed, run = self._feed, self._feed.run
        lead = run.pending.lead if run is not None and isinstance(run.pending, Ask) else None
        seats = feed.status.seats
        gone = lead is not None and lead < len(seats) and seats[lead].presence is Presence.LEFT
        return lead is None or gone or lead in feed.decided

    def left(self, *, begun: bool = False) -> float:
        """Seconds of the reaction time that are left, at least 0. `begun`: the player is about to react."""
        run, seat = self._feed.run, self._feed.seat
        table = run.game.table if run is not None else None
        can_react = getattr(table, "can_react", None)
        if can_react is not None and not can_react(seat) and not begun:
            return 0.0
        seconds = float(getattr(table, "reaction", 0)) * (2 if begun else 1)
        return max(0.0, self._since + seconds - self._now())

    def due(self, *, begun: bool = False) -> Menu | None:
        """The menu that is to be answered with its lapse now."""
        menu = self.menu
        return menu if menu is not None and self.lead_is_in and not self.left(begun=begun) else None

    def words(self, *, begun: bool = False) -> str:
        """What will happen by itself, and when; empty if nothing will. `begun`: Enter goes to what has been begun."""
        if self.menu is None:
            return ""
        left = self.left(begun=begun)
        if self.lead_is_in and not left:
            return "you pass"
        if self.idle and not begun:
            return "there is nothing to react to; you pass automatically"
        when = f"in {int(left) + 1} s" if self.lead_is_in else "after that"
        return f"you pass automatically {when}{'' if begun else '; Enter: at once'}"
