"""What is infeasible because everything that leads there is: `return 1` in `if (x < 3) return 1;`, if `x < 3` is never
true.

A search shows of a branch that inputs alone decide it, which it cannot show of a block; the formula may have no time to
be asked for each point. Control needs neither: where it comes only through what was refuted, it never comes.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Relation
from tightrope.coverage.verdict import Infeasible, Proof
from tightrope.coverage.witnesses import is_refuted
from tightrope.program.flow.points import Points, sides
from tightrope.program.ir.model import Function, Program
from tightrope.soundness.formula import FOR_EVERY_CALLER
from tightrope.units.prepared import PreparedUnit


def refute_what_is_behind(unit: PreparedUnit, ledger: Ledger, seen: int) -> None:
    """`seen`: points that some run has hit, however it ended. What holds for every caller is looked at alone first."""
    for is_for_all in (True, False):
        proofs = [
            (objective.mask, verdict)
            for objective, verdict in ledger
            if isinstance(verdict, Infeasible)
            and objective.relation is Relation.ANY
            and (not is_for_all or holds_for_all(verdict))
        ]
        refuted = 0
        for mask, _ in proofs:
            refuted |= mask & ~seen
        behind = points_behind(unit.program, unit.woven.points, refuted) & ~seen
        weakest = next((verdict for _, verdict in reversed(proofs) if not holds_for_all(verdict)), None)
        proof = weakest or Infeasible(Proof.UNSATISFIABLE, FOR_EVERY_CALLER)
        for objective in ledger.open_objectives if behind else ():
            if is_refuted(objective, behind):
                ledger.refute(objective, proof)


def holds_for_all(verdict: Infeasible) -> bool:
    return verdict.proof is Proof.CONSTANT or verdict.sentence == FOR_EVERY_CALLER


def points_behind(program: Program, points: Points, refuted: int) -> int:
    """The points of blocks to which control comes only through refuted points."""
    found, numbers = 0, points.numbers
    functions = {name for name, _, _ in numbers} if refuted else set()
    for name in sorted(functions):
        function = program.functions[name]
        own = {key: number for key, number in numbers.items() if key[0] == name}
        if not any(refuted >> number & 1 for number in own.values()):
            continue
        unreachable = _reachable(function, {}, 0) - _reachable(function, own, refuted)
        for (_, block, _), number in own.items():
            found |= 1 << number if block in unreachable else 0
    return found


def _reachable(function: Function, numbers: dict[tuple[str, str, int | None], int], refuted: int) -> set[str]:
    """The blocks to which control comes without a refuted point."""

    def is_open(block: str, side: int | None) -> bool:
        number = numbers.get((function.name, block, side))
        return number is None or not refuted >> number & 1

    def targets(block: str) -> Iterator[str]:
        choices = sides(blocks[block])
        for at, target in enumerate(blocks[block].successors):
            side = _side_of(blocks[block].instructions[-1].opcode, at) if choices else None
            if is_open(block, side):
                yield target

    blocks = {block.name: block for block in function.blocks}
    waiting = [block.name for block in function.blocks[:1] if is_open(block.name, None)]
    found = set(waiting)
    while waiting:
        for target in targets(waiting.pop()):
            if target not in found and is_open(target, None):
                found.add(target)
                waiting.append(target)
    return found


def _side_of(opcode: str, position: int) -> int:
    """See side_target: of a branch, the first target is side 1."""
    return position if opcode == "switch" else 1 - position
