"""Abandoning a table: only together, only while somebody is lost, for good; and what the file says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from p2p import ending
from p2p.audit import BROKEN, INCOMPLETE, audit
from p2p.parting import Parting, message
from p2p.status import Phase, Presence
from protocol import codec, framing, transcript
from protocol.abandon import Abandoned, Votes, check, statement
from protocol.effects import Job
from protocol.errors import ProtocolError

from .nodes import playing, room, until
from .ring import Ring
from .test_audit import agreeing


def begun(seats: int = 3, after: int = 150, seed: int = 5) -> Ring:
    """A table somewhere in its game."""
    ring = Ring("maamut", seats, seed=seed)
    for seat in range(seats):
        ring.pump(seat)
    for _ in range(after):
        ring.step()
    ring.letters.clear()
    return ring


def even(ring: Ring) -> None:
    """All are as far as each other."""
    while ring.step():
        pass


class Company:
    """The seats of a ring with the means to abandon it; `lost` cannot be reached by anybody."""

    def __init__(self, ring: Ring, *lost: int) -> None:
        self.ring = ring
        self.lost = set(lost)
        self.mail: list[tuple[int, dict[str, Any]]] = []
        self.sides = [self._side(seat) for seat in range(len(ring.tables))]

    def _side(self, seat: int) -> Parting:
        table = self.ring.tables[seat]
        return Parting(
            table, self.ring.identities[seat], lambda: sorted(self.lost - {seat}), lambda m: self.mail.append((seat, m))
        )

    def settle(self) -> None:
        """Until nothing is told any more."""
        for seat, side in enumerate(self.sides):
            if seat not in self.lost and side.look():
                self.final(seat)
        while self.mail:
            teller, told = self.mail.pop(0)
            for seat, side in enumerate(self.sides):
                if seat != teller and not {seat, teller} & self.lost:
                    side.hear(teller, told)
                    if side.look():
                        self.final(seat)

    def final(self, seat: int) -> None:
        given = self.ring.tables[seat].abandoned
        assert given is not None
        self.mail.append((seat, message(given, final=True)))


def stalled(seats: int = 3) -> tuple[Ring, Company]:
    """The last seat is lost, and the others wait for it."""
    ring = Ring("maamut", seats, seed=5)
    last = seats - 1
    for seat in range(seats):
        ring.pump(seat)
    while any(table.run is None for table in ring.tables):
        assert ring.step()
    ring.cut = {frozenset((seat, last)) for seat in range(last)}
    ring.letters = [letter for letter in ring.letters if letter.kind == "job" and letter.to != last]
    while ring.step() or (len({len(table.session.chain) for table in ring.tables[:last]}) > 1 and ring.catch_up()):
        pass
    return ring, Company(ring, last)


def final_of(ring: Ring, seat: int, rounds: int) -> Abandoned:
    """What that seat alone signs for the point after so many rounds of seat 0's chain."""
    session, votes = ring.tables[0].session, Votes(ring.contract)
    prev = session.chain[rounds][0].prev if rounds < len(session.chain) else session.prev
    votes.sign(ring.identities[seat], seat, rounds, prev)
    return votes.at(rounds, prev)


def test_all_who_are_present_have_to_want_it() -> None:
    ring, company = stalled()
    company.sides[0].wished = True
    company.settle()
    assert not any(table.abandoned for table in ring.tables)
    company.sides[1].wished = True
    company.settle()
    ends = [table.abandoned for table in ring.tables[:2]]
    assert ends[0] == ends[1]
    assert ends[0] is not None
    assert ends[0].seats == (0, 1)
    files = {table.file() for table in ring.tables[:2]}
    assert len(files) == 1
    report = audit(files.pop())
    assert (report.verdict, report.exit_code, report.findings) == (INCOMPLETE, 2, [])
    assert report.ending == "ended unfinished by P0, P1, without P2"


def test_nothing_is_said_or_taken_in_after_it() -> None:
    ring, company = stalled()
    for side in company.sides[:2]:
        side.wished = True
    company.settle()
    table = ring.tables[0]
    before = table.file()
    assert table.session.waiting_for() == ()
    assert table.menu is None
    for item in ring.tables[2].session.since(0):
        table.receive(item.data)
    table.take()
    assert not table.receive_seed(1, ring.masters[1])
    assert table.file() == before
    assert not company.sides[0].possible


def test_a_seat_that_returns_gets_the_record_and_stops() -> None:
    ring, company = stalled()
    for side in company.sides[:2]:
        side.wished = True
    company.settle()
    company.lost = set()
    told = company.sides[0].again()
    assert told is not None
    assert told["final"]
    company.sides[2].hear(0, told)  # it is behind perhaps: then it has to catch up first
    for item in ending.told(ring.tables[0], len(ring.tables[2].session.chain)):
        ring.tables[2].receive(item.data)
    ring.letters.clear()
    ring.decide = lambda seat, table: pytest.fail("it plays on")
    for effect in ring.tables[2].take():
        if isinstance(effect, Job):
            ring.tables[2].done(effect.id, effect.run())
    assert company.sides[2].look()
    assert ring.tables[2].file() == ring.tables[0].file()


