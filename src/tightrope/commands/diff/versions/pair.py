"""Version: a C file in one version of a program, and how it is compiled there. Pair: its two versions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.errors import TightropeError
from tightrope.options.options import Options


@dataclass(frozen=True, slots=True)
class Version:
    name: str  # as given by the user: 'old.c', 'HEAD~1:src/x.c'
    file: Path  # on disk; of a revision in a temporary folder
    options: Options  # its target is the file, and the function if one was named
    folder: str = ""  # the temporary folder with the files of this version, if there is one ...
    shown: str = ""  # ... and what the user knows instead: 'HEAD~1:'
    home: str = ""  # the folder of the user that corresponds to `folder`

    @property
    def at_home(self) -> Path:
        """Where the user has the file, or would have it."""
        return Path(self.home) / self.file.relative_to(self.folder) if self.folder else self.file

    def in_words(self, text: str) -> str:
        """The text with paths as the user knows them, instead of our temporary folder."""
        return text.replace(*((self.folder, self.shown) if self.folder else (str(self.file.resolve()), self.name)))

    def settle(self, file: Path) -> None:
        """Make a written file refer to the user's own files instead of our temporary folder, which will be deleted. The
        user has this version there after checking it out."""
        if not self.folder:
            return
        text, here = file.read_text(encoding="utf-8"), file.resolve().parent
        ours = rf" -fmacro-prefix-map={re.escape(self.folder)}\S*| -idirafter {re.escape(self.home)}(?:/\S*)?(?=\s)"
        text = re.sub(ours, "", text)  # flags
        for root in (self.folder, _seen_from(here, self.folder)):
            text = text.replace(root, _seen_from(here, self.home))
        file.write_text(text, encoding="utf-8")


def _seen_from(here: Path, folder: str) -> str:
    return f"{Path(os.path.relpath(folder, here)).as_posix()}/"


@dataclass(frozen=True, slots=True)
class Pair:
    """None: that version does not have the file."""

    old: Version | None
    new: Version | None


@contextmanager
def about(version: Version, which: str) -> Iterator[None]:
    """Make errors, such as those of the compiler, say that they concern the `old` or the `new` version."""
    try:
        yield
    except TightropeError as problem:
        problem.message = f"the {which} version: {version.in_words(problem.message)}"
        problem.diagnostics = version.in_words(problem.diagnostics)
        problem.hint = version.in_words(problem.hint)
        if problem.location:
            problem.location = replace(problem.location, file=version.in_words(problem.location.file))
        raise
