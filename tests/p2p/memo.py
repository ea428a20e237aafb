"""Arithmetic that is done once: in one process all seats compute the same products and check the same signatures.

For: tests in which many whole games are played, or one many times. Never: a check left out, or a result that depends on
who asks. Each call goes through all code of its own; only where that comes to a function of bytes alone, in libsodium
or OpenSSL, the bytes of the result may be those of an earlier call with the very same bytes. Errors are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import pytest

from protocol import contribution, group, identity

KEPT = 1 << 16
"""Results of each function; those that were used last. A long game takes some thousands."""
POINTS = (
    "crypto_core_ed25519_add",
    "crypto_core_ed25519_sub",
    "crypto_core_ed25519_is_valid_point",
    "crypto_scalarmult_ed25519_base_noclamp",
    "crypto_scalarmult_ed25519_noclamp",
)


def _kept(function: Callable[..., Any]) -> Callable[..., Any]:
    kept = lru_cache(KEPT)(function)

    def once(*given: object) -> Any:
        if all(isinstance(one, bytes | str) for one in given):
            return kept(*given)
        return function(*given)  # what somebody sends in their place

    return once


@contextmanager
def once() -> Iterator[None]:
    """Inside, each of these is computed once."""
    with pytest.MonkeyPatch.context() as patch:
        for name in POINTS:
            patch.setattr(group, name, _kept(getattr(group, name)))
        patch.setattr(contribution, "verify", _kept(identity.verify))
        yield
