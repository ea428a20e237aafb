"""Trust on first use: who sits at a table, compared with whom this profile knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import registry
from p2p.acquaint import acquaint, bot_name
from p2p.store import Meeting, Profile, known_players
from protocol.contract import Contract, SeatEntry, draft
from protocol.identity import Identity, fingerprint

from .nodes import playing, room

ANA, BETO, EVE, CARO = (Identity(bytes([number]) * 32) for number in (1, 2, 3, 4))


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Profile]:
    opened = Profile.open(tmp_path / "profile")
    yield opened
    opened.close()


def contract(*players: tuple[str, Identity]) -> Contract:
    seats = [SeatEntry(name, identity.public, bytes(32)) for name, identity in players]
    return draft("maamut", registry.options("maamut", len(seats), {}), seats, "Attic")


@pytest.mark.parametrize("seat", [0, 2])
def test_bots_are_nobody_to_be_acquainted_with(profile: Profile, seat: int) -> None:
    """Neither one's own nor the host's: they are called after the host, whatever that one is called today, and another
    host of that name has other bots."""
    for name, bot in (("Ana", CARO), ("Eva", CARO), ("E" * 64, CARO), ("Eva", EVE)):
        told = acquaint(profile, contract((name, ANA), (bot_name(1, name), bot), ("Beto", BETO)), seat)
        assert not any("Bot" in line for line in told)
    assert list(known_players(profile.path)) == (["Beto"] if seat == 0 else ["Eva"])


def test_who_is_known_cannot_hide_as_a_bot(profile: Profile) -> None:
    acquaint(profile, contract(("Ana", ANA), ("Beto", BETO)), 0)
    (line,) = acquaint(profile, contract(("Ana", ANA), ("Bot 1 of Ana", BETO)), 0)
    assert line.startswith("Bot 1 of Ana is whom you know as Beto: the same key")
    # And only the host has bots.
    acquaint(profile, contract(("Ana", ANA), ("Bot 1 of Beto", EVE)), 0)
    assert "Bot 1 of Beto" in known_players(profile.path)


def test_new_players_are_remembered_without_a_word(profile: Profile) -> None:
    table = contract(("Ana", ANA), ("Beto", BETO))
    for _ in range(2):
        assert acquaint(profile, table, 0) == []
    assert profile.meet("Beto", BETO.public).meeting is Meeting.KNOWN
    assert profile.meet("Ana", ANA.public).meeting is Meeting.NEW  # oneself is not met


def test_a_known_name_with_another_key_is_told_every_time(profile: Profile) -> None:
    acquaint(profile, contract(("Ana", ANA), ("Beto", BETO)), 0)
    for name in ("Beto", "BETO", "Ｂｅｔｏ"):
        (line,) = acquaint(profile, contract(("Ana", ANA), (name, EVE)), 0)
        assert line.startswith(f"Careful: this {name} is not the Beto whom you know.")
        assert fingerprint(EVE.public) in line
        assert fingerprint(BETO.public) in line
    assert profile.meet("Beto", BETO.public).meeting is Meeting.KNOWN


def test_a_friend_with_a_new_key_is_let_in_by_forgetting_the_old_one(profile: Profile) -> None:
    """And only by that: what is told says how."""
    acquaint(profile, contract(("Ana", ANA), ("Beto", BETO), ("Caro", Identity(b"c" * 32))), 0)
    table = contract(("Ana", ANA), ("Beto", EVE))
    (line,) = acquaint(profile, table, 0)
    assert "`p2pgame peers forget NAME`" in line
    assert not profile.forget("Bet")
    assert list(known_players(profile.path)) == ["Beto", "Caro"]
    assert profile.forget("BETO")
    assert list(known_players(profile.path)) == ["Caro"]
    for _ in range(2):
        assert acquaint(profile, table, 0) == []
    assert known_players(profile.path)["Beto"] == fingerprint(EVE.public)
    assert acquaint(profile, contract(("Ana", ANA), ("Beto", BETO)), 0) != []


def test_a_known_key_with_another_name_is_told_once(profile: Profile) -> None:
    acquaint(profile, contract(("Ana", ANA), ("Beto", BETO)), 0)
    renamed = contract(("Ana", ANA), ("Berta", BETO))
    (line,) = acquaint(profile, renamed, 0)
    assert line.startswith("Berta is whom you know as Beto: the same key")
    assert acquaint(profile, renamed, 0) == []


def test_two_of_one_name_at_one_table(profile: Profile) -> None:
    (line,) = acquaint(profile, contract(("Ana", ANA), ("Beto", BETO), ("beto", EVE)), 0)
    assert "Careful: this beto" in line


def test_a_damaged_list_of_players_is_told_and_stops_nothing(profile: Profile) -> None:
    (profile.path / "known_players").write_text("{")
    (line,) = acquaint(profile, contract(("Ana", ANA), ("Beto", BETO)), 0)
    assert "not compared" in line
    assert "known_players" in line


@pytest.mark.trio
async def test_at_a_real_table(tmp_path: Path) -> None:
    """Beto comes back with another key, and everybody hears of it."""
    for number in range(2):
        async with room(tmp_path) as here:
            host = await here.host()
            name = "Beto"
            if number:
                here.profiles[name] = Profile.open(tmp_path / "another computer")
            guest = here.join(name, here.doors["Ana"])
            await playing(host, guest)
            keys = [fingerprint(one.profile.identity.public) for one in (host, guest)]
            assert host.status.fingerprints == guest.status.fingerprints == keys
            assert len(host.status.notes) == number
            assert guest.status.notes == []
    assert "Careful: this Beto" in host.status.notes[0]
