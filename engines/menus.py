"""Menus: what a seat may choose, as data, and the one place where a choice is judged.

For: the screen, the plain mode, the bots, the peers and the audit, all from the same description. Never: a hidden face;
`fit` is given a look and sees what that look sees.

Theory of operation: a menu is a list of acts; an act has parts that are filled one after the other; a part picks one
or some of the things in its public list `of`. A choice names an act and, for each part, indices: only these travel.
`fit(look, *earlier, value)` says why a value does not fit ("" if it does). The look is the seat's own when offering,
the public one when peers judge, everybody's in the audit; a face that a look cannot see raises `Hidden`, which means
"not to be judged yet". Cards in the parts named by `shows` are opened with the decision and then it is judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

from .chance import Chance


class Card(int):
    """An opaque handle of one card. Its number says nothing about its face."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"#{int(self)}"


Face = str
Seat = int
Look = Callable[[Card], Face]
"""Card to face. Errors: Hidden for a face that this onlooker cannot see."""
Fit = Callable[..., str]


class Hidden(Exception):
    """The face of that card is not known to the one who looks."""


class Illegal(Exception):
    """A choice that the rules do not allow. `str(error)` is the rule, in words."""


@dataclass(frozen=True, slots=True)
class One:
    """A part filled by one thing of `of`."""

    name: str
    of: Sequence[Any]
    fit: Fit | None = None

    def picks(self) -> Iterator[int]:
        """Every value it could have, as it travels."""
        return iter(range(len(self.of)))

    def parse(self, pick: object) -> int:
        """A foreign value, checked. Errors: Illegal."""
        if type(pick) is not int or not 0 <= pick < len(self.of):
            raise Illegal(f"{self.name}: there is no such thing to choose")
        return pick

    def value(self, pick: Any) -> Any:
        """What the rules get."""
        return self.of[pick]


@dataclass(frozen=True, slots=True)
class Some:
    """A part filled by `low` to `high` different things of `of`; their order counts only if `ordered`.
    `each(look, *earlier, thing)` says why that thing cannot be among them, whatever the others are, or ""."""

    name: str
    of: Sequence[Any]
    low: int
    high: int
    fit: Fit | None = None
    ordered: bool = False
    each: Fit | None = None

    def picks(self, among: Sequence[int] | None = None) -> Iterator[tuple[int, ...]]:
        """Every value it could have, as it travels, fewest things first; only of the things `among`, if given. Lazy:
        it may be very many."""
        things = range(len(self.of)) if among is None else among
        for size in range(self.low, min(self.high, len(things)) + 1):
            yield from (permutations if self.ordered else combinations)(things, size)

    def parse(self, pick: object) -> tuple[int, ...]:
        """A foreign value, checked. Errors: Illegal."""
        if not isinstance(pick, list | tuple) or not self.low <= len(pick) <= self.high:
            raise Illegal(f"{self.name}: choose {self.low} to {self.high}")
        if not all(type(i) is int and 0 <= i < len(self.of) for i in pick) or len(set(pick)) != len(pick):
            raise Illegal(f"{self.name}: there is no such thing to choose, or it is chosen twice")
        if not self.ordered and list(pick) != sorted(pick):
            raise Illegal(f"{self.name}: not in ascending order")
        return tuple(pick)

    def value(self, pick: Any) -> Any:
        """What the rules get."""
        return tuple(self.of[i] for i in pick)


Part = One | Some


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a seat may do. `shows`: names of the parts whose cards are opened with the decision.
    `improper`: possible and penalised by the rules, never offered unasked. `why_not`: a public reason why the act is
    not possible now; it is listed only to be explained."""

    verb: str
    parts: tuple[Part, ...] = ()
    shows: tuple[str, ...] = ()
    improper: bool = False
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """As it travels: the index of an act, and for each of its parts an index or a tuple of indices."""

    act: int
    picks: tuple[Any, ...] = ()


class Decision:
    """As the rules read it: `verb`, and each part's value under the part's name."""

    def __init__(self, verb: str, values: dict[str, Any]) -> None:
        self.verb = verb
        self.values = values

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        return f"Decision({self.verb!r}, {self.values!r})"


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a menu: the pick, the thing itself (an Act first, then values), and why it is not possible ("")."""

    pick: Any
    value: Any
    why_not: str


