"""After somebody is caught: who comes late hears what shows it and nothing else, and all keep the same file."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p import ending, lobby
from p2p.audit import BROKEN, audit
from p2p.lobby import Formed, Host, begin
from p2p.status import Phase
from protocol import contribution
from protocol.contract import Contract
from protocol.decisions import ASK
from protocol.effects import Fault, Fork, Job
from protocol.errors import ProtocolError

from ..cheats.cheat import CHEAT, CheatRing, Moment, Sent, Strike
from ..cheats.test_forks import other, signed_anew
from .nodes import playing, room, until


def out_of_turn(m: Moment) -> Sent:
    return {0: [m.sign(m.honest(), kind="flip", place=(m.place[0] + 2, 0))]}


STRIKES = {
    "a decision that cannot be": Strike(ASK, lambda m: {0: [m.sign({"act": 99, "picks": []})]}),
    "a pass that does not hold": Strike("shuffle", lambda m: {0: [m.sign({**m.honest(), "cards": b""})]}),
    "something out of turn": Strike(
        "open", lambda m: {0: [m.sign(m.honest(), kind="flip", place=(m.place[0] + 2, 0))]}
    ),
    "two things for one place": Strike(ASK, lambda m: {0: [m.sign(m.honest()), m.sign(other(m))]}),
}


def cut_off(strike: Strike, behind: int) -> CheatRing:
    """Seat 0 has convicted the cheat; seat 2 was cut off so many rounds before."""
    ring = CheatRing(strike)
    ring.cut = {frozenset((0, 2)), frozenset((CHEAT, 2))}
    late = ring.tables[2] = ring._table(2)
    for round_ in ring.tables[0].session.chain[: len(ring.tables[0].session.chain) - behind]:
        for item in round_:
            take(ring, item.data)
    assert late.ended is None
    ring.play()
    assert set(ring.verdicts) == {0}
    return ring


def take(ring: CheatRing, data: bytes) -> None:
    """The late seat gets something; its jobs are done."""
    late = ring.tables[2]
    late.receive(data)
    while effects := late.take():
        for effect in effects:
            if isinstance(effect, Job):
                try:
                    late.done(effect.id, effect.run())
                except ProtocolError as error:
                    late.done(effect.id, error)


@pytest.mark.parametrize("behind", [0, 1, 5])
@pytest.mark.parametrize("what", STRIKES)
def test_a_late_seat_comes_to_the_same_verdict(what: str, behind: int) -> None:
    ring = cut_off(STRIKES[what], behind)
    late, verdict = ring.tables[2], ring.verdicts[0]
    sent = ending.told(ring.tables[0], len(late.session.chain))
    for item in sent:
        take(ring, item.data)
    assert isinstance(late.ended, type(verdict))
    assert late.ended.seat == verdict.seat == CHEAT
    assert late.file() == ring.tables[0].file()
    report = audit(late.file())
    assert (report.verdict, {finding.seat for finding in report.findings}) == (BROKEN, {CHEAT})


@pytest.mark.parametrize("what", STRIKES)
def test_nothing_is_told_beside_the_evidence(what: str) -> None:
    """All of it was on the chain before the cheat, or is the cheat's own."""
    ring = cut_off(STRIKES[what], 0)
    table, verdict = ring.tables[0], ring.verdicts[0]
    first = verdict.contribution if isinstance(verdict, Fault) else verdict.first
    common = [item for round_ in table.session.chain for item in round_ if item.place < table.session.place]
    told = ending.told(table, 0)
    assert all(item in common or item.seat == CHEAT for item in told)
    assert told[-1 if isinstance(verdict, Fault) else -2] == first
    assert len({item.data for item in told}) == len(told)


def test_no_contribution_is_twice_in_a_file() -> None:
    for strike in STRIKES.values():
        table = cut_off(strike, 0).tables[0]
        file = table.file()
        assert all(file.count(item.data) == 1 for item in ending.told(table, 0))


def test_both_branches_of_a_fork_keep_the_same_file() -> None:
    def fork(m: Moment) -> Sent:
        return {0: [m.sign(m.honest())], 2: [m.sign(other(m))]}

    ring = CheatRing(Strike("view", fork, round=0))
    ring.play()
    assert all(isinstance(ring.verdicts[seat], Fork) for seat in ring.honest)
    assert len({ring.tables[seat].file() for seat in ring.honest}) == 1


# -- whole nodes -------------------------------------------------------------------------------------------------------


@pytest.mark.trio
async def test_who_was_cut_off_during_the_conviction_hears_of_it(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        ana = await here.host(players=3)
        beto, caro = (here.join(name, here.doors["Ana"]) for name in ("Beto", "Caro"))
        await playing(ana, beto, caro)
        assert beto.formed is not None
        contract, player = beto.formed.contract, beto._player
        assert player is not None
        await here.stop("Caro")
        session, seat = player.table.session, beto.formed.seat
        wrong = contribution.sign(
            contract, here.profiles["Beto"].identity, session.place, seat, "flip", {"value": bytes(32)}, session.prev
        )
        player.mesh.broadcast({"t": "item", "data": wrong.data})
        await until(ana, lambda one: one.status.broken)
        back = here.resume("Caro", contract.table)
        await until(back, lambda one: one.status.broken)
        for name in ("Ana", "Caro"):
            await here.ended(name)
        assert ana.status.fault == back.status.fault
        assert ana.status.cheater == back.status.cheater == seat
        assert ana.status.phase is back.status.phase is Phase.STOPPED
        files = {await trio.Path(node.status.transcript).read_bytes() for node in (ana, back)}
        assert len(files) == 1
        assert audit(files.pop()).verdict == BROKEN


@pytest.mark.trio
async def test_a_contract_signed_in_two_ways_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def two_ways(self: Host, contract: Contract) -> None:
        guests = [guest.signature for guest in self.guests]
        where = [self.addresses, *(guest.addresses for guest in self.guests)]
        self.formed = Formed(contract, [contract.sign(self.identity), *guests], where, 0)
        other_ink = signed_anew(self.identity, "contract", contract.data)
        self._broadcast(begin(Formed(contract, [other_ink, *guests], where, 0)))

    monkeypatch.setattr(lobby.Host, "_begin", two_ways)
    async with room(tmp_path) as here:
        ana = await here.host()
        beto = here.join("Beto", here.doors["Ana"])
        for name in ("Ana", "Beto"):
            await here.ended(name)
        for node in (ana, beto):
            assert node.status.phase is Phase.STOPPED
            assert node.status.fault.startswith("Ana signed the contract in two different ways")
            assert not node.status.broken  # no file can show it
