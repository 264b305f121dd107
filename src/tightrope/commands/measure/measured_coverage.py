"""Adds up which objectives of one function the tests cover: verdicts and a report.

The points that a test hits are stored per objective, as positions in its points, so that tests of several builds and of
earlier measurements can be added up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tightrope.commands.measure.equivalent_survivors import NOTHING_DECIDED, DecidedMutants
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason, Unknown, Verdict
from tightrope.coverage.witnesses import find_witnesses
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function
from tightrope.program.marks.marks import Marks
from tightrope.report.collect import report_objective
from tightrope.report.decisions import first_lines, report_decisions
from tightrope.report.executed_lines import join_executed, report_executed
from tightrope.report.model import (
    NO_STRATEGY,
    ExecutedFunction,
    ReportedDecision,
    ReportedTest,
    ReportedVector,
    UnitReport,
)
from tightrope.running.run_record import Outcome
from tightrope.source.project import as_named
from tightrope.units.prepared import PreparedFile

_TELLING = (
    Reason.NOT_RUN,
    Reason.ALIVE,
    Reason.NOT_JUDGED,
    Reason.NOT_REACHED,
)  # the first one that applies is said
Hits = Mapping[str, tuple[int, ...]]  # objective id -> positions in its points
MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class Run:
    """A test that was executed in some build, or could not be executed."""

    name: str
    points: int
    outcome: Outcome | None  # None: it was not executed
    reason: str = ""
    is_error: bool = False  # it ends by undefined behaviour, or not at all: it covers run-time errors and nothing else

    def points_for(self, objective: Objective) -> int:
        return self.points if objective.is_error or not self.is_error else 0


@dataclass(frozen=True, slots=True)
class KilledMutants:
    """What tests say about the mutants of a build, which are numbered from 1."""

    by_test: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # name of a test -> mutants that it kills
    by_index: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # of these, those that only left an array
    passing: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # mutant -> tests that reach it and pass
    reasons: Mapping[int, Reason] = field(default_factory=dict)  # mutant that no test kills -> why
    warnings: tuple[str, ...] = ()

    def without_prefix(self, prefix: str) -> KilledMutants:
        """The same, with tests named without this beginning."""
        every = {*self.by_test, *(name for names in self.passing.values() for name in names)}
        return self.renamed({name: name.removeprefix(prefix) for name in every})

    def renamed(self, names: Mapping[str, str]) -> KilledMutants:
        """The same, with other names for tests."""
        return replace(
            self,
            by_test={names.get(test, test): killed for test, killed in self.by_test.items()},
            by_index={names.get(test, test): left for test, left in self.by_index.items()},
            passing={number: tuple(names.get(test, test) for test in tests) for number, tests in self.passing.items()},
        )

    def points_of(self, test: str, points: Points, equivalent: int = 0) -> int:
        """The points of the mutants that a test kills, as a mask. Those that are equivalent may leave an array and stay
        in the object around it, where only the check of indices notices: no formula is about that."""
        killed = sum(1 << points.mutants[number - 1] for number in self.by_test.get(test, ()))
        left = sum(1 << points.mutants[number - 1] for number in self.by_index.get(test, ()))
        return killed & ~(left & equivalent)


NOTHING_KILLED = KilledMutants()


@dataclass(frozen=True, slots=True)
class DoneTest:
    """A test, and the points of one function's objectives that it hits."""

    name: str
    suite: str
    outcome: Outcome
    reason: str
    hits: Hits
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class InBuild:
    """A function in one build, with others whose objectives count too: what their points mean there."""

    functions: tuple[Function, ...]
    objectives: tuple[Objective, ...]
    marks: Marks
    points: Points


