"""A third party on the network: it has no key, and can do to bytes whatever it likes.

Theory: everything that counts is signed, and what is signed says where it belongs. So bytes that come in another order,
twice, late, by another way, changed, or from another table can name nobody and change nothing: every game ends as it
would have ended on a quiet network, with the same file at every seat. Bytes that do not hold are the fault of the link
that brought them, and a link is all that they can cost.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from p2p.audit import SOUND, audit
from protocol import codec, contribution
from protocol.contract import Contract, draft
from protocol.effects import Arrival
from protocol.errors import Malformed, ProtocolError

from ..p2p.ring import Letter, Ring
from .cheat import shortly


def _altered(value: Any) -> Any:
    """The same kind of thing, and not the same."""
    if isinstance(value, bytes):
        return bytes(byte ^ 1 for byte in value)
    if isinstance(value, dict):
        return {**value, "more": 1}
    return value + (1 if isinstance(value, int) else "s")


class HostileRing(Ring):
    """A ring whose letters pass through the hands of a third party, which keeps all that it has ever seen."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        self.wild = random.Random(seed)
        self.seed = seed
        self.noise = 0
        self.passed: list[bytes] = []
        """Bytes of the third party's own making that some seat took for new."""
        self._memory: list[bytes] = []
        self._forged: set[bytes] = set()
        super().__init__(game, seats, seed=seed)
        self.decide = shortly if game == "maamut" else self._by_bot
        self.drop = lambda _from, _to, _data: self.wild.random() < 0.1

    def quiet(self) -> Ring:
        """The same table on a quiet network."""
        same = Ring(self.contract.game, len(self.tables), seed=self.seed, fifo=True)
        same.decide = shortly if self.contract.game == "maamut" else same._by_bot
        return same

    def another_table(self) -> Contract:
        """The same people at another table of theirs."""
        return draft(self.contract.game, self.contract.options, self.contract.seats, "another table")

    def send(self, origin: int, data: bytes, to: int | None = None) -> None:
        super().send(origin, data, to)
        if data in self._forged:
            self.passed.append(data)
        self._memory.append(data)
        for _ in range(self.wild.choice((0, 0, 1, 2))):
            made = self.wild.choice((self.again, self.corrupted, self.rewritten, self.from_elsewhere))()
            other = self.wild.randrange(len(self.tables))
            # Late or early is the same here: letters are taken from anywhere in the heap.
            self.letters.append(Letter("item", other, made))
            self.noise += 1
        if self.wild.random() < 0.1:
            seat = self.wild.randrange(len(self.tables))
            self.letters.append(Letter("seed", self.wild.randrange(len(self.tables)), (seat, self.wild.randbytes(32))))

    def again(self) -> bytes:
        """Something that was sent before, by whomever, to whomever."""
        return self.wild.choice(self._memory)

    def corrupted(self) -> bytes:
        """A bit flipped, a piece cut off, or something added."""
        data = bytearray(self.again())
        at = self.wild.randrange(len(data))
        kind = self.wild.randrange(4)
        if kind == 0:
            data[at] ^= 1 << self.wild.randrange(8)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            data += self.wild.randbytes(3)
        else:
            data[at : at + 8] = self.wild.randbytes(8)
        return self._remember(bytes(data))

    def rewritten(self) -> bytes:
        """Well formed, but with another field, or with another contribution's signature."""
        value, other = (codec.decode(self.again()) for _ in range(2))
        key = self.wild.choice(sorted(value))
        value[key] = other[key] if other[key] != value[key] else _altered(value[key])
        return self._remember(codec.encode(value))

    def from_elsewhere(self) -> bytes:
        """What its seat has really signed, at another table."""
        item = contribution.parse(self.contract, self.again())
        there = self.another_table()
        return self._remember(
            contribution.sign(
                there, self.identities[item.seat], item.place, item.seat, item.kind, item.body, item.prev
            ).data
        )

    def _remember(self, data: bytes) -> bytes:
        if data not in self._memory:
            self._forged.add(data)
        return data

    def step(self) -> bool:
        try:
            return super().step()
        except ProtocolError as error:  # a seed that does not fit
            self.broken_links.append(error)
            return True


