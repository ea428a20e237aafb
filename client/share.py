"""`p2pgame share`: this computer hands the program on to others on the same network, without internet.

For: a LAN party where one laptop has it. Never: a file of the user's (only the wheels whose hashes the lock has, the
program's own wheel and three texts are served), or a promise that cannot be kept: who installs from here trusts this
computer and this network, and the page says so.

Theory of operation: the page at / is for people, and for pip, which finds the wheels by its links; /get is the
installer, /requirements.txt the list with hashes. All that names our address is made for the address that the other
side has called. The program's own wheel is packed at the start and kept in memory.
"""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import trio

from p2p import files, shelf
from p2p.addresses import Address, show_address
from p2p.errors import UserError
from p2p.interfaces import own_addresses
from p2p.place import home
from p2p.shelf import Item

from . import app, bootstrap, logs
from .failure import Usage
from .lock import PLATFORMS, Target, lock_text, targets
from .output import out
from .pack import own_wheel
from .text import clean
from .wheels import NothingToShare, Stock, bundled_pip, prepare, take_stock

FOLDER = "share"
WHEEL = "application/octet-stream"
TEXT = "text/plain; charset=utf-8"
_SAID = 256
"""So many different events are told on the screen; the log has them all."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>p2pgame</title></head>
<body>
<h1>p2pgame {version}</h1>
<p>Board games with hidden cards at a LAN party: no server, no dealer, nobody to trust. This computer hands the program
on. The other one needs Python 3.11 or later, and no internet.</p>
<h2>Linux and macOS</h2>
<pre>{unix}</pre>
<h2>Windows</h2>
<pre>{windows}</pre>
<p>This makes a folder <em>p2pgame</em> in your home folder with everything in it; to remove the program, remove that.
All files are checked against a list of hashes, which also comes from here: install only if you trust the computer at
this address and its owner.</p>
<h2>With pip, into an environment of your own</h2>
<pre>{pip}</pre>
<p>Everything is here for: {ready}.</p>
<h2>Files</h2>
<ul>
{links}
</ul>
</body>
</html>
"""


def share_program(
    *, prepare: bool, platforms: Sequence[str], port: int | None, as_json: bool, log: str | None, **_: Any
) -> int:
    """`p2pgame share`. Errors: Usage, UserError."""
    logs.start(log)
    folder = home() / FOLDER
    if prepare:
        return _prepare(folder, platforms, as_json)
    if platforms:
        raise Usage("--for goes with --prepare")
    stock = take_stock(folder)
    if not stock.ready:
        raise NothingToShare(path=folder)
    goods = items(folder, stock)
    serve = partial(_serve, goods, stock, shelf.DEFAULT_PORT if port is None else port, as_json)
    app.run_plain(serve, (UserError,))
    return 0


_fetch = prepare


def _prepare(folder: Path, platforms: Sequence[str], as_json: bool) -> int:
    try:
        wanted = targets(platforms)
    except KeyError as error:
        raise Usage(f"--for {error.args[0]!r}: there are {', '.join(PLATFORMS)}, and 'this'") from error
    own_wheel()
    stock = _fetch(folder, wanted, lambda line: None if as_json else out(clean(line)))
    if as_json:
        out(json.dumps(_summary(stock)))
    else:
        out(f"{len(stock.wheels)} wheels, {stock.size / 1e6:.0f} MB. Hand the program on with: p2pgame share")
    return 0


def _summary(stock: Stock) -> dict[str, Any]:
    return {"ready": stock.ready, "wheels": len(stock.wheels), "bytes": stock.size}


def whom(stock: Stock) -> str:
    """The kinds of computers that have everything, in words."""
    pythons: dict[str, list[str]] = {}
    for target in map(Target.read, stock.ready):
        pythons.setdefault(target.platform, []).append(target.python)
    return "; ".join(f"{platform} with Python {', '.join(versions)}" for platform, versions in pythons.items())


def url(address: Address) -> str:
    """Where we are for whoever reaches us at one of our addresses."""
    host, port = address
    return f"http://{show_address((host.partition('%')[0], port))}/"


