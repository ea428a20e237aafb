"""The door of a private table: its code, and the proof of knowing it. No IO, no clock.

For: host and guest before a seat is asked for; entry.py carries the messages. Never: a code on the wire, a guess that
costs nothing, a secret in a repr, or a way to let in who does not know the code.

Theory of operation. A code is twelve letters of Crockford's base 32 (no I, L, O, U; what looks like another letter is
read as that one), in three groups, as in `K7QF-2M3A-WZPT`:

    4  tag      from the salt in the table's announcement: public, it tells a guest which table the code is for
    7  secret   35 random bits
    1  check    so that no slip of one letter, and no two neighbours changed over, is ever tried at a door

The whole code is the password of SPAKE2 (package `spake2`: Abdalla and Pointcheval 2005, group Ed25519) between guest
(side A, identity its key) and host (side B, identity its key ‖ link.binding). From the key K each side makes one proof,
keyed BLAKE2b of its own side's name:

    guest                                   host
    knock    its share            ──────▶
                                  ◀──────   ajar     its share
    prove    its proof            ──────▶   a wrong one counts; after limits.WRONG_CODES the door stays shut
                                  ◀──────   welcome  its proof, or `refused`

The guest proves first, so who does not know the code learns from each try whether one guess was right, and nothing
else; going away before the proof teaches nothing, but is counted too (limits.KNOCKS), since it costs the host
arithmetic. The identities in the password exchange are those of the link: who sits in between has two links with other
keys at their ends, and no pair of proofs fits. A guest says nothing of itself, and takes no seat, before the host has
proven that it knows the code as well.

A share costs some 3 ms of Python, meeting the other's 5 ms: to be done in a thread.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from protocol import limits
from protocol.errors import Malformed, Refused
from protocol.hashing import hash32

SHUT = "The door is shut for good: nobody else can join. Who sits here stays; to let others in, open another table."
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TAG, SECRET = 4, 7
LENGTH = TAG + SECRET + 1
SHARE_BYTES = 33
_READ_AS = str.maketrans("ILOU", "110V", " -\u2010\u2011\u2012\u2013\u2014\u2212")


class Rejected(Exception):
    """Somebody is not let in. `why`: "code" (one is needed), "wrong", "shut", "open" (no code is needed), "full",
    "excluded" (from this game, by what happened at an earlier one)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def tag(salt: bytes) -> str:
    """The public part of the codes of a table that announces this salt."""
    number = int.from_bytes(hash32("p2pgame tag", salt)[:4], "big")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(TAG))


def _check(letters: str) -> str:
    # A polynomial over GF(32) that is zero at x, which is primitive: two neighbours changed over do not fit either.
    total = 0
    for letter in letters:
        total = _times_x(total ^ ALPHABET.index(letter))
    return ALPHABET[total]


def _times_x(element: int) -> int:
    double = element << 1
    return double ^ 0b100101 if double & 32 else double


@dataclass(frozen=True, slots=True)
class Code:
    """A private table's code. `letters`: all twelve, without dashes. `str`: as people write it."""

    letters: str = field(repr=False)

    @property
    def tag(self) -> str:
        """The public part."""
        return self.letters[:TAG]

    def __str__(self) -> str:
        return "-".join(self.letters[at : at + 4] for at in range(0, LENGTH, 4))


def new_code(salt: bytes) -> Code:
    """A random code for the table that announces this salt."""
    letters = tag(salt) + "".join(secrets.choice(ALPHABET) for _ in range(SECRET))
    return Code(letters + _check(letters))


def _letters(text: str) -> str:
    return text.upper().translate(_READ_AS)


def looks_like_code(text: str) -> bool:
    """Whether it is as long as a code, and has only letters that a code can have."""
    letters = _letters(text)
    return len(letters) == LENGTH and all(letter in ALPHABET for letter in letters)


def read_code(text: str) -> Code | None:
    """A code as somebody typed it: in any case, with or without blanks and dashes. None if it cannot be one."""
    letters = _letters(text)
    if not looks_like_code(text) or _check(letters[:-1]) != letters[-1]:
        return None
    return Code(letters)


class Exchange:
    """One side of one exchange. `guest`, `host`: identity keys; `binding`: the link's. To be used once."""

    def __init__(self, code: Code, *, guest: bytes, host: bytes, binding: bytes, hosting: bool) -> None:
        from spake2 import SPAKE2_A, SPAKE2_B  # takes as long as all else that a lobby needs of p2p

        side = SPAKE2_B if hosting else SPAKE2_A
        self._pake = side(code.letters.encode(), idA=guest, idB=host + binding)
        self._mine, self._theirs = ("host", "guest") if hosting else ("guest", "host")
        self._key = b""

    def share(self) -> bytes:
        """What to send first. Takes milliseconds."""
        return bytes(self._pake.start())

    def meet(self, share: bytes) -> None:
        """Take the other side's share in, after our own was made. Takes milliseconds. Errors: Malformed, Refused."""
        if len(share) != SHARE_BYTES:
            raise Malformed(f"share: not {SHARE_BYTES} bytes")
        from spake2.ed25519_basic import NotOnCurve
        from spake2.spake2 import SPAKEError

        try:
            self._key = bytes(self._pake.finish(share))
        except (SPAKEError, NotOnCurve, ValueError) as error:
            raise Refused("share: not one that the other side can have made") from error

    @property
    def proof(self) -> bytes:
        """What shows the other side that this one knows the code."""
        return hash32("p2pgame door", self._mine, key=self._key)

    def fits(self, proof: bytes) -> bool:
        """Whether the other side's proof shows the same."""
        return hmac.compare_digest(proof, hash32("p2pgame door", self._theirs, key=self._key))


class Door:
    """The host's door: who has proven to know the code, and how often somebody did not. `tell`: called with a line
    about each time somebody did not."""

    def __init__(self, code: Code, host: bytes, tell: Callable[[str], None]) -> None:
        self.code = code
        self.wrong = 0
        """Wrong codes so far."""
        self._host = host
        self._tell = tell
        self._knocks = 0
        self._inside: set[bytes] = set()

    @property
    def shut(self) -> bool:
        """Whether nobody is let in any more, with whatever code."""
        return self.wrong >= limits.WRONG_CODES or self._knocks > limits.KNOCKS

    def open_to(self, guest: bytes) -> bool:
        """Whether this identity has proven that it knows the code, or is welcome without."""
        return guest in self._inside

    def welcome(self, guests: Iterable[bytes]) -> None:
        """Let these identities in as they are: they have sat at a table of this host's before."""
        self._inside.update(guests)

    def knock(self, guest: bytes, binding: bytes) -> Exchange:
        """Somebody begins. Errors: Rejected."""
        if self.shut:
            raise Rejected("shut")
        self._knocks += 1
        if self.shut:
            self._tell(f"Somebody has knocked {limits.KNOCKS} times without a code. {SHUT}")
            raise Rejected("shut")
        return Exchange(self.code, guest=guest, host=self._host, binding=binding, hosting=True)

    def judge(self, guest: bytes, exchange: Exchange, proof: bytes, where: str) -> bytes:
        """Our proof in return for a right one, from `where`. Errors: Rejected, and if the proof was wrong it counts."""
        if self.shut:
            raise Rejected("shut")
        if not exchange.fits(proof):
            self.wrong += 1
            tries = f"{self.wrong} of at most {limits.WRONG_CODES}"
            self._tell(f"A wrong code was tried from {where} ({tries}).{f' {SHUT}' if self.shut else ''}")
            raise Rejected("wrong")
        self._knocks -= 1
        self._inside.add(guest)
        return exchange.proof
