"""Situations of lobby and replay that are kept as text captures, each at the sizes that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from client.hall import Hall
from client.render.base import Row
from client.replay import Playback, progress
from client.screens.lobby import LobbyScreen
from client.screens.replay import ReplayScreen
from client.style import ASCII, UNICODE, Appearance
from engines import registry
from engines.chance import Chance
from engines.dealer import Dealer
from engines.requests import Deck
from p2p.audit import SOUND, Report
from p2p.replay import Recording, Replay

from .fakes import Steady
from .halls import busy, past
from .screenshot import Screen, text_of

CAPTURES = Path(__file__).parent / "captures" / "console"
COLOURED = Appearance(UNICODE, True)
PURE_ASCII = Appearance(ASCII, False)
USUAL, BOTH = ((80, 24), (120, 40)), ((80, 24), (120, 40), (40, 12), (30, 10), (20, 5))


class Rows(Screen, Protocol):
    """A screen whose rows can be counted."""

    def rows(self, columns: int, lines: int) -> list[Row]:
        """Exactly so many."""


def _lobby(*keys: str, hall: Callable[[], Hall] = busy, look: Appearance = COLOURED) -> Callable[[], Rows]:
    def made() -> Rows:
        there = hall()
        for key in keys:
            there.char(key)
        return LobbyScreen(there, look)

    return made


def _lonely() -> Hall:
    hall = Hall("Ana")
    hall.waited = 6.0
    return hall


def _told() -> Hall:
    hall = busy()
    hall.note = "Beto wins.\nverified: every shuffle, look and card of this game was fair"
    return hall


def _left() -> Hall:
    hall = busy()
    hall.bots_at.append("Attic")
    hall.quit()
    return hall


def _amnesia() -> Hall:
    hall = Hall("Zoë 日本")
    hall.char("h")
    for _ in range(3):
        hall.step(1)
    hall.move(3)
    return hall


def _many() -> Hall:
    hall = Hall("Ana")
    hall.found([], [past(number) for number in range(1, 41)])
    hall.char("p")
    hall.move(25)
    return hall


@cache
def recording(game: str = "maamut", seats: int = 2) -> Recording:
    """A whole game by a trusted dealer, which changes only with the rules. Not to be changed."""
    answers: list[Any] = []
    bots = {seat: Steady(seat, Chance(bytes([seat]) * 32)) for seat in range(seats)}
    dealer = Dealer(registry.create(game, seats, {}), bytes(32))
    run, answer = dealer.run, dealer.run.answer

    def noted(given: Any) -> None:
        if not isinstance(run.pending, Deck):
            answers.append(given)
        answer(given)

    run.answer = noted  # type: ignore[method-assign]
    dealer.play(lambda seat, menu: bots[seat].choose(run.game, menu, run.look(seat)))
    options = registry.options(game, seats, {})
    names = ["Ana", "Beto 日本 😀", "Caro"][:seats]
    report = Report(verdict=SOUND, names=names)
    return Recording(game, names, "Attic", options, "ab" * 32, answers, list(range(seats)), report)


def replay_of(game: str = "maamut", seats: int = 2) -> Replay:
    """A game to be stepped through."""
    return Replay(recording(game, seats), progress)


def _replay(
    position: int,
    *,
    seat: bool = False,
    look: Appearance = COLOURED,
    game: str = "maamut",
    seats: int = 2,
    page: str = "",
) -> Callable[[], Rows]:
    def made() -> Rows:
        playback = Playback(replay_of(game, seats), look)
        playback.go(position)
        playback.page = page
        if seat:
            playback.switch()
        screen = ReplayScreen(look)
        screen.put(playback)
        return screen

    return made


SCENES: dict[str, tuple[Callable[[], Rows], tuple[tuple[int, int], ...]]] = {
    "lobby": (_lobby(), BOTH),
    "lobby-ascii": (_lobby(look=PURE_ASCII), ((80, 24),)),
    "lobby-empty": (_lobby(hall=lambda: Hall("Ana")), ((80, 24),)),
    "lobby-lonely": (_lobby(hall=_lonely), BOTH),
    "lobby-after": (_lobby(hall=_told), USUAL),
    "lobby-left": (_lobby(hall=_left), ((80, 24), (40, 12))),
    "form": (_lobby("h"), BOTH),
    "form-amnesia": (_lobby(hall=_amnesia), BOTH),
    "address": (_lobby("j", "1", "0", "."), USUAL),
    "past": (_lobby("p"), BOTH),
    "past-many": (_lobby(hall=_many), BOTH),
    "lobby-help": (_lobby("?"), USUAL),
    "replay-first": (_replay(0), USUAL),
    "replay": (_replay(8), BOTH),
    "replay-seat": (_replay(8, seat=True), USUAL),
    "replay-last": (_replay(10_000), USUAL),
    "replay-fungi": (_replay(10_000, game="fungi"), USUAL),
    "replay-amanite": (_replay(10_000, game="amanite", seats=3), ((80, 24), (60, 20), (30, 10))),
    "replay-points": (_replay(10_000, game="amanite", seats=3, page="result"), ((80, 24), (30, 10))),
    "replay-ascii": (_replay(8, look=PURE_ASCII), ((80, 24),)),
}


def captures() -> Iterator[tuple[str, str]]:
    """File name and text of every capture."""
    for name, (made, sizes) in SCENES.items():
        screen = made()
        for columns, lines in sizes:
            yield f"{name}-{columns}x{lines}.txt", text_of(screen, columns, lines)
