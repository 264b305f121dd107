"""Finds the smallest unsatisfiable core: the fewest members of a set that contradict a goal.

Uses implicit hitting sets (A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva,
"Smallest MUS extraction with minimal hitting set dualization", 2015):

    a satisfiable subset leaves out some members: every core contains at least one of these
    the smallest set that hits all of these complements    either is satisfiable, which yields another complement,
                                                           or is a core, and no core is smaller

Before that, members are removed one by one as long as the rest is unsatisfiable: that is the answer if time runs out.
Laws: the members found contradict the goal, and no member can be removed (unless time ran out); the same query always
gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tightrope.expr.compiled import compile_values
from tightrope.expr.terms import Term
from tightrope.solving.query import Answer, Model, Sat, Unsat

Ask = Callable[[Sequence[Term]], Answer]  # are these satisfiable together?
HasTime = Callable[[], bool]
MOST_TRIED = 20_000  # sets of members that are checked for one hitting set


@dataclass(frozen=True, slots=True)
class Contradiction:
    members: tuple[int, ...]  # positions in the query, ascending
    is_smallest: bool  # otherwise no member can be removed, but another core may be smaller


def find_contradiction(ask: Ask, goal: Term, members: Sequence[Term], has_time: HasTime) -> Contradiction | None:
    """The fewest members that contradict the goal; None if they do not contradict it, or if that is unknown."""
    question = _Question(ask, goal, members)
    found = question.contradictory(range(len(members)))
    if found is None:
        return None
    found = _without_idle(question, found, has_time)
    smallest = _smallest(question, len(found), has_time) if len(found) else found
    best = found if smallest is None or len(smallest) == len(found) else smallest
    return Contradiction(tuple(sorted(best)), smallest is not None)


class _Question:
    """A goal, with members of which any subset can be queried."""

    def __init__(self, ask: Ask, goal: Term, members: Sequence[Term]) -> None:
        self.ask, self.goal, self.members = ask, goal, members
        self._numbers = {member: number for number, member in enumerate(members)}
        self._read = compile_values(members)
        self._slots = max((member.support.bit_length() for member in members), default=0)

    def contradictory(self, chosen: Iterable[int]) -> frozenset[int] | None:
        """A subset of the chosen members that contradicts the goal; None if no contradiction was shown."""
        numbers = list(chosen)
        answer = self.ask([self.goal, *(self.members[number] for number in numbers)])
        if not isinstance(answer, Unsat):
            return None
        named = frozenset(self._numbers[term] for term in answer.core if term in self._numbers)
        return named & frozenset(numbers) if answer.core else frozenset(numbers)

    def left_out(self, chosen: frozenset[int]) -> frozenset[int] | None:
        """The members that a solution with all chosen ones violates; None if there is no solution."""
        answer = self.ask([self.goal, *(self.members[number] for number in sorted(chosen))])
        if not isinstance(answer, Sat):
            return None
        held = self._read(read_values(answer.model, self._slots))
        return frozenset(number for number, holds in enumerate(held) if not holds)


def read_values(model: Model, slots: int) -> list[int]:
    """The values of all slots; 0 for slots without a value in the model."""
    values = [0] * max((slots, *(slot + 1 for slot in model)))
    for slot, value in model.items():
        values[slot] = value
    return values


def _without_idle(question: _Question, found: frozenset[int], has_time: HasTime) -> frozenset[int]:
    """Remove members one by one. The last ones go first: users usually expect what comes early in the C."""
    for member in sorted(found, reverse=True):
        if member in found and has_time():
            fewer = question.contradictory(sorted(found - {member}))
            found = found if fewer is None else fewer
    return found


def _smallest(question: _Question, most: int, has_time: HasTime) -> frozenset[int] | None:
    """The fewest members that contradict the goal; None if unknown. `most` members are known to contradict it."""
    each_leaves_out: list[frozenset[int]] = []
    while has_time():
        chosen = _meet_all(each_leaves_out, most)
        if chosen is None or len(chosen) == most:
            return chosen
        left_out = question.left_out(chosen)
        if left_out is None:
            return chosen if question.contradictory(sorted(chosen)) is not None else None
        each_leaves_out.append(_fewest_left_out(question, left_out, has_time))
    return None


def _fewest_left_out(question: _Question, left_out: frozenset[int], has_time: HasTime) -> frozenset[int]:
    """Add members again as long as the rest is satisfiable: smaller complements give more information."""
    everything = frozenset(range(len(question.members)))
    for member in sorted(left_out):
        if member in left_out and len(left_out) > 1 and has_time():
            fewer = question.left_out(everything - left_out | {member})
            left_out = left_out if fewer is None else fewer
    return left_out


def _meet_all(sets: Sequence[frozenset[int]], most: int) -> frozenset[int] | None:
    """A smallest hitting set, with at most `most` members; None if too many sets would be tried."""
    members = sorted({member for each in sets for member in each})
    tried = 0
    for count in range(most):
        for chosen in combinations(members, count):
            tried += 1
            if all(not each.isdisjoint(chosen) for each in sets):
                return frozenset(chosen)
            if tried > MOST_TRIED:
                return None
    return frozenset(range(most))  # as many as the known core: no smaller one exists
