"""One player at a table: what is asked now, and what a typed line, a click or Esc does. The same for both modes.

For: the full screen and the plain mode. Never: prompt_toolkit, trio, output; what the player decides leaves through
`send`, as a call that the trio side makes.

Theory of operation: a line is a command, or else the answer to what is asked: the game's menu, or whether to leave, or
to close a finished table. A menu is answered once: from then on, until the table asks again, nothing can be chosen. A
page that is opened stays in `page`, and whoever shows it closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial

from engines.menus import Choice, Menu
from engines.requests import Ask

from .commands import parse
from .items import Item
from .presenter import Presenter, Reply
from .text import clean
from .view import TableView

Send = Callable[[Callable[[], None]], None]
_DIGITS = 9
_YES, _NO = Item(1, "yes", True), Item(2, "no", False)
_CLOSE = Item(1, "close", True)
_AGAIN = Item(2, "again with the same players", True)
_TOLD = "the others are told; the table ends when all who are here want that"
_UNTIL_LEFT = "Taking leave, at your next turn at the latest … (Ctrl-C: do not wait)"
_UNTIL_CLOSED = "Leaving as soon as the record is closed … (Ctrl-C: do not wait; the record stays unfinished then)"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked now. `note`: an answer to the last input, as long as it matters; `typed`: the unfinished line."""

    question: str
    items: Sequence[Item] = ()
    note: str = ""
    typed: str = ""
    timer: str = ""
    """What happens by itself if nothing is chosen, and when."""
    back: bool = False
    """Whether one can go a step back."""

    @property
    def asked(self) -> str:
        """The question with that."""
        return f"{self.question} ({self.timer})" if self.timer else self.question


