"""What an instruction does, as a key: instructions of two versions that do the same have the same key.

Names of registers and blocks are omitted, because they depend on the surrounding code. Names that are numbered per file
(`@.str.3`) or that have a layout (`%struct.point`) are replaced by their meaning. Marks are identified by what they
mark, and inputs by their paths, because their numbers shift with every change.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.library.table import FUNCTIONS
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Global, Instruction, Value
from tightrope.program.ir.types import ArrayType, StructType, Type
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH, Marks

Key = tuple[Hashable, ...]

_NAMED = re.compile(rf"([%@]){NAME}")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_NUMBERED = ("@tightrope_input", "@tightrope_choose", "@tightrope_output")
_PLAIN_FLAGS = frozenset(("tail", "musttail", "notail"))
_EXTENSION = re.compile(r"\b(?:signext|zeroext)\b")
ALTERABLE = ("store", "udiv", "urem")
_ASSERTIONS = frozenset(f"@{name}" for name, one in FUNCTIONS.items() if one.ends == "assertion")
_IN_FULL = ("cmpxchg", "atomicrmw", "fence", "va_arg")  # rare: compared by their text
_ATTRIBUTES = re.compile(r" #\d+|, align \d+|noundef |(?<=\()\s+")


@dataclass(slots=True)
class InstructionKeys:
    """The keys of one version. `inputs` has the path of each slot by number."""

    code: NumberedCode
    marks: Marks
    inputs: Sequence[str] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)  # globals that have another name in the other version
    by_order: Container[str] = ()  # functions whose variables differ only in their names
    layout: Layout = field(init=False)
    _types: dict[Type, str] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _conditions: list[Key] = field(default_factory=list)
    _variables: dict[str, int] = field(default_factory=dict)
    _shallow: dict[int, Key] = field(default_factory=dict)
    _deep: dict[tuple[int, int], Key] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.layout = Layout(self.code.program)
        for access in self.marks.accesses:
            self._variables.setdefault(access.variable, len(self._variables))
        self._conditions = [_condition_key(self.marks, *place) for place in self.marks.condition_places()]

    def shallow(self, place: int) -> Key:
        """The key without operands that are not constants."""
        known = self._shallow.get(place)
        if known is None:
            each, label = self.code.instructions[place], self.code.labels[place]
            inside = self.label(label) if label is not None else None
            is_stuck = self.code.is_trapped(place)
            known = self._shallow[place] = (*self._own(each), *self._operands(each), inside, is_stuck)
        return known

    def deep(self, place: int, depth: int = 3) -> Key:
        """The key with the keys of its operands."""
        known = self._deep.get((place, depth))
        if known is None:
            function, values = self.code.function_of(place), values_of(self.code.instructions[place])
            inner = tuple(self._operand(function, value, depth) for value in values if value.is_local)
            known = self._deep[place, depth] = (*self.shallow(place), inner)
        return known

    def rough(self, place: int) -> Key:
        """The key of a store or an unsigned division with only the address or the divisor."""
        each = self.code.instructions[place]
        operand = each.operands[1]
        found = self._operand(self.code.function_of(place), operand, 3) if operand.is_local else self._value(operand)
        return (each.opcode, self.type(each.operands[0].type), found)

    def _operand(self, function: str, value: Value, depth: int) -> Key | None:
        at = self.code.definitions.get((function, value.text))
        if at is None or not depth:
            return None
        if at >= len(self.code.instructions):
            return ("parameter", self.code.program.functions[function].parameters.index(_parameter(self.code, at)))
        if self.code.instructions[at].opcode == "phi":
            return ("phi",)
        return self.deep(at, depth - 1)

    # -- parts

    def _own(self, each: Instruction) -> Key:
        if each.opcode in _IN_FULL or each.is_assembly:
            return (each.opcode, self.text(_ATTRIBUTES.sub("", each.text)))
        if each.opcode == "getelementptr":
            return ("getelementptr", *self._address(each))
        if each.opcode in ("br", "phi", "switch"):
            return (each.opcode, self.type(each.type), each.cases, len(each.targets))
        return (
            each.opcode,
            self.type(each.type),
            each.predicate,
            tuple(sorted(each.flags - _PLAIN_FLAGS)),
            self.type(each.source_type) if each.source_type else "",
            each.indices,
            self.text(each.callee) if not each.callee.startswith("%") else "%",
            tuple(_EXTENSION.findall(each.text)) if each.callee else (),
        )

    def _operands(self, each: Instruction) -> Key:
        if each.opcode == "phi" or each.callee in _MARKS:
            return self._mark(each) if each.callee in _MARKS else ()
        if each.opcode == "getelementptr":
            return (self._value(each.operands[0]),)
        if each.callee in _ASSERTIONS:
            return ()  # only text for users: line and expression
        values = [self._value(value) for value in each.operands]
        given = [(self._value(one.value), self._passed(one.byval), self._passed(one.sret)) for one in each.arguments]
        if each.callee in _NUMBERED and each.arguments[0].value.text.isdigit():
            number = int(each.arguments[0].value.text)
            is_known = each.callee != "@tightrope_output" and number < len(self.inputs)
            given[0] = (self.inputs[number] if is_known else "", "", "")
        return (*values, *given)

    def _passed(self, kind: Type | None) -> str:
        return self.type(kind) if kind else ""

    def _value(self, value: Value) -> str:
        return "%" if value.is_local else f"{self.type(value.type)} {self.text(value.text)}"

    def constant(self, value: int | Value) -> Hashable:
        """A constant by its meaning; a place stays as it is."""
        return value if isinstance(value, int) else self._value(value)

    def _address(self, each: Instruction) -> Key:
        """The bytes to add, and the strides of the indices."""
        assert each.source_type is not None
        kind: Type = ArrayType(0, each.source_type)
        constant, steps = 0, []
        for index in each.operands[1:]:
            body = self.layout.body(kind)
            if index.is_local:
                steps.append(self.layout.size_of(getattr(body, "element", body)))
                kind = getattr(body, "element", body)
            else:
                number = int(index.text) if index.text.lstrip("-").isdigit() else 0
                constant += self.layout.offset_of(kind, number)
                kind = body.elements[number] if isinstance(body, StructType) else getattr(body, "element", body)
        return (
            constant,
            tuple(steps),
            tuple(sorted(each.flags)),
            tuple(str(index.type) for index in each.operands[1:]),
        )

    def _mark(self, each: Instruction) -> Key:
        number = int(each.arguments[0].value.text)
        if each.callee == CONDITION:
            return self._conditions[number]
        if each.callee == REACH:
            access = self.marks.accesses[number]
            name = self._variables[access.variable] if access.function in self.by_order else access.name
            return (name, access.is_definition)
        return self.label(number)

    def label(self, number: int) -> Key:
        """A label by its subject, but not by its predicate, in which names may differ."""
        label = self.marks.labels[number]
        return (label.criterion, label.kind, _WORD.sub("", label.what))

    def type(self, kind: Type) -> str:
        """The type written out: a struct by its members."""
        known = self._types.get(kind)
        if known is None:
            known = self._types[kind] = self.text(str(kind))
        return known

    def text(self, text: str) -> str:
        """The text with types written out, and private constants replaced by their contents."""
        if "%" not in text and "@" not in text:
            return text
        known = self._texts.get(text)
        if known is None:
            self._texts[text] = text  # a table that points to itself
            known = self._texts[text] = _NAMED.sub(self._spell, text)
        return known

    def global_key(self, one: Global) -> Key:
        """The type and the initial value of a global."""
        return (self.type(one.type), self.text(one.initializer), one.is_constant, one.is_defined, one.is_thread_local)

    def globals(self) -> dict[str, Global]:
        """The globals that the compiler did not create, by names valid in both versions."""
        known = self.code.program.globals.items()
        return {self.symbols.get(name, name): one for name, one in known if not self.is_private(name)}

    @staticmethod
    def is_private(name: str) -> bool:
        """True if the compiler created it, with a name that is numbered per file."""
        return bool(_PRIVATE.match(name))

    def _spell(self, found: re.Match[str]) -> str:
        name, program = found.group(), self.code.program
        if name[0] == "%":
            body = program.named_types.get(name)
            return f"<{name}: {self.type(body)}>" if body is not None else name
        one = program.globals.get(name)
        if one is not None and one.is_internal and self.is_private(name):
            return f"<{self.type(one.type)} {self.text(one.initializer)} {one.is_constant}>"
        return self.symbols.get(name, self.code.aliases.get(name, name))


_PRIVATE = re.compile(r'@"?(\.str|__const\.|__func__\.|__PRETTY_FUNCTION__\.|switch\.table)')
_MARKS = (CONDITION, LABEL_BEGIN, LABEL_END, REACH)


def values_of(each: Instruction) -> tuple[Value, ...]:
    """The values that it reads, including constants and operands of phi nodes."""
    callee = (Value(each.type, each.callee),) if each.callee.startswith("%") else ()
    given = tuple(one.value for one in each.arguments)
    return (*each.operands, *given, *callee, *(value for value, _ in each.incoming))


def _parameter(code: NumberedCode, place: int) -> object:
    function, index = code.parameters[place - len(code.instructions) - len(code.blocks)]
    return code.program.functions[function].parameters[index]


def _condition_key(marks: Marks, decision: int, at: int) -> Key:
    """A condition is identified by its place in the tree of its decision."""
    one = marks.decisions[decision]
    return (at, repr(one.tree), tuple(sorted(one.constants.items())))
