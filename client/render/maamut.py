"""Mâamut in words: what is asked, what can be chosen, what happened, how it ended. The board is in maamut_board.py.

For: every screen and the plain mode; see `base.Renderer`. Never: a rule: what is possible comes from the menu, where
the mammoth flees from engines/maamut_field.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from engines.hexgrid import TILES, WAY_NAMES, Hex, Way, line, name
from engines.maamut_field import flight
from engines.maamut_table import Table
from engines.menus import Act, Card, Face, Hidden, Look, Menu, Part, Seat
from engines.requests import Result, Tell

from . import maamut_board as board
from .base import Row, Scene, row_width
from .maamut_rules import RULES

_VERBS = {
    "move": "move",
    "trap": "place trap",
    "destroy": "destroy trap",
    "recover": "take back trap",
    "discard": "discard",
    "propose": "give up hunt",
    "agree": "yes",
    "refuse": "no",
}


# -- the picture -------------------------------------------------------------------------------------------------------


def forms(scene: Scene) -> list[tuple[int, int]]:
    """Columns and lines of each form, biggest first."""
    return [board.BIG, board.SMALL, board.TINY]


def picture(scene: Scene, columns: int, lines: int) -> list[Row]:
    """The biggest board that fits, with a legend if there are lines for it."""
    big, tiny = columns >= board.BIG[0] and lines >= board.BIG[1], columns < board.SMALL[0]
    rows = board.big(scene) if big else board.one_sign(scene, 2 if tiny else 4)
    if lines <= len(rows):
        return rows
    legend = board.legend(scene.glyphs, columns, lines - len(rows), tiny=tiny)
    lead = " " * ((max(map(row_width, legend)) - max(map(row_width, rows))) // 2)  # the board above its middle
    return [*([("", lead, None), *row] for row in rows), *legend]


def hand(scene: Scene) -> Row:
    """Own cards, the traps that hunters still carry, the pile."""
    table: Table = scene.table
    row: Row = []
    if scene.seat is not None and table.hands[scene.seat]:
        row.append(("dim", "hand, steps:", None))
        for card in table.hands[scene.seat]:
            target = _card_target(scene.look, card)
            mark = scene.marks.get(target)
            row += [("", " ", None), (mark or "number", f"[{_face(scene.look, card)}]", target)]
        row.append(("", "  ", None))
    elif scene.seat in table.out:
        row.append(("dim", "you are out of the hunt  ", None))
    if table.pawns:
        row.append(("dim", "traps left:", None))
        for seat in sorted(table.pawns):
            text = f" {scene.glyphs.traps[seat % 4]}×{table.traps_left(seat)}"
            row.append((f"seat{seat % 4}", scene.glyphs.speak(text), None))
        row.append(("dim", f"  pile: {len(table.pile)}", None))
    return row


def progress(table: Table) -> str:
    """For the top line."""
    return f"round {table.round}" if table.round else "placing"


# -- what is asked -----------------------------------------------------------------------------------------------------


def question(scene: Scene, menu: Menu, act: Act | None, part: Part | None) -> str:
    """What is asked."""
    if act is None:
        if menu.acts[0].verb == "agree":
            return f"{scene.names[scene.table.active]} says that the mammoth has survived. Do you agree?"
        return "Your turn:"
    if act.verb == "place":
        return "Where on the rim does your hunter start?"
    if act.verb == "flee":
        return "The mammoth frightens your hunter. Flee to:"
    if part is not None and part.name == "way":
        return "Move which way?"
    return "Move with which card?" if act.verb == "move" else "Discard which card?"


def act_label(scene: Scene, act: Act) -> str:
    """An act as one line of a menu."""
    return _VERBS.get(act.verb, act.verb)


def label(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> str:
    """A card by its value, a tile by its name, a way with where it leads and what the mammoth would do."""
    if part.name == "card":
        face = _face(scene.look, value)
        return f"{face} step" + ("" if face == "1" else "s")
    if part.name == "tile":
        return name(value)
    words = [WAY_NAMES[value]]
    if not scene.glyphs.ascii:
        words.append(scene.glyphs.arrows[value])
    steps = _steps(scene, earlier[0])
    end = _destination(scene, steps, value)
    if end is not None:
        words += ["to", name(end)]
        ahead = _ahead(scene, steps, value)
        words += [f"({ahead[0]})"] if ahead else []
    return " ".join(words)


def target(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> Hashable | None:
    """A tile, or the cards of one value."""
    if part.name == "card":
        return _card_target(scene.look, value)
    return _destination(scene, _steps(scene, earlier[0]), value) if part.name == "way" else tuple(value)


def outcome(scene: Scene, act: Act, values: Sequence[Any]) -> str:
    """What to confirm: giving up, and moves by which one loses the game."""
    if act.verb == "propose":
        return "If all other hunters agree that the mammoth has survived, the hunt ends and nobody wins."
    if act.verb == "move":
        ahead = _ahead(scene, _steps(scene, values[0]), values[1])
        return f"Mind: {ahead[0]}." if ahead and ahead[1] else ""
    return ""


def _face(look: Look, card: Card) -> Face:
    try:
        return look(card)
    except Hidden:
        return "?"


def _card_target(look: Look, card: Card) -> Hashable:
    return ("card", _face(look, card))


def _steps(scene: Scene, card: Card) -> int:
    face = _face(scene.look, card)
    return int(face) if face.isdigit() else 0


def _destination(scene: Scene, steps: int, way: Way) -> Hex | None:
    if scene.seat is None or scene.seat not in scene.table.pawns or not steps:
        return None
    end = line(scene.table.pawns[scene.seat], way, steps)[-1]
    return end if end in TILES else None


def _ahead(scene: Scene, steps: int, way: Way) -> tuple[str, bool] | None:
    """What a move does to the mammoth, and whether that is a reason to think twice. None if it does not meet it."""
    table: Table = scene.table
    if scene.seat is None or table.mammoth not in line(table.pawns[scene.seat], way, steps):
        return None
    flees = flight(table.tiles, table.mammoth, way, steps)
    if flees is None:
        return "the mammoth cannot flee and tramples your hunter", True
    path = line(table.mammoth, flees, steps)
    frightened: set[Seat] = set()
    for tile in path:
        if tile in table.traps:
            owner = table.traps[tile]
            whose = "your" if owner == scene.seat else f"{scene.names[owner]}'s"
            # A hunter frightened before may have been removed, and then its traps are gone.
            falls = "may fall" if owner in frightened else "falls"
            return f"the mammoth {falls} into {whose} trap", owner != scene.seat
        frightened.update(seat for seat, at in table.pawns.items() if at == tile)
    return f"mammoth flees {WAY_NAMES[flees]} to {name(path[-1])}", False


# -- what happened -----------------------------------------------------------------------------------------------------


def describe(event: Tell, names: Sequence[str]) -> str:
    """A public event as one line."""
    made = _EVENTS.get(event.kind)
    return made(event, names) if made else ""


def _played(e: Tell, names: Sequence[str]) -> str:
    return f"{names[e.seat]} plays {e.value}, moves {WAY_NAMES[e.way]} to {name(e.path[-1])}"


def _flees(e: Tell, names: Sequence[str]) -> str:
    aside = " (straight on it is hindered)" if e.turned else ""
    return f"the mammoth flees {e.value}, {WAY_NAMES[e.way]} to {name(e.path[-1])}{aside}"


def _fell(e: Tell, names: Sequence[str]) -> str:
    owner = "their own" if e.owner == e.pushed else f"{names[e.owner]}'s"
    return f"{names[e.pushed]} drives the mammoth into {owner} trap on {name(e.tile)}!"


def _frightened(e: Tell, names: Sequence[str]) -> str:
    forced = ", the only way out" if e.forced else ""
    return f"{names[e.seat]} takes fright and flees from {name(e.tile)} to {name(e.to)}{forced}"


def _removed(e: Tell, names: Sequence[str]) -> str:
    how = "is trampled: the mammoth could not flee" if e.why == "reckless" else "takes fright and cannot flee"
    traps = f"; {len(e.traps)} trap{'s' * (len(e.traps) > 1)} removed" if e.traps else ""
    return f"{names[e.seat]} {how}, and is out of the hunt{traps}"


def _opened(e: Tell, names: Sequence[str]) -> str:
    return f"{names[e.seat]} shows the hand: {' '.join(map(str, e.values))}" if e.values else ""


def _answered(e: Tell, names: Sequence[str]) -> str:
    if not e.refused:
        return "all hunters agree"
    return f"{_listing(e.refused, names)} disagree{'s' * (len(e.refused) == 1)}: the hunt goes on"


_EVENTS: dict[str, Any] = {
    "begins": lambda e, names: f"{names[e.seat]} begins",
    "dealt": lambda e, names: f"{e.each} cards each, {e.left} in the pile",
    "placed": lambda e, names: f"{names[e.seat]} starts on {name(e.tile)}",
    "round": lambda e, names: f"— round {e.round} —",
    "played": _played,
    "discarded": lambda e, names: f"{names[e.seat]} discards {e.value}",
    "reshuffled": lambda e, names: f"the {e.cards} discards are the new pile",
    "trap_placed": lambda e, names: f"{names[e.seat]} places a trap on {name(e.tile)}",
    "trap_destroyed": lambda e, names: f"{names[e.seat]} destroys {names[e.owner]}'s trap on {name(e.tile)}",
    "trap_recovered": lambda e, names: f"{names[e.seat]} takes the trap on {name(e.tile)} back",
    "contact": lambda e, names: f"{names[e.seat]} meets the mammoth on {name(e.tile)}",
    "flees": _flees,
    "fell": _fell,
    "frightened": _frightened,
    "removed": _removed,
    "opened": _opened,
    "proposed": lambda e, names: f"{names[e.seat]} says that the mammoth has survived",
    "answered": _answered,
    "over": lambda e, names: result_text(Result(tuple(e.winners), (), e.reason), names),
}


def _listing(seats: Sequence[Seat], names: Sequence[str]) -> str:
    return " and ".join(names[seat] for seat in seats)


def result_text(result: Result, names: Sequence[str]) -> str:
    """How it ended."""
    if result.winners:
        who = _listing(result.winners, names)
        return f"The mammoth lies in {who}'s trap. {who} wins the Sacred Lance!"
    why = {
        "survived": "nothing could drive it into a trap any more",
        "rounds": "the last round is over",
        "agreed": "the hunters have agreed on it",
        "no hunters": "no hunter is left",
    }.get(result.reason, result.reason)
    return f"The mammoth has survived: {why}. Nobody wins the Sacred Lance."


def rules_text() -> str:
    """The rules in brief."""
    return RULES
