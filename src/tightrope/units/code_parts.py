"""What the result of one function depends on in its file: a hash for each function, which an edit of another function
of the file leaves as it is.

    text outside of bodies      types, globals, declarations, macros: part of every hash
    bodies                      those that the unit may reach: what `needed_part` keeps for it, and where calls through
                                pointers may go, by type, as the call graph has it; each with what it may call
    the order of what it names  the compiler's, which is that of their first use: inputs, stubs and code come so
    facts about the whole file  what is said about it anywhere: names without a definition, calls that never return ...

So an analysis that looks at a whole file, and not only at what the unit reaches, must have its answer among the facts
(`_facts`), or equal hashes have different results: tests/integration/test_equal_keys.py. Sequences have no hashes: more
is kept for them.

What a unit has beyond that is known once it was prepared, and then counts as well: functions that its driver names as
targets of pointers; with linked files, whose calls may go anywhere, all that takes addresses (`TAKERS`); and for both
the order of all that the file names (`ORDER`).

Lines of the file are not part of the hash, but are listed: with equal hashes, the n-th line of one list has the same
text as the n-th line of the other. In doubt a body counts for every function, and a file that cannot be taken apart
has no hashes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tightrope.errors import TightropeError
from tightrope.program.c_text.preprocessed import LineMarkers, always_inlined, find_bodies, repeated_enumerators
from tightrope.program.declarations.interface import functions_without_return, reads_descriptor_0
from tightrope.program.devices.device_pointers import may_access_registers
from tightrope.program.flow.call_graph import build_call_graph
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Program
from tightrope.program.ir.needed_part import TAKERS, needed_names
from tightrope.source.cache import cache_key
from tightrope.source.preprocess import preprocess_file
from tightrope.units.linking import replaceable_names, undefined_names
from tightrope.units.marked_program import enumerators
from tightrope.units.prepared import PreparedFile

# What has an effect beyond the body that it stands in: assembly may use any symbol, inlined code is not called. What
# may reach such a body has no hash.
_NOT_APART = re.compile(r"\b(?:__)?(?:asm|always_inline)(?:__)?\b")
_INLINES = re.compile(r"\b(?:__)?flatten(?:__)?\b")  # what a function calls, wherever it is declared so
_REACHES_OUT = re.compile(r"\b(?:extern|_Pragma|__label__)\b|^[ \t]*#[ \t]*pragma", re.MULTILINE)
_MARKER = re.compile(r'^#[ \t]*(?:line[ \t]+)?\d+[ \t]+"(?:[^"\\\n]|\\.)*"[^\n]*$', re.MULTILINE)
_COMMENTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_SYMBOL = re.compile(r"@[-\w$.]+")
_NAMED = re.compile(rf"^(?:(?:define|declare) [^\n]*?)?@({NAME})(?= =|\()", re.MULTILINE)
_MENTIONED = re.compile(rf"@({NAME})")
_RENAMED = re.compile(r'!DISubprogram\(name: "([^"]*)", linkageName:')

ORDER = "the order of all names"  # beside the names of functions

LineRanges = str  # `1-9,11,20-26`: thousands of functions have them


@dataclass(frozen=True, slots=True)
class CodePart:
    """Of one function. `missing`: names that its code takes from other files; `kept`: functions that it depends on."""

    digest: str
    missing: tuple[str, ...]
    kept: tuple[str, ...]
    lines: LineRanges


@dataclass(frozen=True, slots=True)
class _Body:
    """Of a function: where it is in the preprocessed text, and its lines in its file."""

    name: str
    start: int
    end: int
    first: int
    last: int
    is_own: bool  # the lines are those of the unit's own file


def find_code_parts(file: PreparedFile) -> Mapping[str, CodePart]:
    """By function; empty if the file cannot be taken apart."""
    try:
        text = preprocess_file(file.compiler, file.path, file.flags.kept, working_directory=file.working_directory)
        source = file.path.read_text(encoding="utf-8", errors="surrogateescape")
    except (TightropeError, OSError):
        return {}
    bodies = tuple(_find_bodies(file, text))
    names = {each.start: each.name for each in bodies}
    odd = {names.get(each.start, "") for each in find_bodies(text) if _NOT_APART.search(text, each.start, each.end)}
    is_one = "" in odd or _INLINES.search(text) is not None
    if file.sequence is not None or file.assembly or is_one or not _MARKER.search(text):
        return {}
    taken = _TakenApart(text, source.split("\n"), bodies, LineMarkers(text), os.path.basename(file.path))
    undefined = frozenset(undefined_names(file.program))
    data = {name[1:] for name, one in file.program.globals.items() if not one.is_defined}
    data |= replaceable_names(file.program)  # a linked file may define these, too
    outer = list(taken.outer())
    always = cache_key(*_facts(file, text), *map(_bytes, (*taken.frame(), *(line for _, line in outer))))
    digests = {each.name: cache_key(each.name, *map(_bytes, taken.inner(each))) for each in bodies}
    found = {}
    graph = build_call_graph(file.program)
    calls = {
        name[1:]: f"{name}: {sorted(callees)} {name in graph.address_taken}" for name, callees in graph.callees.items()
    }
    order = {name: at for at, name in enumerate(_NAMED.findall(file.ir)) if "." not in name}
    first = {name: at for at, name in enumerate(dict.fromkeys(_MENTIONED.findall(file.ir))) if name in order}
    for name, needed in needed_names(file.ir, file.functions, graph.callees).items():
        if not odd.isdisjoint(needed.kept):
            continue
        used = [each for each in bodies if each.name in needed.kept]
        kept = sorted(needed.kept & calls.keys())
        near = order.keys() & (needed.kept | needed.mentioned)
        lines = {number for number, _ in outer}.union(*(range(one.first, one.last + 1) for one in used if one.is_own))
        found[name] = CodePart(
            cache_key(
                always,
                *(digests[each.name] for each in used),
                *(calls[each] for each in kept),
                " ".join((*sorted(near, key=order.__getitem__), *sorted(near, key=first.__getitem__))),
            ),
            tuple(sorted(undefined & needed.mentioned | data)),
            tuple(kept),
            ",".join(_ranges(sorted(lines))),
        )
    found[ORDER] = CodePart(cache_key(*order, *first), (), (), "")
    return found


def find_beside(
    parts: Mapping[str, CodePart], part: CodePart, code: Iterable[str], *, is_linked: bool
) -> Mapping[str, str] | None:
    """Hashes of further parts of the file that a unit with this code (functions of the file) depends on; None if they
    are not known."""
    if is_linked and TAKERS not in parts:
        return None
    names = sorted({*code}.difference(part.kept, parts[TAKERS].kept if is_linked else ()))
    names += [TAKERS, ORDER] if is_linked else [ORDER] if names else []
    return {name: parts[name].digest for name in names} if parts.keys() >= {*names} else None


def joined_lines(every: Iterable[LineRanges]) -> LineRanges:
    return ",".join(_ranges(sorted({number for each in every for number in _numbers(each)})))


def map_lines(old: LineRanges, new: LineRanges) -> Mapping[int, int] | None:
    """Where each line is now, for lists that belong to equal hashes; None if they do not fit."""
    before, after = list(_numbers(old)), list(_numbers(new))
    return dict(zip(before, after, strict=True)) if len(before) == len(after) else None


def _find_bodies(file: PreparedFile, text: str) -> Iterator[_Body]:
    """The bodies whose functions are known beyond doubt. Others count for all."""
    markers, known, own = LineMarkers(text), file.ctypes.functions, file.path.resolve()
    excluded = {*always_inlined(text), *_with_other_names(file)}
    for span in find_bodies(text):
        head = text[span.declaration : span.start]
        named = [(found[1], found.start(1)) for found in _CALLED.finditer(head) if found[1] in known]
        if len({name for name, _ in named}) != 1 or named[0][0] in excluded:
            continue
        name, at = named[0]
        place, wanted = markers.locate(span.declaration + at), known[name].location
        start, end = markers.locate(span.start), markers.locate(span.end - 1)
        is_there = place.line == wanted.line and os.path.basename(place.file) == os.path.basename(wanted.file)
        is_whole = start.file == end.file == place.file and not _REACHES_OUT.search(text, span.declaration, span.end)
        if is_there and is_whole:
            is_own = (file.working_directory / place.file).resolve() == own
            yield _Body(name, span.start, span.end, start.line, end.line, is_own)


def _with_other_names(file: PreparedFile) -> Iterator[str]:
    """Functions that have another name in the compiled code, which is what other code mentions: an asm label, a letter
    that is not ASCII, several functions of one name."""
    yield from _RENAMED.findall(file.ir)
    every = file.program.functions
    yield from (name for name in file.ctypes.functions if f"@{name}" not in every or not every[f"@{name}"].is_defined)


@dataclass(frozen=True, slots=True)
class _TakenApart:
    """A file: preprocessed, and as it is written."""

    text: str
    source: Sequence[str]  # its lines
    bodies: tuple[_Body, ...]  # in the order of the text
    markers: LineMarkers
    name: str  # of the file, without its folder

    def frame(self) -> Iterator[str]:
        """The preprocessed text without the bodies."""
        at = 0
        for each in self.bodies:
            yield from self._plain(at, each.start)
            at = each.end
        yield from self._plain(at, len(self.text))

    def inner(self, body: _Body) -> Iterator[str]:
        """A body, and its lines as they are written."""
        yield from self._plain(body.start, body.end)
        if body.is_own:
            yield from self.source[body.first - 1 : body.last]

    def outer(self) -> Iterator[tuple[int, str]]:
        """The lines of the file without comments and without what is inside of bodies; directives there are kept."""
        inside = {line for each in self.bodies if each.is_own for line in range(each.first + 1, each.last)}
        edges = {each.first: each for each in self.bodies if each.is_own}
        ends = {each.last: each for each in self.bodies if each.is_own}
        plain = _COMMENTS.sub(_blank_comment, "\n".join(self.source)).split("\n")
        for number, line in enumerate(plain, 1):
            if number in inside and not line.lstrip().startswith("#"):
                continue
            if number in edges or number in ends:
                line = _without_inside(line, number in edges, number in ends)
            if line.strip():
                yield number, line.rstrip()

    def _plain(self, start: int, end: int) -> Iterator[str]:
        """A piece of the text without the numbers of lines of the file itself; those of other files are kept."""
        file = self.markers.locate(start).file
        yield from () if self._is_own(file) else (str(self.markers.locate(start)),)
        at = start
        for found in _MARKER.finditer(self.text, start, end):
            yield from self._lines(at, found.start())
            now = self.markers.locate(found.end() + 1)
            if not self._is_own(now.file):
                yield found[0]
            elif not self._is_own(file):
                yield "# own"
            file, at = now.file, found.end()
        yield from self._lines(at, end)

    def _is_own(self, file: str) -> bool:
        return os.path.basename(file) == self.name

    def _lines(self, start: int, end: int) -> Iterator[str]:
        yield from (line for line in self.text[start:end].split("\n") if line.strip())


def _without_inside(line: str, is_first: bool, is_last: bool) -> str:
    """What stands before and behind a body in its first and its last line, if that is beyond doubt; else all."""
    opening, closing = line.count("{"), line.count("}")
    if is_first and is_last:
        is_clear = opening == closing == 1
        return f"{line[: line.index('{')]}{line[line.index('}') :]}" if is_clear else line
    if is_first:
        return line[: line.index("{")] if opening == 1 and not closing else line
    return line[line.index("}") :] if closing == 1 and not opening else line


def _blank_comment(found: re.Match[str]) -> str:
    return found[0] if found[0][0] in "\"'" else " " + "\n" * found[0].count("\n")


def _facts(file: PreparedFile, text: str) -> Iterator[str]:
    """What is said about the file as a whole, in whatever function."""
    program = file.program
    yield repr(sorted((name, repr(one.type)) for name, one in program.functions.items() if not one.is_defined))
    yield repr(sorted((name, repr(one.type)) for name, one in program.globals.items() if not one.is_defined))
    yield repr((sorted(functions_without_return(program)), reads_descriptor_0(program)))
    yield repr((may_access_registers(program), sorted(_volatile_names(program))))
    yield repr((sorted(enumerators(file.ctypes).items()), sorted(repeated_enumerators(text))))
    yield repr((file.flags, str(file.working_directory), str(file.compiler), file.warnings, file.notes))
    yield repr((file.definitions, file.inline_functions, file.functions, file.included_functions))


def _volatile_names(program: Program) -> Collection[str]:
    """Symbols that any code accesses as volatile: those of other files may be registers."""
    every = (each for one in program.functions.values() for each in one.instructions())
    return {name for each in every if "volatile" in each.flags for name in _SYMBOL.findall(each.text)}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _ranges(numbers: Iterable[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        together = [number for _, number in group]
        yield f"{together[0]}-{together[-1]}" if len(together) > 1 else str(together[0])


def _numbers(ranges: LineRanges) -> Iterator[int]:
    for each in filter(None, ranges.split(",")):
        first, _, last = each.partition("-")
        yield from range(int(first), int(last or first) + 1)
