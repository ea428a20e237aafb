"""Times, counts and lines of a report, for all benchmarks.

A floor is what the library's operations in a piece of work take alone: their number, counted by standing in for them in
protocol.group, and the links of flip chains that are worked out; times what each takes, measured in the same run. 1.0
would be a program that does nothing else. Times of arithmetic are processor times of one thread, so that other programs
disturb them less; the fastest of several runs is taken, because the others were disturbed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from time import perf_counter, thread_time
from typing import Any
from unittest.mock import patch

from protocol import flips, group, identity, limits

OPERATIONS = {
    "base": "crypto_scalarmult_ed25519_base_noclamp",
    "mul": "crypto_scalarmult_ed25519_noclamp",
    "add": "crypto_core_ed25519_add",
    "sub": "crypto_core_ed25519_sub",
    "gate": "crypto_core_ed25519_is_valid_point",
}
Price = dict[str, float]
AGAIN = 5.0
"""Seconds until the prices are looked at again."""


def best(work: Callable[[], object], times: int, clock: Callable[[], float] = perf_counter) -> float:
    """Seconds of the fastest of several runs."""
    found = []
    for _ in range(times):
        start = clock()
        work()
        found.append(clock() - start)
    return min(found)


_found: Price = {}
_until = 0.0


def costs() -> Price:
    """Seconds of each operation, called as the package calls it. Measured anew every so often, and the least counts: a
    machine that is slow for a moment must not make a floor high."""
    global _until
    if perf_counter() > _until:
        for name, took in _measured().items():
            _found[name] = min(took, _found.get(name, took))
        _until = perf_counter() + AGAIN
    return _found


def _calls() -> dict[str, Callable[[], object]]:
    """Each operation, once, called as the package calls it; "link" is a whole chain of them."""
    k, p, q = group.Q // 3, group.m(0), group.m(1)
    me, message = identity.Identity(bytes(32)), bytes(300)
    signature = me.sign("contribution", message)
    return {
        "base": lambda: group.base(k),
        "mul": lambda: group.mul(k, p),
        "add": lambda: group.add(p, q),
        "sub": lambda: group.sub(p, q),
        "gate": lambda: group.point(p, "p"),
        "verify": lambda: identity.verify(me.public, "contribution", message, signature),
        "link": lambda: flips.chain(bytes(32), 0, bytes(32)),
    }


def _repeated(call: Callable[[], object], times: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(times):
            call()

    return work


def _measured() -> Price:
    calls = _calls()
    link = best(calls.pop("link"), 40, thread_time) / limits.FLIPS
    return {"link": link} | {name: best(_repeated(call, 50), 40, thread_time) / 50 for name, call in calls.items()}


def bare(counts: Counter[str]) -> Callable[[], None]:
    """Work that does these operations and nothing else. Beside long work it makes a fairer floor than prices: what
    disturbs a second of one disturbs a second of the other."""
    calls = _calls()
    works = [_repeated(calls[name], n // (limits.FLIPS if name == "link" else 1)) for name, n in counts.items()]

    def work() -> None:
        for one in works:
            one()

    return work


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Counts the operations of the library meanwhile, in this process."""
    counts: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def stand_in(*arguments: object) -> Any:
            counts[name] += 1
            return function(*arguments)

        return stand_in

    patches = [patch.object(group, long, counted(name, getattr(group, long))) for name, long in OPERATIONS.items()]
    from protocol import contribution

    def chained(*arguments: Any) -> list[bytes]:
        counts["link"] += limits.FLIPS
        return chain(*arguments)

    chain = flips.chain
    patches.append(patch.object(flips, "chain", chained))
    patches.append(patch.object(contribution, "verify", counted("verify", identity.verify)))
    for one in patches:
        one.start()
    try:
        yield counts
    finally:
        for one in patches:
            one.stop()


def floor(counts: Counter[str]) -> float:
    """Seconds that so many operations take alone."""
    return sum(costs()[name] * count for name, count in counts.items())


@dataclass(frozen=True)
class Row:
    """One figure, in `unit`. `floor` is the least that is possible, `reference` what another program takes, `limit` the
    most that it may be."""

    part: str
    what: str
    took: float
    unit: str = "ms"
    floor: float | None = None
    reference: float | None = None
    limit: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the floor."""
        return self.took / self.floor if self.floor else None

    @property
    def ahead(self) -> float | None:
        """How many times as fast as the reference."""
        return self.reference / self.took if self.reference and self.took else None

    def json(self) -> dict[str, Any]:
        """For machines."""
        return {**asdict(self), "ratio": self.ratio, "ahead": self.ahead}

    def line(self) -> str:
        """For people."""

        def cell(value: float | None, width: int, digits: int = 1, mark: str = "") -> str:
            return f"{'' if value is None else f'{value:.{digits}f}{mark}':>{width}}"

        digits = 1 if max(self.took, self.limit or 0) >= 10 else 2
        return (
            f"{self.what:<44}{cell(self.took, 9, digits)} {self.unit:<6}{cell(self.floor, 9, digits)}"
            f"{cell(self.ratio, 7, 2)}{cell(self.limit, 9, digits)}{cell(self.reference, 10)}"
            f"{cell(self.ahead, 7, 1, '×')}  {self.note}"
        ).rstrip()


HEAD = f"{'':<44}{'took':>9} {'':<6}{'floor':>9}{'ratio':>7}{'limit':>9}{'reference':>10}{'ahead':>7}"


def report(part: str, rows: Iterator[Row]) -> list[Row]:
    """Print rows as they come."""
    sys.stdout.write(f"\n{part}\n{HEAD}\n")
    found = []
    for row in rows:
        found.append(row)
        sys.stdout.write(row.line() + "\n")
        sys.stdout.flush()
    return found
