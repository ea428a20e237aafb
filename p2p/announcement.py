"""What a table tells the network about itself, and what is left of that after a look at it.

For: discovery and the lobby. Never: trust. Everything in an announcement is a hint from anybody; who really is there
shows when the link is made. Texts have passed no gate but their length.

Theory of operation: the text record of mDNS is a row of items, each a length byte and `key=value`. Written and read
here are the keys

    v   version of the protocol                 t   what people call the table
    g   which game: a-z, 0-9, _ and -           s   seats, as `taken/all`
    p   1: by code only, 0: open                h   fingerprint of the host's identity
    x   the table's salt, in hexadecimal        o   may be missing: options that are not the usual ones, in words
    i   only of a running table: fingerprint of its id

Unknown keys are passed over, of doubled ones the first counts (RFC 6763). Addresses that cannot be another machine's,
or that need a scope and have none, are left out.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol import limits
from protocol.errors import Malformed, Misuse
from protocol.hashing import PROTOCOL

SERVICE = "_p2pgame._tcp.local."
SALT_BYTES = 16
OPTION_BYTES = 200

_INSTANCE = re.compile(r"p2p-[0-9a-f]{12}")
_GAME = re.compile(r"[a-z0-9_-]{1,32}")
_SEATS = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_HOST = re.compile(r"[A-Z2-7]{4}(-[A-Z2-7]{4}){3}")
_SALT = re.compile(r"[0-9a-f]{32}")
_VERSION = re.compile(r"[0-9]{1,9}")


def new_instance() -> str:
    """A name that no other table has: mDNS names have to be unique, and nothing else makes them so."""
    return f"p2p-{secrets.token_hex(6)}"


@dataclass(frozen=True, slots=True)
class Announcement:
    """One table. `host`: fingerprint of its host's key, or of the seat that tells of a running one; `table`: of that
    one's id; `salt`: 16 bytes; `addresses`: numeric, the best first."""

    table_name: str
    game: str
    seats_taken: int
    seats: int
    private: bool
    host: str
    salt: bytes
    port: int
    version: int = PROTOCOL
    instance: str = field(default_factory=new_instance)
    addresses: tuple[str, ...] = ()
    options: str = ""
    table: str = ""


def write_text(table: Announcement) -> bytes:
    """The text record. Errors: Misuse for what `read` would refuse."""
    items = {
        "v": table.version,
        "t": table.table_name,
        "g": table.game,
        "s": f"{table.seats_taken}/{table.seats}",
        "p": int(table.private),
        "h": table.host,
        "x": table.salt.hex(),
    }
    if table.options:
        items["o"] = table.options
    if table.table:
        items["i"] = table.table
    encoded = [f"{key}={value}".encode() for key, value in items.items()]
    if any(len(item) > 255 for item in encoded):
        raise Misuse("an item of a text record has at most 255 bytes")
    text = b"".join(bytes([len(item)]) + item for item in encoded)
    try:
        read(table.instance, text, table.port, ())
    except Malformed as error:
        raise Misuse(str(error)) from error
    return text


def _items(text: bytes) -> dict[bytes, bytes]:
    items: dict[bytes, bytes] = {}
    at = 0
    while at < len(text):
        end = at + 1 + text[at]
        if end > len(text):
            raise Malformed("text record: an item beyond its end")
        key, _, value = text[at + 1 : end].partition(b"=")
        items.setdefault(key.lower(), value)
        at = end
    return items


def _usable(address: str, loopback: bool) -> bool:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if ip.is_multicast or ip.is_unspecified or (ip.is_loopback and not loopback):
        return False  # a loopback address would have us call our own machine's services
    return ip.version == 4 or (ip.ipv4_mapped is None and (not ip.is_link_local or ip.scope_id is not None))


def read(
    instance: str, text: bytes, port: int | None, addresses: Sequence[str], *, loopback: bool = False
) -> Announcement:
    """A foreign announcement. `addresses`: numeric, IPv6 ones with the scope of *our* interface; `loopback`: whether
    those of this machine count. Errors: Malformed."""
    if not _INSTANCE.fullmatch(instance):
        raise Malformed("instance: not one of ours")
    if port is None or not 0 < port < 65536:
        raise Malformed("port: none")
    if len(text) > limits.TXT_BYTES:
        raise Malformed(f"text record: more than {limits.TXT_BYTES} bytes")
    items = _items(text)

    def item(key: bytes, form: re.Pattern[str]) -> re.Match[str]:
        match = form.fullmatch(items.get(key, b"").decode("ascii", "replace"))
        if not match:
            raise Malformed(f"text record: item {key.decode()} is missing or wrong")
        return match

    try:
        name = items.get(b"t", b"").decode()
    except UnicodeDecodeError as error:
        raise Malformed("table name: not UTF-8") from error
    if not name.strip() or len(name.encode()) > limits.NAME_BYTES:
        raise Malformed("table name: empty or too long")
    options = items.get(b"o", b"")[:OPTION_BYTES].decode(errors="ignore")
    taken, seats = map(int, item(b"s", _SEATS).groups())
    if not taken <= seats <= limits.MAX_SEATS or not seats:
        raise Malformed("seats: not so many")
    usable = dict.fromkeys(address for address in addresses if _usable(address, loopback))
    return Announcement(
        table_name=name,
        game=item(b"g", _GAME)[0],
        seats_taken=taken,
        seats=seats,
        private=item(b"p", re.compile("[01]"))[0] == "1",
        host=item(b"h", _HOST)[0],
        salt=bytes.fromhex(item(b"x", _SALT)[0]),
        port=port,
        version=int(item(b"v", _VERSION)[0]),
        instance=instance,
        addresses=tuple(usable)[: limits.ADDRESSES],
        options=options,
        table=item(b"i", _HOST)[0] if b"i" in items else "",
    )
