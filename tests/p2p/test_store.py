"""Profiles: identity, lock, tables that begin once, seeds, sealed records, players known by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2p import files, place
from p2p.errors import CannotRead, CannotWrite, ProfileDamaged, ProfileLocked, TableSeen
from p2p.store import Acquaintance, Meeting, Profile
from protocol import limits
from protocol.errors import Misuse

TABLE = bytes(range(32))
OTHER = bytes(32)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_new_profile_and_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "some" / "where"
    profile = Profile.open(path)
    public = profile.identity.public
    profile.close()
    profile = Profile.open(path)
    assert profile.identity.public == public
    profile.close()
    if os.name != "nt":
        assert mode(path) == 0o700
        assert mode(path / "identity") == 0o600


def test_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path / "home"))
    profile = Profile.open()
    assert profile.path == place.home() == tmp_path / "home"
    profile.close()
    monkeypatch.delenv("P2PGAME_HOME")
    assert "p2pgame" in str(place.home())


def test_identity_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    Profile.open(tmp_path).close()
    (tmp_path / "identity").chmod(0o644)
    Profile.open(tmp_path).close()
    assert mode(tmp_path / "identity") == 0o600 or os.name == "nt"


@pytest.mark.parametrize("content", ["", "zz", "00" * 31, "é" * 10, "00" * 500])
def test_damaged_identity(tmp_path: Path, content: str) -> None:
    Profile.open(tmp_path).close()
    (tmp_path / "identity").write_text(content)
    with pytest.raises((ProfileDamaged, CannotRead)):
        Profile.open(tmp_path)
    (tmp_path / "identity").unlink()
    Profile.open(tmp_path).close()  # and the lock was let go


def test_one_program_one_profile(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    with pytest.raises(ProfileLocked) as caught:
        Profile.open(tmp_path)
    assert caught.value.exit_code == 2
    program = "import sys; from pathlib import Path; from p2p.store import Profile; Profile.open(Path(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(tmp_path)]
    other = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "ProfileLocked" in other.stderr
    profile.close()
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    Profile.open(tmp_path).close()  # a process that has ended leaves no lock


def test_table_begins_once(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    seed, log = profile.begin(TABLE)
    log.append(b"contract")
    log.close()
    assert len(seed) == 32
    assert mode(tmp_path / "tables" / f"{TABLE.hex()}.seed") == 0o600 or os.name == "nt"
    with pytest.raises(TableSeen, match=TABLE.hex()[:16]):
        profile.begin(TABLE)
    other, log = profile.begin(OTHER)
    log.close()
    assert other != seed
    profile.close()

    profile = Profile.open(tmp_path)
    again, log, records = profile.resume(TABLE)
    log.close()
    assert (again, records) == (seed, (b"contract",))
    for path in (tmp_path / "tables").iterdir():
        path.unlink()
    assert profile.has_seen(TABLE)
    with pytest.raises(TableSeen):
        profile.begin(TABLE)
    with pytest.raises(CannotRead):
        profile.resume(TABLE)
    profile.close()


def test_table_of_a_lost_list_is_still_known_by_its_files(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    profile.seal(TABLE, b"transcript")
    profile.close()
    (tmp_path / "seen").unlink()
    profile = Profile.open(tmp_path)
    with pytest.raises(TableSeen):
        profile.begin(TABLE)
    profile.close()


def test_crash_between_id_and_seed_costs_the_table_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = Profile.open(tmp_path)

    def crash(path: Path, data: bytes) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_whole", crash)
        with pytest.raises(KeyboardInterrupt):
            profile.begin(TABLE)
    profile.close()
    profile = Profile.open(tmp_path)
    with pytest.raises(TableSeen):
        profile.begin(TABLE)
    assert not list((tmp_path / "tables").iterdir())
    profile.close()


def test_seed_is_durable_before_begin_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = Profile.open(tmp_path)
    events: list[str] = []
    real = files.sync_folder

    def spy(folder: Path) -> None:
        real(folder)
        events.append(folder.name)

    monkeypatch.setattr(files, "sync_folder", spy)
    profile.begin(TABLE)[1].close()
    assert events == ["tables", "tables"]  # seed, log
    profile.close()


def test_a_sealed_record_takes_the_place_of_the_log(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    for table in (TABLE, OTHER):
        profile.begin(table)[1].close()
    (tmp_path / "tables" / "notes.log").write_text("mine")
    assert set(profile.unfinished()) == {TABLE, OTHER}
    path = profile.seal(TABLE, b"transcript")
    assert path.read_bytes() == b"transcript"
    assert path.name == TABLE.hex() + ".p2plog"
    assert profile.unfinished() == [OTHER]
    profile.seal(TABLE, b"transcript with seeds")
    assert path.read_bytes() == b"transcript with seeds"
    profile.close()


def test_failed_seal_leaves_the_old_file_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = Profile.open(tmp_path)
    path = profile.seal(TABLE, b"old")

    def fail(file: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(files, "sync", fail)
        with pytest.raises(CannotWrite):
            profile.seal(TABLE, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    profile.close()


def test_table_ids_have_one_length(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    for bad in (b"", bytes(31), b"../" * 11):
        with pytest.raises(Misuse):
            profile.begin(bad)
    profile.close()


def test_damaged_list_of_tables_is_not_begun_anew(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    profile.begin(TABLE)[1].close()
    profile.close()
    data = bytearray((tmp_path / "seen").read_bytes())
    data[-1] ^= 1
    (tmp_path / "seen").write_bytes(data)
    with pytest.raises(ProfileDamaged, match="seen"):
        Profile.open(tmp_path)


def test_trust_on_first_use(tmp_path: Path) -> None:
    ana, beto = b"a" * 32, b"b" * 32
    profile = Profile.open(tmp_path)
    assert profile.meet("Ana", ana) == Acquaintance(Meeting.NEW)
    assert profile.meet("Ana", ana).meeting is Meeting.NEW
    profile.remember("Ana", ana)
    profile.close()
    profile = Profile.open(tmp_path)
    assert profile.meet("Ana", ana) == Acquaintance(Meeting.KNOWN, "Ana", ana)
    for pretended in ("Ana", "ANA", "\uff21na"):
        assert profile.meet(pretended, beto) == Acquaintance(Meeting.OTHER_KEY, "Ana", ana)
    assert profile.meet("Anna", ana) == Acquaintance(Meeting.RENAMED, "Ana", ana)
    profile.remember("ana", beto)
    assert profile.meet("Ana", beto).meeting is Meeting.KNOWN
    assert profile.meet("Ana", ana).meeting is Meeting.OTHER_KEY
    profile.close()


def test_number_of_known_players_is_capped_and_damage_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KNOWN_PLAYERS", 3)
    profile = Profile.open(tmp_path)
    for number in range(5):
        profile.remember(f"player {number}", bytes([number]) * 32)
    assert profile.meet("player 1", bytes([1]) * 32).meeting is Meeting.NEW
    assert profile.meet("player 4", bytes([4]) * 32).meeting is Meeting.KNOWN
    for damage in ("no json", "[]", '{"Ana": 7}', '{"Ana": "zz"}'):
        (tmp_path / "known_players").write_text(damage)
        with pytest.raises(ProfileDamaged):
            profile.meet("Ana", b"a" * 32)
    profile.close()


def test_profile_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CannotWrite):
        Profile.open(tmp_path / "file" / "profile")
