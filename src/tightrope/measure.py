"""`tightrope measure`: what existing tests cover, by the objectives that `generate` would aim at.

Tests come as C, which is built with the unit and run natively, or as inputs, which are run as in a search. Each test is
executed once, whatever the number of objectives and criteria. What a test did is kept by objective, as positions in its
points, so that tests of several builds, and of earlier measurements, add up.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tightrope.errors import UsageError
from tightrope.execution.runner import Worker
from tightrope.execution.trace import Outcome
from tightrope.lift import lift
from tightrope.measured_program import Part, build, read_parts, run_tests, unit_text, with_main
from tightrope.objectives.objective import Objective
from tightrope.objectives.verdict import Covered, Infeasible, Proof, Reason, Unknown, Verdict
from tightrope.objectives.witnesses import find_witnesses
from tightrope.options import Options
from tightrope.prepare import PreparedFile, choose_inputs, prepare_file, prepare_unit, start
from tightrope.program.source_text import SourceText
from tightrope.report.as_json import report_from_json
from tightrope.report.collect import report_objective
from tightrope.report.model import Report, ReportedTest, Tool, UnitReport
from tightrope.source.project import short_path
from tightrope.source.toolchain import find_compiler
from tightrope.suite.confirm import RUN_CRASHING
from tightrope.suite.native import Limits
from tightrope.suite.read_inputs import GivenInputs, to_input
from tightrope.suite.sources import Sources, UserFiles, WrittenTests, read_sources
from tightrope.targets import choose_functions
from tightrope.version import __version__

Hits = Mapping[str, tuple[int, ...]]  # objective id -> positions in its points
MEASURED = "measured"
PATIENCE = 2.0  # seconds that a test of ours may take; see suite/confirm.py


def measure(options: Options) -> Report:
    """What the tests cover of every function asked for; one report."""
    compiler = find_compiler(options.compiler)
    files = [prepare_file(compiler, target.file, options, _warn) for target in options.targets]
    defined = [(target, file.functions) for target, file in zip(options.targets, files, strict=True)]
    chosen = choose_functions(defined, options.functions)
    sources, earlier = _sources(options), [_read_report(file) for file in options.merge]
    units = [
        unit
        for file, (_, names) in zip(files, chosen, strict=True)
        for unit in _measure_file(file, names, sources, earlier, options)
    ]
    return Report(Tool("tightrope", __version__), tuple(units))


def _sources(options: Options) -> Sources:
    if not options.suites and not options.merge:
        hint = "name them with --suite: C files, a folder of them, or inputs in JSON or CSV"
        raise UsageError("there are no tests to measure", hint=hint, slug="no-suite")
    return read_sources(options.suites)


def _warn(text: str) -> None:
    print(text, file=sys.stderr)


# -- what tests did


@dataclass(frozen=True, slots=True)
class DoneTest:
    """A test that was executed, and what it did to the objectives of one function."""

    name: str
    suite: str
    outcome: Outcome | None  # None: it was not executed
    reason: str
    hits: Hits


@dataclass(slots=True)
class Tally:
    """Everything that is known about one function; grows source by source."""

    name: str
    objectives: tuple[Objective, ...] = ()
    tests: list[DoneTest] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, objectives: Sequence[Objective], suite: Path, runs: Iterable[Run]) -> None:
        """Runs of a build in which these are the function's objectives."""
        self.objectives = self.objectives or tuple(objectives)
        for name, points, outcome, reason in runs:
            hits = {each.id: found for each in objectives if (found := positions(each, points))}
            self.tests.append(DoneTest(name, str(suite), outcome, reason, hits))


Run = tuple[str, int, Outcome | None, str]  # name, points, outcome, reason


def positions(objective: Objective, points: int) -> tuple[int, ...]:
    """Which of its points were hit, by their position: the same in every build of the same C."""
    return tuple(at for at, point in enumerate(objective.points) if points >> point & 1)


def _measure_file(
    file: PreparedFile, names: Sequence[str], sources: Sources, earlier: Sequence[Report], options: Options
) -> Iterator[UnitReport]:
    tallies = {name: Tally(name) for name in names}
    for tests in sources.tests:
        _run_user_files(file, tallies, tests, options)
    for written in sources.written:
        if written.function in tallies and written.source == file.path.name:
            _run_written(file, tallies[written.function], written, options)
    for given in sources.inputs:
        _run_inputs(file, tallies, given, options)
    missing = [name for name, tally in tallies.items() if not tally.objectives]
    if missing:
        found = lift(file, unit_text(file), missing, options).objectives
        for name in missing:
            tallies[name].objectives = found[name]
    for name, tally in tallies.items():
        known = [unit for report in earlier for unit in report.units if _is_about(unit, file, name)]
        yield _report(file, tally, known, options.for_function(name))


