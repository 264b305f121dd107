"""Which definitions of a variable may reach which of its uses: forward through the blocks, until another definition.

The classic analysis of reaching definitions (A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, "Compilers", 9.2.4) over the
marks `call void @tightrope_reach(i32 n)` of a function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.program.ir.model import Block, Function, Instruction
from tightrope.program.marks.accesses import Access
from tightrope.program.marks.marks import REACH, DataFlow


def reached(instruction: Instruction) -> int | None:
    """The number of the access that an instruction marks."""
    if instruction.opcode != "call" or instruction.callee != REACH:
        return None
    return int(instruction.arguments[0].value.text)


def find_flows(function: Function, accesses: Sequence[Access]) -> tuple[DataFlow, ...]:
    """The pairs of a definition and a use, in the order of the uses. A variable of which one definition is not marked
    has none: what reaches its uses cannot be told."""
    kills = _kills(accesses)
    blocks = {block.name: _marks_of(block) for block in function.blocks}
    at_start = _solve(function, blocks, accesses, kills)
    found = {
        (definition, use)
        for name, numbers in blocks.items()
        for definition, use in _uses(numbers, at_start[name], accesses, kills)
        if not _is_lost(accesses, accesses[use].variable)
    }
    return tuple(DataFlow(function.name, *pair) for pair in sorted(found, key=lambda pair: (pair[1], pair[0])))


def _kills(accesses: Sequence[Access]) -> list[frozenset[int]]:
    """For each definition, all definitions of its variable."""
    of_variable: dict[str, list[int]] = {}
    for number, access in enumerate(accesses):
        if access.is_definition:
            of_variable.setdefault(access.variable, []).append(number)
    return [frozenset(of_variable.get(access.variable, ())) for access in accesses]


def _is_lost(accesses: Sequence[Access], variable: str) -> bool:
    return any(each.problem for each in accesses if each.variable == variable and each.is_definition)


def _marks_of(block: Block) -> list[int]:
    return [number for number in map(reached, block.instructions) if number is not None]


def _solve(
    function: Function, blocks: dict[str, list[int]], accesses: Sequence[Access], kills: Sequence[frozenset[int]]
) -> dict[str, frozenset[int]]:
    """The definitions that may hold at the start of each block."""
    at_start = dict.fromkeys(blocks, frozenset[int]())
    waiting = list(function.blocks)
    while waiting:
        block = waiting.pop()
        at_end = _pass(blocks[block.name], at_start[block.name], accesses, kills)
        for name in dict.fromkeys(block.successors):
            if not at_end <= at_start[name]:
                at_start[name] |= at_end
                waiting += [each for each in function.blocks if each.name == name]
    return at_start


def _pass(
    numbers: Sequence[int], held: frozenset[int], accesses: Sequence[Access], kills: Sequence[frozenset[int]]
) -> frozenset[int]:
    for number in numbers:
        if accesses[number].is_definition:
            held = held - kills[number] | {number}
    return held


def _uses(
    numbers: Sequence[int], held: frozenset[int], accesses: Sequence[Access], kills: Sequence[frozenset[int]]
) -> Iterator[tuple[int, int]]:
    for number in numbers:
        if accesses[number].is_definition:
            held = held - kills[number] | {number}
        else:
            yield from ((definition, number) for definition in held & kills[number])
