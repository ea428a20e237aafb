"""A table in plain lines: for pipes, screen readers, TERM=dumb, and whoever likes it. Does IO: input and output.

For: the same events, choices and commands as the full screen, as lines. Never: an escape byte, a crash because an
output cannot show a sign.

Theory of operation: updates and typed lines are taken one by one in one thread; each prints what is new. The board is
printed when a turn begins, the choices whenever they change, but nothing is asked before all that has happened is told.
On a terminal long lines are broken between words. Lines come from the file descriptor, read in a thread that is
abandoned when the table ends. From a person a line that comes too early is refused; from a pipe it waits until it is
asked for. The end of input leaves the table properly; a signal only stops the program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from io import StringIO
from typing import TextIO

import trio

from engines.menus import Menu
from p2p.feed import Finished, TableFeed, Update

from .commands import help_text, parse
from .desk import Desk
from .habits import Habits
from .keep_time import News, keep_time
from .render.base import Row, row_text
from .screens import lobby_wait, pages
from .style import Appearance, shape
from .text import paragraphs, width
from .view import TableView

_CHUNK = 4096
MOST_BYTES = 65536
"""Of one line; a longer one is cut."""
_COLUMNS = 79
_GO_ON = "p2pgame resume goes on with the game"


def columns_of(stream: TextIO | None) -> int:
    """Columns of the terminal that a stream leads to; 0 if it leads to none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream is not None else 0
    except (AttributeError, OSError, ValueError):
        return 0


def wrapped(text: str, stream: TextIO | None) -> str:
    """Lines that are too long for the terminal are broken between words; anything else gets them as they are."""
    columns = columns_of(stream)
    if not columns:
        return text
    lines = [[line] if width(line) <= columns else paragraphs(line, columns) for line in text.split("\n")]
    return "\n".join(piece for pieces in lines for piece in pieces)


async def read_lines(descriptor: int, encoding: str = "utf-8") -> AsyncIterator[str]:
    """The lines of a file descriptor until its end. Not through `sys.stdin`: a thread that is left waiting there holds
    a lock that the interpreter wants when it ends."""
    rest = b""
    while True:
        try:
            chunk = await trio.to_thread.run_sync(os.read, descriptor, _CHUNK, abandon_on_cancel=True)
        except OSError:  # the terminal is gone
            chunk = b""
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[:MOST_BYTES]
        for line in lines:
            yield line.rstrip(b"\r").decode(encoding, "replace")
    if rest:
        yield rest.decode(encoding, "replace")


class Lines:
    """Lines that several readers take one after the other, none lost between them."""

    def __init__(self, channel: trio.MemoryReceiveChannel[str]) -> None:
        self._channel = channel
        self._back: list[str] = []

    @classmethod
    @asynccontextmanager
    async def of(cls, source: AsyncIterator[str]) -> AsyncIterator[Lines]:
        """Those of a source, which is read in a task of its own: a read that is given up would swallow a line."""
        send, receive = trio.open_memory_channel[str](0)

        async def pump() -> None:
            async with send:
                async for line in source:
                    await send.send(line)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump)
            yield cls(receive)
            nursery.cancel_scope.cancel()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        if self._back:
            return self._back.pop()
        try:
            return await self._channel.receive()
        except trio.EndOfChannel:
            raise StopAsyncIteration from None

    def put_back(self, line: str) -> None:
        """It was taken too early; the next reader gets it."""
        self._back.append(line)


