"""SourceTree: one version of a whole program in a folder. Matches the C files of two trees and chooses which to
compare."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tightrope.errors import NothingMatchedError, UsageError
from tightrope.source.changed_files import find_differing, find_including, find_mentioning, match_renamed


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A version on disk."""

    root: Path  # absolute
    files: frozenset[str]  # paths from the root, with `/`; of all kinds
    name: str  # for the user: 'HEAD~1', 'old', 'the working tree'
    shown: str  # prefix of its paths for the user: 'HEAD~1:', 'old/', ''
    is_ours: bool = False  # in a temporary folder
    is_versioned: bool = True  # git knows which files belong to it; otherwise all files do

    @property
    def c_files(self) -> tuple[str, ...]:
        return tuple(sorted(name for name in self.files if name.endswith(".c")))


@dataclass(frozen=True, slots=True)
class FileMatch:
    """One C file by its paths in the two trees; None in a tree without it."""

    old: str | None
    new: str | None

    @property
    def paths(self) -> set[str]:
        return {path for path in (self.old, self.new) if path is not None}


def match_files(old: SourceTree, new: SourceTree) -> tuple[FileMatch, ...]:
    """Every C file of the two trees: in the order of the new paths, then removed files."""
    removed = [name for name in old.c_files if name not in new.files]
    added = [name for name in new.c_files if name not in old.files]
    renamed = match_renamed(old.root, removed, new.root, added)
    before = {name: name if name in old.files else renamed.get(name) for name in new.c_files}
    gone = [name for name in removed if name not in renamed.values()]
    return (*(FileMatch(before[name], name) for name in new.c_files), *(FileMatch(name, None) for name in gone))


def choose_changed(old: SourceTree, new: SourceTree, matches: Sequence[FileMatch]) -> tuple[FileMatch, ...]:
    """The files whose text differs, or that include a file whose text differs."""
    differing = find_differing(old.root, new.root, old.files | new.files)
    differing -= {path for match in matches if _is_only_renamed(old, new, match) for path in match.paths}
    concerned = differing | find_including(old.root, old.files, differing)
    concerned |= find_including(new.root, new.files, differing)
    return tuple(match for match in matches if match.paths & concerned)


def _is_only_renamed(old: SourceTree, new: SourceTree, match: FileMatch) -> bool:
    if match.old is None or match.new is None or match.old == match.new:
        return False
    return (old.root / match.old).read_bytes() == (new.root / match.new).read_bytes()


def choose_defining(
    old: SourceTree, new: SourceTree, matches: Sequence[FileMatch], functions: Sequence[str]
) -> tuple[FileMatch, ...]:
    """The files that define one of the functions in one of the versions."""
    for name in functions:
        if not _defining(old, new, [name]):
            where = f"{old.name} or {new.name}"
            raise NothingMatchedError(
                f"no function `{name}` is defined in {where}", hint="check the name", slug="no-such-function"
            )
    wanted = _defining(old, new, functions)
    return tuple(match for match in matches if match.paths & wanted)


def _defining(old: SourceTree, new: SourceTree, functions: Sequence[str]) -> frozenset[str]:
    here = find_mentioning(new.root, new.c_files, functions)
    return here | find_mentioning(old.root, old.c_files, functions)


def choose_named(
    old: SourceTree, new: SourceTree, matches: Sequence[FileMatch], paths: Sequence[str]
) -> tuple[FileMatch, ...]:
    """The files that were named, by a path from the root, a folder or a pattern; each must exist in at least one
    version."""
    for path in paths:
        if not any(_is_named(match, path) for match in matches):
            raise _not_there(old, new, path)
    return tuple(match for match in matches if any(_is_named(match, path) for path in paths))


def _is_named(match: FileMatch, path: str) -> bool:
    names = match.paths
    return path == "." or path in names or any(each.startswith(f"{path}/") or fnmatch(each, path) for each in names)


def _not_there(old: SourceTree, new: SourceTree, path: str) -> UsageError:
    near = difflib.get_close_matches(path, sorted({*old.c_files, *new.c_files}), n=1)
    what = "is not a C file" if path in old.files | new.files else f"is neither in {old.name} nor in {new.name}"
    hint = f"did you mean {near[0]}?" if near else "check the path"
    return UsageError(f"{path} {what}", hint=hint, slug="not-in-revision")


def walk_files(root: Path) -> Iterator[str]:
    """Paths of all files below a folder, except those of version control."""
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name not in _PASSED_OVER)
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in sorted(names))


_PASSED_OVER = frozenset({".git", ".svn", ".hg", "node_modules", "__pycache__", "CMakeFiles"})