GAMES = [("maamut", seats) for seats in (2, 3, 4)] + [("amanite", seats) for seats in (2, 3)]


@pytest.mark.parametrize("schedule", range(3))
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_whatever_is_done_to_bytes_changes_nothing(game: str, seats: int, schedule: int) -> None:
    ring = HostileRing(game, seats, 100 * schedule + seats)
    ring.play()
    assert ring.verdicts == {}
    assert ring.astray == []
    assert ring.passed == []
    assert ring.complete == set(range(seats))
    assert ring.noise > 20
    assert ring.broken_links
    quiet = ring.quiet()
    quiet.play()
    assert {table.file() for table in ring.tables} == {quiet.tables[0].file()}


def test_a_file_from_a_hostile_network_is_sound() -> None:
    ring = HostileRing("amanite", 3, 9)
    ring.play()
    assert audit(ring.tables[0].file()).verdict == SOUND


def test_links_that_come_and_go() -> None:
    """At every moment some link is cut; whoever is connected passes on what others lack."""
    ring = HostileRing("maamut", 3, 31)
    pairs = [frozenset(pair) for pair in ((0, 1), (0, 2), (1, 2))]
    for seat in range(3):
        ring.pump(seat)
    for turn in range(100_000):
        ring.cut = {pairs[turn // 7 % 3]}
        if not ring.step() and not ring.catch_up() and len(ring.complete) == 3:
            break
    assert ring.complete == {0, 1, 2}
    assert not ring.verdicts
    assert not ring.astray
    assert len({table.file() for table in ring.tables}) == 1


Change = Callable[[dict[str, Any]], dict[str, Any]]
TOUCHED: dict[str, Change] = {
    "another step": lambda value: {**value, "step": value["step"] + 1},
    "another round": lambda value: {**value, "round": value["round"] + 1},
    "another seat": lambda value: {**value, "seat": 1 - value["seat"]},
    "another kind": lambda value: {**value, "kind": "open"},
    "the kind that has a context of its own": lambda value: {**value, "kind": "closing"},
    "another history": lambda value: {**value, "prev": bytes(32)},
    "another body": lambda value: {**value, "body": {}},
    "another table": lambda value: {**value, "table": bytes(32)},
    "another signature": lambda value: {**value, "sig": bytes(64)},
    "a short signature": lambda value: {**value, "sig": value["sig"][:-1]},
    "the other form of the same signature": lambda value: {**value, "sig": malleated(value["sig"])},
    "a field more": lambda value: {**value, "more": 1},
    "a seat that does not exist": lambda value: {**value, "seat": 2},
    "a step that cannot exist": lambda value: {**value, "step": 2**31},
}


def malleated(signature: bytes) -> bytes:
    """The same signature to whoever does not insist on S < q."""
    order = 2**252 + 27742317777372353535851937790883648493
    return signature[:32] + (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")


@pytest.mark.parametrize("what", TOUCHED)
def test_one_touched_contribution_is_the_fault_of_its_link(what: str) -> None:
    """Before the true one arrives, when it could do harm: the true one is still new afterwards."""
    ring = Ring(seed=5)
    ring.pump(0)
    while ring.step() and not any(letter.kind == "item" for letter in ring.letters):
        pass
    letter = next(letter for letter in ring.letters if letter.kind == "item")
    table = ring.tables[letter.to]
    with pytest.raises(ProtocolError) as caught:
        table.receive(codec.encode(TOUCHED[what](codec.decode(letter.content))))
    assert str(caught.value)
    assert table.ended is None
    assert not table.session.got()
    assert table.receive(letter.content) is Arrival.NEW


@pytest.mark.parametrize("data", [b"", b"\xc0", b"\x80", b"hello", bytes(100), b"\xc1" * 9, b"\x81\xa1t\xa4item"])
def test_what_is_no_contribution_at_all(data: bytes) -> None:
    table = Ring(seed=5).tables[0]
    with pytest.raises(Malformed):
        table.receive(data)
    assert table.ended is None
