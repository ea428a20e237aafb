"""The games of a profile as their files tell them, without judging a single proof. Does IO: reads files.

For: the lobby, `p2pgame history`, statistics. Never: a verdict (the audit has it; here one is only remembered), a lock
on the profile, or an exception because of what is in a file.

Theory of operation: of each file only the contract (its first record) and the closings (its last ones) are decoded, so
that a list of hundreds is there at once. Players are told apart by their identity keys; names are what they called
themselves. A verdict is kept in the file `verdicts` of the profile with the size and time of the file that it is about,
and counts only as long as both are the same.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from protocol import codec, contract, limits
from protocol.contribution import CLOSING
from protocol.errors import ProtocolError
from protocol.framing import Tail, records
from protocol.identity import Identity, fingerprint
from protocol.transcript import FORMAT

from . import files
from .errors import CannotRead, CannotWrite
from .store import begun, kept

MOST_GAMES = 2000
"""So many files are looked at, the latest first."""
_SEED_HEX = 64
_ID = re.compile("[0-9A-Za-z-]{4,64}")


@dataclass(frozen=True)
class Past:
    """One game: a sealed record, or the log of one that is unfinished. Names, label and options are untrusted text.
    `result`: winners, scores and reason as every seat has signed them; None if not all did. `stopped_by`: those who say
    that they have ended it before that. `problem`: why the file cannot be read as the record of a game, or empty; then
    only `path` and `when` tell anything."""

    path: Path
    when: float
    size: int = 0
    table: str = ""
    game: str = ""
    label: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    keys: tuple[bytes, ...] = ()
    result: dict[str, Any] | None = None
    stopped_by: tuple[int, ...] = ()
    problem: str = ""
    verdict: str = ""

    @property
    def sealed(self) -> bool:
        """Whether this is the record of a table that has ended."""
        return self.path.suffix == ".p2plog"

    def others(self, own: bytes) -> tuple[str, ...]:
        """The names of everybody but the owner of that key."""
        return tuple(name for name, key in zip(self.names, self.keys, strict=True) if key != own)


@dataclass
class Record:
    """How one player has fared. `names`: what they called themselves, the latest first; `wins`: shared ones count."""

    key: bytes
    names: list[str] = field(default_factory=list)
    games: int = 0
    wins: int = 0
    by_game: Counter[str] = field(default_factory=Counter)

    @property
    def mark(self) -> str:
        """The fingerprint of the key."""
        return fingerprint(self.key)


def read_past(path: Path) -> Past:
    """One game from its file. Never raises: `problem` says what is wrong."""
    try:
        found = path.stat()
        data = files.read(path, limits.LOG_BYTES)
    except (OSError, CannotRead) as error:
        return Past(path, 0.0, problem=str(error))
    bare = Past(path, found.st_mtime, found.st_size)
    try:
        return _read(bare, data)
    except ProtocolError as error:
        return replace(bare, problem=str(error))


def _read(bare: Past, data: bytes) -> Past:
    whole = records(data)
    if not whole.payloads:
        return replace(bare, problem="its first record cannot be read")
    first = codec.fields(codec.decode(whole.payloads[0]), "first record", table=dict)["table"]
    codec.fields(first, "first record", format=str, contract=bytes, signatures=list)
    if first["format"] != FORMAT:
        return replace(bare, problem=f"a file of format {first['format']!r:.60}")
    about = contract.parse(first["contract"])
    return replace(
        bare,
        table=about.table.hex(),
        game=about.game,
        label=about.label,
        options=dict(about.options),
        names=about.names,
        keys=tuple(seat.key for seat in about.seats),
        result=_result(whole.payloads, len(about.seats)),
        stopped_by=_stopped_by(whole.payloads[-1], len(about.seats)),
        problem="" if whole.tail is not Tail.CORRUPT else "it is damaged",
    )


def _result(payloads: Sequence[bytes], seats: int) -> dict[str, Any] | None:
    """The result in the closings, if every seat has signed the same."""
    found: dict[int, Any] = {}
    for payload in payloads[-(seats + 1) :]:
        value = codec.decode(payload)
        data = value.get("item") if isinstance(value, dict) else None
        item = codec.decode(data) if isinstance(data, bytes) else None
        if isinstance(item, dict) and item.get("kind") == CLOSING and isinstance(item.get("seat"), int):
            found[item["seat"]] = item.get("body")
    results = [found.get(seat) for seat in range(seats)]
    return results[0] if all(_sensible(one, seats) and one == results[0] for one in results) else None


def _stopped_by(last: bytes, seats: int) -> tuple[int, ...]:
    value = codec.decode(last)
    signatures = value.get("abandoned") if isinstance(value, dict) else None
    if not isinstance(signatures, list) or len(signatures) != seats:
        return ()
    return tuple(seat for seat, one in enumerate(signatures) if one)


def _sensible(result: object, seats: int) -> bool:
    if not isinstance(result, dict) or result.keys() != {"winners", "scores", "reason"}:
        return False
    winners, scores = result["winners"], result["scores"]
    return (
        isinstance(winners, list)
        and all(type(seat) is int and 0 <= seat < seats for seat in winners)
        and isinstance(scores, list)
        and len(scores) == seats
        and all(score is None or type(score) is int for score in scores)
        and isinstance(result["reason"], str)
    )


# -- a whole profile ---------------------------------------------------------------------------------------------------


def finished(folder: Path, most: int = MOST_GAMES) -> list[Past]:
    """The sealed records of a profile, the latest first, with the verdicts that are known. Errors: CannotRead."""
    known = _verdicts(folder)
    found = [read_past(path) for path in kept(folder, ".p2plog")[:most]]
    return [_with_verdict(past, known) for past in found]


def unfinished(folder: Path) -> list[Past]:
    """The tables that can be resumed, the latest first. Errors: CannotRead."""
    found = [read_past(path) for path in begun(folder)]
    return [past for past in found if past.table]


def is_id(wanted: str, table: bytes) -> bool:
    """Whether that table's id begins so, in hexadecimal or as it is compared aloud."""
    aloud, said = (text.replace("-", "") for text in (fingerprint(table), wanted.upper()))
    return table.hex().startswith(wanted.casefold()) or (bool(said) and aloud.startswith(said))


