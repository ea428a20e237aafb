"""Long-term identities: who a peer is, for ever and at every table.

For: contracts, contributions, closings, links, abandoning: everything that is signed. Never: a signature without a
context, a foreign key that has not passed the point gate (the library accepts small-order keys, under which any
signature holds), or a secret in a repr.

Theory of operation: an identity is an Ed25519 key, grown from a 32-byte seed. What is signed is always
`"p2pgame/1 " ‖ context ‖ NUL ‖ data`, so that a signature made for one purpose means nothing for another. Signing is
deterministic; the library refuses `S >= q` and a non-canonical `R`, so nobody but the signer can make a second one.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from .errors import Malformed, Misuse, ProtocolError
from .group import point

SEED_BYTES = 32
SIGNATURE_BYTES = 64

_PREFIX = b"p2pgame/1 "


def _message(context: str, data: bytes) -> bytes:
    if not context or "\0" in context:
        raise Misuse(f"{context!r} is no signing context")
    return _PREFIX + context.encode() + b"\0" + data


class Identity:
    """One's own identity. Only `public` (32 bytes) ever leaves the machine."""

    __slots__ = ("_key", "public", "seed")

    def __init__(self, seed: bytes) -> None:
        """From a 32-byte seed. Errors: Misuse on any other length."""
        if len(seed) != SEED_BYTES:
            raise Misuse(f"an identity seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def generate(cls) -> Identity:
        """A new identity from the operating system's randomness."""
        return cls(secrets.token_bytes(SEED_BYTES))

    def sign(self, context: str, data: bytes) -> bytes:
        """The 64-byte signature over `data` for the use that `context` names. Errors: Misuse on an empty context."""
        return self._key.sign(_message(context, data))

    def __repr__(self) -> str:
        return f"<Identity {fingerprint(self.public)}>"


@lru_cache(maxsize=256)
def _key(public: bytes) -> Ed25519PublicKey:
    # Failures are not cached: lru_cache keeps results only, so a flood of bad keys costs no memory.
    point(public, "identity key")
    return Ed25519PublicKey.from_public_bytes(public)


def check_public(public: object) -> bytes:
    """A foreign identity key, through the point gate. Errors: Malformed (not 32 bytes), Refused (no key to trust)."""
    if not isinstance(public, bytes):
        raise Malformed("identity key: not bytes")
    _key(public)
    return public


def verify(public: object, context: str, data: bytes, signature: object) -> bool:
    """Whether a foreign signature holds. `public`: 32 bytes, `signature`: 64 bytes, both as they came from outside.

    False also for a key that fails the gate, and for what is no key or signature at all. Errors: Misuse, as `sign`.
    """
    message = _message(context, data)
    if not isinstance(signature, bytes) or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        _key(check_public(public)).verify(signature, message)
    except (InvalidSignature, ProtocolError):
        return False
    return True


def fingerprint(public: bytes) -> str:
    """What people compare: 80 bits of a hash of the key, as in `K7QF-2M3A-WZPT-55DY`."""
    text = base64.b32encode(hashlib.blake2b(public, digest_size=10, person=b"p2pgame fingerp").digest()).decode()
    return "-".join(text[i : i + 4] for i in range(0, len(text), 4))
