"""The walk through a unit and its callees: what all its frames share, and its result.

Each call walks the callee in a new frame (frame.py). Everything that a run records (points, conditions of decisions,
labels) becomes a term that is true for the inputs whose runs record it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tightrope.encoding.constants import ProgramConstants
from tightrope.encoding.encoding import Departure, Encoding, EncodingLimits, StateStep, WhyDeparted
from tightrope.encoding.function_plan import FunctionPlan, make_plan
from tightrope.encoding.memory import Memory
from tightrope.encoding.observer import Observer
from tightrope.encoding.state import KEPT_IN_CALLS, WalkState
from tightrope.encoding.values import EncodingTable, Object, Value
from tightrope.encoding.watched import Watch
from tightrope.expr.build import is_constant, truth
from tightrope.expr.candidates import KnownCandidates
from tightrope.expr.operators import Op
from tightrope.expr.simplify import any_of
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function, Program
from tightrope.program.marks.point_graph import PointGraph


class WalksFunction(Protocol):
    """A frame."""

    def run(self, state: WalkState) -> Value | None: ...


@dataclass(frozen=True, slots=True)
class EncodedUnit:
    """What is encoded."""

    program: Program
    entry: str  # '@tightrope_drive'
    points: Points
    graph: PointGraph
    widths: Sequence[int]  # of its inputs, in bits, by slot
    checks: frozenset[str] = frozenset()


@dataclass(slots=True)
class UnitWalk:
    """One encoding in the making. `make_frame` makes what walks one call."""

    subject: EncodedUnit
    limits: EncodingLimits
    make_frame: Callable[[UnitWalk, FunctionPlan, bool], WalksFunction]
    is_possible: Callable[[Term], bool] = lambda term: True
    watch: Watch | None = None
    observer: Observer | None = None  # notes what is observable from outside
    clock: Callable[[], float] = time.perf_counter
    table: EncodingTable = field(default_factory=EncodingTable)
    hits: dict[int, list[Term]] = field(default_factory=dict)
    departures: list[Departure] = field(default_factory=list)
    cuts: list[Departure] = field(default_factory=list)
    sites: set[int] = field(default_factory=set)
    decided: set[int] = field(default_factory=set)
    instances: int = 0
    beyond: int = 0  # times that an answer or a draw was asked for behind the last one of the shape
    _plans: dict[str, FunctionPlan] = field(default_factory=dict)
    _active: dict[str, int] = field(default_factory=dict)
    _behind: dict[tuple[str, str], int] = field(default_factory=dict)
    ends: list[Term] = field(default_factory=list)
    undefined: list[Term] = field(default_factory=list)
    lapses: list[Term] = field(default_factory=list)
    function_slots: int = 0  # slots that choose among functions, as a mask
    candidates: KnownCandidates = field(default_factory=dict)
    forgotten: list[tuple[Object, int, int, Term]] = field(default_factory=list)  # offset, initial value, any value
    step: StateStep | None = None
    _behind_call: int = 0
    _is_spent: bool = False
    _deadline: float = 0.0
    _constants: ProgramConstants | None = None

    def encode(self) -> Encoding:
        self._deadline, self.table.fresh = self.clock() + self.limits.seconds, self.anything
        graph = self.subject.graph
        self._behind_call = graph.everything
        self._behind = {node: graph.anywhere[number] for number, node in enumerate(graph.nodes)}
        entry = self.subject.program.functions[self.subject.entry]
        self.call(entry, (), WalkState(truth(self.table, True), {}, Memory()), in_label=False)
        points = {point: any_of(self.table, terms) for point, terms in self.hits.items()}
        return Encoding(
            self.table,
            tuple(self.table.definitions),
            {point: term for point, term in points.items() if not is_constant(term, 0)},
            tuple(self.departures),
            tuple(self.cuts),
            self.first_unknown,
            frozenset(self.sites),
            frozenset(self.decided),
            tuple(self.ends),
            self.instances,
            self.step,
            tuple(each for each in self.undefined if not is_constant(each, 0)),
            tuple(each for each in self.lapses if not is_constant(each, 0)),
        )

    @property
    def constants(self) -> ProgramConstants:
        if self._constants is None:
            self._constants = ProgramConstants(self.table, self.subject.program)
        return self._constants

    @property
    def is_over_budget(self) -> bool:
        if self.instances >= self.limits.instances or self.clock() > self._deadline:
            self._is_spent = True
        return self._is_spent

    def anything(self, bits: int, is_float: bool = False) -> Term:
        """A new unconstrained value."""
        slot = self.first_unknown + self.table.unknowns
        self.table.unknowns += 1
        number = self.table.input(slot, bits)
        return self.table.make(Op.F_FROM_BITS, bits, (number,), 0, True) if is_float else number

    @property
    def first_unknown(self) -> int:
        """The first slot that is not an input."""
        return len(self.subject.widths) if self.observer is None else self.observer.first_unknown

    def slot(self, number: int) -> int:
        """The number of an input in the formula, which may contain inputs of other units."""
        return number if self.observer is None else self.observer.slots[number]

    def is_decided(self, term: Term) -> bool:
        """True if inputs decide it. The functions that a pointer can point to are our choice and do not count."""
        return bool(term.support & ~self.function_slots)

    def behind(self, function: str, block: str) -> int:
        """The points that a run may hit from a block on. A block of a library model has no points: it counts as the
        place of the call."""
        known = self._behind.get((function, block))
        return self._behind_call if known is None else known

    def depart(self, why: WhyDeparted, what: str, place: Location | None, condition: Term, behind: int) -> None:
        if not is_constant(condition, 0) and (behind or self.observer is not None):
            self.departures.append(Departure(why, what, place, condition, behind))

    def is_cut(self, what: str, place: Location | None, condition: Term, behind: int) -> bool:
        """True if a solver says that no run gets here. Every proof includes the conditions of such cuts."""
        if self.is_possible(condition):
            return False
        self.cuts.append(Departure(WhyDeparted.BOUND, what, place, condition, behind))
        return True

    def plan(self, function: Function) -> FunctionPlan:
        known = self._plans.get(function.name)
        if known is None:
            known = self._plans[function.name] = make_plan(function)
        return known

    def call(
        self, function: Function, arguments: Sequence[Value], state: WalkState, in_label: bool, behind: int = -1
    ) -> Value | None:
        """Walk a call of the function; `state` becomes the state after it. Returns the result, if the call returns one.
        `behind`: the points that a run may hit from the block of the call on."""
        depth = self._active.get(function.name, 0)
        if depth and not self._may_recur(function, depth, state):
            state.reach = truth(self.table, False)
        if state.is_out_of_reach:
            return None
        self._active[function.name] = depth + 1
        names = [parameter.name for parameter in function.parameters]
        notes = {name: note for name, note in state.notes.items() if in_label and name in KEPT_IN_CALLS}
        inside = WalkState(state.reach, dict(zip(names, arguments, strict=False)), state.memory, notes)
        outer, self._behind_call = self._behind_call, behind & self.subject.graph.everything
        result = self.make_frame(self, self.plan(function), in_label).run(inside)
        self._behind_call = outer
        self._active[function.name] = depth
        state.reach, state.memory = inside.reach, inside.memory
        if in_label:
            state.notes.update(inside.notes)
        return result

    def _may_recur(self, function: Function, depth: int, state: WalkState) -> bool:
        everything = self.subject.graph.everything
        if depth > 1 and state.reach.support and self.is_cut("recursion", function.location, state.reach, everything):
            return False
        if depth >= self.limits.recursion:
            self.depart(WhyDeparted.BOUND, "recursion", function.location, state.reach, everything)
        return depth < self.limits.recursion
