"""One seat's signed message for one round of one step.

For: everything that enters the transcript. Never: judging what the body says; that is the ceremony's.

A contribution is the canonical encoding of {body, kind, prev, round, seat, sig, step, table}; `sig` is the seat's
Ed25519 signature over the same map without `sig`, in the context "closing" for a closing and "contribution" otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import codec, limits
from .ceremony import Body
from .contract import Contract
from .errors import Malformed, Refused
from .hashing import hash32
from .identity import Identity, verify

CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Contribution:
    """A contribution with a valid form and, if it came through `parse`, a valid signature. `data` is its encoding."""

    step: int
    round: int
    seat: int
    kind: str
    body: Body
    prev: bytes
    data: bytes

    @property
    def place(self) -> tuple[int, int]:
        """Where it belongs: (step, round)."""
        return self.step, self.round


def _context(kind: str) -> str:
    return "closing" if kind == CLOSING else "contribution"


def sign(
    contract: Contract,
    identity: Identity,
    place: tuple[int, int],
    seat: int,
    kind: str,
    body: Body,
    prev: bytes,
) -> Contribution:
    """This seat's contribution, signed."""
    step, round_ = place
    value: dict[str, Any] = {
        "table": contract.table,
        "step": step,
        "round": round_,
        "seat": seat,
        "kind": kind,
        "body": body,
        "prev": prev,
    }
    value["sig"] = identity.sign(_context(kind), codec.encode(value))
    return Contribution(step, round_, seat, kind, body, prev, codec.encode(value))


def parse(contract: Contract, data: bytes) -> Contribution:
    """A foreign contribution. Errors: Malformed, or Refused for another table's or a bad signature: all of these are
    the fault of whoever delivered it, never of the seat that it claims."""
    value = codec.fields(
        codec.decode(data, limits.CONTRIBUTION_BYTES),
        "contribution",
        table=bytes,
        step=int,
        round=int,
        seat=int,
        kind=str,
        body=dict,
        prev=bytes,
        sig=bytes,
    )
    if value["table"] != contract.table:
        raise Refused("a contribution to another table")
    if not 0 <= value["seat"] < len(contract.seats):
        raise Malformed("a contribution of a seat that does not exist")
    if not 0 <= value["step"] < 2**31 or not 0 <= value["round"] < limits.MAX_SEATS + 1:
        raise Malformed("a contribution to a step or round that cannot exist")
    unsigned = {key: item for key, item in value.items() if key != "sig"}
    if not verify(contract.seats[value["seat"]].key, _context(value["kind"]), codec.repack(unsigned), value["sig"]):
        raise Refused("a contribution whose signature does not hold")
    return Contribution(value["step"], value["round"], value["seat"], value["kind"], value["body"], value["prev"], data)


def start_hash(contract: Contract, signatures: list[bytes]) -> bytes:
    """h_0: what the first round is chained to."""
    return hash32("p2pgame start", contract.table, *signatures)


def next_hash(prev: bytes, round_: list[Contribution]) -> bytes:
    """The running hash after one more round, its contributions in seat order, signatures included."""
    return hash32("p2pgame round", prev, *(item.data for item in round_))
