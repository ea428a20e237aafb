"""Golden playthroughs: whole games as text, so that a change of the rules shows as a change of these files.

For: `python -m tests.playthroughs.generate` writes them all anew; test_playthroughs.py compares. Never: knowledge of
one game, beyond the choice of a seed that makes a telling game.

Theory of operation: sensible and random bots play at a seeded dealer. Each step is written as the request and its
answer, what was told, what changed on the public table (by the difference to the step before), what each seat has come
to know or had to forget, and what whoever is asked is offered. Handles are written #7, known faces #7=2.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from engines import registry
from engines.bots import Bot
from engines.chance import Chance
from engines.dealer import Dealer
from engines.menus import Card, Choice, Menu, Seat
from engines.requests import Open, Promise, Request, Shuffle, Tell, View

HERE = Path(__file__).parent
SEEDS = {"maamut-2": 31, "maamut-3": 33, "maamut-4": 32}
MANY = 60
"""More choices than this are not counted."""


def names() -> list[str]:
    """All playthroughs there should be: `game-seats`."""
    found = []
    for game in registry.GAMES:
        low, high = registry.seat_range(game)
        found += [f"{game}-{seats}" for seats in range(low, high + 1)]
    return found


def plain(value: Any) -> str:
    """A short text of plain data, in a fixed order."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain({f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{plain(k)}: {plain(v)}" for k, v in sorted(value.items(), key=lambda i: plain(i[0])))
            + "}"
        )
    if isinstance(value, set | frozenset):
        return plain(sorted(value))
    if isinstance(value, list | tuple):
        if len(value) > 3 and all(isinstance(item, Card) for item in value) and value[-1] - value[0] == len(value) - 1:
            return f"({value[0]}…{value[-1]})" if list(value) == sorted(value) else f"({' '.join(map(str, value))})"
        return "(" + " ".join(map(plain, value)) + ")"
    return str(value)


def changes(path: str, old: Any, new: Any) -> Iterator[str]:
    """What differs between two plain values, as briefly as it can be said."""
    if old == new and type(old) is type(new):
        return
    if old and isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted({*old, *new}, key=plain):
            if key not in new:
                yield f"{path}.{plain(key)} gone"
            else:
                yield from changes(f"{path}.{plain(key)}", old.get(key), new[key])
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) == len(new) and any(isinstance(item, list | dict) for item in new):
            for i, (before, after) in enumerate(zip(old, new, strict=True)):
                yield from changes(f"{path}.{i}", before, after)
            return
        head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        tail = 0
        while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
        words = [f"- {plain(gone)}" if gone else "", f"+ {plain(come)}" if come else ""]
        yield f"{path} {' '.join(word for word in words if word)} at {head}, {len(new)} in all"
    else:
        yield f"{path} = {plain(new)}"


def snapshot(value: Any) -> Any:
    """A copy of plain data that later changes do not reach."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: snapshot(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: snapshot(item) for key, item in value.items()}
    return [snapshot(item) for item in value] if isinstance(value, list) else value


class Writer:
    """One playthrough as lines."""

    def __init__(self, name: str) -> None:
        game, seats = name.rsplit("-", 1)
        seed = SEEDS.get(name, 1)
        self.lines = [f"# {name}, seed {seed}"]
        self.events: list[Tell] = []
        self.bots: dict[Seat, Bot] = {
            seat: registry.bot(game, seat, Chance(bytes([seed, seat]) * 16), sensible=seat % 2 == 0)
            for seat in range(int(seats))
        }
        self.dealer = Dealer(registry.create(game, int(seats), {}), bytes([seed]) * 32, self.listen)
        self.table: Any = {}
        self.known: dict[Seat, dict[Card, str]] = {seat: {} for seat in self.bots}

    def listen(self, event: Tell) -> None:
        """For the bots and the file."""
        self.events.append(event)
        for bot in self.bots.values():
            bot.notice(event)

    def words(self, menu: Menu, choice: Choice) -> str:
        """A choice, as its maker sees it."""
        decision = menu.decision(choice)
        return " ".join([decision.verb, *map(plain, decision.values.values())])

    def offer(self, seat: Seat, menu: Menu) -> str:
        """What a seat is offered: how many ways there are to do each act, or why there is none."""
        look, can, cannot = self.dealer.run.look(seat), [], []
        for i, act in enumerate(menu.acts):
            why = menu.why_not(look, i)
            if why:
                cannot.append(f"no {act.verb}: {why}")
            elif act.parts:
                one = Menu((act,))
                count = sum(1 for _ in islice(one.choices(look, improper=True), MANY))
                can.append(f"{act.verb}×{count}{'+' * (count == MANY)}{'!' * act.improper}")
            else:
                can.append(act.verb + "!" * act.improper)
        return f"    {seat} may " + ", ".join(can) + "".join(f" | {why}" for why in cannot)

    def request(self, request: Request | None) -> str:
        """A request without what its answer will say anyway."""
        kind = type(request).__name__.lower()
        if isinstance(request, View):
            return f"{kind} " + " ".join(f"{seat}:{plain(cards)}" for seat, cards in sorted(request.looks.items()))
        if isinstance(request, Shuffle | Open):
            return f"{kind} {plain(request.cards)}"
        if isinstance(request, Promise):
            return f"{kind} {request.seat}:{plain(request.cards)} never {plain(request.never)}"
        return kind

    def decide(self, seat: Seat, menu: Menu) -> Choice:
        """The bot's choice, written down."""
        choice = self.bots[seat].choose(self.dealer.run.game, menu, self.dealer.run.look(seat))
        self.lines.append(self.offer(seat, menu))
        self.lines.append(f"    {seat} chooses {self.words(menu, choice)}")
        return choice

    def seen(self) -> None:
        """What has changed since the last step."""
        self.lines += [f"    told {event.kind} {plain(event.data)}" for event in self.events]
        self.events.clear()
        table = snapshot(self.dealer.run.game.table)
        self.lines += [f"    table{line}" for line in changes("", self.table, table)]
        self.table = table
        for seat, known in sorted(self.dealer.run.known.items()):
            before, self.known[seat] = self.known[seat], dict(known)
            come = [f"#{int(card)}={known[card]}" for card in sorted(known) if card not in before]
            gone = [f"#{int(card)}" for card in sorted(before) if card not in known]
            if come or gone:
                lost = f", no longer {' '.join(gone)}" if gone else ""
                self.lines.append(f"    {seat} sees {' '.join(come) or 'nothing new'}{lost}")

    def write(self) -> str:
        """The whole game."""
        self.seen()
        step = 0
        while not self.dealer.run.finished:
            step += 1
            self.lines.append(f"{step} {self.request(self.dealer.run.pending)}")
            opened = isinstance(self.dealer.run.pending, Open) and self.dealer.run.pending.cards
            self.dealer.step(self.decide)
            if opened:
                self.lines.append("    open " + " ".join(f"{card}={self.dealer.truth[card]}" for card in opened))
            self.seen()
        self.lines.append(f"# {plain(self.dealer.run.result)}, {self.dealer.run.requests} requests")
        return "\n".join(self.lines) + "\n"


def main(wanted: list[str]) -> None:
    """Write all playthroughs, or those named."""
    for name in wanted or names():
        (HERE / f"{name}.txt").write_text(Writer(name).write(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
