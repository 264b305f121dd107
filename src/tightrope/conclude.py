"""From what a search found to tests and a report: reduce, shrink, write, confirm, judge."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.domain import may_share_objects, never_failing
from tightrope.execution.driver import is_driver
from tightrope.execution.input_paths import any_number
from tightrope.execution.libc_models import PREFIX, is_model
from tightrope.execution.runner import Runner
from tightrope.execution.shape import ASKED_FOR_NULL, FixedPointer, PointsTo, walk
from tightrope.execution.trace import Ending, Outcome, RunRecord
from tightrope.execution.whole_program import describe_values
from tightrope.explore import Exploration
from tightrope.linking import LinkedFile, write_objects
from tightrope.location import Location
from tightrope.objectives.criteria import CRITERIA
from tightrope.objectives.ledger import Ledger
from tightrope.objectives.objective import Objective
from tightrope.objectives.verdict import Covered, Infeasible, Proof, Reason
from tightrope.objectives.witnesses import find_witnesses
from tightrope.options import Options
from tightrope.prepare import PreparedUnit
from tightrope.program.source_text import SourceText
from tightrope.recount import recount, wants_recount
from tightrope.report.collect import report_confirmation, report_objectives
from tightrope.report.decisions import first_lines, report_decisions
from tightrope.report.model import (
    Concretisation,
    Confirmation,
    Crash,
    ReportedDecision,
    ReportedTest,
    Statistics,
    UnitReport,
)
from tightrope.source.compile import INCLUDE, link_program
from tightrope.source.flags import Flags, rebase_flags
from tightrope.source.project import as_named, short_path
from tightrope.source.toolchain import find_gcc
from tightrope.suite.case import Case, Companion, Suite, credit, describe_input, name_cases
from tightrope.suite.confirm import Agreement, Expected, confirm
from tightrope.suite.folder import check_file, remove_others, write_file
from tightrope.suite.gcov import Gcov, Job, Judgement, judge_with_gcov
from tightrope.suite.native import Limits
from tightrope.suite.readability import leaf_of
from tightrope.suite.reduce import drop_redundant, reduce_runs
from tightrope.suite.shrink import shrink
from tightrope.suite.writers import WRITERS
from tightrope.suite.writers.plain_c import write_plain_c
from tightrope.version import __version__

Stage = Callable[[str], None]
SHRINK_RUNS = 3000  # per test
MOST_POINTERS = 8  # that a report lists


def conclude(unit: PreparedUnit, runner: Runner, found: Exploration, options: Options, on_stage: Stage) -> UnitReport:
    """Write the suite and say what it shows."""
    on_stage("shrinking")
    suite = _make_suite(unit, _choose_runs(unit, runner, found), found.ledger, options)
    confirmation: Confirmation | None = None
    if suite.cases and not options.no_confirm:
        on_stage("confirming")
        suite, confirmation = _confirm(unit, suite, runner, found.ledger, options)
    name_tests(found.ledger, suite)
    written = _write(suite, options)
    return _report(unit, suite, found, options, confirmation, written)


def _choose_runs(unit: PreparedUnit, runner: Runner, found: Exploration) -> Sequence[RunRecord]:
    """The fewest runs that keep the coverage, with values that people can read."""
    covered = _covered(found.ledger)
    leaves = [leaf_of(slot) for slot in unit.driver.slots]
    kept = reduce_runs(found.runs, covered)
    shrunk = [shrink(each, leaves, runner.record, SHRINK_RUNS) for each in kept]
    return drop_redundant(shrunk, covered)


def _covered(ledger: Ledger) -> list[Objective]:
    return [objective for objective, verdict in ledger if isinstance(verdict, Covered)]


def _make_suite(unit: PreparedUnit, runs: Sequence[RunRecord], ledger: Ledger, options: Options) -> Suite:
    cases = [Case("", run.input, _named_ending(unit, run.ending), run.outputs, points=run.points) for run in runs]
    for case in cases:  # simpler values may cover more
        ledger.record(case.points, "a test")
    credited = credit(cases, _covered(ledger))
    return Suite(
        unit.ctypes,
        unit.interface,
        unit.shape,
        unit.file.path,
        options.output,
        name_cases(unit.interface.name, credited),
        rebase_flags(unit.file.flags.kept, unit.file.working_directory, options.output.absolute()),
        __version__,
        linked=tuple(_companion(each, options.output.absolute()) for each in unit.linked),
        program_hash=hashlib.sha256(unit.file.path.read_bytes()).hexdigest(),
        created=_source_date(),
    )


def _source_date() -> int:
    """Same input, same bytes: the time in written files is the one that builds are told to use, or none."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def _companion(file: LinkedFile, folder: Path) -> Companion:
    return Companion(file.path, rebase_flags(file.whole.flags, file.whole.recipe.folder, folder))


