"""Nodes and events of the runtime -> terms and steps of a path.

The runtime's table of nodes only grows, and equal nodes have one number: what was decoded stays valid until the table
is reset (another *epoch*: a worker was replaced, or the table was full).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from tightrope.expr.terms import Term, TermTable
from tightrope.running.memory_map import EVENT_BYTES
from tightrope.running.runner import Trace

_NODE = struct.Struct("<BBBxIIIQ")  # op, bits, sort, a, b, c, number
_EVENT = struct.Struct("<IIHH")  # condition, site, side, kind
_OBSERVATION = struct.Struct("<IIIHHI")  # position, condition, site, side, kind, previous

Step = tuple[int, int, Term | None, int]  # kind, site, condition (None: concrete), side
Observation = tuple[int, int, int, Term | None, int, int]  # position, then as a step, then the one before (0: none)


class Decoder:
    """Turns traces of one worker into steps. `read_nodes(start, end)` returns rows of the node table."""

    def __init__(self, table: TermTable, read_nodes: Callable[[int, int], bytes]) -> None:
        self.table = table
        self._read_nodes = read_nodes
        self._terms: list[Any] = [None]  # Term, by the node's number; 0 is no node
        self._epoch = -1

    def steps(self, trace: Trace, start: int = 0) -> list[Step]:
        """The steps of a trace from event `start` on."""
        terms = self._known_terms(trace)
        events = trace.events[start * EVENT_BYTES :] if start else trace.events
        return [(kind, site, terms[condition], side) for condition, site, side, kind in _EVENT.iter_unpack(events)]

    def observations(self, trace: Trace) -> list[Observation]:
        """What the run recorded besides its path."""
        terms = self._known_terms(trace)
        return [
            (position, kind, site, terms[condition], side, previous)
            for position, condition, site, side, kind, previous in _OBSERVATION.iter_unpack(trace.observations)
        ]

    def terms(self, count: int) -> list[Any]:
        """The terms of so many nodes of a table that is never reset, by number."""
        if len(self._terms) < count:
            self._decode_nodes(count)
        return self._terms

    def _known_terms(self, trace: Trace) -> list[Any]:
        if trace.epoch != self._epoch:
            self._epoch, self._terms = trace.epoch, [None]
        if len(self._terms) < trace.nodes:
            self._decode_nodes(trace.nodes)
        return self._terms

    def _decode_nodes(self, end: int) -> None:
        terms, make = self._terms, self.table.make
        for op, bits, sort, a, b, c, number in _NODE.iter_unpack(self._read_nodes(len(terms), end)):
            args: tuple[Term, ...]
            if c:
                args = (terms[a], terms[b], terms[c])
            elif b:
                args = (terms[a], terms[b])
            else:
                args = (terms[a],) if a else ()
            terms.append(make(op, bits, args, number, sort == 1))
