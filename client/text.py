"""The one gate for text that came from somebody else, and the measuring of text in columns.

For: every name, chat line and reason of a peer, before it is shown, logged or printed. Never: a character that moves
the cursor, hides, reverses or joins others; nothing is silently lost that could make two names look alike.

Theory of operation: text is normalised (NFC), then judged character by character. What is not plainly visible becomes
visible: control characters as their control pictures, everything else as its number in angle brackets. Two mercies:
combining marks may follow a letter, a few of them; and after a pictograph the joiners, variation selectors and skin
tones are dropped, since terminals disagree about their width, as flags are written as their two letters. Width is the
sum over characters, which is also how prompt_toolkit counts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from wcwidth import wcwidth

NAME_CAP = 24
"""Columns of a player's or table's name: it has to fit the top line several times."""
LINE_CAP = 400
"""Columns of a chat line or a reason."""
MOST_MARKS = 2
"""Combining marks on one character: more are no script's need but a way to smear over neighbouring lines."""

_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""Visible by category, invisible on a screen."""
_REGIONAL = range(0x1F1E6, 0x1F200)
_TONES = range(0x1F3FB, 0x1F400)
_SELECTORS = range(0xFE00, 0xFE10)
_JOINER = 0x200D
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def _number(char: str) -> str:
    return f"<{ord(char):04X}>"


def _visible(char: str) -> str:
    """One character that must not be passed on as it is."""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else _number(char)


def clean(text: str, cap: int = LINE_CAP) -> str:
    """`text`, harmless and at most `cap` columns wide. Never raises, whatever the text is."""
    out: list[str] = []
    marks, pictograph = MOST_MARKS, False  # a mark at the very start has nothing to sit on
    # Four characters a column are more than any honest text needs; the rest is not even looked at.
    for char in unicodedata.normalize("NFC", text[: 4 * cap]):
        code, category = ord(char), unicodedata.category(char)
        if pictograph and (code == _JOINER or code in _SELECTORS or code in _TONES):
            continue
        if code in _REGIONAL:
            out.append(chr(code - _REGIONAL[0] + ord("A")))
            marks, pictograph = 0, False
        elif category == "Zs":
            out.append(" ")
            marks, pictograph = MOST_MARKS, False
        elif category in ("Mn", "Me", "Mc") and char not in _BLANKS and code not in _SELECTORS:
            marks += 1
            out.append(char if marks <= MOST_MARKS else _number(char))
            pictograph = False
        elif category in _HIDDEN or char in _BLANKS or code in _SELECTORS or wcwidth(char) < 1:
            out.append(_visible(char))
            marks, pictograph = MOST_MARKS, False
        else:
            out.append(char)
            marks, pictograph = 0, category == "So"
    shown = "".join(out)
    return cut(shown, cap) if len(text) <= 4 * cap else cut(shown, cap - 1, "") + "…"


def clean_name(text: str) -> str:
    """A player's or table's name: one line, no outer or double spaces, never empty."""
    return " ".join(clean(text, NAME_CAP).split()) or "?"


def clean_names(names: Iterable[str], show: Callable[[str], str] = str) -> list[str]:
    """The names of all seats as they can be shown, told apart if they look the same then. `show`: what is made of each,
    if not every sign can be shown."""
    from p2p.acquaint import told_apart  # takes time to import

    return list(told_apart([show(clean_name(name)) for name in names]))


@lru_cache(maxsize=4096)
def _char_width(char: str) -> int:
    return max(0, wcwidth(char))


def width(text: str) -> int:
    """Columns that the text takes."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def take(text: str, columns: int) -> str:
    """As many whole characters as fit into `columns`."""
    used = 0
    for place, char in enumerate(text):
        used += _char_width(char)
        if used > columns:
            return text[:place]
    return text


def cut(text: str, columns: int, end: str = "…") -> str:
    """At most `columns` wide; what was shortened ends in `end`."""
    if width(text) <= columns:
        return text
    if columns <= width(end):
        return take(end, max(0, columns))
    return take(text, columns - width(end)) + end


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Exactly `columns` wide: cut or filled with spaces, `right`: on the left side."""
    text = cut(text, columns)
    space = " " * (columns - width(text))
    return space + text if right else text + space


def fitted(widths: Sequence[int], columns: int, least: int = 8) -> list[int]:
    """Column widths that are `columns` together: what is too much is taken from the widest, down to `least` each."""
    found = list(widths)
    while sum(found) > columns and max(found) > least:
        found[found.index(max(found))] -= 1
    return found


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Lines of at most `columns`, broken between words where possible; all but the first start with `indent`. Never
    empty."""
    columns = max(1, columns)
    if width(indent) * 2 > columns:
        indent = ""
    lines: list[str] = []
    line, empty = "", True
    for word in text.split(" "):
        joined = line + word if empty else f"{line} {word}"
        if width(joined) <= columns:
            line, empty = joined, False
            continue
        if not empty:
            lines.append(line)
            line = indent
        while width(line + word) > columns:
            piece = take(word, columns - width(line)) or word[:1]
            lines.append(line + piece)
            line, word = indent, word[len(piece) :]
        line, empty = line + word, False
    lines.append(line)
    return lines


def paragraphs(text: str, columns: int) -> list[str]:
    """A page: each line of `text` wrapped, with its own leading spaces and list mark as indent."""
    lines: list[str] = []
    for line in text.splitlines():
        bare = line.lstrip(" ")
        lead = " " * (len(line) - len(bare) + (2 if bare.startswith(("- ", "· ")) else 0))
        lines.extend(piece.rstrip() for piece in wrap(line, columns, lead))
    return lines
