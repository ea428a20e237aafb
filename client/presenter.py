"""A menu, chosen part by part, in words: what is asked, what can be picked, why something cannot, and at last a Choice.

For: the full screen and the plain mode alike; both show `question` and `items` and hand in what was typed or clicked.
Never: input or output, prompt_toolkit, a rule: what is legal comes from the menu alone.

Theory of operation: the state is a prefix (act, pick, …) as `Menu.options` takes it, the things toggled so far in a
part that takes several, and whether a last confirmation is open. A menu with one act begins at that act's first part.
Only what is possible is offered; `explain` tells the rest. Improper acts are not offered: they have to be typed in
full, and are confirmed. A line is matched as a whole, and else word by word, so that "move 2 ne" is three steps; when
a later word fails, the state is what it was before the line. A word that could be several acts is the one with which
the rest of the line goes, if there is just one.

Acts keep their numbers, so that what was 3 in the last turn is not something else in this one, be it that another act
is not possible now, or improper. Things whose labels are
equal are one item (the first, by the games' convention the oldest card), and if all labels begin with different
numbers, those are the items' numbers, so that "2" can never mean "the second: a 3".
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import combinations, islice, permutations
from typing import Any

from engines.menus import Act, Choice, Menu, Option, Part, Some

from .items import Item, is_, listing, merged, numbered, starts, word_starts
from .render.base import CANDIDATE, PICKED, Renderer, Scene, signs_of

BACK_WORDS = ("back", "<")
DONE_WORDS = ("done", "ok")
_MOST_TRIED = 200
_COMMA = re.compile(r"(?<=\d)\s*,(?=\s|\d|$)", re.ASCII)
"""One after a number, as in "1, 2"."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of an input: a complete choice, or something to say, or neither (a step forward)."""

    choice: Choice | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class _State:
    prefix: tuple[Any, ...] = ()
    toggled: tuple[int, ...] = ()
    confirming: bool = False


