"""Revisions of a git repository. Nothing is written into the repository or its working tree: a revision is checked out
into a temporary folder with a separate index, so that attributes such as line ends are those of the working tree."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import UsageError
from tightrope.source.process import Finished, run_command

TIME_LIMIT = 600.0  # seconds; a large repository takes a while to write
# Hooks, monitors and diff programs belong to the user and may have any effect, so they are disabled.
_NOBODY_ELSE = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.sparseCheckout=false"),
    *("-c", "core.quotePath=false"),
)
SHALLOW = "this clone has only a part of the history: git fetch --unshallow (in CI: fetch-depth: 0, GIT_DEPTH: 0)"
_OF_A_HOOK = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX")  # set if a git hook runs Tightrope


@dataclass(frozen=True, slots=True)
class Repository:
    top: Path  # of the working tree
    folder: Path  # of git's own files

    def commit(self, revision: str) -> str:
        """The hash of the commit that a word names."""
        done = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if done.status:
            message = f"`{revision}` is not a C file, a folder, or a revision of the git repository {self.top}"
            hint = "name a commit, a branch or a tag; `diff` takes files after `--`: tightrope diff HEAD~1 -- src/x.c"
            raise UsageError(message, hint=SHALLOW if self._is_shallow else hint, slug="no-such-revision")
        return done.output.strip()

    def common_ancestor(self, one: str, other: str) -> str:
        done = self._ask("merge-base", self.commit(one), self.commit(other))
        if done.status:
            message = f"{one} and {other} have no common ancestor"
            raise UsageError(message, hint=SHALLOW if self._is_shallow else "", slug="no-such-revision")
        return done.output.strip()

    @property
    def _is_shallow(self) -> bool:
        return self._ask("rev-parse", "--is-shallow-repository").output.strip() == "true"

    def is_here(self, commit: str) -> bool:
        """Whether the files of the working tree are those of the commit."""
        return self._ask("diff", "--quiet", "--no-ext-diff", "--ignore-submodules=all", commit, "--").status == 0

    def files(self, commit: str | None) -> frozenset[str]:
        """Paths, relative to the top, of the tracked files in a commit or (None) in the working tree."""
        if commit is None:
            listed = self._must("ls-files", "-z", "--full-name")
            return frozenset(name for name in listed.split("\0") if name and (self.top / name).is_file())
        return frozenset(self._must("ls-tree", "-r", "-z", "--full-tree", "--name-only", commit).split("\0")) - {""}

    def write(self, commit: str, folder: Path) -> None:
        """Write all files of the commit into a folder that does not exist yet."""
        folder.mkdir()
        own = {
            "GIT_DIR": str(self.folder),
            "GIT_WORK_TREE": str(folder),
            "GIT_INDEX_FILE": str(folder.with_name(f"{folder.name}.index")),
        }
        self._must("read-tree", commit, folder=folder, environment=own)
        self._must("checkout-index", "--all", "--force", "--quiet", folder=folder, environment=own)

    def _must(self, *words: str, folder: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
        done = self._ask(*words, folder=folder, environment=environment)
        if done.status:
            said = done.messages.strip() or f"it took longer than {TIME_LIMIT:g} s" * done.was_stopped
            raise UsageError(f"`git {words[0]}` failed", diagnostics=said, slug="git")
        return done.output

    def _ask(self, *words: str, folder: Path | None = None, environment: Mapping[str, str] | None = None) -> Finished:
        return _git(*words, folder=folder or self.top, environment=environment)


def find_repository(place: Path, revision: str) -> Repository:
    """The repository that a folder is in, or would be in; `revision` is what the user asked for."""
    folder = next(each for each in (place.absolute(), *place.absolute().parents) if each.is_dir())
    done = _git("rev-parse", "--show-toplevel", "--absolute-git-dir", folder=folder)
    if done.status:
        hint = "name two C files, two folders, or revisions in a repository"
        message = (
            f"`{revision}` is not a C file or a folder, and {folder} is not in the working tree of a git repository"
        )
        said = done.messages.strip()
        raise UsageError(message, diagnostics=said, hint=hint, slug="no-repository")
    top, own = done.output.splitlines()[:2]
    return Repository(Path(top), Path(own))


def _git(*words: str, folder: Path, environment: Mapping[str, str] | None = None) -> Finished:
    given = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    mine = {**given, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", **(environment or {})}
    try:
        return run_command(("git", *_NOBODY_ELSE, *words), time_limit=TIME_LIMIT, folder=folder, environment=mine)
    except OSError as problem:
        hint = "install git, or name two files or two folders: tightrope diff OLD.c NEW.c"
        raise UsageError(f"git cannot be started: {problem.strerror}", hint=hint, slug="no-git") from None
