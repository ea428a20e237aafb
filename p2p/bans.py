"""Whom this profile has seen excluded from a game: identity keys by game, for good. Does IO: one small file.

For: the profile, which owns it, and through it the lobby. Never: who is excluded for what; the rules of the game say
that (`Game.banned_after`), and what such people are called (`BANNED`).

Theory of operation: when a game has ended and its file was verified, the seats that its rules exclude are kept by their
identity keys. The file is one JSON object, game → list of keys in hexadecimal, the latest last; beyond the cap the
oldest go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from engines import registry
from protocol import limits

from . import files
from .errors import ProfileDamaged

FILE_BYTES = 1024 * limits.BANNED
"""A key takes some 70, and there are as many lists of keys as there are games: room for a dozen."""
KEY = re.compile("[0-9a-f]{64}")
"""An identity key, as it is written down."""


class Bans:
    """The excluded, as the file `path` has them."""

    def __init__(self, path: Path, kept: dict[str, list[str]]) -> None:
        self._path = path
        self._kept = kept

    @classmethod
    def load(cls, path: Path) -> Bans:
        """Read them; none if there is no file. Errors: CannotRead, ProfileDamaged."""
        if not path.exists():
            return cls(path, {})
        try:
            kept = json.loads(files.read(path, FILE_BYTES))
        except ValueError as error:
            raise ProfileDamaged(path=path, why="it is not JSON") from error
        if not isinstance(kept, dict) or not all(isinstance(keys, list) for keys in kept.values()):
            raise ProfileDamaged(path=path, why="it is not a list of keys for each game")
        if not all(isinstance(key, str) and KEY.fullmatch(key) for keys in kept.values() for key in keys):
            raise ProfileDamaged(path=path, why="it has something that is no key")
        return cls(path, kept)

    def keep(self, game: str, keys: Iterable[bytes]) -> None:
        """Exclude these identities from a game, durably. Errors: CannotWrite."""
        new = [key.hex() for key in keys]
        before = [key for key in self._kept.get(game, ()) if key not in new]
        kept = {**self._kept, game: (before + new)[-limits.BANNED :]}
        files.write_whole(self._path, json.dumps(kept, indent=1).encode())
        self._kept = kept

    def at(self, game: str, key: bytes) -> str:
        """What somebody is called who is excluded from this game; "" for all others."""
        return registry.banned(game) if key.hex() in self._kept.get(game, ()) else ""

    def title(self, key: bytes) -> str:
        """What somebody is called who is excluded from any game; "" for all others."""
        return next((called for game in registry.GAMES if (called := self.at(game, key))), "")
