"""What is typed or pasted to join a table, read: the command that a host's screen shows, whole or a part of it.

For: the lobby's lines for an address, a name or a code. Never: a look-up; what is there is p2p/find.py's to say.
"""

from __future__ import annotations

import re

_COMMAND = re.compile(r"(?:\$\s+)?\S*p2pgame(?:\.exe)?\s+join(?:\s+|$)", re.IGNORECASE)
_CODE = re.compile(r"""(?:^|\s)--code(?:\s+|=)(?P<code>"[^"]*"|'[^']*'|\S+)""")
_PORT = re.compile(r"(?:\[[^\[\]]+\]|[^:\s\[\]]+):(?P<port>\d+)", re.ASCII)
_QUOTES = ('""', "''", "“”", "‘’")
_PORTS = range(1, 65536)


def place_and_code(text: str) -> tuple[str, str]:
    """Where to, and the code beside it; both "" for the bare command. A code alone is a place."""
    rest = _COMMAND.sub("", text.strip(), count=1) if _COMMAND.match(text.strip()) else text.strip()
    found = _CODE.search(rest)
    code = _bare(found["code"]) if found else ""
    where = _bare(f"{rest[: found.start()]} {rest[found.end() :]}") if found else _bare(rest)
    return (where, code) if where else (code, "")


def _bare(text: str) -> str:
    """Without quotes around it."""
    text = text.strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] + text[-1] in _QUOTES else text


def impossible_port(where: str) -> str:
    """What is wrong with the port of an address, or ""."""
    found = _PORT.fullmatch(where)
    if found is None or int(found["port"][:6]) in _PORTS:
        return ""
    return f"{found['port']} is no port: ports are numbers from {_PORTS[0]} to {_PORTS[-1]}."
