"""What `verify` and `rules` print.

For: people, and machines with `--json`. Never: a verdict of its own (the audit has it), or a peer's text raw.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from engines import registry
from engines.requests import Result
from p2p.audit import BROKEN, INCOMPLETE, Finding, Report, audit
from p2p.errors import CannotRead
from p2p.history import find_record, remember_file
from p2p.journal import read_transcript
from p2p.place import home
from p2p.threads import all_cores

from .output import out as out  # where it used to be
from .render.base import renderer
from .style import choose
from .text import clean, clean_name, clean_names, paragraphs

MARK = {"sound": "SOUND", "broken": "DOES NOT HOLD", "incomplete": "INCOMPLETE"}


def verify_files(paths: Sequence[str], *, as_json: bool) -> int:
    """Audit files and print a report of each; the worst exit code: 1 before 2 before 0."""
    reports = []
    for path in paths:
        try:
            file = find_record(home(), path)
            report = audit(read_transcript(file), all_cores())
            remember_file(home(), file, report.verdict)
        except CannotRead as error:
            report = Report(findings=[Finding(str(error))])
        reports.append(report)
        for line in lines(path, report):
            out(line)
    if as_json:
        entries = [{"file": path, **as_dict(report)} for path, report in zip(paths, reports, strict=True)]
        out(json.dumps({"verdict": _worst(reports), "files": entries}, ensure_ascii=True))
    codes = {report.exit_code for report in reports}
    return next((code for code in (1, 2) if code in codes), 0)


def _worst(reports: Sequence[Report]) -> str:
    verdicts = {report.verdict for report in reports}
    return next((verdict for verdict in (BROKEN, INCOMPLETE) if verdict in verdicts), "sound")


def as_dict(report: Report) -> dict[str, Any]:
    """A report for machines."""
    return asdict(report)


def lines(path: str, report: Report) -> list[str]:
    """A report for people."""
    mark = MARK[report.verdict] if report.table else "UNREADABLE"
    found = [f"{clean(path)}: {mark}" + (f" - {clean(report.ending)}" if report.ending else "")]
    names = clean_names(report.names)
    for finding in report.findings:
        where = "" if finding.step is None else f" (step {finding.step}, round {finding.round})"
        who = "" if finding.seat is None else f"{names[finding.seat]} (seat {finding.seat + 1}): "
        found.append(f"  {who}{clean(finding.reason)}{where}")
    if report.sound_to is not None and report.verdict != "sound":
        found.append(f"  sound up to step {report.sound_to[0]}, round {report.sound_to[1]}")
    if not names:
        return found
    found.append(f"  {clean(report.game)} at table {clean_name(report.label)}, among {', '.join(names)}")
    found.append(f"  table {report.table[:16]}, record {report.hash[:16]}")
    if report.result is not None and report.verdict == "sound":
        found.append(f"  result: {result_words(report)}")
    found.append(f"  {report.signatures} signatures and contributions hold")
    for number, seats in enumerate(report.shuffles, 1):
        found.append(f"  shuffle {number}: by {', '.join(names[seat] for seat in seats)}, every proof checked")
    if report.verdict == "sound":
        found.append(f"  {report.derived} contributions derived again from the revealed seeds, all equal")
        found.append(f"  {report.cards} cards: all of them opened, the rules replayed with every face known")
    elif report.closed:
        found.append(f"  {report.closed} cards stay closed")
    if report.withheld:
        found.append(f"  seeds withheld by {', '.join(names[seat] for seat in report.withheld)}")
    return found


def result_words(report: Report) -> str:
    """How the game ended, in the game's own words."""
    given = report.result or {}
    result = Result(tuple(given["winners"]), tuple(given["scores"]), given["reason"])
    return renderer(report.game).result_text(result, clean_names(report.names))


def list_games(*, ascii_only: bool) -> int:
    """Print which games there are."""
    glyphs = choose(ascii_only=ascii_only).glyphs
    for game in registry.GAMES:
        low, high = registry.seat_range(game)
        seats = f"{low} to {high}" if low < high else f"{low}"
        out(glyphs.speak(f"{game:<10} {registry.title(game)}, {seats} players: p2pgame rules {game}"))
    return 0


def show_rules(game: str, *, ascii_only: bool) -> int:
    """Print a game's rules. Errors: BadTable."""
    registry.title(game)
    glyphs = choose(ascii_only=ascii_only).glyphs
    for line in paragraphs(renderer(game).rules_text(), 79):
        out(glyphs.speak(line))
    return 0
