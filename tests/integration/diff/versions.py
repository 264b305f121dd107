"""Two versions of a C function, prepared and running, for tests that compare them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tightrope.commands.diff.comparing.comparison import Comparer
from tightrope.inputs.scalars import Human, Input, encode, first_input
from tightrope.options.options import Options
from tightrope.running.runner import Runner, Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.choose_inputs import look_at_other_version
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedFile, PreparedUnit


def write(file: Path, text: str, options: Options) -> PreparedFile:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return prepare_file(find_compiler(), file, options, lambda warning: None)


@contextmanager
def running(unit: PreparedUnit, options: Options) -> Iterator[Runner]:
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            yield runner
    finally:
        worker.close()


@contextmanager
def comparing(folder: Path, old: str, new: str) -> Iterator[Comparer]:
    """`f` of both texts; tests are written to the folder `tests`."""
    options = options_for(folder)
    files = [write(folder / name / "unit.c", text, options) for name, text in (("old", old), ("new", new))]
    one, other = (
        prepare_unit(files[at], "f", options, look_at_other_version(files[1 - at], "f", options)) for at in (0, 1)
    )
    with ExitStack() as stack:
        runners = [stack.enter_context(running(unit, options)) for unit in (one, other)]
        yield Comparer(one, runners[0], other, runners[1])


def options_for(folder: Path) -> Options:
    (folder / "tests").mkdir(exist_ok=True)
    return Options((), output=folder / "tests")


def input_of(unit: PreparedUnit, given: dict[str, Human]) -> Input:
    """The first input with these values, by path."""
    values = list(first_input(unit.driver.slots))
    slots = {slot.path: slot for slot in unit.driver.slots}
    for path, value in given.items():
        values[slots[path].number] = encode(slots[path].scalar, value)
    return tuple(values)
