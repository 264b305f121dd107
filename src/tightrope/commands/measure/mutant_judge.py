"""Judges runs as tests: which mutants would the test that is written for a run kill?

The runs become a C file as users get it, which is built with all mutants and run natively (commands/measure). So what
kills is what the written test checks, not what the search sees.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.commands.measure.killed_mutants import SuiteProgram, run_written_on_mutants
from tightrope.commands.measure.measured_coverage import NOTHING_KILLED, KilledMutants
from tightrope.commands.measure.measured_program import number_tests, read_written
from tightrope.commands.measure.unit_suite import make_case, suite_of
from tightrope.coverage.mutation.find_mutants import find_mutants_of
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Reason
from tightrope.coverage.witnesses import bits
from tightrope.deadline import NEVER, Deadline
from tightrope.options.options import Options
from tightrope.program.marks.mutants import SourceMutant
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.running.runner import Runner
from tightrope.suite.case import Suite
from tightrope.suite.folder import anchor_includes
from tightrope.suite.guard import Limits
from tightrope.suite.reduce import Kept
from tightrope.suite.writers.plain_c import write_plain_c
from tightrope.units.function_syntax import find_syntax
from tightrope.units.linking import write_objects
from tightrope.units.prepared import PreparedUnit
from tightrope.units.unit_without_driver import beside

OTHERS = "the function has other mutants in the tests"
NOT_ASKED = "nothing is asked about it"
LEAST_SECONDS = 3.0  # for running mutants: without that, nothing is shown
_PREFIX = "test_"  # of the function that is a test


def can_be_a_test(run: RunRecord) -> bool:
    """Whether a test can show what the run does: it returns, exits or aborts."""
    return run.ending.outcome is Outcome.RETURNED or run.ending.is_deliberate


class MutantJudge:
    """Of the mutants of one unit."""

    def __init__(self, unit: PreparedUnit, runner: Runner, options: Options, deadline: Deadline = NEVER) -> None:
        self._unit, self._runner, self._options = unit, runner, options
        self.deadline = deadline
        self.mask = sum(1 << point for point in unit.woven.points.mutants)
        self.equivalent = 0  # points of mutants that are proved to be equivalent, as a mask
        self.left_out: frozenset[int] = frozenset()  # points of mutants about which nothing is asked now
        self._longest = 0.0  # seconds, for one suite

    @property
    def has_time(self) -> bool:
        """Whether another suite can be judged before the last one is. Most of it is building the program."""
        return self.deadline.left > 2 * self._longest

    def judge(self, runs: Sequence[RunRecord], seconds: float, killers: int) -> tuple[RunRecord, ...]:
        """The runs, each with the points of the mutants that its test kills; only some killers of each mutant are
        looked for. Runs that can be no test kill nothing."""
        found = self.judge_runs(runs, seconds, killers)
        masks = [self.points_of(found, f"run_{number}") for number in range(len(runs))]
        return tuple(replace(run, points=run.points | mask) for run, mask in zip(runs, masks, strict=True))

    def judge_runs(self, runs: Sequence[RunRecord], seconds: float, killers: int = 1) -> KilledMutants:
        """What their tests say, which are named run_0, run_1 ..."""
        rows = [(f"run_{number}", run) for number, run in enumerate(runs)]
        cases = [make_case(self._unit, self._runner, name, run) for name, run in rows if can_be_a_test(run)]
        if not cases:
            return NOTHING_KILLED
        return self.judge_suite(suite_of(self._unit, cases, self._options), seconds, killers)

    def points_of(self, found: KilledMutants, name: str) -> int:
        """The points of the mutants that a test kills."""
        return found.points_of(name, self._unit.woven.points, self.equivalent)

    def why_alive(self, found: KilledMutants, objective: Objective) -> Reason:
        """Why no test kills the mutant of an objective."""
        number = self._unit.woven.points.mutant_at(objective.points)
        return found.reasons.get(number, Reason.ALIVE) if number is not None else Reason.ALIVE

    def relax(self, kept: Kept) -> Kept:
        """The run with obligations that a run of the unit can show: where it must kill, everything that it hits."""
        if not any(mask & self.mask for mask in kept.obligations):
            return kept
        hit = (1 << point for point in bits(kept.run.points & ~self.mask))
        return Kept(kept.run, tuple(hit))

    def keep_killing(self, kept: Sequence[Kept], shrunk: Sequence[RunRecord]) -> list[RunRecord]:
        """The simpler runs, where they kill what the runs were kept for; otherwise these runs."""
        if not self.has_time:
            return [each.run for each in kept]
        changed = [one for one, each in zip(shrunk, kept, strict=True) if one.input != each.run.input]
        judged = {one.input: one for one in self.judge(changed, self._options.time_limit, len(changed))}
        chosen = []
        for one, each in zip(shrunk, kept, strict=True):
            simpler = judged.get(one.input, each.run)
            is_enough = all(mask & simpler.points for mask in each.obligations)
            chosen.append(simpler if is_enough else each.run)
        return chosen

    def judge_suite(self, suite: Suite, seconds: float, killers: int = 1) -> KilledMutants:
        """What the written tests say; they are named as cases. Those that are known to kill a mutant come first."""
        unit, options = self._unit, self._options
        begun, seconds = self.deadline.clock(), max(min(seconds, self.deadline.left), LEAST_SECONDS)
        limits = Limits(seconds, options.memory_limit << 20, writable=options.allow_files)
        names = list(dict.fromkeys(each.function[1:].strip('"') for each in unit.marks.mutants))
        with tempfile.TemporaryDirectory(prefix="tightrope-mutants-") as place:
            folder = Path(place)
            source = folder / "tests.c"
            source.write_text(
                anchor_includes(next(iter(write_plain_c(suite).values())), suite.folder), encoding="utf-8"
            )
            parts = read_written(unit.file, names, source, self._options)
            linked = list(write_objects(unit.linked, folder))
            program = SuiteProgram(unit.file, names, parts, self._mutants_in(parts[0].text, names), linked)
            expected = self._expected(suite, number_tests(parts))
            found = run_written_on_mutants(program, folder, limits, killers, expected).without_prefix(_PREFIX)
        self._longest = max(self._longest, self.deadline.clock() - begun)
        return found

    def _expected(self, suite: Suite, numbers: Mapping[str, int]) -> dict[int, int]:
        """Number of a mutant -> that of a test whose run has killed it before."""
        named = ((numbers.get(f"@{_PREFIX}{case.name}"), case.points) for case in reversed(suite.cases))
        rows = [(number, points) for number, points in named if number is not None]
        return {
            mutant: number
            for number, points in rows
            for mutant, point in enumerate(self._unit.woven.points.mutants, 1)
            if points >> point & 1
        }

    def _mutants_in(self, text: str, names: Sequence[str]) -> tuple[SourceMutant, ...]:
        """The same mutants, with their places in another text that includes the unit."""
        source = beside(self._unit.file, text)
        syntaxes = find_syntax(
            source.compiler, text, names, source.flags, working_directory=source.working_directory, name=source.name
        )
        read = [syntaxes[name] for name in names if name in syntaxes]
        found = [each for syntax in read for each in find_mutants_of(syntax, f"@{syntax.name}")]
        own = self._unit.marks.mutants
        if [each.replacement for each in found] != [each.replacement for each in own]:
            return tuple(replace(each, problem=OTHERS) for each in own)
        rows = zip(found, own, self._unit.woven.points.mutants, strict=True)
        return tuple(
            replace(each, problem=NOT_ASKED if point in self.left_out else mine.problem) for each, mine, point in rows
        )
