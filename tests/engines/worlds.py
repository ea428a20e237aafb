"""What every game must pass at several tables: replication, and that nobody can tell what they have not seen.

For: `test_conformance.py`, and other Pythons (`python -m tests.engines.worlds GAME:SEATS …` prints a hash of a whole
game). Never: knowledge of one game; anything beyond the standard library.

Theory of operation: replication plays one table with a dealer and, beside it, a Run for each seat that is told what a
peer would be told; all are compared at every step. Secrecy plays world A, then world B with the same dealer, the same
choices and other faces under the handles that one seat never saw; that seat must see the same at every step.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from unittest import mock

from engines import registry
from engines.dealer import BrokenPromise, Dealer
from engines.menus import Card, Choice, Face, Look, Menu, One, Seat
from engines.requests import Ask, Game, Request, Shuffle, Tell, View
from engines.run import IllegalDecision, Run, canonical
from tests.engines.conformance import LIMIT, Broken, Make, Table, Temper, need, seeded


def public(request: Request | None) -> Any:
    """A request as everybody can describe it."""
    if not isinstance(request, Ask):
        return (type(request).__name__, request)
    menus = {
        seat: (
            [[a.verb, a.shows, a.improper, a.why_not, [[p.name, list(p.of)] for p in a.parts]] for a in menu.acts],
            menu.lapse,
        )
        for seat, menu in request.menus.items()
    }
    return ("Ask", menus, request.lead)


def offered(menu: Menu, look: Look, budget: int = 150) -> list[Any]:
    """What a seat is offered, with the reasons for what it is not: breadth first, as far as the budget goes."""
    lines: list[Any] = []
    todo: list[tuple[Any, ...]] = [()]
    while todo and len(lines) < budget:
        prefix = todo.pop(0)
        options = menu.options(look, prefix)
        lines.append([prefix, [[option.pick, option.why_not] for option in options]])
        if not prefix:
            todo += [(option.pick,) for option in options if not option.why_not]
        elif options:
            part = menu.acts[prefix[0]].parts[len(prefix) - 1]
            if isinstance(part, One):
                todo += [(*prefix, option.pick) for option in options if not option.why_not]
                continue
            for pick, _ in zip(part.picks(), range(8), strict=False):
                why = menu.why_not(look, prefix[0], (*prefix[1:], pick))
                lines.append([prefix, pick, why])
                if not why:
                    todo.append((*prefix, pick))
    return lines


# -- (c) replication -----------------------------------------------------------------------------------------------


def check_peers(make: Make, seed: object, steps: int = LIMIT) -> int:
    """(c) A Run for each seat, which is told what is public and its own looks only, is always in the same state.
    Returns the number of steps compared."""
    table, temper = Table(make, seed), Temper(seed)
    told: list[list[Tell]] = [[] for _ in range(table.game.seats)]
    peers = [Run(make(), told[seat].append) for seat in range(table.game.seats)]
    answer = table.run.answer

    def spread(given: Any) -> None:
        request = table.run.pending
        answer(given)
        for seat, peer in enumerate(peers):
            looks = type(request).__name__ == "View"
            peer.answer({seat: given[seat]} if looks and seat in given else {} if looks else given)

    with mock.patch.object(table.run, "answer", spread):
        for step in range(steps):
            digest, pending = table.run.digest(), canonical(public(table.run.pending))
            for seat, peer in enumerate(peers):
                need(peer.digest() == digest, f"step {step}: the table of seat {seat} differs")
                need(canonical(public(peer.pending)) == pending, f"step {step}: seat {seat} waits for something else")
                need(told[seat] == table.events, f"step {step}: seat {seat} was told something else")
                need(peer.known[seat] == table.run.known[seat], f"step {step}: seat {seat} knows something else")
                need(not any(peer.known[other] for other in range(len(peers)) if other != seat), "knows too much")
            if table.run.finished:
                return step
            if isinstance(table.run.pending, Ask):
                for seat, menu in table.run.pending.menus.items():
                    mine = peers[seat].pending
                    need(
                        isinstance(mine, Ask)
                        and offered(mine.menus[seat], peers[seat].look(seat)) == offered(menu, table.run.look(seat)),
                        f"step {step}: seat {seat} is offered something else",
                    )
            table.dealer.step(table.decide(temper))
    return steps


def trace(make: Make, seed: object) -> str:
    """One hash over the table, the requests, the events and the offers of a whole random game."""
    table, temper = Table(make, seed), Temper(seed)
    total = hashlib.sha256()
    while not table.run.finished:
        pending = table.run.pending
        total.update(table.run.digest().encode())
        total.update(canonical(public(pending)).encode())
        if isinstance(pending, Ask):
            total.update(canonical([offered(m, table.run.look(s)) for s, m in sorted(pending.menus.items())]).encode())
        table.dealer.step(table.decide(temper))
    total.update(canonical([table.run.result, table.events]).encode())
    return total.hexdigest()


# -- (d) secrecy ---------------------------------------------------------------------------------------------------


class OtherWorld(Dealer):
    """A dealer whose shuffles come out as ever, but with the faces of some handles exchanged."""

    def __init__(self, game: Game, seed: bytes, listen: Callable[[Tell], None], swaps: Mapping[Card, Card]) -> None:
        self.swaps = swaps
        super().__init__(game, seed, listen)

    def arrange(self, faces: Sequence[Face]) -> list[Face]:
        """Each handle gets what its partner would have got."""
        first, order = len(self.truth), super().arrange(faces)
        return [order[self.swaps.get(Card(first + i), first + i) - first] for i in range(len(order))]


def sight(table: Table, seat: Seat) -> str:
    """All that one seat can see now."""
    run, request = table.run, table.run.pending
    offers = []
    if isinstance(request, Ask):
        # the menus of others are public as far as this seat's look goes, and they say as little about hidden cards
        offers = [offered(menu, run.look(seat), 40) for _, menu in sorted(request.menus.items())]
    events, table.events[:] = list(table.events), []
    return canonical([run.digest(), run.known[seat], public(request), offers, events])


def check_secrecy(make: Make, seed: object, seat: Seat, horizon: int) -> int:
    """(d) Two worlds that differ only in cards hidden from `seat` up to the horizon look the same to it at every step.
    Returns how many handles had another face in the second world (0: nothing was hidden, or a promise forbade it)."""
    first, temper = Table(make, seed), Temper(seed)
    answers: list[Mapping[Seat, Choice]] = []
    sights: list[str] = []
    seen: set[Card] = set()
    born: dict[Card, int] = {}
    while len(sights) < horizon and not first.run.finished:
        sights.append(sight(first, seat))
        request = first.run.pending
        if isinstance(request, View):
            seen.update(request.looks.get(seat, ()))
        if isinstance(request, Ask):
            given = {s: temper.choose(m, first.run.look(s)) for s, m in sorted(request.menus.items())}
            answers.append(given)
            first.run.answer(given)
        else:
            made = len(first.dealer.truth)
            first.dealer.step(lambda *_: Choice(0))
            if isinstance(request, Shuffle):
                seen.update(request.cards)  # their faces went into other handles
                born.update((Card(made + i), made) for i in range(len(request.cards)))
        seen.update(first.run.game.faces, first.run.known[seat])
    sights.append(sight(first, seat))

    chance = seeded("swap", seed, seat)
    swaps: dict[Card, Card] = {}
    for group in sorted(set(born.values())):
        hidden = [card for card in sorted(born) if born[card] == group and card not in seen]
        swaps.update(zip(hidden, chance.shuffled(hidden), strict=True))
    second, given_again = Table(make, seed, OtherWorld, swaps=swaps), iter(answers)
    for step, wanted in enumerate(sights):
        need(sight(second, seat) == wanted, f"step {step}: seat {seat} can tell the two worlds apart")
        if step == len(sights) - 1:
            break
        try:
            if isinstance(second.run.pending, Ask):
                second.run.answer(next(given_again))
            else:
                second.dealer.step(lambda *_: Choice(0))
        except BrokenPromise:
            return 0
        except IllegalDecision as error:
            raise Broken(f"step {step}: legal in one world only, although nothing shown differs: {error}") from error
    return sum(first.dealer.truth[card] != second.dealer.truth[card] for card in swaps)


# -- from outside --------------------------------------------------------------------------------------------------


def maker(name: str) -> Make:
    """`maamut:3` is a game of the registry with three seats, `toys.Toy` one of the test's own."""
    if ":" in name:
        game, seats = name.split(":")
        return lambda: registry.create(game, int(seats), {})
    module, attribute = name.rsplit(".", 1)
    made: Make = getattr(importlib.import_module(f"tests.engines.{module}"), attribute)
    return made


def main(names: Sequence[str]) -> None:
    """One line for each game: its name, and the hash of a game with a fixed seed."""
    for name in names:
        sys.stdout.write(f"{name} {trace(maker(name), 'fixed')}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