class Desk:
    """One player. `send` takes a call for the trio side; `quit` closes what is shown."""

    def __init__(self, view: TableView, send: Send, quit_: Callable[[], None]) -> None:
        self.view = view
        self.page = ""
        self.note = ""
        self.left = False
        """The player has left; the table is being told."""
        self.again = False
        """The player wants to play again with the same people."""
        self._send = send
        self._quit = quit_
        self._confirm = ""
        self._answered: Menu | None = None
        self._reaction = ""
        """What the answer to that was, if others lead there and it was more than to pass."""

    @property
    def presenter(self) -> Presenter | None:
        """For the menu that this player has not answered yet."""
        if self.view.finished or self.left or self.view.feed.menu is self._answered:
            return None
        return self.view.presenter

    @property
    def presenter_begun(self) -> bool:
        """A choice has been begun and not completed."""
        return self.presenter is not None and self.presenter.can_go_back

    @property
    def waiting(self) -> bool:
        """Players are missing and nothing else is asked."""
        return self.view.feed.run is None and not (self._confirm or self.left or self.view.finished)

    @property
    def about_to_go(self) -> str:
        """The question whether to leave the waiting room, while it is asked, with its answers."""
        if self.view.feed.run is not None or self._confirm != "leave" or self.left or self.view.finished:
            return ""
        return f"{self._leave_question()}  {_YES.number} {_YES.label}  {_NO.number} {_NO.label}"

    @property
    def offers_again(self) -> bool:
        """The table has ended as one that could be played again."""
        status = self.view.feed.status
        return self.view.finished and self.view.feed.run is not None and not (status.broken or self.left)

    @property
    def _confirms(self) -> str:
        """What is asked back, unless the table has ended meanwhile."""
        return "" if self.view.finished else self._confirm

    @property
    def _closing(self) -> bool:
        """The game has ended, and its record is still being closed."""
        status = self.view.feed.status
        ended = status.result is not None or bool(status.fault)
        return ended and self.view.feed.run is not None and not self.view.finished

    def prompt(self, typed: str = "") -> Prompt:
        """What is asked now."""
        if self._confirms:
            question = self._leave_question() if self._confirm == "leave" else self._abandon_question()
            return Prompt(question, (_YES, _NO), self.note, typed, back=True)
        if self.left and not self.view.finished:
            return Prompt(_UNTIL_CLOSED if self._closing else _UNTIL_LEFT)
        if self.view.finished:
            items = (_CLOSE, _AGAIN) if self.offers_again else (_CLOSE,)
            return Prompt(self.view.question(), items, "" if self.note == _TOLD else self.note, typed)
        presenter = self.presenter
        if presenter is not None and self.view.lapse.idle and not presenter.can_go_back:
            return Prompt(self.view.question(), (), self.note, typed)  # who could only pass is not asked
        if presenter is not None:
            timer = self.view.lapse.words(begun=presenter.can_go_back or bool(typed))
            return Prompt(presenter.question, presenter.items, self.note, typed, timer, presenter.can_go_back)
        waiting = self.view.question() if self.view.feed.menu is None else "…"
        return Prompt(waiting + self._noted, (), self.note)

    @property
    def _noted(self) -> str:
        """That a reaction has been sent, as long as it waits for the others' answers."""
        run, seat = self.view.feed.run, self.view.feed.seat
        asked = run.pending.menus if run is not None and isinstance(run.pending, Ask) else {}
        waits = seat is not None and self._answered is not None and asked.get(seat) is self._answered
        return f" Noted: {self._reaction}." if self._reaction and waits else ""

    def _leave_question(self) -> str:
        if self.view.feed.run is None:
            return "Leave the waiting room?"
        if self._closing:
            return "The game has ended, its record is just being closed. Leave as soon as that is done?"
        if len(self.view.feed.names) == 2:
            return "Leave the table? With two players that gives the game up."
        return "Leave the table? The others go on without you."

    def _abandon_question(self) -> str:
        who = self.view.lost() or "them"  # they may have come back meanwhile
        return f"Wait no longer for {who}? When all who are here want that, this game ends unfinished, for good."

    # -- what comes in ---------------------------------------------------------------------------------------------

    def submit(self, line: str) -> None:
        """A line was typed."""
        self.note = ""
        presenter = None if self._confirms else self.presenter
        command = parse(line, [item.label for item in presenter.items] if presenter else ())
        if self.page == "chat" and not (command and line.startswith("/")):
            self.say(line)
        elif command is not None:
            self._command(*command)
        elif self.page and not line.strip():
            self.open("")
        elif self._confirms or self.view.finished:
            self._answer(line.strip().casefold())
        elif presenter is not None and not line.strip() and not presenter.can_go_back and self.view.lapse.menu:
            self._take(Reply(self.view.lapse.menu.lapse))
        elif presenter is not None:
            self.page = ""
            self._take(presenter.type(line))
        elif line.strip():
            why = "the game has not begun" if self.waiting else "it is not your turn"
            self.note = f"{why}; say TEXT speaks to the others, help tells more"

    def _command(self, word: str, rest: str) -> None:
        if word == "leave":
            self.ask_to_leave()
        elif word == "abandon":
            self.ask_to_abandon()
        elif word == "say":
            self.say(rest)
        elif word == "bots":
            self.seat_bots(rest)
        elif word == "clock":
            self.note = self.view.habits.turn_clock()
        elif word == "bell":
            self.note = self.view.habits.turn_bell()
        elif word == "unknown":
            self.note = f"there is no command /{clean(rest, 30)}; help lists them"
        else:
            self.open(word)

    def _answer(self, text: str) -> None:
        for item in self.prompt().items:
            if text and (text == str(item.number) or item.label.startswith(text)):
                self.choose(item.number)
                return

    def play_again(self) -> None:
        """With the same people, if the table has ended as one that can be."""
        if self.offers_again and not self._confirms:
            self.choose(_AGAIN.number)

    def choose(self, number: int) -> None:
        """The item of that number was picked."""
        if self._confirms:
            what, self._confirm = self._confirm, ""
            if number == _YES.number:
                self.leave() if what == "leave" else self.abandon()
        elif self.view.finished:
            self.again = number == _AGAIN.number and self.offers_again
            self._quit()
        elif (presenter := self.presenter) is not None:
            self._take(presenter.choose(number))

    def click(self, target: Hashable) -> None:
        """Something in the picture was clicked."""
        presenter = self.presenter
        if presenter is not None and not self._confirms:
            self._take(presenter.click(target))

    def _take(self, reply: Reply) -> None:
        self.note = reply.note
        menu = self.view.feed.menu
        if reply.choice is not None and menu is not None:
            presenter, reacts = self.presenter, self.view.lapse.menu is menu and reply.choice != menu.lapse
            act = menu.acts[reply.choice.act]
            self._reaction = presenter.words.act_label(presenter.scene, act) if presenter and reacts else ""
            self._answered = menu
            self._send(partial(_choose, self.view, menu, reply.choice))

    def pass_if_due(self, *, begun: bool = False) -> None:
        """The time to react is over: the seat passes by itself. `begun`: the player is about to react."""
        presenter = self.presenter
        if presenter is not None:
            menu = self.view.lapse.due(begun=begun or presenter.can_go_back)
            if menu is not None:
                self._take(Reply(menu.lapse))

    def say(self, text: str) -> None:
        """To everybody."""
        words = clean(text).strip()
        if words and self.view.mute:
            self.note = self.view.mute
        elif words:
            self._send(partial(self.view.feed.chat, words))

    def seat_bots(self, number: str) -> None:
        """Let bots of this player's take so many of the seats that are free."""
        status = self.view.feed.status
        most = int(number) if number.isascii() and number.isdigit() and len(number) < _DIGITS else 0
        if self.waiting and not status.hosting:
            self.note = "only the host can put bots on free seats"
        elif not self.waiting or len(status.taken) >= status.players:
            self.note = "no seat is free: bots can come while players are missing"
        elif most < 1:
            self.note = "say how many bots, as in: bots 1"
        else:
            self.note = "bots of yours take seats …"
            self._send(partial(self.view.feed.seat_bots, most))

    def open(self, page: str) -> None:
        """A page, or none; the same page again closes it."""
        self.page = "" if page == self.page else page
        if self.page == "chat":
            self.view.unread = 0

    def back(self) -> None:
        """Esc: close, or one step back."""
        self.note = ""
        if self.page:
            self.open("")
        elif self._confirms:
            self._confirm = ""
        elif self.presenter is not None:
            self.presenter.back()

    def ask_to_leave(self) -> None:
        """Ctrl-C and the like: ask; the second time it is meant; the third time nothing is waited for."""
        if self.view.finished or self.left:
            self._quit()
        elif self._confirm == "leave":
            self._confirm = ""
            self.leave()
        else:
            self.page, self._confirm = "", "leave"

    def leave(self) -> None:
        """Leave, unasked. When the game has ended that is only to go once its record is closed."""
        if not self.left:
            self.left = True
            if not self._closing:
                self._send(self.view.feed.leave)

    def ask_to_abandon(self) -> None:
        """Only while somebody is lost, and only if it is meant."""
        if self.view.lost() and not (self.view.finished or self.left):
            self.page, self._confirm = "", "abandon"
        else:
            self.note = "nobody is missing here: there is nothing to abandon"

    def abandon(self) -> None:
        """Wait no longer, unasked."""
        self.note = _TOLD
        self._send(self.view.feed.abandon)

    def complete(self, text: str) -> str:
        """The line with its last word completed as far as it is clear; what it could be otherwise is noted."""
        presenter = self.presenter
        found = presenter.completions(text) if presenter is not None and not self.page else []
        if not found:
            return text
        start = text.split(" ")[-1]
        common = found[0]
        for other in found[1:]:
            while not other.startswith(common):
                common = common[:-1]
        if len(found) == 1:
            common += " "
        elif len(common) <= len(start):
            self.note = ", ".join(found[:12])
        return text[: len(text) - len(start)] + common if len(common) > len(start) else text


def _choose(view: TableView, menu: Menu, choice: Choice) -> None:
    """On the trio side: the choice, if it is still asked for."""
    if view.feed.menu is menu:
        view.feed.choose(choice)
