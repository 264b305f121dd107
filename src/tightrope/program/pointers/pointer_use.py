"""What a unit does with its pointers: the evidence from which the shape of its inputs is chosen.

A *holder* is a place where a pointer is kept:

    ("parameter", 0)              of the unit, counted as in C
    ("member", "node", 16)        of all records of that name, by byte offset
    ("global", "@head")           a global that is a pointer, or an array of them
    ("answer", "sensor")          what a function answers; one behind a pointer has its signature for a name
    ("element", HOLDER)           what the holder's pointer points to, where that is a pointer itself
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace

from tightrope.program.declarations.c_types import CTypes
from tightrope.program.ir.model import Function, Program
from tightrope.program.pointers.pointer_flow import PointerFlow, find_pointer_flow, parameter_numbers
from tightrope.program.pointers.pointer_graph import Derivation, PointerFacts, PointerGraph, Way

Holder = tuple[Hashable, ...]

_MAX_LEAST = 1 << 16  # larger counts are no evidence for an array that a test could hold


@dataclass(frozen=True, slots=True)
class Use:
    """What is done with the pointers of one holder."""

    is_indexed: bool = False  # by an index that is not constant, or moved on in a loop
    least_count: int = 1  # elements that constants ask for: as an index, or as its bound
    is_string: bool = False  # given to a library function that takes strings
    is_compared: bool = False  # with NULL
    is_written: bool = False
    is_read: bool = False
    least_bytes: int = 0  # that accesses of known place and size ask for
    number_bytes: int = 0  # of the largest number that is read or written right where it leads, through no record
    is_known: bool = False  # all that may be done with it was seen
    records: frozenset[str] = frozenset()  # names of the record types that it is used as
    containers: frozenset[tuple[str, int]] = frozenset()  # it leads so many bytes into a record of this name
    is_matched: bool = False  # compared with another pointer
    low_bits: int = 0  # of its address, a mask: those that the code looks at
    starts: frozenset[Holder] = frozenset()  # holders of pointers that are subtracted from it


@dataclass(frozen=True, slots=True)
class PointerUses:
    uses: Mapping[Holder, Use]

    def of(self, holder: Holder) -> Use:
        """The use of a holder; one that no code touches has the default."""
        return self.uses.get(holder, Use())


def find_pointer_uses(
    program: Program, unit: str, ctypes: CTypes | None = None, flow: PointerFlow | None = None
) -> PointerUses:
    """How the unit (`@f`, or its C name) and all it may call use each holder's pointer."""
    flow = flow or find_pointer_flow(program, unit, ctypes)
    facts = _spread(flow.graph)
    uses: dict[Holder, Use] = {}
    for holder, node in _holders(flow.graph, flow.unit):
        uses[holder] = _use(facts[node])
        _add_elements(flow.graph, facts, holder, node, uses)
    for holder, starts in _find_starts(flow).items():
        for each in {holder, *starts} & uses.keys():  # `p - q` counts elements
            uses[each] = replace(uses[each], is_indexed=True)
        if holder in uses:
            uses[holder] = replace(uses[holder], starts=frozenset(starts))
    return PointerUses(uses)


def _find_starts(flow: PointerFlow) -> dict[Holder, set[Holder]]:
    """Holder -> the holders of what is subtracted from its pointer: `p->data - p->start` has a meaning only if both
    lead into one object. Not where both come from one pointer (`q = p; while (*q) q++; q - p`)."""
    holders: dict[int, set[Holder]] = {}
    for holder, node in _holders(flow.graph, flow.unit):
        holders.setdefault(node, set()).add(holder)
    found: dict[Holder, set[Holder]] = {}
    for one, other in flow.distances:
        ends, starts = (_origins(flow.graph, node) for node in (one, other))
        if not ends & starts:
            for end in sorted(ends & holders.keys()):
                for holder in holders[end]:
                    found.setdefault(holder, set()).update(*(holders[each] for each in starts & holders.keys()))
    return found


def _origins(graph: PointerGraph, node: int) -> set[int]:
    """The nodes that this one is derived from, and itself: the same pointer, or moved on."""
    found, waiting = {node}, [node]
    while waiting:
        for source, step in graph.sources[waiting.pop()]:
            if (step.way is Way.SAME or step.moves) and source not in found:
                found.add(source)
                waiting.append(source)
    return found


