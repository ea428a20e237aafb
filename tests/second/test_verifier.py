"""The second verifier comes to the same verdicts as the product's audit, on files that the product made."""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from p2p.audit import SOUND, audit
from protocol import codec, contribution, framing, transcript
from protocol.contribution import Contribution
from protocol.secrets import Secrets
from tests.p2p.ring import Ring
from tests.p2p.test_audit import agreeing
from tests.p2p.test_leaving import leaving

from .basics import Unsound
from .verifier import verify

Change = Callable[[dict[str, Any]], Any]


@functools.cache
def short(seats: int = 2) -> tuple[Ring, bytes]:
    """A whole game that its players soon agree to end, and its file."""
    ring = Ring(seats=seats, seed=77, fifo=True)
    ring.decide = agreeing
    ring.play()
    assert ring.complete == set(range(seats))
    return ring, ring.tables[0].file()


def payloads(data: bytes) -> list[bytes]:
    return list(framing.records(data).payloads)


def refused(data: bytes) -> str:
    """Why the second verifier does not accept a file; the audit must not, either."""
    assert audit(data).verdict != SOUND
    with pytest.raises(Unsound) as error:
        verify(data)
    return str(error.value)


def test_it_shares_no_code_with_what_it_checks() -> None:
    for file in ("basics.py", "seeds.py", "verifier.py"):
        tree = ast.parse(Path(__file__).with_name(file).read_text(encoding="utf-8"))
        used = {
            node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
        }
        used |= {
            alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        }
        assert not used & {"protocol", "p2p", "client", "tests"}


# -- what is sound ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_short_games_are_sound(seats: int) -> None:
    _, file = short(seats)
    assert verify(file).hex() == audit(file).hash


@functools.cache
def played(game: str, seats: int, options: str = "") -> tuple[Ring, bytes]:
    """A game that bots played to its end, and its file."""
    ring = Ring(game, seats, seed=4, options=dict([options.split("=")]) if options else {}, fifo=True)
    ring.play()
    (file,) = {table.file() for table in ring.tables}
    return ring, file


@pytest.mark.parametrize("game", [("maamut", 2), ("maamut", 3, "rounds=8"), ("fungi", 2), ("amanite", 3)])
def test_games_played_to_their_end_are_sound(game: tuple[Any, ...]) -> None:
    _, file = played(*game)
    assert verify(file).hex() == audit(file).hash


@functools.cache
def departed(seats: int, after: int) -> bytes:
    """A game that one seat left."""
    ring = leaving("maamut", seats, 20 + after, 1, after)
    file = ring.tables[0].file()
    assert audit(file).left == [1]
    return file


@pytest.mark.parametrize(("seats", "after"), [(3, 0), (3, 150), (4, 400)])
def test_games_that_somebody_left_are_sound(seats: int, after: int) -> None:
    file = departed(seats, after)
    assert verify(file).hex() == audit(file).hash


def test_a_leave_with_another_key_is_refused() -> None:
    records = payloads(departed(3, 0))
    for index, record in enumerate(records[1:-1], start=1):
        value = codec.decode(codec.decode(record)["item"])
        if value["kind"] == "leave":
            value["body"] = {"x": (7).to_bytes(32, "little")}
            records[index] = transcript.item(codec.encode(value))
    assert refused(transcript.write(records))


# -- what is not -----------------------------------------------------------------------------------------------------


def signed_anew(made: tuple[Ring, bytes], kind: str, change: Change, which: int = 0) -> bytes:
    """The file with the which-th contribution of a kind changed and signed by its seat, as that seat could have."""
    ring, file = made
    records = payloads(file)
    for index, record in enumerate(records):
        value = codec.decode(record)
        if "item" not in value:
            continue
        item = contribution.parse(ring.contract, value["item"])
        if item.kind == kind:
            which -= 1
        if which < 0:
            records[index] = transcript.item(_signed(ring, item, change).data)
            return transcript.write(records)
    raise AssertionError(f"not so many of kind {kind}")


def _signed(ring: Ring, item: Contribution, change: Change) -> Contribution:
    body = copy.deepcopy(item.body)
    change(body)
    identity = ring.identities[item.seat]
    return contribution.sign(ring.contract, identity, item.place, item.seat, item.kind, body, item.prev)


def swap(key: str, size: int) -> Change:
    """The first two of the things in one piece of bytes change places."""

    def change(body: dict[str, Any]) -> None:
        one = body[key]
        body[key] = one[size : 2 * size] + one[:size] + one[2 * size :]

    return change


def another(key: str, *inner: str) -> Change:
    """One bit of some bytes is different."""

    def change(body: dict[str, Any]) -> None:
        for name in inner:
            body = body[name]
        body[key] = bytes([body[key][0] ^ 1]) + body[key][1:]

    return change


