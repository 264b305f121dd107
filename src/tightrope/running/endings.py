"""How a run ended, in words."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from tightrope.harness.driver import DRIVER_FILE
from tightrope.inputs.draws import NO_MORE_INPUT
from tightrope.library.libc_models import is_model
from tightrope.running.memory_map import OutcomeCode, ReasonCode
from tightrope.running.places import Place
from tightrope.running.run_record import AT_ADDRESS, Ending, Outcome

NOWHERE = Place("", None)
OUTCOMES = {
    OutcomeCode.RETURNED: Outcome.RETURNED,
    OutcomeCode.CRASHED: Outcome.CRASHED,
    OutcomeCode.TIMED_OUT: Outcome.TIMED_OUT,
    OutcomeCode.EXITED: Outcome.EXITED,
    OutcomeCode.REJECTED: Outcome.REJECTED,
    OutcomeCode.ENDLESS: Outcome.TIMED_OUT,
}

SENTENCES = {
    ReasonCode.STACK_OVERFLOW: "stack overflow",
    ReasonCode.DIVISION_BY_ZERO: "division by zero",
    ReasonCode.DIVISION_OVERFLOW: "quotient too large (lowest number divided by -1)",
    ReasonCode.OUT_OF_BOUNDS_READ: "read out of bounds",
    ReasonCode.OUT_OF_BOUNDS_WRITE: "write out of bounds",
    ReasonCode.ABORT: "abort",
    ReasonCode.ASSERTION: "assertion failed",
    ReasonCode.STEPS: "did not end within two million steps, or goes round in a circle",
    ReasonCode.CLOCK: "did not end in time (see --run-time-limit)",
    ReasonCode.ENDLESS: "stays for ever in a loop that does nothing",
    ReasonCode.DOUBLE_FREE: "free or realloc of a heap block that was freed before",
    ReasonCode.BAD_FREE: "free or realloc of an address that is not the start of a heap block",
    ReasonCode.FREED_READ: "read of a heap block that was freed",
    ReasonCode.FREED_WRITE: "write to a heap block that was freed",
    ReasonCode.DEAD_LOCAL: "use of a local variable whose function has returned",
    ReasonCode.CONSTANT_WRITE: "write to a constant",
    ReasonCode.SIGNED_OVERFLOW: "signed overflow",
    ReasonCode.NO_MORE_INPUT: "exit status 1, because there are no more values to draw",
    ReasonCode.SHIFT_RANGE: "shift by a negative number or by too many bits",
    ReasonCode.CONVERSION: "conversion of a float to an integer type that does not hold its value",
    ReasonCode.JUMP: "longjmp without a matching setjmp",
    ReasonCode.DIED: "the process died",
    ReasonCode.NULL_DEREFERENCE: "null pointer dereferenced",
    ReasonCode.NULL_INPUT: "null pointer dereferenced, which comes from the input",
    ReasonCode.UNREACHABLE: "reached code that the program declares unreachable",
    ReasonCode.UNWRITTEN: "use of an uninitialised value",
}


_SIGNALS = {
    ReasonCode.STACK_OVERFLOW: signal.SIGSEGV,
    ReasonCode.DIVISION_BY_ZERO: signal.SIGFPE,
    ReasonCode.DIVISION_OVERFLOW: signal.SIGFPE,
    ReasonCode.ABORT: signal.SIGABRT,
    ReasonCode.ASSERTION: signal.SIGABRT,
    ReasonCode.CONSTANT_WRITE: signal.SIGSEGV,
    ReasonCode.NULL_DEREFERENCE: signal.SIGSEGV,
    ReasonCode.NULL_INPUT: signal.SIGSEGV,
}

IS_RESULT = 1 << 30  # in the number of a place that names an uninitialised value; see runtime/unwritten.c


def describe_unwritten(status: int, places: Sequence[Place]) -> str:
    """What nothing has written, as the end of a sentence."""
    if status & IS_RESULT:
        return "the result of a function that ended without `return`"
    what = places[status].what
    if what.startswith("call "):
        return f"the stub does not write it in the {what}; --stub-writes makes it an input"
    return f"nothing has written {f'`{what}`' if what else 'that part of a heap block'}"


def describe_ending(
    outcome: OutcomeCode,
    reason: int,
    place: Place,
    status: int,
    address: int,
    library_call: Place = NOWHERE,
    places: Sequence[Place] = (),
) -> Ending:
    """How a run ended. If it ended in a model or stub, the place is the call, because the user does not know our C."""
    if outcome is OutcomeCode.NONE:
        return Ending(Outcome.CRASHED, "the process died")
    sentence, native = _sentence(ReasonCode(reason), status, address), _native_status(ReasonCode(reason), status)
    if reason == ReasonCode.UNWRITTEN and places:
        sentence += f": {describe_unwritten(status, places)}"
    if place.location and _is_ours(place.location.file) and library_call.location:
        return Ending(OUTCOMES[outcome], f"{sentence} in the {library_call.what}", library_call.location, native)
    return Ending(OUTCOMES[outcome], sentence, place.location, native)


def _native_status(reason: ReasonCode, status: int) -> int | None:
    """The status of a process without instrumentation that ends for this reason, as far as it can be foretold."""
    if reason is ReasonCode.EXIT:
        return status & 0xFF
    if reason is ReasonCode.NO_MORE_INPUT:
        return NO_MORE_INPUT
    if reason is ReasonCode.SIGNAL:
        return -status
    return -_SIGNALS[reason] if reason in _SIGNALS else None


def _is_ours(file: str) -> bool:
    return file == DRIVER_FILE or is_model(file)


def _sentence(reason: ReasonCode, status: int, address: int) -> str:
    if reason is ReasonCode.SIGNAL:
        return f"{_signal_name(status)}{AT_ADDRESS}{address:#x}" if address < 1 << 16 else _signal_name(status)
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
