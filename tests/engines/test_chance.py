"""Public chance: the documented stream, computed a second time from its description, and fixed vectors."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chance import Chance

SEED = bytes(range(32))


def stream(seed: bytes, length: int) -> bytes:
    """The bytes of a seed, written from the description."""
    blocks = (
        blake2b(seed + i.to_bytes(8, "little"), digest_size=64, person=b"p2pgame chance").digest()
        for i in range(length // 64 + 1)
    )
    return b"".join(blocks)[:length]


def draws(seed: bytes, bounds: list[int]) -> list[int]:
    """`below` for each bound in turn, written from the description: least bytes, masked, rejected, taken anew."""
    data, at, found = stream(seed, 4096), 0, []
    for n in bounds:
        width = 0
        while 2**width < n:
            width += 1
        size = -(-width // 8)
        while True:
            value = int.from_bytes(data[at : at + size], "little") % 2**width
            at += size
            if value < n:
                found.append(value)
                break
    return found


def test_fixed_vectors() -> None:
    assert stream(SEED, 8).hex() == "b31de76e92599a99"
    chance = Chance(SEED)
    assert [chance.below(n) for n in (6, 256, 257, 65536, 1, 2, 36)] == [3, 29, 231, 22930, 0, 0, 25]
    assert Chance(SEED).shuffled("abcdefghijkl") == list("iafklgejbchd")
    assert Chance(bytes(32)).shuffled(range(10)) == [9, 1, 7, 3, 2, 6, 4, 0, 8, 5]


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 70_000), max_size=60))
def test_below_is_rejection_sampling_on_the_stream(seed: bytes, bounds: list[int]) -> None:
    chance = Chance(seed)
    assert [chance.below(n) for n in bounds] == draws(seed, bounds)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 60))
def test_shuffled_is_fisher_yates_from_the_last_place(seed: bytes, size: int) -> None:
    order = list(range(size))
    for last, other in zip(range(size - 1, 0, -1), draws(seed, list(range(size, 1, -1))), strict=True):
        order[last], order[other] = order[other], order[last]
    assert Chance(seed).shuffled(range(size)) == order


def test_draw_and_pick_take_from_the_same_stream() -> None:
    assert Chance(SEED).draw("abcdefghijkl", 4) == Chance(SEED).shuffled("abcdefghijkl")[:4]
    assert Chance(SEED).pick("abcdef") == "abcdef"[Chance(SEED).below(6)]
    assert Chance(SEED).draw("ab", 5) in (["a", "b"], ["b", "a"])


def test_nothing_is_biased() -> None:
    chance = Chance(SEED)
    counts = Counter(chance.below(6) for _ in range(6000))
    assert sorted(counts) == list(range(6))
    assert all(850 < count < 1150 for count in counts.values())
    firsts = Counter(chance.shuffled("abc")[0] for _ in range(3000))
    assert all(850 < count < 1150 for count in firsts.values())


def test_a_closed_chance_draws_nothing_more() -> None:
    chance = Chance(SEED)
    chance.below(2)
    chance.close()
    for draw in (lambda: chance.below(2), lambda: chance.shuffled("ab"), lambda: chance.pick("abc")):
        with pytest.raises(RuntimeError, match="over"):
            draw()


@pytest.mark.parametrize("n", [0, -1])
def test_a_draw_below_nothing_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="below nothing"):
        Chance(SEED).below(n)


def test_the_input_of_a_shuffle_is_left_alone() -> None:
    items = [3, 1, 2]
    Chance(SEED).shuffled(items)
    assert items == [3, 1, 2]
