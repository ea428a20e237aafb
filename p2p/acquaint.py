"""Who sits here? Every seat's key against the names that this profile knows: trust on first use.

For: the node, when a contract has been formed. Never: a table that does not begin because of it, or a known name that
passes to another key without a word.

Theory of operation: a key proves itself, a name proves nothing. So a known key may change its name, which is told and
remembered; a known name with another key is told and not remembered: it stays with the key that had it first, until
the player has that name forgotten (`p2pgame peers`). Bots of one's own are called after oneself: they are no news. Who
was excluded from some game at an earlier table is shown with what such people are called.
"""

from __future__ import annotations

from protocol.contract import Contract
from protocol.identity import fingerprint

from .errors import UserError
from .history import own_key
from .store import Meeting, Profile


def acquaint(profile: Profile, contract: Contract, seat: int) -> list[str]:
    """Meet the others at a table: what the player should know about them, a line each. Blocks on the disk; if that does
    not work, a line says so."""
    try:
        bots = {own_key(folder) for folder in (profile.path / "bots").glob("*")}
        others = [other for index, other in enumerate(contract.seats) if index != seat and other.key not in bots]
        lines = [_meet(profile, other.name, other.key) for other in others]
        titles = [(other.name, profile.bans.title(other.key)) for other in others]
        return [line for line in lines if line] + [f"{name} is {called}." for name, called in titles if called]
    except UserError as error:
        return [f"The players at this table are not compared with those whom you know: {error}"]


def _meet(profile: Profile, name: str, key: bytes) -> str:
    before = profile.meet(name, key)
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
