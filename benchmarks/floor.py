"""How far the sealed deck is from the least that its group operations cost.

Run it with `python -m benchmarks.floor`. It times each operation of the library, counts how many of each a piece of
work does (by standing in for them in protocol.group), times the work, and prints the ratio of the time to that of the
operations alone. 1.0 would be a program that does nothing else.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from unittest.mock import patch

from protocol import elgamal, group, shuffle
from protocol.ceremony import Context
from protocol.dealing import Promise, View
from protocol.deck import Deck
from protocol.secrets import Secrets

OPERATIONS = {
    "base": "crypto_scalarmult_ed25519_base_noclamp",
    "mul": "crypto_scalarmult_ed25519_noclamp",
    "add": "crypto_core_ed25519_add",
    "sub": "crypto_core_ed25519_sub",
    "gate": "crypto_core_ed25519_is_valid_point",
}
CONTEXT = Context(table=bytes(32), prev=bytes(32), step=0, round=0, seat=0)


def best(work: Callable[[], object], times: int) -> float:
    """Seconds of the fastest of several runs: the others were disturbed."""
    found = []
    for _ in range(times):
        start = perf_counter()
        work()
        found.append(perf_counter() - start)
    return min(found)


def costs() -> dict[str, float]:
    """Seconds of each operation, called as the package calls it."""
    k, p, q = group.Q // 3, group.m(0), group.m(1)
    calls: dict[str, Callable[[], object]] = {
        "base": lambda: group.base(k),
        "mul": lambda: group.mul(k, p),
        "add": lambda: group.add(p, q),
        "sub": lambda: group.sub(p, q),
        "gate": lambda: group.point(p, "p"),
    }
    return {name: best(lambda call=call: [call() for _ in range(50)], 40) / 50 for name, call in calls.items()}  # type: ignore[misc]


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Counts the calls of each operation of the library meanwhile."""
    counts: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def stand_in(*arguments: object) -> object:
            counts[name] += 1
            return function(*arguments)

        return stand_in

    patches = [patch.object(group, long, counted(name, getattr(group, long))) for name, long in OPERATIONS.items()]
    for one in patches:
        one.start()
    try:
        yield counts
    finally:
        for one in patches:
            one.stop()


def line(what: str, n: int, work: Callable[[], object], price: dict[str, float]) -> None:
    """Count, time, print."""
    work()  # the generators, once
    with counting() as counts:
        work()
    floor = sum(price[name] * count for name, count in counts.items())
    took = best(work, 5)
    said = "  ".join(f"{name} {counts[name] / n:5.1f}N" for name in OPERATIONS)
    sys.stdout.write(f"{what:<22}{took * 1e3:7.1f} ms{floor * 1e3:7.1f} ms{took / floor:7.2f}   {said}\n")


def main() -> None:
    """The whole report."""
    group.self_test()
    price = costs()
    report = "  ".join(f"{name} {seconds * 1e6:.1f}" for name, seconds in price.items())
    sys.stdout.write(f"microseconds an operation: {report}\n\n")
    sys.stdout.write(f"{'':<22}{'took':>10}{'floor':>10}{'ratio':>7}   operations\n")
    mine = Secrets(bytes(32), CONTEXT.table, 0)
    joint = group.base(77)
    for n in (36, 84):
        cards = shuffle.mix(CONTEXT, mine, joint, [elgamal.fresh(j, joint) for j in range(n)]).cards

        def make(cards: list[elgamal.Ciphertext] = cards) -> dict[str, object]:
            return shuffle.prove(CONTEXT, mine, joint, cards, shuffle.mix(CONTEXT, mine, joint, cards))

        body = make()
        line(f"shuffle {n}: make", n, make, price)
        line(f"shuffle {n}: check", n, lambda: shuffle.check(CONTEXT, joint, cards, body), price)  # noqa: B023
    deck = Deck(CONTEXT.table, 2)
    other = Secrets(b"\x01" * 32, CONTEXT.table, 1)
    deck.install([mine.public, other.public], [mine.anchor, other.anchor])
    sealed = elgamal.reencrypt(deck.cards(deck.fresh(68)[:1])[0], deck.joint, 5)
    (card,) = deck.append([sealed])
    view = View(deck, {0: [card]})
    context = CONTEXT
    line("view: look", 1, lambda: view.make(context, mine), price)
    look = view.make(context, mine)
    line("view: check the look", 1, lambda: view.check(context, look), price)
    view.accept(0, {0: look}, CONTEXT.prev)
    answering = Context(CONTEXT.table, CONTEXT.prev, 0, 1, 1)
    answer = view.make(answering, other)
    line("view: answer", 1, lambda: view.make(answering, other), price)
    line("view: check an answer", 1, lambda: view.check(answering, answer), price)
    view.accept(1, {1: answer}, CONTEXT.prev)
    promise = Promise(deck, 0, [card], frozenset(range(68)))
    proof = promise.make(context, mine)
    line("promise of 68: make", 68, lambda: promise.make(context, mine), price)
    line("promise of 68: check", 68, lambda: promise.check(context, proof), price)


if __name__ == "__main__":
    main()
