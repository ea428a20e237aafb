"""The full-screen replay: the table at one moment, and keys that lead to others.

For: one finished game. Never: trio; what a key means is the playback's.

Theory of operation: the picture and the log are those of the table screen, above a line that tells the moment, the
question of the moment, and the help line. Digits are collected and lead to the round of that number at Enter.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

from ..render.base import Row
from ..replay import Playback
from ..style import Appearance, Glyphs
from ..text import cut, wrap
from . import pages
from .canvas import Button, fill, flow, too_small
from .compose import body_rows, top_line
from .screen import Bindings, Screen

HELP = """\
Right, Space, Enter   one moment on
Left, Backspace       one moment back
Down, PgDn            to the next round
Up, PgUp              to the round before
Home, End             to the beginning, to the end
a number, then Enter  to that round; with several hands 2 3 is round 3 of 2
v                     what everybody saw, then what each player saw
+ and -               scroll what happened
e                     at the end: how it was scored
F1                    the rules of the game
q, Esc                leave"""


def compose(playback: Playback, columns: int, lines: int) -> list[Row]:
    """Exactly `lines` rows of exactly `columns`."""
    view, glyphs = playback.view, playback.view.glyphs
    if small := too_small(columns, lines, glyphs):
        return small
    if playback.page:
        content = pages.rows_of(glyphs.speak(_text_of(playback)), pages.inner_width(columns, lines))
        playback.scroll = min(playback.scroll, pages.last_scroll(len(content), columns, lines))
        return pages.show(content, playback.page, columns, lines, playback.scroll, glyphs)
    scene = view.scene()
    below = _below(playback, columns, most=max(2, lines // 3))
    hand: list[Row] = []
    if scene is not None and lines >= 12:
        hand = [[("", " ", None), *view.words.hand(scene)]]
    body = max(0, lines - 1 - len(hand) - len(below))
    rows = body_rows(view, scene, columns, body, playback.scroll)
    return fill([top_line(view, columns), *rows, *hand, *below], columns, lines)


def _text_of(playback: Playback) -> str:
    if playback.page == "help":
        return HELP
    return playback.ending() if playback.page == "result" else pages.text_of(playback.view, playback.page)


def _below(playback: Playback, columns: int, most: int) -> list[Row]:
    glyphs = playback.view.glyphs
    help_: list[Row] = [
        [("number", glyphs.speak(key), button), ("", glyphs.speak(f" {does}"), button)]
        for key, does, button in (
            ("←→", "step", Button("move", 1)),
            ("↑↓", "round", Button("round", 1)),
            ("v", "who looks", Button("view", 0)),
            ("F1", "rules", Button("page", "rules")),
            ("?", "help", Button("page", "help")),
            ("q", "leave", Button("leave", 0)),
        )
    ]
    helps = flow(help_, columns - 2, 3)
    if len(helps) > 1:  # the keys alone; what they do, the last but one tells
        helps = flow([row[:1] for row in help_], columns - 2, 2)
    foot: list[Row] = [[("", " ", None), *row] for row in helps[:1]]
    return [*_words(playback, columns, most - len(foot)), *foot]


def _words(playback: Playback, columns: int, most: int) -> list[Row]:
    """Which moment this is, and what is going on. Of what is too long whole lines are shown, the rest has a page."""
    glyphs, wrong = playback.view.glyphs, bool(playback.replay.about.report.exit_code)
    note = f"round {playback.typed}_ (Enter)" if playback.typed else playback.note
    where = ("note", note) if note else ("dim", playback.where())
    asked = [("", line) for line in playback.question()]
    said = [("fault" if wrong else "good", playback.verdict())] if playback.tells_verdict else []
    rows = _wrapped([where, *asked, *said], glyphs, columns)
    if len(rows) <= most:
        return rows
    rows = [[("", " ", None), (where[0], cut(glyphs.speak(where[1]), columns - 2), None)]]
    if not said:
        return [*rows, *_wrapped(asked, glyphs, columns)][:most]
    for number, line in enumerate([*said, *asked[:1]] if wrong else [*asked[:1], *said]):
        block, room = _wrapped([line], glyphs, columns), most - 1 - len(rows)
        rows += block[:room] if len(block) <= room or not number else []
    button = Button("page", "result")
    more: Row = [("dim", f" {glyphs.dots} ", button), ("number", "e", button), ("", " how it ended", button)]
    return [*rows[: most - 1], more]


def _wrapped(words: Sequence[tuple[str, str]], glyphs: Glyphs, columns: int) -> list[Row]:
    return [
        [("", " ", None), (style, piece, None)]
        for style, line in words
        for piece in wrap(glyphs.speak(line), columns - 2)
    ]


class ReplayScreen(Screen[None]):
    """The screen of one replay. Nothing is shown but words until there is a `playback`."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self.playback: Playback | None = None

    def put(self, playback: Playback) -> None:
        """The game is there."""
        self.playback = playback
        self.show_title(f"replay · {playback.view.title}")
        self.refresh()

    def rows(self, columns: int, lines: int) -> list[Row]:
        """See Screen."""
        if self.playback is None:
            return fill([[("", self.look.glyphs.speak(" Checking the record …"), None)]], columns, lines)
        return compose(self.playback, columns, lines)

    # -- what comes in ---------------------------------------------------------------------------------------------

    def _clicked(self, target: Hashable) -> None:
        playback = self.playback
        if not isinstance(target, Button) or playback is None:
            return
        if target.kind == "move":
            playback.move(1)
        elif target.kind == "round":
            playback.round(1)
        elif target.kind == "view":
            playback.switch()
        elif target.kind == "page":
            self._page(str(target.value))
        else:
            self.close(None)

    def _turn(self, lines: int) -> None:
        """The wheel, and + and -: up is negative."""
        playback = self.playback
        if playback is not None:
            longest = 10_000 if playback.page else len(playback.view.log)
            change = lines if playback.page else -lines
            playback.scroll = min(longest, max(0, playback.scroll + change))

    def _page(self, page: str) -> None:
        if self.playback is not None:
            self.playback.page = "" if page == self.playback.page else page
            self.playback.scroll = 0

    def _result(self) -> None:
        playback = self.playback
        if playback is not None and (playback.page or playback.tells_verdict):
            self._page("result")
        elif playback is not None:
            playback.note = "how it ended is told at the end: press End first"

    def _steps(self, key: str, act: Callable[[Playback], None]) -> None:
        playback = self.playback
        if playback is None:
            return
        if playback.page:
            self._turn({"up": -1, "down": 1, "pageup": -10, "pagedown": 10, " ": 10}.get(key, 0))
        else:
            act(playback)

    def _enter(self) -> None:
        playback = self.playback
        if playback is not None and playback.page:
            self._page("")
        elif playback is not None and playback.typed.strip():
            playback.jump(playback.typed)
        elif playback is not None:
            playback.move(1)

    def _escape(self) -> None:
        playback = self.playback
        if playback is not None and playback.page:
            self._page("")
        elif playback is not None and playback.typed:
            playback.typed = ""
        else:
            self.close(None)

    def _space(self, playback: Playback) -> None:
        if playback.typed:
            playback.typed += " "
        else:
            playback.move(1)

    def _back(self, playback: Playback) -> None:
        if playback.typed:
            playback.typed = playback.typed[:-1]
        else:
            playback.move(-1)

    def _digit(self, digit: str, playback: Playback) -> None:
        playback.typed = (playback.typed + digit)[:12]

    def _bind(self, keys: Bindings) -> None:
        moves: dict[str, Callable[[Playback], None]] = {
            "right": lambda playback: playback.move(1),
            "left": lambda playback: playback.move(-1),
            " ": self._space,
            "backspace": self._back,
            "down": lambda playback: playback.round(1),
            "up": lambda playback: playback.round(-1),
            "pagedown": lambda playback: playback.round(1),
            "pageup": lambda playback: playback.round(-1),
            "home": lambda playback: playback.go(0),
            "end": lambda playback: playback.go(playback.last),
            "v": lambda playback: playback.switch(),
            **{digit: partial(self._digit, digit) for digit in "0123456789"},
        }
        for name, move in moves.items():
            keys.on(name, partial(self._steps, name, move))
        keys.on("enter", self._enter)
        keys.on("escape", self._escape, eager=True)
        for name in ("q", "c-c", "c-d"):
            keys.on(name, partial(self.close, None))
        keys.on("f1", partial(self._page, "rules"))
        keys.on("?", partial(self._page, "help"))
        keys.on("e", self._result)
        keys.on("-", partial(self._turn, -3))
        keys.on("+", partial(self._turn, 3))
