"""The conformance suite over all games and numbers of seats, and over canaries that must fail it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from engines import registry
from engines.run import EngineBug, Run
from tests.engines import conformance, toys, worlds
from tests.engines.conformance import Broken, Make
from tests.engines.worlds import maker

NAMES = [
    f"{name}:{seats}"
    for name in registry.GAMES
    for seats in range(registry.seat_range(name)[0], registry.seat_range(name)[1] + 1)
]
ALL = [*NAMES, "toys.Toy"]
ROOT = Path(__file__).resolve().parents[2]
OTHERS = [
    found[-1]
    for version in ("3.12", "3.13")
    if (found := sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")))
]
PARAMS = pytest.mark.parametrize("name", ALL)


@PARAMS
def test_what_is_not_legal_is_refused_and_changes_nothing(name: str) -> None:
    tried = 0
    for seed in range(24):
        if seed >= 3 and tried > 20:  # a game in which most wrong acts are possible, and cost something, needs more
            break
        tried += conformance.check_refusals(maker(name), seed, 400)
    assert tried > 20


@PARAMS
def test_a_game_of_silence_ends(name: str) -> None:
    conformance.check_silence(maker(name), 0)


@PARAMS
def test_random_games_keep_their_cards_and_end(name: str) -> None:
    for seed in range(8):
        conformance.check_play(maker(name), seed)


@PARAMS
def test_all_peers_come_to_the_same_table(name: str) -> None:
    assert sum(worlds.check_peers(maker(name), seed, 250) for seed in range(3)) > 50


@PARAMS
def test_hidden_cards_make_no_difference_to_who_cannot_see_them(name: str) -> None:
    make = maker(name)
    changed = 0
    for seed in range(48):
        if seed >= 12 and changed > 50:  # a game with few cards needs more tables to show anything
            break
        seats = make().seats
        horizon = 10 + conformance.seeded("horizon", seed).below(120)
        changed += worlds.check_secrecy(make, seed, seed % seats, horizon)
    assert changed > 50, "hardly a card differed: this has shown nothing"


def python(executable: str | Path, hash_seed: str, names: list[str]) -> str:
    """The traces as another process sees them."""
    done = subprocess.run(
        [str(executable), "-B", "-m", "tests.engines.worlds", *names],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_every_process_and_every_python_comes_to_the_same_table() -> None:
    here = python(sys.executable, "1", ALL)
    assert here == "".join(f"{name} {worlds.trace(maker(name), 'fixed')}\n" for name in ALL)
    for executable in (Path(sys.executable), *OTHERS):
        assert python(executable, "2", ALL) == here, executable


# -- canaries ------------------------------------------------------------------------------------------------------


def over_seeds(check: Callable[..., object], make: Make, *more: Any) -> None:
    """A check that should fail, with luck enough to do so."""
    for seed in range(20):
        check(make, seed, *more)


@pytest.mark.parametrize("leaky", [toys.LeakingEvent, toys.LeakingState, toys.LeakingPace, toys.LeakingReason])
@pytest.mark.parametrize("seat", range(3))
def test_a_leak_is_found(leaky: Make, seat: int) -> None:
    with pytest.raises(Broken, match=r"two worlds|one world"):
        over_seeds(worlds.check_secrecy, leaky, seat, 60)


@pytest.mark.parametrize("lapse", [toys.HiddenLapse, toys.ShameLapse])
def test_a_bad_lapse_is_found(lapse: Make) -> None:
    with pytest.raises((Broken, EngineBug), match="lapse"):
        conformance.check_silence(lapse, 0)


def test_a_game_that_silence_cannot_end_is_found() -> None:
    with mock.patch.object(conformance, "LIMIT", 500), pytest.raises(Broken, match="does not end"):
        conformance.check_silence(toys.Endless, 0)


@pytest.mark.parametrize("careless", [toys.LosesCard, toys.DoublesCard])
def test_a_card_lost_or_doubled_is_found(careless: Make) -> None:
    with pytest.raises(Broken, match="cards"):
        over_seeds(conformance.check_play, careless)


def test_a_table_that_depends_on_what_only_the_dealer_knows_is_found() -> None:
    with pytest.raises(Broken, match="differs"):
        over_seeds(worlds.check_peers, toys.LeakingState)


def test_a_table_that_depends_on_hash_order_is_found() -> None:
    assert len({python(sys.executable, str(seed), ["toys.HashOrder"]) for seed in range(3)}) > 1


@pytest.mark.parametrize("blind", ["refusal", "_judge_shown"])
def test_a_table_that_judges_nothing_is_found(blind: str) -> None:
    with mock.patch.object(Run, blind, return_value=""), pytest.raises(Broken, match=r"refused|carried out"):
        over_seeds(conformance.check_refusals, toys.Toy)