@dataclass(slots=True)
class Tally:
    """All measurements of one function; each source of tests adds to it. With `is_whole`, the objectives of all
    functions of its file count."""

    name: str
    is_whole: bool = False
    objectives: tuple[Objective, ...] = ()
    tests: list[DoneTest] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    decisions: dict[str, ReportedDecision] = field(default_factory=dict)  # by id
    executed: dict[str, ExecutedFunction] = field(default_factory=dict)  # by name
    passing: dict[str, list[str]] = field(default_factory=dict)  # id of a mutant -> tests that reach it and pass
    uncompilable: int = 0  # mutants
    decided: DecidedMutants = NOTHING_DECIDED
    reasons: dict[str, Reason] = field(default_factory=dict)  # id of a mutant -> why no test of a build kills it

    def add(self, build: InBuild, suite: str, runs: Iterable[Run], mutants: KilledMutants = NOTHING_KILLED) -> None:
        """Add tests that ran in a build, and on the mutants of that build."""
        self.objectives = self.objectives or build.objectives
        self._add_mutants(build, mutants)
        named: list[tuple[str, int]] = []
        for run in runs:
            if run.outcome is None:
                self.warnings.append(f"{run.name} of {suite} was not executed: {run.reason}")
                continue
            killed = mutants.points_of(run.name, build.points)
            rows = ((each, positions(each, run.points_for(each) | killed)) for each in build.objectives)
            hits = {each.id: found for each, found in rows if found}
            points = 0 if run.is_error else run.points
            executed = self._executed(build, [points])
            lines = tuple(sorted({line.line for row in executed for line in row.lines if line.tests}))
            name = self._keep(DoneTest(run.name, suite, run.outcome, run.reason, hits, lines))
            named.append((name, points))
        self._add_decisions(_decisions(build, named))
        self._add_executed(self._executed(build, [points for _, points in named]))

    def _executed(self, build: InBuild, hits: Sequence[int]) -> list[ExecutedFunction]:
        """The functions that count, line by line."""
        own = {self.name, *(each.id.partition(":")[0] for each in build.objectives)}
        return [each for each in report_executed(build.functions, build.points, hits) if each.function in own]

    def _add_mutants(self, build: InBuild, mutants: KilledMutants) -> None:
        names = {each.name for each in build.functions}
        self.uncompilable = sum(bool(each.problem) and each.function in names for each in build.marks.mutants)
        self.warnings += [each for each in mutants.warnings if each not in self.warnings]
        for objective in build.objectives:
            number = build.points.mutant_at(objective.points)
            if number is not None:
                self.passing.setdefault(objective.id, []).extend(mutants.passing.get(number, ()))
                before, now = self.reasons.get(objective.id), mutants.reasons.get(number)
                if now is not None and (before is None or _TELLING.index(now) < _TELLING.index(before)):
                    self.reasons[objective.id] = now

    def _keep(self, test: DoneTest) -> str:
        """Add a test under a unique name: if another suite has the same name, with the suite before it and, if needed,
        a number after it."""
        taken = {each.name for each in self.tests}
        longer = f"{test.suite}:{test.name}"
        wishes = (test.name, longer, *(f"{longer}#{number}" for number in range(2, len(taken) + 3)))
        name = next(wish for wish in wishes if wish not in taken)
        self.tests.append(replace(test, name=name))
        return name

    def _add_decisions(self, rows: Iterable[ReportedDecision]) -> None:
        for row in rows:
            known = self.decisions.get(row.id)
            self.decisions[row.id] = replace(row, vectors=_join(known.vectors, row.vectors)) if known else row

    def _add_executed(self, rows: Iterable[ExecutedFunction]) -> None:
        for row in rows:
            known = self.executed.get(row.function)
            self.executed[row.function] = join_executed(known, row) if known else row

    def verdicts(self) -> list[tuple[Objective, Verdict]]:
        masks = [_masks(test.hits) for test in self.tests]
        return [(each, self._verdict(_by_position(each), masks)) for each in self.objectives]

    def _verdict(self, objective: Objective, masks: Sequence[Mapping[str, int]]) -> Verdict:
        found = find_witnesses(objective, [mask.get(objective.id, 0) for mask in masks])
        if found:
            return Covered(tuple(self.tests[at].name for at in found))
        if objective.problem:
            return Unknown(Reason.NOT_FOLLOWED, objective.problem)
        if objective.is_constant:
            return Infeasible(Proof.CONSTANT)
        equivalent = self.decided.equivalent.get(objective.id)
        return equivalent or Unknown(self.reasons.get(objective.id, Reason.NOT_COVERED))

    def alive(self) -> frozenset[str]:
        """The ids of the mutants that no test kills."""
        mutants = [row for row in self.verdicts() if row[0].criterion == StrongMutation.name]
        return frozenset(each.id for each, verdict in mutants if isinstance(verdict, Unknown))

    def merge_all(self, units: Iterable[UnitReport], file: PreparedFile, options: Options) -> None:
        for unit in units:
            self.merge(unit, fingerprint_of_text(file, self, options))

    def merge(self, unit: UnitReport, fingerprint: str) -> None:
        """Add the tests of an earlier measurement, if it was of the same C."""
        if unit.fingerprint != fingerprint:
            self.warnings.append(f"not merged: {self.name} has changed since the earlier measurement")
            return
        texts = {each.id: each.text for each in self.objectives}
        same = {each.id for each in unit.objectives if texts.get(each.id) == each.text}
        names = {}
        for test in unit.tests:
            hits = {key: found for key, found in test.hits.items() if key in same}
            done = DoneTest(test.id, test.suite, Outcome(test.outcome), test.reason, hits, test.lines)
            names[test.id] = self._keep(done)
        rows = [replace(row, vectors=_renamed(row.vectors, names)) for row in unit.decisions]
        self._add_decisions(row for row in rows if row.id in self.decisions)
        self._add_executed(row for row in unit.executed if row.function in self.executed)


def positions(objective: Objective, points: int) -> tuple[int, ...]:
    """The positions of the objective's points that were hit: the same in every build of the same C. If any point is
    enough, the position does not matter: other labels may divide the code into other blocks."""
    if objective.relation in (Relation.ANY, Relation.SEQUENCE):
        return (0,) if objective.mask & points else ()
    return tuple(at for at, point in enumerate(objective.points) if points >> point & 1)


