"""Marks in a walk: which vector of a decision was evaluated, whether a label's predicate holds, what a use reads.

A run keeps the state of a decision's evaluation in an extra local (see weaving/weave_marks.py). Here this state is a
note: possible numbers, each with the condition under which it is the current one.
"""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.state import ABANDONED, KEPT_IN_CALLS, LABEL, Choice
from tightrope.encoding.watched import CONDITION as WATCHED_CONDITION
from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.simplify import both, either
from tightrope.expr.terms import Term, TermTable
from tightrope.program.decisions.condition_values import follow, may_end
from tightrope.program.ir.model import Instruction
from tightrope.program.marks.data_flow import reached
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH
from tightrope.weaving.mark_table import MarkTable


@dataclass(frozen=True, slots=True)
class _TermGates:
    table: TermTable

    def constant(self, value: bool) -> Term:
        return truth(self.table, value)

    def negate(self, operand: Term) -> Term:
        return negate(self.table, operand)

    def both(self, left: Term, right: Term) -> Term:
        return both(self.table, left, right)

    def either(self, left: Term, right: Term) -> Term:
        return either(self.table, left, right)


class MarkHandlers:
    """The marks of one unit."""

    def __init__(self, table: MarkTable) -> None:
        self.marks, self._table = table.marks, table
        self.handlers: dict[str, Handler] = {
            CONDITION: self.run_condition,
            LABEL_BEGIN: self.run_label_begin,
            LABEL_END: self.run_label_end,
            REACH: self.run_reach,
        }

    def run_condition(self, frame: Frame, call: Instruction) -> None:
        """A condition was evaluated, which may terminate its decision."""
        number, operand = (argument.value for argument in call.arguments)
        decision, position = self._table.find(int(number.text))
        vectors = frame.walk.subject.points.vectors[decision]
        if frame.in_label or not vectors:
            return None
        value = frame.watched((frame.plan.function.name, WATCHED_CONDITION, int(number.text)), frame.term(operand))
        if frame.walk.is_decided(value):
            frame.walk.decided.add(len(self.marks.labels) + int(number.text))
        if self._table.is_large(decision):
            return self._set_bits(frame, decision, position, value)
        numbering, name = self._table.numbering(decision), f"decision {decision}"
        before: Choice = {0: truth(frame.table, True)}
        if position != numbering.first:
            before = frame.state.notes.get(name, {})
        kept: dict[int, Term] = {}
        for index, when in before.items():
            for is_true in (False, True):
                side = both(frame.table, when, value if is_true else negate(frame.table, value))
                if not is_constant(side, 0):
                    self._step(frame, decision, position, (index, is_true), side, kept)
        frame.state.notes[name] = kept

    def _set_bits(self, frame: Frame, decision: int, position: int, value: Term) -> None:
        """Of a decision with too many vectors, <condition, value> is followed: a note for each condition says when it
        was evaluated to false (0) and to true (1)."""
        known, first = self.marks.decisions[decision], frame.walk.subject.points.vectors[decision].start
        names = [f"condition {at} of decision {decision}" for at in range(len(known.conditions))]
        if position == self._table.first(decision):
            for name in names:
                frame.state.notes.pop(name, None)
        always, never = truth(frame.table, True), truth(frame.table, False)
        sides = {0: negate(frame.table, value), 1: value}
        frame.state.notes[names[position]] = {side: when for side, when in sides.items() if when is not never}
        if not may_end(known.tree, known.constants, position):
            return

        def was(condition: int) -> Choice:
            return frame.state.notes.get(names[condition], {})

        def was_evaluated(condition: int) -> Term:
            if condition == position:
                return always
            return either(frame.table, was(condition).get(0, never), was(condition).get(1, never))

        def was_true(condition: int) -> Term:
            return was(condition).get(1, never)

        _, found = follow(known.tree, known.constants, _TermGates(frame.table), was_evaluated, was_true)
        for point, when in found:
            if when is not never:
                frame.hit(first + point, when)

    def _step(
        self, frame: Frame, decision: int, position: int, taken: tuple[int, bool], when: Term, kept: dict[int, Term]
    ) -> None:
        numbering, first = self._table.numbering(decision), frame.walk.subject.points.vectors[decision].start
        index, is_true = taken
        if numbering.table:
            rows = len(numbering.table)
            if index >= rows:
                return
            after = numbering.table[index][is_true]
            ends, vector = after >= rows, after - rows
        elif position in numbering.steps:
            step = numbering.steps[position][is_true]
            after = vector = index + step.weight
            ends = step.ends
        else:
            after, ends, vector = index, False, 0
        if ends:
            frame.hit(first + vector, when)
        else:
            kept[after] = either(frame.table, kept[after], when) if after in kept else when

    def run_label_begin(self, frame: Frame, call: Instruction) -> None:
        if frame.called_in_label:
            return
        frame.in_label = True
        point = frame.walk.subject.points.labels[int(call.arguments[0].value.text)]
        frame.state.notes.pop(ABANDONED, None)
        frame.state.notes[LABEL] = {point: truth(frame.table, True)}

    def run_label_end(self, frame: Frame, call: Instruction) -> None:
        if frame.called_in_label:
            return
        number, operand = (argument.value for argument in call.arguments)
        holds = both(frame.table, frame.term(operand), negate(frame.table, frame.is_abandoned))
        frame.hit(frame.walk.subject.points.labels[int(number.text)], holds)
        if frame.walk.is_decided(holds):
            frame.walk.decided.add(int(number.text))
        frame.in_label = False
        for name in KEPT_IN_CALLS:
            frame.state.notes.pop(name, None)

    def run_reach(self, frame: Frame, call: Instruction) -> None:
        """Control is at a definition, which ends the reach of others, or at a use."""
        number = reached(call)
        if number is None or frame.in_label:
            return
        access = self.marks.accesses[number]
        name = f"definition of {access.variable}"
        if access.is_definition:
            frame.state.notes[name] = {number: truth(frame.table, True)}
            return
        known = frame.state.notes.get(name, {})
        for flow, point in zip(self.marks.flows, frame.walk.subject.points.flows, strict=True):
            if flow.use == number and flow.definition in known:
                frame.hit(point, known[flow.definition])
