"""What a render module is: the picture of one game's table, and its words.

For: the screens, the plain mode and the presenter, which know no game. `client/render/<name>.py` has the functions of
`Renderer`; a new game adds such a module and nothing else. Never: a face that the scene's look does not see; input,
output, prompt_toolkit.

Theory of operation: a picture is rows of fragments (style class, text, target). A target is whatever the module likes
(a tile, a card); the screen makes it clickable, the presenter matches it with the options whose `target` is equal, and
`Scene.marks` says which targets are candidates now, or picked. A module may have `SIGNS`: signs that its picture shows,
and the words of its labels for them, so that both can be typed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, cast

from engines.menus import Act, Look, Menu, Part, Seat
from engines.requests import Result, Tell

from ..style import UNICODE, Glyphs
from ..text import width

Fragment = tuple[str, str, Hashable | None]
Row = list[Fragment]
CANDIDATE, PICKED = "candidate", "picked"


@dataclass(frozen=True)
class Scene:
    """What is seen: the public table, and what this seat knows besides. `names` have passed the gate."""

    table: Any
    seat: Seat | None
    look: Look
    names: Sequence[str]
    glyphs: Glyphs = UNICODE
    marks: Mapping[Hashable, str] = field(default_factory=dict)

    def name(self, seat: Seat) -> str:
        """As it is spoken of."""
        return "you" if seat == self.seat else self.names[seat]


class Renderer(Protocol):
    """The functions of a render module. Labels are short; the leading words of a label are what people type."""

    def picture(self, scene: Scene, columns: int, lines: int) -> list[Row]:
        """The biggest form that fits; if none does, the smallest one."""

    def forms(self, scene: Scene) -> list[tuple[int, int]]:
        """Columns and lines of each form, biggest first."""

    def hand(self, scene: Scene) -> Row:
        """The line below: one's own hand and counters."""

    def progress(self, table: Any) -> str:
        """For the top line, as in "round 4"; may be empty."""

    def question(self, scene: Scene, menu: Menu, act: Act | None, part: Part | None) -> str:
        """What is asked: of the act (part None), or of one of its parts."""

    def act_label(self, scene: Scene, act: Act) -> str:
        """An act as one line of a menu."""

    def label(self, scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> str:
        """One thing that can fill a part. Things with the same label count as one: the first is taken."""

    def target(self, scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> Hashable | None:
        """Where one clicks for it."""

    def outcome(self, scene: Scene, act: Act, values: Sequence[Any]) -> str:
        """What will happen, if this complete choice should be confirmed first; else ""."""

    def describe(self, event: Tell, names: Sequence[str]) -> str:
        """A public event as one line; "" if nobody needs to hear of it."""

    def result_text(self, result: Result, names: Sequence[str]) -> str:
        """How it ended, in a sentence or two."""

    def rules_text(self) -> str:
        """The whole game in brief, for a page."""


def renderer(game: str) -> Renderer:
    """The render module of a game of the registry."""
    return cast(Renderer, import_module(f"client.render.{game}"))


def signs_of(words: Renderer) -> Mapping[str, str]:
    """Signs of the picture that can be typed, with what the labels call them."""
    return cast(Mapping[str, str], getattr(words, "SIGNS", {}))


def row_width(row: Row) -> int:
    """Columns of a row."""
    return sum(width(text) for _, text, _ in row)


def row_text(row: Row) -> str:
    """A row without its colours."""
    return "".join(text for _, text, _ in row)
