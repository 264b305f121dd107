"""Decisions in a report: which of their vectors the tests evaluate, as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from tightrope.coverage.objective import relative_place
from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import Vector, vectors
from tightrope.program.decisions.condition_values import has_too_many_vectors
from tightrope.program.decisions.decisions import Decision
from tightrope.program.decisions.masking import unmasked
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function
from tightrope.program.marks.marks import Marks
from tightrope.report.model import ReportedCondition, ReportedDecision, ReportedVector


def report_decisions(
    marks: Marks, points: Points, firsts: Mapping[str, Location], tests: Sequence[tuple[str, int]]
) -> tuple[ReportedDecision, ...]:
    """One row per decision. `firsts` says where functions start; a test is its name and the points that it hits."""
    ids = decision_ids(marks.decisions, firsts)
    found = zip(ids, marks.decisions, points.vectors, strict=True)
    return tuple(_report_decision(name, decision, numbers, tests) for name, decision, numbers in found)


def first_lines(functions: Mapping[str, Function]) -> dict[str, Location]:
    """Where each function starts."""
    return {name: function.location or Location("", 0) for name, function in functions.items()}


def decision_ids(decisions: Sequence[Decision], firsts: Mapping[str, Location]) -> list[str]:
    """`grade:+2.9`; decisions of one macro expansion share a place and are numbered."""
    seen: Counter[str] = Counter()
    ids = []
    for decision in decisions:
        name = decision.function.removeprefix("@").strip('"')
        name = "main" if name == UNIT_MAIN else name
        place = f"{name}:{relative_place(decision.location, firsts[decision.function])}"
        seen[place] += 1
        ids.append(f"{place}#{seen[place]}" if seen[place] > 1 else place)
    return ids


def vectors_of(decision: Decision) -> tuple[Vector, ...]:
    """The vectors of its points, in order; none if the decision cannot be followed, or has too many of them."""
    constants = constants_of(decision)
    is_listed = not decision.problem and not has_too_many_vectors(decision.tree, constants)
    return vectors(decision.tree, constants) if is_listed else ()


def constants_of(decision: Decision) -> dict[int, bool]:
    return {at: each.constant for at, each in enumerate(decision.conditions) if each.constant is not None}


def _report_decision(
    name: str, decision: Decision, numbers: range, tests: Sequence[tuple[str, int]]
) -> ReportedDecision:
    rows, seen, every = [], [], vectors_of(decision)
    for number, vector in zip(numbers, every, strict=False):
        names = tuple(test for test, hit in tests if hit >> number & 1)
        if names:
            rows.append(ReportedVector(vector.values, vector.outcome, names))
            seen.append(vector)
    matters = [unmasked(decision.tree, vector, constants_of(decision)) for vector in seen]
    conditions = [
        ReportedCondition(
            each.text, each.location.line, each.location.column, constant=each.constant,
            pair=_independence_pair(at, seen, matters),
        )
        for at, each in enumerate(decision.conditions)
    ]  # fmt: skip
    at = decision.location
    return ReportedDecision(
        name, at.line, at.column, decision.text, tuple(conditions), tuple(rows), len(every), file=at.file,
        role=decision.role, problem=decision.problem,
    )  # fmt: skip


def _independence_pair(condition: int, seen: Sequence[Vector], matters: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Positions of two vectors that show the effect of the condition: if there is one, a pair in which no other
    condition differs; otherwise one in which what differs is masked."""
    there = [at for at, found in enumerate(matters) if condition in found]
    pairs = [
        (one, other)
        for one, other in combinations(there, 2)
        if seen[one].values[condition] is not seen[other].values[condition]
        and seen[one].outcome is not seen[other].outcome
    ]
    return min(pairs, key=lambda pair: (other_differences(seen, pair, condition), pair), default=())


def other_differences(rows: Sequence[Vector] | Sequence[ReportedVector], pair: tuple[int, ...], condition: int) -> int:
    """How many other conditions have another value in the second vector; 0: the pair is one of unique cause."""
    one, other = (rows[at].values for at in pair)
    both = enumerate(zip(one, other, strict=True))
    return sum(at != condition and None not in values and values[0] is not values[1] for at, values in both)
