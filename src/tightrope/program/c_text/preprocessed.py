"""Preprocessed C as text: where its lines come from, and where its function bodies are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tightrope.location import Location

_MARKER = re.compile(r'^#[ \t]*(?:line[ \t]+)?(\d+)[ \t]+"((?:[^"\\\n]|\\.)*)"[^\n]*$', re.MULTILINE)
# What decides about braces at file level: strings and directives hide them, `=` makes them an initialiser, and
# parentheses make a function of a declaration, unless they belong to one of the words.
_STRUCTURE = re.compile(
    r"""^[ \t]*\#[^\n]*
      | "(?:\\.|[^"\\\n])*"
      | '(?:\\.|[^'\\\n])*'
      | \b(?:__attribute__|__attribute|__declspec|_Alignas|alignas|typeof|__typeof__|__typeof|typeof_unqual|_Atomic
            |__asm__|asm|__asm|_BitInt)\b[ \t\n]*(?=\()
      | [{}();=]
    """,
    re.MULTILINE | re.VERBOSE,
)
_INLINED = re.compile(r"[^;{}]*\b(?:__)?always_inline(?:__)?\b[^;{}]*(?=[;{])")
_ENUM = re.compile(r"\benum\b(?:\s*__\w+\s*\([^{};=]*?\)+)*[^;{}()=]*\{")  # up to its body; with attributes
_BRACE = re.compile(r"[{}]")
_NO_CODE = re.compile(r"""(?m)^[ \t]*\#.*$|"(?:\\.|[^"\\\n])*"|(?<![0-9])'(?:\\.|[^'\\\n])*'""")
_ENUMERATOR = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)")
_MEMBER = re.compile(r"([A-Za-z_]\w*)(?:\s*=\s*(-?(?:0[xX][0-9a-fA-F]+|[1-9]\d*|0)))?")
_SPACE = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?:^\#[^\n]*$|\s)+""", re.MULTILINE)
_BEFORE_PARENTHESES = re.compile(r"\b(?!__attribute)([A-Za-z_]\w*)\s*\(")


def on_one_line(text: str) -> str:
    """A slice of preprocessed text without line markers. The spaces in its literals stay."""
    return re.sub(r"^ | $", "", _SPACE.sub(lambda found: found[1] or " ", text)) if "\n" in text else text


@dataclass(frozen=True)
class LineMarkers:
    """The places that the lines of a preprocessed text come from."""

    text: str
    name: Callable[[str], str] = str  # how a file is to be called, by what the marker calls it

    @cached_property
    def _markers(self) -> tuple[list[int], list[tuple[str, int]]]:
        """Where each marked stretch of text starts, and what its first line is."""
        starts, origins = [0], [("", 1)]
        for found in _MARKER.finditer(self.text):
            starts.append(found.end() + 1)
            origins.append((self.name(re.sub(r"\\(.)", r"\1", found[2])), int(found[1])))
        return starts, origins

    def locate(self, offset: int) -> Location:
        """The line that the character at this offset was on; the preprocessor keeps no columns."""
        starts, origins = self._markers
        at = bisect_right(starts, offset) - 1
        file, line = origins[at]
        return Location(file, line + self.text.count("\n", starts[at], offset))


@dataclass(frozen=True, slots=True)
class BodySpan:
    """The body of a function definition, braces included, and the declaration before it."""

    declaration: int
    start: int
    end: int


def find_bodies(text: str) -> tuple[BodySpan, ...]:
    """Every function body of a preprocessed text.

    int f(int a) {                  parentheses, then a brace
    int old(a) int a; char *b; {    a brace with nothing before it: the definition has started somewhere above

    Units of one file begin alike, up to their drivers: what the text before had in common is not read again.
    """
    before, known = _LAST_READ[0]
    shared = _first_difference(before, text)
    ended = known[:-1]  # the last one may go on in this text: there it ended with the text
    kept = [each for each in ended if text.find("\n", each.end, shared) >= 0]  # a quote ends with its line
    found = (*kept, *_bodies_from(text, kept[-1].end if kept else 0))
    _LAST_READ[0] = text, found
    return found


