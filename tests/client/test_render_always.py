"""Every picture at every moment: a screen draws also while cards are being opened, and for every onlooker."""

from __future__ import annotations

import pytest

from client.render.base import Scene, renderer, row_width
from engines import registry
from engines.bots import Bot
from engines.chance import Chance
from engines.dealer import Dealer
from engines.requests import Tell

from .fakes import NAMES, Steady

MOST = 100
"""Moments that are looked at in one game."""


@pytest.mark.parametrize("sensible", [False, True])
@pytest.mark.parametrize("game", registry.GAMES)
def test_a_picture_can_be_drawn_at_every_moment(game: str, sensible: bool) -> None:
    seats = max(registry.seat_range(game)[0], min(3, registry.seat_range(game)[1]))
    words = renderer(game)
    names = NAMES[:seats]
    heard: list[Tell] = []
    dealer = Dealer(registry.create(game, seats, {}), b"\1" * 32, heard.append)
    chances = [Chance(bytes([seat]) * 32) for seat in range(seats)]
    bots: list[Bot] = [
        registry.bot(game, seat, chances[seat]) if sensible else Steady(seat, chances[seat]) for seat in range(seats)
    ]
    run = dealer.run
    for _ in range(MOST):
        for seat in (None, *range(seats)):
            scene = Scene(run.game.table, seat, run.look(seat), names)
            for columns, lines in words.forms(scene):
                rows = words.picture(scene, columns, lines)
                assert len(rows) <= lines
                assert all(row_width(row) <= columns for row in rows)
            words.hand(scene)
        words.progress(run.game.table)
        if run.finished:
            break
        told = len(heard)
        dealer.step(lambda seat, menu: bots[seat].choose(run.game, menu, run.look(seat)))
        for event in heard[told:]:
            words.describe(event, names)
            for bot in bots:
                bot.notice(event)
