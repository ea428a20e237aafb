"""What `p2pgame doctor` looks at, one finding after the other, in words.

For: the doctor. Never: the looking itself, which is done in p2p/checks.py, or a name from elsewhere (an interface's, a
file's) that has not passed the gate.

Theory of operation: each function yields findings, the usual one first. `matter` says what a bad one keeps from
working, and so which exit code it means; to what is only to be looked at it means nothing.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from p2p import checks
from p2p.errors import ProfileLocked
from p2p.find import DEFAULT_PORT
from p2p.interfaces import look, own_addresses
from p2p.place import home

from .text import clean

OK, LOOK, BAD = "ok", "look", "bad"
NETWORK, PROFILE = "network", "profile"
MEGABYTE = 1_000_000
LEAST_FREE, GOOD_FREE = 20 * MEGABYTE, 200 * MEGABYTE

LIBRARIES = ("click", "cryptography", "msgpack", "prompt_toolkit", "PyNaCl", "trio", "zeroconf")
WHERE = {"tunnel": "as of a VPN", "inside": "leads only into this computer", "loopback": "this computer itself"}
FIREWALLS = {
    "ufw": "ufw is on: sudo ufw allow {port}/tcp && sudo ufw allow 5353/udp",
    "firewalld": "firewalld runs: sudo firewall-cmd --add-port={port}/tcp --add-service=mdns",
    "nftables": "nftables rules are loaded at start: let in TCP {port} and UDP 5353 (sudo nft list ruleset shows them)",
    "windows": "when Windows asks, allow Python on private networks, and set this network to private",
    "macos": "if the firewall is on, allow incoming connections for Python (System Settings, Network, Firewall)",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """`state`: ok, look or bad. `advice`: what to do, if there is anything to do."""

    what: str
    state: str
    found: str
    advice: str = ""
    matter: str = ""


def versions() -> Iterator[Finding]:
    """This program and what it is made of."""
    have, lacking = [], []
    for library in LIBRARIES:
        try:
            have.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            lacking.append(library)
    program = f"p2pgame {metadata.version('p2pgame')}, Python {platform.python_version()}, {platform.system()}"
    yield Finding("version", OK, clean(f"{program} {platform.release()} {platform.machine()}"))
    if lacking:
        yield Finding("libraries", BAD, f"not found: {', '.join(lacking)}", "Install p2pgame again.", PROFILE)
    else:
        yield Finding("libraries", OK, ", ".join(have))
    why = checks.cryptography()
    advice = "Install p2pgame again; until then it would not be safe to play." if why else ""
    yield Finding("cryptography", BAD if why else OK, clean(why) or "the curve computes as it must", advice, PROFILE)


def interfaces() -> Iterator[Finding]:
    """Which networks there are."""
    good = []
    for seen in checks.interfaces():
        addresses = ", ".join((*seen.ipv4, *seen.ipv6)) or "no address"
        words = [addresses, "up" if seen.up else "down", *filter(None, [WHERE.get(seen.kind)])]
        useful = seen.kind == "network" and seen.up and bool(seen.ipv4 or seen.ipv6)
        good += [seen.name] * useful
        yield Finding(f"interface {clean(seen.name, 30)}", OK, clean("; ".join(words)))
    only = os.environ.get("P2PGAME_INTERFACES", "")
    used = look()
    if only:
        state = LOOK if used else BAD
        found = f"P2PGAME_INTERFACES allows only {clean(only)}" + (
            "" if used else ", which this computer does not have"
        )
        yield Finding("networks", state, found, "Remove that variable to use every network.", NETWORK)
    elif good:
        yield Finding("networks", OK, clean("others can be met on " + ", ".join(good)))
    elif any(not interface.loopback for interface in used):
        advice = "Join the Wi-Fi or plug in the cable that the others use."
        yield Finding("networks", LOOK, "only a VPN or networks within this computer are up", advice)
    else:
        advice = "Switch on the Wi-Fi, or plug in a cable. Only p2pgame demo works without a network."
        yield Finding("networks", BAD, "no network is up", advice, NETWORK)
    yield _route()


def _route() -> Finding:
    routes = checks.default_routes()
    if not routes:
        return Finding("way out", OK, "none, as on a network without internet; none is needed")
    tunnels = {address for seen in checks.interfaces() if seen.kind == "tunnel" for address in (*seen.ipv4, *seen.ipv6)}
    if tunnels & set(routes):
        advice = "If others cannot be reached, switch the VPN off: some keep everything else from the local network."
        return Finding("way out", LOOK, clean(f"through a VPN ({', '.join(routes)})"), advice)
    return Finding("way out", OK, clean(f"from {', '.join(routes)}; none is needed"))


def multicast() -> Iterator[Finding]:
    """Whether tables can be found by their names."""
    by_address = "Tables may not be found by themselves: join by the address that the host's screen shows."
    for interface in look():
        trials = checks.multicast(interface)
        failed = {family: why for family, why in trials.items() if why}
        what = f"multicast {clean(interface.name, 30)}"
        if not trials:
            yield Finding(what, LOOK, "not tried: it has neither IPv4 nor a link-local IPv6 address", by_address)
        elif failed:
            found = "; ".join(f"{family}: {why}" for family, why in failed.items())
            state = OK if len(failed) < len(trials) else LOOK
            yield Finding(what, state, clean(found), by_address if state == LOOK else "The other family is enough.")
        else:
            yield Finding(what, OK, f"comes back ({' and '.join(trials)}); only a try shows whether others hear it")
    why = checks.mdns_port()
    advice = f"Another program keeps UDP port 5353 to itself. {by_address}" if why else ""
    yield Finding("discovery port", LOOK if why else OK, clean(why) or "UDP 5353 can be shared", advice)


def ports() -> Iterator[Finding]:
    """Whether others can call."""
    why = checks.port(DEFAULT_PORT)
    if why and checks.port(0):
        yield Finding("port", BAD, clean(why), "No program may listen here; is this a sandbox?", NETWORK)
        return
    advice = "Perhaps a table is open here. Another port is taken by itself; the host's screen shows it." if why else ""
    yield Finding("port", LOOK if why else OK, clean(f"TCP {DEFAULT_PORT}: {why or 'free'}"), advice)
    calls = checks.reached(own_addresses())
    failed = [address for address, why in calls.items() if why]
    if failed:
        state, found = (BAD if len(failed) == len(calls) else LOOK), f"not even from here: {', '.join(failed)}"
        yield Finding("own addresses", state, clean(found), "Look at the firewall of this computer.", NETWORK)
    elif calls:
        yield Finding("own addresses", OK, clean(", ".join(calls)))
    walls = checks.firewalls()
    for wall in walls:
        yield Finding("firewall", LOOK, FIREWALLS[wall].format(port=DEFAULT_PORT), "Only if others cannot reach you.")
    if not walls:
        yield Finding("firewall", OK, "no sign of one")


def clock() -> Iterator[Finding]:
    """Whether time passes."""
    steady, behind = checks.clock(Path(__file__).parent)
    if not steady:
        yield Finding("clock", BAD, "the steady clock does not move as it should", "Restart this computer.", NETWORK)
    elif behind > 86400:
        found = f"{behind / 86400:.0f} days behind this program's own files"
        yield Finding("clock", LOOK, found, "Set the clock; no rule depends on it, but the log does.")
    else:
        yield Finding("clock", OK, "moves, and is not behind this program's own files")


def profile() -> Iterator[Finding]:
    """Whether what happens can be kept."""
    path = home()
    room = checks.room(path)
    name = clean(str(path), 200)
    if room.why_not:
        yield Finding("profile", BAD, clean(room.why_not), "Choose another folder with P2PGAME_HOME.", PROFILE)
        return
    why = checks.profile(path)
    if isinstance(why, ProfileLocked):
        yield Finding("profile", LOOK, "in use by another p2pgame just now", "A second game needs that one to end.")
    elif why:
        yield Finding("profile", BAD, clean(str(why)), "", PROFILE)
    elif not room.private:
        yield Finding("profile", LOOK, f"{name} can be read by others", f"chmod 700 {name}")
    else:
        yield Finding("profile", OK, name if room.there else f"{name} will be made by the first game")
    megabytes = f"{room.free // MEGABYTE} MB free"
    if room.free < LEAST_FREE:
        yield Finding("disk", BAD, megabytes, "Make room: a game is written down while it is played.", PROFILE)
    else:
        state = OK if room.free >= GOOD_FREE else LOOK
        yield Finding("disk", state, f"can be written, {megabytes}", "" if state == OK else "Make some room.")


def settings(problem: str, known: Collection[str]) -> Iterator[Finding]:
    """Settings files and variables. `problem`: what is wrong with the file; `known`: variables that mean something."""
    unknown = sorted(name for name in os.environ if name.startswith("P2PGAME_") and name not in known)
    if unknown:
        found = f"nothing looks at {', '.join(unknown)}"
        yield Finding("variables", LOOK, clean(found), "Is it misspelt? p2pgame --help says how they are called.")
    if problem:
        yield Finding("settings", BAD, clean(problem, 600), "Correct the file, or move it away.", PROFILE)
    else:
        yield Finding("settings", OK, "nothing wrong")


def terminal() -> Iterator[Finding]:
    """What the screen can show."""
    term = os.environ.get("TERM", "")
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    inside = sys.stdin is not None and sys.stdin.isatty()
    outside = sys.stdout is not None and sys.stdout.isatty()
    if not (inside and outside) or (term in ("", "dumb") and sys.platform != "win32"):
        why = "TERM is not set, or dumb" if inside and outside else "input or output is not a terminal"
        yield Finding("terminal", LOOK, why, "The game is played in plain lines; start it in a terminal for a screen.")
    else:
        yield Finding("terminal", OK, clean(f"{term or platform.system()}, {_colours(term)}, {_mouse(term)}"))
        yield _size()
    try:
        "╔●▲é".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        found = f"{encoding} lacks the signs of the boards; ASCII takes their place"
        yield Finding("encoding", LOOK, clean(found), "Set the locale to one with UTF-8, as in LANG=C.UTF-8.")
    else:
        yield Finding("encoding", OK, clean(encoding))


def _size() -> Finding:
    try:
        columns, lines = os.get_terminal_size()
    except OSError:
        return Finding("size", LOOK, "unknown", "The game is made for 80×24 characters.")
    if columns < 80 or lines < 24:
        return Finding("size", LOOK, f"{columns}×{lines}", "Make the window 80×24 or larger: boards shrink below that.")
    return Finding("size", OK, f"{columns}×{lines}")


def _colours(term: str) -> str:
    if os.environ.get("NO_COLOR"):
        return "no colours (NO_COLOR)"
    if os.environ.get("COLORTERM", "").casefold() in ("truecolor", "24bit") or sys.platform == "win32":
        return "16 million colours"
    return "256 colours" if "256color" in term else "2 colours" if term.startswith("vt1") else "16 colours"


def _mouse(term: str) -> str:
    knows = term.startswith(
        ("xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "kitty", "st", "konsole", "wezterm")
    )
    return "mouse" if knows or sys.platform == "win32" else "perhaps no mouse"
