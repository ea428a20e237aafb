"""Different bytes to different peers: in every kind of step, and in the last one above all.

Theory: a fork is an attempt to have honest seats answer on two histories, since two answers are more than one. Every
contribution carries the hash of all that its seat has seen, so none of them counts on the other history; and what is
relayed brings the two halves together, which are the proof. From then on nobody answers anything. While the honest
seats are kept apart, each can go only as far as it goes without the other: not one card more is read, and no seed is
told, because that takes the closings of all on one history.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from engines.menus import Choice
from p2p.table import Table
from protocol import codec, group
from protocol.ceremony import Body
from protocol.contribution import Contribution
from protocol.decisions import ASK
from protocol.effects import Fork
from protocol.identity import Identity

from .cheat import CHEAT, NEVER, CheatRing, Moment, Strike, TwoFaced, before, double, recorded, shortly
from .verdicts import convicted, judged, kept_quiet, unharmed

FORKS = [("commit", 0), ("keys", 0), ("shuffle", 1), ("view", 0), ("view", 1), (ASK, 0), ("open", 0)]


def otherwise(seat: int, table: Table) -> Choice:
    """Another legal decision than `shortly`."""
    run, menu, usual = table.run, table.menu, shortly(seat, table)
    assert run is not None
    assert menu is not None
    return next(choice for choice in menu.choices(run.look(CHEAT)) if choice != usual)


def other(m: Moment) -> Body:
    """Something else for the same place that holds just as well."""
    if m.ceremony.kind == ASK:
        choice = otherwise(m.seat, m.table)
        return {"act": choice.act, "picks": list(choice.picks)}
    return m.ceremony.make(m.context(), double(m.secrets))


@pytest.mark.parametrize(("kind", "round"), FORKS)
def test_two_good_contributions_to_two_peers(kind: str, round: int) -> None:
    strike = Strike(kind, lambda m: {0: [m.sign(m.honest())], 2: [m.sign(other(m))]}, round=round)
    ring = CheatRing(strike)
    ring.play()
    assert len({*ring.forged}) == 2
    convicted(ring, "two different things", kind=Fork)
    for seat in ring.honest:
        verdict = ring.verdicts[seat]
        assert isinstance(verdict, Fork)
        assert {verdict.first.data, verdict.second.data} == {*ring.forged}


@pytest.mark.parametrize(("kind", "round"), [("shuffle", 1), ("view", 0), (ASK, 0), ("open", 0)])
def test_both_to_the_same_peer(kind: str, round: int) -> None:
    strike = Strike(kind, lambda m: {0: [m.sign(m.honest()), m.sign(other(m))]}, round=round)
    ring = CheatRing(strike)
    ring.play()
    convicted(ring, "two different things", kind=Fork)


def signed_anew(identity: Identity, context: str, data: bytes) -> bytes:
    """Another valid signature than the one that the library makes: RFC 8032 with a nonce of one's own choice."""
    wide = bytearray(hashlib.sha512(identity.seed).digest()[:32])
    wide[0] &= 248
    wide[31] = wide[31] & 63 | 64
    secret, nonce, message = int.from_bytes(wide, "little"), 12345, b"p2pgame/1 " + context.encode() + b"\0" + data
    point = group.base(nonce)
    challenge = int.from_bytes(hashlib.sha512(point + identity.public + message).digest(), "little")
    return point + group.scalar_bytes(nonce + challenge * secret)


def in_other_ink(m: Moment) -> bytes:
    """The very same contribution with another signature."""
    value = codec.decode(m.sign(m.honest()))
    del value["sig"]
    value["sig"] = signed_anew(m.ring.identities[m.seat], "contribution", codec.encode(value))
    return codec.encode(value)


@pytest.mark.parametrize("kind", ["commit", "flip", ASK])
def test_the_same_words_signed_in_two_ways(kind: str) -> None:
    """Signatures are in the chain, so this parts histories like any other fork; an honest signer makes only one."""
    ring = CheatRing(Strike(kind, lambda m: {0: [m.sign(m.honest())], 2: [in_other_ink(m)]}))
    ring.play()
    convicted(ring, "two different things", kind=Fork)


def test_a_contract_signed_in_two_ways_opens_no_table() -> None:
    """Then there is no common history at all, and so nobody to be named; before the first key everything stops."""
    ring = CheatRing(NEVER, begin=())
    other = list(ring.signatures)
    other[CHEAT] = signed_anew(ring.identities[CHEAT], "contract", ring.contract.data)
    assert other != ring.signatures
    ring.contract.check_signatures(other)
    ring.signatures = other
    ring.tables[2] = ring._table(2)
    ring.tables[2].speak()
    ring.play()
    unharmed(ring)
    kept_quiet(ring)
    assert {seat for seat, _ in ring.astray} == {0, 1, 2}
    assert all(len(ring.published[seat]) == 1 for seat in ring.honest)
    assert all(not ring.tables[seat].deck.keys for seat in ring.honest)


BAD: dict[str, Callable[[Moment], dict[str, Any]]] = {
    "flip": lambda m: {"value": bytes(32)},
    "shuffle": lambda m: {**m.honest(), "cards": b""},
    "ask": lambda m: {"act": 99, "picks": []},
}


