"""What one seat's screen or plain mode shows, kept up to date from the feed's updates; no layout, no input.

For: both ways of showing a table, so that they say the same. Never: prompt_toolkit, IO, a raw name or chat line: all
that comes from peers passes the gate here.

Theory of operation: `apply` turns an update into log lines and returns the new ones. Everything else is computed from
the feed when it is asked for. The presenter lives as long as the menu it was made for.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from engines import registry
from engines.menus import Menu, Seat
from engines.requests import Ask
from p2p.feed import Asked, Changed, Chat, Fault, Finished, TableFeed, Told, Update
from p2p.status import Phase, Presence

from .habits import Habits
from .lapse import Lapse
from .presenter import Presenter
from .render.base import Renderer, Scene, renderer
from .style import Appearance, Glyphs
from .text import clean, clean_name, clean_names
from .when import span

MOST_LINES = 2000
"""Of the log and of the chat; a peer can write lines without end."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log. `style`: event, chat, fault, note."""

    style: str
    text: str


class TableView:
    """One table as one seat sees it."""

    def __init__(
        self,
        feed: TableFeed,
        look: Appearance,
        now: Callable[[], float] = time.monotonic,
        habits: Habits | None = None,
    ) -> None:
        self.feed = feed
        self.lapse = Lapse(feed, now)
        self.habits = habits or Habits()
        self._now = now
        self._turn: object = None
        self._since = now()
        self.look = look
        self.log: deque[Line] = deque(maxlen=MOST_LINES)
        self.chat: deque[Line] = deque(maxlen=MOST_LINES)
        self.unread = 0
        self.finished = False
        self._presence: list[Presence] = []
        self._through: set[Seat] = set()
        self._noted = 0
        self._presenter: tuple[Menu, Presenter] | None = None

    # -- names and words -------------------------------------------------------------------------------------------

    @property
    def glyphs(self) -> Glyphs:
        """The set of signs."""
        return self.look.glyphs

    @property
    def words(self) -> Renderer:
        """The game's render module."""
        return renderer(self.feed.status.game)

    @property
    def title(self) -> str:
        """The game's name."""
        try:
            return self.glyphs.speak(registry.title(self.feed.status.game))
        except registry.BadTable:
            return self.glyphs.speak(clean_name(self.feed.status.game))

    @property
    def table_name(self) -> str:
        """The table's name."""
        return self.glyphs.speak(clean_name(self.feed.status.table))

    def names(self) -> list[str]:
        """Every seat's name, harmless."""
        return clean_names(self.feed.names, self.glyphs.speak)

    def name(self, seat: Seat) -> str:
        """One seat's name, whatever a peer made of it."""
        names = self.names() or clean_names(self.feed.status.taken, self.glyphs.speak)
        return names[seat] if 0 <= seat < len(names) else "?"

    # -- updates ---------------------------------------------------------------------------------------------------

    def apply(self, update: Update) -> list[Line]:
        """Take an update in; the new lines of the log."""
        new: list[Line] = []
        self.lapse.look()
        turn = (self.awaited(), self.feed.run.requests if self.feed.run is not None else -1)
        if turn != self._turn:
            self._turn, self._since = turn, self._now()
        if isinstance(update, Told):
            text = self.words.describe(update.event, self.names())
            new += [Line("event", self.glyphs.speak(text))] if text else []
        elif isinstance(update, Chat):
            line = Line("chat", self.glyphs.speak(f"{self.name(update.seat)}: {clean(update.text)}"))
            self.chat.append(line)
            self.unread += self.feed.run is not None and update.seat != self.feed.seat
            new.append(line)
        elif isinstance(update, Fault):
            self.finished = True
            new.append(Line("fault", self.glyphs.speak(clean(update.text))))
        elif isinstance(update, Finished):
            self.finished = True
            if self.feed.status.transcript:
                new.append(Line("note", "The sealed record is complete, the whole game checked."))
        elif isinstance(update, Asked | Changed):
            new += self._notes() + self._comings_and_goings()
        self.log.extend(new)
        return new

    def _notes(self) -> list[Line]:
        """What there is to know since the last look."""
        notes = self.feed.status.notes[self._noted :]
        self._noted += len(notes)
        return [Line("note", self.glyphs.speak(clean(note))) for note in notes]

    def _comings_and_goings(self) -> list[Line]:
        """Who has been lost, has come back or has left since the last look. The other news are in the attributes."""
        # Who has not come yet cannot be lost, or be back.
        status, seats = self.feed.status, self.feed.status.seats
        now = [Presence.HERE if one.unmet and one.presence is Presence.LOST else one.presence for one in seats]
        before, self._presence = self._presence, now
        lines: list[Line] = []
        for seat, presence in enumerate(now):
            lines += self._relayed(seat)
            was = before[seat] if seat < len(before) else Presence.HERE
            # When all is over everybody goes home.
            if presence is was or Presence.YOU in (presence, was) or self.finished:
                continue
            words = {Presence.LOST: "cannot be reached", Presence.LEFT: "has left the table", Presence.HERE: "is back"}
            closed = presence is Presence.LOST and seats[seat].closed
            if closed and status.result is not None and seat not in status.waiting_for:
                continue  # theirs is complete already
            said = "has closed the program and can come back" if closed else words[presence]
            if presence is Presence.LOST and seats[seat].gone:
                said = "has gone for good; abandon ends the game, if all others agree"
            lines.append(Line("note", f"{self.name(seat)} {said}"))
        return lines

    def _relayed(self, seat: Seat) -> list[Line]:
        """That a seat is heard through others only, if that has not been said."""
        one, name = self.feed.status.seats[seat], self.name(seat)
        if one.presence is not Presence.LOST:
            self._through.discard(seat)
        elif one.relayed and seat not in self._through and not self.finished:
            self._through.add(seat)
            first = f"You have no link with {name}: what they do comes to you through others."
            return [Line("note", f"{first} When these leave, you and {name} cannot reach each other.")]
        return []

    # -- the table -------------------------------------------------------------------------------------------------

    @property
    def mute(self) -> str:
        """Why nobody would hear what is said now, or ""."""
        if self.finished:
            return "The table is closed: nobody hears you any more."
        seated = self.feed.run is not None or self.feed.status.players
        return "" if seated else "Nobody hears you yet: there is no table."

    @property
    def presenter(self) -> Presenter | None:
        """For the menu that waits for this seat, if one does."""
        menu = self.feed.menu
        if menu is None or self.feed.run is None:
            self._presenter = None
            return None
        if self._presenter is None or self._presenter[0] is not menu:
            self._presenter = (menu, Presenter(menu, self._scene(), self.words))
        return self._presenter[1]

    def _scene(self) -> Scene:
        run = self.feed.run
        if run is None:
            raise RuntimeError("there is no game yet")
        return Scene(run.game.table, self.feed.seat, run.look(self.feed.seat), self.names(), self.glyphs)

    def scene(self) -> Scene | None:
        """What is on the table, with what can be picked now; None while players are missing."""
        if self.feed.run is None:
            return None
        presenter = self.presenter
        return replace(self._scene(), marks=presenter.marks if presenter else {})

    def awaited(self) -> list[Seat]:
        """The seats that the table waits for; where one leads, that one first and alone."""
        found = self._awaited()
        pending = self.feed.run.pending if self.feed.run is not None else None
        lead = pending.lead if isinstance(pending, Ask) else None
        return [lead] if lead is not None and lead in found else found

    @property
    def my_turn(self) -> bool:
        """Something is asked that nobody else and no clock answers."""
        return self.feed.menu is not None and self.lapse.menu is None

    def waited(self) -> str:
        """How long the seats that are awaited have been, if that is to be shown."""
        return span(self._now() - self._since) if self.habits.clock and self.awaited() else ""

    def _awaited(self) -> list[Seat]:
        status, run = self.feed.status, self.feed.run
        if self.finished:  # whoever was awaited then is no more
            return []
        if run is None or status.result is not None:
            return list(status.waiting_for)
        if status.waiting_for:
            return list(status.waiting_for)
        if not isinstance(run.pending, Ask):
            return []
        return [seat for seat in sorted(run.pending.menus) if seat != self.feed.seat or self.feed.menu is not None]

    def question(self) -> str:
        """The one line that tells what now: what is asked, or whom we wait for and why, or how it ended."""
        return self.glyphs.speak(self._question())

    def _question(self) -> str:
        status, run = self.feed.status, self.feed.run
        if status.fault:
            return clean(status.fault)
        if status.trouble:
            return clean(status.trouble)
        if status.result is not None:
            end = self.words.result_text(status.result, self.names())
            asked = run is not None and isinstance(run.pending, Ask)
            doing = "The others are asked now" if asked else "Everything is opened and checked now"
            return end if self.finished else f"{end} {doing} …"
        if status.phase is Phase.STOPPED:
            return "This table has ended."
        presenter = self.presenter
        if presenter is not None:
            return presenter.question
        others = [seat for seat in self.awaited() if seat != self.feed.seat]
        if others:
            why = f" {clean(status.waiting_why)}" if status.waiting_why else " to choose" if run is not None else ""
            return f"Waiting for {self._listing(others)}{why} …{self._lost(others)}"
        if status.waiting_why:
            owed = status.waiting_for == [self.feed.seat] and self.feed.run is not None
            return f"{'One moment, your seat has ' if owed else ''}{clean(status.waiting_why)} …"
        return "The cards are being shuffled and sealed …" if status.phase is Phase.SEALING else "One moment …"

    def _listing(self, seats: list[Seat]) -> str:
        names = [self.name(seat) for seat in seats]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def lost(self) -> str:
        """Whoever cannot be reached at a table that has begun and has not ended, by name; "" if nobody."""
        seats = [seat for seat, one in enumerate(self.feed.status.seats) if one.presence is Presence.LOST]
        return self._listing(seats) if seats and self.feed.names and not self.finished else ""

    def _lost(self, seats: list[Seat]) -> str:
        """What to say of awaited seats that are gone."""
        gone = [s for s in seats if s < len(self.feed.status.seats)]
        gone = [s for s in gone if self.feed.status.seats[s].presence is Presence.LOST]
        through = [s for s in gone if self.feed.status.seats[s].relayed]
        gone = [s for s in gone if s not in through]
        if not gone:
            return f" (heard through others: {self._listing(through)})" if through else ""
        closed = len(gone) == 1 and self.feed.status.seats[gone[0]].closed
        state = "has closed the program" if closed else "cannot be reached"
        if all(self.feed.status.seats[seat].gone for seat in gone):
            return f" ({self._listing(gone)}: gone for good; abandon ends the game, if all others agree)"
        return f" ({self._listing(gone)} {state}; the game goes on when they are back; abandon: wait no longer)"
