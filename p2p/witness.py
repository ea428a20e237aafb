"""A table of which everything is known that the seeds in its file tell.

For: the audit, and whoever shows a game again. Never: IO, or a face that does not follow from keys and seeds.
"""

from __future__ import annotations

from typing import Any

from engines.menus import Card, Face, Hidden
from engines.requests import Ask, Shuffle
from engines.run import IllegalDecision, Run
from protocol import dealing
from protocol.ceremony import Ceremony
from protocol.contract import Contract
from protocol.decisions import Decisions
from protocol.secrets import Secrets
from protocol.spread import Spread

from .table import Table


class Witness(Table):
    """A table whose every card is known, as far as the seeds in the file allow. `answers`: what the rules were given,
    one after the other, but for fresh decks, which are given nothing."""

    def __init__(
        self,
        contract: Contract,
        signatures: list[bytes],
        seeds: dict[int, Secrets],
        left: dict[int, int],
        spread: Spread,
    ) -> None:
        self.truth: dict[Card, Face] = {}
        self.answers: list[Any] = []
        keys = left | {seat: secrets.x for seat, secrets in seeds.items()}
        self._xs = [keys[seat] for seat in sorted(keys)] if len(keys) == len(contract.seats) else []
        super().__init__(contract, signatures, seeds=seeds, spread=spread)

    def _answer(self, run: Run, ceremony: Ceremony) -> Any:
        request = run.pending
        answer = super()._answer(run, ceremony)
        if self._xs and isinstance(request, Shuffle) and isinstance(ceremony, dealing.Shuffle):
            self.truth.update(self._face_of(self.deck.reveal(ceremony.result, self._xs)))
        if self._xs and isinstance(request, Ask) and isinstance(ceremony, Decisions):
            for seat, choice in sorted(answer.items()):
                why = request.menus[seat].judge(self._all_faces, choice, final=True)
                if why:
                    raise IllegalDecision(seat, why)
        self.answers.append(answer)
        return answer

    def _all_faces(self, card: Card) -> Face:
        face = self.truth.get(card) or self.game.faces.get(card)
        if face is None:
            raise Hidden(repr(card))
        return face
