"""Encodes a unit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence

from tightrope.encoding.calls import Calls
from tightrope.encoding.encoding import Encoding, EncodingLimits
from tightrope.encoding.frame import Frame
from tightrope.encoding.function_plan import FunctionPlan
from tightrope.encoding.instructions import HANDLERS
from tightrope.encoding.mark_handlers import MarkHandlers
from tightrope.encoding.observer import Observer
from tightrope.encoding.observer_handlers import HANDLERS as OBSERVING
from tightrope.encoding.values import EncodingTable
from tightrope.encoding.walk import EncodedUnit, UnitWalk
from tightrope.encoding.watched import Watch
from tightrope.expr.terms import Term
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Program
from tightrope.program.marks.marks import Marks
from tightrope.program.marks.point_graph import PointGraph
from tightrope.weaving.mark_table import MarkTable

ENTRY = "@tightrope_drive"
DEEP = 20_000  # Python stack frames: each call in the unit takes a few


def encode(
    program: Program,
    points: Points,
    marks: Marks,
    graph: PointGraph,
    widths: Sequence[int],
    limits: EncodingLimits,
    *,
    checks: Collection[str] = (),
    is_possible: Callable[[Term], bool] = lambda term: True,
    watch: Watch | None = None,
    table: EncodingTable | None = None,
    observer: Observer | None = None,
) -> Encoding:
    """Encode the unit that the driver calls. `widths`: of its slots, in bits. `is_possible` tells whether a loop can
    continue; `watch` gets every branch that inputs decide, an `observer` everything that is observable from outside. A
    `table` may have terms of other encodings with the same first unknown."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
    subject = EncodedUnit(program, ENTRY, points, graph, widths, frozenset(checks))
    handlers = {**HANDLERS, "call": Calls(MarkHandlers(MarkTable(marks)).handlers).run_call}
    handlers |= {} if observer is None else OBSERVING

    def make_frame(walk: UnitWalk, plan: FunctionPlan, in_label: bool) -> Frame:
        return Frame(walk, plan, in_label, handlers)

    return UnitWalk(
        subject,
        limits,
        make_frame,
        is_possible,
        watch,
        observer,
        table=EncodingTable() if table is None else table,
    ).encode()
