"""Looks for a model itself where the solver gave up: floats, products, code that mixes bits as a hash does.

An input is moved downhill on the branch distances of the query (`descent`): first by guesses of what a failing
constraint wants (`aim`), then slot by slot with longer and shorter steps (Korel's alternating variables, with the
steps of Kempka, McMinn and Sudholt 2015). From a valley that is no model it starts again elsewhere: at the base, at
earlier models, then at drawn inputs. Few bits are simply enumerated.

Where floats are calculated with, it also looks briefly before the solver is asked: a solver takes a float operator
apart into thousands of gates, and needs seconds for what a few steps downhill often find in milliseconds.

It can only ever find models, never refute. What it may spend is a part of the solver's own time limit, counted in
operators and not in seconds, and what it draws is fixed by the seed: same query, same history, same answer. A query of
so many operators that few inputs could be looked at is left alone, and after some searches in vain there are no more.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from tightrope.expr.compiled import compile_predicate
from tightrope.expr.evaluate import holds
from tightrope.expr.terms import slots_of
from tightrope.solving.aim import aim
from tightrope.solving.calculations import Calculations
from tightrope.solving.descent import Descent, Effort
from tightrope.solving.leaps import Numbers, numbers_of
from tightrope.solving.query import Answer, Query, Sat, Unknown, overlay, restrict
from tightrope.solving.slopes import COMPILING, Slope, Slopes
from tightrope.solving.solver import Solver, Statistics

OPERATORS_PER_SECOND = 200_000  # of the solver's time limit: about a fifth of the time that it stands for
WITHOUT_LIMIT = 5.0  # seconds that stand for a solver without a time limit
BRIEF = 20_000  # operators, at most some twenty milliseconds: before the solver
TRIES, TRIES_PER_HIT = 8, 4  # searches that may be in vain: one after the other, and for each that was not
FEWEST_INPUTS = 100  # that are looked at: a query with too many operators for them is left alone
KEPT = 4  # earlier models to start from
FEW_BITS = 16  # of the target's slots together: every value is tried
PREDICATES = 8  # that are evaluated in the time of one distance
GUESS_COST = 10  # distances that are measured in the time of looking for guesses
DRAWING = 20  # operators that are evaluated in the time of drawing one value


class Patience:
    """Ends after some searches in vain: a program of the kind that local search is no good for."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = TRIES

    @property
    def is_over(self) -> bool:
        return self._left <= 0

    def note(self, is_hit: bool) -> None:
        if not self.is_over:
            self._left = min(TRIES, self._left + TRIES_PER_HIT) if is_hit else self._left - 1


