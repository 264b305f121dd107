"""Finds a model of a query about many inputs by moving many of them together.

A sum of a thousand samples, or the energy of a filtered signal, hardly depends on one of them:

    all alike             5  5  5  5  5  5  5  5
    every other one      -5  5 -5  5 -5  5 -5  5       and waves of two, four ... as long
    one half              0  0  0  0  5  5  5  5

The common value moves as one slot of a usual local search does. Constraints that fail then, for example an equality
that is missed by a little, are repaired by a guess for one slot each. Evaluated terms are counted, not seconds: the
same query gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tightrope.expr import ieee
from tightrope.expr.terms import Term
from tightrope.solving.local_search.guesses import guess_values_at
from tightrope.solving.local_search.large_query import LargeQuery, slots_like_most
from tightrope.solving.local_search.trial_values import TrialValues, find_trial_values
from tightrope.solving.query import Query

LEAST_SLOTS = 4
REPAIRS = 4  # constraints that may fail one after the other
GUESSES = 3  # for each of them
MOST_ROUNDS = 4
MOVES = 150  # at least, of a query whose terms are many

Signs = Sequence[tuple[int, bool]]  # slots that move together, and which of them the other way


def find_model_together(query: Query, effort: int) -> Sequence[int] | None:
    """An input that satisfies the query, or None when so many terms were evaluated, and some moves were tried."""
    large = LargeQuery(query)
    effort = max(effort, MOVES * large.evaluated)
    if _repair(large, effort):
        return large.values
    slots, trials = slots_like_most(query), find_trial_values(query.constraints)
    if len(slots) < LEAST_SLOTS:
        return None
    for _ in range(MOST_ROUNDS):
        before = large.distance
        for group in _groups(slots):
            has_moved = _move(large, trials, group, effort)
            if not large.failing or (has_moved and _repair(large, effort)):
                return large.values
            if large.evaluated > effort:
                return None
        if large.distance >= before:
            return None
    return None


def _groups(slots: Sequence[int]) -> Iterator[Signs]:
    """All of them; waves, the longest first; halves."""
    count = len(slots)
    yield [(slot, False) for slot in slots]
    length = 1 << (count - 1).bit_length() - 1
    while length:
        yield [(slot, bool(at // length & 1)) for at, slot in enumerate(slots)]
        length //= 2
    for start, end, step in ((0, count // 2, 1), (count // 2, count, 1), (0, count, 2), (1, count, 2)):
        yield [(slot, False) for slot in slots[start:end:step]]


def _move(large: LargeQuery, trials: TrialValues, group: Signs, effort: int) -> bool:
    """Leaps, then steps: the longest first, each as long as it helps."""
    first = group[0][0]
    leaps = trials.leaps(first, large.values[first])
    has_moved = False
    for value in leaps:
        has_moved |= _try(large, effort, _filled(trials, group, value))
    for power in reversed(range(trials.bits[first])):
        while any(_try(large, effort, change) for change in _stepped(large, trials, group, power)):
            has_moved = True
    return has_moved


def _try(large: LargeQuery, effort: int, change: Mapping[int, int]) -> bool:
    return large.evaluated <= effort and bool(large.failing) and large.try_change(change)


def _filled(trials: TrialValues, group: Signs, value: int) -> dict[int, int]:
    return {slot: _negated(trials, slot, value) if is_other else value for slot, is_other in group}


def _negated(trials: TrialValues, slot: int, value: int) -> int:
    bits = trials.bits[slot]
    return value ^ ieee.SIGN[bits] if slot in trials.float_slots else -value & ((1 << bits) - 1)


def _stepped(large: LargeQuery, trials: TrialValues, group: Signs, power: int) -> Iterator[dict[int, int]]:
    """Each slot from where it is. Floats all grow or all shrink, whatever their signs are."""
    for way in (0, 1):
        change = {}
        for slot, is_other in group:
            now = large.values[slot]
            is_below = bool(now & ieee.SIGN[trials.bits[slot]]) if slot in trials.float_slots else is_other
            change[slot] = trials.steps(slot, now, power)[way ^ is_below]
        yield change


def _repair(large: LargeQuery, effort: int) -> bool:
    """Let one slot after the other have what a failing constraint wants; True if all hold then. Otherwise nothing has
    changed."""
    before, moved = large.values, set[int]()
    for _ in range(REPAIRS):
        failing = large.failing
        if not failing:
            return True
        if large.evaluated > effort or not _follow_guess(large, failing[0], moved):
            break
    if not large.failing:
        return True
    large.try_change(dict(enumerate(before)), always=True)
    return False


def _follow_guess(large: LargeQuery, term: Term, moved: set[int]) -> bool:
    """Satisfy this constraint by a slot that did not move before, whatever becomes of others."""
    kept = large.values
    for number, (slot, value) in enumerate(guess_values_at(term, large.at, is_nearest_first=True)):
        if number == GUESSES:
            break
        if slot in moved:
            continue
        large.try_change({slot: value}, always=True)
        if term not in large.failing:
            moved.add(slot)
            return True
        large.try_change({slot: kept[slot]}, always=True)
    return False
