"""A real table, and what somebody with a seat at it can make of any bytes: shared by harnesses and beginnings."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from p2p.table import Table
from protocol import codec, contribution
from protocol.contribution import Contribution
from protocol.effects import Job
from protocol.errors import ProtocolError
from protocol.identity import Identity
from protocol.secrets import Secrets
from tests.cheats.cheat import shortly
from tests.p2p.ring import Ring

FOE = 1
"""The seat whose identity the fuzzer has. Nobody else may ever be named."""
HOST, GUEST = Identity(b"h" * 32), Identity(b"g" * 32)
NONCE, CERTIFICATE = b"n" * 32, b"certificate"


@cache
def ring() -> Ring:
    """A short whole game."""
    made = Ring("maamut", 2, seed=77, fifo=True)
    made.decide = shortly
    made.play()
    assert made.complete == {0, 1}
    return made


@cache
def recorded() -> tuple[Contribution, ...]:
    """What was signed in it."""
    return tuple(ring().tables[0].session.since(0))


@cache
def moments() -> tuple[int, ...]:
    """How many contributions stand before the first of each kind, and round, that is due of the foe."""
    found: dict[tuple[str, int], int] = {}
    for at, item in enumerate(recorded()):
        if item.seat == FOE:
            first = next(i for i, other in enumerate(recorded()) if other.place == item.place)
            found.setdefault((item.kind, item.round), first if at else 0)
    return tuple(found.values())


def attempt(job: Job) -> Any:
    """Do a job as a peer does."""
    try:
        return job.run()
    except ProtocolError as error:
        return error


def table(moment: int) -> Table:
    """The table as seat 0 has it in this moment."""
    secrets = Secrets(ring().masters[0], ring().contract.table, 0)
    made = Table(ring().contract, ring().signatures, seat=0, identity=ring().identities[0], secrets=secrets, mute=True)
    for item in recorded()[: moments()[moment % len(moments())]]:
        made.receive(item.data, item)
        for effect in made.take():
            if isinstance(effect, Job):
                made.done(effect.id, None)
    return made


def unpacked(data: bytes) -> Any:
    """The value in some bytes, or None."""
    with suppress(ProtocolError):
        return codec.decode(data)
    return None


def signed(value: Any, place: tuple[int, int], kind: str, prev: bytes) -> bytes:
    """A contribution of the foe, made of the fields in a value; what it lacks is as it is due."""
    given = value if isinstance(value, dict) else {}
    fields: dict[str, Any] = {
        "table": ring().contract.table,
        "step": place[0],
        "round": place[1],
        "seat": FOE,
        "kind": kind,
        "body": {},
        "prev": prev,
        **given,
    }
    fields.pop("sig", None)
    context = "closing" if fields["kind"] == contribution.CLOSING else "contribution"
    with suppress(RuntimeError):  # it cannot travel: too deep or too large
        return codec.encode({**fields, "sig": ring().identities[FOE].sign(context, codec.encode(fields))})
    return b""


def cut(data: bytes) -> list[bytes]:
    """Pieces of some bytes, each behind its length in two bytes, or as many as there are."""
    pieces = []
    while data:
        end = 2 + int.from_bytes(data[:2], "big")
        pieces.append(data[2:end])
        data = data[end:]
    return pieces


def joined(pieces: list[bytes]) -> bytes:
    """The other way round."""
    return b"".join(len(piece).to_bytes(2, "big") + piece for piece in pieces)
