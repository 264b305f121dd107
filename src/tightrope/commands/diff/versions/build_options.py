"""How each version is compiled: by its own compilation database, otherwise by that of the other version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.options.options import Options
from tightrope.source.compilation_database import CompilationDatabase, read_database
from tightrope.source.project import find_project
from tightrope.source.relocation import Relocation, relocate_flags, write_database


def find_database(file: Path, options: Options, root: Path | None = None) -> CompilationDatabase | None:
    """The database for the file. A folder given by -p may also be inside `root`."""
    if options.build_dir is None:
        return find_project(file, None, options.flags).database if file.exists() else None
    inside = [root / options.build_dir] if root is not None else []
    places = [place for place in (*inside, options.build_dir) if place.exists()]
    return next((found for found in map(read_database, places) if found.knows(file)), None)


def check_build_folder(options: Options, roots: Sequence[Path] = ()) -> None:
    """Refuse a folder of -p that does not exist."""
    given = options.build_dir
    if given is not None and not any(place.exists() for place in (given, *(root / given for root in roots))):
        read_database(given)


def use_other_database(
    options: Options, database: CompilationDatabase | None, where: Relocation, folder: Path
) -> Options:
    """Options for a version that is compiled like another one; `where` maps its paths to this version. Files that have
    to be written go to `folder`."""
    written = write_database(database, where, folder) if database else None
    return replace(_moved(options, where), build_dir=written)


def use_own_database(options: Options, database: CompilationDatabase, where: Relocation) -> Options:
    """Options for a version with its own database."""
    return replace(_moved(options, where), build_dir=database.path)


def _moved(options: Options, where: Relocation) -> Options:
    """The options of the user, for that version."""
    flags = (*relocate_flags(options.flags, Path.cwd(), where), *where.prefix_maps)
    return replace(options, flags=flags, link=tuple(_linked(options, where)))


def _linked(options: Options, where: Relocation) -> Iterator[str | Path]:
    """The files of --link that the version has. Others are no error: their code may be elsewhere in it."""
    for word in options.link:
        if isinstance(word, str):
            yield word
        elif not where.lacks(path := word.absolute()):
            yield where.find(path) or path
