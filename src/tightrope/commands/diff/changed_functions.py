"""--changed: of the functions that a command is about, those that a change impacts.

    the targets and all changed files ──▶ each file, now and in the revision
                      │ its text differs, or that of a file that it includes
                      ├──▶ functions whose code is another one, or new: impacted; so is data
                      │ it uses something that is impacted, from another file
                      └──▶ functions whose unit, with the files that are linked, has another code: impacted

What cannot be compiled or compared counts as impacted, so that it becomes a row of the report.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.commands.diff.changed_unit import ComparedFile, prepare_both
from tightrope.commands.diff.impact.alignment import is_same_code, signature_of
from tightrope.commands.diff.versions.pair import Pair, Version
from tightrope.commands.diff.versions.pair_revisions import ChangedTree, pair_with_revision
from tightrope.errors import TightropeError, UsageError
from tightrope.options.options import Options
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Program
from tightrope.source.changed_files import find_using_by_header, read_text
from tightrope.source.compile_request import temporary_folder
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile
from tightrope.units.select_functions import ChosenFunction
from tightrope.units.target_files import expand_targets

_SYMBOL = re.compile(rf"@{NAME}")


def choose_changed(options: Options) -> Options:
    """The options of a command with --changed, which is then about these functions only."""
    if options.changed is None:
        return options
    if options.sequences:
        hint = "leave one of them out: a sequence is about many functions"
        raise UsageError("--changed cannot be combined with --sequence", hint=hint, slug="sequence")
    expanded = expand_targets(options)
    files = tuple(dict.fromkeys(str(target.file) for target in expanded.targets))
    own = {Path(os.path.abspath(file)) for file in files}
    with temporary_folder() as folder:
        tree = pair_with_revision(options.changed, files, expanded, folder)
        found = [(file, name) for file, name in _Impacted(tree).find() if file in own]
    return replace(expanded, only=frozenset(found))


@dataclass(frozen=True, slots=True)
class _BothVersions:
    """A file of the targets, compiled. None: it has no old version, or that does not compile."""

    pair: Pair
    old: PreparedFile | None
    new: PreparedFile

    def is_same(self, name: str) -> bool:
        """True if the compiler generates the same code for the function, and for what it calls in the file."""
        old, new = self.old, self.new
        if old is None or name not in old.ctypes.functions:
            return False
        is_declared_alike = signature_of(old.ctypes, name) == signature_of(new.ctypes, name)
        return is_declared_alike and is_same_code(old.program, new.program, f"@{name}")

    def is_same_when_linked(self, name: str) -> bool:
        if self.old is None or self.pair.old is None or self.pair.new is None:
            return False
        try:
            unit = prepare_both(ComparedFile(self.old, self.new, self.pair.old, self.pair.new), name)
        except TightropeError:
            return False
        return unit.impact.are_same

    def changed_data(self) -> Iterator[str]:
        before = self.old.program.globals if self.old else {}
        for name, each in self.new.program.globals.items():
            theirs = before.get(name)
            is_same = theirs is not None and (theirs.type, theirs.initializer) == (each.type, each.initializer)
            if each.is_defined and not is_same:
                yield name[1:]


class _Impacted:
    def __init__(self, tree: ChangedTree) -> None:
        self._pairs = [(pair, pair.new) for pair in tree.pairs if pair.new is not None]
        self._concerned, self._home = tree.concerned, tree.home
        self._compiled: dict[Path, _BothVersions | None] = {}
        self._names = {*tree.gone}  # functions and data that are impacted

    def find(self) -> Iterator[ChosenFunction]:
        found: dict[ChosenFunction, None] = {}
        for pair, version in self._pairs:
            if version.file in self._concerned:
                found.update(dict.fromkeys(self._changed_in(pair, version)))
        is_new = bool(self._names)
        while is_new:
            files = self._mentioning()
            mentioning = [each for each in self._pairs if each[1].file in files]
            users = [each for pair, version in mentioning for each in self._users_in(pair, version, found)]
            found.update(dict.fromkeys(users))
            is_new = not {name for _, name in users} <= self._names
            self._names |= {name for _, name in users}
        yield from found

    def _changed_in(self, pair: Pair, version: Version) -> Iterator[ChosenFunction]:
        both = self._compile(pair, version)
        if both is None:
            yield _chosen(version, "")
            return
        before = both.old.functions if both.old else ()
        self._names |= {*both.changed_data(), *(name for name in before if name not in both.new.functions)}
        for name in both.new.functions:
            if not both.is_same(name):
                self._names.add(name)
                yield _chosen(version, name)

    def _mentioning(self) -> frozenset[Path]:
        """Files whose text has the name of something impacted, or that include a macro or a body which has."""
        word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(self._names)))})\b")
        others = {self._home.root / name for name in find_using_by_header(self._home.root, self._home.files, word)}
        files = [version.file for _, version in self._pairs]
        return frozenset(
            file for file in files if Path(os.path.abspath(file)) in others or word.search(read_text(file))
        )

    def _users_in(self, pair: Pair, version: Version, found: Mapping[ChosenFunction, None]) -> Iterator[ChosenFunction]:
        """Functions that use something impacted from another file."""
        both = self._compile(pair, version)
        if both is None:
            return
        elsewhere = {f"@{name}" for name in self._names if not _defines(both.new.program, f"@{name}")}
        for name in both.new.functions:
            chosen = _chosen(version, name)
            uses = chosen not in found and _used_by(both.new.program, f"@{name}") & elsewhere
            if uses and not both.is_same_when_linked(name):
                yield chosen

    def _compile(self, pair: Pair, version: Version) -> _BothVersions | None:
        """None if the new version does not compile."""
        if version.file not in self._compiled:
            new, old = _prepare(version), _prepare(pair.old)
            self._compiled[version.file] = _BothVersions(pair, old, new) if new else None
        return self._compiled[version.file]


def _chosen(version: Version, name: str) -> ChosenFunction:
    return Path(os.path.abspath(version.file)), name


def _prepare(version: Version | None) -> PreparedFile | None:
    if version is None:
        return None
    try:
        return prepare_file(find_compiler(version.options.compiler), version.file, version.options, lambda text: None)
    except TightropeError:
        return None


def _defines(program: Program, name: str) -> bool:
    function, data = program.functions.get(name), program.globals.get(name)
    return bool(function and function.is_defined) or bool(data and data.is_defined)


def _used_by(program: Program, function: str) -> frozenset[str]:
    """Everything that the function names, and what the functions and data of the file name that it names."""
    found, left = {function}, [function]
    while left:
        name = left.pop()
        one, data = program.functions.get(name), program.globals.get(name)
        texts = [each.text for each in one.instructions()] if one else [data.initializer] if data else []
        more = {symbol for text in texts for symbol in _SYMBOL.findall(text)} - found
        found |= more
        left += sorted(more)
    return frozenset(found)