@dataclass(frozen=True)
class Menu:
    """What one seat is asked. `lapse`: what silence counts as, legal without any hidden face."""

    acts: tuple[Act, ...]
    lapse: Choice = field(default=Choice(0))

    def parse(self, act: object, picks: object) -> Choice:
        """A choice from outside, its act and form checked against this menu. Errors: Illegal."""
        if type(act) is not int or not 0 <= act < len(self.acts):
            raise Illegal("there is no such act to choose")
        parts = self.acts[act].parts
        if self.acts[act].why_not:  # whatever is chosen for it: the rule says more than a form that it makes impossible
            raise Illegal(self.acts[act].why_not)
        if not isinstance(picks, list | tuple) or len(picks) != len(parts):
            raise Illegal(f"{self.acts[act].verb}: {len(parts)} parts have to be filled")
        return Choice(act, tuple(part.parse(pick) for part, pick in zip(parts, picks, strict=True)))

    def decision(self, choice: Choice) -> Decision:
        """The choice as the rules read it."""
        act = self.acts[choice.act]
        values = {part.name: part.value(pick) for part, pick in zip(act.parts, choice.picks, strict=True)}
        return Decision(act.verb, values)

    def shown(self, choice: Choice) -> tuple[Card, ...]:
        """The cards that are opened with this choice."""
        act, decision = self.acts[choice.act], self.decision(choice)
        cards: list[Card] = []
        for name in act.shows:
            value = decision.values[name]
            cards.extend(value if isinstance(value, tuple) else (value,))
        return tuple(cards)

    def judge(self, look: Look, choice: Choice, *, final: bool = False) -> str:
        """Why a complete choice is not legal as far as `look` sees, or "". Errors: Hidden, if `final` and a face that
        the verdict needs cannot be seen."""
        act = self.acts[choice.act]
        if act.why_not:
            return act.why_not
        values: list[Any] = []
        for part, pick in zip(act.parts, choice.picks, strict=True):
            values.append(part.value(pick))
            try:
                why = _misfit(part, look, values)
            except Hidden:
                if final:
                    raise
                continue
            if why:
                return why
        return ""

    def _legal(self, look: Look, act: int, picks: tuple[Any, ...], why: list[str]) -> Iterator[Choice]:
        """Every legal completion of a prefix, lazily; reasons for what does not fit are appended to `why`."""
        parts = self.acts[act].parts
        if self.acts[act].why_not:
            why.append(self.acts[act].why_not)
            return
        if len(picks) == len(parts):
            yield Choice(act, picks)
            return
        part = parts[len(picks)]
        if isinstance(part, Some) and part.each:
            apart = self._apart(look, act, picks)
            among = [i for i, reason in enumerate(apart) if not reason]
            if len(among) < part.low:
                why.append(next(reason for reason in apart if reason))
            candidates: Iterator[Any] = part.picks(among)
        else:
            candidates = part.picks()
        for pick in candidates:
            reason = self._fits(look, act, (*picks, pick))
            if reason:
                why.append(reason)
            else:
                yield from self._legal(look, act, (*picks, pick), why)

    def _fits(self, look: Look, act: int, picks: tuple[Any, ...]) -> str:
        """Why the last pick of a prefix does not fit what precedes it."""
        parts = self.acts[act].parts[: len(picks)]
        try:
            return _misfit(parts[-1], look, [part.value(pick) for part, pick in zip(parts, picks, strict=True)])
        except Hidden:
            return ""

    def _apart(self, look: Look, act: int, picks: tuple[Any, ...]) -> list[str]:
        """For each thing of a part that takes several, why it cannot be among them, as far as `look` sees."""
        parts = self.acts[act].parts
        part = parts[len(picks)]
        if not isinstance(part, Some) or part.each is None:
            return [""] * len(part.of)
        earlier = [before.value(pick) for before, pick in zip(parts, picks, strict=False)]
        reasons = []
        for thing in part.of:
            try:
                reasons.append(part.each(look, *earlier, thing))
            except Hidden:
                reasons.append("")
        return reasons

    def why_not(self, look: Look, act: int, picks: tuple[Any, ...] = ()) -> str:
        """Why no legal choice begins with this act and these picks, or "" if one does."""
        why: list[str] = []
        if picks and (reason := self._fits(look, act, picks)):
            return reason
        if next(self._legal(look, act, picks, why), None) is not None:
            return ""
        return why[0] if why else f"{self.acts[act].verb}: there is nothing to choose"

    def options(self, look: Look, prefix: tuple[Any, ...] = ()) -> list[Option]:
        """The next step after `prefix` = (act, pick, pick, …): acts first, then what may fill each part in turn. A
        part that takes several things lists them one by one; `why_not` of the prefix judges the finished pick. Empty
        at the end."""
        if not prefix:
            return [Option(i, act, self.why_not(look, i)) for i, act in enumerate(self.acts)]
        act, picks = prefix[0], tuple(prefix[1:])
        parts = self.acts[act].parts
        if len(picks) == len(parts):
            return []
        part = parts[len(picks)]
        if isinstance(part, Some):
            reasons = self._apart(look, act, picks)
            return [Option(i, thing, reasons[i]) for i, thing in enumerate(part.of)]
        return [Option(i, thing, self.why_not(look, act, (*picks, i))) for i, thing in enumerate(part.of)]

    def choices(self, look: Look, *, improper: bool = False) -> Iterator[Choice]:
        """Every choice that is legal as far as `look` sees, lazily."""
        for i, act in enumerate(self.acts):
            if improper or not act.improper:
                yield from self._legal(look, i, (), [])

    def sample(self, chance: Chance, look: Look, *, improper: bool = False) -> Choice:
        """A random legal choice: a random act that has one, then part by part, going back where nothing fits."""
        for i in chance.shuffled(range(len(self.acts))):
            if (improper or not self.acts[i].improper) and not self.acts[i].why_not:
                found = self._sample(chance, look, i, ())
                if found is not None:
                    return found
        return self.lapse

    def _sample(self, chance: Chance, look: Look, act: int, picks: tuple[Any, ...]) -> Choice | None:
        parts = self.acts[act].parts
        if len(picks) == len(parts):
            return Choice(act, picks)
        among = [i for i, reason in enumerate(self._apart(look, act, picks)) if not reason]
        for pick in _shuffled_picks(parts[len(picks)], chance, among):
            if not self._fits(look, act, (*picks, pick)):
                found = self._sample(chance, look, act, (*picks, pick))
                if found is not None:
                    return found
        return None


def _misfit(part: Part, look: Look, values: Sequence[Any]) -> str:
    """Why the last of `values`, which is that part's, does not fit. Errors: Hidden."""
    if isinstance(part, Some) and part.each:
        for thing in values[-1]:
            if why := part.each(look, *values[:-1], thing):
                return why
    return part.fit(look, *values) if part.fit else ""


_TRIES = 32


def _shuffled_picks(part: Part, chance: Chance, among: Sequence[int]) -> Iterator[Any]:
    """The picks of a part in random order: all of them for one thing; for some things a few random tries, then all in
    order, so that nothing legal is missed."""
    if isinstance(part, One):
        yield from chance.shuffled(among)
        return
    high = min(part.high, len(among))
    if part.low <= high:
        for _ in range(_TRIES):
            drawn = chance.draw(among, part.low + chance.below(high - part.low + 1))
            yield tuple(drawn) if part.ordered else tuple(sorted(drawn))
        yield from part.picks(among)
