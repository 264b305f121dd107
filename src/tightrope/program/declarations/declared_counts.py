"""How many elements an array parameter declares. `int a[5]` is a pointer to the compiler, and its debug
information says so; only the C text at the parameter's name still knows the 5.

    int f(int a[5])              "5"
    int f(int a[static SIZE])    "SIZE"     a constant expression: the compiler has to say what it is
    int f(vec v)                 "sizeof(vec) / sizeof((*(vec *)0)[0])"   when `vec` is an array's typedef
    int f(int n, int a[n])       ""         known only while the function runs
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tightrope.location import Location

_SPACE = re.compile(r"(?:\s|/\*.*?\*/|//[^\n]*|\\\n)+", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_IN_BRACKETS_ONLY = frozenset({"static", "const", "volatile", "restrict", "__restrict", "__restrict__", "_Atomic"})
_WORDS_OF_TYPES = {"int", "char", "short", "long", "signed", "unsigned", "float", "double", "void", "_Bool", "bool"}
_NEVER_A_TYPEDEF = _IN_BRACKETS_ONLY | _WORDS_OF_TYPES | {"struct", "union", "enum", "register"}
_LITERAL = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")


def declared_count_text(source: str, location: Location, name: str, parameters: Collection[str]) -> str:
    """What the C text declares as the number of elements of the parameter `name` at `location`; '' for nothing."""
    at = _offset(source, location)
    if at is None or not re.match(rf"{re.escape(name)}\b", source[at:]):
        return ""  # the declaration comes out of a macro
    after = _skip_space(source, at + len(name))
    if source[after : after + 1] == "[":
        return _bracket_text(source, after, parameters)
    return _typedef_text(source[:at])


def literal_count(text: str) -> int | None:
    """The number that an integer literal stands for; None when the text is any other expression."""
    match = _LITERAL.fullmatch(text.strip())
    if not match:
        return None
    digits = match.group(1)
    is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    return int(digits, 8) if is_octal else int(digits, 0)


def _offset(source: str, location: Location) -> int | None:
    """Columns count bytes from 1, as compilers do."""
    lines = source.splitlines(keepends=True)
    if not 0 < location.line <= len(lines) or not location.column:
        return None
    line = lines[location.line - 1]
    before = line.encode("utf-8", "surrogateescape")[: location.column - 1]
    return sum(map(len, lines[: location.line - 1])) + len(before.decode("utf-8", "replace"))


def _skip_space(source: str, at: int) -> int:
    match = _SPACE.match(source, at)
    return match.end() if match else at


def _bracket_text(source: str, opening: int, parameters: Collection[str]) -> str:
    depth = 0
    for at in range(opening, len(source)):
        depth += {"[": 1, "]": -1}.get(source[at], 0)
        if not depth:
            return _constant_text(source[opening + 1 : at], parameters)
    return ""


def _constant_text(inside: str, parameters: Collection[str]) -> str:
    text = _SPACE.sub(" ", inside)
    text = _WORD.sub(lambda word: "" if word.group() in _IN_BRACKETS_ONLY else word.group(), text).strip()
    depends_on_run = any(word in parameters for word in _WORD.findall(text))
    return "" if text == "*" or depends_on_run else text


def _typedef_text(before: str) -> str:
    """The word before the name, as a quotient of sizes: only right when that word names an array type."""
    words = re.search(r"([A-Za-z_]\w*)\s+$", before)
    if not words or words.group(1) in _NEVER_A_TYPEDEF:
        return ""
    declaration = re.split(r"[,(;{]", before[: words.start(1)])[-1]
    is_other = "*" in declaration or ")" in declaration or re.search(r"\b(?:struct|union|enum)\s+$", declaration)
    word = words.group(1)
    return "" if is_other else f"sizeof({word}) / sizeof((*({word} *)0)[0])"
