"""Every game ends with one sound file and no accusation, whatever network and machines do. Longer: `make soak`."""

from __future__ import annotations

from typing import Any

import pytest

from .storm import Storm

QUICK: dict[str, dict[str, Any]] = {"amnesia": {"mode": "turbo", "rounds": 2}, "maamut": {"rounds": 6}}
TABLES = [("maamut", 2), ("maamut", 4), ("amanite", 3), ("fungi", 2), ("amnesia", 3)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_bad_network(game: str, seats: int) -> None:
    storm = Storm(game, seats, seed=seats, options=QUICK.get(game), loss=0.1, double=0.1, corrupt=0.05, flap=0.01)
    storm.play()
    storm.check()
    assert storm.faults["lost"]
    assert storm.faults["corrupted"]
    assert storm.broken_links


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_seats_are_killed_and_come_back(game: str, seats: int) -> None:
    storm = Storm(game, seats, seed=10 + seats, options=QUICK.get(game), kill=0.04)
    storm.play()
    storm.check()
    assert storm.faults["killed"] >= 2


@pytest.mark.parametrize("victim", [0, 1])
def test_a_kill_at_every_durable_write(victim: int) -> None:
    """One game in which a seat dies right after each of its own writes, before anything was sent."""
    storm = Storm("maamut", 2, seed=4, options={"rounds": 2})
    written = 0

    def always_lost(origin: int, to: int, data: bytes) -> bool:
        return origin == victim and len(storm.logs[victim]) > written

    storm.drop = always_lost
    for seat in range(2):
        storm.pump(seat)
    for _ in range(100_000):
        if len(storm.logs[victim]) > written:
            written = len(storm.logs[victim])
            storm.kill(victim)
            storm.faults["killed"] += 1
        if not storm.step() and not storm.catch_up():
            break
    storm.check()
    assert storm.faults["killed"] >= 10


@pytest.mark.parametrize(("game", "seats", "seed"), [("maamut", 4, 20), ("amanite", 3, 21), ("amnesia", 4, 22)])
def test_seats_leave_in_bad_weather(game: str, seats: int, seed: int) -> None:
    weather: dict[str, Any] = {"loss": 0.1, "double": 0.1, "corrupt": 0.05, "flap": 0.01, "kill": 0.01}
    storm = Storm(game, seats, seed=seed, options=QUICK.get(game), leave=0.01, **weather)
    storm.play()
    storm.check()
    assert storm.faults["seats that left"]
