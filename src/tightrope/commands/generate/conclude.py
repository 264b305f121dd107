"""From what a search found to tests and a report: reduce, shrink, write, confirm, judge."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.commands.generate.recount import recount, wants_recount
from tightrope.commands.generate.unit_report import named_ending, report_unit
from tightrope.coverage.criteria import CRITERIA
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason
from tightrope.coverage.witnesses import find_witnesses
from tightrope.engines.explore import Exploration
from tightrope.errors import CompileError
from tightrope.options.options import Options
from tightrope.report.collect import report_confirmation
from tightrope.report.model import (
    Confirmation,
    UnitReport,
)
from tightrope.running.run_record import Outcome
from tightrope.running.runner import Runner
from tightrope.source.compile import INCLUDE, link_program
from tightrope.source.flags import Flags, rebase_flags
from tightrope.source.toolchain import find_gcc
from tightrope.suite.case import NONE_CARRIED, Carried, Case, Companion, NamedRun, Suite, credit, name_cases
from tightrope.suite.confirm import Agreement, Expected, confirm
from tightrope.suite.folder import check_file, remove_others, write_file
from tightrope.suite.gcov import Gcov, Job, Judgement, judge_with_gcov
from tightrope.suite.native import Limits
from tightrope.suite.readability import leaf_of
from tightrope.suite.reduce import Kept, drop_redundant, reduce_runs
from tightrope.suite.shrink import shrink
from tightrope.suite.writers import WRITERS
from tightrope.suite.writers.plain_c import write_plain_c
from tightrope.units.linking import LinkedFile, write_objects
from tightrope.units.prepare import PreparedUnit
from tightrope.version import __version__

Stage = Callable[[str], None]
SHRINK_RUNS = 3000  # per test
SHRINK_RUNS_OF_CRASHES = 300


def conclude(
    unit: PreparedUnit,
    runner: Runner,
    found: Exploration,
    options: Options,
    on_stage: Stage,
    carried: Carried = NONE_CARRIED,
) -> UnitReport:
    """Write the suite and say what it shows."""
    on_stage("shrinking")
    suite = _make_suite(unit, _choose_runs(unit, runner, found, carried), found.ledger, options, carried.taken)
    _simplify_crashes(unit, runner, found)
    confirmation: Confirmation | None = None
    warnings: tuple[str, ...] = ()
    if suite.cases and not options.no_confirm:
        on_stage("confirming")
        suite, confirmation = _confirm(unit, suite, runner, found.ledger, options)
        if suite.cases and not confirmation.problem and wants_recount(options):
            suite, warnings = _recount(unit, suite, found.ledger, options)
    name_tests(found.ledger, suite)
    written = _write(suite, options)
    return report_unit(unit, suite, found, options, confirmation, written, warnings)


def _choose_runs(unit: PreparedUnit, runner: Runner, found: Exploration, carried: Carried) -> Sequence[NamedRun]:
    """The fewest runs that keep the coverage, with values that people can read; after those that are carried."""
    given = [each.run for each in carried.runs]
    for run in given:
        found.ledger.record(run.points, "a test")
    covered = _covered(found.ledger)
    leaves = [leaf_of(slot) for slot in unit.driver.slots]
    kept = reduce_runs(found.runs, covered, given)[len(given) :]
    shrunk = [shrink(each, leaves, runner.record, SHRINK_RUNS) for each in kept]
    added = drop_redundant([*given, *shrunk], covered, len(given))[len(given) :]
    return (*carried.runs, *(NamedRun("", run) for run in added))


def _simplify_crashes(unit: PreparedUnit, runner: Runner, found: Exploration) -> None:
    """The same ways to crash, with values that people can read."""
    leaves = [leaf_of(slot) for slot in unit.driver.slots]
    for ending, values in found.crashes.items():
        record = runner.record(values)
        if record.ending == ending and ending.outcome is not Outcome.TIMED_OUT:
            found.crashes[ending] = shrink(Kept(record, ()), leaves, runner.record, SHRINK_RUNS_OF_CRASHES).input


def _covered(ledger: Ledger) -> list[Objective]:
    return [objective for objective, verdict in ledger if isinstance(verdict, Covered)]


def _make_suite(
    unit: PreparedUnit, runs: Sequence[NamedRun], ledger: Ledger, options: Options, taken: Collection[str]
) -> Suite:
    cases = [_case(unit, each) for each in runs]
    for case in cases:  # simpler values may cover more
        ledger.record(case.points, "a test")
    credited = credit(cases, _covered(ledger))
    return Suite(
        unit.ctypes,
        unit.interface,
        unit.shape,
        unit.file.path,
        options.output,
        name_cases(unit.interface.name, credited, taken),
        rebase_flags(unit.file.flags.kept, unit.file.working_directory, options.output.absolute()),
        __version__,
        linked=tuple(_companion(each, options.output.absolute()) for each in unit.linked),
        program_hash=hashlib.sha256(unit.file.path.read_bytes()).hexdigest(),
        created=_source_date(),
    )


def _case(unit: PreparedUnit, named: NamedRun) -> Case:
    run = named.run
    return Case(named.name, run.input, named_ending(unit, run.ending), run.outputs, points=run.points)


def _source_date() -> int:
    """Same input, same bytes: the time in written files is the one that builds are told to use, or none."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def _companion(file: LinkedFile, folder: Path) -> Companion:
    return Companion(file.path, rebase_flags(file.whole.flags, file.whole.recipe.folder, folder))