def find_record(folder: Path, wanted: str) -> Path:
    """The file of that name, or else the profile's record of the table whose id begins so, in either of the two ways in
    which ids are shown. Errors: CannotRead."""
    path = Path(wanted)
    if path.exists() or not _ID.fullmatch(wanted):
        return path
    found = [one for one in kept(folder, ".p2plog") if is_id(wanted, bytes.fromhex(one.stem))]
    if len(found) != 1:
        here = f"the ids of {len(found)} tables here begin so" if found else "no table here has an id that begins so"
        raise CannotRead(path=wanted, why=f"there is no such file, and {here}")
    return found[0]


def own_key(folder: Path) -> bytes:
    """The public key of a profile that may be in use by another program; empty if there is none to be read."""
    try:
        text = files.read(folder / "identity", 4 * _SEED_HEX).decode("ascii")
        return Identity(bytes.fromhex(text)).public
    except (CannotRead, ValueError):
        return b""


def standings(games: Iterable[Past]) -> list[Record]:
    """Everybody who has played a game to its end, most games first, then most wins."""
    found: dict[bytes, Record] = {}
    for past in games:
        if past.result is None:
            continue
        for seat, (name, key) in enumerate(zip(past.names, past.keys, strict=True)):
            record = found.setdefault(key, Record(key))
            if name not in record.names:
                record.names.append(name)
            record.games += 1
            record.wins += seat in past.result["winners"]
            record.by_game[past.game] += 1
    return sorted(found.values(), key=lambda one: (-one.games, -one.wins, one.names))


# -- verdicts ----------------------------------------------------------------------------------------------------------


def _about(past: Past) -> list[object]:
    return [past.path.name, past.size, past.when]


def _verdicts(folder: Path) -> dict[str, Any]:
    try:
        known = json.loads(files.read(folder / "verdicts", 1024 * MOST_GAMES))
    except (CannotRead, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def with_verdict(past: Past, verdict: str) -> Past:
    """The same game, with what the audit says of it."""
    return replace(past, verdict=verdict)


def _with_verdict(past: Past, known: dict[str, Any]) -> Past:
    kept = known.get(past.table)
    if not past.table or not isinstance(kept, list) or kept[:-1] != _about(past) or not isinstance(kept[-1], str):
        return past
    return with_verdict(past, kept[-1])


def remember_file(folder: Path, path: Path, verdict: str) -> None:
    """Keep what the audit said of a file, if that is one of the profile's own records."""
    if path.suffix == ".p2plog" and path.resolve().parent == (folder / "tables").resolve():
        remember(folder, read_past(path), verdict)


def remember(folder: Path, past: Past, verdict: str) -> None:
    """Keep what the audit said of a file. That this cannot be written is no harm: it can be asked again."""
    if not past.table:
        return
    known = {**_verdicts(folder), past.table: [*_about(past), verdict]}
    latest = dict(list(known.items())[-MOST_GAMES:])
    try:
        files.write_whole(folder / "verdicts", json.dumps(latest).encode())
    except CannotWrite:
        return
