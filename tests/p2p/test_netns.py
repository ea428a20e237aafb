"""Two machines on a network: tables are found by multicast, called at every address, and lost when they are gone.

How long that takes is the machine's affair; on one that is idle it is 1 to 7 seconds. That a peer counts as gone after
4 s of silence is tested on a clock of its own (test_silence.py).
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.netns import Lan, lan, unavailable

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "namespaces can be made")

PATIENCE = 60.0
"""Seconds until a test that waits in vain fails."""


@pytest.fixture(autouse=True)
def _every_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("P2PGAME_INTERFACES", raising=False)


class Program:
    """A program on a machine, and what it has said that nobody has asked for yet."""

    def __init__(self, net: Lan, machine: int, role: str) -> None:
        self._process = net.start(machine, [sys.executable, "-W", "error", "-m", "tests.p2p.machine", role])
        self._said: list[dict[str, Any]] = []

    def wait(self, key: str, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """The next thing of that kind that it says and that fits; earlier ones of the kind are passed over."""
        while True:
            value = self._next(key)
            if fits(value):
                return value

    def _next(self, key: str) -> Any:
        found = next((values for values in self._said if key in values), None)
        if found is not None:
            self._said.remove(found)
            return found[key]
        assert self._process.stdout
        end = threading.Timer(PATIENCE, self.kill)
        end.start()
        try:
            for line in self._process.stdout:
                values: dict[str, Any] = json.loads(line)
                if key in values:
                    return values[key]
                self._said.append(values)
        finally:
            end.cancel()
        pytest.fail(f"the program has ended, or waited in vain, before it said {key!r}")

    def kill(self) -> None:
        """End it, so that it withdraws nothing."""
        self._process.kill()


def complete(tables: list[Any]) -> bool:
    """One table, with both its addresses."""
    return [len(addresses) for _, addresses in tables] == [2]


def none(values: list[Any]) -> bool:
    return not values


def test_found_by_multicast_called_at_every_address_and_noticed_when_cut_off() -> None:
    with lan(2) as net:
        host, guest = Program(net, 1, "host"), Program(net, 2, "guest")
        ((name, addresses),) = guest.wait("tables", complete)
        assert name == "Attic"
        assert addresses[0] == net.address(1)
        assert addresses[1].startswith("fe80:")
        assert "%" in addresses[1]
        for program in (host, guest):
            for _ in addresses:
                program.wait("linked")

        net.cut(1, 2)
        for program in (host, guest):
            for _ in addresses:
                assert program.wait("closed") == "silent for 4 s"
        guest.wait("tables", none)


def test_cables_pulled_out_and_put_in_again_and_then_the_host_killed() -> None:
    with lan(2) as net:
        host, guest = Program(net, 1, "host"), Program(net, 2, "guest")
        ((_, addresses),) = guest.wait("tables", complete)
        for _ in addresses:
            guest.wait("linked")
        for machine in (1, 2):
            net.plug(machine, False)
        guest.wait("tables", none)
        for program in (host, guest):
            program.wait("interfaces", lambda names: "eth0" not in names)
        for machine in (1, 2):
            net.plug(machine, True)
        guest.wait("tables", complete)

        host.kill()
        guest.wait("tables", none)
