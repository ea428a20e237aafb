"""What a session wants done, and what it says about what arrived.

For: whoever drives a session, and carries these out. Never: a thread, or an opinion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from .ceremony import Body, Ceremony
from .contribution import Contribution
from .errors import ProtocolError


class State(Enum):
    """Where a session is."""

    IDLE = "idle"
    RUNNING = "running"
    ENDED = "ended"


class Arrival(Enum):
    """What became of bytes that arrived."""

    NEW = "new"  # worth passing on
    KNOWN = "known"
    DROPPED = "dropped"  # too far ahead, or after the end


@dataclass(frozen=True, slots=True)
class Job:
    """Work for a thread: `run()` returns, or raises ProtocolError; the outcome comes back through `done`. `can_wait`:
    it reads nothing that changes later, so an audit may do it when it is through with the rest."""

    id: int
    run: Callable[[], Body | None]
    can_wait: bool = False

    def outcome(self) -> Outcome:
        """Do it. What somebody else got wrong is an outcome; any other exception is a bug of ours and goes up."""
        try:
            return self.run()
        except ProtocolError as error:
            return error


@dataclass(frozen=True, slots=True)
class Publish:
    """My contribution: write it down, fsync, then send it to everybody."""

    contribution: Contribution


@dataclass(frozen=True, slots=True)
class Chained:
    """A round is complete and stands in the chain."""

    round: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """A ceremony is complete; its results can be read."""

    ceremony: Ceremony


@dataclass(frozen=True, slots=True)
class Left:
    """A seat has left properly: from its last round on the others answer for its part of every card."""

    seat: int


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat signed something, on the history that we share, which does not hold. `seat` None: a whole round does not,
    and it cannot be told whose fault that is."""

    seat: int | None
    reason: str
    contribution: Contribution


@dataclass(frozen=True, slots=True)
class Fork:
    """A seat signed two different things for the same place."""

    seat: int
    first: Contribution
    second: Contribution


@dataclass(frozen=True, slots=True)
class Astray:
    """A contribution rests on another history than ours: compare histories with whoever sent it."""

    contribution: Contribution


Outcome = Body | ProtocolError | None
"""What a job returned (a body that was made, None for a check) or raised."""
Effect = Job | Publish | Chained | Done | Left | Fault | Fork | Astray