def _confirm(
    unit: PreparedUnit, suite: Suite, runner: Runner, ledger: Ledger, options: Options
) -> tuple[Suite, Confirmation]:
    """Build and run the tests without probes; what does not behave alike is no test."""
    text = _plain_text(suite)
    expected = [Expected(case.name, case.ending.outcome) for case in suite.cases]
    outcome = confirm(text, expected, _builder(unit), suite.folder, Limits(memory=options.memory_limit << 20))
    doubtful = {*outcome.names(Agreement.DIFFERENT), *outcome.names(Agreement.NOT_RUN)}
    if outcome.problem:  # written all the same, so that the user can see what does not build
        _withdraw(_covered(ledger), ledger, Reason.NOT_CONFIRMED)
    elif doubtful:
        suite = without_tests(suite, doubtful, ledger)
    if outcome.names(Agreement.DIFFERENT):
        _withdraw_proofs(ledger)
    judgement = _judge(unit, suite, runner) if any(map(is_about_branches, options.criteria)) else None
    if judgement and judgement.untaken_lines:
        suite = _heed(judgement, unit, suite, ledger)
    return suite, report_confirmation(outcome, judgement)


def _recount(unit: PreparedUnit, suite: Suite, ledger: Ledger, options: Options) -> tuple[Suite, tuple[str, ...]]:
    """What the tests do not cover when they are built natively is not covered, and nothing was shown by walking paths
    that go another way there."""
    try:
        counted = recount(unit, _plain_text(suite), suite.folder, options)
    except CompileError as problem:
        return suite, (f"labels were not counted a second time: {problem.message}",)
    missed = [each for each in _covered(ledger) if each.id not in counted]
    if not missed:
        return suite, ()
    _withdraw_proofs(ledger)
    _withdraw(missed, ledger, Reason.NOT_CONFIRMED)
    return replace(suite, cases=credit(suite.cases, _covered(ledger))), ()


def is_about_branches(criterion: str) -> bool:
    """True for a criterion whose objectives tell which way a branch went, or what was true there."""
    return criterion == "branch" or bool(CRITERIA[criterion].needs)


def _heed(judgement: Judgement, unit: PreparedUnit, suite: Suite, ledger: Ledger) -> Suite:
    """Where gcc sees fewer ways taken, what the tests do depends on the compiler: most likely the C is undefined
    there. Which of a statement's branches it is cannot be told, so all that is about them is unknown."""
    file = unit.function.location.file if unit.function.location else ""
    doubted = [
        objective
        for objective in _covered(ledger)
        if is_about_branches(objective.criterion)
        and objective.location.file == file
        and objective.location.line in judgement.untaken_lines
    ]
    _withdraw_proofs(ledger)
    _withdraw(doubted, ledger, Reason.JUDGED)
    return replace(suite, cases=credit(suite.cases, _covered(ledger)))


