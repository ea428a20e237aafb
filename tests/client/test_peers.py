"""`p2pgame peers`: who is known here, and how one is forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client.cli import main
from p2p.place import home
from p2p.store import Profile, known_players
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
    assert names() == ["Ana"]


def names() -> list[str]:
    return list(known_players(home()))


def test_a_name_is_forgotten_as_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """What is invisible in it cannot be typed."""
    know("Be\u200bto\x1b", "Ana")
    shown = next(line for line in peers(capsys)[1] if "to" in line).partition("  ")[2]
    assert shown.isprintable()
    code, out, err = peers(capsys, "forget", shown, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out[-1]) == {"forgotten": "Be\u200bto\x1b", "key": fingerprint(KEYS[0])}
    assert names() == ["Ana"]


@pytest.mark.parametrize("signs", [4, 6, 19])
def test_one_is_forgotten_by_the_key(capsys: pytest.CaptureFixture[str], signs: int) -> None:
    know("Ana", "Beto")
    assert peers(capsys, "forget", fingerprint(KEYS[1])[:signs].lower())[0] == 0
    assert names() == ["Ana"]


def test_three_signs_are_no_key_and_who_is_meant_must_be_clear(capsys: pytest.CaptureFixture[str]) -> None:
    know("Ana\u200b", "Ana<200B>")
    assert peers(capsys, "forget", fingerprint(KEYS[0])[:3])[0] == 2
    code, _, err = peers(capsys, "forget", "ana<200b>")
    assert code == 2
    assert all(fingerprint(key) in err for key in KEYS)
    assert len(names()) == 2
    assert peers(capsys, "forget", fingerprint(KEYS[0])[:4])[0] == 0
    assert names() == ["Ana<200B>"]


def test_while_somebody_plays_all_are_listed_and_nobody_is_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    know("Ana")
    profile = Profile.open()
    try:
        assert peers(capsys)[:2] == (0, [f"{fingerprint(KEYS[0])}  Ana"])
        code, _, err = peers(capsys, "forget", "Ana")
    finally:
        profile.close()
    assert code == 2
    assert "Another program is playing with the profile" in err
    assert names() == ["Ana"]
