"""From what a search found to tests and a report: reduce, shrink, write, confirm, judge."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tightrope.commands.generate.adapted_runs import AdaptedRuns
from tightrope.commands.generate.boundary_runs import show_boundaries
from tightrope.commands.generate.build_files import update_build_files
from tightrope.commands.generate.confirmed_verdicts import (
    confirm_suite,
    covered_objectives,
    recount_suite,
    wants_recount,
)
from tightrope.commands.generate.crash_paths import find_crash_paths, with_crash_paths
from tightrope.commands.generate.top_up import TopUp
from tightrope.commands.generate.unit_report import named_ending, report_unit, stated_assumptions
from tightrope.commands.measure.unit_suite import make_case, suite_of
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Infeasible, Reason, Unknown
from tightrope.coverage.witnesses import find_witnesses
from tightrope.deadline import NEVER, Deadline
from tightrope.engines.explore import Exploration
from tightrope.errors import CompileError, UsageError
from tightrope.inputs.sequence_inputs import shorter_inputs
from tightrope.inputs.texts import program_texts
from tightrope.inputs.whole_program import describe_values
from tightrope.options.choices import DEFAULT_CRITERIA, SIMPLE
from tightrope.options.options import Options
from tightrope.report.model import Confirmation, UnitReport
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.running.runner import Runner
from tightrope.search.budget import StopReason
from tightrope.suite.case import NONE_CARRIED, Carried, Case, NamedRun, Suite, credit, in_order, name_cases
from tightrope.suite.folder import check_file, remove_others, write_file
from tightrope.suite.readability import leaf_of
from tightrope.suite.reduce import Kept, Worth, drop_redundant, reduce_runs
from tightrope.suite.shrink import shrink
from tightrope.suite.telling import count_computed_values, tell
from tightrope.suite.visible_effects import numbers_in, visible_effects
from tightrope.suite.writers import WRITERS, build_all
from tightrope.units.prepared import PreparedUnit

if TYPE_CHECKING:  # imported where it is used: few commands are about mutants
    from tightrope.commands.measure.mutant_judge import MutantJudge

MUTATION = StrongMutation.name
Stage = Callable[[str], None]
SHARE_OF_JUDGING = 0.1  # of the time limit, after it
NOT_RECOUNTED = "the time limit was reached before labels were counted in a native build"
SHRINK_RUNS = 3000  # per test
SHRINK_RUNS_OF_CRASHES = 300
ADAPTED_RUNS = 30


def conclude(
    unit: PreparedUnit,
    runner: Runner,
    found: Exploration,
    options: Options,
    on_stage: Stage,
    carried: Carried | None = None,
    deadline: Deadline = NEVER,
    confirming: float = 0.0,
    top_up: TopUp | None = None,
) -> UnitReport:
    """Write the suite and report what it shows. `carried`: it is for a change, and keeps tests of an earlier suite;
    `top_up`: so it does, and leaves them as they are.
    Raises UsageError if the assumptions exclude all inputs. So many seconds of `confirming` before the deadline, values
    are left as they are; the tests are confirmed in any case."""
    _check_assumptions(unit, found)
    on_stage("shrinking")
    has_mutants = unit.marks.mutants and MUTATION in options.criteria
    late, deadline = deadline.later(SHARE_OF_JUDGING * options.time_limit), deadline.later(-confirming)
    judge = _start_judge(unit, runner, found.ledger, options, late) if has_mutants else None
    is_for_change = carried is not None
    carried = top_up.carried if top_up else carried or NONE_CARRIED
    runs = _choose_runs(unit, runner, found, carried, judge, options, deadline)
    if not is_for_change and _wants_boundaries(options) and not deadline.is_over:
        same, given = _mask_of(covered_objectives(found.ledger)), (len(carried.runs), len(carried.boundaries))
        shown = show_boundaries(unit, runner, [each.run for each in runs], same, deadline, *given)
        names = (f"{unit.interface.name}_boundary_{number}" for number in itertools.count(1))
        told = [replace(each, run=run) for each, run in zip(runs, shown.tests, strict=True)]
        runs = (*told, *map(NamedRun, (name for name in names if name not in carried.taken), shown.added))
    suite = _make_suite(unit, runner, runs, found.ledger, options, carried.taken)
    suite = top_up.with_kept(suite) if top_up else suite
    _simplify_crashes(unit, runner, found, deadline)
    _explain_crashes(unit, found)
    paths = find_crash_paths(unit, runner, found.crashes)
    suite = replace(suite, crashes=tuple(found.crashes.values()))
    confirmation: Confirmation | None = None
    warnings: tuple[str, ...] = ()
    if suite.cases and not options.no_confirm:
        on_stage("confirming")
        suite, confirmation = confirm_suite(unit, suite, runner, found.ledger, options, late)
        if suite.cases and not confirmation.problem and wants_recount(options) and late.is_over:
            warnings = (NOT_RECOUNTED,)
        elif suite.cases and not confirmation.problem and wants_recount(options):
            suite, warnings = recount_suite(unit, suite, found.ledger, options)
        if suite.cases and not confirmation.problem and judge is not None:
            suite, more = recount_mutants(judge, suite, found.ledger, options)
            warnings += more
    name_tests(found.ledger, suite)
    if top_up:
        top_up.settle(unit, suite, options)
    chosen = top_up.choose_written(suite, options) if top_up else suite
    written = _write(chosen, options, top_up)
    report = report_unit(unit, suite, found, options, confirmation=confirmation, written=written, warnings=warnings)
    report = replace(report, builds=build_all(chosen, options.formats))
    report = with_crash_paths(report, [paths.get(ending, ()) for ending in found.crashes])
    return top_up.complete(report, options) if top_up else report


def _start_judge(
    unit: PreparedUnit, runner: Runner, ledger: Ledger, options: Options, deadline: Deadline
) -> MutantJudge:
    from tightrope.commands.measure.mutant_judge import MutantJudge

    judge = MutantJudge(unit, runner, options, deadline)
    judge.equivalent = judge.mask & _mask_of(each for each, verdict in ledger if isinstance(verdict, Infeasible))
    return judge


def _check_assumptions(unit: PreparedUnit, found: Exploration) -> None:
    """Under contradictory assumptions everything is infeasible, which says nothing about the function."""
    is_settled = found.stop_reason is StopReason.EXHAUSTED or not found.ledger.open_objectives
    if not found.has_run and is_settled and found.ledger.objectives:
        listed = "; ".join(stated_assumptions(unit))
        raise UsageError(
            f"no input satisfies the assumptions of {unit.interface.name}{f': {listed}' if listed else ''}",
            location=unit.interface.function.location,
            hint="leave out or change one of them: see --assume, TIGHTROPE_ASSUME and --input",
            slug="no-input",
        )


def _choose_runs(
    unit: PreparedUnit,
    runner: Runner,
    found: Exploration,
    carried: Carried,
    judge: MutantJudge | None,
    options: Options,
    deadline: Deadline,
) -> Sequence[NamedRun]:
    """The fewest runs that keep the coverage, with readable values; carried tests come first."""
    given = [_count(each.run, found.ledger) for each in carried.runs]
    for run in given:
        found.ledger.record(run.points, "a test")
    covered = covered_objectives(found.ledger)
    leaves = [leaf_of(slot) for slot in unit.driver.slots]
    kept = reduce_runs(found.runs, covered, given)[len(given) :]
    texts, shorter = program_texts(unit.shape), partial(shorter_inputs, unit.shape)
    duties = [judge.relax(each) if judge else each for each in kept]
    shrunk = [shrink(each, leaves, runner.record, SHRINK_RUNS, deadline, texts, shorter) for each in duties]
    shrunk = judge.keep_killing(kept, shrunk) if judge else shrunk
    shown = shrunk
    if options.values != SIMPLE:
        shown = _with_telling_values(unit, runner, kept, shrunk, covered, judge, deadline)
    counted = [_count(each, found.ledger) for each in shown]
    added = drop_redundant([*given, *counted], covered, len(given), _worth(judge))[len(given) :]
    kept_names = [replace(each, run=run) for each, run in zip(carried.runs, given, strict=True)]
    return (*kept_names, *(NamedRun("", run) for run in added))


def _wants_boundaries(options: Options) -> bool:
    """Whether nothing narrower was asked for: a criterion that is named gets no more tests than it needs."""
    return options.values != SIMPLE and options.criteria == DEFAULT_CRITERIA


def _count(run: RunRecord, ledger: Ledger) -> RunRecord:
    """The run with those of its points by which it can cover something."""
    if run.ending.outcome is Outcome.TIMED_OUT:
        return replace(run, points=0)
    return replace(run, points=run.points & ledger.error_points) if run.ending.is_error else run


def _worth(judge: MutantJudge | None) -> Worth:
    """What a run tells beside what it covers: the mutants that it kills, then the values that it computes."""
    mask = judge.mask if judge else 0
    return lambda run: ((run.points & mask).bit_count() << 32) + count_computed_values(run)


def _mask_of(objectives: Iterable[Objective]) -> int:
    mask = 0
    for objective in objectives:
        mask |= objective.mask
    return mask


def _with_telling_values(
    unit: PreparedUnit,
    runner: Runner,
    kept: Sequence[Kept],
    shrunk: Sequence[RunRecord],
    covered: Sequence[Objective],
    judge: MutantJudge | None,
    deadline: Deadline,
) -> list[RunRecord]:
    """The runs with telling values, where they do the same with them."""
    simple = [replace(each, run=run) for each, run in zip(kept, shrunk, strict=True)]
    same = _mask_of(covered) & ~(judge.mask if judge else 0)  # runs of the unit do not show what is killed
    relaxed = [judge.relax(each) if judge else each for each in simple]
    observe = partial(_numbers_beside_outputs, unit, runner) if unit.shape.stubs else None
    told = [
        tell(
            each,
            unit.shape,
            runner.record,
            same=same,
            is_negative=number % 2 == 1,
            deadline=deadline,
            observe=observe,
        )
        for number, each in enumerate(relaxed)
    ]
    told = [_with_adapted_values(unit, runner, *pair, same, deadline) for pair in zip(relaxed, told, strict=True)]
    return judge.keep_killing(simple, told) if judge else told


def _numbers_beside_outputs(unit: PreparedUnit, runner: Runner, run: RunRecord) -> frozenset[int]:
    """Those that a test sees: arguments of calls, and what pointers lead to."""
    notes = runner.take_notes(run.input) or ()
    return numbers_in(visible_effects(notes, unit.woven.variables, unit.ctypes))


def _with_adapted_values(
    unit: PreparedUnit, runner: Runner, kept: Kept, told: RunRecord, same: int, deadline: Deadline
) -> RunRecord:
    """The run with values that others must fit: a frame with data and the checksum of it."""
    adapted = AdaptedRuns(unit, runner)
    if deadline.is_over or not adapted.needs(told):
        return told
    run = adapted.like(told, same)
    return tell(replace(kept, run=told), unit.shape, run, same=same, max_runs=ADAPTED_RUNS, deadline=deadline)


def _simplify_crashes(unit: PreparedUnit, runner: Runner, found: Exploration, deadline: Deadline) -> None:
    """The same crashes, with readable values."""
    leaves = [leaf_of(slot) for slot in unit.driver.slots]
    for ending, values in found.crashes.items():
        if deadline.is_over:
            break
        record = runner.record(values)
        if record.ending == ending and ending.outcome is not Outcome.TIMED_OUT:
            kept, most = Kept(record, ()), SHRINK_RUNS_OF_CRASHES
            texts, shorter = program_texts(unit.shape), partial(shorter_inputs, unit.shape)
            found.crashes[ending] = shrink(kept, leaves, runner.record, most, deadline, texts, shorter).input


def _explain_crashes(unit: PreparedUnit, found: Exploration) -> None:
    """Objectives that only runs without a proper end reach: say how such a run ends, and with which input."""
    for objective in found.ledger.open_objectives:
        verdict = found.ledger.verdict(objective)
        if isinstance(verdict, Unknown) and objective.id in found.reached:
            from tightrope.report.as_text import show_inputs  # what writes for terminals takes long to import

            ending, values = found.reached[objective.id]
            named = named_ending(unit, ending)
            inputs = show_inputs(describe_values(unit.shape, found.crashes.get(ending, values)))
            place = f" at {named.location}" if named.location else ""
            found.ledger.explain(
                objective, verdict.reason, f"{verdict.reason.sentence}: {named.reason}{place}, with {inputs}"
            )


def _make_suite(
    unit: PreparedUnit,
    runner: Runner,
    runs: Sequence[NamedRun],
    ledger: Ledger,
    options: Options,
    taken: Collection[str],
) -> Suite:
    cases = [_case(unit, runner, each) for each in runs]
    for case in cases:  # simpler values may cover more
        ledger.record(case.points, "a test")
    covered = covered_objectives(ledger)
    ordered = in_order(credit(cases, covered), ledger.objectives)
    credited = credit(ordered, covered)  # which tests make a pair depends on their order
    function = "" if unit.interface.calls else unit.interface.name
    return suite_of(unit, name_cases(function, credited, taken), options)


def _case(unit: PreparedUnit, runner: Runner, named: NamedRun) -> Case:
    run = named.run
    return make_case(unit, runner, named.name, replace(run, ending=named_ending(unit, run.ending)))


def name_tests(ledger: Ledger, suite: Suite) -> None:
    """Put the names of the tests in place of the runs; of a pair, both, in the order of the pair."""
    hits = [case.points for case in suite.cases]
    for objective in covered_objectives(ledger):
        names = [suite.cases[at].name for at in find_witnesses(objective, hits)]
        if names:
            ledger.name_tests(objective, names)
        else:
            ledger.withdraw(objective, Reason.NOT_CONFIRMED)


def recount_mutants(
    judge: MutantJudge, suite: Suite, ledger: Ledger, options: Options
) -> tuple[Suite, tuple[str, ...]]:
    """Withdraw mutants that no test of the final suite kills, and record those that they kill in addition."""
    try:
        found = judge.judge_suite(suite, options.time_limit)
    except CompileError as problem:
        withdraw_mutants(ledger, Reason.NOT_CONFIRMED)
        return suite, (f"mutants could not be built with the tests: {problem.message}",)
    cases = [
        replace(case, points=case.points & ~judge.mask | judge.points_of(found, case.name)) for case in suite.cases
    ]
    killed = 0
    for case in cases:
        killed |= case.points & judge.mask
        ledger.record(case.points & judge.mask, case.name)
    for objective in covered_objectives(ledger):
        if objective.criterion == MUTATION and not objective.mask & killed:
            ledger.withdraw(objective, judge.why_alive(found, objective))
    return replace(suite, cases=credit(cases, covered_objectives(ledger))), found.warnings


def withdraw_mutants(ledger: Ledger, reason: Reason) -> None:
    for objective in covered_objectives(ledger):
        if objective.criterion == MUTATION:
            ledger.withdraw(objective, reason)


def _write(suite: Suite, options: Options, top_up: TopUp | None = None) -> tuple[str, ...]:
    """Write all files or none: existing files of the user are detected before the first is written. Files in which
    nothing would change stay as they are."""
    if not suite.cases:
        return ()
    files = {name: text for each in options.formats for name, text in WRITERS[each].write(suite).items()}
    is_there = top_up is not None and top_up.is_written(suite, files)
    for name in files:
        check_file(options.output / name, has_seal=True)
    for name, text in files.items() if not is_there else ():
        (options.output / name).parent.mkdir(exist_ok=True)  # a suite may be a folder in the folder
        write_file(options.output / name, text)
    for folder in dict.fromkeys((options.output / name).parent for name in files if "/" in name):
        remove_others(folder, {options.output / name for name in files})
    built = update_build_files(suite, options.builds, options.formats)
    return tuple(dict.fromkeys(str(options.output / name.split("/")[0]) for name in (*files, *built)))
