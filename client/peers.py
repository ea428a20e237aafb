"""What `p2pgame peers` prints: whom this profile knows by name and key, and how one of them is forgotten.

For: somebody whose friend has a new computer, and so another key than the one that is remembered. Never: a key that is
taken for somebody's without a person's word, or a peer's text raw.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from p2p.store import Profile, home

from .failure import Usage
from .output import out
from .text import clean_name


@contextmanager
def _profile() -> Iterator[Profile]:
    profile = Profile.open(home())
    try:
        yield profile
    finally:
        profile.close()


def list_peers(*, as_json: bool) -> int:
    """Everybody, by name. Errors: UserError."""
    with _profile() as profile:
        known = sorted(profile.players().items(), key=lambda one: one[0].casefold())
    for name, key in known:
        out(f"{key}  {clean_name(name)}")
    if not known:
        out("Nobody yet: who sits at a table with you is remembered.")
    if as_json:
        out(json.dumps({"peers": [{"name": name, "key": key} for name, key in known]}, ensure_ascii=True))
    return 0


def forget_peer(name: str, *, as_json: bool) -> int:
    """Forget one. Errors: Usage (nobody of that name is known), UserError."""
    with _profile() as profile:
        if not profile.forget(name):
            raise Usage(f"nobody called {name} is known; `p2pgame peers` lists those who are")
    out(f"{clean_name(name)} is forgotten: who comes next under that name is remembered anew.")
    if as_json:
        out(json.dumps({"forgotten": name}, ensure_ascii=True))
    return 0
