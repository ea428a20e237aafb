"""How the record of a table ends, and what is told to those who come late to that end.

For: the table's file, and peers that answer after the end. Never: IO; a contribution twice in one file, but for one
that is half of a fork of an old place; anything that was signed beyond the point at which a table has ended.

Theory of operation: what ended a table early stands last in its file, and before it only what it rests on, whatever
else each peer has seen: so the files of all honest peers are the same, also of those who were further on, or on the
other branch of a fork. Whoever has these contributions comes to the same verdict alone, so that is what a late peer is
sent, and nothing else. But nobody can wipe out a game by breaking a rule at its beginning when it is almost over:
rounds on which every other seat has signed something stay. They are no branch, since nobody can be on another; of these
files one can have a few rounds more than another.

    ended by                              before it stand                            last stands
    a contribution that does not hold     the rounds up to its `prev`, or all that   that contribution: a fault
                                          the others share
    a round that does not hold as one     these, and the others of that round        the last of the round: a fault
    a decision, once its cards are open   the whole chain, the decision in it        nothing
    two contributions for one place       the rounds before that place, or all       both: a fork
                                          that the others share
    those present, who abandon it, or     the rounds under which they have signed    their signatures
    one of the last two, who gives up
    leaves of all but one                 the whole chain, and what the open round   nothing
                                          has of them
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from protocol import transcript
from protocol.abandon import Abandoned
from protocol.contribution import Contribution, next_hash, start_hash
from protocol.effects import Fault, Fork
from protocol.leaving import FEWEST

if TYPE_CHECKING:
    from .table import Table

Rounds = Sequence[Sequence[Contribution]]


def _rounds(table: Table) -> Rounds:
    """The rounds before the end; some can be empty, when all who would have owed something have left."""
    rounds: Rounds = table.session.chain
    ended = table.ended
    if table.abandoned is not None:
        return rounds[: table.abandoned.rounds]
    before: Rounds = rounds
    if isinstance(ended, Fork):
        place = ended.first.place
        before = list(takewhile(lambda one: not one or one[0].place < place, rounds))
    elif isinstance(ended, Fault) and evidence(table):
        prev = ended.contribution.prev
        before = list(takewhile(lambda one: not one or one[0].prev != prev, rounds))
    return rounds[: max(len(before), _shared(table))] if ended else rounds


def _shared(table: Table) -> int:
    """So many rounds are common to all who are not guilty: each of them has signed something that rests on these."""
    session, guilty = table.session, table.ended.seat if table.ended else None
    signed = dict.fromkeys(set(table.deck.serving) - {guilty, table.seat}, 0)
    for rounds, one in enumerate([*session.chain, session.since(len(session.chain))]):
        signed.update({item.seat: rounds for item in one if item.seat in signed})
    return min(signed.values(), default=len(session.chain))


def _beside(table: Table) -> list[Contribution]:
    """What is kept of the round that was open."""
    if table.abandoned is not None:
        return []
    ended, mine = table.ended, table.session.since(len(table.session.chain))
    if ended is None:
        return mine
    return (
        [item for item in mine if item != ended.contribution] if isinstance(ended, Fault) and ended.seat is None else []
    )


def evidence(table: Table) -> list[Contribution]:
    """The contributions that show why the table has ended, but for a fault that stands in the chain already."""
    if isinstance(table.ended, Fork):
        return [table.ended.first, table.ended.second]
    if isinstance(table.ended, Fault):
        guilty = table.ended.contribution
        return [] if any(guilty.data == item.data for item in chain.from_iterable(table.session.chain)) else [guilty]
    return []


def told(table: Table, rounds: int) -> list[Contribution]:
    """What a peer needs that has so many rounds, to come to the same end."""
    missing = list(chain.from_iterable(_rounds(table)[max(0, rounds) :]))
    return [*missing, *_beside(table), *(item for item in evidence(table) if item not in missing)]


def file(table: Table) -> bytes:
    """The transcript as far as it is complete, in canonical order, with what ended it, or the seeds that are here."""
    payloads = [transcript.header(table.contract, table.signatures)]
    payloads += [transcript.item(item.data) for item in (*chain.from_iterable(_rounds(table)), *_beside(table))]
    last = evidence(table)
    if table.abandoned is not None:
        payloads.append(transcript.abandoned(table.abandoned.signatures))
    elif len(last) == 2:
        payloads.append(transcript.fork(last[0].data, last[1].data))
    elif last:
        payloads.append(transcript.fault(last[0].data))
    elif table.closed and table.ended is None:
        payloads.append(transcript.seeds([table.seeds.get(seat, b"") for seat in range(table.seats)]))
    return transcript.write(payloads)


def ends_at(table: Table, given: Abandoned, teller: int, lost: Collection[int] = ()) -> bool:
    """Whether the table ends there for us, too, because one who has signed it says that it has ended.

    That seat says that it will sign nothing more, so nothing could go on without it. It cannot take back what it has
    signed: what it said in later rounds than the one open there makes this void. Alone it cannot wipe out a game that
    is decided; and where others are, who are not `lost` to us, they have to have signed it, too.
    """
    session, rounds = table.session, given.rounds
    if table.closed or table.over_early or teller not in given.seats or rounds > len(session.chain):
        return False
    here = [*session.chain, session.since(len(session.chain))]
    if any(item.seat == teller for item in chain.from_iterable(here[rounds + 1 :])):
        return False
    if len(given.seats) == 1 and table.run is not None and table.run.result is not None:
        return False
    if len(table.deck.serving) >= FEWEST and set(table.deck.serving) - {table.seat, *lost} - set(given.seats):
        return False
    value = start_hash(table.contract, table.signatures)
    for one in session.chain[:rounds]:
        value = next_hash(value, one)
    return value == given.prev


def desertion(table: Table) -> str:
    """Who has left it, so that too few are there for a game."""
    names = [table.contract.names[seat] for seat in sorted(table.leavers)]
    return f"given up: {', '.join(names)} left properly, and that leaves fewer than two players"


def words(table: Table, given: Abandoned) -> str:
    """Who has ended the table before its time, and without whom. Whether the others were lost or did not want it, the
    signatures do not tell."""
    names = table.contract.names
    others = ", ".join(names[seat] for seat in table.deck.serving if seat not in given.seats)
    without = f", without {others}" if others else ""
    return f"ended unfinished by {', '.join(names[seat] for seat in given.seats)}{without}"
