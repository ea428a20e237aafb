"""`p2pgame history`: which games were played here, how they ended, and how everybody has fared.

For: people, and machines with `--json`. Never: a verdict that the audit has not given, or a peer's text raw.

Theory of operation: the list comes from the files' first and last records; what the audit once said of a file is
remembered with it. `--verify` has it look at all that has no verdict yet.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from p2p import history
from p2p.audit import audit
from p2p.errors import CannotRead
from p2p.history import Past, Record
from p2p.journal import read_transcript
from p2p.place import home
from p2p.threads import all_cores

from . import logs, style
from .entries import PAST_HEADS, game_title, past_cells
from .report import out
from .style import Glyphs
from .text import clean_name, fitted, pad, width, wrap

LISTED = 20


def run_history(*, verify: bool, everything: bool, as_json: bool, ascii_only: bool, log: str | None, **_: Any) -> int:
    """The exit code. Errors: UserError."""
    logs.start(log)
    folder = home()
    games = history.finished(folder)
    if verify:
        games = [past if past.verdict else _verified(folder, past) for past in games]
    own = history.own_key(folder)
    records = history.standings(games)
    glyphs = style.choose(ascii_only=ascii_only).glyphs
    for line in lines(games if everything else games[:LISTED], len(games), records, own, glyphs):
        out(glyphs.speak(line).rstrip())
    if as_json:
        entries = [as_dict(past) for past in games]
        players = [_record(record, record.key == own) for record in records]
        out(json.dumps({"games": entries, "players": players}))
    return 0


def _verified(folder: Path, past: Past) -> Past:
    try:
        report = audit(read_transcript(past.path), all_cores())
    except CannotRead:
        return past
    history.remember(folder, past, report.verdict)
    return history.with_verdict(past, report.verdict)


def lines(games: Sequence[Past], all_games: int, records: Sequence[Record], own: bytes, glyphs: Glyphs) -> list[str]:
    """The games and the players as two tables."""
    if not games:
        return ["No game has been finished here yet."]
    rows = [(*PAST_HEADS, "table"), *((*past_cells(past), past.table[:8]) for past in games)]
    found = _columns(rows, glyphs, (2, 3))
    if all_games > len(games):
        found.append(f"… and {all_games - len(games)} older ones: p2pgame history --all")
    found += ["", "To see one again: p2pgame replay TABLE (the first letters of its id are enough)", ""]
    players = [("player", "key", "games", "won", "by game")]
    for record in records:
        kinds = ", ".join(f"{game_title(game)} {count}" for game, count in record.by_game.most_common())
        you = " (you)" if record.key == own else ""
        players.append((clean_name(record.names[0]) + you, record.mark, str(record.games), str(record.wins), kinds))
    return found + _columns(players, glyphs, (0, 4))


def _columns(rows: Sequence[Sequence[str]], glyphs: Glyphs, soft: Sequence[int]) -> list[str]:
    """As wide as the terminal at most: the `soft` columns are folded."""
    spoken = [[glyphs.speak(cell) for cell in row] for row in rows]
    most = [max(width(row[i]) for row in spoken) for i in range(len(spoken[0]))]
    room = get_terminal_size().columns - 1 - 2 * (len(most) - 1) - sum(most) + sum(most[i] for i in soft)
    folded = dict(zip(soft, fitted([most[i] for i in soft], room), strict=True))
    widths = [folded.get(i, size) for i, size in enumerate(most)]
    lines = []
    for row in spoken:
        pieces = [wrap(cell, size) for cell, size in zip(row, widths, strict=True)]
        for line in zip_longest(*pieces, fillvalue=""):
            lines.append("  ".join(pad(piece, size) for piece, size in zip(line, widths, strict=True)))
    return lines


def as_dict(past: Past) -> dict[str, Any]:
    """A game for machines."""
    return {
        "table": past.table,
        "file": str(past.path),
        "time": int(past.when),
        "game": past.game,
        "label": clean_name(past.label),
        "options": past.options,
        "players": [clean_name(name) for name in past.names],
        "keys": [key.hex() for key in past.keys],
        "result": past.result,
        "verdict": past.verdict,
        "problem": past.problem,
    }


def _record(record: Record, you: bool) -> dict[str, Any]:
    return {
        "key": record.key.hex(),
        "names": [clean_name(name) for name in record.names],
        "games": record.games,
        "wins": record.wins,
        "by_game": dict(record.by_game),
        "you": you,
    }
