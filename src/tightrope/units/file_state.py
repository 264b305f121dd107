"""A hash of everything that the compiler sees of a file: the preprocessed text, flags, compiler, and the files that may
be linked with it. Equal hashes mean equal results, so what was found out about a file need not be found out again.

     unit.c ─ preprocessed ─┐
     flags, compiler ───────┼──▶ hash of the file ──┐
     its own text ──────────┘                       ├──▶ hash of a result
     other.c, if its text seems to define ──────────┘
     something that the unit needs

The compiler need not be asked again as long as all files that it has read are as they were.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tightrope.errors import CompileError, TightropeError
from tightrope.options.options import Options
from tightrope.source.cache import cache_key
from tightrope.source.linked_files import defined_names
from tightrope.source.preprocess import preprocess_file
from tightrope.source.project import Project, Recipe, find_project, known_flags
from tightrope.source.read_files import ReadDescription, ReadFiles, searched_folders
from tightrope.source.toolchain import Compiler
from tightrope.units.code_parts import CodePart

STATES, NAMES = "state", "names"  # kinds of what is remembered
_MARKED = re.compile(r'^#[ \t]*(?:line[ \t]+)?\d+[ \t]+"((?:[^"\\\n]|\\.)*)"', re.MULTILINE)
_USUAL = ("/usr/local/include", "/usr/include")  # folders of headers that every compiler searches
_UNTOLD = ("-imacros", "-ivfsoverlay", "-include-pch", "-fmodule", "--config", "@", "-P")  # files that leave no mark
_VARIABLES = ("CPATH", "C_INCLUDE_PATH")


class Recollection(Protocol):
    """What earlier commands found out."""

    def get(self, kind: str, key: str) -> Any: ...

    def put(self, kind: str, key: str, name: str, value: Any) -> None: ...


class NoRecollection:
    def get(self, kind: str, key: str) -> Any:
        return None

    def put(self, kind: str, key: str, name: str, value: Any) -> None: ...


FindParts = Callable[[Path], Mapping[str, CodePart]]


def _no_parts(file: Path) -> Mapping[str, CodePart]:
    return {}


@dataclass(slots=True)
class FileStates:
    """The hashes of the files of one command, each made once."""

    compiler: Compiler
    options: Options
    memory: Recollection = field(default_factory=NoRecollection)
    files: ReadFiles = field(default_factory=ReadFiles)
    _known: dict[tuple[Path, str], str] = field(default_factory=dict)
    _read: dict[Path, ReadDescription] = field(default_factory=dict)  # what the compiler read of each
    _projects: dict[Path, Project] = field(default_factory=dict)
    _recipes_of: dict[tuple[Path, Path | None], Sequence[Recipe]] = field(default_factory=dict)  # with its database
    _order: dict[Path, int] = field(default_factory=dict)  # of files in databases
    _definers: dict[Path, Mapping[str, Sequence[Path]]] = field(default_factory=dict)  # by database
    _wholes: dict[tuple[Path, Path, Path | None], str] = field(default_factory=dict)  # linked, unit, database

    def of(self, file: Path) -> str:
        """'' for a file that cannot be preprocessed: nothing is known of it."""
        return self._of(file, self._recipes(file, self._project(file)))

    def digest_of(self, file: Path) -> str:
        """Of the text of the file itself."""
        return self.files.digest(str(file.resolve()))

    def are_still_so(self, file: Path, missing: Sequence[str]) -> bool:
        """Whether the file, those that it includes, and those that may be linked are as they were when their hashes
        were made: somebody may edit them while a function is tested."""
        linked = (each for each, _ in self._find_definers(file, self._project(file), missing))
        given = (each for each in self.options.link if isinstance(each, Path))
        every = {each.resolve() for each in (file, *given, *linked)}
        now = ReadFiles()
        return all(now.are_as(self._read[each]) for each in every if each in self._read)

    def with_linked(self, file: Path, missing: Sequence[str], parts_of: FindParts = _no_parts) -> str:
        """The same, with the files that may be linked."""
        linked = self.linked(file, missing, parts_of)
        own = self.of(file)
        return cache_key(own, linked) if own and linked else ""

    def linked(self, file: Path, missing: Sequence[str], parts_of: FindParts = _no_parts) -> str:
        """A hash of the files that may be linked. `missing`: names that the unit uses and does not define. Of files
        whose parts are known (`parts_of`), only those parts count."""
        project = self._project(file)
        parts = ["linked"]
        for each in self.options.link:
            if isinstance(each, Path):
                parts += [str(each.resolve()), self._whole(each.resolve(), file, project)]
        for each, names in self._find_definers(file, project, missing):
            known = parts_of(each) if self._is_as_alone(each, project) else {}
            if all(name in known for name in names):
                parts += [str(each), *(known[name].digest for name in names)]
            else:
                parts += [str(each), self._whole(each, file, project)]
        return cache_key(*parts) if all(parts) else ""

    def _is_as_alone(self, linked: Path, project: Project) -> bool:
        """Whether this project compiles it as it is compiled when it is a unit: a nearer database may say otherwise."""
        return self._recipes(linked, project) == self._recipes(linked, self._project(linked))

    def _whole(self, linked: Path, unit: Path, project: Project) -> str:
        """Files that the project does not know are compiled with the flags of the unit."""
        key = linked, unit, project.database.path if project.database else None
        if key not in self._wholes:
            recipes = self._recipes(linked if project.knows(linked) else unit, project)
            self._wholes[key] = self._of(linked, recipes)
        return self._wholes[key]

    def _find_definers(
        self, file: Path, project: Project, missing: Sequence[str]
    ) -> Iterator[tuple[Path, tuple[str, ...]]]:
        """As `find_definers` of linked_files.py, in the order of the project."""
        if project.database is None:
            return
        if project.database.path not in self._definers:
            found: dict[str, list[Path]] = {}
            for each in project.database.files:  # in their order
                self._order.setdefault(each, len(self._order))
                for name in self._names_in(each):
                    found.setdefault(name, []).append(each)
            self._definers[project.database.path] = found
        known, names = self._definers[project.database.path], dict[Path, list[str]]()
        for name in missing:
            for each in known.get(name, ()):
                names.setdefault(each, []).append(name)
        names.pop(file.resolve(), None)
        yield from ((each, tuple(found)) for each, found in sorted(names.items(), key=lambda one: self._order[one[0]]))

    def _names_in(self, file: Path) -> Sequence[str]:
        key = self.files.digest(str(file))
        found = self.memory.get(NAMES, key) if key else None
        if found is None:
            found = sorted(defined_names(file))
            if key:
                self.memory.put(NAMES, key, str(file), found)
        names: Sequence[str] = found
        return names

    def _project(self, file: Path) -> Project:
        if file not in self._projects:
            self._projects[file] = find_project(file, self.options.build_dir, self.options.flags)
        return self._projects[file]

    def _recipes(self, file: Path, project: Project) -> Sequence[Recipe]:
        key = file, project.database.path if project.database else None
        if key not in self._recipes_of:
            self._recipes_of[key] = project.recipes(file)
        return self._recipes_of[key]

    def _of(self, file: Path, recipes: Sequence[Recipe]) -> str:
        path = file.resolve()
        key = path, repr([(recipe.flags, recipe.folder) for recipe in recipes])  # other flags may find other headers
        if key not in self._known:
            try:
                self._known[key] = self._recall(path, recipes, key[1])
            except (TightropeError, OSError):
                self._known[key] = ""
        return self._known[key]

    def _recall(self, path: Path, recipes: Sequence[Recipe], words: str) -> str:
        """The hash, without a call of the compiler if it would read the same files."""
        surroundings = repr([os.environ.get(name) for name in _VARIABLES])
        key = cache_key(str(path), words, str(self.compiler), repr(self.compiler), surroundings)
        kept = self.memory.get(STATES, key)
        if kept is not None and self.files.are_as(kept["read"]):
            self._read[path] = kept["read"]
            state: str = kept["state"]
            return state
        texts = [self._preprocess(path, recipe) for recipe in recipes]
        if not any(text for _, text in texts):
            return ""
        state = cache_key(str(self.compiler), path.read_bytes(), *(part for each in texts for part in each))
        read = [file for recipe, each in zip(recipes, texts, strict=True) for file in _read_files(recipe, each[1])]
        described = self.files.describe([str(path), *read], [*_searched(recipes), *_USUAL]) if read else None
        if described is not None:
            self._read[path] = described
            if all(text for _, text in texts):  # what the compiler read before it failed is not known
                self.memory.put(STATES, key, str(path), {"read": described, "state": state})
        return state

    def _preprocess(self, path: Path, recipe: Recipe) -> tuple[str, str]:
        """No text if it fails: of several entries of a database, one that works is enough."""
        flags = known_flags(self.compiler, recipe) if recipe.database else recipe.flags
        try:
            text = preprocess_file(self.compiler, path, flags.kept, working_directory=recipe.folder)
        except CompileError:
            text = ""
        return repr((flags, recipe.folder)), text


def _read_files(recipe: Recipe, text: str) -> Iterator[str]:
    """The files that a preprocessed text comes from; none if it does not tell."""
    if any(word.startswith(_UNTOLD) for word in recipe.flags.kept):
        return
    for name in dict.fromkeys(_MARKED.findall(text)):
        if not name.startswith("<"):  # <built-in>, <command line>
            yield os.path.normpath(recipe.folder / re.sub(r"\\(.)", r"\1", name))


def _searched(recipes: Sequence[Recipe]) -> Iterator[str]:
    for recipe in recipes:
        yield from (os.path.normpath(recipe.folder / each) for each in searched_folders(recipe.flags.kept))
