"""Pairs of C files from two revisions of a git repository, or from one revision and the working tree."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.commands.diff.versions.build_options import check_build_folder
from tightrope.commands.diff.versions.pair import Pair
from tightrope.commands.diff.versions.pair_folders import pair_trees
from tightrope.commands.diff.versions.source_tree import FileMatch, SourceTree, choose_changed, match_files
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.options.targets import Target, read_target
from tightrope.source.linked_files import defined_names
from tightrope.source.revisions import Repository, find_repository
from tightrope.suite.folder import is_ours

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


@dataclass(frozen=True, slots=True)
class ChangedTree:
    """Files of the working tree, each with its old version."""

    pairs: tuple[Pair, ...]  # of the files that were asked for, and of all that the change concerns
    concerned: frozenset[Path]  # their text differs, or that of a file that they include
    gone: frozenset[str]  # names that files defined which are not there any more
    home: SourceTree  # the working tree


def pair_with_revision(revision: str, files: Sequence[str], options: Options, folder: Path) -> ChangedTree:
    """The working tree and the revision (`main...`: where this branch left main)."""
    targets = [read_target(word) for word in files]
    repository = find_repository(targets[0].file.absolute().parent if targets else Path.cwd(), revision)
    base, dots, _ = revision.partition("...")
    commit = repository.common_ancestor(base, "HEAD") if dots else repository.commit(revision)
    named = {_from_top(target.file, repository) for target in targets}
    check_build_folder(options, (repository.top,))
    wanted = [Target(file) for file in sorted(named)]
    old, home = _written(repository, revision, commit, folder / "old"), _here(repository, wanted)
    changed = [match for match in choose_changed(old, home, match_files(old, home)) if _is_of_user(match, home)]
    concerned = {Path(match.new) for match in changed if match.new is not None}
    wanted += [Target(file) for file in sorted(concerned - named)]
    pairs = pair_trees(old, home, home, wanted, replace(options, functions=(), exclude=()), folder)
    tops = {repository.top / name for name in concerned}
    found = [pair.new.file for pair in pairs if pair.new is not None]
    gone = [defined_names(old.root / match.old) for match in changed if match.new is None and match.old is not None]
    return ChangedTree(
        pairs,
        frozenset(file for file in found if Path(os.path.abspath(file)) in tops),
        frozenset(name for names in gone for name in names),
        home,
    )


def _is_of_user(match: FileMatch, home: SourceTree) -> bool:
    return match.new is None or not is_ours(home.root / match.new)


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
