"""Locals that something may be used outside of, or at a misaligned place.

LLVM's SROA drops such accesses where it knows the place: `char t[4]; memset(t, 1, 5)` is compiled as if the C said 4,
and `t[4] = 1` as if it was not there. A mutant that does this is not equivalent. So a local stays in memory, where
accesses have to be inside of it, unless every use is seen to be inside: a call is given the others.

    %t = alloca [4 x i8]        ->   %t = alloca [4 x i8]
                                     call void @tightrope_keep(ptr %t)

Not all of them, because formulas are much larger with them. `int *p = t; p[3] = a` shows its place only when `p` is a
value: so SROA runs once with all that seem to be left, and what it shows decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Program
from tightrope.program.ir.read_ir import assemble, normalise
from tightrope.program.marks.unwritten import is_ours

_KEEP = "@tightrope_keep"
_FUNCTION = re.compile(rf"^define [^\n]* (@{NAME})\([^\n]*\n.*?^\}}", re.MULTILINE | re.DOTALL)
_ALLOCA = re.compile(rf"^  (%{NAME}) = alloca (.+?), align \d+.*$", re.MULTILINE)
_VALUE = re.compile(rf"%{NAME}")
_RESULT = re.compile(rf"  (%{NAME}) = ")
_LOAD = re.compile(rf"  %{NAME} = load (?:volatile )?(?P<type>.+?), ptr (?P<at>%{NAME})(?=,|$)")
_STORE = re.compile(rf"  store (?:volatile )?(?P<value>.+), ptr (?P<at>%{NAME})(?=, align|$)")
_ELEMENT = re.compile(
    rf"  (?P<to>%{NAME}) = getelementptr (?:inbounds |nuw |nusw )*(?P<type>.+?), ptr (?P<at>%{NAME})"
    r"(?P<steps>(?:, i\d+ -?\d+)+)(?=, !|$)"
)
_FILL = re.compile(
    rf"@llvm\.mem(?:set|cpy|move)\S*\(ptr [^%@,]*(?P<to>[%@]{NAME}), (?:i8 [^,]+|ptr [^%@,]*(?P<by>[%@]{NAME})),"
    r" i(?:32|64) (?P<length>\d+),"
)
_ALIGNMENT = re.compile(r", align (\d+)")  # of a load or store
_NOTE = re.compile(rf"    #dbg_|.* call void {_KEEP}\(")
_ARRAY = re.compile(r"\[(\d+) x (.+)\]")
_STRUCT = re.compile(rf"^(%{NAME}) = type (.+)$", re.MULTILINE)
_BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "i128": 16, "ptr": 8, "float": 4, "double": 8, "x86_fp80": 16}
_Locals = Mapping[str, frozenset[str]]  # by function


def keep_left_locals(text: str) -> str:
    """The text of a module in which SROA drops no access of the user's functions."""
    left = _left_locals(text)
    if not left:
        return text
    _, promoted = normalise(assemble(_keep(text, left)))
    return _keep(text, _left_locals(promoted))


def without_keeping(program: Program) -> Program:
    """The program without these calls."""
    functions = {name: _without_calls(each) for name, each in program.functions.items() if name != _KEEP}
    return replace(program, functions=functions)


def _without_calls(function: Function) -> Function:
    if all(each.callee != _KEEP for each in function.instructions()):
        return function
    blocks = (
        replace(block, instructions=tuple(each for each in block.instructions if each.callee != _KEEP))
        for block in function.blocks
    )
    return replace(function, blocks=tuple(blocks))


def _keep(text: str, kept: _Locals) -> str:
    """The text with a call for each of these locals."""
    if not kept:
        return text

    def edit(function: re.Match[str]) -> str:
        names = kept.get(function[1], frozenset())
        return _ALLOCA.sub(
            lambda each: f"{each[0]}\n  call void {_KEEP}(ptr {each[1]})" if each[1] in names else each[0], function[0]
        )

    return f"{_FUNCTION.sub(edit, text)}\ndeclare void {_KEEP}(ptr)\n"


def _left_locals(text: str) -> _Locals:
    """The locals of each function that something may be used outside of, as far as the text shows."""
    sizes = _Sizes(dict(_STRUCT.findall(text)))
    functions = {each[1]: each[0] for each in _FUNCTION.finditer(text) if not is_ours(each[1])}
    found = {name: _Uses.of(function, sizes).left() for name, function in functions.items()}
    return {name: left for name, left in found.items() if left}


