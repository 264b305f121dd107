"""How each of two versions is compiled: as its own compilation database says, else as that of the other one does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.options.options import Options
from tightrope.source.compilation_database import CompilationDatabase, read_database
from tightrope.source.project import find_project
from tightrope.source.relocation import Relocation, relocate_flags, write_database


def find_database(file: Path, options: Options, root: Path | None = None) -> CompilationDatabase | None:
    """The one that says how the file is compiled. A folder given by -p may also be one inside of `root`."""
    if options.build_dir is None:
        return find_project(file, None, options.flags).database if file.exists() else None
    inside = [root / options.build_dir] if root is not None else []
    places = [place for place in (*inside, options.build_dir) if place.exists()]
    return next((found for found in map(read_database, places) if found.knows(file)), None)


def check_build_folder(options: Options, roots: Sequence[Path] = ()) -> None:
    """Refuse a folder of -p that is nowhere."""
    given = options.build_dir
    if given is not None and not any(place.exists() for place in (given, *(root / given for root in roots))):
        read_database(given)


def use_other_database(
    options: Options, database: CompilationDatabase | None, where: Relocation, folder: Path
) -> Options:
    """Options for a version that is compiled as another one: `where` leads from that one to this. What has to be
    written for it comes into `folder`."""
    written = write_database(database, where, folder) if database else None
    return replace(_moved(options, where), build_dir=written)


def use_own_database(options: Options, database: CompilationDatabase, where: Relocation) -> Options:
    """Options for a version that has a database of its own."""
    return replace(_moved(options, where), build_dir=database.path)


def _moved(options: Options, where: Relocation) -> Options:
    """What the user said, for that version."""
    flags = (*relocate_flags(options.flags, Path.cwd(), where), *where.prefix_maps)
    return replace(options, flags=flags, link=tuple(_linked(options, where)))


def _linked(options: Options, where: Relocation) -> Iterator[str | Path]:
    """A file of --link that a version does not have is not missed there: what is in it may be in another one."""
    for word in options.link:
        if isinstance(word, str):
            yield word
        elif not where.lacks(path := word.absolute()):
            yield where.find(path) or path
