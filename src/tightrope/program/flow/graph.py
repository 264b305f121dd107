"""Directed graphs over the numbers 0 .. n-1, and what control flow asks of them.

A set of nodes is a *mask*: a Python int whose bit k says whether node k is in it. Union, intersection and
"does this set touch that one" are then single operations, however large the program is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Mask = int


@dataclass(frozen=True, slots=True)
class Graph:
    """`successors[k]` are the targets of the edges that leave node k."""

    successors: tuple[tuple[int, ...], ...]
    predecessors: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.successors)


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: every way into it leads through its header."""

    header: int
    back_edges: tuple[tuple[int, int], ...]  # (from, header)
    body: Mask  # the header included


def build_graph(successors: Sequence[Iterable[int]]) -> Graph:
    """The graph with these edges; an edge given twice counts once."""
    distinct = tuple(tuple(dict.fromkeys(targets)) for targets in successors)
    predecessors: list[list[int]] = [[] for _ in distinct]
    for node, targets in enumerate(distinct):
        for target in targets:
            predecessors[target].append(node)
    return Graph(distinct, tuple(map(tuple, predecessors)))


def to_mask(nodes: Iterable[int]) -> Mask:
    mask = 0
    for node in nodes:
        mask |= 1 << node
    return mask


def from_mask(mask: Mask) -> Iterator[int]:
    """The nodes of a set, smallest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _postorder(successors: Sequence[Sequence[int]], roots: Iterable[int]) -> list[int]:
    """Depth first without recursion: C functions can have thousands of blocks in a row."""
    order: list[int] = []
    seen: set[int] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(successors[root]))]
        while stack:
            node, rest = stack[-1]
            following = next((target for target in rest if target not in seen), None)
            if following is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(successors[following])))
    return order


def reverse_postorder(graph: Graph, root: int) -> tuple[int, ...]:
    """The nodes that the root reaches, each before its successors (back edges aside)."""
    return tuple(reversed(_postorder(graph.successors, [root])))


def reachable(graph: Graph, root: int) -> Mask:
    """The root and every node that it leads to."""
    return to_mask(_postorder(graph.successors, [root]))


def components(successors: Sequence[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """The strongly connected components of the graph with these edges, each after those that it leads to (R. Tarjan
    1972, without recursion)."""
    order: dict[int, int] = {}  # node -> when it was first seen
    lowest: dict[int, int] = {}  # node -> the earliest node of `open_` known to be in its component
    open_: list[int] = []  # seen, and in no component yet
    is_open: set[int] = set()
    found: list[tuple[int, ...]] = []
    for root in range(len(successors)):
        if root in order:
            continue
        path = [(root, iter(successors[root]))]
        order[root] = lowest[root] = len(order)
        open_.append(root)
        is_open.add(root)
        while path:
            node, rest = path[-1]
            for target in rest:
                if target not in order:
                    order[target] = lowest[target] = len(order)
                    open_.append(target)
                    is_open.add(target)
                    path.append((target, iter(successors[target])))
                    break
                if target in is_open:
                    lowest[node] = min(lowest[node], order[target])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    found.append(_take_component(open_, is_open, node))
    return tuple(found)


def _take_component(open_: list[int], is_open: set[int], root: int) -> tuple[int, ...]:
    found: list[int] = []
    while not found or found[-1] != root:
        found.append(open_.pop())
        is_open.discard(found[-1])
    return tuple(found)


def reach(graph: Graph) -> tuple[Mask, ...]:
    """For each node, itself and every node that it leads to. Computed once, asked often."""
    return collect_reached(graph, [1 << node for node in range(len(graph))])


def collect_reached(graph: Graph, own: Sequence[Mask]) -> tuple[Mask, ...]:
    """For each node, what it and every node that it leads to have of their own."""
    masks = [0] * len(graph)
    for group in components(graph.successors):
        mask = 0
        for node in group:
            mask |= own[node]
            for target in graph.successors[node]:
                mask |= masks[target]
        for node in group:
            masks[node] = mask
    return tuple(masks)


def distances_to(graph: Graph, targets: Mask) -> tuple[int | None, ...]:
    """For each node, the number of edges to the nearest target; None when it leads to none."""
    found: list[int | None] = [None] * len(graph)
    queue = deque(from_mask(targets))
    for node in queue:
        found[node] = 0
    while queue:
        node = queue.popleft()
        for source in graph.predecessors[node]:
            if found[source] is None:
                found[source] = (found[node] or 0) + 1
                queue.append(source)
    return tuple(found)


def immediate_dominators(graph: Graph, root: int) -> tuple[int | None, ...]:
    """For each node, the last one that every way from the root to it passes before; None for the root and
    for what it does not reach. (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.)"""
    order = reverse_postorder(graph, root)
    rank = {node: at for at, node in enumerate(order)}
    dominator: dict[int, int] = {root: root}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            best = _common_dominator(dominator, rank, [p for p in graph.predecessors[node] if p in dominator])
            changed |= dominator.get(node) != best
            dominator[node] = best
    return tuple(dominator.get(node) if node != root else None for node in range(len(graph)))


def _common_dominator(dominator: dict[int, int], rank: dict[int, int], nodes: list[int]) -> int:
    best = nodes[0]
    for other in nodes[1:]:
        while best != other:
            if rank[best] > rank[other]:
                best = dominator[best]
            else:
                other = dominator[other]
    return best


def dominator_masks(graph: Graph, root: int) -> tuple[Mask, ...]:
    """For each node that the root reaches, all its dominators, itself included; 0 for the others."""
    above = immediate_dominators(graph, root)
    masks = [0] * len(graph)
    for node in reverse_postorder(graph, root):
        parent = above[node]
        masks[node] = 1 << node | (masks[parent] if parent is not None else 0)
    return tuple(masks)


def find_loops(graph: Graph, root: int) -> tuple[Loop, ...]:
    """The natural loops, one per header, outer ones before the inner ones."""
    dominators = dominator_masks(graph, root)
    tails: dict[int, list[int]] = {}
    for node in reverse_postorder(graph, root):
        for target in graph.successors[node]:
            if dominators[node] >> target & 1:
                tails.setdefault(target, []).append(node)
    order = [node for node in reverse_postorder(graph, root) if node in tails]
    return tuple(
        Loop(header, tuple((tail, header) for tail in tails[header]), _loop_body(graph, header, tails[header]))
        for header in order
    )


def _loop_body(graph: Graph, header: int, tails: list[int]) -> Mask:
    """The header and all that reaches a tail without passing it."""
    body = {header}
    pending = [tail for tail in tails if tail != header]
    while pending:
        node = pending.pop()
        if node not in body:
            body.add(node)
            pending.extend(graph.predecessors[node])
    return to_mask(body)
