"""Edits of what stands outside of functions: macros, initialisers of globals, types. On the text, line by line: what is no
C any more is not drawn (edits.py)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from edit_sites import Source
from edits_inside import Edits

_MEMBERS = re.compile(r"\b(?:struct|union)\s*\w*\s*\{([^{}]*)\}")
_ENUM = re.compile(r"\benum\s*\w*\s*\{([^{}]*)\}")
_WORD = r"(unsigned char|signed char|unsigned short|unsigned|signed|int|long|short|char|double|float)"


def _outside(source: Source) -> Iterator[tuple[int, str]]:
    """What lies between functions, with where it starts."""
    spans = sorted(source.body(name) for name in source.functions)
    at = 0
    for start, end in (*spans, (len(source.text), 0)):
        yield at, source.text[at:start]
        at = end


def macro(source: Source) -> Edits:
    for start, text in _outside(source):
        for line in re.finditer(r"^#define \w+(?:\([^)]*\))? +(.*)$", text, re.M):
            at = start + line.start(1)
            for number in re.finditer(r"\b\d+\b", line[1]):
                for new in (str(int(number[0]) + 1), "0", "2"):
                    yield ((at + number.start(), at + number.end(), new),)
            for word in re.finditer(r"&&|\|\||<=|>=|<|>|\+|-|\*", line[1]):
                others = ("&&", "||") if word[0] in ("&&", "||") else ("<", ">=", "+", "-", "*")
                yield from (((at + word.start(), at + word.end(), new),) for new in others if new != word[0])


def initialiser(source: Source) -> Edits:
    """A number, or a name of a function, that a variable starts with."""
    for start, text in _outside(source):
        for found in re.finditer(r"^(?!#|//)[^;{}]*?=([^;]*);", text, re.M):
            at = start + found.start(1)
            for number in re.finditer(r"\b\d+\b", found[1]):
                for new in (str(int(number[0]) + 1), "0", "1"):
                    yield ((at + number.start(), at + number.end(), new),)
            for name in re.finditer(r"\b\w+\b", found[1]):
                if name[0] in source.functions:
                    others = [each for each in source.functions if each != name[0]]
                    yield from (((at + name.start(), at + name.end(), new),) for new in others)


def constness(source: Source) -> Edits:
    for start, text in _outside(source):
        for found in re.finditer(r"^(static )?(const )?(?=\w+ \w+(\[\w*\])* =)", text, re.M):
            begin, end = start + found.start(), start + found.end()
            yield ((begin, end, found[1] or "") if found[2] else (begin, end, f"{found[1] or ''}const "),)
            yield ((begin, end, (found[2] or "") if found[1] else f"static {found[2] or ''}"),)


def member_order(source: Source) -> Edits:
    for start, text in _outside(source):
        for found in _MEMBERS.finditer(text):
            members = list(re.finditer(r"[^;\s][^;]*;", found[1]))
            for one, other in itertools.pairwise(members):
                at = start + found.start(1)
                yield (at + one.start(), at + one.end(), other[0]), (at + other.start(), at + other.end(), one[0])


def member_type(source: Source) -> Edits:
    for start, text in _outside(source):
        for found in _MEMBERS.finditer(text):
            for word in re.finditer(rf"(?<=[;{{]) *{_WORD} ", f";{found[1]}"):
                at = start + found.start(1) - 1
                for new in ("unsigned char", "int", "unsigned", "signed char", "long", "short"):
                    yield ((at + word.start(1), at + word.end(1), new),)
            yield ((start + found.end(1), start + found.end(1), " int further;"),)


def enumerator(source: Source) -> Edits:
    for start, text in _outside(source):
        for found in _ENUM.finditer(text):
            at = start + found.start(1)
            for name in re.finditer(r"(\w+)(\s*=\s*\d+)?(?=,|\s*$)", found[1]):
                yield from (((at + name.start(), at + name.end(), f"{name[1]} = {new}"),) for new in (1, 6))


def renamed_type(source: Source) -> Edits:
    for start, text in _outside(source):
        for found in re.finditer(rf"^typedef {_WORD} ", text, re.M):
            for new in ("unsigned char", "signed char", "int", "unsigned"):
                if new != found[1]:
                    yield ((start + found.start(1), start + found.end(1), new),)


def global_type(source: Source) -> Edits:
    for start, text in _outside(source):
        for found in re.finditer(rf"^(?:static )?(?:const )?{_WORD} \w+(?: =|;|\[)", text, re.M):
            for new in ("unsigned char", "signed char", "int", "unsigned", "short"):
                if new != found[1]:
                    yield ((start + found.start(1), start + found.end(1), new),)


def signature(source: Source) -> Edits:
    """What a function that is called takes and gives."""
    for name in source.functions:
        start, _ = source.body(name)
        head = re.match(r"[^{]*", source.text[start:])
        for found in re.finditer(rf"{_WORD}\b(?= \w)", head[0] if head and name != "f" else ""):
            for new in ("unsigned char", "signed char", "int", "unsigned", "short"):
                if new != found[1]:
                    yield ((start + found.start(1), start + found.end(1), new),)


OUTSIDE = {
    each.__name__: each
    for each in (
        macro,
        initialiser,
        constness,
        member_order,
        member_type,
        enumerator,
        renamed_type,
        global_type,
        signature,
    )
}