def commands(address: Address) -> dict[str, str]:
    """What to type on the other computer."""
    here = url(address)
    source = f"import urllib.request as u; exec(u.urlopen('{here}get').read())"
    netloc = here.removeprefix("http://").rstrip("/")
    return {
        "unix": f"curl -s '{here}get' | python3 -",
        "windows": f'py -c "{source}"',
        "pip": f"python3 -m pip install --no-index --find-links {here} --trusted-host {netloc} p2pgame",
    }


def items(folder: Path, stock: Stock) -> Mapping[str, Item]:
    """All that is served, by name. Errors: NotInstalled, CannotRead."""
    name, wheel = own_wheel()
    hashes = {**stock.wheels, name: hashlib.sha256(wheel).hexdigest()}
    version = metadata.version("p2pgame")
    wanted = f"{lock_text()}\np2pgame=={version} --hash=sha256:{hashes[name]}\n".encode()
    pip, pip_hash = bundled_pip(), ""
    goods = {one: Item(WHEEL, folder / one) for one in stock.wheels}
    if pip is not None:
        with files.reading(pip):
            pip_hash = hashlib.sha256(pip.read_bytes()).hexdigest()
        goods[pip.name] = Item(WHEEL, pip)
    ready = whom(stock)

    def page(here: Address) -> bytes:
        links = "\n".join(
            f'<li><a href="{one}#sha256={hashes[one]}">{one}</a></li>' for one in map(html.escape, hashes)
        )
        words = {key: html.escape(value, quote=False) for key, value in commands(here).items()}
        return PAGE.format(version=version, ready=html.escape(ready), links=links, **words).encode()

    def installer(here: Address) -> bytes:
        base = url(here)
        values = {
            "BASE": base,
            "NETLOC": base.removeprefix("http://").rstrip("/"),
            "PIP": ("" if pip is None else pip.name, pip_hash),
            "READY": ready,
        }
        lines = Path(bootstrap.__file__).read_text(encoding="utf-8").splitlines()
        filled = [
            next((f"{key} = {values[key]!r}" for key in values if line.startswith(f"{key} = ")), line) for line in lines
        ]
        return "\n".join([*filled, ""]).encode()

    return goods | {
        name: Item(WHEEL, wheel),
        "": Item("text/html; charset=utf-8", page),
        "get": Item(TEXT, installer),
        "requirements.txt": Item(TEXT, wanted),
    }


async def _serve(goods: Mapping[str, Item], stock: Stock, port: int, as_json: bool) -> None:
    """Until a signal ends it."""
    said: set[tuple[str, str]] = set()

    def taken(who: str, name: str) -> None:
        shelf.log.info("%s has taken %r", who, name)
        if (name == "get" or name.startswith("p2pgame-")) and (who, name) not in said and len(said) < _SAID:
            said.add((who, name))
            if not as_json:
                out(f"{clean(who)} has taken " + ("the installer" if name == "get" else name))

    async with trio.open_nursery() as nursery:
        door: int = await nursery.start(partial(shelf.serve, goods, taken, port=port))
        _announce(door, stock, as_json)


def _announce(port: int, stock: Stock, as_json: bool) -> None:
    own = [address for address in own_addresses() if not address.startswith("fe80:")]
    found = [address for address in own if ":" not in address] or own or ["127.0.0.1"]
    addresses = [(address, port) for address in found]
    if as_json:
        out(json.dumps({"port": port, "urls": [url(one) for one in addresses], **_summary(stock)}))
        return
    out("On the other computer, with Python 3.11 or later and nothing else (Linux, macOS):")
    out()
    for address in addresses:
        out(f"  {commands(address)['unix']}")
    out()
    out("On Windows:")
    out()
    out(f"  {commands(addresses[0])['windows']}")
    out()
    out(f"Or open {url(addresses[0])} in a browser. Everything is here for: {whom(stock)}.")
    out("Ctrl-C ends it.")
