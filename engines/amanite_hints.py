"""What a seat can conclude from the hints of Amanite that it has seen.

For: the screen and the bot, which must agree on it. Never: a face that the look does not see; the choices of others,
from which people may guess more.

Theory of operation: the six attributes lie on the six colours in an unknown order. The three first hints tell which
three attributes belong to the three colours of the start card, so the other three belong to the other colours; a
notebook, or the scoring, settles one colour. What is then left of each group fits its colours in any order, all equally
likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from .amanite_table import COLOURS, Table
from .menus import Face, Hidden, Look, Seat

Group = tuple[tuple[str, ...], tuple[str, ...]]
"""Colours, and the attributes that they have in some order."""


def first_hints(table: Table, seat: Seat, look: Look) -> tuple[Face, ...]:
    """The faces of a seat's first three hints, in the order of the attributes, which is not that of the colours; none
    if the look does not see them."""
    try:
        return tuple(sorted((look(card) for card in table.hints[seat]), key=table.attributes.index))
    except Hidden:
        return ()


def settled(table: Table, look: Look) -> dict[str, str]:
    """The colours whose attribute the look sees."""
    found: dict[str, str] = {}
    for colour, card in table.mushrooms.items():
        try:
            found[colour] = look(card)
        except Hidden:
            continue
    return found


def groups(table: Table, seat: Seat | None, look: Look) -> list[Group]:
    """Colours that are known only together, with their attributes; a settled colour is a group of its own."""
    known = settled(table, look)
    own = first_hints(table, seat, look) if seat is not None else ()
    mine = table.colours(seat) if seat is not None and own else ()
    whole = [
        (mine, own),
        (tuple(c for c in COLOURS if c not in mine), tuple(a for a in table.attributes if a not in own)),
    ]
    found: list[Group] = [((colour,), (attribute,)) for colour, attribute in known.items()]
    for colours, attributes in whole:
        open_colours = tuple(colour for colour in colours if colour not in known)
        if open_colours:
            found.append((open_colours, tuple(a for a in attributes if a not in known.values())))
    return found


def possible(table: Table, seat: Seat | None, look: Look) -> dict[str, tuple[str, ...]]:
    """For each colour the attributes that it can have."""
    by_colour = {colour: attributes for colours, attributes in groups(table, seat, look) for colour in colours}
    return {colour: by_colour[colour] for colour in COLOURS}


def worlds(table: Table, seat: Seat | None, look: Look) -> Iterator[dict[str, str]]:
    """Every way in which the attributes can lie, each as likely as the others."""
    yield from _combine(groups(table, seat, look))


def _combine(left: list[Group]) -> Iterator[dict[str, str]]:
    if not left:
        yield {}
        return
    (colours, attributes), *rest = left
    for world in _combine(rest):
        for order in permutations(attributes):
            yield {**dict(zip(colours, order, strict=True)), **world}
