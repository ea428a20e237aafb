"""The situations a person can be in, one class each; the docstring is the message.

For: whatever ends up on a screen or as an exit code. Never: an error of the protocol (protocol/errors.py), a bug, or
the normal end of a link (`link.LinkClosed`).

Theory of operation: the placeholders in the docstring are filled from the keywords that the error is made with, and
`str(error)` is one readable sentence or two. Values can come from peers: the client passes the message through its gate
before it shows it. `exit_code` follows the command line's contract: 2 usage or unreadable, 3 network or table.
"""

from __future__ import annotations

from typing import Any, ClassVar


class UserError(Exception):
    """Something went wrong."""

    exit_code: ClassVar[int] = 2

    def __init__(self, **values: Any) -> None:
        """`values`: what the placeholders of the docstring stand for."""
        super().__init__()
        self.values = values

    def __str__(self) -> str:
        return " ".join((self.__doc__ or "").split()).format_map(self.values)


class NetworkError(UserError):
    """The network does not do what was asked of it."""

    exit_code = 3


class PortInUse(NetworkError):
    """Port {port} is taken by another program. Choose another with --port, or leave the choice to me."""


class CannotListen(NetworkError):
    """Cannot accept connections on port {port}: {why}."""


class CannotReach(NetworkError):
    """Nobody can be reached at {where}: {why}. Is the table still open, and are both machines on the same network?"""


class WrongPeer(NetworkError):
    """At {where} somebody else answers: expected {expected}, found {found}. Nothing was sent."""


class NotWelcome(NetworkError):
    """The other side at {where} refuses the link: {why}."""


class VersionMismatch(NetworkError):
    """The versions do not fit: {ours} here, {theirs} at {where}. Both sides need the same version of the protocol."""


class NoInterface(NetworkError):
    """There is no network to look for tables on: {why}. Joining by address may still work."""


class TableGone(NetworkError):
    """The table at {where} is not to be had any more: {why}."""


class NoTable(NetworkError):
    """No open table was heard of within {seconds} s. If one is open, its host's screen shows an address: join
    it with `p2pgame join ADDRESS`, as in `p2pgame join 192.168.1.7:{port}`."""


class NoSuchTable(NetworkError):
    """No open table is called {name}, and no computer in this network has that name. `p2pgame join` without a name
    looks for any open table."""


class NotAnAddress(UserError):
    """{why}."""


class SeveralTables(NetworkError):
    """Several tables are open: {names}. Say which: `p2pgame join TABLE`, or by its address."""


class NeedsCode(NetworkError):
    """The table {where} is private; its host knows the code. Join it with `p2pgame join CODE`, or with
    `p2pgame join ADDRESS --code CODE`."""


class MistypedCode(UserError):
    """Wrong code: {code} is not as it was told, some letter of it is wrong. Nothing was sent. (If it is meant as the
    name of a machine, write it with the port.)"""


class WrongCode(NetworkError):
    """Wrong code: it does not open the table at {where}. Have a look at the host's screen; after {tries} wrong codes
    nobody is let in any more."""


class OtherCode(NetworkError):
    """Wrong code: the table {where} has another one. Have a look at the host's screen. Nothing was sent."""


class DoorShut(NetworkError):
    """The door of the table at {where} is shut for good, after too many tries with wrong codes. Its host can open
    another table, with a new code."""


class NoCodeNeeded(NetworkError):
    """The table at {where} is open to everybody and knows no code. If it is the right one, join it without a code."""


class NoSuchCode(NetworkError):
    """No private table with a code that begins with {tag} was heard of within {seconds} s. If the code is
    right, the host's screen shows an address: `p2pgame join ADDRESS --code CODE`."""


class TableFull(NetworkError):
    """The table {where} has no free seat."""


class Excluded(NetworkError):
    """The table at {where} has no seat for you: its host was there when you were excluded from this game. The rules of
    the game say why (`p2pgame rules`)."""


class BadCompanyThere(NetworkError):
    """At the table {where} sits {who} and this profile does not play with them: nothing was signed."""


class TableSeen(NetworkError):
    """The table {table} was played here before: a contract is good once."""


class NotATranscript(UserError):
    """{path} cannot be read as the record of a game: {why}."""


class CannotRead(UserError):
    """{path} cannot be read: {why}."""


class CannotWrite(UserError):
    """{path} cannot be written: {why}. {advice}"""


class DiskFull(CannotWrite):
    """There is no room left to write {path}: {why}. {advice}"""


class ProfileLocked(UserError):
    """Another program is playing with the profile in {path}. End it, or choose another folder with P2PGAME_HOME."""


class ProfileDamaged(UserError):
    """The profile file {path} is damaged: {why}. Restore it from a backup, or move it away to begin anew."""


class LogDamaged(UserError):
    """The record {path} is damaged after {records} sound entries, not just cut short. It can be checked up to there,
    but not played on."""
