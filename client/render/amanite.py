"""Amanite in words: what is asked, what can be chosen, what happened, how it ended. The board is in amanite_board.py.

For: every screen and the plain mode; see `base.Renderer`. Never: a rule: what is possible comes from the menu, what can
be concluded from hints from engines/amanite_hints.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from engines.amanite_hints import groups
from engines.amanite_table import COLOURS, PIG, START_CARDS, Table
from engines.menus import Act, Menu, Part, Seat
from engines.requests import Result, Tell

from ..text import wrap
from . import amanite_board as board
from .amanite_board import signs
from .amanite_rules import RULES
from .base import Row, Scene, row_text, row_width

_VERBS = {
    "start": "take a start card",
    "place": "place a meeple",
    "divide": "divide the tokens",
    "take": "take a pile",
    "pick": "take two tokens",
    "feed": "feed a pig",
    "consult": "place a notebook",
}
_PHASES = {"growth": "growing", "meeples": "meeples", "gathering": "gathering", "hints": "hints", "scoring": "scoring"}
_COUNTING = ("", "second ", "third ", "fourth ", "fifth ", "sixth ")
_OUT = {"poison": "more poison than antidote and elixir", "count": "four or more of the count mushroom"}
_FOR = {
    "poison": "cured poison",
    "elixir": "antidote with elixir",
    "two": "exactly two of one",
    "count": "by count",
    PIG: "pigs",
}

SIGNS = {board.sign(PIG): PIG}
"""What can be typed for a token besides its name, whose beginning does."""
HAND = 58
"""Columns of the line below the board, if it can be said in so few."""


# -- the picture -------------------------------------------------------------------------------------------------------


def forms(scene: Scene) -> list[tuple[int, int]]:
    """Columns and lines of each form, biggest first."""
    return board.sizes(len(scene.table.held))


def picture(scene: Scene, columns: int, lines: int) -> list[Row]:
    """The biggest form that fits, with a legend, all hints and some air if there are lines for it."""
    big, small, wide, _ = forms(scene)
    if columns >= big[0] and lines >= big[1]:
        air: list[Row] = [[]] if lines >= big[1] + 2 else []
        rows = [*board.forest(scene), *air, *board.colours(scene, columns)]
    elif columns >= small[0] and lines >= small[1]:
        rows = [*board.listed(scene), *board.colours(scene, small[0])]
    elif columns >= wide[0] and lines >= wide[1]:
        rows = board.listed_beside(scene, columns)
    else:
        rows, counts = board.listed(scene), board.narrow(scene, columns)
        if counts and len(rows) + 1 + len(counts) <= lines:
            return [*rows, [], *counts]
        return [*rows, *_in_full(scene, columns, lines - len(rows))]
    legend = board.legend(scene.table, columns, lines - len(rows))
    rows += legend
    if legend and scene.seat not in scene.table.starts:  # the line below would say the same
        return rows
    return [*rows, *_in_full(scene, columns, lines - len(rows))]


def _in_full(scene: Scene, columns: int, lines: int) -> list[Row]:
    """What the line below has no room for, if there are lines for it."""
    full = _hand(scene, _FULL)
    if row_text(full) == row_text(hand(scene)) and row_width(full) <= columns:
        return []
    rows: list[Row] = [[("dim", line, None)] for line in wrap(scene.glyphs.speak(row_text(full)), columns, "  ")]
    return [[], *rows] if len(rows) < lines else []


def hand(scene: Scene) -> Row:
    """What one's hints tell, in as few words as it takes for one line; the letters are those of the board."""
    rows = [_hand(scene, words) for words in (_FULL, _LETTERS, _BRIEF)]
    return next((row for row in rows if row_width(row) <= HAND), rows[-1])


def _hand(scene: Scene, words: _Words) -> Row:
    table: Table = scene.table
    seat, (of_colour, of_attribute) = scene.seat, words
    if seat is None or seat not in table.starts:
        intro = "attributes in play: " if words is _FULL else "in play: "
        return [("dim", intro, None), ("", _listing([of_attribute(a) for a in table.attributes]), None)]
    if not table.hints[seat]:
        card, side = table.starts[seat]
        return [("dim", "start card: ", None), ("", f"{card}, side {side}: {' '.join(table.colours(seat))}", None)]
    row: Row = [("dim", "hints: ", None)]
    known = groups(table, seat, scene.look)
    sure = [group for group in known if len(group[0]) == 1]
    open_ = [group for group in known if len(group[0]) > 1]
    for i, (colours, attributes) in enumerate([*sure, *open_]):
        row.append(("dim", scene.glyphs.speak(" · ") if i else "", None))
        for j, colour in enumerate(colours):
            row += [("dim", "/" if j else "", None), (f"token-{colour}", of_colour(colour), None)]
        row.append(("", f" {' '.join(map(of_attribute, attributes))}", None))
    return row


