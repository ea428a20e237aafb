"""Settings for the generated tests: a busy machine is no failure, so no deadlines."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
