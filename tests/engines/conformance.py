"""What every game must pass at one table, whatever its rules: legality, lapses, card count, an end.

For: `test_conformance.py`, which runs it over all games, and whoever writes a new one; worlds.py has the checks that
compare several tables. Never: knowledge of one game; anything beyond the standard library, since other Pythons import
this file too.

Theory of operation: a check takes a `Make`, which builds a fresh game, and a seed; it plays with a `Temper`, a random
player that shuns some verbs in each game, so that rare acts are reached and long games too; and it raises Broken.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engines.chance import Chance
from engines.dealer import Dealer, Decide
from engines.menus import Choice, Hidden, Illegal, Look, Menu, One, Seat
from engines.requests import Ask, Game, Tell
from engines.run import IllegalDecision, Run

Make = Callable[[], Game]
LIMIT = 60_000
"""No game asks for more."""


class Broken(AssertionError):
    """A game does not keep the contract."""


def need(holds: object, what: str) -> None:
    """Errors: Broken."""
    if not holds:
        raise Broken(what)


def seeded(*parts: object) -> Chance:
    """Luck of its own for each purpose."""
    return Chance(hashlib.sha256(repr(parts).encode()).digest())


class Temper:
    """A random player for all seats. In each game it shuns some verbs as long as it can do anything else."""

    def __init__(self, seed: object, *, improper: bool = True) -> None:
        self.chance = seeded("temper", seed)
        self.improper = improper
        self.shunned: dict[str, bool] = {}

    def shuns(self, verb: str) -> bool:
        """Decided at the first sight of a verb."""
        if verb not in self.shunned:
            self.shunned[verb] = self.chance.below(3) == 0
        return self.shunned[verb]

    def choose(self, menu: Menu, look: Look) -> Choice:
        """A legal choice, an improper one now and then."""
        choice = menu.lapse
        for _ in range(4):
            improper = self.improper and self.chance.below(4) == 0
            choice = menu.sample(self.chance, look, improper=improper)
            if not self.shuns(menu.acts[choice.act].verb):
                break
        return choice


class Table:
    """A game at a dealer, its events, and how far it is."""

    def __init__(self, make: Make, seed: object, dealer: type[Dealer] = Dealer, **more: Any) -> None:
        self.events: list[Tell] = []
        self.seed = hashlib.sha256(repr(("deal", seed)).encode()).digest()
        self.dealer = dealer(make(), self.seed, self.events.append, **more)
        self.run = self.dealer.run
        self.game = self.run.game
        if hasattr(self.game, "peek"):
            self.game.peek = self.dealer.truth

    def decide(self, temper: Temper) -> Decide:
        """The temper with each seat's own look."""
        return lambda seat, menu: temper.choose(menu, self.run.look(seat))


# -- (a) legality --------------------------------------------------------------------------------------------------


def garbage(menu: Menu, chance: Chance) -> Iterator[Choice]:
    """Choices that are of no menu's form."""
    act = chance.below(len(menu.acts))
    parts = len(menu.acts[act].parts)
    yield from (Choice(-1), Choice(len(menu.acts)), Choice(act, (0,) * (parts + 1)))
    yield from (Choice(True), Choice(act, tuple([None] * parts) if parts else (0,)))
    for i, part in enumerate(menu.acts[act].parts):
        good = next(part.picks(), 0 if isinstance(part, One) else ())
        bad: list[Any] = (
            [-1, len(part.of), 1.0, "0", None] if isinstance(part, One) else [0, (-1,), (len(part.of),), "0"]
        )
        if not isinstance(part, One):
            bad += [(0, 0), tuple(range(part.high + 1)), (True,)]
        for pick in bad:
            yield Choice(act, tuple(pick if j == i else good for j in range(parts)))


def any_pick(menu: Menu, chance: Chance) -> Choice | None:
    """A choice of the right form, legal or not."""
    act = chance.below(len(menu.acts))
    picks: list[Any] = []
    for part in menu.acts[act].parts:
        if isinstance(part, One):
            if not part.of:
                return None
            picks.append(chance.below(len(part.of)))
        else:
            high = min(part.high, len(part.of))
            if part.low > high:
                return None
            drawn = chance.draw(range(len(part.of)), part.low + chance.below(high - part.low + 1))
            picks.append(tuple(drawn if part.ordered else sorted(drawn)))
    return Choice(act, tuple(picks))


