"""Whole tables: passes made ahead or in their time, from a pool or not, are the same game, and audits are content.

Theory: without a pool every byte of a table follows from the seeds and the decisions, so the file must not depend on
what is made ahead, nor on the order of jobs. With pools only the passes differ, and each names what it was made from.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import trio

from p2p import history
from p2p.audit import SOUND, audit
from p2p.node import Node
from p2p.table import Prepare, Table
from p2p.transport import LOOPBACK
from protocol import contribution, transcript
from protocol.dealing import Shuffle
from protocol.pool import STRIDE, Pool
from protocol.session import Session

from .nodes import playing, room, until
from .ring import Ring
from .test_audit import agreeing


class Pooled(Ring):
    """A ring whose seats prepare their passes. `salts`: one a seat."""

    def __init__(self, *arguments: Any, salts: list[bytes], idle: bool = True, **more: Any) -> None:
        self._salts = salts
        self._idle = idle
        self.prepared = 0
        super().__init__(*arguments, **more)

    def _table(self, seat: int) -> Table:
        table = super()._table(seat)
        secrets = table.session._secrets
        assert secrets is not None
        table._pool = secrets.pool = Pool(secrets, self._salts[seat])
        return table

    def pump(self, seat: int) -> None:
        table = self.tables[seat]
        take = table.take

        def taking() -> Any:
            effects = take()
            for effect in effects:
                if isinstance(effect, Prepare) and self._idle:
                    self.prepared += 1
                    effect.run()
            return effects

        with patch.object(table, "take", taking):
            super().pump(seat)


def played(ring: Ring) -> bytes:
    ring.decide = agreeing
    ring.play()
    assert ring.complete == set(range(len(ring.tables)))
    (file,) = {table.file() for table in ring.tables}
    return file


def passes(file: bytes) -> list[contribution.Contribution]:
    read = transcript.read(file)
    items = [contribution.parse(read.contract, data) for data in read.items]
    return [item for item in items if item.kind == "shuffle"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_file_is_the_same_with_and_without(seed: int) -> None:
    foreseen = 0
    foresee = Shuffle.foresee

    def counted(*arguments: Any) -> Any:
        nonlocal foreseen
        foreseen += 1
        return foresee(*arguments)

    with patch.object(Shuffle, "foresee", counted):
        with_it = played(Ring(seats=3, seed=seed))
    assert foreseen >= 2
    with patch.object(Session, "_foresee", lambda *_: None):
        assert played(Ring(seats=3, seed=seed)) == with_it
        assert played(Ring(seats=3, seed=seed, fifo=True)) == with_it


SALTS = [bytes([seat]) * 16 for seat in range(3)]


@pytest.mark.parametrize("idle", [True, False])
def test_passes_from_a_pool_are_derived_again_by_what_they_name(idle: bool) -> None:
    ring = Pooled(seats=3, seed=1, salts=SALTS, idle=idle)
    file = played(ring)
    assert bool(ring.prepared) == idle
    report = audit(file)
    assert (report.verdict, report.findings) == (SOUND, [])
    found = passes(file)
    assert [item.body["salt"] for item in found] == [SALTS[item.seat] for item in found]
    assert all(item.body["first"] % STRIDE == 0 for item in found)
    used = [(item.body["salt"], item.body["first"]) for item in found]
    assert len(set(used)) == len(used)
    plain = passes(played(Ring(seats=3, seed=1)))
    assert [item.seat for item in plain] == [item.seat for item in found]
    assert not {item.body["cards"] for item in plain} & {item.body["cards"] for item in found}


def test_a_restarted_seat_uses_nothing_again() -> None:
    """The same seed and the same cards, another salt: no card looks the same."""
    first, second = (passes(played(Pooled(seats=3, seed=1, salts=salts))) for salts in (SALTS, [*SALTS[1:], b"x" * 16]))
    for one, other in zip(first, second, strict=True):
        halves = ({item.body["cards"][at : at + 32] for at in range(0, 64 * 36, 32)} for item in (one, other))
        assert not set.intersection(*halves)


def test_a_pass_that_names_another_batch_than_its_own_is_found() -> None:
    """Its proof covers salt and index, so it does not even hold."""
    ring = Pooled(seats=3, seed=1, salts=SALTS, fifo=True)
    for seat in range(3):
        ring.pump(seat)
    make = Shuffle._make

    def lying(*arguments: Any) -> Any:
        return {**make(*arguments), "first": 5}

    with patch.object(Shuffle, "_make", lying), patch.object(Session, "_foresee", lambda *_: None):
        while ring.step():
            pass
    assert {(verdict.seat, "does not hold" in str(verdict)) for verdict in ring.verdicts.values()} == {(0, True)}


@pytest.mark.trio
async def test_every_start_of_a_program_draws_salts_of_its_own(tmp_path: Path) -> None:
    """Two peers, then one of them again after it was gone: three pools for two seats, and no salt twice."""
    salts: list[bytes] = []
    async with room(tmp_path) as here:
        nodes = [await here.host(), here.join("Beto", here.doors["Ana"])]
        await playing(*nodes)
        salts += [salt(node) for node in nodes]
    async with room(tmp_path) as here:
        again = here.node("Ana")
        (past,) = history.unfinished(again.profile.path)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(again.resume, bytes.fromhex(past.table), hosts=LOOPBACK))
            await until(again, lambda one: one._player is not None)
            salts.append(salt(again))
            nursery.cancel_scope.cancel()
    assert len(set(salts)) == 3


def salt(node: Node) -> bytes:
    assert node._player is not None
    secrets = node._player.table.session._secrets
    assert secrets is not None
    assert secrets.pool is not None
    return secrets.pool._salt
