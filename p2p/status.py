"""What a person may want to know about a table besides the game: who is here, whom we wait for, how sealed it is.

For: screens and logs. The node writes these plain values, the client reads them. Never: IO, clocks, a decision of the
game, a secret, a face. Every text in here that came from a peer (names, reasons) is untrusted: the client passes it
through its gate before it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from engines.menus import Seat
from engines.requests import Result

WHY = {
    "commit": "to commit to a seed",
    "keys": "to publish a key",
    "flip": "to draw lots",
    "shuffle": "to shuffle",
    "view": "to help to look at a card",
    "open": "to open a card",
    "promise": "to prove a promise",
    "closing": "to close the table",
}
"""What a seat owes in each kind of step, as in "waiting for Beto …". A decision speaks for itself."""


class Phase(Enum):
    """Where a table stands. `LOBBY`: seats are being taken. `SEALING`: contract, keys, cards; the game may already ask.
    `PLAYING`. `CLOSING`: decided, everything is revealed and checked. `FINISHED`: the transcript is sealed.
    `STOPPED`: over without an end: abandoned, left, or a fault, which `fault` tells."""

    LOBBY = "lobby"
    SEALING = "sealing"
    PLAYING = "playing"
    CLOSING = "closing"
    FINISHED = "finished"
    STOPPED = "stopped"


class Presence(Enum):
    """One seat as we see it. `LOST` may come back; `LEFT` took its leave."""

    YOU = "you"
    HERE = "here"
    LOST = "lost"
    LEFT = "left"


@dataclass(slots=True)
class SeatStatus:
    """One seat. `silent`: whole seconds since it was last heard, and `closed`: its program has said that it ends (but
    may be started again); both meaningful when `LOST`. `unmet`: it has not been connected yet since this program sat
    down. `relayed`: it has no link with us, and others pass on what it says. `gone`: it has said that it does not
    come back, without a signature."""

    presence: Presence = Presence.HERE
    silent: int = 0
    unmet: bool = False
    closed: bool = False
    relayed: bool = False
    gone: bool = False


@dataclass(slots=True)
class Status:
    """One table."""

    game: str = ""
    """The registry's name of the game."""
    table: str = ""
    table_id: str = ""
    """Short fingerprint of the contract, to be compared aloud; empty before there is one."""
    phase: Phase = Phase.LOBBY

    # the lobby
    players: int = 0
    """How many seats there will be."""
    options: dict[str, Any] = field(default_factory=dict)
    """Of the game, as all will sign them."""
    taken: list[str] = field(default_factory=list)
    """Names in the order of arrival; the first is the host."""
    titles: list[str] = field(default_factory=list)
    """What each of them is called because of an earlier game (registry.banned); mostly empty."""
    addresses: list[str] = field(default_factory=list)
    """Where a newcomer can reach the host, each as `p2pgame join` takes it."""
    code: str = ""
    """A private table's code."""
    shut: str = ""
    """Why nobody who needs that code can join any more; empty while the door is open."""
    kept: bool = False
    """The seats of a private table are for those who sat there before: they need no code."""
    hosting: bool = False

    # the table
    seats: list[SeatStatus] = field(default_factory=list)
    waiting_for: list[Seat] = field(default_factory=list)
    waiting_why: str = ""
    """What those seats owe, as in "Beto: …": "to shuffle", "to open a card". Empty: the game's own question."""

    # fairness
    sealed: int = 0
    """How many seats have sealed the deck (contributed to it, checked by us)."""
    cards: int = 0
    proofs: int = 0
    """Proofs and signatures of others that were checked and hold."""

    shuffles: list[list[Seat]] = field(default_factory=list)
    """Per shuffle: the seats that have mixed and locked the cards, in that order, each checked by us."""
    steps: dict[str, int] = field(default_factory=dict)
    """Contributions that stand in the record, by kind."""

    fingerprints: list[str] = field(default_factory=list)
    """Per seat, of its identity key: to be compared aloud. Empty before there is a contract."""
    notes: list[str] = field(default_factory=list)
    """What a person should know though nothing waits for it: wrong codes, a known name with another key. Only grows."""

    trouble: str = ""
    """What keeps this peer from going on for now, like a full disk; empty when nothing does."""

    # the end
    fault: str = ""
    broken: bool = False
    """Whether somebody broke the protocol; then `cheater` is the seat, if it can be told."""
    cheater: Seat | None = None
    result: Result | None = None
    transcript: str = ""
    """Path of the sealed transcript."""
    hash: str = ""
    """Its identity, in hexadecimal: the same for every honest seat."""
    verified: bool = False
    """Whether the audit found it complete and sound."""
    seconds: dict[str, float] = field(default_factory=dict)
    """How long each part took."""
