"""Fungi in words: what is asked, what can be chosen, what happened, how it ended. The table is in fungi_board.py.

For: every screen and the plain mode; see `base.Renderer`. Never: a rule: what is possible comes from the menu, what a
dish or a sale is worth from engines/fungi_cards.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from engines.fungi_cards import FLY, MOON, PAN, flavour, is_night, kind_of, mushrooms, price, rank
from engines.fungi_table import FLY_LIMIT, PER_BASKET, Table
from engines.menus import Act, Card, Face, Menu, Part
from engines.requests import Result, Tell

from . import fungi_board as board
from .base import Row, Scene
from .fungi_board import NAMES, face_of, sides, sorted_hand, style_of
from .fungi_rules import RULES
from .fungi_sums import explained, of_faces

_VERBS = {
    "take": "take a card",
    "decay": "take the decay pile",
    "cook": "cook",
    "sell": "sell",
    "pan": "put down a pan",
    "pass": "pass",
    "discard": "discard",
    "show": "show cards",
}


# -- the picture -------------------------------------------------------------------------------------------------------


def forms(scene: Scene) -> list[tuple[int, int]]:
    """Columns and lines of each form, biggest first."""
    return [board.BIG, board.SMALL, board.TINY]


def picture(scene: Scene, columns: int, lines: int) -> list[Row]:
    """The biggest form that fits, and what mushrooms are worth if there are lines for it."""
    if columns >= board.BIG[0] and lines >= board.BIG[1]:
        rows = board.big(scene)
        gap: list[Row] = [[]] if lines > len(rows) + 2 else []
        more = board.legend(columns, lines - len(rows) - len(gap))
        return [*rows, *gap, *more] if more else rows
    if columns >= board.SMALL[0] and lines >= board.SMALL[1]:
        return board.small(scene)
    return board.tiny(scene)


def hand(scene: Scene) -> Row:
    """One's own cards by kind; a dot before those that the other cook has not seen."""
    table: Table = scene.table
    if scene.seat is None:
        return []
    cards = sorted_hand(scene, scene.seat)
    row: Row = [("dim", f"hand {len(cards)}/{table.limit(scene.seat)}:", None)]
    dot, unseen = scene.glyphs.speak("·"), False
    gap = " " if len(cards) <= 10 else ""
    for card in cards:
        face, (left, right) = face_of(scene.look, card), sides(scene, card)
        mark = dot if card in table.secret else ""
        unseen = unseen or bool(mark)
        style = f"{style_of(face)} {scene.marks.get(card, '')}".strip()
        row += [("", gap if left.strip() else "", None), ("", left, card), (style, mark + face, card)]
        row.append(("", right.strip(), card))
    if unseen:
        row.append(("dim", f"   {dot} secret", None))
    return row


def progress(table: Table) -> str:
    """For the top line."""
    return f"turn {table.turn}" if table.turn else "starting hands"


# -- what is asked -----------------------------------------------------------------------------------------------------


def question(scene: Scene, menu: Menu, act: Act | None, part: Part | None) -> str:
    """What is asked."""
    if act is None:
        return "Your turn:"
    if act.verb == "show":
        return "Baskets, moons and fly agarics of the starting hand are shown. You show:"
    if act.verb == "take":
        return "Take which card of the forest?"
    if act.verb == "pan":
        return "Put down which pan?"
    if act.verb == "discard":
        return f"The fly agaric leaves room for {scene.table.limit(scene.seat or 0)} cards. Discard:"
    if part is not None and part.name == "kind":
        return f"{act.verb.capitalize()} which mushroom?"
    return "Cook which cards, with what?" if act.verb == "cook" else "Sell which cards?"


def act_label(scene: Scene, act: Act) -> str:
    """An act as one line of a menu."""
    return _VERBS.get(act.verb, act.verb)


