"""Hints joined from two versions of a program: what either of them does with its inputs.

A test of one version needs no value for a member that is only written. A comparison does: to see whether a version
writes the member, its value before the call must differ from the written one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tightrope.inputs.hints import CodeHints, find_hints, record_name
from tightrope.inputs.type_facts import has_pointer
from tightrope.program.declarations.c_types import CRecord, CTypes
from tightrope.program.declarations.declare import size_of
from tightrope.program.declarations.interface import Interface
from tightrope.program.ir.model import Program
from tightrope.program.pointers.pointer_flow import PointerFlow, find_pointer_flow
from tightrope.program.pointers.pointer_graph import Way
from tightrope.program.pointers.pointer_use import PointerUses, Use
from tightrope.program.pointers.touched_members import TouchedMembers

FEW_MEMBERS = 16  # of a record that may be written as a whole

Member = tuple[str, int, int]  # record, first byte, byte after the last


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """What another version of the function does with its inputs, so that both versions get the same ones."""

    globals: frozenset[str] = frozenset()  # in C
    hints: CodeHints | None = None

    def find_hints(self, program: Program, ctypes: CTypes, interface: Interface) -> CodeHints:
        """Hints from the code of both versions."""
        own = find_all_hints(program, ctypes, interface)
        return own if self.hints is None else join_hints(own, self.hints)


def find_all_hints(program: Program, ctypes: CTypes, interface: Interface) -> CodeHints:
    """The hints of `find_hints`, where members that are only written count as read."""
    hints = find_hints(program, ctypes, interface)
    stubs = {f"@{one.name}" for one in interface.missing_functions}
    flow = find_pointer_flow(program, f"@{interface.name}", ctypes, stubs)
    touched, ranges = hints.touched, {name: set(each) for name, each in hints.touched.ranges.items()}
    for name, start, end in (*_mentioned(flow), *_plain(ctypes)):
        if name in ranges:  # of other records, all members count already
            ranges[name].add((start, end))
    return replace(hints, touched=replace(touched, ranges={name: frozenset(each) for name, each in ranges.items()}))


def _mentioned(flow: PointerFlow) -> Iterator[Member]:
    """Members whose address is computed."""
    for facts, derived in zip(flow.graph.facts, flow.graph.derived, strict=True):
        for _, step in derived:
            if step.way is Way.MEMBER and step.bytes is not None:
                yield from ((name, step.bytes, step.bytes + max(1, step.size)) for name in sorted(facts.views))


def _plain(ctypes: CTypes) -> Iterator[Member]:
    """Members without pointers, of small records: an assignment of a record writes them all."""
    for number in ctypes.types:
        kind = ctypes.strip(number)
        if isinstance(kind, CRecord) and kind.is_complete and len(kind.members) <= FEW_MEMBERS:
            for member in kind.members:
                if not has_pointer(ctypes, member.type):
                    start = member.bit_offset // 8
                    yield record_name(ctypes, number), start, start + max(1, size_of(ctypes, member.type))


def join_hints(own: CodeHints, other: CodeHints) -> CodeHints:
    """The hints of one version, extended by those of the other, so that both get inputs of the same shape."""
    theirs = other.uses.uses
    uses = {
        **theirs,
        **{holder: _join(use, theirs[holder]) if holder in theirs else use for holder, use in own.uses.uses.items()},
    }
    touched, never_null = _touched(own.touched, other.touched), own.never_null & other.never_null
    callees = {**own.handed, **other.handed}
    handed = {callee: (*own.handed.get(callee, ()), *other.handed.get(callee, ())) for callee in callees}
    return replace(own, uses=PointerUses(uses), touched=touched, never_null=never_null, handed=handed)


def _join(one: Use, other: Use) -> Use:
    return Use(
        is_indexed=one.is_indexed or other.is_indexed,
        least_count=max(one.least_count, other.least_count),
        is_string=one.is_string or other.is_string,
        is_compared=one.is_compared or other.is_compared,
        is_written=one.is_written or other.is_written,
        is_read=one.is_read or other.is_read,
        least_bytes=one.least_bytes if one.records else max(one.least_bytes, other.least_bytes),  # records may grow
        is_known=one.is_known and other.is_known,
        records=one.records | other.records,
        containers=one.containers | other.containers,
        is_matched=one.is_matched or other.is_matched,
        low_bits=one.low_bits | other.low_bits,
        starts=one.starts | other.starts,
    )


def _touched(one: TouchedMembers, other: TouchedMembers) -> TouchedMembers:
    empty: frozenset[tuple[int, int]] = frozenset()
    names = {**one.ranges, **other.ranges}
    ranges = {name: one.ranges.get(name, empty) | other.ranges.get(name, empty) for name in names}
    return TouchedMembers(ranges, one.whole | other.whole, one.anywhere | other.anywhere)
