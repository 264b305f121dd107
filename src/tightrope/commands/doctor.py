"""`tightrope doctor`: what was found on this machine and about a file, what is missing, and what to do about it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from tightrope.commands.generate.generate import generate
from tightrope.errors import TightropeError
from tightrope.library.symbols import is_in_library
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.ir.read_ir import llvm_version
from tightrope.report.as_findings import Finding, Findings, Grade
from tightrope.running.containment import describe_powers, find_powers
from tightrope.running.session import lasting_folder
from tightrope.solving.backends import BACKENDS, is_installed
from tightrope.source.compile import list_dependencies
from tightrope.source.dialects import as_definitions, compile_dialect, describe_definitions
from tightrope.source.linked_files import find_definers
from tightrope.source.missing_headers import missing_headers, where_it_may_be
from tightrope.source.project import Project, find_project, short_path
from tightrope.source.toolchain import Compiler, find_compiler, find_gcc, find_tool
from tightrope.units.linking import ALL_FUNCTIONS
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile
from tightrope.version import __version__

TRIAL = "int trial(int a, int b)\n{\n    if (a > 3 && b == a * 7)\n        return 1;\n    return 0;\n}\n"
LITTLE_MEMORY = 1 << 30  # bytes
OLDEST_LLVM_COV = 18  # the first that knows MC/DC
MOST_SHOWN = 12  # names in one line
_PACKAGES = {"z3": "z3-solver"}  # on PyPI, where the library has another name


def examine(options: Options) -> tuple[Findings, ...]:
    """The machine, then each file."""
    machine = Findings("", tuple(_machine(options)))
    return (machine, *(examine_file(target, options) for target in options.targets))


# -- the machine


def _machine(options: Options) -> Iterator[Finding]:
    yield Finding("tightrope", f"{__version__}, Python {platform.python_version()}, {platform.platform(terse=True)}")
    yield from _graded("compiler", lambda: _compiler(options))
    yield from _graded("headers", lambda: _headers(options))
    yield Finding("LLVM", f"{llvm_version()}, by llvmlite {importlib.metadata.version('llvmlite')}")
    yield from _solvers(options)
    yield from _judges()
    yield _containment()
    yield from _limits()
    yield from _graded("trial", lambda: _trial(options))


def _graded(topic: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """The findings, or the error that prevented them."""
    try:
        yield from look()
    except TightropeError as problem:
        shown = problem.message + (f"\n{problem.diagnostics}" if problem.diagnostics else "")
        yield Finding(topic, shown, Grade.BAD, problem.hint)


def _compiler(options: Options) -> Iterator[Finding]:
    compiler = find_compiler(options.compiler)
    yield Finding("compiler", str(compiler))
    yield from (Finding("compiler", note, Grade.NOTE) for note in compiler.notes)


def _headers(options: Options) -> Iterator[Finding]:
    """Where the headers of the C library are: on the system, or bundled with the compiler."""
    with tempfile.TemporaryDirectory(prefix="tightrope-doctor-") as name:
        file = Path(name) / "headers.c"
        file.write_text("#include <stdio.h>\n")
        found = [Path(each) for each in list_dependencies(find_compiler(options.compiler), file)]
    places = [str(each.parent) for each in found if each.name == "stdio.h" and each.exists()]
    if places:
        yield Finding("headers", f"of the C library: {places[0]}")
    else:
        yield Finding(
            "headers", "the headers of the C library were not found", Grade.BAD, "install the package libc6-dev"
        )


def _solvers(options: Options) -> Iterator[Finding]:
    for name, backend in BACKENDS.items():
        package = _PACKAGES.get(name, backend.library)
        if is_installed(name):
            version = importlib.metadata.version(package)
            yield Finding("solver", f"{name} {version}{' (used)' if name == options.solver else ''}")
        elif name == options.solver:
            yield Finding("solver", f"{name} is not installed", Grade.BAD, f"pip install {package}")
        else:
            yield Finding("solver", f"{name} is not installed (a second opinion)", hint=f"pip install {package}")


def _judges() -> Iterator[Finding]:
    """Tools for a second opinion; none of them is required."""
    gcc = find_gcc()
    words = (
        f"gcc {gcc.version} with gcov confirms branch counts" if gcc else "no gcc with gcov to confirm branch counts"
    )
    yield Finding("judges", words)
    names = ("llvm-cov", *(f"llvm-cov-{number}" for number in range(OLDEST_LLVM_COV + 8, OLDEST_LLVM_COV - 1, -1)))
    found = [(name, version) for name in names if (version := find_tool(name)) is not None]
    good = [pair for pair in found if int(pair[1].split(".")[0] or 0) >= OLDEST_LLVM_COV]
    for name, version in good[:1] or found[:1]:
        knows = "judges MC/DC" if good else f"too old for MC/DC: needs {OLDEST_LLVM_COV}"
        yield Finding("judges", f"{name} {version} ({knows})")
    if not found:
        yield Finding("judges", "no llvm-cov", hint="install the package llvm")
    testcov = shutil.which("testcov") or shutil.which("testcov", path=str(Path(sys.executable).parent))
    yield Finding("judges", "testcov" if testcov else "no testcov", hint="" if testcov else "pip install testcov")


def _containment() -> Finding:
    powers = find_powers()
    is_whole = bool(powers.landlock) and powers.seccomp
    return Finding("contained", describe_powers(powers), Grade.GOOD if is_whole else Grade.NOTE)


def _limits() -> Iterator[Finding]:
    yield Finding("machine", f"{os.cpu_count()} cores: --jobs {os.cpu_count()} tests this many functions in parallel")
    free = _available_memory()
    if free is not None:
        grade = Grade.NOTE if free < LITTLE_MEMORY else Grade.GOOD
        yield Finding("machine", f"{_amount(free)} of memory available", grade)
    for folder in dict.fromkeys((str(lasting_folder()), "/dev/shm")):
        if Path(folder).is_dir():
            space = shutil.disk_usage(folder).free
            grade = Grade.NOTE if space < LITTLE_MEMORY // 4 else Grade.GOOD
            yield Finding("machine", f"{_amount(space)} free in {folder}", grade)


def _available_memory() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return int(found[0]) * 1024 if found else None


def _amount(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB" if count >= 1 << 30 else f"{count >> 20} MiB"


def _trial(options: Options) -> Iterator[Finding]:
    """Try everything with a small function: compile, run, solve, link, confirm."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tightrope-doctor-") as name:
        file = Path(name) / "trial.c"
        file.write_text(TRIAL)
        wanted = Options((Target(file),), output=Path(name) / "tests", quiet=True, solver=options.solver)
        report = generate(replace(wanted, compiler=options.compiler))
    score = report.score("branch")
    confirmation = report.units[0].confirmation
    if score.covered < score.total or confirmation is None or confirmation.problem:
        why = confirmation.problem if confirmation else "no test was confirmed"
        yield Finding("trial", f"{score.covered} of {score.total} branches covered; {why}", Grade.BAD)
        return
    seconds = time.perf_counter() - start
    yield Finding("trial", f"{confirmation.same} tests generated, built and confirmed in {seconds:.1f} s")


