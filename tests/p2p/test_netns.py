"""Two machines on a network: tables are found by multicast, called at every address, and lost when they are gone."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.netns import Lan, lan, unavailable

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "namespaces can be made")


def start(net: Lan, machine: int, role: str) -> subprocess.Popen[str]:
    return net.start(machine, [sys.executable, "-W", "error", "-m", "tests.p2p.machine", role])


def wait(process: subprocess.Popen[str], key: str) -> dict[str, Any]:
    """The next line that has `key`; lines before it are passed over."""
    stream = process.stdout
    assert stream
    for line in stream:
        values: dict[str, Any] = json.loads(line)
        if key in values:
            return values
    pytest.fail(f"the program ended before it said {key!r}")


def wait_for_tables(process: subprocess.Popen[str], count: int) -> dict[str, Any]:
    """Until there are so many, each with all its addresses."""
    while len((said := wait(process, "tables"))["tables"]) != count or any(len(at) < 2 for _, at in said["tables"]):
        pass
    return said


def test_found_by_multicast_called_at_every_address_and_noticed_when_cut_off() -> None:
    with lan(2) as net:
        host, guest = start(net, 1, "host"), start(net, 2, "guest")
        announced = wait(host, "port")
        found = wait_for_tables(guest, 1)
        assert found["time"] - announced["time"] < 30
        name, addresses = found["tables"][0]
        assert name == "Attic"
        assert addresses[0] == net.address(1)
        assert addresses[1].startswith("fe80:")
        assert "%" in addresses[1]
        for process in (host, guest):
            for _ in addresses:
                wait(process, "linked")

        net.cut(1, 2)
        then = time.monotonic()
        for process in (host, guest):
            for _ in addresses:
                closed = wait(process, "closed")
                assert closed["closed"] == "silent for 4 s"
                assert closed["time"] - then < 30  # 3 to 4 on an idle machine
        gone = wait_for_tables(guest, 0)
        assert gone["time"] - then < 30


def test_cables_pulled_out_and_put_in_again_and_then_the_host_killed() -> None:
    with lan(2) as net:
        host, guest = start(net, 1, "host"), start(net, 2, "guest")
        for _ in wait_for_tables(guest, 1)["tables"][0][1]:
            wait(guest, "linked")
        for machine in (1, 2):
            net.plug(machine, False)
        wait_for_tables(guest, 0)
        time.sleep(3.5)  # until the interfaces have been looked at
        for machine in (1, 2):
            net.plug(machine, True)
        then = time.monotonic()
        assert wait_for_tables(guest, 1)["time"] - then < 20  # 7 at most on an idle machine

        host.kill()  # it withdraws nothing
        then = time.monotonic()
        assert wait_for_tables(guest, 0)["time"] - then < 30