class Presenter:
    """One menu on its way to a Choice."""

    def __init__(self, menu: Menu, scene: Scene, words: Renderer) -> None:
        self.menu = menu
        self.scene = scene
        self.words = words
        offered = [i for i, act in enumerate(menu.acts) if not act.improper]
        single = len(offered) == 1 and bool(menu.acts[offered[0]].parts)
        self._root = _State((offered[0],) if single else ())
        self._state = self._root
        self._cache: tuple[_State, list[tuple[Item, str]]] | None = None
        self._counted: tuple[tuple[Any, ...], int, int] | None = None

    # -- what is asked ---------------------------------------------------------------------------------------------

    @property
    def act(self) -> Act | None:
        """The act chosen so far."""
        return self.menu.acts[self._state.prefix[0]] if self._state.prefix else None

    @property
    def part(self) -> Part | None:
        """The part that is being filled."""
        act, filled = self.act, len(self._state.prefix) - 1
        return act.parts[filled] if act and not self._state.confirming and filled < len(act.parts) else None

    @property
    def several(self) -> bool:
        """The items are toggles and something ends them."""
        return isinstance(self.part, Some)

    @property
    def question(self) -> str:
        """What is asked now."""
        if self._state.confirming and self.act:
            text = self.words.outcome(self.scene, self.act, self._values(self._state.prefix))
            if self.act.improper:
                text = f"{text or self.words.act_label(self.scene, self.act)} (this is against the rules)"
            return f"{text} Really?"
        text = self.words.question(self.scene, self.menu, self.act, self.part)
        if isinstance(self.part, Some):
            low, high = self._sizes(self.part)
            wanted = f"{low}" if low == high else f"{low} to {high}"
            chosen = len(self._state.toggled)
            why = self._misfit(self.part) if chosen >= low else ""
            text += f" ({chosen} chosen, {wanted} wanted; {f'not yet: {why}' if why else 'Enter when done'})"
        return text

    def _toggled(self, part: Some) -> tuple[int, ...]:
        """What is chosen so far of a part that takes several, as a pick."""
        return self._state.toggled if part.ordered else tuple(sorted(self._state.toggled))

    def _misfit(self, part: Some) -> str:
        """Why these are no choice as they are, or ""."""
        act, *earlier = self._state.prefix
        return self.menu.why_not(self.scene.look, act, (*earlier, self._toggled(part)))

    def _sizes(self, part: Some) -> tuple[int, int]:
        """How many things can be wanted at least and at most: only so many as fit together."""
        if self._counted is None or self._counted[0] != self._state.prefix:
            among = [item.pick for item, why in self._all() if not why]
            sizes = range(part.low, min(part.high, len(among)) + 1)
            low = next((size for size in sizes if self._fit(part, size, among)), part.low)
            high = next((size for size in reversed(sizes) if self._fit(part, size, among)), part.high)
            self._counted = (self._state.prefix, low, high)
        return self._counted[1:]

    def _fit(self, part: Some, size: int, among: list[int]) -> bool:
        """Whether some of these things, so many, make a choice; not all ways are tried where there are very many."""
        act, *earlier = self._state.prefix
        ways = list(islice((permutations if part.ordered else combinations)(among, size), _MOST_TRIED))
        return len(ways) == _MOST_TRIED or any(
            not self.menu.why_not(self.scene.look, act, (*earlier, way)) for way in ways
        )

    @property
    def items(self) -> list[Item]:
        """What can be picked now."""
        return [item for item, why in self._all() if not why]

    @property
    def marks(self) -> dict[Hashable, str]:
        """Targets to be highlighted."""
        return {i.target: PICKED if i.chosen else CANDIDATE for i in self.items if i.target is not None}

    @property
    def can_go_back(self) -> bool:
        """Whether `back` would do anything."""
        return self._state != self._root

    def _values(self, prefix: tuple[Any, ...]) -> list[Any]:
        parts = self.menu.acts[prefix[0]].parts
        return [part.value(pick) for part, pick in zip(parts, prefix[1:], strict=False)]

    def _all(self) -> list[tuple[Item, str]]:
        """Every option with why it cannot be picked, computed once per state."""
        if self._cache is None or self._cache[0] != self._state:
            self._cache = (self._state, self._find())
        return self._cache[1]

    def _find(self) -> list[tuple[Item, str]]:
        if self._state.confirming:
            return [(Item(1, "yes", True), ""), (Item(2, "no", False), "")]
        act, part = self.act, self.part
        options = self.menu.options(self.scene.look, self._state.prefix)
        if act is None or part is None:
            options = [option for option in options if not option.value.improper]
            return [(Item(o.pick + 1, self.words.act_label(self.scene, o.value), o.pick), o.why_not) for o in options]
        earlier = self._values(self._state.prefix)
        labelled = [
            (o, self.words.label(self.scene, act, part, earlier, o.value), self._target(act, part, earlier, o))
            for o in options
        ]
        if isinstance(part, Some):
            return [(replace(item, chosen=item.pick in self._state.toggled), why) for item, why in numbered(labelled)]
        return numbered(merged(labelled))

    def _target(self, act: Act, part: Part, earlier: list[Any], option: Option) -> Hashable | None:
        return self.words.target(self.scene, act, part, earlier, option.value)

    # -- what comes in ---------------------------------------------------------------------------------------------

    def back(self) -> bool:
        """One part back. False at the beginning."""
        if self._state == self._root:
            return False
        if self._state.toggled and not self._state.confirming:
            self._state = replace(self._state, toggled=())
        else:
            self._state = _State(self._state.prefix[:-1])
        return True

    def click(self, target: Hashable) -> Reply:
        """Something in the picture was clicked."""
        for item, why in self._all():
            if item.target is not None and item.target == target:
                return Reply(note=f"{item.label}: {why}") if why else self._pick(item)
        return Reply()

    def choose(self, number: int) -> Reply:
        """The item of that number was clicked."""
        item = next((item for item in self.items if item.number == number), None)
        return self._pick(item) if item else Reply(note=f"there is no choice {number} here")

    def type(self, line: str) -> Reply:
        """A line was typed."""
        words = self._words(_COMMA.sub(" ", line))
        if words and words[0].startswith("?"):
            return Reply(note="\n".join(self.explain(" ".join(words)[1:].strip())))
        if not words:
            return self._done() if self.several else Reply()
        reply = self._run(words)
        apart = self._words(line.replace(",", " "))
        # A comma may be a label's own; only if it is not, it stands between two words.
        return self._run(apart) if reply.note and apart not in ([], words) else reply

    def _words(self, line: str) -> list[str]:
        """A line as its words, signs of the picture being the words for them."""
        signs = signs_of(self.words)
        return " ".join(signs.get(word, word) for word in line.split()).casefold().split()

    def _run(self, words: list[str]) -> Reply:
        """All words one after the other; if one fails, none of them was typed."""
        before = self._state
        while words:
            reply, used = self._step(words)
            if reply.choice:
                if used == len(words):
                    return reply
                reply = Reply(note=f"“{' '.join(words[used:])}” is one word too many")
            if reply.note:
                self._state = before
                return reply
            words = words[used:]
        return Reply()

    def _step(self, words: list[str]) -> tuple[Reply, int]:
        """The longest run of leading words that means something now."""
        unclear = ""
        for used in range(len(words), 0, -1):
            text = " ".join(words[:used])
            found = self._match(text)
            if isinstance(found, list) and used < len(words):
                found = self._decided(found, words[used:]) or found
            if isinstance(found, Item):
                return self._pick(found), used
            if text in DONE_WORDS and self.several:
                return self._done(), used
            if text in BACK_WORDS:
                return Reply(note="" if self.back() else "this is the beginning"), used
            if isinstance(found, list):
                found = f"“{text}” could be: {listing([item.label for item in found])}"
            unclear = unclear or found
        return Reply(note=unclear or f"“{words[0]}” is no choice here; ? tells what is not possible, and why"), 0

    def _decided(self, acts: list[Item], words: list[str]) -> Item | None:
        """The only one of these acts with which the words that follow go; or else that knows the first of them."""
        if self._state.prefix:  # of a part's things all that are meant are asked for: what follows is the next part's
            return None
        before, fitting, knowing = self._state, [], []
        for item in acts:
            if not self._pick(item).choice:
                begun = self._state
                if not self._run(words).note:
                    fitting.append(item)
                self._state = begun
                if self._match(words[0]):
                    knowing.append(item)
            self._state = before
        found = fitting or knowing
        return found[0] if len(found) == 1 else None

    def _match(self, text: str) -> Item | list[Item] | str:
        """The item meant, or those that it could be; or why there is none, or "" if nothing looks like it."""
        improper = self._improper(text)
        if improper is not None:
            return Item(-1, text, improper)
        everything = self._all()
        if text.isascii() and text.isdigit():
            for item, why in everything:
                if item.number == int(text):
                    return f"{item.label}: {why}" if why else item
        for fits in (is_, starts, word_starts):
            found = [(item, why) for item, why in everything if fits(item.label.casefold(), text)]
            possible = [item for item, why in found if not why]
            if len(possible) == 1:
                return possible[0]
            if possible:
                return possible
            if found:
                return f"{found[0][0].label}: {found[0][1]}"
        return ""

    def _improper(self, text: str) -> int | None:
        if self._state.prefix:
            return None
        for i, act in enumerate(self.menu.acts):
            if act.improper and not act.why_not and self.words.act_label(self.scene, act).casefold() == text:
                return i
        return None

    def _pick(self, item: Item) -> Reply:
        state = self._state
        if state.confirming:
            if item.pick:
                return Reply(Choice(state.prefix[0], state.prefix[1:]))
            self.back()
            return Reply()
        part = self.part
        if isinstance(part, Some):
            left = tuple(i for i in state.toggled if i != item.pick)
            if len(left) == len(state.toggled):
                high = self._sizes(part)[1]
                if len(left) >= high:
                    return Reply(note=f"no more than {high}; pick one again to put it back")
                left = (*left, item.pick)
            self._state = replace(state, toggled=left)
            return Reply()
        return self._filled((*state.prefix, item.pick))

    def _done(self) -> Reply:
        part, toggled = self.part, self._state.toggled
        if not isinstance(part, Some):
            return Reply()
        low = self._sizes(part)[0]
        if len(toggled) < low:
            return Reply(note=f"at least {low} wanted, {len(toggled)} chosen")
        why = self._misfit(part)
        return Reply(note=why) if why else self._filled((*self._state.prefix, self._toggled(part)))

    def _filled(self, prefix: tuple[Any, ...]) -> Reply:
        """One more part is filled: on to the next, to the confirmation, or it is a choice."""
        act = self.menu.acts[prefix[0]]
        if len(prefix) <= len(act.parts):
            self._state = _State(prefix)
        elif act.improper or self.words.outcome(self.scene, act, self._values(prefix)):
            self._state = _State(prefix, confirming=True)
        else:
            return Reply(Choice(prefix[0], prefix[1:]))
        return Reply()

    # -- help ------------------------------------------------------------------------------------------------------

    def explain(self, about: str = "") -> list[str]:
        """Why what is not offered is not possible, one line a reason; `about` narrows it down to some labels."""
        reasons: dict[str, list[str]] = {}
        meant = self._about(about)
        for item, why in meant:
            if why:
                reasons.setdefault(why, []).append(item.label)
        lines = [f"not possible: {listing(labels)}: {why}" for why, labels in reasons.items()]
        if not self._state.prefix:
            improper = [self.words.act_label(self.scene, a) for a in self.menu.acts if a.improper and not a.why_not]
            improper = [label for label in improper if not about or word_starts(label.casefold(), about)]
            lines += [f"against the rules, but possible: {label} (type it in full)" for label in improper]
        if about and not lines:
            can = listing([str(item) for item, _ in meant])
            return [f"that can be chosen: {can}" if can else f"“{about}” is not here; ? tells all that is not possible"]
        return lines or ["everything that there is can be chosen"]

    def _about(self, about: str) -> list[tuple[Item, str]]:
        """What a number or a word means here; everything for ""."""
        everything = self._all()
        numbered_so = [entry for entry in everything if str(entry[0].number) == about]
        return numbered_so or [entry for entry in everything if word_starts(entry[0].label.casefold(), about)]

    def completions(self, text: str) -> list[str]:
        """What the last, unfinished word of a line can become."""
        start = text.split(" ")[-1].casefold()
        labels = [item.label.casefold() for item in self.items]
        return [label for label in labels if label.startswith(start)] or [
            word for label in labels for word in label.split() if start and word.startswith(start)
        ]
