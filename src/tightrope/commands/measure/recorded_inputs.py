"""Reads the inputs of C tests that Tightrope wrote: the file is built with a recorder in place of the function, and
each test is run once. So edits by the user are respected."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import TightropeError
from tightrope.harness.driver import declare_object
from tightrope.inputs.scalars import Input
from tightrope.inputs.shape import objects_of
from tightrope.program.declarations.declare import is_spellable
from tightrope.source.compile import link_program
from tightrope.source.flags import Flags
from tightrope.suite.case import Suite
from tightrope.suite.folder import anchor_includes
from tightrope.suite.guard import DEFAULT_LIMITS
from tightrope.suite.native import run_program
from tightrope.suite.readability import leaf_of
from tightrope.suite.recorder import Recorded, read_recorded, with_recorder
from tightrope.suite.sources import WrittenTests
from tightrope.suite.writers.c_functions import FunctionWriter
from tightrope.units.linking import write_objects
from tightrope.units.prepared import ChosenInputs, PreparedFile, PreparedUnit

_ROW = re.compile(r'^\s*\{test_(\w+), "', re.MULTILINE)
_INCLUDE = re.compile(r'^#include "([^"]*)"$', re.MULTILINE)
NO_WARNINGS = "-w"
Inputs = ChosenInputs | PreparedUnit  # either has a shape of inputs
OTHER_INPUTS = "it was written for inputs that differ from those of the old version"


@dataclass(frozen=True, slots=True)
class WrittenInput:
    """The input of one test, for the version that it was written for; or None and the problem."""

    name: str
    input: Input | None
    problem: str = ""


def names_of_tests(text: str) -> tuple[str, ...]:
    """The names of the tests, in the order of their numbers."""
    return tuple(found[1] for found in _ROW.finditer(text))


def for_unit(text: str, written: WrittenTests, unit: Path) -> str:
    """The text with this file in place of the included one; other includes are found as before."""

    def put(found: re.Match[str]) -> str:
        return f'#include "{unit.resolve()}"' if Path(found[1]).name == written.source else found[0]

    return anchor_includes(_INCLUDE.sub(put, text, count=1), written.file.parent)


def record_inputs(written: WrittenTests, file: PreparedFile, inputs: Inputs) -> tuple[WrittenInput, ...]:
    """Record the inputs of all tests. `file` and `inputs` are of the version that the tests were written for."""
    text = written.file.read_text(encoding="utf-8", errors="replace")
    names = names_of_tests(text)
    changed = with_recorder(for_unit(text, written, file.path), inputs.ctypes, inputs.interface, inputs.shape)
    if changed is None:
        return tuple(WrittenInput(name, None, "the file no longer contains it") for name in names)
    with tempfile.TemporaryDirectory(prefix="tightrope-recorded-") as place:
        try:
            program = _build(changed, file, inputs, Path(place))
        except TightropeError as problem:
            return tuple(WrittenInput(name, None, f"{OTHER_INPUTS}: {_first_line(problem)}") for name in names)
        rows = [_run(program, number) for number, _ in enumerate(names, 1)]
    return tuple(_input(name, row, text, inputs) for name, row in zip(names, rows, strict=True))


def _first_line(problem: TightropeError) -> str:
    """The compiler's first error, without its place in a temporary file."""
    errors = re.findall(r"error: (.*)", problem.diagnostics)
    return errors[0] if errors else problem.message


def _build(text: str, file: PreparedFile, inputs: Inputs, folder: Path) -> Path:
    source, program = folder / "tests.c", folder / "tests"
    source.write_text(text, encoding="utf-8")
    flags = Flags((*file.flags.kept, NO_WARNINGS), file.flags.link)
    files = [source, *write_objects([each.for_tests(text) for each in inputs.linked], folder)]
    link_program(file.compiler, files, flags, program, working_directory=file.working_directory)
    return program


def _run(program: Path, number: int) -> Recorded:
    return read_recorded(run_program((program, str(number)), program.parent, DEFAULT_LIMITS).output)


def _input(name: str, recorded: Recorded, text: str, inputs: Inputs) -> WrittenInput:
    problem = next(_problems(name, recorded, text, inputs), "")
    if problem:
        return WrittenInput(name, None, problem)
    slots = inputs.driver.slots
    return WrittenInput(name, tuple(recorded.slots.get(s.number, leaf_of(s).simplest) & s.scalar.mask for s in slots))


def _problems(name: str, recorded: Recorded, text: str, inputs: Inputs) -> Iterator[str]:
    """Why the recorded data is not the whole input."""
    function = inputs.interface.name
    if recorded.calls != 1:
        times = "several times" if recorded.calls else "never"
        yield f"it calls {function} {times}, as far as it can be run"
    strays = [root.name for at, root in enumerate(inputs.shape.roots) if at in recorded.strays and not root.answers_of]
    if strays:
        yield f"it gives `{strays[0]}` a pointer that is not an input"
    if not all(line in _body(name, text) for line in _declared(recorded, inputs)):
        yield OTHER_INPUTS


def _declared(recorded: Recorded, inputs: Inputs) -> Iterator[str]:
    """The declarations that a test must have for the arrays that its pointers point to; otherwise lengths differ."""
    suite = Suite(inputs.ctypes, inputs.interface, inputs.shape, Path(), Path(), ())
    writer = FunctionWriter.of(suite)
    for at, node in enumerate(objects_of(inputs.shape)):
        is_plain = node.target < 0 or is_spellable(inputs.ctypes, node.target)
        if at in recorded.objects and node.count > 1 and is_plain:
            yield _spaced(declare_object(inputs.ctypes, node, node.path, writer.name_object(node.object)))


def _body(name: str, text: str) -> str:
    start = text.find(f"static void test_{name}(void)")
    return _spaced(text[start : text.find("\n}\n", start)])


def _spaced(text: str) -> str:
    return " ".join(text.split())
