"""Who may call whom.

A direct call names its callee (through an alias, too). An indirect call may reach every function whose address
is taken somewhere and whose type is the call's; through `f()` without a prototype, any of them. A function
without a body may call the functions whose address it is given directly, as `qsort` does.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Instruction, Program
from tightrope.program.ir.types import FunctionType

_CALLS = ("call", "invoke", "callbr")
_SYMBOL = re.compile(rf"@{NAME}")
_ALIAS = re.compile(rf"(@{NAME}) = (?:[a-z_]+(?:\([^()]*\))? )*(?:alias|ifunc) .*?(@{NAME})")


@dataclass(frozen=True, slots=True)
class CallGraph:
    """`callees[f]` and `callees_of_block[f, b]`: what may be called, in the order of the text."""

    callees: Mapping[str, tuple[str, ...]]
    callees_of_block: Mapping[tuple[str, str], tuple[str, ...]]  # blocks without calls are absent
    address_taken: frozenset[str]


def build_call_graph(program: Program) -> CallGraph:
    """The call graph of everything that was read; intrinsics are functions without a body like any other."""
    for known, graph in _recent:
        if known is program:
            return graph
    graph = _build(program)
    _recent.append((program, graph))
    return graph


_recent: deque[tuple[Program, CallGraph]] = deque(maxlen=4)  # many questions are asked about one program


def _build(program: Program) -> CallGraph:
    aliases = find_aliases(program)
    taken = find_address_taken(program)
    candidates = [program.functions[name] for name in program.functions if name in taken]
    of_block = {
        (function.name, block.name): called
        for function in program.functions.values()
        for block in function.blocks
        if (called := tuple(_distinct_callees(program, block.instructions, aliases, candidates)))
    }
    callees: dict[str, dict[str, None]] = {name: {} for name in program.functions}
    for (name, _), names in of_block.items():
        callees[name].update(dict.fromkeys(names))
    return CallGraph({name: tuple(names) for name, names in callees.items()}, of_block, taken)


def _distinct_callees(
    program: Program, instructions: tuple[Instruction, ...], aliases: Mapping[str, str], candidates: list[Function]
) -> dict[str, None]:
    called: dict[str, None] = {}
    for instruction in instructions:
        if instruction.opcode in _CALLS and not instruction.is_assembly:
            called.update(dict.fromkeys(_callees(program, instruction, aliases, candidates)))
    return called


def _callees(
    program: Program, call: Instruction, aliases: Mapping[str, str], candidates: list[Function]
) -> Iterator[str]:
    callee = aliases.get(call.callee, call.callee)
    if callee not in program.functions:
        yield from (function.name for function in candidates if _may_be_called(function, call.function_type))
        return
    yield callee
    if not program.functions[callee].is_defined:
        given = (aliases.get(argument.value.text, argument.value.text) for argument in call.arguments)
        yield from (name for name in given if name in program.functions)


def _may_be_called(function: Function, kind: FunctionType | None) -> bool:
    return kind is None or (kind.is_variadic and not kind.parameters) or function.type == kind


def find_aliases(program: Program) -> Mapping[str, str]:
    """Other names of functions, and the function that each stands for."""
    found = (_ALIAS.match(line) for line in program.prelude if line.startswith("@"))
    direct = {match.group(1): match.group(2) for match in found if match}
    return {name: _follow(direct, name) for name in direct}


def _follow(direct: Mapping[str, str], name: str) -> str:
    seen = {name}
    while name in direct and direct[name] not in seen:
        name = direct[name]
        seen.add(name)
    return name


def find_address_taken(program: Program) -> frozenset[str]:
    """Functions that appear anywhere but as the callee of a direct call."""
    aliases = find_aliases(program)
    texts = [value.initializer for value in program.globals.values()]
    texts += [text for function in program.functions.values() for text in _operand_texts(function)]
    names = {aliases.get(name, name) for text in texts if "@" in text for name in _SYMBOL.findall(text)}
    return frozenset(name for name in names if name in program.functions)


def _operand_texts(function: Function) -> Iterator[str]:
    for instruction in function.instructions():
        if "@" not in instruction.text:
            continue
        if instruction.opcode in _CALLS:
            yield from (argument.value.text for argument in instruction.arguments)
        else:
            yield instruction.text


def reachable_functions(program: Program, root: str, graph: CallGraph | None = None) -> tuple[str, ...]:
    """The root and every function that it may call, directly or not, nearest first."""
    callees = (graph or build_call_graph(program)).callees
    order, seen = [root], {root}
    for name in order:  # grows while it is walked
        fresh = [callee for callee in callees.get(name, ()) if callee not in seen]
        order += fresh
        seen.update(fresh)
    return tuple(order)
