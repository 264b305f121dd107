"""The result of one run, as plain values."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import Enum

from tightrope.inputs.scalars import Input
from tightrope.location import Location

AT_ADDRESS = " at address "  # in the reason of an ending: 'SIGSEGV at address 0x8'


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
    status: int | None = None  # of a process that ends so: an exit status, or minus a signal; None: it is undefined

    @property
    def is_deliberate(self) -> bool:
        """True if the program chose to end so: it exits, aborts, traps, or sends itself a signal."""
        is_signal = self.outcome is Outcome.CRASHED and self.status is not None
        return self.outcome is Outcome.EXITED or (is_signal and -(self.status or 0) in _OWN_SIGNALS)

    @property
    def is_error(self) -> bool:
        """True if the run ended by undefined behaviour: nothing is known about what comes before, either, because a
        compiler may assume that it does not happen."""
        return self.outcome is Outcome.CRASHED and not self.is_deliberate


_OWN_SIGNALS = frozenset(
    {
        signal.SIGABRT,
        signal.SIGILL,  # a trap instruction
        signal.SIGTRAP,
        signal.SIGHUP,
        signal.SIGINT,
        signal.SIGQUIT,
        signal.SIGTERM,
        signal.SIGUSR1,
        signal.SIGUSR2,
    }
)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run, as the suite needs it."""

    input: Input
    ending: Ending
    points: int  # bit p is set when point p was hit
    outputs: tuple[int | None, ...] = ()  # observed leaves by number, raw bits; None: not reached
    steps: int = 0  # blocks entered
    wraps: bool = False  # signed arithmetic overflowed: a build without -fwrapv may do something else
    is_by_chance: bool = False  # something depended on where objects lie
    is_risky: bool = False  # it did something undefined that most builds do not notice

    @property
    def risk(self) -> int:
        """How far another build may do something else; 0: not that we know."""
        return 4 * self.is_by_chance + 2 * self.is_risky + self.wraps