def _named_ending(unit: PreparedUnit, ending: Ending) -> Ending:
    """With its place in the user's words."""
    place, where = _in_user_words(unit, ending.location)
    if ending.location is None:
        return ending
    named = replace(place, file=_as_named(unit, place.file))
    return replace(ending, location=named, reason=ending.reason + where)


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
    if not outcome.problem and wants_recount(options):
        suite = _recount(unit, suite, ledger, options)
    return suite, report_confirmation(outcome, judgement)


def _recount(unit: PreparedUnit, suite: Suite, ledger: Ledger, options: Options) -> Suite:
    """What the tests do not cover when they are built natively is not covered, and nothing was shown by walking paths
    that go another way there."""
    counted = recount(unit, _plain_text(suite), suite.folder, options) if suite.cases else None
    missed = [each for each in _covered(ledger) if counted is not None and each.id not in counted]
    if not missed:
        return suite
    _withdraw_proofs(ledger)
    _withdraw(missed, ledger, Reason.NOT_CONFIRMED)
    return replace(suite, cases=credit(suite.cases, _covered(ledger)))


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
        if isinstance(verdict, Infeasible) and verdict.proof is Proof.EXHAUSTED:
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


# -- the report


def _report(
    unit: PreparedUnit,
    suite: Suite,
    found: Exploration,
    options: Options,
    confirmation: Confirmation | None,
    written: tuple[str, ...],
) -> UnitReport:
    return UnitReport(
        file=str(unit.file.path),
        function=unit.interface.name,
        criteria=options.criteria,
        strategy=options.strategy,
        seed=options.seed,
        stop_reason=found.stop_reason.value,
        objectives=tuple(
            replace(row, file=_as_named(unit, row.file)) for row in report_objectives(found.ledger, SourceText())
        ),
        tests=tuple(_reported_test(suite, case) for case in suite.cases),
        statistics=_statistics(found),
        line=unit.interface.function.location.line,
        assumptions=(
            *dict.fromkeys(any_number(text) for text in unit.driver.assumptions),
            *unit.shape.notes,
            *(f"{name}: starts as the program has it" for name in unit.interface.inherited_state),
            *(f"{name}(): does not fail" for name in never_failing(unit)),
            *_about_pointers(unit),
        ),
        written=written,
        confirmation=confirmation,
        crashes=tuple(_crashes(unit, found)),
        concretisations=tuple(_concretisations(unit, found)),
        warnings=(*unit.file.warnings, *_doubts(unit, found)),
        notes=(*unit.file.notes, *(f"linked with {short_path(each.path)}" for each in unit.linked)),
        decisions=_decisions(unit, suite),
    )


def _decisions(unit: PreparedUnit, suite: Suite) -> tuple[ReportedDecision, ...]:
    """What the tests evaluate of each decision, for criteria that look at them."""
    tests = [(case.name, case.points) for case in suite.cases]
    rows = report_decisions(unit.marks, unit.woven.points, first_lines(unit.program.functions), tests)
    return tuple(replace(row, file=_as_named(unit, row.file)) for row in rows)


def _as_named(unit: PreparedUnit, file: str) -> str:
    return as_named(file, unit.file.path, unit.file.working_directory)


