"""Paths to inputs, as reports write them: `cfg->table[2].name`, `*count`, `sensor#1` (its first answer), `f::calls`.

`[_]` stands for every index, `#_` for every answer of a stub. Different spellings of one place are the same path: `*p`
is `p[0]`, `p->x` is `p[0].x`. So a path remains valid if one object becomes an array.
"""

from __future__ import annotations

import re
from functools import lru_cache

Step = str  # 'name' at the start, then '.member', '[0]', '[_]', '#1', '#_', '::argument_1' of a function in an array
Steps = tuple[Step, ...]

_NAME = r"(?:[^\W\d][\w$]*|0x[0-9a-f]+)"  # a number is the address of a register without a name
_TOKEN = re.compile(rf"\s*(?:({_NAME}(?:::{_NAME})?)|(->)|\[\s*(\d+|_|\*)\s*\]|#(\d+|_)|(::{_NAME})|([.*()]))")


@lru_cache(maxsize=8192)
def read_path(text: str) -> Steps:
    """The steps of a path, the same for every spelling of one place: `(*p).x`, `p->x` and `p[0].x` are one.

    Raises ValueError.
    """
    tokens = _path_tokens(text)
    steps, end = _prefixed(tokens, 0, text)
    if end != len(tokens):
        raise _no_path(text)
    return steps


def _path_tokens(text: str) -> tuple[str, ...]:
    tokens, at = [], 0
    rest = text.rstrip()
    while at < len(rest):
        found = _TOKEN.match(rest, at)
        if not found:
            raise _no_path(text)
        word, arrow, index, answer, part, sign = found.groups()
        tokens.append(word or arrow or part or sign or (f"#{answer}" if answer else f"[{index.replace('*', '_')}]"))
        at = found.end()
    return tuple(tokens)


def _prefixed(tokens: tuple[str, ...], at: int, text: str) -> tuple[Steps, int]:
    """`*` binds less than what follows a name."""
    if tokens[at : at + 1] == ("*",):
        steps, end = _prefixed(tokens, at + 1, text)
        return (*steps, "[0]"), end
    return _postfixed(tokens, at, text)


def _postfixed(tokens: tuple[str, ...], at: int, text: str) -> tuple[Steps, int]:
    steps, at = _first(tokens, at, text)
    while at < len(tokens) and tokens[at] != ")":
        token = tokens[at]
        if token in (".", "->"):
            if at + 1 >= len(tokens) or not _is_word(tokens[at + 1]):
                raise _no_path(text)
            steps += (f".{tokens[at + 1]}",) if token == "." else ("[0]", f".{tokens[at + 1]}")
            at += 2
        elif token[0] in "[#" or token.startswith("::"):
            steps, at = (*steps, token), at + 1
        else:
            raise _no_path(text)
    return steps, at


def _first(tokens: tuple[str, ...], at: int, text: str) -> tuple[Steps, int]:
    if at < len(tokens) and _is_word(tokens[at]):
        return (tokens[at],), at + 1
    if tokens[at : at + 1] != ("(",):
        raise _no_path(text)
    steps, end = _prefixed(tokens, at + 1, text)
    if tokens[end : end + 1] != (")",):
        raise _no_path(text)
    return steps, end + 1


def _is_word(token: str) -> bool:
    return token[0] not in "[#.*()-"


def _no_path(text: str) -> ValueError:
    return ValueError(f"`{text.strip()}` is not a path to an input; an example of one is `cfg->table[_].name`")


def is_word(path: str) -> bool:
    """Whether the path ends with a name, so that a type can follow: `node::item`."""
    return re.search(r"[\w$]$", path) is not None and steps_of(path)[-1][0] not in "[#"


def steps_of(path: str) -> Steps:
    """The steps of a path from a report; none for a name that is not a path (`calls of sensor`)."""
    try:
        return read_path(path)
    except ValueError:
        return ()


def matches(pattern: str, path: str) -> bool:
    """`t[_].x` matches `t[3].x`; also `t->x`, which is `t[0].x`."""
    return bind(read_path(pattern), read_path(path)) is not None


def bind(pattern: Steps, path: Steps) -> tuple[str, ...] | None:
    """The numbers that the wildcards stand for; None if the pattern does not match the path."""
    if len(pattern) != len(path):
        return None
    found: list[str] = []
    for mine, theirs in zip(pattern, path, strict=True):
        if mine in ("[_]", "#_") and theirs[0] == mine[0]:
            found.append(theirs.strip("[]#"))
        elif mine != theirs:
            return None
    return tuple(found)


def wildcards(pattern: str) -> int:
    return sum(step in ("[_]", "#_") for step in read_path(pattern))


def fill(path: str, numbers: tuple[str, ...]) -> str:
    """The path with its first wildcards replaced by the numbers, in order."""
    left = iter(numbers)
    return re.sub(r"\[\s*[_*]\s*\]|#_", lambda found: _with_number(found.group(), next(left, None)), path)


def _with_number(wildcard: str, number: str | None) -> str:
    if number is None:
        return wildcard
    return f"#{number}" if wildcard[0] == "#" else f"[{number}]"


def any_number(text: str) -> str:
    """A path, or a text with paths in it, with wildcards in place of all numbers: `t[_].name`."""
    return re.sub(r"#\d+", "#_", re.sub(r"\[\d+\]", "[_]", text))


def sibling_path(path: str, name: str) -> str:
    """The path of a parameter, or of a member of the record at `path`."""
    return member_path(path, name) if path else name


def member_path(path: str, name: str) -> str:
    """`*p` and `x` make `p->x`; an anonymous member adds nothing."""
    if not name:
        return path
    if not path.startswith("*"):
        return f"{path}.{name}"
    pointer = path[1:]
    return f"({pointer})->{name}" if pointer.startswith("*") else f"{pointer}->{name}"