def progress(table: Table) -> str:
    """For the top line."""
    return f"round {table.round}, {_PHASES[table.phase]}" if table.round else "setup"


# -- what is asked -----------------------------------------------------------------------------------------------------


def question(scene: Scene, menu: Menu, act: Act | None, part: Part | None) -> str:
    """What is asked."""
    table: Table = scene.table
    verb = (act or menu.acts[0]).verb
    tile = f"tile {(table.tile or 0) + 1}"
    if verb == "start":
        return "Which side of it?" if part is not None and part.name == "side" else "Which start card do you take?"
    if verb == "place":
        return "Which tile does your meeple go to?"
    if verb == "divide":
        pin = table.tiles[table.tile or 0].pin
        who = "somebody" if pin is None else scene.names[pin]
        piles = f"The rest is the second (below); {who} takes one of them."
        return f"Divide {tile}: which tokens are the first pile (above)? {piles}"
    if verb == "take":
        return f"Which pile of {tile} do you take?"
    if verb == "pick":
        return f"Which tokens of {tile} do you take?"
    if verb == "feed":
        more = f" ({table.hungry} pigs are hungry)" if table.hungry > 1 else ""
        return f"What does your pig eat?{more}"
    return "Which mushroom's hint do you look at?"


def act_label(scene: Scene, act: Act) -> str:
    """An act as one line of a menu."""
    return _VERBS.get(act.verb, act.verb)


