"""Confirms verdicts in builds of the written tests without instrumentation, and withdraws those that do not hold there.

The tests are built and run; gcov counts the branches that they take; and if labels are to be covered, a native build
that only records points counts them again. That is necessary because the search sees memory as the worker lays it out:
a predicate about addresses (`b - a > 3`, where they point into two objects) or about an uninitialised local may have
another value in the test program. For branches gcov notices this; for labels only the second count does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from pathlib import Path

from tightrope.coverage.criteria import CRITERIA
from tightrope.coverage.criterion import Need
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason
from tightrope.coverage.witnesses import is_covered
from tightrope.deadline import NEVER, Deadline
from tightrope.errors import CompileError
from tightrope.inputs.stub_answers import with_equal_answers
from tightrope.library.table import Fact, functions_with
from tightrope.options.options import Options
from tightrope.report.collect import report_confirmation
from tightrope.report.model import Confirmation
from tightrope.running.run_record import Outcome
from tightrope.running.runner import Runner
from tightrope.source.compile import link_program
from tightrope.source.compile_request import INCLUDE
from tightrope.source.counted_programs import build_counted
from tightrope.source.flags import Flags
from tightrope.source.mirror import mirror_flags
from tightrope.source.toolchain import find_gcc
from tightrope.suite.case import Case, Suite, credit
from tightrope.suite.confirm import LEAST_SECONDS, Agreement, Confirmations, Confirmed, Expected, confirm
from tightrope.suite.folder import anchor_includes
from tightrope.suite.gcov import Gcov, Job, Judgement, judge_with_gcov
from tightrope.suite.guard import DEFAULT_LIMITS, Limits
from tightrope.suite.writers.plain_c import write_plain_c
from tightrope.units.linking import write_objects
from tightrope.units.prepare import called_functions, is_for_whole_program
from tightrope.units.prepared import PreparedUnit

SHARE_OF_FAILED = 0.5  # of the time of a judgement, for another one of the failed tests


def confirm_suite(
    unit: PreparedUnit,
    suite: Suite,
    runner: Runner,
    ledger: Ledger,
    options: Options,
    deadline: Deadline = NEVER,
) -> tuple[Suite, Confirmation]:
    """Build and run the tests without instrumentation; drop those that behave differently. If there is time, these
    get another chance, and gcov is asked: what fails in its build gets another chance, too, or is dropped."""
    begun = deadline.left
    outcome = _confirm(unit, suite, options, deadline)
    if outcome.problem and suite.kept.names:  # earlier tests may not fit the unit any more
        suite = replace(suite, kept=replace(suite.kept, names=frozenset()))
        outcome = _confirm(unit, suite, options, deadline)
    if not outcome.problem and outcome.names(Agreement.DIFFERENT) and not deadline.is_over:
        suite = _written_anew(suite, outcome.names(Agreement.DIFFERENT))
        outcome = _confirm(unit, suite, options, deadline)
    doubtful = {*outcome.names(Agreement.DIFFERENT), *outcome.names(Agreement.NOT_RUN)}
    if outcome.problem:  # written all the same, so that the user can see what does not build
        _withdraw(covered_objectives(ledger), ledger, Reason.NOT_CONFIRMED)
    elif doubtful:
        suite = without_tests(suite, doubtful, ledger)
    suite = _with_status(suite, outcome)
    if outcome.names(Agreement.DIFFERENT):
        _withdraw_proofs(ledger)
    has_time = deadline == NEVER or deadline.left > begun - deadline.left  # for as much work again
    is_judged, begun = any(map(is_about_branches, options.criteria)) and has_time, deadline.left
    judgement = judge(unit, suite, runner, _limits(options, deadline)) if is_judged else None
    if judgement and judgement.failed:
        seconds = 0.0 if deadline == NEVER else begun - deadline.left
        parts = (unit, suite, outcome, runner, ledger, options, deadline, seconds)
        suite, outcome, judgement = _make_portable(judgement, *parts)
    if judgement and judgement.untaken_lines:
        suite = _heed(judgement, unit, suite, ledger)
    return suite, report_confirmation(outcome, judgement)


def _with_status(suite: Suite, found: Confirmations) -> Suite:
    """The suite in which a test that ends by undefined behaviour expects what it did in this build."""
    status = {each.name: each.status for each in found.tests}
    cases = tuple(
        replace(case, ending=replace(case.ending, status=status[case.name])) if case.ending.is_error else case
        for case in suite.cases
    )
    return suite if found.problem else replace(suite, cases=cases)


def _limits(options: Options, deadline: Deadline = NEVER) -> Limits:
    seconds = min(DEFAULT_LIMITS.seconds, max(LEAST_SECONDS, deadline.left))
    return Limits(seconds, memory=options.memory_limit << 20, writable=options.allow_files)


def _confirm(unit: PreparedUnit, suite: Suite, options: Options, deadline: Deadline) -> Confirmations:
    expected = [Expected(case.name, case.ending) for case in suite.cases]
    return confirm(_plain_text(suite), expected, _builder(unit), suite.folder, _limits(options), deadline)


def confirm_text(unit: PreparedUnit, text: str, expected: Sequence[Expected], options: Options) -> Confirmations:
    """The same for tests of a file as it is, in the output folder."""
    return confirm(text, expected, _builder(unit), options.output, _limits(options))


def _written_anew(suite: Suite, names: Collection[str]) -> Suite:
    """The suite; of these tests, only the outputs are checked. What pointers lead to may depend on the build where the
    outputs do not. None of them is written as in an earlier file."""
    kept = replace(suite.kept, names=suite.kept.names - frozenset(names))
    cases = tuple(replace(case, notes=None) if case.name in names else case for case in suite.cases)
    return replace(suite, cases=cases, kept=kept)


def recount_suite(unit: PreparedUnit, suite: Suite, ledger: Ledger, options: Options) -> tuple[Suite, tuple[str, ...]]:
    """Withdraw what the tests do not cover in a native build. If there is any, proofs by exploring paths are withdrawn
    too: the native program takes other paths."""
    try:
        counted = recount(unit, _plain_text(suite), suite.folder, options)
    except CompileError as problem:
        return suite, (f"labels could not be counted in a native build: {problem.message}",)
    is_counted = {name for name, each in CRITERIA.items() if Need.MUTANTS not in each.needs}  # mutants have programs
    missed = [each for each in covered_objectives(ledger) if each.id not in counted and each.criterion in is_counted]
    if not missed:
        return suite, ()
    _withdraw_proofs(ledger)
    _withdraw(missed, ledger, Reason.NOT_CONFIRMED)
    return replace(suite, cases=credit(suite.cases, covered_objectives(ledger))), ()


def is_about_branches(criterion: str) -> bool:
    """True for a criterion whose objectives are about the sides of branches or the values of conditions."""
    return criterion == "branch" or (bool(CRITERIA[criterion].needs - {Need.MUTANTS}) and criterion != "statement")


def judge(unit: PreparedUnit, suite: Suite, runner: Runner, limits: Limits = DEFAULT_LIMITS) -> Judgement | None:
    gcc = find_gcc()
    returned = [case for case in suite.cases if case.ending.outcome is Outcome.RETURNED]
    if gcc is None or not returned:
        return None
    totals = [0] * len(unit.woven.points)
    for case in returned:
        runner.trace(case.input)
        totals = [total + count for total, count in zip(totals, runner.counts(), strict=True)]
    wrapped = functions_with(Fact.WRAPPED_BY_GCOV)
    stubs = [stub.name for stub in unit.shape.stubs if stub.is_redirected and stub.name in wrapped]
    own = (*(f"-fno-builtin-{name}" for name in stubs), "-idirafter", str(INCLUDE))
    flags = (*unit.file.flags.kept, *own, *mirror_flags())
    with tempfile.TemporaryDirectory(prefix="tightrope-linked-") as name:
        objects = tuple(write_objects(unit.linked, Path(name)))
        text = _plain_text(replace(suite, cases=tuple(returned)))  # gcov counts nothing in a process that crashes
        names = tuple(case.name for case in returned)
        job = Job(text, suite.folder, unit.file.working_directory, flags, objects, limits, names)
        tool = Gcov(gcc.gcc, gcc.gcov, gcc.version)
        return judge_with_gcov(tool, job, unit.tested_functions, unit.woven.points, totals, build_counted)


def _make_portable(
    judgement: Judgement,
    unit: PreparedUnit,
    suite: Suite,
    outcome: Confirmations,
    runner: Runner,
    ledger: Ledger,
    options: Options,
    deadline: Deadline,
    seconds: float,
) -> tuple[Suite, Confirmations, Judgement | None]:
    """The suite with tests that pass in a build by gcc as well. Most of those that fail there expect calls in an order
    that C leaves open (`f(g(), h())`): they check only what the function leaves behind. If that depends on the order,
    too, a stub gives the same answer to every call. If they fail even so, what they do is up to the compiler, and they
    are dropped like tests that fail in our own build; so are those for which there is no time. The judgement took so
    many seconds; one of the failed tests alone takes less."""
    limits, failed = _limits(options, deadline), dict(judgement.failed)
    suite = _written_anew(suite, failed)
    if deadline.left > SHARE_OF_FAILED * seconds:
        some = replace(suite, cases=tuple(case for case in suite.cases if case.name in failed))
        again = judge(unit, some, runner, limits)
        failed = dict(again.failed) if again else {}
    if failed and deadline.left > 2 * seconds:
        cases = tuple(_with_equal_answers(unit, runner, case, failed) for case in suite.cases)
        suite = replace(suite, cases=credit(cases, covered_objectives(ledger)))
        outcome = _confirm(unit, suite, options, deadline)
        judgement = judge(unit, suite, runner, limits) or judgement
        failed = dict(judgement.failed)
    elif not failed:  # what they check is no part of what is counted
        judgement = judge(unit, suite, runner, limits) or judgement if judgement.problem else judgement
    lost = {name: f"built by gcc: {detail}" for name, detail in failed.items()}
    lost |= dict.fromkeys(outcome.names(Agreement.DIFFERENT), "")
    if not lost:
        return suite, outcome, replace(judgement, failed=())
    suite = without_tests(suite, lost, ledger, Reason.JUDGED)
    _withdraw_proofs(ledger)
    tests = tuple(
        Confirmed(each.name, Agreement.DIFFERENT, lost[each.name] or each.detail) if each.name in lost else each
        for each in outcome.tests
    )
    found = judge(unit, suite, runner, limits) if deadline.left > seconds else replace(judgement, failed=())
    return suite, replace(outcome, tests=tests), found


def _with_equal_answers(unit: PreparedUnit, runner: Runner, case: Case, failed: Collection[str]) -> Case:
    """The same test, where every call of a stub gets the first answer: of each stub for which it covers as much."""
    needed = reduce(or_, (objective.mask for objective in case.objectives), 0) & case.points
    for stub in unit.shape.stubs if case.name in failed else ():
        values = with_equal_answers(unit.driver.slots, case.input, stub)
        run = runner.record(values) if values != case.input else None
        if run and run.ending.outcome is Outcome.RETURNED and not needed & ~run.points:
            case = replace(case, input=values, outputs=run.outputs, points=run.points, notes=None)
            case = replace(case, wraps=run.wraps, is_risky=run.is_risky)
    return case


def _heed(judgement: Judgement, unit: PreparedUnit, suite: Suite, ledger: Ledger) -> Suite:
    """Where gcc counts fewer sides taken, the behaviour of the tests depends on the compiler: most likely the C is
    undefined there. The counts do not tell which branch of the statement differs, so all of them become unknown."""
    place = unit.tested_functions[0].location
    file = place.file if place else ""
    doubted = [
        objective
        for objective in covered_objectives(ledger)
        if is_about_branches(objective.criterion)
        and objective.location.file == file
        and objective.location.line in judgement.untaken_lines
    ]
    _withdraw_proofs(ledger)
    _withdraw(doubted, ledger, Reason.JUDGED)
    return replace(suite, cases=credit(suite.cases, covered_objectives(ledger)))


def _withdraw_proofs(ledger: Ledger) -> None:
    """Withdraw proofs by exploring paths. A run that behaves differently without instrumentation (for example, one that
    reads an uninitialised local) shows that the explored paths are not those of the real program."""
    for objective in ledger.objectives:
        verdict = ledger.verdict(objective)
        if isinstance(verdict, Infeasible) and verdict.proof in (Proof.EXHAUSTED, Proof.UNSATISFIABLE):
            ledger.withdraw(objective, Reason.UNFAITHFUL)


def without_tests(suite: Suite, names: Collection[str], ledger: Ledger, reason: Reason = Reason.NOT_CONFIRMED) -> Suite:
    """The suite without these tests; what the others do not cover, perhaps in other pairs, is unknown again."""
    kept = credit([case for case in suite.cases if case.name not in names], covered_objectives(ledger))
    still = {objective.id for case in kept for objective in case.objectives}
    lost = [objective for objective in covered_objectives(ledger) if objective.id not in still]
    _withdraw(lost, ledger, reason)
    return replace(suite, cases=kept)


def _withdraw(objectives: Iterable[Objective], ledger: Ledger, reason: Reason) -> None:
    for objective in objectives:
        ledger.withdraw(objective, reason)


def covered_objectives(ledger: Ledger) -> list[Objective]:
    return [objective for objective, verdict in ledger if isinstance(verdict, Covered)]


def _plain_text(suite: Suite) -> str:
    return next(iter(write_plain_c(suite).values()))


def _builder(unit: PreparedUnit) -> Callable[[Path, Path, Sequence[str]], None]:
    file = unit.file

    def build(source: Path, program: Path, further: Sequence[str]) -> None:
        flags = Flags(file.flags.kept + tuple(further), file.flags.link)
        files = [source, *write_objects(unit.linked, source.parent)]
        folder = file.working_directory
        link_program(file.compiler, files, flags, program, working_directory=folder, are_movable=True)

    return build


# -- a second count


def wants_recount(options: Options) -> bool:
    """Where labels are to be covered: it costs a build of the tests."""
    return any(Need.LABELS in CRITERIA[name].needs for name in options.criteria)


def recount(unit: PreparedUnit, text: str, folder: Path, options: Options) -> frozenset[str]:
    """The ids of the objectives that the tests of this text cover together. `folder` is where the text will be written:
    its paths start there. Raises CompileError."""
    from tightrope.commands.measure.measured_program import run_written  # few commands count anything again

    called = called_functions(unit.file) or (unit.interface.name,)
    names = unit.file.functions if is_for_whole_program(options) else called
    with tempfile.TemporaryDirectory(prefix="tightrope-recount-") as place:
        source = Path(place) / "tests.c"
        source.write_text(anchor_includes(text, folder), encoding="utf-8")
        linked = list(write_objects(unit.linked, Path(place)))
        lifted, runs = run_written(unit.file, names, source, linked, options, Path(place))
    objectives = [each for rows in lifted.objectives.values() for each in rows]
    return frozenset(each.id for each in objectives if is_covered(each, _union(run.points_for(each) for run in runs)))


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
