"""Nobody honest can be made to look like a cheat, by whatever is put together from what was really signed.

Theory: a contribution names its history, so on another history it proves nothing; and an honest seat signs one thing
for one place. Here a cheat with two faces has made both honest seats go a little way on two histories. Everything that
was signed on either is thrown together, with evidence that accuses anybody, and given to a listener and to the audit:
only the cheat is ever named.
"""

from __future__ import annotations

import functools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.audit import audit
from p2p.table import Table
from protocol import codec, contribution, transcript
from protocol.contribution import Contribution
from protocol.decisions import ASK
from protocol.effects import Fault, Fork, Job
from protocol.errors import ProtocolError

from .cheat import CHEAT, NEVER, CheatRing, TwoFaced, recorded, shortly
from .test_forks import APART, otherwise
from .verdicts import judged

FORKED = ("shuffle 1", f"{ASK} 0", "a draw", "the last decision")
MOVES = 5


@functools.cache
def forked(fork: str) -> tuple[TwoFaced, tuple[tuple[Contribution, ...], tuple[Contribution, ...]]]:
    """A table with two histories, and what was signed on each."""
    ring = TwoFaced(APART[fork]())
    ring.decide = lambda index, table: (otherwise if index == TwoFaced.TWIN else shortly)(index, table)
    ring.play()
    one, other = (tuple(ring.tables[seat].session.since(0)) for seat in ring.honest)
    return ring, (one, other)


def signed_apart(fork: str) -> list[Contribution]:
    """What is on one of the histories only."""
    _, (one, other) = forked(fork)
    common = {item.data for item in one} & {item.data for item in other}
    return [item for item in (*one, *other) if item.data not in common]


def test_both_honest_seats_have_signed_something_on_their_own_history() -> None:
    """Otherwise there would be nothing to accuse them with."""
    found = {item.seat for fork in FORKED for item in signed_apart(fork)}
    assert found == {0, CHEAT, 2}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORKED), st.data())
def test_no_file_names_an_honest_seat(fork: str, data: st.DataObject) -> None:
    ring, branches = forked(fork)
    items = [item.data for item in data.draw(st.sampled_from(branches))]
    apart = [item.data for item in signed_apart(fork)]
    pool = st.sampled_from([*items[-MOVES:], *apart])
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(max(0, len(items) - MOVES), len(items)))
        change = data.draw(st.sampled_from(["cut", "drop", "insert", "swap"]))
        if change == "cut":
            items = items[:at]
        elif change == "drop":
            items = items[:at] + items[at + 1 :]
        elif change == "insert":
            items = [*items[:at], data.draw(pool), *items[at:]]
        elif items:
            items[at - 1], items[-1] = items[-1], items[at - 1]
    payloads = [transcript.header(ring.contract, ring.signatures), *map(transcript.item, items)]
    last = data.draw(st.sampled_from(["nothing", "fault", "fork", "seeds"]))
    if last == "fault":
        payloads.append(transcript.fault(data.draw(pool)))
    elif last == "fork":
        payloads.append(transcript.fork(data.draw(pool), data.draw(pool)))
    elif last == "seeds":
        payloads.append(transcript.seeds([data.draw(st.sampled_from([ring.masters[seat], b""])) for seat in range(3)]))
    report = audit(transcript.write(payloads))
    assert {found.seat for found in report.findings} <= {CHEAT, None}


@pytest.mark.parametrize("fork", FORKED)
def test_no_mixture_of_histories_names_an_honest_seat(fork: str) -> None:
    """What somebody hears who was not there, in any order, with checks that take their time."""
    ring, (one, _) = forked(fork)
    common = [item for item in one if item.data not in {other.data for other in signed_apart(fork)}]
    named = []
    for seed in range(12):
        rng = random.Random(seed)
        table = Table(ring.contract, ring.signatures)
        letters: list[bytes | Job] = [*(item.data for item in signed_apart(fork) * 2)]
        for item in common:
            take_up(table, item.data)
        while letters:
            letter = letters.pop(rng.randrange(len(letters)))
            if isinstance(letter, Job):
                attempt(table, letter)
            else:
                table.receive(letter)
            for effect in table.take():
                if isinstance(effect, Job):
                    letters.append(effect)
                elif isinstance(effect, Fault | Fork):
                    named.append(effect.seat)
    assert set(named) == {CHEAT}


def take_up(table: Table, data: bytes) -> None:
    """A contribution that was checked before."""
    table.receive(data)
    for effect in table.take():
        if isinstance(effect, Job):
            table.done(effect.id, None)


def attempt(table: Table, job: Job) -> None:
    try:
        job.run()
    except ProtocolError as error:
        table.done(job.id, error)
    else:
        table.done(job.id, None)


def accused(items: list[Contribution], *last: bytes) -> set[int | None]:
    """Whom the audit names in a file of these items and this last record."""
    ring = CheatRing(NEVER, begin=())
    payloads = [
        transcript.header(ring.contract, ring.signatures),
        *(transcript.item(item.data) for item in items),
        *last,
    ]
    report = judged(transcript.write(payloads))
    assert report.exit_code != 0
    return {found.seat for found in report.findings}


def test_honest_words_as_evidence_prove_nothing() -> None:
    """The next true contribution, an old one, a later one without what came before it, or two of different places."""
    items = list(recorded())
    assert accused(items[:30], transcript.fault(items[30].data)) == {None}
    assert accused(items[:30], transcript.fault(items[12].data)) == {None}
    assert accused(items[:30], transcript.fault(items[40].data)) <= {None}
    first, second, *_ = (item for item in items if item.seat == 0)
    assert accused(items[:30], transcript.fork(first.data, second.data)) == {None}
    assert accused(items[:30], transcript.fork(items[0].data, items[1].data)) == {None}
    assert accused(items[:30], transcript.fork(items[30].data, items[30].data)) == {None}
    assert accused(items[:12] + items[13:]) == {None}


def test_what_was_signed_at_another_table_proves_nothing_here() -> None:
    ring = CheatRing(NEVER, begin=())
    first = recorded()[0]
    other = codec.decode(first.data)
    del other["sig"]
    other["table"] = bytes(32)
    other["sig"] = ring.identities[first.seat].sign("contribution", codec.encode(other))
    assert accused(list(recorded())[:10], transcript.fork(first.data, codec.encode(other))) == {None}
    with pytest.raises(ProtocolError, match="another table"):
        contribution.parse(ring.contract, codec.encode(other))
