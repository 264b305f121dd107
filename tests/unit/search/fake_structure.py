"""A coverage structure without a program, and flips without a tree.

structure([[(0, 1), (1, 2)], [(2, 2), (3, 2)], []], missing=0b1000)      node 0 --0--> 1 --2,3--> 2
                                                                         node 0 --1--> 2
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable
from tightrope.program.flow.graph import build_graph
from tightrope.program.marks.point_graph import ENTRY, PointGraph, Side
from tightrope.running.memory_map import EventKind
from tightrope.search.candidate import Flip
from tightrope.search.coverage_structure import CoverageStructure

BRANCH, PIN = int(EventKind.BRANCH), int(EventKind.PIN)
Choice = Sequence[tuple[int, int]]  # the sides of a node: point, and the node that it leads to

TABLE = TermTable()


def structure(choices: Sequence[Choice], missing: int = -1, levels: int = 3) -> CoverageStructure:
    """Missing, unless told: all sides."""
    graph = build_graph([[target for _, target in choice] for choice in choices])
    sides = {point: Side(node, target, 1 << point) for node, choice in enumerate(choices) for point, target in choice}
    points = tuple(tuple(point for point, _ in choice) for choice in choices)
    reached = tuple(
        sum(1 << point for node in _behind(graph.successors, start) for point in points[node])
        for start in range(len(choices))
    )
    nodes = tuple(("f", str(node)) for node in range(len(choices)))
    found = PointGraph(nodes, 0, graph, (0,) * len(choices), sides, points, (1,) * len(choices), reached)
    return CoverageStructure(found, found.everything if missing < 0 else missing, levels)


def _behind(successors: Sequence[Sequence[int]], start: int) -> list[int]:
    order = [start]
    for node in order:  # grows
        order += [target for target in successors[node] if target not in order]
    return order


def equals(slot: int, value: int) -> Term:
    """A condition: this input has that value."""
    return TABLE.make(Op.EQ, 1, (TABLE.make(Op.INPUT, 32, number=slot), TABLE.constant(value, 32)))


def flip(
    point: int,
    rank: int = 0,
    term: Term | None = None,
    base: tuple[int, ...] = (0,),
    late: bool = False,
    missed: int = 0,
) -> Flip:
    """Takes this side; sides of a branch have an even number and the odd one behind it."""
    fork = SimpleNamespace(
        kind=BRANCH, site=point & ~1, rank=rank, depth=rank, values=[], side_point=ENTRY, is_late=late, base=base, missed=missed,
        term=equals(0, 1) if term is None else term,
    )  # fmt: skip
    return Flip(fork, point & 1)  # type: ignore[arg-type]


def pin(site: int, rank: int, side_point: int = ENTRY) -> Flip:
    """Another value at this place, behind that side."""
    fork = SimpleNamespace(
        kind=PIN,
        site=site,
        rank=rank,
        depth=rank,
        values=[],
        side_point=side_point,
        is_late=False,
        missed=0,
        base=(0,),
        term=None,
    )
    return Flip(fork, 0)  # type: ignore[arg-type]
