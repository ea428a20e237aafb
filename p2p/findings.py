"""What an audit has to say: what was checked, what came out, and what does not hold.

For: people and programs that read a verdict. Never: a verdict of its own (the audit comes to it).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SOUND, BROKEN, INCOMPLETE = "sound", "broken", "incomplete"
EXIT = {SOUND: 0, BROKEN: 1, INCOMPLETE: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold. `seat` is None where no seat is to blame."""

    reason: str
    seat: int | None = None
    step: int | None = None
    round: int | None = None


@dataclass
class Report:
    """What was checked and what came out. `sound_to`: the last (step, round) up to which everything holds."""

    verdict: str = INCOMPLETE
    table: str = ""
    hash: str = ""
    game: str = ""
    label: str = ""
    names: list[str] = field(default_factory=list)
    result: dict[str, Any] | None = None
    ending: str = ""
    findings: list[Finding] = field(default_factory=list)
    sound_to: tuple[int, int] | None = None
    signatures: int = 0
    derived: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    shuffles: list[list[int]] = field(default_factory=list)
    cards: int = 0
    closed: int = 0
    withheld: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 all sound, 1 something does not hold, 2 unreadable or incomplete."""
        return EXIT[self.verdict]
