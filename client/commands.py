"""Words that are not choices of the game: rules, chat, fairness, board, leave.

For: the input line of the full screen and the plain mode, which understand the same. Never: a game's own words; where a
choice of the game has the name of a command, the choice comes first, and the command needs its slash.
"""

from __future__ import annotations

from collections.abc import Iterable

HELP = {
    "rules": "the game in brief, and how this program reads its rules",
    "say": "say something to everybody: say hello",
    "chat": "what was said",
    "fairness": "why nobody can cheat here, and what was checked",
    "board": "the board",
    "choices": "what is asked, and everything that can be chosen, in full",
    "log": "what happened",
    "result": "how it ended, and what everybody scored for what",
    "bots": "host, before the game: bots 2 puts bots of yours on 2 free seats",
    "bell": "whether it rings when your turn comes: on or off",
    "clock": "show, or hide again, how long has been waited",
    "leave": "leave the table",
    "abandon": "somebody cannot be reached: wait no longer, if all others agree",
    "help": "this",
}


_WITH_MORE = ("say", "bots")
"""Commands that more can follow."""


def parse(line: str, labels: Iterable[str] = ()) -> tuple[str, str] | None:
    """The command of a line and what follows it; None if the line is the game's."""
    text = line.strip()
    slash = text.startswith("/")
    word, _, rest = text.removeprefix("/").partition(" ")
    word, rest = word.casefold(), rest.strip()
    if word in ("quit", "exit"):
        word = "leave"
    if word not in HELP or (not slash and word in {label.casefold() for label in labels}):
        return ("unknown", word) if slash else None
    if rest and word == "chat":
        word = "say"
    if rest and word not in _WITH_MORE and not slash:
        return None
    return word, rest


def help_text(*, keys: bool = True) -> str:
    """All commands, and how to choose; without what needs a screen, if there are no `keys`."""
    clicks = "; clicks work, too" if keys else ""
    lines = [f"Choose by number or by words, as many as you like in one line{clicks}.", ""]
    lines += ["?          why something is not possible (? WORD: only that)"]
    lines += [f"{'back, Esc' if keys else 'back, <':<10} one step back"]
    if keys:
        lines += [
            "Tab        complete the word",
            "F1 to F4   rules, chat, fairness, board; PgUp and PgDn scroll",
            "Ctrl-C     leave for good (you are asked); to go on later, close the window",
            "Ctrl-R     after the end: again with the same players",
        ]
    lines.append("")
    lines += [f"{word:<10} {text}" for word, text in HELP.items()]
    return "\n".join(lines)
