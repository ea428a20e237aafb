"""Situations of Amnesia that are kept as text captures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from client.presenter import Presenter
from client.render import amnesia
from client.render.base import Scene, row_text
from client.style import ASCII, UNICODE, Glyphs
from engines.menus import Seat
from tests.engines.amnesia_hands import Hand

CAPTURES = Path(__file__).parent / "captures" / "amnesia"
NAMES = ["Ana", "Beto", "Caro", "Dina", "Emilio", "Fe"]
SIZES = ((50, 16), (30, 9), (16, 5))
CARDS = {"A": ("9", "10", "Joker", "3"), "B": ("9", "5", "Thief", "2"), "C": ("4", "9", "8", "Fisherman")}
PILE = ("7", "Detective", "10", "1", "2")


def _deal() -> Hand:
    return Hand(CARDS, top="Thief", pile=PILE)


def _first() -> Hand:
    hand = _deal()
    hand.do()
    return hand


def _looking() -> Hand:
    hand = _first()
    hand.do(A=("look", 3, 4), B=("look", 3))
    return hand


def _turn() -> Hand:
    return Hand(CARDS, top="9", pile=PILE, late=True)


def _holding() -> Hand:
    hand = _turn()
    hand.do(A="draw")
    return hand


def _taken() -> Hand:
    hand = _turn()
    hand.do(A="take")
    return hand


def _wrong() -> Hand:
    hand = _turn()
    hand.do(B=("snap", 2), C=("snap", 2))
    return hand


def _marked() -> Hand:
    hand = _taken()
    hand.do(A=("exchange", 2))
    return hand


def _power(face: str) -> Callable[[], Hand]:
    def made() -> Hand:
        hand = Hand(CARDS, top="10", pile=(face, "10", "1"), late=True)
        hand.do()
        hand.do()
        return hand

    return made


def _spied() -> Hand:
    hand = _power("Detective")()
    hand.do(A=("spy", "C", 2))
    return hand


def _owed() -> Hand:
    hand = _power("Fisherman")()
    hand.do(A="pass")
    return hand


def _called() -> Hand:
    hand = _turn()
    hand.do(A="call")
    for _ in range(3):
        hand.turn()
    return hand


def _many() -> Hand:
    hand = Hand(6, late=True)
    t = hand.table
    for count, letter in ((3, "A"), (8, "B"), (5, "E")):
        for _ in range(count):
            seat = hand.seats[letter]
            t.cells[seat][t.next_slot[seat]] = t.pile.pop()
            t.next_slot[seat] += 1
    del t.cells[hand.seats["C"]][2], t.cells[hand.seats["C"]][3]
    t.totals = [-10, 78, 5, 12, 0, 44]
    hand.do()
    hand.do()
    return hand


def _forfeit() -> Hand:
    hand = _called()
    hand.table.totals = [75, 60, 0]
    hand.do()
    return hand


SCENES: dict[str, tuple[Callable[[], Hand], str, tuple[str, ...]]] = {
    "deal": (_deal, "C", ("?",)),
    "first": (_first, "A", ("look", "3")),
    "looking": (_looking, "A", ()),
    "turn": (_turn, "A", ("?",)),
    "bystander": (_turn, "B", ("snap", "1")),
    "improper": (_turn, "B", ("draw",)),
    "holding": (_holding, "A", ("exchange",)),
    "call": (_holding, "A", ("call",)),
    "taken": (_taken, "A", ()),
    "wrong": (_wrong, "C", ()),
    "marked": (_marked, "C", ()),
    "dj": (_power("7"), "A", ("shuffle",)),
    "thief": (_power("Thief"), "A", ("exchange 2 Beto",)),
    "detective": (_spied, "A", ()),
    "owed": (_owed, "C", ()),
    "last": (_called, "A", ()),
    "many": (_many, "A", ()),
    "forfeit": (_forfeit, "A", ()),
    "onlooker": (_turn, "", ()),
}
"""How it comes about, who looks, and what is typed then."""


def names(hand: Hand) -> list[str]:
    """Per seat: A is Ana, and so on."""
    return [NAMES["ABCDEF".index(hand.letters[seat])] for seat in range(hand.game.seats)]


def seen(hand: Hand, letter: str, glyphs: Glyphs = UNICODE) -> Scene:
    """What a player sees; "" is an onlooker."""
    seat: Seat | None = hand.seats[letter] if letter else None
    return Scene(hand.table, seat, hand.run.look(seat), names(hand), glyphs)


def shown(name: str, glyphs: Glyphs = UNICODE) -> str:
    """One of the scenes, at every size."""
    made, letter, typed = SCENES[name]
    hand = made()
    scene = seen(hand, letter, glyphs)
    lines: list[str] = []
    if letter and hand.seats[letter] in hand.menus:
        presenter = Presenter(hand.menus[hand.seats[letter]], scene, amnesia)
        notes = [presenter.type(line).note for line in typed]
        lines += [presenter.question, *(f"  {item}{' *' * item.chosen}" for item in presenter.items)]
        lines += filter(None, notes)
        scene = Scene(scene.table, scene.seat, scene.look, scene.names, glyphs, presenter.marks)
    pictures: list[str] = []
    for columns, high in SIZES:
        pictures += [row_text(row).rstrip() for row in amnesia.picture(scene, columns, high)]
        pictures.append("-" * columns)
    text = [amnesia.progress(scene.table), *pictures, row_text(amnesia.hand(scene)), *lines]
    return glyphs.speak("\n".join(text) + "\n")


def captures() -> Iterator[tuple[str, str]]:
    """File name and text of every capture."""
    for name in SCENES:
        yield f"{name}.txt", shown(name)
    yield "bystander-ascii.txt", shown("bystander", ASCII)
    yield "many-ascii.txt", shown("many", ASCII)
