"""`p2pgame demo`: a whole game among real peers on this computer, and the audit of it.

For: showing, and checking, that everything works together. Never: a shortcut; each peer is a process of its own with
its own identity, profile and port, and they meet over real sockets.

Theory of operation: the first peer hosts a table with a name that nobody else has. If the table can be heard of by
multicast on loopback, the others are told its name; otherwise its address. What the host sees is shown as it happens.
When all have ended, their results and files are compared byte by byte, and one file is audited once more, here.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import trio

from engines import registry
from p2p.audit import audit
from p2p.errors import NetworkError, UserError
from p2p.files import write_whole, writing
from p2p.find import find
from p2p.journal import read_transcript
from p2p.place import home
from p2p.threads import all_cores

from . import app, logs
from .failure import Usage, say
from .report import lines, out
from .sit import option_pairs
from .text import clean

NAMES = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede")
LOOPBACK = "127.0.0.1"
FOUND_WITHIN = 4.0
"""Seconds in which multicast on loopback shows the table, where it works at all."""


@dataclass
class Peer:
    """One process. `last`: the last line that it printed, which is its JSON object."""

    name: str
    folder: Path
    code: int = -1
    last: str = ""
    complaints: list[str] = field(default_factory=list)

    def result(self) -> dict[str, Any]:
        """What it reported, or nothing."""
        try:
            found = json.loads(self.last)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def run_demo(
    *,
    game: str,
    players: int | None,
    options: Sequence[str],
    seed: int | None,
    as_json: bool,
    log: str | None,
    **_: Any,
) -> int:
    """Play and audit. Errors: BadTable, Usage."""
    seats = players if players is not None else registry.seat_range(game)[0]
    registry.options(game, seats, option_pairs(options))
    logs.start(log)
    with tempfile.TemporaryDirectory(prefix="p2pgame-demo-") as folder:
        peers = [Peer(name, Path(folder, name)) for name in NAMES[:seats]]
        label = f"demo {secrets.token_hex(3)}"
        wishes = [f"--option={pair}" for pair in options]
        began = monotonic()
        app.run_plain(partial(_play, peers, game, label, wishes, seed), (UserError, Usage))
        return _conclude(peers, monotonic() - began, as_json)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


async def _play(peers: list[Peer], game: str, label: str, wishes: list[str], seed: int | None) -> None:
    """All processes, until the last has ended."""
    port = _free_port()
    common = ["--auto", "--json", *([f"--seed={seed}"] if seed is not None else [])]
    async with trio.open_nursery() as nursery:
        host = ["host", game, f"--players={len(peers)}", f"--name={label}", f"--port={port}", *wishes]
        out(f"{len(peers)} peers, each with its own identity, profile and port; {peers[0].name} hosts {label!r}")
        nursery.start_soon(_run, peers[0], [*host, *common], True)
        where = await _where(label, port)
        for peer in peers[1:]:
            nursery.start_soon(_run, peer, ["join", where, *common], False)


async def _where(label: str, port: int) -> str:
    """How the others find the host."""
    os.environ["P2PGAME_INTERFACES"] = LOOPBACK
    try:
        await find(label, patience=FOUND_WITHIN)
    except NetworkError:
        out(f"no multicast on loopback here; the others join by address, {LOOPBACK}:{port}")
        return f"{LOOPBACK}:{port}"
    out("the table was found by zeroconf; the others join by its name")
    return label


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a peer: ours, without settings that are meant for somebody else."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("P2PGAME_")}
    return {**inherited, "P2PGAME_HOME": str(folder), "P2PGAME_INTERFACES": LOOPBACK}


async def _run(peer: Peer, arguments: list[str], show: bool) -> None:
    environment = surroundings(peer.folder)
    command = [sys.executable, "-m", "client.cli", *arguments, f"--me={peer.name}"]
    run = partial(trio.run_process, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, env=environment)
    async with trio.open_nursery() as nursery:
        process = await nursery.start(partial(run, command))
        nursery.start_soon(_read, process.stderr, peer, False, True)
        nursery.start_soon(_read, process.stdout, peer, show, False)
    peer.code = process.returncode


async def _read(stream: Any, peer: Peer, show: bool, complaint: bool) -> None:
    rest = b""
    async for chunk in stream:
        *whole, rest = (rest + chunk).split(b"\n")
        for raw in whole:
            text = raw.decode("utf-8", "replace")
            if complaint:
                peer.complaints.append(text)
            elif show and not text.startswith("{") and str(peer.folder) not in text:  # which will be gone
                out("  " + clean(text, 2000))
            if text and not complaint:
                peer.last = text


def _conclude(peers: list[Peer], seconds: float, as_json: bool) -> int:
    """Compare, audit, report; the exit code."""
    results = [peer.result() for peer in peers]
    ended = all(peer.code == 0 and result for peer, result in zip(peers, results, strict=True))
    for peer in peers:
        for line in peer.complaints:
            say(f"{peer.name}: {line}")
        if peer.code != 0:
            say(f"{peer.name} ended with exit code {peer.code}")
    summary: dict[str, Any] = {**results[0], "verified": False, "seconds": {"all": round(seconds, 3)}}
    if ended:
        files = [read_transcript(Path(result["transcript"])) for result in results]
        began = monotonic()
        report = audit(files[0], all_cores())
        took = monotonic() - began
        same = len(set(files)) == 1 and len({result["hash"] for result in results}) == 1
        kept = home() / "demo" / f"{report.table}.p2plog"
        with writing(kept):
            kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(kept, files[0])
        for line in lines(str(kept), report):
            out(line)
        out(f"{len(peers)} transcripts, " + ("byte-identical" if same else "NOT THE SAME"))
        parts = {**results[0]["seconds"], "audit": round(took, 3), "all": round(seconds, 3)}
        out("seconds: " + ", ".join(f"{part} {value:g}" for part, value in parts.items()))
        summary |= {"transcript": str(kept), "verified": same and report.exit_code == 0, "seconds": parts}
    if as_json:
        out(json.dumps(summary))
    return 0 if summary["verified"] else max(1, *(peer.code for peer in peers))
