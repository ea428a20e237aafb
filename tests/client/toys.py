"""A game of nothing but menus, with words as plain as can be."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from client.presenter import Presenter
from client.render.base import Row, Scene
from engines.menus import Act, Card, Choice, Hidden, Look, Menu, One, Part, Some
from engines.requests import Result, Tell

FACES = {Card(1): "3", Card(2): "2", Card(3): "2", Card(4): "1"}


def look(card: Card) -> str:
    """The faces above; all others are hidden."""
    try:
        return FACES[card]
    except KeyError:
        raise Hidden(repr(card)) from None


class Words:
    """A renderer in which everything is called what it is."""

    def picture(self, scene: Scene, columns: int, lines: int) -> list[Row]:
        """Nothing."""
        return []

    def forms(self, scene: Scene) -> list[tuple[int, int]]:
        """None."""
        return []

    def hand(self, scene: Scene) -> Row:
        """Nothing."""
        return []

    def progress(self, table: Any) -> str:
        """Nothing."""
        return ""

    def question(self, scene: Scene, menu: Menu, act: Act | None, part: Part | None) -> str:
        """The names."""
        return f"{act.verb if act else 'what'} {part.name if part else ''}".strip() + "?"

    def act_label(self, scene: Scene, act: Act) -> str:
        """The verb."""
        return act.verb

    def label(self, scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> str:
        """A card's face, anything else as it is."""
        return scene.look(value) if isinstance(value, Card) else str(value)

    def target(self, scene: Scene, act: Act, part: Part, earlier: Sequence[Any], value: Any) -> Hashable | None:
        """The thing itself."""
        return ("at", value)

    def outcome(self, scene: Scene, act: Act, values: Sequence[Any]) -> str:
        """For what is called so."""
        return f"Boom {'-'.join(map(str, values))}." if act.verb == "explode" else ""

    def describe(self, event: Tell, names: Sequence[str]) -> str:
        """The kind."""
        return event.kind

    def result_text(self, result: Result, names: Sequence[str]) -> str:
        """The reason."""
        return result.reason

    def rules_text(self) -> str:
        """None."""
        return "no rules"


def no_two(_: Look, *values: Any) -> str:
    """A fit: the last value is not "two"."""
    return "two is taken" if values[-1] == "two" else ""


def sum_fits(look: Look, *values: Any) -> str:
    """A fit: at most five points."""
    points = sum(int(look(card)) for card in values[-1])
    return "" if points <= 5 else f"{points} points are more than 5"


CARDS = tuple(FACES)
MENU = Menu(
    (
        Act("pass"),
        Act("put stone", (One("card", CARDS), One("place", ("one", "two", "three"), no_two))),
        Act("build", why_not="there is no wood"),
        Act("meld", (Some("cards", CARDS, 1, 3, sum_fits),)),
        Act("order", (Some("cards", ("x", "y", "z"), 2, 2, ordered=True),)),
        Act("explode", (One("side", ("left", "right")),)),
        Act("grab", (One("card", CARDS),), improper=True),
    ),
    Choice(0),
)


def presenter(menu: Menu = MENU) -> Presenter:
    """One over that menu."""
    return Presenter(menu, Scene(None, 0, look, ["Ana", "Beto"]), Words())
