"""Finds the changes between two versions of a file that concern given functions, and what these use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.changes.declaration_changes import Declarations, compare_declarations
from tightrope.commands.diff.changes.file_text import FileText, show, show_both
from tightrope.commands.diff.changes.redeclared_names import find_redeclared_names
from tightrope.commands.diff.changes.syntax_changes import compare_functions
from tightrope.errors import CompileError
from tightrope.location import Location
from tightrope.program.c_text.c_tokens import WORD
from tightrope.program.c_text.syntax import FunctionSyntax, walk
from tightrope.source.preprocess import preprocess
from tightrope.units.function_syntax import find_syntax
from tightrope.units.linking import PLAIN_CTYPE
from tightrope.units.prepared import PreparedFile

_OF_DECLARATIONS = (ChangeKind.GLOBAL, ChangeKind.SIGNATURE)


def find_changes(
    old: PreparedFile, new: PreparedFile, old_functions: Sequence[str], new_functions: Sequence[str]
) -> tuple[Change, ...]:
    """Changes of these functions, and of the globals and types that they use; those outside of functions come first.

    Functions are given by their names in C: the unit and everything that it may call. A function in only one of the
    lists is compared with the one of the same name in the other version, if there is one.
    """
    mine, theirs = _read_version(_ByIdentity(old)), _read_version(_ByIdentity(new))
    names = [name for name in dict.fromkeys((*new_functions, *old_functions)) if mine.has(name) or theirs.has(name)]
    is_same_outside = mine.text.outside == theirs.text.outside
    compared = list(_choose_compared(mine, theirs, names, is_same_outside))
    mine.read(compared)
    theirs.read(compared)
    outside = () if is_same_outside else _compare_outside(mine, theirs, names)
    signatures = [name for name in compared if mine.signature(name) != theirs.signature(name)]
    said = [each.name for each in outside if each.kind in _OF_DECLARATIONS] + signatures
    types = [each for each in outside if each.kind is ChangeKind.TYPE]
    said += [word for each in types for word in WORD.findall(f"{each.old_text} {each.new_text}")]
    inside = [change for name in names for change in _compare_one(mine, theirs, name, compared, said)]
    return (*outside, *inside)


def _choose_compared(
    old: _FileVersion, new: _FileVersion, names: Sequence[str], is_same_outside: bool
) -> Iterator[str]:
    """Functions of both versions whose syntax may differ: their text differs, or it uses names with another meaning."""
    redeclared = frozenset[str]() if is_same_outside else find_redeclared_names(old.text, new.text)
    for name in names:
        if old.has(name) and new.has(name):
            mine, theirs = old.tokens(name), new.tokens(name)
            if not mine or mine != theirs or not redeclared.isdisjoint(mine):
                yield name


@dataclass(slots=True)
class _FileVersion:
    """One version of a file, with the syntax of the compared functions; None if it is not available."""

    file: PreparedFile
    text: FileText
    declarations: Declarations
    syntaxes: dict[str, FunctionSyntax | None] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        return name in self.file.ctypes.functions

    def tokens(self, name: str) -> tuple[str, ...]:
        return self.text.functions.get(name, ())

    def location(self, name: str) -> Location:
        return self.file.ctypes.functions[name].location

    def signature(self, name: str) -> str:
        syntax = self.syntaxes.get(name)
        return self.declarations.meanings.type(syntax.root.type) if syntax else ""

    def read(self, names: Sequence[str]) -> None:
        missing = [name for name in names if name not in self.syntaxes]
        found = _find_syntaxes(self.file, missing)
        self.syntaxes |= {name: found.get(name) for name in missing}


@dataclass(frozen=True, slots=True, eq=False)
class _ByIdentity:
    """A file as a key of a cache, compared by identity."""

    file: PreparedFile

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.file is other.file

    def __hash__(self) -> int:
        return id(self.file)


@lru_cache(maxsize=4)
def _read_version(same: _ByIdentity) -> _FileVersion:
    """Read a version once, for all units."""
    file, folder = same.file, same.file.working_directory
    preprocessed = preprocess(file.compiler, _include(file), _flags(file), working_directory=folder)
    text = FileText(preprocessed, str(folder.absolute()), lru_cache(maxsize=None)(partial(_read_lines, folder)))
    return _FileVersion(file, text, Declarations(file.program, file.ctypes, text))


def _include(file: PreparedFile) -> str:
    return f'#include "{file.path.resolve()}"\n'


def _flags(file: PreparedFile) -> tuple[str, ...]:
    return (*file.flags.kept, *PLAIN_CTYPE)


def _read_lines(folder: Path, file: str) -> list[bytes] | None:
    try:
        return (folder / file).read_bytes().split(b"\n")
    except OSError:
        return None


def _find_syntaxes(file: PreparedFile, names: Sequence[str]) -> dict[str, FunctionSyntax]:
    """The syntax of each function; one that cannot be read does not affect the others."""
    if not names:
        return {}
    try:
        return find_syntax(file.compiler, _include(file), names, _flags(file), working_directory=file.working_directory)
    except CompileError:
        alone = [_find_syntaxes(file, [name]) for name in names] if len(names) > 1 else []
        return {name: syntax for each in alone for name, syntax in each.items()}


# -- outside of functions


def _compare_outside(old: _FileVersion, new: _FileVersion, names: Sequence[str]) -> tuple[Change, ...]:
    return compare_declarations(old.declarations, new.declarations, _words(old, names) | _words(new, names))


def _words(version: _FileVersion, names: Sequence[str]) -> frozenset[str]:
    """Every name that the functions use, and the names in the declarations of functions that they call."""
    words = {word for name in names for word in version.tokens(name)}
    for syntax in map(version.syntaxes.get, names):
        for node in walk(syntax.root) if syntax else ():
            words.update(WORD.findall(f"{node.type} {node.argument} {node.name}"))
            if node.declares == "FunctionDecl":
                words |= version.text.words_with(node.name)
    return frozenset(word for word in words if WORD.fullmatch(word))


# -- functions


def _compare_one(
    old: _FileVersion, new: _FileVersion, name: str, compared: Sequence[str], said: Sequence[str]
) -> Iterator[Change]:
    """Compare one function. `said`: names with changed declarations that were reported; changed types of their uses
    follow from that."""
    if not (old.has(name) and new.has(name)):
        yield _whole(old, new, name)
    elif name in compared:
        before, after = old.syntaxes.get(name), new.syntaxes.get(name)
        if before and after:
            found = compare_functions(before, after, old.declarations.meanings, new.declarations.meanings)
            yield from found.changes
            yield from (each for each in found.uses if each.name not in said)
        elif old.tokens(name) != new.tokens(name) or not old.tokens(name):
            yield _whole(old, new, name)


def _whole(old: _FileVersion, new: _FileVersion, name: str) -> Change:
    """A change of the whole function: it was added or removed, or its syntax is not available."""
    places = [each.location(name) if each.has(name) else None for each in (old, new)]
    heads = [_head(each.tokens(name)) if each.has(name) else () for each in (old, new)]
    texts = show_both(*heads) if all(places) else (show(heads[0]), show(heads[1]))
    return Change(ChangeKind.FUNCTION, name, name, places[0], places[1], None, None, *texts)


def _head(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tokens[: tokens.index("{")] if "{" in tokens else tokens
