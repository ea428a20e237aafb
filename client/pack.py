"""This program as a wheel, packed from the files that run.

For: `p2pgame share`. Does IO: reads the installed files. Never: a build tool, the network, or a file that was not
installed with the program.

Theory of operation: a wheel is a zip archive of the packages as they are to lie in site-packages, and a `.dist-info`
folder with what is known about them; RECORD lists all files with their hashes. The packages are named by the installed
metadata, which are taken over; entries are sorted and have one fixed time, so the same files make the same wheel.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from p2p import files
from p2p.errors import UserError

_TIME = (1980, 1, 1, 0, 0, 0)
_KEPT = ("METADATA", "entry_points.txt", "top_level.txt")
_WHEEL = "Wheel-Version: 1.0\nGenerator: p2pgame\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


class NotInstalled(UserError):
    """This p2pgame is not installed, only lying around, and cannot be handed on: install it with pip first."""


def own_wheel() -> tuple[str, bytes]:
    """Name and content. Errors: NotInstalled, CannotRead."""
    try:
        installed = metadata.distribution("p2pgame")
    except metadata.PackageNotFoundError as error:
        raise NotInstalled from error
    packages = (installed.read_text("top_level.txt") or "").split()
    about = f"p2pgame-{installed.version}.dist-info"
    entries = dict(_sources(Path(__file__).parents[1], packages))
    for name in _KEPT:
        if (text := installed.read_text(name)) is not None:
            entries[f"{about}/{name}"] = text.encode()
    for path in installed.files or ():
        if path.parent.name == "licenses":
            with files.reading(Path(str(path.locate()))):
                entries[f"{about}/licenses/{path.name}"] = path.read_binary()
    entries[f"{about}/WHEEL"] = _WHEEL.encode()
    if "client/cli.py" not in entries or f"{about}/METADATA" not in entries:
        raise NotInstalled
    return f"p2pgame-{installed.version}-py3-none-any.whl", _zip(entries, f"{about}/RECORD")


def _sources(root: Path, packages: list[str]) -> Iterator[tuple[str, bytes]]:
    """The files of the packages, and nothing that was made on the way."""
    for package in packages:
        with files.reading(root / package):
            for path in sorted((root / package).rglob("*")):
                name = path.relative_to(root)
                made = path.suffix in (".pyc", ".pyo") or any(
                    part.startswith((".", "__pycache__")) for part in name.parts
                )
                if path.is_file() and not made:
                    yield name.as_posix(), path.read_bytes()


def _zip(entries: dict[str, bytes], record: str) -> bytes:
    lines = []
    for name, data in sorted(entries.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in [*sorted(entries.items()), (record, "".join([*lines, f"{record},,\n"]).encode())]:
            entry = zipfile.ZipInfo(name, _TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()
