"""The argument that committed scalars are known ones in another order, by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from protocol import group, known, pool, vectors
from protocol.ceremony import Body, Context
from protocol.errors import Malformed, Refused
from protocol.group import IDENTITY, Q
from protocol.hashing import Transcript
from protocol.secrets import Master

from .table import table_id

CONTEXT = Context(table=table_id("table"), prev=table_id("prev"), step=2, round=1, seat=1)


def argue(committed: Sequence[int], shifted: Sequence[int] = ()) -> tuple[Body, list[list[group.Term]]]:
    """An argument for these scalars, and the commitment to them less `shifted`."""
    n = len(committed)
    blinds = [5 + row for row in range(vectors.shape(n)[0])]
    made = pool.start(Master(table_id("seed")), bytes(16), 0, n).announced
    less = [(a - b) % Q for a, b in zip(committed, shifted or [0] * n, strict=True)]
    (points,) = vectors.commit([(less, blinds)])
    body = known.prove(Transcript(CONTEXT, "known"), committed, blinds, made)
    return body, [[(1, point, "")] for point in points]


def holds(body: Body, contents: Sequence[int], given: list[list[group.Term]], shifted: Sequence[int] = ()) -> bool:
    argument = known.read(body, len(contents), "known")
    plain = shifted or [0] * len(contents)
    terms, right = argument.check(Transcript(CONTEXT, "known"), contents, given, plain)
    return right and group.sums([terms]) == [IDENTITY]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 11, 31])
def test_any_scalars_in_any_order_are_accepted_and_no_others(n: int) -> None:
    contents = [i * i + 7 for i in range(n)]  # not distinct from what another list could have
    for committed in (contents, contents[::-1], [*contents[1:], contents[0]]):
        body, given = argue(committed)
        assert holds(body, contents, given)
        assert not holds(body, [*contents[:-1], contents[-1] + 1], given)
        if n > 1:
            assert not holds(body, [contents[1], *contents[1:]], given)


def test_how_often_a_scalar_comes_counts() -> None:
    body, given = argue([4, 9, 4])
    assert holds(body, [4, 4, 9], given)
    assert not holds(body, [4, 9, 9], given)
    assert not holds(body, [6, 6, 4], given)  # the same product and the same number of them


def test_a_part_of_what_is_committed_to_may_be_plain() -> None:
    shifted = list(range(100, 112))
    committed = [3 * i for i in range(12)]
    body, given = argue(committed, shifted)
    assert holds(body, committed[::-1], given, shifted)
    assert not holds(body, committed[::-1], given)


def test_a_form_that_is_not_its_own_is_refused_by_name() -> None:
    body, _ = argue([1, 2, 3])
    with pytest.raises(Malformed, match="known: field 'more'"):
        known.read({**body, "more": b""}, 3, "known")
    for field in body:
        with pytest.raises(Malformed, match=f"known {field}"):
            known.read({**body, field: body[field] + body[field][:32]}, 3, "known")
    for field in ("f", "g", "z"):
        with pytest.raises(Refused, match=f"known {field} 0: not below"):
            known.read({**body, field: b"\xff" * 32 + body[field][32:]}, 3, "known")
