"""How a hand and a game of Amnesia end: the call, the last chance, the points, the losers and their forfeits.

For: the rules in amnesia.py. Never: a lasting record of who did not do the forfeit; that is kept by the peers, by
identity.
"""

from __future__ import annotations

from .amnesia_reactions import Reactions
from .amnesia_table import (
    DECK,
    FORFEIT,
    LAST_CHANCE,
    MOST_HANDLES,
    REVEAL,
    TURN_HANDLES,
    called_points,
    worth,
)
from .menus import Act, Seat
from .requests import Result, Script, menu, reveal, tell


class Ending(Reactions):
    """From the call on."""

    # -- the end of a hand -----------------------------------------------------------------------------------------

    def calling(self) -> Act:
        """Once a hand somebody says "Amnesia"; after that it is improper (ruling 11)."""
        called = self.table.caller is not None
        return Act("call", improper=called, why_not=self.table.no_fine() if called else "")

    def call(self, seat: Seat) -> Script[None]:
        """The others have one more turn each."""
        self.table.caller = seat
        yield from tell("called", seat=seat)

    def last_chance(self) -> Script[None]:
        """Once more everybody can snap before the cards are revealed (ruling 8)."""
        menus = {seat: self.bystander(seat) for seat in range(self.seats)}
        answers = yield from self.everybody(LAST_CHANCE, menus)
        yield from self.settle(menus, answers)

    def score(self) -> Script[None]:
        """All players' cards are opened and counted (ruling 12)."""
        t = self.table
        t.phase, t.lead, t.owed = REVEAL, None, None
        yield from self.turn_down()
        yield from reveal([card for seat in range(self.seats) for card in t.own(seat)])
        t.revealed = tuple(tuple(self.face(card) for card in t.own(seat)) for seat in range(self.seats))
        sums = [sum(map(worth, faces)) for faces in t.revealed]
        points = tuple(called_points(sums[seat]) if seat == t.caller else sums[seat] for seat in range(self.seats))
        t.points.append(points)
        t.totals = [total + more for total, more in zip(t.totals, points, strict=True)]
        for seat in self.order(t.dealer):
            yield from tell("revealed", seat=seat, faces=t.revealed[seat], sum=sums[seat])
        yield from tell("scored", hand=t.hand, caller=t.caller, points=points, totals=tuple(t.totals))
        self.test_limit()

    # -- the end of the game ---------------------------------------------------------------------------------------

    def test_limit(self) -> None:
        """All above the limit lose, the lowest total wins; even so if it is above the limit itself (ruling 12)."""
        t = self.table
        t.losers = tuple(seat for seat in range(self.seats) if t.totals[seat] > t.limit)
        worn = t.made + len(DECK) > MOST_HANDLES - TURN_HANDLES
        if t.losers or worn:
            winners = tuple(seat for seat in range(self.seats) if t.totals[seat] == min(t.totals))
            t.result = Result(winners, tuple(t.totals), f"above {t.limit}" if t.losers else "worn")

    @property
    def banned_after(self) -> tuple[Seat, ...]:
        """Who did not do the forfeit (ruling 13)."""
        return self.table.unfulfilled

    def judge(self, loser: Seat) -> Script[None]:
        """The others say whether the forfeit was done; more than half of them have to say no (ruling 13)."""
        t = self.table
        t.judged = loser
        question = menu(Act("fulfilled"), Act("unfulfilled"), lapse=("fulfilled",))
        others = [seat for seat in range(self.seats) if seat != loser]
        answers = yield from self.everybody(FORFEIT, dict.fromkeys(others, question))
        against = tuple(seat for seat in others if answers[seat].verb == "unfulfilled")
        failed = 2 * len(against) > len(others)
        if failed:
            t.unfulfilled += (loser,)
        t.judged = None
        yield from tell("judged", seat=loser, against=against, fulfilled=not failed)
