"""Every game ends with one sound file and no accusation, whatever network and machines do. Longer: `make soak`."""

from __future__ import annotations

from typing import Any

import pytest

from protocol import codec
from protocol.effects import Publish

from .memo import once
from .storm import Storm

QUICK: dict[str, dict[str, Any]] = {"amnesia": {"mode": "turbo", "rounds": 2}, "maamut": {"rounds": 6}}
TABLES = [("maamut", 2), ("maamut", 4), ("amanite", 3), ("fungi", 2), ("amnesia", 3)]
WHOLE = [("maamut", 2), ("amanite", 3), ("fungi", 2), ("amnesia", 3)]


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


class Died(Exception):
    """The seat's program, before it could go on."""


class Mortal(Storm):
    """A game in which one seat's program dies after each of its own writes, and before that is sent to anybody."""

    def __init__(self, game: str, seats: int, victim: int) -> None:
        self.victim, self.deaths = victim, 0
        super().__init__(game, seats, seed=4, options=QUICK.get(game))

    def noticed(self, seat: int, effect: object) -> None:
        super().noticed(seat, effect)
        if seat == self.victim and isinstance(effect, Publish):
            self.deaths += 1
            raise Died

    def pump(self, seat: int) -> None:
        try:
            super().pump(seat)
        except Died:
            self.kill(seat)

    @property
    def written(self) -> list[int]:
        """Where in its log each of the victim's own contributions stands."""
        log = self.logs[self.victim]
        return [at for at, data in enumerate(log) if codec.decode(data)["seat"] == self.victim]


def signed(storm: Storm, seat: int) -> list[bytes]:
    """What stands in the common record from that seat."""
    return [item.data for item in storm.tables[0].session.since(0) if item.seat == seat]


@pytest.mark.parametrize("victim", [0, 1])
@pytest.mark.parametrize(("game", "seats"), WHOLE)
def test_a_kill_at_every_durable_write(game: str, seats: int, victim: int) -> None:
    with once():
        storm = Mortal(game, seats, victim)
        storm.play()
        storm.check()
    assert storm.deaths == len(storm.written) == len(signed(storm, victim))


@pytest.mark.parametrize(("game", "seats"), WHOLE)
def test_a_log_restored_from_a_backup_of_any_age(game: str, seats: int) -> None:
    """When the others have come to the end, a seat comes back with its log as it was before one of its own writes."""
    victim = 1
    with once():
        storm = Storm(game, seats, seed=5, options=QUICK.get(game))
        storm.play()
        file, log = storm.tables[0].file(), storm.logs[victim]
        for at, data in enumerate(log):
            if codec.decode(data)["seat"] == victim:
                storm.logs[victim] = log[:at]
                storm.complete.discard(victim)
                storm.kill(victim)
                storm.play()
                assert storm.tables[victim].file() == file
        storm.check()


@pytest.mark.parametrize(("game", "seats", "seed"), [("maamut", 4, 20), ("amanite", 3, 21), ("amnesia", 4, 22)])
def test_seats_leave_in_bad_weather(game: str, seats: int, seed: int) -> None:
    weather: dict[str, Any] = {"loss": 0.1, "double": 0.1, "corrupt": 0.05, "flap": 0.01, "kill": 0.01}
    storm = Storm(game, seats, seed=seed, options=QUICK.get(game), leave=0.01, **weather)
    storm.play()
    storm.check()
    assert storm.faults["seats that left"]
