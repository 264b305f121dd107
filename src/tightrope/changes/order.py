"""What may be executed after what, through calls and returns, whoever called.

Blocks are cut behind each call of a function that has a body, so that what stands before the call is not behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tightrope.changes.code import Code
from tightrope.program.graph import Mask, build_graph, reach


@dataclass(slots=True)
class Order:
    """A *segment* is a piece of a block without calls, but for its last instruction."""

    code: Code
    segment_of: list[int] = field(default_factory=list)  # by instruction
    behind: list[Mask] = field(default_factory=list)  # by segment: those that may follow, itself only in a cycle

    def may_follow(self, first: int, second: int) -> bool:
        """Whether the second instruction may be executed after the first."""
        one, other = self.segment_of[first], self.segment_of[second]
        return bool(self.behind[one] >> other & 1) or (one == other and first < second)


def find_order(code: Code) -> Order:
    order = Order(code)
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
    code: Code, starts: dict[int, int], ends: dict[int, int], calls: list[tuple[int, tuple[str, ...]]], count: int
) -> list[Mask]:
    successors: list[set[int]] = [set() for _ in range(count)]
    returns: dict[str, list[int]] = {}
    for block, (function, number) in enumerate(code.blocks):
        flow = code.flows[function]
        for target in flow.graph.successors[number]:
            successors[ends[block]].add(starts[code.first_block[function] + target])
        if code.instructions[code.body(block)[-1]].opcode == "ret":
            returns.setdefault(function, []).append(ends[block])
    for segment, callees in calls:
        successors[segment].add(segment + 1)
        for name in callees:
            successors[segment].add(starts[code.first_block[name]])
            for end in returns.get(name, ()):
                successors[end].add(segment + 1)
    closed = reach(build_graph([sorted(targets) for targets in successors]))
    found = []
    for targets in successors:
        mask = 0
        for target in targets:
            mask |= closed[target]
        found.append(mask)
    return found
