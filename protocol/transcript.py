"""The file of one table: everything that was signed, in the order of the chain, then the seeds.

For: the durable log while a table runs, and the sealed file that anyone can verify afterwards; both have one format.
Never: a verdict; the audit has it.

A file is a sequence of records (framing.py), each the canonical encoding of a map with one key:

    {"table": {"format", "contract", "signatures"}}   first, once
    {"item": contribution}                            any number; a sealed file has them by step, round, seat
    {"fault": contribution}                           the one that did not hold, and ended the table
    {"fork": [contribution, contribution]}            two of one seat for one place, which ended the table
    {"abandoned": [signature or empty, …]}            one a seat: those who did not wait any longer (abandon.py)
    {"seeds": [32 bytes or empty, …]}                 last, once, one a seat; only after all closings

The file's identity is the hash of everything before the seeds, so files of one table differ at most in missing seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import abandon, codec
from .ceremony import Body, Context
from .contract import Contract
from .contract import parse as parse_contract
from .contribution import CLOSING
from .errors import Malformed, Refused
from .framing import Tail, record, record_size, records
from .hashing import hash32
from .secrets import Secrets, commitment

FORMAT = "p2pgame transcript 1"


def header(contract: Contract, signatures: Sequence[bytes]) -> bytes:
    """The first record's payload."""
    return codec.encode({"table": {"format": FORMAT, "contract": contract.data, "signatures": list(signatures)}})


def item(data: bytes) -> bytes:
    """The payload of a contribution's record."""
    return codec.encode({"item": data})


def fault(data: bytes) -> bytes:
    """The payload that keeps a contribution which did not hold."""
    return codec.encode({"fault": data})


def fork(first: bytes, second: bytes) -> bytes:
    """The payload that keeps two contributions of one seat for one place, in a fixed order."""
    return codec.encode({"fork": sorted([first, second])})


def abandoned(signatures: Sequence[bytes]) -> bytes:
    """The payload that says who has abandoned the table: each seat's signature, empty of those who did not."""
    return codec.encode({"abandoned": list(signatures)})


def seeds(given: Sequence[bytes]) -> bytes:
    """The payload of the last record: each seat's seed, empty if withheld."""
    return codec.encode({"seeds": list(given)})


def write(payloads: Iterable[bytes]) -> bytes:
    """A file of these records."""
    return b"".join(record(payload) for payload in payloads)


def items(payloads: Iterable[bytes]) -> list[bytes]:
    """The contributions among a log's records. Errors: Malformed."""
    values = [codec.decode(payload) for payload in payloads]
    return [value["item"] for value in values if isinstance(value, dict) and isinstance(value.get("item"), bytes)]


@dataclass
class Transcript:
    """A file, read. `problem`: "" or why it cannot be read any further than what is here."""

    contract: Contract
    signatures: list[bytes]
    items: list[bytes] = field(default_factory=list)
    fault: bytes | None = None
    fork: tuple[bytes, bytes] | None = None
    abandoned: tuple[bytes, ...] | None = None
    seeds: list[bytes] | None = None
    identity: bytes = b""
    problem: str = ""


def read(data: bytes) -> Transcript:
    """Read a file as far as it is whole. Errors: Malformed or Refused if not even its first record is."""
    found = records(data)
    if not found.payloads:
        raise Malformed("not a transcript: its first record cannot be read")
    first = codec.fields(codec.decode(found.payloads[0]), "first record", table=dict)["table"]
    codec.fields(first, "first record", format=str, contract=bytes, signatures=list)
    if first["format"] != FORMAT:
        raise Malformed(f"a file of format {first['format']!r:.60}, this program reads {FORMAT!r}")
    contract = parse_contract(first["contract"])
    contract.check_signatures(first["signatures"])
    transcript = Transcript(contract, first["signatures"])
    before = record_size(found.payloads[0])
    for index, payload in enumerate(found.payloads[1:], start=2):
        if transcript.seeds is not None:
            transcript.problem = f"record {index} follows the seeds, which are the last"
            break
        try:
            _take(transcript, codec.decode(payload))
        except Malformed as error:
            transcript.problem = f"record {index}: {error}"
            break
        if transcript.seeds is None:
            before += record_size(payload)
    else:
        if found.tail is not Tail.WHOLE:
            transcript.problem = f"record {len(found.payloads) + 1} is {found.tail.value} (at byte {found.sound})"
    transcript.identity = hash32("p2pgame file", data[:before])
    return transcript


def _take(transcript: Transcript, value: Any) -> None:
    if not isinstance(value, dict) or len(value) != 1:
        raise Malformed("not a map with one key")
    ((key, content),) = value.items()
    if transcript.fault is not None or transcript.fork is not None or transcript.abandoned is not None:
        raise Malformed(f"{key!r:.20} follows what ended the table")
    if key == "item" and isinstance(content, bytes):
        transcript.items.append(content)
    elif key == "fault" and isinstance(content, bytes):
        transcript.fault = content
    elif key == "fork" and isinstance(content, list) and [type(part) for part in content] == [bytes, bytes]:
        transcript.fork = (content[0], content[1])
    elif key == "abandoned" and isinstance(content, list):
        transcript.abandoned = abandon.form(transcript.contract, content)
    elif key == "seeds" and isinstance(content, list) and len(content) == len(transcript.contract.seats):
        if not all(isinstance(seed, bytes) and len(seed) in (0, 32) for seed in content):
            raise Malformed("a seed that is neither 32 bytes nor empty")
        transcript.seeds = content
    else:
        raise Malformed(f"{key!r:.20} is no record of a transcript, or of the wrong kind")


def check_seed(contract: Contract, commitments: Sequence[bytes], seat: int, master: object) -> bytes:
    """A revealed seed against what its seat committed to. Errors: Malformed, Refused."""
    if not isinstance(master, bytes) or len(master) != 32:
        raise Malformed("a seed is 32 bytes")
    if commitment(contract.table, seat, master) != commitments[seat]:
        raise Refused("a seed that is not the one committed to")
    return master


class Closing:
    """The last ceremony: every seat signs the result on the final `prev`; only then are seeds revealed."""

    kind = CLOSING
    rounds = 1

    def __init__(self, seats: Sequence[int], result: Body) -> None:
        self._seats = tuple(seats)
        self._result = result

    def owes(self, round: int) -> tuple[int, ...]:
        """Every seat that has not left."""
        return self._seats

    def make(self, context: Context, secrets: Secrets) -> Body:
        """The result, as this seat saw it."""
        return self._result

    def check(self, context: Context, body: object) -> None:
        """Equal results, or none. Errors: Refused."""
        if not isinstance(body, dict) or codec.encode(body) != codec.encode(self._result):
            raise Refused("a closing with another result than the game's")

    def accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        """Nothing follows."""

    def snapshot(self) -> Closing:
        """Itself: nothing in it changes."""
        return self