CHEATS: dict[str, tuple[str, Change, str]] = {
    "another seed hash": ("commit", another("seed"), "does not follow from the seed"),
    "another anchor": ("keys", another("anchor"), "logarithms"),
    "a key of small order": ("keys", lambda body: body.update(key=bytes(32)), "gate"),
    "another flip value": ("flip", another("value"), "preimage"),
    "two cards swapped after the proof": ("shuffle", swap("cards", 64), "proof of a shuffle"),
    "one card twice": ("shuffle", lambda b: b.update(cards=b["cards"][:64] + b["cards"][:-64]), "proof of a shuffle"),
    "one card too few": ("shuffle", lambda b: b.update(cards=b["cards"][64:]), "longer or shorter"),
    "a place twice": (
        "shuffle",
        lambda b: b["proof"].update(places=b["proof"]["places"][:1] + b["proof"]["places"][:-1]),
        "no order",
    ),
    "responses that are too many": (
        "shuffle",
        lambda b: b["proof"].update(responses=b["proof"]["responses"] * 2),
        "shorter",
    ),
    "another response": ("shuffle", another("responses", "proof"), "proof of a shuffle"),
    "another opening": ("shuffle", another("z", "proof", "known"), "proof of a shuffle does not hold: openings"),
    "another product": ("shuffle", another("g", "proof", "known"), "proof of a shuffle"),
    "another blind": ("view", swap("blinded", 32), "logarithms"),
    "shares of other cards": ("view", swap("shares", 32), "shares"),
    "a share of nothing": ("open", lambda body: body.update(shares=b"\x01" + bytes(31)), "gate"),
    "a scalar that is too large": ("open", lambda body: body.update(proof=b"\xff" * 64), "below q"),
    "no such act": ("ask", lambda body: body.update(act=99), "no such act"),
    "a pick that is no number": ("ask", lambda body: body.update(picks=[False]), "no such thing"),
    "a field too many": ("open", lambda body: body.update(more=1), "other fields"),
    "another result": ("closing", lambda body: body.update(winners=[0]), "closing"),
}


@pytest.mark.parametrize("name", CHEATS)
def test_what_a_seat_signs_wrongly_is_refused(name: str) -> None:
    kind, change, why = CHEATS[name]
    assert why in refused(signed_anew(short(), kind, change))


def test_a_decision_against_the_rules_is_refused() -> None:
    """The first hunter's tile, once more by the second hunter: a legal form, but the place is taken."""
    _, file = short(2)
    items = [codec.decode(codec.decode(record)["item"]) for record in payloads(file)[1:-1]]
    first = next(item["body"] for item in items if item["kind"] == "ask")
    assert "against the rules" in refused(signed_anew(short(), "ask", lambda body: body.update(first), 1))


def test_a_false_promise_is_refused() -> None:
    file = signed_anew(played("fungi", 2), "promise", another("proofs"))
    assert "proof of a choice" in refused(file)


def test_luck_that_was_chosen_is_refused() -> None:
    """A seat shuffles with factors of its own: nobody can tell at the table, everybody can from the file."""
    original = Secrets.pooled

    def chosen(self: Secrets, salt: bytes, index: int) -> int:
        return original(self, salt, index) + (1 if self.seat == 1 else 0)

    with mock.patch.object(Secrets, "pooled", chosen):
        ring = Ring(seats=2, seed=77, fifo=True)
        ring.decide = agreeing
        ring.play()
        assert ring.complete == {0, 1}
    assert "shuffle (3, 1, 1) does not follow from the seed" in refused(ring.tables[0].file())


def moved(records: list[bytes]) -> None:
    records[3], records[4] = records[4], records[3]


def doubled(records: list[bytes]) -> None:
    records.insert(5, records[5])


def dropped(records: list[bytes]) -> None:
    del records[-2]


def seeds_swapped(records: list[bytes]) -> None:
    records[-1] = codec.encode({"seeds": codec.decode(records[-1])["seeds"][::-1]})


def seed_withheld(records: list[bytes]) -> None:
    records[-1] = codec.encode({"seeds": [codec.decode(records[-1])["seeds"][0], b""]})


def unsigned_contract(records: list[bytes]) -> None:
    value = codec.decode(records[0])
    value["table"]["signatures"].reverse()
    records[0] = codec.encode(value)


@pytest.mark.parametrize("change", [moved, doubled, dropped, seeds_swapped, seed_withheld, unsigned_contract])
def test_a_file_put_together_wrongly_is_refused(change: Callable[[list[bytes]], None]) -> None:
    records = payloads(short()[1])
    change(records)
    assert refused(transcript.write(records))


@pytest.mark.parametrize("at", [0, 5, 30, 500, 5000, -40, -1])
def test_a_changed_byte_or_a_cut_is_refused(at: int) -> None:
    file = bytearray(short()[1])
    assert refused(bytes(file[:at]))
    file[at] ^= 1
    assert refused(bytes(file))
