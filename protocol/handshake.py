"""The first frames of a link: same protocol? and who are you?

For: transport, which carries them. Never: a socket, a clock, randomness (the nonce is passed in), or a secret in a
hello.

Theory of operation. In the clear, both ways, before anything else:

    hello      {protocol: "p2pgame", version, program, words}   the dialler's first; `words` is empty, or says that the
                                                                 versions differ, and then the link is closed
then inside TLS, whose certificate shows the server's identity:

    challenge  {nonce}              server: 32 fresh bytes
    proof      {key, signature}     dialler: its identity key, and its signature in the context "link" over
                                    nonce ‖ SHA-256 of the server certificate that it saw ‖ key
    verdict    {refused}            server: empty, or why not, in words

A relay between the two has to show a certificate of its own; the dialler signs for that one, and the server refuses.
Hellos are not signed, and needn't be: there is nothing to choose, so a forged one can only prevent the link, which its
forger could do anyway. Of a hello with another version only the fields are read that say so; its form may be another.
Texts of the other side have passed no gate but their length: whoever shows them cleans them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from . import codec, limits
from .errors import Malformed, Refused
from .hashing import PROTOCOL
from .identity import Identity, check_public, verify

NAME = "p2pgame"
NONCE_BYTES = 32


@dataclass(frozen=True, slots=True)
class Hello:
    """What the other side speaks: version of the protocol, version of its program, a remark in words."""

    version: int
    program: str
    words: str = ""

    @property
    def understood(self) -> bool:
        """Whether this program speaks that version."""
        return self.version == PROTOCOL


def clip(words: str) -> str:
    """Words short enough to travel."""
    return words.encode()[: limits.WORDS_BYTES].decode(errors="ignore")


def _words(value: str, what: str) -> str:
    if len(value.encode()) > limits.WORDS_BYTES:
        raise Malformed(f"{what}: more than {limits.WORDS_BYTES} bytes of words")
    return value


def hello(program: str, words: str = "") -> bytes:
    """Our hello: a frame's payload."""
    return codec.encode({"protocol": NAME, "version": PROTOCOL, "program": clip(program), "words": clip(words)})


def read_hello(data: bytes) -> Hello:
    """Their hello, of whatever version. Errors: Malformed."""
    value = codec.decode(data, limits.HANDSHAKE_BYTES)
    if not isinstance(value, dict) or value.get("protocol") != NAME:
        raise Malformed("hello: another protocol")
    version = value.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or not 0 <= version < 2**32:
        raise Malformed("hello: no version")
    if version == PROTOCOL:
        codec.fields(value, "hello", protocol=str, version=int, program=str, words=str)
    texts = [text if isinstance(text, str) else "" for text in (value.get("program"), value.get("words"))]
    return Hello(version, *(_words(text, "hello") for text in texts))


def objection(theirs: Hello, program: str) -> str:
    """What to answer to a hello: empty if the versions agree, else both versions in words."""
    if theirs.understood:
        return ""
    return f"here protocol {PROTOCOL} (program {clip(program)}), there {theirs.version} (program {theirs.program})"


def challenge(nonce: bytes) -> bytes:
    """The server's challenge around 32 fresh random bytes."""
    return codec.encode({"nonce": nonce})


def _signed(nonce: bytes, certificate: bytes, key: bytes) -> bytes:
    return nonce + hashlib.sha256(certificate).digest() + key


def prove(data: bytes, identity: Identity, certificate: bytes) -> bytes:
    """The dialler's answer to the challenge `data`; `certificate`: DER, as the server showed it. Errors: Malformed."""
    nonce = codec.fields(codec.decode(data, limits.HANDSHAKE_BYTES), "challenge", nonce=bytes)["nonce"]
    if len(nonce) != NONCE_BYTES:
        raise Malformed(f"challenge: not {NONCE_BYTES} bytes")
    signature = identity.sign("link", _signed(nonce, certificate, identity.public))
    return codec.encode({"key": identity.public, "signature": signature})


def check_proof(data: bytes, nonce: bytes, certificate: bytes) -> bytes:
    """The dialler's identity key, if its proof `data` holds for our nonce and our certificate (DER).

    Errors: Malformed, Refused.
    """
    value = codec.fields(codec.decode(data, limits.HANDSHAKE_BYTES), "proof", key=bytes, signature=bytes)
    key = check_public(value["key"])
    if not verify(key, "link", _signed(nonce, certificate, key), value["signature"]):
        raise Refused("proof: not signed by that key, or for another server (a relay in between?)")
    return key


def verdict(refused: str = "") -> bytes:
    """The server's last word: empty is welcome."""
    return codec.encode({"refused": clip(refused)})


def read_verdict(data: bytes) -> None:
    """Errors: Malformed; Refused, with the server's words."""
    value = codec.fields(codec.decode(data, limits.HANDSHAKE_BYTES), "verdict", refused=str)
    if value["refused"]:
        raise Refused(_words(value["refused"], "verdict"))
