"""What a seat works out before there is a table. Does IO: a thread, random bytes.

For: the node, while people gather. Never: two tables from one master seed, or anything that is wrong if the table turns
out to be another than was thought.

Theory of operation: a shuffle pass consists for the most part of arithmetic that depends on nothing but the master seed
and the number of cards (protocol/pool.py). So the seed is drawn as soon as the node is there; it is good for the one
table that this node will play, whichever that is. The number of cards is found by asking the rules. If it is not the
right one what was worked out is not used.
"""

from __future__ import annotations

import secrets

import trio

from engines import registry
from engines.requests import Deck, Flip, Shuffle
from engines.run import Run
from protocol.pool import SALT, Pool
from protocol.secrets import SEED, Master

from .lobby import Plan
from .reception import Reception


class Forethought:
    """The master seed of one table, and the pool of its passes."""

    def __init__(self) -> None:
        self.seed = secrets.token_bytes(SEED)
        self.pool = Pool(Master(self.seed), secrets.token_bytes(SALT))

    async def prepare(self, reception: Reception) -> None:
        """As soon as it is known what will be played, work ahead for the first shuffle."""
        while (plan := reception.plan) is None:
            await reception.changed.wait()
        await trio.to_thread.run_sync(prepare, self.pool, plan, reception.first, abandon_on_cancel=True)


def prepare(pool: Pool, plan: Plan, first: bool) -> None:
    """Begin a batch for the first shuffle, of a seat that is the `first` to shuffle or is not."""
    if cards := first_shuffle(plan):
        pool.begin(cards, fresh=first)


def first_shuffle(plan: Plan) -> int:
    """How many cards are shuffled first, or 0 if people decide or look at something before that. Errors: BadTable."""
    run = Run(registry.create(plan.game, plan.players, plan.options))
    while isinstance(run.pending, Deck | Flip):
        run.answer(bytes(32) if isinstance(run.pending, Flip) else None)
    return len(run.pending.cards) if isinstance(run.pending, Shuffle) else 0