_LAST_READ: list[tuple[str, tuple[BodySpan, ...]]] = [("", ())]


def _first_difference(one: str, other: str) -> int:
    """The number of characters at the beginning that both have."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _bodies_from(text: str, start: int) -> Iterator[BodySpan]:
    """Those behind this place, where a body ends or the text begins."""
    declaration = last_end = start
    is_function = is_initialiser = is_attribute = False
    signs = _STRUCTURE.finditer(text, start)
    for found in signs:
        sign = found.group()
        if sign == "(":
            is_function = is_function or not is_attribute
            _skip(signs, "(", ")")
        elif sign == "{":
            end = _skip(signs, "{", "}")
            is_old = not text[declaration : found.start()].strip()
            if is_old or (is_function and not is_initialiser):
                yield BodySpan(last_end if is_old else declaration, found.start(), end)
                declaration = last_end = end
                is_function = is_initialiser = False
        elif sign == ";":
            declaration, is_function, is_initialiser = found.end(), False, False
        elif sign == "=":
            is_initialiser = True
        is_attribute = sign[0].isalpha() or sign[0] == "_"


def _skip(signs: Iterator[re.Match[str]], opening: str, closing: str) -> int:
    """Read on to the partner of a bracket; where the text is broken, to its end."""
    depth, end = 1, 0
    for found in signs:
        end = found.end()
        depth += (found.group() == opening) - (found.group() == closing)
        if not depth:
            break
    return end


def blank_other_bodies(text: str, *functions: str) -> str:
    """The same text with `{}` for each body of another function: nothing moves, but little is left to parse.

    What is always inlined keeps its body: it is part of the code of others, even without optimisation.
    """
    name = re.compile(rf"\b(?:{'|'.join(map(re.escape, (*functions, *always_inlined(text))))})\b")
    parts, at = [], 0
    for body in find_bodies(text):
        if name.search(text, body.declaration, body.start):
            continue
        blank = "\n".join([" " * len(line) for line in text[body.start + 1 : body.end - 1].split("\n")])
        parts += [text[at : body.start + 1], blank]
        at = body.end - 1
    return "".join((*parts, text[at:]))


def always_inlined(text: str) -> Iterator[str]:
    """The names before parentheses in each declaration with this attribute; some of them are other attributes."""
    if "always_inline" in text:
        for found in _INLINED.finditer(text):
            yield from _BEFORE_PARENTHESES.findall(found.group())


@lru_cache(maxsize=4)
def repeated_enumerators(text: str) -> frozenset[str]:
    """Members that more than one enum of a preprocessed text has: which one is meant depends on the place."""
    times = Counter(name for body in _bodies_of_enums(text) for name in set(_ENUMERATOR.findall(body)))
    return frozenset(name for name, count in times.items() if count > 1)


@lru_cache(maxsize=4)
def counted_enumerators(text: str) -> Mapping[str, int]:
    """Members whose values are numbers in the preprocessed text, or counted from one: `enum { OFF, ON = 3, LAST }`. For
    those that the compiler says nothing about, because no code that is generated uses their enum."""
    found: dict[str, int] = {}
    for body in _bodies_of_enums(text):
        if "{" in body:  # what is counted might be in it
            continue
        value: int | None = -1
        for part in body.split(","):
            member = _MEMBER.fullmatch(part.strip())
            if member is None:  # the value of an expression; or the comma was inside of one
                value = None
                continue
            value = int(member[2], 0) if member[2] else None if value is None else value + 1
            if value is not None and -(1 << 31) <= value < 1 << 31:
                found[member[1]] = value
    return found


def _bodies_of_enums(text: str) -> Iterator[str]:
    """Also of those with braces inside: `enum { SIZE = sizeof(struct { int a, b; }), LAST }`."""
    code = _NO_CODE.sub(lambda found: "''" if found[0][0] in "\"'" else "", text)
    for opening in _ENUM.finditer(code):
        depth = 1
        for brace in _BRACE.finditer(code, opening.end()):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                yield code[opening.end() : brace.start()].strip()
                break
