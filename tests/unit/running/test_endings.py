from __future__ import annotations

import pytest

from tightrope.harness.driver import DRIVER_FILE
from tightrope.library.table import MODELS
from tightrope.location import Location
from tightrope.running.endings import describe_ending
from tightrope.running.memory_map import OutcomeCode, ReasonCode
from tightrope.running.places import Place
from tightrope.running.run_record import Ending, Outcome

PLACE = Place("division", Location("a.c", 3, 5))
NOWHERE = Place("", None)
NO_ADDRESS = (1 << 64) - 1


@pytest.mark.parametrize(("outcome", "reason", "status", "address", "expected"), [
    (OutcomeCode.RETURNED, ReasonCode.NONE, 0, NO_ADDRESS, (Outcome.RETURNED, "")),
    (OutcomeCode.CRASHED, ReasonCode.DIVISION_BY_ZERO, 0, NO_ADDRESS, (Outcome.CRASHED, "division by zero")),
    (OutcomeCode.CRASHED, ReasonCode.SIGNAL, 11, 8, (Outcome.CRASHED, "SIGSEGV at address 0x8")),
    (OutcomeCode.CRASHED, ReasonCode.SIGNAL, 6, NO_ADDRESS, (Outcome.CRASHED, "SIGABRT")),
    (OutcomeCode.CRASHED, ReasonCode.SIGNAL, 77, NO_ADDRESS, (Outcome.CRASHED, "signal 77")),
    (OutcomeCode.EXITED, ReasonCode.EXIT, 0xFFFFFFFF, NO_ADDRESS, (Outcome.EXITED, "exit status 255")),
    (OutcomeCode.REJECTED, ReasonCode.ASSUMPTION, 2, NO_ADDRESS, (Outcome.REJECTED, "assumption 2 does not hold")),
    (OutcomeCode.TIMED_OUT, ReasonCode.CLOCK, 0, NO_ADDRESS, (Outcome.TIMED_OUT, "did not end in time (see --run-time-limit)")),
])  # fmt: skip
def test_words_of_endings(
    outcome: OutcomeCode, reason: ReasonCode, status: int, address: int, expected: tuple[Outcome, str]
) -> None:
    ending = describe_ending(outcome, reason, PLACE, status, address)
    assert (ending.outcome, ending.reason) == expected
    assert ending.location == PLACE.location


@pytest.mark.parametrize("file", [str(MODELS / "string.c"), DRIVER_FILE])
def test_what_ends_in_our_c_ended_at_the_call_of_it(file: str) -> None:
    inside, call = Place("access", Location(file, 7, 1)), Place("call of `strcpy`", Location("a.c", 4, 9))
    ending = describe_ending(OutcomeCode.CRASHED, ReasonCode.FREED_WRITE, inside, 0, NO_ADDRESS, call)
    assert ending.location == call.location
    assert ending.reason == "write to a heap block that was freed in the call of `strcpy`"
    own = describe_ending(OutcomeCode.CRASHED, ReasonCode.FREED_WRITE, PLACE, 0, NO_ADDRESS, call)
    assert (own.location, own.reason) == (PLACE.location, "write to a heap block that was freed")


def test_a_run_that_said_nothing_died() -> None:
    assert describe_ending(OutcomeCode.NONE, 0, NOWHERE, 0, NO_ADDRESS) == Ending(Outcome.CRASHED, "the process died")
