"""The handshake of a link, driven over a stream. Does IO, on a stream that it is given.

For: transport. Never: a socket of its own, a time limit (the caller sets one), or the stream closed: whoever opened it
closes it, whatever happens here.

Theory of operation: protocol/handshake.py says what travels and what it proves; here are the two sides that send and
wait. What a stranger may send is capped at limits.HANDSHAKE_BYTES a frame. Nothing may follow a hello before TLS has
begun: bytes that came in the clear would otherwise be taken for bytes that came through TLS.
"""

from __future__ import annotations

import hashlib
import secrets
import ssl
from importlib.metadata import version

import trio

from protocol import handshake, limits
from protocol.errors import Malformed, ProtocolError, Refused
from protocol.hashing import PROTOCOL
from protocol.identity import Identity, fingerprint

from .certificate import certificate, client_context, key_in
from .errors import NotWelcome, VersionMismatch, WrongPeer
from .link import Frames, Link

PROGRAM = version("p2pgame")


async def greet(frames: Frames) -> handshake.Hello:
    """The dialler's half of the hellos: what the other side speaks. Errors: LinkClosed, Malformed."""
    await frames.send(handshake.hello(PROGRAM))
    theirs = handshake.read_hello(await frames.receive())
    if not frames.idle:
        raise Malformed("hello: more than was due")
    return theirs


async def call(stream: trio.abc.Stream, identity: Identity, expected: bytes | str | None, where: str) -> Link:
    """The dialler's handshake. `expected`: the peer's key, its fingerprint, or None for anybody.

    Errors: VersionMismatch, WrongPeer, NotWelcome, LinkClosed, ProtocolError, trio.BrokenResourceError (TLS).
    """
    theirs = await greet(Frames(stream, limits.HANDSHAKE_BYTES))
    if not theirs.understood:
        raise VersionMismatch(ours=PROTOCOL, theirs=theirs.version, where=where)
    tls = trio.SSLStream(stream, client_context())
    await tls.do_handshake()
    der = tls.getpeercert(binary_form=True)
    key = key_in(der)
    if key == identity.public:
        raise WrongPeer(where=where, expected="somebody else", found="this program itself")
    if expected not in (None, key, fingerprint(key)):
        wanted = expected if isinstance(expected, str) else fingerprint(expected or b"")
        raise WrongPeer(where=where, expected=wanted, found=fingerprint(key))
    frames = Frames(tls)  # of any size: a message may come on the heels of the verdict
    await frames.send(handshake.prove(await frames.receive(), identity, der))
    try:
        handshake.read_verdict(await frames.receive())
    except Refused as refused:
        raise NotWelcome(where=where, why=refused) from refused
    return Link(frames, key, where=where, dialled=True, binding=hashlib.sha256(der).digest())


async def answer(stream: trio.abc.Stream, identity: Identity, context: ssl.SSLContext, where: str) -> Link:
    """The server's handshake. Errors: VersionMismatch, LinkClosed, ProtocolError, trio.BrokenResourceError."""
    frames = Frames(stream, limits.HANDSHAKE_BYTES)
    theirs = handshake.read_hello(await frames.receive())
    await frames.send(handshake.hello(PROGRAM, handshake.objection(theirs, PROGRAM)))
    if not theirs.understood:
        raise VersionMismatch(ours=PROTOCOL, theirs=theirs.version, where=where)
    if not frames.idle:
        raise Malformed("hello: more than was due")
    tls = trio.SSLStream(stream, context, server_side=True)
    await tls.do_handshake()
    frames = Frames(tls, limits.HANDSHAKE_BYTES)
    der = certificate(identity)
    nonce = secrets.token_bytes(handshake.NONCE_BYTES)
    await frames.send(handshake.challenge(nonce))
    try:
        key = handshake.check_proof(await frames.receive(), nonce, der)
        if key == identity.public:
            raise Refused("proof: that is this program itself")
    except ProtocolError as error:
        await frames.send(handshake.verdict(str(error)))
        raise
    await frames.send(handshake.verdict())
    frames.widen()
    return Link(frames, key, where=where, dialled=False, binding=hashlib.sha256(der).digest())
