"""The form for a new table: its fields, what each may hold, and why the table cannot be opened as it stands.

For: the lobby's screen and its plain mode. Never: prompt_toolkit, a rule of a game; what fits is the registry's to say.

Theory of operation: the fields follow from the game, so that choosing another game makes new ones and keeps what was
said about the table itself. Each field holds text; `plan` turns all of it into a Plan, or `trouble` says what does not
fit. What can be stepped through (a number, one of a few words) can also be typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engines import registry
from engines.requests import OptionSpec
from p2p.lobby import Plan

from .text import clean

YES, NO = "yes", "no"
GAME, PLAYERS, BOTS, PRIVATE, NAME = "game", "players", "bots", "private", "name"
NAME_BYTES = 64
_MOST_TYPED = 200


@dataclass
class Field:
    """One line of the form. `values`: what can be stepped through; empty: free text, or any number `low` to `high`.
    `option`: the game's own, and not one that every table has."""

    key: str
    label: str
    value: str
    text: str = ""
    """What it means."""
    values: Sequence[str] = ()
    number: tuple[int, int] | None = None
    option: bool = False
    fresh: bool = True
    """Nothing was typed yet: what is typed first takes the place of the value."""
    shown: dict[str, str] = field(default_factory=dict)
    """Values that people know by another word."""

    @property
    def words(self) -> str:
        """The value as it is shown."""
        return self.shown.get(self.value, self.value)

    @property
    def choices(self) -> str:
        """What else it could be, as far as that can be listed."""
        if self.number is not None:
            return "{} to {}".format(*self.number)
        return ", ".join(self.shown.get(value, value) for value in self.values)

    def step(self, by: int) -> None:
        """The next value, or the one before; free text stays as it is."""
        if self.values:
            at = self.values.index(self.value) if self.value in self.values else 0
            self.value = self.values[(at + by) % len(self.values)]
        elif self.number is not None:
            low, high = self.number
            self.fresh = True
            here = int(self.value) if self.value.isascii() and self.value.isdigit() else low
            self.value = str(min(high, max(low, here + by)))

    def type(self, char: str) -> None:
        """A character was typed: text grows, of a few values the one that begins so is taken."""
        if self.values:
            wanted = char.casefold()
            fitting = [one for one in self.values if self.shown.get(one, one).casefold().startswith(wanted)]
            if fitting:
                at = fitting.index(self.value) + 1 if self.value in fitting else 0
                self.value = fitting[at % len(fitting)]
        elif len(self.value) < _MOST_TYPED and (self.number is None or char.isdigit()):
            self.value = char if self.fresh else self.value + char
            self.fresh = False

    def erase(self) -> None:
        """Backspace."""
        if not self.values:
            self.value, self.fresh = self.value[:-1], False

    def put(self, text: str) -> str:
        """Take a whole value as it was typed; "" or what would be right."""
        wanted = text.strip()
        if not self.values:
            self.value = wanted[:_MOST_TYPED]
            return ""
        for value in self.values:
            if wanted.casefold() in (value.casefold(), self.shown.get(value, value).casefold()):
                self.value = value
                return ""
        return f"{self.label} is {self.choices}"


class Form:
    """A table in the making. `me`: whose; the table is called after them until it is called something else."""

    def __init__(self, me: str, game: str = registry.GAMES[0]) -> None:
        self.fields: list[Field] = []
        self._build(game, {NAME: f"{me}'s table"})

    def _build(self, game: str, kept: dict[str, str]) -> None:
        low, high = registry.seat_range(game)
        titles = {name: registry.title(name) for name in registry.GAMES}
        fields = [
            Field(GAME, "game", game, values=registry.GAMES, shown=titles),
            Field(PLAYERS, "players", str(low), values=[str(n) for n in range(low, high + 1)]),
            Field(BOTS, "bots", "0", "of these seats, so many are played by bots on this computer"),
            Field(PRIVATE, "private", NO, "who joins has to know a code that you will see", (NO, YES)),
            Field(NAME, "name", "", "what people call the table"),
        ]
        for one in fields:
            if one.key in kept and one.key != GAME:
                one.put(kept[one.key])
        options = [_option(key, spec) for key, spec in registry.option_specs(game).items()]
        self.fields = [*fields[:2], *options, *fields[2:]]
        self._fit_bots()

    def _fit_bots(self) -> None:
        bots, seats = self.field(BOTS), int(self.field(PLAYERS).value)
        bots.values = [str(n) for n in range(seats)]
        if bots.value not in bots.values:
            bots.value = bots.values[-1]

    def field(self, key: str) -> Field:
        """The field of that key. Errors: KeyError."""
        for one in self.fields:
            if one.key == key:
                return one
        raise KeyError(key)

    def changed(self, key: str) -> None:
        """The field of that key has another value: what depends on it follows."""
        if key == GAME:
            self._build(self.field(GAME).value, {one.key: one.value for one in self.fields if not one.option})
        elif key == PLAYERS:
            self._fit_bots()

    # -- what comes out --------------------------------------------------------------------------------------------

    @property
    def bots(self) -> int:
        """Seats that bots take."""
        return int(self.field(BOTS).value)

    @property
    def private(self) -> bool:
        """Whether a code is needed."""
        return self.field(PRIVATE).value == YES

    def plan(self) -> Plan:
        """The table. Errors: BadTable."""
        label = self.field(NAME).value.strip()
        if not label or len(label.encode("utf-8", "replace")) > NAME_BYTES or not label.isprintable():
            raise registry.BadTable(f"the table's name has 1 to {NAME_BYTES} bytes, and only visible characters")
        game, seats = self.field(GAME).value, int(self.field(PLAYERS).value)
        given = {one.key: one.value for one in self.fields if one.option}
        return Plan(game, seats, registry.options(game, seats, given), label)

    @property
    def trouble(self) -> str:
        """Why the table cannot be opened so, or ""."""
        try:
            self.plan()
        except registry.BadTable as error:
            return clean(str(error))
        return ""


def _option(key: str, spec: OptionSpec) -> Field:
    number = (spec.low, spec.high) if isinstance(spec.default, int) else None
    return Field(key, key, str(spec.default), spec.text, spec.values, number, option=True)