# -- a file


def examine_file(target: Target, options: Options) -> Findings:
    def look() -> Iterator[Finding]:
        compiler = find_compiler(options.compiler)
        project = find_project(target.file, options.build_dir, options.flags)
        yield from _project(target.file, project, options)
        yield from _compiled(compiler, target.file, project, options)

    return Findings(str(target.file), tuple(_graded("flags", look)))


def _project(file: Path, project: Project, options: Options) -> Iterator[Finding]:
    if project.database is not None:
        found = " (found; another one: -p)" if project.was_found else ""
        yield Finding("flags", f"from {short_path(project.database.path)}{found}")
    elif options.flags:
        yield Finding("flags", "from the command line: compile_commands.json is not used")
    else:
        hint = "-p FOLDER names it, or give flags after `--`"
        yield Finding("flags", "none: no compile_commands.json has this file", Grade.NOTE, hint)
    recipes = project.recipes(file)
    if len(recipes) > 1:
        yield Finding("flags", f"{len(recipes)} entries for this file: the first that compiles is used")
    flags = recipes[0].flags
    if flags.kept:
        yield Finding("kept", shlex.join(flags.kept))
    for reason in dict.fromkeys(dropped.reason for dropped in flags.dropped):
        words = [dropped.flag for dropped in flags.dropped if dropped.reason is reason]
        grade = Grade.NOTE if reason.is_worth_saying else Grade.GOOD
        yield Finding("dropped", f"{_some(words)}: {reason.sentence}", grade)


def _compiled(compiler: Compiler, file: Path, project: Project, options: Options) -> Iterator[Finding]:
    warnings: list[str] = []
    try:
        wanted = as_definitions(options.define_away)
        compiled = compile_dialect(compiler, file, project, wanted, ALL_FUNCTIONS, warnings.append)
    except TightropeError as problem:
        yield from _not_compiled(compiler, file, project, problem)
        return
    for dropped in compiled.recipe.flags.dropped[len(project.recipes(file)[0].flags.dropped) :]:
        yield Finding("dropped", str(dropped), Grade.NOTE)
    count = sum(text.count("warning: ") for text in warnings)
    yield Finding("compiles", f"yes{f', with {count} warnings' if count else ''}")
    yield from (Finding("dialect", text) for text in describe_definitions(compiled.definitions, wanted))
    prepared = prepare_file(compiler, file, options, lambda text: None)
    yield Finding("functions", f"{len(prepared.functions)}: {_some(prepared.functions)}")
    yield from _other_files(prepared, project)


def _not_compiled(compiler: Compiler, file: Path, project: Project, problem: TightropeError) -> Iterator[Finding]:
    missing = missing_headers(compiler, file.resolve(), project.recipes(file)[0])
    for header in missing:
        yield Finding("missing", header, Grade.BAD, where_it_may_be(header, file))
    if not missing:
        yield Finding("compiles", f"no\n{problem.diagnostics or problem.message}", Grade.BAD, problem.hint)


def _other_files(prepared: PreparedFile, project: Project) -> Iterator[Finding]:
    functions = prepared.program.functions.values()
    missing = [one.name[1:] for one in functions if not one.is_defined and not one.name.startswith("@llvm.")]
    called = [name for name in missing if not is_in_library(name)]
    others = [each for each in (project.database.files if project.database else ()) if each != prepared.path.resolve()]
    rest = dict.fromkeys(called)
    for file, names in find_definers(called, others):
        defined = [name for name in names if name in rest]
        if defined:
            yield Finding("calls", f"{_some(defined)} in {short_path(file)}")
        rest = {name: None for name in rest if name not in defined}
    if rest:
        hint = "--link FILE.c executes them; otherwise their answers are inputs"
        yield Finding("calls", f"{_some(rest)}: no body was found", hint=hint)


def _some(names: Collection[str]) -> str:
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(list(names)[:MOST_SHOWN]) + more
