"""Which mutants of a function the tests of a program kill.

One program has all mutants and all tests; each test runs on each mutant that it reaches, in a process of its own
(weaving/counting/mutants.c). A test kills a mutant if it passes without it, and fails, crashes or does not end with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from tightrope.commands.measure.measured_coverage import NOTHING_KILLED, KilledMutants
from tightrope.commands.measure.measured_program import SuitePart, build_with_mutants, number_tests
from tightrope.coverage.verdict import Reason
from tightrope.program.marks.mutants import SourceMutant
from tightrope.source.project import short_path
from tightrope.suite.guard import Limits
from tightrope.suite.native import run_program
from tightrope.suite.writers.plain_c import APART
from tightrope.units.prepared import PreparedFile
from tightrope.weaving.counting.mutant_record import (
    MUTANTS_VARIABLE,
    MutantPlan,
    MutantRecord,
    MutantVerdict,
    create_mutant_record,
    read_mutant_record,
)

NUMBER = "00000000"  # is replaced by the number of a test
GRACE = 30.0  # seconds that the program may take longer than it was told
NO_HINTS: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SuiteProgram:
    """Tests that are built with the functions `names` of a file, and the mutants of the text that holds these."""

    file: PreparedFile
    names: Sequence[str]
    parts: Sequence[SuitePart]
    mutants: Sequence[SourceMutant]
    linked: Sequence[Path]

    @property
    def has_mutants(self) -> bool:
        return any(not each.problem for each in self.mutants)

    @property
    def shown_name(self) -> str:
        """What the whole program is called: as its file."""
        main = next((part for part in self.parts if part.has_main), self.parts[0])
        return short_path(main.file.resolve())


def run_on_mutants(program: SuiteProgram, folder: Path, where: Path, limits: Limits, killers: int = 1) -> KilledMutants:
    """Build tests of the user in one folder, and run them in another."""
    if not program.has_mutants:
        return NOTHING_KILLED
    path = build_with_mutants(program.file, program.names, program.parts, program.mutants, folder, program.linked)
    return _run(program, path, where, limits, killers, is_numbered=False)


def run_written_on_mutants(
    program: SuiteProgram, folder: Path, limits: Limits, killers: int = 1, expected: Mapping[int, int] = NO_HINTS
) -> KilledMutants:
    """Build and run tests that Tightrope wrote, in a temporary folder. `expected`: number of a mutant -> that of the
    test that killed it before."""
    if not program.has_mutants:
        return NOTHING_KILLED
    path = build_with_mutants(
        program.file, program.names, program.parts, program.mutants, folder, program.linked, level=0
    )
    working = folder / "working-on-mutants"
    working.mkdir(exist_ok=True)
    own = replace(limits, writable=(working, *limits.writable))
    return _run(program, path, working, own, killers, is_numbered=True, expected=expected)


def _run(
    program: SuiteProgram,
    path: Path,
    where: Path,
    limits: Limits,
    killers: int,
    *,
    is_numbered: bool,
    expected: Mapping[int, int] = NO_HINTS,
) -> KilledMutants:
    tests = [name[1:] for name in number_tests(program.parts)]
    plan = MutantPlan(len(tests), len(program.mutants), killers, limits.seconds, is_numbered, expected)
    record = path.with_suffix(".record")
    create_mutant_record(record, plan)
    command = (path, NUMBER, APART) if is_numbered else (path,)
    patient = replace(limits, seconds=3 * limits.seconds + GRACE)
    with record.open("r+b") as file:
        number = file.fileno()
        run_program(command, where, patient, {MUTANTS_VARIABLE: str(number)}, [number])
    return _tell(read_mutant_record(record, plan), [program.shown_name, *tests], program.mutants)


def _tell(record: MutantRecord, tests: Sequence[str], mutants: Sequence[SourceMutant]) -> KilledMutants:
    """The record, with the names of the tests; the first is that of the whole program."""
    rows = {name: record.killed_by(number) for number, name in enumerate(tests)}
    by_test = {name: row for name, row in rows.items() if row}
    by_index = {name: row for number, name in enumerate(tests) if (row := record.left_by(number))}
    killed = {mutant for row in by_test.values() for mutant in row}
    left = [number for number, each in enumerate(mutants, 1) if number not in killed and not each.problem]
    passing = {number: tuple(tests[test] for test in record.passed_by(number)) for number in left}
    reasons = {number: _why_alive(record, number) for number in left}
    return KilledMutants(by_test, by_index, passing, reasons, tuple(_warn(record, tests)))


def _why_alive(record: MutantRecord, mutant: int) -> Reason:
    if not record.is_finished(mutant):
        return Reason.NOT_RUN
    if record.passed_by(mutant):
        return Reason.ALIVE
    return Reason.NOT_JUDGED if record.is_reached(mutant) else Reason.NOT_REACHED


def _warn(record: MutantRecord, tests: Sequence[str]) -> Iterator[str]:
    for number, verdict in enumerate(record.originals):
        is_counted = number or len(tests) == 1
        if is_counted and verdict is not MutantVerdict.PASSED:
            how = {MutantVerdict.NOT_RUN: "does not run", MutantVerdict.TIMED_OUT: "does not end"}.get(verdict, "fails")
            yield f"{tests[number]} {how} when it is run alone, so it cannot show that a mutant is wrong"