class PlainTable:
    """What is printed, and what a line does."""

    def __init__(self, view: TableView, out: TextIO, call: Callable[[Callable[[], None]], None]) -> None:
        self.view = view
        self.desk = Desk(view, call, lambda: None)
        self._out = out
        self._menu: Menu | None = None
        self._shown: tuple[object, ...] = ()
        self._room = ""
        self._introduced = False
        self._open_line = False
        self._said = ""

    def _print(self, text: str, end: str = "\n") -> None:
        before, self._open_line, self._said = "\n" if self._open_line else "", False, text
        try:
            self._out.write(before + wrapped(self.view.glyphs.speak(text).replace("\x1b", ""), self._out) + end)
            self._out.flush()
        except OSError:  # nobody reads any more
            self._out = StringIO()
            self.desk.leave()

    def _rows(self, rows: list[Row]) -> None:
        for row in rows:
            self._print(row_text(row).rstrip())

    @property
    def _columns(self) -> int:
        """For what is laid out: so many as a terminal has, but no more than can be read well."""
        return min(columns_of(self._out) or _COLUMNS, _COLUMNS)

    @property
    def behind(self) -> bool:
        """Something has happened that is not told yet."""
        return self.view.feed.updates.statistics().current_buffer_used > 0

    @property
    def _asks(self) -> bool:
        """Something is asked. Who could only pass is not asked, but passes; what is improper can be typed even so."""
        return bool(self.desk.prompt().items) and (self.desk.presenter_begun or not self.view.lapse.idle)

    def _introduce(self) -> None:
        """Once, when the game begins: who has which sign."""
        names, feed = self.view.names(), self.view.feed
        if feed.run is None or not names or self._introduced:
            return
        self._introduced = True
        who = [f"{shape(self.view.glyphs, s)} {name}{' (you)' * (s == feed.seat)}" for s, name in enumerate(names)]
        self._print(f"At the table: {', '.join(who)}")

    def update(self, update: Update | None) -> None:
        """Print what an update brings; None: just look again."""
        self._introduce()
        new = self.view.apply(update) if update is not None else []
        for line in [] if isinstance(update, Finished) else new:  # that one `end` tells in full
            self._print(line.text)
        if self.desk.waiting:
            room = lobby_wait.text(self.view)
            if room != self._room:
                told, self._room = self._room.splitlines(), room
                self._print("\n".join(line for line in room.splitlines() if line not in told) if told else room)
        elif not self.view.finished:
            self._ask()

    def line(self, text: str) -> None:
        """A line was typed."""
        self._open_line = False
        self.desk.submit(text)
        if self.desk.note:
            self._print(self.desk.note)
            self.desk.note = ""
        page, self.desk.page = self.desk.page, ""
        if page:
            text = _help() if page == "help" else pages.text_of(self.view, page)
            self._print(text if page == "board" else "\n".join(paragraphs(text, self._columns)))
        self._shown = ()
        if not (self._asks or self.desk.waiting or self.desk.left or self.view.finished):
            self._print(self.desk.prompt().question)  # nothing is asked: what is waited for?
        self._ask()

    def early(self, text: str) -> bool:
        """The line answers something, and nothing is asked but what passes by itself."""
        lapse = self.view.lapse
        passing = lapse.menu is not None and not lapse.left()
        return bool(text.strip()) and parse(text) is None and (passing or not self.desk.prompt().items)

    def _ask(self) -> None:
        """The question and the choices, if they have changed; the board before the first ones of a turn."""
        prompt, menu = self.desk.prompt(), self.view.feed.menu
        state = (prompt.question, tuple(map(str, prompt.items)), menu)
        if self.behind or not self._asks or state == self._shown:
            return
        self._shown = state
        bystander = self.view.lapse.menu is not None and not self.desk.presenter_begun
        if bystander:
            choices = ", ".join(map(str, prompt.items))
            self._print(f"{prompt.question} (you pass automatically, or at once with Enter; {choices})")
            return
        if self.desk.presenter is not None and menu is not self._menu:
            self._menu = menu
            self._print("")
            self._rows(pages.board_rows(self.view, self._columns, 24))
        self._print(prompt.question)
        for item in prompt.items:
            mark = "[x] " if item.chosen else ""
            self._print(f"  {item.number:>2}  {mark}{item.rest}".rstrip())
        if self.desk.presenter_begun:
            self._print("   <  one step back")
        self._print("> ", end="")
        self._open_line = True

    def end(self) -> None:
        """The last words."""
        over = self.view.feed.status.result is not None and self.view.finished
        for line in pages.result_lines(self.view) if over else [self.view.question()]:
            if line != self._said:
                self._print("\n".join(paragraphs(line, self._columns)))

    def stopped(self) -> None:
        """The program stops before the table has ended."""
        if self.view.feed.run is not None and not (self.view.finished or self.desk.left):
            self._print(f"Stopped, but not left: {_GO_ON}.")

    async def again(self, lines: AsyncIterator[str]) -> bool:
        """Ask whether to play again with the same people."""
        if not self.desk.offers_again or self.desk.left:
            return False
        for item in self.desk.prompt().items:
            self._print(f"  {item.number:>2}  {item.rest}")
        self._print("> ", end="")
        async for line in lines:
            self.desk.submit(line)
            if self.desk.again or parse(line) is None:
                break
        return self.desk.again


def _help() -> str:
    return f"{help_text(keys=False)}\n\nCtrl-C     stop at once, without leaving: {_GO_ON}"


async def play_plain(
    feed: TableFeed,
    look: Appearance,
    habits: Habits | None = None,
    *,
    lines: AsyncIterator[str] | None = None,
    patient: bool | None = None,
    out: TextIO | None = None,
) -> bool:
    """Play in lines until the table has ended, or the input has and leave is taken; whether to play again with the same
    people. `patient`: lines that come early wait until they are asked for, and nothing is asked at the end; by default
    if the input is no terminal."""
    sink = out if out is not None else sys.stdout
    with suppress(AttributeError, ValueError):
        sink.reconfigure(errors="replace")  # type: ignore[union-attr]  # others lack it
    if lines is None:
        lines = read_lines(0, getattr(sys.stdin, "encoding", None) or "utf-8")
    if patient is None:
        patient = not os.isatty(0)
    table = PlainTable(TableView(feed, look, trio.current_time, habits), sink, lambda call: call())
    news = News()

    async def follow() -> None:
        async for update in feed.updates:
            table.update(update)
            while table.behind and not table.view.finished:  # all at once: no line comes between
                table.update(feed.updates.receive_nowait())
            if table.view.finished:  # a line that still waits is not for this table
                break
            news.set()
        nursery.cancel_scope.cancel()

    async def listen() -> None:
        async for line in lines:
            try:
                while table.behind or (patient and table.early(line)):
                    await news.wait()
            except trio.Cancelled:
                if isinstance(lines, Lines):
                    lines.put_back(line)
                raise
            table.line(line)
        while patient and not feed.status.players:  # that there is no table is another end than leaving one
            await news.wait()
        if feed.status.result is None:  # a decided game is only being checked: nothing to leave
            table.desk.leave()

    through = False
    try:
        async with trio.open_nursery() as nursery:
            table.update(None)
            nursery.start_soon(follow)
            nursery.start_soon(keep_time, table.view, news, table.desk.pass_if_due)
            nursery.start_soon(listen)
        through = True
    finally:
        if not through:
            table.stopped()
    table.end()
    return not patient and await table.again(lines)
