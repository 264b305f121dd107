"""Searches for an input on which two versions differ when they are run: solutions of their formula, and samples.

First exact solutions; then those whose runs reach a bound of the shape; then differences that a run may not show; last,
inputs for which one version leaves the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from random import Random
from typing import Protocol

from tightrope.encoding.comparison import Contrast
from tightrope.encoding.encoding import WhyDeparted
from tightrope.equality.encoded_pair import PairLevel
from tightrope.expr import plain
from tightrope.expr.build import negate
from tightrope.expr.compiled import compile_values
from tightrope.expr.simplify import both
from tightrope.expr.terms import Term, slots_of
from tightrope.inputs.scalars import Input, Scalar, Slot, first_input, float_to_bits
from tightrope.program.flow.unit_constants import UnitConstants, collect_constants
from tightrope.solving.query import Answer, Sat, SolverUnknown, Unsat, overlay
from tightrope.solving.session import Session
from tightrope.units.prepared import PreparedUnit

MOST_TRIES = 12  # inputs that are run for one formula without showing a difference
MOST_UNANSWERED = 3  # queries of one kind
SECONDS_TO_SAMPLE = 1.0
SAMPLES = 600
MOST_KEPT = 4  # lists of samples
MOST_NUMBERS = 40  # constants of the unit that samples are made of
MOST_NAMED = 3  # things that differ, in one sentence

NOT_SHOWN = "the formula predicts an input with a difference in {}, but running it shows none"
NOT_ALL = "they may differ in {}, which runs do not show"
NEVER_WRITTEN = "they may differ in {}, which depends on uninitialised memory"
LONE = "they may differ in {}, which depends on inputs that only one version has"
NOT_KNOWN = "they may differ in {}, which depends on values that the formula does not determine"

TryInput = Callable[[Input, bool], bool]


class SolverAccess(Protocol):
    """Asks the solver within the time that is left."""

    @property
    def left(self) -> float: ...

    def ask(self, session: Session, terms: Sequence[Term], seconds: float | None = None) -> Answer: ...


class DifferenceSearch:
    """Of two versions. `try_input` runs an input of new on both; True if they behave differently. It is also told
    whether the formula foresees that: not where a run leaves the formula, or depends on what it does not determine."""

    def __init__(
        self, old: PreparedUnit, new: PreparedUnit, seed: int, solver: SolverAccess, try_input: TryInput
    ) -> None:
        self._old, self._new, self._seed = old, new, seed
        self._solver, self._try_input = solver, try_input
        self._tried: set[Input] = set()
        self._tries = 0
        self._has_sampled = False
        self.reason = ""  # why nothing is proved: a model that runs do not confirm

    def look(self, level: PairLevel) -> Input | None:
        """An input on which runs differ. Exact solutions of the formula come first."""
        self.reason, self._tries = "", 0
        found = self._try_samples(level)
        if found is not None:
            return found
        as_run = [level.pair.accepted, *level.pair.as_run()]
        seen = [each for each in level.pair.contrasts if each.is_seen]
        hard = [each for each in level.departures if each.why is not WhyDeparted.SHAPE]
        for contrasts, excluded in ((seen, level.departures), (seen, hard), (level.pair.contrasts, hard)):
            found = self._try_models(level, contrasts, [*as_run, level.none_of(excluded)])
            if found is not None:
                return found
        return self._try_departing(level)

    def _try_samples(self, level: PairLevel) -> Input | None:
        """Evaluate the formula for sample inputs, which is fast; only once."""
        if self._has_sampled:
            return None
        self._has_sampled = True
        seen = level.any_of([each.when for each in level.pair.contrasts if each.is_seen])
        terms = [level.pair.accepted, seen, level.none_of(level.departures)]
        read, width = compile_values(terms), max(term.support.bit_length() for term in terms)
        end = self._solver.left - min(SECONDS_TO_SAMPLE, self._solver.left / 4)
        for values in self._samples():
            if self._solver.left < end or self._tries >= MOST_TRIES:
                return None
            given = level.pair.given(values)
            if given is not None and all(read((*given, *(0,) * width))) and self._is_different(values):
                return values
        return None

    def _samples(self) -> Iterable[Input]:
        units = (self._old, self._new)
        old, new = (collect_constants(unit.program, unit.function.name) for unit in units)
        return _draw_samples(tuple(self._new.driver.slots), old, _beyond(old, new), self._seed)

    def _try_departing(self, level: PairLevel) -> Input | None:
        """Inputs for which one version returns and the other leaves the formula: that one may not terminate."""
        table, one, other = level.pair.table, *level.pair.versions
        for mine, theirs in ((one, other), (other, one)):
            term = both(table, mine.returned, level.any_of([each.condition for each in theirs.encoding.departures]))
            answer = self._solver.ask(level.session, [level.pair.accepted, *level.pair.as_run(), term])
            if isinstance(answer, Sat):
                values = self._input(answer)
                if self._is_different(values, is_foreseen=False):
                    return values
        return None

    def _try_models(self, level: PairLevel, contrasts: Sequence[Contrast], kept: list[Term]) -> Input | None:
        """Run models. If a run shows no difference, ask for another difference and another input."""
        unanswered = 0
        for wanted in self._wanted(contrasts):
            if self._solver.left <= 0 or self._tries >= MOST_TRIES or unanswered >= MOST_UNANSWERED:
                return None
            term = level.any_of([each.when for each in wanted])
            answer = self._solver.ask(level.session, [term, *kept])
            unanswered += isinstance(answer, SolverUnknown)
            if isinstance(answer, Unsat) and len(wanted) == len(contrasts):
                return None
            if isinstance(answer, Sat):
                values = self._input(answer)
                differing = [each for each in wanted if level.session.value(each.when)]
                if self._is_different(values, is_foreseen=_is_foreseen(level, differing)):
                    return values
                self._note_failure(differing)
                kept.append(self._another(level, term, values))
        return None

    def _wanted(self, contrasts: Sequence[Contrast]) -> Iterator[Sequence[Contrast]]:
        """What to ask for: any difference, then each one alone, then any again."""
        if not contrasts:
            return
        yield contrasts
        if len(contrasts) > 1:
            yield from ([each] for each in contrasts[:MOST_TRIES])
        while True:
            yield contrasts

    def _input(self, answer: Sat) -> Input:
        slots = self._new.driver.slots
        model = {slot: value for slot, value in answer.model.items() if slot < len(slots)}
        return overlay(first_input(slots), model)

    def _is_different(self, values: Input, *, is_foreseen: bool = True) -> bool:
        self._tries += 1
        if values in self._tried:
            return False
        self._tried.add(values)
        return self._try_input(values, is_foreseen)

    def _note_failure(self, differing: Sequence[Contrast]) -> None:
        is_seen = all(each.is_seen for each in differing)
        self.reason = self.reason or (NOT_SHOWN if is_seen else NOT_ALL).format(_things(differing))

    def _another(self, level: PairLevel, term: Term, values: Input) -> Term:
        """True for other inputs than this one."""
        table = level.pair.table
        slots = [slot for slot in slots_of(term.support) if slot < len(values)]
        bits = {slot.number: slot.scalar.bits for slot in self._new.driver.slots}
        same = [plain.equals(table, table.input(n, bits[n]), table.constant(values[n], bits[n])) for n in slots]
        return negate(table, plain.all_of(table, same))


def _is_foreseen(level: PairLevel, differing: Sequence[Contrast]) -> bool:
    """Whether the runs of a solution stay in the formula, and differ by what it determines."""
    has_departed = any(level.session.value(each.condition) for each in level.departures)
    return not has_departed and level.is_exact([each.when for each in differing])


def _things(differing: Sequence[Contrast]) -> str:
    return ", ".join(list(dict.fromkeys(each.what for each in differing))[:MOST_NAMED])


def why_unseen(level: PairLevel, differing: Sequence[Contrast]) -> str:
    """Why no run shows a difference for which the formula has a solution."""
    touched = 0
    for each in differing:
        touched |= each.when.support
    unwritten = (term for version in level.pair.versions for term in version.observer.unwritten)
    if any(term.support & touched for term in unwritten):
        return NEVER_WRITTEN.format(_things(differing))
    if any(term.support & touched for term, _ in level.pair.lone_inputs()):
        return LONE.format(_things(differing))
    is_exact = level.is_exact([each.when for each in differing])
    return (NOT_ALL if is_exact else NOT_KNOWN).format(_things(differing))


# -- samples


def sample_inputs(slots: Sequence[Slot], constants: Iterable[UnitConstants], random: Random) -> Iterator[Input]:
    """Inputs made of the constants of a unit: each slot gets one of these, or a random number. Evaluating the formula
    for them finds many differences at once, even where a solver has difficulties, as with products."""
    known = list(constants)
    integers = list(dict.fromkeys(number for each in known for number in each.integers))[:MOST_NUMBERS]
    floats = list(dict.fromkeys(number for each in known for number in each.floats))[:MOST_NUMBERS]
    pools = [_pool(slot.scalar, integers, floats) for slot in slots]
    first = first_input(slots)
    yield first
    for _ in range(SAMPLES):
        is_wild = random.random() < 0.2
        yield tuple(
            random.getrandbits(slot.scalar.bits) if is_wild and slot.scalar.bits else random.choice(pool)
            for slot, pool in zip(slots, pools, strict=True)
        )


class _Samples:
    """Samples that are drawn when they are asked for, each once, however often they are used."""

    def __init__(self, drawn: Iterator[Input]) -> None:
        self._drawn, self._kept = drawn, list[Input]()

    def __iter__(self) -> Iterator[Input]:
        yield from self._kept[:]
        for values in self._drawn:
            self._kept.append(values)
            yield values


@lru_cache(maxsize=MOST_KEPT)
def _draw_samples(slots: tuple[Slot, ...], old: UnitConstants, new: UnitConstants, seed: int) -> _Samples:
    """A function is compared with hundreds of mutants that have its constants: all get the same samples."""
    return _Samples(sample_inputs(slots, (old, new), Random(seed)))


def _beyond(old: UnitConstants, new: UnitConstants) -> UnitConstants:
    """The constants of new of which no sample is made because of old."""
    near = {number + step for number, step in product((0, *old.integers), (0, 1, -1))}
    integers = tuple(number for number in new.integers if number not in near)
    return replace(new, integers=integers, floats=tuple(number for number in new.floats if number not in old.floats))


def _pool(scalar: Scalar, integers: Sequence[int], floats: Sequence[float]) -> list[int]:
    if scalar.members:
        return [value & scalar.mask for _, value in scalar.members]
    if scalar.kind == "float":
        numbers = (0.0, -0.0, 1.0, -1.0, 0.5, float("nan"), float("inf"), *floats, *map(float, integers))
        return [float_to_bits(number, scalar.bits) for number in numbers]
    near = (number + step for number, step in product((0, *integers), (0, 1, -1)))
    return list(dict.fromkeys(number & scalar.mask for number in (*near, 2, 3, 1 << max(scalar.bits - 1, 0))))
