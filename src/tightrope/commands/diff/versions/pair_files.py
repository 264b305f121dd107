"""Two C files that the user names, as a pair of versions."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from tightrope.commands.diff.versions.build_options import (
    check_build_folder,
    find_database,
    use_other_database,
    use_own_database,
)
from tightrope.commands.diff.versions.pair import Pair, Version
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.options.targets import Target, check_file, read_target
from tightrope.source.compilation_database import CompilationDatabase
from tightrope.source.relocation import Relocation


def pair_files(words: tuple[str, str], options: Options, folder: Path) -> Pair:
    """`old.c:f new.c`: the function may be given with either file."""
    old, new = map(read_target, words)
    for target in (old, new):
        check_file(target.file)
    _check_different(old, new)
    check_build_folder(options)
    function = old.function or new.function
    databases = find_database(old.file, options), find_database(new.file, options)
    first = _options(options, old.file, new.file, databases, folder)
    second = options if databases[1] or not databases[0] else _borrow(options, new.file, old.file, databases[0], folder)
    return Pair(_version(old.file, function, first), _version(new.file, function, second))


def _check_different(old: Target, new: Target) -> None:
    if old.file.samefile(new.file):
        hint = "name the old version and the new one, or a revision: tightrope diff HEAD -- FILE.c"
        raise UsageError(f"{old.file} and {new.file} are the same file", hint=hint, slug="same-version")
    if old.function and new.function and old.function != new.function:
        hint = "a renamed function counts as one that was removed and one that was added"
        message = f"functions are compared by name, and {old.function} is not {new.function}"
        raise UsageError(message, hint=hint, slug="other-function")


def _options(
    options: Options, old: Path, new: Path, databases: tuple[CompilationDatabase | None, ...], folder: Path
) -> Options:
    own, other = databases
    where = Relocation(files={_absolute(new): _absolute(old)})
    if own is not None:
        return use_own_database(options, own, where)
    if other is not None:
        return _borrow(options, old, new, other, folder)
    if options.build_dir is not None:  # it has no entry for the file: the compiler will report that
        return options
    return _see_headers(replace(options, flags=(*options.flags, *where.prefix_maps)), old, new)


def _borrow(options: Options, file: Path, other: Path, database: CompilationDatabase, folder: Path) -> Options:
    """Options to compile it like the other file."""
    known = [each.file for each in database.find(other)]
    where = Relocation(files={**dict.fromkeys(known, _absolute(file)), _absolute(other): _absolute(file)})
    return use_other_database(options, database, where, folder)


def _see_headers(options: Options, file: Path, other: Path) -> Options:
    """Options with which a copy in another folder finds the headers beside the other file."""
    beside = _absolute(other).parent
    if beside == _absolute(file).parent:
        return options
    return replace(options, flags=(*options.flags, "-idirafter", str(beside)))


def _version(file: Path, function: str, options: Options) -> Version:
    return Version(str(file), file, replace(options, targets=(Target(file, function),)))


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))
