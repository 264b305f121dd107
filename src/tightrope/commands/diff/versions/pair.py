"""Version: a C file as it is in one version of a program, and how it is compiled there. Pair: the two of them."""

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
    name: str  # as the user said it: 'old.c', 'HEAD~1:src/x.c'
    file: Path  # on disk; of a revision in a temporary folder
    options: Options  # its target is the file, and the function if one was named
    folder: str = ""  # what stands in front of all files of this version on disk, if only we know it ...
    shown: str = ""  # ... and in words of the user: 'HEAD~1:'
    home: str = ""  # where the user has such files, in place of `folder`

    def in_words(self, text: str) -> str:
        """A text about this version without our temporary folder, and with the file as the user knows it."""
        return text.replace(*((self.folder, self.shown) if self.folder else (str(self.file.resolve()), self.name)))

    def settle(self, file: Path) -> None:
        """Let a written file speak of the user's own files, as if this version were there: it is, when the user checks
        it out. What is in our folder is gone by then."""
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
    """None: that version has no such file."""

    old: Version | None
    new: Version | None


@contextmanager
def about(version: Version, which: str) -> Iterator[None]:
    """Errors, such as those of the compiler, say that they are about the `old` or the `new` version."""
    try:
        yield
    except TightropeError as problem:
        problem.message = f"the {which} version: {version.in_words(problem.message)}"
        problem.diagnostics = version.in_words(problem.diagnostics)
        problem.hint = version.in_words(problem.hint)
        if problem.location:
            problem.location = replace(problem.location, file=version.in_words(problem.location.file))
        raise
