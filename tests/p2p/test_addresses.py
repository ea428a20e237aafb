"""Addresses as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.addresses import parse_address, show_address, show_to_others


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ana.local", ("ana.local", 4711)),
        (" 10.0.0.7 ", ("10.0.0.7", 4711)),
        ("10.0.0.7:80", ("10.0.0.7", 80)),
        ("[fe80::1%eth0]:80", ("fe80::1%eth0", 80)),
        ("[::1]", ("::1", 4711)),
        ("::1", ("::1", 4711)),
        ("fe80::1%wlan0", ("fe80::1%wlan0", 4711)),
    ],
)
def test_what_is_understood(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text, 4711) == address
    assert parse_address(show_address(address), 1) == address


@pytest.mark.parametrize("text", ["", " ", "host:0", "host:70000", "host:x", "[::1", "[::1]:", "a b", "a:b:c", "[]:1"])
def test_what_is_not(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        parse_address(text, 4711)


@given(st.text(max_size=40))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        host, port = parse_address(text, 4711)
    except ValueError:
        return
    assert host
    assert 0 < port < 65536


def test_an_address_with_a_scope_is_shown_to_others_only_for_want_of_a_better_one() -> None:
    near, far = ("fe80::1%eth0", 80), [("10.0.0.7", 80), ("fd00::7", 80)]
    assert show_to_others([*far, near]) == ["10.0.0.7:80", "[fd00::7]:80"]
    assert show_to_others([near]) == ["[fe80::1%eth0]:80"]
    assert show_to_others([]) == []
