"""Points and scalars that no honest seat sends, by name, for tests that send them in place of good ones."""

from __future__ import annotations

from nacl.bindings import crypto_core_ed25519_add

from protocol import group

from ..protocol.mutate import NON_CANONICAL, ORDER_2

WRONG_POINTS = {
    "the identity": bytes(group.IDENTITY),
    "a point of order two": ORDER_2,
    "a point of order eight": group.ORDER_8,
    "a point that is not canonical": NON_CANONICAL,
    "no point of the curve": b"\x02" + bytes(31),
}


def marked(point: bytes) -> bytes:
    """The point with torsion added: it looks the same to whoever checks sums only, and can be told apart for ever."""
    return crypto_core_ed25519_add(point, ORDER_2)


def too_large(scalar: bytes) -> bytes:
    """The same scalar mod q, but not below q."""
    return (int.from_bytes(scalar, "little") + group.Q).to_bytes(32, "little")
