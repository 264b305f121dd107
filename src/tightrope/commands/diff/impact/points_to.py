"""Points-to analysis: the memory to which an address may point. Andersen's (1994), with constant offsets.

An *object* is a global, a local that lives in memory, a call that allocates memory, or EVERYTHING, for addresses of
unknown origin. A *target* is an object and the offset in it, None for any. The contents of an object are not
distinguished by offset. Integers are followed, too, because an address may be stored in one.

The result is an over-approximation: what escapes to code without a body may be anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from tightrope.commands.diff.impact.instruction_keys import values_of
from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.library.table import Fact, functions_with
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import NAME, find_close, split_commas
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.ir.read_operand import read_value
from tightrope.program.ir.read_type import parse_type
from tightrope.program.ir.types import ArrayType, StructType, Type
from tightrope.weaving.weave_library import ALLOCATORS

EVERYTHING = 0
Target = tuple[int, int | None]
ANYWHERE: frozenset[Target] = frozenset({(EVERYTHING, None)})
MOST_OFFSETS = 6  # of one value in one object; more become any offset

_SYMBOL = re.compile(rf"@{NAME}")
_ADDRESS = re.compile(r"getelementptr (?:[a-z]+(?:\([^()]*\))? )*\(")
_ALLOCATORS = frozenset((*ALLOCATORS, *(f"@{name}" for name in functions_with(Fact.ALLOCATES))))
_COPIES = ("@llvm.memcpy.", "@llvm.memmove.", "@llvm.memcpy.inline.")
_NO_ADDRESS = ("icmp", "fcmp", "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "uitofp", "sitofp", "fptoui", "fptosi")


_OURS = frozenset(
    f"@tightrope_{name}"
    for name in "input assume prefer bound promise hand_over fit turn beyond limit returned output condition reach"
    " label_begin label_end".split()
)
_NOTES = "@tightrope_note_"  # these only look


def is_silent(callee: str, silent: Container[str]) -> bool:
    """True if a function without a body neither keeps nor writes what is passed to it, except as in `effects`."""
    return callee.startswith(("@llvm.", _NOTES)) or callee in _OURS or callee[1:] in silent


@dataclass(slots=True)
class PointsToAnalysis:
    """`targets` by place; `names` of objects by number."""

    code: NumberedCode
    silent: Container[str] = ()  # library functions that write no memory
    names: list[str] = field(default_factory=lambda: [""])
    sizes: list[int | None] = field(default_factory=lambda: [None])
    types: list[Type | None] = field(default_factory=lambda: [None])
    targets: dict[int, frozenset[Target]] = field(default_factory=dict)
    content: dict[int, frozenset[Target]] = field(default_factory=dict)
    _numbers: dict[object, int] = field(default_factory=dict)
    _constants: dict[str, frozenset[Target]] = field(default_factory=dict)
    _known_callers: dict[str, list[int]] = field(default_factory=dict)
    _known_callees: dict[int, tuple[str, ...]] = field(default_factory=dict)
    layout: Layout = field(init=False)
    _is_changed: bool = False

    def __post_init__(self) -> None:
        self.layout = Layout(self.code.program)

    # -- questions

    def of_value(self, function: str, value: Value) -> frozenset[Target]:
        """The targets that the value may point to."""
        if not value.is_local:
            return self._of_constant(value.text)
        at = self.code.definitions.get((function, value.text))
        return ANYWHERE if at is None else self.targets.get(at, frozenset())

    def number(self, name: str) -> int | None:
        """The number of a global's object."""
        return self._numbers.get(name)

    # -- the walk

    def find(self) -> PointsToAnalysis:
        """Process all instructions until a fixed point is reached."""
        for name in self.code.program.globals:
            self._object(name, name, self.code.program.globals[name].type)
        for name, one in self.code.program.globals.items():
            self._keep(self._numbers[name], self._of_constant(one.initializer))
        self._is_changed = True
        while self._is_changed:
            self._is_changed = False
            for place in range(len(self.code.instructions)):
                self._follow(place, self.code.instructions[place])
        return self

    def _follow(self, place: int, each: Instruction) -> None:
        function = self.code.function_of(place)
        if each.opcode == "alloca":
            kind = each.source_type if not each.operands else None
            self._point(place, {(self._object(place, each.result or "", kind), 0)})
        elif each.opcode == "getelementptr":
            self._point(place, self._moved(function, each))
        elif each.opcode == "load":
            self._point(place, self._held(self.of_value(function, each.operands[0])))
        elif each.opcode == "store":
            self._write(self.of_value(function, each.operands[1]), self.of_value(function, each.operands[0]))
        elif each.opcode in ("call", "invoke"):
            self._call(place, function, each)
        elif each.opcode == "ret":
            self._return(function, each)
        elif each.opcode in ("cmpxchg", "atomicrmw"):
            where = self.of_value(function, each.operands[0])
            for value in each.operands[1:]:
                self._write(where, self.of_value(function, value))
            self._point(place, self._held(where))
        elif each.result and each.opcode not in _NO_ADDRESS:
            self._compute(place, function, each)

    def _compute(self, place: int, function: str, each: Instruction) -> None:
        """A number computed from addresses may be an address with any offset."""
        found: set[Target] = set()
        is_same = each.opcode in ("phi", "select", "bitcast", "freeze", "addrspacecast", "inttoptr", "ptrtoint")
        for value in values_of(each):
            targets = self.of_value(function, value)
            found |= targets if is_same else {(one, None) for one, _ in targets}
        self._point(place, found)

    def _moved(self, function: str, each: Instruction) -> set[Target]:
        by = self._offset(each.source_type, each.operands[1:])
        base = self.of_value(function, each.operands[0])
        return {(one, None if by is None or at is None else at + by) for one, at in base}

    def _offset(self, kind: Type | None, indices: Iterable[Value]) -> int | None:
        assert kind is not None
        inside: Type = ArrayType(0, kind)
        total = 0
        for index in indices:
            if not index.text.lstrip("-").isdigit():
                return None
            body, number = self.layout.body(inside), int(index.text)
            total += self.layout.offset_of(inside, number)
            inside = body.elements[number] if isinstance(body, StructType) else getattr(body, "element", body)
        return total

    def _call(self, place: int, function: str, each: Instruction) -> None:
        callees = self._callees(place, each)
        given = [self.of_value(function, one.value) for one in each.arguments]
        for name in callees:
            for index, targets in enumerate(given[: len(self.code.program.functions[name].parameters)]):
                at = self.code.parameter(name, index)
                if at is not None:
                    self._point(at, targets)
        if each.callee.startswith(_COPIES):
            self._write(given[0], self._held(given[1]))
        elif not callees:
            self._call_outside(place, each, given)

    def _call_outside(self, place: int, each: Instruction, given: list[frozenset[Target]]) -> None:
        known: frozenset[Target] = frozenset().union(*given)
        if each.callee in _ALLOCATORS:
            self._point(place, {(self._object(place, "allocated memory", None), 0), *(given[0] if given else ())})
            self._keep(self._numbers[place], self._held(known))
        elif each.callee == "@tightrope_choose":
            self._write(given[1], self._held(given[2]))
        elif each.callee.startswith(("@llvm.va_start", "@llvm.va_copy")):
            self._write(given[0], ANYWHERE)
        elif is_silent(each.callee, self.silent):
            if each.result:
                own = {(self._object(("library", each.callee), "memory of the library", None), None)}
                self._point(place, own | known)
                self._keep(self._numbers["library", each.callee], own)
        else:
            self._keep(EVERYTHING, known | ANYWHERE)
            self._point(place, known | ANYWHERE)

    def _return(self, function: str, each: Instruction) -> None:
        targets = self.of_value(function, each.operands[0]) if each.operands else frozenset()
        for place in self._callers().get(function, ()):
            self._point(place, targets)

    def _callers(self) -> dict[str, list[int]]:
        if not self._known_callers:
            for place, each in enumerate(self.code.instructions):
                if each.opcode in ("call", "invoke"):
                    for name in self._callees(place, each):
                        self._known_callers.setdefault(name, []).append(place)
        return self._known_callers

    def _callees(self, place: int, each: Instruction) -> tuple[str, ...]:
        known = self._known_callees.get(place)
        if known is None:
            known = self._known_callees[place] = self.code.callees(each)
        return known

    # -- sets

    def _object(self, key: object, name: str, kind: Type | None) -> int:
        """The number of an object. `kind`: None if its size is unknown."""
        if key not in self._numbers:
            self._numbers[key] = len(self.names)
            self.names.append(name)
            self.sizes.append(self._size(kind) if kind is not None else None)
            self.types.append(kind)
        return self._numbers[key]

    def _size(self, kind: Type) -> int | None:
        try:
            return self.layout.size_of(kind)
        except ValueError:
            return None

    def _point(self, place: int, targets: Iterable[Target]) -> None:
        before = self.targets.get(place, frozenset())
        after = _narrow(before | frozenset(targets))
        if after != before:
            self.targets[place], self._is_changed = after, True

    def _keep(self, one: int, targets: Iterable[Target]) -> None:
        before = self.content.get(one, frozenset())
        after = _narrow(before | frozenset(targets))
        if after != before:
            self.content[one], self._is_changed = after, True

    def _write(self, where: Iterable[Target], targets: frozenset[Target]) -> None:
        if targets:
            for one, _ in where:
                self._keep(one, targets)

    def _held(self, where: Iterable[Target]) -> frozenset[Target]:
        """The contents of the targets. EVERYTHING may hold whatever was stored anywhere."""
        found: set[Target] = set()
        for one, _ in where:
            found |= self.content.get(one, frozenset()) if one != EVERYTHING else ANYWHERE
        return frozenset(found | self.content.get(EVERYTHING, frozenset()))

    def _of_constant(self, text: str) -> frozenset[Target]:
        if "@" not in text:
            return ANYWHERE if text.startswith("inttoptr") else frozenset()
        known = self._constants.get(text)
        if known is None:
            known = self._constants[text] = frozenset(self._read(text))
        return known

    def _read(self, text: str) -> Iterator[Target]:
        if text in self._numbers:
            yield self._numbers[text], 0
            return
        found = _ADDRESS.match(text)
        if found and find_close(text, found.end() - 1) == len(text) - 1:
            kind, *parts = split_commas(text[found.end() : -1])
            base, *indices = map(read_value, parts)
            by = self._offset(parse_type(kind), indices)
            for one, at in self._of_constant(base.text):
                yield one, None if by is None or at is None else at + by
            return
        inside = [range(each.start(), find_close(text, each.end() - 1)) for each in _ADDRESS.finditer(text)]
        for each in _SYMBOL.finditer(text):  # a table of addresses
            if each.group() in self._numbers:
                yield self._numbers[each.group()], None if any(each.start() in one for one in inside) else 0


def _narrow(targets: frozenset[Target]) -> frozenset[Target]:
    """Replace too many offsets in one object by any offset, which then stays."""
    counts: dict[int, int] = {}
    for one, at in targets:
        counts[one] = counts.get(one, 0) + (1 if at is not None else MOST_OFFSETS + 1)
    wide = {one for one, count in counts.items() if count > MOST_OFFSETS}
    return frozenset((one, None if one in wide else at) for one, at in targets) if wide else targets
