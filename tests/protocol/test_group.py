from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_is_valid_point,
    crypto_scalarmult_ed25519_noclamp,
)

from protocol import group, limits
from protocol.errors import Malformed, Misuse, Refused
from protocol.group import IDENTITY, G, Point, Q
from protocol.spread import inline

from .mutate import NON_CANONICAL, TORSION
from .spreads import backwards

P, R = group.m(1), group.h(1)


def test_self_test_holds() -> None:
    group.self_test()


@pytest.mark.parametrize("broken", [lambda _: True, lambda _: False, lambda p: p != TORSION[3]])
def test_self_test_finds_a_gate_that_lets_through(monkeypatch: pytest.MonkeyPatch, broken: object) -> None:
    monkeypatch.setattr(group, "crypto_core_ed25519_is_valid_point", broken)
    with pytest.raises(group.UnsafeLibrary):
        group.self_test()


def test_self_test_finds_the_hole_that_pynacl_once_had(monkeypatch: pytest.MonkeyPatch) -> None:
    marked = crypto_core_ed25519_add(G, TORSION[3])
    monkeypatch.setattr(
        group, "crypto_core_ed25519_is_valid_point", lambda p: p == marked or crypto_core_ed25519_is_valid_point(p)
    )
    with pytest.raises(group.UnsafeLibrary):
        group.self_test()


@pytest.mark.parametrize("lets", [lambda _: True, lambda p: p == crypto_core_ed25519_add(G, TORSION[3])])
def test_self_test_finds_a_multiplication_that_lets_through(
    monkeypatch: pytest.MonkeyPatch, lets: Callable[[bytes], bool]
) -> None:
    real = crypto_scalarmult_ed25519_noclamp
    monkeypatch.setattr(group, "crypto_scalarmult_ed25519_noclamp", lambda k, p: bytes(32) if lets(p) else real(k, p))
    with pytest.raises(group.UnsafeLibrary):
        group.self_test()


def test_the_small_points_are_all_of_them() -> None:
    assert len(set(TORSION)) == 7
    assert IDENTITY not in TORSION
    assert crypto_core_ed25519_add(TORSION[-1], group.ORDER_8) == IDENTITY


@pytest.mark.parametrize("torsion", TORSION)
def test_gate_refuses_small_order_and_torsion(torsion: bytes) -> None:
    for point in (torsion, crypto_core_ed25519_add(G, torsion), crypto_core_ed25519_add(P, torsion)):
        with pytest.raises(Refused, match="share 3: not a point"):
            group.point(point, "share 3")


@pytest.mark.parametrize(
    "data",
    [
        bytes(IDENTITY),
        b"\x01" + bytes(30) + b"\x80",
        (2**255 - 18).to_bytes(32, "little"),
        (2**255 - 19).to_bytes(32, "little"),
        NON_CANONICAL,
        b"\x02" + bytes(31),
        b"\xff" * 32,
    ],
)
def test_gate_refuses_what_is_no_point(data: bytes) -> None:
    with pytest.raises(Refused):
        group.point(data, "x")


@pytest.mark.parametrize("value", [None, 5, "x" * 32, b"", bytes(31), bytes(33), bytearray(G), [G], True])
def test_gate_and_scalars_refuse_what_is_not_32_bytes(value: object) -> None:
    for gate in (group.point, group.scalar):
        with pytest.raises(Malformed, match=r"^x: "):
            gate(value, "x")


@given(st.binary(min_size=32, max_size=32))
@settings(deadline=None)
def test_gate_answers_or_refuses(data: bytes) -> None:
    try:
        point = group.point(data, "x")
    except Refused:
        return
    assert group.mul(Q - 1, point) == group.sub(IDENTITY, point)


def test_scalars_are_below_the_order() -> None:
    assert group.scalar((Q - 1).to_bytes(32, "little"), "x") == Q - 1
    assert group.scalar(bytes(32), "x") == 0
    for k in (Q, Q + 1, 2**256 - 1):
        with pytest.raises(Refused, match="x: not below"):
            group.scalar(k.to_bytes(32, "little"), "x")


def test_lists_have_exactly_their_length_and_name_the_bad_one() -> None:
    good = [bytes(P), bytes(R)]
    assert group.points(b"".join(good), 2, "x") == good
    assert group.checked(b"".join(good)) == good
    assert group.scalars(bytes(64), 2, "x") == [0, 0]
    for data in (good[0], b"".join(good) + b"\0", b"".join(good) + good[0]):
        with pytest.raises(Malformed):
            group.points(data, 2, "x")
        with pytest.raises(Malformed):
            group.scalars(data, 2, "x")
    with pytest.raises(Refused, match="x 1: "):
        group.points(good[0] + TORSION[0], 2, "x")
    with pytest.raises(Refused, match="x 1: "):
        group.scalars(bytes(32) + b"\xff" * 32, 2, "x")


BAD = [bytes(IDENTITY), NON_CANONICAL, b"\x02" + bytes(31), b"\xff" * 32, *TORSION]
BAD += [crypto_core_ed25519_add(P, torsion) for torsion in TORSION]


