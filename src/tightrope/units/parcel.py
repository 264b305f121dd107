"""What a machine that has none of the user's files needs for the functions of one C file: all that the compiler reads
of it and of the files that may be linked with it, and how they are compiled."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.source.compilation_database import CompilationDatabase
from tightrope.source.compile import list_dependencies
from tightrope.source.flags import root_flags, sort_flags
from tightrope.source.linked_files import find_definers
from tightrope.source.mirror import ROOT, FileTree, add_root, gather, is_system_folder
from tightrope.source.project import Project, Recipe, find_project, known_flags
from tightrope.source.toolchain import Compiler, is_of_compiler, is_of_system
from tightrope.units.select_functions import FunctionJob

MOST_KEPT = 16  # parcels: there may be as many files at work as workers
_PACKAGE = str(Path(__file__).parents[1])
_SWITCHED = b"__TIGHTROPE__"
_STANDARD = ("/usr/local/include", "/usr/include")
_HEADER_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")
_HEADER_VARIABLES = ("CPATH", "C_INCLUDE_PATH")
_VARIABLES = ("CC", "TIGHTROPE_PARANOID")  # that change what is done
# Options about the command as a whole, some of which are long: no job needs them.
_OF_COMMAND = frozenset("cluster changed only functions json html reports subjects".split())
_AS_USUAL: dict[str, Any] = {each.name: each.default for each in fields(Options) if each.name in _OF_COMMAND}


@dataclass(frozen=True, slots=True)
class Parcel:
    """`here`: the current folder; `searched`: folders of headers of the system."""

    tree: FileTree
    here: str
    searched: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Packer:
    """Packs the files of one command. Functions of the same file share a parcel; those of the last files are kept.
    Files of a project are linked with each other, so each is asked for its headers once."""

    compiler: Compiler
    options: Options
    _last: dict[Path, Parcel] = field(default_factory=dict)
    _headers: dict[tuple[Path, Recipe], tuple[Path, ...]] = field(default_factory=dict)

    def pack(self, job: FunctionJob) -> Parcel:
        found = self._last.pop(job.file, None) or self._pack(job.file, job.missing)
        self._last[job.file] = found
        while len(self._last) > MOST_KEPT:
            del self._last[next(iter(self._last))]
        return found

    def options_for(self, given: Options) -> Options:
        """The options of a job as they are in the mirror. The supervising process alone shows and stores anything."""
        flags = root_flags(given.flags, Path.cwd())
        own = replace(given, targets=(), flags=(), quiet=True, **_AS_USUAL)
        return replace(add_root(own), flags=flags)

    def _pack(self, file: Path, missing: Sequence[str]) -> Parcel:
        try:
            project = find_project(file, self.options.build_dir, self.options.flags)
            sources = [file, *self._linked(file, project, missing)]
            recipes = [(each, recipe) for each in sources for recipe in self._recipes(each, file, project)]
        except TightropeError:  # compiling it there will tell what is wrong with it
            project, sources, recipes = Project(sort_flags(())), [file], []
        read = list(dict.fromkeys(path for each, recipe in recipes for path in self._read(each, recipe)))
        folders = [Path.cwd(), *(recipe.folder for _, recipe in recipes)]
        database = [_mirrored(project.database, sources)] if project.database else []
        searched = [folder for _, recipe in recipes for folder in _header_folders(recipe)]
        return Parcel(
            gather([*sources, *read], folders, database),
            os.getcwd(),
            tuple(dict.fromkeys((*searched, *_standard_folders(read)))),
            tuple(_variables()),
        )

    def _linked(self, file: Path, project: Project, missing: Sequence[str]) -> Iterator[Path]:
        named = [self.options.link, *(own.get("link", ()) for own in self.options.per_function.values())]
        yield from (each for words in named for each in words if isinstance(each, Path))
        known = project.database.files if project.database else ()
        yield from (each for each, _ in find_definers(missing, [one for one in known if one != file.resolve()]))

    def _recipes(self, source: Path, unit: Path, project: Project) -> tuple[Recipe, ...]:
        """A linked file that the project does not know is compiled as the unit is."""
        is_known = source == unit or project.knows(source)
        return project.recipes(source if is_known else unit)

    def _read(self, source: Path, recipe: Recipe) -> tuple[Path, ...]:
        """The files that the compiler reads for it, and those that are linked with it."""
        if (source, recipe) not in self._headers:
            self._headers[source, recipe] = tuple(self._list(source, recipe))
        return self._headers[source, recipe]

    def _list(self, source: Path, recipe: Recipe) -> Iterator[Path]:
        flags = known_flags(self.compiler, recipe) if recipe.database else recipe.flags
        found = self._dependencies(source, recipe, (*flags.kept, f"-D{_SWITCHED.decode()}=1"))
        if any(_is_switched(each) for each in found if not is_of_system(each)):
            found += self._dependencies(source, recipe, flags.kept)
        yield from (each for each in found if not _is_of_package(each))
        yield from (recipe.folder / word for word in flags.link if not word.startswith("-"))

    def _dependencies(self, source: Path, recipe: Recipe, flags: Sequence[str]) -> list[Path]:
        listed = list_dependencies(self.compiler, source, flags, working_directory=recipe.folder)
        return [recipe.folder / each for each in listed]


def _is_switched(file: Path) -> bool:
    """Whether it includes other files for Tightrope than for others."""
    try:
        return _SWITCHED in file.read_bytes()
    except OSError:
        return False


def _is_of_package(file: Path) -> bool:
    """Whether it is there with Tightrope or its compiler."""
    path = os.path.normpath(file)
    return path.startswith(f"{_PACKAGE}{os.sep}") or is_of_compiler(Path(path))


def _mirrored(database: CompilationDatabase, sources: Iterable[Path]) -> tuple[str, str]:
    """The entries for these files, with `ROOT` before absolute paths: name and text of the database."""
    wanted = {os.path.abspath(each) for each in sources} | {str(each.resolve()) for each in sources}
    entries = [
        {
            "directory": f"{ROOT}{each.directory}",
            "file": f"{ROOT}{each.file}",
            "arguments": ["cc", *root_flags(each.words, each.directory)],
        }
        for each in database.commands
        if str(each.file) in wanted or str(each.file.resolve()) in wanted
    ]
    return os.path.abspath(database.path), json.dumps(entries)


def _header_folders(recipe: Recipe) -> Iterator[str]:
    """Folders of the system that the flags name."""
    words = recipe.flags.kept
    for at, word in enumerate(words):
        flag = next((each for each in _HEADER_FOLDERS if word.startswith(each)), "")
        folder = word[len(flag) :] or (words[at + 1] if at + 1 < len(words) else "")
        if flag and is_system_folder(folder):
            yield folder


def _standard_folders(read: Iterable[Path]) -> Iterator[str]:
    """Those that every compiler searches, and the one of this machine's kind (`/usr/include/x86_64-linux-gnu`)."""
    kinds = {each.parts[3] for each in read if is_of_system(each) and "linux-gnu" in str(each.parts[3:4])}
    yield from (f"{_STANDARD[-1]}/{kind}" for kind in sorted(kinds))
    yield from _STANDARD


def _variables() -> Iterator[tuple[str, str]]:
    yield from ((name, os.environ[name]) for name in _VARIABLES if name in os.environ)
    for name in _HEADER_VARIABLES:
        if name in os.environ:
            folders = (os.path.abspath(each) for each in os.environ[name].split(os.pathsep) if each)
            yield name, os.pathsep.join(each if is_system_folder(each) else f"{ROOT}{each}" for each in folders)
