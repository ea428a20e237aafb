"""Fuzzing, bounded: every target a moment, always with the same inputs. For longer: `make fuzz`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import guided, targets


@pytest.fixture(scope="module", autouse=True)
def _remembered() -> Iterator[None]:
    with targets.remembering():
        yield


@pytest.mark.parametrize("name", targets.TARGETS)
def test_any_bytes_are_a_message_or_refused(name: str) -> None:
    target = targets.TARGETS[name]
    tried, lines, kept = guided.fuzz(target, seed=1, rounds=target.rounds)
    assert tried == target.rounds
    assert lines
    assert kept >= len(target.seeds())


def test_what_the_fuzzer_is_for_is_found() -> None:
    """A harness that goes wrong behind two bytes that nobody has told the fuzzer."""
    from protocol import handshake

    def fragile(data: bytes) -> None:
        handshake.clip(data.decode("latin-1"))
        if data[:1] == b"\x80":
            handshake.verdict("x")
            assert len(data) != 3, "three bytes"

    with pytest.raises(guided.Found, match=r"(?s)three bytes.* for 80"):
        guided.fuzz(targets.Target(fragile, lambda: [b"\0"]), seed=1, rounds=20_000)


def test_too_much_memory_is_found() -> None:
    def greedy(data: bytes) -> None:
        bytes(5_000_000)

    with pytest.raises(guided.Found, match="bytes of memory"):
        guided.fuzz(targets.Target(greedy, lambda: [b"\0"]), seed=1, rounds=1)
