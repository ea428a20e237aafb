"""`p2pgame peers`: who is known here, and how one is forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client.cli import main
from p2p.store import Profile
from protocol.identity import Identity, fingerprint

KEYS = [Identity(bytes([number]) * 32).public for number in (1, 2)]


@pytest.fixture(autouse=True)
def _profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path))


def know(*names: str) -> None:
    profile = Profile.open()
    for name, key in zip(names, KEYS, strict=False):
        profile.remember(name, key)
    profile.close()


def peers(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    with pytest.raises(SystemExit) as ended:
        main(["peers", *arguments])
    out, err = capsys.readouterr()
    return int(str(ended.value.code)), out.splitlines(), err


def test_nobody_is_known_at_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = peers(capsys)
    assert (code, err) == (0, "")
    assert out == ["Nobody yet: who sits at a table with you is remembered."]


def test_all_are_listed_and_one_is_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    know("beto \x1b[31m", "Ana")
    code, out, err = peers(capsys, "--json")
    assert (code, err) == (0, "")
    assert out[0] == f"{fingerprint(KEYS[1])}  Ana"
    assert out[1].startswith(f"{fingerprint(KEYS[0])}  beto")
    assert "\x1b" not in "".join(out)
    assert [one["key"] for one in json.loads(out[-1])["peers"]] == [fingerprint(KEYS[1]), fingerprint(KEYS[0])]
    code, out, err = peers(capsys, "forget", "ANA")
    assert (code, err) == (0, "")
    code, out, err = peers(capsys)
    assert [line.split()[1] for line in out] == ["beto"]


@pytest.mark.parametrize("arguments", [["forget"], ["forget", "Nobody"], ["remember", "Ana"]])
def test_what_cannot_be(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    know("Ana")
    code, out, err = peers(capsys, *arguments)
    assert (code, out) == (2, [])
    assert err
    profile = Profile.open()
    assert list(profile.players()) == ["Ana"]
    profile.close()
