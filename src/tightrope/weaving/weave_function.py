"""One function of the normal form -> the same function with probes.

Before:                               After:
    %cmp = icmp sgt i32 %a, 3             %tr.1 = zext i32 %a to i64
    br i1 %cmp, label %x, label %y        %cmp.tr0 = call i32 @tr_compare(i32 6, i32 32, i32 %a.tr0, i64 %tr.1, ...)
                                          %cmp = icmp sgt i32 %a, 3
                                          %tr.2 = zext i1 %cmp to i32
                                          call void @tr_branch(i32 7, i32 %cmp.tr0, i32 %tr.2)
                                          br i1 %cmp, label %x, label %y

Each scalar leaf of a value has a shadow of its own (`%cmp.tr0`), an expression number; the literal 0
where nothing symbolic can be. Blocks are split only where regions of labels are jumped over (regions.py): phi
nodes then name the last part of the block that control comes from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property

from tightrope.harness.driver import is_driver
from tightrope.library.libc_models import is_model
from tightrope.program.flow.control_dependence import find_joins
from tightrope.program.flow.points import Points
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Block, Function, Instruction, Program, Value
from tightrope.program.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from tightrope.program.marks.regions import find_jumps, region_blocks, unended_begin
from tightrope.program.marks.unwritten import is_ours
from tightrope.running.places import PlaceTable
from tightrope.weaving.mark_table import MarkTable
from tightrope.weaving.unwritten_leaves import LeafTable
from tightrope.weaving.weave_flows import flow_locals
from tightrope.weaving.weave_loops import NOTHING_PURE, NOTHING_WATCHED, PureCode, WatchedLoops, find_watched_loops

EMPTY_TABLE = MarkTable()

Shadow = tuple[str, ...]
Handler = Callable[["FunctionWeaver", Instruction], None]

_INCOMING = re.compile(rf", %({NAME}) \]")
_UNDEFINED = re.compile(r"(?<![%@.\w\"$-])(undef|poison)\b")


def scalar_bits(kind: Type) -> int:
    """Bits of a scalar that is tracked; 0 for one that is not (i128, long double, half)."""
    if isinstance(kind, IntType):
        return kind.bits if kind.bits <= 64 else 0
    if isinstance(kind, PointerType):
        return 64
    if isinstance(kind, FloatType):
        return {"float": 32, "double": 64}.get(kind.name, 0)
    return 0


def sort_of(kind: Type) -> int:
    return 1 if isinstance(kind, FloatType) else 0


def nature_of(kind: Type) -> int:
    """The sort of a scalar where the runtime wants to know addresses from other numbers."""
    return 2 if isinstance(kind, PointerType) else sort_of(kind)


def is_own_function(function: Function) -> bool:
    """True for functions of the driver and of models; some of them are static and have any name."""
    place = next((each.location for each in function.instructions() if each.location), None)
    return is_ours(function.name) or (place is not None and (is_model(place.file) or is_driver(place)))


def is_aggregate(kind: Type) -> bool:
    return isinstance(kind, StructType | ArrayType | VectorType | NamedType)


def is_stub(function: Function) -> bool:
    """A function that the driver defines in place of another one."""
    is_ours = function.is_defined and function.location is not None and is_driver(function.location)
    return is_ours and (function.name.startswith("@tightrope_stub_") or not function.name.startswith("@tightrope_"))


class FunctionWeaver:
    """Writes one function. `lines` grows; everything else is settled at the start."""

    def __init__(
        self,
        program: Program,
        function: Function,
        layout: Layout,
        points: Points,
        places: PlaceTable,
        handlers: Mapping[str, Handler],
        tables: list[str],
        checks: Collection[str] = (),
        mark_table: MarkTable = EMPTY_TABLE,
        leaves: LeafTable | None = None,
        is_unit: bool = False,
        pure: PureCode = NOTHING_PURE,
    ) -> None:
        self.program, self.function, self.layout = program, function, layout
        self.points, self.places, self.handlers, self.tables = points, places, handlers, tables
        self._checks, self.is_unit, self._pure = checks, is_unit, pure
        self.unwritten = LeafTable(places) if leaves is None else leaves
        self.mark_table, self.function_marks = mark_table, mark_table.marks_in(function)
        self._region_blocks = region_blocks(function)
        self.parts: dict[int, str] = {}  # by id of a mark of labels: the part of its block that starts behind it
        self.behind: dict[int, str] = {}  # by id of a begin: the part behind the end of its region
        self._last_parts: dict[str, str] = {}  # by block
        self._name_parts()
        self.in_label = False  # what is woven only computes the predicate of a label
        self.lines: list[str] = []
        self.block: Block = function.blocks[0]
        self._fresh = 0
        self._shadows = self._name_shadows()
        self.has_frame = (
            any(p.byval for p in function.parameters)
            or function.type.is_variadic
            or any(i.opcode == "alloca" for b in function.blocks for i in b.instructions)
        )
        self.uses = self._count_uses()
        self.definitions = {i.result: i for b in function.blocks for i in b.instructions if i.result}

    @property
    def checks(self) -> Collection[str]:
        """The requested checks. None in the predicate of a label, because its errors are not those of the program."""
        return () if self.in_label else self._checks

    @cached_property
    def is_ours(self) -> bool:
        return is_own_function(self.function)

    @cached_property
    def kept_addresses(self) -> frozenset[str]:
        """Addresses computed by getelementptr with which something else is done than to read or write what is there."""
        return frozenset(_kept_addresses(self.function))

    @cached_property
    def joins(self) -> Mapping[str, str]:
        """By block that ends in a branch: where its ways meet again. Not of functions of Tightrope."""
        return {} if self.is_ours else find_joins(self.function)

    @cached_property
    def _loops(self) -> WatchedLoops:
        """Not of functions of Tightrope, whose loops end."""
        if self.is_ours:
            return NOTHING_WATCHED
        return find_watched_loops(self.function, self._pure, is_checked=bool(self._checks))

    def _name_parts(self) -> None:
        """The parts of blocks in which regions begin and end that may be jumped over."""
        for number, jump in enumerate(find_jumps(self.function)):
            self.parts[id(jump.begin)] = f"tr.label.{number}"
            self.parts[id(jump.end)] = self.behind[id(jump.begin)] = f"tr.behind.{number}"
        for block in self.function.blocks if self.parts else ():
            for each in block.instructions:
                if id(each) in self.parts:
                    self._last_parts[block.name] = self.parts[id(each)]

    # -- shadows

    def _name_shadows(self) -> dict[str, Shadow]:
        shadows: dict[str, Shadow] = {}
        for parameter in self.function.parameters:
            shadows[parameter.name] = ("0",) if parameter.byval else self._fresh_shadow(parameter.name, parameter.type)
        for block in self.function.blocks:
            for instruction in block.instructions:
                if instruction.result:
                    is_tracked = instruction.opcode in self.handlers or instruction.opcode == "phi"
                    is_tracked = is_tracked and instruction.opcode != "callbr"  # nothing can stand behind it
                    shadow = self._fresh_shadow(instruction.result, instruction.type)
                    shadows[instruction.result] = shadow if is_tracked else ("0",) * len(shadow)
        return shadows

    def _fresh_shadow(self, name: str, kind: Type) -> Shadow:
        leaves = self.leaves(kind)
        return tuple(suffixed(name, f"tr{i}") if scalar_bits(leaf) else "0" for i, (leaf, _) in enumerate(leaves))

    def leaves(self, kind: Type) -> Sequence[tuple[Type, int]]:
        """The scalars of a type and their byte offsets."""
        return self.layout.leaves(kind) if is_aggregate(kind) else ((kind, 0),)

    def shadow(self, value: Value) -> Shadow:
        if value.is_local:
            return self._shadows[value.text]
        return ("0",) * len(self.leaves(value.type))

    def shadow_of(self, value: Value) -> str:
        """The shadow of a scalar."""
        return self.shadow(value)[0]

    def result_shadow(self, instruction: Instruction) -> Shadow:
        return self._shadows[instruction.result] if instruction.result else ()

    def define(self, name: str, expression: str) -> None:
        """Define a shadow; one that is statically 0 has no name to define."""
        if name != "0":
            self.emit(f"{name} = {expression}")

    def alias(self, instruction: Instruction, shadows: Sequence[str]) -> None:
        """The result's shadows are those given."""
        for name, source in zip(self.result_shadow(instruction), shadows, strict=True):
            self.define(name, f"add i32 {source}, 0")

    def no_shadow(self, instruction: Instruction) -> None:
        self.alias(instruction, ["0"] * len(self.result_shadow(instruction)))

    # -- writing

    def emit(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def original(self, instruction: Instruction) -> None:
        self.lines.append(wrapping_text(instruction.text))

    def fresh(self) -> str:
        self._fresh += 1
        return f"%tr.{self._fresh}"

    def let(self, expression: str) -> str:
        name = self.fresh()
        self.emit(f"{name} = {expression}")
        return name

    def call(self, probe: str, *arguments: str) -> None:
        self.emit(f"call void @{probe}({', '.join(arguments)})")

    def ask(self, probe: str, *arguments: str) -> str:
        return f"call i32 @{probe}({', '.join(arguments)})"

    def place(self, what: str, instruction: Instruction) -> str:
        """The place of an instruction. For a stub, it is the call, because the user does not know the C of the stub."""
        if is_stub(self.function):
            return f"i32 {self.let('load i32, ptr @tr_call_place')}"
        return f"i32 {self.places.number(what, instruction.location)}"

    def check(self, probe: str, shadow: str, what: str, instruction: Instruction) -> None:
        """The run ends here if nothing has written the value."""
        if shadow != "0":
            self.call(probe, f"i32 {shadow}", self.place(what, instruction))

    # -- concrete values as numbers

    def bits(self, value: Value) -> str:
        """The operand as an i64: zero-extended, an address, or the bits of a float."""
        constant = constant_bits(value)
        if constant is not None:
            return str(constant)
        if isinstance(value.type, PointerType):
            return self.let(f"ptrtoint {value.type} {value.text} to i64")
        if isinstance(value.type, FloatType):
            number = self.let(f"bitcast {value.type} {value.text} to i{scalar_bits(value.type)}")
            return number if value.type.name == "double" else self.let(f"zext i32 {number} to i64")
        width = value.type.bits if isinstance(value.type, IntType) else 64
        return value.text if width == 64 else self.let(f"zext {value.type} {value.text} to i64")

    def leaf(self, value: Value, index: int) -> Value:
        """One scalar of a value, as an operand."""
        if not is_aggregate(value.type):
            return value
        kind, path = self._leaf_path(value.type, index)
        if isinstance(value.type, VectorType):
            return Value(kind, self.let(f"extractelement {value.type} {defined_text(value.text)}, i32 {index}"))
        indices = ", ".join(map(str, path))
        return Value(kind, self.let(f"extractvalue {value.type} {defined_text(value.text)}, {indices}"))

    def _leaf_path(self, kind: Type, index: int) -> tuple[Type, list[int]]:
        path: list[int] = []
        while is_aggregate(kind):
            for position, element in enumerate(self.elements(kind)):
                count = len(self.leaves(element))
                if index < count:
                    path.append(position)
                    kind = element
                    break
                index -= count
        return kind, path

    def elements(self, kind: Type) -> Sequence[Type]:
        if isinstance(kind, NamedType):
            kind = self.program.named_types[kind.name]
        if isinstance(kind, StructType):
            return kind.elements
        assert isinstance(kind, ArrayType | VectorType)
        return (kind.element,) * kind.count

    def pin_operand(self, value: Value, what: str, instruction: Instruction) -> None:
        """Keep the operand at its value in this run, where it is symbolic."""
        for index, shadow in enumerate(self.shadow(value)):
            if shadow != "0":
                number = self.bits(self.leaf(value, index))
                self.call("tr_pin", f"i32 {shadow}", f"i64 {number}", self.place(what, instruction))

    # -- the walk

    def weave(self) -> str:
        self.lines.append(self.function.header)
        for number, block in enumerate(self.function.blocks):
            self.block, self.in_label = block, block.name in self._region_blocks
            self.lines.append(f"{block.name}:")
            self._weave_phis(block)
            if block.name in self.joins.values() and not self.in_label:
                self.call("tr_join", f"i32 {self.points.numbers[self.function.name, block.name, None]}")
            if number == 0:
                self._weave_entry()
            if not self.in_label:
                self._weave_turn(block)
            counted_before = unended_begin(block) or last_step(block)  # in a region nothing is counted
            for instruction in block.instructions:
                if instruction is counted_before:
                    self.call("tr_point", f"i32 {self.points.numbers[self.function.name, block.name, None]}")
                if instruction.opcode != "phi":
                    self._weave_instruction(instruction)
        self.lines.append("}")
        return "\n".join(self.lines)

    def _weave_instruction(self, instruction: Instruction) -> None:
        handler = self.handlers.get(instruction.opcode, weave_unmodelled)
        handler(self, instruction)

    def _weave_phis(self, block: Block) -> None:
        phis = [i for i in block.instructions if i.opcode == "phi"]
        for phi in phis:
            text = _INCOMING.sub(lambda found: f", %{self._last_part(found[1])} ]", phi.text)
            self.lines.append(defined_text(text))
        for phi in phis:
            for index, name in enumerate(self.result_shadow(phi)):
                pairs = ((self.shadow(value)[index], self._last_part(label)) for value, label in phi.incoming)
                incoming = ", ".join(f"[ {shadow}, %{label} ]" for shadow, label in pairs)
                self.define(name, f"phi i32 {incoming}")
        loop = self._loops.by_header.get(block.name)
        if loop is not None:
            ways = ((int(name in loop.back), self._last_part(name)) for name in self._loops.predecessors[block.name])
            self.emit(f"{loop.turn} = phi i32 {', '.join(f'[ {goes_on}, %{label} ]' for goes_on, label in ways)}")

    def _weave_turn(self, block: Block) -> None:
        """See weave_loops.py."""
        loop = self._loops.by_header.get(block.name)
        for at, phi in enumerate(loop.state if loop else ()):
            assert loop is not None and phi.result is not None
            place = self.let(f"getelementptr i64, ptr {loop.room}, i64 {at}")
            self.emit(f"store i64 {self.bits(Value(phi.type, phi.result))}, ptr {place}")
        if loop is not None:
            self.call("tr_turn", f"ptr {loop.room}", f"i32 {len(loop.state)}", f"i32 {loop.turn}")
        if block.name in self._loops.changing:
            changes = self.let("load i64, ptr @tr_changes")
            self.emit(f"store i64 {self.let(f'add i64 {changes}, 1')}, ptr @tr_changes")

    def _last_part(self, block: str) -> str:
        return self._last_parts.get(block, block)

    def _weave_entry(self) -> None:
        """Take the shadows of the arguments from where the caller left them."""
        total = sum(1 if p.byval else len(self.leaves(p.type)) for p in self.function.parameters)
        self.call("tr_enter", f"ptr {self.function.name}", f"i32 {total}", f"i32 {signature(self.function.type)}")
        for line in (*self.function_marks.locals(), *flow_locals(self.function, self.mark_table.marks)):
            self.emit(line)
        for loop in self._loops.by_header.values():
            self.emit(f"{loop.room} = alloca [{loop.words} x i64]")
        if self.has_frame:
            self.emit("%tr.frame = call i32 @tr_frame()")
        if self.function.type.is_variadic:  # see runtime/variadic.c
            self.emit("%tr.variadics = alloca [128 x i64]")
            self.call("tr_take_variadics", "ptr %tr.variadics")
        position = copied = 0
        for parameter in self.function.parameters:
            if parameter.byval:
                size = self.layout.size_of(parameter.byval)
                self.call("tr_byval", f"ptr {parameter.name}", f"i32 {copied}", f"i64 {size}")
                copied += 1
            for name in self._shadows[parameter.name]:
                self.define(name, f"load i32, ptr {element_of('tr_arguments', position)}")
                position += 1

    def _count_uses(self) -> set[str]:
        """Names of locals that some instruction uses."""
        used: set[str] = set()
        for block in self.function.blocks:
            for instruction in block.instructions:
                used |= values_used(instruction)
        return used


def _kept_addresses(function: Function) -> Iterator[str]:
    steps = {each.result for each in function.instructions() if each.opcode == "getelementptr" and each.result}
    for instruction in function.instructions():
        used = values_used(instruction) & steps if instruction.opcode not in ("load", "getelementptr") else set()
        yield from used - {instruction.operands[1].text} if instruction.opcode == "store" else used


def values_used(instruction: Instruction) -> set[str]:
    """The operands of an instruction, as text."""
    return {
        *(value.text for value in instruction.operands),
        *(argument.value.text for argument in instruction.arguments),
        *(value.text for value, _ in instruction.incoming),
    }


def last_step(block: Block) -> Instruction:
    """A block counts as executed when all of it was, not when a crash may still come: before its terminator,
    or before the call that does not return."""
    last = block.instructions[-1]
    calls = [i for i in block.instructions if i.opcode == "call" and not i.callee.startswith("@llvm.dbg")]
    return calls[-1] if last.opcode == "unreachable" and calls else last


def weave_unmodelled(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """An instruction without a model: its operands are kept as in this run, its result is concrete."""
    what = unmodelled_name(instruction)
    for operand in instruction.operands:
        if not isinstance(operand.type, NamedType | StructType | ArrayType | VectorType) or operand.is_local:
            weaver.pin_operand(operand, what, instruction)
    weaver.original(instruction)
    if instruction.opcode in weaver.handlers:
        weaver.no_shadow(instruction)


def unmodelled_name(instruction: Instruction) -> str:
    kinds = [instruction.type, *(o.type for o in instruction.operands)]
    if any(isinstance(k, FloatType) and k.name in ("x86_fp80", "fp128", "ppc_fp128") for k in kinds):
        return "long double"
    if any(isinstance(k, FloatType) and k.name in ("half", "bfloat") for k in kinds):
        return "half-precision float"
    if any(isinstance(k, IntType) and k.bits > 64 for k in kinds):
        return "integer of more than 64 bits"
    if any(isinstance(k, VectorType) for k in kinds):
        return "vector operation"
    return f"`{instruction.opcode}`"


def constant_bits(value: Value) -> int | None:
    """The number behind a simple constant; None when the program must compute it."""
    text = value.text
    if text in ("null", "undef", "poison", "zeroinitializer", "false"):
        return 0
    if text == "true":
        return 1
    if isinstance(value.type, IntType) and re.fullmatch(r"-?\d+", text):
        return int(text) & ((1 << min(value.type.bits, 64)) - 1)
    return None


def suffixed(name: str, suffix: str) -> str:
    return f'{name[:-1]}.{suffix}"' if name.endswith('"') else f"{name}.{suffix}"


_PROMISES = re.compile(r"^(\s*\S+ = (?:add|sub|mul|shl|lshr|ashr))(?: nuw| nsw| exact)+ ")


def wrapping_text(text: str) -> str:
    """An instruction without flags which promise that its result fits: without a check, it wraps."""
    return _PROMISES.sub(r"\1 ", defined_text(text), count=1)


def defined_text(text: str) -> str:
    """Undefined values become zero, so that a run does not depend on the optimiser."""
    return _UNDEFINED.sub("zeroinitializer", text)


def element_of(variable: str, index: int) -> str:
    width = 8 if variable == "tr_copied" else 4
    return f"@{variable}" if index == 0 else f"getelementptr (i8, ptr @{variable}, i64 {index * width})"


def signature(kind: object) -> int:
    """A number for a function type, the same on both sides of a call."""
    number = 0
    for character in str(kind):
        number = (number * 131 + ord(character)) & 0x7FFFFFFF
    return number
