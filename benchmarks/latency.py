"""From a key press on one peer to its effect on another, beside what a bare echo over TLS takes.

A move is signed, written to the disk, sent, verified, judged by the rules and chained, between two processes of the
program with real links on loopback. The echo is 200 bytes there and back between two processes over TLS, nothing else.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter, sleep

from p2p.certificate import client_context, server_context
from protocol.identity import Identity

from . import toy
from .measure import Row
from .table import table

PART = "A move, from one process to another"
MOVES, ECHOES, MORE = 400, 1000, 5.0
PAUSE = 0.005
"""People do not press keys without a pause."""


def echo_server() -> None:
    """Say the port, then send back whatever comes."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        sys.stdout.write(f"{door.getsockname()[1]}\n")
        sys.stdout.flush()
        plain, _ = door.accept()
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with server_context(Identity(bytes(32))).wrap_socket(plain, server_side=True) as there:
            while data := there.recv(4096):
                there.sendall(data)


def echoes() -> list[float]:
    """Seconds there and back."""
    command = [sys.executable, "-c", "from benchmarks.latency import echo_server; echo_server()"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        found, port = [], int(server.stdout.readline())
        with socket.create_connection(("127.0.0.1", port)) as plain:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with client_context().wrap_socket(plain) as here:
                for _ in range(ECHOES):
                    began = perf_counter()
                    here.sendall(bytes(200))
                    got = 0
                    while got < 200:
                        got += len(here.recv(4096))
                    found.append(perf_counter() - began)
                    sleep(PAUSE / 5)
        return found


def moves() -> list[float]:
    """Seconds from the decision of one process to the end of that step in the other."""
    with table(toy.NAME, 2, options={"cards": 18, "turns": MOVES + 1}) as seats:
        for seat in seats:
            seat.until("playing")
        found = []
        turn = 0
        for _ in range(MOVES):
            seats[turn].until("asked")
            sleep(PAUSE)
            seats[turn].tell("move")
            chosen = seats[turn].until("chose")
            while (seen := seats[1 - turn].until("step"))["step"] <= chosen["step"]:
                pass
            found.append(seen["at"] - chosen["at"])
            turn = 1 - turn
        return found


def percentile(times: list[float], share: float) -> float:
    """In milliseconds."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1e3


def rows() -> Iterator[Row]:
    """The echo, then the moves."""
    bare, played = echoes(), moves()
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        least = percentile(bare, share)
        yield Row(PART, f"bare echo over TLS, {name}", least, "ms")
        yield Row(PART, f"move, {name}", percentile(played, share), "ms", least, limit=least + MORE)