@dataclass(frozen=True, slots=True)
class _Sizes:
    """How large types are. `structs`: what their names stand for."""

    structs: Mapping[str, str]

    def size(self, kind: str) -> int | None:
        """In bytes; None for a type that is not known."""
        found = self._layout(kind)
        return found[0] if found else None

    def offset(self, kind: str, steps: Sequence[int]) -> int | None:
        """Where these steps of a `getelementptr` lead."""
        size = self.size(kind)
        if size is None:
            return None
        at = steps[0] * size
        for step in steps[1:]:
            kind = self.structs.get(kind, kind).strip()
            array = _ARRAY.fullmatch(kind)
            if array:
                kind = array[2]
                at += step * (self.size(kind) or 0)
            elif kind.endswith(("}", "}>")):
                starts = self._starts(kind)
                if starts is None or not 0 <= step < len(starts):
                    return None
                kind = [*_members(_inside(kind))][step].strip()
                at += starts[step]
            else:
                return None
        return at

    def _layout(self, kind: str) -> tuple[int, int] | None:
        """Size and alignment."""
        kind = kind.strip()
        kind = self.structs.get(kind, kind)
        array = _ARRAY.fullmatch(kind)
        if array:
            each = self._layout(array[2])
            return (int(array[1]) * each[0], each[1]) if each else None
        if kind in _BYTES:
            return _BYTES[kind], _BYTES[kind]
        starts = self._starts(kind)
        if starts is None:
            return None
        layouts = [self._layout(member) for member in _members(_inside(kind))]
        largest = 1 if kind.startswith("<") else max((each[1] for each in layouts if each), default=1)
        last = layouts[-1] if layouts else None
        end = starts[-1] + last[0] if last else 0
        return -(-end // largest) * largest, largest

    def _starts(self, kind: str) -> list[int] | None:
        """Where each member of a struct starts."""
        is_packed = kind.startswith("<{")
        if not is_packed and not kind.startswith("{"):
            return None
        end, starts = 0, []
        for member in _members(_inside(kind)):
            layout = self._layout(member)
            if layout is None:
                return None
            alignment = 1 if is_packed else layout[1]
            starts.append(-(-end // alignment) * alignment)
            end = starts[-1] + layout[0]
        return starts


def _inside(struct: str) -> str:
    return struct[2:-2] if struct.startswith("<") else struct[1:-1]


def _members(text: str) -> Iterator[str]:
    """Types between commas that are in no brackets."""
    depth = start = 0
    for at, letter in enumerate(text):
        depth += (letter in "[{<(") - (letter in "]}>)")
        if letter == "," and not depth:
            yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:]


@dataclass(frozen=True, slots=True)
class _Uses:
    """The lines of a function that use each value."""

    lines: Mapping[str, Sequence[str]]
    locals: Mapping[str, str]  # name of a local -> its type
    sizes: _Sizes

    @classmethod
    def of(cls, function: str, sizes: _Sizes) -> _Uses:
        lines: dict[str, list[str]] = defaultdict(list)
        for line in function.splitlines()[1:]:
            if _NOTE.match(line):
                continue
            made = _RESULT.match(line)
            for name in set(_VALUE.findall(line, made.end() if made else 0)):
                lines[name].append(line)
        return cls(lines, dict(_ALLOCA.findall(function)), sizes)

    def left(self) -> frozenset[str]:
        """The locals that something may be used outside of."""
        return frozenset(name for name, kind in self.locals.items() if not self._is_inside(name, self.sizes.size(kind)))

    def _is_inside(self, name: str, size: int | None) -> bool:
        """True if nothing but these bytes is used through the address, and nobody else learns it."""
        places = [(name, 0)]
        while places:
            value, at = places.pop()
            for line in self.lines.get(value, ()):
                element = _ELEMENT.match(line)
                if element:
                    moved = self._moved(element)
                    if moved is None:
                        return False
                    places.append((element["to"], at + moved))
                elif size is None or _is_misaligned(line, at) or not self._uses_between(line, value, -at, size - at):
                    return False
        return True

    def _moved(self, element: re.Match[str]) -> int | None:
        return self.sizes.offset(element["type"], [int(each) for each in re.findall(r" (-?\d+)", element["steps"])])

    def _uses_between(self, line: str, value: str, first: int, end: int) -> bool:
        """True if the line uses only bytes from `first` on, before `end`, of what the value points to."""
        used = self._used(line, value)
        return used is not None and first <= 0 and used <= end

    def _used(self, line: str, value: str) -> int | None:
        """The bytes that a line uses at this address; None if that is not known."""
        if load := _LOAD.match(line):
            return self.sizes.size(load["type"])
        if (store := _STORE.match(line)) and store["at"] == value and value not in _VALUE.findall(store["value"]):
            return self.sizes.size(_type_of(store["value"]))
        fill = _FILL.search(line)
        is_known = fill and _VALUE.findall(line).count(value) == (fill["to"] == value) + (fill["by"] == value)
        return int(fill["length"]) if fill and is_known else None


def _is_misaligned(line: str, at: int) -> bool:
    """True if a load or store wants another address. SROA forgets that, too."""
    wanted = _ALIGNMENT.search(line)
    return wanted is not None and at % int(wanted[1]) != 0


def _type_of(typed: str) -> str:
    """`[2 x i64] %x` -> `[2 x i64]`"""
    depth = 0
    for at, letter in enumerate(typed):
        depth += (letter in "[{<(") - (letter in "]}>)")
        if letter == " " and not depth:
            return typed[:at]
    return typed
