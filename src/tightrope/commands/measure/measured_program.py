"""Builds C tests with a unit that records its points, and runs them: which test hits what.

    tests.c includes unit.c      points are recorded in that translation unit
    tests.c calls the unit       the unit is compiled separately and linked with the tests

A test that crashes, exits or never ends also ends the process: the tests after it then run in another one.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.commands.measure.measured_coverage import Run
from tightrope.errors import UsageError
from tightrope.harness.driver import include_unit
from tightrope.options.options import Options
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import read_bitcode
from tightrope.program.marks.mutants import SourceMutant, write_schemata
from tightrope.running.run_record import Outcome
from tightrope.source.cache import cache_key, open_cache
from tightrope.source.compile import compile_to_object, link_program
from tightrope.suite.find_tests import find_tests
from tightrope.suite.guard import Limits
from tightrope.suite.native import Ended, run_program
from tightrope.suite.writers.plain_c import find_tests_of_errors
from tightrope.units.prepared import PreparedFile
from tightrope.units.unit_without_driver import Lifted, beside, compile_text, defines, include, ir_name, lift
from tightrope.weaving.counting import record
from tightrope.weaving.counting.count import compile_ir, count, implied_points
from tightrope.weaving.counting.guarded_memory import guard_memory
from tightrope.weaving.counting.record import VARIABLE, StateOfTest, create_record, read_record

RECORD = Path(record.__file__).with_suffix(".c")
MUTANTS = RECORD.with_name("mutants.c")
NO_POINTS = Points({})
# A mutant that leaves an array fails (weaving/counting/mutants.c has what the checks call).
CHECKED_INDICES = (
    *("-fsanitize=array-bounds", "-fno-sanitize-trap=array-bounds", "-fsanitize-recover=array-bounds"),
    "-fsanitize-minimal-runtime",
)


@dataclass(frozen=True, slots=True)
class SuitePart:
    """A C file of a program of tests, compiled but not yet marked."""

    file: Path
    text: str
    program: Program
    tests: tuple[str, ...]  # '@test_a'

    @property
    def has_main(self) -> bool:
        return "@main" in self.program.functions and self.program.functions["@main"].is_defined


@dataclass(frozen=True, slots=True)
class MeasuredProgram:
    """A program of tests that can be run."""

    path: Path
    lifted: Lifted
    tests: tuple[str, ...]  # C names; the number of a test is its position, counted from 1
    implied: Mapping[int, int]  # points that are not recorded -> points of which any implies them


# -- compiling


def read_parts(
    file: PreparedFile, names: Sequence[str], files: Iterable[Path], options: Options
) -> tuple[SuitePart, ...]:
    return tuple(_read_part(file, names, path, include(path), options.tests) for path in files)


def _read_part(file: PreparedFile, names: Sequence[str], path: Path, text: str, patterns: Sequence[str]) -> SuitePart:
    program = read_bitcode(compile_text(file, text))[0]
    units = [f"@{ir_name(name)}" for name in names]
    return SuitePart(path, text, program, find_tests(program, patterns, units))


def with_main(file: PreparedFile, names: Sequence[str], part: SuitePart, options: Options) -> SuitePart:
    """The part with a `main` that calls its tests, if there is no other `main`."""
    called = [name[1:] for name in part.tests if not part.program.functions[name].type.parameters]
    if not called:
        hint = f"tests are functions whose name matches {', '.join(options.tests)} (see --tests), or a main"
        raise UsageError(f"--suite: {part.file} has neither a main nor tests", hint=hint, slug="no-tests")
    calls = "".join(f"    {name}();\n" for name in called)
    text = f"{part.text}int main(void)\n{{\n{calls}    return 0;\n}}\n"
    return _read_part(file, names, part.file, text, options.tests)


def build(
    file: PreparedFile,
    names: Sequence[str],
    parts: Sequence[SuitePart],
    options: Options,
    folder: Path,
    others: Sequence[Path] = (),
    *,
    level: int | None = None,
) -> MeasuredProgram:
    """`others` are objects to link with."""
    level = optimisation(file) if level is None else level
    holder = find_holder(file, names, parts)
    text = holder.text if holder else unit_text(file)
    lifted = lift(file, text, _defined(file, names, holder), options)
    numbers = number_tests(parts)
    own = _own(numbers, lifted.program) if holder else {}
    implied = implied_points(lifted.program, lifted.points, lifted.wanted)
    texts = [count(lifted.program, lifted.points, lifted.wanted - implied.keys(), own, lifted.marks)]
    texts += [count(p.program, NO_POINTS, (), _own(numbers, p.program)) for p in parts if p is not holder]
    program = link_texts(file, texts, RECORD, folder / "tests", others, level)
    return MeasuredProgram(program, lifted, tuple(name[1:] for name in numbers), implied)


def build_with_mutants(
    file: PreparedFile,
    names: Sequence[str],
    parts: Sequence[SuitePart],
    mutants: Sequence[SourceMutant],
    folder: Path,
    others: Sequence[Path] = (),
    *,
    level: int | None = None,
) -> Path:
    """The same program, with all mutants and without points."""
    holder, numbers = find_holder(file, names, parts), number_tests(parts)
    source = beside(file, holder.text if holder else unit_text(file))
    schemata = write_schemata(source.preprocess(), mutants)
    mutated = read_bitcode(source.compile_preprocessed(schemata.text, CHECKED_INDICES))[0]
    programs = [mutated, *(part.program for part in parts if part is not holder)]
    guarded = [guard_memory(each, has_heap=not others) for each in programs]
    texts = [count(each, NO_POINTS, (), _own(numbers, each)) for each in guarded]
    level = optimisation(file) if level is None else level
    return link_texts(file, texts, MUTANTS, folder / "mutants", others, level)


def find_holder(file: PreparedFile, names: Sequence[str], parts: Sequence[SuitePart]) -> SuitePart | None:
    """The part that includes the unit; None if the unit is compiled separately."""
    return next((part for part in parts if any(defines(file, part.program, name) for name in names)), None)


def number_tests(parts: Sequence[SuitePart]) -> dict[str, int]:
    """The tests ('@test_a') of all parts, numbered from 1."""
    return {name: at for at, name in enumerate(dict.fromkeys(test for part in parts for test in part.tests), 1)}


def link_texts(
    file: PreparedFile, texts: Sequence[str], runtime: Path, program: Path, others: Sequence[Path], level: int
) -> Path:
    """A program of IR and a C file of ours that answers it."""
    folder, stem = program.parent, program.name
    objects = [_write(folder, f"{stem}_{at}.o", compile_ir(each, level)) for at, each in enumerate(texts)]
    objects += [_write(folder, f"{stem}_runtime.o", _runtime_object(file, runtime)), *others]
    link_program(file.compiler, objects, file.flags, program, working_directory=file.working_directory)
    return program


def unit_text(file: PreparedFile) -> str:
    """The unit on its own, with its `main` renamed."""
    return "\n".join(include_unit(str(file.path.resolve()))) + "\n"


def _defined(file: PreparedFile, names: Sequence[str], holder: SuitePart | None) -> list[str]:
    """The functions without those that the tests exclude by `#if`."""
    return [name for name in names if holder is None or defines(file, holder.program, name)]


def _own(numbers: Mapping[str, int], program: Program) -> dict[str, int]:
    return {name: number for name, number in numbers.items() if name in program.functions}


def _write(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def _runtime_object(file: PreparedFile, source: Path) -> bytes:
    key = cache_key(source.stem, str(file.compiler), source.read_bytes())
    return open_cache().remember(key, lambda: compile_to_object(file.compiler, source))


def optimisation(file: PreparedFile) -> int:
    """The optimisation level of the flags of the file; else 2."""
    said = [each.flag for each in file.flags.dropped if re.fullmatch(r"-O([0-3sgz]|fast)?", each.flag)]
    words = {"": 1, "s": 2, "z": 2, "g": 1, "fast": 3}
    last = said[-1][2:] if said else "2"
    return int(last) if last.isdigit() else words[last]


# -- running


OUR_TESTS = ("test_*",)  # how tests are called that Tightrope wrote
PATIENCE = 2.0  # seconds that a test of ours may take; see suite/confirm.py


def read_written(file: PreparedFile, names: Sequence[str], tests: Path, options: Options) -> tuple[SuitePart, ...]:
    """A file that Tightrope wrote."""
    return read_parts(file, names, [tests], replace(options, tests=OUR_TESTS))


def run_written(
    file: PreparedFile, names: Sequence[str], tests: Path, linked: Sequence[Path], options: Options, folder: Path
) -> tuple[Lifted, tuple[Run, ...]]:
    """Build and run tests that Tightrope wrote, including those that crash, in a temporary folder."""
    own, parts = replace(options, tests=OUR_TESTS), read_written(file, names, tests, options)
    program = build(file, names, parts, own, folder, linked, level=0)
    working = folder / "working"
    working.mkdir()
    limits = Limits(memory=options.memory_limit << 20, writable=(working, *options.allow_files))
    errors = find_tests_of_errors(tests.read_text(encoding="utf-8", errors="replace"))
    runs = run_tests(program, working, limits, PATIENCE)
    return program.lifted, tuple(replace(run, is_error=run.is_error or run.name in errors) for run in runs)


def run_tests(program: MeasuredProgram, folder: Path, limits: Limits, seconds: float = 0.0) -> tuple[Run, ...]:
    """Run all tests, in as many processes as needed. `seconds` is the limit for one test; 0: no limit."""
    record, points, tests = program.path.with_suffix(".record"), len(program.lifted.points), len(program.tests)
    rows, ends = [0] * (tests + 1), dict[int, tuple[Outcome, str]]()
    while True:
        create_record(record, points, tests, ends, seconds)
        with record.open("r+b") as file:
            number = file.fileno()
            ended = run_program((program.path,), folder, limits, {VARIABLE: str(number)}, [number])
        found = read_record(record, points)
        rows = [old | _complete(new, program.implied) for old, new in zip(rows, found.rows, strict=True)]
        fresh = {number for number, state in enumerate(found.states) if state in (StateOfTest.BEGUN, StateOfTest.ENDED)}
        ends |= {number: _ending(found.states[number], ended, number == found.current) for number in fresh}
        if not found.current or not fresh or len(ends) == tests:
            break
    return tuple(_runs(program.tests, rows, ends, ended))


def _complete(points: int, implied: Mapping[int, int]) -> int:
    return points | sum(1 << point for point, others in implied.items() if points & others)


def _ending(state: StateOfTest, ended: Ended, was_last: bool) -> tuple[Outcome, str]:
    if state is StateOfTest.ENDED:
        return Outcome.RETURNED, ""
    if not was_last:
        return Outcome.CRASHED, "it did not finish"
    return how_it_ended(ended)


def how_it_ended(ended: Ended) -> tuple[Outcome, str]:
    if ended.was_stopped or ended.status == -_ALARM:
        return Outcome.TIMED_OUT, "did not end in time"
    if ended.status < 0:
        return Outcome.CRASHED, f"ended by signal {-ended.status}"
    return Outcome.EXITED, f"exit status {ended.status}"


_ALARM = 14
_ERRORS = tuple(f"ended by signal {int(each)}" for each in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE))


def _runs(
    tests: Sequence[str], rows: Sequence[int], ends: Mapping[int, tuple[Outcome, str]], ended: Ended
) -> Iterator[Run]:
    """The result of each test; the name '' is for what happened outside of all tests."""
    if rows[0] or not tests:
        outcome, reason = (Outcome.RETURNED, "") if ended.status == 0 else how_it_ended(ended)
        yield Run("", rows[0], outcome, reason)
    for number, name in enumerate(tests, 1):
        end: tuple[Outcome | None, str] = ends.get(number, (None, "it is never called"))
        yield Run(name, rows[number], *end, is_error=end[0] is Outcome.TIMED_OUT or end[1] in _ERRORS)
