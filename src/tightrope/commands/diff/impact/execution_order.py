"""Which instructions may be executed after which, through calls and returns.

Blocks are split after each call of a function with a body, so that code before the call does not follow the callee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.program.flow.graph import Mask, build_graph, reach


@dataclass(slots=True)
class ExecutionOrder:
    """A *segment* is a piece of a block in which only the last instruction may be a call."""

    code: NumberedCode
    segment_of: list[int] = field(default_factory=list)  # by instruction
    behind: list[Mask] = field(default_factory=list)  # by segment: those that may follow; itself only in a cycle

    def may_follow(self, first: int, second: int) -> bool:
        """True if the second instruction may be executed after the first."""
        one, other = self.segment_of[first], self.segment_of[second]
        return bool(self.behind[one] >> other & 1) or (one == other and first < second)


def find_execution_order(code: NumberedCode) -> ExecutionOrder:
    order = ExecutionOrder(code)
    starts: dict[int, int] = {}  # block -> its first segment
    ends: dict[int, int] = {}
    calls: list[tuple[int, tuple[str, ...]]] = []  # segment, and what is called at its end
    count = 0
    for block in range(len(code.blocks)):
        starts[block] = count
        for place in code.body(block):
            order.segment_of.append(count)
            each = code.instructions[place]
            callees = code.callees(each)
            if callees:
                calls.append((count, callees))
                count += 1
        ends[block] = count
        count += 1
    order.behind = _reach(code, starts, ends, calls, count)
    return order


def _reach(
    code: NumberedCode,
    starts: dict[int, int],
    ends: dict[int, int],
    calls: list[tuple[int, tuple[str, ...]]],
    count: int,
) -> list[Mask]:
    """The segments that may follow. Calls return to their callers: first go down from here, then after each call of
    this function."""
    successors: list[set[int]] = [set() for _ in range(count)]
    for block, (function, number) in enumerate(code.blocks):
        for target in code.flows[function].graph.successors[number]:
            successors[ends[block]].add(starts[code.first_block[function] + target])
    for segment, callees in calls:
        successors[segment].add(segment + 1)
        successors[segment].update(starts[code.first_block[name]] for name in callees)
    down = reach(build_graph([sorted(targets) for targets in successors]))
    functions = _functions_of_segments(code, starts, ends, count)
    after = _after_returns(down, functions, calls)
    found = []
    for segment, targets in enumerate(successors):
        mask = after[functions[segment]]
        for target in targets:
            mask |= down[target]
        found.append(mask)
    return found


def _functions_of_segments(code: NumberedCode, starts: dict[int, int], ends: dict[int, int], count: int) -> list[str]:
    functions = [""] * count
    for block, (function, _) in enumerate(code.blocks):
        for segment in range(starts[block], ends[block] + 1):
            functions[segment] = function
    return functions


def _after_returns(
    down: Sequence[Mask], functions: Sequence[str], calls: Sequence[tuple[int, tuple[str, ...]]]
) -> dict[str, Mask]:
    """By function: what may be executed after it returns."""
    after = dict.fromkeys(functions, 0)
    is_changed = True
    while is_changed:
        is_changed = False
        for segment, callees in calls:
            behind = down[segment + 1] | after[functions[segment]]
            for name in callees:
                if behind & ~after[name]:
                    after[name] |= behind
                    is_changed = True
    return after
