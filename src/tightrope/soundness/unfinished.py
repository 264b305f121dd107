"""Blocks that runs entered but never completed, and evaluations of decisions that were never completed.

A block counts as executed if all of it was. No run does that if a call in it never returns (the callee ends the
program) or if it always crashes. But the code before, for instance the call itself, was executed.

    if (a > 5)              the branch was taken to %if.then
        g = stop(a);        %if.then: call, store, br      no run reached the br

    if (a > 5 && stop(a))   `a > 5` was true in some run, but no such run evaluated the whole decision
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.program.decisions.boolean_tree import vectors
from tightrope.program.decisions.condition_values import has_too_many_vectors, point_of_value
from tightrope.program.decisions.masking import terminations
from tightrope.program.flow.call_graph import CallGraph, build_call_graph
from tightrope.program.flow.control_flow import BlockId
from tightrope.program.flow.points import Points, side_target, sides
from tightrope.program.ir.model import Block, Instruction, Program
from tightrope.program.marks.marks import CONDITION, Marks, tested_values


def unfinished_points(program: Program, unit: str, points: Points, seen: int) -> int:
    """The points of such blocks, as a mask. `seen` has bit p set when some run hit point p."""
    numbers = (points.numbers.get((*node, None)) for node in _entered(program, unit, points, seen))
    return sum(1 << number for number in numbers if number is not None and not seen >> number & 1)


def _entered(program: Program, unit: str, points: Points, seen: int) -> list[BlockId]:
    """The blocks that runs have reached, the unit's entry first."""
    graph = build_call_graph(program)
    blocks = {(name, block.name): block for name, each in program.functions.items() for block in each.blocks}
    order: dict[BlockId, None] = dict.fromkeys(_entry_of(program, unit))
    waiting = list(order)
    while waiting:
        node = waiting.pop()
        follow = (*_next(node, blocks[node], points, seen), *_called(program, graph, node))
        fresh = [each for each in dict.fromkeys(follow) if each not in order]
        order.update(dict.fromkeys(fresh))
        waiting += fresh
    return list(order)


def _next(node: BlockId, block: Block, points: Points, seen: int) -> Iterator[BlockId]:
    """The blocks of the same function that runs continued to; all successors in code that is not woven (no points)."""

    def was_hit(side: int | None) -> bool:
        number = points.numbers.get((*node, side))
        return number is None or bool(seen >> number & 1)

    if sides(block):
        yield from ((node[0], side_target(block, side)) for side in sides(block) if was_hit(side))
    elif was_hit(None):
        yield from ((node[0], target) for target in block.successors)


def _called(program: Program, graph: CallGraph, node: BlockId) -> Iterator[BlockId]:
    for callee in graph.callees_of_block.get(node, ()):
        yield from _entry_of(program, callee)


def _entry_of(program: Program, function: str) -> Iterator[BlockId]:
    blocks = program.functions[function].blocks
    if blocks:
        yield function, blocks[0].name


def unfinished_evaluations(
    program: Program, points: Points, marks: Marks, vectors_when: Sequence[tuple[int, int]], seen: int, has_died: bool
) -> Iterator[int]:
    """For each value that a condition had in some run, but in no run that evaluated its whole decision: a mask of the
    vectors with that value. `vectors_when` has the masks by condition and value; `has_died`: some run did not
    return."""
    for function, block, call in _conditions(program):
        number = int(call.arguments[0].value.text)
        for value in (False, True):
            mask, side = vectors_when[number][value], _side(block, call, value)
            if side is None:
                was_met = has_died and not _ends_with(marks, number, value)
            else:
                was_met = bool(seen >> points.numbers[function, block.name, side] & 1)
            if mask and was_met and not _completed(points, marks, number, value, mask) & seen:
                yield mask


def _conditions(program: Program) -> Iterator[tuple[str, Block, Instruction]]:
    for function in program.functions.values():
        for block in function.blocks:
            yield from ((function.name, block, each) for each in block.instructions if each.callee == CONDITION)


def _side(block: Block, call: Instruction, value: bool) -> int | None:
    """The side that the branch on a condition takes for this value; None if no branch tests it."""
    tested = tested_values(block)
    text = call.arguments[1].value.text
    if text not in tested:
        return None
    return int(value) if text == tested[0] else 1 - value


def _completed(points: Points, marks: Marks, number: int, value: bool, mask: int) -> int:
    """The points of evaluations that came to an end after the condition had this value."""
    decision, position = marks.condition_places()[number]
    each = marks.decisions[decision]
    if not has_too_many_vectors(each.tree, each.constants):
        return mask
    return 1 << points.vectors[decision][point_of_value(position, value)]


def _ends_with(marks: Marks, number: int, value: bool) -> bool:
    """True if this value of the condition terminates the decision."""
    decision, position = marks.condition_places()[number]
    each = marks.decisions[decision]
    if has_too_many_vectors(each.tree, each.constants):
        return terminations(each.tree)[position, value] is True
    found = [one.values for one in vectors(each.tree, each.constants) if one.values[position] is value]
    return all(other is None for values in found for other in values[position + 1 :])
