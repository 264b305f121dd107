"""Graph algorithms against their definitions, on random graphs."""

import random

import pytest

from tightrope.program.flow.graph import (
    build_graph,
    components,
    distances_to,
    dominator_masks,
    find_loops,
    from_mask,
    immediate_dominators,
    reach,
    reachable,
    reverse_postorder,
    to_mask,
)


def draw_graph(seed):
    source = random.Random(seed)
    count = source.randrange(1, 12)
    return build_graph([[source.randrange(count) for _ in range(source.randrange(4))] for _ in range(count)])


def walk(graph, root, without=None):
    """By definition: what the root leads to when one node is taken away."""
    seen, pending = set(), [root]
    while pending:
        node = pending.pop()
        if node != without and node not in seen:
            seen.add(node)
            pending += graph.successors[node]
    return seen


SEEDS = range(60)


def test_masks_are_sets():
    assert list(from_mask(to_mask([5, 0, 200, 5]))) == [0, 5, 200]


def test_an_edge_given_twice_counts_once():
    graph = build_graph([[1, 1], [0]])
    assert (graph.successors, graph.predecessors) == (((1,), (0,)), ((1,), (0,)))


@pytest.mark.parametrize("seed", SEEDS)
def test_reach(seed):
    graph = draw_graph(seed)
    for node, mask in enumerate(reach(graph)):
        assert set(from_mask(mask)) == walk(graph, node)
        assert mask == reachable(graph, node)


@pytest.mark.parametrize("seed", SEEDS)
def test_components_come_after_those_they_lead_to(seed):
    graph = draw_graph(seed)
    groups = components(graph.successors)
    assert sorted(node for group in groups for node in group) == list(range(len(graph)))
    done = set()
    for group in groups:
        done |= set(group)
        assert all(set(group) <= walk(graph, node) <= done for node in group)


@pytest.mark.parametrize("seed", SEEDS)
def test_dominators(seed):
    graph = draw_graph(seed)
    seen = walk(graph, 0)
    masks, above = dominator_masks(graph, 0), immediate_dominators(graph, 0)
    for node in range(len(graph)):
        expected = {d for d in seen if node not in walk(graph, 0, without=d)} if node in seen else set()
        assert set(from_mask(masks[node])) == expected
        if node in seen - {0}:
            assert masks[above[node]] == masks[node] & ~(1 << node)
        else:
            assert above[node] is None


@pytest.mark.parametrize("seed", SEEDS)
def test_reverse_postorder_ends_loops_only(seed):
    graph = draw_graph(seed)
    order = reverse_postorder(graph, 0)
    assert (order[0], set(order)) == (0, walk(graph, 0))
    rank = {node: at for at, node in enumerate(order)}
    for node in order:
        for target in graph.successors[node]:
            assert rank[target] > rank[node] or node in walk(graph, target)


@pytest.mark.parametrize("seed", SEEDS)
def test_distances(seed):
    graph = draw_graph(seed)
    targets = {0, len(graph) - 1}
    found = distances_to(graph, to_mask(targets))
    for node, steps in enumerate(found):
        if node in targets:
            assert steps == 0
        elif steps is None:
            assert not walk(graph, node) & targets
        else:
            near = [found[target] for target in graph.successors[node] if found[target] is not None]
            assert steps == min(near) + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_natural_loops(seed):
    graph = draw_graph(seed)
    for loop in find_loops(graph, 0):
        body = set(from_mask(loop.body))
        for tail, header in loop.back_edges:
            assert (header, tail in body, header in graph.successors[tail]) == (loop.header, True, True)
            assert tail not in walk(graph, 0, without=header)
        for node in body - {loop.header}:
            assert node not in walk(graph, 0, without=loop.header)


def test_nested_loops_come_outer_first():
    #   0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 1 -> 4
    loops = find_loops(build_graph([[1], [2, 4], [3], [2, 1], []]), 0)
    assert [(loop.header, list(from_mask(loop.body))) for loop in loops] == [(1, [1, 2, 3]), (2, [2, 3])]


def test_a_block_that_loops_to_itself():
    [loop] = find_loops(build_graph([[1], [1, 2], []]), 0)
    assert (loop.header, loop.back_edges, list(from_mask(loop.body))) == (1, ((1, 1),), [1])


def test_long_chains_do_not_exhaust_the_stack():
    graph = build_graph([[node + 1] for node in range(5000)] + [[]])
    assert len(reverse_postorder(graph, 0)) == 5001
    assert reach(graph)[4999] == 0b11 << 4999
