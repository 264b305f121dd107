"""Finds an input that satisfies a query by moving inputs downhill on the branch distances of its constraints.

First by guessing values that satisfy a failing constraint (`guesses`), then slot by slot with longer and shorter steps
(Korel's alternating variables, with the steps of Kempka, McMinn and Sudholt 2015). From a local minimum that is not a
model it restarts elsewhere: at given inputs, then at random ones. Few bits are simply enumerated.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from tightrope.expr.compiled import compile_predicate
from tightrope.expr.terms import slots_of
from tightrope.solving.local_search.constraint_distances import COMPILING, ConstraintDistance
from tightrope.solving.local_search.descent import Descent, Effort
from tightrope.solving.local_search.guesses import guess_values
from tightrope.solving.local_search.trial_values import TrialValues, find_trial_values
from tightrope.solving.query import Query

FEW_BITS = 16  # of the target's slots together: every value is tried
PREDICATES = 8  # evaluated in the time of one distance
GUESS_COST = 10  # distances measured in the time of finding guesses
DRAWING = 20  # operators evaluated in the time of drawing one value


def find_model(
    query: Query, constraints: Sequence[ConstraintDistance], starts: Sequence[Sequence[int]], effort: Effort, seed: int
) -> Sequence[int] | None:
    """An input that satisfies the query, or None if the effort is spent. The target comes first."""
    trials = find_trial_values(query.constraints)
    enumerated = _enumerated(query, constraints, trials, effort)
    if enumerated is not None:
        return enumerated
    descent = Descent(constraints, effort)
    for start in itertools.chain(starts, _drawn(query, trials, seed)):
        effort.spend(len(trials.bits) * DRAWING)
        descent.start(start)
        while not descent.is_over and (_follow_guess(descent) or _move_slots(descent, trials)):
            pass
        if descent.is_over:
            return descent.values if descent.is_model else None
    raise AssertionError("drawn inputs never end")


def _drawn(query: Query, trials: TrialValues, seed: int) -> Iterator[list[int]]:
    source, slots = random.Random(seed), query.slots
    while True:
        values = list(query.base)
        for slot in slots:
            if source.random() < 0.7:
                values[slot] = trials.drawn(slot, source)
        yield values


def _follow_guess(descent: Descent) -> bool:
    """Move one slot to a value that satisfies a failing constraint."""
    for constraint in descent.failing:
        if descent.is_over:
            return False
        descent.effort.spend(constraint.size * GUESS_COST)
        if any(descent.try_move(slot, value) for slot, value in guess_values(constraint.term, descent.values)):
            return True
    return False


def _move_slots(descent: Descent, trials: TrialValues) -> bool:
    """Try each slot of a failing constraint in turn; False if none decreases the sum."""
    support = 0
    for constraint in descent.failing:
        support |= constraint.term.support
    moved = [_move_slot(descent, trials, slot) for slot in slots_of(support) if not descent.is_over]
    return any(moved)


def _move_slot(descent: Descent, trials: TrialValues, slot: int) -> bool:
    """Try leaps, then steps: the longest first, each as long as it decreases the sum."""
    values = descent.values
    has_moved = any(descent.try_move(slot, value) for value in trials.leaps(slot, values[slot]))
    for power in reversed(range(trials.bits[slot])):
        while any(descent.try_move(slot, value) for value in trials.steps(slot, values[slot], power)):
            has_moved = True
    return has_moved


def _enumerated(
    query: Query, constraints: Sequence[ConstraintDistance], trials: TrialValues, effort: Effort
) -> Sequence[int] | None:
    """Every value of the target's slots, if they have few bits; the others stay as in the base."""
    slots, size = slots_of(query.target.support), constraints[0].size
    bits = sum(trials.bits[slot] for slot in slots)
    others = sum(constraint.size for constraint in constraints[1:])
    if bits > FEW_BITS or (size << bits) // PREDICATES > effort.left // 2:
        return None
    effort.spend((size << bits) // PREDICATES + (size + others) * COMPILING)
    first, *rest = [compile_predicate(constraint.term) for constraint in constraints]
    values = list(query.base)
    for combination in itertools.product(*(range(1 << trials.bits[slot]) for slot in slots)):
        for slot, value in zip(slots, combination, strict=True):
            values[slot] = value
        if first(values):
            if all(predicate(values) for predicate in rest):
                return values
            effort.spend(1 + others // PREDICATES)
            if effort.is_spent:
                return None
    return None
