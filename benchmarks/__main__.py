"""All benchmarks: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

from . import floor, whole

floor.main()
print()  # noqa: T201
whole.main()
