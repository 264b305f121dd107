"""The C files that targets stand for: a folder, a pattern or a compilation database names many files at once.

src/            ──▶  the files below it that its project compiles, or all *.c if there is no compilation database
'src/**/*.c'    ──▶  the files that match
build/compile_commands.json  ──▶  every C file of this database

Files that Tightrope wrote and those that --exclude names are left out. A file that the user names is kept in any case.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from tightrope.errors import NothingMatchedError
from tightrope.options.options import Options
from tightrope.options.targets import Target, is_pattern
from tightrope.source.compilation_database import NAME, CompilationDatabase, read_database
from tightrope.source.project import BUILD_FOLDERS, candidate_places, short_path
from tightrope.suite.folder import is_ours

Tell = Callable[[str], None]


def expand_targets(options: Options) -> Options:
    """The options with one target for each file. A database that is a target is also where flags come from."""
    if not any(is_of_many(target) for target in options.targets):
        return options
    databases = [target.file for target in options.targets if target.file.name == NAME]
    if databases and options.build_dir is None:
        options = replace(options, build_dir=databases[0])
    found: dict[Path, Target] = {}
    for target in options.targets:
        for each in _files_of(target, options) if is_of_many(target) else (target,):
            found.setdefault(Path(os.path.abspath(each.file)) / each.function, each)
    return replace(options, targets=tuple(found.values()))


def is_of_many(target: Target) -> bool:
    """Whether it stands for the files of a folder, a pattern or a database."""
    return target.file.is_dir() or target.file.name == NAME or is_pattern(target.file)


# -- finding files


def _are_in_output(folder: Path, options: Options) -> bool:
    """Whether files below the folder would be tested if they were not in the folder for tests."""
    output = options.output.resolve()
    is_below = output.is_relative_to(folder.resolve())
    return is_below and any(not _is_left_out(file, options) for file in _walk(output, set()))


def _files_of(target: Target, options: Options) -> Iterator[Target]:
    kept = [file for file in _candidates(target, options) if not _is_left_out(file, options)]
    if not kept:
        hint = "name a C file, or look at --exclude" if options.exclude else "name a C file"
        if target.file.is_dir() and _are_in_output(target.file, options):
            hint = f"the folder for tests, {options.output}, is left out: name another one with -o"
        raise NothingMatchedError(f"{target.file}: there is no C file to test", hint=hint, slug="no-file")
    yield from (Target(file, is_found=True) for file in kept)


def _candidates(target: Target, options: Options) -> list[Path]:
    if target.file.name == NAME:
        return [_as_shown(file) for file in read_database(target.file).files if file.is_file()]
    if target.file.is_dir():
        return _below(target.file, options, _tell)
    return sorted(file for file in _matching(target.file) if file.is_file() and file.suffix == ".c")


def _matching(pattern: Path) -> Iterable[Path]:
    if pattern.is_absolute():
        return Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor)))
    return Path().glob(str(pattern))


def _below(folder: Path, options: Options, tell: Tell) -> list[Path]:
    """The files of the folder that its project compiles; without a project, all."""
    every = sorted(_walk(folder, {options.output.resolve()}))
    database = _database(folder, options)
    if database is None:
        return every
    compiled = {file.resolve() for file in database.files}
    known = [file for file in every if file.resolve() in compiled]
    others = [file for file in every if file.resolve() not in compiled and not _is_left_out(file, options)]
    if known and others:
        files = f"{len(others)} C files" if len(others) > 1 else "one C file"
        shown = f"{', '.join(map(str, others[:3]))}{', ...' * (len(others) > 3)}"
        tell(f"tightrope: {short_path(database.path)} does not compile {files} below {folder} ({shown}): left out")
    return known or every


def _database(folder: Path, options: Options) -> CompilationDatabase | None:
    """The one that is named, or the nearest one; none with flags after `--`, as for single files."""
    if options.build_dir is not None:
        return read_database(options.build_dir)
    places = () if options.flags else candidate_places(folder / "any.c")
    return next((read_database(place) for place in places), None)


def _walk(folder: Path, left_out: set[Path]) -> Iterator[Path]:
    """The C files below the folder; not those of hidden folders, of a build, or of `left_out`."""
    for place, folders, files in os.walk(folder):
        here = Path(place)
        folders[:] = [name for name in folders if not _is_skipped(here / name, left_out)]
        yield from (here / name for name in files if name.endswith(".c") and not name.startswith("."))


def _is_skipped(folder: Path, left_out: set[Path]) -> bool:
    is_build = folder.name in BUILD_FOLDERS or (folder / "CMakeCache.txt").exists()
    return folder.name.startswith(".") or is_build or folder.resolve() in left_out


def _is_left_out(file: Path, options: Options) -> bool:
    return is_excluded(file, options.exclude) or is_ours(file)


def is_excluded(file: Path, patterns: Sequence[str]) -> bool:
    """Whether --exclude names the file."""
    return any(_matches(file, pattern) for pattern in patterns)


def _matches(file: Path, pattern: str) -> bool:
    """`legacy` and `src/legacy/` are folders, `*_test.c` names, `src/*/gen_*.c` paths."""
    shown = _as_shown(file)
    paths = [str(each) for each in (shown, *shown.parents)]
    wanted = pattern.rstrip("/").removeprefix("./")
    if "/" in wanted:
        return any(fnmatch(path, wanted) for path in paths)
    return any(fnmatch(part, wanted) for part in shown.parts)


def _as_shown(file: Path) -> Path:
    """As a user would name it: relative to the current folder where it is below it."""
    return Path(short_path(Path(os.path.abspath(file))))


def _tell(text: str) -> None:
    print(text, file=sys.stderr)
