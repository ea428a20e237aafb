from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from protocol import group, sigma
from protocol.ceremony import Context
from protocol.errors import Refused
from protocol.group import IDENTITY, G, Point
from protocol.hashing import Transcript
from protocol.secrets import Secrets

from .forge import Spy
from .mutate import refused, values
from .table import table_id

CONTEXT = Context(table=table_id("table"), prev=table_id("prev"), step=4, round=1, seat=0)
ELSEWHERE = [
    replace(CONTEXT, table=table_id("other")),
    replace(CONTEXT, prev=table_id("other")),
    replace(CONTEXT, step=5),
    replace(CONTEXT, round=0),
    replace(CONTEXT, seat=1),
]
MINE = Secrets(table_id("seed"), CONTEXT.table, 0)
BASES = [group.m(j) for j in range(3)]
SHARES = [group.mul(MINE.x, base) for base in BASES]
LOGS = [5, 7, 11]
VALUES = [group.mul(k, base) for k, base in zip(LOGS, BASES, strict=True)]
B = 1234
CHOICES = [group.m(j) for j in range(10, 14)]
CLAIM = sigma.Choice(BASES[0], group.mul(B, BASES[0]), CHOICES, group.mul(B, CHOICES[2]))


def start(context: Context = CONTEXT, what: str = "test") -> Transcript:
    return Transcript(context, what)


def logs() -> bytes:
    return sigma.prove_logs(start(), MINE, BASES, VALUES, LOGS)


def shares(given: list[Point] = SHARES) -> bytes:
    return sigma.prove_shares(start(), MINE, BASES, given)


def choice(true: int = 2, claim: sigma.Choice = CLAIM) -> bytes:
    return sigma.prove_choice(start(), MINE, claim, B, true)


def check(name: str, proof: Any, t: Transcript | None = None) -> None:
    t = t or start()
    if name == "logs":
        sigma.check_logs(t, BASES, VALUES, proof, "test")
    elif name == "shares":
        sigma.check_shares(t, MINE.public, BASES, SHARES, proof, "test")
    else:
        sigma.check_choice(t, CLAIM, proof, "test")


MADE = {"logs": logs(), "shares": shares(), "choice": choice()}


@pytest.mark.parametrize(("name", "size"), [("logs", 128), ("shares", 64), ("choice", 256)])
def test_proofs_hold_and_come_out_the_same_again(name: str, size: int) -> None:
    check(name, MADE[name])
    assert len(MADE[name]) == size
    assert {"logs": logs, "shares": shares, "choice": choice}[name]() == MADE[name]


@pytest.mark.parametrize("name", MADE)
def test_every_scalar_of_a_proof_counts(name: str) -> None:
    for what, wrong in values("scalar", MADE[name]):
        refused(partial(check, name, wrong), f"{name}: {what}")


@pytest.mark.parametrize("name", MADE)
def test_proofs_hold_nowhere_else(name: str) -> None:
    for t in [*map(start, ELSEWHERE), start(what="other")]:
        with pytest.raises(Refused, match="proof does not hold"):
            check(name, MADE[name], t)


def test_every_scalar_of_a_proof_with_all_others_zero_is_refused() -> None:
    for name, made in MADE.items():
        with pytest.raises(Refused):
            check(name, bytes(len(made)))


@pytest.mark.parametrize("at", range(3))
def test_a_wrong_value_among_good_ones_is_refused(at: int) -> None:
    wrong = [*VALUES]
    wrong[at] = group.add(wrong[at], G)
    # The cheat makes the proof for the wrong value, as well as it can.
    proof = sigma.prove_logs(start(), MINE, BASES, wrong, LOGS)
    with pytest.raises(Refused):
        sigma.check_logs(start(), BASES, wrong, proof, "test")


@pytest.mark.parametrize("at", range(3))
def test_a_wrong_share_among_good_ones_is_refused(at: int) -> None:
    wrong = [*SHARES]
    wrong[at] = group.add(wrong[at], G)
    with pytest.raises(Refused):
        sigma.check_shares(start(), MINE.public, BASES, wrong, shares(wrong), "test")


def test_shares_that_make_up_for_each_other_are_refused() -> None:
    wrong = [group.add(SHARES[0], G), group.sub(SHARES[1], G), SHARES[2]]
    assert group.total(wrong) == group.total(SHARES)
    with pytest.raises(Refused):
        sigma.check_shares(start(), MINE.public, BASES, wrong, shares(wrong), "test")
    swapped = [SHARES[1], SHARES[0], SHARES[2]]
    with pytest.raises(Refused):
        sigma.check_shares(start(), MINE.public, BASES, swapped, shares(swapped), "test")


def test_shares_of_another_key_are_refused() -> None:
    other = Secrets(table_id("another seed"), CONTEXT.table, 0)
    made = [group.mul(other.x, base) for base in BASES]
    proof = sigma.prove_shares(start(), other, BASES, made)
    sigma.check_shares(start(), other.public, BASES, made, proof, "test")
    with pytest.raises(Refused):
        sigma.check_shares(start(), MINE.public, BASES, made, proof, "test")


def test_a_mirrored_key_cannot_be_proven() -> None:
    key = sigma.prove_logs(start(), MINE, [G], [MINE.public], [MINE.x])
    mirrored = group.sub(IDENTITY, MINE.public)
    e, z = group.scalars(key, 2, "key")
    for guess in (key, *(group.scalar_bytes(k) + group.scalar_bytes(n) for k in (e, -e) for n in (z, -z))):
        with pytest.raises(Refused):
            sigma.check_logs(start(), [G], [mirrored], guess, "test")


