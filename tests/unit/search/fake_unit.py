"""A unit without C: a Python function that tells its story to a fake runtime, and a solver that tries all inputs.

def program(run):
    if run.branch(10, run.below(run.input(0), 3)):
        run.hit(20)
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Sequence

from tightrope.coverage.objective import Objective
from tightrope.expr.evaluate import holds
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable
from tightrope.inputs.scalars import Input
from tightrope.location import Location
from tightrope.running.memory_map import FLAG_APPROXIMATE, EventKind, OutcomeCode
from tightrope.running.runner import Trace
from tightrope.search.aim import Obligation
from tightrope.search.constraints import Constraints
from tightrope.search.decode import Decoder
from tightrope.search.observed import Observations
from tightrope.search.path_tree import PathTree
from tightrope.solving.query import Answer, Query, Sat, SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.solver import SolverStatistics

BITS = 4  # of every input

Shadowed = tuple[int, int]  # number of the expression, its value in this run
Program = Callable[["Run"], None]


class Run:
    """One run under way: expressions, events, points."""

    def __init__(self, runner: FakeRunner, values: Input) -> None:
        self.runner, self.values = runner, values
        self.events = self.observations = b""
        self.in_label = False
        self.points = self.flags = 0
        self.outcome = int(OutcomeCode.RETURNED)

    def input(self, slot: int) -> Shadowed:
        return self.runner.node(Op.INPUT, BITS, number=slot), self.values[slot]

    def constant(self, value: int) -> Shadowed:
        return self.runner.node(Op.CONSTANT, BITS, number=value), value

    def add(self, a: Shadowed, b: Shadowed) -> Shadowed:
        return self.runner.node(Op.ADD, BITS, a[0], b[0]), (a[1] + b[1]) % (1 << BITS)

    def below(self, a: Shadowed, limit: int) -> Shadowed:
        return self.runner.node(Op.ULT, 1, a[0], self.constant(limit)[0]), int(a[1] < limit)

    def equal(self, a: Shadowed, value: int) -> Shadowed:
        return self.runner.node(Op.EQ, 1, a[0], self.constant(value)[0]), int(a[1] == value)

    def event(self, kind: EventKind, site: int, expression: int, side: int) -> None:
        if self.in_label:
            self.observation(kind, site, expression, side)
        else:
            self.events += struct.pack("<IIHH", expression, site, side, kind)

    def observation(self, kind: EventKind, site: int, expression: int, side: int, previous: int = 0) -> int:
        position = len(self.events) // 12
        self.observations += struct.pack("<IIIHHI", position, expression, site, side, kind, previous)
        return len(self.observations) // 20

    def label(self, number: int, point: int, predicate: Callable[[Run], Shadowed], was: int = 0) -> None:
        """The events of the predicate go to the label; as in the runtime, what is covered is not noted."""
        before, self.in_label = self.observations, True
        expression, value = predicate(self)
        self.in_label = False
        if value:
            self.hit(point)
            self.observations = before
        elif expression or was or self.observations != before:
            self.observation(EventKind.LABEL, number, expression, was)

    def observe(self, number: int, condition: Shadowed, previous: int = 0) -> int:
        if not condition[0] and not previous:
            return 0
        return self.observation(EventKind.CONDITION, number, *condition, previous)

    def hit(self, point: int) -> None:
        self.points |= 1 << point

    def branch(self, site: int, condition: Shadowed) -> bool:
        self.event(EventKind.BRANCH, site, *condition)
        if not self.in_label:
            self.hit(site + condition[1])
        return bool(condition[1])

    def switch(self, site: int, value: Shadowed) -> int:
        cases = self.runner.switches[site]
        side = cases.index(value[1]) + 1 if value[1] in cases else 0
        self.event(EventKind.SWITCH, site, value[0], side)
        self.hit(site + side)
        return side

    def guard(self, place: int, condition: Shadowed) -> bool:
        self.event(EventKind.GUARD, place, *condition)
        return bool(condition[1])

    def assume(self, number: int, condition: Shadowed) -> bool:
        self.event(EventKind.ASSUME, number, *condition)
        if not condition[1]:
            self.outcome = int(OutcomeCode.REJECTED)
        return bool(condition[1])

    def pin(self, place: int, value: Shadowed) -> int:
        self.event(EventKind.PIN, place, self.equal(value, value[1])[0], 1)
        return value[1]

    def concrete(self, place: int) -> None:
        self.flags |= FLAG_APPROXIMATE
        self.event(EventKind.CONCRETE, place, 0, 0)


class FakeRunner:
    """Runs the program; keeps a table of nodes as the runtime does."""

    def __init__(self, program: Program, switches: dict[int, tuple[int, ...]] | None = None) -> None:
        self.program, self.switches = program, switches or {}
        self.inputs: list[Input] = []
        self.closed = 0
        self.epoch = 0
        self.new_epoch()

    def new_epoch(self) -> None:
        self.epoch += 1
        self.rows, self.numbers = [b"\0" * 24], dict[bytes, int]()

    def node(self, op: Op, bits: int, a: int = 0, b: int = 0, number: int = 0) -> int:
        row = struct.pack("<BBBxIIIQ", op, bits, 0, a, b, 0, number)
        if row not in self.numbers:
            self.numbers[row] = len(self.rows)
            self.rows.append(row)
        return self.numbers[row]

    def node_xor(self, a: int, b: int) -> int:
        return self.node(Op.XOR, 1, a, b)

    def node_bytes(self, start: int, end: int) -> bytes:
        return b"".join(self.rows[start:end])

    def trace(self, values: Input) -> Trace:
        self.inputs.append(values)
        run = Run(self, values)
        self.program(run)
        return Trace(run.outcome, run.flags, self.epoch, len(self.rows), run.events, run.points, run.observations)

    def close_aims(self, closed: int, observed: int = 0) -> None:
        self.closed = closed


class TryAll:
    """A solver for few small inputs. Knows no answer to queries that mention a slot in `hard`."""

    def __init__(self, hard: Sequence[int] = ()) -> None:
        self.statistics, self.hard = SolverStatistics(), hard

    def ask(self, query: Query) -> Answer:
        if any(slot in self.hard for slot in query.slots):
            return SolverUnknown(WhyUnknown.TIME_LIMIT)
        for chosen in itertools.product(range(1 << BITS), repeat=len(query.slots)):
            values = list(query.base)
            for slot, value in zip(query.slots, chosen, strict=True):
                values[slot] = value
            if all(holds(term, values) for term in query.constraints):
                return Sat({slot: values[slot] for slot in query.slots})
        return Unsat()


def make_tree(runner: FakeRunner, obligations: Sequence[tuple[int, int]] = (), labels: int = 0) -> PathTree:
    table = TermTable()
    constraints = Constraints(table, runner.switches)
    observations = Observations(constraints, [Obligation(when) for when in obligations], labels)
    return PathTree(Decoder(table, runner.node_bytes), constraints, observations=observations)


def objective(point: int) -> Objective:
    return Objective(f"point {point}", "branch", "true", Location("a.c", point), "", (point,), "")
