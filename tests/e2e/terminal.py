"""The real program at a terminal: a pseudo-terminal with an emulator behind it, for tests that type and look."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pyte

PATIENCE = 40.0
"""Seconds until what is expected has to be seen."""


class Terminal:
    """A running `p2pgame` at 80 by 24. `text` is the screen as it is now."""

    def __init__(self, home: Path, *arguments: str, columns: int = 80, lines: int = 24) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (lines, columns))
        places = {"P2PGAME_HOME": str(home), "P2PGAME_INTERFACES": "127.0.0.1", "TERM": "xterm-256color"}
        self._theirs = theirs
        self.before = termios.tcgetattr(theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "client.cli", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **places, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
            start_new_session=True,
        )

    @property
    def text(self) -> str:
        """What is on the screen, without spaces at line ends."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def restored(self) -> bool:
        """Whether the terminal is as it was before the program."""
        return termios.tcgetattr(self._theirs) == self.before

    @property
    def modes(self) -> int:
        """The terminal's local modes: what it does with keys by itself."""
        return int(termios.tcgetattr(self._theirs)[3])

    def type(self, text: str) -> None:
        """Keys."""
        os.write(self._ours, text.encode())

    def wait(self, *words: str, gone: str = "") -> str:
        """Until all these words are on the screen, and those of `gone` are not; the screen."""
        return self.until(lambda: all(word in self.text for word in words) and not (gone and gone in self.text), words)

    def wait_for_change(self) -> str:
        """Until the screen is another; the screen."""
        before = self.text
        return self.until(lambda: self.text != before, "a change")

    def until(self, good: Callable[[], bool], what: object) -> str:
        """Until that holds; the screen."""
        limit = monotonic() + PATIENCE
        while not good():
            assert monotonic() < limit, f"{what} did not come; the screen:\n{self.text}"
            self.read(0.05)
        return self.text

    def read(self, seconds: float) -> None:
        """What the program has written, if it does within that time."""
        if select.select([self._ours], [], [], seconds)[0]:
            self._stream.feed(os.read(self._ours, 65536))

    def end(self) -> int:
        """Until the program has ended; its exit code."""
        self.until(lambda: self.process.poll() is not None, "the end")
        while select.select([self._ours], [], [], 0)[0]:
            self._stream.feed(os.read(self._ours, 65536))
        return int(self.process.returncode)

    def shut(self) -> None:
        """The window is closed. No signal comes with it: it is as for a program that ignores SIGHUP."""
        os.close(self._ours)
        self._ours = -1

    def close(self) -> None:
        """Whatever still runs is killed."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._ours >= 0:
            os.close(self._ours)
        os.close(self._theirs)


@contextmanager
def terminals() -> Iterator[Callable[..., Terminal]]:
    """Makes terminals, which are closed at the end of the test."""
    opened: list[Terminal] = []

    def make(home: Path, *arguments: str, **size: int) -> Terminal:
        opened.append(Terminal(home, *arguments, **size))
        return opened[-1]

    try:
        yield make
    finally:
        for one in opened:
            one.close()
