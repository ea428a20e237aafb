"""Looks at cards that one may not see, as good as they can be made, and what must have come of them: nothing.

For: the tests of cheats with looks, in any game. Never: an assertion about how a look is checked.

Theory of operation: a card comes to light for a seat when all others answer for it, or for what the seat has made of it
under a secret of its own. So nothing has come of a look if no honest seat has answered anything from then on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from engines.menus import Choice
from p2p.table import Table
from protocol import contribution
from protocol.ceremony import Body
from protocol.contribution import Contribution
from protocol.dealing import View
from protocol.decisions import ASK
from protocol.effects import Fault
from protocol.errors import Misuse

from .cheat import CHEAT, CheatRing, Moment, Strike
from .verdicts import convicted

NOT_BLIND = "view: blind: proof does not hold"
When = Callable[[Moment], bool]
Decide = Callable[[int, Table], Choice]


def hand(m: Moment, seat: int) -> list[int]:
    """The cards at which a seat may look now."""
    assert isinstance(m.ceremony, View)
    return list(m.ceremony._views[seat])


def looking(m: Moment, cards: list[int]) -> Body:
    """A look at other cards than those of the request, as an honest seat would make it if they were."""
    return View(m.table.deck, {m.seat: cards}).make(m.context(), m.secrets)


def pretending(m: Moment, cards: list[int]) -> Body:
    """The proof of the right look, with other cards."""
    return {**m.honest(), "blinded": looking(m, cards)["blinded"]}


def rules(table: Table) -> Any:
    """The public state of the game."""
    assert table.run is not None
    return table.run.game.table


@functools.cache
def until(kind: str, when: When, decide: Decide, game: str, seats: int) -> tuple[Contribution, ...]:
    """A game as it was signed, before the cheat first owes something of this kind at such a moment."""
    ring = CheatRing(Strike(kind, lambda _: [], when=when), game=game, seats=seats, begin=())
    ring.decide = decide
    ring.play()
    (place,) = ring.struck
    return tuple(item for item in ring.tables[CHEAT].session.since(0) if item.place < place)


def lapsing(seat: int, table: Table) -> Choice:
    """What counts as the decision of a seat that says nothing."""
    assert table.menu is not None
    return table.menu.lapse


def decision(m: Moment, verb: str, *picks: object) -> Body:
    """A choice of that act as it travels, whether it is allowed or not."""
    assert m.ceremony.kind == ASK
    assert m.table.menu is not None
    verbs = [act.verb for act in m.table.menu.acts]
    return {"act": verbs.index(verb), "picks": list(picks)}


def caught_blind(ring: CheatRing, reason: str) -> None:
    """All have named the cheat at that very step, their files say the same, and nobody has answered anything since."""
    convicted(ring, reason)
    (place,) = ring.struck
    for seat in ring.honest:
        verdict = ring.verdicts[seat]
        assert isinstance(verdict, Fault)
        assert verdict.contribution.place == place
        said = [contribution.parse(ring.contract, data) for data in ring.published[seat]]
        assert all(item.place <= place for item in said)


def never_seen(ring: CheatRing, card: int) -> None:
    """No honest seat has seen the cheat look at this card."""
    for seat in ring.honest:
        with pytest.raises(Misuse, match="never viewed"):
            ring.tables[seat].deck.look(CHEAT, card)
