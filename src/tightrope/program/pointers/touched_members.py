"""Which members of records the code of a unit may read. The others need no values, because no run depends on them.

A member counts as read where its address is computed for anything but writing there; where its bytes are read through
a pointer of another type; or where code that we do not have may do so. Copying a record as a whole reads no member.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from tightrope.program.declarations.c_types import CTypes
from tightrope.program.ir.model import Program
from tightrope.program.pointers.pointer_flow import PointerFlow, find_pointer_flow
from tightrope.program.pointers.pointer_graph import Derivation, PointerFacts, PointerGraph, Way
from tightrope.program.pointers.record_bytes import Range, RecordBytes

_MAX_RANGES = 256  # more than that is as good as everything


@dataclass(frozen=True, slots=True)
class TouchedMembers:
    ranges: Mapping[str, frozenset[Range]]  # by record; every record that is known has an entry
    whole: frozenset[str]  # records of which every byte may be looked at
    anywhere: frozenset[Range] = frozenset()  # looked at in records of which nothing is known
    likely: TouchedMembers | None = None  # without what only code that we do not have may look at

    def may_touch(self, record_name: str, offset: int) -> bool:
        """True unless no code can look at the member that begins at this byte. The first one always counts."""
        if offset == 0 or record_name in self.whole or record_name not in self.ranges:
            return True
        if not record_name or record_name == "anon":
            return True
        return any(start <= offset < end for start, end in (*self.ranges[record_name], *self.anywhere))


def touched_members(
    program: Program,
    unit: str,
    ctypes: CTypes | None = None,
    stubs: Container[str] = (),
    flow: PointerFlow | None = None,
) -> TouchedMembers:
    """What the unit and all it may call can look at. Without the C types, what is done to a record through pointers
    of other types alone (`hash((char *)record, sizeof *record)`) is not noticed."""
    flow = flow or find_pointer_flow(program, unit, ctypes, stubs)
    spread = tuple(_spread(flow.graph))
    return replace(_touched(flow, spread, has_others=True), likely=_touched(flow, spread, has_others=False))


def _touched(flow: PointerFlow, spread: Iterable[PointerFacts], has_others: bool) -> TouchedMembers:
    """`has_others`: code that we do not have may look at what it can reach."""
    found = RecordBytes(flow.program, flow.ctypes)
    for name, start, end in flow.ranges:
        found.look_at_member(name, (start, end))
    anywhere: set[Range] = set()
    for facts in spread:
        found.look_at(facts.views, facts.ranges)
        if facts.is_exposed and has_others:
            found.expose(facts.views, is_deep=facts.is_lost)
        if not facts.views and flow.ctypes is None:
            anywhere |= facts.ranges
    found.finish()
    ranges = {name: frozenset(found.ranges_of(name)) for name in found.names()}
    return TouchedMembers(ranges, frozenset(found.whole), frozenset(anywhere))


def _spread(graph: PointerGraph) -> Iterable[PointerFacts]:
    """What is looked at through each node and all that is derived from it."""
    result: list[PointerFacts] = [PointerFacts()] * len(graph)
    for component in graph.components(lambda step: True):
        total, inside, is_moved = PointerFacts(), set(component), False
        for node in component:
            _merge(total, graph.facts[node])
            for target, step in graph.derived[node]:
                if target not in inside:
                    _merge_derived(total, result[target], step)
                else:
                    is_moved |= step.way is not Way.MEMBER and not step.is_record and (step.moves or step.bytes != 0)
        if is_moved or len(total.ranges) > _MAX_RANGES:
            _blur(total)
        for node in component:
            result[node] = total
        yield total


def _merge(total: PointerFacts, other: PointerFacts) -> None:
    total.views |= other.views
    total.ranges |= other.ranges
    total.is_exposed |= other.is_exposed
    total.is_swept |= other.is_swept
    total.is_lost |= other.is_lost


def _blur(facts: PointerFacts) -> None:
    """Looked at, but at bytes that are not known."""
    if facts.ranges:
        facts.is_exposed = facts.is_swept = True
    facts.ranges = set()


def _merge_derived(total: PointerFacts, other: PointerFacts, step: Derivation) -> None:
    match step.way:
        case Way.MEMBER:  # `memcmp(&a->second, &b->second, 24)` goes beyond the second member
            _merge_moved(total, {one for one in other.ranges if one[1] > step.size > 0}, step)
            if other.is_swept and not step.is_array:
                total.is_exposed = total.is_swept = True
        case Way.COPY:
            _merge(total, replace(other, ranges=set()))
            _merge_moved(total, other.ranges, step)
        case Way.SAME:
            _merge(total, other)
        case _ if step.is_record:
            _merge(total, other)
            _merge_moved(total, {one for one in other.ranges if one[1] > step.size}, step)
        case _:
            _merge(total, replace(other, views=set(), ranges=set()))
            total.is_exposed |= bool(other.views)
            _merge_moved(total, other.ranges, step)


def _merge_moved(total: PointerFacts, ranges: set[Range], step: Derivation) -> None:
    if step.bytes is None or step.way is Way.ANYWHERE:
        total.is_exposed |= bool(ranges)
        total.is_swept |= bool(ranges)
    else:
        total.ranges |= {(start + step.bytes, end + step.bytes) for start, end in ranges if end + step.bytes > 0}
