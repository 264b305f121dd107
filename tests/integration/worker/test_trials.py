"""What a trial tells beside the points that it hit."""

from __future__ import annotations

from tightrope.running.memory_map import FLAG_STAINED, OutcomeCode

from .conftest import StartUnit, Unit

LOOP = "int f(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }"


def levels(unit: Unit, value: int) -> int:
    return unit.runner.try_input((value,))[3]


def test_another_round_of_a_loop_is_another_level_until_it_makes_little_difference(start_unit: StartUnit) -> None:
    unit = start_unit(LOOP, "f")
    seen = 0
    for value, is_new in [(0, True), (1, True), (2, True), (3, True), (4, True), (5, False), (40, True), (60, False)]:
        found = levels(unit, value)
        assert bool(found & ~seen) is is_new, value
        seen |= found
    assert levels(unit, 3) == levels(unit, 3)


def test_only_what_kills_the_process_is_a_stain(start_unit: StartUnit) -> None:
    unit = start_unit(
        "#include <signal.h>\nint f(int n) { int *p = 0; if (n == 1) return *p; return n == 2 ? __builtin_trap(), 1 : 0; }",
        "f",
    )
    for value, outcome, is_stained in [
        (0, OutcomeCode.RETURNED, False),
        (1, OutcomeCode.CRASHED, False),
        (2, OutcomeCode.CRASHED, True),
    ]:
        ended, flags, _, _ = unit.runner.try_input((value,))
        assert (ended, bool(flags & FLAG_STAINED)) == (outcome, is_stained), value
