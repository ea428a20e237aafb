"""Amnesia in words: what is asked, what can be chosen, what happened, how it ended. The cards are in amnesia_board.py.

For: every screen and the plain mode; see `base.Renderer`. Never: a rule, which comes from the menu; a face in the log
that did not lie open to all: what somebody alone has looked at is for that player to remember.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from engines.amnesia_table import FIRST_LOOK, FORFEIT, HOLDING, LAST_CHANCE, POWER, START, TURN_UP, Table
from engines.menus import Act, Face, Hidden, Menu, Part, Seat
from engines.requests import Result, Tell

from ..text import clean
from . import amnesia_board as board
from .amnesia_board import listing, spoken
from .amnesia_rules import RULES
from .base import Row, Scene

_PLACES = {1: "top left", 2: "top right", 3: "bottom left", 4: "bottom right"}
_VERBS = {
    "turn_up": "turn the first discard up",
    "look": "look",
    "draw": "draw",
    "draw_to_discard": "draw to discard",
    "exchange": "exchange it",
    "discard": "discard it",
    "shuffle": "shuffle a player's cards",
    "swap": "exchange a card with a player",
    "spy": "look at a player's card",
    "fish": "take an unseen card",
    "fulfilled": "yes, it is done",
    "unfulfilled": "no, and no more Amnesia with them",
}
_PARTS = {
    ("look", "cards"): "Which of your bottom cards?",
    ("look", "own"): "Which of your cards do you look at?",
    ("snap", "cards"): "Which of your cards do you snap, one after the other?",
    ("peek", "card"): "Which of your cards do you look at?",
    ("exchange", "card"): "For which of your cards?",
    ("shuffle", "player"): "Whose cards do you shuffle?",
    ("swap", "own"): "Which of your cards do you give?",
    ("swap", "player"): "To whom?",
    ("swap", "card"): "For which card?",
    ("spy", "player"): "Whose card do you look at?",
    ("spy", "card"): "Which card?",
}
_IMPROPER = {
    "look": "looks before the first discard is seen",
    "peek": "looks at an own card without the right to",
    "snap": "snaps when it is not allowed",
    "draw": "draws when it is not allowed",
    "take": "reaches for the discard pile when it is not allowed",
    "call": 'calls "Amnesia" when it is not allowed',
    "demand": "demands what is not due",
    "discard": "would discard what came from the discard pile",
    "exchange": "would keep what was drawn to be discarded",
}


# -- the picture -------------------------------------------------------------------------------------------------------


def forms(scene: Scene) -> list[tuple[int, int]]:
    """Columns and lines of each form, biggest first."""
    return board.sizes(scene.table)


def picture(scene: Scene, columns: int, lines: int) -> list[Row]:
    """The biggest form that fits, with a legend if there are lines for it."""
    big, small, _ = forms(scene)
    if columns >= big[0] and lines >= big[1]:
        rows = board.big(scene)
        return [*rows, [], board.legend(scene, columns)] if lines >= len(rows) + 2 else rows
    if columns >= small[0] and lines >= small[1]:
        return board.listed(scene)
    return board.tiny(scene)


def hand(scene: Scene) -> Row:
    """What one has in hand, or looks at, just now; else how one stands."""
    table: Table = scene.table
    seat = scene.seat
    if seat is None:
        return [("dim", f"forfeit: {_forfeit(table)}", None)]
    if table.holds(seat) and table.held is not None:
        source = "taken from the discards" if table.taken else "to be discarded" if table.committed else "drawn"
        row: Row = [("dim", "in hand: ", None), ("title", _face(scene), None), ("dim", f" ({source})", None)]
    elif table.phase == FORFEIT and table.judged == seat:
        row = [("note", "the others are asked whether you have done the forfeit", None)]
    elif seat in table.looking:
        row = [("dim", "you see ", None), ("title", _looked(scene, seat), None), ("dim", ": remember it", None)]
    else:
        row = [("dim", f"forfeit: {_forfeit(table)}", None)]
    return row


def _face(scene: Scene) -> str:
    table: Table = scene.table
    try:
        return "?" if table.held is None else spoken(scene.look(table.held))
    except Hidden:
        return "?"


def _looked(scene: Scene, seat: Seat) -> str:
    """The cards that this seat looks at now."""
    table: Table = scene.table
    words = []
    for owner in board.order(scene):
        for slot, card in table.cells[owner].items():
            face = board.shown(scene, card) if card in table.looking[seat] else None
            if face is not None:
                whose = "" if owner == seat else f"{scene.names[owner]}'s "
                words.append(f"{whose}{slot} = {spoken(face)}")
    return ", ".join(words) or "nothing"


def _forfeit(table: Table) -> str:
    """Text of another player."""
    return clean(table.forfeit)


def progress(table: Table) -> str:
    """For the top line."""
    return f"hand {table.hand}, round {table.round}" if table.round else f"hand {table.hand}"


# -- what is asked -----------------------------------------------------------------------------------------------------


def question(scene: Scene, menu: Menu, act: Act | None, part: Part | None) -> str:
    """What is asked."""
    table: Table = scene.table
    if act is not None and part is not None:
        return _PARTS.get((act.verb, part.name), "Which one?")
    if scene.seat in table.looking and table.phase != FIRST_LOOK:
        return f"Remember what you see, then go on. {_turn(scene, menu)}"
    return _turn(scene, menu)


def _turn(scene: Scene, menu: Menu) -> str:
    table: Table = scene.table
    snaps = any(act.verb == "snap" and not (act.improper or act.why_not) for act in menu.acts)
    mine = table.lead == scene.seat
    lead = "" if table.lead is None else scene.names[table.lead]
    if table.phase == TURN_UP:
        return "You deal. Turn the first discard up:" if mine else f"{lead} turns the first discard up."
    if table.phase == FIRST_LOOK:
        again = scene.seat in table.looking
        return "Remember what you see, then go on:" if again else "You may look at your two bottom cards:"
    if table.phase == LAST_CHANCE:
        return f"The last chance to snap{' ' + _top(scene) if snaps else ''}, before all cards are opened:"
    if table.phase == FORFEIT and table.judged is not None:
        return _judging(table, scene.names[table.judged])
    if table.phase == POWER and table.power is not None:
        face = spoken(table.power[1])
        return f"The power of your {face}:" if mine else f"{lead} has the power of the {face}.{_or_snap(scene, snaps)}"
    if mine:
        return "Your turn:" if table.phase == START else f"You hold {_face(scene)}:"
    doing = "holds a card" if table.phase == HOLDING else "is about to draw"
    return f"{lead} {doing}.{_or_snap(scene, snaps)}"


def _judging(table: Table, loser: str) -> str:
    """Whether a forfeit was done, and what a no means."""
    alone = len(table.cells) == 2
    most, none = ("you say no, you do not", "") if alone else ("more than half of you say no,", " none of you will")
    ever = f"If {most}{none} play Amnesia with {loser} again."
    return f"Has {loser} done the forfeit ({_forfeit(table)})? {ever}"


def _top(scene: Scene) -> str:
    """What a card has to be like to be snapped."""
    table: Table = scene.table
    return _one("" if table.top is None else scene.look(table.top))


def _one(face: Face) -> str:
    """A card of that face."""
    return f"{'an' if face == '8' else 'a'} {spoken(face)}"


def _or_snap(scene: Scene, snaps: bool) -> str:
    """What those can do who only look on."""
    return f" Have you {_top(scene)} to snap?" if snaps else ""


def act_label(scene: Scene, act: Act) -> str:
    """An act as one line of a menu; an improper one by its verb alone."""
    table: Table = scene.table
    if act.improper:
        return act.verb
    if act.verb == "take" and table.top is not None:
        return f"take the {spoken(scene.look(table.top))}"
    if act.verb == "call":
        return "call Amnesia"
    if act.verb == "demand" and table.owed is not None:
        return f"demand that {scene.names[table.owed[0]]} use the {spoken(table.owed[1])}"
    if act.verb == "snap" and not act.why_not:
        return f"snap {_top(scene)}"
    if act.verb == "pass":
        if table.phase == POWER and table.lead == scene.seat:
            return "pass, do not use it"
        return "go on" if table.phase == FIRST_LOOK or scene.seat in table.looking else "pass"
    if act.verb == "look" and table.phase == POWER:
        return "look at a card of yours"
    return _VERBS.get(act.verb, act.verb)


def label(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> str:
    """A player by name, a card by its slot and place."""
    if part.name == "player":
        return scene.name(value)
    _, slot = _place(scene.table, value)
    return f"{slot} {_PLACES[slot]}" if slot in _PLACES else str(slot)


def target(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> Hashable | None:
    """A card by whose it is and where it lies."""
    return None if part.name == "player" else ("card", *_place(scene.table, value))


def _place(table: Table, card: Any) -> tuple[Seat, int]:
    """Whose card it is and in which slot; the menu is of this very table, so it lies somewhere."""
    return next(((s, slot) for s, cell in enumerate(table.cells) for slot, own in cell.items() if own == card), (0, 0))


def outcome(scene: Scene, act: Act, values: Sequence[Any]) -> str:
    """What to confirm: the call, and what is against the rules."""
    if act.improper:
        seen = "You see it" if act.verb in ("look", "peek") else "It comes to nothing"
        return f"{seen}, and it costs a penalty card."
    if act.verb == "call":
        return "After this everybody else has one more turn. With 7 to 10 points in the end you get 10, with more 20."
    return ""


# -- what happened -----------------------------------------------------------------------------------------------------


def describe(event: Tell, names: Sequence[str]) -> str:
    """A public event as one line."""
    made = _EVENTS.get(event.kind)
    return made(event, names) if made else ""


def _cards(slots: Sequence[int]) -> str:
    return f"card {slots[0]}" if len(slots) == 1 else f"cards {listing([str(slot) for slot in slots])}"


def _penalty(e: Tell, names: Sequence[str]) -> str:
    count = len(e.slots)
    given = f"{names[e.seat]} gets {'a penalty card' if count == 1 else f'{count} penalty cards'}" if count else ""
    if not e.waived:
        return given
    return f"{given}, and no more are left" if given else f"no card is left for {names[e.seat]}'s penalty"


def _scored(e: Tell, names: Sequence[str]) -> str:
    words = [f"{name} {points:+d} = {total}" for name, points, total in zip(names, e.points, e.totals, strict=False)]
    return f"hand {e.hand}: {', '.join(words)}"


def _revealed(e: Tell, names: Sequence[str]) -> str:
    return f"{names[e.seat]} has {', '.join(e.faces) or 'no cards'}" + (f", that is {e.sum}" if e.faces else "")


def _judged(e: Tell, names: Sequence[str]) -> str:
    if e.fulfilled:
        return f"{names[e.seat]} has done the forfeit"
    return f"{names[e.seat]} is the person who does not fulfil the forfeits"


_EVENTS: dict[str, Any] = {
    "dealt": lambda e, names: f"— hand {e.hand}: {names[e.dealer]} deals, {names[e.first]} begins —",
    "turned_up": lambda e, names: f"{names[e.seat]} turns the first discard up: {_one(e.face)}",
    "looked": lambda e, names: f"{names[e.seat]} looks at {_cards(e.slots)}",
    "improper": lambda e, names: f"{names[e.seat]} {_IMPROPER.get(e.verb, e.verb)}",
    "penalty": _penalty,
    "round": lambda e, names: f"— round {e.round} —",
    "drew": lambda e, names: f"{names[e.seat]} draws{' to discard' if e.committed else ''}",
    "took": lambda e, names: f"{names[e.seat]} takes the {spoken(e.face)} from the discards",
    "discarded": lambda e, names: f"{names[e.seat]} discards {_one(e.face)}",
    "exchanged": lambda e, names: f"{names[e.seat]} exchanges it for {_cards([e.slot])}, {_one(e.face)}",
    "snapped": lambda e, names: (
        f"{names[e.seat]} snaps {_cards([e.slot])}, {_one(e.face)}{'' if e.match else ', which does not match'}"
    ),
    "passed": lambda e, names: f"{names[e.seat]} does not use the power of the {spoken(e.face)}",
    "demanded": lambda e, names: f"{names[e.seat]} demands that {names[e.owner]} use the {spoken(e.face)}",
    "shuffled": lambda e, names: f"{names[e.seat]} shuffles {names[e.player]}'s cards (DJ)",
    "swapped": lambda e, names: (
        f"{names[e.seat]} exchanges {_cards([e.slot])} with {names[e.player]}'s {_cards([e.their_slot])} (Thief)"
    ),
    "spied": lambda e, names: f"{names[e.seat]} looks at {names[e.player]}'s {_cards([e.slot])} (Detective)",
    "fished": lambda e, names: f"{names[e.seat]} takes an unseen card (Fisherman)",
    "called": lambda e, names: f'{names[e.seat]} calls "Amnesia"!',
    "reshuffled": lambda e, names: f"the {e.cards} discards below the last one are the new pile",
    "skipped": lambda e, names: f"{names[e.seat]} can neither draw nor take and is passed over",
    "stopped": lambda e, names: (
        "nobody has called, the hand stops" if e.reason == "rounds" else "the cards are worn out"
    ),
    "revealed": _revealed,
    "scored": _scored,
    "judged": _judged,
    "over": lambda e, names: result_text(Result(tuple(e.winners), tuple(e.scores), e.reason), names),
}


def result_text(result: Result, names: Sequence[str]) -> str:
    """How it ended."""
    if not result.winners:
        return "Nobody wins."
    who = listing([names[seat] for seat in result.winners])
    best = result.scores[result.winners[0]]
    verb = "wins" if len(result.winners) == 1 else "win"
    text = f"{who} {verb} with {best} point{'s' * (abs(best or 0) != 1)}."
    if result.reason == "worn":
        return f"{text} The cards are worn out before anybody has lost."
    limit = int(result.reason.rsplit(" ", 1)[-1])
    losers = [f"{names[seat]} ({score})" for seat, score in enumerate(result.scores) if (score or 0) > limit]
    return f"{text} Above {limit}, and so to do the forfeit: {listing(losers)}."


def rules_text() -> str:
    """The rules in brief."""
    return RULES
