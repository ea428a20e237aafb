"""`p2pgame doctor`: what works here, what does not, and what to do about it.

For: whoever cannot find a table, or wants to know beforehand. Never: a verdict by one detail alone; a game can be
played as long as there is one network, one writable profile and sound cryptography.

Exit codes: 0 a game can be played · 2 profile, disk or installation are in the way · 3 the network is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

import click

from p2p.errors import UserError
from p2p.place import home

from . import diagnosis, settings
from .diagnosis import BAD, LOOK, NETWORK, OK, Finding
from .output import out
from .style import choose

MARKS = {OK: "ok  ", LOOK: "look", BAD: "BAD "}
VERDICTS = {
    0: "A game can be played here.",
    2: "Nothing can be played yet: see what is bad about the profile, the disk or the installation.",
    3: "Nobody can be met yet: see what is bad about the network. p2pgame demo works all the same.",
}


def examine(*, as_json: bool, ascii_only: bool) -> int:
    """Look at everything, print it, and say what it comes to."""
    glyphs = choose(ascii_only=ascii_only).glyphs
    findings = []
    for finding in _findings():
        findings.append(finding)
        out(glyphs.speak(f"{MARKS[finding.state]}  {finding.what}: {finding.found}"))
        if finding.advice and finding.state != OK:
            out(glyphs.speak(f"      {finding.advice}"))
    code = exit_code(findings)
    out(VERDICTS[code])
    if as_json:
        out(json.dumps({"exit": code, "playable": code == 0, "findings": [asdict(one) for one in findings]}))
    return code


def exit_code(findings: list[Finding]) -> int:
    """The profile comes first: without it not even the demo is kept."""
    bad = {finding.matter for finding in findings if finding.state == BAD}
    return 3 if bad == {NETWORK} else 2 if bad else 0


def _findings() -> Iterator[Finding]:
    yield from diagnosis.versions()
    yield from diagnosis.interfaces()
    yield from diagnosis.multicast()
    yield from diagnosis.ports()
    yield from diagnosis.clock()
    yield from diagnosis.profile()
    yield from diagnosis.settings(*_settings())
    yield from diagnosis.terminal()


def _settings() -> tuple[str, set[str]]:
    """What other commands would complain about, and the variables that some of them know."""
    path = home() / settings.FILE
    root = click.get_current_context().find_root().command
    known = {"P2PGAME_HOME", "P2PGAME_INTERFACES", *map(settings.variable, settings.option_names(root))}
    try:
        settings.check_names(path, settings.read(path), root)
    except UserError as error:
        return str(error), known
    return "", known
