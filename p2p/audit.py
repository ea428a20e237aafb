"""The audit of one file: no network, no other input, no trust in whoever handed it over.

For: `p2pgame verify`, and the end of every game. Never: IO, or naming a seat for bytes that it did not validly sign.

Theory of operation: the file's contributions are fed, in order, to the same table that peers run, as a listener. So the
contract, every signature, the chain, every proof and every decision are judged by the very code that judged them live.
Where seeds are in the file, each body that is no decision is derived again and compared, every card is opened as it is
shuffled, and every decision is judged once more with all faces known. What does not hold becomes a finding: the seat is
named when it signed the thing itself on the common chain; otherwise the file is at fault, and nobody is.

The jobs of a round are independent of each other, so whoever has threads may do them in any order; verdicts are taken
in the order of the file, and the report is the same to the letter as if one had been done after the other.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from engines.registry import BadTable
from engines.run import Run
from protocol import abandon, contribution, transcript
from protocol.contract import Contract
from protocol.contribution import CLOSING, Contribution
from protocol.decisions import ASK
from protocol.effects import Arrival, Astray, Fault, Fork, Job, Outcome
from protocol.errors import ProtocolError, Refused
from protocol.leaving import LEAVE, Departures
from protocol.secrets import Secrets
from protocol.spread import Spread, each, inline

from . import ending
from .findings import BROKEN as BROKEN
from .findings import EXIT as EXIT
from .findings import INCOMPLETE as INCOMPLETE
from .findings import SOUND as SOUND
from .findings import Finding as Finding
from .findings import Report as Report
from .table import Table
from .witness import Witness


def audit(data: bytes, spread: Spread = inline) -> Report:
    """Judge a file, in as many threads as `spread` has. Never raises for what is in it."""
    return witness(data, spread)[0]


def witness(data: bytes, spread: Spread = inline) -> tuple[Report, Witness | None]:
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
        reader = _Reader(file, spread)
        left = _left(reader)
        table = Witness(file.contract, file.signatures, _seeds(file, reader, report, left), left, spread)
    except (ProtocolError, BadTable) as error:
        report.findings.append(Finding(f"the contract: {error}"))
        report.verdict = BROKEN
        return report, None
    _replay(table, reader, report, spread)
    _evidence(table, file, report)
    _conclude(table, file, report)
    return report, table


def _left(reader: _Reader) -> dict[int, int]:
    """The keys of the seats that left properly, as the file has them: the replay checks them when it comes to them."""
    found: dict[int, int] = {}
    for item in reader.items:
        if isinstance(item, Contribution) and item.kind == LEAVE:
            with suppress(ProtocolError):
                found[item.seat] = Departures.key(item.body)
    return found


def _seeds(file: transcript.Transcript, reader: _Reader, report: Report, left: dict[int, int]) -> dict[int, Secrets]:
    """The seeds that fit what their seats committed to. Seeds are not signed, so a wrong one blames nobody."""
    found: dict[int, Secrets] = {}
    if file.seeds is None:
        return found
    commitments: dict[int, object] = {}
    for item in reader.items[: len(file.contract.seats)]:
        if isinstance(item, Contribution):
            commitments[item.seat] = item.body.get("seed")
    for seat, master in enumerate(file.seeds):
        if not master:
            if seat not in left:
                report.withheld.append(seat)
            continue
        secrets = Secrets(master, file.contract.table, seat)
        if secrets.commitment() == commitments.get(seat):
            found[seat] = secrets
        else:
            report.findings.append(Finding(f"the seed given for seat {seat + 1} is not the one that it committed to"))
    return found


def _replay(table: Table, reader: _Reader, report: Report, spread: Spread) -> None:
    """Feed everything, in order, until something does not hold: round by round, and the jobs of a round together."""
    shuffles = dict[int, list[int]]()
    while reader.more and not report.findings:
        place, fed = table.session.place, list[Contribution]()
        try:
            first = reader.item()
            reader.in_order(first, place)
            arrival = table.receive(first.data, first)
        except ProtocolError as error:
            report.findings.append(Finding(f"contribution {reader.at + 1}: {error}", None, *place))
            return
        if arrival is not Arrival.NEW:
            wrong = "is there twice" if arrival is Arrival.KNOWN else "follows the end of the game"
            report.findings.append(Finding(f"contribution {reader.at + 1} {wrong}", None, *place))
            return
        fed.append(first)
        reader.at += 1
        while (item := reader.another(table, place)) is not None:
            table.receive(item.data, item)
            fed.append(item)
            reader.at += 1
        held = _work(table, report, place, spread)
        for item in fed[:held] if report.findings else fed:
            _count(item, report, table)
            if item.kind == "shuffle":
                shuffles.setdefault(item.step, []).append(item.seat)
                report.shuffles = list(shuffles.values())


class _Reader:
    """The contributions of a file, one after the other. `items`: all of them, with valid signatures, or what is wrong
    with one (the replay says it when it comes to that one); `at`: how many have been taken."""

    def __init__(self, file: transcript.Transcript, spread: Spread) -> None:
        self.items = each(spread, partial(_parsed, file.contract), file.items)
        self.at = 0
        self._last = (-1, -1, -1)

    @property
    def more(self) -> bool:
        """Whether there is another."""
        return self.at < len(self.items)

    def item(self) -> Contribution:
        """The next one. Errors: ProtocolError."""
        item = self.items[self.at]
        if isinstance(item, ProtocolError):
            raise item
        return item

    def in_order(self, item: Contribution, place: tuple[int, int]) -> None:
        """Each contribution stands in its round, behind those of lower seats. Errors: Refused."""
        here = (*item.place, item.seat)
        if item.place != place or here <= self._last:
            raise Refused(f"out of order: step {item.step} round {item.round} seat {item.seat + 1}")
        self._last = here

    def another(self, table: Table, place: tuple[int, int]) -> Contribution | None:
        """The next one if it is due in the same round, whatever becomes of those before it; all others have to wait
        until these are judged, and are met again then."""
        session = table.session
        try:
            item = self.item() if self.more else None
            if item is None or item.kind != table.ceremony.kind or item.prev != session.prev:
                return None
            if item.seat not in session.waiting_for():
                return None
            self.in_order(item, place)
        except ProtocolError:
            return None
        return item


def _parsed(contract: Contract, data: bytes) -> Contribution | ProtocolError:
    try:
        return contribution.parse(contract, data)
    except ProtocolError as error:
        return error


def _count(item: Contribution, report: Report, table: Table) -> None:
    """This contribution holds."""
    if item.kind == LEAVE:
        report.left.append(item.seat)
    elif item.kind not in (ASK, CLOSING) and item.seat in table.known_seats():
        report.derived += 1
    report.kinds[item.kind] = report.kinds.get(item.kind, 0) + 1
    report.signatures += 1
    report.sound_to = item.place


def _work(table: Table, report: Report, place: tuple[int, int], spread: Spread) -> int:
    """Do the jobs that are due. They may be done in any order; the verdicts are taken in theirs, up to the first that
    does not hold. How many do."""
    held = 0
    try:
        jobs = _effects(table, report, place)
        while jobs and not report.findings:
            more = list[Job]()
            for job, outcome in zip(jobs, spread(_attempt, jobs), strict=True):
                table.done(job.id, outcome)
                more += _effects(table, report, place)
                if report.findings:
                    break
                held += 1
            jobs = more
    except ProtocolError as error:
        report.findings.append(Finding(str(error), None, *place))
    return held


def _attempt(job: Job) -> Outcome:
    try:
        return job.run()
    except ProtocolError as error:
        return error


def _effects(table: Table, report: Report, place: tuple[int, int]) -> list[Job]:
    """What has become of the table: its jobs; whatever ends it is a finding."""
    jobs = []
    for effect in table.take():
        if isinstance(effect, Job):
            jobs.append(effect)
        elif isinstance(effect, Fault):
            report.findings.append(Finding(effect.reason, effect.seat, *effect.contribution.place))
        elif isinstance(effect, Fork):
            report.findings.append(_fork(effect.seat, effect.first))
        elif isinstance(effect, Astray):
            report.findings.append(Finding("a contribution rests on another history", None, *place))
    return jobs


def _fork(seat: int, item: Contribution) -> Finding:
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
    elif file.abandoned is not None and not report.findings:
        _abandoned(table, file.abandoned, report)
    elif file.fault is not None and table.ended is None and not report.findings:
        place = table.session.place
        try:
            table.receive(file.fault)
        except ProtocolError as error:
            report.findings.append(Finding(f"evidence that proves nothing: {error}", None, *place))
            return
        _work(table, report, place, inline)
        if not report.findings:
            report.findings.append(Finding("evidence that proves nothing: the contribution holds", None, *place))


def _abandoned(table: Table, signatures: tuple[bytes, ...], report: Report) -> None:
    """Signatures under the chain as it stands here, of a table that could still be abandoned."""
    session = table.session
    try:
        given = abandon.check(table.contract, len(session.chain), session.prev, signatures)
    except ProtocolError as error:
        report.findings.append(Finding(str(error), None, *session.place))
        return
    if table.closed or session.got():
        report.findings.append(
            Finding("abandon: not at the end of a round, or after all have closed", None, *session.place)
        )
    report.ending = ending.words(table, given)


def _closed(run: Run, table: Witness) -> int:
    """Cards of which nobody who reads the file can tell the face: not opened, and not viewed by a seat whose seed is
    there."""
    seen = set(run.game.faces) | set(table.truth)
    return len(run.live - seen.union(*run.known.values()))


def _conclude(table: Witness, file: transcript.Transcript, report: Report) -> None:
    """The verdict, and how the table ended."""
    run = table.run
    report.result = table.result() if run and run.result else None
    report.cards = len(table.deck.faces)
    report.closed = _closed(run, table) if run else 0
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
    elif file.abandoned is not None:
        pass  # the ending is told already
    elif table.deserted:
        report.ending = ending.desertion(table)
    elif report.result is None:
        report.ending = f"unfinished at step {table.session.place[0]}, waiting for {names}"
    elif not table.closed:
        report.ending = f"complete, not closed by {names}"
    elif file.seeds is None or report.withheld:
        without = ", ".join(file.contract.names[seat] for seat in report.withheld) or "everyone"
        report.ending = f"complete and closed, seeds withheld by {without}"
    else:
        who = ", ".join(file.contract.names[seat] for seat in report.left)
        gone = f" but of {who}, who left properly" if who else ""
        report.verdict, report.ending = SOUND, f"complete, closed, every seed revealed{gone}"
