"""Coverage structure (paper 001, Definition 2): the graph of points with the state of each objective.

For strategies and the filter, it tells whether a candidate is relevant, how much it may contribute, and how far away
the nearest missing point is. All of this depends on the side that the candidate takes and on what is missing, so each
answer is computed once per side, until a run hits a missing point.

    missing     points that some open objective still needs (the ledger's `open_points`)
    side        the point of the side that the candidate takes; if it takes none (another value of a pin, a label), that
                of the last side before it, from which the same points are reachable
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from enum import Enum

from tightrope.program.marks.point_graph import ENTRY, PointGraph
from tightrope.search.candidate import Candidate

Distances = tuple[float, ...]  # by node; infinite: nothing missing is reachable


class Relevance(Enum):
    """How a candidate relates to what is missing (paper 001, Algorithm 2). The value is the sentence shown."""

    MUST = "it hits something missing at once"
    MAY = "something missing is reachable from it"
    IRRELEVANT = "nothing missing is reachable from it"


class CoverageStructure:
    """`version` changes whenever answers may have changed."""

    def __init__(self, graph: PointGraph, missing: int, levels: int = 3) -> None:
        self.graph, self.missing, self.levels = graph, missing, levels
        self.version = 0
        self.surprises = 0  # how often the graph was wrong
        self._relevance: dict[int, Relevance] = {}
        self._contributions: dict[int, int] = {}
        self._near: dict[tuple[int, int], int] = {}  # by side and level; does not depend on what is missing
        self._instructions: Distances | None = None
        self._branches: Distances | None = None

    def update(self, missing: int, seen: int = 0) -> None:
        """Update after a run: what is missing now, and what runs have hit so far. If a function ran that nothing seemed
        to call, the graph was wrong."""
        surprises = seen & ~self.graph.everything
        if surprises:
            self.graph = self.graph.with_more(seen)
            self.surprises += 1
        if missing != self.missing or surprises:
            self.missing = missing
            self.version += 1
            self._relevance, self._contributions = {}, {}
            self._instructions = self._branches = None

    def relevance(self, candidate: Candidate) -> Relevance:
        if candidate.is_aim:
            return Relevance.MUST if candidate.mask & self.missing else Relevance.IRRELEVANT
        side, point = candidate.side_point, candidate.point
        found = self._relevance.get(side) or self.of_side(side)
        if found is Relevance.IRRELEVANT and candidate.missed & self.missing:
            return Relevance.MAY
        if point == side:
            return found
        if point is not None and self.missing >> point & 1:  # a label that is a branch
            return Relevance.MUST
        return Relevance.MAY if found is Relevance.MUST else found

    def of_side(self, side: int) -> Relevance:
        found = self._relevance.get(side)
        if found is None:
            found = self._relevance[side] = self._judge(side)
        return found

    def _judge(self, side: int) -> Relevance:
        if not self.graph.reach(side) & self.missing:
            return Relevance.IRRELEVANT
        return Relevance.MUST if self._hits_at_once(side) else Relevance.MAY

    def _hits_at_once(self, side: int) -> bool:
        """True if the side is missing, or if it decides a condition and all vectors with that value are missing."""
        if side == ENTRY:
            return False
        found = self.graph.sides.get(side)
        vectors = found.points & ~(1 << side) if found else 0
        return bool(self.missing >> side & 1) or bool(vectors and not vectors & ~self.missing)

    def contribution(self, candidate: Candidate) -> int:
        """PotentialContr: the number of missing points on the candidate's side and within `levels` choices after it."""
        if candidate.is_aim:
            return (candidate.mask & self.missing).bit_count()
        side = candidate.side_point
        found = self._contributions.get(side)
        if found is None:
            found = self._contributions[side] = (self._walk_down(side, self.levels) & self.missing).bit_count()
        return found

    def _walk_down(self, side: int, levels: int) -> int:
        """The points on a side and in so many levels after it; a level ends where control has a choice."""
        key = (side, levels)
        if key not in self._near:
            self._near[key] = self._compute_near(side, levels)
        return self._near[key]

    def _compute_near(self, side: int, levels: int) -> int:
        found = self.graph.sides.get(side)
        if found is None:
            return self.graph.everything
        mask, ends = found.points, self._segment(found.target)
        for node in ends:
            mask |= self.graph.own[node]
            if levels:
                for following in self.graph.sides_of[node]:
                    mask |= self._walk_down(following, levels - 1)
        return mask

    def _segment(self, start: int) -> list[int]:
        """The nodes from here up to and including the next ones with a choice."""
        order, seen = [start], {start}
        for node in order:  # grows during iteration
            if not self.graph.sides_of[node]:
                fresh = [target for target in self.graph.graph.successors[node] if target not in seen]
                order += fresh
                seen.update(fresh)
        return order

    def instructions_to_missing(self, candidate: Candidate) -> float:
        """KLEE's minimal distance to uncovered code, in instructions."""
        if self._instructions is None:
            self._instructions = self._distances(lambda node: self.graph.costs[node])
        return self._distance(candidate, self._instructions)

    def branches_to_missing(self, candidate: Candidate) -> float:
        """CREST's distance: the number of branches in between."""
        if self._branches is None:
            self._branches = self._distances(lambda node: int(bool(self.graph.sides_of[node])))
        return self._distance(candidate, self._branches)

    def _distance(self, candidate: Candidate, distances: Distances) -> float:
        if self.relevance(candidate) is Relevance.MUST:
            return 0.0
        found = self.graph.sides.get(candidate.side_point)
        if found is None:
            return 0.0 if self.missing else float("inf")
        return distances[found.target] + 1

    def _distances(self, cost: Callable[[int], int]) -> Distances:
        """For each node, the cheapest path to a node with something missing (Dijkstra, backwards)."""
        graph = self.graph
        found = [float("inf")] * len(graph.nodes)
        waiting: list[tuple[float, int]] = []
        for node, own in enumerate(graph.own):
            points = own | sum(1 << side for side in graph.sides_of[node])
            if points & self.missing:
                found[node] = 0.0
                waiting.append((0.0, node))
        while waiting:
            steps, node = heapq.heappop(waiting)
            for source in graph.graph.predecessors[node] if steps == found[node] else ():
                if steps + cost(source) < found[source]:
                    found[source] = steps + cost(source)
                    heapq.heappush(waiting, (found[source], source))
        return tuple(found)
