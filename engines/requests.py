"""What a game can ask of the table: a rulebook is a generator that yields these and gets the answers back.

For: rules that read top to bottom like the rulebook. Never: a hidden face; rules hold opaque handles and see only what
was opened. Each request has a typed helper below, to be used with `yield from`, since a bare yield answers `Any`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .chance import Chance
from .menus import Act, Card, Choice, Decision, Face, Hidden, Menu, Seat


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `winners` may be empty (the game itself won) or several; `scores`: per seat, None where the
    game has none; `reason`: one of the game's own words, rendered by its render file."""

    winners: tuple[Seat, ...]
    scores: tuple[int | None, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision of each seat in `menus`. `lead`: the seat whose decision the others wait for, if any."""

    menus: Mapping[Seat, Menu]
    lead: Seat | None = None


@dataclass(frozen=True, slots=True)
class Flip:
    """Public chance; the answer is a Chance, closed at the next request."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Fresh cards with these faces, face up."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The cards under new handles, in an order that nobody knows. The old handles are gone unless `keep`."""

    cards: tuple[Card, ...]
    keep: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Each seat looks at its cards, alone."""

    looks: Mapping[Seat, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Open:
    """Everybody sees the cards."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Promise:
    """`seat` proves at once that none of these cards, which only it has viewed, has one of the faces `never`."""

    seat: Seat
    cards: tuple[Card, ...]
    never: frozenset[Face]


@dataclass(frozen=True, slots=True)
class Forget:
    """The seat's screen may no longer show these faces."""

    cards: tuple[Card, ...]
    seat: Seat


@dataclass(frozen=True, slots=True)
class Tell:
    """A public event for screens, logs and the memory of bots. Data: plain values only."""

    kind: str
    data: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.data[name]
        except KeyError:
            raise AttributeError(name) from None


@dataclass(frozen=True, slots=True)
class Over:
    """No card is needed any more. After it only Ask and Tell."""

    result: Result


Request = Ask | Flip | Deck | Shuffle | View | Open | Promise | Forget | Tell | Over
T = TypeVar("T")
Script = Generator[Request, Any, T]


class Game(ABC):
    """One game of one rulebook. `table` is a plain dataclass with everything public; it is the whole visible state."""

    table: Any

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        self.seats = seats
        self.options = dict(options)
        self.faces: dict[Card, Face] = {}
        """The public faces; only `Run` writes here."""

    def face(self, card: Card) -> Face:
        """The face of an open card. Errors: Hidden."""
        try:
            return self.faces[card]
        except KeyError:
            raise Hidden(repr(card)) from None

    @property
    def banned_after(self) -> tuple[Seat, ...]:
        """Seats that may not play this game again with anybody here, once it has ended. A game that has any says in
        BANNED what such people are called."""
        return ()

    @abstractmethod
    def play(self) -> Script[None]:
        """The rules, from setup to the end; the last thing but Ask and Tell is Over."""

    @abstractmethod
    def cards(self) -> Iterable[Card]:
        """Every card in every place, each once: the conformance suite compares this with what exists."""


@dataclass(frozen=True)
class OptionSpec:
    """One option of a game: its default, the values it may have (or bounds, for a whole number), and what it does.
    `words`: how people read values that do not speak for themselves."""

    default: Any
    text: str
    values: tuple[str, ...] = field(default=())
    low: int = 0
    high: int = 0
    words: Mapping[Any, str] = field(default_factory=dict)

    def say(self, value: Any) -> str:
        """The value as it is shown."""
        return self.words.get(value, str(value))


def menu(*acts: Act, lapse: tuple[Any, ...]) -> Menu:
    """A menu whose lapse is written (verb, pick, pick, …)."""
    index = next(i for i, act in enumerate(acts) if act.verb == lapse[0])
    return Menu(acts, Choice(index, tuple(lapse[1:])))


def ask(seat: Seat, *acts: Act, lapse: tuple[Any, ...]) -> Script[Decision]:
    """One seat's decision. `lapse`: (verb, pick, …)."""
    answer: Mapping[Seat, Decision] = yield Ask({seat: menu(*acts, lapse=lapse)})
    return answer[seat]


def ask_all(menus: Mapping[Seat, Menu], lead: Seat | None = None) -> Script[dict[Seat, Decision]]:
    """A decision of every seat named."""
    answer: dict[Seat, Decision] = yield Ask(menus, lead)
    return answer


def flip() -> Script[Chance]:
    """Public chance, good until the next request."""
    chance: Chance = yield Flip()
    return chance


def deck(faces: Iterable[Face]) -> Script[list[Card]]:
    """Fresh cards, face up, in the order of their faces."""
    cards: list[Card] = yield Deck(tuple(faces))
    return cards


def shuffle(cards: Sequence[Card], *, keep: bool = False) -> Script[list[Card]]:
    """New handles in an order that nobody knows."""
    fresh: list[Card] = yield Shuffle(tuple(cards), keep)
    return fresh


def view(looks: Mapping[Seat, Sequence[Card]]) -> Script[None]:
    """Private looks; seats without cards are left out."""
    wanted = {seat: tuple(cards) for seat, cards in sorted(looks.items()) if cards}
    if wanted:
        yield View(wanted)


def reveal(cards: Sequence[Card]) -> Script[list[Face]]:
    """Open the cards; their faces, in the same order."""
    faces: list[Face] = yield Open(tuple(cards))
    return faces


def promise(seat: Seat, cards: Sequence[Card], never: Iterable[Face]) -> Script[None]:
    """That seat proves that none of the cards has one of these faces."""
    if cards:
        yield Promise(seat, tuple(cards), frozenset(never))


def forget(seat: Seat, cards: Sequence[Card]) -> Script[None]:
    """That seat's screen takes the faces away."""
    yield Forget(tuple(cards), seat)


def tell(kind: str, **data: Any) -> Script[None]:
    """Say it aloud."""
    yield Tell(kind, data)


def over(result: Result) -> Script[None]:
    """The game is decided."""
    yield Over(result)