def check_refusals(make: Make, seed: object, steps: int = LIMIT) -> int:
    """(a) What is no legal choice is refused, and nothing changes; what only the opened card shows to be illegal is
    refused once it is open. Returns how many illegal picks of the right form were tried."""
    table, temper, chance = Table(make, seed), Temper(seed), seeded("garbage", seed)
    log: list[Mapping[Seat, Choice]] = []
    late: list[tuple[int, Seat, Choice]] = []
    tried = 0
    for _ in range(steps):
        run, request = table.run, table.run.pending
        if run.finished:
            break
        if not isinstance(request, Ask):
            table.dealer.step(table.decide(temper))
            continue
        given = {seat: temper.choose(menu, run.look(seat)) for seat, menu in sorted(request.menus.items())}
        before, told = run.digest(), len(table.events)
        for seat, menu in sorted(request.menus.items()):
            wrong = list(garbage(menu, chance)) if chance.below(6) == 0 else []
            for _ in range(6):
                choice = any_pick(menu, chance)
                if choice is None or not menu.judge(run.look(seat), choice):
                    continue
                tried += 1
                if run.refusal(seat, choice):
                    wrong.append(choice)
                elif len(request.menus) == 1:
                    late.append((len(log), seat, choice))
            for choice in wrong:
                need(run.refusal(seat, choice), f"{choice} of seat {seat} is not refused")
                try:
                    run.answer({**given, seat: choice})
                except IllegalDecision as error:
                    need(error.seat == seat, f"the wrong seat is blamed for {choice}")
                else:
                    raise Broken(f"{choice} of seat {seat} is carried out")
        for seat in range(table.game.seats):
            if seat not in request.menus:
                need(run.refusal(seat, Choice(0)), f"seat {seat} is not asked and yet may decide")
        need(run.digest() == before and len(table.events) == told, "a refused choice has changed the table")
        log.append(given)
        run.answer(given)
    if late:
        _judged_late(make, seed, log, chance.pick(late))
    return tried


def _judged_late(
    make: Make, seed: object, log: Sequence[Mapping[Seat, Choice]], case: tuple[int, Seat, Choice]
) -> None:
    """Play again up to a choice that only its opened cards show to be illegal."""
    at, seat, choice = case
    table, answers = Table(make, seed), iter(log[:at])
    while True:
        if isinstance(table.run.pending, Ask):
            given = next(answers, None)
            if given is None:
                break
            table.run.answer(given)
        else:
            table.dealer.step(lambda *_: Choice(0))
    told = len(table.events)
    try:
        table.run.answer({seat: choice})
        table.dealer.step(lambda *_: Choice(0))
    except IllegalDecision as error:
        need(error.seat == seat, "the wrong seat is blamed")
        need(len(table.events) == told, "the rules went on before the choice was judged")
    else:
        raise Broken(f"{choice} of seat {seat} is carried out although its own look forbids it")


# -- (b) lapses, (e) card count, (f) an end ------------------------------------------------------------------------


def check_lapse(run: Run) -> None:
    """What silence counts as is proper, and legal for all to see."""
    if isinstance(run.pending, Ask):
        for seat, menu in run.pending.menus.items():
            try:
                menu.parse(menu.lapse.act, menu.lapse.picks)
                why = menu.judge(run.look(), menu.lapse, final=True)
            except (Illegal, Hidden) as error:
                why = f"{type(error).__name__} {error}"
            need(not why, f"the lapse of seat {seat} is not legal: {why}")
            need(not menu.acts[menu.lapse.act].improper, f"the lapse of seat {seat} is improper")


def check_cards(run: Run) -> None:
    """Every card that exists lies in one place."""
    counted = Counter(run.game.cards())
    need(all(n == 1 for n in counted.values()), f"cards in two places: {[c for c, n in counted.items() if n > 1]}")
    if run.result is None or not run.finished:
        need(set(counted) == run.live, f"cards gone or made up: {sorted(set(counted) ^ run.live)}")


def check_silence(make: Make, seed: object) -> int:
    """(b) A game in which everybody is always silent ends. Returns the number of requests."""
    table = Table(make, seed)
    for _ in range(LIMIT):
        if table.run.finished:
            return table.run.requests
        check_lapse(table.run)
        table.dealer.step(lambda _, menu: menu.lapse)
    raise Broken("a game of silence does not end")


def check_play(make: Make, seed: object) -> Run:
    """(b), (e), (f) at every step of a random game with improper acts: lapses, card count, and an end."""
    table, temper = Table(make, seed), Temper(seed)
    for _ in range(LIMIT):
        if table.run.finished:
            result = table.run.result
            need(result is not None, "no result")
            if result is not None:
                need(len(result.scores) == table.game.seats, "a score, or None, for each seat")
                need(all(0 <= w < table.game.seats for w in result.winners), "winners are seats")
            return table.run
        check_cards(table.run)
        check_lapse(table.run)
        table.dealer.step(table.decide(temper))
    raise Broken("a random game does not end")
