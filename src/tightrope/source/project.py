"""How a file is compiled in its project: with a compilation database, or with the flags of the user.

The user names a database, or Tightrope finds it: compile_commands.json in the folder of the file or above it, or in a
folder `build` there. With flags after `--`, it does not search; the flags are added to a database that is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from tightrope.errors import CompileError, UnsupportedError
from tightrope.source.compilation_database import NAME, CompilationDatabase, read_database
from tightrope.source.compile import Listener, compile_to_bitcode, drop_unknown_flags
from tightrope.source.flags import Flags, anchor_flags, join_flags, sort_flags
from tightrope.source.toolchain import Compiler

_LABEL = '-Dpc_label(e,...)=((void)sizeof((_Bool)(e)?"tightrope label":#__VA_ARGS__))'  # as tightrope.h has it
BUILD_FOLDERS = ("build", "builddir", "_build")  # where CMake and Meson are usually told to build


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to compile a file: flags, the folder to run the compiler in, and where both come from."""

    flags: Flags
    folder: Path
    database: Path | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """Where recipes come from. `was_found`: the database was found, not named by the user."""

    own: Flags  # flags that the user gave for every file
    database: CompilationDatabase | None = None
    was_found: bool = False
    definitions: tuple[str, ...] = ()  # `__irq=`: words of another dialect of C, for every file

    def recipes(self, file: Path) -> tuple[Recipe, ...]:
        """All ways in which the project compiles the file, in order; at least one."""
        if self.database is None:
            return (Recipe(self._flags(self.own, file), Path.cwd()),)
        return tuple(
            Recipe(
                self._flags(join_flags(command.flags, self.own), file),
                command.directory,
                self.database.path,
            )
            for command in self.database.find(file)
        )

    def _flags(self, flags: Flags, file: Path) -> Flags:
        known = define_labels(_runnable(flags, file), file)
        return replace(known, kept=(*known.kept, *(f"-D{each}" for each in self.definitions)))

    def knows(self, file: Path) -> bool:
        return self.database is not None and self.database.knows(file)


def find_project(file: Path, build_folder: Path | None, flags: Sequence[str] = ()) -> Project:
    """The project that a file belongs to."""
    own = sort_flags(flags)
    if build_folder is not None:  # its commands run in folders of the build: relative flags start where the user stands
        own = replace(own, kept=anchor_flags(own.kept, Path.cwd()), link=anchor_flags(own.link, Path.cwd()))
    if build_folder is not None:
        return Project(own, read_database(build_folder))
    for place in () if flags else candidate_places(file):
        database = read_database(place)
        if database.knows(file):
            return Project(own, database, was_found=True)
    return Project(own)


def compile_by_recipe(
    compiler: Compiler,
    file: Path,
    recipes: Sequence[Recipe],
    further: Sequence[str] = (),
    on_warning: Listener | None = None,
) -> tuple[bytes, Recipe]:
    """Bitcode by the first recipe that works: a project may compile a file for several programs, and some of these
    entries may be incomplete. If none works, the error of the first is raised."""
    problems = []
    for recipe in recipes:
        flags = _known_flags(compiler, recipe) if recipe.database else recipe.flags
        try:
            words = (*flags.kept, *further)
            found = compile_to_bitcode(compiler, file, words, working_directory=recipe.folder, on_warning=on_warning)
        except CompileError as problem:
            problems.append(problem)
        else:
            return found, replace(recipe, flags=flags)
    raise problems[0]


@lru_cache(maxsize=256)
def _known_flags(compiler: Compiler, recipe: Recipe) -> Flags:
    return drop_unknown_flags(compiler, recipe.flags, working_directory=recipe.folder)


def describe_recipe(project: Project) -> Iterator[str]:
    """Tells the user where the flags come from, if a database was found."""
    if project.database is not None and project.was_found:
        yield f"compiled as {short_path(project.database.path)} says"


def as_named(file: str, unit: Path, working_directory: Path) -> str:
    """The unit's own file as the user named it; other files relative to the current folder if they are below it."""
    path = working_directory / file
    if path.resolve() == unit.resolve():
        return str(unit)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def short_path(path: Path) -> str:
    """The path relative to the current folder, if it is below it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def candidate_places(file: Path) -> Iterator[Path]:
    """Databases that may have an entry for the file, nearest first, up to the top of the repository."""
    for folder in file.absolute().parents:
        for place in (folder, *(folder / name for name in BUILD_FOLDERS)):
            if (place / NAME).is_file():
                yield place / NAME
        if (folder / ".git").exists():
            return


def define_labels(flags: Flags, file: Path) -> Flags:
    """Flags that define `pc_label(e, id, "TAG")`, for a file that uses it without including a header for it."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return flags
    is_used, is_asked_for = re.search(r"\bpc_label\s*\(", text), re.search(r"ifndef\s+pc_label\b", text)
    is_known = re.search(r"^\s*#\s*define\s+pc_label\b|\b(?:void|int|extern)\s+pc_label\s*\(", text, re.MULTILINE)
    return replace(flags, kept=(*flags.kept, _LABEL)) if is_used and (is_asked_for or not is_known) else flags


def _runnable(flags: Flags, file: Path) -> Flags:
    """Reject code that this process cannot run: a worker loads it into its own 64-bit process."""
    if flags.width in ("", "-m64"):
        return flags
    raise UnsupportedError(
        f"{file} is compiled with {flags.width}: Tightrope runs the code inside a 64-bit process, which cannot run it",
        hint="add `-- -m64` for tests with the sizes of 64-bit code (pointers and long differ), or leave the flag out",
        slug="not-64-bit",
    )
