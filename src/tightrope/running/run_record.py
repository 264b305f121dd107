"""The result of one run, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tightrope.inputs.scalars import Input
from tightrope.location import Location


class Outcome(Enum):
    """How a run ended; the value is the word used in report.json."""

    RETURNED = "returned"
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    EXITED = "exited"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, why (one sentence), and where, if that is known."""

    outcome: Outcome
    reason: str = ""  # 'division by zero', 'SIGSEGV at address 0x0', 'exit status 3', 'assumption 2 does not hold'
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run, as the suite needs it."""

    input: Input
    ending: Ending
    points: int  # bit p is set when point p was hit
    outputs: tuple[int | None, ...] = ()  # observed leaves by number, raw bits; None: not reached
    steps: int = 0  # blocks entered
