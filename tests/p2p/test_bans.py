"""Whom a game excludes when it ends: kept by identity, refused at that game from then on, named wherever they sit."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from engines import registry
from engines.amnesia_table import Table
from p2p.acquaint import acquaint
from p2p.bans import Bans
from p2p.errors import BadCompanyThere, Excluded, ProfileDamaged
from p2p.node import Node
from p2p.store import Profile
from protocol import limits
from protocol.contract import SeatEntry, draft
from protocol.identity import Identity

from .nodes import playing, room, until

TITLE = "the person who does not fulfil the forfeits"
BETO = Identity(b"\x02" * 32).public


def test_bans_outlive_the_program_and_are_for_one_game(tmp_path: Path) -> None:
    Bans.load(tmp_path / "banned").keep("amnesia", [BETO])
    bans = Bans.load(tmp_path / "banned")
    assert (bans.at("amnesia", BETO), bans.at("maamut", BETO), bans.title(BETO)) == (TITLE, "", TITLE)
    assert bans.at("amnesia", bytes(32)) == bans.title(bytes(32)) == ""


def test_bans_are_capped_and_the_latest_stay(tmp_path: Path) -> None:
    bans = Bans.load(tmp_path / "banned")
    bans.keep("amnesia", [number.to_bytes(32, "big") for number in range(limits.BANNED)])
    bans.keep("amnesia", [BETO, bytes(31) + b"\1"])
    kept = Bans.load(tmp_path / "banned")
    assert [bool(kept.at("amnesia", number.to_bytes(32, "big"))) for number in (0, 1, 2)] == [False, True, True]
    assert kept.at("amnesia", BETO)


@pytest.mark.parametrize("text", ["{", "[]", '{"amnesia": 5}', '{"amnesia": ["xyz"]}', '{"amnesia": [5]}'])
def test_a_damaged_file_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "banned").write_text(text)
    with pytest.raises(ProfileDamaged):
        Bans.load(tmp_path / "banned")


def test_the_rules_say_who_is_excluded() -> None:
    game = registry.create("amnesia", 2, {})
    assert not game.banned_after
    assert isinstance(game.table, Table)
    game.table.unfulfilled = (1,)
    assert game.banned_after == (1,)
    assert all(
        registry.create(name, 2, {}).banned_after == () for name in registry.GAMES if name not in ("amnesia", "amanite")
    )


@pytest.mark.trio
async def test_the_end_of_a_game_is_kept(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    seats = [SeatEntry("Ana", profile.identity.public, bytes(32)), SeatEntry("Beto", BETO, bytes(32))]
    contract = draft("amnesia", registry.options("amnesia", 2, {}), seats, "Attic")
    table = SimpleNamespace(game=SimpleNamespace(banned_after=(0, 1)), contract=contract, seat=0)
    Node(profile, "Ana")._exclude(SimpleNamespace(table=table))  # type: ignore[arg-type]
    assert Bans.load(tmp_path / "banned").at("amnesia", BETO) == TITLE
    assert profile.bans.title(profile.identity.public) == ""
    assert acquaint(profile, contract, 0) == [f"Beto is {TITLE}."]
    profile.close()


@pytest.mark.trio
async def test_a_host_lets_nobody_in_who_is_excluded(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(game="amnesia")
        here.node("Beto")
        host.profile.bans.keep("amnesia", [here.profiles["Beto"].identity.public])
        here.join("Beto", here.doors["Ana"])
        failure = await here.failure("Beto")
        assert isinstance(failure, Excluded)
        assert failure.exit_code == 3
        assert host.status.taken == ["Ana"]
        await playing(here.join("Caro", here.doors["Ana"]), host)


@pytest.mark.trio
async def test_a_guest_does_not_sit_down_with_an_excluded_host(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(game="amnesia")
        here.node("Beto")
        here.profiles["Beto"].bans.keep("amnesia", [host.profile.identity.public])
        here.join("Beto", here.doors["Ana"])
        failure = await here.failure("Beto")
        assert isinstance(failure, BadCompanyThere)
        assert f"Ana, {TITLE}," in str(failure)
        assert failure.exit_code == 3
        await playing(here.join("Caro", here.doors["Ana"]), host)


@pytest.mark.trio
async def test_a_guest_signs_no_contract_with_an_excluded_guest(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(players=3, game="amnesia")
        caro = here.node("Caro")
        here.node("Beto")
        caro.profile.bans.keep("amnesia", [here.profiles["Beto"].identity.public])
        here.join("Beto", here.doors["Ana"])
        await until(host, lambda one: len(one.status.taken) == 2)
        here.join("Caro", here.doors["Ana"])
        failure = await here.failure("Caro")
        assert isinstance(failure, BadCompanyThere)
        assert f"Beto, {TITLE}," in str(failure)
        await until(host, lambda one: one.status.taken == ["Ana", "Beto"])


@pytest.mark.trio
async def test_at_another_game_only_the_title_is_shown(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host()
        here.node("Beto")
        host.profile.bans.keep("amnesia", [here.profiles["Beto"].identity.public])
        guest = here.join("Beto", here.doors["Ana"])
        await playing(host, guest)
        assert host.status.titles == ["", TITLE]
        assert host.status.notes == [f"Beto is {TITLE}."]
        assert guest.status.titles == ["", ""]
