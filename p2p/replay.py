"""A finished game, step by step, forwards and backwards.

For: `p2pgame replay`. Never: IO, a face that nobody saw at the table (what a seat saw is known only where its seed is
in the file), or a game shown as sound that is not.

Theory of operation: the audit feeds the file to a table and so learns what the rules were answered. A generator cannot
go back, so each earlier moment is reached by running the rules again from the start with the answers up to there; later
ones by going on. A moment is where somebody has to decide and something has happened since the last one, or the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engines.registry import create
from engines.requests import Ask, Deck, Tell
from engines.run import IllegalDecision, Run

from .audit import Report, witness
from .errors import NotATranscript
from .threads import all_cores


@dataclass(frozen=True, slots=True)
class Moment:
    """One position of the replay: so many answers and events have been by then; `mark`: what it is found by."""

    answers: int
    events: int
    mark: str


@dataclass
class Recording:
    """One game as its file tells it. `answers`: what the rules were given, but for fresh decks; `known_seats`: the
    seats of which it can be told what they saw; `report`: what the audit says."""

    game: str
    names: list[str]
    label: str
    options: dict[str, Any]
    table_id: str
    answers: list[Any]
    known_seats: list[int]
    report: Report


def read(data: bytes, where: str) -> Recording:
    """The game in a file. Errors: NotATranscript, which says `where` it was."""
    report, table = witness(data, all_cores())
    if table is None or table.run is None:
        why = report.findings[0].reason if report.findings else "nothing was played yet"
        raise NotATranscript(path=where, why=why)
    contract = table.contract
    return Recording(
        contract.game,
        list(contract.names),
        contract.label,
        dict(contract.options),
        contract.table.hex(),
        table.answers,
        table.known_seats(),
        report,
    )


class Replay:
    """A recorded game, moment by moment. `mark(game, table)`: a word for a moment, such as the round."""

    def __init__(self, recording: Recording, mark: Callable[[str, Any], str]) -> None:
        self.about = recording
        self.events: list[Tell] = []
        """All that was told, up to the moment that `at` was asked for."""
        self._given = 0
        self._run = self._begin()
        self.moments = self._scan(mark)

    def _begin(self) -> Run:
        self.events.clear()
        self._given = 0
        run = Run(create(self.about.game, len(self.about.names), self.about.options), self.events.append)
        self._settle(run)
        return run

    def _settle(self, run: Run) -> None:
        while isinstance(run.pending, Deck):
            run.answer(None)

    def _advance(self) -> bool:
        """One more answer; False if there is none, or the rules do not take it."""
        if self._given >= len(self.about.answers) or self._run.finished:
            return False
        try:
            self._run.answer(self.about.answers[self._given])
        except IllegalDecision:  # the last one in a file that does not hold
            return False
        self._given += 1
        self._settle(self._run)
        return True

    def _scan(self, mark: Callable[[str, Any], str]) -> list[Moment]:
        moments: list[Moment] = []
        while True:
            run = self._run
            news = not moments or len(self.events) > moments[-1].events
            if news and (run.finished or isinstance(run.pending, Ask)):
                moments.append(Moment(self._given, len(self.events), mark(self.about.game, run.game.table)))
            if not self._advance():
                break
        if not moments or self._given > moments[-1].answers:
            moments.append(Moment(self._given, len(self.events), mark(self.about.game, self._run.game.table)))
        return moments

    def at(self, number: int) -> Run:
        """The game at that moment, and `events` up to there. Good until the next call."""
        answers = self.moments[number].answers
        if answers < self._given:
            self._run = self._begin()
        while self._given < answers and self._advance():
            pass
        return self._run

    def news(self, number: int) -> int:
        """How many of the events up to that moment are older than it."""
        return self.moments[number - 1].events if number else 0
