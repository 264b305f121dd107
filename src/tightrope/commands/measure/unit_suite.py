"""Cases as a suite of a unit, which writers turn into tests."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.library.libc_models import NUMERIC
from tightrope.library.table import FUNCTIONS
from tightrope.options.options import Options
from tightrope.running.notes import forget_build
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.running.runner import Runner
from tightrope.source.flags import rebase_flags
from tightrope.suite.case import Case, Companion, Suite, macros_of
from tightrope.units.linking import LinkedFile
from tightrope.units.prepared import PreparedUnit
from tightrope.version import __version__

MATH = frozenset((*NUMERIC, *(name for name, one in FUNCTIONS.items() if one.header == "math.h")))
_INTRINSIC = re.compile(r"@llvm\.(\w+)\.(?=.*\bf\d)")  # the compiler may call `rint` for `llvm.rint.f64`


def suite_of(unit: PreparedUnit, cases: Sequence[Case], options: Options) -> Suite:
    """Cases that have names, as a suite of the unit."""
    return Suite(
        ctypes=unit.ctypes,
        interface=unit.interface,
        shape=unit.shape,
        source=unit.file.path,
        folder=options.output,
        cases=tuple(cases),
        flags=rebase_flags(shown_flags(unit), unit.file.working_directory, options.output.absolute()),
        libraries=rebase_flags(tuple(libraries_of(unit)), unit.file.working_directory, options.output.absolute()),
        version=__version__,
        output_stem=unit.file.output_stem,
        linked=tuple(companion(each, options.output.absolute()) for each in unit.linked),
        program_hash=hash_of(unit.file.path),
        created=_source_date(),
        variables=unit.woven.variables,
        macros=macros_of(unit.file.path.read_text(encoding="utf-8", errors="replace")),
        float_tolerance=options.float_tolerance,
        symbols=tuple(_symbols(unit)),
    )


def hash_of(source: Path) -> str:
    return hashlib.sha256(source.read_bytes()).hexdigest()


def _symbols(unit: PreparedUnit) -> Iterator[str]:
    """C names that the unit's file defines for other files."""
    program = unit.file.program
    functions = [each.name for each in program.functions.values() if each.is_defined and not each.is_internal]
    variables = [each.name for each in program.globals.values() if each.is_defined and not each.is_internal]
    yield from (name[1:] for name in (*functions, *variables) if name[1:].isidentifier())


def shown_flags(unit: PreparedUnit) -> tuple[str, ...]:
    """Without what the tests define themselves."""
    ours = {f"-D{each}" for each in unit.file.definitions}
    return tuple(each for each in unit.file.flags.kept if each not in ours)


def libraries_of(unit: PreparedUnit) -> Iterator[str]:
    """What its tests are linked with."""
    yield from unit.file.flags.link
    programs = (unit.file.program, *(each.program for each in unit.linked))
    names = [name for program in programs for name in program.functions]
    if "-lm" not in unit.file.flags.link and any(map(_needs_mathematics, names)):
        yield "-lm"


def _needs_mathematics(symbol: str) -> bool:
    found = _INTRINSIC.match(symbol)
    name = found[1] if found else symbol[1:]
    return name in MATH or (found is not None and name.endswith("num"))  # `llvm.maxnum` may become `fmax`


def make_case(unit: PreparedUnit, runner: Runner, name: str, run: RunRecord) -> Case:
    """A run as a case, with all that its test can check."""
    notes = runner.take_notes(run.input) if run.ending.outcome is Outcome.RETURNED else None
    notes = notes and forget_build(notes, os.fsencode(unit.file.path.resolve().parent))
    case = Case(name, run.input, run.ending, run.outputs, points=run.points, notes=notes)
    return replace(case, wraps=run.wraps, is_risky=run.is_risky)


def _source_date() -> int:
    """The time in written files: SOURCE_DATE_EPOCH or none, so that the same input gives the same files."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def companion(file: LinkedFile, folder: Path) -> Companion:
    """A linked file, as the tests in this folder compile it."""
    flags = rebase_flags(file.whole.flags, file.whole.recipe.folder, folder)
    return Companion(file.path, (*flags, *file.further))
