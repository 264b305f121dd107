"""Confirms differences: builds their tests without instrumentation and runs them with both versions. A difference is
confirmed if its test passes with one version and fails with the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.running.run_record import Ending, Outcome
from tightrope.source.compile import link_program
from tightrope.source.flags import Flags
from tightrope.suite.confirm import Agreement, Confirmed, Expected, confirm
from tightrope.suite.guard import Limits
from tightrope.suite.writers.either_version import IS_OLD, UNIT
from tightrope.units.linking import write_objects
from tightrope.units.prepared import PreparedUnit

# In instrumented runs, uninitialised variables are zero. A test must not depend on that.
ZEROED, FILLED = "-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern"

OLD, NEW = "old", "new"


@dataclass(frozen=True, slots=True)
class DifferenceTest:
    """A written test, and how each version ended in the instrumented run."""

    name: str
    expected: str  # the version whose behaviour it describes: OLD or NEW
    outcomes: Mapping[str, Outcome]

    @property
    def other(self) -> str:
        return OLD if self.expected == NEW else NEW

    @property
    def can_expect(self) -> bool:
        """False if neither version returns: then there is nothing to expect."""
        return self.outcomes[self.expected] is Outcome.RETURNED

    def expected_ending(self, version: str) -> Ending:
        return Ending(Outcome.RETURNED if self.can_expect else self.outcomes[version])


@dataclass(frozen=True, slots=True)
class DifferenceCheck:
    """The result of one test."""

    passes_on: str = ""
    fails_on: str = ""
    detail: str = ""
    is_true: bool = True  # False: without instrumentation, no difference is visible
    was_built: bool = True


def confirm_differences(
    text: str, tests: Sequence[DifferenceTest], units: Mapping[str, PreparedUnit], folder: Path, limits: Limits
) -> tuple[DifferenceCheck, ...]:
    """Build and run the tests with both versions."""

    def run(version: str, locals_flag: str) -> dict[str, Confirmed]:
        """The results, by name of the test."""
        unit = units[version]
        flags = (f'-D{UNIT}="{unit.file.path.resolve()}"', *[f"-D{IS_OLD}"] * (version == OLD), locals_flag)
        expected = [Expected(each.name, each.expected_ending(version)) for each in tests]
        done = confirm(text, expected, _builder(unit, flags), folder, limits)
        return {each.name: replace(each, detail=each.detail or done.problem) for each in done.tests}

    seen = {version: run(version, ZEROED) for version in (OLD, NEW)}
    filled = {version: run(version, FILLED) for version in dict.fromkeys(each.expected for each in tests)}
    found = []
    for each in tests:
        mine, other = seen[each.expected][each.name], seen[each.other][each.name]
        is_steady = filled[each.expected][each.name].agreement is Agreement.SAME
        found.append(_judge(each, mine, other, is_steady) if each.can_expect else _judge_endings(each, mine, other))
    return tuple(found)


def _builder(unit: PreparedUnit, more: Sequence[str]) -> Callable[[Path, Path, Sequence[str]], None]:
    file = unit.file

    def build(source: Path, program: Path, further: Sequence[str]) -> None:
        flags = Flags((*file.flags.kept, *more, *further), file.flags.link)
        files = [source, *write_objects(unit.linked, source.parent)]
        link_program(file.compiler, files, flags, program, working_directory=file.working_directory)

    return build


def _judge(test: DifferenceTest, mine: Confirmed, other: Confirmed, is_steady: bool) -> DifferenceCheck:
    """Judge a test that describes what one version does."""
    if mine.agreement is Agreement.NOT_RUN:
        return DifferenceCheck(detail=f"{test.expected}: {mine.detail}", was_built=False)
    if mine.agreement is Agreement.DIFFERENT:
        return DifferenceCheck(detail=f"{test.expected}: {mine.detail}", is_true=False)
    if not is_steady:
        return DifferenceCheck(detail=f"the {test.expected} version uses an uninitialised variable")
    if other.agreement is Agreement.DIFFERENT:
        return DifferenceCheck(test.expected, test.other, other.detail)
    if other.agreement is Agreement.NOT_RUN:
        return DifferenceCheck(test.expected, detail=f"{test.other}: {other.detail}", was_built=False)
    if test.outcomes[test.other] is Outcome.CRASHED:  # undefined behaviour may not be visible
        return DifferenceCheck(test.expected, detail=f"{test.other}: crashed only in the instrumented build")
    return DifferenceCheck(test.expected, detail=f"it passes with the {test.other} version, too", is_true=False)


def _judge_endings(test: DifferenceTest, mine: Confirmed, other: Confirmed) -> DifferenceCheck:
    """Judge a test that returns with neither version."""
    seen = f"{test.expected}: {mine.detail}; {test.other}: {other.detail}"
    is_endless = Outcome.TIMED_OUT in test.outcomes.values()
    is_told = mine.agreement is other.agreement is Agreement.SAME and mine.detail != other.detail
    return DifferenceCheck(detail=seen, is_true=is_told or not is_endless)
