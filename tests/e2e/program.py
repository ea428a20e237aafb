"""The real program in processes of its own: what a script, or a person at a shell, would do.

Every wait has a limit, and whatever still runs at the end of a test is killed.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds for a whole game; one takes a few."""


class Program:
    """A running `p2pgame`, with a profile of its own. `prefix` runs before it, as in `ip netns exec h1`; `typing`: its
    input stays open, with nothing in it, instead of being at its end; `module`: what is run in its place."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        prefix: Sequence[str] = (),
        interfaces: str = "127.0.0.1",
        typing: bool = False,
        module: str = "client.cli",
    ) -> None:
        environment = {**os.environ, "P2PGAME_HOME": str(home), "PYTHONUNBUFFERED": "1"}
        if interfaces:
            environment["P2PGAME_INTERFACES"] = interfaces
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-W", "error", "-m", module, *arguments],
            stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def wait_open(self) -> str:
        """Until a host has said that its table is open; what others type after `join`."""
        line = self.wait_line("is open")
        return line.partition("p2pgame join")[2].strip()

    def wait_line(self, *words: str) -> str:
        """Until lines with these words, one each, have been printed, in any order; the last of them."""
        assert self.process.stdout is not None
        missing = set(words)
        limit = threading.Timer(PATIENCE, self.process.kill)
        limit.start()
        try:
            for line in self.process.stdout:
                missing -= {one for one in missing if one in line}
                if not missing:
                    return line
        finally:
            limit.cancel()
        raise AssertionError(f"the program ended without {missing}")

    def end(self, seconds: float = PATIENCE) -> tuple[int, str, str]:
        """Exit code, standard output, standard error."""
        if self.process.stdin is not None:
            self.process.wait(seconds)
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err

    def result(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The JSON object on the last line, of a program that ended well."""
        code, out, err = self.end(seconds)
        assert (code, err) == (0, ""), (code, err, out[-2000:])
        found = json.loads(out.splitlines()[-1])
        assert isinstance(found, dict)
        return found


@contextmanager
def programs() -> Iterator[list[Program]]:
    """A list for the programs of a test, which are killed at its end if they still run."""
    started: list[Program] = []
    try:
        yield started
    finally:
        for one in started:
            if one.process.poll() is None:
                one.process.kill()
            one.process.communicate()


def run(home: Path, *arguments: str, seconds: float = PATIENCE) -> tuple[int, str, str]:
    """Run to the end."""
    with programs() as started:
        started.append(Program(home, *arguments))
        return started[0].end(seconds)


def free_port() -> int:
    """A port on loopback that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
