"""`tightrope diff`: tests for what a change may have broken. Iterates over files and functions; compare_function.py
compares one function."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tightrope.commands.diff.changed_unit import ComparedFile
from tightrope.commands.diff.compare_function import compare_function
from tightrope.commands.diff.impact.alignment import is_same_code, signature_of
from tightrope.commands.diff.old_tests.old_suite import list_lost
from tightrope.commands.diff.rows import in_user_words
from tightrope.commands.diff.versions.find_pairs import find_pairs, name_versions
from tightrope.commands.diff.versions.pair import Pair, Version, about
from tightrope.commands.generate.executors.interrupts import interruptible
from tightrope.commands.generate.pipeline import walk_function
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.errors import CompileError, NothingMatchedError, TightropeError, UsageError
from tightrope.options.options import Options
from tightrope.options.targets import near_names
from tightrope.report.difference_model import DifferenceReport, FunctionDifference, ReportedImpact, ReportedOldTest
from tightrope.report.model import Tool
from tightrope.search.budget import StopReason
from tightrope.source.toolchain import find_compiler
from tightrope.suite.folder import prepared_folder
from tightrope.suite.sources import read_sources
from tightrope.units.output_stems import output_stems
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile
from tightrope.units.select_functions import first_error
from tightrope.version import __version__

NEW = "the old version has no such objective"


def diff(options: Options) -> DifferenceReport:
    """Report what changed and what it may affect, and write tests for it."""
    if StrongMutation.name in options.criteria:
        hint = "name another criterion; `tightrope generate -c mutation NEW.c` writes tests that kill mutants"
        raise UsageError("diff does not take the criterion mutation", hint=hint, slug="diff-mutation")
    old, new = name_versions(options)
    read_sources(options.suites)  # an error in them concerns all functions
    with find_pairs(options) as pairs, prepared_folder(options.output):
        compiled, refused = _compile(pairs, options)
        _check_names(compiled, options.functions)
        rows, is_interrupted = _collect(compiled)
        rows = (*rows, *refused)
        shown = compiled if options.listing or options.html or options.reports else ()
        old_sources, sources = ({name: text for each in shown for name, text in each.sources(at)} for at in (0, 1))
    tool = Tool("tightrope", __version__)
    return DifferenceReport(
        tool, old, new, rows, is_interrupted=is_interrupted, sources=sources, old_sources=old_sources
    )


def _compile(pairs: Sequence[Pair], options: Options) -> tuple[list[_Compiled], list[FunctionDifference]]:
    """The files, compiled, and a row for each that does not compile: it takes nothing from the others."""
    known = [(pair, version) for pair in pairs if (version := pair.new or pair.old)]
    stems = output_stems([version.at_home for _, version in known], options.output)
    compiled, refused = [], []
    for pair, version in known:
        try:
            compiled.append(_Compiled.of(pair, stems[version.at_home]))
        except CompileError as problem:
            if len(known) == 1:
                raise
            file = version.in_words(str(version.file))
            refused.append(FunctionDifference(file, "refused", first_error(problem)))
    return compiled, refused


def _collect(compiled: Sequence[_Compiled]) -> tuple[tuple[FunctionDifference, ...], bool]:
    """The rows, and whether the user interrupted; rows found before the interrupt are kept."""
    rows: list[FunctionDifference] = []
    try:
        for each in compiled:
            for row in each.rows():
                rows.append(row)
                if row.unit and row.unit.stop_reason == StopReason.INTERRUPTED.value:
                    return tuple(rows), True
    except KeyboardInterrupt:
        if not rows:
            raise
        return tuple(rows), True
    return tuple(rows), False


def _check_names(compiled: Sequence[_Compiled], wanted: Sequence[str]) -> None:
    known = [name for each in compiled for name in (*each.functions, *each.included_functions)]
    for name in wanted:
        if name not in known:
            message = f"no function `{name}` is defined in either version"
            raise NothingMatchedError(message, hint=near_names(name, known), slug="no-such-function")


@dataclass(slots=True)
class _Compiled:
    """A C file in both versions, compiled."""

    pair: Pair
    old: PreparedFile | None
    new: PreparedFile | None

    @classmethod
    def of(cls, pair: Pair, stem: str) -> _Compiled:
        return cls(pair, _prepare(pair.old, "old", stem), _prepare(pair.new, "new", stem))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of both versions, in the order of the new one."""
        files = [each for each in (self.new, self.old) if each is not None]
        return tuple(dict.fromkeys(name for file in files for name in file.functions))

    @property
    def included_functions(self) -> tuple[str, ...]:
        """Functions of files that one of the versions includes: they are compared only when they are named."""
        files = [each for each in (self.new, self.old) if each is not None]
        found = dict.fromkeys(name for file in files for name in file.included_functions)
        return tuple(name for name in found if name not in self.functions)

    def rows(self) -> Iterator[FunctionDifference]:
        wanted = self._wanted()
        yield from (self._row(name, is_asked=len(wanted) == 1) for name in wanted)

    def sources(self, which: int) -> Iterator[tuple[str, str]]:
        """The text of the old (0) or new (1) file, by its name in the report."""
        version = (self.pair.old, self.pair.new)[which]
        if version is not None:
            text = version.file.read_text(encoding="utf-8", errors="replace")
            yield version.in_words(str(version.file)), text

    def _wanted(self) -> list[str]:
        """The functions that were named, otherwise all."""
        versions = [each for each in (self.pair.old, self.pair.new) if each is not None]
        named = {each.options.targets[0].function for each in versions} - {None, ""}
        named |= {name for each in versions for name in each.options.functions}
        found = [name for name in self.functions if name in named or not named]
        return [*found, *(name for name in self.included_functions if name in named)]

    def _row(self, name: str, is_asked: bool) -> FunctionDifference:
        try:
            with interruptible():
                return self._compare(name)
        except TightropeError as problem:
            if is_asked or problem.exit_code == 3:
                raise
            return FunctionDifference(name, "refused", self._words(f"not compared: {problem.message}"))

    def _compare(self, name: str) -> FunctionDifference:
        before, after = self._has(self.old, name), self._has(self.new, name)
        if before is None or self.pair.old is None:
            return self._added(name)
        if after is None or self.pair.new is None:
            return self._removed(name)
        if self._is_same(before, after, name):
            return FunctionDifference(name, "unchanged", "the compiler generates the same code for both versions")
        return compare_function(ComparedFile(before, after, self.pair.old, self.pair.new), name)

    @staticmethod
    def _has(file: PreparedFile | None, name: str) -> PreparedFile | None:
        return file if file is not None and name in file.ctypes.functions else None

    def _is_same(self, before: PreparedFile, after: PreparedFile, name: str) -> bool:
        """True if the function is unchanged. Not if other files are linked: these may have changed, too."""
        is_alone = not after.linker.project.database and not (self.pair.new and self.pair.new.options.link)
        is_declared_alike = signature_of(before.ctypes, name) == signature_of(after.ctypes, name)
        return is_alone and is_declared_alike and is_same_code(before.program, after.program, f"@{name}")

    def _added(self, name: str) -> FunctionDifference:
        assert self.new is not None and self.pair.new is not None
        with about(self.pair.new, "new"):
            unit = walk_function(self.new, name, self.pair.new.options.for_function(name))
        unit = in_user_words(unit, self.pair.new)
        sentence = "the old version does not have this function: everything in it is new"
        impacts = tuple(ReportedImpact(each.id, "", "changed", NEW, 0) for each in unit.objectives)
        return FunctionDifference(name, "added", sentence, (), impacts, len(unit.objectives), unit)

    def _removed(self, name: str) -> FunctionDifference:
        assert self.pair.old is not None
        files = [each.file.name for each in (self.pair.old, self.pair.new) if each is not None]
        sentence = f"the new version does not have this function; it was in {self.pair.old.name}"
        lost = list_lost(self.pair.old.options.suites, name, files, f"{name} no longer exists")
        rows = tuple(ReportedOldTest(each.name, each.file, "lost", each.problem) for each in lost)
        return FunctionDifference(name, "removed", sentence, old_tests=rows)

    def _words(self, text: str) -> str:
        for each in (self.pair.old, self.pair.new):
            text = each.in_words(text) if each is not None else text
        return text


def _prepare(version: Version | None, which: str, stem: str) -> PreparedFile | None:
    if version is None:
        return None
    with about(version, which):
        file = prepare_file(find_compiler(version.options.compiler), version.file, version.options, _warn)
    return replace(file, output_stem=stem)


def _warn(text: str) -> None:
    print(text, file=sys.stderr)
