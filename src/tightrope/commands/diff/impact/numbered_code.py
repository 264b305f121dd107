"""The code of one version with a number for each place, which all impact analyses use.

A *place* is an instruction, a block (whether it is executed), a parameter, or a function (whether it is called). They
are numbered in this order, so each kind is a range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.harness.driver import ENTRY as DRIVE
from tightrope.library.libc_models import PREFIX
from tightrope.location import Location
from tightrope.program.flow.call_graph import CallGraph, build_call_graph, find_aliases, reachable_functions
from tightrope.program.flow.control_dependence import ControlDependence, Side, find_control_dependence
from tightrope.program.flow.control_flow import Flow, flow_of
from tightrope.program.flow.graph import from_mask, reach, reachable, to_mask
from tightrope.program.ir.model import Block, Function, Instruction, Program, Value
from tightrope.program.ir.types import FunctionType
from tightrope.program.marks.marks import LABEL_BEGIN, LABEL_END

Decided = frozenset[tuple[int, int]]  # a terminator of a block, and the side taken there

ENTRY = f"@{DRIVE}"
MODEL = f"@{PREFIX}"  # before the name of a library function that has a model


@dataclass(slots=True)
class NumberedCode:
    program: Program
    calls: CallGraph
    functions: tuple[Function, ...]
    flows: dict[str, Flow]
    control: dict[str, ControlDependence]
    instructions: list[Instruction] = field(default_factory=list)
    block_of: list[int] = field(default_factory=list)  # by instruction: number of its block, over all functions
    labels: list[int | None] = field(default_factory=list)  # by instruction: the label to whose region it belongs
    blocks: list[tuple[str, int]] = field(default_factory=list)  # function, number in the function
    starts: list[int] = field(default_factory=list)  # by block: its first instruction
    first_block: dict[str, int] = field(default_factory=dict)
    definitions: dict[tuple[str, str], int] = field(default_factory=dict)  # function and '%x' -> place
    parameters: list[tuple[str, int]] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _reachable: dict[str, int] = field(default_factory=dict)
    _trapped: dict[str, int] = field(default_factory=dict)
    _endless: dict[str, int] = field(default_factory=dict)
    _below: dict[str, frozenset[str]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)  # other names of functions

    # -- places

    def block(self, function: str, number: int) -> int:
        """The place of a block, given by its number in the function."""
        return len(self.instructions) + self.first_block[function] + number

    def block_of_place(self, place: int) -> int:
        """Of an instruction: the place of its block."""
        return len(self.instructions) + self.block_of[place]

    def parameter(self, function: str, index: int) -> int | None:
        return self.definitions.get((function, self.program.functions[function].parameters[index].name))

    def called(self, function: str) -> int:
        """The place that represents calls of the function."""
        return len(self.instructions) + len(self.blocks) + len(self.parameters) + self._numbers[function]

    def first_of(self, place: int) -> int:
        """The first instruction of a block; for a parameter or a function, the first one of the function."""
        count = len(self.instructions)
        if place < count:
            return place
        if place < count + len(self.blocks):
            return self.starts[place - count]
        return self.places_of(self.function_of(place)).start

    def __len__(self) -> int:
        return len(self.instructions) + len(self.blocks) + len(self.parameters) + len(self.functions)

    # -- contents

    def function_of(self, place: int) -> str:
        count = len(self.instructions)
        if place < count:
            return self.blocks[self.block_of[place]][0]
        if place < count + len(self.blocks):
            return self.blocks[place - count][0]
        if place < count + len(self.blocks) + len(self.parameters):
            return self.parameters[place - count - len(self.blocks)][0]
        return self.functions[place - count - len(self.blocks) - len(self.parameters)].name

    def body(self, block: int) -> range:
        """The instructions of a block, given by its number over all functions."""
        end = self.starts[block + 1] if block + 1 < len(self.starts) else len(self.instructions)
        return range(self.starts[block], end)

    def last(self, function: str, number: int) -> int:
        """The instruction that ends a block."""
        return self.body(self.first_block[function] + number)[-1]

    def places_of(self, function: str) -> range:
        """The instructions of a function."""
        first = self.first_block[function]
        count = len(self.program.functions[function].blocks)
        return range(self.body(first).start, self.body(first + count - 1).stop)

    def location(self, place: int) -> Location | None:
        """Its place in the C, if the debug information has it."""
        if place >= len(self.instructions):
            return self._location_of_other(place)
        found = self.instructions[place].location
        return found if found is not None and found.line else None

    def _location_of_other(self, place: int) -> Location | None:
        number = place - len(self.instructions)
        if number < len(self.blocks):
            known = (self.location(each) for each in self.body(number))
            return next((each for each in known if each is not None), None)
        return self.program.functions[self.function_of(place)].location

    def definition(self, mark: int) -> int | None:
        """Where the value of a marked condition is computed."""
        value = self.instructions[mark].arguments[1].value
        return self.definitions.get((self.function_of(mark), value.text))

    def is_reached(self, place: int) -> bool:
        """True if control flow in the function may reach it."""
        function, number = self.blocks[self.block_of[place]]
        return bool(self._reached(function) >> number & 1)

    def trapped(self, function: str) -> int:
        """The blocks (as a mask of their numbers) from which no return is reachable."""
        if function not in self._trapped:
            flow = self.flows[function]
            ends = {n for n, block in enumerate(self.program.functions[function].blocks) if _returns(block)}
            masks = reach(flow.graph)
            stuck = (n for n in range(len(flow.blocks)) if not any(masks[n] >> end & 1 for end in ends))
            self._trapped[function] = to_mask(stuck) & self._reached(function)
        return self._trapped[function]

    def is_trapped(self, place: int) -> bool:
        """True if an instruction is in a loop without an exit."""
        function, number = self.blocks[self.block_of[place]]
        return bool(self._endless_part(function) >> number & 1)

    def _endless_part(self, function: str) -> int:
        if function not in self._endless:
            graph, trapped = self.flows[function].graph, self.trapped(function)
            masks = reach(graph) if trapped else ()
            again = (n for n in from_mask(trapped) if any(masks[target] >> n & 1 for target in graph.successors[n]))
            self._endless[function] = to_mask(again)
        return self._endless[function]

    def is_recursive(self, called: str, caller: str) -> bool:
        """True if the called function may call its caller, directly or indirectly."""
        if called not in self._below:
            self._below[called] = frozenset(self._called_by(called))
        return caller in self._below[called]

    def _called_by(self, function: str) -> set[str]:
        """All functions that it may call; itself only if it is recursive."""
        found: set[str] = set()
        waiting = [function]
        while waiting:
            for place in self.places_of(waiting.pop()):
                fresh = [name for name in self.callees(self.instructions[place]) if name not in found]
                found.update(fresh)
                waiting += fresh
        return found

    def _reached(self, function: str) -> int:
        if function not in self._reachable:
            self._reachable[function] = reachable(self.flows[function].graph, 0)
        return self._reachable[function]

    def deciding(self, place: int) -> Decided:
        """The branches of its function, with sides, that decide whether an instruction is executed."""
        function, number = self.blocks[self.block_of[place]]
        return self._decided(function, self.control[function].of_block[number])

    def ways(self, place: int) -> Iterator[tuple[int | Value, Decided]]:
        """The incoming places or constants of a phi node, each with the branches that decide its edge."""
        function, number = self.blocks[self.block_of[place]]
        flow, control = self.flows[function], self.control[function]
        for value, block in self.instructions[place].incoming:
            at = self.definitions.get((function, value.text))
            sides = control.of_edge.get((flow.numbers[block], number), frozenset())
            yield (value if at is None else at), self._decided(function, sides)

    def _decided(self, function: str, found: frozenset[Side]) -> Decided:
        return frozenset((self.last(function, number), side) for number, side in found)

    def callees(self, call: Instruction) -> tuple[str, ...]:
        """The functions with a body that a call may reach: the callee, its model, those whose addresses are passed to a
        function without a body, or, for a call through a pointer, all functions of that type."""
        if call.is_assembly or call.opcode not in ("call", "invoke"):
            return ()
        if call.callee.startswith("@"):
            callee = self.aliases.get(call.callee, call.callee)
            own = callee if callee in self._numbers else MODEL + callee[1:]
            return (own,) if own in self._numbers else self._given(call)
        taken = (self.program.functions[name] for name in sorted(self.calls.address_taken) if name in self._numbers)
        return tuple(each.name for each in taken if _may_be(each, call.function_type))

    def _given(self, call: Instruction) -> tuple[str, ...]:
        names = (argument.value.text for argument in call.arguments)
        return tuple(name for name in names if name in self._numbers)


def number_code(program: Program, entry: str = ENTRY) -> NumberedCode:
    calls = build_call_graph(program)
    functions = tuple(program.functions[name] for name in _functions(program, calls, entry))
    flows = {each.name: flow_of(each) for each in functions}
    control = {each.name: find_control_dependence(each, flows[each.name]) for each in functions}
    code = NumberedCode(program, calls, functions, flows, control, aliases=find_aliases(program))
    for number, function in enumerate(functions):
        code._numbers[function.name] = number
        code.first_block[function.name] = len(code.blocks)
        for at, block in enumerate(function.blocks):
            code.blocks.append((function.name, at))
            code.starts.append(len(code.instructions))
            _add(code, function.name, block.instructions)
    for function in functions:
        for index, parameter in enumerate(function.parameters):
            code.definitions[function.name, parameter.name] = (
                len(code.instructions) + len(code.blocks) + len(code.parameters)
            )
            code.parameters.append((function.name, index))
    return code


def _returns(block: Block) -> bool:
    return block.instructions[-1].opcode == "ret"


def _may_be(function: Function, kind: FunctionType | None) -> bool:
    return kind is None or kind.is_variadic or function.type == kind


def _add(code: NumberedCode, function: str, instructions: Sequence[Instruction]) -> None:
    for instruction, label in zip(instructions, _regions(instructions), strict=True):
        if instruction.result:
            code.definitions[function, instruction.result] = len(code.instructions)
        code.block_of.append(len(code.blocks) - 1)
        code.labels.append(label)
        code.instructions.append(instruction)


def _regions(instructions: Sequence[Instruction]) -> Iterator[int | None]:
    """For each instruction of a block, the label to whose predicate it belongs, as far as the block shows it."""
    label: int | None = None
    for each in instructions:
        if each.callee == LABEL_BEGIN:
            label = int(each.arguments[0].value.text)
        yield label
        if each.callee == LABEL_END:
            label = None


def _functions(program: Program, calls: CallGraph, entry: str) -> list[str]:
    """All functions that may run, including models and functions whose addresses are taken."""
    order = dict.fromkeys(reachable_functions(program, entry, calls))
    models = [MODEL + name[1:] for name in order if MODEL + name[1:] in program.functions]
    for name in (*models, *sorted(calls.address_taken)):
        order.update(dict.fromkeys(reachable_functions(program, name, calls)))
    return [name for name in order if program.functions[name].is_defined]
