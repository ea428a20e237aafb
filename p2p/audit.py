"""The audit of one file: no network, no other input, no trust in whoever handed it over.

For: `p2pgame verify`, and the end of every game. Never: IO, or naming a seat for bytes that it did not validly sign.

Theory of operation: the file's contributions are fed, in order, to the same table that peers run, as a listener. So the
contract, every signature, the chain, every proof and every decision are judged by the very code that judged them live.
Where seeds are in the file, each body that is no decision is derived again and compared, every card is opened as it is
shuffled, and every decision is judged once more with all faces known. What does not hold becomes a finding: the seat is
named when it signed the thing itself on the common chain; otherwise the file is at fault, and nobody is.

Whoever has threads judges quickly first: whatever can wait (proofs, bodies that are derived again) is put off to the
end, and done by all of them. If anything at all does not hold, the file is judged once more, one contribution after the
other. So no finding rests on what was not checked before, and the report is the same to the letter.
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
from protocol.spread import Spread, inline

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
    try:
        file = transcript.read(data)
    except ProtocolError as error:
        return Report(findings=[Finding(str(error))]), None
    items = spread(partial(_parsed, file.contract), file.items)
    if spread is not inline:
        with suppress(Exception):  # what is used before it is checked may go wrong in any way; then it is checked first
            later = list[Job]()
            found = _judged(file, items, spread, later)
            if not found[0].findings and _all_hold(later, spread):
                return found
    return _judged(file, items, spread, None)


def _all_hold(jobs: list[Job], spread: Spread) -> bool:
    """Whether they do. After the first that does not, none is begun."""
    failed = list[Outcome]()

    def one(job: Job) -> None:
        if not failed and (outcome := job.outcome()) is not None:
            failed.append(outcome)

    spread(one, jobs)
    return not failed


def _judged(
    file: transcript.Transcript, items: list[Contribution | ProtocolError], spread: Spread, later: list[Job] | None
) -> tuple[Report, Witness | None]:
    """What is in a file, but for the jobs that are put off till `later`, if there is such a list."""
    report = Report()
    report.table, report.hash = file.contract.table.hex(), file.identity.hex()
    report.game, report.label, report.names = file.contract.game, file.contract.label, list(file.contract.names)
    left = _left(items)
    try:
        table = Witness(file.contract, file.signatures, _seeds(file, items, report, left), left, spread)
    except (ProtocolError, BadTable) as error:
        report.findings.append(Finding(f"the contract: {error}"))
        report.verdict = BROKEN
        return report, None
    _replay(table, items, report, later)
    _evidence(table, file, report)
    _conclude(table, file, report)
    return report, table


def _left(items: list[Contribution | ProtocolError]) -> dict[int, int]:
    """The keys of the seats that left properly, as the file has them: the replay checks them when it comes to them."""
    found: dict[int, int] = {}
    for item in items:
        if isinstance(item, Contribution) and item.kind == LEAVE:
            with suppress(ProtocolError):
                found[item.seat] = Departures.key(item.body)
    return found


def _seeds(
    file: transcript.Transcript, items: list[Contribution | ProtocolError], report: Report, left: dict[int, int]
) -> dict[int, Secrets]:
    """The seeds that fit what their seats committed to. Seeds are not signed, so a wrong one blames nobody."""
    found: dict[int, Secrets] = {}
    if file.seeds is None:
        return found
    commitments: dict[int, object] = {}
    for item in items[: len(file.contract.seats)]:
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


def _replay(table: Table, items: list[Contribution | ProtocolError], report: Report, later: list[Job] | None) -> None:
    """Feed everything, in order, until something does not hold."""
    shuffles = dict[int, list[int]]()
    last = (-1, -1, -1)
    for number, item in enumerate(items, 1):
        place = table.session.place
        try:
            if isinstance(item, ProtocolError):
                raise item
            here = (*item.place, item.seat)
            if item.place != place or here <= last:  # each stands in its round, behind those of lower seats
                raise Refused(f"out of order: step {item.step} round {item.round} seat {item.seat + 1}")
            arrival = table.receive(item.data, item)
        except ProtocolError as error:
            report.findings.append(Finding(f"contribution {number}: {error}", None, *place))
            return
        if arrival is not Arrival.NEW:
            wrong = "is there twice" if arrival is Arrival.KNOWN else "follows the end of the game"
            report.findings.append(Finding(f"contribution {number} {wrong}", None, *place))
            return
        last = here
        _work(table, report, place, later)
        if report.findings:
            return
        _count(item, report, table)
        if item.kind == "shuffle":
            shuffles.setdefault(item.step, []).append(item.seat)
            report.shuffles = list(shuffles.values())


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


def _work(table: Table, report: Report, place: tuple[int, int], later: list[Job] | None = None) -> None:
    """Do the jobs that are due, until something does not hold."""
    try:
        while (jobs := _effects(table, report, place)) and not report.findings:
            for job in jobs:
                if later is not None and job.can_wait:
                    later.append(job)
                    table.done(job.id, None)
                else:
                    table.done(job.id, job.outcome())
    except ProtocolError as error:
        report.findings.append(Finding(str(error), None, *place))


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
        _work(table, report, place)
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
