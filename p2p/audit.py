"""The audit of one file: no network, no other input, no trust in whoever handed it over.

For: `p2pgame verify`, and the end of every game. Never: IO, or naming a seat for bytes that it did not validly sign.

Theory of operation: the file's contributions are fed, in order, to the same table that peers run, as a listener. So the
contract, every signature, the chain, every proof and every decision are judged by the very code that judged them live.
Where seeds are in the file, each body that is no decision is derived again and compared, every card is opened as it is
shuffled, and every decision is judged once more with all faces known. What does not hold becomes a finding: the seat is
named when it signed the thing itself on the common chain; otherwise the file is at fault, and nobody is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engines.menus import Card, Face, Hidden
from engines.registry import BadTable
from engines.requests import Ask, Shuffle
from engines.run import IllegalDecision, Run
from protocol import contribution, dealing, transcript
from protocol.ceremony import Ceremony
from protocol.contract import Contract
from protocol.errors import ProtocolError, Refused
from protocol.secrets import Secrets
from protocol.session import Arrival, Decisions, Fault, Fork, Job

from .table import Table

SOUND, BROKEN, INCOMPLETE = "sound", "broken", "incomplete"
EXIT = {SOUND: 0, BROKEN: 1, INCOMPLETE: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold. `seat` is None where no seat is to blame."""

    reason: str
    seat: int | None = None
    step: int | None = None
    round: int | None = None


