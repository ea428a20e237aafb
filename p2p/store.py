"""The profile: everything about a player that outlives the program. Does IO: one folder.

For: the client, which opens it, and the node. Never: two programs in one profile, a master seed used for two tables, a
secret file that others can read, or a transcript overwritten by half of one.

Theory of operation. The folder (0700) holds

    lock                 locked by the operating system while a program uses the profile
    identity             32-byte seed of the Ed25519 identity, in hexadecimal (0600)
    known_players        one JSON object, name → key in hexadecimal: trust on first use
    seen                 a log of table ids: whatever is in it is never begun again
    banned               identities that a game excludes, see bans.py
    tables/<id>.seed     master seed of a table, in hexadecimal (0600)
    tables/<id>.log      durable log of a table that is not finished
    tables/<id>.peers    where its seats were last to be reached
    tables/<id>.p2plog   the sealed record of a finished one
    verdicts             what the audit has said of sealed records (history.py); may be lost without harm

A table begins with `begin`: its id becomes durable in `seen` before its seed is drawn, the seed before anybody hears of
it. A crash between the two costs that table and nothing else. Names are compared as a reader would take them (NFKC,
without case), so that "ANA" cannot pass for "Ana".
"""

from __future__ import annotations

import json
import secrets
import unicodedata
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from protocol import limits
from protocol.errors import Misuse
from protocol.identity import SEED_BYTES, Identity, fingerprint

from . import files
from .bans import KEY, Bans
from .errors import LogDamaged, ProfileDamaged, ProfileLocked, TableSeen
from .journal import Log
from .place import home

TABLE_BYTES = 32
"""Length of a table id."""


class Meeting(Enum):
    """What a profile knows about a player."""

    NEW = "new"
    KNOWN = "known"
    RENAMED = "renamed"
    """The key is known, under another name."""
    OTHER_KEY = "other key"
    """The name is known, with another key: another player of that name, or somebody who pretends."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """The answer to `meet`: `name` and `key` are what was known before, or empty."""

    meeting: Meeting
    name: str = ""
    key: bytes = b""


def folded(name: str) -> str:
    """A name as people compare it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _secret(path: Path) -> bytes:
    """A secret of 32 bytes from its file. Errors: CannotRead, ProfileDamaged."""
    text = files.read(path, 4 * SEED_BYTES)
    try:
        seed = bytes.fromhex(text.decode("ascii"))
    except ValueError as error:
        raise ProfileDamaged(path=path, why="it is not a hexadecimal number") from error
    if len(seed) != SEED_BYTES:
        raise ProfileDamaged(path=path, why=f"it holds {len(seed)} bytes where {SEED_BYTES} are due")
    return seed


def _keep_secret(path: Path, seed: bytes) -> None:
    if path.exists():
        raise Misuse(f"{path.name} would be overwritten")
    files.write_whole(path, seed.hex().encode() + b"\n")


def _known(folder: Path) -> dict[str, str]:
    """Names, with keys in hexadecimal."""
    path = folder / "known_players"
    if not path.exists():
        return {}
    try:
        players = json.loads(files.read(path, 1024 * limits.KNOWN_PLAYERS))
    except ValueError as error:
        raise ProfileDamaged(path=path, why="it is not JSON") from error
    if not isinstance(players, dict) or not all(KEY.fullmatch(str(key)) for key in players.values()):
        raise ProfileDamaged(path=path, why="it is not a list of names and keys")
    return players


def known_players(folder: Path) -> dict[str, str]:
    """All whom the profile in that folder knows, those met last at the end: their names, and their keys as people
    compare them. Another program may be using the profile. Errors: CannotRead, ProfileDamaged."""
    return {name: fingerprint(bytes.fromhex(key)) for name, key in _known(folder).items()}


def kept(folder: Path, suffix: str) -> list[Path]:
    """The files of tables in a profile that end so, the latest first. Errors: CannotRead."""
    tables = folder / "tables"
    if not tables.is_dir():
        return []
    with files.reading(tables):
        found = [path for path in tables.iterdir() if path.suffix == suffix and KEY.fullmatch(path.stem)]
        return sorted(found, key=lambda path: (path.stat().st_mtime, path), reverse=True)


def begun(folder: Path) -> list[Path]:
    """The logs of tables that can be resumed, the latest first. Errors: CannotRead."""
    return [path for path in kept(folder, ".log") if not path.with_suffix(".p2plog").exists()]


