"""A computer with Python and nothing else gets the program from the one beside it, on a network without a registry."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.netns import Lan, lan, unavailable

from .program import Program, programs

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "namespaces can be made")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile with the wheels for computers like this one; it takes a registry, or what pip has kept of one."""
    home = tmp_path_factory.mktemp("prepared")
    with programs() as started:
        started.append(Program(home, "share", "--prepare", "--for", "this", "--json"))
        code, out, err = started[0].end(60)
    if code == 3:
        pytest.skip(f"the wheels cannot be fetched here: {err.strip()}")
    assert (code, err) == (0, "")
    assert json.loads(out)["ready"]
    return home


def opened(sharing: Program) -> str:
    """Where it can be reached."""
    assert sharing.process.stdout is not None
    line = sharing.process.stdout.readline()
    assert line, sharing.process.stderr
    return str(json.loads(line)["urls"][0])


def on(net: Lan, machine: int, home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command of somebody at home on that machine, with a setting that would lead pip astray."""
    environment = {**os.environ, "HOME": str(home), "PIP_INDEX_URL": "http://192.0.2.1/"}
    return subprocess.run(
        [*net.prefix(machine), *command], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_installed_from_the_neighbour(prepared: Path, tmp_path: Path) -> None:
    with lan(2) as net, programs() as started:
        started.append(Program(prepared, "share", "--json", prefix=net.prefix(1), interfaces=""))
        here = opened(started[0])
        assert here == f"http://{net.address(1)}:24817/"
        python = getattr(sys, "_base_executable", sys.executable)
        done = on(net, 2, tmp_path, python, "-c", f"import urllib.request as u; exec(u.urlopen('{here}get').read())")
        assert done.returncode == 0, done.stderr
        program = tmp_path / "p2pgame" / "bin" / "p2pgame"
        assert str(program) in done.stdout
        done = on(net, 2, tmp_path, str(program), "--version")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("p2pgame ")
        done = on(net, 2, tmp_path, str(program), "rules", "maamut")
        assert (done.returncode, done.stderr) == (0, "")
        installed = next((tmp_path / "p2pgame" / "lib").glob("*/site-packages"))
        assert not list(installed.glob("pytest*"))
        assert (installed / "client" / "runtime.lock").exists()


def test_a_wheel_that_was_changed_on_the_way_is_not_installed(prepared: Path, tmp_path: Path) -> None:
    """Its name is right, its hash is not: the computer that shares does not serve it, and pip would not take it."""
    wheel = next((prepared / "share").glob("click-*.whl"))
    kept = wheel.read_bytes()
    with lan(2) as net, programs() as started:
        started.append(Program(prepared, "share", "--json", prefix=net.prefix(1), interfaces=""))
        here = opened(started[0])
        wheel.write_bytes(kept + b"changed")  # after it was looked at
        try:
            python = getattr(sys, "_base_executable", sys.executable)
            get = f"import urllib.request as u; exec(u.urlopen('{here}get').read())"
            done = on(net, 2, tmp_path, python, "-c", get)
        finally:
            wheel.write_bytes(kept)
    assert done.returncode == 1
    assert "HASHES" in done.stderr
    assert "is not installed" in done.stderr
