"""The registry: which games there are, and which tables can be."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry
from engines.bots import Random
from engines.chance import Chance
from engines.maamut_bot import Sensible
from engines.registry import BadTable
from engines.requests import Game, OptionSpec


@pytest.mark.parametrize("name", registry.GAMES)
def test_every_game_has_what_a_game_needs(name: str) -> None:
    low, high = registry.seat_range(name)
    assert 1 < low <= high
    assert registry.title(name)
    for key, spec in registry.option_specs(name).items():
        assert key.isidentifier()
        assert isinstance(spec, OptionSpec)
        assert spec.text
        assert not spec.values or spec.default in spec.values
    for seats in range(low, high + 1):
        game = registry.create(name, seats, {})
        assert isinstance(game, Game)
        assert game.seats == seats
        assert set(game.options) == set(registry.option_specs(name))


def test_maamut_is_written_with_its_accent() -> None:
    assert registry.title("maamut") == "Mâamut"
    assert registry.seat_range("maamut") == (2, 4)


@pytest.mark.parametrize("name", ["", "Maamut", "chess", "requests", "../x"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(BadTable, match="there is no game"):
        registry.create(name, 2, {})
    with pytest.raises(BadTable, match="there is no game"):
        registry.bot(name, 0, Chance(bytes(32)))


@pytest.mark.parametrize("seats", [1, 5, 0, -2, True, "2", 2.0, None])
def test_other_numbers_of_players_are_refused(seats: Any) -> None:
    with pytest.raises(BadTable, match="is for 2 to 4 players"):
        registry.options("maamut", seats, {})


@pytest.mark.parametrize("given", [{}, {"rounds": 100}, {"rounds": "100"}])
def test_options_come_as_values_or_as_text(given: dict[str, Any]) -> None:
    assert registry.options("maamut", 2, given) == {"rounds": 100}


@pytest.mark.parametrize("value", [-1, 1001, "x", "", True, 1.5, None, [1], "9" * 5000])
def test_values_that_do_not_fit_are_refused_in_words(value: Any) -> None:
    with pytest.raises(BadTable, match="option rounds is a whole number from 0 to 1000"):
        registry.options("maamut", 2, {"rounds": value})


@pytest.mark.parametrize("given", [{"speed": 1}, {3: 1}, {3: 1, "speed": 1}])
def test_unknown_options_are_refused(given: dict[Any, Any]) -> None:
    with pytest.raises(BadTable, match="has no option"):
        registry.options("maamut", 2, given)


def test_options_with_words_and_the_games_own_check(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = {"mode": OptionSpec("short", "how long", ("short", "long")), "note": OptionSpec("", "anything")}
    monkeypatch.setattr("engines.maamut.OPTIONS", specs)
    assert registry.options("maamut", 2, {"mode": "long"}) == {"mode": "long", "note": ""}
    for bad in ("other", 3, None):
        with pytest.raises(BadTable, match="option mode is short or long"):
            registry.options("maamut", 2, {"mode": bad})
    with pytest.raises(BadTable, match="option note is text"):
        registry.options("maamut", 2, {"note": 3})
    with pytest.raises(BadTable, match="option note is text in Unicode") as refused:
        registry.options("maamut", 2, {"note": "half a letter \udcff"})
    assert str(refused.value).isascii(), "and can be shown"
    monkeypatch.setattr("engines.maamut.check", lambda seats, options: "not today")
    with pytest.raises(BadTable, match="not today"):
        registry.options("maamut", 2, {})


def test_bots() -> None:
    chance = Chance(bytes(32))
    assert isinstance(registry.bot("maamut", 0, chance), Sensible)
    assert isinstance(registry.bot("maamut", 0, chance, sensible=False), Random)
