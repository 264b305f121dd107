"""How a run ended, in words."""

from __future__ import annotations

import signal

from tightrope.execution.memory_map import OutcomeCode, ReasonCode
from tightrope.execution.places import Place
from tightrope.execution.trace import Ending, Outcome

OUTCOMES = {
    OutcomeCode.RETURNED: Outcome.RETURNED,
    OutcomeCode.CRASHED: Outcome.CRASHED,
    OutcomeCode.TIMED_OUT: Outcome.TIMED_OUT,
    OutcomeCode.EXITED: Outcome.EXITED,
    OutcomeCode.REJECTED: Outcome.REJECTED,
}

SENTENCES = {
    ReasonCode.STACK_OVERFLOW: "stack overflow",
    ReasonCode.DIVISION_BY_ZERO: "division by zero",
    ReasonCode.DIVISION_OVERFLOW: "quotient too large (lowest number divided by -1)",
    ReasonCode.OUT_OF_BOUNDS_READ: "read out of bounds",
    ReasonCode.OUT_OF_BOUNDS_WRITE: "write out of bounds",
    ReasonCode.ABORT: "abort",
    ReasonCode.ASSERTION: "assertion failed",
    ReasonCode.STEPS: "did not end within two million steps",
    ReasonCode.CLOCK: "did not end in time (see --run-time-limit)",
    ReasonCode.DOUBLE_FREE: "free or realloc of what is not a live heap block",
    ReasonCode.DIED: "the process died",
    ReasonCode.NULL_DEREFERENCE: "null pointer dereferenced",
    ReasonCode.UNREACHABLE: "reached what the program says is unreachable",
}


def describe_ending(outcome: OutcomeCode, reason: int, place: Place, status: int, address: int) -> Ending:
    if outcome is OutcomeCode.NONE:
        return Ending(Outcome.CRASHED, "the process died")
    return Ending(OUTCOMES[outcome], _sentence(ReasonCode(reason), status, address), place.location)


def _sentence(reason: ReasonCode, status: int, address: int) -> str:
    if reason is ReasonCode.SIGNAL:
        return f"{_signal_name(status)} at address {address:#x}" if address < 1 << 16 else _signal_name(status)
    if reason is ReasonCode.EXIT:
        return f"exit status {status & 0xFF}"
    if reason is ReasonCode.ASSUMPTION:
        return f"assumption {status} does not hold"
    return SENTENCES.get(reason, "")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
