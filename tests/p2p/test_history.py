"""Lists of games: what the files tell without an audit, quickly, and whatever is in them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from p2p import history
from p2p.errors import CannotRead
from p2p.history import Past
from protocol import codec, transcript
from protocol.framing import record, records
from protocol.identity import fingerprint

from .recorded import file_of, played


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A profile's folder."""
    (tmp_path / "tables").mkdir()
    return tmp_path


def put(folder: Path, data: bytes, number: int = 1, suffix: str = ".p2plog", when: int = 1_000_000) -> Path:
    path = folder / "tables" / f"{number:064x}{suffix}"
    path.write_bytes(data)
    os.utime(path, (when, when))
    return path


def test_what_a_sealed_file_tells(folder: Path) -> None:
    put(folder, file_of())
    (past,) = history.finished(folder)
    table = played().tables[0]
    assert past.table == table.contract.table.hex()
    assert (past.game, past.label, past.names, past.options) == ("maamut", "a table", ("P0", "P1"), {"rounds": 100})
    assert past.keys == tuple(seat.key for seat in table.contract.seats)
    assert past.result == table.result()
    assert (past.problem, past.verdict, past.when) == ("", "", 1_000_000)
    assert past.sealed
    assert past.others(past.keys[1]) == ("P0",)


def test_the_latest_comes_first(folder: Path) -> None:
    for number in range(5):
        put(folder, file_of(), number, when=1000 + (number * 7) % 5)
    (folder / "tables" / "notes.txt").write_text("x")
    assert [past.when for past in history.finished(folder)] == [1004, 1003, 1002, 1001, 1000]
    assert len(history.finished(folder, most=2)) == 2
    assert history.finished(folder / "nowhere") == []


def test_a_game_that_was_abandoned_says_who_stopped_it(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    payloads = records(file_of()).payloads[:20]

    def read(signatures: list[bytes]) -> Past:
        return history.read_past(put(tmp_path, transcript.write([*payloads, transcript.abandoned(signatures)])))

    past = read([b"", bytes(64)])
    assert (past.result, past.stopped_by, past.problem) == (None, (1,), "")
    assert not read([]).stopped_by
    assert not read([b"", bytes(64), b""]).stopped_by


def test_unfinished_games_have_no_sealed_file_and_no_result(folder: Path) -> None:
    payloads = records(file_of()).payloads
    put(folder, transcript.write(payloads[:20]), 1, ".log")
    put(folder, b"".join(map(record, payloads[:20])) + b"torn", 2, ".log")
    put(folder, file_of(), 3, ".log")
    put(folder, file_of(), 3)
    put(folder, b"", 4, ".log")
    found = history.unfinished(folder)
    assert [past.path.stem[-1] for past in found] == ["2", "1"]
    assert all(past.result is None and past.names == ("P0", "P1") and not past.sealed for past in found)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "cannot be read"),
        (b"dear diary", "cannot be read"),
        (record(b"no map"), "msgpack|canonical|bytes|kind"),
        (record(codec.encode({"table": {"format": "x", "contract": b"", "signatures": []}})), "format 'x'"),
        (record(codec.encode({"table": {"format": transcript.FORMAT, "contract": b"", "signatures": []}})), "."),
    ],
)
def test_whatever_is_in_a_file(folder: Path, data: bytes, problem: str) -> None:
    put(folder, data)
    (past,) = history.finished(folder)
    assert past.table == ""
    assert re.search(problem, past.problem), past.problem


def test_results_count_only_if_all_have_signed_them(folder: Path) -> None:
    payloads = records(file_of()).payloads
    put(folder, transcript.write([*payloads[:-2], payloads[-1]]))
    assert history.finished(folder)[0].result is None


def test_a_file_that_vanishes_is_no_error(folder: Path) -> None:
    assert history.read_past(folder / "tables" / "gone.p2plog").problem


def test_standings_go_by_key_and_not_by_name(folder: Path) -> None:
    def game(names: tuple[str, ...], keys: tuple[bytes, ...], winners: list[int] | None) -> Past:
        result = None if winners is None else {"winners": winners, "scores": [None] * len(names), "reason": "x"}
        return Past(folder, 0.0, table="t", game="maamut", names=names, keys=keys, result=result)

    ana, eva, beto = (bytes([n]) * 32 for n in (1, 2, 3))
    found = history.standings(
        [
            game(("Ana", "Beto"), (ana, beto), [0]),
            game(("Anna", "Beto"), (ana, beto), [0, 1]),
            game(("Ana", "Beto"), (eva, beto), []),
            game(("Ana", "Beto"), (ana, beto), None),
        ]
    )
    assert [(one.key, one.names, one.games, one.wins) for one in found] == [
        (beto, ["Beto"], 3, 1),
        (ana, ["Ana", "Anna"], 2, 2),
        (eva, ["Ana"], 1, 0),
    ]
    assert found[0].by_game == {"maamut": 3}
    assert len(found[0].mark) == 19


def test_a_verdict_is_remembered_as_long_as_the_file_is_the_same(folder: Path) -> None:
    path = put(folder, file_of())
    history.remember(folder, history.read_past(path), "sound")
    assert history.finished(folder)[0].verdict == "sound"
    put(folder, file_of() + b"x")
    assert history.finished(folder)[0].verdict == ""
    (folder / "verdicts").write_text("[1")
    assert history.finished(folder)[0].verdict == ""
    (folder / "verdicts").write_text("[1]")
    assert history.finished(folder)[0].verdict == ""
    history.remember(folder, Past(path, 0.0, problem="nothing"), "broken")
    history.remember(folder / "nowhere", history.read_past(path), "sound")  # cannot be written: no harm


def test_only_the_ends_of_a_file_are_decoded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        put(folder, file_of(), number)
    decoded = 0
    real = codec.decode

    def decode(data: bytes, *limit: int) -> object:
        nonlocal decoded
        decoded += 1
        return real(data, *limit)

    monkeypatch.setattr(codec, "decode", decode)
    assert len(history.finished(folder)) == 20
    assert decoded <= 20 * 8


def test_a_record_is_found_by_name_or_by_the_beginning_of_its_id(folder: Path, tmp_path: Path) -> None:
    path = put(folder, file_of(), 0xABCD << 240)
    assert history.find_record(folder, "ABCD") == path
    assert history.find_record(folder, str(path)) == path
    aloud = fingerprint(bytes.fromhex(path.stem))
    for said in (aloud, aloud.lower()[:7], aloud.replace("-", "")[:6]):
        assert history.find_record(folder, said) == path
    for nothing in ("ffff", "----"):
        with pytest.raises(CannotRead, match=f"{nothing} cannot be read: there is no such file, and no table here"):
            history.find_record(folder, nothing)
    put(folder, file_of(), (0xABCD << 240) + 1)
    with pytest.raises(CannotRead, match="the ids of 2 tables here begin so"):
        history.find_record(folder, "abcd")
    assert history.find_record(folder, "../abcd") == Path("../abcd")


def test_the_own_key_can_be_read_while_the_profile_is_in_use(folder: Path) -> None:
    assert history.own_key(folder) == b""
    (folder / "identity").write_text("zz")
    assert history.own_key(folder) == b""
    (folder / "identity").write_text((b"\1" * 32).hex() + "\n")
    assert len(history.own_key(folder)) == 32
