"""`p2pgame replay`: a finished game again, step by step on a screen or as a whole in lines.

For: that command, and the lobby's past games. Never: what a seat alone saw, unless it is asked for; the picture that
everybody saw is spoiler enough for nobody.

Theory of operation: a replay is shown as a table is, by the same view, through a feed that never sends anything. Its
run, its seat (None: an onlooker's) and its log are those of the moment that is looked at.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import trio
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from engines.menus import Choice, Menu, Seat
from engines.requests import Ask
from engines.run import Run
from p2p.audit import BROKEN, SOUND, Report
from p2p.errors import UserError
from p2p.feed import Update
from p2p.history import find_record, remember_file
from p2p.journal import read_transcript
from p2p.place import home
from p2p.replay import Recording, Replay, read
from p2p.status import Phase, Presence, SeatStatus, Status

from . import app, logs, style
from .output import out
from .render.base import renderer
from .report import MARK
from .scores import score_lines
from .style import Appearance
from .text import clean, clean_name, paragraphs
from .view import Line, TableView

_COLUMNS = 79


def progress(game: str, table: Any) -> str:
    """What a moment is found by: the round."""
    return renderer(game).progress(table)


class Recorded:
    """A table that has been played, as the view wants it. See TableFeed."""

    def __init__(self, about: Recording) -> None:
        _, self.updates = trio.open_memory_channel[Update](0)
        self.names = list(about.names)
        self.run: Run | None = None
        self.seat: Seat | None = None
        self.menu: Menu | None = None
        self.decided: dict[Seat, Choice] = {}
        self.status = Status(
            game=about.game,
            table=about.label,
            table_id=about.table_id[:16],
            phase=Phase.FINISHED,
            players=len(about.names),
            seats=[SeatStatus(Presence.HERE) for _ in about.names],
        )

    def choose(self, choice: Choice) -> None:
        """Nothing can be chosen any more."""

    def chat(self, text: str) -> None:
        """Nobody is there."""

    def abandon(self) -> None:
        """Nobody is lost."""

    def seat_bots(self, most: int) -> None:
        """No seat is free."""

    def leave(self) -> None:
        """Nobody is left."""


class Playback:
    """One replay being looked at. `position`: the moment; `page`: a page over it."""

    def __init__(self, replay: Replay, look: Appearance) -> None:
        self.replay = replay
        self.feed = Recorded(replay.about)
        self.view = TableView(self.feed, look)
        self.position = 0
        self.typed = ""
        self.note = ""
        self.page = ""
        self.scroll = 0
        self.go(0)

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.replay.moments) - 1

    def go(self, position: int) -> None:
        """To that moment, or the nearest that there is."""
        self.position = min(self.last, max(0, position))
        self.scroll, self.note, self.typed = 0, "", ""
        view, replay = self.view, self.replay
        self.feed.run = replay.at(self.position)
        self.feed.status.result = self.feed.run.result if self.position == self.last else None
        self.feed.status.waiting_for = self._deciding()
        view.finished = self.position == self.last
        old = replay.news(self.position)
        view.log.clear()
        for number, event in enumerate(replay.events):
            # What is new at this moment stands out.
            view.log.extend(Line("note" if number >= old else line.style, line.text) for line in lines_of(view, event))

    def move(self, by: int) -> None:
        """So many moments on."""
        self.go(self.position + by)

    def round(self, by: int) -> None:
        """To the first moment of the next round, or of the one before."""
        here = self.replay.moments[self.position].mark
        at = self.position
        while 0 < at + by <= self.last and self.replay.moments[at].mark == here:
            at += by
        if by < 0:
            mark = self.replay.moments[at].mark
            while at > 0 and self.replay.moments[at - 1].mark == mark:
                at -= 1
        self.go(at)

    def jump(self, typed: str) -> None:
        """To the round of that number; where rounds are counted anew each hand: "2 3" is round 3 of hand 2."""
        wanted = [int(number) for number in re.findall(r"\d+", typed, re.ASCII)]
        for number, moment in enumerate(self.replay.moments):
            if wanted and [int(one) for one in re.findall(r"\d+", moment.mark, re.ASCII)][: len(wanted)] == wanted:
                self.go(number)
                return
        self.typed, self.note = "", f"there is no round {clean(typed, 20)}"

    def switch(self) -> None:
        """The next way to see it: as everybody, then as each seat."""
        ways: list[Seat | None] = [None, *self.replay.about.known_seats]
        if len(ways) == 1:
            self.note = "the seeds are not in this file: it cannot be told what a seat saw"
            return
        self.feed.seat = ways[(ways.index(self.feed.seat) + 1) % len(ways)]

    # -- words -----------------------------------------------------------------------------------------------------

    def where(self) -> str:
        """Which moment this is, and who looks."""
        mark = self.replay.moments[self.position].mark
        seen = "everybody" if self.feed.seat is None else self.view.name(self.feed.seat)
        parts = [f"{self.position + 1} of {self.last + 1}", mark, f"as {seen} saw it"]
        return " · ".join(part for part in parts if part)

    def question(self) -> list[str]:
        """What is going on at this moment."""
        run, view = self.feed.run, self.view
        if run is None:
            return []
        if run.result is not None and view.finished:
            result = view.words.result_text(run.result, view.names())
            return [result, *score_lines(self.replay.about.game, run.game.table, run.result, view.names())]
        if not isinstance(run.pending, Ask):
            return ["The record ends here."]
        names = [view.name(seat) for seat in self._deciding()]
        return [f"{' and '.join(names)} {'decides' if len(names) == 1 else 'decide'} now."]

    @property
    def tells_verdict(self) -> bool:
        """At the end; and always, if something is wrong with the record."""
        return self.position == self.last or bool(self.replay.about.report.exit_code)

    def ending(self) -> str:
        """All that is to be said of the end, as a page."""
        first, *scores = self.question()
        return "\n".join([first, *([""] if scores else []), *scores, "", self.verdict()])

    def _deciding(self) -> list[Seat]:
        """Who decides at this moment."""
        pending = self.feed.run.pending if self.feed.run is not None else None
        if not isinstance(pending, Ask):
            return []
        return sorted(pending.menus) if pending.lead is None else [pending.lead]

    def verdict(self) -> str:
        """What the audit says, in a few words."""
        return verdict(self.replay.about.report)


def verdict(report: Report) -> str:
    """What the audit says, in a few words."""
    if report.verdict == SOUND:
        return "checked: every shuffle, look and card of this game was fair"
    if report.verdict == BROKEN:
        return f"{MARK[BROKEN]}: {clean(report.findings[0].reason)}"
    return f"{MARK[report.verdict]}: {clean(report.ending)}"


def lines_of(view: TableView, event: Any) -> list[Line]:
    """An event in words."""
    text = view.words.describe(event, view.names())
    return [Line("event", view.glyphs.speak(text))] if text else []


# -- the command -------------------------------------------------------------------------------------------------------


def run_replay(file: str, *, plain: bool, ascii_only: bool, no_color: bool, log: str | None, **_: Any) -> int:
    """`p2pgame replay`; the exit code. Errors: UserError."""
    import os

    path = find_record(home(), file)
    look = style.choose(ascii_only=ascii_only, no_colour=no_color)
    where = logs.start(log)
    if plain or app.wants_plain(sys.stdin, sys.stdout, os.environ):
        code = app.run_plain(lambda: watch_lines(path, look), (UserError,))
    else:
        code = app.run_full_screen(lambda: watch_screen(path, look), where, (UserError,))
    return code


async def load(path: Path) -> Replay:
    """The game in a file. Errors: CannotRead, NotATranscript."""

    def load_() -> Replay:
        about = read(read_transcript(path), str(path))
        remember_file(home(), path, about.report.verdict)
        return Replay(about, progress)

    return await trio.to_thread.run_sync(load_, abandon_on_cancel=True)


async def watch_screen(path: Path, look: Appearance, source: Input | None = None, sink: Output | None = None) -> int:
    """On a full screen, until it is left; the audit's exit code. Errors: UserError."""
    from .screens.replay import ReplayScreen

    screen = ReplayScreen(look)
    application = screen.application(source, sink)

    async def fill() -> None:
        screen.put(Playback(await load(path), look))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(fill)
        try:
            await app.show(application)
        finally:
            screen.put_away()
            nursery.cancel_scope.cancel()
    return screen.playback.replay.about.report.exit_code if screen.playback is not None else 0


async def watch_lines(path: Path, look: Appearance, say: Callable[[str], None] = out) -> int:
    """The whole game in lines; the audit's exit code. Errors: UserError."""
    replay = await load(path)
    for line in game_lines(replay, look):
        say(look.glyphs.speak(line))
    return replay.about.report.exit_code


def game_lines(replay: Replay, look: Appearance) -> list[str]:
    """Everything that happened, as everybody heard it."""
    playback = Playback(replay, look)
    view = playback.view
    lines = [f'{view.title} at table "{view.table_name}", {", ".join(map(clean_name, replay.about.names))}']
    playback.go(playback.last)
    lines += [f"  {line.text}" for event in replay.events for line in lines_of(view, event)]
    end = [line for line in playback.question() if line != lines[-1].strip()]
    lines += ["", *end, verdict(replay.about.report)]
    return [piece for line in lines for piece in paragraphs(line, _COLUMNS) or [""]]
