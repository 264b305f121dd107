"""Pairs of C files from two revisions of a git repository, or from one revision and the working tree."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.commands.diff.versions.build_options import check_build_folder
from tightrope.commands.diff.versions.pair import Pair
from tightrope.commands.diff.versions.pair_folders import pair_trees
from tightrope.commands.diff.versions.source_tree import SourceTree, choose_changed, match_files
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.options.targets import Target, read_target
from tightrope.source.revisions import Repository, find_repository

HERE = "the working tree"


def pair_revisions(words: Sequence[str], files: Sequence[str], options: Options, folder: Path) -> tuple[Pair, ...]:
    """`HEAD~1`, `v1.0 v1.1`, `v1.0..v1.1`, `main...feature` (since the merge base); files are relative to the current
    folder."""
    targets = [read_target(word) for word in files]
    repository = find_repository(targets[0].file.absolute().parent if targets else Path.cwd(), words[0])
    old, new = _commits(repository, words)
    if old[1] == new[1]:
        hint = f"to compare with {HERE}, name one revision only"
        raise UsageError(f"{old[0]} and {new[0]} are the same commit", hint=hint, slug="same-version")
    named = [Target(_from_top(target.file, repository), target.function) for target in targets]
    check_build_folder(options, (repository.top,))
    home = _here(repository, named)
    first = _written(repository, *old, folder / "old")
    second = home if new[1] == "" or repository.is_here(new[1]) else _written(repository, *new, folder / "new")
    return pair_trees(first, second, home, named, options, folder)


def pair_with_revision(
    revision: str, files: Sequence[str], linked: Collection[Path], options: Options, folder: Path
) -> tuple[tuple[Pair, ...], frozenset[Path]]:
    """Pairs of these files of the working tree with the revision (`main...`: where this branch left main), and of those
    that may be linked with them, if they are in the repository; and the files that the change concerns: their text
    differs, or that of a file that they include."""
    targets = [read_target(word) for word in files]
    repository = find_repository(targets[0].file.absolute().parent if targets else Path.cwd(), revision)
    base, dots, _ = revision.partition("...")
    commit = repository.common_ancestor(base, "HEAD") if dots else repository.commit(revision)
    known = [path for path in linked if path.is_relative_to(repository.top) and path.is_file()]
    paths = (_from_top(file, repository) for file in (*(target.file for target in targets), *known))
    named = [Target(path) for path in dict.fromkeys(paths)]
    check_build_folder(options, (repository.top,))
    old, home = _written(repository, revision, commit, folder / "old"), _here(repository, named)
    concerned = {match.new for match in choose_changed(old, home, match_files(old, home)) if match.new is not None}
    pairs = pair_trees(old, home, home, named, replace(options, functions=(), exclude=()), folder)
    tops = {repository.top / name for name in concerned}
    versions = [pair.new for pair in pairs if pair.new is not None]
    return pairs, frozenset(each.file for each in versions if Path(os.path.abspath(each.file)) in tops)


def _commits(repository: Repository, words: Sequence[str]) -> tuple[tuple[str, str], tuple[str, str]]:
    """The name of each version for the user, and its commit: '' for the working tree."""
    if len(words) == 2:
        return (words[0], repository.commit(words[0])), (words[1], repository.commit(words[1]))
    for dots in ("...", ".."):
        one, found, other = words[0].partition(dots)
        if found:
            one, other = one or "HEAD", other or "HEAD"
            commit = repository.common_ancestor(one, other) if dots == "..." else repository.commit(one)
            return (commit[:12] if dots == "..." else one, commit), (other, repository.commit(other))
    return (words[0], repository.commit(words[0])), (HERE, "")


def _from_top(file: Path, repository: Repository) -> Path:
    """The path relative to the top of the working tree. Its folder may be a symbolic link, but not the file itself."""
    absolute = Path(os.path.abspath(file))
    for path in (absolute, absolute.parent.resolve() / absolute.name):
        if path.is_relative_to(repository.top):
            return path.relative_to(repository.top)
    raise UsageError(f"{file} is outside {repository.top}", hint="check the path", slug="not-in-revision")


def _here(repository: Repository, named: Sequence[Target]) -> SourceTree:
    """The working tree, including named files that git does not track."""
    own = {target.file.as_posix() for target in named if (repository.top / target.file).is_file()}
    return SourceTree(repository.top, repository.files(None) | own, HERE, "")


def _written(repository: Repository, name: str, commit: str, folder: Path) -> SourceTree:
    repository.write(commit, folder)
    return SourceTree(folder, repository.files(commit), name, f"{name}:", is_ours=True)
