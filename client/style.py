"""How things look: the glyphs (Unicode or ASCII) and the palettes (colour-blind safe, or none at all).

For: every screen and the plain mode. Never: colour as the only carrier of anything; with `mono` the same screen says
the same.

Theory of operation: code names classes ("seat1", "grass", "candidate"), a palette gives them colours. The colours are
those of Okabe and Ito, which people with any of the common colour blindnesses tell apart; seats also differ in shape
and letter, terrain in glyph, candidates have brackets.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from prompt_toolkit.styles import Style


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs. `pawns` and `traps` are per seat."""

    ascii: bool
    pawns: str
    traps: str
    corners: str
    """Top left, top right, bottom left, bottom right."""
    across: str
    down: str
    turn: str
    check: str
    dots: str
    arrows: tuple[str, ...]
    """East, south-east, and so on clockwise."""
    rock: str
    grass: str
    snow: str
    cross: str
    mammoth: str
    ahead: str

    def speak(self, text: str) -> str:
        """`text` in this set: with ASCII, our own signs and letters as their nearest relations."""
        if not self.ascii or text.isascii():
            return text
        for keys, words in _KEYS:
            text = text.replace(keys, words)
        return text.translate(_TO_ASCII).encode("ascii", "replace").decode("ascii")


_KEYS = (("↑↓", "Up/Down"), ("←→", "Left/Right"))
_TO_ASCII = str.maketrans(
    {
        "●": "A",
        "▲": "B",
        "■": "C",
        "◆": "D",
        "▼": "E",
        "★": "F",
        "○": "a",
        "△": "b",
        "□": "c",
        "◇": "d",
        "→": "->",
        "↘": "\\",
        "↙": "/",
        "←": "<-",
        "↖": "\\",
        "↗": "/",
        "↑": "^",
        "↓": "v",
        "…": "...",
        "–": "-",
        "—": "-",
        "·": "*",
        "✓": "ok",
        "▸": ">",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "×": "x",
        "─": "-",
        "│": "|",
        "▒": "#",
        "Â": "A",
        "á": "a",
        "â": "a",
        "ä": "ae",
        "ç": "c",
        "é": "e",
        "è": "e",
        "í": "i",
        "ñ": "n",
        "ó": "o",
        "ö": "oe",
        "ú": "u",
        "ü": "ue",
        "ß": "ss",
    }
)

UNICODE = Glyphs(
    ascii=False,
    pawns="●▲■◆▼★",
    traps="○△□◇",
    corners="┌┐└┘",
    across="─",
    down="│",
    turn="▸",
    check="✓",
    dots="…",
    arrows=("→", "↘", "↙", "←", "↖", "↗"),
    rock="▒",
    grass='"',
    snow="·",
    cross="+",
    mammoth="M",
    ahead="→",
)
ASCII = Glyphs(
    ascii=True,
    pawns="ABCDEF",
    traps="abcd",
    corners="++++",
    across="-",
    down="|",
    turn=">",
    check="ok",
    dots="...",
    arrows=("->", "\\", "/", "<-", "\\", "/"),
    rock="#",
    grass='"',
    snow=".",
    cross="+",
    mammoth="M",
    ahead="->",
)


_PREFIX = "p2pgame-"
"""prompt_toolkit has classes of its own, among them one for every colour that has a name, such as snow."""


def classes(style: str) -> str:
    """Our style names as prompt_toolkit takes them."""
    return " ".join(f"class:{_PREFIX}{name}" for name in style.split())


def shape(glyphs: Glyphs, seat: int) -> str:
    """A seat's pawn sign."""
    return glyphs.pawns[seat % len(glyphs.pawns)]


_SHARED: Mapping[str, str] = {
    "frame": "",
    "title": "bold",
    "dim": "",
    "number": "bold",
    "matching": "underline",
    "note": "bold",
    "turn": "bold blink",
    "candidate": "bold",
    "picked": "bold reverse",
    "mammoth": "bold reverse",
    "chat": "italic",
    "event": "",
    "fault": "bold reverse",
    "input": "",
}
_COLOURS: Mapping[str, str] = {
    "frame": "ansibrightblack",
    "dim": "ansibrightblack",
    "seat0": "bold #e69f00",
    "seat1": "bold #56b4e9",
    "seat2": "bold #cc79a7",
    "seat3": "bold #f0e442",
    "grass": "#009e73",
    "snow": "",
    "cross": "bold",
    "rock": "ansibrightblack",
    "candidate": "bold",
    "mammoth": "bold #d55e00 reverse",
    "note": "bold #e69f00",
    "fault": "bold #d55e00 reverse",
    "good": "#009e73",
    "chat": "italic #56b4e9",
    "token-blue": "#56b4e9",
    "token-green": "#009e73",
    "token-purple": "#cc79a7",
    "token-red": "#d55e00",
    "token-white": "",
    "token-yellow": "#f0e442",
    "token-pig": "bold",
}
_MONO: Mapping[str, str] = {f"seat{i}": "bold" for i in range(4)}


@dataclass(frozen=True, slots=True)
class Appearance:
    """One way to look: glyphs and colours."""

    glyphs: Glyphs
    colour: bool

    def style(self) -> Style:
        """For prompt_toolkit."""
        rules = {**_SHARED, **(_COLOURS if self.colour else _MONO)}
        return Style.from_dict({_PREFIX + name: rule for name, rule in rules.items()})


def choose(*, ascii_only: bool = False, no_colour: bool = False, encoding: str | None = None) -> Appearance:
    """From the command line's wishes, NO_COLOR (any value but the empty one, as its convention says), and whether the
    output's encoding (default: that of standard output) has our signs at all."""
    encoding = encoding or getattr(sys.stdout, "encoding", None) or "utf-8"
    glyphs = ASCII if ascii_only or not _has_signs(encoding) else UNICODE
    return Appearance(glyphs, not (no_colour or os.environ.get("NO_COLOR")))


def _has_signs(encoding: str) -> bool:
    try:
        "".join(map(chr, _TO_ASCII)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
