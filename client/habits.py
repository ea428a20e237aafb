"""What a person sets while playing, kept for the next time. Does IO: the settings file of the profile.

For: bell, clock and name. Never: a setting of the person's own hand lost or changed: what the program cannot write into
that file without doubt, it does not write.

Theory of operation: each is an option of the command line, and so may stand in the settings file. There its line is
replaced, or a new one put before the first table. The result has to read as the file of before, but for this option.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from p2p import files
from p2p.errors import UserError

from .settings import read_text

Value = bool | str


@dataclass
class Habits:
    """One person's. `keep`: called with the name of an option and its new value; in words why it is not kept, or ""."""

    clock: bool = False
    """Whether it is shown how long has been waited."""
    bell: bool = True
    """Whether it rings when the player's turn comes."""
    keep: Callable[[str, Value], str] = lambda name, value: ""

    def turn_clock(self) -> str:
        """The other way round; what there is to say about it."""
        self.clock = not self.clock
        return self._told("clock", self.clock, self.keep("clock", self.clock))

    def turn_bell(self) -> str:
        """The other way round; what there is to say about it."""
        self.bell = not self.bell
        return self._told("bell", self.bell, self.keep("no-bell", not self.bell))

    @staticmethod
    def _told(what: str, on: bool, why: str) -> str:
        return f"the {what} is {'on' if on else 'off'}{f'; {why}' if why else ''}"


def keep(path: Path, name: str, value: Value) -> str:
    """Set an option in a settings file; why that was not done, or ""."""
    try:
        text = read_text(path)
        fresh = changed(text, name, value)
        if not _only_adds(text, fresh, {name: value}):
            return f"to keep it, write {_line(name, value)} into {path}"
        files.write_whole(path.resolve(), fresh.encode())
    except UserError as error:
        return str(error)
    return ""


def _only_adds(text: str, fresh: str, new: dict[str, Value]) -> bool:
    try:
        return tomllib.loads(fresh) == {**tomllib.loads(text), **new}
    except tomllib.TOMLDecodeError:
        return False


def changed(text: str, name: str, value: Value) -> str:
    """The text with that option in it."""
    lines = text.removesuffix("\n").split("\n") if text else []
    end = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    mine = re.compile(rf'\s*"?{re.escape(name)}"?\s*=')
    at = next((at for at, line in enumerate(lines[:end]) if mine.match(line)), None)
    lines[end if at is None else at : end if at is None else at + 1] = [_line(name, value)]
    return "\n".join(lines) + "\n"


def _line(name: str, value: Value) -> str:
    return f"{name} = {json.dumps(value, ensure_ascii=False)}"
