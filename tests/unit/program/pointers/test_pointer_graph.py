"""The graph of pointers: elements, components, steps."""

from __future__ import annotations

from tightrope.program.pointers.pointer_graph import SAME, Derivation, PointerGraph, Way


def names(graph: PointerGraph) -> list[set[str]]:
    by_number = {number: key for key, number in graph.numbers.items()}
    return [{by_number[node] for node in part} for part in graph.components(lambda step: True)]


def connected(*edges: tuple[str, str]) -> PointerGraph:
    graph = PointerGraph()
    for source, target in edges:
        graph.connect(graph.node(source), graph.node(target))
    return graph


def test_components_come_after_what_is_derived_from_them() -> None:
    assert names(connected(("a", "b"), ("b", "c"))) == [{"c"}, {"b"}, {"a"}]


def test_a_loop_is_one_component() -> None:
    found = names(connected(("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")))
    assert found == [{"d"}, {"b", "c"}, {"a"}]


def test_two_loops_that_meet() -> None:
    assert names(connected(("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"))) == [{"a", "b", "c"}]


def test_a_long_chain_needs_no_recursion() -> None:
    graph = connected(*((str(at), str(at + 1)) for at in range(5000)))
    assert len(names(graph)) == 5001


def test_steps_can_be_left_out() -> None:
    graph = PointerGraph()
    a, b = graph.node("a"), graph.node("b")
    graph.connect(a, b)
    graph.connect(b, a, Derivation(Way.COPY))
    assert len(list(graph.components(lambda step: step.way is not Way.COPY))) == 2
    assert len(list(graph.components(lambda step: True))) == 1


def test_elements_are_derived_where_pointers_are() -> None:
    graph = connected(("p", "q"))
    inner = graph.element(graph.node("q"))
    graph.close()
    outer = graph.known_element(graph.node("p"))
    assert outer is not None and (inner, SAME) in graph.derived[outer]


def test_what_is_kept_in_known_memory_is_found_through_each_of_its_addresses() -> None:
    graph = connected(("cell", "parameter"))
    graph.mark_as_cell(graph.node("cell"))
    inner, outer = graph.element(graph.node("parameter")), graph.element(graph.node("cell"))
    graph.close()
    assert (outer, SAME) in graph.derived[inner] and (inner, SAME) in graph.derived[outer]


def test_pointers_into_one_object_share_its_elements() -> None:
    graph = PointerGraph()
    base, one, two = (graph.node(name) for name in ("base", "one", "two"))
    graph.share_elements(one, base, 8)
    graph.share_elements(two, one, 4)
    assert graph.element(two) == graph.element(base)
    assert graph.object_of(two) == (base, 12)


def test_an_unknown_offset_stays_unknown() -> None:
    graph = PointerGraph()
    base, one, two = (graph.node(name) for name in ("base", "one", "two"))
    graph.share_elements(one, base, None)
    graph.share_elements(two, one, 4)
    assert graph.object_of(two) == (base, None)


def test_pointers_to_pointers_end_somewhere() -> None:
    graph = PointerGraph()
    node = graph.node("p")
    for _ in range(10):
        node = graph.element(node)
    assert graph.element(node) == node and graph.known_element(node) is None


def test_a_pointer_that_is_its_own_element_can_be_closed() -> None:
    graph = PointerGraph()
    p = graph.node("p")
    graph.connect(graph.element(p), p)  # p = *(void **)p
    graph.close()
    assert any(len(part) > 1 for part in graph.components(lambda step: True)) or len(graph) > 1


def test_which_steps_move() -> None:
    assert Derivation(Way.MOVED, 1, 4).moves and Derivation(Way.ANYWHERE).moves
    assert not SAME.moves and not Derivation(Way.MEMBER, bytes=8).moves