def _withdraw_proofs(ledger: Ledger) -> None:
    """A run that goes another way without probes (it reads a local without a value, say) was not what it seemed to
    be: that all paths were walked then shows nothing."""
    for objective in ledger.objectives:
        verdict = ledger.verdict(objective)
        if isinstance(verdict, Infeasible) and verdict.proof in (Proof.EXHAUSTED, Proof.UNSATISFIABLE):
            ledger.withdraw(objective, Reason.UNFAITHFUL)


def _plain_text(suite: Suite) -> str:
    return next(iter(write_plain_c(suite).values()))


def _builder(unit: PreparedUnit) -> Callable[[Path, Path, Sequence[str]], None]:
    file = unit.file

    def build(source: Path, program: Path, further: Sequence[str]) -> None:
        flags = Flags(file.flags.kept + tuple(further), file.flags.link)
        files = [source, *write_objects(unit.linked, source.parent)]
        link_program(file.compiler, files, flags, program, working_directory=file.working_directory)

    return build


def without_tests(suite: Suite, names: set[str], ledger: Ledger) -> Suite:
    """The suite without these tests; what the others do not cover, perhaps in other pairs, is unknown again."""
    kept = credit([case for case in suite.cases if case.name not in names], _covered(ledger))
    still = {objective.id for case in kept for objective in case.objectives}
    lost = [objective for objective in _covered(ledger) if objective.id not in still]
    _withdraw(lost, ledger, Reason.NOT_CONFIRMED)
    return replace(suite, cases=kept)


def _withdraw(objectives: Iterable[Objective], ledger: Ledger, reason: Reason) -> None:
    for objective in objectives:
        ledger.withdraw(objective, reason)


def _judge(unit: PreparedUnit, suite: Suite, runner: Runner) -> Judgement | None:
    gcc = find_gcc()
    returned = [case for case in suite.cases if case.ending.outcome is Outcome.RETURNED]
    if gcc is None or not returned:
        return None
    totals = [0] * len(unit.woven.points)
    for case in returned:
        runner.trace(case.input)
        totals = [total + count for total, count in zip(totals, runner.counts(), strict=True)]
    flags = (*unit.file.flags.kept, "-idirafter", str(INCLUDE))
    with tempfile.TemporaryDirectory(prefix="tightrope-linked-") as name:
        objects = tuple(write_objects(unit.linked, Path(name)))
        job = Job(_plain_text(suite), suite.folder, unit.file.working_directory, flags, objects)
        return judge_with_gcov(Gcov(gcc.gcc, gcc.gcov, gcc.version), job, unit.function, unit.woven.points, totals)


def name_tests(ledger: Ledger, suite: Suite) -> None:
    """Put the names of the tests in place of the runs; of a pair, both, in the order of the pair."""
    hits = [case.points for case in suite.cases]
    for objective in _covered(ledger):
        names = [suite.cases[at].name for at in find_witnesses(objective, hits)]
        if names:
            ledger.name_tests(objective, names)
        else:
            ledger.withdraw(objective, Reason.NOT_CONFIRMED)


def _write(suite: Suite, options: Options) -> tuple[str, ...]:
    """All files or none: a file of the user's in the way is noticed before the first is written."""
    if not suite.cases:
        return ()
    files = {name: text for each in options.formats for name, text in WRITERS[each].write(suite).items()}
    for name in files:
        check_file(options.output / name)
    for name, text in files.items():
        (options.output / name).parent.mkdir(exist_ok=True)  # a suite may be a folder in the folder
        write_file(options.output / name, text)
    for folder in dict.fromkeys((options.output / name).parent for name in files if "/" in name):
        remove_others(folder, {options.output / name for name in files})
    return tuple(dict.fromkeys(str(options.output / name.split("/")[0]) for name in files))
