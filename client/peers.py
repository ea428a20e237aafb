"""What `p2pgame peers` prints: whom this profile knows by name and key, and how one of them is forgotten.

For: somebody whose friend has a new computer, and so another key than the one that is remembered. Never: a key that is
taken for somebody's without a person's word, or a peer's text raw.

Theory of operation: the list is read without opening the profile, so also while somebody plays with it. Who is meant
is found by the name as it is shown, since what is invisible in one cannot be typed, or by the beginning of the key.
"""

from __future__ import annotations

import json

from p2p.place import home
from p2p.store import Profile, folded, known_players

from .failure import Usage
from .output import out
from .text import clean_name

KEY_SIGNS = 4
"""So many of a key's have to be written: fewer may be a name."""


def list_peers(*, as_json: bool) -> int:
    """Everybody, by name. Errors: UserError."""
    known = sorted(known_players(home()).items(), key=lambda one: one[0].casefold())
    for name, key in known:
        out(_line(name, key))
    if not known:
        out("Nobody yet: who sits at a table with you is remembered.")
    if as_json:
        out(json.dumps({"peers": [{"name": name, "key": key} for name, key in known]}, ensure_ascii=True))
    return 0


def forget_peer(wanted: str, *, as_json: bool) -> int:
    """Forget one. Errors: Usage (nobody, or more than one, is called so), UserError."""
    profile = Profile.open(home())
    try:
        known = known_players(profile.path)
        found = [name for name, key in known.items() if _meant(wanted, name, key)]
        if not found:
            raise Usage(f"nobody called {clean_name(wanted)} is known; `p2pgame peers` lists those who are")
        if len(found) > 1:
            listed = ", ".join(_line(name, known[name]) for name in found)
            raise Usage(f"say which, by the beginning of the key: {listed}")
        profile.forget(found[0])
    finally:
        profile.close()
    out(f"{clean_name(found[0])} is forgotten: who comes next under that name is remembered anew.")
    if as_json:
        out(json.dumps({"forgotten": found[0], "key": known[found[0]]}, ensure_ascii=True))
    return 0


def _line(name: str, key: str) -> str:
    return f"{key}  {clean_name(name)}"


def _meant(wanted: str, name: str, key: str) -> bool:
    signs = wanted.upper().replace("-", "")
    by_key = len(signs) >= KEY_SIGNS and key.replace("-", "").startswith(signs)
    return by_key or folded(clean_name(name)) == folded(clean_name(wanted))