def test_who_comes_back_in_time_ends_the_wish() -> None:
    ring, company = stalled()
    company.sides[0].wished = True
    company.settle()
    company.lost = set()
    company.settle()
    assert not company.sides[0].wished
    assert not company.sides[0].possible
    company.sides[1].wished = True
    company.settle()
    assert not any(table.abandoned for table in ring.tables)


def test_a_final_word_takes_back_nothing_of_the_open_round() -> None:
    ring = Ring(seats=2, seed=77, fifo=True)
    for seat in range(2):
        ring.pump(seat)
    table = ring.tables[0]
    while not (1 in table.session.got() and table.session.chain and table.session.chain[-1][-1].seat == 1):
        assert ring.step()
    rounds = len(table.session.chain) - 1
    side = Parting(table, ring.identities[0], lambda: [], lambda told: None)
    side.hear(1, message(final_of(ring, 1, rounds), final=True))
    assert not side.look()


def test_nobody_alone_wipes_out_a_game_that_is_decided() -> None:
    ring = Ring(seats=2, seed=77, fifo=True)
    ring.decide = agreeing
    for seat in range(2):
        ring.pump(seat)
    table = ring.tables[0]
    while table.run is None or table.run.result is None:
        assert ring.step()
    side = Parting(table, ring.identities[0], lambda: [], lambda told: None)
    for rounds in range(len(table.session.chain) + 1):
        side.hear(1, message(final_of(ring, 1, rounds), final=True))
        assert not side.look()


def test_a_final_word_is_kept_whatever_others_tell() -> None:
    ring = begun(3, after=400)
    even(ring)
    table = ring.tables[0]
    side = Parting(table, ring.identities[0], lambda: [2], lambda told: None)
    side.hear(1, message(final_of(ring, 1, len(table.session.chain)), final=True))
    votes = Votes(ring.contract)
    votes.sign(ring.identities[2], 2, 2**30, bytes(32))
    side.hear(2, message(votes.at(2**30, bytes(32)), final=True))
    assert side.look()


def test_one_of_three_alone_ends_the_game_for_nobody_who_has_the_third() -> None:
    ring = begun(3, after=400)
    even(ring)
    table, lost = ring.tables[0], list[int]()
    side = Parting(table, ring.identities[0], lambda: lost, lambda told: None)
    side.hear(1, message(final_of(ring, 1, len(table.session.chain)), final=True))
    assert not side.look()
    lost.append(2)
    assert side.look(), "they may have abandoned it because that one was lost"


def test_a_final_word_that_takes_something_back_is_void() -> None:
    ring = begun(2, after=400)
    even(ring)
    table = ring.tables[0]
    assert len(table.session.chain) > 4
    early = table.session.chain[1][0].prev
    signature = ring.identities[1].sign("abandon", statement(ring.contract, 1, early))
    side = Parting(table, ring.identities[0], lambda: [], lambda told: None)
    side.hear(1, message(Abandoned(1, early, (b"", signature)), final=True))
    assert not side.look()
    here = len(table.session.chain), table.session.prev
    votes = Votes(ring.contract)
    votes.sign(ring.identities[1], 1, *here)
    side.hear(0, message(votes.at(*here), final=True))  # told by somebody who has not signed
    assert not side.look()
    side.hear(1, message(votes.at(*here), final=True))
    assert side.look()
    assert audit(table.file()).ending == "ended unfinished by P1, without P0"


@pytest.mark.parametrize("signatures", [[b""] * 3, [b"x" * 64, b"", b""], [b"x", b"", b""], [b"", b""], [5, b"", b""]])
def test_signatures_that_do_not_hold_are_the_fault_of_the_link(signatures: list[Any]) -> None:
    ring, company = stalled()
    session = ring.tables[0].session
    content = {"rounds": len(session.chain), "prev": session.prev, "signatures": signatures, "final": True}
    with pytest.raises(ProtocolError):
        company.sides[0].hear(1, content)
    assert not company.sides[0].look()


def test_a_signature_counts_for_one_point_of_one_table() -> None:
    ring, _ = stalled()
    votes = Votes(ring.contract)
    votes.sign(ring.identities[0], 0, 7, bytes(32))
    given = votes.at(7, bytes(32))
    assert check(ring.contract, 7, bytes(32), given.signatures) == given
    for rounds, prev in ((8, bytes(32)), (7, b"\1" * 32)):
        assert votes.at(rounds, prev).seats == ()
        with pytest.raises(ProtocolError):
            check(ring.contract, rounds, prev, given.signatures)
    with pytest.raises(ProtocolError):
        check(Ring("maamut", 3, seed=6).contract, 7, bytes(32), given.signatures)
    older = Votes(ring.contract)
    older.sign(ring.identities[0], 0, 6, bytes(32))
    assert not votes.add(older.at(6, bytes(32)))