@pytest.mark.parametrize("k", [0, 1, Q - 1, Q, Q // 3])
@pytest.mark.parametrize("bad", BAD)
def test_one_bad_point_among_good_ones_is_found_by_multiplying_and_named(k: int, bad: bytes) -> None:
    good = [bytes(group.m(j)) for j in range(30)]
    for at in (0, 17, 30):
        claims = group.claims(b"".join([*good[:at], bad, *good[at:]]), 31, "x")
        with pytest.raises(Refused, match=f"x {at}: not a point"):
            group.sift([5] * at + [k] + [7] * (30 - at), claims, "x")
    with pytest.raises(Refused, match="x 8: not a point"):
        group.sift([k], [group.claims(bad, 1, "x")[0]], "x", [8])


@given(st.binary(min_size=32, max_size=32), st.integers(0, Q))
@settings(deadline=None)
def test_multiplying_lets_through_what_the_gate_lets_through(data: bytes, k: int) -> None:
    (claim,) = group.claims(data, 1, "x")
    try:
        point = group.point(data, "x")
    except Refused:
        with pytest.raises(Refused):
            group.sift([k], [claim], "x")
    else:
        assert group.sift([k], [claim], "x") == group.mul(k, point)


@pytest.mark.parametrize("n", [0, 1, 12, 13, 40])
def test_sums_are_the_same_however_they_are_shared_out(n: int) -> None:
    points, scalars = [group.m(j % 30) for j in range(n)], [(-3) ** j for j in range(n)]
    one_by_one = group.total(group.mul(k, p) for k, p in zip(scalars, points, strict=True))
    rows = [group.own(scalars, points), [], group.foreign(scalars, points, "x"), group.own(scalars[:1], points[:1])]
    for spread in (inline, backwards):
        assert group.sums(rows, spread) == [one_by_one, IDENTITY, one_by_one, group.dot(scalars[:1], points[:1])]
    assert group.dot(scalars, points) == group.sift(scalars, points, "x") == one_by_one


def test_the_first_of_several_bad_points_is_named_however_the_work_is_shared_out() -> None:
    data = b"".join(TORSION[0] if j in (14, 15, 37) else group.m(j) for j in range(40))
    row = group.foreign([3] * 40, group.claims(data, 40, "x"), "x")
    other = group.foreign([3] * 40, group.claims(data, 40, "y"), "y")
    for spread in (inline, backwards):
        with pytest.raises(Refused, match="x 14: "):
            group.sums([row, other], spread)


def test_a_point_that_comes_twice_is_multiplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Point] = []
    real = group.mul

    def counted(k: int, p: Point) -> Point:
        calls.append(p)
        return real(k, p)

    monkeypatch.setattr(group, "mul", counted)
    assert group.dot([2, 3, 5], [P, R, P]) == group.add(real(7, P), real(3, R))
    assert calls == [P, R]


def test_operations_are_total() -> None:
    assert group.mul(0, P) == group.mul(Q, P) == group.mul(5, IDENTITY) == IDENTITY
    assert group.base(0) == group.base(Q) == group.mul(0, G) == IDENTITY
    assert group.sub(P, P) == group.add(P, group.mul(-1, P)) == IDENTITY
    assert group.add(P, IDENTITY) == group.add(IDENTITY, P) == group.sub(P, IDENTITY) == P
    assert group.sub(IDENTITY, P) == group.mul(Q - 1, P)
    assert group.add(IDENTITY, IDENTITY) == group.sub(IDENTITY, IDENTITY) == IDENTITY
    assert group.total([]) == group.dot([], []) == IDENTITY
    assert group.dot([1, -1], [P, P]) == IDENTITY


@given(st.integers(-(2**260), 2**260), st.integers(0, Q))
@settings(deadline=None, max_examples=25)
def test_operations_obey_the_laws_of_a_group(k: int, n: int) -> None:
    assert group.mul(k + n, P) == group.add(group.mul(k, P), group.mul(n, P))
    assert group.mul(k, group.mul(n, P)) == group.mul(n * k, P)
    assert group.base(k) == group.mul(k, G)
    assert group.sub(group.add(P, group.base(n)), P) == group.base(n)
    assert group.dot([k, n], [P, R]) == group.total([group.mul(k, P), group.mul(n, R)])
    assert group.scalar(group.scalar_bytes(k), "x") == k % Q
    assert group.scalars(group.packed([k, n]), 2, "x") == [k % Q, n % Q]


def test_no_exception_of_the_library_comes_out() -> None:
    bad = Point(b"\x02" + bytes(31))
    attempts: list[Callable[[], object]] = [
        lambda: group.mul(5, bad),
        lambda: group.add(P, bad),
        lambda: group.add(bad, P),
        lambda: group.sub(P, bad),
        lambda: group.mul(5, Point(b"short")),
        lambda: group.add(P, Point(b"short")),
        lambda: group.sub(P, Point(b"short")),
    ]
    for attempt in attempts:
        with pytest.raises(Misuse):
            attempt()


def test_generators_are_distinct_members_and_bounded() -> None:
    found = [G, *(group.h(i) for i in range(20)), *(group.m(j) for j in range(100))]
    assert len(set(found)) == len(found)
    assert [group.point(point, "x") for point in found] == found
    for family, end in ((group.h, limits.MAX_CARDS + 1), (group.m, limits.MAX_DECK)):
        for index in (-1, end):
            with pytest.raises(Misuse):
                family(index)


def test_a_generator_is_never_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "crypto_core_ed25519_from_uniform", lambda _: bytes(IDENTITY))
    group.m.cache_clear()
    with pytest.raises(Misuse):
        group.m(3)
