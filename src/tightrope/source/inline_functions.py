"""Functions that a file defines only as C99's `inline`: the compiler generates no code for them, because another file
is expected to have an `extern inline` of it. `static inline` and `extern inline` are definitions like others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from tightrope.source.compile import list_dependencies
from tightrope.source.project import Recipe
from tightrope.source.toolchain import Compiler, is_of_system

INLINE_TOO = ("-fgnu89-inline",)  # gives such functions code; a further declaration does not, with -femit-all-decls

_STRETCH_END = re.compile(r"[;{}]")
_INLINE = re.compile(r"\b(?:inline|__inline|__inline__)\b")
_NAME = re.compile(r"[^()]*?\b(\w+)\s*\(")


def find_inline_functions(
    compiler: Compiler, file: Path, recipe: Recipe, missing: Sequence[str], defined: Collection[str]
) -> tuple[str, ...]:
    """Functions of the file that may be such. They are missing from the compiled file, or not even called."""
    if not missing and not names_of_inline_functions(_read(file)):
        return ()
    found = list_dependencies(compiler, file, recipe.flags.kept, working_directory=recipe.folder)
    names: dict[str, None] = {}
    for each in (file, *(recipe.folder / name for name in found)):
        if not is_of_system(each.resolve()):
            names |= dict.fromkeys(names_of_inline_functions(_read(each)))
    return tuple(name for name in names if name not in defined)


def names_of_inline_functions(text: str) -> list[str]:
    """Names behind the word `inline`, where no `static` or `extern` comes before it; some may only be declared."""
    if "inline" not in text:
        return []
    # One expression for all of it would look at a stretch again from each of its characters, and a header may begin
    # with ten thousand lines of comments.
    return [name for stretch in _STRETCH_END.split(text) if "inline" in stretch for name in _name_in(stretch)]


def _name_in(stretch: str) -> Iterator[str]:
    """The name behind the last `inline` that one follows."""
    for word in reversed([*_INLINE.finditer(stretch)]):
        name = _NAME.match(stretch, word.end())
        if name:
            if not re.search(r"\b(?:static|extern)\b", stretch[: word.start()]):
                yield name[1]
            return


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