def _add_elements(
    graph: PointerGraph, facts: list[PointerFacts], holder: Holder, node: int, uses: dict[Holder, Use]
) -> None:
    inner = graph.known_element(node)
    while inner is not None:
        holder = ("element", holder)
        uses[holder] = _use(facts[inner])
        inner = graph.known_element(inner)


def _holders(graph: PointerGraph, unit: Function) -> Iterator[tuple[Holder, int]]:
    for number, name in parameter_numbers(unit):
        if (unit.name, name) in graph.numbers:
            yield ("parameter", number), graph.numbers[unit.name, name]
    for key, node in list(graph.numbers.items()):
        if isinstance(key, tuple) and key[0] == "return":
            yield ("answer", key[1][1:] if isinstance(key[1], str) else key[1]), node
        inner = graph.known_element(node)
        if isinstance(key, tuple) and inner is not None:
            if key[0] == "inside":
                yield ("member", key[1], key[2]), inner
            elif key[0] == "address":
                yield ("global", key[1]), inner


def _use(facts: PointerFacts) -> Use:
    return Use(
        facts.is_indexed,
        max(1, min(facts.least_count, _MAX_LEAST)),
        facts.is_string,
        facts.is_compared,
        facts.is_written,
        facts.is_read,
        min(facts.least_bytes, _MAX_LEAST),
        facts.number_bytes,
        is_known=not facts.is_lost,
        records=frozenset(facts.views),
        containers=frozenset(facts.containers),
        is_matched=facts.is_matched,
        low_bits=facts.low_bits,
    )


def _spread(graph: PointerGraph) -> list[PointerFacts]:
    """The facts of each node and of all that is derived from it."""
    result: list[PointerFacts] = [PointerFacts()] * len(graph)
    for component in graph.components(lambda step: step.way is not Way.COPY):
        total, inside = PointerFacts(), set(component)
        for node in component:
            _merge(total, graph.facts[node])
            for target, step in graph.derived[node]:
                if target not in inside:
                    _merge_derived(total, result[target], step)
                else:
                    total.is_indexed |= step.moves
        for node in component:
            result[node] = total
    return result


def _merge(total: PointerFacts, other: PointerFacts) -> None:
    total.is_indexed |= other.is_indexed
    total.is_string |= other.is_string
    total.is_compared |= other.is_compared
    total.is_written |= other.is_written
    total.is_read |= other.is_read
    total.is_lost |= other.is_lost
    total.views |= other.views
    total.containers |= other.containers
    total.is_matched |= other.is_matched
    total.low_bits |= other.low_bits
    total.least_count = max(total.least_count, other.least_count)
    total.least_bytes = max(total.least_bytes, other.least_bytes)
    total.number_bytes = max(total.number_bytes, other.number_bytes)


def _merge_derived(total: PointerFacts, other: PointerFacts, step: Derivation) -> None:
    match step.way:
        case Way.SAME:
            _merge(total, other)
        case Way.MOVED:
            moved = _apart(other)
            moved.least_count = step.count + other.least_count
            moved.least_bytes = (step.bytes or 0) + other.least_bytes
            if step.bytes is not None and step.bytes < 0:  # `container_of`
                moved.containers |= {(name, -step.bytes) for name in other.views}
            _merge(total, moved)
        case Way.ANYWHERE:
            total.is_indexed = True
            moved = _apart(other)
            if step.count:
                moved.least_count = step.count + max(1, other.least_count)
                moved.least_bytes = 0 if step.is_record else step.count * step.size + other.least_bytes
            _merge(total, moved)
        case Way.INSIDE | Way.MEMBER:
            _merge(total, PointerFacts(is_written=other.is_written, is_read=other.is_read))
        case Way.COPY:
            pass


def _apart(facts: PointerFacts) -> PointerFacts:
    """What also holds of the pointer that one came from by moving."""
    return PointerFacts(
        is_indexed=facts.is_indexed,
        is_string=facts.is_string,
        is_written=facts.is_written,
        is_read=facts.is_read,
        is_lost=facts.is_lost,
        low_bits=facts.low_bits,
    )
