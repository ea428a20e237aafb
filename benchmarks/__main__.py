"""All benchmarks: `python -m benchmarks`, or `make bench`.

With names of parts after it, only these; with `--json FILE`, all figures also as JSON (`-` is standard output).
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib import import_module
from pathlib import Path

from p2p.threads import cores

from . import toy
from .measure import Row, report

PARTS = ("floor", "deal", "verify", "moves", "latency", "resting", "discovery", "games", "startup")


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of: {', '.join(PARTS)}")
    parser.add_argument("--json", metavar="FILE", help="write all figures there, too")
    wanted = parser.parse_args()
    unknown = set(wanted.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {min(unknown)!r}")
    toy.register()
    sys.stdout.write(f"Python {platform.python_version()}, {platform.machine()}, {cores()} cores\n")
    found: list[Row] = []
    for name in wanted.parts or PARTS:
        part = import_module(f"benchmarks.{name}")
        found += report(part.PART, part.rows())
    if wanted.json:
        text = json.dumps({"cores": cores(), "rows": [row.json() for row in found]}, indent=1, ensure_ascii=False)
        if wanted.json == "-":
            sys.stdout.write(text + "\n")
        else:
            Path(wanted.json).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