# -- C files of the user's


def _run_user_files(file: PreparedFile, tallies: Mapping[str, Tally], tests: UserFiles, options: Options) -> None:
    names = list(tallies)
    parts = read_parts(file, names, tests.files, options)
    mains = [part for part in parts if part.has_main]
    if not mains:
        mains = [with_main(file, names, part, options) for part in parts if part.tests or len(parts) == 1]
    files = {part.file for part in mains}
    others = [part for part in parts if part.file not in files]
    for main in mains:
        _run_program(file, tallies, main, others, options)


def _run_program(
    file: PreparedFile, tallies: Mapping[str, Tally], main: Part, others: Sequence[Part], options: Options
) -> None:
    with tempfile.TemporaryDirectory(prefix="tightrope-measure-") as place:
        folder = Path(place)
        linked = list(_linked_objects(file, options, folder))
        program = build(file, list(tallies), [main, *others], options, folder, linked)
        runs = run_tests(program, Path.cwd(), Limits(options.time_limit, options.memory_limit << 20))
    shown = short_path(main.file.resolve())
    for name, objectives in program.lifted.objectives.items():
        rows = [(run.name or shown, run.points, run.outcome, run.reason) for run in runs]
        tallies[name].add(objectives, main.file, rows)


def _linked_objects(file: PreparedFile, options: Options, folder: Path) -> Iterator[Path]:
    """The files of --link, as objects."""
    for number, path in enumerate(each for each in options.link if isinstance(each, Path)):
        found = file.linker.compile(path)
        target = folder / f"linked_{number}.o"
        target.write_bytes(found.object_code())
        yield target


# -- C files of ours


def _run_written(file: PreparedFile, tally: Tally, written: WrittenTests, options: Options) -> None:
    """Tests that crash are executed too; each has a name in the report without the `test_` of its function."""
    own = options.for_function(tally.name)
    with tempfile.TemporaryDirectory(prefix="tightrope-measure-") as place:
        folder = Path(place)
        linked = list(_companions(file, tally.name, own, folder))
        parts = read_parts(file, [tally.name], [written.file], replace(own, tests=("test_*",)), RUN_CRASHING)
        program = build(file, [tally.name], parts, own, folder, linked, (RUN_CRASHING,), level=0)
        runs = run_tests(program, folder, Limits(memory=options.memory_limit << 20), PATIENCE)
    rows = [(run.name.removeprefix("test_"), run.points, run.outcome, run.reason) for run in runs if run.name]
    tally.add(program.lifted.objectives[tally.name], written.named, rows)


def _companions(file: PreparedFile, name: str, options: Options, folder: Path) -> Iterator[Path]:
    """The files that `generate` would link with the function."""
    if not options.link and file.linker.project.database is None:
        return
    for number, each in enumerate(choose_inputs(file, name, options).linked):
        target = folder / f"linked_{number}.o"
        target.write_bytes(each.object_code())
        yield target


# -- inputs


def _run_inputs(file: PreparedFile, tallies: Mapping[str, Tally], given: GivenInputs, options: Options) -> None:
    name = _whose(tallies, given)
    if not name or (given.source and Path(given.source).name != file.path.name):
        return
    own = options.for_function(name)
    worker = Worker()
    try:
        unit = prepare_unit(file, name, own)
        inputs = [to_input(each, unit.shape) for each in given.inputs]
        with start(unit, worker, own) as runner:
            records = [runner.record(values) for values in inputs]
    finally:
        worker.close()
    rows = [
        (each.name, record.points, record.ending.outcome, record.ending.reason)
        for each, record in zip(given.inputs, records, strict=True)
    ]
    tallies[name].add(unit.objectives, given.file, rows)


def _whose(tallies: Mapping[str, Tally], given: GivenInputs) -> str:
    """The function that the inputs are for; '' when it is not measured."""
    if given.function:
        return given.function if given.function in tallies else ""
    if len(tallies) == 1:
        return next(iter(tallies))
    hint = "measure one function with them: FILE.c:FUNCTION"
    raise UsageError(f"{given.file} does not say whose inputs it holds", hint=hint, slug="suite-inputs")


# -- earlier measurements


def _read_report(file: Path) -> Report:
    try:
        return report_from_json(json.loads(file.read_text(encoding="utf-8")))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        hint = "check its path"
        raise UsageError(f"--merge: {file} cannot be read: {reason}", hint=hint, slug="no-such-file") from None
    except (ValueError, KeyError, TypeError):
        hint = "name what `tightrope measure --json FILE` wrote"
        raise UsageError(f"--merge: {file} is no report", hint=hint, slug="merge") from None


def _is_about(unit: UnitReport, file: PreparedFile, name: str) -> bool:
    return unit.function == name and Path(unit.file).name == file.path.name and not unit.was_refused


