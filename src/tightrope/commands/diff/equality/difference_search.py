"""An input on which two versions differ when they are run: models of their formula, and samples.

What the formula is sure of comes first; then what it says of runs that feel the end of their shape; then what runs may
not show; at last inputs of which it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

from tightrope.commands.diff.equality.encoded_pair import PairLevel
from tightrope.commands.diff.equality.sampled_inputs import sample_inputs
from tightrope.encoding.compared import Contrast
from tightrope.encoding.encoded import WhyDeparted
from tightrope.expr.build import conjunction, equals, negate
from tightrope.expr.compiled import compile_values
from tightrope.expr.gates import both
from tightrope.expr.terms import Term, slots_of
from tightrope.inputs.scalars import Input, first_input
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.solving.query import Answer, Sat, Unknown, Unsat, overlay
from tightrope.solving.session import Session
from tightrope.units.prepared import PreparedUnit

MOST_TRIES = 12  # inputs that are run for one formula, though none has shown a difference
MOST_UNANSWERED = 3  # questions of one kind
SECONDS_TO_SAMPLE = 1.0
MOST_NAMED = 3  # things that differ, in one sentence

NOT_SHOWN = "an input on which {} should differ shows nothing of the kind when it is run"
NOT_ALL = "they may differ in {}, which runs do not show"
NEVER_WRITTEN = "they may differ in {}, which depends on memory that was never written"
LONE = "they may differ in {}, which depends on inputs that only one version has"
NOT_KNOWN = "they may differ in {}, which depends on values that the formula does not know"


class Asks(Protocol):
    """Who asks the solver, and knows the time."""

    @property
    def left(self) -> float: ...

    def ask(self, session: Session, terms: Sequence[Term], seconds: float | None = None) -> Answer: ...


class DifferenceSearch:
    """Of two versions. `try_input` runs an input of new on both: True when they behave differently."""

    def __init__(
        self, old: PreparedUnit, new: PreparedUnit, seed: int, asking: Asks, try_input: Callable[[Input], bool]
    ) -> None:
        self._old, self._new, self._seed = old, new, seed
        self._asking, self._try_input = asking, try_input
        self._tried: set[Input] = set()
        self._tries = 0
        self._has_sampled = False
        self.reason = ""  # why nothing is proved: a model that runs do not confirm

    def look(self, level: PairLevel) -> Input | None:
        """An input on which they differ when they are run. What the formula is sure of comes first."""
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
        """Inputs for which the formula is simply evaluated; once, and in no time."""
        if self._has_sampled:
            return None
        self._has_sampled = True
        seen = level.any_of([each.when for each in level.pair.contrasts if each.is_seen])
        terms = [level.pair.accepted, seen, level.none_of(level.departures)]
        read, width = compile_values(terms), max(term.support.bit_length() for term in terms)
        end = self._asking.left - min(SECONDS_TO_SAMPLE, self._asking.left / 4)
        for values in self._samples():
            if self._asking.left < end or self._tries >= MOST_TRIES:
                return None
            given = level.pair.given(values)
            if given is not None and all(read((*given, *(0,) * width))) and self._is_different(values):
                return values
        return None

    def _samples(self) -> Iterator[Input]:
        units = (self._old, self._new)
        constants = [collect_constants(unit.program, unit.function.name) for unit in units]
        return sample_inputs(self._new.driver.slots, constants, Random(self._seed))

    def _try_departing(self, level: PairLevel) -> Input | None:
        """Where one version returns and the other one leaves the formula, nobody knows: it may go on for ever."""
        table, one, other = level.pair.table, *level.pair.versions
        for mine, theirs in ((one, other), (other, one)):
            term = both(table, mine.returned, level.any_of([each.condition for each in theirs.encoding.departures]))
            answer = self._asking.ask(level.session, [level.pair.accepted, *level.pair.as_run(), term])
            if isinstance(answer, Sat):
                values = self._input(answer)
                if self._is_different(values):
                    return values
        return None

    def _try_models(self, level: PairLevel, contrasts: Sequence[Contrast], kept: list[Term]) -> Input | None:
        """Models are run. After one that shows nothing, another thing is asked to differ, for another input."""
        unanswered = 0
        for wanted in self._wanted(contrasts):
            if self._asking.left <= 0 or self._tries >= MOST_TRIES or unanswered >= MOST_UNANSWERED:
                return None
            term = level.any_of([each.when for each in wanted])
            answer = self._asking.ask(level.session, [term, *kept])
            unanswered += isinstance(answer, Unknown)
            if isinstance(answer, Unsat) and len(wanted) == len(contrasts):
                return None
            if isinstance(answer, Sat):
                values = self._input(answer)
                if self._is_different(values):
                    return values
                self._note_failure([each for each in wanted if level.session.value(each.when)])
                kept.append(self._another(level, term, values))
        return None

    def _wanted(self, contrasts: Sequence[Contrast]) -> Iterator[Sequence[Contrast]]:
        """What is asked to differ: anything, then one thing after the other, then anything else."""
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

    def _is_different(self, values: Input) -> bool:
        self._tries += 1
        if values in self._tried:
            return False
        self._tried.add(values)
        return self._try_input(values)

    def _note_failure(self, differing: Sequence[Contrast]) -> None:
        is_seen = all(each.is_seen for each in differing)
        self.reason = self.reason or (NOT_SHOWN if is_seen else NOT_ALL).format(_things(differing))

    def _another(self, level: PairLevel, term: Term, values: Input) -> Term:
        """Not this input again."""
        table = level.pair.table
        slots = [slot for slot in slots_of(term.support) if slot < len(values)]
        bits = {slot.number: slot.scalar.bits for slot in self._new.driver.slots}
        same = [equals(table, table.input(n, bits[n]), table.constant(values[n], bits[n])) for n in slots]
        return negate(table, conjunction(table, same))


def _things(differing: Sequence[Contrast]) -> str:
    return ", ".join(list(dict.fromkeys(each.what for each in differing))[:MOST_NAMED])


def why_unseen(level: PairLevel, differing: Sequence[Contrast]) -> str:
    """Why no run has shown what the formula has a solution for."""
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