def changed(change: str) -> bytes:
    """The file of an abandoned table, made worse."""
    ring, company = stalled()
    for side in company.sides[:2]:
        side.wished = True
    company.settle()
    records = list(framing.records(ring.tables[0].file()).payloads)
    signatures = codec.decode(records[-1])["abandoned"]
    if change == "missing":
        signatures = [b""] * 3
    elif change == "bad":
        signatures[0] = bytes(64)
    elif change == "moved":
        signatures = signatures[::-1]
    elif change == "one round less":
        items = [codec.decode(codec.decode(record)["item"]) for record in records[1:-1]]
        last = (items[-1]["step"], items[-1]["round"])
        keep = [
            record for record, item in zip(records[1:-1], items, strict=True) if (item["step"], item["round"]) != last
        ]
        records = [records[0], *keep, records[-1]]
    elif change == "half a round more":
        session = ring.tables[0].session
        records[-1:-1] = [transcript.item(item.data) for item in session.since(len(session.chain))]
        assert session.got()
    records[-1] = transcript.abandoned(signatures)
    return transcript.write(records)


@pytest.mark.parametrize("change", ["missing", "bad", "moved", "one round less", "half a round more"])
def test_an_abandonment_that_does_not_hold_is_a_finding(change: str) -> None:
    report = audit(changed(change))
    assert report.verdict == BROKEN
    assert all("abandon" in finding.reason and finding.seat is None for finding in report.findings)


def test_nothing_follows_an_abandonment() -> None:
    file = changed("")
    assert audit(file).verdict == INCOMPLETE
    assert "follows what ended the table" in transcript.read(file + framing.record(transcript.seeds([b""] * 3))).problem


# -- whole nodes -------------------------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_those_present_abandon_and_who_returns_hears_of_it(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        ana = await here.host(players=3)
        beto, caro = (here.join(name, here.doors["Ana"]) for name in ("Beto", "Caro"))
        await playing(ana, beto, caro)
        ana.abandon()  # nobody is lost: nothing happens
        seat = ana.names.index("Caro")
        table = ana.formed.contract.table if ana.formed else b""
        await here.stop("Caro")
        for node in (ana, beto):
            await until(node, lambda one: one.status.seats[seat].presence is Presence.LOST)
            assert node.status.phase is Phase.PLAYING
        ana.abandon()
        await until(beto, lambda one: any("abandon" in note for note in one.status.notes))
        (told,) = (note for note in beto.status.notes if "abandon" in note)
        assert told.startswith("Ana does not want to wait any longer for Caro.")
        beto.abandon()
        for node in (ana, beto):
            await until(node, lambda one: one.status.phase is Phase.STOPPED)
            assert node.status.fault == "ended unfinished by Ana, Beto, without Caro"
        back = here.resume("Caro", table)
        await until(back, lambda one: one.status.phase is Phase.STOPPED)
        assert back.status.fault == "ended unfinished by Ana, Beto, without Caro"
        for name in ("Ana", "Beto", "Caro"):
            await here.ended(name)
        files = {await trio.Path(node.status.transcript).read_bytes() for node in (ana, beto, back)}
        assert len(files) == 1
        assert audit(files.pop()).ending == "ended unfinished by Ana, Beto, without Caro"
        assert not here.failed


@pytest.mark.trio
async def test_who_has_come_back_can_abandon_a_table_whose_third_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says nothing in the game before the lost one has told what it has; but that one is not waited for in this."""
    monkeypatch.setenv("P2PGAME_INTERFACES", "127.0.0.1")
    async with room(tmp_path) as home:
        ana = await home.host("Ana", 3)
        beto, caro = (home.join(name, home.doors["Ana"]) for name in ("Beto", "Caro"))
        await playing(ana, beto, caro)
        await home.stop("Caro")
        await home.stop("Beto")
        assert ana.formed
        beto = home.resume("Beto", ana.formed.contract.table)
        for node in (ana, beto):
            await until(node, lambda one: Presence.LOST in [seat.presence for seat in one.status.seats])
        await until(beto, lambda one: sum(seat.presence is Presence.LOST for seat in one.status.seats) == 1)
        ana.abandon()
        beto.abandon()
        for node in (ana, beto):
            await until(node, lambda one: one.status.phase is Phase.STOPPED)
            await home.ended(node.name)
        report = audit(await trio.Path(beto.status.transcript).read_bytes())
        assert (report.verdict, report.findings) == (INCOMPLETE, [])
        assert report.ending.startswith("ended unfinished by ")