def label(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> str:
    """One thing to choose, with what one would like to know of it."""
    return _start_label(part, earlier, value) if act.verb == "start" else str(_LABELS[act.verb](scene, value))


def _start_label(part: Part, earlier: Sequence[Any], value: str) -> str:
    if part.name == "side":
        return f"{value}: {' '.join(START_CARDS[earlier[0]][value])}"
    sides = START_CARDS[value]
    return f"{value} ({' '.join(sides['A'])} or {' '.join(sides['B'])})"


def _place_label(scene: Scene, value: int) -> str:
    tile = scene.table.tiles[value]
    if tile.pin is None:
        return f"{value + 1} as the first, you choose"
    if tile.split is None and tile.pin != scene.seat:
        return f"{value + 1} to divide, {scene.names[tile.pin]} chooses"
    return f"{value + 1} where {'you are' if scene.seat in (tile.pin, tile.split) else 'two are'}"


def _token_label(scene: Scene, value: int) -> str:
    """A token by its colour; of several alike each has its own name."""
    table: Table = scene.table
    tokens = table.tiles[table.tile or 0].tokens
    return _COUNTING[tokens[:value].count(tokens[value])] + tokens[value]


def _pile_label(scene: Scene, value: str) -> str:
    tile = scene.table.tiles[scene.table.tile or 0]
    return f"{value}: {' '.join(tile.above if value == 'above' else tile.below)}"


def _food_label(scene: Scene, value: str) -> str:
    if value == PIG or scene.seat is None:
        return value
    return f"{value} (you have {scene.table.held[scene.seat][value]})"


def _mushroom_label(scene: Scene, value: str) -> str:
    known = groups(scene.table, scene.seat, scene.look)
    may = next(attributes for colours, attributes in known if value in colours)
    if len(may) == 1:
        return f"{value} (it is {_attribute(may[0])})"
    return f"{value} ({' or '.join(map(_attribute, may))})" if len(may) < 4 else value


_LABELS: dict[str, Any] = {
    "place": _place_label,
    "divide": _token_label,
    "pick": _token_label,
    "take": _pile_label,
    "feed": _food_label,
    "consult": _mushroom_label,
}
_TARGETS = {
    "place": "tile",
    "divide": "token",
    "pick": "token",
    "take": "pile",
    "feed": "food",
    "consult": "mushroom",
}


def target(scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> Hashable | None:
    """A tile, a token by its place, a pile, a colour."""
    return (_TARGETS[act.verb], value) if act.verb in _TARGETS else None


def outcome(scene: Scene, act: Act, values: Sequence[Any]) -> str:
    """What to confirm: a notebook that would tell nothing new."""
    if act.verb == "consult":
        for colours, attributes in groups(scene.table, scene.seat, scene.look):
            if colours == (values[0],):
                return f"You know already that {values[0]} is {_attribute(attributes[0])}."
    return ""


def _attribute(name: str) -> str:
    return f"+{name}" if name in ("1", "2", "3") else name


_Words = tuple[Callable[[str], str], Callable[[str], str]]
"""How colours and attributes are written."""
_FULL: _Words = (str, _attribute)
_LETTERS: _Words = (board.sign, _attribute)
_BRIEF: _Words = (board.sign, board.WORDS.__getitem__)


def _listing(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# -- what happened -----------------------------------------------------------------------------------------------------


def describe(event: Tell, names: Sequence[str]) -> str:
    """A public event as one line."""
    made = _EVENTS.get(event.kind)
    return made(event, names) if made else ""


def _grown(e: Tell, names: Sequence[str]) -> str:
    tiles = ", ".join(f"{i + 1} {signs(tokens)}" for i, tokens in enumerate(e.tiles))
    return f"mushrooms grow: {tiles}; {e.left} left in the bag"


def _divided(e: Tell, names: Sequence[str]) -> str:
    return f"{names[e.seat]} divides tile {e.tile + 1}: {signs(e.above)} / {signs(e.below)}"


def _took(e: Tell, names: Sequence[str]) -> str:
    rest = f", {signs(e.rest)} back to the bag" if e.rest else ""
    return f"{names[e.seat]} takes {signs(e.tokens)} from tile {e.tile + 1}{rest}"


def _unfed(e: Tell, names: Sequence[str]) -> str:
    pigs = "a pig" if e.pigs == 1 else f"{e.pigs} pigs"
    return f"{names[e.seat]} has nothing for {pigs} to eat"


def _scored(e: Tell, names: Sequence[str]) -> str:
    if e.eliminated:
        return f"{names[e.seat]} is eliminated: {_OUT[e.eliminated]}"
    scored = {what: points for what, points in e.points.items() if points}
    parts = [f"worth {what}: {points:+d}" for what, points in scored.items() if what[-1].isdigit()]
    parts[:1] = [f"mushrooms {part}" for part in parts[:1]]
    parts += [f"{_FOR.get(what, what)}: {points:+d}" for what, points in scored.items() if not what[-1].isdigit()]
    return f"{names[e.seat]}: {_points(e.total)}" + (f" ({', '.join(parts)})" if parts else "")


_EVENTS: dict[str, Any] = {
    "begins": lambda e, names: f"{names[e.seat]} is the first player",
    "start": lambda e, names: f"{names[e.seat]} takes the {e.card}, side {e.side}: {' '.join(e.colours)}",
    "dealt": lambda e, names: f"each mushroom has one of {_listing([_attribute(a) for a in e.attributes])}",
    "hints": lambda e, names: f"everybody has looked at {e.each} hints",
    "round": lambda e, names: f"— round {e.round}, {names[e.first]} begins —",
    "grown": _grown,
    "placed": lambda e, names: f"{names[e.seat]} goes to tile {e.tile + 1}",
    "divided": _divided,
    "took": _took,
    "returned": lambda e, names: f"{signs(e.tokens)} of tile {e.tile + 1} back to the bag",
    "fed": lambda e, names: f"{names[e.seat]}'s pig eats {e.mushroom}",
    "unfed": _unfed,
    "consulted": lambda e, names: f"{names[e.seat]} looks at the hint of {e.mushroom}",
    "revealed": lambda e, names: ", ".join(f"{colour} is {_attribute(e.worth[colour])}" for colour in COLOURS),
    "scored": _scored,
    "over": lambda e, names: result_text(Result(tuple(e.winners), tuple(e.scores), e.reason), names),
}


def _points(total: int) -> str:
    return f"{total} point{'s' * (abs(total) != 1)}"


def result_text(result: Result, names: Sequence[str]) -> str:
    """How it ended."""
    if not result.winners:
        return "All are eliminated: nobody wins."
    who = _listing([names[seat] for seat in result.winners])
    best = _points(result.scores[result.winners[0]] or 0)
    if result.reason == "survivor":
        return f"{who} is the only one not eliminated and wins with {best}."
    if result.reason == "shared":
        return f"{who} share the victory with {best} each."
    fewer = " and fewer mushrooms" if result.reason == "mushrooms" else ""
    return f"{who} wins with {best}{fewer}.{_others(result, names)}"


def _others(result: Result, names: Sequence[str]) -> str:
    """The other scores, if they are told."""
    left: list[Seat] = [seat for seat in range(len(result.scores)) if seat not in result.winners]
    words = [f"{names[s]} {'out' if result.scores[s] is None else result.scores[s]}" for s in left]
    return f" {', '.join(words)}." if words else ""


def rules_text() -> str:
    """The rules in brief."""
    return RULES
