"""Three proofs of knowledge: of logarithms, of shares made with one key, and of one equality among several.

For: keys, blinds, shares and promises. Never: a nonce from anywhere but `Secrets.nonce`, a challenge that leaves out a
part of the statement, or an answer to a check other than None, Malformed or Refused.

Theory of operation. Each pair of functions takes a transcript that its caller began with the context and with whatever
the proof is bound to besides. Both absorb the statement; the maker takes its nonces from the state of that moment,
absorbs its commitments and asks for the challenge e. A proof holds challenge and responses (32 bytes each, in one
piece); the checker computes the commitments that they imply and looks whether the same challenge comes out.

    logs     Schnorr 1991, for several equations X_i = x_i·B_i under one challenge
    shares   Chaum and Pedersen 1992, log_G X = log_B S, for ΣwB and ΣwS with weights that cover all B and all S
    choice   Cramer, Damgård and Schoenmakers 1994: D = b·C and S = b·B_j for one of several B_j, not telling which
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import group
from .errors import Refused
from .group import Claim, G, Point
from .hashing import Q, Transcript
from .secrets import Secrets
from .spread import Spread, each, inline


def _implied(response: int, base: Point, challenge: int, value: Point) -> Point:
    """The commitment that a response stands for: z·B − e·X."""
    return group.sub(group.mul(response, base), group.mul(challenge, value))


def prove_logs(
    t: Transcript, secrets: Secrets, bases: Sequence[Point], values: Sequence[Point], logs: Sequence[int]
) -> bytes:
    """Knowledge of every x_i in X_i = x_i·B_i. Returns e, z_1 … z_n: 32·(1 + n) bytes. Source: Schnorr 1991."""
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    state = t.state()
    nonces = [secrets.nonce(state, "log", index) for index in range(len(bases))]
    t.absorb("commitments", *(group.mul(w, base) for w, base in zip(nonces, bases, strict=True)))
    e = t.challenge("e")
    return group.packed([e, *(w + e * x for w, x in zip(nonces, logs, strict=True))])


def check_logs(
    t: Transcript,
    bases: Sequence[Point],
    values: Sequence[Claim | Point],
    proof: object,
    what: str,
    value: str = "value",
) -> None:
    """Check it; the values pass the gate by it. Errors: Malformed or Refused, naming `what`, or a value by `value`."""
    e, *responses = group.scalars(proof, 1 + len(bases), f"{what}: scalar")
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    terms = zip(responses, bases, values, strict=True)
    found = (
        group.sub(group.mul(z, base), group.sift([e], [claim], value, [number]))
        for number, (z, base, claim) in enumerate(terms)
    )
    t.absorb("commitments", *found)
    if t.challenge("e") != e:
        raise Refused(f"{what}: proof does not hold")


def _weighted(t: Transcript, key: Point, bases: Sequence[Point], shares: Sequence[Claim | Point]) -> list[int]:
    """Absorb the statement of a batch, and weigh its parts: a wrong share cannot be made up for by another."""
    t.absorb("statement", G, key, len(bases))
    t.absorb("bases", *bases)
    t.absorb("shares", *shares)
    return t.challenges("weights", len(bases))


def prove_shares(t: Transcript, secrets: Secrets, bases: Sequence[Point], shares: Sequence[Point]) -> bytes:
    """log_G X = log_{B_i} S_i for all i, with X the key of `secrets`. Returns e, z: 64 bytes.

    Source: Chaum and Pedersen 1992, section 3.2; small-exponent batching after Bellare, Garay and Rabin 1998, with
    weights as long as the group order.
    """
    weights = _weighted(t, secrets.public, bases, shares)
    w = secrets.nonce(t.state(), "share")
    t.absorb("commitments", group.base(w), group.dot([w * one for one in weights], bases))
    e = t.challenge("e")
    return group.packed([e, w + e * secrets.x])


def check_shares(
    t: Transcript, key: Point, bases: Sequence[Point], shares: Sequence[Claim | Point], proof: object, what: str
) -> None:
    """Check it; the shares pass the gate by it. Errors: Malformed or Refused, naming `what`: the seat answers for the
    batch as a whole."""
    e, z = group.scalars(proof, 2, f"{what}: scalar")
    weights = _weighted(t, key, bases, shares)
    share = group.sift([e * one for one in weights], shares, f"{what}: share")
    base = group.dot([z * one for one in weights], bases)
    t.absorb("commitments", _implied(z, G, e, key), group.sub(base, share))
    if t.challenge("e") != e:
        raise Refused(f"{what}: proof does not hold")


class Choice(NamedTuple):
    """That D = b·C, and S = b·B_j for one of the choices B_j. `base`: C, `value`: D, `share`: S."""

    base: Point
    value: Point
    choices: Sequence[Point]
    share: Point

    def absorb(self, t: Transcript) -> None:
        """Put the statement into a transcript."""
        t.absorb("statement", self.base, self.value, self.share)
        t.absorb("choices", *self.choices)

    def implied(self, e: Sequence[int], z: Sequence[int], spread: Spread) -> list[Point]:
        """The commitments, two for each choice."""

        def two(one: tuple[int, int, Point]) -> tuple[Point, Point]:
            challenge, response, choice = one
            return (
                _implied(response, self.base, challenge, self.value),
                _implied(response, choice, challenge, self.share),
            )

        return [one for pair in each(spread, two, [*zip(e, z, self.choices, strict=True)]) for one in pair]


def prove_choice(t: Transcript, secrets: Secrets, claim: Choice, b: int, true: int, spread: Spread = inline) -> bytes:
    """The claim, which is so for the choice `true`. Returns e_0 … e_k−1, then z_0 … z_k−1: 64·k bytes.

    Source: Cramer, Damgård and Schoenmakers 1994, section 3, for "one of k".
    """
    claim.absorb(t)
    state = t.state()
    e = [secrets.nonce(state, "challenge", j) for j in range(len(claim.choices))]
    z = [secrets.nonce(state, "response", j) for j in range(len(claim.choices))]
    # With e = 0 for the true one its commitments are z·C and z·B, so there z is the nonce; the others are simulated.
    e[true] = 0
    t.absorb("commitments", *claim.implied(e, z, spread))
    e[true] = (t.challenge("e") - sum(e)) % Q
    return group.packed([*e, *z[:true], z[true] + e[true] * b, *z[true + 1 :]])


def check_choice(t: Transcript, claim: Choice, proof: object, what: str, spread: Spread = inline) -> None:
    """Check it. Errors: Malformed or Refused, naming `what`."""
    k = len(claim.choices)
    scalars = group.scalars(proof, 2 * k, f"{what}: scalar")
    e, z = scalars[:k], scalars[k:]
    claim.absorb(t)
    t.absorb("commitments", *claim.implied(e, z, spread))
    if t.challenge("e") != sum(e) % Q:
        raise Refused(f"{what}: proof does not hold")
