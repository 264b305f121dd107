"""`tightrope explain`: why objectives of a report are covered, infeasible or unknown, in words of the C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.command_line.arguments import read_options
from tightrope.commands.explain.contradictions import Exclusion, find_exclusion
from tightrope.commands.explain.next_steps import Shaped, command_of, find_attempts, find_facts, show_command
from tightrope.commands.generate.unit_report import fingerprint_of
from tightrope.commands.show_inputs import show_inputs as show_shape
from tightrope.encoding.encoding import Encoding, EncodingLimits
from tightrope.encoding.unit import encode
from tightrope.encoding.values import EncodingTable
from tightrope.encoding.watched import Watcher
from tightrope.errors import NothingMatchedError, TightropeError
from tightrope.inputs.wishes import Growth
from tightrope.options.options import Options
from tightrope.options.targets import near_names
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.report.as_explanation import Attempt, Explained, Explanation, ShownTest, named
from tightrope.report.as_text import show_inputs
from tightrope.report.model import Report, ReportedDecision, ReportedObjective, ReportedTest, UnitReport
from tightrope.report.mutants import MUTATION, is_mutant
from tightrope.report.read_report import Row, all_rows, find_objectives, find_report, read_report
from tightrope.solving.backends import start_session
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit
from tightrope.units.prepared import PreparedUnit
from tightrope.units.sequences import prepare_sequences
from tightrope.weaving.mark_table import points_of_obligations

MOST_PASSING = 5  # tests that reach a mutant
MOST_INPUTS = 6  # of a test, with those that are zero
AS_GIVEN = "under the assumptions about the inputs, "
CHANGED = "{} has changed since the report was written; the explanation is about the current file"
_BUILD = re.compile(r"^ {7}(cc .*)$", re.MULTILINE)
_OUTCOMES = {"returned": "returns", "exited": "exits", "crashed": "crashes", "timed_out": "does not end"}


def explain(options: Options) -> Explained:
    """What the words after `explain` ask for: a report, and objectives in it."""
    given, *wanted = options.subjects
    file = find_report(Path(given))
    report = _of_functions(read_report(file), options.functions)
    if not wanted:
        return _list_open(report, given)
    explainer = _Explainer(file, len(report.units) == 1, options)
    found = [find_objectives(report, each) for each in wanted]
    if any(len({objective.id for _, objective in rows}) > 1 for rows in found):
        return _list_fitting(found, wanted)
    return Explained(tuple(explainer.explain(*row) for rows in found for row in rows))


def _of_functions(report: Report, names: Sequence[str]) -> Report:
    """What the report says of these functions; of all when none is named."""
    known = [unit.function for unit in report.units]
    for name in names:
        if name not in known:
            message = f"the report has no function `{name}`"
            raise NothingMatchedError(message, hint=near_names(name, known), slug="no-such-function")
    return replace(report, units=tuple(unit for unit in report.units if not names or unit.function in names))


def _list_open(report: Report, given: str) -> Explained:
    rows = all_rows(report)
    left = [row for row in rows if row[1].verdict != "covered"]
    left.sort(key=lambda row: row[1].verdict)
    if not left:
        sentence = f"All {len(rows)} objectives are covered." if rows else "The report has no objectives."
        return Explained((), is_list=True, sentence=sentence)
    example = show_command(("explain", given, left[0][1].id))
    return Explained(_named(left), is_list=True, sentence=f"More about one of them: {example}")


def _list_fitting(found: Sequence[Sequence[Row]], wanted: Sequence[str]) -> Explained:
    rows = list({(unit.file, row.id): (unit, row) for rows in found for unit, row in rows}.values())
    said = ", ".join(f"`{each}`" for each in wanted)
    return Explained(_named(rows), is_list=True, sentence=f"{len(rows)} objectives match {said}: name one by its id.")


def _named(rows: Sequence[Row]) -> tuple[Explanation, ...]:
    return tuple(named(objective, unit.file) for unit, objective in rows)


class _Explainer:
    """Explains objectives of one report, the one in `file`."""

    def __init__(self, file: Path, is_of_one: bool, options: Options) -> None:
        self.file, self.is_of_one, self.options = file, is_of_one, options

    def explain(self, unit: UnitReport, objective: ReportedObjective) -> Explanation:
        tests = f"make the calls `{unit.sequence}`" if unit.sequence else f"call `{unit.function}`"
        called = "" if objective.id.startswith(f"{unit.function}:") else f" (where tests {tests})"
        row = named(objective, unit.file)
        row = replace(row, text=row.text + called, warnings=tuple(_changes(unit)))
        if objective.verdict == "covered":
            return self._covered(row, unit, objective)
        if is_mutant(objective):
            return _survivor(row, unit, objective)
        if objective.verdict == "infeasible":
            return self._infeasible(row, unit, objective)
        return self._unknown(row, unit, objective)

    # -- covered

    def _covered(self, row: Explanation, unit: UnitReport, objective: ReportedObjective) -> Explanation:
        tests = {test.id: test for test in unit.tests}
        names = [name for name in objective.tests if name in tests]
        chosen = names if objective.relation == "pair" else sorted(names, key=lambda each: _effort(tests[each]))[:1]
        why = _covered_by(len(names), len(chosen), objective.relation)
        why = why.replace("covered", "killed") if is_mutant(objective) else why
        return replace(row, why=why, tests=tuple(_show_test(unit, tests[name]) for name in chosen))

    # -- unknown

    def _unknown(self, row: Explanation, unit: UnitReport, objective: ReportedObjective) -> Explanation:
        options = self._options_of(unit)
        is_shape = objective.reason in ("shape", "state") and bool(options.targets)
        shaped = self._shaped(options) if is_shape else Shaped()
        row = self._excluded(row, unit, objective, options) if is_shape else row
        return replace(
            row,
            facts=find_facts(unit, objective, options),
            attempts=find_attempts(unit, objective, options, shaped, self._report_of(unit)),
        )

    def _report_of(self, unit: UnitReport) -> str:
        """Where to write a report of this function alone: a report of several functions is not overwritten."""
        return str(self.file if self.is_of_one else self.file.with_name(f"{self.file.stem}-{unit.function}.json"))

    def _shaped(self, options: Options) -> Shaped:
        """The inputs of the function; empty when the C can no longer be read."""
        try:
            shown = show_shape(options)[0]
        except TightropeError:
            return Shaped()
        wishes = tuple((row.path, row.wish) for row in shown.inputs if row.wish)
        return Shaped(wishes, tuple(shown.settings.items()), shown.unwritten)

    def _options_of(self, unit: UnitReport) -> Options:
        """The options of the command; the defaults when its files no longer exist."""
        try:
            return self._read_options(unit)
        except TightropeError:
            return Options(())

    def _read_options(self, unit: UnitReport) -> Options:
        options = read_options(command_of(unit))
        return options.for_function(unit.function)

    # -- infeasible

    def _infeasible(self, row: Explanation, unit: UnitReport, objective: ReportedObjective) -> Explanation:
        row = replace(row, why=f"proof ({objective.proof}): {objective.why}")
        if objective.proof == "constant":
            return replace(row, facts=tuple(_constants(unit, objective)))
        try:
            options = self._read_options(unit)
            found = self._exclusion(unit, objective, options)
        except TightropeError as problem:
            return replace(row, facts=(f"the conditions that exclude it cannot be named: {problem.message}",))
        return replace(row, head=found.head, clauses=found.clauses, facts=found.facts)

    def _excluded(
        self, row: Explanation, unit: UnitReport, objective: ReportedObjective, options: Options
    ) -> Explanation:
        """What excludes an unknown objective under the assumptions. This is no proof, but it shows what to change."""
        try:
            found = self._exclusion(unit, objective, options)
        except TightropeError:
            return row
        return replace(row, head=f"{AS_GIVEN}{found.head}", clauses=found.clauses) if found.clauses else row

    def _exclusion(self, unit: UnitReport, objective: ReportedObjective, options: Options) -> Exclusion:
        prepared = self._prepare(unit, options)
        found = [each for each in prepared.objectives if each.id == objective.id]
        if not found:
            return Exclusion(facts=(f"the C no longer has the objective {objective.id}",))
        return find_exclusion(
            prepared,
            found[0],
            lambda *rest: _encode(prepared, options, self.options.time_limit, *rest),
            lambda: start_session(options.solver, time_limit=options.solver_time_limit, seed=options.seed),
            self.options.time_limit,
        )

    def _prepare(self, unit: UnitReport, options: Options) -> PreparedUnit:
        file = prepare_file(find_compiler(options.compiler), options.targets[0].file, options, lambda warning: None)
        if unit.sequence:
            (file,) = prepare_sequences([file], [unit.sequence])
        return prepare_unit(file, unit.function, options, growth=Growth(**unit.grown))


def _survivor(row: Explanation, unit: UnitReport, objective: ReportedObjective) -> Explanation:
    """A mutant that no test kills: equivalent, or alive."""
    if objective.verdict == "infeasible":
        hint = (f"SHA-256 of the formula: {objective.formula}",) if objective.formula else ()
        return replace(row, why=f"equivalent: {objective.why}", facts=hint)
    shown = [f"{name} reaches it and passes" for name in objective.passing[:MOST_PASSING]]
    more = len(objective.passing) - len(shown)
    facts = (*shown, *[f"and {more} more"] * (more > 0))
    attempts = []
    if unit.suites:
        words = ["generate", f"{unit.file}:{unit.function}", "-c", MUTATION]
        attempts = [Attempt("to look for an input for which a test fails", show_command(words))]
    elif "time limit" in objective.why:
        words = [*command_of(unit), "--time-limit", f"{4 * Options(()).time_limit:g}"]
        attempts = [Attempt("with more time", show_command(words))]
    return replace(row, why=f"alive: {objective.why}", facts=facts, attempts=tuple(attempts))


def _encode(
    unit: PreparedUnit,
    options: Options,
    seconds: float,
    iterations: int,
    watcher: Watcher,
    table: EncodingTable,
) -> Encoding:
    points, marks = unit.woven.points, unit.marks
    when = points_of_obligations(marks, points)
    return encode(
        unit.program,
        points,
        marks,
        build_point_graph(unit.program, unit.function.name, points, marks, when),
        unit.driver.widths,
        EncodingLimits(iterations=iterations, seconds=seconds),
        checks=options.checks,
        watch=watcher,
        table=table,
    )


def _changes(unit: UnitReport) -> list[str]:
    file = Path(unit.file)
    if not file.is_file():
        return [f"there is no file {unit.file} here: run this in the folder in which the report was made"]
    is_known = unit.fingerprint and not unit.suites  # the fingerprint of a measurement is not that of the whole file
    return [CHANGED.format(unit.file)] if is_known and fingerprint_of(file) != unit.fingerprint else []


def _effort(test: ReportedTest) -> tuple[int, int, int]:
    """How long a test is to read: the number of values that are not zero, then the length of all values."""
    telling = [value for value in test.inputs.values() if value not in (0, "an object", "NULL")]
    return (test.outcome != "returned", len(telling), sum(len(str(value)) for value in test.inputs.values()))


def _covered_by(tests: int, shown: int, relation: str) -> str:
    if relation == "pair":
        return "covered by these two tests together:" if shown > 1 else "covered by one test that does both:"
    if not tests:
        return "covered; the report does not say by which test"
    return "covered by one test:" if tests == 1 else f"covered by {tests} tests; the simplest:"


def _show_test(unit: UnitReport, test: ReportedTest) -> ShownTest:
    outcome = _OUTCOMES.get(test.outcome, test.outcome) + (f": {test.reason}" if test.reason else "")
    if test.suite:
        return ShownTest(test.id, f"from {test.suite}", outcome)
    return ShownTest(test.id, f"with {show_inputs(test.inputs, MOST_INPUTS)}", outcome, _run_command(unit, test))


def _run_command(unit: UnitReport, test: ReportedTest) -> str:
    """How to build the written tests and run this one; '' when the file does not exist (any more)."""
    number = [each.id for each in unit.tests].index(test.id) + 1
    for name in unit.written:
        file = Path(name)
        if file.suffix == ".c" and file.is_file():
            lines = _BUILD.findall(file.read_text(encoding="utf-8", errors="replace")[:4000])
            build = " && ".join(lines)
            return f"cd {file.parent} && {build} {number}" if build else ""
    return ""


def _constants(unit: UnitReport, objective: ReportedObjective) -> list[str]:
    """Conditions of the same decision that are constants, or the condition itself."""
    decision = next((each for each in unit.decisions if _is_about(each, objective)), None)
    fixed = [] if decision is None else [each for each in decision.conditions if each.constant is not None]
    if fixed:
        at = f"{objective.file or unit.file}:"
        return [f"{at}{c.line}:{c.column}  `{c.text}` is always {'true' if c.constant else 'false'}" for c in fixed]
    return [_opposite(objective.text)]


def _opposite(text: str) -> str:
    for word, other in (("true", "false"), ("false", "true")):
        if text.endswith(f" is {word}"):
            return f"`{text.removesuffix(f' is {word}')}` is always {other}"
    return "the deciding value is a constant"


def _is_about(decision: ReportedDecision, objective: ReportedObjective) -> bool:
    places = {(decision.line, decision.column), *((each.line, each.column) for each in decision.conditions)}
    return objective.file == decision.file and (objective.line, objective.column) in places
