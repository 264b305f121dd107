"""The constants that a unit compares its inputs with: good values to try before anything was run.

    switch (n) { case 7: ...        integers  7
    if (c == 'x' && d > 2.5)        integers  120      floats  2.5
    strcmp(s, "hello")              texts     hello
    strchr(s, '=')                  letters   61
    sscanf(s, "%d at %2s", ...)     texts     1 at aa
    getopt(argc, argv, "vt:")       options   -v  and  -t 1

Only constants in comparisons count, and texts that code of the program or a comparing function of the library may read:
a message for `printf` does not.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Program, Value
from tightrope.program.ir.types import FloatType, IntType

T = TypeVar("T")
LONGEST_TEXT = 64
SCANNED_ROOM = 2  # times a text that was made for a format
MOST_PRINTED = 256  # characters of a format that makes a format
MOST_PACKED = 8  # words of a table that is one literal: "start\0stop\0"
_SYMBOL = re.compile(rf"@{NAME}")
_TEXT = re.compile(r'c"((?:[^"\\]|\\[0-9A-Fa-f]{2}|\\\\)*)"')
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")
_INTEGER = re.compile(r"-?[0-9]+")
_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?")
_COMPARING = re.compile(r"@(str(n?(case)?cmp|coll|str|casestr|spn|cspn|pbrk|tok|tok_r|sep)|mem(cmp|mem)|bcmp)")
_FINDING = re.compile(r"@(__)?(str(r?chr|chrnul)|(raw)?memr?chr|r?index)")
_SCANNING = re.compile(r"@\w*?(v?[sf]?)scanf")  # also the library's other names, and models
_PRINTING = re.compile(r"@\w*?sn?printf(_chk)?")  # into memory
_READS_OPTIONS = re.compile(r"@\w*?getopt(_long(_only)?)?")
_CONVERSION = re.compile(
    rb"%(?:(?P<percent>%)|\*?(?P<width>[0-9]*)(?:hh|h|ll|l|j|z|t|L|q|m)?"
    rb"(?:(?P<letter>[diouxXaefgEFGsScCpn])|\[(?P<set>\^?\]?[^\]]*)\]))|(?P<space>\s+)"
)
_DOUBLE_BITS = re.compile(r"0x([0-9A-Fa-f]{16})")  # LLVM's spelling for floats of both widths


@dataclass(frozen=True, slots=True)
class UnitConstants:
    """In the order of the text, each once."""

    integers: tuple[int, ...] = ()  # signed
    floats: tuple[float, ...] = ()
    texts: tuple[bytes, ...] = ()  # without the terminator
    letters: tuple[int, ...] = ()  # that texts are searched for
    options: tuple[tuple[bytes, ...], ...] = ()  # of a command line: each with its argument, if it takes one
    scanned: tuple[bytes, ...] = ()  # texts that formats accept: they are among `texts`, too

    @property
    def room(self) -> int:
        """The characters that a string needs to hold any of the texts. Those made for a format have one letter for each
        word and one digit for each number, and end with the format: what people write is longer."""
        return max([0, *map(len, self.texts), *(SCANNED_ROOM * len(text) for text in self.scanned)])


def collect_constants(program: Program, root: str, without: str = "") -> UnitConstants:
    """Of the function and all that it may call, but for functions whose names begin with `without`."""
    names = [name for name in reachable_functions(program, root) if not without or not name.startswith(without)]
    functions = [program.functions[name] for name in names if name in program.functions]
    compared = [value for function in functions for value in _compared(function)]
    cases = [number for function in functions for number in _cases(function)]
    integers = [*_known(map(_integer, compared)), *cases]
    floats = _known(map(_float, compared))
    scanned = _once(_scanned(program, functions))
    texts = [*_texts(program, functions), *scanned]
    letters = _known(_integer(value) for function in functions for value in _looked_for(function))
    options = _options(program, functions)
    return UnitConstants(_once(integers), _once(floats), _once(texts), _once(letters), _once(options), scanned)


def compared_with(function: Function, local: str) -> tuple[int, ...]:
    """The integers that the function compares a local with, `%len` for example, or a cast of it."""
    alike = {local}
    found: list[int] = []
    for each in function.instructions():
        if each.opcode in ("sext", "zext", "trunc") and each.operands[0].text in alike and each.result:
            alike.add(each.result)
        elif each.opcode == "icmp" and any(one.text in alike for one in each.operands):
            found += _known(map(_integer, each.operands))
    return _once(found)


def _known(numbers: Iterable[T | None]) -> Iterator[T]:
    return (number for number in numbers if number is not None)


def _once(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))


def _compared(function: Function) -> Iterator[Value]:
    for each in function.instructions():
        if each.opcode in ("icmp", "fcmp"):
            yield from each.operands


def _looked_for(function: Function) -> Iterator[Value]:
    for each in function.instructions():
        if each.opcode == "call" and _FINDING.fullmatch(each.callee) and len(each.arguments) > 1:
            yield each.arguments[1].value


def _cases(function: Function) -> Iterator[int]:
    for each in function.instructions():
        if each.opcode == "switch" and isinstance(each.operands[0].type, IntType):
            bits = each.operands[0].type.bits
            yield from (number - (1 << bits) if number >> (bits - 1) else number for number in each.cases)


def _integer(value: Value) -> int | None:
    is_number = isinstance(value.type, IntType) and _INTEGER.fullmatch(value.text)
    return int(value.text) if is_number else None


def _float(value: Value) -> float | None:
    if not isinstance(value.type, FloatType) or value.type.name not in ("float", "double"):
        return None
    if _DECIMAL.fullmatch(value.text):
        return float(value.text)
    bits = _DOUBLE_BITS.fullmatch(value.text)
    number: float | None = struct.unpack(">d", bytes.fromhex(bits[1]))[0] if bits else None
    return number


def _texts(program: Program, functions: Iterable[Function]) -> Iterator[bytes]:
    """Of the constants that the functions name, and that tables name, constant or not: keywords. Further words of one
    literal come last."""
    packed: list[bytes] = []
    defined = {name for name, function in program.functions.items() if function.is_defined}
    names = [name for function in functions for name in _looked_at(function, defined)]
    seen = set(names)
    for name in names:  # grows while it is walked
        found = program.globals.get(name)
        if found is None:
            continue
        if found.is_constant:
            yield from _literals(found.initializer)
            packed += _packed(found.initializer)
        fresh = [other for other in _SYMBOL.findall(found.initializer) if other not in seen]
        names += fresh
        seen.update(fresh)
    yield from packed


def _looked_at(function: Function, defined: Container[str]) -> Iterator[str]:
    """Globals that the function names, but for what it only hands to functions outside the program."""
    for each in function.instructions():
        if "@" not in each.text:
            continue
        if each.opcode != "call":
            yield from _SYMBOL.findall(each.text)
        elif each.callee in defined or _COMPARING.fullmatch(each.callee):
            yield from (name for argument in each.arguments for name in _SYMBOL.findall(argument.value.text))


def _scanned(program: Program, functions: Iterable[Function]) -> Iterator[bytes]:
    """Texts that the formats of `sscanf` and its kin accept to their ends."""
    for function in functions:
        for each in function.instructions():
            found = _SCANNING.fullmatch(each.callee) if each.opcode == "call" else None
            at = 1 if found and found[1] not in ("", "v") else 0
            if not found or len(each.arguments) <= at:
                continue
            text = program.globals.get(each.arguments[at].value.text)
            formats = _literals(text.initializer) if text is not None and text.is_constant else ()
            if text is None:
                formats = _printed_formats(program, function)
            yield from (made for one in formats if (made := scanned_text(one)))


def _printed_formats(program: Program, function: Function) -> Iterator[bytes]:
    """Formats that the function may make itself: `%1s %d` by `snprintf(format, n, "%%%ds %%d", 1)`."""
    for each in function.instructions():
        if each.opcode == "call" and _PRINTING.fullmatch(each.callee):
            texts = [program.globals.get(one.value.text) for one in each.arguments]
            known = [
                one for text in texts if text and text.is_constant for one in _literals(text.initializer, MOST_PRINTED)
            ]
            yield from (scanned_text(one) for one in known if b"%%" in one)


def _options(program: Program, functions: Iterable[Function]) -> Iterator[tuple[bytes, ...]]:
    """What `getopt` and its kin accept: letters, and words from the table of long options."""
    for function in functions:
        for each in function.instructions():
            if each.opcode == "call" and _READS_OPTIONS.fullmatch(each.callee) and len(each.arguments) > 2:
                letters, *table = (program.globals.get(one.value.text) for one in each.arguments[2:4])
                yield from (one for text in _literals(letters.initializer if letters else "") for one in _short(text))
                names = [name for one in table if one for name in _SYMBOL.findall(one.initializer)]
                found = [program.globals[name] for name in names if name in program.globals]
                yield from ((b"--" + text,) for one in found for text in _literals(one.initializer))


def _short(letters: bytes) -> Iterator[tuple[bytes, ...]]:
    """`vt:` are the options `-v` and `-t 1`."""
    for letter, takes in re.findall(rb"([0-9A-Za-z?])(:*)", letters):
        yield (b"-" + letter, b"1") if takes else (b"-" + letter,)


def scanned_text(form: bytes) -> bytes:
    """A short text that fits the whole format: `1 at aa` for `%d at %2s`; empty if it converts nothing."""
    made, end, was_word, count = b"", 0, False, 0
    for one in _CONVERSION.finditer(form):
        literal = form[end : one.start()]
        made, was_word, end = made + literal, was_word and not literal, one.end()
        if one["space"]:
            made, was_word = made + b" ", False
        elif one["percent"]:
            made, was_word = made + b"%", False
        elif one["letter"] != b"n":
            width, letter = int(one["width"] or 1), one["letter"] or b"["
            takes_spaces = letter in b"cC["
            made += b" " if was_word and not takes_spaces else b""
            made += _accepted(letter, one["set"] or b"") * (min(width, LONGEST_TEXT) if letter in b"sScC[" else 1)
            was_word, count = True, count + 1
    return (made + form[end:]).strip() if count else b""


def _accepted(letter: bytes, members: bytes) -> bytes:
    """One character that the conversion takes."""
    if letter in b"sScC":
        return b"a"
    if letter != b"[":
        return b"1"
    if not members.startswith(b"^"):
        return members[:1]
    return next(bytes([one]) for one in range(ord("a"), 256) if one not in members)


def _literals(initializer: str, longest: int = LONGEST_TEXT) -> Iterator[bytes]:
    """The first word of each."""
    return (words[0] for words in _words(initializer) if 0 < len(words[0]) <= longest)


def _packed(initializer: str) -> Iterator[bytes]:
    """Further words of a table that is one literal; a table of numbers is none."""
    for words in _words(initializer):
        if not words[0] or any(not 32 <= byte < 127 for word in words for byte in word):
            continue
        yield from (word for word in words[1:MOST_PACKED] if 0 < len(word) <= LONGEST_TEXT)


def _words(initializer: str) -> Iterator[list[bytes]]:
    for escaped in _TEXT.findall(initializer):
        yield _ESCAPE.sub(_unescaped, escaped.encode()).split(b"\0")


def _unescaped(escape: re.Match[bytes]) -> bytes:
    return b"\\" if escape[1] == b"\\" else bytes.fromhex(escape[1].decode())