@dataclass
class Report:
    """What was checked and what came out. `sound_to`: the last (step, round) up to which everything holds."""

    verdict: str = INCOMPLETE
    table: str = ""
    hash: str = ""
    game: str = ""
    label: str = ""
    names: list[str] = field(default_factory=list)
    result: dict[str, Any] | None = None
    ending: str = ""
    findings: list[Finding] = field(default_factory=list)
    sound_to: tuple[int, int] | None = None
    signatures: int = 0
    derived: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    shuffles: list[list[int]] = field(default_factory=list)
    cards: int = 0
    closed: int = 0
    withheld: list[int] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 all sound, 1 something does not hold, 2 unreadable or incomplete."""
        return EXIT[self.verdict]


class Witness(Table):
    """A table whose every card is known, as far as the seeds in the file allow. `answers`: what the rules were given,
    one after the other, but for fresh decks, which are given nothing."""

    def __init__(self, contract: Contract, signatures: list[bytes], seeds: dict[int, Secrets]) -> None:
        self.truth: dict[Card, Face] = {}
        self.answers: list[Any] = []
        self._xs = [seeds[seat].x for seat in sorted(seeds)] if len(seeds) == len(contract.seats) else []
        super().__init__(contract, signatures, seeds=seeds)

    def known_seats(self) -> list[int]:
        """The seats of which it is known what they saw: their seeds are in the file."""
        return sorted(self._known_seeds)

    def _answer(self, run: Run, ceremony: Ceremony) -> Any:
        request = run.pending
        answer = super()._answer(run, ceremony)
        if self._xs and isinstance(request, Shuffle) and isinstance(ceremony, dealing.Shuffle):
            self.truth.update(self._face_of(self.deck.reveal(ceremony.result, self._xs)))
        if self._xs and isinstance(request, Ask) and isinstance(ceremony, Decisions):
            for seat, choice in sorted(answer.items()):
                why = request.menus[seat].judge(self._all_faces, choice, final=True)
                if why:
                    raise IllegalDecision(seat, why)
        self.answers.append(answer)
        return answer

    def _all_faces(self, card: Card) -> Face:
        face = self.truth.get(card) or self.game.faces.get(card)
        if face is None:
            raise Hidden(repr(card))
        return face


def audit(data: bytes) -> Report:
    """Judge a file. Never raises for what is in it."""
    return witness(data)[0]


def witness(data: bytes) -> tuple[Report, Witness | None]:
    """The same, with the table as it was found; None if there is none in the file."""
    report = Report()
    try:
        file = transcript.read(data)
    except ProtocolError as error:
        report.findings.append(Finding(str(error)))
        return report, None
    report.table, report.hash = file.contract.table.hex(), file.identity.hex()
    report.game, report.label, report.names = file.contract.game, file.contract.label, list(file.contract.names)
    try:
        table = Witness(file.contract, file.signatures, _seeds(file, report))
    except (ProtocolError, BadTable) as error:
        report.findings.append(Finding(f"the contract: {error}"))
        report.verdict = BROKEN
        return report, None
    _replay(table, file, report)
    _evidence(table, file, report)
    _conclude(table, file, report)
    return report, table


def _seeds(file: transcript.Transcript, report: Report) -> dict[int, Secrets]:
    """The seeds that fit what their seats committed to. Seeds are not signed, so a wrong one blames nobody."""
    found: dict[int, Secrets] = {}
    if file.seeds is None:
        return found
    commitments: dict[int, object] = {}
    for data in file.items[: len(file.contract.seats)]:
        try:
            item = contribution.parse(file.contract, data)
        except ProtocolError:
            continue  # the replay meets it again, and says what is wrong with it
        commitments[item.seat] = item.body.get("seed")
    for seat, master in enumerate(file.seeds):
        if not master:
            report.withheld.append(seat)
            continue
        secrets = Secrets(master, file.contract.table, seat)
        if secrets.commitment() == commitments.get(seat):
            found[seat] = secrets
        else:
            report.findings.append(Finding(f"the seed given for seat {seat + 1} is not the one that it committed to"))
    return found


def _replay(table: Table, file: transcript.Transcript, report: Report) -> None:
    """Feed everything, in order, until something does not hold."""
    kinds: Counter[str] = Counter()
    last = (-1, -1, -1)
    for index, data in enumerate(file.items):
        place = table.session.place
        try:
            item = contribution.parse(file.contract, data)
            here = (*item.place, item.seat)
            if item.place != place or here <= last:
                raise Refused(f"out of order: step {item.step} round {item.round} seat {item.seat + 1}")
            last = here
            arrival = table.receive(data)
        except ProtocolError as error:
            report.findings.append(Finding(f"contribution {index + 1}: {error}", None, *place))
            return
        if arrival is not Arrival.NEW or not _work(table, report, place):
            if not report.findings:
                report.findings.append(Finding(f"contribution {index + 1} is there twice", None, *place))
            return
        kinds[item.kind] += 1
        report.kinds = dict(kinds)
        if item.kind == "shuffle":
            if item.round == 0:
                report.shuffles.append([])
            report.shuffles[-1].append(item.seat)
        report.signatures = index + 1
        report.sound_to = place


def _work(table: Table, report: Report, place: tuple[int, int]) -> bool:
    """Do the jobs that are due; whether all of it holds."""
    try:
        while effects := table.take():
            for effect in effects:
                if isinstance(effect, Job):
                    try:
                        outcome = effect.run()
                    except ProtocolError as error:
                        table.done(effect.id, error)
                    else:
                        table.done(effect.id, outcome)
                elif isinstance(effect, Fault):
                    report.findings.append(Finding(effect.reason, effect.seat, *effect.contribution.place))
                elif isinstance(effect, Fork):
                    report.findings.append(_fork(effect.seat, effect.first))
                elif type(effect).__name__ == "Astray":
                    report.findings.append(Finding("a contribution rests on another history", None, *place))
    except ProtocolError as error:
        report.findings.append(Finding(str(error), None, *place))
    return not report.findings


def _fork(seat: int, item: contribution.Contribution) -> Finding:
    return Finding("signed two different things for one place", seat, *item.place)


def _evidence(table: Table, file: transcript.Transcript, report: Report) -> None:
    """The record that ended the table, if there is one, must hold as evidence."""
    if file.fork is not None:
        try:
            first, second = (contribution.parse(file.contract, data) for data in file.fork)
        except ProtocolError as error:
            report.findings.append(Finding(f"evidence that proves nothing: {error}"))
            return
        if first.data == second.data or (first.place, first.seat) != (second.place, second.seat):
            report.findings.append(Finding("evidence that proves nothing: it shows no two things for one place"))
        else:
            report.findings.append(_fork(first.seat, first))
    elif file.fault is not None and table.ended is None and not report.findings:
        place = table.session.place
        try:
            table.receive(file.fault)
        except ProtocolError as error:
            report.findings.append(Finding(f"evidence that proves nothing: {error}", None, *place))
            return
        if _work(table, report, place):
            report.findings.append(Finding("evidence that proves nothing: the contribution holds", None, *place))


def _conclude(table: Witness, file: transcript.Transcript, report: Report) -> None:
    """The verdict, and how the table ended."""
    run = table.run
    report.result = table.result() if run and run.result else None
    report.cards = len(table.deck.faces)
    report.derived = report.signatures if not report.withheld and file.seeds is not None else 0
    report.closed = sum(1 for card in run.live if card not in run.game.faces and card not in table.truth) if run else 0
    names = ", ".join(file.contract.names[seat] for seat in table.session.waiting_for())
    if file.seeds is not None and not table.closed and not report.findings:
        report.findings.append(Finding("seeds are in the file although the table was not closed by all"))
    if file.problem:
        report.findings.append(Finding(file.problem))
    broken = [finding for finding in report.findings if finding.reason != file.problem]
    if broken:
        report.verdict, report.ending = BROKEN, "something does not hold"
    elif file.problem:
        report.ending = "the file is not whole"
    elif report.result is None:
        report.ending = f"unfinished at step {table.session.place[0]}, waiting for {names}"
    elif not table.closed:
        report.ending = f"complete, not closed by {names}"
    elif file.seeds is None or report.withheld:
        without = ", ".join(file.contract.names[seat] for seat in report.withheld) or "everyone"
        report.ending = f"complete and closed, seeds withheld by {without}"
    else:
        report.verdict, report.ending = SOUND, "complete, closed, every seed revealed"
