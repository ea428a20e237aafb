"""Who sits here? Every seat's key against the names that this profile knows: trust on first use.

For: the node, when a contract has been formed. Never: a table that does not begin because of it, or a known name that
passes to another key without a word.

Theory of operation: a key proves itself, a name proves nothing. So a known key may change its name, which is told and
remembered; a known name with another key is told and not remembered: it stays with the key that had it first, until
the player has that name forgotten (`p2pgame peers`). A bot is nobody to be acquainted with: it is called after the
host (`bot_name`), whose other names and keys are told anyway. That such a seat is a bot nobody can prove, so a key that
is known by another name is told all the same. Who was excluded from some game at an earlier table is shown with what
such people are called.
"""

from __future__ import annotations

import re

from protocol import limits
from protocol.contract import Contract
from protocol.contract import told_apart as told_apart  # for whoever shows names
from protocol.identity import fingerprint

from .errors import UserError
from .store import Meeting, Profile

_BOT = re.compile(r"Bot ([1-9]\d{0,3}) of ", re.ASCII)


def bot_name(number: int, host: str) -> str:
    """What the host's bots are called: each host's have keys of their own."""
    return f"Bot {number} of {host}".encode()[: limits.NAME_BYTES].decode(errors="ignore")


def _is_bot(name: str, host: str) -> bool:
    found = _BOT.match(name)
    return found is not None and name == bot_name(int(found[1]), host)


def acquaint(profile: Profile, contract: Contract, seat: int) -> list[str]:
    """Meet the others at a table: what the player should know about them, a line each. Blocks on the disk; if that does
    not work, a line says so."""
    try:
        others = [other for index, other in enumerate(contract.seats) if index != seat]
        host = contract.names[0]
        lines = [_meet(profile, other.name, other.key, bot=_is_bot(other.name, host)) for other in others]
        titles = [(other.name, profile.bans.title(other.key)) for other in others]
        return [line for line in lines if line] + [f"{name} is {called}." for name, called in titles if called]
    except UserError as error:
        return [f"The players at this table are not compared with those whom you know: {error}"]


def _meet(profile: Profile, name: str, key: bytes, *, bot: bool) -> str:
    before = profile.meet(name, key)
    if bot and (not before.name or _BOT.match(before.name)):
        return ""
    match before.meeting:
        case Meeting.NEW:
            profile.remember(name, key)
        case Meeting.RENAMED:
            profile.remember(name, key)
            return f"{name} is whom you know as {before.name}: the same key, {fingerprint(key)}, under a new name."
        case Meeting.OTHER_KEY:
            return (
                f"Careful: this {name} is not the {before.name} whom you know. The key is {fingerprint(key)}, and was "
                f"{fingerprint(before.key)}: another player of that name, a new computer, or somebody who pretends. "
                "Compare it aloud; if it is theirs now, `p2pgame peers forget NAME` makes room for it."
            )
        case Meeting.KNOWN:
            pass
    return ""
