"""What the user wrote for an expression, for display: `x == NULL`, and not `x == ((void *)0)`."""

from __future__ import annotations

import re
from collections.abc import Callable

from tightrope.location import Location

ReadLines = Callable[[str], list[bytes] | None]

_LONGEST = 40  # lines in which the arguments of a macro must end

_SKIPPED = re.compile(r"/\*.*?\*/|//[^\n]*|\\\r?\n", re.DOTALL)
_BRACKETS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[()\[\]{}]|\n[ \t]*#')
_OPENING = {")": "(", "]": "[", "}": "{"}


def own_words(start: Location, end: Location, is_macro: bool, read: ReadLines) -> str:
    """The text between two places of the user's file, on one line; `is_macro` when it ends with the name of a macro,
    whose arguments belong to it. '' when that is no expression: macros can make one of anything."""
    lines = read(start.file)
    if lines is None or not start.column or end.line > len(lines):
        return ""
    rest = [lines[end.line - 1][end.column - 1 :], *lines[end.line : end.line + _LONGEST]] if is_macro else []
    written = _cut(lines, start.line, start.column, end.line, end.column)
    text = written + _arguments(b"\n".join(rest).decode("utf-8", "replace"))
    return " ".join(_SKIPPED.sub(" ", text).split()) if _is_whole(text) else ""


def _cut(lines: list[bytes], line: int, column: int, last_line: int, last_column: int) -> str:
    """From one place to just before the other. The compiler counts bytes."""
    chosen = lines[line - 1 : last_line]
    if not chosen:
        return ""
    chosen[-1] = chosen[-1][: last_column - 1]
    chosen[0] = chosen[0][column - 1 :]
    return b"\n".join(chosen).decode("utf-8", "replace")


def _arguments(rest: str) -> str:
    """`(a, b)` behind the name of a macro that has arguments."""
    if not rest.lstrip().startswith("("):
        return ""
    depth = 0
    for found in _BRACKETS.finditer(rest):
        depth += (found.group() == "(") - (found.group() == ")")
        if not depth:
            return rest[: found.end()]
    return ""


def _is_whole(text: str) -> bool:
    """Every bracket has its partner, and no directive is in between."""
    opened: list[str] = []
    for found in _BRACKETS.finditer(_SKIPPED.sub(" ", text)):
        sign = found.group()
        if "#" in sign and sign[0] == "\n":
            return False
        if sign in "([{":
            opened.append(sign)
        elif sign in ")]}" and (not opened or opened.pop() != _OPENING[sign]):
            return False
    return bool(text.strip()) and not opened
