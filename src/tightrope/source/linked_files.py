"""Which files of a project define the functions and tables that a unit uses and does not define.

The text of the project's files is searched first, which is cheap; only files that seem to define something are
compiled. The bitcode tells whether they really do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DIRECTIVES = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n", re.MULTILINE)  # `#endif` may stand before a body
LARGEST = 4 << 20  # bytes; an amalgamation defines everything, and linking it does not help


def find_definers(names: Iterable[str], files: Sequence[Path]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Files whose text seems to define some of the names, in the order of the project, each with these names. One
    name may come with several files: in one of them, say, inside of an `#ifdef`."""
    wanted = tuple(names)
    for file in files:
        here = tuple(name for name in wanted if name in defined_names(file))
        if here:
            yield file, here


@lru_cache(maxsize=4096)
def defined_names(file: Path) -> frozenset[str]:
    """Names that stand before `(...) {` at the start of a line, or before `=` or `[N];`: functions, initialised data,
    arrays, and sometimes something else that looks alike."""
    try:
        if file.stat().st_size > LARGEST:
            return frozenset()
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    plain = _DIRECTIVES.sub("", _COMMENTS.sub(" ", text))
    return frozenset((*_headings(plain), *_DATA.findall(plain)))


# `name (parameters)`, then declarations of parameters in the old style and attributes, then the body
_HEADING = re.compile(
    r"^(?:[A-Za-z_][\w \t*]*?[\s*])?\**([A-Za-z_]\w*)[ \t]*\(([^;{}()]|\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\))*\)"
    r"(?:\s*[A-Za-z_][\w\s*,\[\]()]*;)*\s*(?:__attribute__[^;{}]*)?\{",
    re.MULTILINE,
)
_DATA = re.compile(
    r"^(?!extern\b|typedef\b|return\b)[A-Za-z_][\w \t*]*[ \t*](\w+)[ \t]*"
    r"(?:(?:\[[^\]=;]*\][ \t]*)*=(?!=)|\[[^\]=;]+\];)",
    re.MULTILINE,
)
_KEYWORDS = frozenset("if while for switch return sizeof do else".split())


def _headings(text: str) -> Iterator[str]:
    for found in _HEADING.finditer(text):
        if found[1] not in _KEYWORDS:
            yield found[1]
