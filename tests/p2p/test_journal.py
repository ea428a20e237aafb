"""The durable log: torn at every byte, damaged, full disks, and what is synced before what."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import BinaryIO

import pytest
import trio

from p2p import files
from p2p.errors import CannotRead, CannotWrite, DiskFull, LogDamaged
from p2p.journal import Log, read_log
from protocol import limits
from protocol.framing import Tail, record


def write(path: Path, *payloads: bytes) -> None:
    log = Log.create(path)
    log.append(*payloads)
    log.close()


def test_records_are_there_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = Log.create(path)
    log.append(b"one")
    log.append(b"two", b"three")
    log.append()
    assert read_log(path).payloads == (b"one", b"two", b"three")
    log.close()
    log, found = Log.reopen(path)
    assert found == (b"one", b"two", b"three")
    log.append(b"four")
    log.close()
    assert read_log(path).payloads == (b"one", b"two", b"three", b"four")
    assert path.stat().st_mode & 0o777 == 0o600 or os.name == "nt"


def test_torn_at_every_byte_is_cut_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "log"
    write(path, b"one", b"two")
    whole = path.read_bytes()
    first = len(record(b"one"))
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        log, found = Log.reopen(path)
        assert found == ((b"one",) if cut >= first else ())
        assert path.stat().st_size == (first if cut >= first else 0)
        log.append(b"next")
        log.close()
        assert read_log(path).payloads == (*found, b"next")


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(record(b"one") + b"torn")
    assert read_log(path).tail is Tail.TORN
    assert path.read_bytes() == record(b"one") + b"torn"


def test_damage_is_not_taken_for_a_torn_tail(tmp_path: Path) -> None:
    path = tmp_path / "log"
    write(path, b"one", b"two", b"three")
    data = bytearray(path.read_bytes())
    data[len(record(b"one"))] ^= 1
    path.write_bytes(data)
    with pytest.raises(LogDamaged, match="after 1 sound") as caught:
        Log.reopen(path)
    assert caught.value.exit_code == 2
    assert path.read_bytes() == data


def test_full_disk_pauses_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    log = Log.create(path)
    log.append(b"one")

    def half(file: BinaryIO, data: bytes) -> None:
        file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_all", half)
        for _ in range(2):
            with pytest.raises(DiskFull, match="Make room"):
                log.append(b"two")
            assert read_log(path).payloads == (b"one",)
    log.append(b"two")
    log.append(b"three")
    log.close()
    assert read_log(path).payloads == (b"one", b"two", b"three")
    assert read_log(path).tail is Tail.WHOLE


def test_record_whose_sync_failed_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    log = Log.create(path)

    def fail(file: BinaryIO) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(files, "sync", fail)
        with pytest.raises(CannotWrite, match="error") as caught:
            log.append(b"one")
        assert not isinstance(caught.value, DiskFull)
    log.append(b"other")
    log.close()
    assert read_log(path).payloads == (b"other",)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_really_full_disk(tmp_path: Path) -> None:
    with Path("/dev/full").open("r+b", buffering=0) as full, pytest.raises(DiskFull):
        Log(tmp_path, full, 0).append(b"one")


def test_folder_is_synced_before_the_first_record_and_file_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    for name in ("sync_folder", "write_all", "sync"):

        def spy(*args: object, name: str = name, real: object = getattr(files, name)) -> object:
            events.append(name)
            return real(*args)  # type: ignore[operator]

        monkeypatch.setattr(files, name, spy)
    log = Log.create(tmp_path / "log")
    log.append(b"one")
    events.append("returned")
    log.close()
    assert events == ["sync_folder", "write_all", "sync", "returned"]


def test_caps_and_missing_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LOG_BYTES", 100)
    log = Log.create(tmp_path / "log")
    log.append(bytes(70))
    with pytest.raises(CannotWrite, match="100 bytes"):
        log.append(bytes(70))
    log.append()
    log.close()
    (tmp_path / "long").write_bytes(bytes(101))
    with pytest.raises(CannotRead, match="more than 100"):
        read_log(tmp_path / "long")
    with pytest.raises(CannotRead, match="No such file"):
        Log.reopen(tmp_path / "missing")
    with pytest.raises(CannotWrite, match="exists"):
        Log.create(tmp_path / "log")
    with pytest.raises(CannotRead):
        read_log(tmp_path)


@pytest.mark.trio
async def test_cancelled_write_has_happened_or_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = Log.create(path)
    with trio.move_on_after(0):
        await log.write(b"never begun")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(log.write, b"begun")
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    await log.write(b"next")
    log.close()
    assert read_log(path).payloads == (b"begun", b"next")


def test_mapping_of_errors(tmp_path: Path) -> None:
    for code, advice in ((errno.EACCES, "right"), (errno.EROFS, "read-only"), (errno.EIO, "sound")):
        with pytest.raises(CannotWrite, match=advice), files.writing(tmp_path):
            raise OSError(code, os.strerror(code))
    with pytest.raises(CannotWrite, match="odd"), files.writing(tmp_path):
        raise OSError("odd")
