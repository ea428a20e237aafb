"""Two long things signed for one place still fit into the file that shows them."""

from __future__ import annotations

import pytest

from p2p.audit import BROKEN, audit
from protocol import contribution, limits
from protocol.effects import Fork
from protocol.errors import Malformed

from .ring import Ring


def said(ring: Ring, fill: int, size: int) -> bytes:
    """Something of seat 1 for a later place, so many bytes long."""

    def signed(room: int) -> bytes:
        body = {"x": bytes([fill]) * room}
        return contribution.sign(ring.contract, ring.identities[1], (3, 0), 1, "ask", body, bytes(32)).data

    return signed(100_000 + size - len(signed(100_000)))


def test_evidence_of_any_size_that_is_taken_in_has_a_file() -> None:
    ring = Ring("maamut", 2)
    for seat in range(2):
        ring.pump(seat)
    table = ring.tables[0]
    with pytest.raises(Malformed):
        table.receive(said(ring, 0, limits.CONTRIBUTION_BYTES + 1))
    for fill in (0, 1):
        table.receive(said(ring, fill, limits.CONTRIBUTION_BYTES))
    assert isinstance(table.ended, Fork)
    report = audit(table.file())
    assert (report.verdict, report.findings[0].seat) == (BROKEN, 1)
