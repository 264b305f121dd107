"""What `--suite` names: C files with tests, files with inputs, or a folder of such files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import UsageError
from tightrope.suite.folder import HEAD, INCLUDE
from tightrope.suite.read_inputs import GivenInputs, read_inputs

_INPUT_ENDINGS = (".json", ".csv")


@dataclass(frozen=True, slots=True)
class UserFiles:
    """C files that may belong to one test program; the compiler finds out which of them have a `main`."""

    named: Path  # as the user named it: a file or a folder
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class WrittenTests:
    """A C file that Tightrope wrote: tests of one function."""

    named: Path
    file: Path
    function: str
    source: str  # the name of the C file
    included: tuple[Path, ...] = ()  # files of that name that it includes

    def is_about(self, path: Path) -> bool:
        """Whether this file is tested. Two files may have the same name: what is included decides, where it exists."""
        there = [file.resolve() for file in self.included if file.exists()]
        return self.source == path.name and (not there or path.resolve() in there)


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything that was named, sorted."""

    tests: tuple[UserFiles, ...] = ()
    written: tuple[WrittenTests, ...] = ()
    inputs: tuple[GivenInputs, ...] = ()

    def __add__(self, other: Sources) -> Sources:
        return Sources(self.tests + other.tests, self.written + other.written, self.inputs + other.inputs)


def read_sources(named: Iterable[Path]) -> Sources:
    return sum((_read(path) for path in named), Sources())


def _read(path: Path) -> Sources:
    if path.is_dir():
        return _read_folder(path)
    if not path.is_file():
        raise UsageError(f"--suite: there is no {path}", hint="name a file or a folder with tests", slug="no-such-file")
    if path.suffix in _INPUT_ENDINGS:
        return Sources(inputs=(read_inputs(path),))
    if path.suffix != ".c":
        hint = "name a C file, a JSON or CSV file with inputs, or a folder"
        raise UsageError(f"--suite: {path} is not a file with tests", hint=hint, slug="suite-kind")
    ours = read_written(path, path)
    return Sources(written=(ours,)) if ours else Sources(tests=(UserFiles(path, (path,)),))


def _read_folder(folder: Path) -> Sources:
    """Files of Tightrope, each on its own; other C files together. Inputs that were also written as C count once."""
    files = sorted(file for file in folder.iterdir() if file.is_file())
    written = tuple(found for file in files if file.suffix == ".c" and (found := read_written(folder, file)))
    others = tuple(file for file in files if file.suffix == ".c" and not any(file == one.file for one in written))
    stems = {one.file.stem for one in written}
    inputs = tuple(_inputs(file for file in files if file.suffix in _INPUT_ENDINGS and file.stem not in stems))
    if not (written or others or inputs):
        hint = "name the folder that `tightrope generate -o` wrote, or one with C files that call the function"
        raise UsageError(f"--suite: {folder} holds no tests", hint=hint, slug="suite-kind")
    return Sources((UserFiles(folder, others),) if others else (), written, inputs)


def _inputs(files: Iterable[Path]) -> Iterator[GivenInputs]:
    """A folder may also hold reports and other JSON: only what is a list of inputs or a suite counts."""
    for file in files:
        try:
            given = read_inputs(file)
        except UsageError:
            continue
        if not is_report(given):
            yield given


def is_report(given: GivenInputs) -> bool:
    """True for a report: it would be read as one input with strange names."""
    return len(given.inputs) == 1 and {"tool", "units"} <= given.inputs[0].values.keys()


def read_written(named: Path, file: Path) -> WrittenTests | None:
    """What a C file says about itself; None if Tightrope did not write it."""
    text = file.read_text(encoding="utf-8", errors="replace")
    found = HEAD.match(text)
    if not found:
        return None
    included = [file.parent / each for each in INCLUDE.findall(text) if Path(each).name == found[3]]
    return WrittenTests(named, file, found[2], found[3], tuple(included))
