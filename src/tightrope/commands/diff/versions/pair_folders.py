"""Pairs of C files from two folders, each with one version of a program. The user names the folders, or they are
checkouts of revisions (pair_revisions.py)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.commands.diff.versions.build_options import (
    check_build_folder,
    find_database,
    use_other_database,
    use_own_database,
)
from tightrope.commands.diff.versions.pair import Pair, Version
from tightrope.commands.diff.versions.source_tree import (
    FileMatch,
    SourceTree,
    choose_changed,
    choose_defining,
    choose_named,
    match_files,
    walk_files,
)
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.options.targets import Target, read_target
from tightrope.source.relocation import Relocation, relocate_flags
from tightrope.suite.folder import is_ours
from tightrope.units.target_files import is_excluded


def pair_folders(words: tuple[str, str], files: Sequence[str], options: Options, folder: Path) -> tuple[Pair, ...]:
    """`old new`, `old new -- src/x.c`: files, and paths in flags, may be relative to the folders."""
    old, new = map(_tree, words)
    if old.root.samefile(new.root):
        hint = "name the folder of the old version and that of the new one"
        raise UsageError(f"{words[0]} and {words[1]} are the same folder", hint=hint, slug="same-version")
    named = [_from_root(read_target(word), (old, new)) for word in files]
    check_build_folder(options, (old.root, new.root))
    home = _choose_home(old, new, options)
    flags = relocate_flags(options.flags, Path.cwd(), Relocation())
    anchored = replace(options, flags=relocate_flags(flags, home.root, Relocation()))
    return pair_trees(old, new, home, named, anchored, folder)


def _tree(word: str) -> SourceTree:
    root = Path(os.path.abspath(word))
    return SourceTree(root, frozenset(walk_files(root)), word, f"{word.rstrip('/')}/", is_versioned=False)


def _from_root(target: Target, trees: Sequence[SourceTree]) -> Target:
    """`old/src/x.c` becomes src/x.c if `old` is one of the folders."""
    absolute = Path(os.path.abspath(target.file))
    root = next((tree.root for tree in trees if absolute.is_relative_to(tree.root)), None)
    return Target(absolute.relative_to(root) if root else target.file, target.function)


def _choose_home(old: SourceTree, new: SourceTree, options: Options) -> SourceTree:
    """The tree that has a compilation database."""
    for tree in (new, old):
        if any(find_database(tree.root / name, options, tree.root) for name in tree.c_files):
            return tree
    return new


def pair_trees(
    old: SourceTree, new: SourceTree, home: SourceTree, named: Sequence[Target], options: Options, folder: Path
) -> tuple[Pair, ...]:
    """Pairs of the C files that were named; otherwise of those that define the functions of -f; otherwise of those that
    the change concerns. `home` is the project to which flags and databases refer. Files that Tightrope wrote, and those
    of --exclude, are left out, unless they are named themselves."""
    paths = {target.file.as_posix() for target in named}
    matches = [
        match
        for match in match_files(old, new)
        if match.paths & paths or not _is_left_out(match, old, new, home, options.exclude)
    ]
    if named:
        chosen = choose_named(old, new, matches, [target.file.as_posix() for target in named])
    elif options.functions:
        chosen = choose_defining(old, new, matches, options.functions)
    else:
        chosen = choose_changed(old, new, matches)
    functions = {target.file.as_posix(): target.function for target in named}
    return tuple(_PairMaker(home, match, options, folder).pair(old, new, functions) for match in chosen)


def _is_left_out(match: FileMatch, old: SourceTree, new: SourceTree, home: SourceTree, patterns: Sequence[str]) -> bool:
    files = [tree.root / path for tree, path in ((old, match.old), (new, match.new)) if path is not None]
    return any(map(is_ours, files)) or any(is_excluded(home.root / path, patterns) for path in match.paths)


@dataclass(frozen=True, slots=True)
class _PairMaker:
    """Makes the versions of one C file."""

    home: SourceTree
    match: FileMatch
    options: Options
    folder: Path

    def pair(self, old: SourceTree, new: SourceTree, functions: dict[str, str]) -> Pair:
        function = next((functions[path] for path in self.match.paths if path in functions), "")
        return Pair(self._version(old, self.match.old, function), self._version(new, self.match.new, function))

    def _version(self, tree: SourceTree, path: str | None, function: str) -> Version | None:
        if path is None:
            return None
        file = _as_known(tree, path)
        options = replace(self._options(tree, path), targets=(Target(file, function),))
        if tree.is_ours:
            folder, home = f"{tree.root}{os.sep}", str(self.home.root)
            return Version(f"{tree.shown}{path}", file, options, folder, tree.shown, home)
        return Version(str(file), file, options)

    def _options(self, tree: SourceTree, path: str) -> Options:
        own = None if tree.is_ours else find_database(tree.root / path, self.options, tree.root)
        if tree is self.home:
            return replace(self.options, build_dir=own.path) if own and self.options.build_dir else self.options
        where = self._relocation(tree, path)
        if own is not None:
            return use_own_database(self.options, own, where)
        lent = find_database(self.home.root / self._at_home, self.options, self.home.root)
        return use_other_database(self.options, lent, where, self.folder)

    def _relocation(self, tree: SourceTree, path: str) -> Relocation:
        """Maps paths of home to the tree. The file itself may have another name there."""
        root, there = self.home.root, self._at_home
        renamed = {root / there: tree.root / path} if there != path else {}
        return Relocation(root, tree.root, renamed, self.home.files if self.home.is_versioned else None)

    @property
    def _at_home(self) -> str:
        """The file's path in the project: the new one, unless only the old one exists."""
        paths = [path for path in (self.match.new, self.match.old) if path is not None]
        return next((path for path in paths if path in self.home.files), paths[0])


def _as_known(tree: SourceTree, path: str) -> Path:
    """The path as the user knows it: below the folder as named; of the working tree, relative to the current folder."""
    if tree.is_ours:
        return tree.root / path
    return Path(os.path.relpath(tree.root / path)) if tree.is_versioned else Path(f"{tree.shown}{path}")
