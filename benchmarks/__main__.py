"""All benchmarks: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

from . import floor, startup, whole

floor.main()
print()  # noqa: T201
whole.main()
print()  # noqa: T201
startup.main()
