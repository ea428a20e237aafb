"""What peers say to each other over a link once they know who is who: each kind of message, and its shape.

For: the lobby and the table. Never: a field more or less than is listed, or a kind that is not.

A message is a map with the key "t", its kind, and exactly the fields below. At the door of a private table
(p2p/door.py) guest and host begin with

    knock     guest: its share of a password exchange, whose password is the table's code
    ajar      host: its share
    prove     guest: the proof that it knows the code
    welcome   host: the same in return

The lobby speaks between host and guests:

    refused   host, before it ends the link: "code" (one is needed), "wrong" (another one is needed), "shut" (too many
              were wrong), "open" (none is needed), "full" (no seat is free),
              "excluded" (the host keeps from an earlier game that you are)
    join      guest: the name I go by, and the addresses at which I can be reached
    seats     host: the table as it stands; `seats` is a list of {name, key}, the first is the host's
    draw      host: the table is full, draw your fresh bytes for this attempt
    fresh     guest: 32 bytes that this seat drew for this contract
    contract  host: the contract to be signed
    sign      guest: its signature

and then everybody with everybody:

    begin     the contract with all signatures
    item      one signed contribution
    have      the length of my chain, its hash, and the seats whose contribution to the open round I have
    want      send me what you have from this round of the chain on: our histories differ
    seed      a revealed seed
    done      I have sealed the file with this identity
    chat      a line of text; before `begin` it goes by the host, who says first whose it is (p2p/lobby.py)
    leave     I give the game up
    abandon   signatures under this point of the chain, of those who do not wait any longer for a seat that is lost;
              `final`: with these the table has ended for me
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import codec, limits
from .errors import Malformed

SHAPES: dict[str, dict[str, type]] = {
    "knock": {"share": bytes},
    "ajar": {"share": bytes},
    "prove": {"proof": bytes},
    "welcome": {"proof": bytes},
    "refused": {"why": str},
    "join": {"name": str, "addresses": list},
    "seats": {"label": str, "game": str, "options": dict, "players": int, "seats": list},
    "draw": {"attempt": int},
    "fresh": {"attempt": int, "fresh": bytes},
    "contract": {"contract": bytes},
    "sign": {"signature": bytes},
    "begin": {"contract": bytes, "signatures": list, "addresses": list},
    "item": {"data": bytes},
    "have": {"rounds": int, "prev": bytes, "got": list},
    "want": {"rounds": int},
    "seed": {"seat": int, "seed": bytes},
    "done": {"hash": bytes},
    "chat": {"text": str},
    "leave": {},
    "abandon": {"rounds": int, "prev": bytes, "signatures": list, "final": bool},
}

Address = tuple[str, int]


def make(kind: str, **content: Any) -> dict[str, Any]:
    """A message."""
    return {"t": kind, **content}


def parse(value: object) -> tuple[str, dict[str, Any]]:
    """Kind and fields of a foreign message. Errors: Malformed."""
    if not isinstance(value, dict):
        raise Malformed("a message that is no map")
    kind = value.get("t")
    if not isinstance(kind, str) or kind not in SHAPES:
        raise Malformed(f"no message is called {kind!r:.40}")
    content = {key: item for key, item in value.items() if key != "t"}
    found = codec.fields(content, kind, **SHAPES[kind])
    got = found.get("got", [])
    if len(got) > limits.MAX_SEATS or any(type(seat) is not int for seat in got):
        raise Malformed(f"{kind}: the seats are not numbers, or too many")
    return kind, found


def name(value: object) -> str:
    """A foreign name, not empty and not too long. What is in it is the client's to make harmless. Errors: Malformed."""
    if not isinstance(value, str) or not value.strip() or len(value.encode()) > limits.NAME_BYTES:
        raise Malformed(f"a name has 1 to {limits.NAME_BYTES} bytes")
    return value


def addresses(value: object) -> list[Address]:
    """A foreign list of [host, port]. Errors: Malformed."""
    if not isinstance(value, list) or len(value) > limits.ADDRESSES:
        raise Malformed(f"more than {limits.ADDRESSES} addresses, or no list of them")
    found = []
    for entry in value:
        if not isinstance(entry, list) or [type(part) for part in entry] != [str, int]:
            raise Malformed("an address is [host, port]")
        host, port = entry
        if not 0 < len(host) <= 255 or not 0 < port < 65536:
            raise Malformed("an address with no such host or port")
        found.append((host, port))
    return found


def plain(given: Sequence[Address]) -> list[list[Any]]:
    """Addresses as they travel."""
    return [[host, port] for host, port in given[: limits.ADDRESSES]]