@pytest.mark.parametrize("kind", BAD)
def test_a_good_one_to_one_peer_and_a_bad_one_to_the_other(kind: str) -> None:
    """Whoever meets the bad one first names the cheat for it, whoever meets both first for the fork; it is one seat."""
    ring = CheatRing(Strike(kind, lambda m: {0: [m.sign(m.honest())], 2: [m.sign(BAD[kind](m))]}))
    ring.play()
    assert {ring.verdicts[seat].seat for seat in ring.honest} == {CHEAT}
    for seat in ring.honest:
        report = judged(ring.tables[seat].file())
        assert (report.exit_code, {found.seat for found in report.findings}) == (1, {CHEAT})
    kept_quiet(ring)


def test_an_order_of_events_does_not_change_who_is_named() -> None:
    """The same fork under many schedules: every honest seat ends, always with the same seat."""
    strike = Strike(ASK, lambda m: {0: [m.sign(m.honest())], 2: [m.sign(other(m))]})
    for schedule in range(30):
        ring = CheatRing(strike)
        ring.rng.seed(schedule)
        ring.play()
        assert {seat: ring.verdicts[seat].seat for seat in ring.honest} == {0: CHEAT, 2: CHEAT}
        kept_quiet(ring)


# -- kept apart --------------------------------------------------------------------------------------------------------


def at_last() -> list[Contribution]:
    """Everything before the last decision, which ends the game or does not."""
    place = [item.place for item in recorded() if item.kind == ASK and item.seat == CHEAT][-1]
    return [item for item in recorded() if item.place < place]


def at_a_draw() -> list[Contribution]:
    """Everything before the cheat draws a card."""
    views = [item.place for item in recorded() if (item.kind, item.round, item.seat) == ("view", 0, CHEAT)]
    return [item for item in recorded() if item.place < views[-1]]


APART: dict[str, Callable[[], list[Contribution]]] = {
    **{f"{kind} {round}": (lambda k=kind, r=round: before(Strike(k, lambda _: [], r))) for kind, round in FORKS},  # type: ignore[misc]
    "a draw": at_a_draw,
    "the last decision": at_last,
}


@pytest.mark.parametrize("fork", APART)
def test_two_faces(fork: str) -> None:
    ring = TwoFaced(APART[fork]())
    ring.decide = lambda index, table: (otherwise if index == TwoFaced.TWIN else shortly)(index, table)
    begun = len(ring.tables[0].session.chain)
    ring.play()

    # Each honest seat has come to where it needs the other, who is on another history; nothing is told meanwhile.
    unharmed(ring)
    kept_quiet(ring)
    for one, missing in ((0, 2), (2, 0)):
        assert missing in ring.tables[one].session.waiting_for()
        places = [(item["step"], item["round"]) for item in map(codec.decode, ring.published[one])]
        assert len(places) == len(set(places))
        assert len(ring.tables[one].session.chain) <= begun + 2
    first, second = (ring.tables[seat].session.chain[begun : begun + 1] for seat in ring.honest)
    assert not first or first != second
    assert [ring.knowledge(face) for face in (CHEAT, TwoFaced.TWIN)] == ring.knew

    # Then they meet: what one has shows the other the fork, and the table is over without another word.
    ring.meet()
    ring.play()
    convicted(ring, "two different things", kind=Fork)


# -- the last step -----------------------------------------------------------------------------------------------------


def test_a_closing_for_another_result() -> None:
    strike = Strike("closing", lambda m: m.sign({**m.honest(), "winners": [CHEAT]}))
    ring = CheatRing(strike)
    ring.play()
    convicted(ring, "another result than the game's")


def test_a_true_closing_to_one_and_a_false_one_to_the_other() -> None:
    """With the true one in hand everybody has closed on one history, and nothing is a secret any more; before it nobody
    tells a seed. Either way the cheat is named, and by all."""
    false = {"winners": [CHEAT], "scores": [None] * 3, "reason": "trapped"}
    for schedule in range(6):
        ring = CheatRing(Strike("closing", lambda m: {0: [m.sign(m.honest())], 2: [m.sign(false)]}))
        ring.rng.seed(schedule)
        ring.play()
        assert {seat: ring.verdicts[seat].seat for seat in ring.honest} == {0: CHEAT, 2: CHEAT}
        assert ring.revealed <= {seat for seat in ring.honest if ring.tables[seat].closed}
        assert not ring.late
        for seat in ring.honest:
            report = judged(ring.tables[seat].file())
            assert (report.exit_code, {found.seat for found in report.findings}) == (1, {CHEAT})


def test_a_closing_on_another_history_counts_for_nothing() -> None:
    """It is no closing of this game, so no seed is told for it."""
    ring = CheatRing(Strike("closing", lambda m: m.sign(m.honest(), prev=bytes(32))))
    ring.play()
    unharmed(ring)
    kept_quiet(ring)
    assert all(ring.tables[seat].session.waiting_for() == (CHEAT,) for seat in ring.honest)
