"""A trusted dealer in memory: for rule tests, bots, benchmarks and golden playthroughs.

For: running a game without peers. Never: the real thing; this dealer knows every card.

Theory of operation: a feeder of one Run, as the table among peers is. It keeps the true face of every card, answers
flips and shuffles from one seeded Chance, and gives views to the Run for all seats, so that `run.look(seat)` is exactly
what that seat may know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .bots import Bot
from .chance import Chance
from .menus import Card, Choice, Face, Look, Menu, Seat
from .requests import Ask, Deck, Flip, Game, Open, Promise, Result, Shuffle, Tell, View
from .run import EngineBug, Run

Decide = Callable[[Seat, Menu], Choice]


class BrokenPromise(Exception):
    """A promise that is not true: at a sealed table the proof would have failed."""


class Dealer:
    """One table. `seed`: 32 bytes, from which every flip and shuffle follows."""

    def __init__(self, game: Game, seed: bytes, listen: Callable[[Tell], None] | None = None) -> None:
        self.truth: dict[Card, Face] = {}
        self._chance = Chance(seed)
        self.run = Run(game, listen) if listen else Run(game)

    def look(self) -> Look:
        """Every face, as the audit sees it."""
        return self.truth.__getitem__

    def arrange(self, faces: Sequence[Face]) -> list[Face]:
        """The order in which shuffled faces come out; tests put known orders here."""
        return self._chance.shuffled(faces)

    def step(self, decide: Decide) -> None:
        """Answer one request. `decide` is asked for each seat's choice. Errors: those of Run.answer."""
        run, request = self.run, self.run.pending
        if isinstance(request, Ask):
            run.answer({seat: decide(seat, menu) for seat, menu in sorted(request.menus.items())})
        elif isinstance(request, Flip):
            run.answer(bytes(self._chance.below(256) for _ in range(32)))
        elif isinstance(request, Deck):
            first = self._created()
            run.answer(None)
            self.truth.update((Card(first + i), face) for i, face in enumerate(request.faces))
        elif isinstance(request, Shuffle):
            first, faces = self._created(), self.arrange([self.truth[card] for card in request.cards])
            run.answer(None)
            self.truth.update((Card(first + i), face) for i, face in enumerate(faces))
        elif isinstance(request, View):
            run.answer({seat: {card: self.truth[card] for card in cards} for seat, cards in request.looks.items()})
        elif isinstance(request, Open):
            run.answer({card: self.truth[card] for card in run.closed(request)})
        elif isinstance(request, Promise):
            if any(self.truth[card] in request.never for card in request.cards):
                raise BrokenPromise(f"seat {request.seat} promised what is not so")
            run.answer(None)
        else:
            raise EngineBug("the game is finished")

    def _created(self) -> int:
        return len(self.truth)

    def play(self, decide: Decide, limit: int = 100_000) -> Result:
        """The whole game. Errors: EngineBug if it has not ended after `limit` requests."""
        for _ in range(limit):
            if self.run.finished:
                break
            self.step(decide)
        if self.run.result is None or not self.run.finished:
            raise EngineBug(f"the game did not end within {limit} requests")
        return self.run.result


def play_bots(game: Game, seed: bytes, bots: Mapping[Seat, Bot]) -> Dealer:
    """A whole game among bots, each of which sees its own look and every event."""

    def listen(event: Tell) -> None:
        for bot in bots.values():
            bot.notice(event)

    dealer = Dealer(game, seed, listen)
    dealer.play(lambda seat, menu: bots[seat].choose(game, menu, dealer.run.look(seat)))
    return dealer