class Profile:
    """An open profile. Its calls block on the disk for milliseconds: from trio, in a thread."""

    def __init__(self, path: Path, lock: BinaryIO, seen: Log, ids: set[bytes], identity: Identity, bans: Bans) -> None:
        self.path = path
        self.identity = identity
        self.bans = bans
        self._lock = lock
        self._seen = seen
        self._ids = ids

    @classmethod
    def open(cls, path: Path | None = None) -> Profile:
        """Open the profile in `path` (default: `home()`), and make it if it is not there.

        Errors: ProfileLocked, ProfileDamaged, CannotRead, CannotWrite.
        """
        path = path or home()
        with files.writing(path):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            (path / "tables").mkdir(mode=0o700, exist_ok=True)
            lock = files.open_private(path / "lock", "ab")
            try:
                if not files.lock(lock):
                    raise ProfileLocked(path=path)
                if not (path / "identity").exists():
                    _keep_secret(path / "identity", Identity.generate().seed)
                (path / "identity").chmod(files.PRIVATE)  # it may have been copied here
                identity = Identity(_secret(path / "identity"))
                bans = Bans.load(path / "banned")
                exists = (path / "seen").exists()
                seen, ids = Log.reopen(path / "seen") if exists else (Log.create(path / "seen"), ())
            except LogDamaged as error:
                lock.close()
                raise ProfileDamaged(path=path / "seen", why="it is not just cut short") from error
            except BaseException:  # whatever it is, it goes on, and the lock is free again
                lock.close()
                raise
        return cls(path, lock, seen, set(ids), identity, bans)

    def close(self) -> None:
        """Let other programs use the profile."""
        self._seen.close()
        self._lock.close()

    def _file(self, table: bytes, suffix: str) -> Path:
        if len(table) != TABLE_BYTES:
            raise Misuse(f"a table id has {TABLE_BYTES} bytes")
        return self.path / "tables" / (table.hex() + suffix)

    def has_seen(self, table: bytes) -> bool:
        """Whether a table of this id (32 bytes) was ever begun here, or has left a file behind."""
        return table in self._ids or any(self._file(table, s).exists() for s in (".seed", ".log", ".p2plog"))

    def begin(self, table: bytes, seed: bytes | None = None) -> tuple[bytes, Log]:
        """Begin a table: its master seed (32 bytes, fresh; by default drawn here), durable, and its empty log.

        Errors: TableSeen; CannotWrite, after which this table cannot be begun any more: it takes a new contract.
        """
        if self.has_seen(table):
            raise TableSeen(table=table.hex()[:16])
        self._seen.append(table)
        self._ids.add(table)
        seed = seed or secrets.token_bytes(SEED_BYTES)
        _keep_secret(self._file(table, ".seed"), seed)
        return seed, Log.create(self._file(table, ".log"))

    def keep_peers(self, table: bytes, data: bytes) -> None:
        """Keep what is needed to find the other seats again. Errors: CannotWrite."""
        files.write_whole(self._file(table, ".peers"), data)

    def peers(self, table: bytes) -> bytes:
        """What `keep_peers` kept. Errors: CannotRead."""
        return files.read(self._file(table, ".peers"), limits.FRAME_BYTES)

    def resume(self, table: bytes) -> tuple[bytes, Log, tuple[bytes, ...]]:
        """Go on with a table: its seed, its log and the log's records.

        Errors: CannotRead (no such table), ProfileDamaged, LogDamaged, CannotWrite.
        """
        seed = _secret(self._file(table, ".seed"))
        return seed, *Log.reopen(self._file(table, ".log"))

    def seal(self, table: bytes, transcript: bytes) -> Path:
        """Write the record of a finished table, whole or not at all, then drop its log. Errors: CannotWrite.

        May be called again with a fuller record (seeds that came late).
        """
        path = self._file(table, ".p2plog")
        files.write_whole(path, transcript)
        with files.writing(path):
            self._file(table, ".log").unlink(missing_ok=True)
            self._file(table, ".peers").unlink(missing_ok=True)
        return path

    def unfinished(self) -> list[bytes]:
        """Ids of the tables that can be resumed, the latest first. Errors: CannotRead."""
        return [bytes.fromhex(path.stem) for path in begun(self.path)]

    def forget(self, name: str) -> bool:
        """Know nobody of this name any more, so that whoever is met next under it is new; whether anybody was known.
        Errors: CannotRead, CannotWrite, ProfileDamaged."""
        players = self._players()
        kept = {known: key for known, key in players.items() if folded(known) != folded(name)}
        if len(kept) < len(players):
            self._keep_players(kept)
        return len(kept) < len(players)

    def _players(self) -> dict[str, str]:
        return _known(self.path)

    def meet(self, name: str, key: bytes) -> Acquaintance:
        """What is known of this player; changes nothing. Errors: CannotRead, ProfileDamaged."""
        players = self._players()
        for known, known_key in players.items():
            if folded(known) == folded(name):
                meeting = Meeting.KNOWN if known_key == key.hex() else Meeting.OTHER_KEY
                return Acquaintance(meeting, known, bytes.fromhex(known_key))
        for known, known_key in players.items():
            if known_key == key.hex():
                return Acquaintance(Meeting.RENAMED, known, key)
        return Acquaintance(Meeting.NEW)

    def remember(self, name: str, key: bytes) -> None:
        """Trust this name with this key from now on, instead of what was known of either. Errors: CannotWrite."""
        kept = {n: k for n, k in self._players().items() if k != key.hex() and folded(n) != folded(name)}
        kept[name] = key.hex()
        self._keep_players(dict(list(kept.items())[-limits.KNOWN_PLAYERS :]))

    def _keep_players(self, players: dict[str, str]) -> None:
        files.write_whole(self.path / "known_players", json.dumps(players, ensure_ascii=False, indent=1).encode())
