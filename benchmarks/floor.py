"""How far the sealed deck is from the least that its group operations cost: shuffles, looks, opened cards, promises.

`prepared` is a pass whose batch was made beforehand (protocol/pool.py): what is left between the cards and the proof.
The reference is LibTMCG 1.4.0 (C++, GMP 6.2, a 2048-bit group) with 52 cards, on a two-core machine of this kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import thread_time

from p2p.threads import Threads
from protocol import elgamal, group, pool, shuffle
from protocol.ceremony import Context
from protocol.dealing import Open, Promise, View
from protocol.deck import Deck
from protocol.secrets import Secrets
from protocol.spread import Spread, inline

from .measure import Row, best, costs, counting, floor

PART = "Arithmetic, one thread unless it is said otherwise"
CONTEXT = Context(table=bytes(32), prev=bytes(32), step=0, round=0, seat=0)
MAKE_52, CHECK_52, SHARE = 54.0 + 311.0, 257.0, 3.5


def timed(
    what: str, work: Callable[[], object], *, times: int = 7, reference: float | None = None, worst: float | None = None
) -> Row:
    """Count, time."""
    work()  # the generators, once
    with counting() as counts:
        work()
    took, least = best(work, times, thread_time), floor(counts)
    said = " ".join(f"{name} {count}" for name, count in counts.items())
    return Row(PART, what, took * 1e3, "ms", least * 1e3, reference, worst and worst * least * 1e3, said)


def threaded(what: str, work: Callable[[], object], one: Row, worst: float) -> Row:
    """Beside the time with one thread."""
    return Row(PART, what, best(work, 15) * 1e3, "ms", limit=worst * one.took, note="wall, two threads")


def rows() -> Iterator[Row]:
    """All of them."""
    group.self_test()
    for name, seconds in costs().items():
        yield Row(PART, f"one {name}", seconds * 1e6, "µs")
    yield from shuffles()
    yield from looks()


def shuffles() -> Iterator[Row]:
    """Passes."""
    mine, joint, two = Secrets(bytes(32), CONTEXT.table, 0), group.base(77), Threads(2)
    for n in (36, 54, 84):
        cards = shuffle.mix(CONTEXT, mine, joint, [elgamal.fresh(j, joint) for j in range(n)]).cards
        ready = pool.batch(mine, bytes(16), 0, n, joint)

        def make(
            batch: pool.Batch | None = None, spread: Spread = inline, cards: list[elgamal.Ciphertext] = cards
        ) -> dict[str, object]:
            done = shuffle.mix(CONTEXT, mine, joint, cards, batch=batch, spread=spread)
            return shuffle.prove(CONTEXT, joint, cards, done, spread=spread)

        body = make()

        def check(
            spread: Spread = inline, cards: list[elgamal.Ciphertext] = cards, body: dict[str, object] = body
        ) -> None:
            shuffle.check(CONTEXT, joint, cards, body, spread=spread)

        whole = timed(f"shuffle {n}: make", make, reference=MAKE_52 if n == 54 else None, worst=1.15)
        yield whole
        yield threaded(f"shuffle {n}: make, two threads", lambda: make(spread=two), whole, 0.65)
        online = timed(f"shuffle {n}: make, prepared", partial(make, ready))
        yield Row(PART, online.what, online.took, "ms", online.floor, limit=0.65 * whole.took, note=online.note)
        checked = timed(f"shuffle {n}: check", check, reference=CHECK_52 if n == 54 else None, worst=1.15)
        yield checked
        yield threaded(f"shuffle {n}: check, two threads", lambda: check(two), checked, 0.65)


def looks() -> Iterator[Row]:
    """One card, seen by one seat or by all."""
    mine, other = Secrets(bytes(32), CONTEXT.table, 0), Secrets(b"\x01" * 32, CONTEXT.table, 1)
    deck = Deck(CONTEXT.table, 2)
    deck.install([mine.public, other.public], [mine.anchor, other.anchor])
    seal = elgamal.Ciphertext(group.base(5), group.mul(5, deck.joint))
    sealed = elgamal.added(deck.cards(deck.fresh(68)[:1])[0], seal)
    (card,) = deck.append([sealed])
    view = View(deck, {0: [card]})
    yield timed("view: look", lambda: view.make(CONTEXT, mine), times=25)
    look = view.make(CONTEXT, mine)
    yield timed("view: check the look", lambda: view.check(CONTEXT, look), times=25)
    view.accept(0, {0: look}, CONTEXT.prev)
    answering = Context(CONTEXT.table, CONTEXT.prev, 0, 1, 1)
    answer = view.make(answering, other)
    yield timed("view: answer", lambda: view.make(answering, other), times=25)
    yield timed("view: check an answer", lambda: view.check(answering, answer), times=25)
    view.accept(1, {1: answer}, CONTEXT.prev)
    opening = Open(deck, [card])
    share = opening.make(CONTEXT, mine)

    def both() -> None:
        opening.make(CONTEXT, mine)
        opening.check(CONTEXT, share)

    yield timed("open: share and check of one card", both, times=25, reference=SHARE)
    promise = Promise(deck, 0, [card], frozenset(range(68)))
    proof = promise.make(CONTEXT, mine)
    yield timed("promise, one of 68 faces: make", lambda: promise.make(CONTEXT, mine))
    yield timed("promise, one of 68 faces: check", lambda: promise.check(CONTEXT, proof))
