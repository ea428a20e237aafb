"""The form for a new table: its fields, what each may hold, and why the table cannot be opened as it stands.

For: the lobby's screen and its plain mode. Never: prompt_toolkit, a rule of a game; what fits is the registry's to say.

Theory of operation: the fields follow from the game, so that choosing another game makes new ones. What was said of the
table itself stays, as far as it fits there; what was said of a game is there again when that game is. Each field holds
text; `plan` turns all of it into a Plan, or `trouble` says what does not fit, and `complaint` which field that is. What
can be stepped through (a number, one of a few words) can also be typed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
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
    refused: str = ""
    """What was typed last and cannot be: what there is instead. Until something else is typed."""
    told: bool = False
    """The table could not be opened because of this field, which was not changed since."""
    begun: str = ""
    """So much of one of the values was typed."""
    default: str = ""
    """What an emptied text means."""

    @property
    def meant(self) -> str:
        """The value that counts."""
        return self.value or self.default

    @property
    def words(self) -> str:
        """The value as it is shown."""
        return self.shown.get(self.value, self.value)

    @property
    def choices(self) -> str:
        """What else it could be, as far as that can be listed."""
        if self.number is not None:
            return "{} to {}".format(*self.number)
        if len(self.values) > 2 and all(map(str.isdigit, self.values)):
            return f"{self.values[0]} to {self.values[-1]}"
        listed = ", ".join(self.shown.get(value, value) for value in self.values)
        return f"only {listed}" if len(self.values) == 1 else listed

    def _touched(self) -> None:
        self.refused, self.told = "", False

    def step(self, by: int) -> None:
        """The next value, or the one before; free text stays as it is."""
        self._touched()
        self.begun = ""
        if self.values:
            at = self.values.index(self.value) if self.value in self.values else 0
            self.value = self.values[(at + by) % len(self.values)]
        elif self.number is not None:
            low, high = self.number
            self.fresh = True
            here = int(self.value) if self.value.isascii() and self.value.isdigit() else low
            self.value = str(min(high, max(low, here + by)))

    def type(self, char: str) -> None:
        """A character was typed: text grows, of a few values the one that begins so is taken. What fits nowhere is
        `refused`."""
        self._touched()
        if self.values:
            self._pick(char)
        elif self.number is not None and not (char.isascii() and char.isdigit()):
            self._refuse(char)
        elif len(self.value) < _MOST_TYPED:
            self.value = char if self.fresh else self.value + char
            self.fresh = False

    def _pick(self, char: str) -> None:
        """Goes on with the word that was begun, or begins another; the same letter again leads to the next."""
        for start in dict.fromkeys((self.begun + char, char)):
            fitting = [one for one in self.values if self._begins(one, start.casefold())]
            if fitting:
                on = len(start) > 1  # as long as it is spelt out, a value that still fits stays
                at = fitting.index(self.value) + (not on) if self.value in fitting else 0
                self.begun = "" if not on and self.begun else start
                self.value = fitting[at % len(fitting)]
                return
        self.begun = ""
        self._refuse(char)

    def _spelt(self, value: str) -> tuple[str, str]:
        return value.casefold(), self.shown.get(value, value).casefold()

    def _begins(self, value: str, start: str) -> bool:
        return any(word.startswith(start) for word in self._spelt(value))

    def _refuse(self, char: str) -> None:
        self.refused = f"“{clean(char)}” does not fit here: {self.choices}. It is {self.words or 'empty'} now."

    def erase(self) -> None:
        """Backspace."""
        self._touched()
        self.begun = ""
        if not self.values:
            self.value, self.fresh = self.value[:-1], False

    def put(self, text: str) -> str:
        """Take a whole value as it was typed; "" or what would be right."""
        wanted = text.strip()
        self._touched()
        if not self.values:
            known = [value for value, word in self.shown.items() if word.casefold() == wanted.casefold()]
            self.value = known[0] if known else wanted[:_MOST_TYPED]
            return ""
        for value in self.values:
            if wanted.casefold() in self._spelt(value):
                self.value = value
                return ""
        return f"{self.label} is {self.choices}"


class Form:
    """A table in the making. `me`: whose; the table is called after them until it is called something else."""

    def __init__(self, me: str, game: str = registry.GAMES[0]) -> None:
        titles = {name: registry.title(name) for name in registry.GAMES}
        bots = "seats that bots on this computer take; one seat is yours"
        self._head = (Field(GAME, "game", game, values=registry.GAMES, shown=titles), Field(PLAYERS, "players", ""))
        self._tail = (
            Field(BOTS, "bots", "", bots),
            Field(PRIVATE, "private", NO, "who joins has to know a code that you will see", (NO, YES)),
            Field(NAME, "name", f"{me}'s table", "what people call the table"),
        )
        self._options: dict[str, list[Field]] = {}
        self._wanted = {PLAYERS: 0, BOTS: 0}
        """What was asked for; how much of it is possible depends on the game."""
        self._fit()

    def _fit(self) -> None:
        """The fields follow from the game, and how many bots there can be from the players."""
        game, (low, high) = self._head[0].value, registry.seat_range(self._head[0].value)
        if game not in self._options:
            self._options[game] = [_option(key, spec) for key, spec in registry.option_specs(game).items()]
        self.fields = [*self._head, *self._options[game], *self._tail]
        seats = self._nearest(PLAYERS, low, high)
        self._nearest(BOTS, 0, seats - 1)

    def _nearest(self, key: str, low: int, high: int) -> int:
        one, number = self.field(key), min(high, max(low, self._wanted[key]))
        values = [str(n) for n in range(low, high + 1)]
        if one.values != values:
            one.values, one.refused, one.begun = values, "", ""
        one.value = str(number)
        return number

    def field(self, key: str) -> Field:
        """The field of that key. Errors: KeyError."""
        for one in self.fields:
            if one.key == key:
                return one
        raise KeyError(key)

    def is_text(self, key: Hashable) -> bool:
        """Whatever is typed there is part of it."""
        return any(one.key == key and not (one.values or one.number) for one in self.fields)

    def changed(self, key: str) -> None:
        """The field of that key has another value: what depends on it follows."""
        if key in self._wanted:
            self._wanted[key] = int(self.field(key).value)
        if key in (GAME, PLAYERS):
            self._fit()

    def settle(self) -> None:
        """Another field will be filled: what is typed there begins anew."""
        for one in self.fields:
            one.begun = ""

    # -- what does not fit -----------------------------------------------------------------------------------------

    def complaint(self, key: str, *, writing: bool) -> str:
        """What is to be said at that field, or "". `writing`: it is being filled, so that it need not fit yet."""
        one = self.field(key)
        trouble = "" if writing and not one.told else self._trouble_at(one)
        if trouble or not (one.refused and one.told):
            return trouble or one.refused
        return f"{one.refused} Open the table again if that is right."

    @property
    def faulty(self) -> list[Field]:
        """The fields that cannot stay as they are, whatever the others say."""
        return [one for one in self.fields if self._trouble_at(one)]

    def _trouble_at(self, one: Field) -> str:
        """Why the table could not be opened even if all the other fields were as they were at first."""
        try:
            if one.option:
                registry.options(self.field(GAME).value, int(self.field(PLAYERS).value), {one.key: one.meant})
            elif one.key == NAME:
                self._label()
        except registry.BadTable as error:
            return clean(str(error).removeprefix(f"option {one.key}: "))
        return ""

    def hold(self) -> str:
        """The table is to be opened: the key of the field that is in the way, or "". What was refused while it was
        typed is in the way once: it might not have been seen."""
        unseen = [one for one in self.fields if one.refused and not one.told]
        for one in self.faulty or unseen:
            one.told = True
            return one.key
        for one in self.fields:
            one.refused, one.told = "", False
        return ""

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
        label = self._label()
        game, seats = self.field(GAME).value, int(self.field(PLAYERS).value)
        given = {one.key: one.meant for one in self.fields if one.option}
        return Plan(game, seats, registry.options(game, seats, given), label)

    def _label(self) -> str:
        label = self.field(NAME).value.strip()
        if not label or len(label.encode("utf-8", "replace")) > NAME_BYTES or not label.isprintable():
            raise registry.BadTable(f"the table's name has 1 to {NAME_BYTES} bytes, and only visible characters")
        return label

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
    shown = {str(value): words for value, words in spec.words.items()}
    made = Field(key, key, str(spec.default), spec.text, spec.values, number, option=True, shown=shown)
    if not (spec.values or number):
        made.default, made.text = made.value, f"{spec.text}; if empty: {made.value}"
    return made
