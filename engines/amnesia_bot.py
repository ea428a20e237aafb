"""A sensible player of Amnesia: keeps what is low, snaps what it remembers, and calls when it is sure.

For: `--auto`, empty seats, the demo. Never: a face that this seat was not shown; what it saw it remembers by itself,
since the table takes the faces away.

Theory of operation: one memory, card to face, filled from whatever can be seen while it is asked, and emptied by the
next deal. What it has never seen counts as the average card; a shuffled hand counts as the average of what it was. A
drawn card goes where it saves most points, own cards of the same face that can be snapped afterwards included. It calls
while it holds a card, when the best use of that card leaves five points or less for certain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .amnesia_table import (
    COPIES,
    DETECTIVE,
    DJ,
    FISHERMAN,
    FORFEIT,
    HOLDING,
    POWER,
    SCIENTIST,
    START,
    THIEF,
    Table,
    called_points,
    worth,
)
from .chance import Chance
from .menus import Act, Card, Choice, Face, Hidden, Look, Menu, Seat
from .requests import Game, Tell

CARDS = sum(COPIES.values())
AVERAGE = sum(worth(face) * copies for face, copies in COPIES.items()) / CARDS
KNOWING = 0.8
"""Points that it is worth to know what lies in a slot."""
THEFT = 1.5
"""Points that a theft has to promise: it tells the others something."""
PATIENCE = 6
"""From this round on a total of six is called too, for nothing: waiting gets risky."""
POWERS = {DJ: 0.5, SCIENTIST: 1.0, DETECTIVE: 0.3, FISHERMAN: -0.5}
"""What it is worth to put such a card out in turn; a theft is reckoned."""

Option = tuple[float, str, Card | None]
"""Points saved, the verb, and the card that goes out."""


class Sensible:
    """One seat's player."""

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.chance = chance
        self._seen: dict[Card, Face] = {}
        self._guess: dict[Card, float] = {}

    def notice(self, event: Tell) -> None:
        """What is known wanders with the cards; a shuffle leaves only their sum."""
        if event.kind == "dealt":
            self._seen, self._guess = {}, {}
        elif event.kind == "shuffled" and len(event.before) > 1:
            average = sum(map(self._reckon, event.before)) / len(event.before)
            self._guess.update(dict.fromkeys(event.after, average))

    def choose(self, game: Game, menu: Menu, look: Look) -> Choice:
        """A snap if one is certain, a demand if it hurts, else what the phase asks for."""
        table: Table = game.table
        self._remember(table, look)
        mates = self._mates(table, look(table.top)) if table.top is not None else ()
        if mates and _offered(menu, "snap"):
            return _choice(menu, "snap", mates)
        if table.owed and table.owed[1] == FISHERMAN and _offered(menu, "demand"):
            return _choice(menu, "demand")
        if table.phase == FORFEIT:
            return menu.lapse
        if _offered(menu, "look") and table.phase != POWER:
            (part,) = _act(menu, "look").parts
            return _choice(menu, "look", tuple(part.of))
        if table.lead == self.seat:
            if table.phase == START:
                return self._start(table, menu, look)
            if table.phase == HOLDING:
                return self._hold(table, menu, look)
            if table.phase == POWER and table.power is not None:
                return self._power(table, menu, table.power[1])
        return menu.lapse

    # -- memory ----------------------------------------------------------------------------------------------------

    def _remember(self, table: Table, look: Look) -> None:
        cards = [card for seat in range(len(table.cells)) for card in table.own(seat)]
        if table.held is not None:
            cards.append(table.held)
        for card in cards:
            if card not in self._seen:
                try:
                    self._seen[card] = look(card)
                except Hidden:
                    continue

    def _reckon(self, card: Card) -> float:
        """Points of a card, as far as one remembers."""
        face = self._seen.get(card)
        return worth(face) if face is not None else self._guess.get(card, AVERAGE)

    def _mates(self, table: Table, face: Face, but: Card | None = None) -> tuple[Card, ...]:
        """Own cards that could be snapped onto that face, if it is worth it."""
        found = [card for card in table.own(self.seat) if self._seen.get(card) == face and card != but]
        return tuple(found[: COPIES[face] - 1]) if worth(face) else ()

    # -- where a card goes -----------------------------------------------------------------------------------------

    def _options(self, table: Table, face: Face, *, discard: bool) -> list[Option]:
        """What can be done with a card of that face, and how many points it saves."""
        found: list[Option] = [(self._snaps(table, face), "discard", None)] if discard else []
        for card in table.own(self.seat):
            out = self._seen.get(card)
            saved = self._reckon(card) - worth(face)
            saved += self._snaps(table, out, card) if out is not None else 0.0
            found.append((saved, "exchange", card))
        return found

    def _snaps(self, table: Table, face: Face, but: Card | None = None) -> float:
        """Points of own cards that could be snapped onto that face."""
        later = table.snapping or table.dealer == self.seat
        return float(sum(worth(face) for _ in self._mates(table, face, but))) if later else 0.0

    def _bonus(self, table: Table, option: Option, face: Face) -> float:
        """What it is worth to know a slot from now on, or to have the power of the card that goes out."""
        out = face if option[2] is None else self._seen.get(option[2])
        if table.caller is not None:
            return 0.0
        if out is None or table.turns[self.seat] == 1:
            return KNOWING if out is None else 0.0
        if out == SCIENTIST and all(card in self._seen for card in table.own(self.seat)):
            return 0.0
        if out == THIEF:
            theft = self._theft(table)
            return max(0.0, theft[0] - THEFT) if theft else 0.0
        return POWERS.get(out, 0.0)

    # -- turns -----------------------------------------------------------------------------------------------------

    def _start(self, table: Table, menu: Menu, look: Look) -> Choice:
        """The top discard, if it saves more than a card from the pile may be expected to."""
        if not _offered(menu, "draw"):
            if _offered(menu, "call") and self._total(table) <= 5 and self._certain(table):
                return _choice(menu, "call")
            return _choice(menu, "take")
        if not _offered(menu, "take") or table.top is None:
            return _choice(menu, "draw")
        taken = max(self._options(table, look(table.top), discard=False))[0]
        drawn = sum(
            copies * max(0.0, max(self._options(table, face, discard=True))[0]) for face, copies in COPIES.items()
        )
        return _choice(menu, "take" if taken > drawn / CARDS else "draw")

    def _hold(self, table: Table, menu: Menu, look: Look) -> Choice:
        """Call if that is certain to pay, else put the card where it does most good."""
        if table.held is None:
            return menu.lapse
        face = look(table.held)
        options = self._options(table, face, discard=not table.taken)
        if table.committed:
            options = options[:1]
        sure = [option for option in options if self._certain(table, option[2])]
        if sure and _offered(menu, "call"):
            points = called_points(round(self._total(table) - max(saved for saved, _, _ in sure)))
            if points < 0 or (points == 0 and table.round >= PATIENCE):
                return _choice(menu, "call")
        if sure and table.caller == self.seat:
            options = sure
        best = max(options, key=lambda option: option[0] + self._bonus(table, option, face))
        return _choice(menu, best[1], *(() if best[2] is None else (best[2],)))

    def _total(self, table: Table) -> float:
        return sum(map(self._reckon, table.own(self.seat)))

    def _certain(self, table: Table, but: Card | None = None) -> bool:
        """Whether all own cards are remembered; one that goes out anyway need not be."""
        return all(card in self._seen or card == but for card in table.own(self.seat))

    # -- powers ----------------------------------------------------------------------------------------------------

    def _power(self, table: Table, menu: Menu, face: Face) -> Choice:
        others = [seat for seat in range(len(table.cells)) if seat != self.seat and table.cells[seat]]
        forced = not _offered(menu, "pass")
        if face == FISHERMAN:
            return menu.lapse
        if face == THIEF:
            theft = self._theft(table)
            if theft is None or (theft[0] < THEFT and not forced):
                return menu.lapse
            return _choice(menu, "swap", *theft[1:])
        if face == SCIENTIST:
            unknown = [card for card in table.own(self.seat) if card not in self._seen]
            return _choice(menu, "look", unknown[0]) if unknown else menu.lapse
        fewest = min(len(table.cells[seat]) for seat in others)
        player = self.chance.pick([seat for seat in others if len(table.cells[seat]) == fewest])
        if face == DJ:
            return _choice(menu, "shuffle", player)
        return _choice(menu, "spy", player, self.chance.pick(self._unseen(table.own(player)) or table.own(player)))

    def _unseen(self, cards: Iterable[Card]) -> list[Card]:
        return [card for card in cards if card not in self._seen]

    def _theft(self, table: Table) -> tuple[float, Card, Seat, Card] | None:
        """The best exchange with another player, and how many points it should save; None if there is none."""
        mine = table.own(self.seat)
        theirs = [(self._reckon(c), s, c) for s in range(len(table.cells)) if s != self.seat for c in table.own(s)]
        if not mine or not theirs:
            return None
        worst = max(mine, key=self._reckon)
        points, player, card = min(theirs)
        return self._reckon(worst) - points, worst, player, card


def _act(menu: Menu, verb: str) -> Act:
    return menu.acts[_index(menu, verb)]


def _index(menu: Menu, verb: str) -> int:
    return next(i for i, act in enumerate(menu.acts) if act.verb == verb)


def _offered(menu: Menu, verb: str) -> bool:
    """Whether that can be done, properly."""
    return any(act.verb == verb and not act.improper and not act.why_not for act in menu.acts)


def _choice(menu: Menu, verb: str, *values: Any) -> Choice:
    """A choice by what it means."""
    index = _index(menu, verb)
    picks = tuple(
        tuple(part.of.index(one) for one in value) if isinstance(value, tuple) else part.of.index(value)
        for part, value in zip(menu.acts[index].parts, values, strict=True)
    )
    return Choice(index, picks)
