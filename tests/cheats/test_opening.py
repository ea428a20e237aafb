"""Cheats with seeds, keys and public chance, each at a table among honest seats.

Theory: commitments fix every seat's secrets before anybody else's are known, a proof of knowledge keeps keys from being
made of other keys, and a flip value fits only the seat whose chain it belongs to. What two seats did together cannot be
told apart from what one did to the other; then the opening ends and nobody is named.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol import group, sigma
from protocol.ceremony import Body
from protocol.group import G, Point
from protocol.opening import Keys

from .cheat import CheatRing, Moment, Strike
from .points import WRONG_POINTS, marked, too_large
from .verdicts import caught, convicted

Forge = Callable[[Moment], Body]
VICTIM = 0


def keyed(m: Moment, key: Point, x: int, anchor: bytes | None = None) -> Body:
    """A key, whatever it is, with the best proof that can be made of this x."""
    assert isinstance(m.ceremony, Keys)
    anchor = anchor or m.secrets.anchor
    transcript = m.ceremony._transcript(m.context(), anchor)
    return {"key": bytes(key), "anchor": anchor, "proof": sigma.prove_logs(transcript, m.secrets, [G], [key], [x])}


def others_keys(m: Moment) -> Point:
    return group.total(m.ring.secrets(seat).public for seat in m.ring.honest)


def from_another_table(m: Moment) -> Body:
    """Opened with the same key elsewhere."""
    assert isinstance(m.ceremony, Keys)
    context = m.context()
    elsewhere = type(context)(bytes(32), context.prev, context.step, context.round, context.seat)
    transcript = m.ceremony._transcript(m.context(), m.secrets.anchor)
    transcript = type(transcript)(elsewhere, "key")
    transcript.absorb("seeds", *m.table.deck.commitments)
    transcript.absorb("anchor", m.secrets.anchor)
    return {**m.honest(), "proof": sigma.prove_logs(transcript, m.secrets, [G], [m.secrets.public], [m.secrets.x])}


COMMITS: dict[str, tuple[Forge, str]] = {
    "a byte short": (lambda m: {"seed": m.honest()["seed"][:-1]}, "commit: seed: 31 bytes"),
    "with something besides": (lambda m: {**m.honest(), "more": b""}, "'more' is missing or unknown"),
    "empty": (lambda m: {}, "'seed' is missing or unknown"),
}


@pytest.mark.parametrize("cheat", COMMITS)
def test_a_commitment_that_is_none(cheat: str) -> None:
    forge, reason = COMMITS[cheat]
    caught(Strike("commit", lambda m: m.sign(forge(m))), reason)


def test_a_copied_commitment_ends_the_table_and_names_nobody() -> None:
    """Who copied from whom cannot be told: either could have been first."""
    copy: Forge = lambda m: {"seed": m.ring.secrets(VICTIM).commitment()}  # noqa: E731
    caught(Strike("commit", lambda m: m.sign(copy(m))), "published the same", seat=None)


KEYS: dict[str, tuple[Forge, str]] = {
    "copied": (lambda m: keyed(m, m.ring.secrets(VICTIM).public, m.secrets.x), "keys: key: proof"),
    "copied with its proof": (lambda m: m.ceremony.make(m.context(VICTIM), m.ring.secrets(VICTIM)), "keys: key: proof"),
    "mirrored": (
        lambda m: keyed(m, group.sub(group.IDENTITY, m.ring.secrets(VICTIM).public), m.secrets.x),
        "keys: key: proof",
    ),
    "rogue": (lambda m: keyed(m, group.sub(group.base(7), others_keys(m)), 7), "keys: key: proof"),
    "proven at another table": (from_another_table, "keys: key: proof"),
    "with another anchor than the one proven": (lambda m: {**m.honest(), "anchor": bytes(32)}, "keys: key: proof"),
    "with a short anchor": (lambda m: {**m.honest(), "anchor": bytes(31)}, "keys: anchor: 31 bytes"),
    "marked": (lambda m: {**m.honest(), "key": marked(m.honest()["key"])}, "keys: key: not a point"),
    "with a scalar too large": (
        lambda m: {**m.honest(), "proof": too_large(m.honest()["proof"][:32]) + m.honest()["proof"][32:]},
        "scalar 0: not below",
    ),
    **{
        what: (lambda m, wrong=wrong: {**m.honest(), "key": wrong}, "keys: key: not a point")  # type: ignore[misc]
        for what, wrong in WRONG_POINTS.items()
    },
}


@pytest.mark.parametrize("cheat", KEYS)
def test_a_key_that_is_not_ones_own(cheat: str) -> None:
    forge, reason = KEYS[cheat]
    caught(Strike("keys", lambda m: m.sign(forge(m))), reason)


def test_two_seats_with_one_secret_end_the_table_and_name_nobody() -> None:
    """Both have proven that they know it, so they have told each other; no third seat can say who told."""
    shared: Forge = lambda m: keyed(m, m.ring.secrets(VICTIM).public, m.ring.secrets(VICTIM).x)  # noqa: E731
    caught(Strike("keys", lambda m: m.sign(shared(m))), "published the same", seat=None)


FLIPS: dict[str, tuple[Forge, str]] = {
    "of one's choice": (lambda m: {"value": bytes(32)}, "flip: value is not the preimage"),
    "that was used": (lambda m: {"value": m.secrets.anchor}, "flip: value is not the preimage"),
    "that is not due yet": (lambda m: {"value": m.secrets.flip(1)}, "flip: value is not the preimage"),
    "of another seat": (lambda m: {"value": m.ring.secrets(VICTIM).flip(0)}, "flip: value is not the preimage"),
    "a byte too long": (lambda m: {"value": m.secrets.flip(0) + b"\0"}, "flip: value is not 32 bytes"),
}


@pytest.mark.parametrize("cheat", FLIPS)
def test_a_flip_value(cheat: str) -> None:
    forge, reason = FLIPS[cheat]
    caught(Strike("flip", lambda m: m.sign(forge(m))), reason)


def test_a_mirrored_flip() -> None:
    """The cheat has taken the other's anchor for its own, which nobody can object to; its values do not fit, though."""

    def anchored(m: Moment) -> bytes:
        return m.sign(keyed(m, m.secrets.public, m.secrets.x, m.ring.secrets(VICTIM).anchor))

    def mirrored(m: Moment) -> bytes:
        return m.sign({"value": m.ring.secrets(VICTIM).flip(0)})

    ring = CheatRing(Strike("keys", anchored), Strike("flip", mirrored), goes_on=True)
    ring.play()
    assert ring.struck == [(1, 0), (2, 0)]
    convicted(ring, "flip: value is not the preimage")