class LocalSearch:
    __slots__ = ("_before", "_below", "_calculations", "_effort", "_recent", "_seed", "_slopes", "_usual", "statistics")

    def __init__(self, below: Solver, statistics: Statistics, *, time_limit: float, seed: int = 0) -> None:
        self._below = below
        self.statistics = statistics
        self._effort = int((time_limit or WITHOUT_LIMIT) * OPERATORS_PER_SECOND)
        self._seed = seed
        self._slopes = Slopes()
        self._recent: list[Sequence[int]] = []
        self._calculations = Calculations(BRIEF // FEWEST_INPUTS)
        self._before, self._usual = Patience(), Patience()  # with searches before the solver, and after it

    def ask(self, query: Query) -> Answer:
        answer = self._found_briefly(query) or self._below.ask(query)
        if isinstance(answer, Unknown):
            answer = self._found(query, self._effort, self._usual) or answer
        if isinstance(answer, Sat):
            self._recent = [*self._recent[1 - KEPT :], overlay(query.base, answer.model)]
        return answer

    def _found_briefly(self, query: Query) -> Sat | None:
        if self._before.is_over or not self._calculations.are_in(query.target):
            return None
        return self._found(query, min(BRIEF, self._effort), self._before)

    def _found(self, query: Query, effort: int, patience: Patience) -> Sat | None:
        slopes = None if patience.is_over else self._slopes.of_all(reversed(query.constraints), effort // FEWEST_INPUTS)
        if slopes is None:
            return None
        self.statistics.local_searches += 1
        starts = [query.base, *(values for values in reversed(self._recent) if len(values) == len(query.base))]
        values = find_model(query, slopes, starts, Effort(effort), self._seed)
        is_hit = values is not None and all(holds(term, values) for term in query.constraints)
        patience.note(is_hit)
        self.statistics.local_search_hits += is_hit
        return Sat(restrict(values, query.slots)) if values is not None and is_hit else None


def find_model(
    query: Query, slopes: Sequence[Slope], starts: Sequence[Sequence[int]], effort: Effort, seed: int
) -> Sequence[int] | None:
    """An input that satisfies the query, or None when the effort is spent. The target's slope comes first."""
    numbers = numbers_of(query.constraints)
    enumerated = _enumerated(query, slopes, numbers, effort)
    if enumerated is not None:
        return enumerated
    descent = Descent(slopes, effort)
    for start in itertools.chain(starts, _drawn(query, numbers, seed)):
        effort.spend(len(numbers.bits) * DRAWING)
        descent.start(start)
        while not descent.is_over and (_follow_guess(descent) or _move_slots(descent, numbers)):
            pass
        if descent.is_over:
            return descent.values if descent.is_down else None
    raise AssertionError("drawn inputs never end")


def _drawn(query: Query, numbers: Numbers, seed: int) -> Iterator[list[int]]:
    source, slots = random.Random(seed), query.slots
    while True:
        values = list(query.base)
        for slot in slots:
            if source.random() < 0.7:
                values[slot] = numbers.drawn(slot, source)
        yield values


def _follow_guess(descent: Descent) -> bool:
    """Move one slot to where a failing constraint wants it."""
    for slope in descent.failing:
        if descent.is_over:
            return False
        descent.effort.spend(slope.size * GUESS_COST)
        if any(descent.moves(slot, value) for slot, value in aim(slope.term, descent.values)):
            return True
    return False


def _move_slots(descent: Descent, numbers: Numbers) -> bool:
    """Each slot of a failing constraint in turn; False when none goes down."""
    support = 0
    for slope in descent.failing:
        support |= slope.term.support
    moved = [_move_slot(descent, numbers, slot) for slot in slots_of(support) if not descent.is_over]
    return any(moved)


def _move_slot(descent: Descent, numbers: Numbers, slot: int) -> bool:
    """A leap, then steps: the longest first, each as often as it leads down."""
    values = descent.values
    has_moved = any(descent.moves(slot, value) for value in numbers.leaps(slot, values[slot]))
    for power in reversed(range(numbers.bits[slot])):
        while any(descent.moves(slot, value) for value in numbers.steps(slot, values[slot], power)):
            has_moved = True
    return has_moved


def _enumerated(query: Query, slopes: Sequence[Slope], numbers: Numbers, effort: Effort) -> Sequence[int] | None:
    """Every value of the target's slots, when they have few bits; the others stay as in the base."""
    slots, size = slots_of(query.target.support), slopes[0].size
    bits = sum(numbers.bits[slot] for slot in slots)
    others = sum(slope.size for slope in slopes[1:])
    if bits > FEW_BITS or (size << bits) // PREDICATES > effort.left // 2:
        return None
    effort.spend((size << bits) // PREDICATES + (size + others) * COMPILING)
    first, *rest = [compile_predicate(slope.term) for slope in slopes]
    values = list(query.base)
    for combination in itertools.product(*(range(1 << numbers.bits[slot]) for slot in slots)):
        for slot, value in zip(slots, combination, strict=True):
            values[slot] = value
        if first(values):
            if all(predicate(values) for predicate in rest):
                return values
            effort.spend(1 + others // PREDICATES)
            if effort.is_spent:
                return None
    return None