@pytest.mark.parametrize("true", range(4))
def test_any_choice_can_be_the_true_one_and_only_that(true: int) -> None:
    claim = CLAIM._replace(share=group.mul(B, CHOICES[true]))
    for pretended in range(4):
        proof = choice(pretended, claim)
        if pretended == true:
            sigma.check_choice(start(), claim, proof, "test")
        else:
            with pytest.raises(Refused):
                sigma.check_choice(start(), claim, proof, "test")


def test_a_choice_of_one_is_an_equality() -> None:
    claim = sigma.Choice(BASES[0], group.mul(B, BASES[0]), CHOICES[:1], group.mul(B, CHOICES[0]))
    sigma.check_choice(start(), claim, choice(0, claim), "test")
    false = claim._replace(share=group.mul(B, CHOICES[1]))
    with pytest.raises(Refused):
        sigma.check_choice(start(), false, choice(0, false), "test")


def test_a_choice_simulated_throughout_is_refused() -> None:
    # With every branch simulated, the challenges do not add up to the one that comes out in the end.
    false = CLAIM._replace(share=group.mul(B, group.m(99)))
    for true in range(4):
        with pytest.raises(Refused):
            sigma.check_choice(start(), false, choice(true, false), "test")


def test_a_choice_does_not_hold_for_another_statement() -> None:
    others = [
        CLAIM._replace(base=BASES[1]),
        CLAIM._replace(value=group.mul(B, BASES[1])),
        CLAIM._replace(share=group.mul(B, CHOICES[1])),
        CLAIM._replace(choices=CHOICES[::-1]),
        CLAIM._replace(choices=[*CHOICES[:3], group.m(50)]),
    ]
    for other in others:
        with pytest.raises(Refused):
            sigma.check_choice(start(), other, MADE["choice"], "test")


def test_shares_cannot_be_chosen_after_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """S_0 + w_1·P and S_1 − w_0·P weigh as much as S_0 and S_1, but by weights that are not theirs. So for bases."""
    seen: list[list[int]] = []
    real = Transcript.challenges

    def listen(t: Transcript, label: str, count: int) -> list[int]:
        seen.append(real(t, label, count))
        return seen[-1]

    monkeypatch.setattr(Transcript, "challenges", listen)
    shares()
    w = seen[0]
    for bent in (0, 1):
        lists = [[*BASES], [*SHARES]]
        lists[bent][0] = group.add(lists[bent][0], group.mul(w[1], group.m(9)))
        lists[bent][1] = group.sub(lists[bent][1], group.mul(w[0], group.m(9)))
        bases, given = lists
        assert group.dot(w, given) == group.mul(MINE.x, group.dot(w, bases))
        with pytest.raises(Refused):
            sigma.check_shares(
                start(), MINE.public, bases, given, sigma.prove_shares(start(), MINE, bases, given), "test"
            )


def test_shares_of_another_key_are_refused_under_mine() -> None:
    thief = Secrets(table_id("another seed"), CONTEXT.table, 0)
    thief.public = MINE.public
    made = [group.mul(thief.x, base) for base in BASES]
    with pytest.raises(Refused):
        sigma.check_shares(start(), MINE.public, BASES, made, sigma.prove_shares(start(), thief, BASES, made), "test")


def test_a_value_cannot_be_chosen_after_the_challenge() -> None:
    """X = (z·B − T) / e fits any e and z, but only the e of another X."""
    proof = sigma.prove_logs(start(), MINE, [G], [group.base(5)], [5])
    e, z = group.scalars(proof, 2, "proof")
    commitment = group.base(z - 5 * e)
    value = group.mul(pow(e, -1, group.Q), group.sub(group.base(99), commitment))
    with pytest.raises(Refused):
        sigma.check_logs(start(), [G], [value], proof[:32] + group.scalar_bytes(99), "test")


def test_a_choice_needs_one_blind_for_both_equations() -> None:
    for claim in (
        CLAIM._replace(value=group.mul(B + 1, BASES[0])),
        CLAIM._replace(share=group.mul(B + 1, CHOICES[2])),
    ):
        with pytest.raises(Refused):
            sigma.check_choice(start(), claim, choice(2, claim), "test")


def test_all_of_a_statement_stands_before_the_first_challenge() -> None:
    Spy.heard.clear()
    for name, made in MADE.items():
        check(name, made, Spy(CONTEXT, "test"))
    logs_heard, shares_heard, choice_heard = Spy.heard
    assert {*BASES, *VALUES} == logs_heard
    assert {G, MINE.public, 3, *BASES, *SHARES} == shares_heard
    assert {CLAIM.base, CLAIM.value, CLAIM.share, *CHOICES} == choice_heard


def test_nonces_never_meet_twice() -> None:
    """Two proofs of one key for statements that differ in anything give no equation for x."""
    made = [sigma.prove_shares(start(context), MINE, BASES, SHARES) for context in [CONTEXT, *ELSEWHERE]]
    made.append(sigma.prove_shares(start(), MINE, BASES[:2], SHARES[:2]))
    made.append(sigma.prove_shares(start(), MINE, BASES[::-1], SHARES[::-1]))
    nonces = set()
    for proof in made:
        e, z = group.scalars(proof, 2, "proof")
        nonces.add((z - e * MINE.x) % group.Q)
    assert len(nonces) == len(made)
