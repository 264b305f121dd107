"""The tests of a function that are there before it is tested: those of --suite, and those in the output folder.

    as Tightrope wrote it     inputs and what was observed stand in the file      (suite/kept_tests.py)
    JSON, CSV                 inputs by path; a suite also says what was observed
    ours, but edited          its inputs are recorded                             (measure/recorded_inputs.py)
    other C                   it is built and run as it is                        (measure/native_tests.py)

Files are only read here. `find_place` says which of them the new suite is written to: the first that is there as
Tightrope wrote it and that --suite does not name. All others are left alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope.commands.measure.unit_suite import hash_of
from tightrope.inputs.whole_program import describe_values
from tightrope.options.options import Options
from tightrope.suite.case import file_stem, numbered
from tightrope.suite.folder import check_file, is_edited, is_ours
from tightrope.suite.kept_tests import Row, read_about, read_block, rows_of_json
from tightrope.suite.read_inputs import GivenInput, GivenInputs
from tightrope.suite.seal import SealState, seal_state
from tightrope.suite.sources import Sources, WrittenTests, read_sources, read_written
from tightrope.suite.writers import WRITERS
from tightrope.suite.writers.either_version import UNIT
from tightrope.units.choose_inputs import choose_inputs
from tightrope.units.prepared import PreparedFile

if TYPE_CHECKING:  # imported where they are used: few functions have tests that must be built
    from tightrope.commands.measure.native_tests import NativeTest

MOST_SUITES = 1000  # of one function in one folder
_READABLE = (".c", ".json")


@dataclass(frozen=True, slots=True)
class SuitePlace:
    """Where the suite of a function is written: its number in the folder, and what stands there."""

    number: int = 1
    texts: Mapping[str, str] = field(default_factory=dict)  # name of a file -> its text
    beside: tuple[Path, ...] = ()  # files of other numbers, which are left alone
    edited: tuple[Path, ...] = ()  # of these, those that somebody edited
    is_complete: bool = False  # all files of the suite are there


@dataclass(frozen=True, slots=True)
class EarlierTest:
    """A test whose input is known."""

    name: str
    file: Path
    given: GivenInput
    row: Row | None = None  # what was observed; None: not known
    is_held: bool = False  # it stands in a file that the new suite is written to


@dataclass(frozen=True, slots=True)
class EarlierSuite:
    place: SuitePlace = field(default_factory=SuitePlace)
    tests: tuple[EarlierTest, ...] = ()
    natives: tuple[NativeTest, ...] = ()  # tests whose inputs are not known
    crashes: tuple[GivenInput, ...] = ()  # inputs of run-time errors that were found with the tests
    is_of_same_source: bool = False  # the unit's file is as it was then
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.tests and not self.natives

    def without(self, names: Collection[str]) -> EarlierSuite:
        """The suite without tests that this command has written."""
        return replace(self, tests=tuple(each for each in self.tests if not (each.is_held and each.name in names)))


NO_EARLIER_SUITE = EarlierSuite()


# -- the place


def find_place(options: Options, source: Path, function: str, stem: str) -> SuitePlace:
    """Raises UsageError if somebody else's file is in the way. Tests of other functions whose files are called the same
    (`rx_init` in can.c, `init` in can_rx.c) are passed over."""
    named = {path.resolve() for path in options.suites}
    beside: list[Path] = []
    for number in range(1, MOST_SUITES):
        files = _files(options, numbered(stem, number))
        there = [file for file in files if file.exists()]
        if any(_is_of_another(file, source, function) for file in there):
            continue
        is_named = any({file.resolve(), file.resolve().parent} & named for file in there)
        if not is_named:
            for file in files:
                check_file(file, has_seal=options.is_anew)
        if not is_named and not any(map(is_edited, there)):
            later = _later(options, stem, number)
            edited = tuple(file for file in (*beside, *later) if is_edited(file))
            texts = {} if options.is_anew else dict(_texts(there))
            return SuitePlace(number, texts, (*beside, *later) if not options.is_anew else (), edited, there == files)
        if not is_named:
            beside += there
    raise AssertionError("a folder has no thousand suites of one function")


def _is_of_another(file: Path, source: Path, function: str) -> bool:
    """Whether the file says that its tests are of another function; a sequence (no `function`) does not ask."""
    if not function or file.is_dir():
        return False
    if file.suffix == ".json":
        given = read_sources([file]).inputs if is_ours(file) and not is_edited(file) else ()
        return any((each.function, Path(each.source).name) != (function, source.name) for each in given)
    written = read_written(file, file) if file.suffix == ".c" else None
    return written is not None and not (written.function == function and written.is_about(source))


def _files(options: Options, stem: str) -> list[Path]:
    return [options.output / f"{stem}{ending}" for each in options.formats for ending in WRITERS[each].endings]


def _later(options: Options, stem: str, number: int) -> list[Path]:
    """The files of the numbers after this one."""
    found: list[Path] = []
    for later in range(number + 1, MOST_SUITES):
        there = [file for file in _files(options, numbered(stem, later)) if file.is_file()]
        if not there:
            break
        found += there
    return found


def free_number(options: Options, stem: str, after: int) -> int:
    """A number that no suite has."""
    numbers = range(after + 1, after + MOST_SUITES)
    return next(each for each in numbers if not any(file.exists() for file in _files(options, numbered(stem, each))))


def _texts(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        if text:
            yield file.name, text


def may_include_others(place: SuitePlace, sources: Sources) -> bool:
    """Whether tests are built that somebody else wrote or edited: nobody knows which files they need."""
    return bool(sources.tests or place.edited or any(is_edited(each.file) for each in sources.written))


def earlier_files(options: Options, source: Path, stem: str) -> Iterator[Path]:
    """The files that `find_place` and `read_earlier` look at: what --suite names, what has the stem in the folder for
    tests, and the other C files that these say they are about."""
    found = [file for path in options.suites for file in _files_below(path)]
    endings = tuple(ending.partition("/")[0] for each in options.formats for ending in WRITERS[each].endings)
    own = [path for path in sorted(options.output.glob(f"{escape(stem)}*")) if path.name.endswith(endings)]
    found += [file for path in own for file in _files_below(path)]
    for file in dict.fromkeys(found):
        yield file
        written = read_written(file, file) if file.suffix == ".c" else None
        about = written.included if written else ()
        yield from (each for each in about if each.is_file() and each.resolve() != source.resolve())


def _files_below(path: Path) -> Iterator[Path]:
    yield from sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else (path,)


def state_of_earlier(source: Path, function: str, output_stem: str, options: Options, is_sequence: bool) -> str | None:
    """A hash of all tests that are there: results depend on them. None if that cannot be told from files, because tests
    are built that may include others."""
    place = find_place(options, source, "" if is_sequence else function, file_stem(source, function, output_stem))
    sources = read_sources(options.suites)
    if may_include_others(place, sources):
        return None
    named = [*(each.file for each in sources.written), *(each.file for each in sources.inputs)]
    texts = [*place.texts.items(), *_texts((*place.beside, *named))]
    return hashlib.sha256(repr((place.number, texts)).encode()).hexdigest()


# -- the tests


def read_earlier(file: PreparedFile, function: str, options: Options) -> EarlierSuite:
    """What is there for this function. A sequence whose length nobody asked for starts anew: its inputs
    depend on it."""
    stem = file_stem(file.path, function, file.output_stem)
    place = find_place(options, file.path, "" if file.sequence else function, stem)
    if file.sequence is not None and file.sequence.sequence.is_found:
        for path in _files(options, stem):
            check_file(path, has_seal=True)
        return EarlierSuite(SuitePlace())
    sources = read_sources(options.suites)
    named = {one.file for one in sources.written} | {one.file for one in sources.inputs}
    beside = _without_twins([path for path in place.beside if path not in named and path.suffix in _READABLE])
    sources += read_sources(beside)
    reader = _EarlierReader(file, function, options)
    held = [test for name, text in place.texts.items() for test in _known_tests(options.output / name, text)]
    tests = [*_once(replace(test, is_held=True) for test in held), *reader.read(sources)]
    notes = [
        f"{path} was edited: it is kept as it is, and new tests go to another file"
        for path in place.edited
        if path in place.beside
    ]
    natives = tuple(reader.natives(sources))
    whys = [(each.file, each.problem.replace(" with the new version", "")) for each in natives if each.problem]
    problems = [f"{path} was not measured: {why}" for path, why in whys]
    done = tuple(each for each in natives if not each.problem)
    ended = [
        f"{each.name} of {each.file} {each.ending}; what it covers until then counts" for each in done if each.ending
    ]
    about = [read_about(text) for text in place.texts.values()]
    crashes = tuple(GivenInput("a run-time error", values) for each in about for values in each.crashes)
    is_same = any(each.source == hash_of(file.path) for each in about)
    return EarlierSuite(
        place, tuple(tests), done, crashes, is_same, (*reader.warnings, *problems, *ended), tuple(notes)
    )


def _without_twins(files: Sequence[Path]) -> list[Path]:
    """Tests that were also written as JSON count once; the C++ of GoogleTest is read with its C."""
    stems = {file.stem for file in files if file.suffix == ".c"}
    return [file for file in files if file.suffix == ".c" or file.stem not in stems]


def _known_tests(file: Path, text: str) -> Iterator[EarlierTest]:
    """The tests of a file that is as Tightrope wrote it."""
    if seal_state(text) is SealState.INTACT:
        rows = rows_of_json(text) if file.suffix == ".json" else read_block(text)
        yield from (EarlierTest(row["name"], file, GivenInput(row["name"], row["inputs"]), row) for row in rows)


def _once(tests: Iterable[EarlierTest]) -> Iterator[EarlierTest]:
    """A test of several formats counts once."""
    seen: set[str] = set()
    for test in tests:
        if test.name not in seen:
            seen.add(test.name)
            yield test


@dataclass(slots=True)
class _EarlierReader:
    file: PreparedFile
    function: str
    options: Options
    warnings: list[str] = field(default_factory=list)
    unread: list[Path] = field(default_factory=list)  # files of ours whose inputs are not known

    def read(self, sources: Sources) -> Iterator[EarlierTest]:
        for written in sources.written:
            if written.function == self.function and written.is_about(self.file.path):
                yield from self._written(written)
        for given in sources.inputs:
            yield from self._given(given)

    def _written(self, written: WrittenTests) -> Iterator[EarlierTest]:
        text = written.file.read_text(encoding="utf-8", errors="replace")
        if f"#ifndef {UNIT}" in text:  # they show differences between two versions
            return
        tests = [*_known_tests(written.file, text)] or [*self._recorded(written)]
        if not tests:
            self.unread.append(written.file)
        yield from tests

    def _recorded(self, written: WrittenTests) -> Iterator[EarlierTest]:
        """All tests of the file, or none: then it is run as it is."""
        from tightrope.commands.measure.recorded_inputs import record_inputs

        own = self.options.for_function(self.function)
        inputs = choose_inputs(self.file, self.function, own)
        rows = record_inputs(written, self.file, inputs)
        known = [(row.name, describe_values(inputs.shape, row.input)) for row in rows if row.input is not None]
        if len(known) == len(rows):
            yield from (EarlierTest(name, written.file, GivenInput(name, values)) for name, values in known)

    def _given(self, given: GivenInputs) -> Iterator[EarlierTest]:
        is_other = given.function not in ("", self.function)
        if is_other or (given.source and Path(given.source).name != self.file.path.name):
            return
        text = given.file.read_text(encoding="utf-8-sig")
        rows = {row["name"]: row for row in rows_of_json(text) if "observed" in row and "outcome" in row}
        yield from (EarlierTest(each.name, given.file, each, rows.get(each.name)) for each in given.inputs)

    def natives(self, sources: Sources) -> Iterator[NativeTest]:
        """Tests in C whose inputs are not known, with what they cover."""
        if not sources.tests and not self.unread:
            return
        from tightrope.commands.measure.native_tests import run_natively

        own = replace(self.options.for_function(self.function), merge=())
        for tests in sources.tests:
            if any(self._may_test(file) for file in tests.files):
                yield from run_natively(tests.files, self.file.path, self.function, {self.file.path.name}, own)
        for file in self.unread:
            yield from run_natively([file], self.file.path, self.function, {self.file.path.name}, own)

    def _may_test(self, file: Path) -> bool:
        text = file.read_text(encoding="utf-8", errors="replace")
        return re.search(rf"\b{re.escape(self.function)}\b", text) is not None