def _about_pointers(unit: PreparedUnit) -> Iterator[str]:
    """What no input varies, and how to change it."""
    roots = [root for root in unit.shape.roots if unit.interface.reads_arguments or not root.is_argument]
    nodes = [node for root in roots for node, _ in walk(root.shape, root.name, str)]
    for node in nodes:
        if isinstance(node, FixedPointer) and node.reason == ASKED_FOR_NULL:
            yield f"{node.path}: NULL, as asked"
        elif isinstance(node, PointsTo) and node.slot is None and unit.interface.name != "main":
            yield f"{node.path}: not NULL, as {'declared' if node.is_never_null else 'asked'}"
    sizes = {any_number(each.path): _size(each) for each in nodes if isinstance(each, PointsTo)}
    if sizes:
        shown = [f"{path} {size}" for path, size in sizes.items()]
        listed = ", ".join((*shown[:MOST_POINTERS], *["..."] * (len(shown) > MOST_POINTERS)))
        shared = "pointers share nothing; " * may_share_objects(unit)
        yield f"{shared}elements behind pointers: {listed} (see `tightrope inputs`)"


def _size(pointer: PointsTo) -> str:
    return f"up to {pointer.count - 1} characters" if pointer.is_string else str(pointer.count)


def _doubts(unit: PreparedUnit, found: Exploration) -> list[str]:
    is_silent = unit.driver.assumptions and not found.runs
    return ["no input meets the assumptions, as far as the search went"] if is_silent else []


def _reported_test(suite: Suite, case: Case) -> ReportedTest:
    covers = tuple(objective.id for objective in case.objectives)
    return ReportedTest(case.name, describe_input(suite, case), case.ending.outcome.value, covers, case.ending.reason)


def _statistics(found: Exploration) -> Statistics:
    asked, progress = found.solver.statistics, found.progress
    return Statistics(
        runs=progress.runs,
        paths=found.paths,
        candidates=progress.candidates,
        queries=asked.queries,
        sat=asked.sat,
        unsat=asked.unsat,
        unknown=asked.unknown,
        cache_hits=asked.cache_hits + asked.core_hits + asked.reuse_hits + asked.decided,
        divergences=progress.divergences,
        concretisations=sum(found.concretisations.values()),
        seconds=progress.seconds,
        solver_seconds=asked.solver_seconds,
        run_seconds=progress.run_seconds,
    )


def _crashes(unit: PreparedUnit, found: Exploration) -> list[Crash]:
    crashes = []
    for ending, values in found.crashes.items():
        place, where = _in_user_words(unit, ending.location)
        inputs = describe_values(unit.shape, values)
        file = _as_named(unit, place.file)
        crashes.append(Crash(ending.outcome.value, ending.reason + where, file, place.line, place.column, inputs))
    return crashes


def _concretisations(unit: PreparedUnit, found: Exploration) -> list[Concretisation]:
    rows = []
    for kind, counts in (("concretised", found.concretisations), ("pinned", found.pinned)):
        for number, count in sorted(counts.items()):
            what = unit.woven.places[number].what
            at, where = _in_user_words(unit, unit.woven.places[number].location)
            rows.append(Concretisation(what + where, _as_named(unit, at.file), at.line, at.column, count, kind))
    return rows


def _in_user_words(unit: PreparedUnit, place: Location | None) -> tuple[Location, str]:
    """A place in the user's files. One in a model is said in words instead: our C is not theirs."""
    whole = unit.interface.function.location
    if place is not None and is_driver(place):
        return _call_of_stub(unit, place), ""
    if place is None or not is_model(place.file):
        return place or whole, ""
    for name, function in unit.program.functions.items():
        places = (each.location for block in function.blocks for each in block.instructions)
        if name.startswith(f"@{PREFIX}") and place in places:
            return whole, f" in `{name.removeprefix(f'@{PREFIX}')}` of the C library"
    return whole, " in a function of the C library"


def _call_of_stub(unit: PreparedUnit, place: Location) -> Location:
    """Where the stub that holds this place was called, if there is one such call."""
    functions = unit.program.functions.values()
    names = [f.name for f in functions for block in f.blocks for each in block.instructions if each.location == place]
    calls = [each for f in functions for block in f.blocks for each in block.instructions if each.callee in names]
    places = [each.location for each in calls if each.location and not is_driver(each.location)]
    return places[0] if len(calls) == 1 and places else unit.interface.function.location
