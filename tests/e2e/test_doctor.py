"""The doctor on a real network, and when the cable is out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.netns import Lan, lan, unavailable

from .program import Program, programs

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "namespaces can be made")


def doctor(net: Lan, home: Path) -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit code, and the findings by name."""
    with programs() as started:
        started.append(Program(home, "doctor", "--json", prefix=net.prefix(1), interfaces=""))
        code, out, err = started[0].end(30)
    assert err == ""
    return code, {finding["what"]: finding for finding in json.loads(out.splitlines()[-1])["findings"]}


def test_a_network_without_a_way_out_and_then_none(tmp_path: Path) -> None:
    with lan(1) as net:
        code, found = doctor(net, tmp_path)
        assert code == 0
        assert found["networks"]["found"] == "others can be met on eth0"
        assert found["way out"]["found"].startswith("none")
        assert found["multicast eth0"]["state"] == "ok"
        assert found["multicast eth0"]["found"].startswith("comes back (IPv4 and IPv6)")
        assert net.address(1) in found["own addresses"]["found"]
        net.plug(1, up=False)
        code, found = doctor(net, tmp_path)
        assert code == 3
        assert found["networks"]["state"] == "bad"
        assert "down" in found["interface eth0"]["found"]
