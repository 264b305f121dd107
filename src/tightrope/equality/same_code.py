"""Whether two programs are the same code, if what computes a value that is never used is left out.

    int ret = ERROR;  ret = f();            ERROR as 0: the local is promoted, and its first value is gone
    static int add(int error, int line)     line as 0, where `add` does not look at it
    (void)(argc > 1);                       argc > 1 as argc < 1

Only what can have no effect is left out: computations that do not read memory and are defined for all operands, and
arguments that a function of the program does not use. Everything else must be the same, instruction by instruction, but
for the names of values. So this holds for every caller, also where runs end early, never end or leave a formula; and
nothing is concluded from undefined behaviour, as a compiler may do it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from itertools import zip_longest

from tightrope.program.ir.model import Function, Instruction, Program
from tightrope.program.marks.mutants import REACHED

_IDLE = frozenset(
    "add sub mul and or xor icmp select phi getelementptr extractvalue insertvalue trunc zext sext ptrtoint inttoptr"
    " bitcast".split()
)  # not: shifts and divisions, which may be undefined, and floating-point operations, which set flags
_CHECKED = frozenset(("add", "sub", "mul"))  # with --check, a run ends where these overflow
_UNDEFINED = ("undef", "poison")
_LOCAL = re.compile(r'%(?:"[^"]*"|[\w.$-]+)')
_QUOTED = re.compile(r'"[^"]*"')
_SYMBOL = re.compile(r'@(?:"[^"]*"|[\w.$-]+)')

Unused = Mapping[str, frozenset[int]]  # by function: positions of parameters


def is_same_but_unused(old: Program, new: Program, *, is_checked: bool = False) -> bool:
    """True if both do the same for every input; False if that is not seen. `is_checked`: arithmetic may end a run."""
    if (old.globals, old.named_types, old.data_layout) != (new.globals, new.named_types, new.data_layout):
        return False
    if any(name in old.named_types for program in (old, new) for name in _local_names(program)):
        return False  # a name of both could not be told apart
    idle = _IDLE - _CHECKED if is_checked else _IDLE
    return all(one == other for one, other in zip_longest(_keys(old, idle), _keys(new, idle)))


def _local_names(program: Program) -> Iterator[str | None]:
    for function in program.functions.values():
        yield from (each.name for each in function.parameters)
        yield from (f"%{each.name}" for each in function.blocks)
        yield from (each.result for each in function.instructions())


def _keys(program: Program, idle: Collection[str]) -> Iterator[Hashable]:
    used = _UsedValues(program, idle)
    for function in program.functions.values():
        if function.name != f"@{REACHED}":
            yield function.name, function.type, function.is_internal, len(function.blocks)
            yield from _keys_of(function, used)


class _UsedValues:
    """Which results and parameters something uses that has an effect. `idle`: operations that do nothing but to compute
    a value: no memory, no trap, nothing undefined."""

    def __init__(self, program: Program, idle: Collection[str]) -> None:
        self._idle = idle
        self.unused: Unused = {each.name: frozenset() for each in program.functions.values()}
        called_by_name = _only_called(program)
        while True:
            self.live = {each.name: _live(each, self.unused, idle) for each in program.functions.values()}
            found = {
                each.name: _unused_parameters(each, self.live[each.name])
                for each in program.functions.values()
                if each.name in called_by_name
            }
            if found.items() <= self.unused.items():
                return
            self.unused = {**self.unused, **found}

    def is_idle(self, function: Function, instruction: Instruction) -> bool:
        return instruction.opcode in self._idle and instruction.result not in self.live[function.name]


def _only_called(program: Program) -> frozenset[str]:
    """Functions of the program that are called by their name and type, and not mentioned otherwise."""
    mentions, calls = Counter[str](), Counter[str]()
    for function in program.functions.values():
        for each in function.instructions():
            mentions.update(_SYMBOL.findall(each.text))
            callee = program.functions.get(each.callee)
            if callee is not None and callee.type == each.function_type:
                calls[each.callee] += 1
    for variable in program.globals.values():
        mentions.update(_SYMBOL.findall(variable.initializer))
    mentions.update(name for line in program.prelude if "alias" in line for name in _SYMBOL.findall(line))
    own = (each for each in program.functions.values() if each.is_defined and each.is_internal)
    return frozenset(each.name for each in own if mentions[each.name] == calls[each.name])


def _unused_parameters(function: Function, live: Collection[str]) -> frozenset[int]:
    """Those whose passing has no effect, either: a copy of an object is made of memory."""
    plain = (at for at, one in enumerate(function.parameters) if one.byval is None and one.sret is None)
    return frozenset(at for at in plain if function.parameters[at].name not in live)


def _live(function: Function, unused: Unused, idle: Collection[str]) -> frozenset[str]:
    """Names of values that are used, directly or not, by an instruction with an effect."""
    makers = {each.result: each for each in function.instructions() if each.result is not None}
    waiting = [each for each in function.instructions() if each.opcode not in idle]
    live: set[str] = set()
    while waiting:
        for name in _names_in(waiting.pop(), unused):
            if name not in live:
                live.add(name)
                if name in makers and makers[name].opcode in idle:
                    waiting.append(makers[name])
    return frozenset(live)


def _names_in(instruction: Instruction, unused: Unused) -> Iterator[str]:
    """The names of local values, types and blocks that it mentions, without unused arguments. More names do no harm."""
    skipped = _skipped(instruction, unused)
    if not skipped:
        yield from _LOCAL.findall(instruction.text)
        return
    for at, argument in enumerate(instruction.arguments):
        if at not in skipped:
            yield from _LOCAL.findall(argument.value.text)


def _skipped(call: Instruction, unused: Unused) -> frozenset[int]:
    """Positions of arguments that nothing looks at. What was never written must not be passed: it stays."""
    positions = unused.get(call.callee, frozenset())
    return frozenset(at for at in positions if call.arguments[at].value.text not in _UNDEFINED)


def _keys_of(function: Function, used: _UsedValues) -> Iterator[Hashable]:
    """The function, with numbers for names, in the order in which they come."""
    numbers: dict[str, str] = {}
    for parameter in function.parameters:
        numbers[parameter.name] = f"%{len(numbers)}"
    kept = [[each for each in block.instructions if _is_kept(function, each, used)] for block in function.blocks]
    for block, instructions in zip(function.blocks, kept, strict=True):
        numbers[f"%{block.name}"] = f"%{len(numbers)}"
        for each in instructions:
            if each.result is not None:
                numbers[each.result] = f"%{len(numbers)}"
    for parameter in function.parameters:
        yield parameter.type, parameter.byval, parameter.sret
    for block, instructions in zip(function.blocks, kept, strict=True):
        yield numbers[f"%{block.name}"]
        yield from (_key(each, numbers, _skipped(each, used.unused)) for each in instructions)


def _is_kept(function: Function, instruction: Instruction, used: _UsedValues) -> bool:
    is_mark = instruction.opcode == "call" and instruction.callee == f"@{REACHED}"
    return not is_mark and not used.is_idle(function, instruction)


def _key(instruction: Instruction, numbers: Mapping[str, str], skipped: frozenset[int]) -> Hashable:
    def renamed(text: str) -> str:
        return _LOCAL.sub(lambda found: numbers.get(found[0], found[0]), text)

    if instruction.is_assembly:
        return renamed(instruction.text), tuple(_QUOTED.findall(instruction.text))
    if not skipped:
        return renamed(instruction.text)
    left = (one for at, one in enumerate(instruction.arguments) if at not in skipped)
    values = tuple((one.value.type, renamed(one.value.text), one.byval, one.sret) for one in left)
    return renamed(instruction.result or ""), instruction.callee, instruction.flags, skipped, values