def _decisions(build: InBuild, tests: Sequence[tuple[str, int]]) -> tuple[ReportedDecision, ...]:
    """The decisions of the functions; `tests` are names and points."""
    functions = {function.name: function for function in build.functions}
    pairs = zip(build.marks.decisions, build.points.vectors, strict=True)
    own = [(decision, points) for decision, points in pairs if decision.function in functions]
    marks, points = Marks(tuple(decision for decision, _ in own)), Points({}, tuple(points for _, points in own))
    return report_decisions(marks, points, first_lines(functions), tests)


def _join(known: Sequence[ReportedVector], more: Sequence[ReportedVector]) -> tuple[ReportedVector, ...]:
    """Merge the vectors of two measurements with their tests."""
    rows = {row.values: row for row in known}
    for row in more:
        before = rows[row.values].tests if row.values in rows else ()
        rows[row.values] = replace(row, tests=tuple(dict.fromkeys((*before, *row.tests))))
    return tuple(sorted(rows.values(), key=lambda row: [(value is None, value or False) for value in row.values]))


def _renamed(rows: Iterable[ReportedVector], names: Mapping[str, str]) -> tuple[ReportedVector, ...]:
    return tuple(replace(row, tests=tuple(names[test] for test in row.tests if test in names)) for row in rows)


# -- the report


def left_out_note(uncompilable: int) -> tuple[str, ...]:
    """What is said about mutants that do not compile."""
    if not uncompilable:
        return ()
    return (f"{uncompilable} mutant{' does' if uncompilable == 1 else 's do'} not compile: not counted",)


def report_tally(file: PreparedFile, tally: Tally, options: Options) -> UnitReport:
    """What all tests together cover."""
    mark, done = fingerprint_of_text(file, tally, options), tally.tests
    verdicts = tally.verdicts()
    source, location = SourceText(), file.ctypes.functions[tally.name].location
    rows = tuple(
        replace(
            report_objective(each, verdict, source),
            file=_as_named(file, each.location.file),
            passing=tuple(tally.passing.get(each.id, ())) if isinstance(verdict, Unknown) else (),
            formula=tally.decided.formulas.get(each.id, "") if isinstance(verdict, Infeasible) else "",
        )
        for each, verdict in verdicts
    )
    return UnitReport(
        file=str(file.path),
        function=tally.name,
        criteria=options.criteria,
        strategy=NO_STRATEGY,
        seed=options.seed,
        stop_reason=MEASURED,
        objectives=rows,
        tests=tuple(_reported(test, verdicts) for test in done),
        line=location.line,
        defined_in=file.named_place(file.ctypes.functions[tally.name]),
        warnings=(*file.warnings, *tally.warnings, *tally.decided.warnings),
        notes=(*file.notes, *left_out_note(tally.uncompilable)),
        suites=tuple(dict.fromkeys(test.suite for test in done)),
        fingerprint=mark,
        decisions=tuple(replace(row, file=_as_named(file, row.file)) for row in tally.decisions.values()),
        executed=tuple(replace(row, file=_as_named(file, row.file)) for row in tally.executed.values()),
    )


def _masks(hits: Hits) -> dict[str, int]:
    return {key: sum(1 << at for at in found) for key, found in hits.items()}


def _by_position(objective: Objective) -> Objective:
    """The objective with positions in place of points."""
    at = {point: position for position, point in enumerate(objective.points)}
    pairs = tuple((at[one], at[other]) for one, other in objective.pairs)
    return replace(objective, points=tuple(range(len(objective.points))), pairs=pairs)


def _reported(test: DoneTest, verdicts: Sequence[tuple[Objective, Verdict]]) -> ReportedTest:
    covers = tuple(each.id for each, verdict in verdicts if isinstance(verdict, Covered) and test.name in verdict.tests)
    hits = {key: found for key, found in test.hits.items() if found}
    return ReportedTest(
        test.name,
        {},
        test.outcome.value,
        covers,
        reason=test.reason,
        suite=test.suite,
        hits=hits,
        lines=test.lines,
    )


def fingerprint_of_text(file: PreparedFile, tally: Tally, options: Options) -> str:
    """A hash of the measured text, to check that an earlier measurement is about the same C. The form of MC/DC and
    which decisions count are part of it, because they determine the pairs."""
    lines = file.path.read_text(encoding="utf-8", errors="replace").splitlines()
    own = lines if tally.is_whole else lines[_extent(file, tally.name)]
    return hashlib.sha256("\n".join((options.mcdc_form, options.decisions, *own)).encode()).hexdigest()[:16]


def _extent(file: PreparedFile, name: str) -> slice:
    """The lines of a function."""
    first = file.ctypes.functions[name].location
    blocks = file.program.functions[f"@{name}"].blocks
    places = [place for block in blocks for place in block.places if place.file == first.file]
    return slice(first.line - 1, max((place.line for place in places), default=first.line))


def _as_named(file: PreparedFile, path: str) -> str:
    return as_named(path, file.path, file.working_directory)