def label(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> str:
    """A card of the forest by its space and price, a kind by how much of it there is, a card by code and name."""
    table: Table = scene.table
    if act.verb == "show":
        return _shown(scene, part, value)
    if part.name == "kind":
        return _kind(scene, act, value)
    face = face_of(scene.look, value)
    if act.verb == "take":
        cost = table.cost(value)
        price_tag = f" ({cost} stick{'s' * (cost > 1)})" if cost else ""
        return f"{table.forest.index(value) + 1} {face} {NAMES.get(face, '')}{price_tag}".rstrip()
    secret = " (secret)" if value in table.secret and act.verb != "pan" else ""
    return f"{face} {_name(face)}{secret}".rstrip()


def target(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> Hashable | None:
    """A card, in the forest or in the hand."""
    return value if isinstance(value, Card) else None


def outcome(scene: Scene, act: Act, values: Sequence[Any]) -> str:
    """What to confirm: a dish, which is closed for good, and what costs cards of the hand."""
    table: Table = scene.table
    if act.verb == "cook":
        return _dish(scene, *values)
    if scene.seat is None or act.verb not in ("take", "decay"):
        return ""
    cards = [values[0]] if act.verb == "take" else list(table.decay)
    faces = [face_of(scene.look, card) for card in cards]
    if FLY not in faces:
        return ""
    limit = FLY_LIMIT + PER_BASKET * (len(table.baskets[scene.seat]) + faces.count("BSK"))
    held = len(table.hands[scene.seat]) + min(faces.count(MOON), len(table.nights))
    if table.rules == "published":
        held += sum(face not in ("BSK", MOON, FLY) for face in faces)
    if held <= limit:
        return ""
    return f"The fly agaric leaves room for {limit} cards: you will have to discard {held - limit}."


def _name(face: Face) -> str:
    kind = kind_of(face)
    return f"{NAMES[kind]} by night" if kind and is_night(face) else NAMES.get(face, "")


def _shown(scene: Scene, part: Part, cards: tuple[Card, ...]) -> str:
    if not cards:
        return "nothing"
    codes = " ".join(face_of(scene.look, card) for card in cards)
    return codes if len(cards) < len(part.of[-1]) else f"the whole hand ({codes})"


def _kind(scene: Scene, act: Act, kind: str) -> str:
    hand = scene.table.hands[scene.seat or 0]
    faces = [face for card in hand if kind_of(face := face_of(scene.look, card)) == kind]
    worth = f", {_sticks(price(faces))} for all" if act.verb == "sell" else ""
    count = mushrooms(faces)
    return f"{kind} {NAMES[kind]} ({count} mushroom{'s' * (count != 1)}{worth})"


def _dish(scene: Scene, kind: str, cards: tuple[Card, ...]) -> str:
    table: Table = scene.table
    faces = [face_of(scene.look, card) for card in cards]
    left = sum(kind_of(face_of(scene.look, card)) == kind for card in table.hands[scene.seat or 0] if card not in cards)
    total = flavour(faces, table.rules)
    text = f"{mushrooms(faces)} {NAMES[kind]}, worth {explained(total, of_faces(faces, total))}"
    text += ", in the pan from your hand" if PAN in faces else ""
    text += "; a night card counts as two" if any(map(is_night, faces)) else ""
    return f"{text}; {left} of the kind left over." if left else f"{text}."


# -- what happened -----------------------------------------------------------------------------------------------------


def describe(event: Tell, names: Sequence[str]) -> str:
    """A public event as one line."""
    made = _EVENTS.get(event.kind)
    return made(event, names) if made else ""


def _codes(faces: Sequence[Face]) -> str:
    """Cards in brief: 3 HF, N-HF, BUT."""
    found = Counter(faces)
    return ", ".join(f"{found[face]} {face}" if found[face] > 1 else face for face in sorted(found, key=rank))


def _sticks(count: int) -> str:
    return f"{count} stick{'s' * (count != 1)}"


def _shows(e: Tell, names: Sequence[str]) -> str:
    return f"{names[e.seat]} shows {_codes(e.faces) or 'nothing'} of the starting hand"


def _took(e: Tell, names: Sequence[str]) -> str:
    cost = f" for {_sticks(e.sticks)}" if e.sticks else ""
    return f"{names[e.seat]} takes {e.face}{cost}"


def _night(e: Tell, names: Sequence[str]) -> str:
    if not e.cards:
        return "no night card is left"
    cards = "a night card" if e.cards == 1 else f"{e.cards} night cards"
    return f"{names[e.seat]} draws {cards}, {e.left} left"


def _cooked(e: Tell, names: Sequence[str]) -> str:
    pan = ", pan from the hand" if e.pan == "hand" else ""
    worth = explained(e.flavour, of_faces(e.faces, e.flavour))
    return f"{names[e.seat]} cooks {_codes(e.faces)}: {worth}{pan}"


def _decayed(e: Tell, names: Sequence[str]) -> str:
    return f"{e.face} decays" + (f", {_codes(e.rotten)} rot away" if e.rotten else "")


_EVENTS: dict[str, Any] = {
    "begins": lambda e, names: f"{names[e.seat]} begins",
    "dealt": lambda e, names: f"{e.each} cards each, {e.left} in the pile",
    "shown": _shows,
    "took": _took,
    "took_decay": lambda e, names: f"{names[e.seat]} takes the decay pile: {_codes(e.faces)}",
    "basket": lambda e, names: f"{names[e.seat]} may hold {e.limit} cards now",
    "night": _night,
    "fly": lambda e, names: f"a fly agaric: {names[e.seat]} may hold {e.limit} cards",
    "discarded": lambda e, names: f"{names[e.seat]} discards {_codes(e.faces)}",
    "cooked": _cooked,
    "sold": lambda e, names: f"{names[e.seat]} sells {_codes(e.faces)} for {_sticks(e.sticks)}",
    "pan": lambda e, names: f"{names[e.seat]} puts down a pan",
    "passed": lambda e, names: f"{names[e.seat]} passes",
    "fly_gone": lambda e, names: f"the fly agaric is gone: {names[e.seat]} may hold {e.limit} cards",
    "decayed": _decayed,
    "grown": lambda e, names: f"the forest grows: {' '.join(e.faces)}",
    "over": lambda e, names: result_text(Result(tuple(e.winners), tuple(e.scores), e.reason), names),
}


def result_text(result: Result, names: Sequence[str]) -> str:
    """How it ended."""
    if result.reason == "flavour":
        best, other = result.winners[0], 1 - result.winners[0]
        return f"{names[best]} wins with {result.scores[best]} flavour to {result.scores[other]}."
    if result.reason == "mushrooms":
        return f"{result.scores[0]} flavour each: {names[result.winners[0]]} wins, having cooked more mushrooms."
    return f"{result.scores[0]} flavour each, of equally many mushrooms: {names[0]} and {names[1]} share the victory."


def rules_text() -> str:
    """The rules in brief."""
    return RULES
