"""Which points control can still reach: the static half of paper 001's coverage structure.

Nodes are blocks; a *side* is an edge out of a block with several successors, named by its point. Each point is attached
to the node or side where a run hits it:

    block          its own point, its labels, the flows that end in it, decisions with a condition that is no branch
    side           its own point; where it decides a condition, the vectors with that value

`reach(side)` has every point that a run may hit once it has taken the side. Calls and returns are matched, except that
the caller of the function with the side is not known.

    up, to whoever may have called ...          ... then down again, never back to a caller
    g: side --return--> f: block --flow--> f: block --call--> h: entry

The result is an over-approximation. A call through a pointer may reach any function whose address is taken, and so may
a call by a function without a body. Functions that were passed to such a function, or any if it keeps them (`atexit`),
may be called at any time. A point that is attached nowhere counts as reachable from everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tightrope.library.table import Fact, functions_with
from tightrope.program.flow.call_graph import CallGraph, build_call_graph, find_aliases, reachable_functions
from tightrope.program.flow.control_flow import BlockId, EdgeKind, program_flow
from tightrope.program.flow.graph import Graph, Mask, build_graph, collect_reached
from tightrope.program.flow.points import Points, side_target, sides
from tightrope.program.ir.model import Block, Instruction, Program
from tightrope.program.marks.data_flow import reached
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH, Marks, tested_values

ENTRY = -1  # in place of a side: before any
_CALLS = ("call", "invoke", "callbr")
_OURS = ("@llvm.", "@tightrope_")  # these call nothing
_KEEPERS = frozenset(f"@{name}" for name in functions_with(Fact.KEEPS_FUNCTIONS))


@dataclass(frozen=True, slots=True)
class Side:
    """An edge out of a block that has a choice. `points` are hit, or may be, when it is taken."""

    source: int
    target: int
    points: Mask


@dataclass(frozen=True, slots=True)
class PointGraph:
    """`sides` by point; `own` and `costs` by node: the points that hang there, and its instructions."""

    nodes: tuple[BlockId, ...]
    entry: int  # the first node of the unit
    graph: Graph  # flow, calls and returns, whoever called
    own: tuple[Mask, ...]
    sides: Mapping[int, Side]
    sides_of: tuple[tuple[int, ...], ...]  # by node
    costs: tuple[int, ...]
    anywhere: tuple[Mask, ...]  # by node: what control may come to from it

    @property
    def everything(self) -> Mask:
        """What a run may hit."""
        return self.anywhere[self.entry]

    def reach(self, side: int) -> Mask:
        """The points that a run may hit from this side on, it included."""
        found = self.sides.get(side)
        return self.everything if found is None else found.points | self.anywhere[found.target]

    def with_more(self, points: Mask) -> PointGraph:
        """The same, once a run has hit points that were out of reach: nobody knows who calls what, so that everything
        may follow everything."""
        everything = self.everything | points
        for own in (*self.own, *(side.points for side in self.sides.values())):
            everything |= own
        return replace(self, anywhere=(everything,) * len(self.anywhere))


def build_point_graph(
    program: Program, unit: str, points: Points, marks: Marks, when: Sequence[tuple[Mask, Mask]]
) -> PointGraph:
    """`when` has the points of each obligation, false and true: labels first, then conditions."""
    return _PointGraphBuilder(program, unit, points, marks, when).build()


class _PointGraphBuilder:
    def __init__(
        self, program: Program, unit: str, points: Points, marks: Marks, when: Sequence[tuple[Mask, Mask]]
    ) -> None:
        self.program, self.unit, self.points, self.marks = program, unit, points, marks
        self.conditions = when[len(marks.labels) :]
        self.calls = build_call_graph(program)
        self.aliases = find_aliases(program)
        self.flow = program_flow(program, _functions(program, unit, self.calls), self.calls)
        blocks = {(name, block.name): block for name, each in program.functions.items() for block in each.blocks}
        self.blocks = [blocks[node] for node in self.flow.nodes]
        self.everything = (1 << len(points)) - 1
        self.down = self._down()

    def build(self) -> PointGraph:
        flow = self.flow
        own = [self._own(node, block) for node, block in zip(flow.nodes, self.blocks, strict=True)]
        sides_of = [tuple(self._sides(node, block)) for node, block in zip(flow.nodes, self.blocks, strict=True)]
        found = {point: side for each in sides_of for point, side in each}
        whole = list(own)
        for side in found.values():
            whole[side.source] |= side.points
        loose = self.everything & ~_union(whole) | self._at_any_time(whole)
        anywhere = tuple(mask | loose for mask in self._anywhere(whole))
        costs = tuple(len(block.instructions) for block in self.blocks)
        names = tuple(tuple(point for point, _ in each) for each in sides_of)
        entry = flow.numbers[self.unit, self.program.functions[self.unit].blocks[0].name]
        return PointGraph(flow.nodes, entry, flow.graph(), tuple(own), found, names, costs, anywhere)

    def _own(self, node: BlockId, block: Block) -> Mask:
        mask = _bit(self.points.numbers.get((*node, None)))
        tested = tested_values(block)
        for call in block.instructions:
            if call.callee in (LABEL_BEGIN, LABEL_END):
                mask |= _bit(self.points.labels[int(call.arguments[0].value.text)])
            elif call.callee == CONDITION and call.arguments[1].value.text not in tested:
                false, true = self.conditions[int(call.arguments[0].value.text)]
                mask |= false | true
            elif call.callee == REACH:
                mask |= self._flows(call)
        return mask

    def _flows(self, mark: Instruction) -> Mask:
        """Those that end at this use."""
        number = reached(mark)
        flows = zip(self.marks.flows, self.points.flows, strict=True)
        return _union(1 << point for flow, point in flows if flow.use == number)

    def _sides(self, node: BlockId, block: Block) -> Iterator[tuple[int, Side]]:
        for side in sides(block):
            point = self.points.numbers.get((*node, side))
            if point is not None:
                target = self.flow.numbers[node[0], side_target(block, side)]
                mask = 1 << point | self._vectors(block, side)
                yield point, Side(self.flow.numbers[node], target, mask)

    def _vectors(self, block: Block, side: int) -> Mask:
        """The vectors with the value that this side says the conditions tested here have."""
        tested, mask = tested_values(block), 0
        for call in block.instructions:
            if call.callee == CONDITION and call.arguments[1].value.text in tested:
                value = side if call.arguments[1].value.text == tested[0] else 1 - side
                mask |= self.conditions[int(call.arguments[0].value.text)][value]
        return mask

    def _anywhere(self, own: Sequence[Mask]) -> Iterator[Mask]:
        below = collect_reached(self.down, own)
        above = self._above(below)
        return (mask | above.get(node[0], 0) for node, mask in zip(self.flow.nodes, below, strict=True))

    def _down(self) -> Graph:
        """Flow and calls; where a pointer may be called, it may be any function whose address is taken."""
        plain = self.flow.graph(EdgeKind.FLOW, EdgeKind.CALL)
        taken = [name for name in self.calls.address_taken if self.program.functions[name].is_defined]
        entries = [self.flow.numbers[name, self.program.functions[name].blocks[0].name] for name in sorted(taken)]
        return build_graph(
            [
                (*targets, *(entries if self._may_call_a_pointer(block) else ()))
                for targets, block in zip(plain.successors, self.blocks, strict=True)
            ]
        )

    def _may_call_a_pointer(self, block: Block) -> bool:
        calls = (each for each in block.instructions if each.opcode in _CALLS and not each.is_assembly)
        return any(self._is_indirect(call) or self._is_outside(call) for call in calls)

    def _is_indirect(self, call: Instruction) -> bool:
        return call.callee not in self.program.functions and call.callee not in self.aliases

    def _is_outside(self, call: Instruction) -> bool:
        """A function of the library, or one that nobody defines: it may call what it was given some time."""
        callee = self.program.functions.get(call.callee)
        return callee is not None and not callee.is_defined and not call.callee.startswith(_OURS)

    def _above(self, below: Sequence[Mask]) -> dict[str, Mask]:
        """By function, what may be hit once it has returned: in its callers, and in theirs."""
        callers = self._callers()
        found = {name: _union(below[node] for node in nodes) for name, nodes in callers.items()}
        changed = True
        while changed:
            changed = False
            for name, nodes in callers.items():
                mask = found[name] | _union(found.get(self.flow.nodes[node][0], 0) for node in nodes)
                changed, found[name] = changed or mask != found[name], mask
        return found

    def _callers(self) -> dict[str, list[int]]:
        """The blocks that may call each function."""
        callers: dict[str, list[int]] = {}
        entries = {self.flow.numbers[node]: node[0] for node in self._entries()}
        for source, targets in enumerate(self.down.successors):
            for target in targets:
                if target in entries:  # nothing else leads to an entry
                    callers.setdefault(entries[target], []).append(source)
        return callers

    def _entries(self) -> Iterator[BlockId]:
        for name in dict.fromkeys(name for name, _ in self.flow.nodes):
            yield name, self.program.functions[name].blocks[0].name

    def _at_any_time(self, own: Sequence[Mask]) -> Mask:
        """What may be hit in functions that code outside was given (`atexit`), and in what they call."""
        given = dict.fromkeys(name for block in self.blocks for name in self._given(block))
        below = collect_reached(self.down, own) if given else ()
        entries = [(name, self.program.functions[name].blocks[0].name) for name in given]
        return _union(below[self.flow.numbers[entry]] for entry in entries)

    def _given(self, block: Block) -> Iterator[str]:
        for call in block.instructions:
            if call.opcode not in _CALLS or not self._is_outside(call):
                continue
            given = (self.program.functions.get(argument.value.text) for argument in call.arguments)
            yield from (function.name for function in given if function is not None and function.is_defined)
            if call.callee in _KEEPERS:
                taken = sorted(self.calls.address_taken)
                yield from (name for name in taken if self.program.functions[name].is_defined)


def _functions(program: Program, unit: str, calls: CallGraph) -> tuple[str, ...]:
    """All that may run: what the unit may call, and every function whose address is taken."""
    order = dict.fromkeys(reachable_functions(program, unit, calls))
    for name in sorted(calls.address_taken):
        order.update(dict.fromkeys(reachable_functions(program, name, calls)))
    return tuple(order)


def _union(masks: Iterator[Mask] | Sequence[Mask]) -> Mask:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _bit(point: int | None) -> Mask:
    return 0 if point is None else 1 << point
