"""What is worked out while people gather: for the right number of cards, from the seed that the table then has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engines import registry
from p2p.forethought import Forethought, first_shuffle, prepare
from p2p.lobby import Plan
from p2p.store import Profile
from protocol import pool
from protocol.dealing import Shuffle
from protocol.secrets import Secrets

from .nodes import playing, room
from .ring import Ring

TABLE = bytes(range(32))


def plan(game: str, seats: int) -> Plan:
    return Plan(game, seats, registry.options(game, seats, {}), "a table")


@pytest.mark.parametrize(("game", "seats"), [("maamut", 2), ("maamut", 4), ("fungi", 2), ("amnesia", 2)])
def test_the_first_shuffle_has_the_size_that_was_foreseen(game: str, seats: int) -> None:
    ring = Ring(game, seats, seed=3, fifo=True)
    for seat in range(seats):
        ring.pump(seat)
    while not isinstance(shuffle := ring.tables[0].ceremony, Shuffle):
        assert ring.step()
    assert first_shuffle(plan(game, seats)) == shuffle.size


def test_nothing_is_foreseen_of_a_game_in_which_people_decide_before_anything_is_shuffled() -> None:
    assert first_shuffle(plan("amanite", 2)) == 0


@pytest.mark.parametrize("first", [True, False])
def test_what_is_begun_is_what_the_seat_at_the_table_would_make_of_its_seed(tmp_path: Path, first: bool) -> None:
    ahead, thought = Forethought(), plan("maamut", 2)
    prepare(ahead.pool, thought, first)
    cards = first_shuffle(thought)
    profile = Profile.open(tmp_path)
    seed, log = profile.begin(TABLE, ahead.seed)
    log.close()
    profile.close()
    secrets = Secrets(seed, TABLE, 1)
    batch = ahead.pool.take(cards, secrets.public)
    assert batch.start.first == 0
    assert bool(batch.start.faces) == first
    assert replace(batch, start=replace(batch.start, faces=None)) == pool.batch(
        secrets, ahead.pool._salt, 0, cards, secrets.public
    )
    assert ahead.seed == seed != Forethought().seed


@pytest.mark.trio
async def test_a_node_plays_with_what_it_began_while_people_gathered(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        nodes = [await here.host(), here.join("Beto", here.doors["Ana"])]
        await playing(*nodes)
        for seat, node in enumerate(nodes):
            assert node._player is not None
            items = [item for round in node._player.table.session.chain for item in round]
            made = {item.seat: item.body for item in items if item.kind == "shuffle"}
            thought = nodes[seat]._forethought
            assert made[seat]["salt"] == thought.pool._salt
            commitment = next(item.body["seed"] for item in items if item.kind == "commit" and item.seat == seat)
            table = node._player.table.contract.table
            assert commitment == Secrets(thought.seed, table, seat).commitment()
