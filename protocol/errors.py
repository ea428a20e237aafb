"""Two kinds of error: theirs (what a peer sent does not hold) and ours (a caller misuses an interface)."""

from __future__ import annotations


class ProtocolError(Exception):
    """Something that came from outside does not hold. `str(error)` names the check that failed, in words."""


class Malformed(ProtocolError):
    """The bytes are not a message, or not one of the shape that is due here."""


class Refused(ProtocolError):
    """Well formed, but a proof, a signature, a commitment or a rule does not hold."""


class Misuse(RuntimeError):
    """A bug on our side: an interface was called in a way that its docstring excludes."""
