"""A hash of everything that the compiler sees of a file: the preprocessed text, flags, compiler, and the files that may
be linked with it. Equal hashes mean equal results, so what was found out about a file need not be found out again.

     unit.c ─ preprocessed ─┐
     flags, compiler ───────┼──▶ hash of the file ──┐
     its own text ──────────┘                       ├──▶ hash of a result
     other.c, if its text seems to define ──────────┘
     something that the unit needs
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.source.cache import cache_key
from tightrope.source.linked_files import find_definers
from tightrope.source.preprocess import preprocess_file
from tightrope.source.project import Project, Recipe, find_project, known_flags
from tightrope.source.toolchain import Compiler


@dataclass(slots=True)
class FileStates:
    """The hashes of the files of one command, each made once."""

    compiler: Compiler
    options: Options
    _known: dict[tuple[Path, str], str] = field(default_factory=dict)

    def of(self, file: Path) -> str:
        """'' for a file that cannot be preprocessed: nothing is known of it."""
        return self._of(file, self._project(file).recipes(file))

    def with_linked(self, file: Path, missing: Sequence[str]) -> str:
        """The same, with the files that may be linked. `missing`: names that the file uses and does not define."""
        project = self._project(file)
        parts = [self._of(file, project.recipes(file))]
        for each in self._linked(file, project, missing):
            known = each if project.knows(each) else file  # others are compiled with the flags of the unit
            parts += [str(each), self._of(each, project.recipes(known))]
        return cache_key(*parts) if all(parts) else ""

    def _linked(self, file: Path, project: Project, missing: Sequence[str]) -> Iterator[Path]:
        yield from (each.resolve() for each in self.options.link if isinstance(each, Path))
        known = project.database.files if project.database else ()
        yield from (each for each, _ in find_definers(missing, [one for one in known if one != file.resolve()]))

    def _project(self, file: Path) -> Project:
        return find_project(file, self.options.build_dir, self.options.flags)

    def _of(self, file: Path, recipes: Sequence[Recipe]) -> str:
        path = file.resolve()
        key = path, repr([(recipe.flags, recipe.folder) for recipe in recipes])  # other flags may find other headers
        if key not in self._known:
            try:
                parts = [part for recipe in recipes for part in self._parts(path, recipe)]
                self._known[key] = cache_key(str(self.compiler), path.read_bytes(), *parts)
            except (TightropeError, OSError):
                self._known[key] = ""
        return self._known[key]

    def _parts(self, path: Path, recipe: Recipe) -> Iterator[str]:
        flags = known_flags(self.compiler, recipe) if recipe.database else recipe.flags
        yield repr((flags, recipe.folder))
        yield preprocess_file(self.compiler, path, flags.kept, working_directory=recipe.folder)
