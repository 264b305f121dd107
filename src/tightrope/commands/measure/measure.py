"""`tightrope measure`: what existing tests cover, by the objectives that `generate` would aim at.

Tests come as C, which is built with the unit and run natively, or as inputs, which are run as in a search. Each test is
executed once, whatever the number of objectives and criteria; tally.py adds up what they did.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.commands.measure.equivalent_survivors import decide_survivors
from tightrope.commands.measure.killed_mutants import SuiteProgram, run_on_mutants, run_written_on_mutants
from tightrope.commands.measure.measured_coverage import (
    NOTHING_KILLED,
    InBuild,
    KilledMutants,
    Run,
    Tally,
    report_tally,
)
from tightrope.commands.measure.measured_program import (
    SuitePart,
    build,
    read_parts,
    read_written,
    run_tests,
    run_written,
    unit_text,
    with_main,
)
from tightrope.commands.measure.mutant_judge import MutantJudge
from tightrope.errors import UsageError
from tightrope.inputs.growth import growth_for, join_growths
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.report.as_json import report_from_json
from tightrope.report.model import Report, Tool, UnitReport
from tightrope.running.draw_limit import DrawLimit
from tightrope.running.run_record import Outcome
from tightrope.running.runner import Runner, Worker
from tightrope.suite.guard import Limits
from tightrope.suite.read_inputs import GivenInputs, to_input
from tightrope.suite.sources import Sources, UserFiles, WrittenTests, read_sources
from tightrope.units.choose_inputs import choose_inputs
from tightrope.units.linking import find_needed, write_objects
from tightrope.units.prepare import called_functions, prepare_unit, start
from tightrope.units.prepared import PreparedFile, PreparedUnit
from tightrope.units.select_functions import choose
from tightrope.units.unit_without_driver import Lifted, lift
from tightrope.version import __version__

_OURS = "test_"  # starts the name of a function that is a test of ours; the test is called without it


def measure(options: Options) -> Report:
    """What the tests cover of every function asked for; one report."""
    begin, selection = time.monotonic(), choose(options)
    sources, earlier = _sources(options), [_read_report(file) for file in options.merge]
    units = [
        unit
        for file, names in selection.files()
        for unit in _measure_file(file, called_functions(file) or names, sources, earlier, selection.options)
    ]
    unread = [UnitReport.refused(str(one.target.file), "", options.criteria, one.reason) for one in selection.refused]
    return Report(Tool("tightrope", __version__), (*units, *unread), seconds=time.monotonic() - begin)


def _sources(options: Options) -> Sources:
    if not options.suites and not options.merge:
        hint = "name them with --suite: C files, a folder of them, or inputs in JSON or CSV"
        raise UsageError("there are no tests to measure", hint=hint, slug="no-suite")
    return read_sources(options.suites)


def _measure_file(
    file: PreparedFile, names: Sequence[str], sources: Sources, earlier: Sequence[Report], options: Options
) -> Iterator[UnitReport]:
    tallies = {name: Tally(name, options.whole_program and _is_named(file, options)) for name in names}
    for tests in sources.tests:
        _run_user_files(file, tallies, tests, options)
    for written in sources.written:
        if written.function in tallies and written.is_about(file.path):
            _run_written(file, _told(tallies, written.function, options), written, options)
    for given in sources.inputs:
        _run_inputs(file, tallies, given, options)
    missing = {name: tally for name, tally in tallies.items() if not tally.objectives}
    if missing:
        _add_all(missing, lift(file, unit_text(file), _counted(file, missing), options), "", ())
    for name, tally in tallies.items():
        known = [unit for report in earlier for unit in report.units if _is_about(unit, file, name)]
        own = options.for_function(name)
        tally.merge_all(known, file, own)
        tally.decided = decide_survivors(file, name, tally.alive(), own)
        yield report_tally(file, tally, own)


def _is_named(file: PreparedFile, options: Options) -> bool:
    """True if the command names functions of the file."""
    return bool(options.functions) or any(each.function for each in options.targets if each.file == file.path)


def _told(tallies: Mapping[str, Tally], name: str, options: Options) -> Mapping[str, Tally]:
    """The tallies that tests of this function count for: its own, or all if whole programs are measured."""
    return tallies if options.whole_program else {name: tallies[name]}


def _counted(file: PreparedFile, tallies: Mapping[str, Tally]) -> list[str]:
    """The functions whose objectives count: those of the command; for a whole program, the others of the file too."""
    others = file.functions if any(tally.is_whole for tally in tallies.values()) else ()
    return list(dict.fromkeys([*tallies, *others]))


def _add_all(
    tallies: Mapping[str, Tally],
    lifted: Lifted,
    suite: str,
    runs: Sequence[Run],
    mutants: KilledMutants = NOTHING_KILLED,
) -> None:
    for name, tally in tallies.items():
        names = dict.fromkeys([name, *lifted.objectives]) if tally.is_whole else (name,)
        there = [each for each in names if each in lifted.objectives]
        if there:
            tally.add(_in_build(lifted, there), suite, runs, mutants)


def _in_build(lifted: Lifted, names: Sequence[str]) -> InBuild:
    objectives = tuple(each for name in names for each in lifted.objectives[name])
    return InBuild(tuple(lifted.function(name) for name in names), objectives, lifted.marks, lifted.points)


# -- C files of the user's


def _run_user_files(file: PreparedFile, tallies: Mapping[str, Tally], tests: UserFiles, options: Options) -> None:
    names = _counted(file, tallies)
    parts = read_parts(file, names, tests.files, options)
    mains = [part for part in parts if part.has_main]
    if not mains:
        mains = [with_main(file, names, part, options) for part in parts if part.tests or len(parts) == 1]
    files = {part.file for part in mains}
    others = [part for part in parts if part.file not in files]
    for main in mains:
        _run_program(file, tallies, main, others, options)


def _run_program(
    file: PreparedFile, tallies: Mapping[str, Tally], main: SuitePart, others: Sequence[SuitePart], options: Options
) -> None:
    with tempfile.TemporaryDirectory(prefix="tightrope-measure-") as place:
        folder = Path(place)
        linked = list(_linked_objects(file, options, [main, *others], folder))
        names = _counted(file, tallies)
        temporary = folder / "temporary"
        temporary.mkdir()
        memory, writable = options.memory_limit << 20, options.allow_files
        limits = Limits(options.time_limit, memory, writable=writable, temporary=temporary)
        program = build(file, names, [main, *others], options, folder, linked)
        runs = run_tests(program, Path.cwd(), limits)
        suite = SuiteProgram(file, names, (main, *others), program.lifted.marks.mutants, linked)
        mutants = run_on_mutants(suite, folder, Path.cwd(), limits)
    named = [replace(run, name=run.name or suite.shown_name) for run in runs]
    if suite.shown_name in mutants.by_test and all(run.name != suite.shown_name for run in named):
        named.append(Run(suite.shown_name, 0, Outcome.RETURNED))  # the whole program killed what its tests did not
    _add_all(tallies, program.lifted, str(main.file), named, mutants)


def _linked_objects(file: PreparedFile, options: Options, parts: Sequence[SuitePart], folder: Path) -> Iterator[Path]:
    """Other files of the program, as objects: those of --link, and those of the project that tests or unit need."""
    found = [file.linker.compile(path) for path in options.link if isinstance(path, Path)]
    if "auto" in options.link or (not options.link and file.linker.project.database is not None):
        programs = [file.program, *(part.program for part in parts)]
        found += find_needed(file.linker, programs, [part.file.resolve() for part in parts], found)
    return write_objects(found, folder)


# -- C files of ours


def _run_written(file: PreparedFile, tallies: Mapping[str, Tally], written: WrittenTests, options: Options) -> None:
    """Tests that crash are executed too; each has a name in the report without the `test_` of its function."""
    own = options.for_function(written.function)
    with tempfile.TemporaryDirectory(prefix="tightrope-measure-") as place:
        linked, names = list(_companions(file, written, own, Path(place))), _counted(file, tallies)
        lifted, runs = run_written(file, names, written.file, linked, own, Path(place))
        parts = read_written(file, names, written.file, own)
        limits = Limits(own.time_limit, own.memory_limit << 20, writable=own.allow_files)
        suite = SuiteProgram(file, names, parts, lifted.marks.mutants, linked)
        mutants = run_written_on_mutants(suite, Path(place), limits)
    named = [replace(run, name=run.name.removeprefix(_OURS)) for run in runs if run.name]
    _add_all(tallies, lifted, str(written.named), named, mutants.without_prefix(_OURS))


def _companions(file: PreparedFile, written: WrittenTests, options: Options, folder: Path) -> Iterator[Path]:
    """The files that `generate` would link with the function."""
    if not options.link and file.linker.project.database is None:
        return iter(())
    text = written.file.read_text(encoding="utf-8", errors="replace")
    linked = choose_inputs(file, written.function, options).linked
    return write_objects([each.for_tests(text) for each in linked], folder)


# -- inputs


def _run_inputs(file: PreparedFile, tallies: Mapping[str, Tally], given: GivenInputs, options: Options) -> None:
    name = _whose(tallies, given) if file.sequence is None else _sequence_of(file, given)
    if not name or (given.source and Path(given.source).name != file.path.name):
        return
    own = options.for_function(name)
    worker = Worker()
    try:
        growth = join_growths(growth_for(each.values) for each in given.inputs)  # `generate` may have grown the shape
        unit = prepare_unit(file, name, own, growth=growth)
        inputs = [to_input(each, unit.shape) for each in given.inputs]
        with start(unit, worker, own) as runner:
            limited = DrawLimit.of(runner, unit.shape)
            found = [(limited.trace(values).points, runner.ending()) for values in inputs]
            killed = _judge_inputs(unit, runner, inputs, own)
    finally:
        worker.close()
    named = zip(given.inputs, found, strict=True)
    runs = [Run(each.name, points, ending.outcome, ending.reason) for each, (points, ending) in named]
    mutants = killed.renamed({f"run_{number}": each.name for number, each in enumerate(given.inputs)})
    for tally in (tallies if file.sequence else _told(tallies, name, options)).values():
        tally.add(_in_unit(unit, tally), str(given.file), runs, mutants)


def _judge_inputs(unit: PreparedUnit, runner: Runner, inputs: Sequence[Input], options: Options) -> KilledMutants:
    """Inputs are tests of what is observed now."""
    if not unit.marks.mutants:
        return NOTHING_KILLED
    records = [runner.record(values) for values in inputs]
    return MutantJudge(unit, runner, options).judge_runs(records, options.time_limit)


def _in_unit(unit: PreparedUnit, tally: Tally) -> InBuild:
    """The objectives and decisions of the unit that count for one function."""
    known = unit.program.functions
    functions, objectives = tuple(known.values()), unit.objectives
    if not tally.is_whole:
        names = [unit.function.name if tally.name == unit.interface.name else f"@{tally.name}"]
        functions = tuple(known[name] for name in names if name in known)
        objectives = tuple(each for each in objectives if each.id.startswith(f"{tally.name}:"))
    return InBuild(functions, objectives, unit.marks, unit.woven.points)


def _whose(tallies: Mapping[str, Tally], given: GivenInputs) -> str:
    """The function that the inputs are for; '' when it is not measured."""
    if given.function:
        return given.function if given.function in tallies else ""
    if len(tallies) == 1:
        return next(iter(tallies))
    hint = "measure one function with them: FILE.c:FUNCTION"
    raise UsageError(f"{given.file} does not say which function its inputs are for", hint=hint, slug="suite-inputs")


def _sequence_of(file: PreparedFile, given: GivenInputs) -> str:
    """The function that makes the calls of a sequence, if the inputs are for it; '' otherwise."""
    name = file.sequence.name if file.sequence else ""
    return name if given.function in ("", name) else ""


# -- earlier measurements


def _read_report(file: Path) -> Report:
    try:
        return report_from_json(json.loads(file.read_text(encoding="utf-8")))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        hint = "check its path"
        raise UsageError(f"--merge: {file} cannot be read: {reason}", hint=hint, slug="no-such-file") from None
    except ValueError as problem:
        hint = "name a file that `tightrope measure --json FILE` wrote"
        raise UsageError(f"--merge: {file} is not a report: {problem}", hint=hint, slug="merge") from None


def _is_about(unit: UnitReport, file: PreparedFile, name: str) -> bool:
    return unit.function == name and Path(unit.file).name == file.path.name and not unit.was_refused