def _merge(tally: Tally, earlier: Sequence[UnitReport], fingerprint: str) -> None:
    """Add the tests of earlier measurements, where they were of the same C."""
    texts = {each.id: (each.text, len(each.points)) for each in tally.objectives}
    for unit in earlier:
        if unit.fingerprint != fingerprint:
            tally.warnings.append(f"not merged: {tally.name} has changed since it was measured before")
            continue
        same = {each.id for each in unit.objectives if texts.get(each.id, ("", 0))[0] == each.text}
        for test in unit.tests:
            hits = {key: tuple(found) for key, found in test.hits.items() if key in same}
            tally.tests.append(DoneTest(test.id, test.suite, Outcome(test.outcome), test.reason, hits))


# -- the report


def _report(file: PreparedFile, tally: Tally, earlier: Sequence[UnitReport], options: Options) -> UnitReport:
    mark = _fingerprint(file, tally.name)
    _merge(tally, earlier, mark)
    done = _named_apart([test for test in tally.tests if test.outcome is not None])
    masks = [_masks(test.hits) for test in done]
    verdicts = [(each, _verdict(_by_position(each), done, masks)) for each in tally.objectives]
    source, location = SourceText(), file.ctypes.functions[tally.name].location
    rows = tuple(
        replace(report_objective(each, verdict, source), file=_as_named(file, each.location.file))
        for each, verdict in verdicts
    )
    return UnitReport(
        file=str(file.path),
        function=tally.name,
        criteria=options.criteria,
        strategy="none",
        seed=options.seed,
        stop_reason=MEASURED,
        objectives=rows,
        tests=tuple(_reported(test, verdicts) for test in done),
        line=location.line,
        warnings=(*file.warnings, *tally.warnings, *_remarks(tally)),
        notes=file.notes,
        suites=tuple(dict.fromkeys(test.suite for test in done)),
        fingerprint=mark,
    )


def _named_apart(tests: Sequence[DoneTest]) -> list[DoneTest]:
    """Tests of two suites may have one name: the suite's is then put before it, and a number where that is no help."""
    often = Counter(test.name for test in tests)
    shown = [test.name if often[test.name] == 1 else f"{test.suite}:{test.name}" for test in tests]
    seen: Counter[str] = Counter()
    named = []
    for test, name in zip(tests, shown, strict=True):
        seen[name] += 1
        named.append(replace(test, name=f"{name}#{seen[name]}" if seen[name] > 1 else name))
    return named


def _masks(hits: Hits) -> dict[str, int]:
    return {key: sum(1 << at for at in found) for key, found in hits.items()}


def _by_position(objective: Objective) -> Objective:
    """The objective with positions for points."""
    at = {point: position for position, point in enumerate(objective.points)}
    pairs = tuple((at[one], at[other]) for one, other in objective.pairs)
    return replace(objective, points=tuple(range(len(objective.points))), pairs=pairs)


def _verdict(objective: Objective, tests: Sequence[DoneTest], masks: Sequence[Mapping[str, int]]) -> Verdict:
    found = find_witnesses(objective, [mask.get(objective.id, 0) for mask in masks])
    if found:
        return Covered(tuple(tests[at].name for at in found))
    if objective.problem:
        return Unknown(Reason.NOT_FOLLOWED, objective.problem)
    if objective.is_constant:
        return Infeasible(Proof.CONSTANT)
    return Unknown(Reason.NOT_COVERED)


def _reported(test: DoneTest, verdicts: Sequence[tuple[Objective, Verdict]]) -> ReportedTest:
    assert test.outcome is not None
    covers = tuple(each.id for each, verdict in verdicts if isinstance(verdict, Covered) and test.name in verdict.tests)
    hits = {key: found for key, found in test.hits.items() if found}
    return ReportedTest(test.name, {}, test.outcome.value, covers, test.reason, suite=test.suite, hits=hits)


def _remarks(tally: Tally) -> Iterator[str]:
    for test in tally.tests:
        if test.outcome is None:
            yield f"{test.name} of {test.suite} was not executed: {test.reason}"


def _fingerprint(file: PreparedFile, name: str) -> str:
    """Of the function's text, so that what was measured before is known to be about the same C."""
    function = file.program.functions[f"@{name}"]
    first = file.ctypes.functions[name].location
    places = [place for block in function.blocks for place in block.places if place.file == first.file]
    last = max((place.line for place in places), default=first.line)
    lines = file.path.read_text(encoding="utf-8", errors="replace").splitlines()[first.line - 1 : last]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _as_named(file: PreparedFile, path: str) -> str:
    """The unit's own file as the user named it."""
    return str(file.path) if (file.working_directory / path).resolve() == file.path.resolve() else path
