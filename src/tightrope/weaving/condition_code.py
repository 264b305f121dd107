"""Code for a decision of which <condition, value> is followed (program/decisions/condition_values.py).

A local of the function holds two bits for each of the n conditions: true (bit c), evaluated (bit n + c). Each condition
sets its own. Where the decision may be over, a function of its own finds out, and hits the points:

    call void @tightrope_condition(i32 7, i1 %tobool)  →  %1 = load i48, ptr %tr.decision.2
                                                          %2 = select i1 %tobool, i48 16777217, i48 16777216
                                                          %3 = or i48 %1, %2
                                                          store i48 %3, ptr %tr.decision.2
                                                          call void @tr_conditions.2(i48 %3)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tightrope.program.decisions.condition_values import first_condition, follow, may_end
from tightrope.program.decisions.decisions import Decision

Hit = Callable[[str, int, Callable[[], str]], list[str]]
"""Code that hits a point of the decision (counted from 0) if a value of type i1 is true; with fresh names."""


def state_bits(decision: Decision) -> int:
    return 2 * len(decision.conditions)


def condition_code(
    decision: Decision, number: int, position: int, value: str, kept: str, fresh: Callable[[], str]
) -> Iterator[str]:
    """What the evaluation of one condition adds. `number` is the decision's, `kept` the local."""
    kind, size = f"i{state_bits(decision)}", len(decision.conditions)
    was_false, was_true = 1 << size + position, 1 << size + position | 1 << position
    state = fresh()
    chosen = f"select i1 {value}, {kind} {was_true}, {kind} {was_false}"
    if position == first_condition(decision.tree, decision.constants):
        yield f"{state} = {chosen}"
    else:
        before, own = fresh(), fresh()
        yield f"{before} = load {kind}, ptr {kept}"
        yield f"{own} = {chosen}"
        yield f"{state} = or {kind} {before}, {own}"
    yield f"store {kind} {state}, ptr {kept}"
    if may_end(decision.tree, decision.constants, position):
        yield f"call void {_name(number)}({kind} {state})"


def add_condition_function(definitions: list[str], decision: Decision, number: int, hit: Hit) -> None:
    """Add the function that hits the points of a decision that is over, if it is not there."""
    head = f"define internal void {_name(number)}("
    if not any(each.startswith(head) for each in definitions):
        definitions.append(_condition_function(decision, number, hit))


def _condition_function(decision: Decision, number: int, hit: Hit) -> str:
    gates = _Gates(state_bits(decision), len(decision.conditions))
    is_over, found = follow(decision.tree, decision.constants, gates, gates.was_evaluated, gates.was_true)
    points = list(found)
    tests = [f"br i1 {is_over}, label %over, label %end"]
    hits = [code for point, when in points if when != "false" for code in hit(when, point, gates.fresh)]
    body = ["entry:", *gates.lines, *tests, "over:", *hits, "br label %end", "end:", "ret void"]
    shown = "\n".join(each if each.endswith(":") else f"  {each}" for each in body)
    return f"define internal void {_name(number)}(i{state_bits(decision)} %state) {{\n{shown}\n}}"


def _name(number: int) -> str:
    return f"@tr_conditions.{number}"


@dataclass(slots=True)
class _Gates:
    """Truth values are texts of type i1: names and constants."""

    bits: int
    size: int
    lines: list[str] = field(default_factory=list)
    names: int = 0
    known: dict[str, str] = field(default_factory=dict)  # code -> the name of its result

    def fresh(self) -> str:
        self.names += 1
        return f"%c.{self.names}"

    def was_true(self, condition: int) -> str:
        return self._bit(condition)

    def was_evaluated(self, condition: int) -> str:
        return self._bit(self.size + condition)

    def _bit(self, position: int) -> str:
        shifted = self._let(f"lshr i{self.bits} %state, {position}")
        return self._let(f"trunc i{self.bits} {shifted} to i1")

    def _let(self, code: str) -> str:
        if code not in self.known:
            self.known[code] = self.fresh()
            self.lines.append(f"{self.known[code]} = {code}")
        return self.known[code]

    def constant(self, value: bool) -> str:
        return "true" if value else "false"

    def negate(self, operand: str) -> str:
        if operand in ("true", "false"):
            return self.constant(operand == "false")
        return self._let(f"xor i1 {operand}, true")

    def both(self, left: str, right: str) -> str:
        return self._join("and", left, right, "false")

    def either(self, left: str, right: str) -> str:
        return self._join("or", left, right, "true")

    def _join(self, operator: str, left: str, right: str, deciding: str) -> str:
        if deciding in (left, right):
            return deciding
        if left in ("true", "false") or left == right:
            return right
        return left if right in ("true", "false") else self._let(f"{operator} i1 {left}, {right}")
