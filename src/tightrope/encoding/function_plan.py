"""What the walk needs to know about a function in advance: order of blocks, loops, live locals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tightrope.program.flow.control_flow import flow_of
from tightrope.program.flow.graph import find_loops, from_mask, reverse_postorder
from tightrope.program.ir.model import Block, Function, Instruction
from tightrope.program.marks.regions import region_blocks
from tightrope.weaving.weave_function import is_own_function

ANY_LOOP = "(any)"  # no block has such a name


@dataclass(frozen=True)
class FunctionPlan:
    """Blocks by name. `loops_of` has the headers of the loops around a block, outermost first.

    If a loop has several entries (`goto` into it), the whole function is treated as one loop without a header: each
    back edge starts another iteration of it."""

    function: Function
    blocks: dict[str, Block]
    order: dict[str, int]  # reverse postorder
    loops_of: dict[str, tuple[str, ...]]
    back_edges: frozenset[tuple[str, str]]

    @cached_property
    def live(self) -> dict[str, tuple[str, ...]]:
        """By block: the live locals at its start. An operand of a phi node is used at the end of its predecessor."""
        uses = {name: _uses(block) for name, block in self.blocks.items()}
        defined = {
            name: {each.result for each in block.instructions if each.result} for name, block in self.blocks.items()
        }
        live = {name: frozenset(used - {r for r in defined[name] if r}) for name, used in uses.items()}
        changed = True
        while changed:
            changed = False
            for name in reversed(self.order):
                after = set[str]()
                for target in self.blocks[name].successors:
                    after |= live[target] | _phi_uses(self.blocks[target], name)
                now = uses[name] | after
                fresh = frozenset(each for each in now if each not in defined[name])
                if fresh != live[name]:
                    live[name], changed = fresh, True
        return {name: tuple(sorted(names)) for name, names in live.items()}  # the order of terms influences models

    @cached_property
    def is_ours(self) -> bool:
        """True for a function of the driver or of a model."""
        return is_own_function(self.function)

    @cached_property
    def region_blocks(self) -> frozenset[str]:
        return region_blocks(self.function)

    @cached_property
    def phis(self) -> dict[str, tuple[Instruction, ...]]:
        return {name: tuple(i for i in block.instructions if i.opcode == "phi") for name, block in self.blocks.items()}

    @cached_property
    def used(self) -> frozenset[str]:
        """The locals that some instruction uses."""
        names = set[str]()
        for block in self.blocks.values():
            names |= {name for each in block.instructions for name in operand_names(each)}
            names |= {v.text for phi in self.phis[block.name] for v, _ in phi.incoming}
        return frozenset(names)


def operand_names(instruction: Instruction) -> list[str]:
    names = [value.text for value in instruction.operands if value.is_local]
    names += [argument.value.text for argument in instruction.arguments if argument.value.is_local]
    if instruction.callee.startswith("%"):
        names.append(instruction.callee)
    return names


def _uses(block: Block) -> set[str]:
    found, defined = set[str](), set[str]()
    for each in block.instructions:
        if each.opcode != "phi":
            found |= {name for name in operand_names(each) if name not in defined}
        if each.result:
            defined.add(each.result)
    return found


def _phi_uses(block: Block, source: str) -> set[str]:
    phis = [each for each in block.instructions if each.opcode == "phi"]
    return {value.text for phi in phis for value, name in phi.incoming if name == source and value.is_local}


def make_plan(function: Function) -> FunctionPlan:
    flow = flow_of(function)
    order = {flow.blocks[number]: rank for rank, number in enumerate(reverse_postorder(flow.graph, 0))}
    loops = sorted(find_loops(flow.graph, 0), key=lambda loop: order[flow.blocks[loop.header]])
    inside: dict[str, list[str]] = {name: [] for name in flow.blocks}
    for loop in loops:
        for number in from_mask(loop.body):
            inside[flow.blocks[number]].append(flow.blocks[loop.header])
    back = frozenset((flow.blocks[a], flow.blocks[b]) for loop in loops for a, b in loop.back_edges)
    retreating = [
        (name, target)
        for name, rank in order.items()
        for target in flow.successors(name)
        if order[target] <= rank and (name, target) not in back
    ]
    blocks = {block.name: block for block in function.blocks if block.name in order}
    if retreating:
        return FunctionPlan(
            function, blocks, order, dict.fromkeys(inside, (ANY_LOOP,)), frozenset((*back, *retreating))
        )
    return FunctionPlan(function, blocks, order, {k: tuple(v) for k, v in inside.items()}, back)
