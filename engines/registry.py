"""The games there are, found by module name: a line here, `engines/<name>.py`, and a render file make a new game.

Each module has TITLE, SEATS (fewest, most), OPTIONS {key: OptionSpec}, check(seats, options) -> "" or why not, and a
class that is a Game under the name `Rules`; perhaps BANNED (see `banned`). An `engines/<name>_bot.py` may add a class
`Sensible` (see bots.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from .bots import Bot, Random
from .chance import Chance
from .menus import Seat
from .requests import Game, OptionSpec

GAMES = ("maamut", "fungi", "amanite", "amnesia")


class BadTable(ValueError):
    """A table that cannot be: unknown game, wrong number of players, an option that does not exist or does not fit.
    `str(error)` says what is wrong and what would be right."""


def _module(name: str) -> Any:
    if name not in GAMES:
        raise BadTable(f"there is no game {name!r}; there are: {', '.join(GAMES)}")
    return import_module(f"engines.{name}")


def title(name: str) -> str:
    """The game's name as people write it. Errors: BadTable."""
    return str(_module(name).TITLE)


def banned(name: str) -> str:
    """What people are called whom the game excludes (`Game.banned_after`). Errors: BadTable."""
    return str(getattr(_module(name), "BANNED", "")) or f"excluded from {title(name)}"


def seat_range(name: str) -> tuple[int, int]:
    """Fewest and most players. Errors: BadTable."""
    low, high = _module(name).SEATS
    return int(low), int(high)


def option_specs(name: str) -> dict[str, OptionSpec]:
    """The game's options. Errors: BadTable."""
    return dict(_module(name).OPTIONS)


def options(name: str, seats: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """All options with the given ones checked (text from a command line or values from a contract) and defaults filled
    in. Errors: BadTable."""
    module = _module(name)
    low, high = module.SEATS
    if type(seats) is not int or not low <= seats <= high:
        span = f"{low} to {high}" if low < high else str(low)
        raise BadTable(f"{module.TITLE} is for {span} players, not {seats}")
    specs: dict[str, OptionSpec] = module.OPTIONS
    unknown = sorted(set(given) - set(specs), key=str)
    if unknown:
        raise BadTable(f"{module.TITLE} has no option {unknown[0]!r}; it has: {', '.join(sorted(specs)) or 'none'}")
    chosen = {key: _option(key, spec, given.get(key, spec.default)) for key, spec in sorted(specs.items())}
    why = module.check(seats, chosen)
    if why:
        raise BadTable(str(why))
    return chosen


def _option(key: str, spec: OptionSpec, value: Any) -> Any:
    if isinstance(spec.default, int):
        try:
            number = int(value) if isinstance(value, str) else value
        except ValueError:
            number = None
        if type(number) is not int or not spec.low <= number <= spec.high:
            raise BadTable(f"option {key} is a whole number from {spec.low} to {spec.high}, not {value!r:.40}")
        return number
    if not isinstance(value, str) or (spec.values and value not in spec.values):
        allowed = " or ".join(spec.values) if spec.values else "text"
        raise BadTable(f"option {key} is {allowed}, not {value!r:.40}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):  # what is left of bytes that are no text
        raise BadTable(f"option {key} is text in Unicode, not {value!a:.40}")
    return value


def create(name: str, seats: int, given: Mapping[str, Any]) -> Game:
    """A new game. Errors: BadTable."""
    game: Game = _module(name).Rules(seats, options(name, seats, given))
    return game


def bot(name: str, seat: Seat, chance: Chance, *, sensible: bool = True) -> Bot:
    """A player for one seat: the game's sensible one if it has one, else a random one. Errors: BadTable."""
    _module(name)
    if sensible and find_spec(f"engines.{name}_bot") is not None:
        made: Bot = import_module(f"engines.{name}_bot").Sensible(seat, chance)
        return made
    return Random(seat, chance)
